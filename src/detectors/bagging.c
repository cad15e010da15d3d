/*
 * Feature bagging (Lazarevic and Kumar, 2005), as PyOD has it: the mean local outlier factor over random
 * subsets of the features, the bags. A bag has between half of the features and all of them, without
 * repetition.
 *
 * Each bag is a detector lof of its own. It keeps: count 0 bags, 1 k, 2 features of a row; parts 0 to 5 those
 * of lof, of one bag after the other; part 6 of each bag its features, distinct rows, whether there is a
 * tree, and the numbers of the features, ascending.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "base/shuffle.h"
#include "detectors/kdtree.h"
#include "detectors/neighbors.h"

#define MOST_ROWS  50000
#define MOST_CELLS ((int64_t)1 << 22) /* of the rows: each bag keeps most of their features */
#define MOST_BAGS  1000

enum { BAGS, K, WIDTH };
enum { LOF_PARTS = OD_NEIGHBORS_ARRAYS + 2, PLAN = LOF_PARTS };
enum { PLAN_FEATURES, PLAN_ROWS, PLAN_TREE, PLAN_HEAD };

static const od_detector_kind *lof(void)
{
    return od_detector_kind_of(OD_METHOD_LOF);
}

/* ---- the bags as detectors ----------------------------------------------------------------------------- */

/* Walks over the bags: where the parts and the plan of the next one begin. */
typedef struct walk {
    int64_t at[LOF_PARTS], plan;
} walk;

/* How many values each part of a bag has. */
static void sizes_of(const int32_t *plan, int64_t size[LOF_PARTS])
{
    int64_t d = plan[PLAN_FEATURES], m = plan[PLAN_ROWS], blocks = od_blocks(m);
    size[OD_NEIGHBORS_ROWS] = blocks * d * OD_BLOCK;
    size[OD_NEIGHBORS_COPIES] = size[OD_NEIGHBORS_FIRST] = m;
    size[OD_NEIGHBORS_GUIDE] = plan[PLAN_TREE] ? (2 * blocks - 1) * 2 * od_box_width(d) : blocks * OD_BLOCK;
    size[OD_NEIGHBORS_ARRAYS] = size[OD_NEIGHBORS_ARRAYS + 1] = m;
}

/* The next bag, whose arrays are those of c; the numbers of its features. */
static const int32_t *next_bag(const od_detector *c, walk *w, od_detector *bag)
{
    const int32_t *plan = c->part[PLAN].at.i + w->plan;
    int64_t size[LOF_PARTS];
    sizes_of(plan, size);
    *bag = (od_detector){.method = OD_METHOD_LOF, .d = plan[PLAN_FEATURES]};
    bag->count[OD_NEIGHBORS_K] = c->count[K];
    bag->count[OD_NEIGHBORS_DISTINCT] = plan[PLAN_ROWS];
    bag->count[OD_NEIGHBORS_TREE] = plan[PLAN_TREE];
    for (int p = 0; p < LOF_PARTS; p++) {
        const od_detector_array *all = &c->part[p];
        bag->part[p] = (od_detector_array){all->kind, size[p], {.any = NULL}};
        if (all->kind == OD_ARRAY_DOUBLE)
            bag->part[p].at.d = all->at.d + w->at[p];
        else if (all->kind == OD_ARRAY_INT)
            bag->part[p].at.i = all->at.i + w->at[p];
        else
            bag->part[p].at.f = all->at.f + w->at[p];
        w->at[p] += size[p];
    }
    w->plan += PLAN_HEAD + plan[PLAN_FEATURES];
    return plan + PLAN_HEAD;
}

static void gather(const float *x, int64_t rows, int64_t d, const int32_t *feature, int64_t count, float *to)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < count; j++) *to++ = x[i * d + feature[j]];
}

/* ---- fitting ------------------------------------------------------------------------------------------- */

typedef struct bags {
    od_detector *bag; /* (count) */
    int32_t *feature; /* (count, d) */
    float *x;         /* (n, d): the rows as a bag sees them */
} bags;

