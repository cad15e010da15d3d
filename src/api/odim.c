/* The public calls that read, fit and score: they check arguments and call the parts that do the work. */
#include "odim.h"

#include <math.h>

#include "base/poll.h"
#include "base/sized.h"
#include "common/mem.h"
#include "fit/fit.h"
#include "kern/kern.h"
#include "model/params.h"
#include "prep/arrow_table.h"
#include "prep/table_build.h"
#include "prep/read.h"
#include "prep/sample.h"
#include "api/reading.h"
#include "score/calibrate.h"
#include "score/score.h"

#define TEXT(x)  TEXT2(x)
#define TEXT2(x) #x

const char *odim_version(void)
{
    return TEXT(ODIM_VERSION_MAJOR) "." TEXT(ODIM_VERSION_MINOR) "." TEXT(ODIM_VERSION_PATCH);
}

int odim_version_number(void)
{
    return ODIM_VERSION_NUMBER;
}

const char *odim_kernels(void)
{
    return od_kern_get()->name;
}

/* ---- reading -------------------------------------------------------------------------------------- */

odim_status odim_table_read(odim_table **out, const char *path, const odim_read_options *options,
                            odim_error *err)
{
    od_reading r;
    OD_NEED(out, "out", err);
    *out = NULL;
    OD_NEED(path, "path", err);
    odim_status status = od_reading_begin(&r, options, err);
    if (status) return status;
    status = od_read_table(out, path, NULL, 0, &r.options, r.like, err);
    od_reading_end(&r);
    return status;
}

odim_status odim_table_read_memory(odim_table **out, const void *bytes, size_t size, const char *name,
                                   const odim_read_options *options, odim_error *err)
{
    od_reading r;
    OD_NEED(out, "out", err);
    *out = NULL;
    if (size) OD_NEED(bytes, "bytes", err);
    odim_status status = od_reading_begin(&r, options, err);
    if (status) return status;
    status = od_read_table(out, name ? name : "<memory>", bytes ? bytes : "", size, &r.options, r.like, err);
    od_reading_end(&r);
    return status;
}

odim_status odim_reader_open(odim_reader **out, const char *path, const odim_read_options *options,
                             odim_error *err)
{
    od_reading r;
    OD_NEED(out, "out", err);
    *out = NULL;
    OD_NEED(path, "path", err);
    odim_status status = od_reading_begin(&r, options, err);
    if (status) return status;
    status = od_reader_open(out, path, NULL, 0, &r.options, r.like, err);
    od_reading_end(&r);
    return status;
}

odim_status odim_table_build(odim_table **out, const odim_column *const *columns, int64_t cols, int64_t rows,
                             const odim_model *like, odim_error *err)
{
    OD_NEED(out, "out", err);
    *out = NULL;
    odim_column *own;
    odim_status status = od_reading_columns(&own, columns, cols, err);
    if (!status) status = od_table_build(out, own, cols, rows, like ? &like->schema : NULL, NULL, err);
    od_free(own);
    return status;
}

odim_status odim_table_arrow(odim_table **out, struct ArrowArrayStream *stream,
                             const odim_read_options *options, odim_error *err)
{
    od_reading r;
    if (out) *out = NULL;
    OD_NEED(stream, "stream", err);
    odim_status status = out ? od_reading_begin(&r, options, err) : od_fail_null(err, "out");
    if (!status) {
        status = od_arrow_table(out, stream, &r.options, r.like, err);
        od_reading_end(&r);
    }
    if (stream->release) stream->release(stream); /* nobody has taken it over */
    stream->release = NULL;
    return status;
}

/* ---- fitting -------------------------------------------------------------------------------------- */

const char *odim_stage_text(odim_stage stage)
{
    static const char *const names[] = {"fitting", "scoring", "explaining", "reading"};
    return (unsigned)stage < sizeof names / sizeof *names ? names[stage] : "unknown";
}

