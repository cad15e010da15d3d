/* Reads rows of text into a table, and deals with rows that do not fit. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/poll.h"
#include "common/mem.h"
#include "common/numtext.h"
#include "prep/text_cells.h"
#include "prep/text_columns.h"
#include "prep/text_pieces.h"
#include "prep/text_rows.h"
#include "base/hint.h"

/* Cells allocated for the first rows. */
#define FIRST_CELLS 65536
/* Bad rows that notes name. */
#define TOLD_ROWS 10
/* Lines that may stand below a table. */
#define FOOTER_MOST 50

odim_status od_text_rows_make_room(od_text_rows *r, odim_table *t, odim_error *err)
{
    size_t n = (size_t)t->n, d = (size_t)t->d;
    size_t cap = r->rows_cap ? r->rows_cap * 2 : FIRST_CELLS / d + 1;
    if (r->records && r->whole && (size_t)r->records->rows > n) cap = (size_t)r->records->rows;
    void *cells = od_grow((void *)t->cells, n * d, cap * d, sizeof(double));
    if (!cells) return od_fail_nomem(err);
    t->cells = cells;
    if (r->cols.label >= 0) {
        int8_t *labels = od_grow(t->labels, n, cap, 1);
        if (!labels) return od_fail_nomem(err);
        t->labels = labels;
    }
    if (r->cols.known >= 0) {
        int8_t *known = od_grow(t->known, n, cap, 1);
        if (!known) return od_fail_nomem(err);
        t->known = known;
    }
    if (t->number) {
        int64_t *number = od_grow(t->number, n, cap, sizeof *number);
        if (!number) return od_fail_nomem(err);
        t->number = number;
    }
    if (t->paths.count) {
        int32_t *path = od_grow(t->path, n, cap, sizeof *path);
        if (!path) return od_fail_nomem(err);
        t->path = path;
    }
    r->rows_cap = cap;
    return ODIM_OK;
}

/* An empty field more than there are columns is a delimiter at the end of the line. */
odim_status od_text_rows_check_width(const od_text_rows *r, const od_record *rec, odim_error *err)
{
    size_t want = (size_t)r->cols.count;
    if (rec->count != want && !(rec->count == want + 1 && rec->fields[want].len == 0))
        return od_fail_at(err, ODIM_ERR_DATA, rec->row, 0, "row %lld (line %lld): %zu field%s, expected %lld",
                          (long long)rec->row, (long long)rec->line, rec->count, rec->count == 1 ? "" : "s",
                          (long long)r->cols.count);
    return ODIM_OK;
}

/* Words without the blanks around them, unless those were quoted. */
const char *od_text_rows_trim(const od_field *f, size_t *len)
{
    const char *text = f->text;
    *len = f->len;
    while (!f->quoted && *len && (*text == ' ' || *text == '\t')) text++, --*len;
    while (!f->quoted && *len && (text[*len - 1] == ' ' || text[*len - 1] == '\t')) --*len;
    return text;
}

static odim_status add_level(od_column *col, const od_field *f, const od_strlist *na, double *out,
                             odim_error *err)
{
    size_t len;
    const char *text = od_text_rows_trim(f, &len);
    uint32_t code;
    *out = NAN;
    if (od_cell_is_missing(text, len, na)) return ODIM_OK;
    odim_status status = od_levels_code(&col->levels, text, len, &code, err);
    if (!status) *out = code;
    return status;
}

/* All columns from k on that describe the text; returns the last of them. */
static int64_t take_text(const od_text_rows *r, const odim_table *t, const od_field *f, int64_t k,
                         double *cells)
{
    size_t len;
    const char *text = od_text_rows_trim(f, &len);
    uint16_t which = t->col[k].format.text;
    od_text_values values;
    od_cell_describe(&t->texts.list[which], text, len, &r->na, values);
    for (; k < t->d && t->col[k].format.feature && t->col[k].format.text == which; k++)
        cells[k] = values[t->col[k].format.feature];
    return k - 1;
}

/* A cell that does not fit: an error, or the first of the row's faults, and a missing cell. */
static odim_status fault(od_text_rows *r, odim_status status, odim_error *why, odim_error *err)
{
    if (r->bad_rows == ODIM_BAD_ROWS_CALL && status == ODIM_ERR_DATA) {
        if (!why->status) *why = *err;
        return ODIM_OK;
    }
    return status;
}

