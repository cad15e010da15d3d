/* tests: transform. Fits of wide tables: networks that see parts of a row, and columns that share a unit. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "base/rng.h"
#include "kern/kern.h"
#include "model/model.h"
#include "odim.h"
#include "small_model.h"

enum { ROWS = 240, WIDE = 300, CAUSES = 5, OUTLIERS = 4 };

static double cells[ROWS * WIDE];
static int8_t labels[ROWS];

/* Readings of a few hidden causes; outliers have twice the noise in every column. */
static void make_rows(void)
{
    static float z[ROWS * (CAUSES + WIDE)], weight[CAUSES * WIDE];
    od_rng s = od_rng_make(11, 0, OD_RNG_TRAIN, 0), t = od_rng_make(11, 0, OD_RNG_TRAIN, 1);
    od_kern_ref()->normal(z, ROWS * (CAUSES + WIDE), &s);
    od_kern_ref()->normal(weight, CAUSES * WIDE, &t);
    for (int i = 0; i < ROWS; i++) {
        const float *own = z + i * (CAUSES + WIDE);
        labels[i] = i % (ROWS / OUTLIERS) == 7;
        for (int j = 0; j < WIDE; j++) {
            double sum = (labels[i] ? 1.0 : 0.5) * (double)own[CAUSES + j];
            for (int k = 0; k < CAUSES; k++) sum += (double)(own[k] * weight[k * WIDE + j]);
            cells[i * WIDE + j] = sum;
        }
    }
}

static odim_params *wide_params(const char *preset, const char *threads)
{
    odim_params *p = odim_params_new();
    odim_params_set(p, "preset", preset, NULL);
    odim_params_set(p, "members", "3", NULL);
    odim_params_set(p, "max-updates", "40", NULL); /* enough, and quick without vector instructions */
    odim_params_set(p, "threads", threads, NULL);
    odim_params_set(p, "max-features", strcmp(preset, "paper") == 0 ? "auto" : "128", NULL);
    return p;
}

/* Whether column names are numbered, or words. */
static odim_table *make_table(const double *x, int64_t rows, bool numbered)
{
    static char text[WIDE][16];
    static const char *names[WIDE];
    odim_table *t;
    for (int j = 0; j < WIDE; j++) {
        if (numbered)
            snprintf(text[j], sizeof text[j], "p%d", j);
        else
            snprintf(text[j], sizeof text[j], "%c%c%c", 'a' + j % 26, 'a' + j / 26, 'a' + j % 7);
        names[j] = text[j];
    }
    if (odim_table_wrap_f64(&t, x, rows, WIDE, 0, names, NULL)) abort();
    return t;
}

static double *fit_scores(odim_params *p, bool numbered, odim_model **out)
{
    odim_table *t = make_table(cells, ROWS, numbered);
    double *scores = od_alloc(ROWS, sizeof *scores);
    if (odim_fit(t, p, NULL, out, &err)) TEST_SAY("%s", err.msg);
    if (odim_score_raw(*out, t, NULL, NULL, scores, &err)) TEST_SAY("%s", err.msg);
    odim_table_free(t);
    odim_params_free(p);
    return scores;
}

