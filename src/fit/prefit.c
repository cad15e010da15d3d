/* Fits the transform and the detectors, before networks are trained. */
#include "fit/prefit.h"

#include "common/mem.h"
#include "base/parallel.h"
#include "base/poll.h"
#include "detectors/pca_space.h"

#define KNN_NEIGHBORS 10
#define LOF_NEIGHBORS 20 /* and those of other methods that look around a row */

int64_t od_prefit_width(const od_config *config, int64_t rows, int64_t features)
{
    if (config->transform == OD_TRANSFORM_NONE) return features;
    return features + od_transform_axes(od_sample_few(rows, features), features);
}

#define BLOCK 64 /* rows that are one job */

typedef struct taking {
    const od_encoder *encoder;
    const od_row_set *chosen;
    int64_t n;
    float *x; /* (n, features): of n rows evenly among the chosen ones */
} taking;

static odim_status take_block(void *ctx, od_parallel *par, int worker, int64_t job, odim_error *err)
{
    (void)par, (void)worker;
    const taking *t = ctx;
    int64_t rows[BLOCK], first = job * BLOCK, count = t->n - first < BLOCK ? t->n - first : BLOCK;
    for (int64_t i = 0; i < count; i++) rows[i] = od_row_set_even(t->chosen, first + i, t->n);
    return od_encode_rows(t->encoder, rows, 0, count, t->x + first * t->encoder->schema->features, err);
}

static odim_status take_rows(const od_encoder *encoder, const od_row_set *chosen, int64_t n, float *x,
                             const od_run *run, odim_error *err)
{
    taking t = {encoder, chosen, n, x};
    return od_parallel_run((int)od_run_threads(run), (n + BLOCK - 1) / BLOCK, take_block, od_poll_tick, &t,
                           err);
}

static int64_t neighbors_of(const od_config *config, od_method method)
{
    if (config->neighbors) return config->neighbors;
    return method == OD_METHOD_KNN ? KNN_NEIGHBORS : LOF_NEIGHBORS;
}

/* The rows that a method learns from, of all that are chosen, as the method sees them. No more than these are
 * encoded, because all of them may be larger than what a fit may take. */
typedef struct method_rows {
    const odim_model *model;
    const od_encoder *encoder;
    int64_t n;
    int64_t *row; /* (n) */
    float *plain; /* (workers, BLOCK, features), or NULL: they are not transformed */
    float *x;     /* (n, width) */
} method_rows;

static odim_status see_block(void *ctx, od_parallel *par, int worker, int64_t job, odim_error *err)
{
    (void)par;
    const method_rows *t = ctx;
    int64_t features = t->model->schema.features, first = job * BLOCK;
    int64_t count = t->n - first < BLOCK ? t->n - first : BLOCK;
    float *to = t->x + first * t->model->width, *plain = t->plain ? t->plain + worker * BLOCK * features : to;
    odim_status status = od_encode_rows(t->encoder, t->row + first, 0, count, plain, err);
    if (!status && t->plain) od_transform_apply(&t->model->transform, plain, count, features, to);
    return status;
}

static odim_status take_method_rows(method_rows *t, const od_row_set *chosen, const od_run *run,
                                    odim_error *err)
{
    const odim_model *m = t->model;
    int64_t total = chosen->count, at = 0, threads = od_run_threads(run);
    bool *drawn = od_calloc((size_t)total, sizeof *drawn), transformed = m->transform.d > 0;
    t->row = od_alloc((size_t)t->n, sizeof *t->row);
    if (transformed)
        t->plain = od_alloc((size_t)(threads * BLOCK), (size_t)m->schema.features * sizeof *t->plain);
    odim_status status = drawn && t->row && (t->plain || !transformed) ? ODIM_OK : od_fail_nomem(err);
    if (!status) {
        od_detector_draw(total, t->n, m->config.seed, drawn);
        for (int64_t i = 0; i < total; i++)
            if (drawn[i]) t->row[at++] = od_row_set_even(chosen, i, total);
        status = od_parallel_run((int)threads, (t->n + BLOCK - 1) / BLOCK, see_block, od_poll_tick, t, err);
    }
    od_free(t->plain);
    od_free(t->row);
    od_free(drawn);
    return status;
}

