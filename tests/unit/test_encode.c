/* tests: encode. Encoding rows as features. */
#include "prep/encode.h"

#include "schemas.h"

enum { MOST_FEATURES = 64 };

/* All rows of a table as features; the caller compares. */
static int encode(const od_schema *s, const odim_table *t, float *out)
{
    od_encoder e;
    if (od_encoder_new(&e, s, t, &err)) return -1;
    odim_status status = od_encode_rows(&e, NULL, 0, t->n, out, &err);
    od_encoder_free(&e);
    return status ? -1 : 0;
}

/* What a feature stands for: of a level or a gap 0, 1 or 2, whatever it is scaled by. */
static double meaning(const od_schema *s, int64_t feature, float x)
{
    const od_schema_col *c = &s->col[s->owner[feature]];
    bool gap = c->indicator && feature == c->first + c->features - 1;
    return c->type == ODIM_CATEGORICAL || gap ? (double)x * s->width[feature] : (double)x;
}

static void expect_features(const od_schema *s, const odim_table *t, const double *want)
{
    float x[64 * MOST_FEATURES];
    if (!t || encode(s, t, x)) {
        TEST_SAY("%s", err.msg);
        return;
    }
    for (int64_t i = 0; i < t->n * s->features; i++) {
        double got = meaning(s, i % s->features, x[i]);
        if (!(fabs(got - want[i]) < 1e-6))
            TEST_SAY("row %d, feature %d is %g, expected %g", (int)(i / s->features), (int)(i % s->features),
                     got, want[i]);
    }
}

#define EXPECT_FEATURES(s, t, ...) expect_features(s, t, (const double[]){__VA_ARGS__})

static const char training[] = "a,c,k,b\n"
                               "10,red,9,yes\n"
                               "20,blue,9,no\n"
                               "30,red,9,no\n"
                               "20,blue,9,no\n"
                               "20,rare,9,yes\n";

TEST(numbers_and_levels)
{
    odim_table *t = READ_PLAIN(training);
    od_schema s;
    REQUIRE(t && !make_schema(&s, t, OD_SCALE_MINMAX));
    CHECK_INT(s.features, 5); /* a, blue, red, another, b; k is constant */
    EXPECT_FEATURES(&s, t, 0, 0, 1, 0, 1, .5, 1, 0, 0, 0, 1, 0, 1, 0, 0, .5, 1, 0, 0, 0, .5, 0, 0, 1, 1);
    odim_table_free(t);
    /* New rows: another order, levels met in another order, unseen ones, gaps, values out of bounds. */
    t = READ("b,extra,c,a\n1,q,new,50\n,q,red,\nno,q,,-10\nno,q,rare,20\n", .boolean = NAMES("b"));
    EXPECT_FEATURES(&s, t, 2, 0, 0, 2, 1, .5, 0, 1, 0, 0, -1, 1, 0, 0, 0, .5, 0, 0, 1, 0);
    odim_table_free(t);
    od_schema_free(&s);
}

/* A level that is not kept is one that was never seen, in training as later. */
TEST(levels_that_are_not_kept)
{
    odim_table *t = READ_PLAIN(training);
    od_schema s;
    REQUIRE(t && !make_schema_of(&s, t, OD_SCALE_MINMAX, 2));
    EXPECT_FEATURES(&s, t, 0, 0, 1, 0, 1, .5, 1, 0, 0, 0, 1, 0, 1, 0, 0, .5, 1, 0, 0, 0, .5, 0, 0, 2, 1);
    odim_table_free(t);
    t = READ("b,c,a\nno,new,20\nno,rare,20\nno,,20\n", .boolean = NAMES("b"));
    EXPECT_FEATURES(&s, t, .5, 0, 0, 2, 0, .5, 0, 0, 2, 0, .5, 1, 0, 0, 0);
    od_schema_drop(&s, 1); /* as read from a file that had all of them */
    s.col[1].unlisted = 1; /* there are many such rows */
    EXPECT_FEATURES(&s, t, .5, 0, 0, 1, 0, .5, 0, 0, 1, 0, .5, 1, 0, 0, 0);
    odim_table_free(t);
    od_schema_free(&s);
}

/* Some rows only, in any order. */
TEST(chosen_rows)
{
    odim_table *t = READ_PLAIN("a,b\n0,1\n10,2\n5,3\n");
    od_schema s;
    od_encoder e;
    float x[4];
    static const int64_t rows[] = {2, 0};
    REQUIRE(t && !make_schema(&s, t, OD_SCALE_MINMAX) && !od_encoder_new(&e, &s, t, &err));
    CHECK(e.plain);
    REQUIRE(!od_encode_rows(&e, rows, 0, 2, x, &err));
    CHECK(x[0] == 0.5f && x[1] == 1.0f && x[2] == 0.0f && x[3] == 0.0f);
    REQUIRE(!od_encode_rows(&e, NULL, 1, 2, x, &err));
    CHECK(x[0] == 1.0f && x[1] == 0.5f && x[2] == 0.5f && x[3] == 1.0f);
    od_encoder_free(&e);
    od_schema_free(&s);
    odim_table_free(t);
}

