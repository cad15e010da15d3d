#include "net/actnorm.h"

#include <math.h>

#include "base/mem.h"
#include "net/mlp.h"

odim_status od_actnorm_new(od_actnorm *a, int64_t d, odim_error *err)
{
    *a = (od_actnorm){.d = d};
    a->order = od_alloc((size_t)d, sizeof *a->order);
    a->gain = od_alloc((size_t)d, sizeof *a->gain);
    if (a->order && a->gain) return ODIM_OK;
    od_actnorm_free(a);
    return od_fail_nomem(err);
}

void od_actnorm_free(od_actnorm *a)
{
    od_free(a->order);
    od_free(a->gain);
    *a = (od_actnorm){0};
}

double od_actnorm_ready(od_actnorm *a, const od_kern *k, const float *scale, const float *order)
{
    double sum = 0.0;
    k->exp(a->gain, scale, a->d);
    for (int64_t i = 0; i < a->d; i++) {
        a->order[i] = (int64_t)order[i];
        sum += (double)scale[i];
    }
    return sum;
}

/* With the floor of batch normalisation: a feature that hardly varies in these rows may do so in others. */
void od_actnorm_start(const od_actnorm *a, const od_moments *m, float *scale, float *shift)
{
    for (int64_t i = 0; i < a->d; i++) {
        int64_t from = a->order[i];
        double var = m->dev[from] / (double)m->count + OD_BN_EPS;
        scale[i] = (float)(-0.5 * log(var));
        shift[i] = (float)(-m->mean[from] / sqrt(var));
    }
}

void od_actnorm_fwd(const od_actnorm *a, const float *shift, const float *x, int64_t n, float *y)
{
    for (int64_t i = 0; i < a->d; i++) {
        const float *from = x + a->order[i] * n;
        for (int64_t l = 0; l < n; l++) y[i * n + l] = from[l] * a->gain[i] + shift[i];
    }
}

/* ds = sum of dy exp(s) x, and exp(s) x is y - t. */
void od_actnorm_bwd(const od_actnorm *a, const od_kern *k, const float *shift, const float *y, double sum_g,
                    int64_t n, float *dy, float *dx, float *dscale, float *dshift, double *sums)
{
    for (int64_t i = 0; i < a->d; i++) {
        float *to = dx + a->order[i] * n;
        for (int64_t l = 0; l < n; l++) to[l] = dy[i * n + l] * a->gain[i];
    }
    if (!dscale) return;
    k->sum(sums, dy, a->d, n);
    od_bias_bwd(dshift, sums, a->d);
    for (int64_t i = 0; i < a->d; i++)
        for (int64_t l = 0; l < n; l++) dy[i * n + l] *= y[i * n + l] - shift[i];
    k->sum(sums, dy, a->d, n);
    for (int64_t i = 0; i < a->d; i++) dscale[i] += (float)(sums[i] - sum_g);
}

void od_actnorm_inverse(const od_actnorm *a, const float *shift, const float *y, int64_t n, float *x)
{
    for (int64_t i = 0; i < a->d; i++) {
        float *to = x + a->order[i] * n;
        for (int64_t l = 0; l < n; l++) to[l] = (y[i * n + l] - shift[i]) / a->gain[i];
    }
}
