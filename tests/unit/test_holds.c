/* tests: holds. What a model is said to hold of its rows, by every method. */
#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "model/model.h"
#include "test.h"

enum { ROWS = 300, COPIES = 40, COLS = 3 };

static odim_error err;
static double x[ROWS * COLS];
static odim_table *table;

/* Some rows are copies of others. */
static void make_table(void)
{
    od_rng s = od_rng_make(3, 1, OD_RNG_TRAIN, 0);
    for (int i = 0; i < ROWS * COLS; i++) {
        uint32_t w[4];
        od_rng_block(&s, (uint64_t)i, w);
        x[i] = i < (ROWS - COPIES) * COLS ? (double)od_unit(w[0]) : x[i - (ROWS - COPIES) * COLS];
    }
    static const double low[COLS] = {0, 0, 0}, high[COLS] = {1, 1, 1};
    if (odim_table_wrap_f64(&table, x, ROWS, COLS, 0, NULL, &err)) abort();
    if (odim_table_set_bounds(table, low, high, &err)) abort();
}

/* The rows and values of a model with these settings: "name=value name=value". */
static odim_held_info held(const char *settings, bool loaded)
{
    char text[200], *rest = text;
    odim_params *p = odim_params_new();
    odim_model *m, *again;
    odim_held_info h = {.size = sizeof h, .rows = -1};
    void *bytes;
    size_t size;
    snprintf(text, sizeof text, "%smembers=2 max-updates=30 %s",
             strstr(settings, "method=") || strstr(settings, "dp-") ? "" : "preset=paper ", settings);
    for (char *word; (word = strtok_r(rest, " ", &rest));) {
        char *value = strchr(word, '=');
        *value++ = '\0';
        if (strstr(settings, "method=") && (!strcmp(word, "members") || !strcmp(word, "max-updates")))
            continue;
        if (odim_params_set(p, word, value, &err)) abort();
    }
    if (odim_fit(table, p, NULL, &m, &err)) {
        fprintf(stderr, "%s: %s\n", settings, err.msg);
        abort();
    }
    if (loaded) {
        if (odim_model_save_memory(m, &bytes, &size, &err) ||
            odim_model_load_memory(&again, bytes, size, &err))
            abort();
        odim_model_free(m);
        odim_free(bytes);
        m = again;
    }
    CHECK_INT(odim_model_held(m, &h, &err), ODIM_OK);
    odim_model_free(m);
    odim_params_free(p);
    return h;
}

TEST(every_method)
{
    enum { ALL = ROWS - COPIES, SINGLE = 10 * COLS };
    static const struct {
        const char *settings;
        int64_t rows, values;
    } want[] = {
        {"preset=paper", 0, SINGLE},
        {"model=flow", 0, SINGLE},
        {"method=knn", ALL, SINGLE},
        {"method=lof", ALL, SINGLE},
        {"method=knn transform=log-pca", ALL, SINGLE},
        {"method=iforest", 1, SINGLE},
        {"method=mcd", 1, SINGLE},
        {"method=pca", 1, SINGLE},
        {"method=hbos", 1, SINGLE},
        {"method=loda", 1, SINGLE},
        {"method=cblof", 1, SINGLE},
        {"method=cof", ALL, SINGLE},
        {"method=sod", ALL, SINGLE},
        {"method=bagging bags=3", ALL, SINGLE},
        {"method=ocsvm nu=1", ALL, SINGLE},
        {"with=knn", ALL, SINGLE},
        {"with=subsample-knn,lof", ALL, SINGLE},
        {"with=mcd", 0, SINGLE},
        {"method=iforest share-safe=on", 0, SINGLE},
        {"method=loda share-safe=on", 0, SINGLE},
        {"preset=fast share-safe=on", 0, SINGLE},
        {"dp-epsilon=8 dp-insecure-seed=on", 0, 0},
    };
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        for (int loaded = 0; loaded < 2; loaded++) {
            odim_held_info h = held(want[i].settings, loaded);
            if (h.rows != want[i].rows || h.values != want[i].values || h.levels || h.once)
                TEST_SAY("%s: %d rows, %d values", want[i].settings, (int)h.rows, (int)h.values);
        }
}

/* All values are kept of so few rows. */
TEST(sorted_columns)
{
    odim_held_info h = held("method=ecod", true);
    CHECK_INT(h.rows, 1);
    CHECK(h.values > 10 * COLS + 2 * 100 * COLS && h.values <= 10 * COLS + (ROWS - COPIES) * COLS);
    CHECK_INT(held("method=copod", true).values, h.values);
}

/* As many rows as are trusted, less the copies, and the most ordinary row if it is none of them. */
TEST(trusted_rows)
{
    int64_t rows = held("preset=auto members=2 max-updates=30", true).rows;
    CHECK(rows <= ROWS * 3 / 4 && rows >= ROWS * 3 / 4 - COPIES);
}

/* A row may be in several groups: so many are drawn, and there are only so many. */
TEST(groups_of_rows)
{
    int64_t rows = held("with=subsample-knn", true).rows;
    CHECK(rows > 200 && rows <= ROWS - COPIES);
}

int main(void)
{
    make_table();
    RUN(every_method);
    RUN(sorted_columns);
    RUN(trusted_rows);
    RUN(groups_of_rows);
    odim_table_free(table);
    return test_end();
}
