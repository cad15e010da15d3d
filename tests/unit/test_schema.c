/* tests: schema schema_fit. Schemas: columns, types and scaling. */
#include "prep/schema.h"

#include "schemas.h"

/* A column of `n` cells, each made by `cell` from its number, after a header "c" and beside a column of
 * numbers that keeps the table usable. Texts that differ in every row are not the id. */
static odim_table *column(int n, const char *(*cell)(int), odim_read_options o)
{
    bytes b = {0};
    char line[100];
    put_text(&b, "n,c\n");
    for (int i = 0; i < n; i++) {
        snprintf(line, sizeof line, "%d,%s\n", i * 7919 % n, cell(i));
        put_text(&b, line);
    }
    o.id = "";
    odim_table *t = read_bytes(&b, "t.csv", &o);
    drop(&b);
    return t;
}

/* The second column of the schema of such a table. *s is to be freed. */
#define SCHEMA(s, n, cell, ...)                                                                              \
    do {                                                                                                     \
        odim_table *t_ =                                                                                     \
            column(n, cell, (odim_read_options){.size = sizeof(odim_read_options), __VA_ARGS__});            \
        if (!t_) TEST_SAY("%s", err.msg);                                                                    \
        REQUIRE(t_ && !make_schema(s, t_, OD_SCALE_MINMAX));                                                 \
        odim_table_free(t_);                                                                                 \
    } while (0)

/* ---- numbers -------------------------------------------------------------------------------------- */

TEST(numbers)
{
    od_schema s;
    odim_table *t = READ("a,b,c\n4,1,0\n2,1,1\n10,1,2\n3,1,3\n", .header = 1);
    REQUIRE(t && !make_schema(&s, t, OD_SCALE_MINMAX));
    CHECK(s.rows == 4 && s.cols == 3 && s.features == 2 && !s.plain);
    CHECK_STR(s.col[0].name, "a");
    CHECK(s.col[0].type == ODIM_NUMERIC && s.col[0].ignored == OD_USED && s.col[0].features == 1);
    CHECK(s.col[0].low == 2 && s.col[0].high == 10 && s.col[0].missing == 0 && !s.col[0].indicator);
    CHECK(s.col[0].fill == 3); /* of four, the lower one in the middle */
    CHECK(s.col[0].usual_low == 2 && s.col[0].usual_high == 10);
    CHECK(s.shift[0] == 2 && s.width[0] == 8);
    CHECK(s.col[1].ignored == OD_IGNORED_CONSTANT && s.col[1].features == 0);
    CHECK(s.col[2].first == 1 && s.owner[0] == 0 && s.owner[1] == 2);
    od_schema_free(&s);
    odim_table_free(t);
    t = READ("a,b\n4,1\n2,2\n", .header = 1);
    REQUIRE(t && !make_schema(&s, t, OD_SCALE_MINMAX));
    CHECK(s.plain);
    od_schema_free(&s);
    odim_table_free(t);
}

/* One value in a hundred is below the usual ones, one above. */
TEST(usual_bounds)
{
    double x[1000];
    for (int i = 0; i < 1000; i++) x[i] = i * 7 % 1000;
    odim_table *t;
    od_schema s;
    REQUIRE(!odim_table_wrap_f64(&t, x, 1000, 1, 0, NULL, &err) && !make_schema(&s, t, OD_SCALE_MINMAX));
    CHECK_NEAR(s.col[0].usual_low, 10, 0);
    CHECK_NEAR(s.col[0].usual_high, 989, 0);
    CHECK_NEAR(s.col[0].fill, 499, 0);
    od_schema_free(&s);
    odim_table_free(t);
}

TEST(scaling)
{
    od_schema s;
    odim_table *t = READ(
        "a,b,c,t\n2,1,yes,1970-01-01\n4,,no,1970-01-02\n,2,yes,1970-01-03\n6,9,no,1970-01-02\n", .header = 1);
    REQUIRE(t && !make_schema(&s, t, OD_SCALE_STANDARD));
    CHECK_NEAR(s.shift[0], 4, 1e-12); /* of 2, 4 and 6; what is missing does not count */
    CHECK_NEAR(s.width[0], sqrt(8.0 / 3), 1e-12);
    CHECK_NEAR(s.shift[1], 4, 1e-12);
    CHECK_NEAR(s.width[1], sqrt((9.0 + 4 + 25) / 3), 1e-12);
    CHECK(s.shift[2] == 0 && s.width[2] == 1);
    CHECK_NEAR(s.shift[3], 86400, 1e-6);
    CHECK_NEAR(s.width[3], 86400 * sqrt(0.5), 1e-6);
    od_schema_free(&s);
    REQUIRE(!make_schema(&s, t, OD_SCALE_NONE));
    CHECK(s.shift[0] == 0 && s.width[0] == 1 && s.shift[1] == 0 && s.width[1] == 1);
    CHECK(s.shift[3] == 0 && s.width[3] == 172800); /* seconds since 1970 are no scale to choose */
    od_schema_free(&s);
    odim_table_free(t);
}