/* scores: of all rows, or NULL. */
static odim_status fit_table(const odim_table *table, const odim_params *params, const odim_hooks *hooks,
                             odim_model **out, double *scores, odim_error *err)
{
    odim_hooks own;
    OD_NEED(table, "table", err);
    odim_status status = od_sized_in(&own, sizeof own, hooks, "hooks", err);
    if (status) return status;
    od_fit fit;
    status = od_fit_init(&fit, params, OD_FIT_IN_MEMORY, &own, err);
    if (!status) status = od_fit_table(&fit, table, err);
    if (!status) status = od_fit_run(&fit, out, scores, err);
    od_fit_free(&fit);
    return status;
}

odim_status odim_fit(const odim_table *table, const odim_params *params, const odim_hooks *hooks,
                     odim_model **out, odim_error *err)
{
    OD_NEED(out, "out", err);
    *out = NULL;
    return fit_table(table, params, hooks, out, NULL, err);
}

odim_status odim_detect(const odim_table *table, const odim_params *params, const odim_hooks *hooks,
                        odim_model **out, double *scores, odim_error *err)
{
    OD_NEED(out, "out", err);
    *out = NULL;
    OD_NEED(scores, "scores", err);
    return fit_table(table, params, hooks, out, scores, err);
}

/* ---- scoring -------------------------------------------------------------------------------------- */

static odim_status check_scoring(const odim_model *model, const odim_table *table, const double *scores,
                                 const odim_hooks *hooks, odim_hooks *own, odim_error *err)
{
    OD_NEED(model, "model", err);
    OD_NEED(table, "table", err);
    OD_NEED(scores, "scores", err);
    odim_status status = od_sized_in(own, sizeof *own, hooks, "hooks", err);
    return status ? status : od_kern_check(err);
}

odim_status odim_score(const odim_model *model, const odim_table *table, const odim_params *params,
                       const odim_hooks *hooks, double *scores, odim_error *err)
{
    odim_hooks own;
    odim_status status = check_scoring(model, table, scores, hooks, &own, err);
    if (status) return status;
    return od_score_final(model, table, true, &(od_run){params ? params->config.threads : 0, &own}, scores,
                          err);
}

odim_status odim_score_raw(const odim_model *model, const odim_table *table, const odim_params *params,
                           const odim_hooks *hooks, double *scores, odim_error *err)
{
    odim_hooks own;
    odim_status status = check_scoring(model, table, scores, hooks, &own, err);
    if (status) return status;
    return od_score_new_rows(model, table, &(od_run){params ? params->config.threads : 0, &own}, scores, err);
}

odim_status odim_score_members(const odim_model *model, const odim_table *table,
                               const odim_score_options *options, const odim_params *params,
                               const odim_hooks *hooks, double *scores, odim_error *err)
{
    odim_score_options o;
    odim_hooks own;
    odim_status status = check_scoring(model, table, scores, hooks, &own, err);
    if (!status) status = od_sized_in(&o, sizeof o, options, "options", err);
    if (status) return status;
    int64_t count = o.rows ? o.count : table->n, *all = NULL;
    if ((status = od_table_check_rows(table, o.rows, count, err))) return status;
    if (count < 1) return ODIM_OK;
    if (!o.rows) {
        if (!(all = od_alloc((size_t)count, sizeof *all))) return od_fail_nomem(err);
        for (int64_t i = 0; i < count; i++) all[i] = i;
    }
    status = od_score_members(model, &(od_table_rows){table, all ? all : o.rows, count},
                              &(od_run){params ? params->config.threads : 0, &own}, scores, err);
    od_free(all);
    return status;
}

double odim_model_threshold(const odim_model *model)
{
    return model ? model->threshold : NAN;
}

double odim_model_unusual(const odim_model *model)
{
    if (!model) return NAN;
    return model->verdict.present ? model->verdict.unusual : model->threshold;
}

double odim_model_probability(const odim_model *model, double score)
{
    if (!model) return NAN;
    if (model->verdict.present) return od_verdict_probability(score);
    return od_calibrate_probability(&model->calibration, score);
}

odim_status odim_model_probabilities(const odim_model *model, const double *scores, int64_t n,
                                     double *probabilities, odim_error *err)
{
    OD_NEED(model, "model", err);
    if (n > 0) OD_NEED(scores, "scores", err);
    if (n > 0) OD_NEED(probabilities, "probabilities", err);
    for (int64_t i = 0; i < n; i++) probabilities[i] = odim_model_probability(model, scores[i]);
    return ODIM_OK;
}
