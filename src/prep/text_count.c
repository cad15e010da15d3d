/* Counts what the cells of text are, from which the types of the columns are decided. */
#include <string.h>

#include "base/poll.h"
#include "common/mem.h"
#include "common/numtext.h"
#include "prep/text_pieces.h"
#include "prep/text_rows.h"

static odim_status count_cell(const od_text_rows *r, int64_t k, const od_field *f, od_type_votes *votes,
                              odim_error *err)
{
    double value;
    /* 1.234 as a number of the file is never a thousand. */
    if (f->number && memchr(f->text, '.', f->len) && od_num_parse(f->text, f->len, &value) == OD_NUM_OK &&
        !od_cell_is_missing(f->text, f->len, &r->na)) {
        od_type_votes_add_number(votes, value);
        return ODIM_OK;
    }
    if (!od_type_votes_add(votes, f->text, f->len, &r->na, r->id_like[k]) || k >= OD_TEXT_COLUMNS)
        return ODIM_OK;
    size_t len;
    const char *text = od_text_rows_trim(f, &len);
    return od_text_counts_add(&votes->parts, text, len, err);
}

/* Which levels are kept is found for categories that the caller has chosen: the model will use them. */
static odim_status count_level(const od_text_rows *r, int64_t k, const od_field *f, od_type_votes *votes,
                               odim_error *err)
{
    size_t len;
    if (!votes->in_part || r->cols.like || r->cols.type[k] != ODIM_CATEGORICAL) return ODIM_OK;
    const char *text = od_text_rows_trim(f, &len);
    return od_cell_is_missing(text, len, &r->na) ? ODIM_OK : od_type_votes_add_level(votes, text, len, err);
}

static bool is_bare(const od_text_rows *r, int64_t col)
{
    return r->records && r->records->as && r->records->as[col] == OD_CELLS_BARE;
}

odim_status od_text_rows_count_row(const od_text_rows *r, const od_record *rec, od_type_votes *votes,
                                   odim_error *err)
{
    odim_status status = ODIM_OK;
    for (int64_t k = 0; !status && k < r->cols.features; k++) {
        int64_t j = r->cols.feature[k];
        if (r->cols.decided[k])
            status = count_level(r, k, &rec->fields[j], &votes[k], err);
        else if (is_bare(r, j))
            od_type_votes_add_number(&votes[k], r->records->number[j]);
        else
            status = count_cell(r, k, &rec->fields[j], &votes[k], err);
    }
    return status;
}

/* The numbers of many rows at once, if nothing but numbers is to be counted. */
static odim_status count_numbers(od_text_rows *r, od_type_votes *votes, int64_t *rows, odim_error *err)
{
    enum { PIECE = 256 };
    int64_t cols = r->cols.features, got;
    odim_status status = ODIM_OK;
    if (!od_text_rows_is_numbers(r)) return ODIM_OK;
    for (int64_t k = 0; k < cols; k++)
        if (r->cols.decided[k]) return ODIM_OK;
    double *piece = od_alloc((size_t)cols, PIECE * sizeof *piece);
    if (!piece) return od_fail_nomem(err);
    do {
        status = r->records->numbers(r->records, r->cols.feature, cols, PIECE, piece, &got, err);
        for (int64_t k = 0; k < cols && !status; k++)
            for (int64_t i = 0; i < got; i++) od_type_votes_add_number(&votes[k], piece[i * cols + k]);
        *rows += got;
        r->next.row += got;
        r->next.line += got;
        if (!status) status = od_poll_check(err);
    } while (got && !status);
    od_free(piece);
    return status;
}

odim_status od_text_rows_count_types(od_text_rows *r, od_type_votes *votes, int64_t most, int64_t *rows,
                                     odim_error *err)
{
    odim_status status = ODIM_OK;
    odim_error why = r->why;
    r->why.status = ODIM_OK;
    for (*rows = 0; *rows < most && (r->next.count || why.status); ++*rows) {
        status = why.status ? why.status : od_text_rows_check_width(r, &r->next, err);
        if (status && r->bad_rows == ODIM_BAD_ROWS_STOP) break;
        if (!status) status = od_text_rows_count_row(r, &r->next, votes, err);
        if (status == ODIM_ERR_NOMEM) break;
        if (most == INT64_MAX && (status = count_numbers(r, votes, rows, err))) break;
        if (most == INT64_MAX && (status = od_text_pieces_count(r, votes, rows, err))) break;
        if ((status = od_text_rows_advance_tolerant(r, &why, err)) || (status = od_poll_check(err))) break;
    }
    return status;
}
