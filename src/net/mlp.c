/* Forward and backward passes of a multi-layer perceptron. */
#include "net/mlp.h"

#include "common/mem.h"

void od_layer_fwd(const od_mlp_pass *p, int i, const float *in, int64_t ld, float *act)
{
    const od_mlp *s = p->mlp;
    const od_layer *l = &s->layer[i];
    const float *bias = s->batch_norm ? NULL : p->params + l->b;
    p->kern->mul(&(od_mul_args){l->out, p->n, l->in, p->params + l->w, l->in, 1, in, ld, bias, !s->batch_norm,
                                act, p->n});
}

/* Backward through the product with the weights (out, in) at offset `w` of the parameters. */
static void product_bwd(const od_mlp_pass *p, size_t w, int64_t out, int64_t in, const float *grad,
                        const float *x, float *dx)
{
    int64_t n = p->n;
    if (p->dparams) p->kern->dot(&(od_dot_args){out, in, n, grad, n, x, n, p->dparams + w, in});
    if (dx) p->kern->mul(&(od_mul_args){in, n, out, p->params + w, 1, in, grad, n, NULL, false, dx, n});
}

void od_layer_bwd(const od_mlp_pass *p, int i, const float *grad, const float *in, float *din)
{
    const od_layer *l = &p->mlp->layer[i];
    product_bwd(p, l->w, l->out, l->in, grad, in, din);
}

void od_head_fwd(const od_mlp_pass *p, const float *act, float *head)
{
    const od_mlp *s = p->mlp;
    p->kern->mul(&(od_mul_args){s->outputs, p->n, s->in, p->params + s->head_w, s->in, 1, act, p->n, NULL,
                                false, head, p->n});
}

void od_head_bwd(const od_mlp_pass *p, const float *dhead, const float *act, float *dact, double *sums)
{
    const od_mlp *s = p->mlp;
    if (p->dparams && s->outputs > s->dim) {
        p->kern->sum(sums, dhead + s->dim * p->n, s->dim, p->n);
        od_bias_bwd(p->dparams + s->head_b, sums, s->dim);
    }
    product_bwd(p, s->head_w, s->outputs, s->in, dhead, act, dact);
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

void od_mlp_eval(const od_mlp_pass *p, const float *x, od_mlp_work *work)
{
    for (int i = 0; i < p->mlp->layers; i++) od_layer_fwd(p, i, i ? work->act[i - 1] : x, p->n, work->act[i]);
}

void od_mlp_train(const od_mlp_pass *p, float *stats, const float *x, const float *on, int64_t count,
                  od_mlp_work *work)
{
    const od_mlp *s = p->mlp;
    for (int i = 0; i < s->layers; i++) {
        const od_layer *l = &s->layer[i];
        od_layer_fwd(p, i, i ? work->act[i - 1] : x, p->n, work->act[i]);
        if (!s->batch_norm) continue;
        od_moments *m = &work->norm.moments;
        m->count = count;
        p->kern->moments(m->mean, m->dev, work->act[i], on, l->out, p->n, count);
        od_norm_fwd(&work->norm, l, i, stats);
        p->kern->norm_leaky(work->act[i], work->norm.rstd[i], work->norm.shift[i], l->out, p->n);
    }
}

void od_mlp_bwd(const od_mlp_pass *p, const float *x, const float *on, int64_t count, float *dx,
                od_mlp_work *work)
{
    const od_mlp *s = p->mlp;
    for (int i = s->layers - 1; i >= 0; i--) {
        const od_layer *l = &s->layer[i];
        double *dot = s->batch_norm ? work->sums + l->out : NULL;
        p->kern->leaky_bwd(work->grad, work->act[i], l->out, p->n, work->sums, dot);
        if (s->batch_norm) {
            od_norm_bwd(&work->norm, work->sums, dot, count, l->out);
            p->kern->norm_bwd(work->grad, work->act[i],
                              &(od_norm_bwd_terms){work->norm.m1, work->norm.m2, work->norm.rstd[i]}, on,
                              l->out, p->n);
        } else if (p->dparams) {
            od_bias_bwd(p->dparams + l->b, work->sums, l->out);
        }
        od_layer_bwd(p, i, work->grad, i ? work->act[i - 1] : x, i ? work->spare : dx);
        float *swap = work->spare;
        work->spare = work->grad;
        work->grad = swap;
    }
}
