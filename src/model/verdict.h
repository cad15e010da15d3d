/*
 * The verdict: combines the evidence on a row into one readable score and a decision. score/threshold.c
 * explains it.
 */
#ifndef OD_VERDICT_H
#define OD_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/* A row with a higher score is called an outlier. */
#define OD_SCORE_OUTLIER 4.0
/* A row with a higher score may be worth a look. */
#define OD_SCORE_UNUSUAL 3.0

/* Where the scores of one detector lie: a score s is (g(s) - centre) / spread, g being itself or log. */
typedef struct od_score_unit {
    bool used;
    bool logarithm;
    double offset; /* added before the logarithm is taken */
    double centre, spread;
} od_score_unit;

/* A dense group of ordinary rows far from the others. */
typedef struct od_group {
    double *mean;   /* (q) */
    double *whiten; /* (q, q): see od_whiten */
    double limit;   /* squared distance of its outermost rows */
} od_group;

typedef struct od_verdict {
    bool present;          /* false: an older model without a verdict, whose scores are raw */
    od_score_unit shown;   /* of the raw score: the unit of what people see */
    od_score_unit alone;   /* of the raw score, where it is judged by itself */
    double alone_most;     /* a score beyond so many units is an outlier */
    od_score_unit loss;    /* of the networks, which must agree with the covariance */
    od_score_unit confirm; /* of the robust covariance */
    double agree_most;     /* multiple of their limits that both must exceed */
    bool apart;            /* the calibration found a group of scores that stands apart */
    int64_t q;             /* axes of the transform that tell the groups apart */
    int groups;
    od_group *group; /* (groups) */
    double unusual;  /* scores above this are unusual */
    od_score_unit
        learned; /* of the shown score plus what nearness to known rows adds, where rows are known */
} od_verdict;

void od_verdict_free(od_verdict *v);
void od_verdict_drop_groups(od_verdict *v);
/* Room for one more group. */
odim_status od_verdict_add_group(od_verdict *v, odim_error *err);

double od_score_unit_of(const od_score_unit *u, double score);

/* The probability that a row is an outlier, by its score: 0.5 at OD_SCORE_OUTLIER. */
double od_verdict_probability(double score);

#endif
