/*
 * Subspace outlier degree (Kriegel et al., 2009): how far a row is from similar rows, in the features in
 * which these agree. The reference rows are those that share most of their k neighbors with the row; of rows
 * that share as many, the nearer one comes first. A feature counts if its variance among the reference rows
 * is below 0.8 of the mean variance. The score is the root of the mean squared distance from the means of the
 * reference rows over the features that count. If the features vary too evenly for any to count, all count;
 * PyOD's score is then 0.
 *
 * If too few rows share a neighbor with the row, its own neighbors complete the reference rows, the nearest
 * first.
 *
 * It keeps: what od_neighbors_fit keeps, and of each kept row those that have it among their neighbors: part
 * 4 (distinct + 1) where its list begins, and the end; part 5 the rows of the lists, part 6 how many copies
 * of it each has among its neighbors. Count 3: reference rows.
 */
#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "detectors/kept_neighbors.h"

enum { REFERENCES = OD_NEIGHBORS_COUNTS };
enum { START = OD_NEIGHBORS_ARRAYS, BY, SHARED };

#define ALPHA     0.8
#define MOST_ROWS 50000

/* ---- fitting ------------------------------------------------------------------------------------------- */

typedef struct lists {
    int64_t k;
    od_neighbor *list; /* (kept rows, k) */
    int64_t *found;    /* (kept rows) */
} lists;

static void take(void *ctx, int worker, int64_t row, const od_neighbor *list, int64_t found)
{
    (void)worker;
    const lists *l = ctx;
    memcpy(l->list + row * l->k, list, (size_t)found * sizeof *list);
    l->found[row] = found;
}

/* Turns the lists around: from rows and their neighbors to rows and whose neighbors they are. */
static odim_status turn_around(od_detector *c, const lists *l, odim_error *err)
{
    int64_t m = c->count[OD_NEIGHBORS_DISTINCT], all = 0;
    odim_status status = od_detector_array_new(c, START, OD_ARRAY_INT, m + 1, err);
    for (int64_t i = 0; i < m; i++) all += l->found[i];
    if (!status) status = od_detector_array_new(c, BY, OD_ARRAY_INT, all, err);
    if (!status) status = od_detector_array_new(c, SHARED, OD_ARRAY_INT, all, err);
    if (status) return status;
    int32_t *start = c->part[START].at.i;
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < l->found[i]; j++) start[l->list[i * l->k + j].row + 1]++;
    for (int64_t i = 0; i < m; i++) start[i + 1] += start[i];
    for (int64_t i = m; i-- > 0;) /* from the end: each list is filled from its end */
        for (int64_t j = 0; j < l->found[i]; j++) {
            const od_neighbor *near = &l->list[i * l->k + j];
            int32_t at = --start[near->row + 1];
            c->part[BY].at.i[at] = (int32_t)i;
            c->part[SHARED].at.i[at] = near->copies;
        }
    memmove(start, start + 1, (size_t)m * sizeof *start);
    start[m] = (int32_t)all;
    return ODIM_OK;
}

static odim_status fit(od_detector *c, const od_detector_task *task, odim_error *err)
{
    odim_status status = od_neighbors_fit(c, task, OD_GUIDE_CHOOSE, err);
    if (status) return status;
    int64_t m = c->count[OD_NEIGHBORS_DISTINCT], k = c->count[OD_NEIGHBORS_K];
    c->count[REFERENCES] = task->references < task->n - 1 ? task->references : task->n - 1;
    lists l = {.k = k,
               .list = od_alloc((size_t)m, (size_t)k * sizeof(od_neighbor)),
               .found = od_alloc((size_t)m, sizeof *l.found)};
    status = l.list && l.found ? ODIM_OK : od_fail_nomem(err);
    if (!status) status = od_kept_neighbors(c, task, take, &l, err);
    if (!status) status = turn_around(c, &l, err);
    od_free(l.list);
    od_free(l.found);
    return status;
}

/* ---- scoring ------------------------------------------------------------------------------------------- */

/* A row that may become a reference row. */
typedef struct candidate {
    double square;
    int32_t row, shared, copies;
} candidate;

/* Scratch of one thread, after that of the search. */
typedef struct room {
    double *mean, *variance; /* (d) */
    candidate *candidate;    /* (distinct) */
    int32_t *shared;         /* (distinct): neighbors that each kept row shares with the row; else 0 */
    int64_t count;           /* candidates */
    int64_t *at_level;       /* (k + 1): copies of candidates that share so many */
} room;

static size_t search_bytes(const od_detector *c)
{
    return (od_neighbors_scratch(c) + 15) / 16 * 16;
}

static size_t scratch(const od_detector *c)
{
    size_t m = (size_t)c->count[OD_NEIGHBORS_DISTINCT], k = (size_t)c->count[OD_NEIGHBORS_K];
    return search_bytes(c) + 2 * (size_t)c->d * sizeof(double) + m * sizeof(candidate) +
           (k + 1) * sizeof(int64_t) + m * sizeof(int32_t);
}

