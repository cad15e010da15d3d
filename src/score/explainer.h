/* Scratch of one thread that explains rows, and the account of their scores. */
#ifndef OD_EXPLAINER_H
#define OD_EXPLAINER_H

#include "base/parallel.h"
#include "model/model.h"
#include "net/net.h"

#define OD_EXPLAIN_ROWS 64 /* rows that an explainer takes at a time */
/* Columns of a row that are tried where no account says which are suspicious. */
#define OD_EXPLAIN_SUSPECTS 32

typedef struct od_explainer {
    const odim_model *model;
    od_net net;
    bool transforms;            /* the score depends on transformed values */
    float *x;                   /* (OD_EXPLAIN_ROWS, features) */
    float *changed;             /* (OD_EXPLAIN_ROWS, features): rows with another value in one column */
    float *seen;                /* (OD_EXPLAIN_ROWS, width): transformed rows */
    float *inputs;              /* (OD_EXPLAIN_ROWS, layout.shape.d): what a network sees of them */
    double *input_parts;        /* (2, OD_EXPLAIN_ROWS, layout.shape.d): its account */
    int64_t *seen_by;           /* (width) how many networks see a value; NULL: all */
    od_attribution_parts parts; /* of as many rows: the means over the members */
    int64_t *column;            /* (OD_EXPLAIN_ROWS, columns tried) */
    double *score;              /* (OD_EXPLAIN_ROWS, columns tried, OD_QUANTILES): after the change */
    double *own;                /* (features) parts of a row's score that come from auxiliary detectors */
    void *room;                 /* for the auxiliary detectors */
    double *each;               /* (columns) evidence of the checks of single cells */
    double *cells;              /* (columns and od_checks_room) for these checks */
} od_explainer;

odim_status od_explainer_new(od_explainer *e, const odim_model *model, odim_error *err);
void od_explainer_free(od_explainer *e);

/* How many columns of a row are tried with other values. */
int64_t od_explainer_suspects(const odim_model *m);

/* e->seen of x (rows, features), if the score depends on it. */
void od_explainer_see(od_explainer *e, const float *x, int64_t rows);

/* e->parts of x (rows, d), at most OD_EXPLAIN_ROWS of them. Without networks these are the scores and what
 * the detectors know of them, and nothing is expected. */
void od_explainer_attribute(od_explainer *e, const float *x, int64_t rows);

/* Explainers for rows of a model, one per thread. */
typedef struct od_explainer_pool {
    const odim_model *model;
    int64_t count; /* rows */
    od_run run;
    od_explainer *each; /* (threads) while od_explainer_run lasts */
} od_explainer_pool;

/* Runs jobs of OD_EXPLAIN_ROWS rows until all rows are done. */
odim_status od_explainer_run(od_explainer_pool *pool, od_parallel_job job, int (*tick)(void *ctx), void *ctx,
                             odim_error *err);

#endif