/* The rows that detectors are fitted on. */
typedef struct sample {
    const float *x; /* (n, features) */
    float *seen;    /* (n, width): the same after the transform, or NULL */
    int64_t n, of;  /* and of how many rows they are a sample */
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
    od_detector_note(method, s->of, task.d, run->hooks);
    od_pca_space_note(method, &task, run->hooks);
    odim_status status = od_detector_fit(&c->detector, method, &task, err);
    if (!status) m->aux_count++;
    return status;
}

typedef struct transforming {
    const odim_model *model;
    const sample *s;
} transforming;

static void transform_block(void *ctx, int worker, int64_t first, int64_t end)
{
    (void)worker;
    const transforming *t = ctx;
    int64_t features = t->model->schema.features;
    od_transform_apply(&t->model->transform, t->s->x + first * features, end - first, features,
                       t->s->seen + first * t->model->width);
}

static odim_status transform_rows(const odim_model *m, sample *s, const od_run *run, odim_error *err)
{
    s->seen = od_alloc((size_t)s->n, (size_t)m->width * sizeof *s->seen);
    if (!s->seen) return od_fail_nomem(err);
    transforming t = {m, s};
    return od_parallel_ranges(od_run_threads(run), s->n, BLOCK, transform_block, &t, err);
}

/* Whether a detector beside networks sees transformed rows. */
static bool needs_transform(const odim_model *m)
{
    bool any = false;
    for (int i = 0; i < m->config.with.count; i++) any = any || m->config.with.item[i].transformed;
    return any && m->transform.d > 0;
}

static odim_status add_detectors(odim_model *m, const float *x, int64_t n, const od_run *run, odim_error *err)
{
    const od_aux_spec *with = &m->config.with;
    sample s = {.x = x, .n = n, .of = n};
    odim_status status = needs_transform(m) ? transform_rows(m, &s, run, err) : ODIM_OK;
    for (int i = 0; !status && i < with->count; i++)
        status = add_detector(m, with->item[i].method, with->item[i].transformed, &s, run, err);
    od_free(s.seen);
    return status;
}

static odim_status add_method(odim_model *m, const od_encoder *encoder, const od_row_set *chosen,
                              const od_run *run, odim_error *err)
{
    const od_method method = (od_method)m->config.method;
    int64_t n = od_detector_learns_from(method, chosen->count, m->width);
    float *x = od_alloc((size_t)n, (size_t)m->width * sizeof *x);
    method_rows rows = {.model = m, .encoder = encoder, .n = n, .x = x};
    odim_status status = x ? take_method_rows(&rows, chosen, run, err) : od_fail_nomem(err);
    const sample s = {.x = x, .seen = x, .n = n, .of = chosen->count};
    if (!status) status = add_detector(m, method, m->transform.d > 0, &s, run, err);
    od_free(x);
    return status;
}

/* Of a few rows: the transform, and the detectors beside networks. */
static odim_status fit_few(odim_model *m, const od_encoder *encoder, const od_row_set *chosen,
                           const od_run *run, odim_error *err)
{
    const od_config *config = &m->config;
    int64_t d = m->schema.features, n = od_sample_few(chosen->count, d);
    float *x = od_alloc((size_t)n, (size_t)d * sizeof *x);
    if (!x) return od_fail_nomem(err);
    odim_status status = take_rows(encoder, chosen, n, x, run, err);
    if (!status && config->transform == OD_TRANSFORM_LOG_PCA)
        status = od_transform_fit(&m->transform, x, n, d, od_run_threads(run), err);
    if (!status && !config->method) status = add_detectors(m, x, n, run, err);
    od_free(x);
    return status;
}

odim_status od_prefit(odim_model *m, const od_encoder *encoder, const od_row_set *chosen, const od_run *run,
                      odim_error *err)
{
    const od_config *config = &m->config;
    const bool detectors = !config->method && config->with.count;
    odim_status status = ODIM_OK;
    if (config->transform != OD_TRANSFORM_NONE || detectors) status = fit_few(m, encoder, chosen, run, err);
    if (!status && config->method) status = add_method(m, encoder, chosen, run, err);
    return status;
}