/* "FILE: ", if there are several files. */
static const char *show_file(const odim_table *t, int32_t file, char *buf, size_t size)
{
    *buf = '\0';
    if (t->paths.count <= (size_t)file) return buf;
    const char *path = od_strlist_at(&t->paths, (size_t)file);
    size_t len = strlen(od_printable(buf, size - 2, path, strlen(path)));
    memcpy(buf + len, ": ", 3);
    return buf;
}

static odim_status note_total(od_text_rows *r, odim_table *t, int64_t row, int32_t file, const char *word,
                              size_t len, odim_error *err)
{
    char text[420], shown[40], name[220];
    if (r->noted_total) return ODIM_OK;
    r->noted_total = true;
    snprintf(text, sizeof text, "%srow %lld looks like totals ('%s'): it is treated like any other row",
             show_file(t, file, name, sizeof name), (long long)row,
             od_printable(shown, sizeof shown, word, len));
    return od_text_rows_note(t, text, err);
}

/* A number that the file has as such needs no format. False: the text counts. */
static bool take_number(const od_text_rows *r, const od_column *col, const od_field *f, int64_t j,
                        double *out)
{
    const od_records *records = r->records;
    bool given = records && records->as && records->as[j] != OD_CELLS_TEXT;
    if (col->type != ODIM_NUMERIC || col->format.feature || !(given || f->number)) return false;
    if (given ? isinf(records->number[j]) : od_num_parse(f->text, f->len, out) != OD_NUM_OK) return false;
    if (given) *out = records->number[j];
    if (r->na.count && od_cell_is_missing(f->text, f->len, &r->na)) *out = NAN;
    return true;
}

static odim_status take_cells(od_text_rows *r, odim_table *t, const od_record *rec, odim_error *why,
                              odim_error *err)
{
    odim_status status = ODIM_OK;
    double *cells = (double *)t->cells + t->n * t->d;
    for (int64_t k = 0; k < t->d; k++) {
        od_column *col = &t->col[k];
        const od_field *f = &rec->fields[r->cols.feature[k]];
        if (take_number(r, col, f, r->cols.feature[k], &cells[k])) continue;
        if (col->format.feature) {
            k = take_text(r, t, f, k, cells);
        } else if (col->type == ODIM_CATEGORICAL) {
            if ((status = add_level(col, f, &r->na, &cells[k], err))) return status;
        } else if (!od_cell_parse(col->type, &col->format, f->text, f->len, &r->na, &cells[k])) {
            cells[k] = NAN;
            if (od_text_cell_is_total(f->text, f->len)) { /* of a row that the file adds at its end */
                if ((status = note_total(r, t, rec->row, rec->file, f->text, f->len, err))) return status;
                continue;
            }
            od_column want = *col;
            want.doubt =
                want.doubt && r->bad_rows == ODIM_BAD_ROWS_STOP; /* else there is nothing to do about it */
            status = od_text_cell_fail(&r->cols, rec, r->cols.feature[k], &want, err);
            if ((status = fault(r, status, why, err))) return status;
        }
    }
    if (r->cols.label >= 0) status = od_text_cell_label(&r->cols, rec, &t->labels[t->n], err);
    if (!status && r->cols.known >= 0)
        status = od_text_cell_known(&r->cols, &r->na, rec, &t->known[t->n], err);
    if (!status && r->cols.id >= 0) {
        const od_field *f = &rec->fields[r->cols.id];
        status = od_strlist_add(&t->ids, f->text, f->len, err);
    }
    return status;
}

/* A row with a wrong number of fields, of which nothing is known. */
static odim_status take_nothing(od_text_rows *r, odim_table *t, odim_error *err)
{
    double *cells = (double *)t->cells + t->n * t->d;
    for (int64_t k = 0; k < t->d; k++) cells[k] = NAN;
    if (r->cols.label >= 0) t->labels[t->n] = 1;
    if (r->cols.known >= 0) t->known[t->n] = -1;
    const char *id = r->records && r->records->bad_id ? r->records->bad_id : "";
    return r->cols.id >= 0 ? od_strlist_add(&t->ids, id, strlen(id), err) : ODIM_OK;
}