/* Neither a large offset nor extreme widths cost the standard deviation its digits. */
TEST(scaling_of_extremes)
{
    static const double x[] = {1e15, 1e-300, -8e307, 1e15 + 2, 3e-300, 8e307};
    odim_table *t;
    od_schema s;
    REQUIRE(!odim_table_wrap_f64(&t, x, 2, 3, 0, NULL, &err));
    REQUIRE(!make_schema(&s, t, OD_SCALE_STANDARD));
    CHECK_NEAR(s.shift[0] - 1e15, 1, 0);
    CHECK_NEAR(s.width[0], 1, 0);
    CHECK_NEAR(s.shift[1] / 2e-300, 1, 1e-12);
    CHECK_NEAR(s.width[1] / 1e-300, 1, 1e-12);
    CHECK_NEAR(s.width[2] / 8e307, 1, 1e-12);
    od_schema_free(&s);
    odim_table_free(t);
    static const double wide[] = {1, -1e308, 2, 1e308};
    REQUIRE(!odim_table_wrap_f64(&t, wide, 2, 2, 0, NULL, &err));
    CHECK_INT(make_schema(&s, t, OD_SCALE_MINMAX), ODIM_ERR_DATA);
    CHECK_STR(err.msg, "column 'x2': its values lie further apart than a double can hold");
    CHECK_INT(err.col, 1);
    odim_table_free(t);
}

/* ---- gaps ----------------------------------------------------------------------------------------- */

static int gaps;

static const char *with_gaps(int i)
{
    static char cell[20];
    if (i < gaps) return "";
    sprintf(cell, "%d", i % 10 + 1);
    return cell;
}

