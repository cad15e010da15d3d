#include "prep/scale.h"

#include <math.h>

#include "base/mem.h"

#define MOST 1e18f /* its square is still a number in single precision */

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

/* Two passes, on values brought to [0, 1] first: neither a large offset nor a very wide or narrow column
 * costs digits. */
static odim_status find_standard(od_scale *s, const odim_table *t, odim_error *err)
{
    double *mean = od_calloc((size_t)t->d, sizeof *mean);
    double *var = od_calloc((size_t)t->d, sizeof *var);
    odim_status status = mean && var ? ODIM_OK : od_fail_nomem(err);
    if (!status) find_minmax(s, t);
    for (int pass = 0; !status && pass < 2; pass++) {
        for (int64_t i = 0; i < t->n; i++) {
            for (int64_t j = 0; j < t->d; j++) {
                if (!(s->width[j] > 0.0)) continue;
                double u = (od_table_cell(t, i, j) - s->shift[j]) / s->width[j], dev = u - mean[j];
                if (pass == 0)
                    var[j] += u / (double)t->n; /* the mean, until it is complete */
                else
                    var[j] += dev * dev / (double)t->n;
            }
        }
        for (int64_t j = 0; j < t->d && pass == 0; j++) {
            mean[j] = var[j];
            var[j] = 0.0;
        }
    }
    for (int64_t j = 0; !status && j < t->d; j++) {
        s->shift[j] += s->width[j] * mean[j];
        s->width[j] *= sqrt(var[j]);
    }
    od_free(mean);
    od_free(var);
    return status;
}

odim_status od_scale_fit(od_scale *s, od_scaling kind, const odim_table *t, odim_error *err)
{
    char name[64];
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
            status = od_fail_at(err, ODIM_ERR_DATA, 0, j + 1,
                                "column '%s': its values lie further apart than a double can hold",
                                od_table_show(t, j, name, sizeof name));
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

static odim_status fail_extreme(const odim_table *t, int64_t row, int64_t col, odim_error *err)
{
    char name[64];
    return od_fail_at(err, ODIM_ERR_DATA, row + 1, col + 1,
                      "row %lld, column '%s': %g is too large for the scaling that was chosen or fitted",
                      (long long)(row + 1), od_table_show(t, col, name, sizeof name),
                      od_table_cell(t, row, col));
}

/* One row from cell `at` on; returns the place of the first value that is out of bounds, or d. is_f64 is a
 * constant where it is called; the two loops are apart so that the first can be vectorised. */
static inline int64_t scale_row(const od_scale *s, const void *cells, bool is_f64, int64_t at, float *out)
{
    for (int64_t j = 0; j < s->d; j++) {
        double x = is_f64 ? ((const double *)cells)[at + j] : (double)((const float *)cells)[at + j];
        double w = s->width[j], v = (x - s->shift[j]) / (w > 0.0 ? w : 1.0);
        out[j] = w > 0.0 ? (float)v : 0.0f;
    }
    int64_t j = 0;
    while (j < s->d && fabsf(out[j]) < MOST) j++;
    return j;
}

odim_status od_scale_rows(const od_scale *s, const odim_table *t, const int64_t *rows, int64_t start,
                          int64_t count, float *out, odim_error *err)
{
    for (int64_t i = 0; i < count; i++, out += s->d) {
        int64_t row = rows ? rows[i] : start + i, at = row * t->stride;
        int64_t bad =
            t->is_f64 ? scale_row(s, t->cells, true, at, out) : scale_row(s, t->cells, false, at, out);
        if (bad < s->d) return fail_extreme(t, row, bad, err);
    }
    return ODIM_OK;
}
