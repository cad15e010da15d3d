/* tests: table_build. Tables from memory. */
#include "prep/table_build.h"

#include <math.h>
#include <stdlib.h>

#include "starve.h"
#include "tables.h"

#define ROWS 4

static const double numbers[ROWS] = {1.5, NAN, -2, 1e300};
static const int32_t codes[ROWS] = {0, 1, -1, 0};

static odim_table *build(const odim_column *columns, int64_t cols, const od_schema *like)
{
    odim_table *t = (odim_table *)&err;
    odim_status status = od_table_build(&t, columns, cols, ROWS, like, NULL, &err);
    if (status && t) TEST_SAY("an output handle after a failure");
    return status ? NULL : t;
}

#define TEXTS(...)                                                                                           \
    .codes = codes, .texts = (const char *const[]){__VA_ARGS__},                                             \
    .text_count = sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)
#define BUILD(...)                                                                                           \
    build((const odim_column[]){__VA_ARGS__}, sizeof((odim_column[]){__VA_ARGS__}) / sizeof(odim_column),    \
          NULL)
#define EXPECT_TYPE(want, ...)                                                                               \
    do {                                                                                                     \
        odim_table *t_ = BUILD({__VA_ARGS__});                                                               \
        if (!t_)                                                                                             \
            TEST_SAY("%s", err.msg);                                                                         \
        else                                                                                                 \
            CHECK_STR(odim_type_text(odim_table_type(t_, 0)), want);                                         \
        odim_table_free(t_);                                                                                 \
    } while (0)

TEST(numbers_and_names)
{
    odim_table *t =
        BUILD({.name = "a", .numbers = numbers}, {.numbers = numbers}, {.name = "", TEXTS("u", "v")});
    REQUIRE(t);
    CHECK_STR(odim_table_name(t, 0), "a");
    CHECK_STR(odim_table_name(t, 1), "x2");
    CHECK_STR(odim_table_name(t, 2), "x3");
    expect_text(t, "1.5|1.5|u;||v;-2|-2|;1e+300|1e+300|u");
    EXPECT_TABLE(BUILD({.numbers = numbers}), ROWS, 1, 1.5, NAN, -2, 1e300);
}

TEST(texts_are_typed_as_in_a_file)
{
    EXPECT_TYPE("numeric", TEXTS("1", "2.5"));
    EXPECT_TYPE("numeric", TEXTS("1", "NA"));
    EXPECT_TYPE("boolean", TEXTS("True", "False"));
    EXPECT_TYPE("boolean", TEXTS("yes", "?"));
    EXPECT_TYPE("time", TEXTS("2024-05-01", "2024-05-01 10:00"));
    EXPECT_TYPE("categorical", TEXTS("red", "1"));
    EXPECT_TYPE("numeric", TEXTS("", "-")); /* nothing says otherwise */
    EXPECT_TABLE(BUILD({TEXTS("1", "2.5")}), ROWS, 1, 1, 2.5, NAN, 1);
    EXPECT_TABLE(BUILD({TEXTS("on", "no")}), ROWS, 1, 1, 0, NAN, 1);
    EXPECT_TABLE(BUILD({TEXTS("1970-01-01", "1970-01-02")}), ROWS, 1, 0, 86400, NAN, 0);
    expect_text(BUILD({TEXTS(" red\t", "a b")}), "red;a b;;red"); /* the blanks around it are not its own */
    expect_text(BUILD({TEXTS("null", "a b")}), ";a b;;");
    expect_text(BUILD({TEXTS("red", " red")}), "red;red;;red");
}

TEST(types_that_the_caller_knows)
{
    EXPECT_TYPE("categorical", TEXTS("1", "2"), .typed = 1, .type = ODIM_CATEGORICAL);
    EXPECT_TYPE("numeric", TEXTS("1", "2"), .typed = 1, .type = ODIM_NUMERIC);
    EXPECT_TYPE("time", .numbers = numbers, .typed = 1, .type = ODIM_TIME);
    expect_text(BUILD({.numbers = numbers, .typed = 1, .type = ODIM_CATEGORICAL}), "1.5;;-2;1e+300");
    EXPECT_TABLE(BUILD({TEXTS("1", "no"), .typed = 1, .type = ODIM_BOOLEAN}), ROWS, 1, 1, 0, NAN, 1);
    odim_table *t = BUILD({TEXTS("1", "2"), .typed = 1, .type = ODIM_CATEGORICAL}, {TEXTS("a", "b")});
    REQUIRE(t);
    CHECK(t->col[0].forced && !t->col[1].forced);
    odim_table_free(t);
}

