/* tests: aux_detectors. Fits with the preset auto, with auxiliary detectors, and with every method. */
#include "test.h"

#include "model/model.h"
#include "planted.h"

static odim_params *auto_params(const char *threads)
{
    odim_params *p = params(threads);
    odim_params_set(p, "preset", "auto", NULL); /* leaves members and samples as they are */
    return p;
}

TEST(auto_finds_planted_outliers)
{
    odim_params *p = auto_params("2");
    odim_model *m;
    double *s = fit_score(p, &m), auc;
    CHECK(odim_auc(s, labels, ROWS, &auc, NULL) == ODIM_OK);
    CHECK(auc > 0.99);
    CHECK_INT(m->transform.d, COLS);
    CHECK_INT(m->transform.axes, COLS);
    CHECK_INT(m->layout.shape.d, 2 * COLS);
    CHECK_INT(m->aux_count, 2);
    CHECK_INT(m->aux[0].detector.method, OD_METHOD_TRUSTED_KNN);
    CHECK(m->aux[1].detector.method == OD_METHOD_MCD && m->aux[1].confirm);
    CHECK(m->aux[1].weight == 0.0);
    CHECK_INT(m->aux[0].detector.d, COLS);
    odim_model_free(m);
    od_free(s);
    odim_params_free(p);
}

TEST(auto_same_bits)
{
    odim_params *p1 = auto_params("1"), *p7 = auto_params("7");
    odim_model *m;
    double *a = fit_score(p1, &m), *b = fit_score(p7, NULL), alone;
    CHECK(memcmp(a, b, ROWS * sizeof *a) == 0);
    for (int i = 0; i < 5; i++) {
        odim_table *t;
        REQUIRE(odim_table_wrap_f64(&t, cells + i * COLS, 1, COLS, 0, NULL, NULL) == ODIM_OK);
        CHECK(odim_score_raw(m, t, NULL, NULL, &alone, NULL) == ODIM_OK);
        CHECK(memcmp(&alone, &a[i], sizeof alone) == 0);
        odim_table_free(t);
    }
    odim_model_free(m);
    od_free(a), od_free(b);
    odim_params_free(p1), odim_params_free(p7);
}

static double deviation(const double *x)
{
    double mean = 0, square = 0;
    for (int i = 0; i < ROWS; i++) mean += x[i] / ROWS;
    for (int i = 0; i < ROWS; i++) square += (x[i] - mean) * (x[i] - mean) / ROWS;
    return sqrt(square);
}

/* What the distances add to the scores varies as much as was asked for. */
TEST(distances_have_their_weight)
{
    odim_params *p = auto_params("2");
    CHECK(odim_params_set(p, "with", "subsample-knn:0.25", NULL) == ODIM_OK);
    CHECK(odim_params_set(p, "trusted-fraction", "off", NULL) == ODIM_OK);
    odim_model *m;
    odim_table *t;
    static double loss[ROWS];
    double *s = fit_score(p, &m);
    CHECK(m->aux[0].weight > 0);
    m->aux[0].weight = 0;
    REQUIRE(odim_table_wrap_f64(&t, cells, ROWS, COLS, 0, NULL, NULL) == ODIM_OK);
    CHECK(odim_score_raw(m, t, NULL, NULL, loss, NULL) == ODIM_OK);
    for (int i = 0; i < ROWS; i++) {
        s[i] -= loss[i];
        CHECK(s[i] > 0);
    }
    CHECK_NEAR(deviation(s) / deviation(loss), 0.25, 1e-9);
    odim_table_free(t);
    odim_model_free(m);
    od_free(s);
    odim_params_free(p);
}

