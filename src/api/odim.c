/* The public calls that are not another file's own: fit, score, version. */
#include "odim.h"

#include "model/params.h"
#include "fit/ensemble.h"
#include "kern/kern.h"
#include "score/score.h"

#define TEXT(x)  TEXT2(x)
#define TEXT2(x) #x

const char *odim_version(void)
{
    return TEXT(ODIM_VERSION_MAJOR) "." TEXT(ODIM_VERSION_MINOR) "." TEXT(ODIM_VERSION_PATCH);
}

const char *odim_kernels(void)
{
    return od_kern_get()->name;
}

odim_status odim_fit(const odim_table *table, const odim_params *params, const odim_hooks *hooks,
                     odim_model **out, odim_error *err)
{
    *out = NULL;
    odim_status status = od_kern_check(err);
    if (status) return status;
    od_config config;
    if (params)
        config = params->config;
    else
        od_params_defaults(&config);
    if (table->n < 2)
        return od_fail(err, ODIM_ERR_DATA, "one row alone cannot be compared: at least 2 are needed");
    if (table->d > OD_MAX_COLS)
        return od_fail(err, ODIM_ERR_DATA, "%lld feature columns; at most %d can be used",
                       (long long)table->d, OD_MAX_COLS);
    if (config.likelihood == OD_LIK_BERNOULLI && config.scale == OD_SCALE_STANDARD)
        return od_fail(err, ODIM_ERR_PARAM,
                       "likelihood bernoulli is for values from 0 to 1: it needs scale minmax");
    return od_ensemble_fit(out, &config, table, hooks, err);
}

odim_status odim_score(const odim_model *model, const odim_table *table, const odim_params *params,
                       const odim_hooks *hooks, double *scores, odim_error *err)
{
    odim_status status = od_kern_check(err);
    if (status) return status;
    return od_score_table(model, table, params ? params->config.threads : 0, hooks, scores, err);
}
