/* Selects the samples with non-negligible weight for the backward pass; see the essay in net/iwae.c. */
#ifndef OD_ACTIVE_SAMPLES_H
#define OD_ACTIVE_SAMPLES_H

#include "base/status.h"
#include "kern/kern.h"

odim_status od_active_samples_new(od_active_samples *active, int64_t lanes, odim_error *err);
void od_active_samples_free(od_active_samples *active);

/* Selects the lanes among n whose weight v is at least `min_weight`; there g = v * gain, elsewhere g = 0.
 * Lanes that are `rows` apart are samples of the same row and share an element of gain (rows). v may be g. */
void od_active_samples_pick(od_active_samples *active, float *g, const float *v, float min_weight,
                            const float *gain, int64_t rows, int64_t n);

#endif
