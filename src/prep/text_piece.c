/* Parses one piece of a CSV file, and hands out its rows. */
#include "prep/text_piece.h"

#include <math.h>
#include <string.h>

#include "common/mem.h"

/* So a piece hardly ever has more levels than a category: see OD_LEVELS_MOST. */
#define MOST_ROWS 65536
#define NO_CODE   UINT32_MAX
/* Where a row may begin is found by looking at so many lines, and at so many records from each. */
#define TRIED_LINES 32
#define TRIED_ROWS  8

/* ---- preparing ------------------------------------------------------------------------------------ */

odim_status od_text_piece_prepare(od_text_piece *p, const od_text_rows *r, const odim_table *t,
                                  odim_error *err)
{
    odim_table *own = &p->table;
    odim_status status = p->csv ? ODIM_OK : od_csv_piece_new(&p->csv, r->csv, err);
    if (status) return status;
    size_t rows_cap = p->rows.rows_cap;
    p->rows = *r;
    p->rows.rows_cap = rows_cap;
    p->rows.bad_rows = ODIM_BAD_ROWS_STOP; /* a row that does not fit is an error, and left out */
    p->rows.pieces = NULL;
    if (!own->col) {
        if (!(own->col = od_calloc((size_t)t->d, sizeof *own->col))) return od_fail_nomem(err);
        own->d = own->stride = t->d;
        own->is_f64 = true;
        for (int64_t k = 0; k < t->d; k++) {
            own->col[k] = t->col[k];
            own->col[k].levels = (od_levels){0};
        }
    }
    own->texts = t->texts;
    return ODIM_OK;
}

odim_status od_text_piece_prepare_votes(od_text_piece *p, const od_text_rows *r, const od_type_votes *votes,
                                        odim_error *err)
{
    odim_status status = p->csv ? ODIM_OK : od_csv_piece_new(&p->csv, r->csv, err);
    if (status) return status;
    p->rows = *r;
    p->rows.pieces = NULL;
    p->features = r->cols.features;
    if (p->votes) od_type_votes_clear(p->votes, p->features);
    if (!p->votes && !(p->votes = od_calloc((size_t)p->features, sizeof *p->votes)))
        return od_fail_nomem(err);
    /* Whether plain numbers count as distinct depends on the rows before, hardly ever on those that are
     * counted at the same time: see od_text_piece_merge. */
    for (int64_t k = 0; k < p->features; k++) p->votes[k].in_part = !r->cols.decided[k] && votes[k].zeros;
    return ODIM_OK;
}

void od_text_piece_free(od_text_piece *p)
{
    odim_table *t = &p->table;
    od_csv_close(p->csv);
    for (int64_t k = 0; t->col && k < t->d; k++) od_levels_free(&t->col[k].levels);
    od_free(t->col);
    od_free((void *)t->cells);
    od_free(t->labels);
    od_free(t->known);
    od_strlist_free(&t->ids);
    od_strlist_free(&t->kept);
    od_strlist_free(&t->notes);
    od_free(p->place);
    od_free(p->code);
    if (p->votes) od_type_votes_clear(p->votes, p->features);
    od_free(p->votes);
    *p = (od_text_piece){0};
}

/* ---- parsing -------------------------------------------------------------------------------------- */

static void fail(od_text_piece *p, odim_status status, const odim_error *err)
{
    p->status = status;
    p->err = *err;
}

/* Whether the piece is at its end, or at a record that it does not have to the end. */
static bool ends(odim_status status, const od_record *rec)
{
    return status == ODIM_ERR_IO || (!status && rec->count == 0);
}

/* In a table of one column, blank lines before a record may be rows. */
static bool blanks_count(const od_text_piece *p, const od_record *rec, int64_t from)
{
    return p->rows.cols.count == 1 && rec->at != from;
}

static odim_status make_place(od_text_piece *p, odim_error *err)
{
    size_t n = (size_t)p->table.n;
    if (n < p->place_cap) return ODIM_OK;
    size_t cap = p->place_cap ? p->place_cap * 2 : 1024;
    od_piece_row *place = od_grow(p->place, n, cap, sizeof *place);
    if (!place) return od_fail_nomem(err);
    p->place = place;
    p->place_cap = cap;
    return ODIM_OK;
}

