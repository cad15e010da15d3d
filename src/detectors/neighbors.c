/* Finds nearest rows by a k-d tree or by blocks of distances. */
#include "detectors/neighbors.h"

#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "base/poll.h"
#include "detectors/dedup.h"
#include "detectors/kdtree.h"
#include "kern/kern.h"

#define PROBES     64    /* rows for which the tree is tried */
#define TREE_SHARE 0.05  /* of the blocks: looking into more of them takes longer than all products */
#define RUNS       256   /* of blocks, that are multiplied in turn */
#define NEAR       64    /* neighbors up to which candidates wait */
#define WAITING    128   /* candidates of a row that wait */
#define HUGE_LIMIT 1e37  /* squares beyond may overflow a float */
#define TINY       1e-37 /* and products below lose digits */

/* Compilers make vectors of these by themselves, but not of loops over them. */
typedef float four __attribute__((vector_size(16)));
typedef int32_t four_int __attribute__((vector_size(16)));
enum { FOURS = OD_BLOCK / 4 };

static four load(const float *p)
{
    four v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* A row that may be near, by its cheap distance. */
typedef struct candidate {
    float cheap;
    int32_t row;
} candidate;

/* What one row has found so far: a heap, the farthest first, of rows whose copies are at least k without the
 * farthest, or all there are. */
typedef struct search {
    const od_detector *c;
    const float *x; /* (d) */
    od_neighbor *heap;
    int64_t count, copies;
    float limit; /* what a cheap distance must not be above */
    bool own;    /* the row itself has been left out */
    /* Candidates that have not been offered yet, only while rows are multiplied: */
    candidate *wait;
    float *near; /* (k + 1): what the cheap distance of that many rows is not above, least first */
    int64_t waiting, nears;
} search;

static int64_t kept_rows(const od_detector *c)
{
    return c->count[OD_NEIGHBORS_DISTINCT];
}

static const float *block_of(const od_detector *c, int64_t b)
{
    return c->part[OD_NEIGHBORS_ROWS].at.f + b * c->d * OD_BLOCK;
}

/* Four chains, folded. No overflow, and 0 only for equal rows: the values are floats. */
static double distance(const od_detector *c, const float *x, int64_t row)
{
    const float *y = block_of(c, row / OD_BLOCK) + row % OD_BLOCK;
    double chain[4] = {0};
    int64_t j = 0;
    for (; j + 4 <= c->d; j += 4)
        for (int l = 0; l < 4; l++) {
            double apart = (double)x[j + l] - (double)y[(j + l) * OD_BLOCK];
            chain[l] += apart * apart;
        }
    for (; j < c->d; j++) {
        double apart = (double)x[j] - (double)y[j * OD_BLOCK];
        chain[0] += apart * apart;
    }
    return (chain[0] + chain[1]) + (chain[2] + chain[3]);
}

/* ---- the heap ------------------------------------------------------------------------------------------ */

static bool nearer(const od_detector *c, const od_neighbor *a, const od_neighbor *b)
{
    const int32_t *first = c->part[OD_NEIGHBORS_FIRST].at.i;
    return a->square < b->square || (a->square == b->square && first[a->row] < first[b->row]);
}

static void swap(od_neighbor *a, od_neighbor *b)
{
    od_neighbor t = *a;
    *a = *b;
    *b = t;
}

static void sink(const od_detector *c, od_neighbor *heap, int64_t count)
{
    for (int64_t at = 0, child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && nearer(c, heap + child, heap + child + 1)) child++;
        if (!nearer(c, heap + at, heap + child)) return;
        swap(heap + at, heap + child);
    }
}

static void rise(const od_detector *c, od_neighbor *heap, int64_t at)
{
    for (; at > 0 && nearer(c, heap + (at - 1) / 2, heap + at); at = (at - 1) / 2)
        swap(heap + at, heap + (at - 1) / 2);
}

static void drop_farthest(search *s)
{
    s->copies -= s->heap[0].copies;
    s->heap[0] = s->heap[--s->count];
    sink(s->c, s->heap, s->count);
}

