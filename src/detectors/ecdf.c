/* Stores sorted columns, and looks up tail shares in them. */
#include "detectors/ecdf.h"

#include <math.h>
#include <stdlib.h>

#include "common/sort.h"
#include "common/mem.h"
#include "base/parallel.h"

#define FINE  100                  /* a share is exact to one part of so many */
#define ROOM  ((int64_t)170 << 20) /* bytes of the rows that are learnt from, and of what is kept of them */
#define BATCH 256                  /* columns that are sorted before their values are put behind the others */

enum { VALUES, BELOW, UPTO, START, LEFT };

typedef struct column {
    float *value;
    int32_t *below, *upto;
    int32_t count;
    bool left;
} column;

typedef struct fitting {
    const od_detector_task *task;
    float **sorted; /* (threads) of n */
    int64_t first;  /* column of the batch */
    int64_t room;   /* for values that are kept */
    column *column; /* (BATCH) */
} fitting;

/* Of ranks 0..n-1 the one that is kept after this; both ends are dense. */
static int64_t next_rank(int64_t rank, int64_t n)
{
    int64_t in = rank + 1 < n - rank ? rank + 1 : n - rank;
    int64_t step = in / FINE > 1 ? in / FINE : 1;
    int64_t next = rank + step;
    /* On the way out a step is measured where it ends. */
    while (step > 1 && n - next < step * FINE) next = rank + --step;
    return next;
}

int64_t od_ecdf_most_rows(int64_t d)
{
    int64_t room = ROOM / d / (int64_t)sizeof(float), kept = 0;
    for (int64_t rank = 0; rank < room; rank = next_rank(rank, room)) kept++;
    /* Of few rows most are kept, but never more than all: a row then takes four times its size. */
    return room - 3 * kept > room / 4 ? room - 3 * kept : room / 4;
}

/* The sign of the third moment. */
static bool is_left_tailed(const float *x, int64_t n)
{
    double mean = 0.0, third = 0.0;
    for (int64_t i = 0; i < n; i++) mean += (double)x[i] / (double)n;
    for (int64_t i = 0; i < n; i++) third += pow((double)x[i] - mean, 3.0);
    return third < 0.0;
}

/* Of sorted x the kept values, each once, and their ranks: into c unless that is NULL; how many. */
static int32_t pick(column *c, const float *x, int64_t n)
{
    int32_t count = 0;
    for (int64_t rank = 0, to = 0; rank < n; rank = next_rank(to - 1, n)) {
        int64_t from = rank;
        while (from > to && x[from - 1] == x[rank]) from--;
        for (to = rank + 1; to < n && x[to] == x[rank];) to++;
        if (c) {
            c->value[count] = x[rank];
            c->below[count] = (int32_t)from;
            c->upto[count] = (int32_t)to;
        }
        count++;
    }
    return count;
}

static odim_status fit_column(void *ctx, od_parallel *par, int worker, int64_t number, odim_error *err)
{
    fitting *f = ctx;
    column *c = &f->column[number];
    int64_t j = f->first + number;
    float *x = f->sorted[worker];
    int64_t n = f->task->n, d = f->task->d;
    if (od_parallel_stopped(par)) return od_fail(err, ODIM_ERR_CANCELLED, "cancelled");
    for (int64_t i = 0; i < n; i++) x[i] = f->task->x[i * d + j];
    od_sort_float(x, n);
    c->left = is_left_tailed(x, n);
    c->count = pick(NULL, x, n);
    c->value = od_alloc((size_t)c->count, sizeof *c->value);
    c->below = od_alloc((size_t)c->count, sizeof *c->below);
    c->upto = od_alloc((size_t)c->count, sizeof *c->upto);
    if (!c->value || !c->below || !c->upto) return od_fail_nomem(err);
    pick(c, x, n);
    return ODIM_OK;
}

static int tick(void *ctx)
{
    const fitting *f = ctx;
    return od_detector_tick(f->task);
}

/* Makes room for more values in part number i, of which there are `old`. */
static odim_status grow(od_detector *c, int i, od_detector_array_kind kind, int64_t old, int64_t room,
                        odim_error *err)
{
    void *at = od_grow(c->part[i].at.any, (size_t)old, (size_t)room, sizeof(float));
    if (!at) return od_fail_nomem(err);
    c->part[i] = (od_detector_array){kind, old, {.any = at}};
    return ODIM_OK;
}

/* Puts the columns of a batch behind those that are there. Only a batch is there twice, since the values of
 * all columns may take as much memory as the rows. If there is no room, as much is made as all columns need
 * if the others are like those so far. */
static odim_status keep(od_detector *c, fitting *f, int64_t count, odim_error *err)
{
    int64_t old = c->part[START].at.i[f->first], all = old;
    odim_status status = ODIM_OK;
    for (int64_t j = 0; j < count; j++) all += f->column[j].count;
    if (all > INT32_MAX) return od_fail(err, ODIM_ERR_DATA, "too many values");
    if (all > f->room) {
        f->room = all + all / (f->first + count) * (f->task->d - f->first - count) * 9 / 8;
        status = grow(c, VALUES, OD_ARRAY_FLOAT, old, f->room, err);
        if (!status) status = grow(c, BELOW, OD_ARRAY_INT, old, f->room, err);
        if (!status) status = grow(c, UPTO, OD_ARRAY_INT, old, f->room, err);
    }
    if (status) return status;
    for (int i = VALUES; i <= UPTO; i++) c->part[i].count = all;
    int32_t at = (int32_t)old;
    for (int64_t j = 0; j < count; j++) {
        const column *from = &f->column[j];
        c->part[LEFT].at.i[f->first + j] = from->left;
        for (int32_t i = 0; i < from->count; i++, at++) {
            c->part[VALUES].at.f[at] = from->value[i];
            c->part[BELOW].at.i[at] = from->below[i];
            c->part[UPTO].at.i[at] = from->upto[i];
        }
        c->part[START].at.i[f->first + j + 1] = at;
    }
    return ODIM_OK;
}

