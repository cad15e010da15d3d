/* Private training: the plan, which rows are taken, what is added to them, and what must be identical. */
#include "test.h"

#include "common/mem.h"
#include "fit/dp_sgd.h"
#include "model/params.h"

enum { ROWS = 700, COLS = 5 }; /* more rows than a block of training has */

static double cells[ROWS * COLS];

static void make_rows(void)
{
    for (int i = 0; i < ROWS * COLS; i++) cells[i] = sin(i * 0.37) + (i % COLS) * cos(i * 1.1);
}

static odim_params *private_params(const char *epsilon)
{
    odim_params *p = odim_params_new();
    odim_params_set(p, "dp-epsilon", epsilon, NULL);
    odim_params_set(p, "dp-updates", "20", NULL);
    odim_params_set(p, "dp-insecure-seed", "on", NULL);
    odim_params_set(p, "samples", "7", NULL);
    odim_params_set(p, "hidden", "6,5", NULL);
    return p;
}

/* ---- the plan --------------------------------------------------------------------------------------- */

static od_config config(void)
{
    odim_params *p = odim_params_new();
    odim_params_set(p, "dp-epsilon", "10", NULL);
    od_config c = p->config;
    odim_params_free(p);
    return c;
}

TEST(privacy_has_settings_of_its_own)
{
    od_config c = config();
    CHECK_INT(c.members, 1);
    CHECK_INT(c.batch_norm, 0);
    odim_params *p = odim_params_new();
    odim_params_set(p, "members", "4", NULL);
    odim_params_set(p, "preset", "fast", NULL);
    odim_params_set(p, "dp-epsilon", "2", NULL);
    CHECK_INT(p->config.members, 4); /* chosen by name */
    CHECK_INT(p->config.batch_norm, 0);
    CHECK_INT(p->config.samples, 0); /* of the preset: auto */
    CHECK_INT(p->config.score_samples, 0);
    CHECK_INT(p->config.score_pool, 0); /* a choice would depend on rows */
    CHECK_INT(od_params_check(p, NULL), ODIM_OK);
    odim_params_set(p, "score-pool", "64", NULL);
    odim_error err;
    CHECK_INT(od_params_check(p, &err), ODIM_ERR_PARAM);
    CHECK_STR(err.msg, "with dp-epsilon, score-pool must be auto: the choice would depend on training rows");
    odim_params_set(p, "score-pool", "auto", NULL);
    odim_params_set(p, "dp-epsilon", "off", NULL);
    CHECK_INT(p->config.batch_norm, 1);
    odim_params_free(p);
}

TEST(noise_is_what_the_updates_need)
{
    od_config c = config();
    od_dp_plan p;
    c.members = 3;
    c.batch = 100;
    c.dp_updates = 50;
    REQUIRE(od_dp_plan_make(&p, &c, 1000, NULL, NULL) == ODIM_OK);
    CHECK_NEAR(p.rate, 0.1, 1e-9);
    CHECK(p.rate >= 0.1 && p.rate == (double)p.below / 4294967296.0);
    CHECK_NEAR(p.batch, 100, 1e-4);
    CHECK_INT(p.updates, 50);
    CHECK(p.epsilon <= 10 && p.epsilon > 9.99);
    double epsilon, noise;
    odim_dp_epsilon(p.rate, p.noise, 150, 1e-5, &epsilon, NULL, NULL);
    CHECK(epsilon == p.epsilon);
    odim_dp_noise(p.rate, 10, 150, 1e-5, &noise, NULL);
    CHECK(noise == p.noise);
}

TEST(updates_are_what_the_noise_allows)
{
    od_config c = config();
    od_dp_plan p;
    int64_t steps;
    c.members = 3;
    c.dp_noise = 1.5;
    REQUIRE(od_dp_plan_make(&p, &c, 10000, NULL, NULL) == ODIM_OK);
    odim_dp_steps(p.rate, 1.5, 10, 1e-5, &steps, NULL);
    CHECK_INT(p.updates, steps / 3);
    CHECK(p.epsilon <= 10 && p.epsilon > 9.9);
}

TEST(all_rows_of_a_small_table)
{
    od_config c = config();
    od_dp_plan p;
    REQUIRE(od_dp_plan_make(&p, &c, 200, NULL, NULL) == ODIM_OK);
    CHECK(p.rate == 1 && p.batch == 200 && p.below == UINT64_C(1) << 32);
}

