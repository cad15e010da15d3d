/*
 * An isolation forest (Liu, Ting and Zhou, 2008). A tree sees a few of the training rows and parts them by
 * random values of random columns until each is alone; outliers are alone soon. The score of a row is
 * 2^(-E / c(m)), where E is the mean length of its way down the trees, c(m) that of an unsuccessful search in
 * a binary tree of the m rows that a tree has seen: 0.5 for what is ordinary, towards 1 for what is not.
 *
 * As in the paper, a tree ends at depth log2 m, rounded up, and a leaf with more than one row counts as deep
 * as a tree of them would be. A column that is constant among the rows of a node is not chosen there.
 *
 * A leaf leads to itself, so that a walk is the same number of steps for all rows and has no branches, and
 * several rows walk at the same time. The trees come in the outer loop: one at a time stays in cache.
 *
 * It keeps: count 0 trees, 1 m, 2 steps of a walk; part 0 (nodes) feature, part 1 (nodes) value: a row goes
 * to the first child if its feature is below; of a leaf the length of the way; part 2 (nodes, 2) children;
 * part 3 (trees + 1) where each tree begins, its root first, and the end.
 */
#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "base/parallel.h"
#include "base/shuffle.h"
#include "detectors/detector.h"

#define LANES 8 /* rows that walk together */
#define EULER 0.57721566490153286

enum { TREES, ROWS, STEPS };
enum { FEATURE, VALUE, CHILD, ROOT };

typedef struct node {
    int32_t feature, child[2];
    float value;
} node;

typedef struct tree {
    node *nodes; /* (count) */
    int64_t count;
} tree;

/* A node to be made of rows[from..to-1]. */
typedef struct task {
    int64_t from, to, parent;
    int depth, side;
} task;

/* Scratch of one thread. */
typedef struct grower {
    int64_t *rows;    /* (m) of the training rows */
    int32_t *feature; /* (d) in some order */
    node *nodes;      /* (2 m - 1) */
    task *stack;      /* (steps + 2) */
} grower;

typedef struct forest {
    const od_detector_task *task;
    int64_t m;
    int steps;
    grower *grower; /* (threads) */
    tree *tree;     /* (trees) */
} forest;

/* Mean length of an unsuccessful search among n. */
static double search_length(int64_t n)
{
    if (n < 3) return n == 2 ? 1.0 : 0.0;
    return 2.0 * (log((double)(n - 1)) + EULER) - 2.0 * (double)(n - 1) / (double)n;
}

static float random_unit(const od_rng *s, uint64_t *at)
{
    uint32_t w[4];
    od_rng_block(s, (*at)++, w);
    return od_unit(w[0]);
}

/* A feature that differs among the rows, and its bounds; -1: there is none. */
static int64_t choose_feature(const forest *f, grower *g, const task *t, const od_rng *s, uint64_t *at,
                              float *low, float *high)
{
    int64_t d = f->task->d;
    for (int64_t left = d; left > 0; left--) {
        int64_t pick = (int64_t)((double)random_unit(s, at) * (double)left);
        int32_t j = g->feature[pick];
        g->feature[pick] = g->feature[left - 1];
        g->feature[left - 1] = j;
        *low = *high = f->task->x[g->rows[t->from] * d + j];
        for (int64_t i = t->from + 1; i < t->to; i++) {
            float v = f->task->x[g->rows[i] * d + j];
            if (v < *low) *low = v;
            if (v > *high) *high = v;
        }
        if (*low < *high) return j;
    }
    return -1;
}

/* Rows below the value first; where the others begin. */
static int64_t part_rows(const forest *f, grower *g, const task *t, int64_t feature, float value)
{
    int64_t at = t->from;
    for (int64_t i = t->from; i < t->to; i++) {
        int64_t row = g->rows[i];
        if (!(f->task->x[row * f->task->d + feature] < value)) continue;
        g->rows[i] = g->rows[at];
        g->rows[at++] = row;
    }
    return at;
}