TEST(networks_see_parts)
{
    odim_model *m, *loaded;
    double *a = fit_scores(wide_params("fast", "1"), true, &m), *b, alone;
    CHECK_INT(m->width, WIDE);
    CHECK_INT(m->layout.shape.d, 128);
    int seen[WIDE] = {0};
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 128; j++) {
            CHECK(j == 0 || m->member[k].input[j] > m->member[k].input[j - 1]);
            seen[m->member[k].input[j]]++;
        }
    for (int j = 0; j < WIDE; j++) CHECK(seen[j] == 1 || seen[j] == 2);
    void *bytes;
    size_t size;
    REQUIRE(odim_model_save_memory(m, &bytes, &size, &err) == ODIM_OK);
    REQUIRE(odim_model_load_memory(&loaded, bytes, size, &err) == ODIM_OK);
    odim_table *t = make_table(cells, ROWS, true), *one = make_table(cells + 5 * WIDE, 1, true);
    b = od_alloc(ROWS, sizeof *b);
    REQUIRE(odim_score_raw(loaded, t, NULL, NULL, b, &err) == ODIM_OK);
    CHECK(memcmp(a, b, ROWS * sizeof *a) == 0);
    CHECK(odim_score_raw(loaded, one, NULL, NULL, &alone, NULL) == ODIM_OK && alone == a[5]);

    odim_table_free(t), odim_table_free(one);
    odim_free(bytes);
    odim_model_free(loaded), odim_model_free(m);
    od_free(b);

    b = fit_scores(wide_params("fast", "4"), true, &m);
    CHECK(memcmp(a, b, ROWS * sizeof *a) == 0);
    odim_model_free(m);
    od_free(a), od_free(b);
}

/* Three networks of 64 values would not see 300: each gets 100. */
TEST(networks_see_all_together)
{
    odim_model *m;
    int seen[WIDE] = {0};
    odim_params *p = wide_params("fast", "2");
    odim_params_set(p, "max-features", "64", NULL);
    od_free(fit_scores(p, true, &m));
    REQUIRE(m->layout.shape.d == 100);
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 100; j++) seen[m->member[k].input[j]]++;
    for (int j = 0; j < WIDE; j++) CHECK_INT(seen[j], 1);
    odim_model_free(m);
}

/* Wide rows are trained with five samples, and scored with noise that is not chosen. */
TEST(samples_of_wide_rows)
{
    odim_model *m;
    odim_params *p = wide_params("fast", "1");
    od_free(fit_scores(p, true, &m));
    CHECK_INT(od_model_samples(m), 5);
    m->width = 100;
    CHECK_INT(od_model_samples(m), 10);
    m->config.samples = 7;
    CHECK_INT(od_model_samples(m), 7);
    odim_model_free(m);
}

/* Section INPT: the width, then for each network the places that it sees, rising. */
TEST(damaged_inputs)
{
    odim_model *m;
    void *bytes;
    size_t size;
    od_free(fit_scores(wide_params("fast", "2"), true, &m));
    REQUIRE(odim_model_save_memory(m, &bytes, &saved_size, &err) == ODIM_OK);
    saved = bytes;
    unsigned char *body = body_of("INPT", &size);
    CHECK_INT(size, 4 + 3 * 128 * 4);
    CHECK_INT(load_with("INPT", body, size), ODIM_OK);
    CHECK_INT(load_with("INPT", body, size - 4), ODIM_ERR_FORMAT);
    CHECK_INT(load_with("INPT", body, size + 4), ODIM_ERR_FORMAT);
    CHECK_INT(load_with("INPT", NULL, 0), ODIM_ERR_FORMAT);
    static const struct {
        size_t at;
        uint32_t value;
    } wrong[] = {{0, WIDE + 1},   {0, WIDE - 1}, {0, 128}, {0, 0},
                 {0, UINT32_MAX}, {4, WIDE},     {8, 0},   {4 * 3 * 128, WIDE}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        unsigned char kept[4];
        memcpy(kept, body + wrong[i].at, 4);
        for (int k = 0; k < 4; k++) body[wrong[i].at + (size_t)k] = (unsigned char)(wrong[i].value >> 8 * k);
        CHECK_INT(load_with("INPT", body, size), ODIM_ERR_FORMAT);
        memcpy(body + wrong[i].at, kept, 4);
    }
    free(body);
    saved = NULL;
    odim_free(bytes);
    odim_model_free(m);
}

