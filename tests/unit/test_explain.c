/* tests: explain explainer explain_fit explain_cells. Reasons on a small table with numbers and a category:
 * that they name the planted faults, that they are what the essay in explain.c says, and that nothing but the
 * row and the model matters. */
#include "starve.h"
#include "test.h"

#include "common/compare.h"
#include "common/mem.h"
#include "base/rng.h"
#include "prep/encode.h"
#include "score/explain.h"
#include "score/explainer.h"
#include "score/score.h"

enum { ROWS = 640, COLS = 4, KIND = 3, FAULTS = 16, EACH = ROWS / FAULTS };

static odim_table *table;
static odim_model *model;
static int64_t fault_row[FAULTS];
static int fault_column[FAULTS];

/* a, b and c follow one hidden cause; kind says whether it is low, middle or high. */
static void make_table(void)
{
    static char csv[64 * ROWS];
    int len = sprintf(csv, "a,b,c,kind\n");
    od_rng s = od_rng_make(3, 0, OD_RNG_TRAIN, 0);
    for (int i = 0; i < ROWS; i++) {
        uint32_t w[4];
        od_rng_block(&s, (uint64_t)i, w);
        double u = (double)od_unit(w[0]), noise = 0.05 * (double)od_unit(w[1]);
        double x[3] = {10 * u + noise, 3 - u + noise, 100 * u * u + 30 * noise};
        int level = u < 0.3 ? 0 : u < 0.7 ? 1 : 2, at = i / EACH;
        if (i % EACH == 7) {
            fault_row[at] = i;
            fault_column[at] = at % COLS;
            if (at % COLS == KIND)
                level = u < 0.5 ? 2 : 0;
            else
                x[at % COLS] += (const double[]){15, 2, 150}[at % COLS];
        }
        len += sprintf(csv + len, "%.4f,%.4f,%.3f,%s\n", x[0], x[1], x[2],
                       (const char *[]){"low", "mid", "high"}[level]);
    }
    odim_error err;
    if (odim_table_read_memory(&table, csv, (size_t)len, "t.csv", NULL, &err)) puts(err.msg), exit(1);
}