/* A table of plain numbers is scaled in another loop, and one of floats in a third: the same bits, also
 * around a gap. */
TEST(plain_or_not)
{
    enum { N = 50, D = 3 };
    static double x[N * D], y[N * D];
    static float f[N * D];
    static const char *const names[] = {"p", "q", "r"}, *const other[] = {"q", "r", "p"};
    for (int i = 0; i < N * D; i++) f[i] = (float)(i * 37 % 101) / 8, x[i] = (double)f[i];
    for (int i = 0; i < N * D; i++) y[i / D * D + (i % D + 2) % D] = x[i];
    odim_table *t[3];
    od_schema s;
    REQUIRE(!odim_table_wrap_f64(&t[0], x, N, D, 0, names, &err));
    REQUIRE(!odim_table_wrap_f32(&t[1], f, N, D, 0, names, &err));
    REQUIRE(!odim_table_wrap_f64(&t[2], y, N, D, 0, other, &err));
    REQUIRE(!make_schema(&s, t[0], OD_SCALE_STANDARD));
    x[10] = y[9] = NAN;
    f[10] = NAN;
    static float out[3][N * D];
    for (int k = 0; k < 3; k++) REQUIRE(!encode(&s, t[k], out[k]));
    CHECK(memcmp(out[0], out[1], sizeof out[0]) == 0);
    CHECK(memcmp(out[0], out[2], sizeof out[0]) == 0);
    CHECK_NEAR(out[0][10], (s.col[1].fill - s.shift[1]) / s.width[1], 1e-6);
    for (int k = 0; k < 3; k++) odim_table_free(t[k]);
    od_schema_free(&s);
}

/* Gaps: the median or the most frequent level, and a feature that says so. */
TEST(gaps)
{
    bytes b = {0};
    put_text(&b, "a,c\n");
    for (int i = 0; i < 10; i++) put_text(&b, ",\n");
    for (int i = 0; i < 3; i++) put_text(&b, "0,x\n4,y\n10,y\n");
    odim_table *t = read_bytes(&b, "t.csv", NULL);
    od_schema s;
    drop(&b);
    REQUIRE(t && !make_schema(&s, t, OD_SCALE_MINMAX));
    CHECK_INT(s.features, 2 + 4);
    odim_table_free(t);
    t = READ("a,c\n,\n10,x\n,z\n4,\n", .numeric = NAMES("a"), .categorical = NAMES("c"));
    EXPECT_FEATURES(&s, t, .4, 1, 0, 1, 0, 1, 1, 0, 1, 0, 0, 0, .4, 1, 0, 0, 2, 0, .4, 0, 0, 1, 0, 1);
    odim_table_free(t);
    od_schema_free(&s);
}

TEST(cycles)
{
    bytes b = {0};
    char line[40];
    put_text(&b, "n,t\n");
    for (int i = 0; i < 40; i++) {
        snprintf(line, sizeof line, "%d,%04d-01-%02dT%02d:00\n", i * 7 % 40, 1970 + i % 4, i % 28 + 1,
                 i % 24);
        put_text(&b, line);
    }
    odim_table *t = read_bytes(&b, "t.csv", NULL);
    od_schema s;
    drop(&b);
    REQUIRE(t && !make_schema(&s, t, OD_SCALE_MINMAX));
    odim_table_free(t);
    CHECK_INT(s.col[1].features, 7);
    double low = s.col[1].low, high = s.col[1].high;
    t = READ_PLAIN("n,t\n0,1970-01-01\n0,1970-01-01T06:00\n0,1969-12-31T18:00\n0,1970-01-08\n");
    REQUIRE(t);
    float x[4 * 8];
    REQUIRE(!encode(&s, t, x));
    CHECK_NEAR(x[1], (0 - low) / (high - low), 1e-6);
    /* Midnight; six hours later; six before; a week later. Sine and cosine, from 0 to 1. */
    static const double day[] = {.5, 1, 1, .5, 0, .5, .5, 1};
    for (int i = 0; i < 4; i++) {
        CHECK_NEAR(x[i * 8 + 2], day[2 * i], 1e-6);
        CHECK_NEAR(x[i * 8 + 3], day[2 * i + 1], 1e-6);
    }
    CHECK_NEAR(x[4], 0.5, 1e-6);
    CHECK_NEAR(x[5], 1, 1e-6);
    CHECK_NEAR(x[8 + 4], .5 + .5 * sin(2 * 3.141592653589793 / 28), 1e-6); /* a quarter of a day of a week */
    CHECK_NEAR(x[24 + 4], x[4], 1e-6);
    CHECK_NEAR(x[24 + 5], x[5], 1e-6);
    CHECK_NEAR(x[24 + 6], .5 + .5 * sin(2 * 3.141592653589793 * 7 / 365.2425), 1e-6);
    odim_table_free(t);
    od_schema_free(&s);
}

