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

int main(void)
{
    RUN(parts_are_zeros_and_are_freed);
    RUN(networks_are_no_classic_method);
    return test_end();
}
