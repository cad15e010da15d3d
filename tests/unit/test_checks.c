/* tests: checks checks_fit checks_row checks_relate checks_rules. Checks of single cells: what each kind of
 * column calls wrong, and what the relations of columns do. */
#include "prep/checks_row.h"

#include <float.h>

#include "common/mem.h"
#include "prep/checks_fit.h"
#include "schemas.h"
#include "starve.h"

enum { ROWS = 400, MOST_COLS = 8 };

/* Evenly spread numbers from 0 to 1, without a pattern. */
static double spread(int i, int which)
{
    uint32_t x = (uint32_t)i * 2654435761u + (uint32_t)which * 40503u + 12345u;
    x ^= x >> 15, x *= 2246822519u, x ^= x >> 13, x *= 3266489917u, x ^= x >> 16;
    return (double)x / 4294967296.0;
}

/* Orders: the total is the price times the quantity, the tax a fifth of it. Notes are missing in some rows;
 * no other cell is. */
static int put_order(char *at, int i, bool with_tax)
{
    static const char *const colors[] = {"red", "green", "blue"};
    double price = round(100 * exp(spread(i, 0) * log(200))) / 100;
    int quantity = (int)exp(spread(i, 1) * log(60)), len;
    double total = price * quantity, tax = with_tax ? 0.2 * total : 50 * spread(i, 4);
    len = sprintf(at, "%.2f,%d,%.2f,%.3f,%s,", price, quantity, total, tax, colors[i * 7 % 3]);
    if (i % 50) len += sprintf(at + len, "%.3f", spread(i, 2));
    return len + sprintf(at + len, "\n");
}

#define HEAD "price,quantity,total,tax,color,note\n"
enum { PRICE, QUANTITY, TOTAL, TAX, COLOUR, NOTE, ORDER_COLS };

static const char *orders(bool with_tax)
{
    static char text[ROWS * 64];
    int len = sprintf(text, HEAD);
    for (int i = 0; i < ROWS; i++) len += put_order(text + len, i, with_tax);
    return text;
}

static od_schema schema;
static double each[MOST_COLS], expected[MOST_COLS];

/* The evidence on the first row of a table of these rows; also per column and what is expected there. */
static double check(const char *head, const char *row)
{
    char text[300];
    snprintf(text, sizeof text, "%s%s\n", head, row);
    odim_table *t = READ(text, .categorical = NAMES("color"), .id = "");
    if (!t) t = READ_PLAIN(text);
    od_encoder e;
    double found = -1, room[OD_CHECKS_RELATED];
    if (!t || od_encoder_new(&e, &schema, t, &err)) {
        TEST_SAY("%s", err.msg);
        return found;
    }
    e.lenient = true;
    found = od_checks_row(&schema.checks, &e, 0, each, room);
    CHECK(found == od_checks_row(&schema.checks, &e, 0, NULL, room));
    for (int64_t j = 0; j < schema.cols; j++)
        expected[j] = od_checks_expected(&schema.checks, &e, 0, j, room);
    od_encoder_free(&e);
    odim_table_free(t);
    return found;
}

static odim_table *learn(const char *text)
{
    odim_table *t = READ(text, .id = "");
    od_schema_free(&schema);
    if (!t || make_schema(&schema, t, OD_SCALE_ROBUST)) {
        TEST_SAY("%s", err.msg);
        exit(1);
    }
    return t;
}

/* Exactly this column is to blame. */
static void check_blame(const char *row, int col)
{
    double found = check(HEAD, row);
    CHECK(found > 0);
    for (int j = 0; j < ORDER_COLS; j++) {
        if (j == col && !(each[j] > 0)) TEST_SAY("%s: column %d is not blamed", row, col);
        if (j != col && each[j] != 0) TEST_SAY("%s: column %d has %g", row, j, each[j]);
    }
}

