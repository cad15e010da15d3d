#include "net/mlp.h"

#include "base/mem.h"

void od_layer_fwd(const od_kern *k, const od_mlp *s, int i, const float *params, const float *in, int64_t ld,
                  int64_t n, float *act)
{
    const od_layer *l = &s->layer[i];
    const float *bias = s->batch_norm ? NULL : params + l->b;
    k->mul(l->out, n, l->in, params + l->w, l->in, 1, in, ld, bias, !s->batch_norm, act, n);
}

/* Weights (out, in) at `at` of params. */
static void linear_bwd(const od_kern *k, const float *params, float *dparams, size_t at, int64_t out,
                       int64_t in, const float *grad, const float *x, int64_t n, float *dx)
{
    if (dparams) k->dot(out, in, n, grad, n, x, n, dparams + at, in);
    if (dx) k->mul(in, n, out, params + at, 1, in, grad, n, NULL, false, dx, n);
}

void od_layer_bwd(const od_kern *k, const od_mlp *s, int i, const float *params, float *dparams,
                  const float *grad, const float *in, int64_t n, float *din)
{
    const od_layer *l = &s->layer[i];
    linear_bwd(k, params, dparams, l->w, l->out, l->in, grad, in, n, din);
}

void od_head_fwd(const od_kern *k, const od_mlp *s, const float *params, const float *act, int64_t n,
                 float *head)
{
    k->mul(s->outputs, n, s->in, params + s->head_w, s->in, 1, act, n, NULL, false, head, n);
}

void od_head_bwd(const od_kern *k, const od_mlp *s, const float *params, float *dparams, const float *dhead,
                 const float *act, int64_t n, float *dact, double *sums)
{
    if (dparams && s->outputs > s->dim) {
        k->sum(sums, dhead + s->dim * n, s->dim, n);
        od_bias_bwd(dparams + s->head_b, sums, s->dim);
    }
    linear_bwd(k, params, dparams, s->head_w, s->outputs, s->in, dhead, act, n, dact);
}

void od_bias_bwd(float *db, const double *sums, int64_t features)
{
    for (int64_t j = 0; j < features; j++) db[j] += (float)sums[j];
}

odim_status od_mlp_work_new(od_mlp_work *work, const od_mlp *s, int64_t n, bool training, odim_error *err)
{
    *work = (od_mlp_work){0};
    size_t lanes = (size_t)n, wide = (size_t)od_mlp_widest(s);
    bool ok = true;
    for (int i = 0; ok && i < s->layers; i++)
        ok = (work->act[i] = od_alloc((size_t)s->layer[i].out * lanes, sizeof(float)));
    if (ok && training)
        ok = (work->grad = od_alloc(wide * lanes, sizeof(float))) &&
             (work->spare = od_alloc(wide * lanes, sizeof(float))) &&
             (work->sums = od_alloc(2 * wide, sizeof(double)));
    odim_status status = ok ? ODIM_OK : od_fail_nomem(err);
    if (!status && training && s->batch_norm) status = od_norm_new(&work->norm, s, err);
    if (status) od_mlp_work_free(work);
    return status;
}

void od_mlp_work_free(od_mlp_work *work)
{
    for (int i = 0; i < OD_MAX_LAYERS; i++) od_free(work->act[i]);
    od_free(work->grad);
    od_free(work->spare);
    od_free(work->sums);
    od_norm_free(&work->norm);
    *work = (od_mlp_work){0};
}

void od_mlp_eval(const od_kern *k, const od_mlp *s, const float *params, const float *x, int64_t n,
                 od_mlp_work *work)
{
    for (int i = 0; i < s->layers; i++)
        od_layer_fwd(k, s, i, params, i ? work->act[i - 1] : x, n, n, work->act[i]);
}

void od_mlp_train(const od_kern *k, const od_mlp *s, const float *params, float *stats, const float *x,
                  const float *on, int64_t count, int64_t n, od_mlp_work *work)
{
    for (int i = 0; i < s->layers; i++) {
        const od_layer *l = &s->layer[i];
        od_layer_fwd(k, s, i, params, i ? work->act[i - 1] : x, n, n, work->act[i]);
        if (!s->batch_norm) continue;
        od_moments *m = &work->norm.moments;
        m->count = count;
        k->moments(m->mean, m->dev, work->act[i], on, l->out, n, count);
        od_norm_fwd(&work->norm, l, i, stats);
        k->norm_leaky(work->act[i], work->norm.rstd[i], work->norm.shift[i], l->out, n);
    }
}

void od_mlp_bwd(const od_kern *k, const od_mlp *s, const float *params, float *dparams, const float *x,
                const float *on, int64_t count, int64_t n, float *dx, od_mlp_work *work)
{
    for (int i = s->layers - 1; i >= 0; i--) {
        const od_layer *l = &s->layer[i];
        double *dot = s->batch_norm ? work->sums + l->out : NULL;
        k->leaky_bwd(work->grad, work->act[i], l->out, n, work->sums, dot);
        if (s->batch_norm) {
            od_norm_bwd(&work->norm, work->sums, dot, count, l->out);
            k->norm_bwd(work->grad, work->act[i], work->norm.m1, work->norm.m2, work->norm.rstd[i], on,
                        l->out, n);
        } else if (dparams) {
            od_bias_bwd(dparams + l->b, work->sums, l->out);
        }
        od_layer_bwd(k, s, i, params, dparams, work->grad, i ? work->act[i - 1] : x, n, i ? work->spare : dx);
        float *down = work->spare;
        work->spare = work->grad;
        work->grad = down;
    }
}
