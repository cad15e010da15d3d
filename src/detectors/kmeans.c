/* Finds clusters by k-means, from several starts at the same time. */
#include "detectors/kmeans.h"

#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "base/parallel.h"
#include "base/rng.h"

#define STARTS    10
#define MOST_RUNS 300
#define TOLERANCE 1e-4 /* of the mean variance of a feature: centers that move less have settled */
#define STOP_ROWS 4096 /* between two looks at whether the run is to end */

/* A start and what it came to, with the memory of a worker. */
typedef struct attempt {
    double *center;  /* (blocks, d, OD_CENTERS) */
    float *coarse;   /* the same in float */
    double *sum;     /* likewise: of the rows of each center */
    int64_t *rows;   /* (clusters) */
    double *square;  /* (n) to the nearest center */
    int32_t *label;  /* (n) */
    double *best;    /* the centers of the best start of this worker */
    double best_sum; /* of its squares */
    int64_t best_count, best_start;
} attempt;

typedef struct job {
    const od_detector_task *task;
    int64_t clusters, blocks;
    double settled;   /* what centers may move, squared */
    attempt *attempt; /* (workers) */
} job;

int64_t od_center_nearest(const double *center, int64_t blocks, int64_t d, const float *x, double *square)
{
    int64_t best = 0;
    *square = INFINITY;
    for (int64_t b = 0; b < blocks; b++) {
        double sum[OD_CENTERS] = {0};
        for (int64_t j = 0; j < d; j++, center += OD_CENTERS) {
            double v = (double)x[j];
            for (int l = 0; l < OD_CENTERS; l++) sum[l] += (v - center[l]) * (v - center[l]);
        }
        for (int l = 0; l < OD_CENTERS; l++) {
            if (!(sum[l] < *square)) continue;
            *square = sum[l];
            best = b * OD_CENTERS + l;
        }
    }
    return best;
}

static double square_from(const double *center, int64_t d, int64_t i, const float *x)
{
    double sum = 0.0;
    center += i / OD_CENTERS * d * OD_CENTERS + i % OD_CENTERS;
    for (int64_t j = 0; j < d; j++) {
        double apart = (double)x[j] - center[j * OD_CENTERS];
        sum += apart * apart;
    }
    return sum;
}

static double random_unit(const od_rng *s, uint64_t at)
{
    uint32_t w[4];
    od_rng_block(s, at, w);
    return ((double)((uint64_t)w[0] << 20 | w[1] >> 12) + 0.5) * 0x1p-52;
}

/* Center i and all places after it in its block become this row. */
static void put_center(const job *j, attempt *a, int64_t i, const float *x)
{
    int64_t d = j->task->d;
    for (int64_t at = i; at == i || at % OD_CENTERS; at++)
        for (int64_t f = 0; f < d; f++) *od_center_value(a->center, d, at, f) = (double)x[f];
}

/* The first centers: rows drawn by the square of their distance from the centers so far. How many; 0:
 * the run is to end. */
static int64_t seed_centers(const job *j, attempt *a, int64_t start, od_parallel *par)
{
    const od_detector_task *t = j->task;
    od_rng s = od_rng_make(t->seed, (uint32_t)start, OD_RNG_KMEANS, 0);
    int64_t row = (int64_t)(random_unit(&s, 0) * (double)t->n), count = 0;
    for (int64_t i = 0; i < t->n; i++) a->square[i] = INFINITY;
    for (;;) {
        double all = 0.0, at;
        if (od_parallel_stopped(par)) return 0;
        put_center(j, a, count, t->x + row * t->d);
        for (int64_t i = 0; i < t->n; i++) {
            a->square[i] = fmin(a->square[i], square_from(a->center, t->d, count, t->x + i * t->d));
            all += a->square[i];
        }
        if (++count == j->clusters || !(all > 0.0)) return count;
        at = random_unit(&s, (uint64_t)count) * all;
        int64_t last = 0;
        for (row = 0; row < t->n; row++) {
            if (!(a->square[row] > 0.0)) continue;
            last = row;
            if ((at -= a->square[row]) <= 0.0) break;
        }
        row = last;
    }
}

/* Compilers make vectors of these by themselves, but not of loops over them. */
typedef float four __attribute__((vector_size(16)));
enum { TOGETHER = 4 }; /* rows that are compared at a time */