/* Two rules: total = price x quantity, and tax = a fifth of it. To blame is what mends both, if it can be. */
TEST(broken_rules)
{
    odim_table *t = learn(orders(true));
    REQUIRE(schema.checks.rules.count >= 2);
    check_blame("20.00,5,300.00,20.000,red,0.5", TOTAL);
    CHECK_NEAR(expected[TOTAL], 100, 1e-6);
    check_blame("20.00,5,100.00,70.000,red,0.5", TAX);
    CHECK_NEAR(expected[TAX], 20, 1e-3);
    CHECK(check(HEAD, "20.00,2,100.00,20.000,red,0.5") > 0); /* a quantity of 5, or a price of 50 */
    CHECK(each[TOTAL] == 0 && each[TAX] == 0);
    CHECK_NEAR(expected[QUANTITY], 5, 1e-6);
    CHECK_NEAR(expected[PRICE], 50, 1e-6);
    check_blame("20.00,4,130.00,26.000,red,0.5", PRICE); /* a quantity of 6.5 is impossible */
    CHECK_NEAR(expected[PRICE], 32.5, 1e-6);
    CHECK(check(HEAD, "20.00,5,100.00,20.000,red,0.5") == 0);
    CHECK(check(HEAD, "20.00,5,100.01,20.002,red,0.5") == 0); /* a cent is no error */
    odim_table_free(t);
}

TEST(ordinary_rows_have_no_evidence)
{
    odim_table *t = learn(orders(true));
    od_encoder e;
    double room[OD_CHECKS_RELATED];
    int odd = 0;
    REQUIRE(od_encoder_new(&e, &schema, t, &err) == ODIM_OK);
    for (int i = 0; i < ROWS; i++) odd += od_checks_row(&schema.checks, &e, i, NULL, room) > 0;
    CHECK_INT(odd, 0);
    od_encoder_free(&e);
    odim_table_free(t);
}

TEST(one_wrong_cell)
{
    odim_table_free(learn(orders(true)));
    CHECK(check(HEAD, "20.00,5,100.00,20,red,0.5") == 0);
    check_blame("20.00,5,100.00,20,mauve,0.5", COLOUR); /* a new level */
    check_blame("20.00,5,100.00,20,,0.5", COLOUR);      /* a gap */
    check_blame("-4000,5,100.00,20,red,0.5", PRICE);
    check_blame("20.00,5000,100.00,20,red,0.5", QUANTITY);
    check_blame("20.00,5,100.00,20,red,1e300", NOTE);
    CHECK(check(HEAD, "20.00,5,100.00,20,red,") == 0); /* notes are often missing */
    /* Two wrong cells are more than one. */
    double one = check(HEAD, "20.00,5,100.00,20,mauve,0.5"),
           two = check(HEAD, "20.00,5,100.00,20,mauve,1e300");
    CHECK(two > one);
}

TEST(mostly_empty_rows)
{
    odim_table_free(learn(orders(true)));
    CHECK(schema.checks.empty > 0);
    CHECK(check(HEAD, ",,,,,") >= schema.checks.empty);
    CHECK(check(HEAD, "20,,,,,") >= schema.checks.empty);
    /* Where gaps are usual only a row without any value is news. */
    static char text[ROWS * 16];
    int len = sprintf(text, "a,b,c\n");
    for (int i = 0; i < ROWS; i++)
        len += sprintf(text + len, i % 2 ? "%d,,\n" : ",%d,%d\n", i * 37 % 100, i * 53 % 100);
    odim_table_free(learn(text));
    CHECK(schema.checks.empty == 0);
    CHECK(check("a,b,c\n", "20,,") == 0);
    CHECK(check("a,b,c\n", ",,") == 1.5);
}

/* The total is within the limits of its column, but contradicts its factors and the tax. */
TEST(a_total_that_is_no_product)
{
    odim_table_free(learn(orders(true)));
    check_blame("20.00,5,400.00,20,red,0.5", TOTAL);
    CHECK_NEAR(expected[TOTAL], 100, 5);
    check_blame("90.00,9,81.00,162,red,0.5", TOTAL);
    CHECK_NEAR(expected[TOTAL], 810, 40);
    check_blame("90.00,9,810.00,16.2,red,0.5", TAX);
    CHECK_NEAR(expected[TAX], 162, 8);
    CHECK(isnan(expected[COLOUR]));
    /* Without any of its relatives nothing can be said of a cell. */
    check(HEAD, "20.00,,400.00,,red,0.5");
    CHECK(isnan(expected[TOTAL]));
    /* A note has no part in it, so that its gap does not matter. */
    check_blame("20.00,5,400.00,20,red,", TOTAL);
    CHECK_NEAR(expected[TOTAL], 100, 5);
}