/* ---- what does not fit ---------------------------------------------------------------------------- */

TEST(columns_that_do_not_fit)
{
    odim_table *t = READ_PLAIN(training);
    od_schema s;
    od_encoder e;
    REQUIRE(t && !make_schema(&s, t, OD_SCALE_MINMAX));
    odim_table_free(t);
    t = READ_PLAIN("c,b\nred,yes\n");
    REQUIRE(t);
    CHECK_INT(od_encoder_new(&e, &s, t, &err), ODIM_ERR_DATA);
    CHECK_STR(err.msg, "the model needs column 'a', which is not there");
    CHECK(!e.source && !e.level);
    odim_table_free(t);
    t = READ_PLAIN("a,c,b\n1,7,yes\n");
    REQUIRE(t);
    CHECK_INT(od_encoder_new(&e, &s, t, &err), ODIM_ERR_DATA);
    CHECK_STR(err.msg, "column 'c' is numeric, but the model was fitted on a categorical one");
    CHECK_INT(err.col, 1);
    odim_table_free(t);
    t = READ_PLAIN("a,c,b\n1,red,1\n"); /* a number is as good as a boolean */
    REQUIRE(t);
    CHECK_INT(od_encoder_new(&e, &s, t, &err), ODIM_OK);
    od_encoder_free(&e);
    odim_table_free(t);
    od_schema_free(&s);
}

/* Columns of the same name go by their order, whether or not one before them is not used. */
TEST(columns_of_one_name)
{
    odim_table *t = READ_PLAIN("k,b,b\n1,0,100\n1,10,200\n"), *like;
    od_schema s;
    REQUIRE(t && !make_schema(&s, t, OD_SCALE_MINMAX));
    CHECK_INT(s.features, 2);
    EXPECT_FEATURES(&s, t, 0, 0, 1, 1);
    odim_table_free(t);
    static const double x[] = {0, 100, 10, 200};
    static const char *const names[] = {"b", "b (2)"};
    REQUIRE(!odim_table_wrap_f64(&like, x, 2, 2, 0, names, &err)); /* as a reader for the model gives it */
    EXPECT_FEATURES(&s, like, 0, 0, 1, 1);
    odim_table_free(like);
    od_schema_free(&s);
}

/* The number of a row is that of the file, also in a later block and among chosen rows. */
TEST(extreme_values)
{
    static const double fitted[] = {0, 0, 1, 1};
    double x[] = {0.5, 0.5, 0.5, 1e30, 0.5, 0.5};
    static const char *const names[] = {"p", "q"}, *const turned[] = {"q", "p"};
    odim_table *t;
    od_schema s;
    float out[6];
    REQUIRE(!odim_table_wrap_f64(&t, fitted, 2, 2, 0, names, &err) && !make_schema(&s, t, OD_SCALE_MINMAX));
    odim_table_free(t);
    REQUIRE(!odim_table_wrap_f64(&t, x, 3, 2, 0, names, &err));
    CHECK_INT(encode(&s, t, out), -1);
    CHECK_STR(err.msg, "row 2, column 'q': 1e+30 is too large for the scaling that was chosen or fitted");
    CHECK(err.status == ODIM_ERR_DATA && err.row == 1 && err.col == 1);
    t->first = 100;
    CHECK_INT(encode(&s, t, out), -1);
    CHECK_INT(err.row, 101);
    int64_t number[] = {7, 9, 11};
    t->number = number;
    CHECK_INT(encode(&s, t, out), -1);
    CHECK_INT(err.row, 8);
    t->number = NULL;
    odim_table_free(t);
    REQUIRE(!odim_table_wrap_f64(&t, x, 3, 2, 0, turned, &err));
    CHECK_INT(encode(&s, t, out), -1);
    CHECK_STR(err.msg, "row 2, column 'p': 1e+30 is too large for the scaling that was chosen or fitted");
    CHECK_INT(err.col, 1);
    odim_table_free(t);
    od_schema_free(&s);
}

