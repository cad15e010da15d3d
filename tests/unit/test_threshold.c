/* From evidence to the score that people see: order, threshold, no infinities. */
#include "score/threshold.h"

#include <float.h>
#include <stdio.h>

#include "common/mem.h"
#include "prep/checks_row.h"
#include "schemas.h"
#include "score/calibrate.h"
#include "starve.h"
#include "tables.h"
#include "test.h"

enum { N = 1000 };
static double raw[N], loss[N], confirm[N];
static odim_model model;
static odim_error err;

/* Quantiles of the standard normal distribution, by bisection. */
static double normal_quantile(double p)
{
    double low = -9, high = 9;
    for (int i = 0; i < 60; i++) {
        double at = 0.5 * (low + high);
        *(0.5 * erfc(-at / sqrt(2.0)) < p ? &low : &high) = at;
    }
    return low;
}

/* Raw scores and losses are normal with mean 10 and deviation 2, distances their exponentials; row i is the
 * i-th by all of them. */
static void fill(void)
{
    for (int i = 0; i < N; i++) {
        raw[i] = loss[i] = 10.0 + 2.0 * normal_quantile((i + 0.5) / N);
        confirm[i] = exp(normal_quantile((i + 0.5) / N));
    }
}

static void fit(bool several)
{
    od_verdict_free(&model.verdict);
    CHECK_INT(od_calibrate_fit(&model.calibration, raw, N, &err), ODIM_OK);
    CHECK_INT(od_threshold_fit(&model, raw, several ? loss : NULL, several ? confirm : NULL, NULL, N, &err),
              ODIM_OK);
}

static double judge(double r, double l, double w, double checks)
{
    return od_final_score(&model, &(od_evidence){.raw = r, .loss = l, .confirm = w, .checks = checks});
}

/* 0 is the median row, 1 the one that 84 % are below, and below 2 the scale is a straight line. */
TEST(units)
{
    fill();
    for (int several = 0; several < 2; several++) {
        fit(several);
        CHECK_NEAR(judge(raw[(N - 1) / 2], 10, 1, 0), 0, 1e-12);
        CHECK_NEAR(judge(raw[(int)(0.84 * (N - 1))], 10, 1, 0), 1, 1e-12);
        double unit = raw[(int)(0.84 * (N - 1))] - raw[(N - 1) / 2];
        CHECK_NEAR(judge(raw[(N - 1) / 2] + 1.5 * unit, 10, 1, 0), 1.5, 1e-12);
        CHECK_NEAR(judge(raw[(N - 1) / 2] - 3 * unit, 10, 1, 0), -3, 1e-12);
        /* From 2 on it is drawn in: 2 + 2 * 1 / (1 + 2) at 3. */
        CHECK_NEAR(judge(raw[(N - 1) / 2] + 3 * unit, 10, 1, 0), 2.0 + 2.0 / 3.0, 1e-12);
    }
}

/* However far out the raw score is: not called, not above the threshold. */
TEST(nothing_else_is_above_the_threshold)
{
    static const double far[] = {20, 1e3, 1e9, 1e30, 1e300, DBL_MAX};
    double last = 0;
    fill();
    fit(true);
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        double s = judge(far[i], 10, 1, 0);
        CHECK(s >= last && s <= OD_SCORE_OUTLIER);
        last = s;
    }
    CHECK(isfinite(judge(-DBL_MAX, 10, 1, 0)));
}

/* Only what both witnesses find far away is called, and the more the farther the nearer of them. */
TEST(witnesses_must_agree)
{
    fill();
    fit(true);
    const od_verdict *v = &model.verdict;
    CHECK(v->loss.used && v->confirm.used && v->confirm.logarithm && !v->loss.logarithm);
    /* The root mean square of the lower half of a normal is its deviation. */
    CHECK_NEAR(v->loss.centre, 10, 0.01);
    CHECK_NEAR(v->loss.spread, 2, 0.02);
    /* One and a half times the limits of 2 and 3 units, and more. */
    double l = v->loss.centre + 1.5 * 2 * v->agree_most * v->loss.spread;
    double w = exp(v->confirm.centre + 2 * 3 * v->agree_most * v->confirm.spread) - v->confirm.offset;
    CHECK(judge(12, l, 1, 0) <= OD_SCORE_OUTLIER && judge(12, 10, w, 0) <= OD_SCORE_OUTLIER);
    double both = judge(12, l, w, 0);
    CHECK_NEAR(both, OD_SCORE_OUTLIER + 0.01 + 2 * log(1.5), 0.01);
    CHECK(judge(12, l + 2, w, 0) > both);
    /* Evidence of cells comes on top. */
    CHECK(judge(12, l, w, 2) > both + 1.9);
}

