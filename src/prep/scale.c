#include "prep/scale.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

/* Row by row, as the cells lie: first the bounds, kept in shift and width. */
static void find_bounds(const odim_table *t, double *lo, double *hi)
{
    for (int64_t j = 0; j < t->d; j++) lo[j] = hi[j] = od_table_cell(t, 0, j);
    for (int64_t i = 1; i < t->n; i++) {
        for (int64_t j = 0; j < t->d; j++) {
            double v = od_table_cell(t, i, j);
            if (v < lo[j]) lo[j] = v;
            if (v > hi[j]) hi[j] = v;
        }
    }
}

static void find_minmax(od_scale *s, const odim_table *t)
{
    find_bounds(t, s->shift, s->width);
    for (int64_t j = 0; j < t->d; j++) s->width[j] -= s->shift[j];
}

/* Two passes; deviations are taken from a first mean, so that a large offset costs no digits. */
static odim_status find_standard(od_scale *s, const odim_table *t, odim_error *err)
{
    double *sum = od_calloc((size_t)t->d, sizeof *sum);
    double *lo = od_alloc((size_t)t->d, sizeof *lo);
    double *hi = od_alloc((size_t)t->d, sizeof *hi);
    odim_status status = ODIM_OK;
    if (!sum || !lo || !hi) {
        status = od_fail_nomem(err);
        goto out;
    }
    find_bounds(t, lo, hi);
    for (int64_t i = 0; i < t->n; i++)
        for (int64_t j = 0; j < t->d; j++) sum[j] += (od_table_cell(t, i, j) - lo[j]) / (double)t->n;
    for (int64_t j = 0; j < t->d; j++) {
        s->shift[j] = lo[j] + sum[j];
        sum[j] = 0.0;
    }
    for (int64_t i = 0; i < t->n; i++) {
        for (int64_t j = 0; j < t->d; j++) {
            double dev = od_table_cell(t, i, j) - s->shift[j];
            sum[j] += dev * dev / (double)t->n;
        }
    }
    for (int64_t j = 0; j < t->d; j++) s->width[j] = hi[j] > lo[j] ? sqrt(sum[j]) : 0.0;
out:
    od_free(sum);
    od_free(lo);
    od_free(hi);
    return status;
}

odim_status od_scale_fit(od_scale *s, od_scaling kind, const odim_table *t, odim_error *err)
{
    *s = (od_scale){.d = t->d};
    s->shift = od_alloc((size_t)t->d, sizeof(double));
    s->width = od_alloc((size_t)t->d, sizeof(double));
    odim_status status = s->shift && s->width ? ODIM_OK : od_fail_nomem(err);
    if (!status && kind == OD_SCALE_MINMAX) find_minmax(s, t);
    if (!status && kind == OD_SCALE_STANDARD) status = find_standard(s, t, err);
    for (int64_t j = 0; !status && j < t->d; j++) {
        if (kind == OD_SCALE_NONE) {
            s->shift[j] = 0.0;
            s->width[j] = 1.0;
        }
        if (!isfinite(s->width[j]) || !isfinite(s->shift[j]))
            status =
                od_fail_at(err, ODIM_ERR_DATA, 0, j + 1,
                           "column '%s': its values lie further apart than a double can hold", t->names[j]);
    }
    if (status) od_scale_free(s);
    return status;
}

void od_scale_free(od_scale *s)
{
    od_free(s->shift);
    od_free(s->width);
    *s = (od_scale){0};
}

odim_status od_scale_rows(const od_scale *s, const odim_table *t, const int64_t *rows, int64_t start,
                          int64_t count, float *out, odim_error *err)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t row = rows ? rows[i] : start + i;
        for (int64_t j = 0; j < s->d; j++) {
            double w = s->width[j];
            float v = w > 0.0 ? (float)((od_table_cell(t, row, j) - s->shift[j]) / w) : 0.0f;
            /* Its square must still be a number in single precision. */
            if (!(fabsf(v) < 1e18f))
                return od_fail_at(
                    err, ODIM_ERR_DATA, row + 1, j + 1,
                    "row %lld, column '%s': %g is too far outside the range of the training rows",
                    (long long)(row + 1), t->names[j], od_table_cell(t, row, j));
            out[i * s->d + j] = v;
        }
    }
    return ODIM_OK;
}