/* Worth a feature from ten cells on, if they are one in a hundred. */
TEST(indicator)
{
    static const struct {
        int rows, gaps, indicator;
    } cases[] = {{100, 0, 0}, {100, 9, 0}, {100, 10, 1}, {1000, 10, 1}, {1001, 10, 0}, {1100, 11, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        od_schema s;
        gaps = cases[i].gaps;
        SCHEMA(&s, cases[i].rows, with_gaps, .header = 1);
        CHECK_INT(s.col[1].missing, gaps);
        CHECK_INT(s.col[1].indicator, cases[i].indicator);
        CHECK_INT(s.col[1].features, 1 + cases[i].indicator);
        CHECK(s.col[1].low == 1 && s.col[1].high == 10 && s.width[1] == 9);
        if (cases[i].indicator) CHECK(s.shift[2] == 0 && s.owner[2] == 1);
        od_schema_free(&s);
    }
}

static const char *seven_or_none(int i)
{
    return i % 2 ? "7" : "";
}

static const char *nothing(int i)
{
    (void)i;
    return "NA";
}

/* A column that is constant but for its gaps tells something by them. */
TEST(constant_with_gaps)
{
    od_schema s;
    SCHEMA(&s, 40, seven_or_none, .header = 1);
    CHECK(s.col[1].ignored == OD_USED && s.col[1].features == 2 && s.col[1].indicator);
    CHECK(s.width[1] == 0 && s.shift[1] == 7 && s.col[1].fill == 7);
    od_schema_free(&s);
    SCHEMA(&s, 18, seven_or_none, .header = 1); /* nine gaps are too few */
    CHECK(s.col[1].ignored == OD_IGNORED_CONSTANT && !s.col[1].indicator);
    od_schema_free(&s);
    SCHEMA(&s, 40, seven_or_none, .categorical = NAMES("c"));
    CHECK(s.col[1].ignored == OD_USED && s.col[1].own_levels == 1 && s.col[1].features == 3);
    od_schema_free(&s);
    SCHEMA(&s, 40, nothing, .header = 1);
    CHECK(s.col[1].ignored == OD_IGNORED_EMPTY && s.col[1].features == 0 && isnan(s.col[1].low));
    od_schema_free(&s);
    SCHEMA(&s, 40, nothing, .categorical = NAMES("c"));
    CHECK(s.col[1].ignored == OD_IGNORED_EMPTY);
    od_schema_free(&s);
}

/* ---- categories ----------------------------------------------------------------------------------- */

static const char *word_of(int i)
{
    return i == 5 ? "rare" : i % 3 == 0 ? "red" : i % 3 == 1 ? "blue" : "amber";
}

/* Levels in the order of their bytes, each with its count; what occurs once has no feature of its own. */
TEST(levels)
{
    od_schema s;
    SCHEMA(&s, 60, word_of, .header = 1);
    const od_schema_col *c = &s.col[1];
    CHECK_INT(od_levels_count(&c->levels), 4);
    static const char *const names[] = {"amber", "blue", "rare", "red"};
    static const int counts[] = {19, 20, 1, 20}, features[] = {0, 1, -1, 2};
    for (int i = 0; i < 4; i++) {
        CHECK_STR(od_strlist_at(&c->levels.texts, (size_t)i), names[i]);
        CHECK_INT(c->level_count[i], counts[i]);
        CHECK_INT(c->level_feature[i], features[i]);
    }
    CHECK(c->own_levels == 3 && c->features == 4 && s.features == 5);
    CHECK_NEAR(c->fill, 1, 0); /* blue and red are equally frequent: the first in order */
    CHECK(isnan(c->low) && isnan(c->usual_high));
    od_schema_free(&s);
}

/* A level that a share p of the rows has is worth 0.2 sqrt(-log p), a gap half of that; at least as much as
 * one that nine in ten have. */
TEST(worth_of_levels)
{
    odim_table *t =
        READ("n,c,d,e\n2,x,v,\n1,x,v,\n3,x,v,\n4,x,v,\n5,x,v,\n6,x,v,\n7,x,v,\n8,y,v,\n9,y,v,\n"
             "10,y,v,\n11,y,v,\n12,y,v,\n13,y,v,\n14,y,v,\n15,z,v,\n16,x,w,p\n17,x,v,p\n18,x,v,q\n19,"
             "y,v,q\n20,y,v,p\n",
             .categorical = NAMES("e", "d"));
    od_schema s;
    REQUIRE(t && !make_schema(&s, t, OD_SCALE_MINMAX));
    /* n; x 10, y 9, another 1; v 19, another 1; p 3, q 2, another 0 (taken as a half), gap 15. */
    static const double p[] = {1,       10. / 20, 9. / 20, 1. / 20,  0.9,
                               1. / 20, 3. / 20,  2. / 20, 0.5 / 20, 15. / 20};
    CHECK_INT(s.features, 10);
    for (int f = 1; f < s.features; f++) {
        CHECK(s.shift[f] == 0);
        CHECK_NEAR(1 / s.width[f], 0.2 * sqrt(-log(p[f])) * (f == 9 ? 0.5 : 1), 1e-12);
    }
    od_schema_free(&s);
    odim_table_free(t);
}

static const char *one_in_200(int i)
{
    return i % 200 == 0 ? "seldom" : i % 250 == 1 ? "too seldom" : i % 2 ? "a" : "b";
}

TEST(frequent_levels)
{
    od_schema s;
    SCHEMA(&s, 1000, one_in_200, .header = 1); /* 5 and 4 of 1000 */
    const od_schema_col *c = &s.col[1];
    CHECK_INT(c->own_levels, 3);
    CHECK_INT(c->level_feature[od_levels_find(&c->levels, "seldom", 6)], 2);
    CHECK_INT(c->level_feature[od_levels_find(&c->levels, "too seldom", 10)], -1);
    od_schema_free(&s);
}

/* Of 1000: 900 of one level, 60 of another, 20 each in four rows, 10 each in two, 10 alone. */
static const char *some_rare(int i)
{
    static char cell[20];
    if (i < 960) return i < 900 ? "usual" : "also";
    sprintf(cell, "%s%d", i < 980 ? "four" : i < 990 ? "two" : "one", i < 980 ? i / 4 : i < 990 ? i / 2 : i);
    return cell;
}

static od_schema schema_of(int rows, const char *(*cell)(int), int64_t least)
{
    od_schema s = {0};
    odim_table *t =
        column(rows, cell, (odim_read_options){.size = sizeof(odim_read_options), .categorical = NAMES("c")});
    if (!t || make_schema_of(&s, t, OD_SCALE_MINMAX, least)) abort();
    odim_table_free(t);
    return s;
}

TEST(rare_levels_are_not_kept)
{
    static const struct {
        int64_t least, levels, dropped;
    } want[] = {{1, 22, 0}, {2, 12, 10}, {3, 7, 20}, {5, 2, 40}, {0, 2, 40}, {61, 1, 100}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        od_schema s = schema_of(1000, some_rare, want[i].least), all = schema_of(1000, some_rare, 1);
        const od_schema_col *c = &s.col[1];
        CHECK_INT(od_levels_count(&c->levels), want[i].levels);
        CHECK_INT(c->dropped, want[i].dropped);
        CHECK_INT(s.least, want[i].least ? want[i].least : 5);
        CHECK_STR(od_strlist_at(&c->levels.texts, (size_t)c->fill), "usual");
        /* The features are what they would be with all of them, unless one loses its own. */
        CHECK(s.features == all.features - (want[i].least == 61));
        if (s.features == all.features)
            CHECK(memcmp(s.width, all.width, (size_t)s.features * sizeof *s.width) == 0);
        od_schema_free(&s);
        od_schema_free(&all);
    }
}

TEST(how_many_rows_a_level_needs)
{
    CHECK(od_schema_least(7, 1000000) == 7 && od_schema_least(1, 10) == 1);
    CHECK(od_schema_least(0, 2) == 2 && od_schema_least(0, 400) == 2 && od_schema_least(0, 401) == 3);
    CHECK(od_schema_least(0, 800) == 4 && od_schema_least(0, 801) == 5);
    CHECK_INT(od_schema_least(0, INT64_MAX), 5);
}

static int singles; /* of the rows */

static const char *some_single(int i)
{
    static char cell[20];
    if (i >= singles) return i % 4 == 0 ? "b" : "a";
    sprintf(cell, "one%d", i);
    return cell;
}

/* Besides, a third of the rows have one of a hundred levels. */
static const char *rare_and_single(int i)
{
    static char cell[20];
    if (i < singles || i % 3) return some_single(i);
    sprintf(cell, "rare%d", i % 100);
    return cell;
}

/* What is not kept is worth what was never seen is: twice a rare level if it is unusual, else no more. */
TEST(worth_of_what_is_not_kept)
{
    static const struct {
        int singles;
        const char *(*cell)(int);
        double worth;
    } want[] = {{0, some_single, 2},       {1, some_single, 2},      {49, some_single, 2},
                {50, some_single, 1},      {800, some_single, 1},    {60, rare_and_single, 2},
                {100, rare_and_single, 2}, {300, rare_and_single, 1}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        singles = want[i].singles;
        od_schema s = schema_of(1000, want[i].cell, 2);
        CHECK_INT(s.col[1].dropped, singles);
        if (s.col[1].unlisted != want[i].worth)
            TEST_SAY("%d rows: worth %g, expected %g", singles, s.col[1].unlisted, want[i].worth);
        od_schema_free(&s);
    }
    singles = 1; /* one row is never usual, however few there are */
    od_schema s = schema_of(10, some_single, 2);
    CHECK(s.col[1].dropped == 1 && s.col[1].unlisted == 2);
    od_schema_free(&s);
}

static const char *many_words(int i)
{
    static char cell[20];
    sprintf(cell, "w%03d", i % 80);
    return cell;
}

/* At most so many get a feature; equally frequent ones in the order of their bytes. */
TEST(at_most_64_levels)
{
    od_schema s;
    SCHEMA(&s, 800, many_words, .header = 1);
    const od_schema_col *c = &s.col[1];
    CHECK_INT(od_levels_count(&c->levels), 80);
    CHECK_INT(c->own_levels, OD_SCHEMA_LEVELS);
    CHECK_INT(c->level_feature[63], 63);
    CHECK_INT(c->level_feature[64], -1);
    CHECK_INT(c->features, 65);
    od_schema_free(&s);
}

static const char *name_of(int i)
{
    static char cell[20];
    sprintf(cell, "name%d", i);
    return cell;
}

static const char *nearly_a_name(int i)
{
    return i % 20 == 0 ? "same" : name_of(i);
}

static const char *half_a_name(int i)
{
    return name_of(i / 2 * 2);
}

static const char *same(int i)
{
    (void)i;
    return "same";
}

static const char *name_or_none(int i)
{
    return i % 2 ? "" : name_of(i);
}

TEST(useless_categories)
{
    od_schema s;
    SCHEMA(&s, 100, name_of, .header = 1);
    CHECK(s.col[1].ignored == OD_IGNORED_TEXT && s.col[1].features == 0);
    od_schema_free(&s);
    SCHEMA(&s, 100, nearly_a_name, .header = 1); /* 96 levels of 100 */
    CHECK_INT(s.col[1].ignored, OD_IGNORED_TEXT);
    od_schema_free(&s);
    SCHEMA(&s, 100, nearly_a_name, .categorical = NAMES("c")); /* the caller knows better */
    CHECK(s.col[1].ignored == OD_USED && s.col[1].own_levels == 1);
    od_schema_free(&s);
    SCHEMA(&s, 100, half_a_name, .header = 1); /* each twice: a category, if an odd one */
    CHECK(s.col[1].ignored == OD_USED && s.col[1].own_levels == 50);
    od_schema_free(&s);
    SCHEMA(&s, 100, name_of, .categorical = NAMES("c"));
    CHECK(s.col[1].ignored == OD_IGNORED_RARE && !s.col[1].indicator && s.col[1].features == 0);
    CHECK_INT(od_levels_count(&s.col[1].levels), 0); /* nothing needs them */
    od_schema_free(&s);
    SCHEMA(&s, 100, name_or_none, .categorical = NAMES("c"));
    CHECK(s.col[1].ignored == OD_IGNORED_RARE && !s.col[1].indicator && s.col[1].features == 0);
    od_schema_free(&s);
    SCHEMA(&s, 20, name_of, .header = 1); /* too few to say that it is a name; but none is frequent */
    CHECK_INT(s.col[1].ignored, OD_IGNORED_RARE);
    od_schema_free(&s);
    SCHEMA(&s, 100, same, .header = 1);
    CHECK_INT(s.col[1].ignored, OD_IGNORED_CONSTANT);
    od_schema_free(&s);
}

/* ---- times ---------------------------------------------------------------------------------------- */

static int step_hours;

static const char *time_of(int i)
{
    static char cell[40];
    int64_t hours = (int64_t)i * step_hours, days = hours / 24;
    sprintf(cell, "%04d-%02d-%02dT%02d:00", 2000 + (int)(days / 336), (int)(days % 336 / 28) + 1,
            (int)(days % 28) + 1, (int)(hours % 24));
    return cell;
}

/* Two days of hours make a cycle of the day, two weeks one of the week, two years one of the year. */
TEST(cycles)
{
    static const struct {
        int rows, hours;
        unsigned cycles;
    } cases[] = {{40, 1, 0},
                 {50, 1, OD_CYCLE_DAY},
                 {10, 24, 0},
                 {15, 24, OD_CYCLE_WEEK},
                 {400, 1, OD_CYCLE_DAY | OD_CYCLE_WEEK},
                 {700, 24 * 2, OD_CYCLE_WEEK | OD_CYCLE_YEAR},
                 {900, 30, OD_CYCLE_DAY | OD_CYCLE_WEEK | OD_CYCLE_YEAR}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        od_schema s;
        step_hours = cases[i].hours;
        SCHEMA(&s, cases[i].rows, time_of, .header = 1);
        const od_schema_col *c = &s.col[1];
        CHECK_INT(c->type, ODIM_TIME);
        CHECK_INT(c->cycles, cases[i].cycles);
        int pairs = !!(c->cycles & 1) + !!(c->cycles & 2) + !!(c->cycles & 4);
        CHECK_INT(c->features, 1 + 2 * pairs);
        CHECK(s.width[c->first] == c->high - c->low && s.shift[c->first] == c->low);
        for (int64_t f = c->first + 1; f < s.features; f++) CHECK(s.shift[f] == 0 && s.width[f] == 1);
        od_schema_free(&s);
    }
}

/* ---- the whole ------------------------------------------------------------------------------------ */

TEST(nothing_left)
{
    odim_table *t = READ("a,b\n1,x\n1,x\n", .header = 1);
    od_schema s;
    REQUIRE(t);
    CHECK_INT(make_schema(&s, t, OD_SCALE_MINMAX), ODIM_ERR_DATA);
    CHECK_STR(err.msg, "no usable columns: all are constant or ignored");
    CHECK(!s.col && !s.shift);
    odim_table_free(t);
}

/* 300 columns of 64 levels are 19500 features. */
TEST(too_many_features)
{
    bytes b = {0};
    char cell[20];
    for (int i = 0; i < 128; i++)
        for (int j = 0; j < 300; j++) {
            snprintf(cell, sizeof cell, "w%d%s", i % 64, j < 299 ? "," : "\n");
            put_text(&b, cell);
        }
    odim_read_options o = {.size = sizeof(odim_read_options), .header = -1};
    odim_table *t = read_bytes(&b, "t.csv", &o);
    od_schema s;
    drop(&b);
    REQUIRE(t);
    CHECK_INT(make_schema(&s, t, OD_SCALE_MINMAX), ODIM_ERR_DATA);
    CHECK_STR(err.msg, "the columns make more than 16384 features; choose some of them (set only or ignore)");
    odim_table_free(t);
}

/* Bounds and levels are those of all rows, the median that of the chosen ones. */
TEST(chosen_rows)
{
    odim_table *t = READ("a,c\n1,x\n2,y\n3,x\n4,y\n100,z\n", .header = 1);
    od_column_stats stats;
    od_schema s;
    static int64_t rows[] = {1, 2, 3};
    const od_row_set three = {.rows = rows, .count = 3};
    REQUIRE(t && !od_column_stats_new(&stats, 2, &err) && !od_column_stats_add(&stats, t, &err));
    REQUIRE(!od_schema_make(&s, t, &stats, &three, OD_SCALE_MINMAX, 1, 1, &err));
    CHECK(s.rows == 5 && s.col[0].low == 1 && s.col[0].high == 100 && s.col[0].fill == 3);
    CHECK(s.col[0].usual_low == 2 && s.col[0].usual_high == 4 && s.width[0] == 99);
    CHECK(od_levels_count(&s.col[1].levels) == 3 && s.col[1].level_count[2] == 1);
    od_schema_free(&s);
    REQUIRE(!od_schema_make(&s, t, &stats, &three, OD_SCALE_STANDARD, 1, 1, &err));
    CHECK_NEAR(s.shift[0], 3, 1e-12);
    CHECK_NEAR(s.width[0], sqrt(2.0 / 3), 1e-12);
    od_schema_free(&s);
    od_column_stats_free(&stats);
    odim_table_free(t);
}

/* ---- words ---------------------------------------------------------------------------------------- */

static char said[2000];

static void hear(const char *text, void *user)
{
    CHECK(user == said);
    strcat(said, text);
    strcat(said, "\n");
}

TEST(notes)
{
    odim_table *t = READ("a,b,c,d,e,f,g,h\n1,1,1,,k,1,1,1\n2,1,1,,k,1,1,1\n", .header = 1);
    od_schema s;
    odim_hooks hooks = {.size = sizeof(odim_hooks), .note = hear, .user = said};
    REQUIRE(t && !make_schema(&s, t, OD_SCALE_MINMAX));
    *said = '\0';
    od_schema_note(&s, &hooks);
    CHECK_STR(said, "column 'b' is constant: ignored\ncolumn 'c' is constant: ignored\n"
                    "column 'd' is empty: ignored\ncolumn 'e' is constant: ignored\n"
                    "column 'f' is constant: ignored\n2 more columns are constant or not usable: ignored\n");
    od_schema_note(&s, NULL);
    CHECK(od_schema_why(OD_USED) == NULL);
    CHECK_STR(od_schema_why(OD_IGNORED_TEXT), "has a different value in almost every row (looks like an ID)");
    CHECK_STR(od_schema_why(OD_IGNORED_RARE), "has no frequent level");
    bool found[8] = {false, true, true, true, true, true, true, true};
    CHECK_INT(od_schema_fail_missing(&s, "the model needs", found, &err), ODIM_ERR_DATA);
    CHECK_STR(err.msg, "the model needs column 'a', which is not there");
    found[6] = false;
    od_schema_fail_missing(&s, "the model needs", found, &err);
    CHECK_STR(err.msg, "the model needs columns 'a', 'g', which are not there");
    od_schema_free(&s);
    odim_table_free(t);
}

int main(void)
{
    RUN(numbers);
    RUN(usual_bounds);
    RUN(scaling);
    RUN(scaling_of_extremes);
    RUN(indicator);
    RUN(constant_with_gaps);
    RUN(levels);
    RUN(worth_of_levels);
    RUN(frequent_levels);
    RUN(rare_levels_are_not_kept);
    RUN(how_many_rows_a_level_needs);
    RUN(worth_of_what_is_not_kept);
    RUN(at_most_64_levels);
    RUN(useless_categories);
    RUN(cycles);
    RUN(nothing_left);
    RUN(too_many_features);
    RUN(chosen_rows);
    RUN(notes);
    return test_end();
}
