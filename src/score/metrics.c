/* Measures of scores when labels are known: AUC and average precision, as defined by scikit-learn. */
#include "odim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "base/status.h"

#define DIGIT_BITS 11 /* of a radix sort */
#define DIGITS     ((64 + DIGIT_BITS - 1) / DIGIT_BITS)
#define BUCKETS    (1 << DIGIT_BITS)
#define FEW        1024 /* items that are not worth counting digits */

typedef struct item {
    double score;
    int64_t row;
} item;

/* Highest score first; equal scores by row. */
static int descending(const void *a, const void *b)
{
    const item *x = a, *y = b;
    if (x->score != y->score) return x->score < y->score ? 1 : -1;
    return (x->row > y->row) - (x->row < y->row);
}

/* A number that grows while the score falls; the same for both zeros. */
static uint64_t key_of(double score)
{
    uint64_t bits;
    score += 0.0;
    memcpy(&bits, &score, sizeof bits);
    return bits >> 63 ? bits : ~bits & (UINT64_MAX >> 1);
}

static unsigned digit_of(uint64_t key, int digit)
{
    return (unsigned)(key >> (digit * DIGIT_BITS)) & (BUCKETS - 1);
}

/* Sorts by the digits of the keys, lowest digit first; items that are equal stay in their order. Returns
 * where the result is: in one of the two arrays. */
static item *sort_by_digits(item *from, item *to, int64_t n, int64_t (*start)[BUCKETS])
{
    for (int64_t i = 0; i < n; i++) {
        uint64_t key = key_of(from[i].score);
        for (int d = 0; d < DIGITS; d++) start[d][digit_of(key, d)]++;
    }
    for (int d = 0; d < DIGITS; d++) {
        if (start[d][digit_of(key_of(from[0].score), d)] == n) continue; /* all have the same */
        for (int64_t b = 0, sum = 0; b < BUCKETS; b++) {
            int64_t count = start[d][b];
            start[d][b] = sum;
            sum += count;
        }
        for (int64_t i = 0; i < n; i++) to[start[d][digit_of(key_of(from[i].score), d)]++] = from[i];
        item *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

/* Sorts n items, which it frees, or without memory returns NULL. */
static item *sort_many(item *items, int64_t n)
{
    item *other = od_alloc((size_t)n, sizeof *other);
    int64_t(*start)[BUCKETS] = od_calloc(DIGITS, sizeof *start);
    item *sorted = other && start ? sort_by_digits(items, other, n, start) : NULL;
    if (sorted != items) od_free(items);
    if (sorted != other) od_free(other);
    od_free(start);
    return sorted;
}

static item *sort_items(const double *scores, int64_t n, odim_error *err)
{
    for (int64_t i = 0; i < n; i++) {
        if (isnan(scores[i])) {
            od_fail_at(err, ODIM_ERR_DATA, i + 1, 0, "row %lld: its score is not a number",
                       (long long)(i + 1));
            return NULL;
        }
    }
    item *items = od_alloc((size_t)n, sizeof *items);
    if (!items) {
        od_fail_nomem(err);
        return NULL;
    }
    for (int64_t i = 0; i < n; i++) items[i] = (item){scores[i], i};
    if (n > FEW) {
        items = sort_many(items, n);
        if (!items) od_fail_nomem(err);
    } else {
        qsort(items, (size_t)n, sizeof *items, descending);
    }
    return items;
}

/* Both measures go over the distinct scores, with the number of outliers and inliers that have each. */
static odim_status walk(const double *scores, const int8_t *labels, int64_t n, double *auc, double *ap,
                        odim_error *err)
{
    if (n < 1) return od_fail(err, ODIM_ERR_DATA, "no scores");
    OD_NEED(scores, "scores", err);
    OD_NEED(labels, "labels", err);
    int64_t positives = 0;
    for (int64_t i = 0; i < n; i++) {
        if (labels[i] != 0 && labels[i] != 1)
            return od_fail_at(err, ODIM_ERR_DATA, i + 1, 0, "row %lld: the label must be 0 or 1",
                              (long long)(i + 1));
        positives += labels[i];
    }
    if (positives == 0 || positives == n)
        return od_fail(err, ODIM_ERR_DATA, "the labels are all %d: both kinds are needed", positives ? 1 : 0);
    odim_error local = {0};
    item *items = sort_items(scores, n, &local);
    if (!items) {
        if (err) *err = local;
        return local.status;
    }
    double pairs = 0.0,
           precision = 0.0; /* (outlier, inlier) pairs in the right order; precision x new outliers */
    int64_t seen_out = 0, seen_in = 0;
    for (int64_t i = 0; i < n;) {
        int64_t out = 0, in = 0;
        double score = items[i].score;
        for (; i < n && items[i].score == score; i++) labels[items[i].row] ? out++ : in++;
        pairs += (double)in * ((double)seen_out + 0.5 * (double)out);
        seen_out += out;
        seen_in += in;
        precision += (double)out * (double)seen_out / (double)(seen_out + seen_in);
    }
    *auc = pairs / ((double)positives * (double)(n - positives));
    *ap = precision / (double)positives;
    od_free(items);
    return ODIM_OK;
}

odim_status odim_auc(const double *scores, const int8_t *labels, int64_t n, double *out, odim_error *err)
{
    double ap;
    OD_NEED(out, "out", err);
    return walk(scores, labels, n, out, &ap, err);
}

odim_status odim_average_precision(const double *scores, const int8_t *labels, int64_t n, double *out,
                                   odim_error *err)
{
    double auc;
    OD_NEED(out, "out", err);
    return walk(scores, labels, n, &auc, out, err);
}

odim_status odim_rank(const double *scores, int64_t n, int64_t *rank, odim_error *err)
{
    if (n > 0) OD_NEED(scores, "scores", err);
    if (n > 0) OD_NEED(rank, "rank", err);
    odim_error local = {0};
    item *items = n > 0 ? sort_items(scores, n, &local) : NULL;
    if (n > 0 && !items) {
        if (err) *err = local;
        return local.status;
    }
    for (int64_t i = 0; i < n; i++) rank[items[i].row] = i + 1;
    od_free(items);
    return ODIM_OK;
}
