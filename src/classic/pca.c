/*
 * Principal components (Shyu et al., 2003): columns are standardised, and a row's score is the sum over all
 * axes of their correlation matrix of projection^2 / variance. What lies along axes of no variance counts
 * over a floor, so that a row that breaks a relation all others keep stands out; see classic/axes.h, also for
 * tables of few rows. Shyu leaves out axes between the largest and the smallest, for speed; here all count.
 */
#include "classic/axes.h"

static odim_status fit(od_classic *c, const od_classic_task *task, odim_error *err)
{
    odim_status status = od_axes_scale(c, task, false, err);
    return status ? status : od_axes_turn(c, task, task->d, OD_NO_VARIANCE, err);
}

static size_t scratch_bytes(const od_classic *c)
{
    return OD_CLASSIC_ROWS * (size_t)(c->d + c->count[OD_AXES_Q]) * sizeof(double);
}

static void score(const od_classic *c, const float *x, int64_t rows, void *scratch, double *scores)
{
    int64_t q = c->count[OD_AXES_Q];
    double *z = scratch, *p = z + OD_CLASSIC_ROWS * c->d, rest[OD_CLASSIC_ROWS];
    const double *variance = c->part[OD_AXES_LENGTH].at.d;
    od_axes_rows(c, x, rows, z, p, rest);
    for (int64_t i = 0; i < rows; i++) {
        scores[i] = od_axes_rest(c, rest[i]);
        for (int64_t k = 0; k < q; k++) scores[i] += p[i * q + k] * p[i * q + k] / variance[k];
    }
}

static double account(const od_classic *c, const float *x, void *scratch, double times, double *part)
{
    int64_t q = c->count[OD_AXES_Q];
    double *z = scratch, *p = z + c->d, *g = p + q, rest;
    od_axes_rows(c, x, 1, z, p, &rest);
    double sum = od_axes_rest(c, rest);
    for (int64_t k = 0; k < q; k++) {
        g[k] = p[k] / c->part[OD_AXES_LENGTH].at.d[k];
        sum += p[k] * g[k];
    }
    od_axes_account(c, z, p, NULL, g, times, part);
    return sum;
}

const od_classic_kind od_pca = {
    .method = OD_METHOD_PCA,
    .name = "pca",
    .fit = fit,
    .scratch = scratch_bytes,
    .score = score,
    .account = account,
    .check = od_axes_check,
};
