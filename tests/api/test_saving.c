/* A model that was saved and loaded scores as the one it came from, to the last bit. */
#include "odim.h"

#include "comma_locale.h"
#include "test.h"
#include "reasons.h"

enum { ROWS = 120 };

static odim_error err;
static char csv[ROWS * 64];

/* Numbers, gaps, a category, a time, a boolean. */
static void make_csv(void)
{
    static const char *const colours[] = {"red", "blue", "", "gr\"\"een", "red"};
    int len = sprintf(csv, "size,\"the, colour\",when,ok\n");
    for (int i = 0; i < ROWS; i++)
        len += sprintf(csv + len, "%.3f,\"%s\",2024-%02d-%02d %02d:00,%s\n", i * i % 37 / 7.0, colours[i % 5],
                       1 + i % 12, 1 + i % 28, i % 24, i % 9 ? (i % 2 ? "yes" : "no") : "");
}

static void check_same_reasons(const odim_model *a, const odim_table *t, const odim_model *b,
                               const odim_table *u)
{
    int64_t list[ROWS];
    odim_reason x[ROWS], y[ROWS];
    for (int i = 0; i < ROWS; i++) list[i] = i;
    CHECK_INT(explain_rows(a, t, list, ROWS, 1, x, &err), ODIM_OK);
    CHECK_INT(explain_rows(b, u, list, ROWS, 1, y, &err), ODIM_OK);
    for (int i = 0; i < ROWS; i++) CHECK(x[i].col == y[i].col && x[i].share == y[i].share);
}

static void check_kept(const char *const settings[][2])
{
    odim_table *t, *rows;
    odim_model *m, *loaded;
    double before[ROWS], after[ROWS];
    void *bytes;
    size_t size;
    char name[17], loaded_name[17];
    odim_params *p = odim_params_new();
    REQUIRE(p && odim_params_set(p, "members", "2", &err) == ODIM_OK);
    REQUIRE(odim_params_set(p, "max-updates", "30", &err) == ODIM_OK);
    for (; (*settings)[0]; settings++)
        REQUIRE(odim_params_set(p, (*settings)[0], (*settings)[1], &err) == ODIM_OK);
    REQUIRE(odim_table_read_memory(&t, csv, strlen(csv), "t.csv", NULL, &err) == ODIM_OK);
    REQUIRE(odim_detect(t, p, NULL, &m, before, &err) == ODIM_OK);
    REQUIRE(odim_model_save_memory(m, &bytes, &size, &err) == ODIM_OK);
    REQUIRE(odim_model_load_memory(&loaded, bytes, size, &err) == ODIM_OK);
    odim_free(bytes);

    odim_read_options like = {.size = sizeof(odim_read_options), .like = loaded};
    REQUIRE(odim_table_read_memory(&rows, csv, strlen(csv), "t.csv", &like, &err) == ODIM_OK);
    CHECK_INT(odim_score(loaded, rows, NULL, NULL, after, &err), ODIM_OK);
    CHECK(memcmp(before, after, sizeof before) == 0);
    CHECK(odim_model_threshold(m) == odim_model_threshold(loaded));
    for (int i = 0; i < ROWS; i++)
        CHECK(odim_model_probability(m, before[i]) == odim_model_probability(loaded, after[i]));
    check_same_reasons(m, t, loaded, rows);
    odim_model_fingerprint(m, name);
    odim_model_fingerprint(loaded, loaded_name);
    CHECK_STR(name, loaded_name);
    odim_table_free(rows);
    odim_table_free(t);
    odim_model_free(m);
    odim_model_free(loaded);
    odim_params_free(p);
}

TEST(defaults)
{
    check_kept((const char *const[][2]){{NULL, NULL}});
}

TEST(fast)
{
    check_kept((const char *const[][2]){{"preset", "fast"}, {NULL, NULL}});
}

TEST(other_networks)
{
    check_kept((const char *const[][2]){{"batch-norm", "off"}, {"likelihood", "unit"}, {NULL, NULL}});
    check_kept((const char *const[][2]){{"likelihood", "bernoulli"}, {"hidden", "9"}, {NULL, NULL}});
    check_kept((const char *const[][2]){{"likelihood", "gaussian"}, {"scale", "standard"}, {NULL, NULL}});
}

TEST(other_settings)
{
    check_kept((const char *const[][2]){
        {"contamination", "0.05"}, {"score-samples", "3"}, {"seed", "18446744073709551615"}, {NULL, NULL}});
}

/* Scores and the saved model. */
static void fit_bytes(double *scores, void **bytes, size_t *size)
{
    odim_table *t;
    odim_model *m;
    odim_params *p = odim_params_new();
    REQUIRE(p && odim_params_set(p, "members", "2", &err) == ODIM_OK);
    REQUIRE(odim_params_set(p, "max-updates", "30", &err) == ODIM_OK);
    REQUIRE(odim_params_set(p, "lr", "0.0015", &err) == ODIM_OK);
    CHECK_INT(odim_params_set(p, "lr", "0,0015", &err), ODIM_ERR_PARAM);
    REQUIRE(odim_table_read_memory(&t, csv, strlen(csv), "t.csv", NULL, &err) == ODIM_OK);
    REQUIRE(odim_detect(t, p, NULL, &m, scores, &err) == ODIM_OK);
    REQUIRE(odim_model_save_memory(m, bytes, size, &err) == ODIM_OK);
    odim_model_free(m);
    odim_table_free(t);
    odim_params_free(p);
}

TEST(decimal_comma)
{
    double scores[2][ROWS];
    void *bytes[2] = {NULL, NULL};
    size_t size[2] = {0, 0};
    fit_bytes(scores[0], &bytes[0], &size[0]);
    comma_locale_on();
    fit_bytes(scores[1], &bytes[1], &size[1]);
    comma_locale_off();
    REQUIRE(bytes[0] && bytes[1] && size[0] == size[1]);
    CHECK(memcmp(bytes[0], bytes[1], size[0]) == 0);
    CHECK(memcmp(scores[0], scores[1], sizeof scores[0]) == 0);
    odim_free(bytes[0]);
    odim_free(bytes[1]);
}

int main(void)
{
    make_csv();
    RUN(defaults);
    RUN(fast);
    RUN(other_networks);
    RUN(other_settings);
    RUN_IF(comma_locale_build(), decimal_comma, NO_COMMA_LOCALE);
    return test_end();
}