/* The nodes of a tree into g->nodes, parents first; how many. */
static int64_t grow(const forest *f, grower *g, uint32_t number)
{
    od_shuffle order = od_shuffle_make((uint64_t)f->task->n, f->task->seed, number, OD_RNG_FOREST, 0);
    od_rng s = od_rng_make(f->task->seed, number, OD_RNG_FOREST, 1);
    uint64_t drawn = 0;
    int64_t count = 0, top = 0;
    for (int64_t i = 0; i < f->m; i++) g->rows[i] = (int64_t)od_shuffle_at(&order, (uint64_t)i);
    for (int64_t j = 0; j < f->task->d; j++) g->feature[j] = (int32_t)j;
    g->stack[top++] = (task){.to = f->m, .parent = -1};
    while (top) {
        task t = g->stack[--top];
        float low, high;
        int64_t at = count++, rows = t.to - t.from, j = -1;
        if (t.parent >= 0) g->nodes[t.parent].child[t.side] = (int32_t)at;
        if (rows > 1 && t.depth < f->steps) j = choose_feature(f, g, &t, &s, &drawn, &low, &high);
        if (j < 0) {
            g->nodes[at] = (node){.child = {(int32_t)at, (int32_t)at},
                                  .value = (float)((double)t.depth + search_length(rows))};
            continue;
        }
        double between = (double)low + (double)random_unit(&s, &drawn) * ((double)high - (double)low);
        float value = fminf((float)between, high);
        if (!(value > low)) value = nextafterf(low, high);
        int64_t middle = part_rows(f, g, &t, j, value);
        g->nodes[at] = (node){.feature = (int32_t)j, .value = value};
        g->stack[top++] = (task){.from = middle, .to = t.to, .parent = at, .depth = t.depth + 1, .side = 1};
        g->stack[top++] = (task){.from = t.from, .to = middle, .parent = at, .depth = t.depth + 1, .side = 0};
    }
    return count;
}

static odim_status grow_one(void *ctx, od_parallel *par, int worker, int64_t job, odim_error *err)
{
    forest *f = ctx;
    grower *g = &f->grower[worker];
    if (od_parallel_stopped(par)) return od_fail(err, ODIM_ERR_CANCELLED, "cancelled");
    int64_t count = grow(f, g, (uint32_t)job);
    node *kept = od_alloc((size_t)count, sizeof *kept);
    if (!kept) return od_fail_nomem(err);
    memcpy(kept, g->nodes, (size_t)count * sizeof *kept);
    f->tree[job] = (tree){kept, count};
    return ODIM_OK;
}

static int tick(void *ctx)
{
    const forest *f = ctx;
    return od_detector_tick(f->task);
}

static odim_status grower_new(grower *g, const forest *f, odim_error *err)
{
    bool ok = (g->rows = od_alloc((size_t)f->m, sizeof *g->rows)) &&
              (g->feature = od_alloc((size_t)f->task->d, sizeof *g->feature)) &&
              (g->nodes = od_alloc((size_t)(2 * f->m), sizeof *g->nodes)) &&
              (g->stack = od_alloc((size_t)f->steps + 2, sizeof *g->stack));
    return ok ? ODIM_OK : od_fail_nomem(err);
}

/* All trees one after the other. */
static odim_status keep(od_detector *c, const forest *f, odim_error *err)
{
    int64_t trees = f->task->trees, nodes = 0;
    for (int64_t b = 0; b < trees; b++) nodes += f->tree[b].count;
    if (nodes > INT32_MAX / 2)
        return od_fail(err, ODIM_ERR_PARAM, "so many trees of so many rows are too large: %lld nodes",
                       (long long)nodes);
    c->count[TREES] = trees;
    c->count[ROWS] = f->m;
    c->count[STEPS] = f->steps;
    odim_status status = od_detector_array_new(c, FEATURE, OD_ARRAY_INT, nodes, err);
    if (!status) status = od_detector_array_new(c, VALUE, OD_ARRAY_FLOAT, nodes, err);
    if (!status) status = od_detector_array_new(c, CHILD, OD_ARRAY_INT, 2 * nodes, err);
    if (!status) status = od_detector_array_new(c, ROOT, OD_ARRAY_INT, trees + 1, err);
    if (status) return status;
    int32_t at = 0;
    for (int64_t b = 0; b < trees; b++) {
        int32_t root = c->part[ROOT].at.i[b] = at;
        for (int64_t i = 0; i < f->tree[b].count; i++, at++) {
            const node *n = &f->tree[b].nodes[i];
            c->part[FEATURE].at.i[at] = n->feature;
            c->part[VALUE].at.f[at] = n->value;
            for (int side = 0; side < 2; side++) c->part[CHILD].at.i[2 * at + side] = root + n->child[side];
        }
    }
    c->part[ROOT].at.i[trees] = at;
    return ODIM_OK;
}

static odim_status fit(od_detector *c, const od_detector_task *t, odim_error *err)
{
    forest f = {.task = t, .m = t->tree_sample < t->n ? t->tree_sample : t->n};
    int64_t threads = t->threads < t->trees ? t->threads : t->trees;
    while (((int64_t)1 << f.steps) < f.m) f.steps++;
    f.grower = od_calloc((size_t)threads, sizeof *f.grower);
    f.tree = od_calloc((size_t)t->trees, sizeof *f.tree);
    odim_status status = f.grower && f.tree ? ODIM_OK : od_fail_nomem(err);
    for (int64_t i = 0; !status && i < threads; i++) status = grower_new(&f.grower[i], &f, err);
    if (!status) status = od_parallel_run((int)threads, t->trees, grow_one, tick, &f, err);
    if (!status) status = keep(c, &f, err);
    for (int64_t i = 0; f.grower && i < threads; i++) {
        od_free(f.grower[i].rows);
        od_free(f.grower[i].feature);
        od_free(f.grower[i].nodes);
        od_free(f.grower[i].stack);
    }
    for (int64_t b = 0; f.tree && b < t->trees; b++) od_free(f.tree[b].nodes);
    od_free(f.grower);
    od_free(f.tree);
    return status;
}

