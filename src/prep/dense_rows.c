/* Reads the rows of NPY, NPZ and IDX arrays into a table. */
#include "prep/dense_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "common/numtext.h"
#include "io/idx.h"
#include "io/npy.h"
#include "prep/type_infer.h"
#include "base/hint.h"

static double cell(const od_dense_rows *r, int64_t row, int64_t col)
{
    return col < r->x.cols ? od_array_cell(&r->x, row, col)
                           : od_array_cell(&r->y, r->done - r->y_first + row, 0);
}

static bool is_single(const od_dense_rows *r, int64_t col)
{
    return !(col < r->x.cols ? r->x.is_f64 : r->y.is_f64);
}

/* Labels, ids and kept cells may be anything; `single`: it came as a float. */
static const char *number_text(double v, bool single, char buf[OD_NUM_ROOM])
{
    return isfinite(v) ? od_num_format(buf, v, single) : isnan(v) ? "nan" : v > 0 ? "inf" : "-inf";
}

static void set_cell(od_array *a, int64_t at, double v)
{
    if (a->is_f64)
        ((double *)a->cells)[at] = v;
    else
        ((float *)a->cells)[at] = (float)v;
}

/* ---- the columns to the table --------------------------------------------------------------------- */

static odim_status fail_infinite(const od_dense_rows *r, int64_t i, int64_t j, odim_error *err)
{
    char name[48];
    od_columns_show(&r->cols, j, name, sizeof name);
    return od_fail_at(
        err, ODIM_ERR_DATA, r->done + i + 1, j + 1,
        "row %lld, column '%s': infinite value; correct it, drop the row, or leave the column out%s",
        (long long)(r->done + i + 1), name, OD_HINT_TO("ignore", name));
}

/* 0.1 stands for what a column of floats has for it. */
static bool is_na(const od_dense_rows *r, double v)
{
    for (size_t k = 0; k < r->na_count; k++)
        if (v == (r->x.is_f64 ? r->na[k] : (double)(float)r->na[k])) return true;
    return false;
}

static odim_status add_level(od_column *col, double *v, bool single, odim_error *err)
{
    char text[OD_NUM_ROOM];
    uint32_t code;
    od_num_format(text, *v, single);
    odim_status status = od_levels_code(&col->levels, text, strlen(text), &code, err);
    if (!status) *v = code;
    return status;
}

/* The cell of feature k in row i of the block. */
static odim_status take_cell(const od_dense_rows *r, odim_table *t, int64_t i, int64_t k, double *v,
                             odim_error *err)
{
    int64_t j = r->cols.feature[k];
    od_column *col = &t->col[k];
    *v = od_array_cell(&r->x, i, j);
    if (isinf(*v)) return fail_infinite(r, i, j, err);
    if (r->na_count && is_na(r, *v)) *v = NAN;
    if (isnan(*v)) return ODIM_OK;
    if (col->type == ODIM_CATEGORICAL) return add_level(col, v, !r->x.is_f64, err);
    if (col->type != ODIM_BOOLEAN || *v == 0 || *v == 1) return ODIM_OK;
    char name[48], number[OD_NUM_ROOM];
    return od_fail_at(err, ODIM_ERR_DATA, r->done + i + 1, j + 1,
                      "row %lld, column '%s': neither true (1) nor false (0): %s",
                      (long long)(r->done + i + 1), od_columns_show(&r->cols, j, name, sizeof name),
                      number_text(*v, !r->x.is_f64, number));
}

/* The features of each row side by side, in place: there are at most as many as columns. */
static odim_status take_features(od_dense_rows *r, odim_table *t, odim_error *err)
{
    int64_t f = r->cols.features, c = r->x.cols;
    double *row = od_alloc((size_t)f, sizeof *row);
    odim_status status = row ? ODIM_OK : od_fail_nomem(err);
    for (int64_t i = 0; !status && i < r->x.rows; i++) {
        for (int64_t k = 0; !status && k < f; k++) status = take_cell(r, t, i, k, &row[k], err);
        for (int64_t k = 0; !status && k < f; k++) set_cell(&r->x, i * f + k, row[k]);
    }
    od_free(row);
    if (status || f == c) return status;
    size_t cells = (size_t)r->x.rows * (size_t)f;
    void *exact = od_grow(r->x.cells, cells, cells, r->x.is_f64 ? sizeof(double) : sizeof(float));
    if (exact) r->x.cells = exact; /* else there is only less memory left */
    return ODIM_OK;
}

