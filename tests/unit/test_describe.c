/* tests: describe. */
#include "test.h"

#include "mixed.h"

static odim_table *table;
static odim_model *model;

TEST(columns)
{
    odim_column_info c = ODIM_COLUMN_INFO_INIT;
    CHECK_INT(odim_model_rows(model), MIXED_ROWS);
    CHECK_INT(odim_model_cols(model), 7);
    REQUIRE(odim_model_column(model, 0, &c, NULL) == ODIM_OK);
    CHECK_STR(c.name, "id");
    CHECK_INT(c.type, ODIM_CATEGORICAL);
    CHECK_STR(c.ignored, "holds another text in nearly every row, as a name or an id does");
    CHECK_INT(c.features, 0);

    REQUIRE(odim_model_column(model, 1, &c, NULL) == ODIM_OK);
    CHECK(c.type == ODIM_NUMERIC && !c.ignored && c.missing == 0 && c.low == 20 && c.high == 79);
    CHECK(c.usual_low == 20 && c.usual_high == 79 && isnan(c.low) == 0 && c.features == 1);

    REQUIRE(odim_model_column(model, 2, &c, NULL) == ODIM_OK);
    CHECK(c.missing == 20 && c.high == 400 && c.usual_high < 60);
    CHECK_INT(c.features, 2); /* a gap is one of its own: 20 are enough */

    REQUIRE(odim_model_column(model, 3, &c, NULL) == ODIM_OK);
    CHECK(c.type == ODIM_CATEGORICAL && c.levels == 3 && c.own_levels == 3 && c.features == 4 &&
          isnan(c.low));

    REQUIRE(odim_model_column(model, 4, &c, NULL) == ODIM_OK);
    CHECK(c.type == ODIM_BOOLEAN && c.low == 0 && c.high == 1);
    REQUIRE(odim_model_column(model, 5, &c, NULL) == ODIM_OK);
    CHECK(c.type == ODIM_TIME && c.features == 3); /* linear, and the day of the week */
    REQUIRE(odim_model_column(model, 6, &c, NULL) == ODIM_OK);
    CHECK_STR(c.ignored, "is constant");
    CHECK_INT(odim_model_features(model), 1 + 2 + 4 + 1 + 3);

    odim_error err;
    CHECK_INT(odim_model_column(model, 7, &c, &err), ODIM_ERR_PARAM);
    CHECK_STR(err.msg, "column 7 of 7");
    CHECK_INT(odim_model_column(model, -1, &c, NULL), ODIM_ERR_PARAM);
}

TEST(levels_are_in_the_order_of_their_bytes)
{
    int64_t rows = 0;
    CHECK_STR(odim_model_level(model, 3, 0, &rows), "blue");
    CHECK_INT(rows, 100);
    CHECK_STR(odim_model_level(model, 3, 1, &rows), "green");
    CHECK_INT(rows, 200);
    CHECK_STR(odim_model_level(model, 3, 2, NULL), "red");
    CHECK(!odim_model_level(model, 3, 3, &rows) && !odim_model_level(model, 3, -1, &rows));
    CHECK(!odim_model_level(model, 1, 0, &rows) && !odim_model_level(model, 99, 0, &rows));
}

static const char *text_of(int64_t col, double value)
{
    static char buf[64];
    return odim_model_text(model, col, value, buf, sizeof buf);
}

TEST(values_as_people_write_them)
{
    CHECK_STR(text_of(1, 41), "41");
    CHECK_STR(text_of(1, 41.256), "41.3"); /* a column that spans 59 needs no more */
    CHECK_STR(text_of(1, -0.04), "0");
    CHECK_STR(text_of(1, 1e20), "1e+20");
    CHECK_STR(text_of(3, 1), "green");
    CHECK_STR(text_of(3, -1), "another");
    CHECK_STR(text_of(4, 1), "true");
    CHECK_STR(text_of(5, 1714521600 + 3600), "2024-05-01"); /* it knows only days */
    CHECK_STR(text_of(1, NAN), "");
    CHECK_STR(text_of(77, 1), "");
    char tiny[4];
    CHECK_STR(odim_model_text(model, 3, 1, tiny, sizeof tiny), "...");
}

TEST(parameters)
{
    char buf[64];
    CHECK_STR(odim_model_get(model, "members", buf, sizeof buf), "3");
    CHECK_STR(odim_model_get(model, "scale", buf, sizeof buf), "robust");
    CHECK(!odim_model_get(model, "nonsense", buf, sizeof buf));
}

int main(void)
{
    table = mixed_read(mixed_csv(), NULL);
    model = table ? mixed_fit(table) : NULL;
    if (!model) return 1;
    RUN(columns);
    RUN(levels_are_in_the_order_of_their_bytes);
    RUN(values_as_people_write_them);
    RUN(parameters);
    odim_model_free(model);
    odim_table_free(table);
    return test_end();
}