static void fit_model(const char *kind)
{
    odim_params *p = odim_params_new();
    odim_error err;
    /* A flow needs no haste. */
    bool is_auto = strcmp(kind, "auto") == 0;
    odim_params_set(p, "preset", is_auto ? "auto" : strcmp(kind, "flow") ? "fast" : "paper", NULL);
    odim_params_set(p, "members", "4", NULL);
    if (is_auto)
        odim_params_set(p, "with", "subsample-knn", NULL),
            odim_params_set(p, "trusted-fraction", "off", NULL);
    odim_params_set(p, "model", is_auto ? "iwae" : kind, NULL);
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

static od_reasons explain(const int64_t *rows, int64_t count, int64_t threads)
{
    od_reasons r = room(count);
    odim_error err = {0};
    CHECK_INT(
        od_explain_rows(model, &(od_table_rows){table, rows, count}, &(od_run){threads, NULL}, &r, &err),
        ODIM_OK);
    return r;
}

static int largest(const double *share)
{
    int at = 0;
    for (int c = 1; c < COLS; c++) at = share[c] > share[at] ? c : at;
    return at;
}

TEST(planted_column_comes_first)
{
    od_reasons r = explain(fault_row, FAULTS, 1);
    int64_t d = model->schema.features;
    for (int i = 0; i < FAULTS; i++) {
        CHECK_INT(largest(r.share + i * COLS), fault_column[i]);
        /* What was expected in the place of an extreme value is not extreme. */
        double value = od_encode_back(&model->schema, fault_column[i], r.expected + i * d);
        static const double low[] = {-1, 1.9, -10}, high[] = {11, 3.2, 112};
        if (fault_column[i] != KIND) CHECK(value > low[fault_column[i]] && value < high[fault_column[i]]);
    }
    drop(&r);
}

TEST(shares_add_up)
{
    od_reasons r = explain(NULL, ROWS, 2);
    int none = 0;
    for (int i = 0; i < ROWS; i++) {
        double sum = 0;
        for (int c = 0; c < COLS; c++) {
            CHECK(r.share[i * COLS + c] >= 0);
            sum += r.share[i * COLS + c];
        }
        if (sum == 0)
            none++;
        else
            CHECK_NEAR(sum, 1, 1e-12);
    }
    CHECK(none < ROWS / 3);
    drop(&r);
}

TEST(same_bits_however_it_is_cut)
{
    od_reasons all = explain(NULL, ROWS, 1), many = explain(NULL, ROWS, 5);
    size_t features = (size_t)model->schema.features;
    CHECK(memcmp(all.share, many.share, ROWS * COLS * sizeof(double)) == 0);
    CHECK(memcmp(all.expected, many.expected, ROWS * features * sizeof(float)) == 0);
    for (int64_t i = 0; i < ROWS; i += 41) {
        od_reasons one = explain(&i, 1, 1);
        CHECK(memcmp(all.share + i * COLS, one.share, COLS * sizeof(double)) == 0);
        CHECK(memcmp(all.expected + (size_t)i * features, one.expected, features * sizeof(float)) == 0);
        drop(&one);
    }
    drop(&all), drop(&many);
    all = explain(fault_row, 0, 1); /* of no row there is nothing to say */
    drop(&all);
}

/* Blame by excess, from an account of x. */
static void excess_of(od_explainer *e, const float *x, double *excess)
{
    od_explainer_attribute(e, x, 1);
    for (int c = 0; c < COLS; c++) {
        const od_schema_col *col = &model->schema.col[c];
        excess[c] = 0;
        for (int64_t j = col->first; j < col->first + col->features; j++)
            excess[c] += e->parts.part[j] - (double)model->usual[j];
        excess[c] = fmax(excess[c], 0);
    }
}

static void check_shares(const double *share, const double *blame)
{
    double sum = 0;
    for (int c = 0; c < COLS; c++) sum += blame[c];
    for (int c = 0; c < COLS; c++) CHECK_NEAR(share[c], blame[c] / sum, 1e-9);
}

/* All over again for one row, the plain way: every column at every rung of its ladder. */
TEST(as_the_essay_says)
{
    od_explainer e;
    od_encoder encoder;
    int64_t d = model->schema.features;
    int64_t checked = model->schema.checks.cols;
    model->schema.checks.cols = 0; /* their evidence would come before the account */
    REQUIRE(od_explainer_new(&e, model, NULL) == ODIM_OK);
    REQUIRE(od_encoder_new(&encoder, &model->schema, table, NULL) == ODIM_OK);
    float *x = od_alloc((size_t)d, sizeof *x), *y = od_alloc((size_t)d, sizeof *y),
          *best = od_alloc((size_t)d, sizeof *best);
    for (int i = 0; i < FAULTS; i++) {
        REQUIRE(od_encode_rows(&encoder, &fault_row[i], 0, 1, x, NULL) == ODIM_OK);
        double blame[COLS], lowest = INFINITY;
        excess_of(&e, x, blame);
        double score = e.parts.loss[0];
        int worst = 0;
        for (int c = 0; c < COLS; c++) {
            for (int g = 0; g < OD_QUANTILES; g++) {
                const od_schema_col *col = &model->schema.col[c];
                memcpy(y, x, (size_t)d * sizeof *y);
                for (int64_t j = col->first; j < col->first + col->features; j++)
                    y[j] = model->quantile_grid[g * d + j];
                od_explainer_attribute(&e, y, 1);
                if (e.parts.loss[0] >= lowest) continue;
                lowest = e.parts.loss[0];
                worst = c;
                memcpy(best, y, (size_t)d * sizeof *y);
            }
        }
        od_reasons r = explain(&fault_row[i], 1, 1);
        CHECK(score > model->score_p90 && lowest < score);
        excess_of(&e, best, blame);
        for (int c = 0; c < COLS; c++) blame[c] = fmin(blame[c], score - lowest);
        blame[worst] = score - lowest;
        check_shares(r.share, blame);
        for (int64_t j = 0; j < d; j++) CHECK_NEAR(r.expected[j], e.parts.mean[j], 1e-6);
        drop(&r);

        double score_p90 = model->score_p90;
        model->score_p90 = score; /* not above it: nothing is tried */
        r = explain(&fault_row[i], 1, 1);
        model->score_p90 = score_p90;
        excess_of(&e, x, blame);
        check_shares(r.share, blame);
        for (int64_t j = 0; j < d; j++) CHECK_NEAR(r.expected[j], e.parts.mean[j], 1e-6);
        drop(&r);
    }
    model->schema.checks.cols = checked;
    od_free(x), od_free(y), od_free(best);
    od_encoder_free(&encoder);
    od_explainer_free(&e);
}

/* Whatever the shares of the account are: the strongest evidence comes first, and all shares add up to 1. */
TEST(evidence_comes_first)
{
    static const double each[][COLS] = {{0, 2, 0, 0},    {0.8, 0, 0, 0}, {0, 1.2, 1.2, 0.9},
                                        {12, 0, 0, 0.1}, {1, 1, 1, 1},   {0, 0, 1e-6, 0}};
    static const double attribute[][COLS] = {
        {1, 0, 0, 0}, {0, 0, 0, 1}, {0.25, 0.25, 0.25, 0.25}, {0, 0, 0, 0}, {0.4, 0, 0.6, 0}};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
        for (size_t k = 0; k < sizeof attribute / sizeof *attribute; k++) {
            double share[COLS], sum = 0, all = 0;
            memcpy(share, attribute[k], sizeof share);
            for (int c = 0; c < COLS; c++) sum += each[i][c];
            od_explain_combine(each[i], sum, COLS, share);
            for (int c = 0; c < COLS; c++) all += share[c];
            CHECK_NEAR(all, 1, 1e-12);
            CHECK(each[i][largest(share)] > 0);
        }
    }
    double share[COLS] = {0.5, 0.5, 0, 0};
    od_explain_combine((double[COLS]){0}, 0, COLS, share);
    CHECK(share[0] == 0.5 && share[1] == 0.5 && share[2] == 0); /* as it was */
}

