/* Sorts numbers from low to high, NaN last: faster than qsort, which calls a function to compare. */
#ifndef OD_SORT_H
#define OD_SORT_H

#include <stdint.h>

void od_sort_double(double *x, int64_t n);
void od_sort_float(float *x, int64_t n);

#endif
