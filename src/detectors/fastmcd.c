/* Searches the subset of rows with the least covariance determinant. */
#include "detectors/fastmcd.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/compare.h"
#include "common/mem.h"
#include "common/sort.h"
#include "base/parallel.h"
#include "base/rng.h"
#include "detectors/pca_space.h"
#include "detectors/covariance.h"

#define GROUP       300 /* rows, and at least GROUP_WIDTH for each column */
#define GROUP_WIDTH 5
#define GROUPS      5
#define STARTS      500
#define BEST        10
#define FIRST_STEPS 2
#define LAST_STEPS  100
#define USUAL_STEPS 30 /* that it takes until nothing changes */
#define MOST_BEST   100
#define WORK        5e7  /* multiply-adds that a stage may take: more starts find nothing better */
#define LITTLE      5e7  /* so many are no reason to look at a part of the rows or to stop early */
#define WIDE        128  /* columns; of fewer, random starts find better subsets */
#define DEAR        8    /* starts that can be afforded; if fewer, a step is dear */
#define SURE_STARTS 2    /* that are not random */
#define SETTLED     1e-3 /* of the logarithm of a determinant, for each column: a change that is little */
#define ROW_WORK    40   /* what a row costs besides */

/* A candidate: the mean (q) and covariance (q, q) to step from, and how good they are. */
typedef struct candidate {
    double log_det;
    int64_t number; /* of equals the first is better */
    double *state;
} candidate;

/* What a worker needs. */
typedef struct room {
    double *u, *factor; /* (q, q) */
    double *room;       /* (2 OD_SCATTER_ROWS, q) */
    double *distance;   /* (n) */
    double *sorted;     /* (n) */
    int32_t *order;     /* (n + 1) */
} room;

typedef struct stage {
    const od_mcd_task *task;
    const int32_t *rows; /* a group's rows after another's */
    int64_t group_rows;  /* in each */
    int64_t starts;      /* of a group: jobs that begin at random subsets; 0: jobs begin where they are */
    int64_t steps;
    candidate *candidate;
    room *room;
} stage;

int64_t od_mcd_support(int64_t n, int64_t q)
{
    int64_t h = (n + q + 2) / 2;
    return h < n ? h : n;
}

static size_t state_size(int64_t q)
{
    return (size_t)(q * q + q);
}

/* How many candidates may take `steps` on so many rows each. */
static int64_t affordable(const od_mcd_task *t, double work, int64_t steps, int64_t rows, int64_t least,
                          int64_t most)
{
    double each = (double)steps * (double)rows * (double)(t->q * t->q + ROW_WORK);
    int64_t count = work / each < (double)most ? (int64_t)(work / each) : most;
    return count > least ? count : least;
}

/* Whether steps of many wide rows take so long that only the two sure starts are tried. The best of them then
 * goes on until little changes. */
static bool is_dear(const od_mcd_task *t)
{
    return t->q > WIDE && affordable(t, WORK, FIRST_STEPS, t->n, 0, STARTS) < DEAR;
}

/* ---- a C-step ------------------------------------------------------------------------------------------ */

/* Mean and covariance of the h nearest of the rows, of equally near ones the first; order (h) has their
 * numbers. */
static void gather(const od_mcd_task *t, const int32_t *rows, int64_t n, int64_t h, double *state, room *r)
{
    for (int64_t i = 0; i < n; i++) /* what is no number is far away */
        r->sorted[i] = r->distance[i] = r->distance[i] < DBL_MAX ? r->distance[i] : DBL_MAX;
    double most = od_select_double(r->sorted, n, h - 1);
    int64_t count = 0, equal = h;
    for (int64_t i = 0; i < n; i++) equal -= r->distance[i] < most;
    for (int64_t i = 0; i < n; i++) {
        bool is_near = r->distance[i] < most || (r->distance[i] == most && equal-- > 0);
        r->order[count] = rows[i]; /* kept only if it counts: there is no branch to guess */
        count += is_near;
    }
    od_mean_covariance(t->z, t->q, r->order, count, state, state + t->q, r->room);
}

/* C-steps from a state, until it changes no more, or all is to end. Returns the logarithm of the determinant.
 */
