/*
 * When to stop training: while the losses of inliers and outliers are furthest apart.
 *
 * A generative model learns the rows that are alike first. While it does, the losses of inliers fall and
 * those of outliers lag behind: the histogram of losses grows two humps. Later it learns the outliers too,
 * and the humps merge again. The moment to read the losses is when the humps are furthest apart.
 *
 * Every few updates we look at the losses of the current batch: brought to [0, 1] so that their scale does
 * not matter, described by a mixture of two Gaussians, and measured by the Wasserstein distance between the
 * two,
 *
 *     W2^2( N(m1, s1^2), N(m2, s2^2) ) = (m1 - m2)^2 + (s1 - s2)^2.
 *
 * At a new maximum the parameters are stored and the patience starts anew. After too many checks without one,
 * training ends and the member goes back to the stored parameters.
 */
#include "fit/stop_rule.h"

#include <math.h>

double od_stop_wasserstein(const od_gmm1d *g, od_distance kind)
{
    double dm = g->mean[1] - g->mean[0];
    double ds = kind == OD_DISTANCE_W2 ? sqrt(g->var[1]) - sqrt(g->var[0]) : g->var[1] - g->var[0];
    return dm * dm + ds * ds;
}

double od_stop_distance(const float *loss, int64_t n, od_distance kind, double *scratch)
{
    double lo = INFINITY, hi = -INFINITY;
    for (int64_t i = 0; i < n; i++) {
        double v = (double)loss[i];
        if (!isfinite(v)) return NAN;
        lo = v < lo ? v : lo;
        hi = v > hi ? v : hi;
    }
    if (!(hi > lo)) return 0.0;
    double *x = scratch, *resp = scratch + n;
    for (int64_t i = 0; i < n; i++) x[i] = ((double)loss[i] - lo) / (hi - lo);
    od_gmm1d g = od_gmm1d_fit(x, n, resp);
    return od_stop_wasserstein(&g, kind);
}

bool od_stop_check(od_stop *s, double distance, int64_t update)
{
    if (!isnan(distance) && (s->best_update == 0 || distance > s->best)) {
        s->best = distance;
        s->best_update = update;
        s->stale = 0;
        return true;
    }
    s->stale++;
    return false;
}

bool od_stop_reached(const od_stop *s)
{
    return s->stale >= s->patience;
}
