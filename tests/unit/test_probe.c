/* tests: probe api_trace. */
#include "fit/probe.h"

#include "common/mem.h"
#include "test.h"

enum { ROWS = 640, OUTLIERS = 16 };

static char csv[ROWS * 80 + 64];

/* Three readings of one cause, and a few rows where they do not go together. */
static void make_csv(void)
{
    int len = sprintf(csv, "a,b,c,y\n");
    uint32_t s = 5;
    for (int i = 0; i < ROWS; i++) {
        double u[4];
        for (int j = 0; j < 4; j++) u[j] = (double)((s = s * 1664525u + 1013904223u) >> 8) / (1 << 24);
        int out = i % (ROWS / OUTLIERS) == 3;
        len += sprintf(csv + len, "%.4f,%.4f,%.4f,%d\n", out ? 3 * u[0] : u[0],
                       out ? 3 * u[1] : u[0] + 0.1 * u[1], out ? 3 * u[2] : u[0] + 0.1 * u[2], out);
    }
}

static odim_table *table(const char *label)
{
    odim_table *t;
    odim_read_options o = {
        .size = sizeof(odim_read_options), .label = label, .ignore = label ? NULL : NAMES("y")};
    if (odim_table_read_memory(&t, csv, strlen(csv), "t.csv", &o, NULL)) abort();
    return t;
}

static odim_params *params(const char *members, const char *threads)
{
    odim_params *p = odim_params_new();
    odim_params_set(p, "preset", "paper", NULL);
    odim_params_set(p, "members", members, NULL);
    odim_params_set(p, "samples", "5", NULL);
    odim_params_set(p, "hidden", "8,6", NULL);
    odim_params_set(p, "threads", threads, NULL);
    return p;
}

/* The moments are the chosen updates and the checks, each once. */
TEST(moments)
{
    const int64_t updates[] = {25, 10, 3, 25};
    od_probe r = {.length = 40, .updates = updates, .update_count = 4, .at_checks = true, .row_count = 2};
    REQUIRE(od_probe_begin(&r, 2, 10, NULL) == ODIM_OK);
    const int64_t want[] = {3, 10, 20, 25, 30, 40};
    REQUIRE(r.moments == 6);
    CHECK(memcmp(r.moment, want, sizeof want) == 0);
    /* Losses of member 0, moment 1: 1 and 2; of member 1: 4 and -1. */
    float *a = r.loss + 2, *b = r.loss + (6 + 1) * 2;
    a[0] = 1, a[1] = 2, b[0] = 4, b[1] = -1;
    double mean[2];
    od_probe_mean(&r, 1, mean);
    CHECK_NEAR(mean[0], 2.5, 0);
    CHECK_NEAR(mean[1], 0.5, 0);
    od_probe_free(&r);
}

/* A trace sees the model that odim_fit makes: where it stopped, what was kept, and the scores to the bit. */
TEST(is_the_same_model)
{
    odim_table *t = table(NULL);
    odim_params *p = params("1", "1");
    odim_model *m;
    odim_trace *trace;
    odim_member_info fitted;
    static double scores[ROWS];
    REQUIRE(odim_fit(t, p, NULL, &m, NULL) == ODIM_OK);
    REQUIRE(odim_score_raw(m, t, p, NULL, scores, NULL) == ODIM_OK);
    REQUIRE(odim_model_member(m, 0));
    fitted = *odim_model_member(m, 0);
    odim_trace_options o = {.size = sizeof(odim_trace_options),
                            .length = fitted.updates + 50,
                            .updates = &fitted.best_update,
                            .count = 1};
    REQUIRE(odim_trace_fit(t, p, &o, NULL, &trace, NULL) == ODIM_OK);
    REQUIRE(odim_trace_member(trace, 0));
    CHECK(memcmp(&fitted, odim_trace_member(trace, 0), sizeof fitted) == 0);
    REQUIRE(odim_trace_moments(trace) == 1 && odim_trace_rows(trace) == ROWS);
    CHECK_INT(odim_trace_update(trace, 0), fitted.best_update);
    CHECK(memcmp(odim_trace_losses(trace, 0), scores, sizeof scores) == 0);

    /* The model remembers the checks up to its stop, the trace those that came later too. */
    CHECK_INT(odim_model_checks(m, 0), fitted.updates / 10);
    CHECK_INT(odim_trace_checks(trace), fitted.updates / 10 + 5);
    double most = 0;
    for (int64_t i = 0; i < odim_model_checks(m, 0); i++) {
        const odim_check *one = odim_model_check(m, 0, i), *other = odim_trace_check(trace, 0, i);
        REQUIRE(one && other);
        CHECK_INT(one->update, 10 * (i + 1));
        CHECK_INT(other->update, 10 * (i + 1));
        CHECK(memcmp(&one->distance, &other->distance, sizeof one->distance) == 0);
        most = fmax(most, one->distance);
    }
    CHECK_NEAR(most, fitted.distance, 0);
    CHECK(!odim_model_check(m, 0, odim_model_checks(m, 0)));
    CHECK(!odim_model_check(m, 1, 0));
    odim_trace_free(trace);
    odim_model_free(m);
    odim_params_free(p);
    odim_table_free(t);
}

