/*
 * Principal components (Shyu et al., 2003): columns are standardised, and a row's score is the sum over all
 * axes of their correlation matrix of projection^2 / variance. What lies along axes of no variance counts
 * over a floor, so that a row that breaks a relation all others keep stands out; see detectors/pca_space.h,
 * also for tables of few rows. Shyu leaves out axes between the largest and the smallest, for speed; here all
 * count.
 */
#include "detectors/pca_space.h"

static odim_status fit(od_detector *c, const od_detector_task *task, odim_error *err)
{
    odim_status status = od_pca_space_scale(c, task, false, err);
    return status ? status : od_pca_space_turn(c, task, task->d, OD_NO_VARIANCE, err);
}

static size_t scratch_bytes(const od_detector *c)
{
    return OD_DETECTOR_ROWS * (size_t)(c->d + c->count[OD_PCA_SPACE_Q]) * sizeof(double);
}

static void score(const od_detector *c, const float *x, int64_t rows, void *scratch, double *scores)
{
    int64_t q = c->count[OD_PCA_SPACE_Q];
    double *z = scratch, *p = z + OD_DETECTOR_ROWS * c->d, rest[OD_DETECTOR_ROWS];
    const double *variance = c->part[OD_PCA_SPACE_LENGTH].at.d;
    od_pca_space_rows(c, x, rows, z, p, rest);
    for (int64_t i = 0; i < rows; i++) {
        scores[i] = od_pca_space_rest(c, rest[i]);
        for (int64_t k = 0; k < q; k++) scores[i] += p[i * q + k] * p[i * q + k] / variance[k];
    }
}

static double attribute(const od_detector *c, const float *x, void *scratch, double times, double *part)
{
    int64_t q = c->count[OD_PCA_SPACE_Q];
    double *z = scratch, *p = z + c->d, *g = p + q, rest;
    od_pca_space_rows(c, x, 1, z, p, &rest);
    double sum = od_pca_space_rest(c, rest);
    for (int64_t k = 0; k < q; k++) {
        g[k] = p[k] / c->part[OD_PCA_SPACE_LENGTH].at.d[k];
        sum += p[k] * g[k];
    }
    od_pca_space_attribute(c, z, p, NULL, g, times, part);
    return sum;
}

/* What is left for the rows beside the correlations of the features, their axes and what finds these. Of many
 * features the axes are those of some rows, which are copied in double precision. */
static int64_t most_rows(int64_t d)
{
    const int64_t room = (int64_t)176 << 20;
    if (d > OD_PCA_SPACE_WIDE) return OD_DETECTOR_COPIED / d;
    int64_t rows = (room / d - 5 * d * (int64_t)sizeof(double)) / (int64_t)sizeof(float);
    return rows > OD_PCA_SPACE_WIDE ? rows : OD_PCA_SPACE_WIDE;
}

const od_detector_kind od_pca = {
    .method = OD_METHOD_PCA,
    .name = "pca",
    .fit = fit,
    .scratch = scratch_bytes,
    .score = score,
    .attribute = attribute,
    .check = od_pca_space_check,
    .most_rows = most_rows,
};
