/* What tests of detectors share: made-up rows, fitting and scoring, and what every detector must stand. */
#ifndef DETECTORS_H
#define DETECTORS_H

#include "common/mem.h"
#include "detectors/detector.h"
#include "kern/kern.h"
#include "starve.h"
#include "test.h"

/* Independent standard normals. */
static inline float *normal_rows(int64_t n, int64_t d, uint32_t seed)
{
    float *x = od_alloc((size_t)(n * d + 32), sizeof *x);
    od_rng s = od_rng_make(seed, 1, OD_RNG_TRAIN, 0);
    if (!x) abort();
    od_kern_ref()->normal(x, n * d, &s);
    return x;
}

/* Of which the last three are copies of the first. */
static inline float *rows_with_copies(int64_t n, int64_t d)
{
    float *x = normal_rows(n, d, 5);
    for (int64_t i = 0; i < 3 * d; i++) x[(n - 3) * d + i] = x[i];
    return x;
}

/* Rows with settings for every method, as the defaults are or smaller. */
static inline od_detector_task usual_task(const float *x, int64_t n, int64_t d)
{
    return (od_detector_task){.x = x,
                              .n = n,
                              .d = d,
                              .neighbors = 5,
                              .threads = 1,
                              .nu = 0.5,
                              .clusters = 8,
                              .projections = 20,
                              .bins = 10,
                              .references = 4,
                              .bags = 3};
}

static inline od_detector fitted(od_method method, const od_detector_task *task)
{
    od_detector c;
    odim_error err = {0};
    if (od_detector_fit(&c, method, task, &err)) {
        printf("fit: %s\n", err.msg);
        abort();
    }
    return c;
}

/* Scores of all rows of x, as many at a time as may be. */
static inline void score_all(const od_detector *c, const float *x, int64_t n, double *scores)
{
    const od_detector_kind *kind = od_detector_kind_of(c->method);
    void *scratch = od_alloc(1, kind->scratch(c));
    if (!scratch) abort();
    for (int64_t i = 0; i < n; i += OD_DETECTOR_ROWS) {
        int64_t rows = n - i < OD_DETECTOR_ROWS ? n - i : OD_DETECTOR_ROWS;
        kind->score(c, x + i * c->d, rows, scratch, scores + i);
    }
    od_free(scratch);
}

static inline double *scores_of(od_method method, const od_detector_task *task, const float *x, int64_t n)
{
    double *scores = od_alloc((size_t)n, sizeof *scores);
    od_detector c = fitted(method, task);
    CHECK(od_detector_kind_of(method)->check(&c, NULL) == ODIM_OK);
    score_all(&c, x, n, scores);
    od_detector_free(&c);
    return scores;
}

static inline size_t part_bytes(const od_detector_array *p)
{
    return (size_t)p->count * (p->kind == OD_ARRAY_DOUBLE ? 8 : 4);
}

static inline bool same_fit(const od_detector *a, const od_detector *b)
{
    if (memcmp(a->count, b->count, sizeof a->count) != 0) return false;
    for (int i = 0; i < OD_DETECTOR_ARRAYS; i++) {
        const od_detector_array *p = &a->part[i], *q = &b->part[i];
        if (p->kind != q->kind || p->count != q->count) return false;
        if (p->count && memcmp(p->at.any, q->at.any, part_bytes(p)) != 0) return false;
    }
    return true;
}

/* The same bits for any number of threads, and rows that are scored alone get what they get in company. */
static inline void check_threads(od_method method, od_detector_task task)
{
    task.threads = 1;
    od_detector one = fitted(method, &task);
    for (task.threads = 2; task.threads <= 5; task.threads += 3) {
        od_detector many = fitted(method, &task);
        CHECK(same_fit(&one, &many));
        od_detector_free(&many);
    }
    double *all = od_alloc((size_t)task.n, sizeof *all), alone;
    score_all(&one, task.x, task.n, all);
    for (int64_t i = 0; i < task.n; i += 7) {
        score_all(&one, task.x + i * task.d, 1, &alone);
        CHECK(alone == all[i]);
    }
    od_free(all);
    od_detector_free(&one);
}

/* The shares of features are the score together, and are added as often as asked for. */
static inline void check_account(od_method method, const od_detector_task *task)
{
    const od_detector_kind *kind = od_detector_kind_of(method);
    od_detector c = fitted(method, task);
    double *part = od_alloc((size_t)task->d, sizeof *part), score;
    void *scratch = od_alloc(1, kind->scratch(&c));
    for (int64_t i = 0; i < task->n; i += 5) {
        const float *x = task->x + i * task->d;
        double sum = 0, size = 0;
        for (int64_t j = 0; j < task->d; j++) part[j] = 1;
        double got = kind->attribute(&c, x, scratch, 3, part);
        score_all(&c, x, 1, &score);
        for (int64_t j = 0; j < task->d; j++) sum += part[j] - 1, size += fabs(part[j]);
        CHECK_NEAR(got, score, 1e-9 * score);
        CHECK_NEAR(sum, 3 * score, 1e-9 * size + 3e-5); /* roundings over OD_NO_VARIANCE */
    }
    od_free(part), od_free(scratch);
    od_detector_free(&c);
}