TEST(others_cost_too)
{
    od_config c = config();
    od_dp_plan alone, with;
    od_budget others;
    od_budget_begin(&others, 1, 2);
    REQUIRE(od_dp_plan_make(&alone, &c, 1000, NULL, NULL) == ODIM_OK);
    REQUIRE(od_dp_plan_make(&with, &c, 1000, &others, NULL) == ODIM_OK);
    CHECK(with.noise > alone.noise * 1.01);
    CHECK(with.epsilon <= 10 && with.epsilon > 9.99);
    c.dp_noise = alone.noise;
    c.dp_updates = alone.updates;
    odim_error err;
    CHECK(od_dp_plan_make(&with, &c, 1000, &others, &err) == ODIM_ERR_PARAM);
    CHECK(strstr(err.msg, "200 updates with dp-noise") && strstr(err.msg, "above dp-epsilon 10"));
}

TEST(plans_that_cannot_be)
{
    od_config c = config();
    od_dp_plan p;
    odim_error err;
    c.dp_noise = 0.01;
    CHECK(od_dp_plan_make(&p, &c, 1000, NULL, &err) == ODIM_ERR_PARAM);
    CHECK_STR(err.msg,
              "dp-epsilon 10 does not allow a single update with dp-noise 0.01: more noise is needed");
    od_budget others;
    od_budget_begin(&others, 1, 0.05);
    c.dp_noise = 0;
    CHECK(od_dp_plan_make(&p, &c, 1000, &others, &err) == ODIM_ERR_PARAM);
    CHECK(strstr(err.msg, "epsilon is too small"));
}

/* ---- an update -------------------------------------------------------------------------------------- */

typedef struct ground {
    odim_table *table;
    odim_model *model;
    od_encoder encoder;
    od_training set;
    od_dp_trainer trainer;
    od_fit_state state;
} ground;

static odim_status train(void *ctx, od_parallel *par, int worker, int64_t job, odim_error *err)
{
    ground *g = ctx;
    (void)worker;
    return od_dp_fit(&g->trainer, g->model, &g->set, job, &g->state, par, err);
}

static void ground_new(ground *g, const od_dp_plan *plan)
{
    memset(g, 0, sizeof *g);
    odim_params *p = private_params("10");
    odim_error err = {0};
    REQUIRE(odim_table_wrap_f64(&g->table, cells, ROWS, COLS, 0, NULL, &err) == ODIM_OK);
    REQUIRE(odim_fit(g->table, p, NULL, &g->model, &err) == ODIM_OK);
    REQUIRE(od_encoder_new(&g->encoder, &g->model->schema, g->table, &err) == ODIM_OK);
    g->set = (od_training){.encoder = &g->encoder, .n = ROWS};
    REQUIRE(od_dp_trainer_new(&g->trainer, g->model, plan, &err) == ODIM_OK);
    REQUIRE(od_parallel_run(1, 1, train, NULL, g, &err) == ODIM_OK);
    odim_params_free(p);
}

static void ground_free(ground *g)
{
    od_dp_trainer_free(&g->trainer);
    od_encoder_free(&g->encoder);
    odim_model_free(g->model);
    odim_table_free(g->table);
}

/* After one update Adam's first moment is a tenth of the gradient, and of the weight decay. */
static double gradient(const ground *g, size_t i, const float *start)
{
    return (double)g->trainer.m[i] / 0.1 - g->model->config.weight_decay * (double)start[i];
}

