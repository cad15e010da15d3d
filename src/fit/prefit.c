/* Fits the transform and the detectors, before networks are trained. */
#include "fit/prefit.h"

#include "common/mem.h"
#include "base/poll.h"
#include "detectors/pca_space.h"

#define KNN_NEIGHBORS 10
#define LOF_NEIGHBORS 20 /* and those of other methods that look around a row */

int64_t od_prefit_width(const od_config *config, int64_t rows, int64_t features)
{
    if (config->transform == OD_TRANSFORM_NONE) return features;
    return features + od_transform_axes(od_sample_few(rows, features), features);
}

/* x (n, features): of n rows evenly among the chosen ones. */
static odim_status take_rows(const od_encoder *encoder, const od_row_set *chosen, int64_t n, float *x,
                             odim_error *err)
{
    odim_status status = ODIM_OK;
    for (int64_t i = 0; !status && i < n; i++) {
        int64_t row = od_row_set_even(chosen, i, n);
        status = od_encode_rows(encoder, &row, 0, 1, x + i * encoder->schema->features, err);
        if (!status) status = od_poll_check(err);
    }
    return status;
}

static int64_t neighbors_of(const od_config *config, od_method method)
{
    if (config->neighbors) return config->neighbors;
    return method == OD_METHOD_KNN ? KNN_NEIGHBORS : LOF_NEIGHBORS;
}

/* The rows that detectors are fitted on. */
typedef struct sample {
    const float *x; /* (n, features) */
    float *seen;    /* (n, width): the same after the transform, or NULL */
    int64_t n;
} sample;

static odim_status add_detector(odim_model *m, od_method method, bool transformed, const sample *s,
                                const od_run *run, odim_error *err)
{
    const od_config *config = &m->config;
    od_aux_detector *c = &m->aux[m->aux_count];
    *c = (od_aux_detector){.transformed = transformed, .weight = 1.0};
    const od_detector_task task = {.x = transformed ? s->seen : s->x,
                                   .n = s->n,
                                   .d = od_model_sees(m, c),
                                   .one_unit = m->schema.one_unit && !transformed,
                                   .seed = config->seed,
                                   .neighbors = neighbors_of(config, method),
                                   .trees = config->trees,
                                   .tree_sample = config->tree_sample,
                                   .threads = od_run_threads(run),
                                   .tick = od_poll_tick,
                                   .nu = config->nu,
                                   .gamma = config->gamma,
                                   .clusters = config->clusters,
                                   .projections = config->projections,
                                   .bins = config->bins,
                                   .references = config->references,
                                   .bags = config->bags};
    od_detector_note(method, &task, run->hooks);
    od_pca_space_note(method, &task, run->hooks);
    odim_status status = od_detector_fit(&c->detector, method, &task, err);
    if (!status) m->aux_count++;
    return status;
}

static odim_status transform_rows(const odim_model *m, sample *s, odim_error *err)
{
    int64_t d = m->width, features = m->schema.features;
    odim_status status = ODIM_OK;
    s->seen = od_alloc((size_t)s->n, (size_t)d * sizeof *s->seen);
    if (!s->seen) return od_fail_nomem(err);
    for (int64_t i = 0; !status && i < s->n; i++) {
        od_transform_apply(&m->transform, s->x + i * features, 1, features, s->seen + i * d);
        status = od_poll_check(err);
    }
    return status;
}

static odim_status add_detectors(odim_model *m, const float *x, int64_t n, const od_run *run, odim_error *err)
{
    const od_aux_spec *with = &m->config.with;
    const od_method method = (od_method)m->config.method;
    sample s = {.x = x, .n = n};
    odim_status status = m->transform.d ? transform_rows(m, &s, err) : ODIM_OK;
    if (method && !status) status = add_detector(m, method, m->transform.d > 0, &s, run, err);
    for (int i = 0; !method && !status && i < with->count; i++)
        status = add_detector(m, with->item[i].method, with->item[i].transformed, &s, run, err);
    od_free(s.seen);
    return status;
}

odim_status od_prefit(odim_model *m, const od_encoder *encoder, const od_row_set *chosen, const od_run *run,
                      odim_error *err)
{
    const od_config *config = &m->config;
    if (config->transform == OD_TRANSFORM_NONE && !config->method && !config->with.count) return ODIM_OK;
    int64_t d = m->schema.features, few = od_sample_few(chosen->count, d);
    int64_t n = config->method ? chosen->count : few;
    float *x = od_alloc((size_t)n, (size_t)d * sizeof *x);
    if (!x) return od_fail_nomem(err);
    odim_status status = take_rows(encoder, chosen, few, x, err);
    if (!status && config->transform == OD_TRANSFORM_LOG_PCA)
        status = od_transform_fit(&m->transform, x, few, d, od_run_threads(run), err);
    if (!status && n > few) status = take_rows(encoder, chosen, n, x, err);
    if (!status) status = add_detectors(m, x, n, run, err);
    od_free(x);
    return status;
}
