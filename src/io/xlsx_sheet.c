/* Parses the rows of a sheet in an Excel workbook. */
#include "io/xlsx_sheet.h"

#include <stdio.h>
#include <string.h>

#include "base/isotime.h"
#include "common/mem.h"
#include "common/numtext.h"
#include "io/csv.h"

/* Days from the first day of a date system to 1970. Excel takes 1900 for a leap year, so that days before
 * March 1900 have another. */
#define DAYS_1900   25569.0
#define DAYS_1904   24107.0
#define FIRST_MARCH 60.0
#define LAST_DAY    2958466.0 /* of the year 9999 */

const char *od_sheet_name(char buf[OD_SHEET_NAME], int64_t row, int64_t column)
{
    char letters[8];
    size_t at = sizeof letters;
    for (int64_t c = column; c > 0 && at > 0; c = (c - 1) / 26) letters[--at] = (char)('A' + (c - 1) % 26);
    int len = snprintf(buf, OD_SHEET_NAME, "%.*s", (int)(sizeof letters - at), letters + at);
    if (row > 0) snprintf(buf + len, OD_SHEET_NAME - (size_t)len, "%d", (int)row);
    return buf;
}

static odim_status fail_cell(const od_sheet *s, odim_error *err, const char *what)
{
    char name[OD_SHEET_NAME];
    return od_fail(err, ODIM_ERR_FORMAT, "cell %s: %s", od_sheet_name(name, s->row, s->column), what);
}

/* ---- references ----------------------------------------------------------------------------------- */

/* A whole number of at most `most`; false: it is not one. */
static bool parse_count(const char *p, size_t len, int64_t most, int64_t *out)
{
    *out = 0;
    for (size_t i = 0; i < len; i++) {
        if (p[i] < '0' || p[i] > '9' || (*out = *out * 10 + (p[i] - '0')) > most) return false;
    }
    return len > 0;
}

/* The column of a reference such as C5, whose row is known. */
static bool parse_column(const char *ref, int64_t *out)
{
    *out = 0;
    for (; *ref >= 'A' && *ref <= 'Z'; ref++)
        if ((*out = *out * 26 + (*ref - 'A' + 1)) > OD_SHEET_COLUMNS) return false;
    return *out > 0 && *ref >= '0' && *ref <= '9';
}

/* ---- texts ---------------------------------------------------------------------------------------- */

odim_status od_sheet_add(od_sheet *s, const char *text, size_t len, odim_error *err)
{
    if (len > OD_CSV_RECORD_MOST - s->text_len) return fail_cell(s, err, "the row is too long");
    if (s->text_cap - s->text_len < len) {
        size_t cap = (s->text_len + len) * 2;
        char *more = od_grow(s->text, s->text_len, cap, 1);
        if (!more) return od_fail_nomem(err);
        s->text = more;
        s->text_cap = cap;
    }
    memcpy(s->text + s->text_len, text, len);
    s->text_len += len;
    return ODIM_OK;
}

bool od_sheet_is_blank(const char *text, size_t len)
{
    while (len && strchr(" \t\r\n", *text)) text++, len--;
    return len == 0;
}

/* ---- values --------------------------------------------------------------------------------------- */

bool od_sheet_days(char *iso, double days, bool from_1904)
{
    if (!(days >= 0 && days < LAST_DAY)) return false;
    /* Below 1 it is a time of day, which is the same in either date system. */
    bool is_1904 = from_1904 && days >= 1;
    double first = is_1904 ? DAYS_1904 : days < FIRST_MARCH ? DAYS_1900 - 1 : DAYS_1900;
    od_time_format(iso, (days - first) * OD_DAY);
    return true;
}

/* The value is a number of days: as ISO 8601. One that is no day of the calendar stays a number. */
static odim_status take_date(od_sheet *s, od_sheet_cell *c, odim_error *err)
{
    double days;
    char iso[OD_TIME_ROOM];
    if (od_num_parse(s->text + c->start, c->len, &days) != OD_NUM_OK ||
        !od_sheet_days(iso, days, s->book->from_1904))
        return ODIM_OK;
    s->text_len = c->start;
    c->len = strlen(iso);
    return od_sheet_add(s, iso, c->len, err);
}