TEST(evidence_lifts)
{
    fill();
    for (int several = 0; several < 2; several++) {
        fit(several);
        double last = OD_SCORE_OUTLIER;
        for (double e = 0.001; e < 1000; e *= 2) {
            double s = judge(8, 8, 1, e); /* a row that is more ordinary than most */
            CHECK(s > OD_SCORE_OUTLIER && s >= last && s < 100);
            last = s;
        }
        CHECK_NEAR(judge(8, 8, 1, 1.5), OD_SCORE_OUTLIER + 1.5, 0.01);
        /* Among rows of the same evidence the raw score decides. */
        CHECK(judge(12, 10, 1, 1.5) > judge(11, 10, 1, 1.5));
        CHECK(judge(12, 10, 1, 1.5) < judge(11, 10, 1, 1.6));
    }
}

/* More of anything is never less: raw score, loss, distance, evidence. */
TEST(monotone)
{
    fill();
    for (int several = 0; several < 2; several++) {
        fit(several);
        for (int which = 0; which < 4; which++) {
            double last = -INFINITY;
            for (int i = -40; i < 400; i++) {
                double at = i < 300 ? 10 + 0.5 * i : pow(10, i / 2.0 - 145), e[4] = {11, 25, 1e4, 0};
                e[which] = which == 3 ? fmax(0, at) : at;
                double s = judge(e[0], e[1], e[2], e[3]);
                CHECK(isfinite(s) && s >= last);
                last = s;
            }
        }
    }
}

/* Alone, the raw score must be far beyond what the bulk predicts. */
TEST(alone)
{
    fill();
    fit(false);
    double quarter = raw[(int)(0.75 * (N - 1))] - raw[(N - 1) / 2], middle = raw[(N - 1) / 2];
    CHECK(judge(middle + 5 * quarter, 0, 0, 0) < OD_SCORE_OUTLIER);
    CHECK(judge(middle + 20 * quarter, 0, 0, 0) > OD_SCORE_OUTLIER);
    int above = 0;
    for (int i = 0; i < N; i++) above += judge(raw[i], 0, 0, 0) > OD_SCORE_OUTLIER;
    CHECK_INT(above, 0);
    /* A group of scores that stands apart is called as one. */
    for (int i = N - 30; i < N; i++) raw[i] = 300 + i % 7;
    fit(false);
    for (int i = 0; i < N; i++) CHECK((judge(raw[i], 0, 0, 0) > OD_SCORE_OUTLIER) == (i >= N - 30));
}

/* Scores that say nothing, or too much: nothing is divided by zero, and nothing is infinite. */
/* As many rows as the witnesses call, by their raw scores. Of few, the evidence counts from six units on; of
 * many, from the middle between the last that is called and the next. */
TEST(by_rank)
{
    fill();
    double unit = raw[(int)(0.75 * (N - 1))] - raw[(N - 1) / 2];
    loss[3] = 1e3, confirm[3] = 1e9; /* the witnesses call another row */
    raw[N - 1] = raw[(N - 1) / 2] + 12 * unit;
    fit(true);
    CHECK_INT(od_threshold_by_rank(&model, raw, loss, confirm, NULL, N, &err), ODIM_OK);
    CHECK_NEAR(model.verdict.alone_most, 6.0, 1e-12);
    CHECK_NEAR(judge(raw[N - 1], 0, 0, 0), 4.0 + 0.01 + log(2.0), 5e-3);
    CHECK(judge(raw[N - 2], 0, 0, 0) <= 4.0 && judge(raw[3], 0, 0, 0) <= 4.0);

    for (int i = 0; i < 50; i++) loss[i] = 1e3, confirm[i] = 1e9;
    for (int i = N - 50; i < N; i++) raw[i] = raw[(N - 1) / 2] + (8 + 0.01 * (i - N + 50)) * unit;
    fit(true);
    double next = (raw[N - 51] - raw[(N - 1) / 2]) / unit;
    CHECK_INT(od_threshold_by_rank(&model, raw, loss, confirm, NULL, N, &err), ODIM_OK);
    CHECK_NEAR(model.verdict.alone_most, 0.5 * (next + 8), 1e-9);
    CHECK(judge(raw[N - 50], 0, 0, 0) > 4.0 && judge(raw[N - 51], 0, 0, 0) <= 4.0);
}

