/* CSV and TSV to a table. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/numtext.h"
#include "io/sniff.h"
#include "prep/columns.h"
#include "prep/read.h"
#include "prep/read_ids.h"

/* Cells allocated for the first rows. */
#define FIRST_CELLS 65536

typedef struct reader {
    odim_table *t;
    od_csv *csv;
    od_columns cols;
    od_read_ids ids;
    size_t rows_cap;
    bool header, header_guessed;
} reader;

/* ---- what can be wrong with a cell ---------------------------------------------------------------- */

static bool begins_with_letter(const od_field *f)
{
    for (uint32_t i = 0; i < f->len; i++)
        if (f->text[i] != ' ') return (f->text[i] | 32) >= 'a' && (f->text[i] | 32) <= 'z';
    return false;
}

/* What every message about a cell shows. Cut short, so that a whole message fits an odim_error. */
typedef struct cell_text {
    char name[40], cell[40], place[120];
    char fix[40]; /* what to call the column on a command line: its name, or its number where that is safer */
} cell_text;

static bool is_plain(const char *name)
{
    return name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")] == '\0' &&
           *name && !strstr(name, "...");
}

static void show_cell(const reader *r, const od_record *rec, int64_t col, cell_text *out)
{
    const od_field *f = &rec->fields[col];
    od_columns_show(&r->cols, col, out->name, sizeof out->name);
    od_printable(out->cell, sizeof out->cell, f->text, f->len);
    if (is_plain(out->name) && od_columns_unique(&r->cols, col))
        memcpy(out->fix, out->name, sizeof out->fix);
    else
        snprintf(out->fix, sizeof out->fix, "%lld", (long long)(col + 1));
    snprintf(out->place, sizeof out->place, "row %lld (line %lld), column '%s'", (long long)rec->row,
             (long long)rec->line, out->name);
}

/* There is no number, or none that is finite. */
static odim_status fail_missing(const reader *r, const od_record *rec, int64_t col, od_num kind,
                                odim_error *err)
{
    cell_text t;
    char what[80] = "empty cell";
    show_cell(r, rec, col, &t);
    if (kind == OD_NUM_NONFINITE) snprintf(what, sizeof what, "'%s' is not a finite number", t.cell);
    if (kind == OD_NUM_NOT) snprintf(what, sizeof what, "missing value '%s'", t.cell);
    return od_fail_at(err, ODIM_ERR_DATA, rec->row, col + 1,
                      "%s: %s; fill it in, drop the row, or leave the column out (--ignore %s)", t.place,
                      what, t.fix);
}

/* Text where a number belongs. From the first row on, it is the column that is to blame. */
static odim_status fail_text(const reader *r, const od_record *rec, int64_t col, odim_error *err)
{
    const od_field *f = &rec->fields[col];
    cell_text t;
    show_cell(r, rec, col, &t);
    if (od_sniff_is_comma_number(f->text, f->len))
        return od_fail_at(err, ODIM_ERR_DATA, rec->row, col + 1,
                          "%s: not a number: '%s' (decimals need a point)", t.place, t.cell);
    if (rec->row > 1 && !begins_with_letter(f))
        return od_fail_at(err, ODIM_ERR_DATA, rec->row, col + 1, "%s: not a number: '%s'", t.place, t.cell);
    if (rec->row > 1)
        return od_fail_at(err, ODIM_ERR_DATA, rec->row, col + 1,
                          "%s: not a number: '%s'; leave the column out (--ignore %s) or make it numeric",
                          t.place, t.cell, t.fix);
    const char *hint = "";
    if (r->cols.count == 1)
        hint = "; only one column was found: if there are more, give the --delimiter";
    else if (r->header_guessed && !r->header)
        hint = "; if the first line holds names, say so (--header)";
    return od_fail_at(
        err, ODIM_ERR_DATA, rec->row, col + 1,
        "column '%s' is not numeric (row 1, line %lld: '%s'): leave it out (--ignore %s) or make it "
        "numeric%s",
        t.name, (long long)rec->line, t.cell, t.fix, hint);
}