static void free_columns(column *list)
{
    for (int64_t j = 0; list && j < BATCH; j++) {
        od_free(list[j].value);
        od_free(list[j].below);
        od_free(list[j].upto);
        list[j] = (column){0};
    }
}

odim_status od_ecdf_fit(od_detector *c, const od_detector_task *t, odim_error *err)
{
    fitting f = {.task = t};
    int64_t threads = t->threads < t->d ? t->threads : t->d;
    if (t->n > INT32_MAX) return od_fail(err, ODIM_ERR_DATA, "too many values");
    c->count[0] = t->n;
    f.sorted = od_calloc((size_t)threads, sizeof *f.sorted);
    f.column = od_calloc(BATCH, sizeof *f.column);
    odim_status status = f.sorted && f.column ? ODIM_OK : od_fail_nomem(err);
    if (!status) status = od_detector_array_new(c, START, OD_ARRAY_INT, t->d + 1, err);
    if (!status) status = od_detector_array_new(c, LEFT, OD_ARRAY_INT, t->d, err);
    for (int64_t i = 0; !status && i < threads; i++)
        if (!(f.sorted[i] = od_alloc((size_t)t->n, sizeof **f.sorted))) status = od_fail_nomem(err);
    for (; !status && f.first < t->d; f.first += BATCH) {
        int64_t count = t->d - f.first < BATCH ? t->d - f.first : BATCH;
        status = od_parallel_run((int)threads, count, fit_column, tick, &f, err);
        if (!status) status = keep(c, &f, count, err);
        free_columns(f.column);
    }
    for (int64_t i = 0; f.sorted && i < threads; i++) od_free(f.sorted[i]);
    free_columns(f.column);
    od_free(f.sorted);
    od_free(f.column);
    return status;
}

size_t od_ecdf_scratch(const od_detector *c)
{
    (void)c;
    return 0;
}

/* How many rows are up to x, and how many are below it: between two kept values in proportion. */
static void find_ranks(const od_detector *c, int64_t feature, float x, double *upto, double *below)
{
    const float *value = c->part[VALUES].at.f;
    const int32_t *start = c->part[START].at.i + feature;
    int32_t low = start[0], high = start[1]; /* the first that is above x is in low..high */
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (value[middle] <= x)
            low = middle + 1;
        else
            high = middle;
    }
    bool first = low == start[0], last = low == start[1];
    if (!first && value[low - 1] == x) {
        *upto = (double)c->part[UPTO].at.i[low - 1];
        *below = (double)c->part[BELOW].at.i[low - 1];
    } else if (first || last) {
        *upto = *below = first ? 0.0 : (double)c->count[0];
    } else {
        double from = (double)c->part[UPTO].at.i[low - 1], to = (double)c->part[BELOW].at.i[low];
        double way = ((double)x - (double)value[low - 1]) / ((double)value[low] - (double)value[low - 1]);
        *upto = *below = from + (to - from) * way;
    }
}

od_ecdf_tails od_ecdf_at(const od_detector *c, int64_t feature, float x)
{
    double upto, below, n = (double)c->count[0];
    find_ranks(c, feature, x, &upto, &below);
    od_ecdf_tails t = {.left = -log(fmax(upto, 0.5) / n), .right = -log(fmax(n - below, 0.5) / n)};
    t.skew = c->part[LEFT].at.i[feature] ? t.left : t.right;
    return t;
}

static bool is_column(const od_detector *c, int32_t from, int32_t to)
{
    const float *value = c->part[VALUES].at.f;
    const int32_t *below = c->part[BELOW].at.i, *upto = c->part[UPTO].at.i;
    bool fine = from < to && below[from] == 0 && upto[to - 1] == c->count[0];
    for (int32_t i = from; fine && i < to; i++)
        fine = below[i] < upto[i] && (i == from || (value[i - 1] < value[i] && upto[i - 1] <= below[i]));
    return fine;
}

odim_status od_ecdf_check(const od_detector *c, odim_error *err)
{
    int64_t all = c->part[VALUES].count, d = c->d;
    const int32_t *start = c->part[START].at.i;
    bool fine = c->count[0] >= 2 && all >= 1 && all <= INT32_MAX &&
                od_detector_has(c, VALUES, OD_ARRAY_FLOAT, all) &&
                od_detector_has(c, BELOW, OD_ARRAY_INT, all) && od_detector_has(c, UPTO, OD_ARRAY_INT, all) &&
                od_detector_has(c, START, OD_ARRAY_INT, d + 1) && od_detector_has(c, LEFT, OD_ARRAY_INT, d) &&
                start[0] == 0 && start[d] == all;
    for (int64_t j = 0; fine && j < d; j++)
        fine = start[j] < start[j + 1] && start[j + 1] <= all && is_column(c, start[j], start[j + 1]);
    return fine ? ODIM_OK : od_fail(err, ODIM_ERR_FORMAT, "not sorted columns");
}

int64_t od_ecdf_values(const od_detector *c)
{
    return c->part[VALUES].count;
}
