/* tests: hbos. Worked by hand. */
#include "test.h"

#include <math.h>

#include "detectors/detector.h"

static const od_detector_kind *hbos;

/* Four rows: the first feature from 0 to 10, bins of 1; the second constant. */
static const float x[] = {0, 7, 0.5f, 7, 3, 7, 10, 7};

static od_detector fit(void)
{
    od_detector c;
    const od_detector_task task = {.x = x, .n = 4, .d = 2, .threads = 1};
    if (od_detector_fit(&c, OD_METHOD_HBOS, &task, NULL)) abort();
    return c;
}

static double score(const od_detector *c, float a, float b)
{
    const float row[] = {a, b};
    double s;
    hbos->score(c, row, 1, NULL, &s);
    return s;
}

TEST(by_hand)
{
    od_detector c = fit();
    CHECK_INT(hbos->check(&c, NULL), ODIM_OK);
    const double two = -log2(2 / 4.0 * 10 + 0.1), one = -log2(1 / 4.0 * 10 + 0.1), none = -log2(0.1);
    CHECK_NEAR(score(&c, 0, 7), two, 1e-12);
    CHECK_NEAR(score(&c, 0.99f, 7), two, 1e-12);
    CHECK_NEAR(score(&c, 1, 7), none, 1e-12); /* the next bin */
    CHECK_NEAR(score(&c, 3.5f, 7), one, 1e-12);
    CHECK_NEAR(score(&c, 10, 7), one, 1e-12); /* the last bin has its end */
    CHECK_NEAR(score(&c, 9.5f, 7), one, 1e-12);
    CHECK_NEAR(score(&c, -0.1f, 7), none, 1e-12);
    CHECK_NEAR(score(&c, 1e30f, 7), none, 1e-12);
    CHECK_NEAR(score(&c, 0, 8), two + none, 1e-12); /* what was constant */
    od_detector_free(&c);
}

TEST(rows_together)
{
    od_detector c = fit();
    double s[4];
    hbos->score(&c, x, 4, NULL, s);
    for (int i = 0; i < 4; i++) CHECK(s[i] == score(&c, x[2 * i], 7));
    od_detector_free(&c);
}

TEST(what_is_refused)
{
    for (int part = 0; part < 3; part++) {
        od_detector c = fit();
        c.part[part].count--;
        CHECK_INT(hbos->check(&c, NULL), ODIM_ERR_FORMAT);
        c.part[part].count++;
        c.part[part].kind = OD_ARRAY_INT;
        CHECK_INT(hbos->check(&c, NULL), ODIM_ERR_FORMAT);
        od_detector_free(&c);
    }
    /* Bounds the wrong way round are a constant feature. */
    od_detector c = fit();
    c.part[0].at.f[0] = 11;
    CHECK_INT(hbos->check(&c, NULL), ODIM_OK);
    CHECK_NEAR(score(&c, 5, 7), -log2(0.1), 1e-12);
    od_detector_free(&c);
}

int main(void)
{
    hbos = od_detector_kind_of(OD_METHOD_HBOS);
    RUN(by_hand);
    RUN(rows_together);
    RUN(what_is_refused);
    return test_end();
}
