/* Adam (Kingma and Ba, 2015) with weight decay added to the gradient. */
#ifndef OD_ADAM_H
#define OD_ADAM_H

#include "kern/kern.h"

typedef struct od_adam {
    double lr, decay;
    int64_t step; /* updates so far */
} od_adam;

/* One update of w (n) by the gradient g; m and v are the moments, zero before the first update. */
void od_adam_update(const od_kern *k, od_adam *a, float *w, float *m, float *v, const float *g, int64_t n);

#endif
