/* tests: calibration. */
#include "test.h"

#include "model/calibration.h"
#include "score/calibrate.h"

TEST(a_fit_is_valid)
{
    double x[] = {1.0, 2.0, 2.5, 3.0, 90.0};
    od_calibration c;
    CHECK_INT(od_calibrate_fit(&c, x, 5, NULL), ODIM_OK);
    CHECK(od_calibration_valid(&c));
}

TEST(each_number_is_checked)
{
    const od_calibration good = {.centre = -3.0,
                                 .lower_scale = 1.0,
                                 .lower_shape = 2.0,
                                 .upper_scale = 1.5,
                                 .upper_shape = 0.5,
                                 .share = 0.01,
                                 .reach = 9.0,
                                 .threshold = 4.0};
    CHECK(od_calibration_valid(&good));
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (size_t field = 0; field < sizeof good / sizeof(double); field++) {
        for (int i = 0; i < 3; i++) {
            od_calibration c = good;
            ((double *)&c)[field] = bad[i];
            CHECK(!od_calibration_valid(&c));
        }
    }
    od_calibration c = good;
    c.share = 0.5;
    CHECK(!od_calibration_valid(&c));
    c = good;
    c.share = 0.0;
    CHECK(!od_calibration_valid(&c));
    c = good;
    c.upper_scale = 0.0;
    CHECK(!od_calibration_valid(&c));
    c = good;
    c.lower_shape = 11.0;
    CHECK(!od_calibration_valid(&c));
    c = good;
    c.threshold = -4.0;
    CHECK(!od_calibration_valid(&c));
}

int main(void)
{
    RUN(a_fit_is_valid);
    RUN(each_number_is_checked);
    return test_end();
}
