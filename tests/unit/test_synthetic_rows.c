/* tests: synthetic_rows. Synthetic rows from a schema. */
#include "prep/synthetic_rows.h"

#include "prep/encode.h"
#include "prep/schema_fit.h"
#include "scratch.h"
#include "tables.h"

TEST(within_bounds)
{
    const char *path = in_scratch("bounds.csv");
    write_text(path, "column,low,high,levels\nload,-10,30,\ncolour,,,red|blue|grey\nopen,,,\n");
    odim_table *t = READ("load,colour,open\n5,pink,yes\n", .bounds = path), *made, *again;
    REQUIRE(t);
    od_column_stats stats;
    od_schema s;
    REQUIRE(!od_column_stats_new(&stats, t->d, &err) && !od_column_stats_add_public(&stats, t, &err));
    REQUIRE(!od_schema_make(&s, t, &stats, &(od_row_set){0}, OD_SCALE_MINMAX, 1, 1, &err));
    REQUIRE(!od_synthetic_rows(&made, &s, 1000, 7, &err) && !od_synthetic_rows(&again, &s, 1000, 7, &err));
    double low = 30, high = -10;
    int64_t level[3] = {0}, yes = 0;
    for (int64_t i = 0; i < 1000; i++) {
        double v = od_table_cell(made, i, 0);
        low = fmin(low, v);
        high = fmax(high, v);
        level[(int)od_table_cell(made, i, 1)]++;
        yes += od_table_cell(made, i, 2) == 1;
        CHECK(v == od_table_cell(again, i, 0));
    }
    CHECK(low > -10 && low < -9.5 && high < 30 && high > 29.5);
    for (int k = 0; k < 3; k++) CHECK(level[k] > 250 && level[k] < 420);
    CHECK(yes > 420 && yes < 580);
    od_encoder e;
    float x[4 + 1 + 1];
    CHECK_INT(s.features, 6);
    CHECK_INT(od_encoder_new(&e, &s, made, &err), ODIM_OK);
    CHECK_INT(od_encode_rows(&e, NULL, 0, 1, x, &err), ODIM_OK);
    CHECK(x[0] > 0 && x[0] < 1 && x[4] == 0); /* no other level than those */
    od_encoder_free(&e);
    odim_table_free(made);
    odim_table_free(again);
    od_schema_free(&s);
    od_column_stats_free(&stats);
    odim_table_free(t);
}

int main(void)
{
    scratch_make();
    RUN(within_bounds);
    return test_end();
}
