/*
 * NPY, the file of one NumPy array (numpy.lib.format):
 *
 *     \x93NUMPY  major minor  header length (2 bytes in version 1, else 4; little-endian)
 *     header: a Python dictionary as text: {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
 *     the cells
 *
 * Versions 1, 2 and 3; booleans, integers and floats of every width that C has. Nothing in a file is
 * executed: object arrays, which are pickled Python, are refused.
 */
#ifndef OD_NPY_H
#define OD_NPY_H

#include <stdbool.h>
#include <stddef.h>

#include "io/dense.h"

#define OD_NPY_MAGIC     "\x93NUMPY"
#define OD_NPY_MAGIC_LEN 6

/* Reads the header; od_dense_read then reads the cells from the same source. */
odim_status od_npy_header(od_source *src, od_dense *out, odim_error *err);

#endif
