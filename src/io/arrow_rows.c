/* Gives the rows of Arrow's record batches as records. */
#include "io/arrow_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "io/windows1252.h"

typedef struct rows {
    od_records base;
    od_arrow_batches *batches;
    size_t columns;      /* of the batches; some are left out */
    size_t *at;          /* (names.count) where each column is in the batches */
    od_arrow_view *view; /* (columns) of the batch in hand */
    bool *used;          /* (columns) */
    od_arrow_view row;   /* validity of whole rows */
    bool ended;
    int64_t size, next; /* rows of the batch; the one to be read next */
    int64_t number;     /* of rows that were read */
    od_field *fields;   /* (names.count) */
    char (*room)[OD_VALUE_ROOM];
} rows;

/* ---- records ---------------------------------------------------------------------------------------- */

/* Makes a row available, unless it is the end. A batch that cannot be read is not one row that is bad. */
static odim_status fetch(rows *r, odim_error *err)
{
    while (r->next == r->size && !r->ended) {
        for (size_t j = 0; j < r->base.names.count; j++)
            r->used[r->at[j]] &= r->base.as[j] != OD_CELLS_UNUSED;
        r->next = r->size = 0;
        r->row = (od_arrow_view){0};
        odim_status status = r->batches->next(r->batches, r->used, r->view, &r->size, &r->row, err);
        r->ended = status || r->size < 0;
        if (r->ended) r->size = 0;
        if (status == ODIM_ERR_FORMAT && r->number) status = ODIM_ERR_IO;
        if (err && status) err->status = status;
        if (status) return status;
    }
    if (r->ended) r->base.rows = r->number;
    return ODIM_OK;
}

static odim_status take_cell(rows *r, size_t j, int64_t i, odim_error *err)
{
    const od_arrow_view *v = &r->view[r->at[j]];
    od_field *f = &r->fields[j];
    *f = (od_field){.text = ""};
    r->base.number[j] = NAN;
    bool used = r->used[r->at[j]] && r->base.as[j] != OD_CELLS_UNUSED; /* it may change within a batch */
    if (!used || od_arrow_is_missing(v, i)) return ODIM_OK;
    if (r->base.as[j] != OD_CELLS_TEXT) {
        r->base.number[j] = od_arrow_number(v, i);
        if (r->base.as[j] == OD_CELLS_BARE && !isinf(r->base.number[j])) return ODIM_OK;
    }
    size_t len = od_arrow_write(v, i, r->room[j], &f->text);
    if (len > OD_CSV_RECORD_MOST) {
        f->text = "";
        return od_fail_at(err, ODIM_ERR_FORMAT, r->number, (int64_t)j + 1, "row %lld, column %zu: %s",
                          (long long)r->number, j + 1,
                          len == SIZE_MAX ? "it is not UTF-8, has a zero byte or is not in the dictionary"
                                          : "it is too long");
    }
    f->len = (uint32_t)len;
    f->number = v->type.kind == OD_ARROW_DECIMAL && !v->type.encoded;
    return ODIM_OK;
}

static odim_status next_record(od_records *base, od_record *out, odim_error *err)
{
    rows *r = (rows *)base;
    *out = (od_record){0};
    odim_status status = fetch(r, err);
    if (status || r->ended) return status;
    int64_t i = r->next++;
    bool missing = r->row.valid && od_arrow_is_missing(&r->row, i);
    r->number++;
    for (size_t j = 0; j < base->names.count && !status; j++) {
        if (!missing) status = take_cell(r, j, i, err);
        if (!missing) continue;
        r->fields[j] = (od_field){.text = ""};
        base->number[j] = NAN;
    }
    *out = (od_record){.fields = r->fields, .count = base->names.count, .row = r->number, .line = r->number};
    return status;
}

/* One column after the other, in pieces that stay in the cache while they become rows. */
static odim_status read_numbers(od_records *base, const int64_t *columns, int64_t cols, int64_t most,
                                double *to, int64_t *out, odim_error *err)
{
    enum { PIECE = 64 };
    rows *r = (rows *)base;
    *out = 0;
    odim_status status = fetch(r, err);
    if (status || r->ended || r->row.valid) return status;
    if (most > r->size - r->next) most = r->size - r->next;
    while (*out < most) {
        int64_t piece = most - *out < PIECE ? most - *out : PIECE, read = piece;
        for (int64_t k = 0; k < cols; k++) {
            const od_arrow_view *v = &r->view[r->at[columns[k]]];
            read = od_arrow_numbers(v, r->next + *out, read, to + *out * cols + k, cols);
        }
        *out += read;
        if (read < piece) break;
    }
    r->next += *out;
    r->number += *out;
    return ODIM_OK;
}

