/*
 * Scores blocks of rows on one thread: the scratch memory of that thread and what is wanted of the rows.
 * Scoring a block allocates nothing.
 */
#ifndef OD_ROW_SCORER_H
#define OD_ROW_SCORER_H

#include <float.h>

#include "base/parallel.h"
#include "model/model.h"
#include "net/ready_nets.h"
#include "prep/encode.h"
#include "score/threshold.h"

/* The score of a row under a differentially private model, if its values are too extreme for one: whether a
 * private fit succeeds may not depend on a row. */
#define OD_SCORE_BEYOND 1e30
/* The same of a new row under any other model: as high as a score can be. */
#define OD_SCORE_HIGHEST ((double)FLT_MAX)

/* What is wanted of rows besides their raw scores. */
typedef struct od_row_wants {
    bool apart;    /* instead: the losses, and the scores of each auxiliary detector without its weight */
    bool evidence; /* checks of cells, nearness to known rows */
    bool confirm;  /* the score of the detector that confirms verdicts */
    bool losses;   /* of the networks, even if the raw score has none */
    bool axes;     /* the transformed rows */
    bool members;  /* the losses of each member */
} od_row_wants;

typedef struct od_row_scorer {
    const odim_model *model;
    od_row_wants wants;
    bool lossy;       /* something needs the losses of the networks */
    bool transformed; /* something looks at transformed rows */
    int64_t room;     /* most rows of a block */
    od_net net;
    od_ready_nets ready; /* instead, if there are many small blocks */
    float *plain;        /* (room, features) */
    float *x;            /* (room, width): the same after the transform */
    float *inputs;       /* (a block of rows, layout.shape.d): what a network sees of it */
    float *net_loss;     /* of the rows that a network scores at a time */
    void *scratch;       /* for the auxiliary detectors */
    double *cells;       /* for the checks */
    /* Of the last block: */
    double *raw, *loss, *confirm; /* (room) */
    double *checks;               /* (room) */
    double *excused;              /* (room) 1: od_checks_is_excused, 0: not */
    od_known_near *known;         /* (room), if the model has known rows */
    double *each;                 /* (members, room), if they are wanted */
    double *apart;                /* (auxiliary detectors, room), if they are wanted */
} od_row_scorer;

/* rows: most of a block. small: blocks of few rows, for which the networks are set up once and kept. */
odim_status od_row_scorer_new(od_row_scorer *w, const odim_model *model, const od_row_wants *wants,
                              int64_t rows, bool small, odim_error *err);
void od_row_scorer_free(od_row_scorer *w);

/* Scores rows list[0..count-1] of the encoder's table or, if list is NULL, start, start + 1, ... par: the run
 * to stop with, or NULL. */
odim_status od_row_scorer_block(od_row_scorer *w, od_parallel *par, const od_encoder *e, const int64_t *list,
                                int64_t start, int64_t count, odim_error *err);
/* What is known of row i of the last block. */
od_evidence od_row_scorer_at(const od_row_scorer *w, int64_t i);

/* Fails with the message that a row of the table has no score. */
odim_status od_score_fail(const odim_table *table, int64_t row, odim_error *err);

#endif
