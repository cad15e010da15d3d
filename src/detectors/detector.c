/* Has the list of detectors, and creates and frees the arrays they keep. */
#include "detectors/detector.h"

#include "common/mem.h"

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

static const od_detector_kind *const kinds[] = {
    &od_iforest, &od_knn,   &od_lof,           &od_mcd,         &od_pca,        &od_hbos,
    &od_ecod,    &od_copod, &od_subsample_knn, &od_trusted_knn, &od_known_rows,
};

const od_detector_kind *od_detector_kind_of(od_method method)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i]->method == method) return kinds[i];
    return NULL;
}

odim_status od_detector_fit(od_detector *c, od_method method, const od_detector_task *task, odim_error *err)
{
    const od_detector_kind *kind = od_detector_kind_of(method);
    *c = (od_detector){.method = method, .d = task->d};
    odim_status status = kind->fit(c, task, err);
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