/* True when the farthest may have changed. */
static bool offer(search *s, int64_t row)
{
    int64_t k = s->c->count[OD_NEIGHBORS_K];
    od_neighbor new = {distance(s->c, s->x, row), (int32_t)row, s->c->part[OD_NEIGHBORS_COPIES].at.i[row]};
    if (new.square == 0.0 && !s->own) {
        s->own = true;
        new.copies--;
    }
    if (new.copies == 0 || (s->copies >= k && !nearer(s->c, &new, s->heap))) return false;
    s->heap[s->count++] = new;
    s->copies += new.copies;
    rise(s->c, s->heap, s->count - 1);
    while (s->copies - s->heap[0].copies >= k) drop_farthest(s);
    return s->copies >= k;
}

/* Nearest first, and copies beyond k taken from the last. */
static void sort(search *s)
{
    int64_t k = s->c->count[OD_NEIGHBORS_K];
    if (s->copies > k) s->heap[0].copies -= (int32_t)(s->copies - k);
    for (int64_t end = s->count - 1; end > 0; end--) {
        swap(s->heap, s->heap + end);
        sink(s->c, s->heap, end);
    }
}

/* ---- the tree ------------------------------------------------------------------------------------------ */

/* Sums in float of d squares, of differences or of gaps, are at most so much larger than they should be. */
static double slack(int64_t d)
{
    return (double)(d + 16) * 0x1p-23;
}

static void tree_limit(search *s)
{
    double farthest = s->heap[0].square;
    s->limit = farthest < HUGE_LIMIT ? (float)(farthest * (1.0 + slack(s->c->d)) + TINY) : INFINITY;
}

static void look_into(search *s, int64_t b)
{
    const od_detector *c = s->c;
    const float *y = block_of(c, b);
    four sum[FOURS] = {0};
    for (int64_t j = 0; j < c->d; j++, y += OD_BLOCK)
        for (int v = 0; v < FOURS; v++) {
            four apart = load(y + 4 * v) - s->x[j];
            sum[v] += apart * apart;
        }
    float square[OD_BLOCK];
    /* cppcheck-suppress bufferAccessOutOfBounds ; it does not know that there are four floats in a `four` */
    memcpy(square, sum, sizeof square);
    int64_t rows = kept_rows(c) - b * OD_BLOCK;
    for (int64_t l = 0; l < OD_BLOCK && l < rows; l++)
        if (square[l] <= s->limit && offer(s, b * OD_BLOCK + l)) tree_limit(s);
}

/* The square of the distance to the box of a node. */
static float gap(const search *s, int64_t node)
{
    int64_t width = od_box_width(s->c->d);
    const float *least = s->c->part[OD_NEIGHBORS_GUIDE].at.f + node * 2 * width, *most = least + width;
    four chain = {0};
    for (int64_t j = 0; j < width; j += 4) {
        four x = load(s->x + j), under = load(least + j) - x, over = x - load(most + j);
        under = (four)((four_int)under & (under > 0.0f)); /* at most one of them is left */
        over = (four)((four_int)over & (over > 0.0f));
        chain += (under + over) * (under + over);
    }
    return (chain[0] + chain[1]) + (chain[2] + chain[3]);
}

/* The nearer of two children first. Returns the number of blocks that were looked into. */
static int64_t walk(search *s, int64_t blocks)
{
    od_node stack[OD_TREE_DEPTH] = {{.node = 0, .lo = 0, .hi = blocks}};
    int64_t looked = 0;
    for (int top = 1; top;) {
        od_node at = stack[--top];
        if (at.away > s->limit) continue;
        if (at.hi - at.lo == 1) {
            look_into(s, at.lo);
            looked++;
            continue;
        }
        int64_t middle = od_middle(at.lo, at.hi);
        od_node left = {.node = od_left(at.node), .lo = at.lo, .hi = middle};
        od_node right = {.node = od_right(at.node, at.lo, at.hi), .lo = middle, .hi = at.hi};
        left.away = gap(s, left.node);
        right.away = gap(s, right.node);
        bool left_first = left.away <= right.away;
        stack[top++] = left_first ? right : left;
        stack[top++] = left_first ? left : right;
    }
    return looked;
}

/* ---- products ------------------------------------------------------------------------------------------ */

/*
 * What is compared is low + g, with g the float product -2xy and low = |y|^2 (1 - e). With e = slack(d) the
 * error of g, at most d 2^-24 (|x|^2 + |y|^2), and the roundings of low and of the sum are less than
 * e (|x|^2 + |y|^2) together; so no row is passed over that is not farther than the farthest.
 */