static odim_status fail_cell(const reader *r, const od_record *rec, int64_t col, od_num kind, odim_error *err)
{
    const od_field *f = &rec->fields[col];
    cell_text t;
    if (kind == OD_NUM_OVERFLOW) {
        show_cell(r, rec, col, &t);
        return od_fail_at(err, ODIM_ERR_DATA, rec->row, col + 1,
                          "%s: '%s' is too large for a number of 64 bits", t.place, t.cell);
    }
    if (kind != OD_NUM_NOT || od_sniff_is_missing(f->text, f->len))
        return fail_missing(r, rec, col, kind, err);
    return fail_text(r, rec, col, err);
}

static bool is_word(const od_field *f, const char *word)
{
    return strlen(word) == f->len && strncasecmp(f->text, word, f->len) == 0;
}

static odim_status parse_label(const reader *r, const od_record *rec, int8_t *out, odim_error *err)
{
    int64_t col = r->cols.label;
    const od_field *f = &rec->fields[col];
    double value;
    if (od_num_parse(f->text, f->len, &value) == OD_NUM_OK && (value == 0 || value == 1)) {
        *out = value == 1;
        return ODIM_OK;
    }
    *out = is_word(f, "true");
    if (*out || is_word(f, "false")) return ODIM_OK;
    cell_text t;
    show_cell(r, rec, col, &t);
    return od_fail_at(
        err, ODIM_ERR_DATA, rec->row, col + 1,
        "%s: '%s' is not a label; labels are 1 (outlier) and 0 (inlier): recode the column, or name "
        "another as the label",
        t.place, t.cell);
}

/* ---- rows ----------------------------------------------------------------------------------------- */

static odim_status make_room(reader *r, odim_error *err)
{
    odim_table *t = r->t;
    size_t n = (size_t)t->n, d = (size_t)t->d;
    size_t cap = r->rows_cap ? r->rows_cap * 2 : FIRST_CELLS / d + 1;
    void *cells = od_grow((void *)t->cells, n * d, cap * d, sizeof(double));
    if (!cells) return od_fail_nomem(err);
    t->cells = cells;
    if (r->cols.label >= 0) {
        int8_t *labels = od_grow(t->labels, n, cap, 1);
        if (!labels) return od_fail_nomem(err);
        t->labels = labels;
    }
    r->rows_cap = cap;
    return ODIM_OK;
}

static odim_status add_row(reader *r, const od_record *rec, odim_error *err)
{
    odim_table *t = r->t;
    odim_status status;
    if (rec->count != (size_t)r->cols.count)
        return od_fail_at(err, ODIM_ERR_DATA, rec->row, 0, "row %lld (line %lld): %zu field%s, expected %lld",
                          (long long)rec->row, (long long)rec->line, rec->count, rec->count == 1 ? "" : "s",
                          (long long)r->cols.count);
    if (rec->after_blank && rec->count == 1 && rec->row > 1)
        return od_fail_at(
            err, ODIM_ERR_DATA, rec->row, 1,
            "row %lld (line %lld): empty cell; in a table of one column a blank line is one: fill it in "
            "or drop it",
            (long long)rec->row, (long long)(rec->line - 1));
    if ((size_t)t->n == r->rows_cap && (status = make_room(r, err))) return status;
    double *cells = (double *)t->cells + t->n * t->d;
    for (int64_t k = 0; k < t->d; k++) {
        const od_field *f = &rec->fields[r->cols.feature[k]];
        od_num kind = od_num_parse(f->text, f->len, &cells[k]);
        if (kind != OD_NUM_OK) return fail_cell(r, rec, r->cols.feature[k], kind, err);
    }
    if (r->cols.label >= 0 && (status = parse_label(r, rec, &t->labels[t->n], err))) return status;
    if (r->cols.id >= 0) {
        const od_field *f = &rec->fields[r->cols.id];
        if ((status = od_read_ids_add(&r->ids, t, f->text, f->len, err))) return status;
    }
    t->n++;
    return ODIM_OK;
}

