/* Finds the header, the types and the rows of a CSV file, and reads rows into a table. */
#include "prep/text_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/mem.h"
#include "base/poll.h"
#include "common/numtext.h"
#include "prep/text_cells.h"
#include "prep/text_types.h"

/* Cells allocated for the first rows. */
#define FIRST_CELLS 65536
/* Where a record may begin is found by looking at so many lines, and at so many records from each. */
#define TRIED_LINES 64
#define TRIED_ROWS  16
/* Bad rows that notes name. */
#define TOLD_ROWS 10

/* ---- rows ----------------------------------------------------------------------------------------- */

static odim_status make_room(od_text_rows *r, odim_table *t, odim_error *err)
{
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
static odim_status check_width(const od_text_rows *r, const od_record *rec, odim_error *err)
{
    size_t want = (size_t)r->cols.count;
    if (rec->count != want && !(rec->count == want + 1 && rec->fields[want].len == 0))
        return od_fail_at(err, ODIM_ERR_DATA, rec->row, 0, "row %lld (line %lld): %zu field%s, expected %lld",
                          (long long)rec->row, (long long)rec->line, rec->count, rec->count == 1 ? "" : "s",
                          (long long)r->cols.count);
    return ODIM_OK;
}

/* Words without the blanks around them, unless those were quoted. */
static const char *trim(const od_field *f, size_t *len)
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
    const char *text = trim(f, &len);
    uint32_t code;
    *out = NAN;
    if (od_cell_is_missing(text, len, na)) return ODIM_OK;
    odim_status status = od_levels_code(&col->levels, text, len, &code, err);
    if (!status) *out = code;
    return status;
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

static odim_status take_cells(od_text_rows *r, odim_table *t, const od_record *rec, odim_error *why,
                              odim_error *err)
{
    odim_status status = ODIM_OK;
    double *cells = (double *)t->cells + t->n * t->d;
    for (int64_t k = 0; k < t->d; k++) {
        od_column *col = &t->col[k];
        const od_field *f = &rec->fields[r->cols.feature[k]];
        if (col->type == ODIM_CATEGORICAL) {
            if ((status = add_level(col, f, &r->na, &cells[k], err))) return status;
        } else if (!od_cell_parse(col->type, &col->format, f->text, f->len, &r->na, &cells[k])) {
            od_column want = *col;
            want.doubt =
                want.doubt && r->bad_rows == ODIM_BAD_ROWS_STOP; /* else there is nothing to do about it */
            cells[k] = NAN;
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
    return r->cols.id >= 0 ? od_strlist_add(&t->ids, "", 0, err) : ODIM_OK;
}

/* Where rows are left out, each of the others keeps its number in the file. */
static odim_status number_row(od_text_rows *r, odim_table *t, int64_t number, odim_error *err)
{
    if (!t->number) {
        if (!(t->number = od_alloc(r->rows_cap, sizeof *t->number))) return od_fail_nomem(err);
        for (int64_t i = 0; i < t->n; i++) t->number[i] = t->first + i + 1;
    }
    t->number[t->n] = number;
    return ODIM_OK;
}

/* why: what is wrong with the record, if that is known already. */
static odim_status add_row(od_text_rows *r, odim_table *t, const od_record *rec, odim_error *why,
                           odim_error *err)
{
    odim_status status = ODIM_OK;
    if ((size_t)t->n == r->rows_cap && (status = make_room(r, t, err))) return status;
    bool wide = !why->status && check_width(r, rec, err) == ODIM_OK;
    if (!wide && !why->status && (status = fault(r, ODIM_ERR_DATA, why, err))) return status;
    status = wide ? take_cells(r, t, rec, why, err) : take_nothing(r, t, err);
    if (!status && (t->number || rec->row != t->first + t->n + 1)) status = number_row(r, t, rec->row, err);
    if (!status && t->paths.count) t->path[t->n] = rec->file;
    for (size_t j = 0; !status && r->keep && j < (size_t)r->cols.count; j++) {
        bool there = j < rec->count;
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
    char text[560];
    snprintf(text, sizeof text, "skipped: %s%s", why->msg,
             ++r->told == TOLD_ROWS ? " (further ones are counted, not named)" : "");
    return od_strlist_add(&t->notes, text, strlen(text), err);
}

static odim_status add_note(odim_table *t, const char *text, odim_error *err)
{
    return od_strlist_add(&t->notes, text, strlen(text), err);
}

/* Text that is not UTF-8 is worth one note. */
static odim_status note_recoded(od_text_rows *r, odim_table *t, odim_error *err)
{
    int64_t line;
    char text[160];
    if (r->noted_encoding || r->records || !od_csv_recoded(r->csv, &line)) return ODIM_OK;
    r->noted_encoding = true;
    snprintf(text, sizeof text,
             "line %lld is not UTF-8: such text is read as Windows-1252 (set encoding if it is not)",
             (long long)line);
    return add_note(t, text, err);
}

static bool is_total(const char *text)
{
    static const char *const words[] = {"total",  "totals", "grand total", "sum",
                                        "summe",  "gesamt", "gesamtsumme", "somme",
                                        "totale", "suma",   "totaal",      "insgesamt"};
    char word[16];
    size_t len = strcspn(text, ":");
    while (len && text[len - 1] == ' ') len--;
    if (len == 0 || len >= sizeof word || text[len + strspn(text + len, ": ")]) return false;
    memcpy(word, text, len);
    word[len] = '\0';
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(word, words[i]) == 0) return true;
    return false;
}

/* At the end: whether the last row is a line of totals, which may not be data. */
static odim_status note_end(od_text_rows *r, odim_table *t, odim_error *err)
{
    odim_status status = note_recoded(r, t, err);
    if (status || r->noted_end || t->n == 0) return status;
    r->noted_end = true;
    const char *total = t->ids.count && is_total(od_strlist_at(&t->ids, t->ids.count - 1))
                            ? od_strlist_at(&t->ids, t->ids.count - 1)
                            : NULL;
    for (int64_t k = 0; k < t->d && !total; k++) {
        double code = od_table_cell(t, t->n - 1, k);
        const od_levels *levels = &t->col[k].levels;
        if (t->col[k].type != ODIM_CATEGORICAL || isnan(code) || code >= (double)levels->texts.count)
            continue;
        const char *level = od_strlist_at(&levels->texts, (size_t)code);
        if (is_total(level)) total = level;
    }
    if (!total) return ODIM_OK;
    char text[200], shown[40];
    snprintf(text, sizeof text,
             "row %lld, the last, looks like totals ('%s'): it is treated like any other row",
             (long long)od_table_row(t, t->n - 1), od_printable(shown, sizeof shown, total, strlen(total)));
    return add_note(t, text, err);
}

static odim_status read_next(od_text_rows *r, odim_error *err)
{
    return r->records ? r->records->next(r->records, &r->next, err) : od_csv_next(r->csv, &r->next, err);
}

/* Reads the next record. A line that cannot be parsed is left out if bad rows are tolerated, and *why is set.
 */
static odim_status next_record(od_text_rows *r, odim_error *why, odim_error *err)
{
    why->status = ODIM_OK;
    int64_t row = r->records ? r->next.row + 1 : od_csv_row(r->csv);
    int64_t line = r->records ? r->next.line + 1 : od_csv_line(r->csv);
    odim_status status = read_next(r, err);
    if (status != ODIM_ERR_FORMAT || r->bad_rows == ODIM_BAD_ROWS_STOP) return status;
    *why = *err;
    r->next = (od_record){.row = row, .line = line, .file = r->next.file};
    return r->records ? ODIM_OK : od_csv_skip_line(r->csv, err);
}

odim_status od_text_rows_next(od_text_rows *r, od_record *out, odim_error *err)
{
    if (!r->pending) {
        odim_error ignored;
        odim_status status = read_next(r, err);
        if (status == ODIM_ERR_FORMAT && !r->records && r->bad_rows != ODIM_BAD_ROWS_STOP)
            od_csv_skip_line(r->csv, &ignored); /* the next call fails again if this does */
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
    if (!why->status || r->bad_rows == ODIM_BAD_ROWS_CALL) status = add_row(r, t, &r->next, why, err);
    if (status == ODIM_ERR_DATA && r->bad_rows == ODIM_BAD_ROWS_SKIP) {
        *why = *err;
        status = ODIM_OK;
        t->ids.count = ids;
        t->kept.count = kept;
    }
    return !status && why->status && r->bad_rows == ODIM_BAD_ROWS_SKIP ? skip_row(r, t, why, err) : status;
}

odim_status od_text_rows_read(od_text_rows *r, odim_table *t, int64_t most, bool ready, odim_error *err)
{
    int64_t before = t->n;
    while (t->n - before < most) {
        odim_error why = {0};
        odim_status status = ODIM_OK;
        if (t->n > before && ready && !r->records && !od_csv_ready(r->csv)) return ODIM_OK;
        if (!r->pending) status = next_record(r, &why, err);
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

odim_status od_text_rows_all(od_text_rows *r, odim_table *t, odim_error *err)
{
    odim_status status = od_text_rows_read(r, t, INT64_MAX, false, err);
    if (status) return status;
    /* What was allocated for rows that did not come is given back, if it is much and there is memory to do
     * so.
     */
    size_t n = (size_t)t->n, cells = n * (size_t)t->d;
    if (r->rows_cap - n <= n / 8) return ODIM_OK;
    void *exact = od_grow((void *)t->cells, cells, cells, sizeof(double));
    if (exact) t->cells = exact;
    return ODIM_OK;
}

/* ---- the start ------------------------------------------------------------------------------------ */

/* A guessed header that holds a number no column would be called by may be the first row of the data. */
static odim_status doubt_header(const od_record *rec, odim_error *err)
{
    for (size_t j = 0; j < rec->count; j++) {
        const od_field *f = &rec->fields[j];
        double value;
        char cell[40];
        if (f->quoted || od_num_parse(f->text, f->len, &value) != OD_NUM_OK) continue;
        if (value >= 0 && !memchr(f->text, '.', f->len)) continue; /* 2019, 2020: may well be names */
        return od_fail_at(err, ODIM_ERR_DATA, 0, (int64_t)j + 1,
                          "line %lld holds words and the number '%s': say whether it is a header or data "
                          "(set header or no-header)",
                          (long long)rec->line, od_printable(cell, sizeof cell, f->text, f->len));
    }
    return ODIM_OK;
}

static bool has_name(const od_record *rec, const char *name)
{
    for (size_t j = 0; j < rec->count; j++) {
        size_t len;
        const char *text = trim(&rec->fields[j], &len);
        if (strlen(name) == len && memcmp(name, text, len) == 0) return true;
    }
    return false;
}

/* A record that names a column of the model is a header, whatever else it contains. */
static bool names_column(const od_record *rec, const od_schema *like)
{
    int64_t k = 0;
    const od_file_columns *file = &like->file;
    for (size_t i = 0; i < file->names.count; i++)
        if (file->role[i] == OD_ROLE_FEATURE) return has_name(rec, od_strlist_at(&file->names, i));
    while (k < like->cols - 1 && like->col[k].ignored) k++;
    return has_name(rec, like->col[k].name);
}

/* With a model it is known what a header would be: a first line of words without its names is a row. */
static void settle_header(od_text_rows *r, const od_schema *like)
{
    bool named = names_column(&r->next, like);
    if (named) {
        od_csv_begin(r->csv);
    } else if (r->header && like->file.names.count && r->next.count == like->file.names.count) {
        od_csv_begin_at_first(r->csv);
        r->next.row = 1;
    } else {
        return;
    }
    r->header = r->found.header = named;
    r->header_guessed = false;
}

static odim_status name_columns(od_text_rows *r, const od_record *rec, od_strlist *notes, odim_error *err)
{
    if (!r->header) return od_columns_number(&r->cols, (int64_t)rec->count, err);
    odim_status status = r->header_guessed ? doubt_header(rec, err) : ODIM_OK;
    for (size_t j = 0; j < rec->count && !status; j++) {
        size_t len;
        const char *name = trim(&rec->fields[j], &len);
        status = od_columns_add(&r->cols, name, len, err);
        r->unnamed_last = len == 0;
    }
    return status ? status : od_columns_make_unique(&r->cols, notes, err);
}

static odim_status name_records(od_text_rows *r, od_strlist *notes, odim_error *err)
{
    odim_status status = ODIM_OK;
    const od_strlist *names = &r->records->names;
    if (r->records->unnamed) return od_columns_number(&r->cols, (int64_t)names->count, err);
    for (size_t j = 0; j < names->count && !status; j++) {
        const char *name = od_strlist_at(names, j);
        status = od_columns_add(&r->cols, name, strlen(name), err);
    }
    return status ? status : od_columns_make_unique(&r->cols, notes, err);
}

/* A parser at the first row, which is read, or at the end. */
static odim_status start(od_text_rows *r, bool again, odim_error *err)
{
    od_csv_close(r->csv);
    r->csv = NULL;
    r->pending = true;
    odim_status status = again ? od_source_rewind(r->src, err) : ODIM_OK;
    if (!status) status = od_csv_open(&r->csv, r->src, err);
    if (status) return status;
    r->data_at = od_csv_at(r->csv);
    r->data_line = od_csv_line(r->csv);
    if (again) {
        r->found.header = r->header; /* a model may have told it */
        status = od_sniff_apply(r->csv, &r->found, err);
    } else {
        int header = r->header_guessed ? 0 : r->header ? 1 : -1;
        status = od_sniff(r->csv, r->delimiter, header, r->active, &r->found, err);
        r->delimiter = (unsigned char)r->found.delimiter;
        r->header = r->found.header;
    }
    if (!status) status = od_csv_next(r->csv, &r->next, err);
    if (r->cols.count == 1) od_csv_keep_blanks(r->csv);
    r->hints.semicolon = r->delimiter == ';';
    return status;
}

odim_status od_text_rows_count_types(od_text_rows *r, od_type_votes *votes, int64_t most, int64_t *rows,
                                     odim_error *err)
{
    odim_status status = ODIM_OK;
    odim_error why = {0};
    for (*rows = 0; *rows < most && (r->next.count || why.status); ++*rows) {
        status = why.status ? why.status : check_width(r, &r->next, err);
        if (status && r->bad_rows == ODIM_BAD_ROWS_STOP) break;
        for (int64_t k = 0; !status && k < r->cols.features; k++) {
            const od_field *f = &r->next.fields[r->cols.feature[k]];
            if (!r->cols.decided[k]) od_type_votes_add(&votes[k], f->text, f->len, &r->na, r->id_like[k]);
        }
        if ((status = next_record(r, &why, err)) || (status = od_poll_check(err))) break;
    }
    return status;
}

odim_status od_text_rows_decide_types(od_text_rows *r, odim_table *t, const od_type_votes *votes,
                                      odim_error *err)
{
    odim_status status = od_text_types_decide(&r->cols, t, votes, &r->hints, r->ids, err);
    return status || r->cols.like ? status : od_columns_list_file(&r->cols, t, err);
}

/* One pass over all cells, if there is a column whose type is open. */
static odim_status find_types(od_text_rows *r, odim_table *t, odim_error *err)
{
    int64_t rows;
    od_type_votes *votes = od_calloc((size_t)r->cols.features, sizeof *votes);
    odim_status status =
        votes ? od_text_rows_count_types(r, votes, INT64_MAX, &rows, err) : od_fail_nomem(err);
    if (!status) status = od_text_rows_decide_types(r, t, votes, err);
    od_free(votes);
    return status;
}

/* Columns that are called like an id: how many different numbers they have is counted. */
static odim_status find_id_names(od_text_rows *r, const odim_table *t, odim_error *err)
{
    r->id_like = od_calloc((size_t)t->d, sizeof *r->id_like);
    if (!r->id_like) return od_fail_nomem(err);
    for (int64_t k = 0; k < t->d; k++) r->id_like[k] = od_type_is_id_name(t->col[k].name);
    return ODIM_OK;
}

/* A delimiter at the end of the header makes a last column without a name. If the first row has nothing there
 * either, it is none. */
static void drop_last_name(od_text_rows *r)
{
    od_columns *c = &r->cols;
    size_t count = (size_t)c->count;
    if (!r->unnamed_last || count < 2 || r->next.count > count) return;
    if (r->next.count == count && r->next.fields[count - 1].len) return;
    c->count--;
}

static odim_status note_titles(od_text_rows *r, odim_table *t, odim_error *err)
{
    char text[100];
    if (!r->found.titles) return ODIM_OK;
    snprintf(text, sizeof text, "%lld line%s above the table %s skipped", (long long)r->found.titles,
             r->found.titles == 1 ? "" : "s", r->found.titles == 1 ? "is" : "are");
    return add_note(t, text, err);
}

/* Finds the first row of a CSV file and the names above it. */
static odim_status open_csv(od_text_rows *r, odim_table *t, const od_schema *like, odim_error *err)
{
    odim_status status = start(r, false, err);
    if (status) return status;
    if (r->next.count == 0) return od_fail(err, ODIM_ERR_DATA, "the file is empty");
    if (like && r->header_guessed) settle_header(r, like);
    if ((status = name_columns(r, &r->next, &t->notes, err))) return status;
    if (r->cols.count == 1) od_csv_keep_blanks(r->csv);
    if (r->header) {
        r->data_at = od_csv_at(r->csv);
        r->data_line = od_csv_line(r->csv);
        if ((status = od_csv_next(r->csv, &r->next, err))) return status;
        drop_last_name(r);
    } else {
        r->data_at = r->next.at;
        r->data_line = r->next.line;
    }
    return note_titles(r, t, err);
}

/* Back to the first row. */
static odim_status restart(od_text_rows *r, odim_error *err)
{
    odim_status status;
    r->pending = true;
    if (r->records) {
        status = r->records->rewind(r->records, err);
        return status ? status : read_next(r, err);
    }
    status = start(r, true, err);
    return !status && r->header ? od_csv_next(r->csv, &r->next, err) : status;
}

/* The columns and their types. The first row has been read. */
static odim_status find_columns(od_text_rows *r, odim_table *t, const odim_read_options *o,
                                const od_schema *like, odim_error *err)
{
    odim_status status = od_columns_settle(&r->cols, t, o, like, false, err);
    if (!status) status = find_id_names(r, t, err);
    if (status) return status;
    if (r->next.count == 0) return od_fail(err, ODIM_ERR_DATA, "there is a header and no rows below it");
    if (r->parts) return ODIM_OK;
    if (!od_text_types_open(&r->cols)) return like ? ODIM_OK : od_columns_list_file(&r->cols, t, err);
    status = find_types(r, t, err);
    if (!status) status = restart(r, err);
    if (!status && r->next.count == 0)
        status = od_fail(err, ODIM_ERR_DATA, "it changed while it was being read: its rows are gone");
    return status;
}

/* ---- in parts ------------------------------------------------------------------------------------- */

odim_status od_text_rows_part(od_text_rows *r, odim_table *t, const od_span *part, odim_error *err)
{
    t->first = part->row;
    if (r->records || od_source_size(r->src) == 0) return ODIM_OK; /* one part, which begins where we are */
    odim_status status = od_csv_seek(r->csv, part->at ? part->at : r->data_at, part->end, part->row + 1,
                                     part->at ? part->line : r->data_line, err);
    r->pending = true;
    return status ? status : od_csv_next(r->csv, &r->next, err);
}

/* Where the next line begins, or the end of the source; `at` is not the beginning. */
static odim_status find_line(od_text_rows *r, int64_t at, int64_t *start, odim_error *err)
{
    char buf[4096], last = 0;
    size_t got;
    odim_status status = od_source_seek(r->src, (size_t)at - 1, err);
    for (*start = at - 1; !status; *start += (int64_t)got) {
        status = od_source_read(r->src, buf, sizeof buf, &got, err);
        if (status || got == 0) return status;
        for (size_t i = 0; i < got; i++) {
            if (last == '\n' || (last == '\r' && buf[i] != '\n')) {
                *start += (int64_t)i;
                return ODIM_OK;
            }
            last = buf[i];
        }
    }
    return status;
}

/* Whether the next few records look like rows. */
static odim_status try_rows(od_text_rows *r, int64_t at, bool *fine, odim_error *err)
{
    odim_error why;
    odim_status status = od_csv_seek(r->csv, at, INT64_MAX, 1, 1, err);
    *fine = true;
    for (int i = 0; !status && *fine && i < TRIED_ROWS; i++) {
        odim_status wrong = od_csv_next(r->csv, &r->next, &why);
        if (!wrong && r->next.count == 0) break;
        *fine = !wrong && r->next.count == (size_t)r->cols.count;
    }
    return status;
}

odim_status od_text_rows_guess(od_text_rows *r, int64_t at, int64_t *start, odim_error *err)
{
    bool fine = false;
    int64_t first = 0, line = at;
    for (int i = 0; !fine && i < TRIED_LINES; i++) {
        odim_status status = find_line(r, line, start, err);
        if (!status) status = try_rows(r, *start, &fine, err);
        if (status) return status;
        if (i == 0) first = *start;
        line = *start + 1;
        if (*start >= (int64_t)od_source_size(r->src)) break;
    }
    if (!fine) *start = first;
    return ODIM_OK;
}

/* ---- opening and closing -------------------------------------------------------------------------- */

static od_id_search find_ids(const od_table_input *in)
{
    const odim_read_options *o = in->options;
    if (in->like || o->only || (o->id && !*o->id)) return OD_IDS_KEEP;
    return o->id ? OD_IDS_DROP : OD_IDS_FIND;
}

static odim_status begin(od_text_rows *r, odim_table *t, const od_table_input *in, odim_error *err)
{
    const odim_read_options *o = in->options;
    *r = (od_text_rows){.src = in->src,
                        .delimiter = o->delimiter                  ? o->delimiter
                                     : in->format == OD_FORMAT_TSV ? '\t'
                                                                   : 0,
                        .header = o->header > 0,
                        .header_guessed = o->header == 0,
                        .keep = o->keep != 0,
                        .active = in->like != NULL,
                        .hints = {.decimal = (char)o->decimal},
                        .ids = find_ids(in),
                        .bad_rows = o->bad_rows,
                        .parts = in->in_parts};
    t->is_f64 = true;
    return od_cell_na(&r->na, o->na, err);
}

odim_status od_text_rows_open(od_text_rows *r, odim_table *t, const od_table_input *in, odim_error *err)
{
    const odim_read_options *o = in->options;
    odim_status status = begin(r, t, in, err);
    /* A few packed bytes may stand for more text than memory can hold. */
    od_source_limit(in->src, o->unpacked > 0 ? (size_t)o->unpacked : (size_t)(od_mem_physical() / 2));
    if (!status && !r->active && !r->parts && !in->raw) status = od_source_hold(in->src, err);
    if (!status) status = open_csv(r, t, in->like, err);
    if (!status && !in->raw) status = find_columns(r, t, o, in->like, err);
    if (status) od_text_rows_close(r);
    return status;
}

odim_status od_text_rows_open_records(od_text_rows *r, odim_table *t, const od_table_input *in,
                                      od_records *records, odim_error *err)
{
    odim_status status = begin(r, t, in, err);
    r->records = records;
    r->header = r->pending = true;
    r->hints.semicolon = records->semicolon;
    if (!status) status = name_records(r, &t->notes, err);
    if (!status && r->cols.count == 0) status = od_fail(err, ODIM_ERR_DATA, "it has no columns");
    if (!status) status = read_next(r, err);
    if (!status && !in->raw) status = find_columns(r, t, in->options, in->like, err);
    if (status) od_text_rows_close(r);
    return status;
}

void od_text_rows_close(od_text_rows *r)
{
    od_csv_close(r->csv);
    od_records_close(r->records);
    od_columns_free(&r->cols);
    od_strlist_free(&r->na);
    od_free(r->id_like);
    *r = (od_text_rows){0};
}