static odim_status take_shared(od_sheet *s, od_sheet_cell *c, odim_error *err)
{
    int64_t at;
    size_t count = s->book->strings.count;
    if (!parse_count(s->text + c->start, c->len, INT32_MAX, &at) || (uint64_t)at >= count)
        return fail_cell(s, err, "it refers to a text that the workbook does not have");
    c->text = od_book_string(s->book, (size_t)at, &c->len);
    return ODIM_OK;
}

static void take_boolean(const od_sheet *s, od_sheet_cell *c)
{
    char value = s->text[c->start];
    if (c->len != 1 || (value != '0' && value != '1')) return; /* true and false also occur */
    c->text = value == '1' ? "true" : "false";
    c->len = strlen(c->text);
}

void od_sheet_count(const od_sheet *s, int64_t *count, char first[OD_SHEET_NAME])
{
    if (++*count == 1) od_sheet_name(first, s->row, s->column);
}

/* The cell's text is complete. */
static odim_status end_cell(od_sheet *s, odim_error *err)
{
    od_sheet_cell *c = &s->cells[s->column - 1];
    odim_status status = ODIM_OK;
    s->in_cell = false;
    c->len = s->text_len - c->start;
    bool empty = c->len == 0;
    if (empty && s->formula) od_sheet_count(s, &s->pending, s->first_pending);
    if (s->type == 'e') od_sheet_count(s, &s->errors, s->first_error);
    if (empty || s->type == 'e') return ODIM_OK;
    if (s->type == 's') status = take_shared(s, c, err);
    if (s->type == 'b') take_boolean(s, c);
    if (s->type == 'n' && s->date) status = take_date(s, c, err);
    if (s->type == 't') {
        c->len = od_book_unescape(s->text + c->start, c->len);
        s->text_len = c->start + c->len;
    }
    if (status || od_sheet_is_blank(c->text ? c->text : s->text + c->start, c->len)) return status;
    c->kind = s->type == 's' || s->type == 't' ? OD_SHEET_TEXT : OD_SHEET_VALUE;
    s->filled++;
    return ODIM_OK;
}

/* ---- elements ------------------------------------------------------------------------------------- */

static odim_status start_row(od_sheet *s, const char **attrs, odim_error *err)
{
    const char *ref = od_xml_attr(attrs, "r");
    int64_t row = s->row + 1;
    if (ref && !parse_count(ref, strlen(ref), OD_SHEET_ROWS, &row)) row = 0;
    if (row <= s->row || row > OD_SHEET_ROWS)
        return od_fail(err, ODIM_ERR_FORMAT, "the row after row %lld has a number that cannot be",
                       (long long)s->row);
    s->row = row;
    s->in_row = true;
    s->width = s->text_len = s->filled = 0;
    s->column = 0;
    return ODIM_OK;
}

/* One letter for each type. */
static char type_of(const char *name)
{
    static const struct {
        const char *name;
        char letter;
    } types[] = {{"n", 'n'}, {"s", 's'}, {"str", 't'}, {"inlineStr", 't'},
                 {"b", 'b'}, {"e", 'e'}, {"d", 'd'}};
    for (size_t i = 0; name && i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].name, name) == 0) return types[i].letter;
    return name ? 't' : 'n';
}

odim_status od_sheet_widen(od_sheet *s, size_t width, odim_error *err)
{
    if (width > s->cap) {
        size_t cap = width * 2;
        od_sheet_cell *cells = od_grow(s->cells, s->cap, cap, sizeof *cells);
        if (!cells) return od_fail_nomem(err);
        s->cells = cells;
        s->cap = cap;
    }
    while (s->width < width) s->cells[s->width++] = (od_sheet_cell){0};
    return ODIM_OK;
}

