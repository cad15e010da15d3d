/* Samples that have any weight: see the essay in net/iwae.c. */
#ifndef OD_ACTIVE_SAMPLES_H
#define OD_ACTIVE_SAMPLES_H

#include "base/status.h"
#include "kern/kern.h"

odim_status od_active_samples_new(od_active_samples *active, int64_t lanes, odim_error *err);
void od_active_samples_free(od_active_samples *active);

/* The lanes among n whose weight v is at least `least`, and there g = v * gain; 0 elsewhere. Gain (rows) is
 * the same for lanes that are `rows` apart: the samples of a row. v may be g. */
void od_active_samples_pick(od_active_samples *active, float *g, const float *v, float least,
                            const float *gain, int64_t rows, int64_t n);

#endif
