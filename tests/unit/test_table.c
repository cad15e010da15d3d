/* tests: table. Tables. */
#include "prep/table.h"

#include "starve.h"
#include "tables.h"

TEST(wrapped)
{
    static const float f[] = {1, 2, 99, 3, NAN, 99};
    static const char *const names[] = {"a", "b"};
    odim_table *t;
    REQUIRE(!odim_table_wrap_f32(&t, f, 2, 2, 3, names, &err));
    CHECK(odim_table_rows(t) == 2 && odim_table_cols(t) == 2);
    CHECK_STR(odim_table_name(t, 1), "b");
    CHECK(!odim_table_name(t, 2) && !odim_table_name(t, -1));
    CHECK(odim_table_value(t, 1, 0) == 3 && isnan(odim_table_value(t, 1, 1)));
    CHECK(isnan(odim_table_value(t, 2, 0)) && isnan(odim_table_value(t, 0, 2)) &&
          isnan(odim_table_value(t, -1, 0)));
    CHECK_INT(odim_table_type(t, 0), ODIM_NUMERIC);
    CHECK(!odim_table_labels(t) && !odim_table_label_name(t) && !odim_table_id(t, 0) &&
          !odim_table_id_name(t));
    CHECK(!odim_table_kept_cols(t) && !odim_table_kept(t, 0, 0) && !odim_table_kept_name(t, 0));
    CHECK(!odim_table_note(t, 0) && !odim_table_note(t, -1));
    odim_table_free(t);
    static const double d[] = {1, 2, 3, INFINITY};
    CHECK_INT(odim_table_wrap_f64(&t, d, 2, 2, 0, NULL, &err), ODIM_ERR_DATA);
    CHECK_STR(err.msg, "row 2, column 'x2': infinite value; make it a number, or NaN if it is missing");
    CHECK(!t && err.row == 1 && err.col == 1);
    CHECK_INT(odim_table_wrap_f64(&t, d, 0, 2, 0, NULL, &err), ODIM_ERR_DATA);
    CHECK_INT(odim_table_wrap_f64(&t, NULL, 1, 2, 0, NULL, &err), ODIM_ERR_PARAM);
    CHECK_INT(odim_table_wrap_f64(&t, d, 1, 3, 2, NULL, &err), ODIM_ERR_PARAM);
    CHECK_INT(odim_table_wrap_f64(&t, d, INT64_MAX, 4, 0, NULL, &err), ODIM_ERR_PARAM);
    odim_table_free(NULL);
}

TEST(known)
{
    static const float f[] = {1, 2, 3};
    static const int8_t good[] = {1, 0, -1}, bad[] = {1, 2, -1}, low[] = {1, 0, -2};
    odim_table *t;
    REQUIRE(!odim_table_wrap_f32(&t, f, 3, 1, 0, NULL, &err));
    CHECK(!odim_table_known(t));
    REQUIRE(!odim_table_set_known(t, good, &err));
    CHECK(odim_table_known(t) != good && memcmp(odim_table_known(t), good, 3) == 0);
    CHECK_INT(odim_table_set_known(t, bad, &err), ODIM_ERR_PARAM);
    CHECK_STR(err.msg, "row 2: known must be 1 (outlier), 0 (inlier) or -1 (not known), not 2");
    CHECK_INT(odim_table_set_known(t, low, &err), ODIM_ERR_PARAM);
    CHECK(err.row == 2 && memcmp(odim_table_known(t), good, 3) == 0);
    CHECK(!odim_table_set_known(t, NULL, &err) && !odim_table_known(t));
    odim_table_free(t);
}

TEST(cells_as_text)
{
    odim_table *t = READ_PLAIN("n,b,c,t\n0.1,yes,red,2024-05-01T10:30\n,,,\n-5,no,\"a b\",1970-01-01\n");
    char buf[40];
    REQUIRE(t);
    CHECK_STR(odim_table_text(t, 0, 0, buf, sizeof buf), "0.1");
    CHECK_STR(odim_table_text(t, 0, 1, buf, sizeof buf), "true");
    CHECK_STR(odim_table_text(t, 0, 2, buf, sizeof buf), "red");
    CHECK_STR(odim_table_text(t, 0, 3, buf, sizeof buf), "2024-05-01 10:30");
    for (int j = 0; j < 4; j++) CHECK_STR(odim_table_text(t, 1, j, buf, sizeof buf), "");
    CHECK_STR(odim_table_text(t, 2, 1, buf, sizeof buf), "false");
    CHECK_STR(odim_table_text(t, 2, 2, buf, 3), "a ");
    CHECK_STR(odim_table_text(t, 3, 0, buf, sizeof buf), "");
    buf[0] = 'z';
    odim_table_text(t, 0, 0, buf, 0);
    odim_table_text(t, 9, 0, buf, 0);
    CHECK_INT(buf[0], 'z');
    CHECK_STR(odim_type_text(ODIM_NUMERIC), "numeric");
    CHECK_STR(odim_type_text(ODIM_TIME), "time");
    CHECK_STR(odim_type_text((odim_type)77), "unknown");
    odim_table_free(t);
    static const float f[] = {0.1f};
    REQUIRE(!odim_table_wrap_f32(&t, f, 1, 1, 0, NULL, &err));
    CHECK_STR(odim_table_text(t, 0, 0, buf, sizeof buf), "0.1"); /* not 0.10000000149011612 */
    odim_table_free(t);
}

TEST(finding)
{
    static const double x[] = {1, 2, 3, 4};
    static const char *const names[] = {"a", "b", "a", "c"};
    odim_table *t;
    REQUIRE(!odim_table_wrap_f64(&t, x, 1, 4, 0, names, &err));
    CHECK_INT(od_table_find(t, "a", 0), 0);
    CHECK_INT(od_table_find(t, "a", 1), 2);
    CHECK_INT(od_table_find(t, "a", 3), 0);
    CHECK_INT(od_table_find(t, "b", 4), 1);
    CHECK_INT(od_table_find(t, "z", 2), -1);
    odim_table_free(t);
}

/* A view shares the rows, and has known rows of its own. */
TEST(view_with_known)
{
    static const float x[] = {1, 2, 3, 4, 5, 6};
    static const int8_t known[] = {1, -1, 0}, other[] = {-1, -1, 1};
    odim_table *t;
    odim_status status;
    REQUIRE(odim_table_wrap_f32(&t, x, 3, 2, 0, NULL, NULL) == ODIM_OK);
    CHECK_INT(odim_table_set_known(t, known, NULL), ODIM_OK);
    odim_table *view = od_table_with_known(t, other);
    REQUIRE(view);
    CHECK_INT(odim_table_rows(view), 3);
    CHECK_NEAR(odim_table_value(view, 2, 1), 6, 0);
    CHECK(memcmp(odim_table_known(view), other, 3) == 0);
    CHECK(memcmp(odim_table_known(t), known, 3) == 0);
    od_table_with_known_free(view);
    od_table_with_known_free(NULL);
    CHECK_STR(odim_table_name(t, 1), "x2");
    EACH_ALLOCATION_FAILS(status, 1)
    {
        view = od_table_with_known(t, other);
        status = view ? ODIM_OK : ODIM_ERR_NOMEM;
        od_table_with_known_free(view);
    }
    odim_table_free(t);
}

int main(void)
{
    RUN(view_with_known);
    RUN(wrapped);
    RUN(known);
    RUN(cells_as_text);
    RUN(finding);
    return test_end();
}