static void product_limit(search *s, double norm)
{
    double farthest = s->heap[0].square, e = slack(s->c->d);
    double limit = farthest - norm * (1.0 - e) + (farthest + norm) * 0x1p-22 + TINY;
    s->limit = farthest + norm < HUGE_LIMIT ? (float)limit : INFINITY;
}

/* Offers the candidates that are not too far by now. */
static void offer_waiting(search *s, double norm)
{
    for (int64_t i = 0; i < s->waiting; i++) {
        float before = s->limit;
        if (s->wait[i].cheap > before || !offer(s, s->wait[i].row)) continue;
        product_limit(s, norm);
        if (s->limit > before) s->limit = before;
    }
    s->waiting = 0;
}

/* Forgets candidates that are too far by now. If that is not enough, all are offered. */
static void make_room(search *s, double norm)
{
    int64_t count = 0;
    for (int64_t i = 0; i < s->waiting; i++)
        if (!(s->wait[i].cheap > s->limit)) s->wait[count++] = s->wait[i];
    s->waiting = count;
    if (count > WAITING / 2) offer_waiting(s, norm);
}

/*
 * A true distance takes long, so a candidate first waits. k + 1 of them bound how far the k nearest rows are,
 * one of which may be the row itself: what is farther than that by its cheap distance is never offered. With
 * e = slack(d), the true square is at most low + g + |x|^2 + 2e (|x|^2 + |y|^2), and a row that is no farther
 * has a cheap distance of at most low + g + 4e (|x|^2 + |y|^2), roundings included.
 */
static void keep_waiting(search *s, double norm, int64_t row, float low, float cheap)
{
    double sum = norm + (double)low, most = (double)cheap + 4.0 * slack(s->c->d) * sum + TINY;
    float bound = sum < HUGE_LIMIT ? (float)most : INFINITY;
    int64_t last = s->c->count[OD_NEIGHBORS_K], at = s->nears < last ? s->nears : last;
    s->wait[s->waiting++] = (candidate){cheap, (int32_t)row};
    if (s->nears <= last) s->near[s->nears++] = INFINITY;
    if (bound < s->near[at]) {
        for (; at > 0 && s->near[at - 1] > bound; at--) s->near[at] = s->near[at - 1];
        s->near[at] = bound;
    }
    if (s->nears > last && s->near[last] < s->limit) s->limit = s->near[last];
    if (s->waiting == WAITING) make_room(s, norm);
}

static void compare(search *s, double norm, int64_t b, const float *product)
{
    const float *low = s->c->part[OD_NEIGHBORS_GUIDE].at.f + b * OD_BLOCK;
    int64_t rows = kept_rows(s->c) - b * OD_BLOCK;
    four_int far = ~(four_int){0};
    for (int v = 0; v < FOURS; v++) far &= load(low + 4 * v) + load(product + 4 * v) > s->limit;
    if (far[0] & far[1] & far[2] & far[3]) return;
    for (int64_t l = 0; l < OD_BLOCK && l < rows; l++) {
        if (low[l] + product[l] > s->limit) continue;
        if (s->wait)
            keep_waiting(s, norm, b * OD_BLOCK + l, low[l], low[l] + product[l]);
        else if (offer(s, b * OD_BLOCK + l))
            product_limit(s, norm);
    }
}

/*
 * Runs of blocks are taken at strides that spread them evenly over all (the golden section, made coprime):
 * the first few then show what is near, and little is offered afterwards. In the order of a tree, and of many
 * tables, rows would come nearer and nearer and each be offered in turn.
 */
static int64_t stride(int64_t runs)
{
    int64_t step = (int64_t)((double)runs * 0.6180339887498949);
    for (;; step++) {
        int64_t a = runs, b = step > 1 ? step : 1;
        while (b) {
            int64_t t = a % b;
            a = b;
            b = t;
        }
        if (a == 1) return step > 1 ? step : 1;
    }
}

