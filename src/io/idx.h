/*
 * IDX, the format of the MNIST images, all numbers big-endian:
 *
 *     0  0  type  number of axes
 *     the length of each axis (4 bytes)
 *     the cells, the last axis running fastest
 *
 * Types: 08 unsigned byte, 09 signed byte, 0B 16-bit integer, 0C 32-bit integer, 0D float, 0E double.
 */
#ifndef OD_IDX_H
#define OD_IDX_H

#include <stdbool.h>
#include <stddef.h>

#include "io/dense.h"

/* Do these bytes begin an IDX file? No text does: it has no zero bytes. */
bool od_idx_is(const unsigned char *bytes, size_t len);
/* Reads the header; od_dense_read then reads the cells from the same source. */
odim_status od_idx_header(od_source *src, od_dense *out, odim_error *err);

#endif