TEST(cells_that_are_wrong)
{
    static const double infinite[ROWS] = {1, 2, -INFINITY, 3};
    expect_error(BUILD({.numbers = numbers}, {.name = "b", .numbers = infinite}), ODIM_ERR_DATA, 3, 2,
                 "row 3, column 'b': '-inf' is not a finite number");
    expect_error(BUILD({.numbers = numbers, .typed = 1, .type = ODIM_BOOLEAN}), ODIM_ERR_DATA, 1, 1,
                 "row 1, column 'x1': '1.5' is not true or false");
    expect_error(BUILD({TEXTS("1", "2 m"), .typed = 1, .type = ODIM_NUMERIC}), ODIM_ERR_DATA, 2, 1,
                 "row 2, column 'x1': '2 m' is not a number");
    expect_error(BUILD({TEXTS("1", "1e999")}), ODIM_ERR_DATA, 2, 1,
                 "row 2, column 'x1': '1e999' is too large for a number of 64 bits");
    expect_error(BUILD({TEXTS("inf", "1")}), ODIM_ERR_DATA, 1, 1,
                 "row 1, column 'x1': 'inf' is not a finite number");
    expect_error(BUILD({TEXTS("1", "3"), .typed = 1, .type = ODIM_TIME}), ODIM_ERR_DATA, 1, 1,
                 "row 1, column 'x1': '1' is not an ISO 8601 date or time");
}

TEST(one_odd_cell_among_many)
{
    int32_t many[20] = {0};
    many[12] = 1;
    const char *const words[] = {"1", "one"}, *const times[] = {"2024-05-01", "May"};
    odim_column c = {.name = "n", .codes = many, .texts = words, .text_count = 2};
    odim_table *t;
    CHECK_INT(od_table_build(&t, &c, 1, 20, NULL, NULL, &err), ODIM_ERR_DATA);
    CHECK_STR(err.msg,
              "row 13, column 'n': 'one' is not a number, but nearly all other cells of the column are; "
              "correct it, make it missing, or make the column a category");
    CHECK(err.row == 12 && err.col == 0);
    c.texts = times;
    CHECK_INT(od_table_build(&t, &c, 1, 20, NULL, NULL, &err), ODIM_ERR_DATA);
    CHECK(strstr(err.msg, "'May' is not an ISO 8601 date or time, but"));
}

/* ---- the same as from a file -------------------------------------------------------------------------- */

enum { MANY = 40, WIDE = 4 };

/* The columns as text, as a file would have them, and as memory has them. */
typedef struct both {
    char cell[WIDE][MANY][24];
    const char *texts[WIDE][MANY];
    double numbers[WIDE][MANY];
    int32_t codes[MANY];
} both;

/* Reads the cells as a file and builds a table of them; a column whose format begins with # is one of
 * numbers. */
