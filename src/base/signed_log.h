/* The signed logarithm, sign(z) log(1 + |z|): linear near 0, and logarithmic in long tails. */
#ifndef OD_SIGNED_LOG_H
#define OD_SIGNED_LOG_H

#include <math.h>

static inline double od_signed_log(double z)
{
    return copysign(log1p(fabs(z)), z);
}

/* The inverse. */
static inline double od_signed_log_back(double s)
{
    return copysign(expm1(fabs(s)), s);
}

#endif