/* Not long enough to stop: nothing is said of a stop. */
TEST(short_of_the_stop)
{
    odim_table *t = table(NULL);
    odim_params *p = params("2", "2");
    odim_trace *trace;
    REQUIRE(odim_trace_fit(t, p, &(odim_trace_options){.size = sizeof(odim_trace_options), .length = 20},
                           NULL, &trace, NULL) == ODIM_OK);
    CHECK_INT(odim_trace_checks(trace), 2);
    CHECK_INT(odim_trace_moments(trace), 2); /* 10 and 20; the later ones are past the end */
    const odim_member_info *info = odim_trace_member(trace, 1);
    REQUIRE(info);
    CHECK_INT(info->updates, 0);
    CHECK(info->best_update == 10 || info->best_update == 20);
    odim_trace_free(trace);
    REQUIRE(odim_trace_fit(t, p, &(odim_trace_options){.size = sizeof(odim_trace_options), .length = 3}, NULL,
                           &trace, NULL) == ODIM_OK);
    CHECK_INT(odim_trace_checks(trace), 0);
    CHECK_INT(odim_trace_moments(trace), 0);
    odim_trace_free(trace);
    odim_params_free(p);
    odim_table_free(t);
}

/* With labels there is an AUC at every check; it is the one of the losses. */
TEST(judged)
{
    odim_table *t = table("y");
    odim_params *p = params("2", "2");
    odim_trace *trace;
    int64_t updates[] = {7};
    double auc;
    REQUIRE(odim_trace_fit(t, p, &(odim_trace_options){sizeof(odim_trace_options), 60, updates, 1, 0}, NULL,
                           &trace, NULL) == ODIM_OK);
    REQUIRE(odim_trace_moments(trace) == 7);
    CHECK_INT(odim_trace_update(trace, 0), 7);
    CHECK_INT(odim_trace_update(trace, 6), 60);
    for (int64_t k = 0; k < 7; k++) {
        REQUIRE(odim_auc(odim_trace_losses(trace, k), odim_table_labels(t), ROWS, &auc, NULL) == ODIM_OK);
        CHECK_NEAR(odim_trace_auc(trace, k), auc, 0);
    }
    CHECK(odim_trace_auc(trace, 6) > 0.8);
    CHECK(isnan(odim_trace_auc(trace, 7)) && !odim_trace_losses(trace, 7) && !odim_trace_losses(trace, -1));
    odim_trace_free(trace);
    odim_table_free(t);
    t = table(NULL);
    REQUIRE(odim_trace_fit(t, p, &(odim_trace_options){sizeof(odim_trace_options), 60, updates, 1, 0}, NULL,
                           &trace, NULL) == ODIM_OK);
    CHECK_INT(odim_trace_moments(trace), 1);
    CHECK(isnan(odim_trace_auc(trace, 0)));
    odim_trace_free(trace);
    odim_params_free(p);
    odim_table_free(t);
}

TEST(same_bits_for_any_thread_count)
{
    odim_table *t = table("y");
    odim_trace *trace[3];
    static const char *const threads[] = {"1", "2", "7"};
    for (int i = 0; i < 3; i++) {
        odim_params *p = params("3", threads[i]);
        REQUIRE(odim_trace_fit(t, p, &(odim_trace_options){.size = sizeof(odim_trace_options), .length = 60},
                               NULL, &trace[i], NULL) == ODIM_OK);
        odim_params_free(p);
    }
    for (int i = 1; i < 3; i++) {
        REQUIRE(odim_trace_moments(trace[i]) == 6);
        for (int64_t k = 0; k < 6; k++)
            CHECK(memcmp(odim_trace_losses(trace[0], k), odim_trace_losses(trace[i], k),
                         ROWS * sizeof(double)) == 0);
        for (int b = 0; b < 3; b++) {
            const odim_check *one = odim_trace_check(trace[0], b, 4);
            REQUIRE(one && odim_trace_check(trace[i], b, 4));
            CHECK(memcmp(one, odim_trace_check(trace[i], b, 4), sizeof *one) == 0);
        }
    }
    for (int i = 0; i < 3; i++) odim_trace_free(trace[i]);
    odim_table_free(t);
}

