/* tests: arrow_stream arrow_rows arrow_table arrow_input table_input. Tables by the Arrow C data interface.
 */
#include <errno.h>
#include <stdbool.h>

#include "arrow_producer.h"
#include "schemas.h"
#include "scratch.h"
#include "starve.h"

static odim_table *take(producer *p, odim_read_options o)
{
    struct ArrowArrayStream stream = start_producer(p);
    odim_table *t = (odim_table *)&err;
    o.size = sizeof o;
    odim_status status = odim_table_arrow(&t, &stream, &o, &err);
    if (status && t) TEST_SAY("an output handle after a failure");
    if (status && status != err.status) TEST_SAY("the status is not in the error");
    CHECK(!stream.release);
    expect_released(p);
    return status ? NULL : t;
}

#define COUNT(array) ((int64_t)(sizeof(array) / sizeof *(array)))
#define TAKE(p, ...) take(p, (odim_read_options){__VA_ARGS__})

/* ---- a table of all kinds of columns ---------------------------------------------------------------- */

enum { ROWS = 24 };
static double real[ROWS];
static float single[ROWS];
static int32_t whole[ROWS], days[ROWS];
static uint8_t codes[ROWS], flags[3], valid[3], half_valid[4];
static int64_t moments[ROWS], money[ROWS][2];
static const int32_t color_offsets[] = {0, 3, 8, 12};

static const made_column mixed[] = {
    {.format = "g", .name = "real", .buffers = 2, .buffer = {valid, real}},
    {.format = "f", .name = "single", .buffers = 2, .buffer = {NULL, single}},
    {.format = "i", .name = "whole", .buffers = 2, .buffer = {NULL, whole}},
    {.format = "b", .name = "flag", .buffers = 2, .buffer = {NULL, flags}},
    {.format = "C",
     .name = "color",
     .buffers = 2,
     .buffer = {half_valid, codes},
     .values = "u",
     .value_count = 3,
     .value_buffers = 3,
     .value_buffer = {NULL, color_offsets, "redgreenblue"}},
    {.format = "tdD", .name = "day", .buffers = 2, .buffer = {NULL, days}},
    {.format = "tsm:UTC", .name = "moment", .buffers = 2, .buffer = {NULL, moments}},
    {.format = "d:10,2", .name = "money", .buffers = 2, .buffer = {NULL, money}},
    {.format = "n", .name = "nothing", .buffers = 0, .buffer = {NULL}},
};

static producer of_mixed = {.column = mixed, .columns = COUNT(mixed), .rows = ROWS, .batch = 7};
static char csv[8192];

static void make_mixed(void)
{
    static const char *const colors[] = {"red", "green", "blue"};
    size_t at = (size_t)sprintf(csv, "real,single,whole,flag,color,day,moment,money,nothing\n");
    for (int i = 0; i < ROWS; i++) {
        char r[32] = "", c[32] = "";
        real[i] = (i * 37 - 200) / 100.0;
        single[i] = (float)(i * 0.1);
        whole[i] = i * i % 17;
        codes[i] = (uint8_t)(i % 3);
        days[i] = i;
        moments[i] = i * 1000;
        money[i][0] = i * 25 - 50;
        money[i][1] = money[i][0] < 0 ? -1 : 0;
        if (i % 2) flags[i / 8] |= (uint8_t)(1 << i % 8);
        if (i % 5) valid[i / 8] |= (uint8_t)(1 << i % 8);
        if (i % 4) half_valid[i / 8] |= (uint8_t)(1 << i % 8);
        if (i % 5) sprintf(r, "%g", real[i]);
        if (i % 4) sprintf(c, "%s", colors[i % 3]);
        at += (size_t)sprintf(csv + at, "%s,%.7g,%d,%s,%s,1970-01-%02d,1970-01-01T00:00:%02dZ,%s%d.%02d,\n",
                              r, (double)single[i], whole[i], i % 2 ? "true" : "false", c, i + 1, i,
                              money[i][0] < 0 ? "-" : "", abs((int)money[i][0]) / 100,
                              abs((int)money[i][0]) % 100);
    }
}

