/* The public header as a stranger uses it: linked to the shared library, nothing else included. */
#include "test.h"

#include <time.h>

#include "odim.h"

static const char csv[] = "x,y\n1,2\n1.1,2.1\n0.9,1.9\n1,2.05\n1.05,2\n9,-9\n1.02,2.02\n0.98,1.97\n";

typedef struct seen {
    int calls, scoring, notes;
    double last;
} seen;

static int progress(const odim_progress *now, void *user)
{
    seen *s = user;
    s->calls++;
    s->scoring += now->stage == ODIM_STAGE_SCORING;
    CHECK(now->fraction >= 0 && now->fraction <= 1);
    CHECK(now->members_done <= now->members);
    s->last = now->fraction;
    return 0;
}

TEST(versions_agree)
{
    char want[32];
    snprintf(want, sizeof want, "%d.%d.%d", ODIM_VERSION_MAJOR, ODIM_VERSION_MINOR, ODIM_VERSION_PATCH);
    CHECK_STR(odim_version(), want);
    const char *kernels = odim_kernels();
    CHECK(strcmp(kernels, "ref") == 0 || strcmp(kernels, "avx2") == 0 || strcmp(kernels, "avx512") == 0 ||
          strcmp(kernels, "neon") == 0);
}

TEST(from_bytes_to_scores)
{
    odim_error err;
    odim_table *t;
    REQUIRE(odim_table_read_memory(&t, csv, sizeof csv - 1, "a.csv", NULL, &err) == ODIM_OK);
    CHECK(odim_table_rows(t) == 8 && odim_table_cols(t) == 2);
    odim_params *p = odim_params_new();
    REQUIRE(p != NULL);
    CHECK(odim_params_set(p, "members", "40", &err) == ODIM_OK);
    odim_model *m;
    seen s = {.calls = 0};
    odim_hooks hooks = {sizeof(odim_hooks), progress, NULL, &s};
    double scores[8];
    REQUIRE(odim_fit(t, p, &hooks, &m, &err) == ODIM_OK);
    REQUIRE(odim_score(m, t, p, &hooks, scores, &err) == ODIM_OK);
    for (int i = 0; i < 8; i++) CHECK(i == 5 || scores[i] < scores[5]);
    odim_model_free(m);
    odim_params_free(p);
    odim_table_free(t);
}

TEST(errors_without_a_place_to_put_them)
{
    odim_table *t = (odim_table *)&t;
    CHECK(odim_table_read(&t, "/no/such/file", NULL, NULL) == ODIM_ERR_IO);
    CHECK(t == NULL);
    odim_table_free(NULL);
    odim_params_free(NULL);
    odim_model_free(NULL);
}

/* Several models at the same time in several threads of the caller are the caller's right; here one after the
 * other with the defaults, params NULL. */
TEST(defaults_without_params)
{
    odim_table *t;
    odim_model *m;
    double x[40], scores[20];
    for (int i = 0; i < 20; i++) x[2 * i] = i % 5, x[2 * i + 1] = i % 3;
    REQUIRE(odim_table_wrap_f64(&t, x, 20, 2, 0, NULL, NULL) == ODIM_OK);
    REQUIRE(odim_fit(t, NULL, NULL, &m, NULL) == ODIM_OK);
    CHECK(odim_model_members(m) == 6);
    CHECK(odim_score(m, t, NULL, NULL, scores, NULL) == ODIM_OK);
    CHECK(scores[0] == scores[15]); /* the same row */
    odim_model_free(m);
    odim_table_free(t);
}

/* Columns of the caller's, and the same rows from a file: one model. */
TEST(a_table_of_columns)
{
    enum { N = 40 };
    double size[N], when[N], scores[N], again[N];
    int32_t colour[N];
    char text[4096];
    int len = sprintf(text, "size,colour,when\n");
    for (int i = 0; i < N; i++) {
        size[i] = i == 9 ? 90 : i % 7 + 0.25;
        colour[i] = i == 5 ? -1 : i % 3 == 0;
        when[i] = i * 86400.0 / 4;
        len += sprintf(text + len, "%g,%s,1970-01-%02dT%02d:00\n", size[i],
                       i == 5       ? ""
                       : i % 3 == 0 ? "red"
                                    : "blue",
                       i / 4 + 1, i % 4 * 6);
    }
    const char *names[] = {"blue", "red"};
    odim_column a = ODIM_COLUMN_INIT, b = ODIM_COLUMN_INIT, c = ODIM_COLUMN_INIT;
    const odim_column *columns[] = {&a, &b, &c};
    a.name = "size";
    a.numbers = size;
    b.name = "colour";
    b.codes = colour;
    b.texts = names;
    b.text_count = 2;
    c.name = "when";
    c.numbers = when;
    c.typed = 1;
    c.type = ODIM_TIME;
    odim_table *t, *file;
    odim_model *m, *m2;
    odim_error err;
    REQUIRE(odim_table_build(&t, columns, 3, N, NULL, &err) == ODIM_OK);
    REQUIRE(odim_table_read_memory(&file, text, (size_t)len, "a.csv", NULL, &err) == ODIM_OK);
    REQUIRE(odim_detect(t, NULL, NULL, &m, scores, &err) == ODIM_OK);
    REQUIRE(odim_detect(file, NULL, NULL, &m2, again, &err) == ODIM_OK);
    CHECK(memcmp(scores, again, sizeof scores) == 0);
    odim_table_free(t);
    REQUIRE(odim_table_build(&t, columns, 3, N, m2, &err) == ODIM_OK);
    CHECK(odim_score(m2, t, NULL, NULL, again, &err) == ODIM_OK);
    CHECK(memcmp(scores, again, sizeof scores) == 0);
    odim_table_free(t);
    odim_table_free(file);
    odim_model_free(m);
    odim_model_free(m2);
}

