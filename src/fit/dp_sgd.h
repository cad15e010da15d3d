/* Differentially private training of a member: DP-SGD (Abadi et al., 2016), explained in docs/PRIVACY.md. */
#ifndef OD_DP_H
#define OD_DP_H

#include "base/csprng.h"
#include "fit/member.h"
#include "net/dp_clip.h"
#include "privacy/budget.h"

/* What training will do, fixed before it looks at a row. */
typedef struct od_dp_plan {
    int64_t rows, members;
    int64_t updates;       /* of each member */
    uint64_t below;        /* a row is taken when a random word of 32 bits is below */
    double rate, batch;    /* the probability of that, and the expected number of rows */
    double noise, clip;    /* noise: in units of clip */
    double epsilon, delta; /* of all updates of all members, and of everything besides training */
} od_dp_plan;

/* others: the cost of everything besides training, or NULL. Fails if epsilon does not allow what the
 * configuration asks for. */
odim_status od_dp_plan_make(od_dp_plan *p, const od_config *config, int64_t rows, const od_budget *others,
                            odim_error *err);

/* Everything of one worker, reused from member to member. */
typedef struct od_dp_trainer {
    od_dp_plan plan;
    od_dp_clip clip;
    od_csprng rng;
    uint64_t secret;       /* seed of the noise of the latent variables */
    uint32_t drawn;        /* blocks of it so far */
    double *sum;           /* (params) of the clipped gradients */
    float *w, *g, *m, *v;  /* (params) g: their noised mean */
    int64_t *rows;         /* (OD_DP_BLOCK) of the table */
    float *x, *eps, *loss; /* of as many rows */
    double *noise;         /* (OD_DP_BLOCK) */
} od_dp_trainer;

#define OD_DP_BLOCK 256

odim_status od_dp_trainer_new(od_dp_trainer *t, const odim_model *model, const od_dp_plan *plan,
                              odim_error *err);
void od_dp_trainer_free(od_dp_trainer *t);

/* Trains member `index` of the model on all rows of the set, which has no known outliers. */
odim_status od_dp_fit(od_dp_trainer *t, odim_model *model, const od_training *set, int64_t index,
                      od_fit_state *state, od_parallel *par, odim_error *err);

#endif