/* Every value is seen by a network, also where there are few networks. */
TEST(more_where_they_are_few)
{
    odim_params *p = wide_params("fast", "2");
    odim_model *m;
    CHECK(odim_params_set(p, "members", "2", NULL) == ODIM_OK);
    od_free(fit_scores(p, true, &m));
    CHECK_INT(m->layout.shape.d, WIDE / 2);
    odim_model_free(m);
    p = wide_params("fast", "2");
    CHECK(odim_params_set(p, "max-features", "auto", NULL) == ODIM_OK);
    od_free(fit_scores(p, true, &m));
    CHECK(m->layout.shape.d == WIDE && !m->member[0].input);
    odim_model_free(m);
    p = wide_params("paper", "2");
    CHECK(odim_params_set(p, "members", "1", NULL) == ODIM_OK);
    CHECK(odim_params_set(p, "samples", "2", NULL) == ODIM_OK);
    od_free(fit_scores(p, true, &m));
    CHECK_INT(m->layout.shape.d, WIDE);
    odim_model_free(m);
}

/* The reasons of a row name the column that is wrong, whichever networks see it. */
TEST(reasons)
{
    odim_model *m;
    od_free(fit_scores(wide_params("fast", "2"), true, &m));
    for (int column = 3; column < WIDE; column += 71) {
        double row[WIDE], share[WIDE];
        memcpy(row, cells, sizeof row);
        row[column] = 40.0;
        odim_table *t = make_table(row, 1, true);
        REQUIRE(odim_explain_cells(m, t, NULL, NULL, NULL, share, NULL, &err) == ODIM_OK);
        int most = 0;
        for (int j = 0; j < WIDE; j++)
            if (share[j] > share[most]) most = j;
        CHECK_INT(most, column);
        odim_table_free(t);
    }
    odim_model_free(m);
}

/* Numbered columns share a unit: distances are those along axes. Named ones may have any. */
TEST(one_unit)
{
    odim_model *m;
    double *a = fit_scores(wide_params("auto", "1"), true, &m), *b, auc;
    CHECK(m->schema.one_unit && m->aux[0].detector.method == OD_METHOD_TRUSTED_KNN);
    for (int64_t f = 1; f < m->schema.features; f++) CHECK(m->schema.width[f] == m->schema.width[0]);
    CHECK(odim_auc(a, labels, ROWS, &auc, NULL) == ODIM_OK && auc > 0.99);
    odim_table *t = make_table(cells, ROWS, true);
    double final[ROWS];
    CHECK(odim_score(m, t, NULL, NULL, final, &err) == ODIM_OK);
    for (int i = 0; i < ROWS; i++) CHECK(labels[i] || final[i] <= OD_SCORE_OUTLIER);
    odim_table_free(t);
    double row[WIDE];
    for (int j = 0; j < WIDE; j++) row[j] = 6 * cells[j];
    t = make_table(row, 1, true);
    CHECK(odim_score(m, t, NULL, NULL, final, &err) == ODIM_OK && final[0] > OD_SCORE_OUTLIER);
    odim_table_free(t);
    odim_held_info held = ODIM_HELD_INFO_INIT;
    CHECK(odim_model_held(m, &held, NULL) == ODIM_OK && held.rows > 100);
    odim_model_free(m);
    b = fit_scores(wide_params("auto", "5"), true, &m);
    CHECK(memcmp(a, b, ROWS * sizeof *a) == 0);
    odim_model_free(m);
    od_free(a), od_free(b);
    a = fit_scores(wide_params("auto", "2"), false, &m);
    CHECK(!m->schema.one_unit && m->schema.width[0] != m->schema.width[1]);
    odim_model_free(m);
    od_free(a);
}

/* A column in another unit takes all of the variance; then each column has its own. */
TEST(one_column_in_another_unit)
{
    odim_model *m;
    for (int i = 0; i < ROWS; i++) cells[i * WIDE + 9] *= 1e6;
    od_free(fit_scores(wide_params("auto", "2"), true, &m));
    CHECK(!m->schema.one_unit);
    odim_model_free(m);
    for (int i = 0; i < ROWS; i++) cells[i * WIDE + 9] /= 1e6;
}

