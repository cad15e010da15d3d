/*
 * The loss of a row as a sum over its features and its latent code.
 *
 * With the weights v_k = w_k / sum w of the K samples (net/iwae.c),
 *
 *     L(x) = -log( (1/K) sum_k w_k ) = sum_k v_k (-log w_k) + sum_k v_k log(K v_k),
 *
 * because log w_k = log v_k + log(sum w) for every k and the v_k add up to 1. log w_k is itself a sum over
 * the features and the code, so
 *
 *     L(x) = sum_j part_j + code + spread
 *     part_j = -sum_k v_k log p(x_j|z_k)                 the cost of feature j
 *     code   =  sum_k v_k (log q(z_k|x) - log p(z_k))    the cost of locating x in the latent space
 *     spread =  sum_k v_k log(K v_k)                     0 to log K: larger if fewer samples explain the row
 *
 * For K = 1 spread is 0. The expected value of feature j is sum_k v_k m_jk, where m is the decoder's mean:
 * the weights turn the encoder's approximation q(z|x) into the model's own posterior.
 *
 * The decoder does the same operations in the same order as od_decoder_eval, so the loss has the same bits.
 * The outputs of all features are kept until the weights are known.
 */
#include "net/attribution.h"

#include <string.h>

#include "common/mem.h"

odim_status od_attribution_new(od_attribution *a, od_iwae *net, odim_error *err)
{
    *a = (od_attribution){.net = net};
    const od_mlp *s = &net->plain.dec;
    size_t rows = (size_t)net->dec.chunk_rows, n = rows * (size_t)net->dec.samples;
    size_t wide = (size_t)od_mlp_widest(s), latent = (size_t)net->layout->shape.latent;
    bool ok =
        (a->z = od_alloc(latent * n, sizeof(float))) && (a->act[0] = od_alloc(wide * n, sizeof(float))) &&
        (a->act[1] = od_alloc(wide * n, sizeof(float))) &&
        (a->head = od_alloc((size_t)s->outputs * n, sizeof(float))) &&
        (a->term = od_alloc((size_t)s->dim * n, sizeof(float))) && (a->code = od_alloc(n, sizeof(float))) &&
        (a->weight = od_alloc(n, sizeof(float))) && (a->max = od_alloc(rows, sizeof(float))) &&
        (a->sum = od_alloc(rows, sizeof(float))) && (a->row = od_alloc(rows, sizeof(float)));
    if (ok) return ODIM_OK;
    od_attribution_free(a);
    return od_fail_nomem(err);
}

void od_attribution_free(od_attribution *a)
{
    od_free(a->z);
    od_free(a->act[0]);
    od_free(a->act[1]);
    od_free(a->head);
    od_free(a->term);
    od_free(a->code);
    od_free(a->weight);
    od_free(a->max);
    od_free(a->sum);
    od_free(a->row);
    *a = (od_attribution){0};
}

static void decode(od_attribution *a, int64_t n)
{
    const od_iwae *net = a->net;
    const od_mlp_pass p = {net->kern, &net->plain.dec, net->eval, NULL, n};
    const float *in = a->z;
    for (int i = 0; i < p.mlp->layers; i++) {
        od_layer_fwd(&p, i, in, n, a->act[i % 2]);
        in = a->act[i % 2];
    }
    od_head_fwd(&p, in, a->head);
}

/* Writes the log-likelihood of each feature to a->term and adds it to log w; applies the sigmoid to the raw
 * means in place. */
static void likelihood_terms(od_attribution *a, const float *x, int64_t ldx, int64_t rows)
{
    const od_iwae *net = a->net;
    const od_mlp *s = &net->plain.dec;
    int64_t k = net->dec.samples, n = k * rows;
    bool variance = s->outputs > s->dim;
    memset(a->term, 0, (size_t)(s->dim * n) * sizeof(float));
    for (int64_t j = 0; j < s->dim; j++) {
        float *term = a->term + j * n, *mean = a->head + j * n;
        float *lv = variance ? a->head + (s->dim + j) * n : NULL;
        net->kern->lik(&(od_lik_args){net->layout->shape.lik, term, mean, lv, net->eval + s->head_b + j,
                                      x + j * ldx, ldx, k, rows, 1, false});
        for (int64_t l = 0; l < n; l++) a->weight[l] += term[l];
        for (int64_t l = 0; l < n; l++) mean[l] = -mean[l];
    }
    net->kern->exp(a->head, a->head, s->dim * n);
    for (int64_t l = 0; l < s->dim * n; l++) a->head[l] = 1.0f / (1.0f + a->head[l]);
}

/* a->row (rows): the weighted mean of x (k, rows) over the samples of each row. */
static void weighted_mean(od_attribution *a, const float *x, int64_t rows)
{
    for (int64_t i = 0; i < rows; i++) a->row[i] = 0.0f;
    for (int64_t l = 0; l < a->net->dec.samples * rows; l += rows)
        for (int64_t i = 0; i < rows; i++) a->row[i] += a->weight[l + i] * x[l + i];
}

/* Rows first..first+rows-1 of the batch, of which `count` are not padding. */
static void add_chunk(od_attribution *a, const od_batch *b, int64_t first, int64_t rows,
                      const od_attribution_parts *to)
{
    const od_decoder *dec = &a->net->dec;
    int64_t n = dec->samples * rows, d = dec->shape.d;
    int64_t count = b->rows - first < rows ? b->rows - first : rows;
    double constant = od_lik_constant(dec->shape.lik);
    od_decoder_sample(dec, b, first, rows, a->z, a->code);
    memcpy(a->weight, a->code, (size_t)n * sizeof(float));
    decode(a, n);
    likelihood_terms(a, b->x + first, b->lanes, rows);
    od_decoder_weigh(dec, a->weight, rows, a->weight, a->max, a->sum, a->row);
    for (int64_t i = 0; i < count; i++) to->loss[first + i] += (double)a->row[i];
    weighted_mean(a, a->code, rows);
    for (int64_t i = 0; i < count; i++) to->code[first + i] -= (double)a->row[i];
    for (int64_t j = 0; j < d; j++) {
        weighted_mean(a, a->term + j * n, rows);
        for (int64_t i = 0; i < count; i++) to->part[(first + i) * d + j] -= (double)a->row[i] + constant;
        weighted_mean(a, a->head + j * n, rows);
        for (int64_t i = 0; i < count; i++) to->mean[(first + i) * d + j] += (double)a->row[i];
    }
}

void od_attribution_add(od_attribution *a, const float *x, int64_t rows, const float *noise,
                        const od_attribution_parts *to)
{
    od_batch b = od_iwae_encode(a->net, x, rows, noise, true);
    int64_t step = a->net->dec.chunk_rows;
    for (int64_t first = 0; first < b.lanes; first += step)
        add_chunk(a, &b, first, b.lanes - first < step ? b.lanes - first : step, to);
}
