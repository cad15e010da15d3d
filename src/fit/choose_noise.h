/*
 * Chooses the noise of scoring: a few vectors of a pool that together score rows nearly as the whole pool
 * does.
 *
 * A row's loss is -log of the mean of w over the noise vectors. Time grows with their number, and a small
 * random set is a poor stand-in for a large one. But the vectors are the same for every row, so that they can
 * be chosen when the network is ready: the loss of some training rows is taken with each vector of the pool
 * alone, which gives every w, and vectors are added one by one. Each time it is the one that brings the
 * losses nearest to those of the whole pool. A constant difference is allowed, since it does not change the
 * order of rows. Eight of 64 vectors chosen like that are nearer to 1000 vectors than twenty random ones are
 * (bench/NOISE.md).
 *
 * Half of the training rows for this have high losses: there the losses of the vectors differ most, and the
 * order of the rows is of interest.
 */
#ifndef OD_CHOOSE_NOISE_H
#define OD_CHOOSE_NOISE_H

#include "model/model.h"
#include "net/iwae.h"

#define OD_NOISE_CANDIDATES 1024 /* most rows of which some are taken to choose by */

/* Scratch of one thread. */
typedef struct od_noise_chooser {
    od_iwae net;       /* one sample per row */
    int64_t pool;      /* vectors to choose from; 0: there is no choice */
    int64_t d, latent; /* of the network */
    float *noise;      /* (pool, latent) */
    float *x;          /* (OD_NOISE_CANDIDATES, d) for the caller to fill */
    float *loss;       /* losses of the rows with each vector alone */
    float *error;      /* of each row with some of the vectors */
    int64_t *order;    /* of the candidates */
    int64_t *chosen;   /* (score samples) */
} od_noise_chooser;

/* Leaves *c empty if the parameters ask for no choice, or if rows are wide: there it brings nothing. */
odim_status od_noise_chooser_new(od_noise_chooser *c, const odim_model *model, odim_error *err);
void od_noise_chooser_free(od_noise_chooser *c);
/* Replaces the noise of member `index`, for a network with these parameters. c->x has `rows` training rows, 1
 * to OD_NOISE_CANDIDATES; it is overwritten. */
odim_status od_noise_chooser_run(od_noise_chooser *c, odim_model *model, int64_t index, const float *params,
                                 const float *stats, int64_t rows, odim_error *err);

/* Chooses k of `pool` vectors; loss (pool, rows) is finite. chosen (k) in the order of the choice; scratch
 * (3 rows). */
void od_noise_choose(const float *loss, int64_t pool, int64_t rows, int64_t k, int64_t *chosen,
                     float *scratch);

#endif
