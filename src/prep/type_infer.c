/* Parses single cells, and infers the type of a column by counting its cells. */
#include "prep/type_infer.h"

#include <math.h>
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

odim_status od_cell_na(od_strlist *na, const char *list, odim_error *err)
{
    odim_status status = ODIM_OK;
    while (list && !status) {
        size_t whole = strcspn(list, ","), len = whole;
        const char *text = list;
        trim(&text, &len);
        status = od_strlist_add(na, text, len, err);
        list = list[whole] ? list + whole + 1 : NULL;
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
    trim(&text, &len);
    return len == 0 || is_nan(text, len) || od_sniff_is_missing(text, len) || is_na(text, len, na);
}

static bool parse_boolean(const char *text, size_t len, double *out)
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

static void remember(od_odd_cell *odd, const char *text, size_t len, int64_t row, int64_t line)
{
    if (odd->row) return;
    odd->row = row;
    odd->line = line;
    od_printable(odd->text, sizeof odd->text, text, len);
}

void od_type_votes_add(od_type_votes *t, const char *text, size_t len, const od_strlist *na, int64_t row,
                       int64_t line)
{
    double value;
    /* Numbers first: they are most cells. Infinite ones count, and are refused when they are read. */
    od_num kind = od_num_parse(text, len, &value);
    bool number = kind == OD_NUM_OK || kind == OD_NUM_OVERFLOW || kind == OD_NUM_NONFINITE;
    if ((kind != OD_NUM_OK || na->count) && od_cell_is_missing(text, len, na)) return;
    bool time = !number && od_time_parse(text, len, &value);
    t->present++;
    t->numbers += number;
    t->times += time;
    if (!number && !time) t->booleans += parse_boolean(text, len, &value);
    if (!number) remember(&t->not_number, text, len, row, line);
    if (!time) remember(&t->not_time, text, len, row, line);
}

/* The first one stays. */
static void keep_first(od_odd_cell *odd, const od_odd_cell *later, int64_t file, int64_t rows, int64_t lines)
{
    if (odd->row || !later->row) return;
    *odd = *later;
    odd->file += file;
    odd->row += rows;
    odd->line += lines;
}

void od_type_votes_merge(od_type_votes *t, const od_type_votes *later, int64_t file, int64_t rows,
                         int64_t lines)
{
    t->present += later->present;
    t->numbers += later->numbers;
    t->booleans += later->booleans;
    t->times += later->times;
    keep_first(&t->not_number, &later->not_number, file, rows, lines);
    keep_first(&t->not_time, &later->not_time, file, rows, lines);
}

const od_odd_cell *od_type_votes_decide(const od_type_votes *t, odim_type *type)
{
    *type = t->numbers == t->present    ? ODIM_NUMERIC
            : t->times == t->present    ? ODIM_TIME
            : t->booleans == t->present ? ODIM_BOOLEAN
                                        : ODIM_CATEGORICAL;
    if (*type != ODIM_CATEGORICAL) return NULL;
    bool numbers = t->numbers * 10 >= t->present * 9, times = t->times * 10 >= t->present * 9;
    if (!numbers && !times) return NULL;
    *type = numbers ? ODIM_NUMERIC : ODIM_TIME;
    return numbers ? &t->not_number : &t->not_time;
}

bool od_cell_parse(odim_type type, const char *text, size_t len, const od_strlist *na, double *out)
{
    bool fits;
    if (type == ODIM_TIME)
        fits = od_time_parse(text, len, out);
    else if (type == ODIM_BOOLEAN && parse_boolean(text, len, out))
        fits = true;
    else
        fits = od_num_parse(text, len, out) == OD_NUM_OK && (type == ODIM_NUMERIC || *out == 0 || *out == 1);
    if (fits && !na->count) return true;
    if (od_cell_is_missing(text, len, na)) {
        *out = NAN;
        return true;
    }
    return fits;
}
