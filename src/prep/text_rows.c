/* Opens a file of text: finds its header, its columns and their types. */
#include "prep/text_rows.h"

#include <stdio.h>
#include <string.h>

#include "base/poll.h"
#include "common/mem.h"
#include "common/numtext.h"
#include "io/header_axis.h"
#include "io/sniff.h"
#include "prep/text_columns.h"
#include "prep/text_types.h"
#include "base/hint.h"

/* ---- the start ------------------------------------------------------------------------------------ */

/* A guessed header that holds a number no column would be called by may be the first row of the data. */
static odim_status doubt_header(const od_record *rec, odim_error *err)
{
    if (od_header_axis(rec, true)) return ODIM_OK;
    for (size_t j = 0; j < rec->count; j++) {
        const od_field *f = &rec->fields[j];
        double value;
        char cell[40];
        if (f->quoted || od_num_parse(f->text, f->len, &value) != OD_NUM_OK) continue;
        if (value >= 0 && !memchr(f->text, '.', f->len)) continue; /* 2019, 2020: may well be names */
        return od_fail_at(err, ODIM_ERR_DATA, 0, (int64_t)j + 1,
                          "line %lld holds words and the number '%s': say whether it is a header or data%s",
                          (long long)rec->line, od_printable(cell, sizeof cell, f->text, f->len),
                          OD_HINT("header|no_header"));
    }
    return ODIM_OK;
}

