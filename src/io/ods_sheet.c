/*
 * Parses the rows of a sheet in an OpenDocument spreadsheet (.ods):
 *
 *     <table name="May">
 *       <table-row number-rows-repeated="2">
 *         <table-cell value-type="float" value="1.5"/>
 *         <table-cell number-columns-repeated="3"/>
 *         <table-cell value-type="string"><p>a text</p></table-cell>
 *
 * Cells have no references: each follows the one before, as do rows, and both may be repeated. The value is
 * in an attribute of its own for each type; only that of a text is between the tags.
 */
#include <string.h>

#include "base/isotime.h"
#include "common/numtext.h"
#include "io/xlsx_sheet.h"

/* How often a row or a cell stands there, at most `most`. */
static int64_t repeated(const char **attrs, const char *name, int64_t most)
{
    const char *text = od_xml_attr(attrs, name);
    int64_t count = 0;
    for (; text && *text >= '0' && *text <= '9' && count <= most; text++) count = count * 10 + (*text - '0');
    return count < 1 ? 1 : count > most ? most : count;
}

/* ---- values --------------------------------------------------------------------------------------- */

/* PT09H30M00S as days. False: it is not a duration. */
static bool parse_duration(const char *p, double *days)
{
    static const char units[] = "DHMS";
    static const double of_day[] = {1, 24, 1440, 86400};
    bool in_time = false;
    *days = 0;
    if (*p++ != 'P') return false;
    while (*p) {
        double value;
        if (*p == 'T') {
            in_time = true;
            p++;
            continue;
        }
        size_t len = strspn(p, "0123456789.");
        const char *unit = p[len] ? strchr(units, p[len]) : NULL;
        if (!len || !unit || (*unit != 'D') != in_time || od_num_parse(p, len, &value) != OD_NUM_OK)
            return false;
        *days += value / of_day[unit - units];
        p += len + 1;
    }
    return true;
}

/* The value of a cell that is not a text, and its type as io/xlsx_sheet.h has them. */
static odim_status take_value(od_sheet *s, const char *type, const char **attrs, odim_error *err)
{
    static const struct {
        const char *type, *attr;
        char letter;
    } kinds[] = {{"float", "value", 'n'},     {"percentage", "value", 'n'},
                 {"currency", "value", 'n'},  {"date", "date-value", 'd'},
                 {"time", "time-value", 'd'}, {"boolean", "boolean-value", 'b'},
                 {"error", NULL, 'e'},        {"string", "string-value", 't'}};
    char iso[OD_TIME_ROOM];
    double days;
    size_t i = 0, count = sizeof kinds / sizeof *kinds;
    while (i < count && strcmp(kinds[i].type, type) != 0) i++;
    if (i == count) return ODIM_OK;
    s->type = kinds[i].letter;
    const char *value = kinds[i].attr ? od_xml_attr(attrs, kinds[i].attr) : NULL;
    if (!value) return ODIM_OK;
    if (strcmp(type, "time") == 0 && parse_duration(value, &days) && od_sheet_days(iso, days, false))
        value = iso;
    s->has_value = *value != '\0';
    return od_sheet_add(s, value, strlen(value), err);
}

/* Some programs write an error as a text. */
static bool is_error(const char *text, size_t len)
{
    return len > 1 && (*text == '#' || (len > 4 && memcmp(text, "Err:", 4) == 0));
}

/* ---- elements ------------------------------------------------------------------------------------- */

static void start_row(od_sheet *s, const char **attrs)
{
    s->row = s->next_row;
    s->repeat = repeated(attrs, "number-rows-repeated", OD_SHEET_ROWS);
    s->next_row += s->repeat;
    s->in_row = true;
    s->width = s->text_len = s->filled = 0;
    s->column = 0;
}

static odim_status start_cell(od_sheet *s, const char **attrs, odim_error *err)
{
    const char *type = NULL;
    s->column++;
    s->columns = repeated(attrs, "number-columns-repeated", OD_SHEET_COLUMNS);
    s->start = s->text_len;
    s->in_cell = true;
    s->in_text = s->in_phonetic = s->has_value = s->broken = false;
    s->formula = od_xml_attr(attrs, "formula") != NULL;
    s->type = 0;
    /* There may be two: one of the standard, and one of LibreOffice, which alone tells errors. */
    for (const char **a = attrs; *a; a += 2) {
        size_t len = strlen(a[0]);
        bool is = len >= 10 && strcmp(a[0] + len - 10, "value-type") == 0;
        if (is && (!type || strcmp(a[1], "error") == 0)) type = a[1];
    }
    return type ? take_value(s, type, attrs, err) : ODIM_OK;
}

