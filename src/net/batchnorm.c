/* Batch normalization: moments, running statistics, folding into weights. */
#include "net/batchnorm.h"

#include <math.h>
#include <string.h>

#include "common/mem.h"

void od_moments_merge(od_moments *m, const od_moments *more, int64_t features)
{
    double a = (double)m->count, b = (double)more->count, n = a + b;
    for (int64_t j = 0; j < features; j++) {
        double gap = more->mean[j] - m->mean[j];
        if (m->count == 0) {
            m->mean[j] = more->mean[j];
            m->dev[j] = more->dev[j];
        } else {
            m->mean[j] += gap * (b / n);
            m->dev[j] += more->dev[j] + gap * gap * (a * b / n);
        }
    }
    m->count += more->count;
}

odim_status od_norm_new(od_norm *norm, const od_mlp *s, odim_error *err)
{
    *norm = (od_norm){0};
    size_t wide = (size_t)od_mlp_widest(s);
    bool ok = (norm->m1 = od_alloc(wide, sizeof(float))) && (norm->m2 = od_alloc(wide, sizeof(float))) &&
              (norm->moments.mean = od_alloc(wide, sizeof(double))) &&
              (norm->moments.dev = od_alloc(wide, sizeof(double)));
    for (int i = 0; ok && i < s->layers; i++) {
        size_t out = (size_t)s->layer[i].out;
        ok =
            (norm->rstd[i] = od_alloc(out, sizeof(float))) && (norm->shift[i] = od_alloc(out, sizeof(float)));
    }
    if (ok) return ODIM_OK;
    od_norm_free(norm);
    return od_fail_nomem(err);
}

void od_norm_free(od_norm *norm)
{
    for (int i = 0; i < OD_MAX_LAYERS; i++) {
        od_free(norm->rstd[i]);
        od_free(norm->shift[i]);
    }
    od_free(norm->m1);
    od_free(norm->m2);
    od_free(norm->moments.mean);
    od_free(norm->moments.dev);
    *norm = (od_norm){0};
}

void od_norm_fwd(od_norm *norm, const od_layer *l, int i, float *stats)
{
    const od_moments *m = &norm->moments;
    double count = (double)m->count;
    for (int64_t j = 0; j < l->out; j++) {
        float *run_mean = &stats[l->mean + (size_t)j], *run_var = &stats[l->var + (size_t)j];
        double var = m->dev[j] / count;
        /* The running variance is the unbiased one, which a single row does not have. */
        double unbiased = m->count > 1 ? m->dev[j] / (count - 1.0) : var;
        double r = 1.0 / sqrt(var + OD_BN_EPS);
        norm->rstd[i][j] = (float)r;
        norm->shift[i][j] = (float)(-m->mean[j] * r);
        *run_mean = (float)((1.0 - OD_BN_MOMENTUM) * (double)*run_mean + OD_BN_MOMENTUM * m->mean[j]);
        *run_var = (float)((1.0 - OD_BN_MOMENTUM) * (double)*run_var + OD_BN_MOMENTUM * unbiased);
    }
}

void od_norm_bwd(od_norm *norm, const double *sum, const double *dot, int64_t count, int64_t features)
{
    for (int64_t j = 0; j < features; j++) {
        norm->m1[j] = (float)(sum[j] / (double)count);
        norm->m2[j] = (float)(dot[j] / (double)count);
    }
}

void od_norm_fold(const od_mlp *s, const float *params, const float *stats, const od_mlp *plain,
                  float *folded)
{
    for (int i = 0; i < s->layers; i++) {
        const od_layer *l = &s->layer[i], *to = &plain->layer[i];
        for (int64_t o = 0; o < l->out; o++) {
            double r = 1.0 / sqrt((double)stats[l->var + (size_t)o] + OD_BN_EPS);
            const float *w = params + l->w + o * l->in;
            float *scaled = folded + to->w + o * l->in, rstd = (float)r;
            for (int64_t p = 0; p < l->in; p++) scaled[p] = w[p] * rstd;
            folded[to->b + (size_t)o] = (float)(-(double)stats[l->mean + (size_t)o] * r);
        }
    }
    memcpy(folded + plain->head_w, params + s->head_w, (size_t)(s->outputs * s->in) * sizeof(float));
    if (s->outputs > s->dim)
        memcpy(folded + plain->head_b, params + s->head_b, (size_t)s->dim * sizeof(float));
}
