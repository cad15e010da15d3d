/* tests: ecdf ecod copod. Shares and scores worked by hand; what is left of many rows; what a file may not
 * hold. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "base/rng.h"
#include "kern/kern.h"
#include "detectors/ecdf.h"

enum { VALUES, BELOW, UPTO, START, LEFT };

/* Five rows: a long tail on the right in the first column, on the left in the second. */
static const float x[] = {1, -9, 1, -2, 2, -1, 3, -1, 9, -1};

static od_detector fit(od_method method)
{
    od_detector c;
    const od_detector_task task = {.x = x, .n = 5, .d = 2, .threads = 3};
    if (od_detector_fit(&c, method, &task, NULL)) abort();
    CHECK_INT(od_detector_kind_of(method)->check(&c, NULL), ODIM_OK);
    return c;
}

static void check_tails(const od_detector *c, int feature, float v, double left, double right, bool on_left)
{
    od_ecdf_tails t = od_ecdf_at(c, feature, v);
    CHECK_NEAR(t.left, -log(left / 5), 1e-12);
    CHECK_NEAR(t.right, -log(right / 5), 1e-12);
    CHECK_NEAR(t.skew, on_left ? t.left : t.right, 0);
}

TEST(shares_by_hand)
{
    od_detector c = fit(OD_METHOD_ECOD);
    check_tails(&c, 0, 1, 2, 5, false);
    check_tails(&c, 0, 1.5f, 2, 3, false);
    check_tails(&c, 0, 2, 3, 3, false);
    check_tails(&c, 0, 9, 5, 1, false);
    check_tails(&c, 0, 10, 5, 0.5, false);
    check_tails(&c, 0, 0, 0.5, 5, false);
    check_tails(&c, 1, -9, 1, 5, true);
    check_tails(&c, 1, -1, 5, 3, true);
    check_tails(&c, 1, -1e30f, 0.5, 5, true);
    od_detector_free(&c);
}

/* Columns are sorted in batches: what is kept of each is what is kept of it alone. Some have few values. */
TEST(many_columns)
{
    enum { N = 60, D = 600 };
    float *all = od_alloc(N * D, sizeof *all), own[N];
    od_rng s = od_rng_make(3, 0, OD_RNG_TRAIN, 0);
    od_detector c, alone;
    od_kern_ref()->normal(all, N * D, &s);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < D; j++)
            if (j < 300) all[i * D + j] = floorf(all[i * D + j]); /* later ones need more room */
    REQUIRE(od_detector_fit(&c, OD_METHOD_ECOD, &(od_detector_task){.x = all, .n = N, .d = D, .threads = 2},
                            NULL) == ODIM_OK);
    CHECK_INT(od_detector_kind_of(OD_METHOD_ECOD)->check(&c, NULL), ODIM_OK);
    for (int j = 0; j < D; j++) {
        for (int i = 0; i < N; i++) own[i] = all[i * D + j];
        REQUIRE(od_detector_fit(&alone, OD_METHOD_ECOD,
                                &(od_detector_task){.x = own, .n = N, .d = 1, .threads = 1},
                                NULL) == ODIM_OK);
        int32_t from = c.part[START].at.i[j], count = c.part[START].at.i[j + 1] - from;
        REQUIRE(count == alone.part[START].at.i[1]);
        CHECK_INT(c.part[LEFT].at.i[j], alone.part[LEFT].at.i[0]);
        for (int p = VALUES; p <= UPTO; p++)
            CHECK(memcmp(c.part[p].at.i + from, alone.part[p].at.i, (size_t)count * 4) == 0);
        od_detector_free(&alone);
    }
    od_detector_free(&c);
    od_free(all);
}

static double score(od_method method, float a, float b)
{
    od_detector c = fit(method);
    const float row[] = {a, b};
    double s;
    od_detector_kind_of(method)->score(&c, row, 1, NULL, &s);
    od_detector_free(&c);
    return s;
}

TEST(ecod_by_hand)
{
    /* -log of 1/5 on the right of the first, of 1/5 on the left of the second: the sum by the long tails. */
    CHECK_NEAR(score(OD_METHOD_ECOD, 9, -9), log(5) + log(5), 1e-12);
    /* Left 2/5 and 5/5, right 5/5 and 3/5, by the tails 5/5 and 5/5: the left one is the largest. */
    CHECK_NEAR(score(OD_METHOD_ECOD, 1, -1), log(5 / 2.0), 1e-12);
    /* Left 3/5 and 5/5, right 3/5 and 3/5: the right one. */
    CHECK_NEAR(score(OD_METHOD_ECOD, 2, -1), 2 * log(5 / 3.0), 1e-12);
}