static room share_out(const od_detector *c, char *at)
{
    size_t m = (size_t)c->count[OD_NEIGHBORS_DISTINCT], k = (size_t)c->count[OD_NEIGHBORS_K];
    room r;
    r.mean = (double *)(at + search_bytes(c));
    r.variance = r.mean + c->d;
    r.candidate = (candidate *)(r.variance + c->d);
    r.at_level = (int64_t *)(r.candidate + m);
    r.shared = (int32_t *)(r.at_level + k + 1);
    memset(r.shared, 0, m * sizeof *r.shared);
    return r;
}

static double square_from(const od_detector *c, const float *x, int64_t row)
{
    double sum = 0.0;
    for (int64_t j = 0; j < c->d; j++) {
        double apart = (double)x[j] - (double)od_neighbors_value(c, row, j);
        sum += apart * apart;
    }
    return sum;
}

static bool is_row(const od_detector *c, const float *x, int64_t row)
{
    int64_t j = 0;
    while (j < c->d && od_neighbors_value(c, row, j) == x[j]) j++;
    return j == c->d;
}

/* Counts for each kept row how many neighbors it shares. The row itself is no candidate. */
static void find_candidates(const od_detector *c, const float *x, const od_neighbor *list, int64_t found,
                            room *r)
{
    const int32_t *start = c->part[START].at.i, *by = c->part[BY].at.i, *shared = c->part[SHARED].at.i;
    int64_t k = c->count[OD_NEIGHBORS_K], kept = 0;
    r->count = 0;
    for (int64_t i = 0; i < found; i++)
        for (int32_t at = start[list[i].row]; at < start[list[i].row + 1]; at++) {
            if (r->shared[by[at]] == 0) r->candidate[r->count++].row = by[at];
            r->shared[by[at]] += shared[at] < list[i].copies ? shared[at] : list[i].copies;
        }
    memset(r->at_level, 0, (size_t)(k + 1) * sizeof *r->at_level);
    for (int64_t i = 0; i < r->count; i++) {
        candidate *a = &r->candidate[i];
        a->shared = r->shared[a->row];
        r->shared[a->row] = 0;
        a->copies = c->part[OD_NEIGHBORS_COPIES].at.i[a->row] - (is_row(c, x, a->row) ? 1 : 0);
        if (a->copies == 0) continue;
        r->at_level[a->shared] += a->copies;
        r->candidate[kept++] = *a;
    }
    r->count = kept;
}

static bool comes_first(const od_detector *c, const candidate *a, const candidate *b)
{
    const int32_t *first = c->part[OD_NEIGHBORS_FIRST].at.i;
    return a->square < b->square || (a->square == b->square && first[a->row] < first[b->row]);
}

/* The candidates that become reference rows come first in r->candidate, with the copies that count; the
 * result is how many. */
static int64_t choose(const od_detector *c, const float *x, room *r)
{
    int64_t level = c->count[OD_NEIGHBORS_K], left = c->count[REFERENCES], chosen = 0;
    while (level > 0 && r->at_level[level] < left) left -= r->at_level[level--];
    for (int64_t i = 0; i < r->count; i++) {
        if (r->candidate[i].shared <= level) continue;
        candidate t = r->candidate[i];
        r->candidate[i] = r->candidate[chosen];
        r->candidate[chosen++] = t;
    }
    if (level == 0) return chosen;
    /* Of those that share as many as the last one the nearest. */
    int64_t last = chosen;
    for (int64_t i = chosen; i < r->count; i++) {
        if (r->candidate[i].shared != level) continue;
        candidate t = r->candidate[i];
        t.square = square_from(c, x, t.row);
        r->candidate[i] = r->candidate[last];
        r->candidate[last++] = t;
    }
    for (; left > 0; chosen++) {
        int64_t best = chosen;
        for (int64_t i = chosen + 1; i < last; i++)
            if (comes_first(c, &r->candidate[i], &r->candidate[best])) best = i;
        candidate t = r->candidate[best];
        r->candidate[best] = r->candidate[chosen];
        if (t.copies > left) t.copies = (int32_t)left;
        r->candidate[chosen] = t;
        left -= t.copies;
    }
    return chosen;
}

/* Completes the reference rows by neighbors that are not among them; how many there are then. */
static int64_t complete(const od_detector *c, const od_neighbor *list, int64_t found, room *r, int64_t chosen)
{
    int64_t left = c->count[REFERENCES], own = chosen;
    for (int64_t i = 0; i < chosen; i++) left -= r->candidate[i].copies;
    for (int64_t i = 0; i < found && left > 0; i++) {
        int64_t j = 0;
        while (j < own && r->candidate[j].row != list[i].row) j++;
        if (j < own) continue;
        int32_t copies = list[i].copies < left ? list[i].copies : (int32_t)left;
        r->candidate[chosen++] = (candidate){.row = list[i].row, .copies = copies};
        left -= copies;
    }
    return chosen;
}