/* New rows with one cell that is wrong by itself, and one that is mostly empty. */
TEST(wrong_cells_are_named)
{
    const char csv[] = "a,b,c,kind\n5.02,2.52,25.6,mid\n5.02,12,25.6,mid\n5.02,2.52,25.6,mdi\n"
                       "5.02,,25.6,mid\n,,,mid\n5.02,2.52,-90,mid\n";
    enum { NEW = 6 };
    odim_table *t;
    od_reasons r = room(NEW);
    r.evidence = od_calloc(NEW * COLS, sizeof *r.evidence);
    REQUIRE(odim_table_read_memory(&t, csv, strlen(csv), "t.csv",
                                   &(odim_read_options){.size = sizeof(odim_read_options), .like = model},
                                   NULL) == ODIM_OK);
    REQUIRE(od_explain_rows(model, &(od_table_rows){t, NULL, NEW}, &(od_run){2, NULL}, &r, NULL) == ODIM_OK);
    static const int wrong[NEW] = {-1, 1, KIND, 1, -1, 2};
    for (int i = 0; i < NEW; i++) {
        for (int c = 0; c < COLS; c++)
            CHECK_INT(r.evidence[i * COLS + c] > 0, i == 4 ? c != KIND : c == wrong[i]);
        if (wrong[i] >= 0) CHECK_INT(largest(r.share + i * COLS), wrong[i]);
    }
    /* In the row that is mostly empty each gap has its part. */
    for (int c = 0; c < KIND; c++) CHECK(r.share[4 * COLS + c] > 0.2);
    CHECK(r.share[4 * COLS + KIND] < 0.2);
    od_free(r.evidence);
    drop(&r);
    odim_table_free(t);
}

