/* tests: scale table. */
#include "test.h"

#include "base/mem.h"
#include "prep/scale.h"

static odim_table *table(const double *x, int64_t rows, int64_t cols)
{
    odim_table *t;
    odim_error err;
    if (odim_table_wrap_f64(&t, x, rows, cols, 0, NULL, &err)) {
        printf("%s\n", err.msg);
        exit(1);
    }
    return t;
}

TEST(minmax)
{
    const double x[] = {1, 5, -10, 3, 5, 10, 2, 5, 0};
    odim_table *t = table(x, 3, 3);
    od_scale s;
    REQUIRE(od_scale_fit(&s, OD_SCALE_MINMAX, t, NULL) == ODIM_OK);
    float out[9];
    CHECK(od_scale_rows(&s, t, NULL, 0, 3, out, NULL) == ODIM_OK);
    const float want[] = {0, 0, 0, 1, 0, 1, 0.5f, 0, 0.5f}; /* the constant column is 0 */
    CHECK(memcmp(out, want, sizeof want) == 0);
    const int64_t rows[] = {2, 0};
    CHECK(od_scale_rows(&s, t, rows, 0, 2, out, NULL) == ODIM_OK);
    CHECK(memcmp(out, want + 6, 3 * sizeof *want) == 0 && memcmp(out + 3, want, 3 * sizeof *want) == 0);

    /* New rows are scaled with the old bounds and not clipped; a constant column stays 0. */
    const double y[] = {5, 99, -30};
    odim_table *u = table(y, 1, 3);
    CHECK(od_scale_rows(&s, u, NULL, 0, 1, out, NULL) == ODIM_OK);
    CHECK(out[0] == 2 && out[1] == 0 && out[2] == -1);
    od_scale_free(&s);
    odim_table_free(t);
    odim_table_free(u);
}

TEST(standard)
{
    const double x[] = {1e9 + 1, 7, 1e9 + 3, 7};
    odim_table *t = table(x, 2, 2);
    od_scale s;
    REQUIRE(od_scale_fit(&s, OD_SCALE_STANDARD, t, NULL) == ODIM_OK);
    CHECK_NEAR(s.shift[0], 1e9 + 2, 0);
    CHECK_NEAR(s.width[0], 1, 1e-12);
    float out[4];
    CHECK(od_scale_rows(&s, t, NULL, 0, 2, out, NULL) == ODIM_OK);
    CHECK(out[0] == -1 && out[1] == 0 && out[2] == 1 && out[3] == 0);
    od_scale_free(&s);
    odim_table_free(t);
}

TEST(standard_of_very_wide_and_very_narrow_columns)
{
    const double x[] = {0, 0, 1e200, 1e-300};
    odim_table *t = table(x, 2, 2);
    od_scale s;
    float out[4];
    REQUIRE(od_scale_fit(&s, OD_SCALE_STANDARD, t, NULL) == ODIM_OK);
    CHECK(od_scale_rows(&s, t, NULL, 0, 2, out, NULL) == ODIM_OK);
    for (int j = 0; j < 2; j++) {
        CHECK_NEAR(out[j], -1, 1e-6);
        CHECK_NEAR(out[2 + j], 1, 1e-6);
    }
    od_scale_free(&s);
    odim_table_free(t);
}

TEST(extremes)
{
    const double wide[] = {-1.7e308, 1.7e308}, huge[] = {1, 1e30}, tiny[] = {0, 5e-324};
    odim_error err;
    od_scale s;
    odim_table *t = table(wide, 2, 1);
    CHECK_INT(od_scale_fit(&s, OD_SCALE_MINMAX, t, &err), ODIM_ERR_DATA);
    CHECK_STR(err.msg, "column 'x1': its values lie further apart than a double can hold");
    odim_table_free(t);

    t = table(huge, 2, 1);
    float out[2];
    REQUIRE(od_scale_fit(&s, OD_SCALE_NONE, t, NULL) == ODIM_OK);
    CHECK_INT(od_scale_rows(&s, t, NULL, 0, 2, out, &err), ODIM_ERR_DATA);
    CHECK_INT(err.row, 2);
    CHECK_INT(err.col, 1);
    CHECK_STR(err.msg, "row 2, column 'x1': 1e+30 is too large for the scaling that was chosen or fitted");
    od_scale_free(&s);
    odim_table_free(t);

    t = table(tiny, 2, 1);
    REQUIRE(od_scale_fit(&s, OD_SCALE_MINMAX, t, NULL) == ODIM_OK);
    CHECK(od_scale_rows(&s, t, NULL, 0, 2, out, NULL) == ODIM_OK);
    CHECK(out[0] == 0 && out[1] == 1);
    od_scale_free(&s);
    odim_table_free(t);
}

TEST(wrapping)
{
    const float x[] = {1, 2, 99, 3, 4, 99};
    const char *const names[] = {"a", "b"};
    odim_table *t;
    odim_error err;
    REQUIRE(odim_table_wrap_f32(&t, x, 2, 2, 3, names, &err) == ODIM_OK);
    CHECK_INT(odim_table_rows(t), 2);
    CHECK_INT(odim_table_cols(t), 2);
    CHECK(odim_table_value(t, 1, 1) == 4);
    CHECK(isnan(odim_table_value(t, 2, 0)) && isnan(odim_table_value(t, 0, -1)));
    CHECK_STR(odim_table_name(t, 1), "b");
    CHECK(odim_table_name(t, 2) == NULL);
    CHECK(odim_table_labels(t) == NULL && odim_table_id(t, 0) == NULL && odim_table_id_name(t) == NULL);
    odim_table_free(t);

    const double bad[] = {1, 2, NAN, 4}, inf[] = {1, INFINITY};
    CHECK_INT(odim_table_wrap_f64(&t, bad, 2, 2, 0, NULL, &err), ODIM_ERR_DATA);
    CHECK(t == NULL && err.row == 2 && err.col == 1);
    CHECK_INT(odim_table_wrap_f64(&t, inf, 1, 2, 0, NULL, &err), ODIM_ERR_DATA);
    CHECK_INT(odim_table_wrap_f64(&t, inf, 0, 2, 0, NULL, &err), ODIM_ERR_DATA);
    CHECK_INT(odim_table_wrap_f64(&t, NULL, 1, 2, 0, NULL, &err), ODIM_ERR_PARAM);
    CHECK_INT(odim_table_wrap_f64(&t, bad, 1, 2, 1, NULL, &err), ODIM_ERR_PARAM);
    CHECK_INT(odim_table_wrap_f64(&t, bad, INT64_MAX, 2, 0, NULL, &err), ODIM_ERR_PARAM);
}

int main(void)
{
    RUN(minmax);
    RUN(standard);
    RUN(standard_of_very_wide_and_very_narrow_columns);
    RUN(extremes);
    RUN(wrapping);
    return test_end();
}
