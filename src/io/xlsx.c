/* Chooses a sheet of an Excel workbook, finds the table in it, and reads its records. */
#include "io/xlsx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/local_number.h"
#include "common/mem.h"
#include "common/numtext.h"
#include "io/sniff.h"
#include "io/xlsx_sheet.h"
#include "base/hint.h"

/* Rows from which the layout is guessed. */
#define SAMPLE_ROWS 64
/* Sheets that a message names. */
#define TOLD_SHEETS 5

typedef struct od_xlsx {
    od_records base;
    od_book book;
    od_sheet sheet;
    size_t index; /* of the sheet */

    int64_t header_row; /* row of the sheet, 0: none */
    int64_t first_row;  /* of the data */
    size_t first_col, cols;

    od_field *fields; /* (cols) */
    int64_t records;  /* that were read */
    int64_t at;       /* row of the sheet to be given next */
    bool pending;     /* the sheet is at a row that was not given yet */
    bool ended, noted;
    od_strlist *notes;
} od_xlsx;

static odim_status add_note(od_xlsx *x, const char *text, odim_error *err)
{
    return od_strlist_add(x->notes, text, strlen(text), err);
}

static const char *show_sheet(const od_xlsx *x, size_t i, char *buf, size_t size)
{
    const char *name = od_strlist_at(&x->book.names, i);
    return od_printable(buf, size, name, strlen(name));
}

/* ---- a sample ------------------------------------------------------------------------------------- */

/* GAP: a text that stands for a missing value. */
enum { EMPTY, NAME, VALUE, GAP };

typedef struct sample_row {
    int64_t row;
    size_t first, width, filled; /* first: column of the first cell that is not empty */
    unsigned char *kinds;        /* (width) */
} sample_row;

typedef struct sample {
    sample_row rows[SAMPLE_ROWS];
    size_t count;
} sample;

static void free_sample(sample *s)
{
    for (size_t i = 0; i < s->count; i++) od_free(s->rows[i].kinds);
    s->count = 0;
}

static unsigned char kind_of(const od_sheet_cell *c)
{
    double value;
    od_local_number local;
    if (c->kind != OD_SHEET_TEXT) return c->kind == OD_SHEET_VALUE ? VALUE : EMPTY;
    if (od_sniff_is_missing(c->text, c->len)) return GAP;
    bool number = od_num_parse(c->text, c->len, &value) != OD_NUM_NOT ||
                  od_sniff_is_comma_number(c->text, c->len) || od_local_number_scan(c->text, c->len, &local);
    return number ? VALUE : NAME;
}

static odim_status add_sample(sample *s, const od_sheet *sheet, odim_error *err)
{
    sample_row r = {.row = sheet->row, .kinds = od_alloc(sheet->width, 1)};
    if (!r.kinds) return od_fail_nomem(err);
    for (size_t j = 0; j < sheet->width; j++) {
        r.kinds[j] = kind_of(&sheet->cells[j]);
        if (!r.kinds[j]) continue;
        if (r.filled++ == 0) r.first = j;
        r.width = j + 1;
    }
    s->rows[s->count++] = r;
    return ODIM_OK;
}

static odim_status take_sample(od_xlsx *x, size_t index, sample *s, odim_error *err)
{
    bool end = false;
    od_sheet_close(&x->sheet);
    x->index = index;
    odim_status status = od_sheet_open(&x->sheet, &x->book, index, err);
    while (!status && s->count < SAMPLE_ROWS) {
        status = od_sheet_next(&x->sheet, &end, err);
        if (status || end) break;
        status = add_sample(s, &x->sheet, err);
    }
    return status;
}

/* ---- the sheet ------------------------------------------------------------------------------------ */

/* 'a', 'b' and 3 more: the sheets that are not hidden, but one. Their number is returned. */
static size_t list_sheets(const od_xlsx *x, size_t but, char *buf, size_t size)
{
    size_t count = 0, shown = 0, len = 0;
    for (size_t i = 0; i < x->book.names.count; i++) count += i != but && !x->book.sheets[i].hidden;
    *buf = '\0';
    for (size_t i = 0; i < x->book.names.count && shown < TOLD_SHEETS; i++) {
        char name[40];
        if (i == but || x->book.sheets[i].hidden) continue;
        const char *joint = shown == 0 ? "" : shown + 1 == count ? " and " : ", ";
        shown++;
        len += (size_t)snprintf(buf + len, size - len, "%s'%s'", joint, show_sheet(x, i, name, sizeof name));
    }
    if (shown < count) snprintf(buf + len, size - len, " and %zu more", count - shown);
    return count;
}