/* What fitting left in the model, found once more from every row of the table. */
TEST(usual_is_the_median)
{
    static double part[ROWS], score[ROWS], value[ROWS];
    od_explainer e;
    od_encoder encoder;
    int64_t d = model->schema.features;
    REQUIRE(od_explainer_new(&e, model, NULL) == ODIM_OK);
    REQUIRE(od_encoder_new(&encoder, &model->schema, table, NULL) == ODIM_OK);
    for (int64_t j = 0; j < d; j++) {
        for (int64_t i = 0; i < ROWS; i++) {
            REQUIRE(od_encode_rows(&encoder, &i, 0, 1, e.x, NULL) == ODIM_OK);
            value[i] = (double)e.x[j];
            od_explainer_attribute(&e, e.x, 1);
            part[i] = e.parts.part[j];
            score[i] = e.parts.loss[0];
        }
        qsort(part, ROWS, sizeof *part, od_compare_double);
        qsort(score, ROWS, sizeof *score, od_compare_double);
        qsort(value, ROWS, sizeof *value, od_compare_double);
        CHECK(model->usual[j] == (float)part[ROWS / 2]);
        CHECK(model->score_p90 == score[ROWS * 9 / 10]);
        for (int g = 0; g < OD_QUANTILES && j < KIND; g++)
            CHECK(model->quantile_grid[g * d + j] == (float)value[(2 * g + 1) * ROWS / (2 * OD_QUANTILES)]);
    }
    /* A category is on every rung one of its levels. */
    const od_schema_col *kind = &model->schema.col[KIND];
    CHECK_INT(kind->own_levels, 3);
    for (int g = 0; g < OD_QUANTILES; g++) {
        int on = 0;
        for (int64_t j = 0; j < 3; j++) on += model->quantile_grid[g * d + kind->first + j] != 0.0f;
        CHECK_INT(on, 1);
    }
    od_encoder_free(&encoder);
    od_explainer_free(&e);
}

TEST(sample_sizes)
{
    CHECK_INT(od_explain_sample(20, 3), 20);
    CHECK_INT(od_explain_sample(1000000, 10), 1000);
    CHECK_INT(od_explain_sample(1000000, 128), 1000);
    CHECK_INT(od_explain_sample(1000000, 512), 250);
    CHECK_INT(od_explain_sample(1000000, 8000), 100);
    CHECK_INT(od_explain_sample(1000000, 1000000), 100);
    CHECK_INT(od_explain_sample(50, 1000000), 50);
}

/* One fault that is so large that beside it all else is next to nothing: no share is below 0. */
TEST(a_fault_beyond_all_others)
{
    const char csv[] = "a,b,c,kind\n1,2,10,low\n1e9,2,10,low\n";
    odim_table *t;
    int64_t row = 1;
    od_reasons r = room(1);
    REQUIRE(odim_table_read_memory(&t, csv, strlen(csv), "t.csv", NULL, NULL) == ODIM_OK);
    REQUIRE(od_explain_rows(model, &(od_table_rows){t, &row, 1}, &(od_run){1, NULL}, &r, NULL) == ODIM_OK);
    CHECK(r.share[0] > 0.95 && r.share[0] <= 1);
    for (int c = 1; c < COLS; c++) CHECK(r.share[c] >= 0 && r.share[c] < 0.05);
    drop(&r);
    odim_table_free(t);
}

/* A value beyond all scaling: an error where it is fitted, the highest score and the first reason in a new
 * row, whose neighbours are as they were. */