static void expect_same(odim_table *a, odim_table *b)
{
    if (!a || !b)
        TEST_SAY("%s", err.msg);
    else
        CHECK(a->n == b->n && same_rows(a, 0, b));
    for (int64_t j = 0; a && b && j < a->d && j < b->d; j++) {
        CHECK_STR(odim_table_name(a, j), odim_table_name(b, j));
        for (int64_t i = 0; i < a->n; i++) {
            double x = odim_table_value(a, i, j), y = odim_table_value(b, i, j);
            if (isnan(x) ? !isnan(y) : x != y) TEST_SAY("cell %d, %d: %.17g, %.17g", (int)i, (int)j, x, y);
        }
    }
    odim_table_free(a);
    odim_table_free(b);
}

TEST(same_as_csv)
{
    make_mixed();
    for (int64_t batch = 1; batch <= ROWS; batch += 5) {
        of_mixed.batch = batch;
        for (int slice = 0; slice < 2; slice++) {
            of_mixed.slice = slice;
            expect_same(TAKE(&of_mixed, 0), READ_PLAIN(csv));
        }
    }
    of_mixed.batch = 7;
    expect_same(TAKE(&of_mixed, .id = "whole", .label = "flag", .ignore = NAMES("day", "2")),
                READ(csv, .id = "whole", .label = "flag", .ignore = NAMES("day", "2")));
    expect_same(TAKE(&of_mixed, .only = NAMES("money", "color"), .keep = 1, .known = "flag"),
                READ(csv, .only = NAMES("money", "color"), .keep = 1, .known = "flag"));
    expect_same(TAKE(&of_mixed, .categorical = NAMES("whole"), .na = NAMES("1")),
                READ(csv, .categorical = NAMES("whole"), .na = NAMES("1")));
}

TEST(types)
{
    odim_table *t = TAKE(&of_mixed, 0);
    static const odim_type want[] = {ODIM_NUMERIC, ODIM_NUMERIC, ODIM_NUMERIC, ODIM_BOOLEAN, ODIM_CATEGORICAL,
                                     ODIM_TIME,    ODIM_TIME,    ODIM_NUMERIC, ODIM_NUMERIC};
    REQUIRE(t);
    CHECK_INT(odim_table_cols(t), COUNT(want));
    for (int64_t j = 0; j < COUNT(want); j++) CHECK_INT(odim_table_type(t, j), want[j]);
    CHECK(isnan(odim_table_value(t, 0, 0)) && odim_table_value(t, 1, 0) == real[1]);
    CHECK(odim_table_value(t, 1, 1) == 0.1 && odim_table_value(t, 0, 7) == -0.5);
    odim_table_free(t);
}

/* ---- numbers only, which are read many at a time ---------------------------------------------------- */

static const double x[] = {0.5, 2.25, 3, -1, 5, 6}, y[] = {6, 5, 4, 3.5, NAN, INFINITY};
static const made_column numbers[] = {{.format = "g", .name = "x", .buffers = 2, .buffer = {NULL, x}},
                                      {.format = "g", .name = "y", .buffers = 2, .buffer = {NULL, y}}};

TEST(only_numbers)
{
    producer p = {.column = numbers, .columns = 2, .rows = 5, .batch = 2};
    EXPECT_TABLE(TAKE(&p, 0), 5, 2, 0.5, 6, 2.25, 5, 3, 4, -1, 3.5, 5, NAN);
    EXPECT_TABLE(TAKE(&p, .only = NAMES("y")), 5, 1, 6, 5, 4, 3.5, NAN);
    p.slice = true;
    p.batch = 3;
    EXPECT_TABLE(TAKE(&p, 0), 5, 2, 0.5, 6, 2.25, 5, 3, 4, -1, 3.5, 5, NAN);
    p.valid = (const uint8_t[]){0x15};
    p.slice = false;
    EXPECT_TABLE(TAKE(&p, 0), 5, 2, 0.5, 6, NAN, NAN, 3, 4, NAN, NAN, 5, NAN);
}

TEST(infinite)
{
    producer p = {.column = numbers, .columns = 2, .rows = 6, .batch = 4};
    expect_error(
        TAKE(&p, 0), ODIM_ERR_DATA, 6, 2,
        "<arrow>: row 6 (line 6), column 'y': 'infinity' is not a finite number; correct it, or count it "
        "as missing (set na)");
    EXPECT_TABLE(TAKE(&p, .bad_rows = ODIM_BAD_ROWS_SKIP, .only = NAMES("y")), 5, 1, 6, 5, 4, 3.5, NAN);
    EXPECT_TABLE(TAKE(&p, .bad_rows = ODIM_BAD_ROWS_CALL, .only = NAMES("y")), 6, 1, 6, 5, 4, 3.5, NAN, NAN);
}