static odim_status copy_labels(const od_dense_rows *r, odim_table *t, odim_error *err)
{
    od_free(t->labels);
    t->labels = od_alloc((size_t)r->x.rows, 1);
    if (!t->labels) return od_fail_nomem(err);
    for (int64_t i = 0; i < r->x.rows; i++) {
        double v = cell(r, i, r->cols.label);
        if (v != 0 && v != 1) {
            char name[48], number[OD_NUM_ROOM];
            od_columns_show(&r->cols, r->cols.label, name, sizeof name);
            return od_fail_at(err, ODIM_ERR_DATA, r->done + i + 1, r->cols.label + 1,
                              "row %lld, column '%s': %s is not a label; labels are 1 (outlier) and 0 "
                              "(inlier): recode them, or leave them out%s",
                              (long long)(r->done + i + 1), name,
                              number_text(v, is_single(r, r->cols.label), number),
                              OD_HINT_TO("ignore", name));
        }
        t->labels[i] = v == 1;
    }
    return ODIM_OK;
}

/* What is known of each row; NaN: nothing. */
static odim_status copy_known(const od_dense_rows *r, odim_table *t, odim_error *err)
{
    od_free(t->known);
    t->known = od_alloc((size_t)r->x.rows, 1);
    if (!t->known) return od_fail_nomem(err);
    for (int64_t i = 0; i < r->x.rows; i++) {
        double v = cell(r, i, r->cols.known);
        if (v != 0 && v != 1 && !isnan(v)) {
            char name[48], number[OD_NUM_ROOM];
            return od_fail_at(err, ODIM_ERR_DATA, r->done + i + 1, r->cols.known + 1,
                              "row %lld, column '%s': %s is not what can be known of a row: 1 (outlier), 0 "
                              "(inlier) or NaN (not known)",
                              (long long)(r->done + i + 1),
                              od_columns_show(&r->cols, r->cols.known, name, sizeof name),
                              number_text(v, is_single(r, r->cols.known), number));
        }
        t->known[i] = isnan(v) ? -1 : v == 1;
    }
    return ODIM_OK;
}

static odim_status add_text(const od_dense_rows *r, int64_t row, int64_t col, od_strlist *to, odim_error *err)
{
    char buf[OD_NUM_ROOM];
    const char *text = number_text(cell(r, row, col), is_single(r, col), buf);
    return od_strlist_add(to, text, strlen(text), err);
}

static odim_status copy_texts(const od_dense_rows *r, odim_table *t, odim_error *err)
{
    odim_status status = ODIM_OK;
    for (int64_t i = 0; i < r->x.rows && !status; i++) {
        if (r->cols.id >= 0) status = add_text(r, i, r->cols.id, &t->ids, err);
        for (int64_t j = 0; r->keep && j < r->cols.count && !status; j++)
            status = add_text(r, i, j, &t->kept, err);
    }
    return status;
}

/* ---- compressed arrays ---------------------------------------------------------------------------- */

#define MOST_RATIO 200.0 /* real tables seldom compress so well, what is made to do harm does */
#define FREE_BYTES (256.0 * 1024 * 1024) /* less is always allowed */

static const char *size_text(double bytes, char buf[32])
{
    bool giga = bytes >= 1e9;
    snprintf(buf, 32, "%.1f %s", bytes / (giga ? 1073741824.0 : 1048576.0), giga ? "GB" : "MB");
    return buf;
}

/* A few bytes may declare more cells than memory can hold: they are refused before anything is unpacked. */
static odim_status check_unpacked(const od_dense_rows *r, const od_dense *h, int64_t rows,
                                  const od_source *src, odim_error *err)
{
    size_t packed;
    double need = od_dense_memory(h, rows), most = r->most;
    if (!od_source_packed(src, &packed)) return ODIM_OK;
    double ratio = packed ? need / (double)packed : 0.0;
    if (!r->most_given && ratio > MOST_RATIO && need > FREE_BYTES && most > FREE_BYTES)
        most = fmax(FREE_BYTES, MOST_RATIO * (double)packed);
    if (need <= most) return ODIM_OK;
    char a[32], b[32], c[32], more[32];
    snprintf(more, sizeof more, "%.0fM", ceil(need / 1048576.0));
    return od_fail(
        err, ODIM_ERR_DATA,
        "the compressed array declares %lld x %lld values, which need %s of memory%s%s; at most %s "
        "is allowed: if the file can be trusted, allow more%s",
        (long long)h->rows, (long long)h->cols, size_text(need, a), packed ? " and are packed into " : "",
        packed ? size_text((double)packed, b) : "", size_text(most, c), OD_HINT_TO("unpacked", more));
}

