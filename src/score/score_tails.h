/*
 * The upper tail of the scores: densities of inliers and outliers above the median.
 *
 * Scores of inliers have all sorts of shapes: skewed, flat, with long or short tails, in lumps. Only their
 * upper tail has to be described well, because outliers must be told from it. So everything here is about
 * distances y from the median, on one side.
 *
 * Inliers: f0(y) = b / (s Gamma(1/b)) exp(-(y/s)^b), which is half a normal for b = 2, exponential for b = 1,
 * flat with a steep end for larger b and heavy-tailed for smaller ones.
 *
 * Outliers: f1(y) = (k/y) v / (1 + v)^2 with v = (y/r)^k: log-logistic with median r and a fixed k. Half of
 * it is within a factor of 1.2 of r, but it falls so slowly on both sides that outliers need not look like
 * it.
 */
#ifndef OD_SCORE_TAILS_H
#define OD_SCORE_TAILS_H

#include <stdint.h>

#define OD_TAIL_SINGLES      128 /* the farthest rows are kept one by one, */
#define OD_TAIL_GROUPS       256 /* the others in so many groups of equal size */
#define OD_SCORE_TAIL_POINTS (OD_TAIL_SINGLES + OD_TAIL_GROUPS)

/* Rows on one side of the median, nearest first. */
typedef struct od_score_tail {
    double unit; /* a typical distance; y is in units of it */
    int count;
    double rows; /* sum of the weights */
    double y[OD_SCORE_TAIL_POINTS], log_y[OD_SCORE_TAIL_POINTS];
    double weight[OD_SCORE_TAIL_POINTS]; /* rows that the point stands for */
    double power[OD_SCORE_TAIL_POINTS];  /* y^b for the b that is being tried */
    double resp[OD_SCORE_TAIL_POINTS];   /* how much of the point the outliers claim */
} od_score_tail;

typedef struct od_score_tail_fit {
    double shape, scale; /* b, s */
    double share, reach; /* of the outliers among these rows; r. Both 0 in a fit without outliers */
    double merit; /* log-likelihood and, so that a few rows choose no extreme shape, a weak prior on b */
} od_score_tail_fit;

/* x[0], x[step], ... are n >= 1 scores in order of their distance from the centre. */
void od_score_tails_gather(od_score_tail *t, const double *x, int64_t n, int64_t step, double centre);

/* The best of a grid of shapes, by maximum likelihood; in units of the tail. */
od_score_tail_fit od_score_tails_fit_inliers(od_score_tail *t);
od_score_tail_fit od_score_tails_fit_both(od_score_tail *t);

/* Density at the top of the outliers' hump, as narrow as their rows make it, over that of the inliers at the
 * median. */
double od_score_tails_hump(od_score_tail *t, const od_score_tail_fit *fit);

/* log f0 at y = 0 for s = 1, and log f1 from the logarithms of y and r. */
double od_score_tails_log_top(double shape);
double od_score_tails_log_outlier(double log_y, double log_reach);

/* The least r, for s = 1, with which f1/f0 never falls. */
double od_score_tails_least_reach(double shape);

#endif