/* A table that is larger than what is allocated at first. */
TEST(many_rows)
{
    enum { MANY = 100000 };
    double *a = malloc(MANY * sizeof *a), *b = malloc(MANY * sizeof *b);
    for (int i = 0; i < MANY; i++) a[i] = sin(i), b[i] = cos(i);
    made_column columns[] = {{.format = "g", .name = "a", .buffers = 2, .buffer = {NULL, a}},
                             {.format = "g", .name = "b", .buffers = 2, .buffer = {NULL, b}}};
    producer p = {.column = columns, .columns = 2, .rows = MANY, .batch = 999};
    odim_table *t = TAKE(&p, 0);
    REQUIRE(t);
    CHECK_INT(t->n, MANY);
    for (int i = 0; i < MANY && i < t->n; i++)
        if (odim_table_value(t, i, 0) != a[i] || odim_table_value(t, i, 1) != b[i]) TEST_SAY("row %d", i);
    CHECK(p.most > 100); /* they are read twice */
    odim_table_free(t);
    free(a);
    free(b);
}

/* ---- a model ---------------------------------------------------------------------------------------- */

static odim_model *fit(odim_table *t)
{
    odim_model *m = NULL;
    odim_params *params = odim_params_new();
    if (!params || odim_params_set(params, "method", "hbos", &err) || odim_fit(t, params, NULL, &m, &err))
        TEST_SAY("%s", err.msg);
    odim_params_free(params);
    odim_table_free(t);
    return m;
}

TEST(like_a_model)
{
    odim_model *m = fit(READ_PLAIN(csv));
    REQUIRE(m);
    made_column turned[COUNT(mixed)];
    for (int64_t j = 0; j < COUNT(mixed); j++) turned[j] = mixed[COUNT(mixed) - 1 - j];
    producer p = {.column = turned, .columns = COUNT(mixed), .rows = ROWS, .batch = 5};
    expect_same(TAKE(&p, .like = m), READ(csv, .like = m));
    CHECK_INT(p.most, 1); /* one batch at a time */
    p.columns = 5;
    expect_error(TAKE(&p, .like = m), ODIM_ERR_DATA, 0, 0,
                 "<arrow>: the model needs columns 'real', 'single', 'whole', 'flag', which are not there");
    odim_model_free(m);
}

TEST(numbers_like_a_model)
{
    producer p = {.column = numbers, .columns = 2, .rows = 5, .batch = 2};
    odim_model *m = fit(TAKE(&p, 0));
    REQUIRE(m);
    made_column turned[] = {numbers[1], numbers[0]};
    p.column = turned;
    EXPECT_TABLE(TAKE(&p, .like = m), 5, 2, 0.5, 6, 2.25, 5, 3, 4, -1, 3.5, 5, NAN);
    CHECK_INT(p.most, 1);
    odim_model_free(m);
}

/* ---- ids, known rows, bounds ------------------------------------------------------------------------- */

TEST(ids)
{
    static int64_t key[ROWS], big[ROWS];
    char file[4096] = "key,big,v\n", *at = file + strlen(file);
    for (int i = 0; i < ROWS; i++) {
        key[i] = i * 7 % 97 + 1000;
        big[i] = INT64_MAX - i;
        at += sprintf(at, "%d,%lld,%.17g\n", (int)key[i], (long long)big[i], real[i]);
    }
    made_column columns[] = {{.format = "l", .name = "key", .buffers = 2, .buffer = {NULL, key}},
                             {.format = "l", .name = "big", .buffers = 2, .buffer = {NULL, big}},
                             {.format = "g", .name = "v", .buffers = 2, .buffer = {NULL, real}}};
    producer p = {.column = columns, .columns = 3, .rows = ROWS, .batch = 10};
    expect_same(TAKE(&p, 0), READ_PLAIN(file)); /* the key is found to be the id in both */
    odim_table *t = TAKE(&p, .id = "big");
    REQUIRE(t);
    CHECK_STR(odim_table_id(t, 1), "9223372036854775806"); /* with all digits */
    odim_table_free(t);
}