TEST(odd_scores)
{
    static const double odd[] = {0, -1, 1e-300, 1e300, DBL_MAX, -DBL_MAX};
    for (size_t k = 0; k < sizeof odd / sizeof *odd; k++)
        for (int several = 0; several < 2; several++) {
            for (int i = 0; i < N; i++) raw[i] = loss[i] = confirm[i] = odd[k];
            fit(several);
            const od_verdict *v = &model.verdict;
            CHECK(v->shown.spread > 0 && isfinite(v->shown.spread) && isfinite(v->agree_most));
            for (size_t j = 0; j < sizeof odd / sizeof *odd; j++) {
                double s = judge(odd[j], odd[j], odd[j], 0);
                CHECK(isfinite(s) && s < 100);
            }
            CHECK_NEAR(judge(odd[k], odd[k], odd[k], 0), 0, 1e-6);
        }
    fill();
    fit(true);
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        double s = judge(12, bad[i], 1e9, 0);
        CHECK(isfinite(s) && s < 100);
        s = judge(12, 1e9, bad[i], 0);
        CHECK(isfinite(s) && s < 100);
    }
    CHECK(judge(12, NAN, 1e9, 0) <= OD_SCORE_OUTLIER); /* what is not a number is no witness */
    CHECK(judge(12, INFINITY, 1e9, 0) > OD_SCORE_OUTLIER);
    /* A few losses that are not finite have no part in the units. */
    double spread = model.verdict.loss.spread;
    for (int i = 0; i < 5; i++) loss[i * 100 + 3] = i < 3 ? INFINITY : NAN;
    fit(true);
    CHECK_NEAR(model.verdict.loss.spread, spread, 0.2 * spread);
    CHECK_NEAR(model.verdict.loss.centre, 10, 0.1);
}

TEST(tiny_samples)
{
    fill();
    for (int n = 1; n <= 6; n++) {
        od_verdict_free(&model.verdict);
        CHECK_INT(od_threshold_fit(&model, raw, loss, confirm, NULL, n, &err), ODIM_OK);
        for (int i = 0; i < n; i++) CHECK(isfinite(judge(raw[i], loss[i], confirm[i], 0)));
    }
}

/* Models made before there were verdicts show what they always did. */
TEST(without_a_verdict)
{
    od_verdict_free(&model.verdict);
    CHECK(judge(123.5, 1, 2, 7) == 123.5);
}

/* Tables of categories need surer witnesses; so do small ones. */
TEST(surer_where_it_is_needed)
{
    od_schema_col col[2] = {{.type = ODIM_NUMERIC}, {.type = ODIM_NUMERIC}};
    fill();
    model.schema = (od_schema){.cols = 2, .col = col};
    fit(true);
    double numbers = model.verdict.agree_most;
    col[1].type = ODIM_CATEGORICAL;
    fit(true);
    double mixed = model.verdict.agree_most;
    CHECK(mixed > numbers);
    col[1].ignored = OD_IGNORED_TEXT;
    fit(true);
    CHECK(model.verdict.agree_most == numbers);
    CHECK_INT(od_threshold_fit(&model, raw, loss, confirm, NULL, 20, &err), ODIM_OK);
    CHECK(model.verdict.agree_most > numbers);
    model.schema = (od_schema){0};
}

/* From 20 features to 100, and more of few rows; beyond, the covariance is of axes. */
TEST(surer_of_many_features)
{
    static const struct {
        int64_t features;
        double times;
    } cases[] = {{10, 1.0},  {20, 1.0}, {60, 1.0 + 0.2 + 2.0 * 0.06}, {100, 1.4 + 2.0 * 0.1},
                 {101, 1.4}, {900, 1.4}};
    fill();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        model.schema = (od_schema){.features = cases[i].features};
        fit(true);
        CHECK_NEAR(model.verdict.agree_most, (1.0 + 10.0 / N) * cases[i].times, 1e-12);
    }
    model.schema.features = 90; /* 90 features per 100 rows count as one per three */
    CHECK_INT(od_threshold_fit(&model, raw, loss, confirm, NULL, 100, &err), ODIM_OK);
    CHECK_NEAR(model.verdict.agree_most, (1.0 + 10.0 / 100) * (1.0 + 0.4 * 70.0 / 80.0 + 2.0 / 3.0), 1e-12);
    model.schema = (od_schema){0};
}

TEST(axes)
{
    model.transform.axes = 5;
    CHECK_INT(od_threshold_axes(&model, 10), 0);
    CHECK_INT(od_threshold_axes(&model, 80), 2);
    CHECK_INT(od_threshold_axes(&model, 100000), 5);
    model.transform.axes = 500;
    CHECK(od_threshold_axes(&model, 100000) < 64); /* what model files may have */
    model.transform.axes = 0;
    CHECK_INT(od_threshold_axes(&model, 100000), 0);
}