/* Adds the row to the piece, or leaves it out. */
static odim_status add_row(od_text_piece *p, od_record *rec, odim_error *err)
{
    odim_table *t = &p->table;
    int64_t n = t->n;
    size_t ids = t->ids.count, kept = t->kept.count;
    odim_error why = {0};
    bool noted = p->rows.noted_total;
    rec->row = n + 1;
    odim_status status = od_text_rows_add(&p->rows, t, rec, &why, err);
    if (!status && p->rows.noted_total == noted) return ODIM_OK;
    /* It does not fit, or there is something to be noted about it. */
    t->n = n;
    p->rows.noted_total = noted;
    od_strlist_cut(&t->ids, ids);
    od_strlist_cut(&t->kept, kept);
    od_strlist_clear(&t->notes);
    return status == ODIM_ERR_DATA ? ODIM_OK : status;
}

static void clear(odim_table *t)
{
    t->n = 0;
    od_strlist_clear(&t->ids);
    od_strlist_clear(&t->kept);
    for (int64_t k = 0; k < t->d; k++) od_levels_cut(&t->col[k].levels, 0);
}

/* Whether there were levels without a text: behind a very long record a piece may be large, and rows that are
 * left out have levels too. */
static bool overflows(const odim_table *t)
{
    for (int64_t k = 0; k < t->d; k++)
        if (t->col[k].levels.overflow) return true;
    return false;
}

void od_text_piece_parse(od_text_piece *p, const od_csv_bytes *bytes)
{
    odim_table *t = &p->table;
    odim_error err;
    od_record rec;
    clear(t);
    p->next = 0;
    p->coded = false;
    p->status = ODIM_OK;
    odim_status status = od_csv_piece_set(p->csv, bytes, &err);
    while (!status && t->n < MOST_ROWS) {
        int64_t from = od_csv_at(p->csv), line = od_csv_line(p->csv), first, n = t->n;
        int64_t recoded = od_csv_recoded(p->csv, &first);
        status = od_csv_next(p->csv, &rec, &err);
        if (ends(status, &rec)) break;
        if (status == ODIM_ERR_FORMAT) {
            status = od_csv_skip_line(p->csv, &err);
            if (status == ODIM_ERR_IO) break;
            continue;
        }
        if (status || blanks_count(p, &rec, from)) continue;
        if (!(status = make_place(p, &err))) status = add_row(p, &rec, &err);
        if (status || t->n == n) continue;
        p->place[n] = (od_piece_row){.from = (uint32_t)from,
                                     .end = (uint32_t)od_csv_at(p->csv),
                                     .lines = (uint32_t)(od_csv_line(p->csv) - line),
                                     .line = (uint32_t)(rec.line - line),
                                     .recoded = (uint32_t)(od_csv_recoded(p->csv, &first) - recoded)};
    }
    if (status && status != ODIM_ERR_IO) fail(p, status, &err);
    if (overflows(t)) t->n = 0; /* the reader parses them all */
    p->end = p->start + (size_t)od_csv_at(p->csv);
}

/* ---- counting ------------------------------------------------------------------------------------- */

/* Whether the next few records look like rows. */
static bool looks_right(od_text_piece *p)
{
    odim_error err;
    od_record rec;
    for (int i = 0; i < TRIED_ROWS; i++) {
        odim_status status = od_csv_next(p->csv, &rec, &err);
        if (ends(status, &rec)) return i > 0;
        if (status || rec.count != (size_t)p->rows.cols.count) return false;
    }
    return true;
}

/* The first line from which on there are rows; else the first one. */
static odim_status find_start(od_text_piece *p, od_csv_bytes *bytes, odim_error *err)
{
    od_csv_bytes rest = *bytes;
    size_t skipped = 0;
    for (int i = 0; i < TRIED_LINES; i++) {
        odim_status status = od_csv_piece_set(p->csv, &rest, err);
        if (status) return status;
        if (looks_right(p)) {
            *bytes = rest;
            p->start += skipped;
            return ODIM_OK;
        }
        const char *end = memchr(rest.text, '\n', rest.len);
        if (!end) break;
        size_t line = (size_t)(end - rest.text) + 1;
        rest.text += line;
        rest.len -= line;
        skipped += line;
    }
    return ODIM_OK;
}