/* Gives back what was allocated for rows that did not come, if it is much and there is memory to do so. */
static void trim(reader *r)
{
    odim_table *t = r->t;
    size_t n = (size_t)t->n, cells = n * (size_t)t->d;
    if (r->rows_cap - n <= n / 8) return;
    void *exact = od_grow((void *)t->cells, cells, cells, sizeof(double));
    if (exact) t->cells = exact;
}

/* ---- the whole ------------------------------------------------------------------------------------ */

/* A guessed header that holds a number no column would be called by may be the first row of the data. */
static odim_status doubt_header(const od_record *rec, odim_error *err)
{
    for (size_t j = 0; j < rec->count; j++) {
        const od_field *f = &rec->fields[j];
        double value;
        char cell[40];
        if (f->quoted || od_num_parse(f->text, f->len, &value) != OD_NUM_OK) continue;
        if (value >= 0 && !memchr(f->text, '.', f->len)) continue; /* 2019, 2020: may well be names */
        return od_fail_at(
            err, ODIM_ERR_DATA, 0, (int64_t)j + 1,
            "line %lld holds words and the number '%s': say whether it is a header (--header) or data "
            "(--no-header)",
            (long long)rec->line, od_printable(cell, sizeof cell, f->text, f->len));
    }
    return ODIM_OK;
}

/* Names without the blanks around them, unless those were quoted. */
static odim_status name_columns(reader *r, const od_record *rec, odim_error *err)
{
    if (!r->header) return od_columns_number(&r->cols, (int64_t)rec->count, err);
    odim_status status = r->header_guessed ? doubt_header(rec, err) : ODIM_OK;
    for (size_t j = 0; j < rec->count && !status; j++) {
        const od_field *f = &rec->fields[j];
        const char *name = f->text;
        size_t len = f->len;
        while (!f->quoted && len && (*name == ' ' || *name == '\t')) name++, len--;
        while (!f->quoted && len && (name[len - 1] == ' ' || name[len - 1] == '\t')) len--;
        status = od_columns_add(&r->cols, name, len, err);
    }
    return status;
}

static odim_status read_all(reader *r, const odim_read_options *o, odim_error *err)
{
    od_record rec;
    odim_status status = od_csv_next(r->csv, &rec, err);
    if (status) return status;
    if (rec.count == 0) return od_fail(err, ODIM_ERR_DATA, "the file is empty");
    if ((status = name_columns(r, &rec, err))) return status;
    if ((status = od_columns_choose(&r->cols, o, false, err))) return status;
    if ((status = od_columns_name_table(&r->cols, r->t, err))) return status;
    if (r->header) status = od_csv_next(r->csv, &rec, err);
    while (!status && rec.count) {
        status = add_row(r, &rec, err);
        if (!status) status = od_csv_next(r->csv, &rec, err);
    }
    if (status) return status;
    if (r->t->n == 0) return od_fail(err, ODIM_ERR_DATA, "there is a header and no rows below it");
    trim(r);
    return ODIM_OK;
}

odim_status od_read_text_fill(odim_table *t, od_source *src, od_format format, const odim_read_options *o,
                              odim_error *err)
{
    reader r = {.t = t, .header_guessed = o->header == 0};
    int delimiter = o->delimiter ? o->delimiter : format == OD_FORMAT_TSV ? '\t' : 0;
    t->is_f64 = true;
    odim_status status = od_csv_open(&r.csv, src, err);
    if (!status) status = od_sniff_set(r.csv, delimiter, o->header, &r.header, err);
    if (!status) status = read_all(&r, o, err);
    od_csv_close(r.csv);
    od_columns_free(&r.cols);
    return status;
}