static void set_most(od_dense_rows *r, const odim_read_options *o)
{
    r->most_given = o->unpacked > 0;
    r->most = r->most_given ? (double)o->unpacked : (double)od_mem_physical() / 2.0;
}

/* ---- the whole ------------------------------------------------------------------------------------ */

static odim_status read_y(od_dense_rows *r, odim_error *err)
{
    od_source *src;
    od_dense header;
    odim_status status = od_npz_member(&r->npz, r->npz.y, &src, &header, err);
    if (status) return status;
    if (header.rows != r->header.rows || header.cols != 1)
        status =
            od_fail(err, ODIM_ERR_DATA, "%lld x %lld values, but X has %lld rows; one for each row is needed",
                    (long long)header.rows, (long long)header.cols, (long long)r->header.rows);
    if (!status) status = check_unpacked(r, &header, header.rows, src, err);
    od_array_free(&r->y);
    r->y_first = 0;
    bool part = r->data_at && od_source_size(src) > 0;
    if (!status && part) {
        size_t data = od_source_size(src) - od_source_left(src);
        r->y_first = r->done;
        status = od_source_seek(src, data + (size_t)r->done * od_dense_row_size(&header), err);
        if (!status) status = od_dense_next(&header, src, r->done, r->stop - r->done, &r->y, err);
    } else if (!status) {
        status = od_dense_read(&header, src, &r->y, err);
    }
    od_source_close(src);
    return od_npz_blame(&r->npz, r->npz.y, status, err);
}

static bool needs_y(const od_dense_rows *r)
{
    int64_t y = r->header.cols;
    return r->cols.label == y || r->cols.id == y || r->cols.known == y || (r->keep && r->cols.count > y);
}

static odim_status read_whole(od_dense_rows *r, odim_error *err)
{
    odim_status status = check_unpacked(r, &r->header, r->header.rows, r->src, err);
    if (!status) status = od_dense_read(&r->header, r->src, &r->whole, err);
    if (r->is_npz) od_npz_blame(&r->npz, r->npz.x, status, err);
    r->loaded = !status;
    return !status && needs_y(r) ? read_y(r, err) : status;
}

/* The next rows of the whole; all of them without a copy. */
static odim_status take_rows(od_dense_rows *r, int64_t rows, odim_error *err)
{
    r->x = r->whole;
    if (rows == r->whole.rows) {
        r->whole.cells = NULL;
        return ODIM_OK;
    }
    size_t row = (size_t)r->whole.cols * (r->whole.is_f64 ? sizeof(double) : sizeof(float));
    r->x.rows = rows;
    r->x.cells = od_alloc((size_t)rows, row);
    if (!r->x.cells) return od_fail_nomem(err);
    memcpy(r->x.cells, (const char *)r->whole.cells + (size_t)r->done * row, (size_t)rows * row);
    return ODIM_OK;
}

static odim_status read_cells(od_dense_rows *r, int64_t rows, odim_error *err)
{
    const od_dense *h = &r->header;
    if (r->data_at || (!r->is_npz && (!h->fortran || h->cols == 1))) {
        odim_status refused = check_unpacked(r, h, rows, r->src, err);
        return refused ? refused : od_dense_next(h, r->src, r->done, rows, &r->x, err);
    }
    odim_status status = r->loaded ? ODIM_OK : read_whole(r, err);
    return status ? status : take_rows(r, rows, err);
}

odim_status od_dense_rows_read(od_dense_rows *r, odim_table *t, int64_t most, odim_error *err)
{
    int64_t left = r->stop - r->done;
    t->n = 0;
    if (left == 0) return ODIM_OK;
    od_array_free(&r->x);
    odim_status status = read_cells(r, left < most ? left : most, err);
    if (!status && r->cols.label >= 0) status = copy_labels(r, t, err);
    if (!status && r->cols.known >= 0) status = copy_known(r, t, err);
    if (!status) status = copy_texts(r, t, err);
    if (!status) status = take_features(r, t, err);
    if (status) return status;
    t->n = r->x.rows;
    t->is_f64 = r->x.is_f64;
    r->done += r->x.rows;
    od_free((void *)t->cells);
    t->cells = r->x.cells;
    r->x.cells = NULL;
    return ODIM_OK;
}

