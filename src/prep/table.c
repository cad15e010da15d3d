#include "prep/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

odim_table *od_table_new(void)
{
    return od_calloc(1, sizeof(odim_table));
}

void odim_table_free(odim_table *t)
{
    if (!t) return;
    if (!t->borrowed) od_free((void *)t->cells);
    for (int64_t j = 0; t->names && j < t->d; j++) od_free(t->names[j]);
    od_free(t->names);
    od_free(t->labels);
    od_free(t->label_name);
    od_free(t->ids);
    od_free(t->id_start);
    od_free(t->id_name);
    od_free(t);
}

odim_status od_table_number_names(odim_table *t, odim_error *err)
{
    t->names = od_calloc((size_t)t->d, sizeof *t->names);
    if (!t->names) return od_fail_nomem(err);
    for (int64_t j = 0; j < t->d; j++) {
        char buf[32];
        int len = snprintf(buf, sizeof buf, "x%lld", (long long)(j + 1));
        t->names[j] = od_strndup(buf, (size_t)len);
        if (!t->names[j]) return od_fail_nomem(err);
    }
    return ODIM_OK;
}

const char *od_table_show(const odim_table *t, int64_t col, char *buf, size_t size)
{
    return od_printable(buf, size, t->names[col], strlen(t->names[col]));
}

odim_status od_table_check(const odim_table *t, odim_error *err)
{
    if (t->n < 1) return od_fail(err, ODIM_ERR_DATA, "no rows");
    if (t->d < 1) return od_fail(err, ODIM_ERR_DATA, "no feature columns");
    for (int64_t i = 0; i < t->n; i++) {
        for (int64_t j = 0; j < t->d; j++) {
            double v = od_table_cell(t, i, j);
            if (isfinite(v)) continue;
            char name[64];
            return od_fail_at(
                err, ODIM_ERR_DATA, i + 1, j + 1,
                "row %lld, column '%s': %s; every cell must be a finite number (drop the row, or "
                "ignore the column)",
                (long long)(i + 1), od_table_show(t, j, name, sizeof name),
                isnan(v) ? "missing value (NaN)" : "infinite value");
        }
    }
    return ODIM_OK;
}

static odim_status wrap(odim_table **out, const void *x, bool is_f64, int64_t rows, int64_t cols,
                        int64_t stride, const char *const *names, odim_error *err)
{
    *out = NULL;
    if (rows < 1 || cols < 1)
        return od_fail(err, ODIM_ERR_DATA, "an array needs at least one row and one column");
    if (!x) return od_fail(err, ODIM_ERR_PARAM, "the array is NULL");
    if (stride == 0) stride = cols;
    if (stride < cols)
        return od_fail(err, ODIM_ERR_PARAM, "stride %lld is below the number of columns", (long long)stride);
    size_t cells;
    if (!od_mul((size_t)rows, (size_t)stride, &cells) || cells > PTRDIFF_MAX / sizeof(double))
        return od_fail(err, ODIM_ERR_PARAM, "an array of %lld x %lld does not fit in memory", (long long)rows,
                       (long long)stride);
    odim_table *t = od_table_new();
    if (!t) return od_fail_nomem(err);
    t->n = rows;
    t->d = cols;
    t->stride = stride;
    t->is_f64 = is_f64;
    t->borrowed = true;
    t->cells = x;
    odim_status status = ODIM_OK;
    if (names) {
        t->names = od_calloc((size_t)cols, sizeof *t->names);
        if (!t->names) status = od_fail_nomem(err);
        for (int64_t j = 0; !status && j < cols; j++) {
            t->names[j] = od_strndup(names[j], strlen(names[j]));
            if (!t->names[j]) status = od_fail_nomem(err);
        }
    } else {
        status = od_table_number_names(t, err);
    }
    if (!status) status = od_table_check(t, err);
    if (status) {
        odim_table_free(t);
        return status;
    }
    *out = t;
    return ODIM_OK;
}

odim_status odim_table_wrap_f32(odim_table **out, const float *x, int64_t rows, int64_t cols, int64_t stride,
                                const char *const *names, odim_error *err)
{
    return wrap(out, x, false, rows, cols, stride, names, err);
}

odim_status odim_table_wrap_f64(odim_table **out, const double *x, int64_t rows, int64_t cols, int64_t stride,
                                const char *const *names, odim_error *err)
{
    return wrap(out, x, true, rows, cols, stride, names, err);
}

int64_t odim_table_rows(const odim_table *t)
{
    return t->n;
}

int64_t odim_table_cols(const odim_table *t)
{
    return t->d;
}

const char *odim_table_name(const odim_table *t, int64_t col)
{
    return col >= 0 && col < t->d ? t->names[col] : NULL;
}

double odim_table_value(const odim_table *t, int64_t row, int64_t col)
{
    return row >= 0 && row < t->n && col >= 0 && col < t->d ? od_table_cell(t, row, col) : NAN;
}

const int8_t *odim_table_labels(const odim_table *t)
{
    return t->labels;
}

const char *odim_table_label_name(const odim_table *t)
{
    return t->label_name;
}

const char *odim_table_id(const odim_table *t, int64_t row)
{
    return t->ids && row >= 0 && row < t->n ? t->ids + t->id_start[row] : NULL;
}

const char *odim_table_id_name(const odim_table *t)
{
    return t->id_name;
}
