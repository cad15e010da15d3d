/* Finds rows that occur more than once. */
#ifndef OD_DEDUP_H
#define OD_DEDUP_H

#include "base/status.h"

/* Of n rows x (n, d): how many are distinct; first (n) has the number of the first copy of each, ascending,
 * and copies (n) how many there are. 0 and -0 are equal. n is below 2^31. */
odim_status od_dedup_count(const float *x, int64_t n, int64_t d, int32_t *first, int32_t *copies,
                           int64_t *distinct, odim_error *err);

#endif
