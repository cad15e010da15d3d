/* tests: explain_detector counterfactual. Reasons of models without networks: that they name planted faults,
 * also where two columns are wrong together, and that nothing but the row and the model matters. */
#include "test.h"

#include "common/mem.h"
#include "base/rng.h"
#include "score/explain.h"
#include "score/score.h"

enum { ROWS = 640, COLS = 4, KIND = 3, FAULTS = 16, EACH = ROWS / FAULTS };

static odim_table *table;
static odim_model *model;
static int64_t fault_row[FAULTS];

/* a, b and c follow one hidden cause; kind says whether it is low or high. Of every fourth fault a and b are
 * far off together, of the others one of a, b, c alone. */
static void make_table(void)
{
    static char csv[64 * ROWS];
    int len = sprintf(csv, "a,b,c,kind\n");
    od_rng s = od_rng_make(3, 0, OD_RNG_TRAIN, 0);
    for (int i = 0; i < ROWS; i++) {
        uint32_t w[4];
        od_rng_block(&s, (uint64_t)i, w);
        double u = (double)od_unit(w[0]);
        double x[3] = {10 * u + (double)od_unit(w[1]), 3 - u + 0.1 * (double)od_unit(w[2]),
                       100 * u + 10 * (double)od_unit(w[3])};
        int at = i / EACH;
        if (i % EACH == 7) {
            fault_row[at] = i;
            if (at % 4 == 3) x[0] += 40, x[1] += 9;
            if (at % 4 < 3) x[at % 4] += (const double[]){40, 9, 400}[at % 4];
        }
        len += sprintf(csv + len, "%.4f,%.4f,%.3f,%s\n", x[0], x[1], x[2], u < 0.5 ? "low" : "high");
    }
    odim_error err;
    if (odim_table_read_memory(&table, csv, (size_t)len, "t.csv", NULL, &err)) puts(err.msg), exit(1);
}

/* "trusted-fraction": the rows that pca trusts. */
static void fit_model(const char *method, const char *transform)
{
    bool trusted_fraction = strcmp(method, "trusted-fraction") == 0;
    odim_params *p = odim_params_new();
    odim_error err;
    CHECK(odim_params_set(p, "method", trusted_fraction ? "pca" : method, NULL) == ODIM_OK);
    CHECK(odim_params_set(p, "trusted-fraction", trusted_fraction ? "0.75" : "off", NULL) == ODIM_OK);
    CHECK(odim_params_set(p, "transform", transform, NULL) == ODIM_OK);
    odim_model_free(model);
    if (odim_fit(table, p, NULL, &model, &err)) puts(err.msg), exit(1);
    odim_params_free(p);
}

static od_reasons room(int64_t count)
{
    return (od_reasons){.share = od_calloc((size_t)(count * COLS), sizeof(double)),
                        .expected = od_calloc((size_t)(count * model->schema.features), sizeof(float))};
}

static void drop(od_reasons *r)
{
    od_free(r->share);
    od_free(r->expected);
}

/* least: of the faults, so many are explained. */
static void check_faults(const char *method, int least)
{
    od_reasons r = room(FAULTS);
    int right = 0;
    double scores[FAULTS];
    REQUIRE(od_explain_rows(model, &(od_table_rows){table, fault_row, FAULTS}, &(od_run){1, NULL}, &r,
                            NULL) == ODIM_OK);
    REQUIRE(od_score_rows(model, &(od_table_rows){table, fault_row, FAULTS}, &(od_run){1, NULL}, scores,
                          NULL) == ODIM_OK);
    for (int i = 0; i < FAULTS; i++) {
        const double *share = r.share + i * COLS;
        double sum = 0;
        for (int c = 0; c < COLS; c++) {
            CHECK(share[c] >= 0);
            sum += share[c];
        }
        CHECK_NEAR(sum, 1, 1e-9);
        CHECK(scores[i] > model->score_p90 || least < FAULTS);
        /* The two that are wrong together have nearly all of it; one alone is first. */
        bool both = i % 4 == 3;
        right += both ? share[0] + share[1] > 0.5 && share[0] > share[2] && share[1] > share[2]
                      : share[i % 4] > 0.5;
        for (int c = 0; c < 3; c++) {
            if (c != i % 4) continue;
            double v = (double)r.expected[i * model->schema.features + model->schema.col[c].first];
            CHECK(v >= 0 && v < 0.5); /* scaled: what is far off is 1 */
        }
    }
    if (right < least) TEST_SAY("%s: %d of %d", method, right, FAULTS);
    drop(&r);
}