/* A dense second group that both witnesses call is not called once it is known; scattered rows are. */
TEST(groups_are_spared)
{
    enum { Q = 2 };
    static float at[N * Q];
    for (int i = 0; i < N; i++) {
        bool second = i % 5 == 0, stray = i % 100 == 7;
        double u = normal_quantile(((i * 37) % N + 0.5) / N),
               v = normal_quantile(((i * 101 + 13) % N + 0.5) / N);
        at[i * Q] = (float)(u + (second ? 30 : 0) + (stray ? -25.0 - 3.0 * (i / 100) : 0));
        at[i * Q + 1] = (float)(v + (stray ? 7.0 * (i / 100) - 30.0 : 0));
        raw[i] = loss[i] = second || stray ? 60 + u : 10 + u;
        confirm[i] = second || stray ? 1e4 : exp(u);
    }
    model.transform.axes = Q;
    od_verdict_free(&model.verdict);
    CHECK_INT(od_calibrate_fit(&model.calibration, raw, N, &err), ODIM_OK);
    CHECK_INT(od_threshold_fit(&model, raw, loss, confirm, at, N, &err), ODIM_OK);
    CHECK_INT(model.verdict.q, Q);
    CHECK_INT(model.verdict.groups, 1);
    int called = 0, strays = 0;
    for (int i = 0; i < N; i++) {
        od_evidence e = {.raw = raw[i], .loss = loss[i], .confirm = confirm[i], .axes = at + i * Q};
        bool is = od_final_score(&model, &e) > OD_SCORE_OUTLIER;
        *(i % 100 == 7 ? &strays : &called) += is;
    }
    CHECK_INT(strays, 10);
    CHECK(called < 4); /* the outermost rows of the group */
    od_verdict_free(&model.verdict);
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 6)
    {
        status = od_threshold_fit(&model, raw, loss, confirm, at, N, &err);
        od_verdict_free(&model.verdict);
    }
    model.transform.axes = 0;
}

/* Thirty salaries look far out, and so do two payments by card: the former are a kind of rows. */
TEST(frequent_levels_are_excused)
{
    static char text[N * 16];
    static int64_t rows[N];
    size_t used = (size_t)sprintf(text, "kind,a\n");
    for (int i = 0; i < N; i++) {
        bool salary = i % 33 == 0, far = salary || i == 100 || i == 200;
        used += (size_t)sprintf(text + used, "%s,%d\n", salary ? "salary" : "card", i % 10);
        loss[i] = confirm[i] = far ? 100.0 : 0.0;
        rows[i] = i;
    }
    odim_table *t = READ(text, .id = "");
    od_encoder e;
    odim_status status;
    REQUIRE(t && make_schema(&model.schema, t, OD_SCALE_ROBUST) == ODIM_OK);
    REQUIRE(od_encoder_new(&e, &model.schema, t, &err) == ODIM_OK);
    const od_score_unit unit = {.used = true, .spread = 1.0};
    model.verdict = (od_verdict){.present = true, .loss = unit, .confirm = unit, .agree_most = 1.0};
    od_checks *c = &model.schema.checks;
    EACH_ALLOCATION_FAILS(status, 2)
    {
        c->excuses = 0;
        status = od_threshold_excuse(&model, &e, rows, loss, confirm, NULL, N, &err);
    }
    REQUIRE(c->excuses == 1);
    CHECK_STR(od_strlist_at(&model.schema.col[0].levels.texts, (size_t)c->excuse[0].level), "salary");
    CHECK(od_checks_is_excused(c, &e, 0) && od_checks_is_excused(c, &e, 33) &&
          !od_checks_is_excused(c, &e, 100));
    const od_evidence far = {.loss = 100, .confirm = 100},
                      excused = {.loss = 100, .confirm = 100, .excused = true};
    CHECK(od_final_score(&model, &far) > OD_SCORE_OUTLIER);
    CHECK(od_final_score(&model, &excused) <= OD_SCORE_OUTLIER);
    c->excuses = 0;
    for (int i = 0; i < N; i++) loss[i] = i % 99 ? loss[i] : 0.0; /* a third of them are fine: still a kind */
    CHECK_INT(od_threshold_excuse(&model, &e, rows, loss, confirm, NULL, N, &err), ODIM_OK);
    CHECK_INT(c->excuses, 1);
    c->excuses = 0;
    for (int i = 0; i < N; i++) loss[i] = i % 198 ? 0.0 : 100.0; /* a few of them are odd: these are errors */
    CHECK_INT(od_threshold_excuse(&model, &e, rows, loss, confirm, NULL, N, &err), ODIM_OK);
    CHECK_INT(c->excuses, 0);
    od_encoder_free(&e);
    od_schema_free(&model.schema);
    odim_table_free(t);
}

int main(void)
{
    RUN(units);
    RUN(nothing_else_is_above_the_threshold);
    RUN(witnesses_must_agree);
    RUN(evidence_lifts);
    RUN(monotone);
    RUN(alone);
    RUN(by_rank);
    RUN(odd_scores);
    RUN(tiny_samples);
    RUN(without_a_verdict);
    RUN(surer_where_it_is_needed);
    RUN(surer_of_many_features);
    RUN(axes);
    RUN(groups_are_spared);
    RUN(frequent_levels_are_excused);
    od_verdict_free(&model.verdict);
    return test_end();
}
