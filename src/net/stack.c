#include "net/stack.h"

#include "base/mem.h"
#include "net/batchnorm.h"
#include "net/linear.h"

static int64_t widest(const od_stack *s)
{
    int64_t w = 1;
    for (int i = 0; i < s->layers; i++) w = s->layer[i].out > w ? s->layer[i].out : w;
    return w;
}

odim_status od_stack_work_new(od_stack_work *work, const od_stack *s, int64_t rows, bool training,
                              odim_error *err)
{
    *work = (od_stack_work){0};
    size_t n = (size_t)rows, wide = (size_t)widest(s);
    bool ok = true;
    for (int i = 0; i < s->layers; i++) {
        size_t out = (size_t)s->layer[i].out;
        ok = ok && (work->act[i] = od_alloc(n * out, sizeof(float)));
        ok = ok && (work->rstd[i] = od_alloc(out, sizeof(float)));
    }
    ok = ok && (work->sums = od_alloc(3 * wide, sizeof(double)));
    if (training) {
        ok = ok && (work->grad = od_alloc(n * wide, sizeof(float)));
        ok = ok && (work->spare = od_alloc(n * wide, sizeof(float)));
    }
    if (ok) return ODIM_OK;
    od_stack_work_free(work);
    return od_fail_nomem(err);
}

void od_stack_work_free(od_stack_work *work)
{
    for (int i = 0; i < OD_MAX_LAYERS; i++) {
        od_free(work->act[i]);
        od_free(work->rstd[i]);
    }
    od_free(work->grad);
    od_free(work->spare);
    od_free(work->sums);
    *work = (od_stack_work){0};
}

/* Layer i up to its normalisation or, where there is none, all of it. */
static void start_layer(const od_kern *k, const od_stack *s, int i, const float *params, const float *x,
                        int64_t rows, od_stack_work *work)
{
    const od_layer *l = &s->layer[i];
    od_linear_fwd(k, work->act[i], i ? work->act[i - 1] : x, params + l->w, rows, l->in, l->out);
    if (!s->batch_norm) k->bias_leaky(work->act[i], params + l->b, rows, l->out);
}

void od_stack_train(const od_kern *k, const od_stack *s, const float *params, float *run_stats,
                    const float *x, int64_t rows, od_stack_work *work)
{
    for (int i = 0; i < s->layers; i++) {
        const od_layer *l = &s->layer[i];
        start_layer(k, s, i, params, x, rows, work);
        if (s->batch_norm)
            od_batchnorm_fwd(k, work->act[i], rows, l->out, run_stats + l->mean, run_stats + l->var,
                             work->rstd[i], work->sums);
    }
}

void od_stack_eval(const od_kern *k, const od_stack *s, const float *params, const float *run_stats,
                   const float *x, int64_t rows, od_stack_work *work)
{
    for (int i = 0; i < s->layers; i++) {
        const od_layer *l = &s->layer[i];
        start_layer(k, s, i, params, x, rows, work);
        if (s->batch_norm)
            od_batchnorm_eval(k, work->act[i], rows, l->out, run_stats + l->mean, run_stats + l->var,
                              work->sums);
    }
}

void od_stack_bwd(const od_kern *k, const od_stack *s, const float *params, float *dparams, float *dx,
                  const float *x, int64_t rows, od_stack_work *work)
{
    for (int i = s->layers - 1; i >= 0; i--) {
        const od_layer *l = &s->layer[i];
        if (s->batch_norm) {
            od_batchnorm_bwd(k, work->grad, work->act[i], rows, l->out, work->rstd[i], work->sums);
        } else {
            k->leaky_bwd(work->grad, work->act[i], rows, l->out, work->sums, NULL);
            for (int64_t j = 0; j < l->out; j++) dparams[l->b + (size_t)j] += (float)work->sums[j];
        }
        float *down = i ? work->spare : dx;
        od_linear_bwd(k, down, dparams + l->w, work->grad, i ? work->act[i - 1] : x, params + l->w, rows,
                      l->in, l->out);
        if (i) {
            work->spare = work->grad;
            work->grad = down;
        }
    }
}

void od_head_fwd(const od_kern *k, const od_stack *s, const float *params, float *head, const float *act,
                 int64_t rows)
{
    od_linear_fwd(k, head, act, params + s->head_w, rows, s->in, s->outputs);
}

void od_head_bwd(const od_kern *k, const od_stack *s, const float *params, float *dparams, float *dact,
                 const float *dhead, const float *act, int64_t rows, double *sums)
{
    if (s->outputs > s->dim) {
        k->col_sum(sums, dhead + s->dim, s->outputs, rows, s->dim);
        for (int64_t j = 0; j < s->dim; j++) dparams[s->head_b + (size_t)j] += (float)sums[j];
    }
    od_linear_bwd(k, dact, dparams + s->head_w, dhead, act, params + s->head_w, rows, s->in, s->outputs);
}