TEST(copod_by_hand)
{
    CHECK_NEAR(score(OD_METHOD_COPOD, 9, -9), log(5) + log(5), 1e-12);
    /* The long tails say nothing, the means of both sides half of log 5/2 and half of log 5/3. */
    CHECK_NEAR(score(OD_METHOD_COPOD, 1, -1), 0.5 * log(5 / 2.0) + 0.5 * log(5 / 3.0), 1e-12);
}

/* Of many rows a part is kept, and shares are exact to a hundredth of themselves. */
TEST(many_rows)
{
    enum { N = 60000 };
    float *v = od_alloc(N, sizeof *v), *sorted = od_alloc(N, sizeof *sorted);
    od_rng s = od_rng_make(4, 0, OD_RNG_SAMPLE, 0);
    if (!v || !sorted) abort();
    for (int i = 0; i < N; i++) {
        uint32_t w[4];
        od_rng_block(&s, (uint64_t)i, w);
        float u = od_unit(w[0]);
        v[i] = i % 7 ? -logf(u) : floorf(4 * u); /* a long tail, and many equal ones */
    }
    od_detector c;
    const od_detector_task task = {.x = v, .n = N, .d = 1, .threads = 1};
    REQUIRE(od_detector_fit(&c, OD_METHOD_ECOD, &task, NULL) == ODIM_OK);
    CHECK_INT(od_ecdf_check(&c, NULL), ODIM_OK);
    CHECK(c.part[VALUES].count > 500 && c.part[VALUES].count < 1500);
    CHECK(od_ecdf_at(&c, 0, 20).skew == od_ecdf_at(&c, 0, 20).right);
    double worst = 0;
    for (int i = 0; i < N; i += 60) {
        int64_t upto = 0, from = 0;
        for (int k = 0; k < N; k++) upto += v[k] <= v[i], from += v[k] >= v[i];
        od_ecdf_tails t = od_ecdf_at(&c, 0, v[i]);
        worst = fmax(worst, fabs(t.left + log((double)upto / N)));
        worst = fmax(worst, fabs(t.right + log((double)from / N)));
    }
    CHECK(worst < 0.0101);
    CHECK(worst > 0); /* else this tests nothing */
    /* The outermost are exact. */
    CHECK_NEAR(od_ecdf_at(&c, 0, c.part[VALUES].at.f[c.part[VALUES].count - 1]).right, log(N), 1e-12);
    CHECK_INT(c.part[BELOW].at.i[c.part[VALUES].count - 50], N - 50);
    od_detector_free(&c);
    od_free(v), od_free(sorted);
}

static void refuse(int part, int64_t at, int32_t value)
{
    od_detector c = fit(OD_METHOD_COPOD);
    odim_error err;
    c.part[part].at.i[at] = value;
    CHECK_INT(od_ecdf_check(&c, &err), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "not sorted columns");
    od_detector_free(&c);
}

/* The columns have 4 and 3 values: 1 2 3 9, -9 -2 -1. */
TEST(what_is_refused)
{
    refuse(START, 0, 1);
    refuse(START, 1, 0);
    refuse(START, 1, 7);
    refuse(START, 1, -1);
    refuse(START, 1, 1 << 30);
    refuse(START, 2, 6);
    refuse(BELOW, 0, 1);
    refuse(BELOW, 1, 1); /* before the end of the last */
    refuse(UPTO, 1, 2);  /* no row */
    refuse(UPTO, 3, 4);
    for (int part = VALUES; part <= LEFT; part++) {
        od_detector c = fit(OD_METHOD_COPOD);
        c.part[part].count--;
        CHECK_INT(od_ecdf_check(&c, NULL), ODIM_ERR_FORMAT);
        c.part[part].count++;
        c.part[part].kind = OD_ARRAY_DOUBLE;
        CHECK_INT(od_ecdf_check(&c, NULL), ODIM_ERR_FORMAT);
        od_detector_free(&c);
    }
    od_detector c = fit(OD_METHOD_COPOD);
    c.part[VALUES].at.f[1] = 3; /* as the next */
    CHECK_INT(od_ecdf_check(&c, NULL), ODIM_ERR_FORMAT);
    c.part[VALUES].at.f[1] = 2;
    c.count[0] = 6;
    CHECK_INT(od_ecdf_check(&c, NULL), ODIM_ERR_FORMAT);
    od_detector_free(&c);
}

int main(void)
{
    RUN(shares_by_hand);
    RUN(many_columns);
    RUN(ecod_by_hand);
    RUN(copod_by_hand);
    RUN(many_rows);
    RUN(what_is_refused);
    return test_end();
}