/* Rows as the dice fall, each clipped, over the number that was to be expected: all worked out again here. */
TEST(an_update_without_noise)
{
    ground g;
    const od_dp_plan plan = {.updates = 1, .below = UINT64_C(3) << 30, .clip = 0.5, .batch = 1234};
    ground_new(&g, &plan);
    const od_layout *l = &g.model->layout;
    od_csprng dice;
    od_csprng_begin_seeded(&dice, g.model->config.seed, 0, OD_RNG_PRIVATE);
    uint64_t secret = (uint64_t)od_csprng_word(&dice) << 32;
    secret |= od_csprng_word(&dice);
    int64_t taken[ROWS], count = 0;
    for (int64_t i = 0; i < ROWS; i++)
        if (od_csprng_word(&dice) < 3u << 30) taken[count++] = i;
    CHECK(count > 470 && count < 580); /* of 700 three in four, within five standard deviations */
    float *start = od_alloc(l->params, sizeof *start);
    double *sum = od_calloc(l->params, sizeof *sum);
    od_layout_init(l, g.model->config.seed, 0, start, NULL);
    od_dp_clip *clip = &g.trainer.clip;
    float *x = od_alloc(OD_DP_BLOCK * COLS, sizeof *x), loss[OD_DP_BLOCK];
    float *eps = od_alloc((size_t)od_dp_clip_noise(clip, OD_DP_BLOCK), sizeof *eps);
    for (int64_t at = 0, block = 0; at < count; at += OD_DP_BLOCK, block++) {
        int64_t rows = count - at < OD_DP_BLOCK ? count - at : OD_DP_BLOCK;
        od_rng s = od_rng_make(secret, 0, OD_RNG_TRAIN, (uint32_t)block);
        REQUIRE(od_encode_rows(&g.encoder, taken + at, 0, rows, x, NULL) == ODIM_OK);
        od_kern_get()->normal(eps, od_dp_clip_noise(clip, rows), &s);
        od_dp_clip_add(clip, start, sum, &(od_train_batch){.x = x, .rows = rows, .eps = eps, .loss = loss},
                       0.5);
    }
    double largest = 0;
    for (size_t i = 0; i < l->params; i++) largest = fmax(largest, fabs(sum[i] / 1234));
    for (size_t i = 0; i < l->params; i++) CHECK_NEAR(gradient(&g, i, start), sum[i] / 1234, 1e-5 * largest);
    od_free(start), od_free(sum), od_free(x), od_free(eps);
    ground_free(&g);
}

/* No row is taken: what is left is noise, once, of the size that was planned. */
TEST(an_empty_batch_is_noise)
{
    ground g;
    const od_dp_plan plan = {.updates = 1, .below = 0, .clip = 3, .noise = 2, .batch = 60};
    ground_new(&g, &plan);
    const od_layout *l = &g.model->layout;
    float *start = od_alloc(l->params, sizeof *start);
    od_layout_init(l, g.model->config.seed, 0, start, NULL);
    double square = 0, n = (double)l->params;
    for (size_t i = 0; i < l->params; i++) square += pow(gradient(&g, i, start), 2) / n;
    CHECK_NEAR(sqrt(square), 3 * 2 / 60.0, 5 * 0.1 / sqrt(2 * n));
    od_free(start);
    ground_free(&g);
}

/* ---- whole fits ------------------------------------------------------------------------------------- */

static odim_status fit(double *scores, const char *threads, const char *seed, const char *insecure)
{
    odim_params *p = private_params("5");
    odim_table *t = NULL;
    odim_model *m = NULL;
    odim_error err = {0};
    odim_params_set(p, "members", "3", NULL);
    odim_params_set(p, "threads", threads, NULL);
    odim_params_set(p, "seed", seed, NULL);
    odim_params_set(p, "dp-insecure-seed", insecure, NULL);
    odim_status status = odim_table_wrap_f64(&t, cells, ROWS, COLS, 0, NULL, &err);
    if (!status) status = odim_detect(t, p, NULL, &m, scores, &err);
    if (status) printf("%s\n", err.msg);
    odim_model_free(m);
    odim_table_free(t);
    odim_params_free(p);
    return status;
}

TEST(repeats_only_with_an_insecure_seed)
{
    static double a[ROWS], b[ROWS];
    REQUIRE(fit(a, "1", "4", "on") == ODIM_OK && fit(b, "3", "4", "on") == ODIM_OK);
    CHECK(memcmp(a, b, sizeof a) == 0);
    REQUIRE(fit(b, "1", "5", "on") == ODIM_OK);
    CHECK(memcmp(a, b, sizeof a) != 0);
    REQUIRE(fit(a, "1", "4", "off") == ODIM_OK && fit(b, "1", "4", "off") == ODIM_OK);
    CHECK(memcmp(a, b, sizeof a) != 0);
}

int main(void)
{
    make_rows();
    RUN(privacy_has_settings_of_its_own);
    RUN(noise_is_what_the_updates_need);
    RUN(updates_are_what_the_noise_allows);
    RUN(all_rows_of_a_small_table);
    RUN(others_cost_too);
    RUN(plans_that_cannot_be);
    RUN(an_update_without_noise);
    RUN(an_empty_batch_is_noise);
    RUN(repeats_only_with_an_insecure_seed);
    return test_end();
}