/* Yes and no, however numbered, is nothing that is measured. */
TEST(coarse_columns)
{
    static double kept[ROWS * WIDE];
    odim_model *m;
    memcpy(kept, cells, sizeof kept);
    for (int i = 0; i < ROWS * WIDE; i++) cells[i] = cells[i] > 0;
    od_free(fit_scores(wide_params("auto", "2"), true, &m));
    CHECK(!m->schema.one_unit);
    odim_model_free(m);
    memcpy(cells, kept, sizeof kept);
}

/* Networks so large that they are trained one at a time, by all threads together, are the same as on one
 * thread. */
TEST(large_networks)
{
    double *scores[2];
    for (int i = 0; i < 2; i++) {
        odim_model *m;
        odim_params *p = wide_params("paper", i ? "3" : "1");
        odim_params_set(p, "members", "2", NULL);
        odim_params_set(p, "samples", "3", NULL);
        odim_params_set(p, "hidden", "1600,1000", NULL);
        odim_params_set(p, "max-updates", "2", NULL);
        scores[i] = fit_scores(p, true, &m);
        CHECK(m->layout.params > ((size_t)1 << 21)); /* two would need more than they may */
        odim_model_free(m);
    }
    for (int i = 0; i < ROWS; i++) CHECK(scores[0][i] == scores[1][i]);
    od_free(scores[0]);
    od_free(scores[1]);
}

/* A single row far from all others is called, and no other. */
TEST(one_row_far_away)
{
    static double kept[ROWS * WIDE];
    odim_model *m;
    double scores[ROWS];
    memcpy(kept, cells, sizeof kept);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < WIDE; j++) {
            int from = labels[i] ? i - 1 : i; /* no others */
            cells[i * WIDE + j] =
                kept[from * WIDE + j] + (i == 33 ? (j % 2 ? 9.0 : -9.0) : 0.01 * (i - from));
        }
    odim_params *p = wide_params("auto", "2");
    odim_table *t = make_table(cells, ROWS, true);
    REQUIRE(odim_fit(t, p, NULL, &m, &err) == ODIM_OK);
    REQUIRE(m->schema.one_unit);
    REQUIRE(odim_score(m, t, NULL, NULL, scores, &err) == ODIM_OK);
    int called = 0;
    for (int i = 0; i < ROWS; i++) called += scores[i] > OD_SCORE_OUTLIER;
    CHECK_INT(called, 1);
    CHECK(scores[33] > OD_SCORE_OUTLIER + 1.0);
    odim_table_free(t);
    odim_params_free(p);
    odim_model_free(m);
    memcpy(cells, kept, sizeof kept);
}

static char note[400];

static void take_note(const char *text, void *user)
{
    (void)user;
    snprintf(note, sizeof note, "%s", text);
}

static int stop(const odim_progress *now, void *user)
{
    (void)user;
    return now->stage == ODIM_STAGE_FITTING && now->members > 0;
}

TEST(a_note_before_minutes)
{
    const odim_hooks hooks = {.size = sizeof hooks, .progress = stop, .note = take_note};
    odim_params *p = odim_params_new();
    odim_model *m = NULL;
    odim_table *t = make_table(cells, ROWS, true);
    odim_params_set(p, "preset", "paper", NULL);
    odim_params_set(p, "threads", "2", NULL);
    odim_params_set(p, "hidden", "1600,1000", NULL);
    CHECK_INT(odim_fit(t, p, &hooks, &m, &err), ODIM_ERR_CANCELLED);
    CHECK(m == NULL);
    CHECK(strstr(note, "10 networks of 4.7 million weights take about ") != NULL);
    CHECK(strstr(note, "max-features") != NULL);
    odim_params_free(p);
    odim_table_free(t);
}

int main(void)
{
    make_rows();
    RUN(networks_see_parts);
    RUN(networks_see_all_together);
    RUN(samples_of_wide_rows);
    RUN(damaged_inputs);
    RUN(more_where_they_are_few);
    RUN(reasons);
    RUN(one_unit);
    RUN(one_column_in_another_unit);
    RUN(coarse_columns);
    RUN(one_row_far_away);
    RUN(large_networks);
    RUN(a_note_before_minutes);
    return test_end();
}