static void multiply(search *s, int64_t rows, const float *x, float *scaled, float *product)
{
    const od_kern *kern = od_kern_get();
    const od_detector *c = s->c;
    double norm[OD_DETECTOR_ROWS] = {0};
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < c->d; j++) {
            scaled[i * c->d + j] = -2.0f * x[i * c->d + j];
            norm[i] += (double)x[i * c->d + j] * (double)x[i * c->d + j];
        }
    int64_t blocks = od_blocks(kept_rows(c)), length = 1 + blocks / RUNS,
            runs = (blocks + length - 1) / length;
    for (int64_t turn = 0, run = 0; turn < runs; turn++, run = (run + stride(runs)) % runs)
        for (int64_t b = run * length; b < blocks && b < (run + 1) * length; b++) {
            kern->mul(&(od_mul_args){rows, OD_BLOCK, c->d, scaled, c->d, 1, block_of(c, b), OD_BLOCK, NULL,
                                     false, product, OD_BLOCK});
            for (int64_t i = 0; i < rows; i++) compare(s + i, norm[i], b, product + i * OD_BLOCK);
        }
    for (int64_t i = 0; i < rows; i++) offer_waiting(s + i, norm[i]);
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

typedef struct room {
    od_neighbor *heap; /* (OD_DETECTOR_ROWS, k + 1) */
    float *x;          /* (OD_DETECTOR_ROWS, width of a box) */
    float *product;    /* (OD_DETECTOR_ROWS, OD_BLOCK) */
    candidate *wait;   /* (OD_DETECTOR_ROWS, WAITING), or NULL: candidates do not wait */
    float *near;       /* (OD_DETECTOR_ROWS, k + 1) */
} room;

static size_t heap_bytes(const od_detector *c)
{
    return OD_DETECTOR_ROWS * (size_t)(c->count[OD_NEIGHBORS_K] + 1) * sizeof(od_neighbor);
}

static size_t x_bytes(const od_detector *c)
{
    return OD_DETECTOR_ROWS * (size_t)od_box_width(c->d) * sizeof(float);
}

static bool can_wait(const od_detector *c)
{
    return c->count[OD_NEIGHBORS_K] <= NEAR && !c->count[OD_NEIGHBORS_TREE];
}

size_t od_neighbors_scratch(const od_detector *c)
{
    size_t each = OD_BLOCK * sizeof(float);
    if (can_wait(c))
        each += WAITING * sizeof(candidate) + (size_t)(c->count[OD_NEIGHBORS_K] + 1) * sizeof(float);
    return heap_bytes(c) + x_bytes(c) + OD_DETECTOR_ROWS * each;
}

static room share_out(const od_detector *c, char *scratch)
{
    char *x = scratch + heap_bytes(c);
    room r = {.heap = (od_neighbor *)scratch, .x = (float *)x, .product = (float *)(x + x_bytes(c))};
    if (can_wait(c)) {
        r.near = r.product + OD_DETECTOR_ROWS * OD_BLOCK;
        r.wait = (candidate *)(r.near + OD_DETECTOR_ROWS * (c->count[OD_NEIGHBORS_K] + 1));
    }
    return r;
}

static int64_t find_all(const od_detector *c, const float *x, int64_t rows, const room *r, search *s)
{
    int64_t k = c->count[OD_NEIGHBORS_K], d = c->d, width = od_box_width(d), looked = 0;
    for (int64_t i = 0; i < rows; i++) {
        s[i] = (search){.c = c, .x = x + i * d, .heap = r->heap + i * (k + 1), .limit = INFINITY};
        if (!r->wait) continue;
        s[i].wait = r->wait + i * WAITING;
        s[i].near = r->near + i * (k + 1);
    }
    if (!c->count[OD_NEIGHBORS_TREE]) {
        multiply(s, rows, x, r->x, r->product);
        return 0;
    }
    for (int64_t i = 0; i < rows; i++) {
        memcpy(r->x, x + i * d, (size_t)d * sizeof *x);
        memset(r->x + d, 0, (size_t)(width - d) * sizeof *x);
        s[i].x = r->x;
        looked += walk(s + i, od_blocks(kept_rows(c)));
    }
    return looked;
}

od_neighbor *od_neighbors_find(const od_detector *c, const float *x, int64_t rows, void *scratch,
                               int64_t *found)
{
    room r = share_out(c, scratch);
    search s[OD_DETECTOR_ROWS];
    find_all(c, x, rows, &r, s);
    for (int64_t i = 0; i < rows; i++) {
        sort(s + i);
        found[i] = s[i].count;
    }
    return r.heap;
}

double od_neighbors_mean(const od_neighbor *list, int64_t found, int64_t k)
{
    double sum = 0.0;
    int64_t left = k;
    for (int64_t i = 0; i < found && left > 0; i++) {
        int64_t copies = list[i].copies < left ? list[i].copies : left;
        sum += (double)copies * sqrt(list[i].square);
        left -= copies;
    }
    return left < k ? sum / (double)(k - left) : 0.0;
}

