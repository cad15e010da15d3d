/* tests: detector. */
#include "test.h"

#include "detectors/detector.h"

TEST(parts_are_zeros_and_are_freed)
{
    od_detector c = {.method = OD_METHOD_KNN, .d = 2};
    CHECK(od_detector_array_new(&c, 3, OD_ARRAY_DOUBLE, 2, NULL) == ODIM_OK);
    CHECK(c.part[3].kind == OD_ARRAY_DOUBLE && c.part[3].count == 2);
    CHECK(c.part[3].at.d[0] == 0 && c.part[3].at.d[1] == 0);
    od_detector_free(&c);
    CHECK(c.method == OD_METHOD_NONE && c.part[3].at.any == NULL);
}

TEST(networks_are_no_classic_method)
{
    CHECK(od_detector_kind_of(OD_METHOD_NONE) == NULL);
}

/* The memory of a fit is bounded, however many rows and columns there are; small tables are used whole. */
TEST(rows_that_are_learnt_from)
{
    for (od_method m = OD_METHOD_IFOREST; m <= OD_METHOD_LAST; m++) {
        const od_detector_kind *kind = od_detector_kind_of(m);
        bool inner = m == OD_METHOD_SUBSAMPLE_KNN || m == OD_METHOD_TRUSTED_KNN || m == OD_METHOD_KNOWN_ROWS;
        CHECK_INT(od_detector_learns_from(m, 2000, 20), 2000);
        for (int64_t d = 500; d <= 50000 && !inner; d *= 10) {
            int64_t rows = od_detector_learns_from(m, (int64_t)1 << 40, d);
            CHECK(rows >= 2 && rows * d <= (int64_t)46 << 20);
        }
        if (!inner) CHECK(kind->most_cells || kind->most_rows);
    }
    CHECK_INT(od_detector_learns_from(OD_METHOD_IFOREST, 32768, 1000), 32768);
    CHECK_INT(od_detector_learns_from(OD_METHOD_ECOD, 32768, 1000), 32768);
    CHECK_INT(od_detector_learns_from(OD_METHOD_ECOD, 1000, 20000), 557);
    CHECK_INT(od_detector_learns_from(OD_METHOD_COPOD, 100, 100000), 100);
    CHECK_INT(od_detector_learns_from(OD_METHOD_PCA, 32768, 1000), 32768);
    CHECK_INT(od_detector_learns_from(OD_METHOD_KNN, 32768, 1000), 16777);
    CHECK_INT(od_detector_learns_from(OD_METHOD_OCSVM, 10000, 5000), 1677);
    CHECK_INT(od_detector_learns_from(OD_METHOD_KNN, 100, 100000000), 2);
}

TEST(rows_are_drawn_by_the_seed)
{
    enum { N = 1000 };
    bool a[N] = {0}, b[N] = {0}, c[N] = {0};
    int count = 0, same = 0;
    od_detector_draw(N, 300, 1, a);
    od_detector_draw(N, 300, 1, b);
    od_detector_draw(N, 300, 2, c);
    for (int i = 0; i < N; i++) {
        CHECK(a[i] == b[i]);
        count += a[i];
        same += a[i] && c[i];
    }
    CHECK_INT(count, 300);
    CHECK(same > 50 && same < 130);
}

int main(void)
{
    RUN(parts_are_zeros_and_are_freed);
    RUN(networks_are_no_classic_method);
    RUN(rows_that_are_learnt_from);
    RUN(rows_are_drawn_by_the_seed);
    return test_end();
}