TEST(known_rows_and_bounds)
{
    producer p = {.column = numbers, .columns = 2, .rows = 5, .batch = 2};
    const char *known = in_scratch("known"), *bounds = in_scratch("bounds");
    write_text(known, "2\n");
    write_text(bounds, "column,low,high\ny,0,9\n");
    odim_table *t = TAKE(&p, .known_rows = known);
    REQUIRE(t);
    CHECK(odim_table_known(t)[1] == 1 && odim_table_known(t)[0] != 1);
    odim_table_free(t);
    EXPECT_TABLE(TAKE(&p, .bounds = bounds), 5, 1, 6, 5, 4, 3.5, NAN);
    CHECK(!TAKE(&p, .bounds = "/nowhere/at/all"));
    CHECK(!TAKE(&p, .known_rows = "/nowhere/at/all"));
}

/* ---- what is refused -------------------------------------------------------------------------------- */

TEST(nested)
{
    static const void *const child[5];
    made_column columns[] = {{.format = "g", .name = "x", .buffers = 2, .buffer = {NULL, x}},
                             {.format = "+l", .name = "many", .buffers = 2, .buffer = {NULL, child}},
                             {.format = "z", .name = "raw", .buffers = 3, .buffer = {NULL, child, child}}};
    producer p = {.column = columns, .columns = 3, .rows = 2, .batch = 2};
    expect_error(
        TAKE(&p, 0), ODIM_ERR_DATA, 0, 2,
        "<arrow>: column 'many' is of type list, which is not a single value: ignore it, or split it into "
        "columns of single values");
    odim_table *t = TAKE(&p, .ignore = NAMES("many"));
    REQUIRE(t);
    CHECK_STR(odim_table_note(t, 0), "column 'raw' has bytes (binary): left out");
    odim_table_free(t);
    EXPECT_TABLE(TAKE(&p, .only = NAMES("x")), 2, 1, 0.5, 2.25);
    EXPECT_TABLE(TAKE(&p, .ignore = NAMES("2")), 2, 1, 0.5, 2.25);
    columns[1].format = "tiM";
    expect_error(TAKE(&p, 0), ODIM_ERR_DATA, 0, 2,
                 "<arrow>: column 'many' is of type interval, which is not a single value: ignore it, or "
                 "split it into "
                 "columns of single values");
}

TEST(bad_values)
{
    int32_t at[] = {0, 1, 3, 4};
    static const char letters[] = {'a', '\xFF', '\xFF', 'b'};
    made_column columns[] = {{.format = "u", .name = "t", .buffers = 3, .buffer = {NULL, at, letters}}};
    producer p = {.column = columns, .columns = 1, .rows = 3, .batch = 3};
    expect_error(TAKE(&p, 0), ODIM_ERR_FORMAT, 2, 1,
                 "<arrow>: row 2, column 1: it is not UTF-8, has a zero byte or is not in the dictionary");
    expect_text(TAKE(&p, .bad_rows = ODIM_BAD_ROWS_SKIP), "a;b");
}

TEST(bad_streams)
{
    producer p = {.column = numbers, .columns = 2, .rows = 5, .batch = 2, .fail_at = 2, .fail_code = EIO};
    p.fail_text = "the disk\n is gone";
    expect_error(TAKE(&p, 0), ODIM_ERR_IO, 0, 0,
                 "<arrow>: the producer of the Arrow stream failed: the disk\\n is gone");
    p.fail_text = NULL;
    p.fail_at = 1;
    expect_error(TAKE(&p, .bad_rows = ODIM_BAD_ROWS_SKIP), ODIM_ERR_IO, 0, 0,
                 "<arrow>: the producer of the Arrow stream failed: Input/output error");
    p.fail_code = ENOMEM;
    expect_error(TAKE(&p, 0), ODIM_ERR_NOMEM, 0, 0, "<arrow>: out of memory");
    p = (producer){.column = numbers, .columns = 2, .rows = 0, .batch = 2};
    expect_error(TAKE(&p, 0), ODIM_ERR_DATA, 0, 0, "<arrow>: there is a header and no rows below it");
    p = (producer){.format = "g", .rows = 2, .batch = 2};
    expect_error(TAKE(&p, 0), ODIM_ERR_DATA, 0, 0,
                 "<arrow>: the Arrow stream has single values, not rows of columns: give it as a table");
    p.format = NULL;
    expect_error(TAKE(&p, 0), ODIM_ERR_DATA, 0, 0, "<arrow>: it has no columns");
    made_column empty[] = {{.format = "g", .name = "x", .buffers = 2, .buffer = {NULL, NULL}}};
    p = (producer){.column = empty, .columns = 1, .rows = 2, .batch = 2};
    expect_error(TAKE(&p, 0), ODIM_ERR_FORMAT, 0, 1,
                 "<arrow>: column 'x' of the Arrow stream: the array has no data");
    empty[0].buffers = 1;
    expect_error(
        TAKE(&p, 0), ODIM_ERR_FORMAT, 0, 1,
        "<arrow>: column 'x' of the Arrow stream: the array is shorter than the batch, or has too few "
        "buffers");
}

