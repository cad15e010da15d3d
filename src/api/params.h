/* The parameters as a handle: odim_params of the public header. */
#ifndef OD_PARAMS_H
#define OD_PARAMS_H

#include "base/status.h"
#include "model/config.h"

struct odim_params {
    od_config config;
    char text[128]; /* what odim_params_get returned last */
};

/* The defaults; never fails. */
void od_params_defaults(od_config *config);

#endif