/* By its name, else by its number. */
static bool find_sheet(const od_xlsx *x, const char *wanted, size_t *out)
{
    size_t count = x->book.names.count;
    for (*out = 0; *out < count; ++*out)
        if (strcmp(od_strlist_at(&x->book.names, *out), wanted) == 0) return true;
    for (*out = 0; *out < count; ++*out)
        if (strcasecmp(od_strlist_at(&x->book.names, *out), wanted) == 0) return true;
    char *rest;
    long number = *wanted >= '0' && *wanted <= '9' ? strtol(wanted, &rest, 10) : 0;
    if (number < 1 || *rest) return false;
    for (*out = 0; *out < count; ++*out)
        if (!x->book.sheets[*out].hidden && --number == 0) return true;
    return false;
}

static odim_status open_named(od_xlsx *x, const char *wanted, sample *s, odim_error *err)
{
    size_t index;
    char name[60], list[320];
    if (!find_sheet(x, wanted, &index)) {
        list_sheets(x, SIZE_MAX, list, sizeof list);
        return od_fail(err, ODIM_ERR_PARAM, "there is no sheet '%s'; the workbook has %s",
                       od_printable(name, sizeof name, wanted, strlen(wanted)), list);
    }
    odim_status status = take_sample(x, index, s, err);
    if (status || s->count) return status;
    return od_fail(err, ODIM_ERR_DATA, "sheet '%s' is empty", show_sheet(x, index, name, sizeof name));
}

/* The first sheet that has cells and is not hidden; the others are worth a note. */
static odim_status open_first(od_xlsx *x, sample *s, odim_error *err)
{
    odim_status status = ODIM_OK;
    for (size_t i = 0; i < x->book.names.count && !status && !s->count; i++)
        if (!x->book.sheets[i].hidden) status = take_sample(x, i, s, err);
    if (status) return status;
    if (!s->count)
        return od_fail(err, ODIM_ERR_DATA,
                       "no sheet of the workbook has cells besides hidden ones, which must be "
                       "chosen by name%s",
                       OD_HINT("sheet"));
    char name[60], list[320], note[480];
    if (list_sheets(x, x->index, list, sizeof list) == 0) return ODIM_OK;
    snprintf(note, sizeof note, "sheet '%s' is read; the workbook also has %s%s",
             show_sheet(x, x->index, name, sizeof name), list, OD_HINT("sheet"));
    return add_note(x, note, err);
}

/* ---- the table ------------------------------------------------------------------------------------ */

static size_t count_titles(const sample *s)
{
    size_t n = 0;
    while (n < s->count && s->rows[n].filled == 1 && s->rows[n].kinds[s->rows[n].first] == NAME) n++;
    return n < s->count && s->rows[n].filled >= 3 ? n : 0;
}

/* Whether row `top` has names: all its cells are, or one of them is above a value. */
static bool is_header(const sample *s, size_t top)
{
    const sample_row *r = &s->rows[top];
    size_t names = 0;
    bool above_value = false;
    for (size_t j = r->first; j < r->width; j++) {
        if (r->kinds[j] != NAME) continue;
        names++;
        unsigned char below = EMPTY;
        for (size_t i = top + 1; i < s->count && (below == EMPTY || below == GAP); i++)
            below = j < s->rows[i].width ? s->rows[i].kinds[j] : EMPTY;
        above_value |= below == VALUE;
    }
    return above_value || (names && names == r->filled);
}

static odim_status find_table(od_xlsx *x, const sample *s, int header, odim_error *err)
{
    size_t top = count_titles(s), end = 0;
    bool named = header ? header > 0 : is_header(s, top);
    x->header_row = named ? s->rows[top].row : 0;
    if (named && top + 1 == s->count)
        return od_fail(err, ODIM_ERR_DATA, "there is a header and no rows below it");
    x->first_row = s->rows[top + named].row;
    x->first_col = s->rows[top].first;
    for (size_t i = top; i < s->count; i++) {
        if (s->rows[i].first < x->first_col) x->first_col = s->rows[i].first;
        if (s->rows[i].width > end) end = s->rows[i].width;
    }
    x->cols = end - x->first_col;
    if (top == 0) return ODIM_OK;
    char note[80];
    snprintf(note, sizeof note, "%zu row%s above the table %s skipped", top, top == 1 ? "" : "s",
             top == 1 ? "is" : "are");
    return add_note(x, note, err);
}

