/*
 * A flow once more, a row at a time, in double precision and the plainest code: the reference for gradient
 * checks. It shares nothing with src/net but the layout of the parameters.
 */
#ifndef DOUBLE_FLOW_H
#define DOUBLE_FLOW_H

#include "double_net.h"

/* Each layer: y (d) of x (d) under the parameters p of its step. Returns the log-determinant. */
static inline double dbl_actnorm(const od_layout *l, const double *p, const float *order, const double *x,
                                 double *y)
{
    double logdet = 0;
    for (int64_t i = 0; i < l->shape.d; i++) {
        double s = p[l->step.actnorm + (size_t)i];
        y[i] = x[(int64_t)order[i]] * exp(s) + p[l->step.actnorm + (size_t)(l->shape.d + i)];
        logdet += s;
    }
    return logdet;
}

static inline double dbl_linear(const od_layout *l, const double *p, const double *x, double *y)
{
    int64_t d = l->shape.d;
    const double *lu = p + l->step.lu;
    double logdet = 0, *mid = malloc((size_t)d * sizeof *mid);
    for (int64_t i = 0; i < d; i++) {
        mid[i] = exp(lu[i * d + i]) * x[i];
        for (int64_t j = i + 1; j < d; j++) mid[i] += lu[i * d + j] * x[j];
        logdet += lu[i * d + i];
    }
    for (int64_t i = 0; i < d; i++) {
        y[i] = mid[i];
        for (int64_t j = 0; j < i; j++) y[i] += lu[i * d + j] * mid[j];
    }
    free(mid);
    return logdet;
}

static inline double dbl_coupling(const od_layout *l, const double *p, const double *x, double *y)
{
    const od_step *s = &l->step;
    double logdet = 0, *head = dbl_stack(&s->net, p, x, 1);
    for (int64_t i = 0; i < s->kept; i++) y[i] = x[i];
    for (int64_t j = 0; j < s->changed; j++) {
        double scale = 2 * tanh(head[s->changed + j] / 2);
        y[s->kept + j] = x[s->kept + j] * exp(scale) + head[j];
        logdet += scale;
    }
    free(head);
    return logdet;
}

/* z (d) of x (d). Returns the log-determinant. */
static inline double dbl_flow(const od_layout *l, const double *p, const float *stats, const double *x,
                              double *z)
{
    size_t size = (size_t)l->shape.d * sizeof(double);
    double *in = malloc(size), *out = malloc(size), logdet = 0;
    memcpy(out, x, size);
    for (int i = 0; i < l->shape.steps; i++, p += l->step.params, stats += l->step.stats) {
        memcpy(in, out, size);
        logdet += dbl_actnorm(l, p, stats + l->step.order, in, out);
        memcpy(in, out, size);
        if (l->step.linear) logdet += dbl_linear(l, p, in, out);
        memcpy(in, out, size);
        if (l->step.kept) logdet += dbl_coupling(l, p, in, out);
    }
    memcpy(z, out, size);
    free(in), free(out);
    return logdet;
}

static inline double dbl_flow_loss(const od_layout *l, const double *p, const float *stats, const double *x)
{
    double *z = malloc((size_t)l->shape.d * sizeof *z), loss = -dbl_flow(l, p, stats, x, z);
    for (int64_t j = 0; j < l->shape.d; j++) loss += z[j] * z[j] / 2 + log(2 * acos(-1.0)) / 2;
    free(z);
    return loss;
}

#endif
