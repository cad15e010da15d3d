/* Comparison functions for qsort: numbers in ascending order. */
#ifndef OD_COMPARE_H
#define OD_COMPARE_H

/* NaN comes last. */
int od_compare_double(const void *a, const void *b);
int od_compare_float(const void *a, const void *b);
int od_compare_int32(const void *a, const void *b);
int od_compare_int64(const void *a, const void *b);

#endif
