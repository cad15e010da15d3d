/*
 * Chooses the rows that a model is trained on. A member sees about 20,000 rows however many there are, so a
 * sample represents a large table: the rows with the smallest random keys. A key is a function of the seed
 * and the row number. So the same rows are chosen in blocks, in parts, and on several machines.
 */
#ifndef OD_SAMPLE_H
#define OD_SAMPLE_H

#include "base/rng.h"
#include "base/status.h"

typedef struct od_sample_row {
    uint64_t key;
    int64_t row;
    int64_t slot; /* where the caller keeps it: 0..size-1 */
} od_sample_row;

typedef struct od_sample {
    int64_t size, count;
    od_rng stream;
    od_sample_row *heap; /* (size) the largest key first */
} od_sample;

/* How many rows represent a table of `cols` columns: fewer of wide ones, which need the memory. */
int64_t od_sample_size(int64_t cols);
/* How many known outliers at most are trained on besides: a quarter of that, 8192 to 32768. They are few
 * among many rows, and would hardly ever be in a sample of all. */
int64_t od_sample_known_size(int64_t cols);

odim_status od_sample_new(od_sample *s, int64_t size, uint64_t seed, odim_error *err);
/* The slot that this row takes, in place of what was there; -1: it is not among the chosen. */
int64_t od_sample_offer(od_sample *s, int64_t row);
/* How many of the chosen ones come before this key or, of the same key, up to this row. */
int64_t od_sample_within(const od_sample *s, uint64_t key, int64_t row);
/* Leaves only those: where the rows are in several samples, the ones that are chosen from all of them. */
void od_sample_limit(od_sample *s, uint64_t key, int64_t row);
/* When all were offered: the chosen ones by row number. */
void od_sample_sort(od_sample *s);
void od_sample_free(od_sample *s);

/* The rows of a table that a model is made from, in the order of the file. */
typedef struct od_row_set {
    int64_t *rows; /* (count) or NULL: the first `count` */
    int64_t count;
    int64_t *known; /* (knowns) outliers that are known as such; `rows` may have them too */
    int64_t knowns;
} od_row_set;

/* Among rows 0..n-1. known (n): 1 for a known outlier; NULL: there are none. */
odim_status od_sample_choose(od_row_set *out, const int8_t *known, int64_t n, int64_t cols, uint64_t seed,
                             odim_error *err);
void od_row_set_free(od_row_set *c);
/* Row number i of n that are chosen evenly among the rows of the set. */
int64_t od_row_set_even(const od_row_set *s, int64_t i, int64_t n);
/* How many of `rows` training rows are enough where a few are: at most 8192, and fewer of wide tables. */
int64_t od_sample_few(int64_t rows, int64_t features);

#endif
