/* Units of scores, and what a score is worth. */
#include "model/verdict.h"

#include <float.h>

#include "common/mem.h"
#include "starve.h"
#include "test.h"

TEST(probability)
{
    CHECK(od_verdict_probability(OD_SCORE_OUTLIER) == 0.5);
    CHECK(od_verdict_probability(nextafter(OD_SCORE_OUTLIER, 5)) > 0.5);
    CHECK(od_verdict_probability(nextafter(OD_SCORE_OUTLIER, 3)) <= 0.5);
    CHECK(od_verdict_probability(7.05) > 0.9 && od_verdict_probability(6.95) < 0.9);
    CHECK(od_verdict_probability(0) < 0.01 && od_verdict_probability(1) < 0.01);
    double last = 0;
    for (double s = -50; s < 50; s += 0.125) {
        double p = od_verdict_probability(s);
        CHECK(p >= last && p >= 0 && p <= 1 && (p > 0.5) == (s > OD_SCORE_OUTLIER));
        last = p;
    }
    CHECK(od_verdict_probability(DBL_MAX) == 1 && od_verdict_probability(-DBL_MAX) >= 0);
}

TEST(units)
{
    od_score_unit u = {.used = true, .centre = 10, .spread = 4};
    CHECK(od_score_unit_of(&u, 10) == 0 && od_score_unit_of(&u, 14) == 1 && od_score_unit_of(&u, 2) == -2);
    CHECK(od_score_unit_of(&u, INFINITY) == 1e12 && od_score_unit_of(&u, -INFINITY) == -1e12);
    CHECK(od_score_unit_of(&u, DBL_MAX) == 1e12);
    CHECK(od_score_unit_of(&u, NAN) == -1e12); /* says nothing against a row */
    u = (od_score_unit){.used = true, .logarithm = true, .offset = 1, .centre = log(10), .spread = 0.5};
    CHECK_NEAR(od_score_unit_of(&u, 9), 0, 1e-12);
    CHECK_NEAR(od_score_unit_of(&u, 10 * exp(1) - 1), 2, 1e-12);
    CHECK(od_score_unit_of(&u, -5) == od_score_unit_of(&u, 0)); /* no distance is negative */
}

TEST(groups)
{
    od_verdict v = {.present = true, .q = 3};
    odim_error err;
    for (int k = 0; k < 5; k++) {
        CHECK_INT(od_verdict_add_group(&v, &err), ODIM_OK);
        CHECK_INT(v.groups, k + 1);
        for (int i = 0; i < 3; i++) v.group[k].mean[i] = k;
        for (int i = 0; i < 9; i++) v.group[k].whiten[i] = 10 * k + i;
        v.group[k].limit = k;
    }
    for (int k = 0; k < 5; k++)
        CHECK(v.group[k].mean[2] == k && v.group[k].whiten[8] == 10 * k + 8 && v.group[k].limit == k);
    od_verdict_free(&v);
    CHECK(!v.present && v.groups == 0 && !v.group);
    od_verdict_free(&v);
}

TEST(memory_runs_out)
{
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 6)
    {
        od_verdict v = {.q = 3};
        odim_error err = {0};
        status = od_verdict_add_group(&v, &err);
        if (!status) status = od_verdict_add_group(&v, &err);
        CHECK(!status || strstr(err.msg, "out of memory"));
        od_verdict_free(&v);
    }
}

int main(void)
{
    RUN(probability);
    RUN(units);
    RUN(groups);
    RUN(memory_runs_out);
    return test_end();
}