TEST(arguments)
{
    producer p = {.column = numbers, .columns = 2, .rows = 5, .batch = 2};
    odim_table *t = (odim_table *)&err;
    CHECK_INT(odim_table_arrow(&t, NULL, NULL, &err), ODIM_ERR_PARAM);
    CHECK(!t);
    CHECK_STR(err.msg, "stream must not be NULL");
    struct ArrowArrayStream stream = start_producer(&p);
    CHECK_INT(odim_table_arrow(NULL, &stream, NULL, &err), ODIM_ERR_PARAM);
    expect_released(&p);
    CHECK_INT(odim_table_arrow(&t, &stream, NULL, &err), ODIM_ERR_PARAM);
    CHECK_STR(err.msg, "<arrow>: the Arrow stream has been released");
    stream = start_producer(&p);
    CHECK_INT(odim_table_arrow(&t, &stream, &(odim_read_options){.size = 0}, &err), ODIM_ERR_PARAM);
    expect_released(&p);
    expect_error(TAKE(&p, .decimal = 'x'), ODIM_ERR_PARAM, 0, 0,
                 "the decimal mark must be a point or a comma");
    stream = start_producer(&p);
    CHECK_INT(odim_table_arrow(&t, &stream, NULL, NULL), ODIM_OK);
    expect_released(&p);
    odim_table_free(t);
}

/* Other forms of text, and dictionaries of them. */
TEST(texts_of_all_forms)
{
    static const int64_t large[] = {0, 1, 1, 3}, sizes[] = {13};
    static const int32_t coded[] = {2, 0, 1};
    static const int8_t which[] = {0, 1, 0};
    static const int16_t years[] = {1999, 2001};
    struct {
        uint32_t len;
        char text[12];
    } views[3] = {{1, "v"}, {0, ""}, {13, "long"}};
    made_column columns[] = {
        {.format = "U", .name = "large", .buffers = 3, .buffer = {NULL, large, "abc"}},
        {.format = "vu", .name = "view", .buffers = 4, .buffer = {NULL, views, "a longer text", sizes}},
        {.format = "i",
         .name = "coded",
         .buffers = 2,
         .buffer = {NULL, coded},
         .values = "vu",
         .value_count = 3,
         .value_buffers = 4,
         .value_buffer = {NULL, views, "a longer text", sizes}},
        {.format = "c",
         .name = "years",
         .buffers = 2,
         .buffer = {NULL, which},
         .values = "s",
         .value_count = 2,
         .value_buffers = 2,
         .value_buffer = {NULL, years}},
    };
    producer p = {.column = columns, .columns = 4, .rows = 3, .batch = 2};
    expect_text(TAKE(&p, 0), "a|v|a longer text|1999;||v|2001;bc|a longer text||1999");
}

TEST(out_of_memory)
{
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 20)
    {
        odim_table *t;
        struct ArrowArrayStream stream = start_producer(&of_mixed);
        status = odim_table_arrow(&t, &stream, NULL, &err);
        expect_released(&of_mixed);
        odim_table_free(t);
    }
    producer p = {.column = numbers, .columns = 2, .rows = 5, .batch = 2};
    EACH_ALLOCATION_FAILS(status, 10)
    {
        odim_table *t;
        struct ArrowArrayStream stream = start_producer(&p);
        status = odim_table_arrow(&t, &stream, NULL, &err);
        expect_released(&p);
        odim_table_free(t);
    }
}

int main(void)
{
    scratch_make();
    RUN(same_as_csv);
    RUN(types);
    RUN(only_numbers);
    RUN(infinite);
    RUN(many_rows);
    RUN(like_a_model);
    RUN(numbers_like_a_model);
    RUN(ids);
    RUN(known_rows_and_bounds);
    RUN(nested);
    RUN(bad_values);
    RUN(bad_streams);
    RUN(arguments);
    RUN(texts_of_all_forms);
    RUN(out_of_memory);
    return test_end();
}
