/* Public calls without a file of their own: reading, fitting, scoring, version. */
#include "odim.h"

#include <string.h>

#include "fit/fit.h"
#include "kern/kern.h"
#include "model/params.h"
#include "prep/table_build.h"
#include "prep/read.h"
#include "prep/sample.h"
#include "score/calibrate.h"
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

/* ---- reading -------------------------------------------------------------------------------------- */

static const od_schema *schema_of(const odim_read_options *o)
{
    return o && o->like ? &o->like->schema : NULL;
}

odim_status odim_table_read(odim_table **out, const char *path, const odim_read_options *options,
                            odim_error *err)
{
    *out = NULL;
    if (!path) return od_fail(err, ODIM_ERR_PARAM, "the path is NULL");
    return od_read_table(out, path, NULL, 0, options, schema_of(options), err);
}

odim_status odim_table_read_memory(odim_table **out, const void *bytes, size_t size, const char *name,
                                   const odim_read_options *options, odim_error *err)
{
    *out = NULL;
    if (!bytes && size) return od_fail(err, ODIM_ERR_PARAM, "the bytes are NULL");
    return od_read_table(out, name ? name : "<memory>", bytes ? bytes : "", size, options, schema_of(options),
                         err);
}

odim_status odim_reader_open(odim_reader **out, const char *path, const odim_read_options *options,
                             odim_error *err)
{
    *out = NULL;
    if (!path) return od_fail(err, ODIM_ERR_PARAM, "the path is NULL");
    return od_reader_open(out, path, NULL, 0, options, schema_of(options), err);
}

odim_status odim_table_build(odim_table **out, const odim_column *columns, int64_t cols, int64_t rows,
                             const odim_model *like, odim_error *err)
{
    return od_table_build(out, columns, cols, rows, like ? &like->schema : NULL, err);
}

/* ---- fitting -------------------------------------------------------------------------------------- */

/* scores: of all rows, or NULL. */
static odim_status fit_table(const odim_table *table, const odim_params *params, const odim_hooks *hooks,
                             odim_model **out, double *scores, odim_error *err)
{
    *out = NULL;
    od_fit fit;
    odim_status status = od_fit_init(&fit, params, OD_FIT_IN_MEMORY, hooks, err);
    if (!status) status = od_fit_table(&fit, table, err);
    if (!status) status = od_fit_run(&fit, out, scores, err);
    od_fit_free(&fit);
    return status;
}

odim_status odim_fit(const odim_table *table, const odim_params *params, const odim_hooks *hooks,
                     odim_model **out, odim_error *err)
{
    return fit_table(table, params, hooks, out, NULL, err);
}

odim_status odim_detect(const odim_table *table, const odim_params *params, const odim_hooks *hooks,
                        odim_model **out, double *scores, odim_error *err)
{
    return fit_table(table, params, hooks, out, scores, err);
}

/* ---- scoring -------------------------------------------------------------------------------------- */

odim_status odim_score(const odim_model *model, const odim_table *table, const odim_params *params,
                       const odim_hooks *hooks, double *scores, odim_error *err)
{
    odim_status status = od_kern_check(err);
    if (status) return status;
    return od_score_final(model, table, true, &(od_run){params ? params->config.threads : 0, hooks}, scores,
                          err);
}

odim_status odim_score_raw(const odim_model *model, const odim_table *table, const odim_params *params,
                           const odim_hooks *hooks, double *scores, odim_error *err)
{
    odim_status status = od_kern_check(err);
    if (status) return status;
    return od_score_new_rows(model, table, &(od_run){params ? params->config.threads : 0, hooks}, scores,
                             err);
}

odim_status odim_score_members(const odim_model *model, const odim_table *table, const int64_t *rows,
                               int64_t count, const odim_params *params, const odim_hooks *hooks,
                               double *scores, odim_error *err)
{
    odim_status status = od_kern_check(err);
    if (status) return status;
    for (int64_t i = 0; i < count; i++)
        if (rows[i] < 0 || rows[i] >= table->n)
            return od_fail(err, ODIM_ERR_PARAM, "row %lld of %lld", (long long)rows[i], (long long)table->n);
    if (count < 1) return ODIM_OK;
    return od_score_members(model, &(od_table_rows){table, rows, count},
                            &(od_run){params ? params->config.threads : 0, hooks}, scores, err);
}

double odim_model_threshold(const odim_model *model)
{
    return model->threshold;
}

double odim_model_probability(const odim_model *model, double score)
{
    if (model->verdict.present) return od_verdict_probability(score);
    return od_calibrate_probability(&model->calibration, score);
}

double odim_model_unusual(const odim_model *model)
{
    return model->verdict.present ? model->verdict.unusual : model->threshold;
}
