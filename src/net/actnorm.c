/* Actnorm: permutation, scale and shift of the features. */
#include "net/actnorm.h"

#include <math.h>

#include "common/mem.h"
#include "net/mlp.h"

odim_status od_actnorm_new(od_actnorm *a, int64_t d, odim_error *err)
{
    *a = (od_actnorm){.d = d};
    a->order = od_alloc((size_t)d, sizeof *a->order);
    a->gain = od_alloc((size_t)d, sizeof *a->gain);
    a->sums = od_alloc((size_t)d, sizeof *a->sums);
    if (a->order && a->gain && a->sums) return ODIM_OK;
    od_actnorm_free(a);
    return od_fail_nomem(err);
}

void od_actnorm_free(od_actnorm *a)
{
    od_free(a->order);
    od_free(a->gain);
    od_free(a->sums);
    *a = (od_actnorm){0};
}

double od_actnorm_ready(od_actnorm *a, const od_kern *k, const float *params, const float *order)
{
    double sum = 0.0;
    k->exp(a->gain, params, a->d);
    for (int64_t i = 0; i < a->d; i++) {
        a->order[i] = (int64_t)order[i];
        sum += (double)params[i];
    }
    return sum;
}

/* The variance has the floor of batch normalization: a feature that hardly varies in these rows may vary in
 * others. */
void od_actnorm_start(const od_actnorm *a, const od_moments *m, float *params)
{
    for (int64_t i = 0; i < a->d; i++) {
        int64_t from = a->order[i];
        double var = m->dev[from] / (double)m->count + OD_BN_EPS;
        params[i] = (float)(-0.5 * log(var));
        params[a->d + i] = (float)(-m->mean[from] / sqrt(var));
    }
}

void od_actnorm_fwd(const od_actnorm *a, const float *params, const float *x, int64_t n, float *y)
{
    const float *shift = params + a->d;
    for (int64_t i = 0; i < a->d; i++) {
        const float *from = x + a->order[i] * n;
        for (int64_t l = 0; l < n; l++) y[i * n + l] = from[l] * a->gain[i] + shift[i];
    }
}

/* ds = sum of dy exp(s) x, and exp(s) x is y - t. */
void od_actnorm_bwd(const od_actnorm *a, const od_flow_batch *b, const float *params, const float *y,
                    float *dy, float *dx, float *dparams)
{
    const float *shift = params + a->d;
    int64_t n = b->n;
    for (int64_t i = 0; i < a->d; i++) {
        float *to = dx + a->order[i] * n;
        for (int64_t l = 0; l < n; l++) to[l] = dy[i * n + l] * a->gain[i];
    }
    if (!dparams) return;
    b->kern->sum(a->sums, dy, a->d, n);
    od_bias_bwd(dparams + a->d, a->sums, a->d);
    for (int64_t i = 0; i < a->d; i++)
        for (int64_t l = 0; l < n; l++) dy[i * n + l] *= y[i * n + l] - shift[i];
    b->kern->sum(a->sums, dy, a->d, n);
    for (int64_t i = 0; i < a->d; i++) dparams[i] += (float)(a->sums[i] - b->sum_g);
}

void od_actnorm_inverse(const od_actnorm *a, const float *params, const float *y, int64_t n, float *x)
{
    const float *shift = params + a->d;
    for (int64_t i = 0; i < a->d; i++) {
        float *to = x + a->order[i] * n;
        for (int64_t l = 0; l < n; l++) to[l] = (y[i * n + l] - shift[i]) / a->gain[i];
    }
}