static odim_status rewind_records(od_records *base, odim_error *err)
{
    rows *r = (rows *)base;
    r->ended = false;
    r->size = r->next = r->number = 0;
    return r->batches->rewind(r->batches, err);
}

static bool is_ready(od_records *base)
{
    rows *r = (rows *)base;
    return r->next < r->size || r->ended || !r->batches->ready || r->batches->ready(r->batches);
}

static void close_records(od_records *base)
{
    rows *r = (rows *)base;
    r->batches->close(r->batches);
    od_strlist_free(&base->names);
    od_free(base->as);
    od_free(base->number);
    od_free(r->at);
    od_free(r->view);
    od_free(r->used);
    od_free(r->fields);
    od_free(r->room);
    od_free(r);
}

/* ---- columns ---------------------------------------------------------------------------------------- */

static odim_status add_column(rows *r, size_t at, const od_arrow_needs *needs, od_strlist *notes,
                              odim_error *err)
{
    char shown[80], text[200];
    const char *name = od_strlist_at(&r->batches->names, at);
    const od_arrow_type *type = &r->batches->type[at];
    od_printable(shown, sizeof shown, name, strlen(name));
    if (!od_is_utf8(name, strlen(name)))
        return od_fail_at(err, ODIM_ERR_FORMAT, 0, (int64_t)at + 1,
                          "the name of column %zu is not UTF-8: '%s'", at + 1, shown);
    if (type->kind == OD_ARROW_BYTES) {
        snprintf(text, sizeof text, "column '%s' has bytes (binary): left out", shown);
        return od_strlist_add(notes, text, strlen(text), err);
    }
    r->used[at] = od_arrow_is_readable(type);
    if (!r->used[at] && (!needs->needed || needs->needed(needs->ctx, name, at)))
        return od_fail_at(
            err, ODIM_ERR_DATA, 0, (int64_t)at + 1,
            "column '%s' is of type %s, which is not a single value: ignore it, or split it into "
            "columns of single values",
            shown, type->what);
    size_t j = r->base.names.count;
    r->at[j] = at;
    r->base.as[j] = od_arrow_is_number(type) ? OD_CELLS_NUMBER : OD_CELLS_TEXT;
    return od_strlist_add(&r->base.names, name, strlen(name), err);
}

static odim_status find_columns(rows *r, const od_arrow_needs *needs, od_strlist *notes, odim_error *err)
{
    size_t n = r->columns;
    r->at = od_calloc(n, sizeof *r->at);
    r->view = od_calloc(n, sizeof *r->view);
    r->used = od_calloc(n, sizeof *r->used);
    r->fields = od_calloc(n, sizeof *r->fields);
    r->room = od_alloc(n, sizeof *r->room);
    r->base.as = od_calloc(n, sizeof *r->base.as);
    r->base.number = od_calloc(n, sizeof *r->base.number);
    if (!r->at || !r->view || !r->used || !r->fields || !r->room || !r->base.as || !r->base.number)
        return od_fail_nomem(err);
    odim_status status = n ? ODIM_OK : od_fail(err, ODIM_ERR_DATA, "it has no columns");
    for (size_t at = 0; at < n && !status; at++) status = add_column(r, at, needs, notes, err);
    return status;
}

odim_status od_arrow_rows_open(od_records **out, od_arrow_batches *batches, const od_arrow_needs *needs,
                               od_strlist *notes, odim_error *err)
{
    *out = NULL;
    rows *r = od_calloc(1, sizeof *r);
    if (!r) {
        batches->close(batches);
        return od_fail_nomem(err);
    }
    r->base = (od_records){.next = next_record,
                           .rewind = rewind_records,
                           .close = close_records,
                           .ready = is_ready,
                           .numbers = read_numbers};
    r->batches = batches;
    r->columns = batches->names.count;
    odim_status status = find_columns(r, needs, notes, err);
    if (status)
        close_records(&r->base);
    else
        *out = &r->base;
    return status;
}
