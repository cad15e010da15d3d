/* tests: trusted_rows. Who is trusted, and that the score is then theirs. */
#include "test.h"

#include <math.h>

#include "common/mem.h"
#include "model/model.h"
#include "prep/table.h"
#include "score/trusted_rows.h"

enum { ROWS = 300, COLS = 3, FAULTS = 15 };

static double cells[ROWS * COLS];

/* The last rows are one tight group where no other row is. */
static void make_rows(void)
{
    for (int i = 0; i < ROWS; i++) {
        double u[COLS];
        for (int k = 0; k < COLS; k++) u[k] = sin(78.233 * (COLS * i + k + 1)) * 43758.5453;
        for (int k = 0; k < COLS; k++) u[k] -= floor(u[k]);
        cells[i * COLS] = u[0];
        cells[i * COLS + 1] = u[0] + 0.05 * u[1];
        cells[i * COLS + 2] = u[2];
        if (i < ROWS - FAULTS) continue;
        cells[i * COLS] = 0.1 + 0.01 * u[0];
        cells[i * COLS + 1] = 0.9 + 0.01 * u[1];
    }
}

static odim_table *table(const int8_t *known)
{
    odim_table *t;
    if (odim_table_wrap_f64(&t, cells, ROWS, COLS, 0, NULL, NULL)) abort();
    if (known && odim_table_set_known(t, known, NULL)) abort();
    return t;
}

static odim_model *fit(const int8_t *known, const char *trusted_fraction, double *scores)
{
    odim_params *p = odim_params_new();
    odim_table *t = table(known);
    odim_model *m;
    odim_error err;
    odim_params_set(p, "members", "2", NULL);
    odim_params_set(p, "samples", "5", NULL);
    odim_params_set(p, "batch", "16", NULL);
    odim_params_set(p, "hidden", "8,4", NULL);
    odim_params_set(p, "transform", "log-pca", NULL);
    odim_params_set(p, "with", "mcd", NULL);
    odim_params_set(p, "trusted-fraction", trusted_fraction, NULL);
    odim_params_set(p, "neighbors", "5", NULL);
    if (odim_detect(t, p, NULL, &m, scores, &err)) {
        printf("%s\n", err.msg);
        exit(1);
    }
    odim_params_free(p);
    odim_table_free(t);
    return m;
}

static double least_of(const double *s, int from, int to)
{
    double least = INFINITY;
    for (int i = from; i < to; i++) least = fmin(least, s[i]);
    return least;
}

static double most_of(const double *s, int from, int to)
{
    double most = -INFINITY;
    for (int i = from; i < to; i++) most = fmax(most, s[i]);
    return most;
}

/* The group of faults is found, by the distance alone: networks and mcd have left the score. */
TEST(the_score_is_the_distance_to_trusted_rows)
{
    double scores[ROWS];
    odim_model *m = fit(NULL, "0.75", scores);
    CHECK_INT(m->losses, 0);
    CHECK_INT(m->members, 2);
    REQUIRE(m->aux_count == 2);
    CHECK(m->aux[1].confirm && m->aux[1].detector.method == OD_METHOD_MCD);
    CHECK_INT(m->aux[0].detector.method, OD_METHOD_TRUSTED_KNN);
    CHECK(m->aux[0].weight == 1.0);
    CHECK(least_of(scores, ROWS - FAULTS, ROWS) > most_of(scores, 0, ROWS - FAULTS));
    odim_model_free(m);
}

/* If all rows are trusted, the faults vouch for each other. */
TEST(trusting_everybody)
{
    double scores[ROWS];
    odim_model *m = fit(NULL, "1", scores);
    CHECK(least_of(scores, ROWS - FAULTS, ROWS) < most_of(scores, 0, ROWS - FAULTS));
    odim_model_free(m);
}

/* Ordinary rows that are said to be outliers are no longer there to compare with. */
TEST(known_outliers_are_not_trusted)
{
    int8_t known[ROWS];
    double before[ROWS], after[ROWS];
    for (int i = 0; i < ROWS; i++) known[i] = (int8_t)(i < 100 ? cells[i * COLS] < 0.3 : -1);
    for (int i = 100; i < ROWS - FAULTS; i++) known[i] = cells[i * COLS] < 0.3 ? 1 : -1;
    odim_model_free(fit(NULL, "1", before));
    odim_model_free(fit(known, "1", after));
    int lower = 0, all = 0;
    for (int i = 0; i < ROWS - FAULTS; i++) {
        if (cells[i * COLS] > 0.2) continue;
        all++;
        lower += after[i] < before[i];
    }
    CHECK(all > 20);
    CHECK_INT(lower, 0);
}

TEST(saved_and_loaded)
{
    double scores[ROWS], again[ROWS];
    void *bytes;
    size_t size;
    odim_model *m = fit(NULL, "0.75", scores), *back;
    odim_table *t = table(NULL);
    REQUIRE(odim_model_save_memory(m, &bytes, &size, NULL) == ODIM_OK);
    REQUIRE(odim_model_load_memory(&back, bytes, size, NULL) == ODIM_OK);
    CHECK_INT(back->losses, 0);
    REQUIRE(odim_score(back, t, NULL, NULL, again, NULL) == ODIM_OK);
    CHECK(memcmp(scores, again, sizeof scores) == 0);
    odim_free(bytes);
    odim_table_free(t);
    odim_model_free(m);
    odim_model_free(back);
}

int main(void)
{
    make_rows();
    RUN(the_score_is_the_distance_to_trusted_rows);
    RUN(trusting_everybody);
    RUN(known_outliers_are_not_trusted);
    RUN(saved_and_loaded);
    return test_end();
}