/* Back to the first row of the sheet. */
static odim_status restart(od_xlsx *x, odim_error *err)
{
    od_sheet_close(&x->sheet);
    x->records = 0;
    x->at = x->first_row;
    x->pending = x->ended = false;
    return od_sheet_open(&x->sheet, &x->book, x->index, err);
}

/* The cell in a column of the table, if the row has it. */
static const od_sheet_cell *cell_at(const od_xlsx *x, size_t col)
{
    static const od_sheet_cell none;
    size_t at = x->first_col + col;
    return at < x->sheet.width ? &x->sheet.cells[at] : &none;
}

static odim_status take_names(od_xlsx *x, odim_error *err)
{
    bool end = false;
    odim_status status = ODIM_OK;
    while (!status && !end && x->sheet.row < x->header_row) status = od_sheet_next(&x->sheet, &end, err);
    for (size_t j = 0; !status && j < x->cols; j++) {
        const od_sheet_cell *c = cell_at(x, j);
        const char *name = c->text;
        size_t len = x->header_row && c->kind ? c->len : 0;
        while (len && (*name == ' ' || *name == '\t')) name++, len--;
        while (len && (name[len - 1] == ' ' || name[len - 1] == '\t')) len--;
        status = od_strlist_add(&x->base.names, name, len, err);
    }
    return status;
}

/* ---- records -------------------------------------------------------------------------------------- */

/* At the end of the first pass: what was read as missing and is not empty. */
static odim_status note_missing(od_xlsx *x, odim_error *err)
{
    const od_sheet *s = &x->sheet;
    char note[160];
    odim_status status = ODIM_OK;
    if (x->noted) return ODIM_OK;
    x->noted = true;
    if (s->errors) {
        snprintf(note, sizeof note, "%lld cell%s of the sheet with an error such as #N/A %s missing (%s%s)",
                 (long long)s->errors, s->errors == 1 ? "" : "s", s->errors == 1 ? "is" : "are",
                 s->errors == 1 ? "" : "first ", s->first_error);
        status = add_note(x, note, err);
    }
    if (!status && s->pending) {
        snprintf(
            note, sizeof note,
            "%lld formula%s without a result %s missing (%s%s): save the workbook in a spreadsheet program",
            (long long)s->pending, s->pending == 1 ? "" : "s", s->pending == 1 ? "is" : "are",
            s->pending == 1 ? "" : "first ", s->first_pending);
        status = add_note(x, note, err);
    }
    return status;
}

/* A cell beside the table: the row cannot be taken as it is. */
static odim_status check_outside(const od_xlsx *x, odim_error *err)
{
    const od_sheet *s = &x->sheet;
    for (size_t j = 0; j < s->width; j++) {
        char cell[OD_SHEET_NAME], first[OD_SHEET_NAME], last[OD_SHEET_NAME];
        if (!s->cells[j].kind || (j >= x->first_col && j < x->first_col + x->cols)) continue;
        return od_fail_at(
            err, ODIM_ERR_FORMAT, x->records, 0,
            "row %lld (sheet row %lld): cell %s is outside the table, which has columns %s to %s",
            (long long)x->records, (long long)s->row, od_sheet_name(cell, s->row, (int64_t)j + 1),
            od_sheet_name(first, 0, (int64_t)x->first_col + 1),
            od_sheet_name(last, 0, (int64_t)(x->first_col + x->cols)));
    }
    return ODIM_OK;
}

/* Few bytes can stand for many empty cells. */
static odim_status check_cells(const od_xlsx *x, odim_error *err)
{
    size_t cells;
    if (od_mul((size_t)x->records, x->cols, &cells) && cells <= x->book.limit / sizeof(double))
        return ODIM_OK;
    return od_fail(err, ODIM_ERR_DATA,
                   "the sheet has more cells than %.1f MB hold, the most that is allowed; if the file can be "
                   "trusted, allow more%s",
                   (double)x->book.limit / 1048576.0, OD_HINT("unpacked"));
}