/* The cell's text is complete: it is put into all the columns that it stands for. */
static odim_status end_cell(od_sheet *s, odim_error *err)
{
    od_sheet_cell c = {.start = s->start, .len = s->text_len - s->start};
    int64_t last = s->column + s->columns - 1;
    s->in_cell = false;
    const char *text = s->text + c.start;
    bool error = s->type == 'e' || (s->type == 't' && s->formula && c.len && is_error(text, c.len));
    if (error) od_sheet_count(s, &s->errors, s->first_error);
    if (!error && !s->type && s->formula) od_sheet_count(s, &s->pending, s->first_pending);
    if (!error && s->type && c.len && !od_sheet_is_blank(text, c.len)) {
        c.kind = s->type == 't' ? OD_SHEET_TEXT : OD_SHEET_VALUE;
        if (last > OD_SHEET_COLUMNS || s->row > OD_SHEET_ROWS)
            return od_fail(err, ODIM_ERR_FORMAT, "row %lld: a cell is beyond the end of the sheet",
                           (long long)s->row);
        odim_status status = od_sheet_widen(s, (size_t)last, err);
        if (status) return status;
        for (int64_t j = s->column; j <= last; j++) s->cells[j - 1] = c;
        s->filled += (size_t)s->columns;
    }
    s->column = last < OD_SHEET_COLUMNS ? last : OD_SHEET_COLUMNS;
    return ODIM_OK;
}

/* Within a cell. A note of it, an annotation, has paragraphs too. */
static odim_status start_text(od_sheet *s, const char *name, const char **attrs, odim_error *err)
{
    if (strcmp(name, "annotation") == 0) s->in_phonetic = true;
    if (s->in_phonetic || s->has_value || s->type != 't') return ODIM_OK;
    if (strcmp(name, "p") == 0) {
        bool more = s->broken;
        s->in_text = s->broken = true;
        return more ? od_sheet_add(s, "\n", 1, err) : ODIM_OK;
    }
    if (!s->in_text) return ODIM_OK;
    if (strcmp(name, "tab") == 0) return od_sheet_add(s, "\t", 1, err);
    if (strcmp(name, "line-break") == 0) return od_sheet_add(s, "\n", 1, err);
    odim_status status = ODIM_OK;
    if (strcmp(name, "s") == 0)
        for (int64_t n = repeated(attrs, "c", 1000); n > 0 && !status; n--)
            status = od_sheet_add(s, " ", 1, err);
    return status;
}

static odim_status start(void *ctx, const char *name, const char **attrs, odim_error *err)
{
    od_sheet *s = ctx;
    if (strcmp(name, "spreadsheet") == 0) s->in_sheets = true;
    if (strcmp(name, "table") == 0 && s->in_sheets) {
        if (s->depth++ == 0) s->in_data = s->tables++ == s->index;
        return ODIM_OK;
    }
    if (!s->in_data || s->depth != 1) return ODIM_OK;
    if (s->in_cell) return start_text(s, name, attrs, err);
    if (s->in_row && (strcmp(name, "table-cell") == 0 || strcmp(name, "covered-table-cell") == 0))
        return start_cell(s, attrs, err);
    if (!s->in_row && strcmp(name, "table-row") == 0) start_row(s, attrs);
    return ODIM_OK;
}

static odim_status end(void *ctx, const char *name, odim_error *err)
{
    od_sheet *s = ctx;
    if (strcmp(name, "table") == 0 && s->in_sheets) {
        if (--s->depth == 0) s->in_data = false;
        return ODIM_OK;
    }
    if (!s->in_data || s->depth != 1) return ODIM_OK;
    if (s->in_cell) {
        if (strcmp(name, "p") == 0) s->in_text = false;
        if (strcmp(name, "annotation") == 0) s->in_phonetic = false;
        bool over = strcmp(name, "table-cell") == 0 || strcmp(name, "covered-table-cell") == 0;
        return over ? end_cell(s, err) : ODIM_OK;
    }
    if (s->in_row && strcmp(name, "table-row") == 0) {
        s->in_row = false;
        if (s->filled) od_xml_pause(s->xml);
    }
    return ODIM_OK;
}

static odim_status text(void *ctx, const char *piece, size_t len, odim_error *err)
{
    od_sheet *s = ctx;
    return s->in_text && s->in_cell && !s->in_phonetic ? od_sheet_add(s, piece, len, err) : ODIM_OK;
}

const od_xml_handler od_ods_sheet = {start, end, text};
