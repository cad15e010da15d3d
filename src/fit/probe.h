/*
 * Records the losses of some rows during training, as scoring would give them after some of the updates. One
 * probe says which rows and updates; every worker that trains members has its own probe worker.
 */
#ifndef OD_PROBE_H
#define OD_PROBE_H

#include "base/parallel.h"
#include "model/model.h"
#include "net/net.h"
#include "prep/encode.h"

typedef struct od_probe {
    /* The caller's: */
    int64_t length; /* updates of each member */
    const int64_t *updates;
    int64_t update_count; /* losses are recorded after these updates, 1 to length, in any order */
    bool at_checks;       /* and after every check of the stop rule */
    const int64_t *rows;
    int64_t row_count;
    /* Made: */
    int64_t members, moments;
    int64_t *moment; /* (moments) updates, ascending, none twice */
    float *loss;     /* (members, moments, rows) */
} od_probe;

odim_status od_probe_begin(od_probe *r, int64_t members, int64_t check_every, odim_error *err);
void od_probe_free(od_probe *r);
/* The losses (rows) of a moment: means over the members, added in their order. */
void od_probe_mean(const od_probe *r, int64_t moment, double *loss);

typedef struct od_probe_worker {
    od_probe *probe;
    const odim_model *model;
    const od_encoder *encoder;
    od_net net;
    float *plain; /* (a block of rows, features) */
    float *seen;  /* (a block of rows, width): the same after the transform */
    float *x;     /* (a block of rows, layout.shape.d): what the network sees of it */
} od_probe_worker;

odim_status od_probe_worker_new(od_probe_worker *v, od_probe *probe, const odim_model *model,
                                const od_encoder *encoder, odim_error *err);
void od_probe_worker_free(od_probe_worker *v);
int64_t od_probe_worker_length(const od_probe_worker *v);
/* Whether losses are wanted after this update. */
bool od_probe_worker_wants(const od_probe_worker *v, int64_t update);
/* Records the losses of member `index` if they are wanted after this update. The member must have its noise
 * for scoring. */
odim_status od_probe_worker_check(od_probe_worker *v, const float *params, const float *stats, int64_t index,
                                  int64_t update, od_parallel *par, odim_error *err);

#endif
