/* Parses cells by the format of their column. */
#include "prep/cell_format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/isotime.h"
#include "common/numtext.h"
#include "io/sniff.h"

/* What a number may have around it too. */
static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void trim(const char **text, size_t *len)
{
    while (*len && is_blank(**text)) ++*text, --*len;
    while (*len && is_blank((*text)[*len - 1])) --*len;
}

odim_status od_cell_na(od_strlist *na, const char *const *texts, odim_error *err)
{
    odim_status status = ODIM_OK;
    for (; texts && *texts && !status; texts++) {
        const char *text = *texts;
        size_t len = strlen(text);
        trim(&text, &len);
        status = od_strlist_add(na, text, len, err);
    }
    return status;
}

static bool is_na(const char *text, size_t len, const od_strlist *na)
{
    for (size_t i = 0; i < na->count; i++) {
        const char *own = od_strlist_at(na, i);
        if (strlen(own) == len && memcmp(own, text, len) == 0) return true;
    }
    return false;
}

static bool is_word(const char *text, size_t len, const char *word)
{
    return strlen(word) == len && strncasecmp(text, word, len) == 0;
}

/* printf writes "-nan" as often as "nan". */
static bool is_nan(const char *text, size_t len)
{
    size_t sign = len && (*text == '-' || *text == '+');
    return is_word(text + sign, len - sign, "nan");
}

bool od_cell_is_missing(const char *text, size_t len, const od_strlist *na)
{
    size_t sign = len > 1 && (*text == '-' || *text == '$');
    if (len && text[sign] >= '0' && text[sign] <= '9' && !na->count) return false; /* most cells */
    trim(&text, &len);
    return len == 0 || is_nan(text, len) || od_sniff_is_missing(text, len) || is_na(text, len, na);
}

bool od_cell_boolean(const char *text, size_t len, double *out)
{
    static const char *const words[] = {"false", "true", "no", "yes", "off", "on"};
    trim(&text, &len);
    for (int i = 0; i < 6; i++) {
        if (!is_word(text, len, words[i])) continue;
        *out = i % 2;
        return true;
    }
    return false;
}

static bool parse_number(const od_cell_format *format, const char *text, size_t len, double *out)
{
    od_local_number n;
    if (!format->notations) return od_num_parse(text, len, out) == OD_NUM_OK;
    /* Most cells with a decimal point and without a unit are plain. */
    if (!*format->unit && (format->notations & OD_POINTS) && od_num_parse(text, len, out) == OD_NUM_OK)
        return true;
    /* Whole numbers of more digits than people write are plain as well. */
    if (!od_local_number_scan(text, len, &n))
        return !*format->unit && !memchr(text, '.', len) && od_num_parse(text, len, out) == OD_NUM_OK;
    if (!od_unit_same(n.unit, format->unit)) return false;
    unsigned common = n.notations & format->notations;
    if (!common) return false;
    int notation = 0;
    while (!(common >> notation & 1)) notation++;
    return od_local_number_value(&n, (od_notation)notation, out) == OD_NUM_OK;
}

static bool parse_time(const od_cell_format *format, const char *text, size_t len, double *out)
{
    od_local_date d;
    od_date_order order = (od_date_order)format->order;
    if (order == OD_DATE_SECONDS || order == OD_DATE_MILLISECONDS) {
        if (od_num_parse(text, len, out) != OD_NUM_OK) return false;
        if (order == OD_DATE_MILLISECONDS) *out /= 1000.0;
        return true;
    }
    if ((order == OD_DATE_ISO || order == OD_DATE_YMD) && od_time_parse(text, len, out)) return true;
    if (order == OD_DATE_ISO || !od_local_date_scan(text, len, &d) || !(d.orders >> order & 1)) return false;
    *out = od_local_date_value(&d, order);
    return true;
}

bool od_cell_parse(odim_type type, const od_cell_format *format, const char *text, size_t len,
                   const od_strlist *na, double *out)
{
    bool fits;
    if (type == ODIM_TIME)
        fits = parse_time(format, text, len, out);
    else if (type == ODIM_BOOLEAN)
        fits = od_cell_boolean(text, len, out) ||
               (od_num_parse(text, len, out) == OD_NUM_OK && (*out == 0 || *out == 1));
    else
        fits = parse_number(format, text, len, out);
    if (fits && !na->count) return true;
    if (od_cell_is_missing(text, len, na)) {
        *out = NAN;
        return true;
    }
    return fits;
}

void od_cell_describe(const od_text_profile *p, const char *text, size_t len, const od_strlist *na,
                      od_text_values out)
{
    if (!od_cell_is_missing(text, len, na)) {
        od_text_describe(p, text, len, out);
        return;
    }
    for (int i = 0; i <= OD_TEXT_FEATURES; i++) out[i] = NAN;
}

/* ---- in words --------------------------------------------------------------------------------------- */

/* The only notation of a set, or "decimal comma" where the thousands mark is not known. */
static const char *notations_text(unsigned notations)
{
    for (int i = 0; i < OD_NOTATIONS; i++)
        if (notations == 1u << i) return od_notation_text((od_notation)i);
    return notations & OD_COMMAS ? "decimal comma" : "";
}

const char *od_cell_format_text(odim_type type, const od_cell_format *format, char *buf, size_t size)
{
    const char *text = "";
    if (type == ODIM_NUMERIC) text = notations_text(format->notations);
    if (type == ODIM_TIME && format->order != OD_DATE_ISO)
        text = od_date_order_text((od_date_order)format->order);
    const char *unit = type == ODIM_NUMERIC ? format->unit : "";
    char shown[OD_UNIT_ROOM * 4];
    odim_printable(unit, shown, sizeof shown);
    snprintf(buf, size, "%s%s%s", text, *text && *unit ? ", " : "", shown);
    return buf;
}

const char *od_cell_kind_text(odim_type type, const od_cell_format *format, char *buf, size_t size)
{
    char special[80];
    od_cell_format_text(type, format, special, sizeof special);
    snprintf(buf, size, "%s%s%s%s",
             type == ODIM_BOOLEAN ? "true or false"
             : type == ODIM_TIME  ? (format->order ? "a date or time" : "an ISO 8601 date or time")
                                  : "a number",
             *special ? " (" : "", special, *special ? ")" : "");
    return buf;
}

bool od_cell_format_named(odim_type type, const char *word, od_cell_format *out)
{
    *out = (od_cell_format){0};
    if (type == ODIM_NUMERIC) {
        out->notations = strcmp(word, "comma") == 0 ? OD_COMMAS : strcmp(word, "point") == 0 ? OD_POINTS : 0;
        return out->notations != 0;
    }
    if (type != ODIM_TIME) return false;
    for (int i = 0; i < OD_DATE_ORDERS; i++) {
        if (strcmp(word, od_date_order_name((od_date_order)i)) != 0) continue;
        out->order = (uint8_t)i;
        return true;
    }
    return false;
}