/* Probabilities and reasons of all rows, and of some: the same. */
TEST(what_follows_from_scores)
{
    enum { N = 60 };
    double x[N * 3], scores[N], each[N];
    for (int i = 0; i < N * 3; i++) x[i] = i * 7 % 13;
    x[5 * 3 + 2] = 400;
    odim_table *t;
    odim_model *m;
    odim_reasons *all, *some;
    odim_params *p = odim_params_new();
    REQUIRE(p && odim_params_set(p, "method", "knn", NULL) == ODIM_OK);
    REQUIRE(odim_table_wrap_f64(&t, x, N, 3, 0, NULL, NULL) == ODIM_OK);
    REQUIRE(odim_detect(t, p, NULL, &m, scores, NULL) == ODIM_OK);
    REQUIRE(odim_model_probabilities(m, scores, N, each, NULL) == ODIM_OK);
    for (int i = 0; i < N; i++) CHECK(each[i] == odim_model_probability(m, scores[i]));
    REQUIRE(odim_model_probabilities(m, scores, N, scores, NULL) == ODIM_OK);
    CHECK(memcmp(scores, each, sizeof each) == 0);

    odim_explain_options o = ODIM_EXPLAIN_OPTIONS_INIT;
    int64_t rows[] = {30, 5};
    o.rows = rows;
    o.count = 2;
    o.top = 1000;
    REQUIRE(odim_explain(m, t, NULL, NULL, NULL, &all, NULL) == ODIM_OK);
    REQUIRE(odim_explain(m, t, &o, NULL, NULL, &some, NULL) == ODIM_OK);
    CHECK(odim_reasons_rows(all) == N && odim_reasons_rows(some) == 2);
    for (int i = 0; i < 2; i++) {
        CHECK_INT(odim_reasons_count(some, i), odim_reasons_count(all, rows[i]));
        for (int k = 0; k < odim_reasons_count(some, i); k++)
            CHECK(odim_reasons_at(some, i, k)->share == odim_reasons_at(all, rows[i], k)->share);
    }
    REQUIRE(odim_reasons_count(some, 1) > 0);
    CHECK(odim_reasons_at(some, 1, 0)->col == 2 && odim_reasons_at(some, 1, 0)->value == 400);
    odim_reasons_free(some);
    o.top = -1;
    CHECK(odim_explain(m, t, &o, NULL, NULL, &some, NULL) == ODIM_ERR_PARAM && !some);
    odim_reasons_free(all);
    odim_model_free(m);
    odim_table_free(t);
    odim_params_free(p);
}

TEST(privacy_budget)
{
    double epsilon, noise;
    int64_t steps;
    CHECK(odim_dp_epsilon(0.04, 1.5, 2250, 1e-5, &epsilon, NULL, NULL) == ODIM_OK);
    CHECK_NEAR(epsilon, 7.3291, 1e-4);
    CHECK(odim_dp_steps(0.04, 1.5, 7.3292, 1e-5, &steps, NULL) == ODIM_OK);
    CHECK_INT(steps, 2250);
    CHECK(odim_dp_noise(0.04, 7.3292, 2250, 1e-5, &noise, NULL) == ODIM_OK);
    CHECK_NEAR(noise, 1.5, 1e-9);
    CHECK(odim_dp_noise(0.04, -1, 2250, 1e-5, &noise, NULL) == ODIM_ERR_PARAM);
}

int main(void)
{
    RUN(versions_agree);
    RUN(from_bytes_to_scores);
    RUN(errors_without_a_place_to_put_them);
    RUN(defaults_without_params);
    RUN(a_table_of_columns);
    RUN(what_follows_from_scores);
    RUN(privacy_budget);
    return test_end();
}
