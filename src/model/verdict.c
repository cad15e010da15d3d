/* Converts scores to units and probabilities, and keeps the groups of a verdict. */
#include "model/verdict.h"

#include <float.h>
#include <math.h>

#include "common/mem.h"

/* How fast the odds fall below the threshold, and rise above it: docs/CALIBRATION.md has what that is worth
 * on labelled tables. */
#define SLOPE_BELOW 1.75
#define SLOPE_ABOVE 0.73

void od_verdict_drop_groups(od_verdict *v)
{
    for (int i = 0; i < v->groups; i++) {
        od_free(v->group[i].mean);
        od_free(v->group[i].whiten);
    }
    od_free(v->group);
    v->group = NULL;
    v->groups = 0;
    v->q = 0;
}

void od_verdict_free(od_verdict *v)
{
    od_verdict_drop_groups(v);
    *v = (od_verdict){0};
}

odim_status od_verdict_add_group(od_verdict *v, odim_error *err)
{
    od_group *grown = od_grow(v->group, (size_t)v->groups, (size_t)v->groups + 1, sizeof *grown);
    if (!grown) return od_fail_nomem(err);
    v->group = grown;
    od_group *g = &v->group[v->groups];
    g->mean = od_alloc((size_t)v->q, sizeof *g->mean);
    g->whiten = od_alloc((size_t)v->q, (size_t)v->q * sizeof *g->whiten);
    g->limit = 0.0;
    v->groups++;
    return g->mean && g->whiten ? ODIM_OK : od_fail_nomem(err);
}

double od_score_unit_of(const od_score_unit *u, double score)
{
    double at = u->logarithm ? log(fmax(score, 0.0) + u->offset) : score;
    return fmin(fmax((at - u->centre) / u->spread, -1e12), 1e12);
}

double od_verdict_probability(double score)
{
    double above = score - OD_SCORE_OUTLIER;
    double p = 1.0 / (1.0 + exp(-above * (above > 0.0 ? SLOPE_ABOVE : SLOPE_BELOW)));
    /* Rounding must not part the probability from the threshold. */
    return above > 0.0 ? fmax(p, 0.5 + DBL_EPSILON) : fmin(p, 0.5);
}
