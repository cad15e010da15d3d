/* The Adam optimizer: constants and bias corrections of an update. */
#include "net/adam.h"

#include <math.h>

#define BETA1 0.9
#define BETA2 0.999
#define EPS   1e-8

void od_adam_update(const od_kern *k, od_adam *a, float *w, float *m, float *v, const float *g, int64_t n)
{
    a->step++;
    od_adam_step s = {
        .lr = (float)a->lr,
        .beta1 = (float)BETA1,
        .beta2 = (float)BETA2,
        .eps = (float)EPS,
        .decay = (float)a->decay,
        .one_minus_beta1 = (float)(1.0 - BETA1),
        .one_minus_beta2 = (float)(1.0 - BETA2),
        .corr1 = (float)(1.0 - pow(BETA1, (double)a->step)),
        .corr2 = (float)sqrt(1.0 - pow(BETA2, (double)a->step)),
    };
    k->adam(w, m, v, g, n, &s);
}
