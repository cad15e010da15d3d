/* tests: bounds. Bounds files of private fits. */
#include "prep/bounds.h"

#include "prep/schema_fit.h"
#include "scratch.h"
#include "tables.h"

static odim_status parse(od_schema *s, const char *text)
{
    return od_bounds_read_memory(s, text, strlen(text), "b.csv", &err);
}

static void refuse(const char *text, int64_t row, int64_t col, const char *why)
{
    od_schema s;
    if (!parse(&s, text)) {
        TEST_SAY("was read, should be: %s", why);
        od_schema_free(&s);
        return;
    }
    CHECK_STR(err.msg, why);
    CHECK(err.row == row - 1 && err.col == col - 1 && !s.col && s.cols == 0);
}

TEST(types)
{
    od_schema s;
    REQUIRE(!parse(&s, "levels,column, low ,high\n"
                       ",load,-1e3,2.5\n"
                       "\"red| green|a,b\",colour,,\n"
                       ",day,2024-01-01,2024-12-31T23:59\n"
                       "\n"
                       ",\" open \",,\n"));
    CHECK_INT(s.cols, 4);
    CHECK_STR(s.col[0].name, "load");
    CHECK(s.col[0].type == ODIM_NUMERIC && s.col[0].low == -1000 && s.col[0].high == 2.5);
    CHECK(s.col[1].type == ODIM_CATEGORICAL && isnan(s.col[1].low));
    CHECK_INT(od_levels_count(&s.col[1].levels), 3);
    CHECK_STR(od_strlist_at(&s.col[1].levels.texts, 1), "green");
    CHECK(s.col[2].type == ODIM_TIME && s.col[2].low == 1704067200 && s.col[2].high == 1735689540);
    CHECK_STR(s.col[3].name, "open");
    CHECK(s.col[3].type == ODIM_BOOLEAN && s.col[3].low == 0 && s.col[3].high == 1);
    od_schema_free(&s);
    REQUIRE(!parse(&s, "column\nx\n")); /* booleans need nothing */
    CHECK(s.cols == 1 && s.col[0].type == ODIM_BOOLEAN);
    od_schema_free(&s);
}

TEST(what_is_refused)
{
    refuse("", 0, 0,
           "b.csv: the first line must have the names column, low, high and levels: 'column' is not there");
    refuse("name,low\n", 0, 0,
           "b.csv: the first line must have the names column, low, high and levels, each once; 'name' is "
           "none of "
           "them");
    refuse(
        "column,low,low\n", 0, 0,
        "b.csv: the first line must have the names column, low, high and levels, each once; 'low' is there "
        "twice");
    refuse("column,low,high,levels\n", 0, 0, "b.csv: no column is named");
    refuse("column,low,high,levels\na,1\n", 1, 0, "b.csv: row 1 (line 2): 2 fields instead of 4");
    refuse("column,low,high,levels\n,1,2,\n", 1, 1, "b.csv: row 1 (line 2), column 'column': no name: ''");
    refuse("column,low,high\na,1,2\na,1,2\n", 2, 1,
           "b.csv: row 2 (line 3), column 'column': it is there twice: 'a'");
    refuse("column,low,high\na,,2\n", 1, 2,
           "b.csv: row 1 (line 2), column 'low': missing, but 'high' is there: '2'");
    refuse("column,low,high\na,1,\n", 1, 3,
           "b.csv: row 1 (line 2), column 'high': missing, but 'low' is there: '1'");
    refuse("column,low,high\na,one,2\n", 1, 2,
           "b.csv: row 1 (line 2), column 'low': neither a number nor an ISO 8601 time: 'one'");
    refuse("column,low,high\na,1,2024-01-01\n", 1, 3,
           "b.csv: row 1 (line 2), column 'high': not a number: '2024-01-01'");
    refuse("column,low,high\na,2024-01-01,7\n", 1, 3,
           "b.csv: row 1 (line 2), column 'high': not an ISO 8601 time: '7'");
    refuse("column,low,high\na,2,2\n", 1, 3, "b.csv: row 1 (line 2), column 'high': not above 'low': '2'");
    refuse("column,low,high\na,-inf,2\n", 1, 2,
           "b.csv: row 1 (line 2), column 'low': neither a number nor an ISO 8601 time: '-inf'");
    refuse("column,low,high\na,-1e308,1e308\n", 1, 3,
           "b.csv: row 1 (line 2), column 'high': further from 'low' than a double can hold: '1e308'");
    refuse("column,low,high,levels\na,1,2,x|y\n", 1, 4,
           "b.csv: row 1 (line 2), column 'levels': a column has bounds or levels, not both: 'x|y'");
    refuse("column,levels\na,x||y\n", 1, 2,
           "b.csv: row 1 (line 2), column 'levels': a level is empty: 'x||y'");
    refuse("column,levels\na,x|y|x\n", 1, 2,
           "b.csv: row 1 (line 2), column 'levels': it is there twice: 'x'");
    refuse(
        "column,levels\na,x\n", 1, 2,
        "b.csv: row 1 (line 2), column 'levels': a category needs at least two levels, with | between them: "
        "'x'");
    char many[1000] = "column,levels\na,";
    for (int i = 0; i < 65; i++) sprintf(many + strlen(many), "l%d%s", i, i < 64 ? "|" : "\n");
    refuse(many, 1, 2,
           "b.csv: row 1 (line 2), column 'levels': more than 64 levels; put some together under one name in "
           "the "
           "table: 'l64'");
}

static const char rows[] = "id,load,colour,open,more\n1,7,red,yes,1\n2,900,pink,no,2\n3,,red,,3\n";