/* Three numbers and one relation: that one of them is wrong is plain, which one is anybody's guess. */
TEST(one_relation_only)
{
    odim_table_free(learn(orders(false)));
    CHECK(check(HEAD, "20.00,5,100.00,20,red,0.5") == 0);
    CHECK_NEAR(expected[TOTAL], 100, 5);
    CHECK_NEAR(expected[PRICE], 20, 1);
    CHECK_NEAR(expected[QUANTITY], 5, 0.5);
    CHECK(isnan(expected[TAX]) && isnan(expected[NOTE]));
    CHECK(check(HEAD, "20.00,5,400.00,20,red,0.5") > 0);
    CHECK_INT((each[PRICE] > 0) + (each[QUANTITY] > 0) + (each[TOTAL] > 0), 1);
    CHECK_NEAR(expected[TOTAL], 100, 5);
    CHECK_NEAR(expected[PRICE], 80, 5);
    /* Without one of the factors there is no relation. */
    CHECK(check(HEAD, ",5,400.00,20,red,0.5") == schema.checks.col[PRICE].missing);
    CHECK(isnan(expected[TOTAL]));
}

TEST(columns_in_another_order)
{
    odim_table_free(learn(orders(true)));
    CHECK(check("note,total,color,quantity,tax,price\n", "0.5,400,red,5,20,20") > 0);
    CHECK(each[TOTAL] > 0 && each[PRICE] == 0);
    CHECK_NEAR(expected[TOTAL], 100, 5);
}

/* A number that is wrong for its category: an apple at the price of a plum. */
TEST(relations_with_levels)
{
    static const char *const fruit[] = {"apple", "pear", "plum"};
    static const double price[] = {1.2, 1.8, 3.0};
    static char text[ROWS * 24];
    int len = sprintf(text, "item,price,qty,fresh\n");
    for (int i = 0; i < ROWS; i++)
        len += sprintf(text + len, "%s,%.2f,%d,%s\n", fruit[i % 3], price[i % 3] + (i * 37 % 21 - 10) * 0.01,
                       1 + i * 53 % 12, i * 29 % 7 ? "yes" : "no");
    odim_table_free(learn(text));
    const od_checks *c = &schema.checks;
    CHECK_INT(c->relations, 2 + 2 + 1); /* numbers, two of three levels, yes */
    CHECK(c->col[1].related && !c->col[0].related && !c->col[3].related);
    CHECK(check("item,price,qty,fresh\n", "apple,1.25,5,yes") == 0);
    CHECK(check("item,price,qty,fresh\n", "plum,3.05,5,yes") == 0);
    CHECK(check("item,price,qty,fresh\n", "apple,3.05,5,yes") >= OD_LIMITS_EVIDENCE);
    CHECK(check("item,price,qty,fresh\n", "other,3.05,5,yes") >
          0); /* a new level, compared with the most frequent one */
}

/* A sensor that is stuck: the rows of the run, and no others that happen to have the value. */
TEST(runs)
{
    static char text[ROWS * 24];
    int len = sprintf(text, "t,v\n");
    for (int i = 0; i < ROWS; i++)
        len += sprintf(text + len, "%d,%.2f\n", 1000 + 2 * i,
                       i >= 60 && i < 72 ? 0.55 : i * 0.37 - (i * 37 / 100) * 1.0);
    odim_table_free(learn(text));
    const od_column_check *c = &schema.checks.col[1];
    CHECK_INT(c->run_key, 0);
    CHECK(c->run_value == 0.55 && c->run_low == 1120 && c->run_high == 1142);
    CHECK(check("t,v\n", "1130,0.55") == 0.8);
    CHECK(check("t,v\n", "1130,0.54") < 0.8 && check("t,v\n", "1160,0.55") < 0.8);
    CHECK_INT(schema.checks.col[0].run_key, -1);
}