/* The same as od_center_nearest for TOGETHER rows, in float. */
static void find_nearest(const float *center, int64_t blocks, int64_t d, const float *x, int32_t *label,
                         double *square)
{
    float best[TOGETHER] = {INFINITY, INFINITY, INFINITY, INFINITY};
    for (int64_t b = 0; b < blocks; b++) {
        four low[TOGETHER] = {0}, high[TOGETHER] = {0};
        for (int64_t j = 0; j < d; j++, center += OD_CENTERS) {
            four c0, c1;
            memcpy(&c0, center, sizeof c0);
            memcpy(&c1, center + 4, sizeof c1);
            for (int i = 0; i < TOGETHER; i++) {
                four apart0 = c0 - x[i * d + j], apart1 = c1 - x[i * d + j];
                low[i] += apart0 * apart0;
                high[i] += apart1 * apart1;
            }
        }
        for (int i = 0; i < TOGETHER; i++)
            for (int l = 0; l < OD_CENTERS; l++) {
                float sum = l < 4 ? low[i][l] : high[i][l - 4];
                if (!(sum < best[i])) continue;
                best[i] = sum;
                label[i] = (int32_t)(b * OD_CENTERS + l);
            }
    }
    for (int i = 0; i < TOGETHER; i++) square[i] = (double)best[i];
}

/* Gives each row to its nearest center; false: the run is to end. Float is enough to tell which one that is,
 * but for values whose squares it does not hold. */
static bool assign(const job *j, attempt *a, int64_t count, od_parallel *par)
{
    const od_detector_task *t = j->task;
    int64_t blocks = od_center_blocks(count), together = t->n / TOGETHER * TOGETHER;
    for (int64_t i = 0; i < blocks * t->d * OD_CENTERS; i++) a->coarse[i] = (float)a->center[i];
    for (int64_t i = 0; i < together; i += TOGETHER) {
        if (i % STOP_ROWS == 0 && od_parallel_stopped(par)) return false;
        find_nearest(a->coarse, blocks, t->d, t->x + i * t->d, a->label + i, a->square + i);
    }
    for (int64_t i = 0; i < t->n; i++)
        if (i >= together || !(a->square[i] < INFINITY))
            a->label[i] = (int32_t)od_center_nearest(a->center, blocks, t->d, t->x + i * t->d, &a->square[i]);
    return true;
}

/* Moves each center to the mean of its rows, and says how far in all, squared. One without rows stays. */
static double move(const job *j, attempt *a, int64_t count)
{
    const od_detector_task *t = j->task;
    int64_t d = t->d;
    double moved = 0.0;
    memset(a->sum, 0, (size_t)(j->blocks * d * OD_CENTERS) * sizeof *a->sum);
    memset(a->rows, 0, (size_t)count * sizeof *a->rows);
    for (int64_t i = 0; i < t->n; i++) {
        double *sum = od_center_value(a->sum, d, a->label[i], 0);
        for (int64_t f = 0; f < d; f++) sum[f * OD_CENTERS] += (double)t->x[i * d + f];
        a->rows[a->label[i]]++;
    }
    for (int64_t i = 0; i < od_center_blocks(count) * OD_CENTERS; i++) {
        int64_t from = i < count ? i : count - 1;
        for (int64_t f = 0; a->rows[from] && f < d; f++) {
            double *at = od_center_value(a->center, d, i, f);
            double to = *od_center_value(a->sum, d, from, f) / (double)a->rows[from];
            if (i < count) moved += (to - *at) * (to - *at);
            *at = to;
        }
    }
    return moved;
}

static odim_status attempt_one(void *ctx, od_parallel *par, int worker, int64_t start, odim_error *err)
{
    const job *j = ctx;
    attempt *a = &j->attempt[worker];
    int64_t count = seed_centers(j, a, start, par);
    bool going = count && assign(j, a, count, par);
    for (int run = 0; going && run < MOST_RUNS && move(j, a, count) > j->settled; run++)
        going = assign(j, a, count, par);
    if (!going) return od_fail(err, ODIM_ERR_CANCELLED, "cancelled");
    double sum = 0.0;
    for (int64_t i = 0; i < j->task->n; i++) sum += a->square[i];
    if (a->best_count && (sum > a->best_sum || (sum == a->best_sum && start > a->best_start))) return ODIM_OK;
    memcpy(a->best, a->center, (size_t)(j->blocks * j->task->d * OD_CENTERS) * sizeof *a->best);
    a->best_sum = sum;
    a->best_count = count;
    a->best_start = start;
    return ODIM_OK;
}