/* For new rows they are as extreme as can be; other values, and gaps, are what they are. */
TEST(extreme_values_of_new_rows)
{
    static const double fitted[] = {0, 0, 1, 1};
    static const double x[] = {0.5, 1e30, -1.7e308, 0.25, NAN, -1e30};
    odim_table *t, *new;
    od_schema s;
    od_encoder e;
    float out[6];
    REQUIRE(!odim_table_wrap_f64(&t, fitted, 2, 2, 0, NULL, &err) && !make_schema(&s, t, OD_SCALE_MINMAX));
    REQUIRE(!odim_table_wrap_f64(&new, x, 3, 2, 0, NULL, &err) && !od_encoder_new(&e, &s, new, &err));
    CHECK_INT(od_encode_rows(&e, NULL, 0, 3, out, &err), ODIM_ERR_DATA);
    e.lenient = true;
    REQUIRE(!od_encode_rows(&e, NULL, 0, 3, out, &err));
    CHECK(out[0] == 0.5f && out[1] == 1e18f && out[2] == -1e18f && out[3] == 0.25f && out[5] == -1e18f);
    CHECK(out[4] >= 0 && out[4] <= 1);
    od_encoder_free(&e);
    odim_table_free(new);
    odim_table_free(t);
    od_schema_free(&s);
}

/* Levels beyond what a table can hold are levels that were never seen. */
TEST(one_of_too_many)
{
    odim_table *t = READ_PLAIN("a,c\n1,x\n2,y\n3,x\n4,y\n");
    od_schema s;
    od_encoder e;
    REQUIRE(t && !make_schema(&s, t, OD_SCALE_MINMAX));
    odim_table_free(t);
    bytes b = {0};
    char line[40];
    put_text(&b, "a,c\n1,x\n");
    for (int i = 0; i < OD_LEVELS_MOST; i++) {
        snprintf(line, sizeof line, "1,w%d\n", i);
        put_text(&b, line);
    }
    odim_read_options no_id = {.size = sizeof no_id, .id = ""};
    t = read_bytes(&b, "t.csv", &no_id);
    drop(&b);
    REQUIRE(t && t->col[1].levels.overflow && !od_encoder_new(&e, &s, t, &err));
    float out[4];
    REQUIRE(!od_encode_rows(&e, NULL, OD_LEVELS_MOST, 1, out, &err));
    CHECK(out[1] == 0.0f && out[2] == 0.0f);
    CHECK_NEAR(meaning(&s, 3, out[3]), 2, 1e-6);
    REQUIRE(!od_encode_rows(&e, NULL, 0, 1, out, &err));
    CHECK_NEAR(meaning(&s, 1, out[1]), 1, 1e-6);
    CHECK(out[2] == 0.0f && out[3] == 0.0f);
    od_encoder_free(&e);
    odim_table_free(t);
    od_schema_free(&s);
}

/* ---- the way back --------------------------------------------------------------------------------- */

TEST(back)
{
    odim_table *t = READ_PLAIN(training);
    od_schema s;
    REQUIRE(t && !make_schema(&s, t, OD_SCALE_MINMAX));
    odim_table_free(t);
    /* a, blue, red, another, b; levels are blue 0, rare 1, red 2. */
    static const float x[] = {.25f, .2f, .7f, .1f, .4f};
    CHECK_NEAR(od_encode_back(&s, 0, x), 15, 1e-6);
    CHECK_NEAR(od_encode_back(&s, 1, x), 2, 0);
    CHECK_NEAR(od_encode_back(&s, 3, x), 0, 0);
    static const float y[] = {2, .9f, .7f, .1f, .6f};
    CHECK_NEAR(od_encode_back(&s, 0, y), 50, 1e-6);
    CHECK_NEAR(od_encode_back(&s, 1, y), 0, 0);
    CHECK_NEAR(od_encode_back(&s, 3, y), 1, 0);
    static const float z[] = {0, .1f, .2f, .3f, 0};
    CHECK_NEAR(od_encode_back(&s, 1, z), -1, 0);
    od_schema_free(&s);
    t = READ_PLAIN("a,t\n1,1970-01-01\n2,1970-01-03\n");
    REQUIRE(t && !make_schema(&s, t, OD_SCALE_STANDARD));
    odim_table_free(t);
    static const float mean[] = {0, 0};
    CHECK_NEAR(od_encode_back(&s, 0, mean), 1.5, 1e-9);
    CHECK_NEAR(od_encode_back(&s, 1, mean), 86400, 1e-6);
    od_schema_free(&s);
}

int main(void)
{
    RUN(numbers_and_levels);
    RUN(levels_that_are_not_kept);
    RUN(chosen_rows);
    RUN(plain_or_not);
    RUN(gaps);
    RUN(cycles);
    RUN(columns_that_do_not_fit);
    RUN(columns_of_one_name);
    RUN(extreme_values);
    RUN(extreme_values_of_new_rows);
    RUN(one_of_too_many);
    RUN(back);
    return test_end();
}
