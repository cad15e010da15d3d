/* Checks whether the numbers of a calibration are valid. */
#include "model/calibration.h"

#include <math.h>

static bool is_positive(double value)
{
    return isfinite(value) && value > 0.0;
}

static bool is_shape(double value)
{
    return value >= 0.1 && value <= 10.0;
}

bool od_calibration_valid(const od_calibration *c)
{
    return isfinite(c->centre) && is_positive(c->lower_scale) && is_shape(c->lower_shape) &&
           is_positive(c->upper_scale) && is_shape(c->upper_shape) && is_positive(c->share) &&
           c->share < 0.5 && is_positive(c->reach) && isfinite(c->threshold) && c->threshold >= c->centre;
}