TEST(too_extreme_a_row)
{
    static const char *const values[] = {"1e12", "1e17", "1e25", "-1e25", "1e300", "-1.7e308"};
    double last = 0;
    for (int i = 0; i < 6; i++) {
        char csv[100];
        odim_table *t;
        odim_error err;
        double scores[2], alone;
        od_reasons r = room(2);
        sprintf(csv, "a,b,c,kind\n1,2,10,low\n1,%s,10,low\n", values[i]);
        REQUIRE(odim_table_read_memory(&t, csv, strlen(csv), "t.csv", NULL, NULL) == ODIM_OK);
        REQUIRE(od_score_rows(model, &(od_table_rows){t, &(int64_t){0}, 1}, &(od_run){1, NULL}, &alone,
                              &err) == ODIM_OK);
        if (i >= 2 && !model->schema.clip_low) {
            CHECK_INT(od_score_rows(model, &(od_table_rows){t, NULL, 2}, &(od_run){1, NULL}, scores, &err),
                      ODIM_ERR_DATA);
            CHECK_INT(err.row, 1);
        }
        REQUIRE(odim_score_raw(model, t, NULL, NULL, scores, &err) == ODIM_OK);
        CHECK(scores[0] == alone);
        REQUIRE(odim_score(model, t, NULL, NULL, scores, &err) == ODIM_OK);
        CHECK(scores[1] > odim_model_threshold(model) && isfinite(scores[1]));
        if (i < 3) CHECK(scores[1] >= last);
        last = scores[1];
        double each[4];
        const odim_score_options which = {.size = sizeof which, .rows = &(int64_t){1}, .count = 1};
        REQUIRE(odim_score_members(model, t, &which, NULL, NULL, each, &err) == ODIM_OK);
        /* Where the scaling is robust, members see nothing beyond the limits. */
        double least = model->schema.clip_low ? -OD_SCORE_HIGHEST : 1e12;
        for (int b = 0; b < 4; b++) CHECK(each[b] > least && each[b] <= OD_SCORE_HIGHEST);
        double judged[2];
        REQUIRE(odim_score(model, t, NULL, NULL, judged, &err) == ODIM_OK);
        CHECK(judged[1] > judged[0] && judged[1] > 6 && judged[1] < 100);
        CHECK(odim_model_probability(model, judged[1]) > 0.8);
        REQUIRE(od_explain_rows(model, &(od_table_rows){t, NULL, 2}, &(od_run){1, NULL}, &r, &err) ==
                ODIM_OK);
        for (int c = 0; c < COLS; c++)
            CHECK(r.share[COLS + c] >= 0 && r.share[COLS + c] <= r.share[COLS + 1]);
        drop(&r);
        odim_table_free(t);
    }
}

enum { MANY = 100000 }; /* rows that take more than a moment */

static int count_calls(const odim_progress *now, void *user)
{
    CHECK(now->rows == MANY || now->members_done == now->members);
    ++*(int *)user;
    return 1;
}

TEST(cancelled)
{
    static int64_t rows[MANY];
    int calls = 0;
    odim_hooks hooks = {.size = sizeof(odim_hooks), .progress = count_calls, .user = &calls};
    od_reasons r = room(MANY);
    double score_p90 = model->score_p90;
    for (int i = 0; i < MANY; i++) rows[i] = i % ROWS;
    model->score_p90 = -INFINITY; /* all rows, the long way: there is time to be asked */
    CHECK_INT(od_explain_rows(model, &(od_table_rows){table, rows, MANY}, &(od_run){1, &hooks}, &r, NULL),
              ODIM_ERR_CANCELLED);
    model->score_p90 = score_p90;
    CHECK(calls > 0);
    drop(&r);
}

TEST(memory_may_be_out)
{
    od_reasons r = room(FAULTS);
    int64_t rows[100];
    odim_error err;
    for (int64_t i = 0; i < 100; i++) rows[i] = i;
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 11)
    {
        status =
            od_explain_rows(model, &(od_table_rows){table, fault_row, FAULTS}, &(od_run){2, NULL}, &r, &err);
    }
    EACH_ALLOCATION_FAILS(status, 11)
    {
        status = od_explain_fit(model, &(od_table_rows){table, rows, 100}, &(od_run){2, NULL}, &err);
    }
    drop(&r);
}

int main(void)
{
    make_table();
    static const char *const kinds[] = {"flow", "auto", "iwae"};
    for (int i = 0; i < 3; i++) {
        fit_model(kinds[i]);
        RUN(planted_column_comes_first);
        RUN(shares_add_up);
        RUN(same_bits_however_it_is_cut);
        RUN(as_the_essay_says);
        RUN(wrong_cells_are_named);
        RUN(usual_is_the_median);
        RUN(a_fault_beyond_all_others);
        RUN(too_extreme_a_row);
    }
    RUN(evidence_comes_first);
    RUN(sample_sizes);
    RUN(cancelled);
    RUN(memory_may_be_out); /* last: it fits the model to other rows */
    odim_model_free(model);
    odim_table_free(table);
    return test_end();
}