int64_t od_dense_rows_length(const od_dense_rows *r)
{
    bool by_rows = !r->header.fortran || r->header.cols == 1;
    return by_rows && od_source_size(r->src) > 0 ? r->header.rows : 0;
}

odim_status od_dense_rows_part(od_dense_rows *r, odim_table *t, const od_span *part, odim_error *err)
{
    t->first = part->row;
    r->stop = part->end < r->header.rows ? part->end : r->header.rows;
    if (od_dense_rows_length(r) > 0) {
        if (!r->data_at) r->data_at = (int64_t)(od_source_size(r->src) - od_source_left(r->src));
        r->done = part->at;
        size_t at = (size_t)r->data_at + (size_t)part->at * od_dense_row_size(&r->header);
        odim_status status = od_source_seek(r->src, at, err);
        if (status || !needs_y(r)) return status;
        return read_y(r, err);
    }
    r->done = part->at;
    return ODIM_OK;
}

static odim_status open_header(od_dense_rows *r, const od_table_input *in, odim_error *err)
{
    const unsigned char *bytes;
    size_t size;
    r->src = in->src;
    if (in->format == OD_FORMAT_NPY) return od_npy_header(in->src, &r->header, err);
    if (in->format == OD_FORMAT_IDX) return od_idx_header(in->src, &r->header, err);
    odim_status status = in->in_parts ? od_source_map(in->src, &bytes, &size, err)
                                      : od_source_all(in->src, &bytes, &size, err);
    if (!status) status = od_npz_open(&r->npz, bytes, size, err);
    if (status) return status;
    r->is_npz = true;
    r->src = NULL;
    return od_npz_member(&r->npz, r->npz.x, &r->src, &r->header, err);
}

/* What stands for a missing cell, as numbers. */
static odim_status parse_na(od_dense_rows *r, const char *const *texts, odim_error *err)
{
    od_strlist na = {0};
    odim_status status = od_cell_na(&na, texts, err);
    r->na = od_alloc(na.count, sizeof *r->na);
    if (!status && !r->na) status = od_fail_nomem(err);
    for (size_t i = 0; !status && i < na.count; i++) {
        const char *text = od_strlist_at(&na, i);
        r->na_count += od_num_parse(text, strlen(text), &r->na[r->na_count]) == OD_NUM_OK;
    }
    od_strlist_free(&na);
    return status;
}

odim_status od_dense_rows_open(od_dense_rows *r, odim_table *t, const od_table_input *in, odim_error *err)
{
    const odim_read_options *o = in->options;
    *r = (od_dense_rows){.keep = o->keep != 0};
    set_most(r, o);
    od_source_limit(in->src, (size_t)r->most);
    odim_status status = open_header(r, in, err);
    r->stop = r->header.rows;
    if (!status) status = parse_na(r, o->na, err);
    bool has_y = r->is_npz && r->npz.has_y;
    if (!status) status = od_columns_number(&r->cols, r->header.cols, err);
    if (!status && has_y) status = od_columns_add(&r->cols, "y", 1, err);
    if (!status) status = od_columns_settle(&r->cols, t, o, in->like, has_y, err);
    for (int64_t k = 0; !status && k < t->d; k++)
        if (t->col[k].type == ODIM_TIME) {
            char name[48];
            status = od_fail_at(err, ODIM_ERR_DATA, 0, r->cols.feature[k] + 1,
                                "column '%s': an array holds numbers, not times",
                                od_table_show(t, k, name, sizeof name));
        }
    if (status) od_dense_rows_close(r);
    return status;
}

void od_dense_rows_close(od_dense_rows *r)
{
    if (r->is_npz) {
        od_source_close(r->src);
        od_npz_close(&r->npz);
    }
    od_array_free(&r->whole);
    od_array_free(&r->x);
    od_array_free(&r->y);
    od_columns_free(&r->cols);
    od_free(r->na);
    *r = (od_dense_rows){0};
}
