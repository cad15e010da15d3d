/* Quantiles of the chi-square distribution. */
#ifndef OD_CHISQUARE_H
#define OD_CHISQUARE_H

#include <stdint.h>

/* The value below which a share 0 < p < 1 lies, for `freedom` >= 1 degrees of freedom. */
double od_chisquare_quantile(double p, int64_t freedom);

#endif