TEST(planted_columns_come_first)
{
    static const char *const methods[] = {"iforest",          "knn",   "lof",   "mcd",  "pca",
                                          "trusted-fraction", "ocsvm", "cblof", "cof",  "sod",
                                          "bagging",          "loda",  "hbos",  "ecod", "copod"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        fit_model(methods[i], "none");
        /* The last four hardly tell the farthest value from the next. */
        check_faults(methods[i], i < 11 ? FAULTS : 13);
    }
    fit_model("iforest", "log-pca");
    check_faults("iforest in the view", FAULTS);
}

TEST(nothing_else_matters)
{
    fit_model("knn", "none");
    od_reasons all = room(ROWS), more = room(ROWS), one = room(1);
    int64_t d = model->schema.features;
    REQUIRE(od_explain_rows(model, &(od_table_rows){table, NULL, ROWS}, &(od_run){1, NULL}, &all, NULL) ==
            ODIM_OK);
    REQUIRE(od_explain_rows(model, &(od_table_rows){table, NULL, ROWS}, &(od_run){3, NULL}, &more, NULL) ==
            ODIM_OK);
    CHECK(memcmp(all.share, more.share, ROWS * COLS * sizeof *all.share) == 0);
    CHECK(memcmp(all.expected, more.expected, (size_t)(ROWS * d) * sizeof *all.expected) == 0);
    for (int64_t i = 0; i < ROWS; i += 77) {
        REQUIRE(od_explain_rows(model, &(od_table_rows){table, &i, 1}, &(od_run){1, NULL}, &one, NULL) ==
                ODIM_OK);
        CHECK(memcmp(one.share, all.share + i * COLS, COLS * sizeof *one.share) == 0);
        CHECK(memcmp(one.expected, all.expected + i * d, (size_t)d * sizeof *one.expected) == 0);
    }
    drop(&all), drop(&more), drop(&one);
}

/* The row that stands for what is ordinary is one of the training rows, and no other has a lower score. */
TEST(the_most_ordinary_row)
{
    double scores[ROWS], least = INFINITY;
    REQUIRE(od_score_rows(model, &(od_table_rows){table, NULL, ROWS}, &(od_run){2, NULL}, scores, NULL) ==
            ODIM_OK);
    for (int i = 0; i < ROWS; i++) least = fmin(least, scores[i]);
    double own = 0;
    const od_detector *c = &model->aux[0].detector;
    const od_detector_kind *kind = od_detector_kind_of(c->method);
    void *scratch = od_alloc(kind->scratch(c), 1);
    kind->score(c, model->usual, 1, scratch, &own);
    od_free(scratch);
    CHECK_NEAR(own, least, 1e-9);
}

/* New rows with values beyond all: the highest scores, and the column is named. */
TEST(too_extreme_a_row)
{
    static const char *const methods[] = {"iforest",          "knn",   "lof",   "mcd",  "pca",
                                          "trusted-fraction", "ocsvm", "cblof", "cof",  "sod",
                                          "bagging",          "loda",  "hbos",  "ecod", "copod"};
    static const char rows[] = "a,b,c,kind\n5,2.5,50,low\n5,1e300,50,low\n5,-1e20,50,low\n";
    odim_table *t;
    REQUIRE(odim_table_read_memory(&t, rows, sizeof rows - 1, "t.csv", NULL, NULL) == ODIM_OK);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        odim_error err = {0};
        double scores[3];
        fit_model(methods[i], "none");
        od_reasons r = room(3);
        CHECK_INT(odim_score(model, t, NULL, NULL, scores, &err), ODIM_OK);
        CHECK(scores[1] > scores[0] && scores[2] > scores[0]);
        CHECK(isfinite(scores[1]) && isfinite(scores[2]));
        CHECK_INT(od_explain_rows(model, &(od_table_rows){t, NULL, 3}, &(od_run){1, NULL}, &r, &err),
                  ODIM_OK);
        for (int k = 1; k < 3; k++)
            if (!(r.share[k * COLS + 1] > 0.5))
                TEST_SAY("%s: row %d: %g %g %g %g", methods[i], k, r.share[k * COLS], r.share[k * COLS + 1],
                         r.share[k * COLS + 2], r.share[k * COLS + 3]);
        drop(&r);
    }
    odim_table_free(t);
}

int main(void)
{
    make_table();
    RUN(planted_columns_come_first);
    RUN(nothing_else_matters);
    RUN(the_most_ordinary_row);
    RUN(too_extreme_a_row);
    odim_model_free(model);
    odim_table_free(table);
    return test_end();
}
