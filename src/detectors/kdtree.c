/* Builds and searches a k-d tree. */
#include "detectors/kdtree.h"

#include "common/mem.h"
#include "base/poll.h"

typedef struct key {
    float value;
    int32_t row;
} key;

typedef struct tree {
    const float *x;
    int64_t d, m;
    int32_t *order;
    float *box;
    key *key; /* (m) */
} tree;

static bool below(key a, key b)
{
    return a.value < b.value || (a.value == b.value && a.row < b.row);
}

static void swap(key *a, key *b)
{
    key t = *a;
    *a = *b;
    *b = t;
}

/* The middle one of three, to cut at. */
static key pivot(const key *k, int64_t n)
{
    key a = k[0], b = k[n / 2], c = k[n - 1];
    if (below(b, a)) swap(&a, &b);
    if (below(c, b)) b = below(c, a) ? a : c;
    return b;
}

/* The `count` lowest of n go to the front. No two are equal. */
static void separate(key *k, int64_t n, int64_t count)
{
    while (n > 1) {
        key cut = pivot(k, n);
        int64_t i = 0, j = n - 1;
        for (;; i++, j--) {
            while (below(k[i], cut)) i++;
            while (below(cut, k[j])) j--;
            if (i >= j) break;
            swap(k + i, k + j);
        }
        if (i == count) return; /* those before i are lower than the others */
        if (i > count) {
            n = i;
        } else {
            k += i;
            n -= i;
            count -= i;
        }
    }
}

/* Returns the column where the box is longest, the first of equals. */
static int64_t enclose(const tree *t, const int32_t *row, int64_t rows, float *least, float *most)
{
    const float *first = t->x + row[0] * t->d;
    for (int64_t j = 0; j < t->d; j++) least[j] = most[j] = first[j];
    for (int64_t i = 1; i < rows; i++) {
        const float *x = t->x + row[i] * t->d;
        for (int64_t j = 0; j < t->d; j++) {
            least[j] = x[j] < least[j] ? x[j] : least[j];
            most[j] = x[j] > most[j] ? x[j] : most[j];
        }
    }
    int64_t longest = 0;
    for (int64_t j = 1; j < t->d; j++)
        if ((double)most[j] - (double)least[j] > (double)most[longest] - (double)least[longest]) longest = j;
    return longest;
}

/* The box of a node, and its rows parted between its children. */
static void part_rows(const tree *t, int64_t node, int64_t lo, int64_t hi)
{
    int64_t width = od_box_width(t->d), start = lo * OD_BLOCK,
            end = hi * OD_BLOCK < t->m ? hi * OD_BLOCK : t->m;
    int64_t n = end - start, middle = od_middle(lo, hi);
    int32_t *row = t->order + start;
    float *least = t->box + node * 2 * width;
    int64_t column = enclose(t, row, n, least, least + width);
    if (hi - lo == 1) return;
    for (int64_t i = 0; i < n; i++) t->key[i] = (key){t->x[row[i] * t->d + column], row[i]};
    separate(t->key, n, (middle - lo) * OD_BLOCK);
    for (int64_t i = 0; i < n; i++) row[i] = t->key[i].row;
}

static odim_status build(const tree *t, int64_t blocks, odim_error *err)
{
    od_node stack[OD_TREE_DEPTH] = {{.node = 0, .lo = 0, .hi = blocks}};
    odim_status status = ODIM_OK;
    for (int top = 1; top && !(status = od_poll_check(err));) {
        od_node at = stack[--top];
        part_rows(t, at.node, at.lo, at.hi);
        if (at.hi - at.lo == 1) continue;
        int64_t middle = od_middle(at.lo, at.hi);
        stack[top++] = (od_node){.node = od_right(at.node, at.lo, at.hi), .lo = middle, .hi = at.hi};
        stack[top++] = (od_node){.node = od_left(at.node), .lo = at.lo, .hi = middle};
    }
    return status;
}

odim_status od_kdtree_build(const float *x, int64_t d, int32_t *order, int64_t m, float *box, odim_error *err)
{
    tree t = {x, d, m, order, box, od_alloc((size_t)m, sizeof(key))};
    if (!t.key) return od_fail_nomem(err);
    odim_status status = build(&t, od_blocks(m), err);
    od_free(t.key);
    return status;
}
