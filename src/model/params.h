/* The parameters as a handle: odim_params of the public header. */
#ifndef OD_PARAMS_H
#define OD_PARAMS_H

#include "base/status.h"
#include "model/config.h"

#define OD_MAX_PARAMS 64

struct odim_params {
    od_config config;
    bool chosen[OD_MAX_PARAMS]; /* set by name: a preset leaves it alone, whichever comes first */
    char text[128];             /* what odim_params_get returned last */
};

/* The defaults, which are those of preset auto; never fails. */
void od_params_defaults(od_config *config);

/* What a model file means by a parameter that it does not name: the values of preset paper, for ever. */
void od_params_unwritten(odim_params *p);
/* As odim_params_set, but a preset has no say in the others. */
odim_status od_params_put(odim_params *p, const char *name, const char *value, odim_error *err);

/* Whether the parameter has a say in what is fitted: networks, one kind of detector or another. */
bool od_params_apply(const od_config *config, const odim_param_info *info);

/* Refuses what was asked for by name and has no say in what is fitted. */
odim_status od_params_check(const odim_params *p, odim_error *err);

#endif
