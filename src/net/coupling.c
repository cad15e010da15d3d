/* Affine coupling: the network of the kept features, forward, backward and inverse. */
#include "net/coupling.h"

#include "common/mem.h"

#define MAX_LOG_SCALE 2.0f /* of |s| */

odim_status od_coupling_new(od_coupling *c, const od_step *s, int64_t n, odim_error *err)
{
    *c = (od_coupling){0};
    size_t lanes = (size_t)n, changed = (size_t)s->changed;
    odim_status status = od_mlp_work_new(&c->net, &s->net, n, true, err);
    if (status) return status;
    bool ok = (c->head = od_alloc(2 * changed * lanes, sizeof(float))) &&
              (c->gain = od_alloc(changed * lanes, sizeof(float))) &&
              (c->dhead = od_alloc(2 * changed * lanes, sizeof(float))) &&
              (c->dkept = od_alloc((size_t)s->kept * lanes, sizeof(float))) &&
              (c->sums = od_alloc(changed, sizeof(double)));
    if (ok) return ODIM_OK;
    od_coupling_free(c);
    return od_fail_nomem(err);
}

void od_coupling_free(od_coupling *c)
{
    od_mlp_work_free(&c->net);
    od_free(c->head);
    od_free(c->gain);
    od_free(c->dhead);
    od_free(c->dkept);
    od_free(c->sums);
    *c = (od_coupling){0};
}

/* Computes t, s and exp(s) from the kept features. */
static void scale_and_shift(od_coupling *c, const od_kern *k, const od_step *s, const float *params,
                            int64_t n, const float *kept)
{
    const od_mlp *net = &s->net;
    float *scale = c->head + s->changed * n;
    const od_mlp_pass p = {k, net, params, NULL, n};
    od_mlp_eval(&p, kept, &c->net);
    od_head_fwd(&p, od_mlp_top(net, &c->net), c->head);
    for (int64_t j = 0; j < s->changed; j++) {
        float bias = params[net->head_b + (size_t)j];
        for (int64_t l = 0; l < n; l++) c->gain[j * n + l] = -(scale[j * n + l] + bias);
    }
    k->exp(c->gain, c->gain, s->changed * n);
    for (int64_t i = 0; i < s->changed * n; i++)
        scale[i] = 2.0f * MAX_LOG_SCALE / (1.0f + c->gain[i]) - MAX_LOG_SCALE;
    k->exp(c->gain, scale, s->changed * n);
}

void od_coupling_fwd(od_coupling *c, const od_kern *k, const od_step *s, const float *params, int64_t n,
                     float *y, float *logdet)
{
    const float *scale = c->head + s->changed * n;
    float *moving = y + s->kept * n;
    scale_and_shift(c, k, s, params, n, y);
    for (int64_t j = 0; j < s->changed; j++)
        for (int64_t l = 0; l < n; l++) {
            int64_t i = j * n + l;
            moving[i] = moving[i] * c->gain[i] + c->head[i];
            logdet[l] += scale[i];
        }
}

/* dt = dy;  ds = dy x exp(s) - g, where x exp(s) = y - t;  dr = ds (1 - (s / 2)^2). */
void od_coupling_bwd(od_coupling *c, const od_flow_batch *b, const od_step *s, const float *params,
                     const float *y, float *dy, float *dparams)
{
    const od_mlp *net = &s->net;
    const od_mlp_pass p = {b->kern, net, params, dparams, b->n};
    int64_t n = b->n;
    const float *moved = y + s->kept * n;
    const float *scale = c->head + s->changed * n;
    float *draw = c->dhead + s->changed * n, *dmoved = dy + s->kept * n;
    for (int64_t j = 0; j < s->changed; j++)
        for (int64_t l = 0; l < n; l++) {
            int64_t i = j * n + l;
            float slope = 1.0f - scale[i] * scale[i] * (1.0f / (MAX_LOG_SCALE * MAX_LOG_SCALE));
            draw[i] = (dmoved[i] * (moved[i] - c->head[i]) - b->g[l]) * slope;
            c->dhead[i] = dmoved[i];
            dmoved[i] *= c->gain[i];
        }
    od_head_bwd(&p, c->dhead, od_mlp_top(net, &c->net), c->net.grad, c->sums);
    od_mlp_bwd(&p, y, NULL, n, c->dkept, &c->net);
    for (int64_t i = 0; i < s->kept * n; i++) dy[i] += c->dkept[i];
}

void od_coupling_inverse(od_coupling *c, const od_kern *k, const od_step *s, const float *params, int64_t n,
                         float *y)
{
    float *moved = y + s->kept * n;
    scale_and_shift(c, k, s, params, n, y);
    for (int64_t i = 0; i < s->changed * n; i++) moved[i] = (moved[i] - c->head[i]) / c->gain[i];
}