/* Means and variances of the reference rows. */
static void describe(const od_detector *c, room *r, int64_t chosen)
{
    double all = 0.0;
    for (int64_t i = 0; i < chosen; i++) all += (double)r->candidate[i].copies;
    for (int64_t j = 0; j < c->d; j++) {
        double mean = 0.0, square = 0.0;
        for (int64_t i = 0; i < chosen; i++)
            mean += (double)od_neighbors_value(c, r->candidate[i].row, j) * (double)r->candidate[i].copies;
        mean /= all;
        for (int64_t i = 0; i < chosen; i++) {
            double apart = (double)od_neighbors_value(c, r->candidate[i].row, j) - mean;
            square += apart * apart * (double)r->candidate[i].copies;
        }
        r->mean[j] = mean;
        r->variance[j] = square / all;
    }
}

/* The score of x, and times what each feature has of it to part (d), which may be NULL. */
static double measure(const od_detector *c, const float *x, const room *r, double times, double *part)
{
    double total = 0.0, square = 0.0;
    int64_t counted = 0;
    for (int64_t j = 0; j < c->d; j++) total += r->variance[j];
    double below = ALPHA * total / (double)c->d;
    for (int64_t j = 0; j < c->d; j++) counted += r->variance[j] < below;
    if (counted == 0) {
        below = INFINITY;
        counted = c->d;
    }
    for (int64_t j = 0; j < c->d; j++)
        if (r->variance[j] < below) square += ((double)x[j] - r->mean[j]) * ((double)x[j] - r->mean[j]);
    double result = sqrt(square / (double)counted);
    for (int64_t j = 0; part && result > 0.0 && j < c->d; j++) {
        double apart = (double)x[j] - r->mean[j];
        if (r->variance[j] < below) part[j] += times * (apart * apart / ((double)counted * result));
    }
    return result;
}

static double compare(const od_detector *c, const float *x, const od_neighbor *list, int64_t found, room *r,
                      double times, double *part)
{
    find_candidates(c, x, list, found, r);
    int64_t chosen = complete(c, list, found, r, choose(c, x, r));
    describe(c, r, chosen);
    return measure(c, x, r, times, part);
}

static void score(const od_detector *c, const float *x, int64_t rows, void *scratch_of, double *scores)
{
    int64_t found[OD_DETECTOR_ROWS], k = c->count[OD_NEIGHBORS_K];
    const od_neighbor *list = od_neighbors_find(c, x, rows, scratch_of, found);
    room r = share_out(c, scratch_of);
    for (int64_t i = 0; i < rows; i++)
        scores[i] = compare(c, x + i * c->d, list + i * (k + 1), found[i], &r, 0.0, NULL);
}

static double attribute(const od_detector *c, const float *x, void *scratch_of, double times, double *part)
{
    int64_t found;
    const od_neighbor *list = od_neighbors_find(c, x, 1, scratch_of, &found);
    room r = share_out(c, scratch_of);
    return compare(c, x, list, found, &r, times, part);
}

/* ---- what comes from a file ---------------------------------------------------------------------------- */

/* A row is in a list once, and shares at most k neighbors in all: counts have room for so many. */
static bool lists_fit(const od_detector *c)
{
    int64_t m = c->count[OD_NEIGHBORS_DISTINCT], k = c->count[OD_NEIGHBORS_K], all = c->part[BY].count;
    const int32_t *start = c->part[START].at.i, *by = c->part[BY].at.i, *shared = c->part[SHARED].at.i;
    if (start[0] != 0 || start[m] != all) return false;
    for (int64_t i = 0; i < m; i++) {
        if (start[i] > start[i + 1] || start[i + 1] > all) return false;
        for (int32_t at = start[i]; at < start[i + 1]; at++)
            if (by[at] < 0 || by[at] >= m || shared[at] < 1 || shared[at] > k ||
                (at > start[i] && by[at] <= by[at - 1]))
                return false;
    }
    return true;
}

static odim_status check(const od_detector *c, odim_error *err)
{
    odim_status status = od_neighbors_check(c, err);
    if (status) return status;
    int64_t m = c->count[OD_NEIGHBORS_DISTINCT], references = c->count[REFERENCES];
    if (references < 1 || references > OD_DETECTOR_NEIGHBORS)
        return od_fail(err, ODIM_ERR_FORMAT, "%lld reference rows", (long long)references);
    bool fine = od_detector_has(c, START, OD_ARRAY_INT, m + 1) && c->part[BY].kind == OD_ARRAY_INT &&
                c->part[BY].count <= INT32_MAX && od_detector_has(c, SHARED, OD_ARRAY_INT, c->part[BY].count);
    if (!fine || !lists_fit(c))
        return od_fail(err, ODIM_ERR_FORMAT, "not the lists of neighbors of %lld rows", (long long)m);
    return ODIM_OK;
}

static int64_t most_rows(int64_t d)
{
    (void)d;
    return MOST_ROWS;
}

const od_detector_kind od_sod = {
    .method = OD_METHOD_SOD,
    .name = "sod",
    .fit = fit,
    .scratch = scratch,
    .score = score,
    .attribute = attribute,
    .keeps = "the training rows",
    .rows = od_neighbors_rows,
    .check = check,
    .most_rows = most_rows,
    .most_cells = OD_DETECTOR_COPIED,
};