/* Several beside the networks: each by itself has its weight, and all add up. */
TEST(several_beside)
{
    static const double want[] = {0.5, 2, 1};
    odim_params *p = auto_params("2");
    CHECK(odim_params_set(p, "with", "iforest@transform:0.5,subsample-knn:2,hbos", NULL) == ODIM_OK);
    CHECK(odim_params_set(p, "trees", "20", NULL) == ODIM_OK);
    CHECK(odim_params_set(p, "trusted-fraction", "off", NULL) == ODIM_OK);
    odim_model *m;
    odim_table *t;
    static double loss[ROWS], with[ROWS], sum[ROWS];
    double *s = fit_score(p, &m), weight[3];
    REQUIRE(m->aux_count == 3);
    REQUIRE(odim_table_wrap_f64(&t, cells, ROWS, COLS, 0, NULL, NULL) == ODIM_OK);
    CHECK_INT(m->aux[0].detector.d, 2 * COLS);
    CHECK_INT(m->aux[1].detector.d, COLS);
    for (int k = 0; k < 3; k++) {
        weight[k] = m->aux[k].weight;
        m->aux[k].weight = 0;
    }
    CHECK(odim_score_raw(m, t, NULL, NULL, loss, NULL) == ODIM_OK);
    memcpy(sum, loss, sizeof sum);
    for (int k = 0; k < 3; k++) {
        m->aux[k].weight = weight[k];
        CHECK(odim_score_raw(m, t, NULL, NULL, with, NULL) == ODIM_OK);
        m->aux[k].weight = 0;
        for (int i = 0; i < ROWS; i++) with[i] -= loss[i];
        for (int i = 0; i < ROWS; i++) sum[i] += with[i];
        CHECK_NEAR(deviation(with) / deviation(loss), want[k], 1e-9);
    }
    for (int i = 0; i < ROWS; i++) CHECK_NEAR(sum[i], s[i], 1e-9 * (1 + fabs(s[i])));
    odim_table_free(t);
    odim_model_free(m);
    od_free(s);
    odim_params_free(p);
}

/* Every method: nothing but the row and the model matters, and a method has no members. */
TEST(methods)
{
    static const char *const names[] = {"iforest", "knn",   "lof",   "mcd",  "pca", "hbos", "ecod",
                                        "copod",   "ocsvm", "cblof", "loda", "cof", "sod",  "bagging"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        odim_params *p = odim_params_new();
        odim_model *m;
        odim_table *t;
        double *scores[2], auc, alone;
        CHECK(odim_params_set(p, "method", names[k], NULL) == ODIM_OK);
        for (int i = 0; i < 2; i++) {
            CHECK(odim_params_set(p, "threads", i ? "5" : "1", NULL) == ODIM_OK);
            scores[i] = fit_score(p, i ? &m : NULL);
        }
        CHECK(memcmp(scores[0], scores[1], ROWS * sizeof **scores) == 0);
        CHECK(odim_auc(scores[0], labels, ROWS, &auc, NULL) == ODIM_OK);
        if (!(auc > 0.95)) TEST_SAY("%s: AUC %g", names[k], auc);
        CHECK_INT(odim_model_members(m), 0);
        CHECK(odim_model_get(m, "members", (char[8]){0}, 8) == NULL);
        for (int i = 0; i < ROWS; i += 97) {
            REQUIRE(odim_table_wrap_f64(&t, cells + i * COLS, 1, COLS, 0, NULL, NULL) == ODIM_OK);
            CHECK(odim_score_raw(m, t, NULL, NULL, &alone, NULL) == ODIM_OK);
            CHECK(memcmp(&alone, &scores[0][i], sizeof alone) == 0);
            odim_table_free(t);
        }
        odim_model_free(m);
        od_free(scores[0]), od_free(scores[1]);
        odim_params_free(p);
    }
}

/* Two rows; one column; all rows but one alike. */
TEST(best_of_small_tables)
{
    odim_params *p = auto_params("1");
    for (int64_t cols = 1; cols <= 3; cols++)
        for (int64_t n = 2; n < 12; n++) {
            double x[36] = {0}, scores[12];
            x[cols] = 1; /* the first of the second row */
            for (int64_t j = 0; j < cols; j++) x[j] = (double)j;
            odim_table *t;
            odim_model *m = NULL;
            odim_error err = {0};
            REQUIRE(odim_table_wrap_f64(&t, x, n, cols, 0, NULL, NULL) == ODIM_OK);
            if (odim_fit(t, p, NULL, &m, &err)) TEST_SAY("%s", err.msg);
            if (m) CHECK(odim_score(m, t, NULL, NULL, scores, NULL) == ODIM_OK);
            for (int64_t i = 0; m && i < n; i++) CHECK(isfinite(scores[i]));
            odim_model_free(m);
            odim_table_free(t);
        }
    odim_params_free(p);
}

int main(void)
{
    make_rows();
    RUN(auto_finds_planted_outliers);
    RUN(auto_same_bits);
    RUN(distances_have_their_weight);
    RUN(several_beside);
    RUN(methods);
    RUN(best_of_small_tables);
    return test_end();
}