static bool has_name(const od_record *rec, const char *name)
{
    for (size_t j = 0; j < rec->count; j++) {
        size_t len;
        const char *text = od_text_rows_trim(&rec->fields[j], &len);
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

/* Whether a record is a row like those of the file that the model was fitted on: its numbers and dates, and
 * whatever else. A header with other names is none. */
static bool is_row(const od_text_rows *r, const od_record *rec, const od_schema *like)
{
    const od_file_columns *file = &like->file;
    int64_t k = 0;
    if (file->names.count == 0 || rec->count != file->names.count) return false;
    for (size_t i = 0; i < rec->count; i++) {
        const char *name = od_strlist_at(&file->names, i);
        double value;
        if (file->role[i] != OD_ROLE_FEATURE) continue;
        int64_t at = k; /* both are in the same order */
        while (at < like->cols && strcmp(like->col[at].name, name) != 0) at++;
        if (at == like->cols) continue; /* a free text, which may be anything */
        const od_schema_col *c = &like->col[at];
        k = at + 1;
        const od_field *f = &rec->fields[i];
        if (c->type != ODIM_CATEGORICAL &&
            !od_cell_parse(c->type, &c->format, f->text, f->len, &r->na, &value))
            return false;
    }
    return true;
}

/* Whether a record is a damaged row and not a header: the columns of the model have no names, and it has
 * another number of fields than they and the rows below it, as far as those have come. */
static bool is_damaged(const od_text_rows *r, const od_record *rec, const od_schema *like)
{
    const od_strlist *names = &like->file.names;
    char number[OD_NUMBER_ROOM];
    if (r->bad_rows == ODIM_BAD_ROWS_STOP || rec->count == names->count) return false;
    for (size_t i = 0; i < names->count; i++) {
        snprintf(number, sizeof number, "x%zu", i + 1);
        if (strcmp(od_strlist_at(names, i), number) != 0) return false;
    }
    return names->count && (r->found.alone || names->count == r->found.width);
}

/* With a model it is known what a header would be: a first line of words without its names may be a row. */
static void settle_header(od_text_rows *r, const od_schema *like)
{
    bool named = names_column(&r->next, like);
    bool damaged = !named && r->header && is_damaged(r, &r->next, like);
    if (damaged) r->found.width = like->file.names.count;
    if (named) {
        od_csv_begin(r->csv);
    } else if (r->header && (damaged || is_row(r, &r->next, like))) {
        od_csv_begin_at_first(r->csv);
        r->next.row = 1;
    } else {
        return;
    }
    r->header = r->found.header = named;
    r->found.second &= named;
    r->header_guessed = false;
}

/* Where bad rows are tolerated the first may be one, and most rows say how many columns there are. */
static odim_status number_columns(od_text_rows *r, const od_record *rec, odim_error *err)
{
    bool most = r->bad_rows != ODIM_BAD_ROWS_STOP && r->found.width;
    size_t width = most ? r->found.width : rec->count;
    if (width) return od_columns_number(&r->cols, (int64_t)width, err);
    *err = r->why;
    return r->why.status;
}

/* Reads the second line of a header. */
static odim_status read_second(od_text_rows *r, odim_error *err)
{
    odim_status status = od_csv_next(r->csv, &r->next, err);
    od_csv_begin(r->csv);
    return status;
}

/* A header of two lines. Names that occur once are enough, and the second line has units. Otherwise they are
 * those of groups, where an empty one goes on: "Sales" and "2023" become "Sales 2023". */
static odim_status join_names(od_text_rows *r, od_strlist *notes, odim_error *err)
{
    od_strlist tops = {0};
    odim_status status = ODIM_OK;
    bool groups = false;
    size_t len, count = r->next.count;
    char before[200] = "";
    for (size_t j = 0; j < count && !status; j++) {
        const char *name = od_text_rows_trim(&r->next.fields[j], &len);
        if (len >= sizeof before) len = sizeof before - 1;
        groups |= j && (len == 0 || (strlen(before) == len && memcmp(before, name, len) == 0));
        if (len) snprintf(before, sizeof before, "%.*s", (int)len, name);
        status = od_strlist_add(&tops, before, strlen(before), err);
    }
    if (!status) status = read_second(r, err);
    for (size_t j = 0; j < count && !status; j++) {
        char name[400];
        const char *top = od_strlist_at(&tops, j), *own = od_text_rows_trim(&r->next.fields[j], &len);
        snprintf(name, sizeof name, "%s%s%.*s", top, *top && len ? " " : "", (int)(len < 190 ? len : 190),
                 own);
        status = od_columns_add(&r->cols, groups ? name : top, strlen(groups ? name : top), err);
    }
    od_strlist_free(&tops);
    char text[100];
    snprintf(text, sizeof text, "line %lld is the second of the header: %s", (long long)r->next.line,
             groups ? "its names are joined with those above" : "it is skipped");
    if (!status) status = od_strlist_add(notes, text, strlen(text), err);
    return status ? status : od_columns_make_unique(&r->cols, notes, err);
}

static odim_status name_columns(od_text_rows *r, const od_record *rec, od_strlist *notes, odim_error *err)
{
    if (!r->header) return number_columns(r, rec, err);
    odim_status status = r->header_guessed ? doubt_header(rec, err) : ODIM_OK;
    if (!status && r->found.second) return join_names(r, notes, err);
    for (size_t j = 0; j < rec->count && !status; j++) {
        size_t len;
        const char *name = od_text_rows_trim(&rec->fields[j], &len);
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

/* A parser at the first record, which is read, or at the end. A header must be sound. */
static odim_status start(od_text_rows *r, bool again, odim_error *err)
{
    od_text_pieces_free(r->pieces);
    r->pieces = NULL;
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
        od_sniff_options how = {.delimiter = r->delimiter,
                                .header = r->header_guessed ? 0
                                          : r->header       ? 1
                                                            : -1,
                                .active = r->active,
                                .tolerant = r->bad_rows != ODIM_BAD_ROWS_STOP};
        status = od_sniff(r->csv, &how, &r->found, err);
        r->delimiter = (unsigned char)r->found.delimiter;
        r->header = r->found.header;
    }
    r->bad_first_at = od_csv_at(r->csv);
    if (!status)
        status =
            r->header ? od_csv_next(r->csv, &r->next, err) : od_text_rows_advance_tolerant(r, &r->why, err);
    if (r->cols.count == 1) od_csv_keep_blanks(r->csv);
    r->hints.semicolon = r->delimiter == ';';
    return status;
}

/* Says which columns of the next records are not used. */
static odim_status choose_used(od_text_rows *r, odim_error *err)
{
    od_cells_as *as = r->records ? r->records->as : NULL;
    const od_columns *c = &r->cols;
    if (!as || r->keep) return ODIM_OK;
    bool *used = od_calloc((size_t)c->count, sizeof *used);
    if (!used) return od_fail_nomem(err);
    for (int64_t k = 0; k < c->features; k++) used[c->feature[k]] = true;
    if (c->id >= 0) used[c->id] = true;
    if (c->label >= 0) used[c->label] = true;
    if (c->known >= 0) used[c->known] = true;
    for (int64_t j = 0; j < c->count; j++)
        if (!used[j]) as[j] = OD_CELLS_UNUSED;
    od_free(used);
    return ODIM_OK;
}

/* Says for which columns the next records need no text, because the reader has numbers. Texts are needed for
 * all cells that are kept or compared with missing values; of a feature, unless it is numeric or, while types
 * are `open`, its name is not that of an id. */
static void choose_bare(od_text_rows *r, const odim_table *t, bool open)
{
    od_cells_as *as = r->records ? r->records->as : NULL;
    if (!as || r->keep || r->na.count) return;
    for (int64_t j = 0; j < r->cols.count; j++)
        if (as[j] == OD_CELLS_BARE) as[j] = OD_CELLS_NUMBER;
    for (int64_t k = 0; k < t->d; k++) {
        od_cells_as *feature = &as[r->cols.feature[k]];
        bool bare = open ? !r->id_like[k] : t->col[k].type == ODIM_NUMERIC;
        if (bare && *feature == OD_CELLS_NUMBER) *feature = OD_CELLS_BARE;
    }
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
    int64_t rows, features = r->cols.features; /* some become ids, or several */
    od_type_votes *votes = od_calloc((size_t)features, sizeof *votes);
    odim_status status =
        votes ? od_text_rows_count_types(r, votes, INT64_MAX, &rows, err) : od_fail_nomem(err);
    if (r->records) r->hints.semicolon = r->records->semicolon; /* of any of several files */
    if (!status) status = od_text_rows_decide_types(r, t, votes, err);
    if (votes) od_type_votes_clear(votes, features);
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
    if (!r->unnamed_last || count < 2 || r->next.count > count || r->why.status) return;
    if (r->next.count == count && r->next.fields[count - 1].len) return;
    c->count--;
}

static odim_status note_titles(od_text_rows *r, odim_table *t, odim_error *err)
{
    char text[100];
    if (!r->found.titles) return ODIM_OK;
    snprintf(text, sizeof text, "%lld line%s above the table %s skipped", (long long)r->found.titles,
             r->found.titles == 1 ? "" : "s", r->found.titles == 1 ? "is" : "are");
    return od_text_rows_note(t, text, err);
}

/* Finds the first row of a CSV file and the names above it. */
static odim_status open_csv(od_text_rows *r, odim_table *t, const od_schema *like, odim_error *err)
{
    odim_status status = start(r, false, err);
    if (status) return status;
    if (r->next.count == 0 && !r->why.status) return od_fail(err, ODIM_ERR_DATA, "the file is empty");
    if (like && r->header_guessed && r->next.count) settle_header(r, like);
    if (like && r->why.status && !r->found.width) r->found.width = like->file.names.count;
    if ((status = name_columns(r, &r->next, &t->notes, err))) return status;
    if (r->cols.count == 1) od_csv_keep_blanks(r->csv);
    if (r->header) {
        r->data_at = od_csv_at(r->csv);
        r->data_line = od_csv_line(r->csv);
        if ((status = od_text_rows_advance_tolerant(r, &r->why, err))) return status;
        drop_last_name(r);
    } else {
        r->data_at = r->why.status ? r->bad_first_at : r->next.at;
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
        return status ? status : od_text_rows_advance_tolerant(r, &r->why, err);
    }
    status = start(r, true, err);
    if (!status && r->header && r->found.second) status = read_second(r, err);
    return !status && r->header ? od_text_rows_advance_tolerant(r, &r->why, err) : status;
}

/* Columns that the reader knows to be numeric. */
static void decide_numbers(od_text_rows *r)
{
    if (!r->records || !r->records->only_numbers) return;
    for (int64_t k = 0; k < r->cols.features; k++)
        if (r->records->as[r->cols.feature[k]] != OD_CELLS_TEXT) r->cols.decided[k] = true;
}

/* The columns and their types. The first row has been read. */
static odim_status find_columns(od_text_rows *r, odim_table *t, const odim_read_options *o,
                                const od_schema *like, odim_error *err)
{
    odim_status status = od_columns_settle(&r->cols, t, o, like, false, err);
    if (!status) status = find_id_names(r, t, err);
    if (status) return status;
    if (r->next.count == 0 && !r->why.status)
        return od_fail(err, ODIM_ERR_DATA, "there is a header and no rows below it");
    decide_numbers(r);
    if (r->parts) return ODIM_OK;
    if ((status = choose_used(r, err))) return status;
    choose_bare(r, t, od_text_types_open(&r->cols));
    if (!od_text_types_open(&r->cols)) return like ? ODIM_OK : od_columns_list_file(&r->cols, t, err);
    status = find_types(r, t, err);
    if (!status) status = choose_used(r, err);
    if (!status) {
        choose_bare(r, t, false);
        status = restart(r, err);
    }
    if (!status && r->next.count == 0 && !r->why.status)
        status = od_fail(err, ODIM_ERR_DATA, "it changed while it was being read: its rows are gone");
    return status;
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
                        .threads = in->in_parts ? 1 : o->threads,
                        .parts = in->in_parts};
    t->is_f64 = true;
    return od_cell_na(&r->na, o->na, err);
}

odim_status od_text_rows_open(od_text_rows *r, odim_table *t, const od_table_input *in, odim_error *err)
{
    const odim_read_options *o = in->options;
    odim_status status = begin(r, t, in, err);
    /* A few packed bytes may stand for more text than memory can hold. */
    od_source_limit(in->src, od_mem_limit(o->unpacked));
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
    if (!status) status = od_text_rows_advance_tolerant(r, &r->why, err);
    if (!status && !in->raw) status = find_columns(r, t, in->options, in->like, err);
    if (status) od_text_rows_close(r);
    return status;
}

void od_text_rows_close(od_text_rows *r)
{
    od_text_pieces_free(r->pieces);
    od_csv_close(r->csv);
    od_records_close(r->records);
    od_columns_free(&r->cols);
    od_strlist_free(&r->na);
    od_free(r->id_like);
    *r = (od_text_rows){0};
}