static odim_status start_cell(od_sheet *s, const char **attrs, odim_error *err)
{
    const char *ref = od_xml_attr(attrs, "r"), *style = od_xml_attr(attrs, "s");
    int64_t number = 0;
    s->column++;
    if ((ref && !parse_column(ref, &s->column)) || s->column > OD_SHEET_COLUMNS)
        return od_fail(err, ODIM_ERR_FORMAT, "row %lld: a cell has a column that cannot be",
                       (long long)s->row);
    size_t width = (size_t)s->column;
    odim_status status = od_sheet_widen(s, width, err);
    if (status) return status;
    if (s->cells[width - 1].kind) s->filled--; /* given twice: the last one counts */
    s->cells[width - 1] = (od_sheet_cell){.start = s->text_len};
    s->in_cell = true;
    s->in_text = s->in_phonetic = s->formula = false;
    s->type = type_of(od_xml_attr(attrs, "t"));
    if (!style || !parse_count(style, strlen(style), INT32_MAX, &number)) number = 0;
    s->date = (uint64_t)number < s->book->styles && s->book->dates[number];
    return ODIM_OK;
}

static odim_status start(void *ctx, const char *name, const char **attrs, odim_error *err)
{
    od_sheet *s = ctx;
    if (!s->in_data) {
        s->in_data = strcmp(name, "sheetData") == 0;
    } else if (!s->in_row) {
        if (strcmp(name, "row") == 0) return start_row(s, attrs, err);
    } else if (!s->in_cell) {
        if (strcmp(name, "c") == 0) return start_cell(s, attrs, err);
    } else {
        if (strcmp(name, "f") == 0) s->formula = true;
        if (strcmp(name, "rPh") == 0) s->in_phonetic = true;
        s->in_text = strcmp(name, "v") == 0 || (strcmp(name, "t") == 0 && !s->in_phonetic);
    }
    return ODIM_OK;
}

static odim_status end(void *ctx, const char *name, odim_error *err)
{
    od_sheet *s = ctx;
    s->in_text = false;
    if (s->in_cell) {
        if (strcmp(name, "rPh") == 0) s->in_phonetic = false;
        return strcmp(name, "c") == 0 ? end_cell(s, err) : ODIM_OK;
    }
    if (s->in_row && strcmp(name, "row") == 0) {
        s->in_row = false;
        if (s->filled) od_xml_pause(s->xml);
    } else if (!s->in_row && strcmp(name, "sheetData") == 0) {
        s->in_data = false;
    }
    return ODIM_OK;
}

static odim_status text(void *ctx, const char *piece, size_t len, odim_error *err)
{
    od_sheet *s = ctx;
    return s->in_text ? od_sheet_add(s, piece, len, err) : ODIM_OK;
}

/* ---- the public part ------------------------------------------------------------------------------ */

odim_status od_sheet_open(od_sheet *s, const od_book *book, size_t index, odim_error *err)
{
    static const od_xml_handler handler = {start, end, text};
    *s = (od_sheet){.book = book, .index = index, .next_row = 1};
    return od_book_xml(book, book->sheets[index].member, book->is_ods ? &od_ods_sheet : &handler, s, &s->xml,
                       err);
}

void od_sheet_close(od_sheet *s)
{
    od_xml_close(s->xml);
    od_free(s->cells);
    od_free(s->text);
    *s = (od_sheet){0};
}

odim_status od_sheet_next(od_sheet *s, bool *end_of_sheet, odim_error *err)
{
    *end_of_sheet = false;
    if (s->repeat > 1 && s->filled) { /* the same row once more */
        s->repeat--;
        s->row++;
        return ODIM_OK;
    }
    odim_status status = od_xml_run(s->xml, end_of_sheet, err);
    if (status) return od_book_blame(s->book, s->book->sheets[s->index].member, status, err);
    for (size_t i = 0; i < s->width; i++)
        if (s->cells[i].kind && !s->cells[i].text) s->cells[i].text = s->text + s->cells[i].start;
    return ODIM_OK;
}