static int ascending(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* The features of a bag; how many. */
static int64_t draw(const od_detector_task *t, int64_t number, int32_t *feature)
{
    od_rng s = od_rng_make(t->seed, (uint32_t)number, OD_RNG_BAGS, 0);
    od_shuffle order = od_shuffle_make((uint64_t)t->d, t->seed, (uint32_t)number, OD_RNG_BAGS, 1);
    uint32_t word[4];
    od_rng_block(&s, 0, word);
    int64_t least = t->d > 1 ? t->d / 2 : 1, choices = t->d - least + 1;
    int64_t count = least + (int64_t)((uint64_t)word[0] * (uint64_t)choices >> 32);
    for (int64_t i = 0; i < count; i++) feature[i] = (int32_t)od_shuffle_at(&order, (uint64_t)i);
    qsort(feature, (size_t)count, sizeof *feature, ascending);
    return count;
}

/* Arrays with room for all bags, whatever they find. Memory that is not written to takes no place, while a
 * second copy of what the bags keep would be the largest part of a fit. */
static odim_status make_room(od_detector *c, const bags *b, const od_detector_task *t, odim_error *err)
{
    static const od_detector_array_kind kinds[LOF_PARTS] = {OD_ARRAY_FLOAT, OD_ARRAY_INT,    OD_ARRAY_INT,
                                                            OD_ARRAY_FLOAT, OD_ARRAY_DOUBLE, OD_ARRAY_DOUBLE};
    int64_t room[LOF_PARTS] = {0};
    odim_status status = ODIM_OK;
    for (int64_t i = 0; i < t->bags; i++) {
        int64_t with[LOF_PARTS], without[LOF_PARTS];
        sizes_of((int32_t[PLAN_HEAD]){(int32_t)b->bag[i].d, (int32_t)t->n, 1}, with);
        sizes_of((int32_t[PLAN_HEAD]){(int32_t)b->bag[i].d, (int32_t)t->n, 0}, without);
        for (int p = 0; p < LOF_PARTS; p++) room[p] += with[p] > without[p] ? with[p] : without[p];
    }
    for (int p = 0; !status && p < LOF_PARTS; p++) {
        size_t size = kinds[p] == OD_ARRAY_DOUBLE ? sizeof(double) : sizeof(float);
        c->part[p] = (od_detector_array){kinds[p], 0, {.any = od_alloc((size_t)room[p], size)}};
        if (!c->part[p].at.any) status = od_fail_nomem(err);
    }
    return status;
}

/* Puts the arrays of a bag behind those of the others, and frees them. */
static void take_bag(od_detector *c, od_detector *bag)
{
    for (int p = 0; p < LOF_PARTS; p++) {
        od_detector_array *from = &bag->part[p], *to = &c->part[p];
        size_t size = from->kind == OD_ARRAY_DOUBLE ? sizeof(double) : sizeof(float);
        memcpy((char *)to->at.any + (size_t)to->count * size, from->at.any, (size_t)from->count * size);
        to->count += from->count;
        od_free(from->at.any);
        from->at.any = NULL;
    }
}

static odim_status fit_bags(od_detector *c, const bags *b, const od_detector_task *t, odim_error *err)
{
    for (int64_t i = 0; i < t->bags; i++) b->bag[i].d = draw(t, i, b->feature + i * t->d);
    odim_status status = make_room(c, b, t, err);
    for (int64_t i = 0; !status && i < t->bags; i++) {
        od_detector_task part = *t;
        part.d = b->bag[i].d;
        part.x = b->x;
        gather(t->x, t->n, t->d, b->feature + i * t->d, part.d, b->x);
        status = od_detector_fit(&b->bag[i], OD_METHOD_LOF, &part, err);
        if (!status) take_bag(c, &b->bag[i]);
    }
    return status;
}

static odim_status keep_plan(od_detector *c, const bags *b, odim_error *err)
{
    int64_t all = 0;
    for (int64_t i = 0; i < c->count[BAGS]; i++) all += PLAN_HEAD + b->bag[i].d;
    odim_status status = od_detector_array_new(c, PLAN, OD_ARRAY_INT, all, err);
    int32_t *to = c->part[PLAN].at.i;
    for (int64_t i = 0; !status && i < c->count[BAGS]; i++) {
        const od_detector *bag = &b->bag[i];
        to[PLAN_FEATURES] = (int32_t)bag->d;
        to[PLAN_ROWS] = (int32_t)bag->count[OD_NEIGHBORS_DISTINCT];
        to[PLAN_TREE] = (int32_t)bag->count[OD_NEIGHBORS_TREE];
        memcpy(to + PLAN_HEAD, b->feature + i * c->d, (size_t)bag->d * sizeof *to);
        to += PLAN_HEAD + bag->d;
    }
    return status;
}

static odim_status fit(od_detector *c, const od_detector_task *t, odim_error *err)
{
    bags b = {.bag = od_calloc((size_t)t->bags, sizeof *b.bag),
              .feature = od_alloc((size_t)t->bags, (size_t)t->d * sizeof *b.feature),
              .x = od_alloc((size_t)t->n, (size_t)t->d * sizeof *b.x)};
    odim_status status = b.bag && b.feature && b.x ? ODIM_OK : od_fail_nomem(err);
    if (!status) status = fit_bags(c, &b, t, err);
    od_free(b.x);
    c->count[BAGS] = t->bags;
    c->count[WIDTH] = t->d;
    if (!status) c->count[K] = b.bag[0].count[OD_NEIGHBORS_K];
    if (!status) status = keep_plan(c, &b, err);
    for (int64_t i = 0; b.bag && i < t->bags; i++) od_detector_free(&b.bag[i]);
    od_free(b.bag);
    od_free(b.feature);
    return status;
}

/* ---- scoring ------------------------------------------------------------------------------------------- */

static size_t x_bytes(const od_detector *c)
{
    return (OD_DETECTOR_ROWS * (size_t)c->d * sizeof(float) + 15) / 16 * 16;
}

/* A search needs room for k, and for the features of the widest bag. */
static size_t scratch(const od_detector *c)
{
    const od_detector widest = {.d = c->d, .count[OD_NEIGHBORS_K] = c->count[K]};
    return x_bytes(c) + od_neighbors_scratch(&widest);
}

static void score(const od_detector *c, const float *x, int64_t rows, void *room, double *scores)
{
    double own[OD_DETECTOR_ROWS];
    walk w = {{0}, 0};
    for (int64_t i = 0; i < rows; i++) scores[i] = 0.0;
    for (int64_t b = 0; b < c->count[BAGS]; b++) {
        od_detector bag;
        const int32_t *feature = next_bag(c, &w, &bag);
        gather(x, rows, c->d, feature, bag.d, room);
        lof()->score(&bag, room, rows, (char *)room + x_bytes(c), own);
        for (int64_t i = 0; i < rows; i++) scores[i] += own[i];
    }
    for (int64_t i = 0; i < rows; i++) scores[i] /= (double)c->count[BAGS];
}

/* A row without some of its features counts as a row: most of them may be in one bag, others in another. */
static int64_t count_rows(const od_detector *c, const float *x, bool *is_one)
{
    int64_t most = 0;
    walk w = {{0}, 0};
    *is_one = false;
    for (int64_t b = 0; b < c->count[BAGS]; b++) {
        od_detector bag;
        const int32_t *feature = next_bag(c, &w, &bag);
        int64_t rows = bag.count[OD_NEIGHBORS_DISTINCT];
        most = rows > most ? rows : most;
        for (int64_t i = 0; i < rows && !*is_one; i++) {
            int64_t j = 0;
            while (j < bag.d && od_neighbors_value(&bag, i, j) == x[feature[j]]) j++;
            *is_one = j == bag.d;
        }
    }
    return most;
}

/* ---- what comes from a file ---------------------------------------------------------------------------- */

/* Whether the plan of the next bag, and the parts it speaks of, lie within those of c. */
static bool bag_fits(const od_detector *c, const walk *w)
{
    int64_t left = c->part[PLAN].count - w->plan, size[LOF_PARTS];
    if (left < PLAN_HEAD) return false;
    const int32_t *plan = c->part[PLAN].at.i + w->plan;
    if (plan[PLAN_FEATURES] < 1 || plan[PLAN_FEATURES] > c->d || plan[PLAN_FEATURES] > left - PLAN_HEAD ||
        plan[PLAN_ROWS] < 1 || plan[PLAN_TREE] < 0 || plan[PLAN_TREE] > 1)
        return false;
    for (int64_t j = 0; j < plan[PLAN_FEATURES]; j++) {
        int32_t feature = plan[PLAN_HEAD + j];
        if (feature < 0 || feature >= c->d || (j && feature <= plan[PLAN_HEAD + j - 1])) return false;
    }
    sizes_of(plan, size);
    for (int p = 0; p < LOF_PARTS; p++)
        if (size[p] > c->part[p].count - w->at[p]) return false;
    return true;
}

static odim_status check(const od_detector *c, odim_error *err)
{
    static const od_detector_array_kind kinds[LOF_PARTS + 1] = {
        OD_ARRAY_FLOAT,  OD_ARRAY_INT,    OD_ARRAY_INT, OD_ARRAY_FLOAT,
        OD_ARRAY_DOUBLE, OD_ARRAY_DOUBLE, OD_ARRAY_INT};
    walk w = {{0}, 0};
    bool fine = c->count[BAGS] >= 1 && c->count[BAGS] <= MOST_BAGS && c->count[WIDTH] == c->d && c->d >= 1 &&
                c->d <= INT32_MAX;
    for (int p = 0; p <= PLAN; p++) fine = fine && c->part[p].kind == kinds[p];
    for (int64_t b = 0; fine && b < c->count[BAGS]; b++) {
        od_detector bag;
        fine = bag_fits(c, &w);
        if (!fine) break;
        next_bag(c, &w, &bag);
        odim_status status = lof()->check(&bag, err);
        if (status) return status;
    }
    for (int p = 0; p < LOF_PARTS; p++) fine = fine && w.at[p] == c->part[p].count;
    fine = fine && w.plan == c->part[PLAN].count;
    return fine ? ODIM_OK
                : od_fail(err, ODIM_ERR_FORMAT, "not the arrays of %lld bags", (long long)c->count[BAGS]);
}

static int64_t most_rows(int64_t d)
{
    int64_t rows = MOST_CELLS / d;
    return rows < 2 ? 2 : rows < MOST_ROWS ? rows : MOST_ROWS;
}

const od_detector_kind od_bagging = {
    .method = OD_METHOD_BAGGING,
    .name = "bagging",
    .fit = fit,
    .scratch = scratch,
    .score = score,
    .keeps = "the training rows",
    .rows = count_rows,
    .check = check,
    .most_rows = most_rows,
};
