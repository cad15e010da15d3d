#include "fit/prefit.h"

#include "common/mem.h"
#include "base/poll.h"
#include "base/parallel.h"
#include "detectors/pca_space.h"

#define KNN_NEAREST 10
#define LOF_NEAREST 20

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

static int64_t threads_of(const od_config *config)
{
    return config->threads ? config->threads : od_parallel_cores();
}

static int64_t nearest_of(const od_config *config, od_method method)
{
    if (config->neighbors) return config->neighbors;
    return method == OD_METHOD_LOF ? LOF_NEAREST : KNN_NEAREST;
}

/* To x (n, features), seen (n, layout.shape.d): the same in the view. */
static odim_status add_aux(odim_model *m, od_method method, bool transformed, const float *x,
                           const float *seen, int64_t n, const odim_hooks *hooks, odim_error *err)
{
    const od_config *config = &m->config;
    od_aux_detector *c = &m->aux[m->aux_count];
    *c = (od_aux_detector){.transformed = transformed, .weight = 1.0};
    const od_detector_task task = {.x = transformed ? seen : x,
                                   .n = n,
                                   .d = od_model_sees(m, c),
                                   .seed = config->seed,
                                   .neighbors = nearest_of(config, method),
                                   .trees = config->trees,
                                   .tree_sample = config->tree_sample,
                                   .threads = threads_of(config),
                                   .tick = od_poll_tick};
    od_pca_space_note(method, &task, hooks);
    odim_status status = od_detector_fit(&c->detector, method, &task, err);
    if (!status) m->aux_count++;
    return status;
}

static odim_status add_companions(odim_model *m, const float *x, int64_t n, const odim_hooks *hooks,
                                  odim_error *err)
{
    const od_aux_spec *with = &m->config.with;
    const od_method method = (od_method)m->config.method;
    int64_t d = m->layout.shape.d;
    float *seen = NULL;
    odim_status status = ODIM_OK;
    if (m->transform.d) {
        seen = od_alloc((size_t)n, (size_t)d * sizeof *seen);
        if (!seen) return od_fail_nomem(err);
        for (int64_t i = 0; !status && i < n; i++) {
            od_transform_apply(&m->transform, x + i * m->schema.features, 1, m->schema.features,
                               seen + i * d);
            status = od_poll_check(err);
        }
    }
    if (method && !status) status = add_aux(m, method, m->transform.d > 0, x, seen, n, hooks, err);
    for (int i = 0; !method && !status && i < with->count; i++)
        status = add_aux(m, with->item[i].method, with->item[i].transformed, x, seen, n, hooks, err);
    od_free(seen);
    return status;
}

static odim_status look(odim_model *m, const od_encoder *encoder, const od_row_set *chosen, int64_t n,
                        float *x, const odim_hooks *hooks, odim_error *err)
{
    int64_t d = m->schema.features, few = od_sample_few(chosen->count, d);
    odim_status status = take_rows(encoder, chosen, few, x, err);
    if (!status && m->config.transform == OD_TRANSFORM_LOG_PCA)
        status = od_transform_fit(&m->transform, x, few, d, threads_of(&m->config), err);
    if (!status && n > few) status = take_rows(encoder, chosen, n, x, err);
    return status ? status : add_companions(m, x, n, hooks, err);
}

odim_status od_prefit(odim_model *m, const od_encoder *encoder, const od_row_set *chosen,
                      const odim_hooks *hooks, odim_error *err)
{
    const od_config *config = &m->config;
    if (config->transform == OD_TRANSFORM_NONE && !config->method && !config->with.count) return ODIM_OK;
    int64_t d = m->schema.features, n = config->method ? chosen->count : od_sample_few(chosen->count, d);
    float *x = od_alloc((size_t)n, (size_t)d * sizeof *x);
    if (!x) return od_fail_nomem(err);
    odim_status status = look(m, encoder, chosen, n, x, hooks, err);
    od_free(x);
    return status;
}