void od_text_piece_count(od_text_piece *p, const od_csv_bytes *bytes, bool guess)
{
    odim_error err;
    od_record rec;
    od_csv_bytes own = *bytes;
    bool stop = p->rows.bad_rows == ODIM_BAD_ROWS_STOP;
    p->status = ODIM_OK;
    odim_status status = guess ? find_start(p, &own, &err) : ODIM_OK;
    if (!status) status = od_csv_piece_set(p->csv, &own, &err);
    p->counted = (od_csv_passed){0};
    while (!status) {
        int64_t from = od_csv_at(p->csv);
        status = od_csv_next(p->csv, &rec, &err);
        if (ends(status, &rec) || (status == ODIM_ERR_FORMAT && stop)) break;
        if (status == ODIM_ERR_FORMAT) {
            status = od_csv_skip_line(p->csv, &err);
        } else if (!status) {
            bool fits = od_text_rows_check_width(&p->rows, &rec, &err) == ODIM_OK;
            if ((!fits && stop) || blanks_count(p, &rec, from)) break;
            if (fits) status = od_text_rows_count_row(&p->rows, &rec, p->votes, &err);
        }
        if (status) break;
        p->counted.rows++;
        p->counted.bytes = (size_t)od_csv_at(p->csv);
        p->counted.lines = od_csv_line(p->csv);
        p->counted.recoded = od_csv_recoded(p->csv, &p->counted.recoded_line);
    }
    if (status && status != ODIM_ERR_IO && status != ODIM_ERR_FORMAT) fail(p, status, &err);
    p->end = p->start + p->counted.bytes;
}

bool od_text_piece_merge(od_text_piece *p, od_type_votes *votes, odim_status *status, odim_error *err)
{
    for (int64_t k = 0; k < p->features; k++)
        if (votes[k].zeros && !p->votes[k].in_part) return false;
    for (int64_t k = 0; k < p->features && !*status; k++)
        *status = od_type_votes_merge(&votes[k], &p->votes[k], err);
    return true;
}

/* ---- handing out rows ----------------------------------------------------------------------------- */

/* Room for the codes of all levels, which are not known yet. They hold for one block of the reader: for the
 * next one, levels that the model does not know are forgotten. */
static odim_status begin_codes(od_text_piece *p, odim_error *err)
{
    size_t levels = 0;
    if (p->coded) return ODIM_OK;
    for (int64_t k = 0; k < p->table.d; k++) levels += (size_t)od_levels_count(&p->table.col[k].levels);
    if (levels > p->code_cap) {
        uint32_t *code = od_grow(p->code, 0, levels, sizeof *code);
        if (!code) return od_fail_nomem(err);
        p->code = code;
        p->code_cap = levels;
    }
    for (size_t i = 0; i < levels; i++) p->code[i] = NO_CODE;
    p->coded = true;
    return ODIM_OK;
}

/* Gives the cells of new rows the codes that their levels have in the reader's table: a level that is new
 * there gets its code when its first row comes. */
static odim_status take_levels(od_text_piece *p, int64_t count, odim_table *t, odim_error *err)
{
    odim_status status = begin_codes(p, err);
    uint32_t *code = p->code;
    for (int64_t k = 0; k < t->d && !status; k++) {
        const od_strlist *texts = &p->table.col[k].levels.texts;
        double *cell = (double *)t->cells + t->n * t->d + k;
        for (int64_t i = 0; texts->count && i < count && !status; i++, cell += t->d) {
            if (isnan(*cell)) continue;
            size_t own = (size_t)*cell;
            const char *text = od_strlist_at(texts, own);
            if (code[own] == NO_CODE)
                status = od_levels_code(&t->col[k].levels, text, strlen(text), &code[own], err);
            *cell = code[own];
        }
        code += texts->count;
    }
    return status;
}

odim_status od_text_piece_give(od_text_piece *p, int64_t count, od_text_rows *r, odim_table *t,
                               odim_error *err)
{
    odim_status status = ODIM_OK;
    const odim_table *own = &p->table;
    int64_t first = p->next, n = t->n, row = od_csv_row(r->csv);
    size_t rows = (size_t)count, d = (size_t)t->d;
    while (r->rows_cap - (size_t)n < rows)
        if ((status = od_text_rows_make_room(r, t, err))) return status;
    memcpy((double *)t->cells + n * t->d, (const double *)own->cells + first * t->d,
           rows * d * sizeof(double));
    if (r->cols.label >= 0) memcpy(t->labels + n, own->labels + first, rows);
    if (r->cols.known >= 0) memcpy(t->known + n, own->known + first, rows);
    status = take_levels(p, count, t, err);
    if (!status && r->cols.id >= 0) status = od_strlist_append(&t->ids, &own->ids, (size_t)first, rows, err);
    size_t cells = r->keep ? (size_t)r->cols.count : 0;
    if (!status) status = od_strlist_append(&t->kept, &own->kept, (size_t)first * cells, rows * cells, err);
    bool numbered = t->number || row != t->first + n + 1;
    for (int64_t i = 0; numbered && !status && i < count; i++) {
        t->n = n + i;
        status = od_text_rows_number(r, t, row + i, err);
    }
    t->n = status ? n : n + count;
    p->next = first + count;
    return status;
}
