/*
 * The interface of the classical detectors. Each is one file with a fit, a score and a check, and one line
 * in detector.c. A detector keeps a few plain arrays, so that one writer and one reader of model files serve
 * all of them.
 *
 * Rows are features as od_encode_rows makes them, row by row. A high score means an outlier. Training rows
 * can be scored as well: a detector that looks for neighbors leaves out one kept row that equals the given
 * row.
 */
#ifndef OD_DETECTOR_H
#define OD_DETECTOR_H

#include <stdbool.h>

#include "base/status.h"

#define OD_DETECTOR_ARRAYS 8
#define OD_DETECTOR_COUNTS 4
#define OD_DETECTOR_ROWS   64 /* rows that are scored at a time, at most */
/* Cells of the rows that a fit learns from, at most, if it makes no copy of them (128 MiB), or one. */
#define OD_DETECTOR_CELLS     ((int64_t)1 << 25)
#define OD_DETECTOR_COPIED    ((int64_t)1 << 24)
#define OD_DETECTOR_NEIGHBORS 1000 /* near rows that may be asked for, at most: scratch grows with them */

/* The numbers are those of model files: they stay what they are. */
typedef enum od_method {
    OD_METHOD_NONE = 0, /* networks alone */
    OD_METHOD_IFOREST = 1,
    OD_METHOD_KNN = 2,
    OD_METHOD_LOF = 3,
    OD_METHOD_MCD = 4,
    OD_METHOD_PCA = 5,
    OD_METHOD_HBOS = 6,
    OD_METHOD_ECOD = 7,
    OD_METHOD_COPOD = 8,
    OD_METHOD_SUBSAMPLE_KNN = 9,
    OD_METHOD_TRUSTED_KNN = 10,
    OD_METHOD_KNOWN_ROWS = 11,
    OD_METHOD_OCSVM = 12,
    OD_METHOD_CBLOF = 13,
    OD_METHOD_LODA = 14,
    OD_METHOD_COF = 15,
    OD_METHOD_SOD = 16,
    OD_METHOD_BAGGING = 17,
    OD_METHOD_LAST = OD_METHOD_BAGGING
} od_method;

typedef enum od_detector_array_kind {
    OD_ARRAY_NONE = 0,
    OD_ARRAY_FLOAT = 1,
    OD_ARRAY_DOUBLE = 2,
    OD_ARRAY_INT = 3
} od_detector_array_kind;

typedef struct od_detector_array {
    od_detector_array_kind kind;
    int64_t count;
    union {
        float *f;
        double *d;
        int32_t *i;
        void *any;
    } at;
} od_detector_array;

typedef struct od_detector {
    od_method method;
    int64_t d;                                  /* features of a row */
    int64_t count[OD_DETECTOR_COUNTS];          /* numbers that the method keeps: each says which */
    od_detector_array part[OD_DETECTOR_ARRAYS]; /* arrays that the method keeps: each says which */
} od_detector;

/* The data and settings of a fit. */
typedef struct od_detector_task {
    const float *x; /* (n, d), n >= 2, all finite */
    int64_t n, d;
    float **owned; /* NULL, or where x is: a fit that needs it no more may free it, and sets it to NULL */
    const int32_t *which; /* for od_pca_space_turn: (n) numbers of rows of x, which has more; NULL: all */
    const bool *trusted;  /* (n) which rows are trusted, at least 2; NULL: all */
    bool one_unit;        /* all columns have the same unit: principal axes are found without scaling them */
    uint64_t seed;
    int64_t neighbors;      /* k of knn, lof, cof, sod, bagging, trusted rows; at most all rows are used */
    int64_t trees;          /* of iforest */
    int64_t tree_sample;    /* rows per tree; at most all rows are used */
    int64_t threads;        /* the result does not depend on it */
    int (*tick)(void *ctx); /* or NULL: see od_detector_tick */
    void *ctx;
    double nu, gamma;    /* of ocsvm; gamma 0: 1 / d */
    int64_t clusters;    /* of cblof; at most all rows are used */
    int64_t projections; /* of loda */
    int64_t bins;        /* of loda */
    int64_t references;  /* of sod */
    int64_t bags;        /* of bagging */
} od_detector_task;

typedef struct od_detector_kind {
    od_method method;
    const char *name;
    odim_status (*fit)(od_detector *c, const od_detector_task *task, odim_error *err);
    /* Bytes that one thread needs for scoring. */
    size_t (*scratch)(const od_detector *c);
    /* scores (rows) of x (rows, d), at most OD_DETECTOR_ROWS of them. May be called by many threads, each
     * with its own scratch. A row's score depends on no other row. */
    void (*score)(const od_detector *c, const float *x, int64_t rows, void *scratch, double *scores);
    /* Or NULL: the score of x (d) as a sum over features. Returns the score, and adds `times` the part of
     * each feature to part (d). */
    double (*attribute)(const od_detector *c, const float *x, void *scratch, double times, double *part);
    /* What it keeps of single rows, to follow "keeps"; NULL: nothing. */
    const char *keeps;
    /* The number of training rows it keeps, counting copies once, and whether x (d) is one of them; NULL: it
     * keeps none. */
    int64_t (*rows)(const od_detector *c, const float *x, bool *is_one);
    /* The number of single values of columns it keeps; NULL: none. */
    int64_t (*values)(const od_detector *c);
    /* Checks all that scoring relies on in a detector from a file: sizes, links, numbers. */
    odim_status (*check)(const od_detector *c, odim_error *err);
    /* The most rows of d features that a fit learns from; NULL: all. Of more, a random sample is taken. */
    int64_t (*most_rows)(int64_t d);
    /* The most cells of these rows, which bounds the memory of a fit; 0: any number. */
    int64_t most_cells;
} od_detector_kind;

/* NULL: there is no such method. */
const od_detector_kind *od_detector_kind_of(od_method method);
/* The method of this name that users may choose; OD_METHOD_NONE: there is no such method. */
od_method od_detector_named(const char *name, size_t len);
/* How many of n rows of d features a fit learns from. */
int64_t od_detector_learns_from(od_method method, int64_t n, int64_t d);
/* Which rows these are if they are not all: sets `rows` of the n flags. */
void od_detector_draw(int64_t n, int64_t rows, uint64_t seed, bool *drawn);
/* A note to the hooks, which may be NULL, if a fit learns from a sample of n rows. */
void od_detector_note(od_method method, int64_t n, int64_t d, const odim_hooks *hooks);

odim_status od_detector_fit(od_detector *c, od_method method, const od_detector_task *task, odim_error *err);
void od_detector_free(od_detector *c);
/* The result for the tick of od_parallel_run during a fit: reports progress, and may cancel. */
int od_detector_tick(const od_detector_task *task);
/* Part number i, of `count` zeros of a kind. */
odim_status od_detector_array_new(od_detector *c, int i, od_detector_array_kind kind, int64_t count,
                                  odim_error *err);
/* Whether part number i is this, for a check. */
bool od_detector_has(const od_detector *c, int i, od_detector_array_kind kind, int64_t count);

#endif
