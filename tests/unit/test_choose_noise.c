/* tests: choose_noise. The choice on losses worked by hand, and on a fitted network: nearer than random
 * noise. */
#include "test.h"

#include <stdlib.h>

#include "odim.h"
#include "common/mem.h"
#include "fit/choose_noise.h"
#include "model/params.h"
#include "score/score.h"

enum { POOL = 4, ROWS = 3 };

/* With one vector, the one whose losses differ least from those of all, but for a constant. */
TEST(a_constant_does_not_count)
{
    /* The first alone explains rows 1 and 2, the third is 50 too high everywhere: the order is right. */
    const float loss[POOL * ROWS] = {1, 2, 90, 80, 80, 3, 51, 52, 53, 9, 80, 80};
    int64_t chosen[POOL];
    float scratch[3 * ROWS];
    od_noise_choose(loss, POOL, ROWS, 1, chosen, scratch);
    CHECK_INT(chosen[0], 2);
}

/* Each vector is taken once, and all together are the pool. */
TEST(none_is_taken_twice)
{
    const float loss[POOL * ROWS] = {1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3};
    int64_t chosen[POOL];
    float scratch[3 * ROWS];
    od_noise_choose(loss, POOL, ROWS, POOL, chosen, scratch);
    for (int i = 0; i < POOL; i++) CHECK_INT(chosen[i], i);
}

/* The second complements the first: rows that it explains badly decide. */
TEST(vectors_complement_each_other)
{
    const float loss[POOL * ROWS] = {0, 0, 40, 0.1f, 0.1f, 41, 70, 70, 0, 60, 30, 70};
    int64_t chosen[2];
    float scratch[3 * ROWS];
    od_noise_choose(loss, POOL, ROWS, 2, chosen, scratch);
    bool first = chosen[0] <= 1 || chosen[1] <= 1, third = chosen[0] == 2 || chosen[1] == 2;
    CHECK(first && third);
}

/* ---- with networks ---- */

enum { N = 600, COLS = 5 };

static odim_table *table(void)
{
    static double x[N * COLS];
    odim_table *t;
    unsigned state = 7;
    for (int i = 0; i < N; i++) {
        double place = (double)(i % 50) / 50;
        for (int j = 0; j < COLS; j++) {
            state = state * 1664525u + 1013904223u;
            x[i * COLS + j] = sin(place * (2 + j)) + 0.2 * (double)(state >> 8) / (1 << 24);
        }
    }
    if (odim_table_wrap_f64(&t, x, N, COLS, 0, NULL, NULL)) abort();
    return t;
}

static odim_model *fit(const odim_table *t, const char *samples, const char *pool, const char *threads)
{
    odim_params *p = odim_params_new();
    const char *const choices[][2] = {{"preset", "fast"},
                                      {"members", "2"},
                                      {"score-samples", samples},
                                      {"score-pool", pool},
                                      {"threads", threads}};
    odim_model *m;
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        if (odim_params_set(p, choices[i][0], choices[i][1], NULL)) abort();
    if (odim_fit(t, p, NULL, &m, NULL)) abort();
    odim_params_free(p);
    return m;
}

static double *scores_of(const odim_model *m, const odim_table *t)
{
    double *s = od_alloc(N, sizeof *s);
    if (!s || od_score_rows(m, &(od_table_rows){t, NULL, N}, &(od_run){0, NULL}, s, NULL)) abort();
    return s;
}

/* The mean difference of the scores, but for their means. */
static double apart(const double *a, const double *b)
{
    double mean = 0, sum = 0;
    for (int i = 0; i < N; i++) mean += (a[i] - b[i]) / N;
    for (int i = 0; i < N; i++) sum += fabs(a[i] - b[i] - mean) / N;
    return sum;
}

TEST(chosen_noise_is_nearer_to_the_pool)
{
    odim_table *t = table();
    odim_model *pool = fit(t, "64", "auto", "1"), *chosen = fit(t, "6", "64", "1"),
               *random = fit(t, "6", "auto", "1"), *again = fit(t, "6", "64", "2");
    /* The networks are the same; every vector is one of the pool's, none is there twice. */
    size_t latent = (size_t)pool->layout.shape.latent;
    for (int b = 0; b < 2; b++) {
        CHECK(!memcmp(pool->member[b].params, chosen->member[b].params, pool->layout.params * sizeof(float)));
        CHECK(!memcmp(chosen->member[b].noise, again->member[b].noise, 6 * latent * sizeof(float)));
        int found[64] = {0};
        for (size_t i = 0; i < 6; i++)
            for (size_t j = 0; j < 64; j++)
                found[j] += !memcmp(chosen->member[b].noise + i * latent, pool->member[b].noise + j * latent,
                                    latent * sizeof(float));
        int count = 0;
        for (int j = 0; j < 64; j++) {
            CHECK(found[j] <= 1);
            count += found[j];
        }
        CHECK_INT(count, 6);
    }
    double *all = scores_of(pool, t), *few = scores_of(chosen, t), *other = scores_of(random, t);
    CHECK(apart(few, all) < 0.5 * apart(other, all));
    od_free(all), od_free(few), od_free(other);
    odim_model_free(pool), odim_model_free(chosen), odim_model_free(random), odim_model_free(again);
    odim_table_free(t);
}

/* No choice: the pool is no larger than what is taken, or there is no noise. */
TEST(no_choice)
{
    odim_table *t = table();
    odim_model *plain = fit(t, "6", "auto", "1"), *same = fit(t, "6", "6", "1");
    size_t size = 6 * (size_t)plain->layout.shape.latent * sizeof(float);
    for (int b = 0; b < 2; b++) CHECK(!memcmp(plain->member[b].noise, same->member[b].noise, size));
    odim_model_free(plain), odim_model_free(same);
    odim_table_free(t);
}

int main(void)
{
    RUN(a_constant_does_not_count);
    RUN(none_is_taken_twice);
    RUN(vectors_complement_each_other);
    RUN(chosen_noise_is_nearer_to_the_pool);
    RUN(no_choice);
    return test_end();
}