/* The table has what the file says, whatever the rows are. */
TEST(reading_with_bounds)
{
    const char *path = in_scratch("bounds.csv");
    write_text(path, "column,low,high,levels\nopen,,,\ncolour,,,blue|red\nload,0,10,\n");
    odim_table *t = READ(rows, .bounds = path, .id = "id");
    REQUIRE(t);
    CHECK_INT(t->d, 3);
    CHECK_STR(t->col[2].name, "load");
    CHECK(t->col[2].bounded && t->col[2].type == ODIM_NUMERIC && t->col[2].low == 0 && t->col[2].high == 10);
    CHECK(t->col[1].bounded && t->col[1].known == 2 && od_levels_count(&t->col[1].levels) == 3);
    CHECK_STR(od_strlist_at(&t->col[1].levels.texts, 0), "blue");
    CHECK(t->col[0].type == ODIM_BOOLEAN && od_table_cell(t, 1, 2) == 900);
    CHECK_STR(odim_table_note(t, 0), "column 'more' is not in the bounds: ignored");
    odim_table_free(t);
    CHECK(!READ(rows, .bounds = path, .ignore = NAMES("id")));
    CHECK_STR(err.msg, "the bounds say which columns are used and what they are: ignore, only, numeric, "
                       "categorical, types and a model cannot");
    CHECK(!READ("colour,open\nred,yes\n", .bounds = path));
    CHECK_STR(err.msg, "t.csv: the bounds name column 'load', which is not there");
    CHECK(!READ("colour,open,load\nred,yes,high\n", .bounds = path));
    CHECK_STR(err.msg, "t.csv: row 1 (line 2), column 'load': 'high' is not a number");
    write_text(path, "column,low,high\nload,0\n");
    CHECK(!READ(rows, .bounds = path));
    CHECK(strstr(err.msg, "bounds.csv: row 1 (line 2): 2 fields instead of 3"));
    CHECK(!READ(rows, .bounds = in_scratch("nowhere.csv")));
    CHECK_INT(err.status, ODIM_ERR_IO);
}

TEST(setting_bounds)
{
    double x[] = {1, 2, 3, 4}, low[] = {0, 0}, high[] = {5, 5}, same[] = {5, 0};
    odim_table *t;
    REQUIRE(!odim_table_wrap_f64(&t, x, 2, 2, 0, NULL, &err));
    CHECK_INT(odim_table_set_bounds(t, low, same, &err), ODIM_ERR_PARAM);
    CHECK_STR(err.msg, "column 'x2': the bounds must be finite, and low below high");
    CHECK(!t->col[0].bounded);
    CHECK_INT(odim_table_set_bounds(t, low, high, &err), ODIM_OK);
    CHECK(t->col[1].bounded && t->col[1].high == 5);
    odim_table_free(t);
    REQUIRE((t = READ_PLAIN("a,b\nred,1\nblue,2\n")));
    CHECK_INT(odim_table_set_bounds(t, low, high, &err), ODIM_ERR_PARAM);
    CHECK_STR(err.msg, "column 'a' is categorical: its table must be read with a file of bounds");
    odim_table_free(t);
}

/* The schema of what is public: from the file and the number of rows, and from nothing else. */
TEST(public_schema)
{
    const char *path = in_scratch("bounds.csv");
    write_text(path, "column,low,high,levels\nload,-10,30,\ncolour,,,red|blue\nday,2024-01-01,2024-03-01,\n"
                     "open,,,\n");
    odim_table *t = READ("load,colour,day,open\n5,pink,2023-05-01T07:00,yes\n,,,\n1e300,blue,2024-02-01,\n",
                         .bounds = path);
    REQUIRE(t);
    od_column_stats stats;
    od_schema s;
    REQUIRE(!od_column_stats_new(&stats, t->d, &err) && !od_column_stats_add_public(&stats, t, &err));
    CHECK(stats.is_public && stats.rows == 3);
    REQUIRE(!od_schema_make(&s, t, &stats, &(od_row_set){.count = t->n}, OD_SCALE_MINMAX, 1, 1, &err));
    CHECK(s.clamped && s.rows == 3 && s.features == 1 + 3 + 3 + 1);
    for (int64_t j = 0; j < s.cols; j++) CHECK(!s.col[j].ignored && !s.col[j].missing && !s.col[j].indicator);
    CHECK(s.col[0].low == -10 && s.col[0].high == 30 && s.col[0].fill == 10);
    CHECK(s.col[0].usual_low == -10 && s.col[0].usual_high == 30);
    CHECK(s.shift[0] == -10 && s.width[0] == 40);
    CHECK_INT(od_levels_count(&s.col[1].levels), 2);
    CHECK_STR(od_strlist_at(&s.col[1].levels.texts, 0), "blue");
    CHECK(s.col[1].own_levels == 2 && s.col[1].level_count[0] == 0 && s.col[1].fill == 0);
    CHECK_NEAR(s.width[1], 1 / (0.2 * sqrt(log(2))), 1e-12);
    CHECK_NEAR(s.width[3], 1 / (0.2 * sqrt(log(6))), 1e-12); /* any other: half a row of three */
    CHECK_INT(s.col[2].cycles, OD_CYCLE_WEEK);               /* bounds at midnight: days only */
    CHECK(s.col[3].low == 0 && s.col[3].high == 1 && s.col[3].fill == 0.5 && s.width[7] == 1);
    od_schema_free(&s);
    od_column_stats_free(&stats);
    odim_table_free(t);
}

int main(void)
{
    scratch_make();
    RUN(types);
    RUN(what_is_refused);
    RUN(reading_with_bounds);
    RUN(setting_bounds);
    RUN(public_schema);
    return test_end();
}