/* Where rows are left out, each of the others keeps its number in the file. */
odim_status od_text_rows_number(od_text_rows *r, odim_table *t, int64_t number, odim_error *err)
{
    if (!t->number) {
        if (!(t->number = od_alloc(r->rows_cap, sizeof *t->number))) return od_fail_nomem(err);
        for (int64_t i = 0; i < t->n; i++) t->number[i] = t->first + i + 1;
    }
    t->number[t->n] = number;
    return ODIM_OK;
}

odim_status od_text_rows_add(od_text_rows *r, odim_table *t, const od_record *rec, odim_error *why,
                             odim_error *err)
{
    odim_status status = ODIM_OK;
    if ((size_t)t->n == r->rows_cap && (status = od_text_rows_make_room(r, t, err))) return status;
    bool wide = !why->status && od_text_rows_check_width(r, rec, err) == ODIM_OK;
    if (!wide && !why->status && (status = fault(r, ODIM_ERR_DATA, why, err))) return status;
    status = wide ? take_cells(r, t, rec, why, err) : take_nothing(r, t, err);
    if (!status && (t->number || rec->row != t->first + t->n + 1))
        status = od_text_rows_number(r, t, rec->row, err);
    if (!status && t->paths.count) t->path[t->n] = rec->file;
    for (size_t j = 0; !status && r->keep && j < (size_t)r->cols.count; j++) {
        bool there = rec->placed || j < rec->count;
        status =
            od_strlist_add(&t->kept, there ? rec->fields[j].text : "", there ? rec->fields[j].len : 0, err);
    }
    if (!status && why->status) status = od_table_add_bad(t, t->n, why->msg, err);
    if (!status) t->n++;
    return status;
}

/* Leaves out a row that does not fit. The first few are named. */
static odim_status skip_row(od_text_rows *r, odim_table *t, const odim_error *why, odim_error *err)
{
    t->skipped++;
    if (r->told >= TOLD_ROWS) return ODIM_OK;
    char text[820], file[220];
    snprintf(text, sizeof text, "skipped: %s%s%s", show_file(t, r->next.file, file, sizeof file), why->msg,
             ++r->told == TOLD_ROWS ? " (further ones are counted, not named)" : "");
    return od_strlist_add(&t->notes, text, strlen(text), err);
}

odim_status od_text_rows_note(odim_table *t, const char *text, odim_error *err)
{
    return od_strlist_add(&t->notes, text, strlen(text), err);
}

/* Text that is not UTF-8 is worth one note. */
static odim_status note_recoded(od_text_rows *r, odim_table *t, odim_error *err)
{
    int64_t line;
    char text[200];
    if (r->noted_encoding || r->records || !od_csv_recoded(r->csv, &line)) return ODIM_OK;
    r->noted_encoding = true;
    snprintf(text, sizeof text,
             "line %lld is not UTF-8: such text is read as Windows-1252, unless another encoding is given%s",
             (long long)line, OD_HINT("encoding"));
    return od_text_rows_note(t, text, err);
}

/* The word by which the last row looks like totals, or "". */
static const char *find_total(const odim_table *t)
{
    const char *id = t->ids.count ? od_strlist_at(&t->ids, t->ids.count - 1) : "";
    if (od_text_cell_is_total(id, strlen(id))) return id;
    for (int64_t k = 0; k < t->d; k++) {
        double code = od_table_cell(t, t->n - 1, k);
        const od_levels *levels = &t->col[k].levels;
        if (t->col[k].type != ODIM_CATEGORICAL || isnan(code) || code >= (double)levels->texts.count)
            continue;
        const char *level = od_strlist_at(&levels->texts, (size_t)code);
        if (od_text_cell_is_total(level, strlen(level))) return level;
    }
    return "";
}

/* The end of a pipe may come alone, when the last row has been given away. */
static void keep_last(od_text_rows *r, const odim_table *t)
{
    if (t->n == 0) return;
    r->last_row = od_table_row(t, t->n - 1);
    r->last_file = t->path ? t->path[t->n - 1] : 0;
    snprintf(r->last_total, sizeof r->last_total, "%s", find_total(t));
}