/* Every allocation of a fit fails in turn; the sanitizers see what leaks. */
static inline void check_allocations(od_method method, const od_detector_task *task)
{
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 3)
    {
        odim_error err = {0};
        od_detector c;
        status = od_detector_fit(&c, method, task, &err);
        CHECK(!status || (strstr(err.msg, "out of memory") && c.part[0].at.any == NULL));
        if (!status) od_detector_free(&c);
    }
}

static inline bool refused(od_detector *c)
{
    odim_error err = {0};
    return od_detector_kind_of(c->method)->check(c, &err) == ODIM_ERR_FORMAT && err.msg[0];
}

/* Arrays and counts as a damaged file may have them: refused, or else safe to score with. */
static inline void check_damage(od_method method, const od_detector_task *task)
{
    od_detector c = fitted(method, task);
    double *scores = od_alloc((size_t)task->n, sizeof *scores);
    for (int i = 0; i < OD_DETECTOR_ARRAYS; i++) {
        od_detector_array *p = &c.part[i], kept = *p;
        if (kept.kind == OD_ARRAY_NONE) continue;
        p->count--;
        CHECK(refused(&c));
        *p = kept;
        p->kind = kept.kind == OD_ARRAY_INT ? OD_ARRAY_FLOAT : OD_ARRAY_INT;
        CHECK(refused(&c));
        *p = (od_detector_array){0};
        CHECK(refused(&c));
        *p = kept;
        for (int64_t at = 0; at < kept.count; at += 1 + kept.count / 5) {
            if (kept.kind == OD_ARRAY_INT) continue;
            double d = kept.kind == OD_ARRAY_DOUBLE ? kept.at.d[at] : (double)kept.at.f[at];
            static const double odd[] = {INFINITY, -1e30, 0, 1e30};
            for (int o = 0; o < 4; o++) {
                if (kept.kind == OD_ARRAY_DOUBLE) kept.at.d[at] = odd[o];
                if (kept.kind == OD_ARRAY_FLOAT) kept.at.f[at] = (float)odd[o];
                if (o == 0) CHECK(refused(&c));
                if (!refused(&c)) score_all(&c, task->x, task->n, scores);
            }
            if (kept.kind == OD_ARRAY_DOUBLE) kept.at.d[at] = d;
            if (kept.kind == OD_ARRAY_FLOAT) kept.at.f[at] = (float)d;
        }
    }
    for (int i = 0; i < OD_DETECTOR_COUNTS; i++) {
        static const int64_t odd[] = {-1, INT64_MIN, INT64_MAX, (int64_t)1 << 40};
        int64_t kept = c.count[i];
        for (int o = 0; o < 4; o++) {
            c.count[i] = odd[o];
            CHECK(refused(&c) || i > 2 || kept == 0);
            if (!refused(&c)) score_all(&c, task->x, task->n, scores);
        }
        c.count[i] = kept;
    }
    int64_t d = c.d;
    c.d = d + 1;
    CHECK(refused(&c));
    c.d = 0;
    CHECK(refused(&c));
    c.d = d;
    CHECK(!refused(&c));
    od_free(scores);
    od_detector_free(&c);
}

/* Finite scores for little, equal, constant, dependent and wide tables, and for rows far away from them. */
static inline void check_odd_tables(od_method method)
{
    const bool below = method == OD_METHOD_OCSVM; /* its scores are below 0 inside the boundary */
    static const float far[8] = {3e38f, -3e38f, 1e-40f, 0, -1e20f, 7, 1, 1e30f};
    for (int64_t n = 2; n <= 34; n += n < 4 ? 1 : 15)
        for (int64_t d = 1; d <= 8; d += d < 3 ? 1 : 5)
            for (int kind = 0; kind < 5; kind++) {
                float *x = normal_rows(n, d, 7);
                for (int64_t i = 0; i < n; i++)
                    for (int64_t j = 0; j < d; j++) {
                        float *at = x + i * d + j;
                        if (kind == 1) *at = 3; /* all rows equal */
                        if (kind == 2 && j % 2) *at = -1.5f;
                        if (kind == 3) *at = (float)(i % 3 == j % 3); /* columns of a category */
                        if (kind == 4) *at = i == 0 ? 1e30f : *at * 1e-30f;
                    }
                od_detector_task task = usual_task(x, n, d);
                double *scores = scores_of(method, &task, x, n), one;
                for (int64_t i = 0; i < n; i++) CHECK(isfinite(scores[i]) && (scores[i] >= 0 || below));
                for (int64_t i = 0; kind == 1 && i < n; i++) CHECK(scores[i] == scores[0]);
                double *again = scores_of(method, &task, far, 1);
                one = *again;
                CHECK(isfinite(one) && (one >= 0 || below));
                od_free(again);
                od_free(scores);
                od_free(x);
            }
}

#endif
