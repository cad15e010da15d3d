/*
 * Counter-based random numbers: Philox 4x32 with 7 rounds (Salmon et al., SC 2011). These are the fewest
 * rounds that pass all of BigCrush. A number is a pure function of (seed, stream, position), so that it does
 * not depend on threads or on other draws.
 */
#ifndef OD_RNG_H
#define OD_RNG_H

#include <stdint.h>

#define OD_PHILOX_ROUNDS 7
#define OD_PHILOX_M0     0xD2511F53u
#define OD_PHILOX_M1     0xCD9E8D57u
#define OD_PHILOX_W0     0x9E3779B9u
#define OD_PHILOX_W1     0xBB67AE85u

typedef enum od_rng_purpose {
    OD_RNG_INIT = 1,      /* initial weights */
    OD_RNG_SHUFFLE,       /* order of rows in an epoch */
    OD_RNG_TRAIN,         /* noise of a training step */
    OD_RNG_CHECK,         /* noise of a stop-rule check */
    OD_RNG_SCORE,         /* noise that belongs to the fitted member */
    OD_RNG_SAMPLE,        /* which rows represent a large table */
    OD_RNG_KNOWN,         /* order of the known outliers in an epoch of theirs */
    OD_RNG_PRIVATE,       /* sampling and noise of private training, where a seed is to give them */
    OD_RNG_BOUNDS,        /* the same of private bounds */
    OD_RNG_MEANING,       /* and of what private scores mean */
    OD_RNG_SYNTHETIC,     /* synthetic rows */
    OD_RNG_SUBSAMPLE_KNN, /* which rows are kept to be compared with */
    OD_RNG_FOREST,        /* what the trees of a forest see and choose */
    OD_RNG_MCD,           /* groups and starts of robust covariances */
    OD_RNG_GROUPS,        /* first centres of groups of rows */
    OD_RNG_INPUTS,        /* which values of a row each network sees */
    OD_RNG_AXES,          /* where the search for principal axes begins */
    OD_RNG_DETECTOR_ROWS, /* which rows a detector learns from */
    OD_RNG_KMEANS,        /* first centers of clusters */
    OD_RNG_PROJECTIONS,   /* features and weights of projections */
    OD_RNG_BAGS,          /* features of each bag */
    OD_RNG_SCORE_ROWS     /* rows that the noise of scoring is chosen by */
} od_rng_purpose;

typedef struct od_rng {
    uint32_t key[2]; /* the seed */
    uint32_t hi[2];  /* upper half of the counter: (member, purpose) and step */
} od_rng;

od_rng od_rng_make(uint64_t seed, uint32_t member, od_rng_purpose purpose, uint32_t step);

/* Four words of the stream: number `block` of 2^64. */
void od_rng_block(const od_rng *s, uint64_t block, uint32_t out[4]);

/* Uniform in (0,1) from a word: never 0, never 1. */
static inline float od_unit(uint32_t word)
{
    return ((float)(word >> 9) + 0.5f) * 0x1p-23f;
}

#endif