static double concentrate(const od_mcd_task *t, od_parallel *par, const int32_t *rows, int64_t n,
                          int64_t steps, double *state, room *r)
{
    int64_t q = t->q, h = od_mcd_support(n, q);
    const bool dear = is_dear(t);
    double best = INFINITY;
    for (int64_t step = 0; step <= steps; step++) {
        double log_det = od_whiten(state + q, q, OD_NO_VARIANCE, r->u, r->factor);
        bool settled = step > 0 && log_det >= best - (dear ? SETTLED * (double)q : 1e-13 * fabs(best));
        if (step > 0) best = log_det;
        if (settled || step == steps || od_parallel_stopped(par)) break;
        od_mahalanobis(t->z, q, rows, n, state, r->u, true, r->room, r->distance);
        gather(t, rows, n, h, state, r);
    }
    return best;
}

/* ---- starts -------------------------------------------------------------------------------------------- */

/* A number below n. */
static int64_t draw(const od_rng *s, uint64_t number, int64_t n)
{
    uint32_t w[4];
    od_rng_block(s, number, w);
    return (int64_t)(((uint64_t)w[0] * (uint64_t)n) >> 32);
}

/* `count` of the n numbers in list, drawn at random, go to the front. */
static void draw_some(od_rng s, int32_t *list, int64_t n, int64_t count)
{
    for (int64_t i = 0; i < count && i < n; i++) {
        int64_t other = i + draw(&s, (uint64_t)i, n - i);
        int32_t t = list[i];
        list[i] = list[other];
        list[other] = t;
    }
}

/* The first two starts of a group are not random. */
static void begin(const od_mcd_task *t, const int32_t *rows, int64_t n, int64_t start, uint32_t number,
                  double *state, room *r)
{
    int64_t q = t->q;
    memcpy(r->order, rows, (size_t)n * sizeof *rows);
    if (start == 0) { /* nearest to the middle, with all columns alike */
        memset(state, 0, state_size(q) * sizeof *state);
        for (int64_t j = 0; j < q; j++) state[q + j * q + j] = 1.0;
    } else if (start == 1) {
        od_mean_covariance(t->z, q, rows, n, state, state + q, r->room);
    } else {
        draw_some(od_rng_make(t->seed, number, OD_RNG_MCD, 1), r->order, n, q + 1);
        od_mean_covariance(t->z, q, r->order, q + 1 < n ? q + 1 : n, state, state + q, r->room);
    }
}

static odim_status run_job(void *ctx, od_parallel *par, int worker, int64_t number, odim_error *err)
{
    (void)err;
    const stage *s = ctx;
    candidate *c = &s->candidate[number];
    const int32_t *rows = s->rows + (s->starts ? number / s->starts * s->group_rows : 0);
    if (s->starts)
        begin(s->task, rows, s->group_rows, number % s->starts, (uint32_t)number, c->state, &s->room[worker]);
    c->log_det = concentrate(s->task, par, rows, s->group_rows, s->steps, c->state, &s->room[worker]);
    c->number = number;
    return ODIM_OK;
}

/* ---- stages -------------------------------------------------------------------------------------------- */

static int by_determinant(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->log_det != y->log_det) return x->log_det < y->log_det ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static int tick(void *ctx)
{
    const stage *s = ctx;
    return s->task->tick ? s->task->tick(s->task->ctx) : 0;
}

static odim_status run(stage *s, int64_t count, odim_error *err)
{
    int threads = s->task->threads > 1 ? (int)s->task->threads : 1;
    return od_parallel_run(threads, count, run_job, tick, s, err);
}

/* Rows are looked at in the order in which they lie in memory. */
static void sort_rows(int32_t *rows, int64_t groups, int64_t each)
{
    for (int64_t g = 0; g < groups; g++) qsort(rows + g * each, (size_t)each, sizeof *rows, od_compare_int32);
}

/* The best of each of `groups` runs of `each` candidates come to the front of all; returns how many. Equal
 * determinants are mostly equal subsets: one is enough. */
static int64_t select_best(candidate *c, int64_t groups, int64_t each, int64_t best)
{
    int64_t kept = 0;
    for (int64_t g = 0; g < groups; g++) {
        candidate *group = c + g * each;
        int64_t from_here = 0;
        qsort(group, (size_t)each, sizeof *c, by_determinant);
        for (int64_t i = 0; i < each && from_here < best; i++) {
            double before = kept ? c[kept - 1].log_det : INFINITY;
            if (from_here && group[i].log_det - before <= 1e-12 * fabs(before)) continue;
            candidate t = c[kept];
            c[kept++] = group[i];
            group[i] = t;
            from_here++;
        }
    }
    return kept;
}