static void expect_rows(const char *text, const char *label, int64_t most, int count, const int64_t *want)
{
    odim_table *t;
    odim_trace *trace;
    odim_params *p = params("1", "1");
    REQUIRE(odim_table_read_memory(&t, text, strlen(text), "t.csv",
                                   &(odim_read_options){.size = sizeof(odim_read_options), .label = label},
                                   NULL) == ODIM_OK);
    REQUIRE(odim_trace_fit(
                t, p, &(odim_trace_options){.size = sizeof(odim_trace_options), .length = 1, .rows = most},
                NULL, &trace, NULL) == ODIM_OK);
    CHECK_INT(odim_trace_rows(trace), count);
    for (int i = 0; i < count && i < odim_trace_rows(trace); i++)
        CHECK_INT(odim_trace_row_numbers(trace)[i], want[i]);
    odim_trace_free(trace);
    odim_table_free(t);
    odim_params_free(p);
}

/* 4 of 10: one of each two and a half. Of 3 outliers two, of 7 inliers two; of one outlier that one. */
TEST(rows_that_are_looked_at)
{
    expect_rows("a,b\n1,1\n2,3\n3,1\n4,4\n5,2\n6,1\n7,5\n8,2\n9,1\n1,7\n", NULL, 4, 4,
                (int64_t[]){2, 4, 7, 9});
    expect_rows("a,y\n1,1\n2,0\n3,0\n4,1\n5,0\n6,0\n7,0\n8,1\n9,0\n1,0\n", "y", 4, 4,
                (int64_t[]){3, 5, 7, 9});
    expect_rows("a,y\n1,0\n2,0\n3,1\n4,0\n5,0\n6,0\n7,0\n", "y", 3, 3, (int64_t[]){2, 3, 6});
    expect_rows("a,y\n1,1\n2,1\n3,1\n4,0\n", "y", 3, 3, (int64_t[]){1, 2, 3});
    expect_rows("a,b\n1,1\n2,3\n3,1\n", NULL, 0, 3, (int64_t[]){0, 1, 2});
}

static void expect_refusal(const odim_trace_options *o, const char *why)
{
    odim_table *t = table(NULL);
    odim_trace *trace = (odim_trace *)&t;
    odim_error err;
    CHECK_INT(odim_trace_fit(t, NULL, o, NULL, &trace, &err), ODIM_ERR_PARAM);
    CHECK(trace == NULL);
    CHECK_STR(err.msg, why);
    odim_table_free(t);
}

TEST(refusals)
{
    int64_t zero[] = {0}, late[] = {10, 41};
    expect_refusal(&(odim_trace_options){.size = sizeof(odim_trace_options), .updates = zero, .count = 1},
                   "cannot look after update 0 of 500");
    expect_refusal(&(odim_trace_options){sizeof(odim_trace_options), 40, late, 2, 0},
                   "cannot look after update 41 of 40");
    expect_refusal(&(odim_trace_options){.size = sizeof(odim_trace_options), .length = -1},
                   "a trace has 1 to 1000000000 updates, not -1");
    expect_refusal(&(odim_trace_options){.size = sizeof(odim_trace_options), .rows = -1},
                   "cannot look at -1 rows");
    odim_trace_free(NULL);
}

static int stop_at_once(const odim_progress *now, void *user)
{
    (void)user;
    return now->updates > 0;
}

TEST(can_be_cancelled)
{
    odim_table *t = table(NULL);
    odim_trace *trace;
    odim_hooks hooks = {.size = sizeof(odim_hooks), .progress = stop_at_once};
    CHECK_INT(odim_trace_fit(t, NULL,
                             &(odim_trace_options){.size = sizeof(odim_trace_options), .length = 1000000},
                             &hooks, &trace, NULL),
              ODIM_ERR_CANCELLED);
    CHECK(trace == NULL);
    odim_table_free(t);
}

int main(void)
{
    make_csv();
    RUN(moments);
    RUN(is_the_same_model);
    RUN(short_of_the_stop);
    RUN(judged);
    RUN(same_bits_for_any_thread_count);
    RUN(rows_that_are_looked_at);
    RUN(refusals);
    RUN(can_be_cancelled);
    return test_end();
}
