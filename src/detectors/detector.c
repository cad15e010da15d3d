/* Has the list of detectors, and creates and frees the arrays they keep. */
#include "detectors/detector.h"

#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "base/shuffle.h"

extern const od_detector_kind od_iforest;
extern const od_detector_kind od_knn;
extern const od_detector_kind od_lof;
extern const od_detector_kind od_mcd;
extern const od_detector_kind od_pca;
extern const od_detector_kind od_hbos;
extern const od_detector_kind od_ecod;
extern const od_detector_kind od_copod;
extern const od_detector_kind od_subsample_knn;
extern const od_detector_kind od_trusted_knn;
extern const od_detector_kind od_known_rows;
extern const od_detector_kind od_ocsvm;
extern const od_detector_kind od_cblof;
extern const od_detector_kind od_loda;
extern const od_detector_kind od_cof;
extern const od_detector_kind od_sod;
extern const od_detector_kind od_bagging;

static const od_detector_kind *const kinds[] = {
    &od_iforest, &od_knn,   &od_lof,           &od_mcd,         &od_pca,        &od_hbos,
    &od_ecod,    &od_copod, &od_subsample_knn, &od_trusted_knn, &od_known_rows, &od_ocsvm,
    &od_cblof,   &od_loda,  &od_cof,           &od_sod,         &od_bagging,
};

const od_detector_kind *od_detector_kind_of(od_method method)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i]->method == method) return kinds[i];
    return NULL;
}

od_method od_detector_named(const char *name, size_t len)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const od_detector_kind *k = kinds[i];
        bool inner = k->method == OD_METHOD_TRUSTED_KNN || k->method == OD_METHOD_KNOWN_ROWS;
        if (!inner && strlen(k->name) == len && strncmp(k->name, name, len) == 0) return k->method;
    }
    return OD_METHOD_NONE;
}

int64_t od_detector_learns_from(od_method method, int64_t n, int64_t d)
{
    const od_detector_kind *kind = od_detector_kind_of(method);
    int64_t most = kind->most_rows ? kind->most_rows(d) : n;
    if (kind->most_cells && kind->most_cells / d < most) most = kind->most_cells / d;
    if (most < 2) most = 2;
    return n < most ? n : most;
}

void od_detector_draw(int64_t n, int64_t rows, uint64_t seed, bool *drawn)
{
    od_shuffle order = od_shuffle_make((uint64_t)n, seed, 0, OD_RNG_DETECTOR_ROWS, 0);
    for (int64_t i = 0; i < rows; i++) drawn[od_shuffle_at(&order, (uint64_t)i)] = true;
}

void od_detector_note(od_method method, int64_t n, int64_t d, const odim_hooks *hooks)
{
    int64_t rows = od_detector_learns_from(method, n, d);
    if (!hooks || !hooks->note || rows == n) return;
    char text[200];
    snprintf(text, sizeof text, "%s learns from %lld rows of %lld, chosen by the seed; all rows are scored",
             od_detector_kind_of(method)->name, (long long)rows, (long long)n);
    hooks->note(text, hooks->user);
}

/* x (rows, d): a sample of the rows of a task, in their order. */
static odim_status draw(const od_detector_task *task, int64_t rows, float **x, odim_error *err)
{
    bool *drawn = od_calloc((size_t)task->n, sizeof *drawn);
    *x = drawn ? od_alloc((size_t)rows, (size_t)task->d * sizeof **x) : NULL;
    float *to = *x;
    if (to) od_detector_draw(task->n, rows, task->seed, drawn);
    for (int64_t i = 0; to && i < task->n; i++) {
        if (!drawn[i]) continue;
        memcpy(to, task->x + i * task->d, (size_t)task->d * sizeof *to);
        to += task->d;
    }
    od_free(drawn);
    return *x ? ODIM_OK : od_fail_nomem(err);
}

static odim_status fit_sample(od_detector *c, const od_detector_kind *kind, const od_detector_task *task,
                              int64_t rows, odim_error *err)
{
    od_detector_task part = *task;
    float *x;
    odim_status status = draw(task, rows, &x, err);
    part.x = x;
    part.n = rows;
    if (!status) status = kind->fit(c, &part, err);
    od_free(x);
    return status;
}

odim_status od_detector_fit(od_detector *c, od_method method, const od_detector_task *task, odim_error *err)
{
    const od_detector_kind *kind = od_detector_kind_of(method);
    int64_t rows = od_detector_learns_from(method, task->n, task->d);
    *c = (od_detector){.method = method, .d = task->d};
    odim_status status = rows < task->n ? fit_sample(c, kind, task, rows, err) : kind->fit(c, task, err);
    if (status) od_detector_free(c);
    return status;
}

int od_detector_tick(const od_detector_task *task)
{
    return task->tick ? task->tick(task->ctx) : 0;
}

void od_detector_free(od_detector *c)
{
    for (int i = 0; i < OD_DETECTOR_ARRAYS; i++) od_free(c->part[i].at.any);
    *c = (od_detector){0};
}

odim_status od_detector_array_new(od_detector *c, int i, od_detector_array_kind kind, int64_t count,
                                  odim_error *err)
{
    static const size_t size[] = {0, sizeof(float), sizeof(double), sizeof(int32_t)};
    void *at = od_calloc((size_t)count, size[kind]);
    if (!at) return od_fail_nomem(err);
    c->part[i] = (od_detector_array){kind, count, {.any = at}};
    return ODIM_OK;
}

bool od_detector_has(const od_detector *c, int i, od_detector_array_kind kind, int64_t count)
{
    return c->part[i].kind == kind && c->part[i].count == count;
}
