/*
 * A k-d tree without links. Its leaves are blocks of OD_BLOCK rows, all full but the last; a node stands for
 * the blocks lo..hi-1 and splits them in the middle, so that the shape follows from the number of blocks
 * alone. Nodes are numbered with a node before its left part before its right part. What is kept of a node is
 * the box around its rows.
 */
#ifndef OD_KDTREE_H
#define OD_KDTREE_H

#include "base/status.h"

#define OD_BLOCK 24 /* rows; as many lanes as a tile of the multiply has */

static inline int64_t od_blocks(int64_t rows)
{
    return (rows + OD_BLOCK - 1) / OD_BLOCK;
}

/* Columns of a box: its sums run in four chains. */
static inline int64_t od_box_width(int64_t d)
{
    return (d + 3) / 4 * 4;
}

/* A node, the blocks lo..hi-1 that it stands for, and for a search how far away it is. What is still to be
 * visited: never more than one node a level, and the number of blocks has 31 bits. */
typedef struct od_node {
    int64_t node, lo, hi;
    float away;
} od_node;

#define OD_TREE_DEPTH 40

static inline int64_t od_middle(int64_t lo, int64_t hi)
{
    return lo + (hi - lo) / 2;
}

/* The parts of node: lo..middle-1 and middle..hi-1. */
static inline int64_t od_left(int64_t node)
{
    return node + 1;
}

static inline int64_t od_right(int64_t node, int64_t lo, int64_t hi)
{
    return node + 2 * (od_middle(lo, hi) - lo);
}

/*
 * order (m), which lists rows of x, is brought into the order of the leaves: each node splits where its box
 * is longest, and of equal values those of earlier rows are lower. box (2 blocks - 1, 2, box width): the
 * least and the largest value of each column, 0 beyond the last.
 */
odim_status od_kdtree_build(const float *x, int64_t d, int32_t *order, int64_t m, float *box,
                            odim_error *err);

#endif