static odim_status search(const od_mcd_task *t, int32_t *rows, candidate *c, int64_t groups, int64_t starts,
                          int64_t group_rows, room *r, odim_error *err)
{
    stage s = {
        .task = t, .rows = rows, .group_rows = group_rows, .steps = FIRST_STEPS, .candidate = c, .room = r};
    int64_t together = groups * group_rows, count;
    s.starts = starts;
    sort_rows(rows, groups, group_rows);
    odim_status status = run(&s, groups * starts, err);
    if (status) return status;
    s.starts = 0;
    if (groups > 1) {
        count = select_best(c, groups, starts, affordable(t, WORK, FIRST_STEPS, together * groups, 2, BEST));
        s.group_rows = together;
        sort_rows(rows, 1, together);
        if ((status = run(&s, count, err))) return status;
        starts = count;
    }
    s.group_rows = t->n;
    sort_rows(rows, 1, t->n);
    count = affordable(t, LITTLE, USUAL_STEPS, t->n, 0, MOST_BEST);
    s.steps = LAST_STEPS;
    if (count < BEST) { /* a look at the best before two of them go all the way */
        count = select_best(c, 1, starts, affordable(t, WORK, FIRST_STEPS, t->n, 2, BEST));
        s.steps = FIRST_STEPS;
        if ((status = run(&s, count, err))) return status;
        starts = count;
        count = is_dear(t) ? 1 : 2;
        s.steps = LAST_STEPS;
    }
    count = select_best(c, 1, starts, count);
    if ((status = run(&s, count, err))) return status;
    select_best(c, 1, count, 1);
    return ODIM_OK;
}

static bool room_make(room *r, const od_mcd_task *t)
{
    size_t q = (size_t)t->q, n = (size_t)t->n;
    r->u = od_alloc(2 * q, q * sizeof(double));
    r->room = od_alloc(2 * OD_SCATTER_ROWS, q * sizeof(double));
    r->distance = od_alloc(n, 2 * sizeof(double));
    r->order = od_alloc(n + 1, sizeof(int32_t));
    if (!r->u || !r->room || !r->distance || !r->order) return false;
    r->factor = r->u + q * q;
    r->sorted = r->distance + n;
    return true;
}

odim_status od_mcd_search(const od_mcd_task *t, int32_t *which, odim_error *err)
{
    int64_t n = t->n, q = t->q, h = od_mcd_support(n, q);
    int64_t least = GROUP > GROUP_WIDTH * q ? GROUP : GROUP_WIDTH * q;
    int64_t groups = n / least < GROUPS ? n / least : GROUPS, group_rows = least;
    if (groups < 2 || affordable(t, LITTLE, FIRST_STEPS, n, 0, STARTS) == STARTS) {
        groups = 1;
        group_rows = n;
    }
    int64_t starts = affordable(t, WORK, FIRST_STEPS, group_rows * groups, 4, STARTS / groups);
    if (is_dear(t)) {
        groups = 1;
        group_rows = n;
        starts = SURE_STARTS;
    }
    int64_t count = groups * starts;
    int64_t threads = t->threads > 1 ? t->threads : 1;
    candidate *c = od_calloc((size_t)count, sizeof *c);
    double *states = od_alloc((size_t)count, state_size(q) * sizeof *states);
    int32_t *rows = od_alloc((size_t)n, sizeof *rows);
    room *r = od_calloc((size_t)threads, sizeof *r);
    bool all = c && states && rows && r;
    for (int64_t i = 0; all && i < threads; i++) all = room_make(&r[i], t);
    odim_status status = all ? ODIM_OK : od_fail_nomem(err);
    if (!status) {
        for (int64_t i = 0; i < count; i++) c[i].state = states + (size_t)i * state_size(q);
        for (int64_t i = 0; i < n; i++) rows[i] = (int32_t)i;
        draw_some(od_rng_make(t->seed, 0, OD_RNG_MCD, 0), rows, n, n);
        status = search(t, rows, c, groups, starts, group_rows, r, err);
    }
    if (!status) { /* the subset that the best state is of: one more step, which changes nothing */
        od_whiten(c[0].state + q, q, OD_NO_VARIANCE, r[0].u, r[0].factor);
        od_mahalanobis(t->z, q, NULL, n, c[0].state, r[0].u, true, r[0].room, r[0].distance);
        gather(t, rows, n, h, c[0].state, &r[0]);
        memcpy(which, r[0].order, (size_t)h * sizeof *which);
    }
    for (int64_t i = 0; r && i < threads; i++) {
        od_free(r[i].u);
        od_free(r[i].room);
        od_free(r[i].distance);
        od_free(r[i].order);
    }
    od_free(r);
    od_free(rows);
    od_free(states);
    od_free(c);
    return status;
}
