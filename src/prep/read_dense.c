/* NPY, NPZ and IDX to a table. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/numtext.h"
#include "io/idx.h"
#include "io/npz.h"
#include "prep/columns.h"
#include "prep/read.h"
#include "prep/read_ids.h"

typedef struct reader {
    odim_table *t;
    od_npz npz; /* of an archive */
    bool is_npz;
    od_columns cols; /* of X, and last y, if there is one */
    od_array x, y;
} reader;

static double cell(const reader *r, int64_t row, int64_t col)
{
    return col < r->x.cols ? od_array_cell(&r->x, row, col) : od_array_cell(&r->y, row, 0);
}

static bool is_single(const reader *r, int64_t col)
{
    return !(col < r->x.cols ? r->x.is_f64 : r->y.is_f64);
}

/* Labels and ids may be anything; `single`: it came as a float. */
static const char *number_text(double v, bool single, char buf[OD_NUM_ROOM])
{
    return isfinite(v) ? od_num_format(buf, v, single) : isnan(v) ? "nan" : v > 0 ? "inf" : "-inf";
}

/* ---- the columns to the table --------------------------------------------------------------------- */

static odim_status check_features(const reader *r, odim_error *err)
{
    for (int64_t i = 0; i < r->x.rows; i++) {
        for (int64_t k = 0; k < r->cols.features; k++) {
            int64_t j = r->cols.feature[k];
            double v = od_array_cell(&r->x, i, j);
            if (isfinite(v)) continue;
            char name[48];
            od_columns_show(&r->cols, j, name, sizeof name);
            return od_fail_at(err, ODIM_ERR_DATA, i + 1, j + 1,
                              "row %lld, column '%s': %s; fill it in, drop the row, or leave the column out "
                              "(--ignore %s)",
                              (long long)i + 1, name, isnan(v) ? "missing value (NaN)" : "infinite value",
                              name);
        }
    }
    return ODIM_OK;
}

static odim_status copy_labels(const reader *r, odim_error *err)
{
    r->t->labels = od_alloc((size_t)r->x.rows, 1);
    if (!r->t->labels) return od_fail_nomem(err);
    for (int64_t i = 0; i < r->x.rows; i++) {
        double v = cell(r, i, r->cols.label);
        if (v != 0 && v != 1) {
            char name[48], number[OD_NUM_ROOM];
            od_columns_show(&r->cols, r->cols.label, name, sizeof name);
            return od_fail_at(err, ODIM_ERR_DATA, i + 1, r->cols.label + 1,
                              "row %lld, column '%s': %s is not a label; labels are 1 (outlier) and 0 "
                              "(inlier): recode them, or leave them out (--ignore %s)",
                              (long long)i + 1, name, number_text(v, is_single(r, r->cols.label), number),
                              name);
        }
        r->t->labels[i] = v == 1;
    }
    return ODIM_OK;
}

static odim_status copy_ids(const reader *r, odim_error *err)
{
    od_read_ids ids = {0};
    odim_status status = ODIM_OK;
    for (int64_t i = 0; i < r->x.rows && !status; i++) {
        char text[OD_NUM_ROOM];
        const char *id = number_text(cell(r, i, r->cols.id), is_single(r, r->cols.id), text);
        status = od_read_ids_add(&ids, r->t, id, strlen(id), err);
    }
    return status;
}

/* Closes up the features in place: each cell moves to the left or stays. */
static void keep_features(reader *r)
{
    int64_t f = r->cols.features, c = r->x.cols;
    if (f == c) return;
    for (int64_t i = 0; i < r->x.rows; i++) {
        for (int64_t k = 0; k < f; k++) {
            int64_t to = i * f + k, from = i * c + r->cols.feature[k];
            if (r->x.is_f64)
                ((double *)r->x.cells)[to] = ((double *)r->x.cells)[from];
            else
                ((float *)r->x.cells)[to] = ((float *)r->x.cells)[from];
        }
    }
    size_t cells = (size_t)r->x.rows * (size_t)f;
    void *exact = od_grow(r->x.cells, cells, cells, r->x.is_f64 ? sizeof(double) : sizeof(float));
    if (exact) r->x.cells = exact; /* else there is only less memory left */
}

/* ---- the whole ------------------------------------------------------------------------------------ */

static odim_status read_y(reader *r, odim_error *err)
{
    od_source *src;
    od_dense header;
    odim_status status = od_npz_member(&r->npz, r->npz.y, &src, &header, err);
    if (status) return status;
    if (header.rows != r->x.rows || header.cols != 1)
        status =
            od_fail(err, ODIM_ERR_DATA, "%lld x %lld values, but X has %lld rows; one for each row is needed",
                    (long long)header.rows, (long long)header.cols, (long long)r->x.rows);
    if (!status) status = od_dense_read(&header, src, &r->y, err);
    od_source_close(src);
    return od_npz_blame(&r->npz, r->npz.y, status, err);
}

static odim_status read_all(reader *r, od_source *src, const od_dense *header, const odim_read_options *o,
                            odim_error *err)
{
    bool has_y = r->is_npz && r->npz.has_y;
    odim_status status = od_columns_number(&r->cols, header->cols, err);
    if (!status && has_y) status = od_columns_add(&r->cols, "y", 1, err);
    if (!status) status = od_columns_choose(&r->cols, o, has_y, err);
    if (!status) status = od_columns_name_table(&r->cols, r->t, err);
    if (status) return status;

    status = od_dense_read(header, src, &r->x, err);
    if (r->is_npz) od_npz_blame(&r->npz, r->npz.x, status, err);
    if (!status && (r->cols.label == header->cols || r->cols.id == header->cols)) status = read_y(r, err);
    if (!status) status = check_features(r, err);
    if (!status && r->cols.label >= 0) status = copy_labels(r, err);
    if (!status && r->cols.id >= 0) status = copy_ids(r, err);
    if (status) return status;
    keep_features(r);
    r->t->n = r->x.rows;
    r->t->is_f64 = r->x.is_f64;
    r->t->cells = r->x.cells;
    r->x.cells = NULL;
    return ODIM_OK;
}

static odim_status read_npz(reader *r, od_source *src, const odim_read_options *o, odim_error *err)
{
    const unsigned char *bytes;
    size_t size;
    od_source *member;
    od_dense header;
    r->is_npz = true;
    odim_status status = od_source_all(src, &bytes, &size, err);
    if (!status) status = od_npz_open(&r->npz, bytes, size, err);
    if (status) return status;
    status = od_npz_member(&r->npz, r->npz.x, &member, &header, err);
    if (!status) {
        status = read_all(r, member, &header, o, err);
        od_source_close(member);
    }
    od_npz_close(&r->npz);
    return status;
}

odim_status od_read_dense_fill(odim_table *t, od_source *src, od_format format, const odim_read_options *o,
                               odim_error *err)
{
    reader r = {.t = t};
    od_dense header;
    odim_status status;
    if (format == OD_FORMAT_NPZ) {
        status = read_npz(&r, src, o, err);
    } else {
        status =
            format == OD_FORMAT_NPY ? od_npy_header(src, &header, err) : od_idx_header(src, &header, err);
        if (!status) status = read_all(&r, src, &header, o, err);
    }
    od_array_free(&r.x);
    od_array_free(&r.y);
    od_columns_free(&r.cols);
    return status;
}