static size_t scratch(const od_detector *c)
{
    (void)c;
    return 0;
}

/* Adds the lengths of the ways of up to LANES rows down one tree. */
static void walk(const od_detector *c, int32_t root, const float *x, int64_t rows, double *lengths)
{
    const int32_t *feature = c->part[FEATURE].at.i, *child = c->part[CHILD].at.i;
    const float *value = c->part[VALUE].at.f;
    int32_t at[LANES];
    for (int64_t i = 0; i < rows; i++) at[i] = root;
    for (int64_t step = 0; step < c->count[STEPS]; step++)
        for (int64_t i = 0; i < rows; i++)
            at[i] = child[2 * at[i] + !(x[i * c->d + feature[at[i]]] < value[at[i]])];
    for (int64_t i = 0; i < rows; i++) lengths[i] += (double)value[at[i]];
}

static void score(const od_detector *c, const float *x, int64_t rows, void *room, double *scores)
{
    double unit = search_length(c->count[ROWS]) * (double)c->count[TREES];
    (void)room;
    for (int64_t i = 0; i < rows; i++) scores[i] = 0.0;
    for (int64_t b = 0; b < c->count[TREES]; b++)
        for (int64_t i = 0; i < rows; i += LANES)
            walk(c, c->part[ROOT].at.i[b], x + i * c->d, rows - i < LANES ? rows - i : LANES, scores + i);
    for (int64_t i = 0; i < rows; i++) scores[i] = pow(2.0, -scores[i] / unit);
}

/* Every walk ends in a leaf of its tree: children lie behind their parent, and not deeper than the steps. */
static bool is_tree(const od_detector *c, int32_t from, int32_t to, uint8_t *depth)
{
    const int32_t *feature = c->part[FEATURE].at.i, *child = c->part[CHILD].at.i;
    for (int32_t i = from; i < to; i++) depth[i] = 0;
    for (int32_t i = from; i < to; i++) {
        const int32_t *to_both = child + 2 * (int64_t)i;
        if (feature[i] < 0 || feature[i] >= c->d) return false;
        if (to_both[0] == i && to_both[1] == i && c->part[VALUE].at.f[i] >= 0.0f) continue;
        for (int side = 0; side < 2; side++) {
            if (to_both[side] <= i || to_both[side] >= to || depth[i] >= c->count[STEPS]) return false;
            uint8_t *below = &depth[to_both[side]];
            if (*below <= depth[i]) *below = (uint8_t)(depth[i] + 1);
        }
    }
    return true;
}

static odim_status check(const od_detector *c, odim_error *err)
{
    int64_t trees = c->count[TREES], nodes = c->part[FEATURE].count;
    const int32_t *root = c->part[ROOT].at.i;
    bool fine = trees >= 1 && trees < INT32_MAX && nodes >= 1 && nodes <= INT32_MAX / 2 &&
                c->count[ROWS] >= 2 && c->count[STEPS] >= 1 && c->count[STEPS] < 64 &&
                od_detector_has(c, FEATURE, OD_ARRAY_INT, nodes) &&
                od_detector_has(c, VALUE, OD_ARRAY_FLOAT, nodes) &&
                od_detector_has(c, CHILD, OD_ARRAY_INT, 2 * nodes) &&
                od_detector_has(c, ROOT, OD_ARRAY_INT, trees + 1) && root[0] == 0 && root[trees] == nodes;
    uint8_t *depth = fine ? od_alloc((size_t)nodes, 1) : NULL;
    if (fine && !depth) return od_fail_nomem(err);
    for (int64_t b = 0; fine && b < trees; b++)
        fine = root[b] >= 0 && root[b] < root[b + 1] && root[b + 1] <= nodes;
    for (int64_t b = 0; fine && b < trees; b++) fine = is_tree(c, root[b], root[b + 1], depth);
    od_free(depth);
    return fine ? ODIM_OK : od_fail(err, ODIM_ERR_FORMAT, "not a forest of isolation trees");
}

const od_detector_kind od_iforest = {
    .method = OD_METHOD_IFOREST,
    .name = "iforest",
    .fit = fit,
    .scratch = scratch,
    .score = score,
    .check = check,
    .most_cells = OD_DETECTOR_CELLS,
};