/* At the end: whether the last row is a line of totals, which may not be data. */
static odim_status note_end(od_text_rows *r, odim_table *t, odim_error *err)
{
    odim_status status = note_recoded(r, t, err);
    keep_last(r, t);
    if (status || r->noted_end || !r->last_row) return status;
    r->noted_end = true;
    if (r->footer) {
        char text[80];
        snprintf(text, sizeof text, "%lld line%s below the table %s skipped", (long long)r->footer,
                 r->footer == 1 ? "" : "s", r->footer == 1 ? "is" : "are");
        if ((status = od_text_rows_note(t, text, err))) return status;
    }
    size_t len = strlen(r->last_total);
    return len ? note_total(r, t, r->last_row, r->last_file, r->last_total, len, err) : ODIM_OK;
}

/* Whether the record may be a line below the table: one text, where rows have several cells. */
static bool may_be_footer(const od_text_rows *r)
{
    double value;
    const od_field *f = r->next.fields;
    return !r->records && !r->parts && !r->active && r->bad_rows == ODIM_BAD_ROWS_STOP &&
           r->cols.features > 0 && r->cols.count > 1 && r->next.count == 1 && r->next.row > 1 &&
           od_num_parse(f->text, f->len, &value) == OD_NUM_NOT;
}

/* Looks ahead from such a record. If only others like it follow, the table ends before it; otherwise it is a
 * bad row. */
static odim_status pass_footer(od_text_rows *r, odim_error *err)
{
    odim_error why;
    odim_status status = od_text_rows_check_width(r, &r->next, &why);
    odim_status more = ODIM_OK;
    int64_t lines = 0;
    while (!more && r->next.count == 1 && lines++ < FOOTER_MOST) more = od_csv_next(r->csv, &r->next, err);
    if (more && more != ODIM_ERR_FORMAT) return more;
    if (!more && r->next.count == 0) {
        r->footer = lines;
        return ODIM_OK;
    }
    if (err) *err = why;
    return status;
}

odim_status od_text_rows_advance(od_text_rows *r, odim_error *err)
{
    if (r->records) return r->records->next(r->records, &r->next, err);
    odim_status status = od_csv_next(r->csv, &r->next, err);
    return !status && may_be_footer(r) ? pass_footer(r, err) : status;
}

/* Reads the next record. A line that cannot be parsed is left out if bad rows are tolerated, and *why is set.
 */
odim_status od_text_rows_advance_tolerant(od_text_rows *r, odim_error *why, odim_error *err)
{
    why->status = ODIM_OK;
    int64_t row = r->records ? r->next.row + 1 : od_csv_row(r->csv);
    int64_t line = r->records ? r->next.line + 1 : od_csv_line(r->csv);
    odim_status status = od_text_rows_advance(r, err);
    if (status != ODIM_ERR_FORMAT || r->bad_rows == ODIM_BAD_ROWS_STOP) return status;
    *why = *err;
    if (r->records && err->row >= 0) row = err->row + 1; /* it may be in another file than the one before */
    r->next = (od_record){.row = row, .line = line, .file = r->next.file};
    return r->records ? ODIM_OK : od_csv_skip_line(r->csv, err);
}

odim_status od_text_rows_next(od_text_rows *r, od_record *out, odim_error *err)
{
    if (r->why.status) {
        *err = r->why;
        r->why.status = ODIM_OK;
        r->pending = false;
        return err->status;
    }
    if (!r->pending) {
        odim_error more;
        odim_status status = od_text_rows_advance(r, err);
        if (status == ODIM_ERR_FORMAT && !r->records && r->bad_rows != ODIM_BAD_ROWS_STOP &&
            od_csv_skip_line(r->csv, &more)) /* the file is damaged, not a row of it */
            status = od_fail(err, ODIM_ERR_DATA, "%s", more.msg);
        if (status) return status;
    }
    *out = r->next;
    r->pending = out->count == 0;
    return ODIM_OK;
}

/* One row to the table, or a bad one as the caller wants it. */
static odim_status take_row(od_text_rows *r, odim_table *t, odim_error *why, odim_error *err)
{
    size_t ids = t->ids.count, kept = t->kept.count;
    odim_status status = ODIM_OK;
    if (!why->status || r->bad_rows == ODIM_BAD_ROWS_CALL)
        status = od_text_rows_add(r, t, &r->next, why, err);
    if (status == ODIM_ERR_DATA && r->bad_rows == ODIM_BAD_ROWS_SKIP) {
        *why = *err;
        status = ODIM_OK;
        t->ids.count = ids;
        t->kept.count = kept;
    }
    return !status && why->status && r->bad_rows == ODIM_BAD_ROWS_SKIP ? skip_row(r, t, why, err) : status;
}