float od_neighbors_value(const od_detector *c, int64_t row, int64_t j)
{
    return block_of(c, row / OD_BLOCK)[j * OD_BLOCK + row % OD_BLOCK];
}

int64_t od_neighbors_blocks(const od_detector *c, const float *x, int64_t rows, void *scratch)
{
    room r = share_out(c, scratch);
    search s[OD_DETECTOR_ROWS];
    return find_all(c, x, rows, &r, s);
}

/* ---- fitting ------------------------------------------------------------------------------------------- */

/* order (distinct): the place in first of each kept row. */
static odim_status keep(od_detector *c, const float *x, const int32_t *order, const int32_t *copies,
                        odim_error *err)
{
    int64_t m = kept_rows(c), blocks = od_blocks(m), d = c->d;
    odim_status status =
        od_detector_array_new(c, OD_NEIGHBORS_ROWS, OD_ARRAY_FLOAT, blocks * d * OD_BLOCK, err);
    if (!status) status = od_detector_array_new(c, OD_NEIGHBORS_COPIES, OD_ARRAY_INT, m, err);
    if (!status) status = od_detector_array_new(c, OD_NEIGHBORS_FIRST, OD_ARRAY_INT, m, err);
    if (status) return status;
    float *rows = c->part[OD_NEIGHBORS_ROWS].at.f;
    for (int64_t i = 0; !status && i < blocks * OD_BLOCK; i++) {
        if (i % OD_BLOCK == 0) status = od_poll_check(err);
        int32_t from = order[i < m ? i : m - 1];
        for (int64_t j = 0; j < d; j++)
            rows[(i / OD_BLOCK * d + j) * OD_BLOCK + i % OD_BLOCK] = x[from * d + j];
        if (i >= m) continue;
        c->part[OD_NEIGHBORS_COPIES].at.i[i] = copies[from];
        c->part[OD_NEIGHBORS_FIRST].at.i[i] = from;
    }
    return status;
}

static odim_status keep_norms(od_detector *c, odim_error *err)
{
    int64_t count = od_blocks(kept_rows(c)) * OD_BLOCK;
    c->count[OD_NEIGHBORS_TREE] = 0;
    od_free(c->part[OD_NEIGHBORS_GUIDE].at.any);
    c->part[OD_NEIGHBORS_GUIDE] = (od_detector_array){0};
    odim_status status = od_detector_array_new(c, OD_NEIGHBORS_GUIDE, OD_ARRAY_FLOAT, count, err);
    if (status) return status;
    for (int64_t i = 0; !status && i < count; i++) {
        if (i % OD_BLOCK == 0) status = od_poll_check(err);
        const float *y = block_of(c, i / OD_BLOCK) + i % OD_BLOCK;
        double norm = 0.0;
        for (int64_t j = 0; j < c->d; j++) norm += (double)y[j * OD_BLOCK] * (double)y[j * OD_BLOCK];
        norm *= 1.0 - slack(c->d);
        c->part[OD_NEIGHBORS_GUIDE].at.f[i] = norm < HUGE_LIMIT ? (float)norm : (float)HUGE_LIMIT;
    }
    return status;
}

/* Whether the tree lets enough of the blocks be passed over. */
static odim_status tree_pays(const od_detector *c, const od_detector_task *task, bool *pays, odim_error *err)
{
    int64_t probes = task->n < PROBES ? task->n : PROBES, looked = 0;
    void *scratch = od_alloc(1, od_neighbors_scratch(c));
    if (!scratch) return od_fail_nomem(err);
    odim_status status = ODIM_OK;
    for (int64_t i = 0; !status && i < probes; i++) {
        status = od_poll_check(err);
        const float *x = task->x + task->n / probes * i * task->d;
        looked += od_neighbors_blocks(c, x, 1, scratch);
    }
    od_free(scratch);
    *pays = (double)looked <= TREE_SHARE * (double)(probes * od_blocks(kept_rows(c)));
    return status;
}