/* Of few rows, nothing is rare: no levels, no gaps, no relations. */
TEST(five_rows)
{
    odim_table_free(learn("a,b,color\n1,2,red\n2,4,green\n3,6,red\n4,8,green\n5,10,red\n"));
    CHECK_INT(schema.checks.relations, 0);
    CHECK(check("a,b,color\n", "1e9,-1e300,mauve") == 0);
    CHECK(check("a,b,color\n", "1,,") == 0);
    CHECK(check("a,b,color\n", ",,") == 1.5);
}

/* Levels that are rare say that more of them are to be expected; gaps that are not rare as well. */
TEST(what_is_usual_is_no_evidence)
{
    static char text[ROWS * 16];
    int len = sprintf(text, "a,name,x\n");
    for (int i = 0; i < ROWS; i++)
        len += sprintf(text + len, "%d,n%d,%s\n", i * 37 % 100, i % 130, i % 50 ? "3" : "");
    odim_table_free(learn(text));
    CHECK(schema.checks.col[1].new_level == 0);
    CHECK(schema.checks.col[2].missing == 0);
}

/* Files must be able to hold what is learnt: every number is finite that has to be. */
static void check_finite(void)
{
    const od_checks *c = &schema.checks;
    int64_t q = c->relations;
    for (int64_t i = 0; i < q * q; i++) CHECK(isfinite(c->precision[i]));
    for (int64_t i = 0; i < q; i++) CHECK(c->precision[i * q + i] > 0 && c->col[c->relation[i]].unit > 0);
    for (int64_t j = 0; j < c->cols; j++) {
        const od_column_check *k = &c->col[j];
        CHECK(isfinite(k->centre) && isfinite(k->unit));
        const od_limits *both[] = {&k->limits, &k->given};
        for (int i = 0; i < 2; i++) {
            CHECK(both[i]->low <= both[i]->high && both[i]->low_far >= 0 && both[i]->high_far >= 0);
            CHECK(isfinite(both[i]->least) && isfinite(both[i]->most) && isfinite(both[i]->centre));
        }
    }
}

/* Columns that are huge, tiny, equal, dependent or nearly so; alone and together. */
TEST(odd_columns)
{
    enum { COLS = 8, N = 200 };
    static double x[N * COLS];
    for (int kind = 0; kind < 3; kind++) {
        for (int i = 0; i < N; i++) {
            double u = spread(i, 0) - 0.5, *row = x + i * COLS;
            row[0] = u;
            row[1] = kind == 0 ? 2 * u : kind == 1 ? u * 1e300 : u * 1.5e308;
            row[2] = kind == 0   ? u + 1e-9 * spread(i, 1)
                     : kind == 1 ? u * 1e-310
                                 : (i % 2 ? DBL_MAX : -DBL_MAX);
            row[3] = kind == 0 ? 3 * u : i % 2;
            row[4] = kind == 2 ? (i == 7 ? 1e308 : u) : 7;
            row[5] = i == 3 ? 1e15 : i % 40;
            row[6] = i % 5 ? NAN : u;
            row[7] = -u * 5e-324;
        }
        odim_table *t;
        od_encoder e;
        double room[OD_CHECKS_RELATED];
        REQUIRE(!odim_table_wrap_f64(&t, x, N, COLS, 0, NULL, &err));
        od_schema_free(&schema);
        odim_status status = make_schema(&schema, t, OD_SCALE_ROBUST);
        if (status) { /* a span that no double holds is refused by name */
            CHECK(status == ODIM_ERR_DATA && kind == 2);
            odim_table_free(t);
            continue;
        }
        check_finite();
        REQUIRE(od_encoder_new(&e, &schema, t, &err) == ODIM_OK);
        for (int i = 0; i < N; i++) {
            double found = od_checks_row(&schema.checks, &e, i, each, room);
            CHECK(found >= 0 && found < 1000);
            for (int j = 0; j < COLS; j++) {
                double want = od_checks_expected(&schema.checks, &e, i, j, room);
                CHECK(!isinf(want));
            }
        }
        if (kind < 2) CHECK(od_checks_row(&schema.checks, &e, 3, each, room) > 0 && each[5] > 0);
        od_encoder_free(&e);
        odim_table_free(t);
    }
}

