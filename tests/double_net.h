/*
 * The network once more, in double precision and the plainest code: the reference for gradient checks. It
 * shares nothing with src/net but the layout of the parameters, and knows nothing of blocks, kernels or
 * in-place tricks.
 */
#ifndef DOUBLE_NET_H
#define DOUBLE_NET_H

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "net/layout.h"

static double dbl_leaky(double x)
{
    return x > 0 ? x : 0.01 * x;
}

static double dbl_clamp(double x)
{
    return x < -6 ? -6 : x > 2 ? 2 : x;
}

/* y (rows, out) of one hidden layer in training mode. */
static void dbl_layer(const od_mlp *s, int i, const double *p, const double *x, int64_t rows, double *y)
{
    const od_layer *l = &s->layer[i];
    for (int64_t j = 0; j < l->out; j++) {
        double mean = 0, var = 0;
        for (int64_t r = 0; r < rows; r++) {
            double sum = s->batch_norm ? 0 : p[l->b + (size_t)j];
            for (int64_t c = 0; c < l->in; c++) sum += x[r * l->in + c] * p[l->w + (size_t)(j * l->in + c)];
            y[r * l->out + j] = sum;
            mean += sum / (double)rows;
        }
        for (int64_t r = 0; r < rows; r++) var += pow(y[r * l->out + j] - mean, 2) / (double)rows;
        for (int64_t r = 0; r < rows; r++) {
            double *v = &y[r * l->out + j];
            *v = dbl_leaky(s->batch_norm ? (*v - mean) / sqrt(var + 1e-4) : *v);
        }
    }
}

/* head (rows, outputs) of x (rows, in). The caller frees it. */
static double *dbl_stack(const od_mlp *s, const double *p, const double *x, int64_t rows)
{
    double *in = NULL;
    for (int i = 0; i < s->layers; i++) {
        double *y = malloc((size_t)(rows * s->layer[i].out) * sizeof *y);
        dbl_layer(s, i, p, in ? in : x, rows, y);
        free(in);
        in = y;
    }
    double *head = malloc((size_t)(rows * s->outputs) * sizeof *head);
    for (int64_t r = 0; r < rows; r++) {
        for (int64_t j = 0; j < s->outputs; j++) {
            double sum = j >= s->dim ? p[s->head_b + (size_t)(j - s->dim)] : 0;
            for (int64_t c = 0; c < s->in; c++)
                sum += in[r * s->in + c] * p[s->head_w + (size_t)(j * s->in + c)];
            head[r * s->outputs + j] = sum;
        }
    }
    free(in);
    return head;
}

static double dbl_feature(od_lik lik, double x, double raw_mean, double raw_lv)
{
    double m = 1 / (1 + exp(-raw_mean)), lv = dbl_clamp(raw_lv), q = (x - m) * (x - m) / 2;
    switch (lik) {
    case OD_LIK_PAPER: return -lv - q / exp(lv);
    case OD_LIK_GAUSSIAN: return -lv / 2 - q / exp(lv) - log(2 * acos(-1.0)) / 2;
    case OD_LIK_UNIT: return -q - log(2 * acos(-1.0)) / 2;
    case OD_LIK_BERNOULLI: return x * log(m + 1e-5) + (1 - x) * log(1 - m + 1e-5);
    }
    return NAN;
}

/* A batch in training mode, whose last `known` rows are outliers: its mean loss, with `weight` times the mean
 * chi bound of those; each row's own into `each` (rows), if that is not NULL. */
static inline double dbl_loss(const od_layout *l, const double *p, const double *x, const double *eps,
                              int64_t rows, int64_t known, double weight, int64_t k, double *each)
{
    int64_t d = l->shape.d, q = l->shape.latent;
    double *code = dbl_stack(&l->enc, p, x, rows), total = 0;
    double *z = malloc((size_t)(rows * k * q) * sizeof *z);
    for (int64_t i = 0; i < rows * k; i++)
        for (int64_t j = 0; j < q; j++) {
            const double *c = code + i / k * 2 * q;
            z[i * q + j] = c[j] + exp(dbl_clamp(c[q + j]) / 2) * eps[i * q + j];
        }
    double *head = dbl_stack(&l->dec, p, z, rows * k);
    for (int64_t i = 0; i < rows; i++) {
        double top = -INFINITY, sum = 0, *logw = malloc((size_t)k * sizeof *logw);
        for (int64_t s = 0; s < k; s++) {
            const double *h = head + (i * k + s) * l->dec.outputs;
            logw[s] = 0;
            for (int64_t j = 0; j < d; j++)
                logw[s] += dbl_feature(l->shape.lik, x[i * d + j], h[j], l->dec.outputs > d ? h[d + j] : 0);
            for (int64_t j = 0; j < q; j++) {
                double zz = z[(i * k + s) * q + j], e = eps[(i * k + s) * q + j];
                /* log N(z; 0, 1) - log N(z; mu, exp lv) with (z - mu)^2 / exp lv = eps^2 */
                logw[s] += -zz * zz / 2 + dbl_clamp(code[i * 2 * q + q + j]) / 2 + e * e / 2;
            }
            top = logw[s] > top ? logw[s] : top;
        }
        bool outlier = i >= rows - known;
        double power = outlier ? 2 : 1;
        for (int64_t s = 0; s < k; s++) sum += pow(exp(logw[s] - top), power);
        double bound = top + log(sum / (double)k) / power;
        total += outlier ? weight * bound / (double)known : -bound / (double)(rows - known);
        if (each) each[i] = outlier ? bound : -bound;
        free(logw);
    }
    free(code);
    free(z);
    free(head);
    return total;
}

#endif