static odim_status attempt_new(const job *j, attempt *a, odim_error *err)
{
    size_t n = (size_t)j->task->n, places = (size_t)(j->blocks * OD_CENTERS), d = (size_t)j->task->d;
    *a = (attempt){.center = od_alloc(places, d * sizeof *a->center),
                   .coarse = od_alloc(places, d * sizeof *a->coarse),
                   .sum = od_alloc(places, d * sizeof *a->sum),
                   .rows = od_alloc(places, sizeof *a->rows),
                   .square = od_alloc(n, sizeof *a->square),
                   .label = od_alloc(n, sizeof *a->label),
                   .best = od_alloc(places, d * sizeof *a->best)};
    bool there = a->center && a->coarse && a->sum && a->rows && a->square && a->label && a->best;
    return there ? ODIM_OK : od_fail_nomem(err);
}

static void attempt_free(attempt *a)
{
    od_free(a->center);
    od_free(a->coarse);
    od_free(a->sum);
    od_free(a->rows);
    od_free(a->square);
    od_free(a->label);
    od_free(a->best);
}

/* The mean variance of the features. */
static double mean_variance(const od_detector_task *t)
{
    double sum = 0.0;
    for (int64_t f = 0; f < t->d; f++) {
        double mean = 0.0, square = 0.0;
        for (int64_t i = 0; i < t->n; i++) mean += (double)t->x[i * t->d + f];
        mean /= (double)t->n;
        for (int64_t i = 0; i < t->n; i++)
            square += ((double)t->x[i * t->d + f] - mean) * ((double)t->x[i * t->d + f] - mean);
        sum += square / (double)t->n;
    }
    return sum / (double)t->d;
}

static int tick(void *ctx)
{
    const job *j = ctx;
    return od_detector_tick(j->task);
}

/* The clusters of the best centers, which are in a->best. */
static odim_status describe(od_kmeans *k, const job *j, attempt *a, odim_error *err)
{
    const od_detector_task *t = j->task;
    k->count = a->best_count;
    k->center = a->best;
    a->best = NULL;
    k->cluster = od_calloc((size_t)k->count, sizeof *k->cluster);
    int64_t *first = od_calloc((size_t)k->count, sizeof *first);
    for (int64_t i = 0; k->cluster && first && i < t->n; i++) {
        const float *x = t->x + i * t->d;
        double square;
        int64_t at = od_center_nearest(k->center, od_center_blocks(k->count), t->d, x, &square);
        od_cluster *c = &k->cluster[at];
        if (c->rows++ == 0) {
            first[at] = i;
            c->equal = true;
        }
        const float *y = t->x + first[at] * t->d;
        for (int64_t f = 0; c->equal && f < t->d; f++) c->equal = x[f] == y[f];
    }
    for (int64_t i = 0; k->cluster && i < k->count; i++) k->cluster[i].number = i;
    bool there = k->cluster && first;
    od_free(first);
    return there ? ODIM_OK : od_fail_nomem(err);
}

static bool is_better(const attempt *a, const attempt *b)
{
    if (!a->best_count || !b->best_count) return a->best_count > 0;
    return a->best_sum != b->best_sum ? a->best_sum < b->best_sum : a->best_start < b->best_start;
}

odim_status od_kmeans_fit(od_kmeans *k, const od_detector_task *task, int64_t clusters, odim_error *err)
{
    int64_t threads = task->threads < 1 ? 1 : task->threads > STARTS ? STARTS : task->threads, best = 0;
    int64_t count = clusters < task->n ? clusters : task->n;
    job j = {.task = task,
             .clusters = count,
             .blocks = od_center_blocks(count),
             .settled = TOLERANCE * mean_variance(task),
             .attempt = od_calloc((size_t)threads, sizeof *j.attempt)};
    *k = (od_kmeans){0};
    odim_status status = j.attempt ? ODIM_OK : od_fail_nomem(err);
    for (int64_t i = 0; !status && i < threads; i++) status = attempt_new(&j, &j.attempt[i], err);
    if (!status) status = od_parallel_run((int)threads, STARTS, attempt_one, tick, &j, err);
    for (int64_t i = 1; !status && i < threads; i++)
        if (is_better(&j.attempt[i], &j.attempt[best])) best = i;
    if (!status) status = describe(k, &j, &j.attempt[best], err);
    for (int64_t i = 0; j.attempt && i < threads; i++) attempt_free(&j.attempt[i]);
    od_free(j.attempt);
    return status;
}

void od_kmeans_free(od_kmeans *k)
{
    od_free(k->center);
    od_free(k->cluster);
    *k = (od_kmeans){0};
}