static void expect_same(const char *const *names, const char *const *formats)
{
    static both b;
    bytes file = {0};
    odim_column columns[WIDE] = {0};
    int cols = 0;
    while (cols < WIDE && formats[cols]) cols++;
    for (int i = -1; i < MANY; i++) {
        for (int j = 0; j < cols; j++) {
            char *cell = i < 0 ? (char *)names[j] : b.cell[j][i];
            int k = i * 7 % 23 + 1;
            if (i >= 0) snprintf(cell, sizeof b.cell[j][i], formats[j] + (*formats[j] == '#'), i + 1, k);
            put_text(&file, cell);
            put_text(&file, j + 1 < cols ? ";" : "\n");
            if (i < 0) continue;
            b.texts[j][i] = cell;
            b.numbers[j][i] = atof(cell);
            b.codes[i] = i;
        }
    }
    for (int j = 0; j < cols; j++) {
        columns[j] = (odim_column){.size = sizeof(odim_column), .name = names[j]};
        if (*formats[j] == '#') {
            columns[j].numbers = b.numbers[j];
        } else {
            columns[j].codes = b.codes;
            columns[j].texts = b.texts[j];
            columns[j].text_count = MANY;
        }
    }
    odim_table *t = NULL, *own = NULL;
    odim_read_options o = {.size = sizeof o, .delimiter = ';', .header = 1};
    REQUIRE(!odim_table_read_memory(&t, file.p, file.len, "t.csv", &o, &err));
    if (od_table_build(&own, columns, cols, MANY, NULL, NULL, &err)) TEST_SAY("%s", err.msg);
    if (own) {
        CHECK_INT(own->d, t->d);
        for (int64_t j = 0; j < t->d && j < own->d; j++) {
            CHECK_STR(odim_table_name(own, j), odim_table_name(t, j));
            CHECK_INT(odim_table_type(own, j), odim_table_type(t, j));
            for (int64_t i = 0; i < MANY; i++) {
                double x = odim_table_value(own, i, j), y = odim_table_value(t, i, j);
                CHECK(x == y || (isnan(x) && isnan(y)));
            }
        }
        CHECK_STR(odim_table_id_name(own) ? odim_table_id_name(own) : "none",
                  odim_table_id_name(t) ? odim_table_id_name(t) : "none");
        for (int64_t i = 0; i < MANY && odim_table_id(t, i); i++)
            CHECK_STR(odim_table_id(own, i), odim_table_id(t, i));
        CHECK_INT(own->notes.count, t->notes.count);
        for (size_t i = 0; i < own->notes.count && i < t->notes.count; i++)
            CHECK_STR(od_strlist_at(&own->notes, i), od_strlist_at(&t->notes, i));
    }
    odim_table_free(own);
    odim_table_free(t);
    drop(&file);
}

TEST(columns_decide_together)
{
    /* 1: the row, 2: some number */
    expect_same(NAMES("a", "b"), NAMES("%2$d,%2$d5", "1,%2$d50")); /* certainly a decimal comma */
    expect_same(NAMES("d", "p"), NAMES("05/06/20%2$02d", "%2$d,50 \xE2\x82\xAC")); /* days first */
    expect_same(NAMES("d", "e"), NAMES("05/06/20%2$02d", "25/06/20%2$02d"));
    expect_same(NAMES("a", "n"), NAMES("%2$d.234,5", "#%2$d"));
    expect_same(NAMES("created", "v"), NAMES("#17000000%2$02d", "#%2$d.5"));
    expect_same(NAMES("created", "v"), NAMES("#17000000%2$02d123", "%2$d"));
}

TEST(ids)
{
    expect_same(NAMES("k", "v"), NAMES("K-%d-x", "#%2$d.5"));
    expect_same(NAMES("n", "v"), NAMES("#%d", "#%2$d.5"));
    expect_same(NAMES("order_id", "v"), NAMES("#%1$d000%2$d", "#%2$d.5"));
    expect_same(NAMES("n", "order_id", "v"), NAMES("#%d", "O%d", "%2$d.5"));
    expect_same(NAMES("comment", "v"), NAMES("some words %d of %d", "%2$d.5"));
}

TEST(no_memory)
{
    static const double count[22] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                     12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22};
    static const double value[22] = {1, 2, 5};
    const odim_column columns[] = {{.name = "n", .numbers = count}, {.name = "v", .numbers = value}};
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 10)
    {
        odim_table *t;
        status = od_table_build(&t, columns, 2, 22, NULL, NULL, &err);
        if (!status) CHECK_STR(odim_table_id(t, 21), "22");
        CHECK(!status == !!t);
        odim_table_free(t);
    }
}