odim_status od_neighbors_fit(od_detector *c, const od_detector_task *task, od_guide guide, odim_error *err)
{
    int64_t n = task->n, d = task->d;
    int32_t *first = od_alloc((size_t)n, sizeof *first), *copies = od_alloc((size_t)n, sizeof *copies);
    bool tree = guide != OD_GUIDE_PRODUCTS;
    odim_status status = first && copies ? ODIM_OK : od_fail_nomem(err);
    int64_t m = 0;
    if (!status) status = od_dedup_count(task->x, n, d, first, copies, &m, err);
    c->count[OD_NEIGHBORS_K] = task->neighbors < n - 1 ? task->neighbors : n - 1;
    c->count[OD_NEIGHBORS_DISTINCT] = m;
    c->count[OD_NEIGHBORS_TREE] = tree;
    /* by the number of a row, in place of by its place among the distinct ones */
    for (int64_t i = m; !status && i-- > 0;) copies[first[i]] = copies[i];
    if (!status && tree) {
        int64_t nodes = 2 * od_blocks(m) - 1;
        status =
            od_detector_array_new(c, OD_NEIGHBORS_GUIDE, OD_ARRAY_FLOAT, nodes * 2 * od_box_width(d), err);
        if (!status) status = od_kdtree_build(task->x, d, first, m, c->part[OD_NEIGHBORS_GUIDE].at.f, err);
    }
    if (!status) status = keep(c, task->x, first, copies, err);
    if (!status && tree && guide == OD_GUIDE_CHOOSE) status = tree_pays(c, task, &tree, err);
    if (!status && !tree) status = keep_norms(c, err);
    od_free(first);
    od_free(copies);
    return status;
}

/* ---- what comes from a file -----------------------------------------------------------------------------
 */

static bool is_part(const od_detector *c, int i, od_detector_array_kind kind, int64_t count)
{
    return c->part[i].kind == kind && c->part[i].count == count;
}

static bool all_finite(const od_detector_array *p)
{
    for (int64_t i = 0; i < p->count; i++)
        if (!isfinite(p->at.f[i])) return false;
    return true;
}

odim_status od_neighbors_check(const od_detector *c, odim_error *err)
{
    int64_t m = kept_rows(c), k = c->count[OD_NEIGHBORS_K], tree = c->count[OD_NEIGHBORS_TREE], all = 0;
    if (m < 1 || m > INT32_MAX || c->d < 1 || c->d > INT32_MAX || (tree != 0 && tree != 1))
        return od_fail(err, ODIM_ERR_FORMAT, "out of range: rows that are kept, or their search");
    int64_t blocks = od_blocks(m),
            guide = tree ? (2 * blocks - 1) * 2 * od_box_width(c->d) : blocks * OD_BLOCK;
    if (!is_part(c, OD_NEIGHBORS_ROWS, OD_ARRAY_FLOAT, blocks * c->d * OD_BLOCK) ||
        !is_part(c, OD_NEIGHBORS_COPIES, OD_ARRAY_INT, m) ||
        !is_part(c, OD_NEIGHBORS_FIRST, OD_ARRAY_INT, m) ||
        !is_part(c, OD_NEIGHBORS_GUIDE, OD_ARRAY_FLOAT, guide))
        return od_fail(err, ODIM_ERR_FORMAT, "not the arrays of %lld kept rows", (long long)m);
    if (!all_finite(&c->part[OD_NEIGHBORS_ROWS]) || !all_finite(&c->part[OD_NEIGHBORS_GUIDE]))
        return od_fail(err, ODIM_ERR_FORMAT, "a kept row is not finite");
    for (int64_t i = 0; i < m; i++) {
        if (c->part[OD_NEIGHBORS_COPIES].at.i[i] < 1)
            return od_fail(err, ODIM_ERR_FORMAT, "a kept row is there less than once");
        all += c->part[OD_NEIGHBORS_COPIES].at.i[i];
    }
    if (k < 1 || k >= all || k > OD_DETECTOR_NEIGHBORS || all > INT32_MAX)
        return od_fail(err, ODIM_ERR_FORMAT, "%lld neighbours of %lld rows", (long long)k, (long long)all);
    return ODIM_OK;
}

int64_t od_neighbors_rows(const od_detector *c, const float *x, bool *is_one)
{
    int64_t rows = c->count[OD_NEIGHBORS_DISTINCT];
    *is_one = false;
    for (int64_t i = 0; i < rows && !*is_one; i++) {
        int64_t j = 0;
        while (j < c->d && od_neighbors_value(c, i, j) == x[j]) j++;
        *is_one = j == c->d;
    }
    return rows;
}