static bool is_ready(const od_text_rows *r)
{
    od_records *records = r->records;
    return records ? !records->ready || records->ready(records) : od_csv_ready(r->csv);
}

bool od_text_rows_is_numbers(const od_text_rows *r)
{
    const od_columns *c = &r->cols;
    const od_records *records = r->records;
    if (!records || !records->numbers || r->keep || r->na.count) return false;
    if (c->id >= 0 || c->label >= 0 || c->known >= 0) return false;
    for (int64_t k = 0; k < c->features; k++)
        if (records->as[c->feature[k]] != OD_CELLS_BARE) return false;
    return true;
}

/* Adds many rows at once, if they have nothing but numbers. */
static odim_status read_numbers(od_text_rows *r, odim_table *t, int64_t most, odim_error *err)
{
    int64_t got = 0;
    int64_t room = (int64_t)r->rows_cap - t->n; /* if it is full, the next row shows whether more is needed */
    if (!od_text_rows_is_numbers(r) || t->number || t->paths.count || r->pending || !room) return ODIM_OK;
    double *to = (double *)t->cells + t->n * t->d;
    odim_status status =
        r->records->numbers(r->records, r->cols.feature, t->d, most < room ? most : room, to, &got, err);
    t->n += got;
    r->next.row += got;
    r->next.line += got;
    return status;
}

static odim_status read_block(od_text_rows *r, odim_table *t, int64_t most, bool ready, odim_error *err)
{
    int64_t before = t->n;
    od_text_pieces_begin(r->pieces);
    while (t->n - before < most) {
        odim_error why = r->why;
        odim_status status = ODIM_OK;
        r->why.status = ODIM_OK;
        if (t->n > before && ready && !is_ready(r)) return ODIM_OK;
        int64_t had = t->n;
        if (!why.status) status = read_numbers(r, t, most - (t->n - before), err);
        if (!status && !why.status && t->n == had)
            status = od_text_pieces_take(r, t, most - (t->n - before), ready, err);
        if (!status && t->n > had) status = od_poll_check(err);
        if (status) return status;
        if (t->n > had) continue;
        if (!r->pending) status = od_text_rows_advance_tolerant(r, &why, err);
        if (!status) status = od_poll_check(err);
        r->pending = false;
        if (status) return status;
        if (r->next.count == 0 && !why.status) {
            r->pending = true; /* the end stays the end */
            return note_end(r, t, err);
        }
        if ((status = take_row(r, t, &why, err))) return status;
    }
    return note_recoded(r, t, err);
}

/* How many rows of a pipe are read together is a matter of time. So those before a mistake come first. */
static bool comes_later(const od_text_rows *r, odim_status status)
{
    bool of_data = status == ODIM_ERR_DATA || status == ODIM_ERR_FORMAT || status == ODIM_ERR_IO;
    return of_data && r->csv && !od_source_never_waits(r->src);
}

odim_status od_text_rows_read(od_text_rows *r, odim_table *t, int64_t most, bool ready, odim_error *err)
{
    int64_t before = t->n;
    odim_error why = r->failed;
    odim_status status = why.status ? why.status : read_block(r, t, most, ready, &why);
    if (!status || t->n > before) keep_last(r, t);
    if (status && ready && t->n > before && comes_later(r, status)) {
        r->failed = why;
        return ODIM_OK;
    }
    if (status && err) *err = why;
    return status;
}

odim_status od_text_rows_all(od_text_rows *r, odim_table *t, odim_error *err)
{
    r->whole = true;
    odim_status status = od_text_rows_read(r, t, INT64_MAX, false, err);
    if (status) return status;
    if (t->n == 0)
        return od_fail(err, ODIM_ERR_DATA, "no row is left: all %lld are bad and were skipped",
                       (long long)t->skipped);
    /* What was allocated for rows that did not come is given back, if it is much and there is memory to do
     * so.
     */
    size_t n = (size_t)t->n, cells = n * (size_t)t->d;
    if (r->rows_cap - n <= n / 8) return ODIM_OK;
    void *exact = od_grow((void *)t->cells, cells, cells, sizeof(double));
    if (exact) t->cells = exact;
    return ODIM_OK;
}