/* More columns than relations are looked for in, and more than any table may have rows for. */
TEST(wide_tables)
{
    enum { N = 40, COLS = 16384 };
    double *x = od_alloc((size_t)N * COLS, sizeof *x);
    REQUIRE(x);
    for (int i = 0; i < N * COLS; i++) x[i] = 10 + spread(i, 3);
    x[5 * COLS + 9000] = 1e6;
    odim_table *t;
    od_encoder e;
    double *found = od_alloc(COLS, sizeof *found), room[OD_CHECKS_RELATED];
    REQUIRE(found && !odim_table_wrap_f64(&t, x, N, COLS, 0, NULL, &err));
    od_schema_free(&schema);
    REQUIRE(!make_schema(&schema, t, OD_SCALE_ROBUST));
    CHECK_INT(schema.checks.relations, 0);
    REQUIRE(!od_encoder_new(&e, &schema, t, &err));
    CHECK(od_checks_row(&schema.checks, &e, 5, found, room) > 0 && found[9000] > 0);
    CHECK(od_checks_row(&schema.checks, &e, 6, found, room) == 0);
    od_encoder_free(&e);
    odim_table_free(t);
    od_free(found);
    od_free(x);
}

/* Of more rows than are looked at for relations, evenly spread ones are. */
TEST(long_tables)
{
    enum { N = 131072, COLS = 3 };
    double *x = od_alloc((size_t)N * COLS, sizeof *x), room[OD_CHECKS_RELATED];
    REQUIRE(x);
    for (int i = 0; i < N; i++) {
        x[i * COLS] = spread(i, 0);
        x[i * COLS + 1] = spread(i, 1);
        x[i * COLS + 2] = x[i * COLS] - x[i * COLS + 1] + 0.01 * spread(i, 2);
    }
    x[77 * COLS] = 0.9, x[77 * COLS + 1] = 0.1, x[77 * COLS + 2] = -0.8;
    odim_table *t;
    od_encoder e;
    REQUIRE(!odim_table_wrap_f64(&t, x, N, COLS, 0, NULL, &err));
    od_schema_free(&schema);
    REQUIRE(!make_schema(&schema, t, OD_SCALE_ROBUST));
    CHECK_INT(schema.checks.relations, 3);
    REQUIRE(!od_encoder_new(&e, &schema, t, &err));
    CHECK(od_checks_row(&schema.checks, &e, 77, each, room) > 0);
    CHECK_NEAR(od_checks_expected(&schema.checks, &e, 77, 2, room), 0.8, 0.02);
    int odd = 0;
    for (int i = 0; i < N; i++) odd += od_checks_row(&schema.checks, &e, i, NULL, room) > 0;
    CHECK_INT(odd, 1);
    od_encoder_free(&e);
    odim_table_free(t);
    od_free(x);
}

TEST(memory_runs_out)
{
    odim_table *t = learn(orders(true));
    od_column_stats stats;
    REQUIRE(!od_column_stats_new(&stats, t->d, &err) && !od_column_stats_add(&stats, t, &err));
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 6)
    {
        od_checks c;
        status = od_checks_fit(&c, &schema, t, &(od_row_set){.count = t->n}, 1, &err);
        if (status) CHECK(!c.col && !c.relation && !c.precision && c.cols == 0);
        od_checks_free(&c);
    }
    od_column_stats_free(&stats);
    odim_table_free(t);
}

int main(void)
{
    RUN(broken_rules);
    RUN(ordinary_rows_have_no_evidence);
    RUN(one_wrong_cell);
    RUN(mostly_empty_rows);
    RUN(a_total_that_is_no_product);
    RUN(one_relation_only);
    RUN(columns_in_another_order);
    RUN(relations_with_levels);
    RUN(runs);
    RUN(five_rows);
    RUN(what_is_usual_is_no_evidence);
    RUN(odd_columns);
    RUN(wide_tables);
    RUN(long_tables);
    RUN(memory_runs_out);
    od_schema_free(&schema);
    return test_end();
}