/* Goes to a row of the table that was not given yet, or to the end. */
static odim_status find_row(od_xlsx *x, odim_error *err)
{
    while (!x->pending && !x->ended) {
        odim_status status = od_sheet_next(&x->sheet, &x->ended, err);
        if (status == ODIM_ERR_FORMAT) { /* the file is damaged: this is not just a bad row */
            if (err) err->status = ODIM_ERR_DATA;
            status = ODIM_ERR_DATA;
        }
        if (!status && x->ended) status = note_missing(x, err);
        if (status) return status;
        x->pending = x->sheet.row >= x->first_row;
    }
    return ODIM_OK;
}

static odim_status next(od_records *r, od_record *out, odim_error *err)
{
    od_xlsx *x = (od_xlsx *)r;
    *out = (od_record){0};
    odim_status status = find_row(x, err);
    if (status || x->ended) return status;
    bool filled = x->sheet.row == x->at;
    int64_t line = x->at++;
    x->records++;
    if ((status = check_cells(x, err))) return status;
    if (filled) {
        x->pending = false;
        if ((status = check_outside(x, err))) return status;
    }
    for (size_t j = 0; j < x->cols; j++) {
        const od_sheet_cell *c = cell_at(x, j);
        x->fields[j] =
            filled && c->kind
                ? (od_field){.text = c->text, .len = (uint32_t)c->len, .number = c->kind == OD_SHEET_VALUE}
                : (od_field){.text = ""};
    }
    *out = (od_record){.fields = x->fields, .count = x->cols, .row = x->records, .line = line, .sheet = true};
    return ODIM_OK;
}

static odim_status rewind_records(od_records *r, odim_error *err)
{
    return restart((od_xlsx *)r, err);
}

static void close_records(od_records *r)
{
    od_xlsx *x = (od_xlsx *)r;
    od_sheet_close(&x->sheet);
    od_book_close(&x->book);
    od_strlist_free(&x->base.names);
    od_free(x->fields);
    od_free(x);
}

/* ---- opening -------------------------------------------------------------------------------------- */

static odim_status open_table(od_xlsx *x, const odim_read_options *o, odim_error *err)
{
    sample *s = od_calloc(1, sizeof *s);
    if (!s) return od_fail_nomem(err);
    odim_status status = o->sheet ? open_named(x, o->sheet, s, err) : open_first(x, s, err);
    if (!status) status = find_table(x, s, o->header, err);
    free_sample(s);
    od_free(s);
    if (!status) status = restart(x, err);
    if (!status) status = take_names(x, err);
    if (status) return status;
    x->pending = x->sheet.row == x->first_row; /* without a header */
    x->fields = od_alloc(x->cols, sizeof *x->fields);
    return x->fields ? ODIM_OK : od_fail_nomem(err);
}

odim_status od_xlsx_open(od_records **out, const unsigned char *bytes, size_t size,
                         const odim_read_options *options, od_strlist *notes, odim_error *err)
{
    *out = NULL;
    od_xlsx *x = od_calloc(1, sizeof *x);
    if (!x) return od_fail_nomem(err);
    x->base.next = next;
    x->base.rewind = rewind_records;
    x->base.close = close_records;
    x->notes = notes;
    size_t limit = od_mem_limit(options->unpacked);
    odim_status status = od_book_open(&x->book, bytes, size, limit, err);
    if (!status) status = open_table(x, options, err);
    if (status) {
        close_records(&x->base);
        return status;
    }
    *out = &x->base;
    return ODIM_OK;
}

bool od_xlsx_is(const unsigned char *bytes, size_t size)
{
    od_zip zip;
    odim_error ignored;
    if (od_zip_open(&zip, bytes, size, &ignored)) return false;
    bool is = od_book_is(&zip);
    od_zip_close(&zip);
    return is;
}

odim_status od_xlsx_refuse_old(const unsigned char *bytes, size_t size, odim_error *err)
{
    /* The name of the stream that an encrypted workbook is in, in UTF-16. */
    static const char name[] = "E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e";
    for (size_t at = 0; at + sizeof name <= size; at++)
        if (bytes[at] == 'E' && memcmp(bytes + at, name, sizeof name) == 0)
            return od_fail(err, ODIM_ERR_FORMAT,
                           "it is an encrypted workbook; save it without a password, as .xlsx or CSV");
    return od_fail(err, ODIM_ERR_FORMAT,
                   "it is an old Excel file (.xls), which cannot be read; save it as .xlsx or CSV");
}
