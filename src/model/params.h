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

/* Whether the parameter has an effect on what is fitted: networks, one kind of detector or another. */
bool od_params_apply(const od_config *config, const odim_param_info *info);

/* Refuses combinations that cannot be fitted, and parameters set by name that would have no effect. */
odim_status od_params_check(const odim_params *p, odim_error *err);

/* Where the rows of a fit are, and what it is for. */
typedef enum od_fit_kind {
    OD_FIT_IN_MEMORY, /* all rows are in memory */
    OD_FIT_STREAMED,  /* only the training rows are */
    OD_FIT_TRACED     /* losses of rows are recorded during training */
} od_fit_kind;

/* Refuses parameters that do not go with this kind of fit. */
odim_status od_params_check_kind(const od_config *config, od_fit_kind kind, odim_error *err);
/* Refuses parameters that do not go with known rows: there is a column of them, `marked` rows are known. */
odim_status od_params_check_known(const od_config *config, bool column, int64_t marked, odim_error *err);

#endif