TEST(columns_that_are_wrong)
{
    static const char want[] = "column 1: numbers, or codes and texts, and a type that is known";
    expect_error(BUILD({.name = "a"}), ODIM_ERR_PARAM, 0, 1, want);
    expect_error(BUILD({.numbers = numbers, TEXTS("a", "b")}), ODIM_ERR_PARAM, 0, 1, want);
    expect_error(BUILD({.codes = codes, .text_count = 2}), ODIM_ERR_PARAM, 0, 1, want);
    expect_error(BUILD({.numbers = numbers, .typed = 1, .type = (odim_type)4}), ODIM_ERR_PARAM, 0, 1, want);
    expect_error(BUILD({TEXTS("only one")}), ODIM_ERR_PARAM, 2, 1, "row 2, column 1: text 1 of 1");
    odim_table *t;
    CHECK_INT(od_table_build(&t, NULL, 1, 1, NULL, NULL, &err), ODIM_ERR_DATA);
    CHECK_INT(od_table_build(&t, &(odim_column){.numbers = numbers}, 1, 0, NULL, NULL, &err), ODIM_ERR_DATA);
    CHECK_STR(err.msg, "a table needs at least one row and one column");
}

/* A model of these columns: a number, a category and a time. */
static odim_model *fit(void)
{
    static const char csv[] =
        "n,c,t\n1,a,2024-05-01\n2,b,2024-05-02\n3,a,2024-05-03\n4,7,2024-05-04\n2,b,2024-05-05\n"
        "3,a,2024-05-06\n";
    odim_model *m = NULL;
    odim_table *t = READ_PLAIN(csv);
    odim_params *p = odim_params_new();
    if (!t || !p || odim_params_set(p, "max-updates", "1", &err) ||
        odim_params_set(p, "members", "1", &err) || odim_fit(t, p, NULL, &m, &err))
        TEST_SAY("%s", err.msg);
    odim_params_free(p);
    odim_table_free(t);
    return m;
}

static odim_table *build_like(const odim_model *m, odim_column a, odim_column b, odim_column c)
{
    odim_table *t;
    a.size = b.size = c.size = sizeof a;
    return odim_table_build(&t, (const odim_column *[]){&a, &b, &c}, 3, ROWS, m, &err) ? NULL : t;
}

#define COLUMN(...) ((odim_column){__VA_ARGS__})

TEST(columns_of_a_model)
{
    static const double seconds[ROWS] = {0, 86400, NAN, 1.5}, sevens[ROWS] = {7, 8, NAN, 7};
    odim_model *m = fit();
    REQUIRE(m);
    odim_column n = {.name = "n", TEXTS("1", "2")}, c = {.name = "c", .numbers = sevens},
                t = {.name = "t", .numbers = seconds, .typed = 1, .type = ODIM_TIME};
    /* In any order; a number is the level of that text. */
    expect_text(build_like(m, t, c, n), "1|7|1970-01-01;2|8|1970-01-02;||;1|7|1970-01-01 00:00:01.500");
    /* Without names, in the model's order. */
    n.name = c.name = t.name = NULL;
    expect_text(build_like(m, n, c, t), "1|7|1970-01-01;2|8|1970-01-02;||;1|7|1970-01-01 00:00:01.500");
    n.name = "n", c.name = "c", t.name = "t";

    expect_error(build_like(m, n, c, COLUMN(.name = "u", .numbers = numbers)), ODIM_ERR_DATA, 0, 0,
                 "the model needs column 't', which is not there");
    expect_error(build_like(m, n, c, COLUMN(.name = "t", .numbers = numbers)), ODIM_ERR_DATA, 1, 3,
                 "row 1, column 't': '1.5' is not an ISO 8601 date or time");
    t.name = "n", n.name = "t";
    expect_error(build_like(m, n, c, t), ODIM_ERR_DATA, 1, 3,
                 "row 1, column 'n': '0' is a time (seconds since 1970), and the column has no times");
    odim_model_free(m);
}

int main(void)
{
    RUN(numbers_and_names);
    RUN(texts_are_typed_as_in_a_file);
    RUN(types_that_the_caller_knows);
    RUN(cells_that_are_wrong);
    RUN(one_odd_cell_among_many);
    RUN(columns_decide_together);
    RUN(ids);
    RUN(no_memory);
    RUN(columns_that_are_wrong);
    RUN(columns_of_a_model);
    return test_end();
}
