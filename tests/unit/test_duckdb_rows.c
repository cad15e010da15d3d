/* tests: duckdb_rows duckdb_api duckdb_input. Parquet and DuckDB files and queries, made by DuckDB itself. */
#include "io/duckdb_rows.h"

#include <unistd.h>

#include "duckdb_sql.h"
#include "prep/duckdb_input.h"
#include "scratch.h"
#include "starve.h"
#include "tables.h"

#define RUN_SQL(path, ...)                                                                                   \
    duckdb_run(path, (const char *const[]){__VA_ARGS__},                                                     \
               (int)(sizeof(const char *const[]){__VA_ARGS__} / sizeof(const char *)))

/* COPY (query) TO a Parquet file in the scratch folder. */
static bool make_parquet(const char *name, const char *query)
{
    char sql[2000];
    snprintf(sql, sizeof sql, "COPY (%s) TO '%s' (FORMAT parquet)", query, in_scratch(name));
    return RUN_SQL(NULL, sql);
}

static odim_table *read_with(const char *path, odim_read_options o)
{
    odim_table *t = NULL;
    o.size = sizeof o;
    return odim_table_read(&t, path, &o, &err) ? NULL : t;
}

static odim_table *read_sql(const char *sql)
{
    return read_with("", (odim_read_options){.sql = sql, .id = ""});
}

/* The fields of the records of a query, cells with | between them, rows with a line end behind each. */
static const char *records(const char *sql)
{
    static char out[4000];
    size_t at = 0;
    od_record rec;
    od_records *r;
    od_strlist notes = {0};
    const od_ddb_input in = {.from = OD_DDB_FROM_QUERY, .sql = sql};
    odim_status status = od_ddb_rows_open(&r, &in, &notes, &err);
    for (int pass = 0; pass < 2 && !status; pass++) { /* the second one must give the same */
        char first[sizeof out];
        memcpy(first, out, sizeof out);
        at = 0;
        for (int64_t row = 1; !(status = r->next(r, &rec, &err)) && rec.count; row++) {
            CHECK_INT(rec.row, row);
            for (size_t j = 0; j < rec.count; j++)
                at += (size_t)snprintf(out + at, sizeof out - at, "%s%.*s", j ? "|" : "",
                                       (int)rec.fields[j].len, rec.fields[j].text);
            at += (size_t)snprintf(out + at, sizeof out - at, "\n");
        }
        if (pass) CHECK_STR(out, first);
        if (!status) status = r->rewind(r, &err);
    }
    if (!status) od_records_close(r);
    od_strlist_free(&notes);
    return status ? err.msg : out;
}

TEST(every_type)
{
    CHECK_STR(records("SELECT 1::TINYINT, -2::SMALLINT, 3::INTEGER, 4::BIGINT, 5::UTINYINT, 6::USMALLINT, "
                      "7::UINTEGER, 18446744073709551615::UBIGINT, 0.1::FLOAT, 0.1::DOUBLE"),
              "1|-2|3|4|5|6|7|18446744073709551615|0.1|0.1\n");
    CHECK_STR(records("SELECT 170141183460469231731687303715884105727::HUGEINT, 12.50::DECIMAL(4,2), "
                      "-0.001::DECIMAL(9,3), 1234567.8::DECIMAL(18,1), 1.5::DECIMAL(38,10), true"),
              "170141183460469231731687303715884105727|12.50|-0.001|1234567.8|1.5000000000|true\n");
    CHECK_STR(records("SELECT DATE '2024-02-29', TIME '09:30:00.5', TIMESTAMP '2024-05-01 09:30:12.25', "
                      "TIMESTAMP_S '2024-05-01 09:30:12', TIMESTAMP_MS '2024-05-01 09:30:12.125', "
                      "TIMESTAMP_NS '2024-05-01 09:30:12.000000001', "
                      "TIMESTAMPTZ '2024-05-01 09:30:00+02:00'"),
              "2024-02-29|09:30:00.5|2024-05-01T09:30:12.25|2024-05-01T09:30:12|2024-05-01T09:30:12.125|"
              "2024-05-01T09:30:12.000000001|2024-05-01T07:30:00Z\n");
    CHECK_STR(records("SELECT 'short', 'a text of more than twelve bytes', 'b'::ENUM('a', 'b'), "
                      "'12345678-9abc-def0-1234-56789abcdef0'::UUID, NULL, 'nan'::DOUBLE, 'inf'::DOUBLE"),
              "short|a text of more than twelve bytes|b|12345678-9abc-def0-1234-56789abcdef0|||infinity\n");
}

/* More rows than a chunk has, some of them missing, in their order. */
TEST(chunks)
{
    odim_table *t =
        read_sql("SELECT CASE WHEN i % 3 = 0 THEN NULL ELSE i * 0.5 END AS a, i AS b FROM range(10000) t(i)");
    REQUIRE(t);
    CHECK_INT(odim_table_rows(t), 10000);
    for (int64_t i = 0; i < 10000; i++) {
        double a = odim_table_value(t, i, 0);
        if (i % 3 ? a != (double)i * 0.5 : !isnan(a)) TEST_SAY("row %d is %g", (int)i, a);
        if (odim_table_value(t, i, 1) != (double)i) TEST_SAY("row %d is out of order", (int)i);
    }
    odim_table_free(t);
}

/* The same cells as from CSV, with the same types, whether texts are kept or not. */
TEST(same_as_csv)
{
    char sql[500];
    const char *const marker[] = {"1700000005", NULL};
    REQUIRE(make_parquet("t.parquet",
                         "SELECT i / 8 AS x, i % 7 AS n, ['red', 'blue'][1 + i % 2] AS c, i % 3 = 0 AS f, "
                         "DATE '2024-01-01' + i::INTEGER AS d, 1700000000 + i * 5 AS created, "
                         "if(i % 5 = 0, NULL, i / 10)::FLOAT AS g, (i * 1.25)::DECIMAL(9,2) AS m "
                         "FROM range(100) t(i)"));
    snprintf(sql, sizeof sql, "COPY (FROM '%s') TO '%s'", in_scratch("t.parquet"), in_scratch("t.csv"));
    REQUIRE(RUN_SQL(NULL, sql));
    for (int keep = 0; keep < 2; keep++) {
        odim_read_options o = {.keep = keep, .na = keep ? marker : NULL};
        odim_table *a = read_with(in_scratch("t.parquet"), o), *b = read_with(in_scratch("t.csv"), o);
        REQUIRE(a && b);
        CHECK_INT(odim_table_rows(a), 100);
        REQUIRE(odim_table_cols(a) == odim_table_cols(b));
        for (int64_t k = 0; k < odim_table_cols(a); k++) {
            CHECK_STR(odim_table_name(a, k), odim_table_name(b, k));
            CHECK_INT(odim_table_type(a, k), odim_table_type(b, k));
            for (int64_t i = 0; i < 100; i++) {
                double x = odim_table_value(a, i, k), y = odim_table_value(b, i, k);
                if (x != y && !(isnan(x) && isnan(y)))
                    TEST_SAY("row %d, column %s: %g and %g", (int)i, odim_table_name(a, k), x, y);
            }
        }
        odim_table_free(a);
        odim_table_free(b);
    }
}

TEST(several_files)
{
    REQUIRE(make_parquet("part-1.parquet", "SELECT i + 0.5 AS x FROM range(3) t(i)") &&
            make_parquet("part-2.parquet", "SELECT i + 10.5 AS x FROM range(2) t(i)") &&
            make_parquet("odd[1].parquet", "SELECT 7.5 AS x"));
    expect_table(read_with(in_scratch("part-*.parquet"), (odim_read_options){0}), 5, 1,
                 (double[]){0.5, 1.5, 2.5, 10.5, 11.5});
    /* A file of that name is not a pattern. */
    expect_table(read_with(in_scratch("odd[1].parquet"), (odim_read_options){0}), 1, 1, (double[]){7.5});
    CHECK(od_duckdb_is_pattern("a/*.parquet") && od_duckdb_is_pattern("a?.PARQUET"));
    CHECK(!od_duckdb_is_pattern("a.parquet") && !od_duckdb_is_pattern("*.csv"));
    CHECK(!read_with(in_scratch("none-*.parquet"), (odim_read_options){0}));
    CHECK(strstr(err.msg, "No files found"));
}

TEST(database)
{
    const char *one = in_scratch("one.duckdb"), *two = in_scratch("two.duckdb");
    REQUIRE(RUN_SQL(one, "CREATE TABLE \"a \"\"b\" AS SELECT i + 0.25 AS x FROM range(4) t(i)"));
    REQUIRE(RUN_SQL(two, "CREATE TABLE first AS SELECT 1.5 AS x", "CREATE TABLE second AS SELECT 2.5 AS x",
                    "CREATE VIEW third AS SELECT x + 1 AS x FROM second"));
    expect_table(read_with(one, (odim_read_options){0}), 4, 1, (double[]){0.25, 1.25, 2.25, 3.25});
    expect_table(read_with(two, (odim_read_options){.table = "second"}), 1, 1, (double[]){2.5});
    expect_table(read_with(two, (odim_read_options){.table = "third"}), 1, 1, (double[]){3.5});
    expect_table(read_with(two, (odim_read_options){.sql = "SELECT a.x + b.x AS y FROM first a, second b"}),
                 1, 1, (double[]){4.0});
    CHECK(!read_with(two, (odim_read_options){0}));
    CHECK(strstr(err.msg, "it has 3 tables: choose one (set table): first, second, third"));
    CHECK(!read_with(two, (odim_read_options){.table = "fourth"}) && strstr(err.msg, "does not exist"));
    CHECK(!read_with(two, (odim_read_options){.table = "first", .sql = "SELECT 1"}));
    CHECK(strstr(err.msg, "either a table is read or a query, not both"));
    const char *none = in_scratch("none.duckdb");
    REQUIRE(RUN_SQL(none, "CREATE TABLE t(x DOUBLE)", "DROP TABLE t"));
    CHECK(!read_with(none, (odim_read_options){0}) && strstr(err.msg, "it has no tables"));
}

TEST(other_columns)
{
    const char *sql =
        "SELECT i + 0.5 AS x, 'ab'::BLOB AS raw, [i] AS list, {'k': i} AS st FROM range(3) t(i)";
    CHECK(!read_sql(sql));
    CHECK_STR(err.msg,
              "<sql>: column 'list' is a LIST, which is not a single value: ignore it, or select parts "
              "of it with SQL");
    odim_table *t = read_with("", (odim_read_options){.sql = sql, .ignore = NAMES("list", "st")});
    REQUIRE(t);
    CHECK_STR(odim_table_note(t, 0), "column 'raw' has bytes (BLOB): left out");
    expect_table(t, 3, 1, (double[]){0.5, 1.5, 2.5});
    expect_table(read_with("", (odim_read_options){.sql = sql, .only = NAMES("x")}), 3, 1,
                 (double[]){0.5, 1.5, 2.5});
    CHECK(!read_sql("SELECT 'a' || chr(0) || 'b' AS x"));
    CHECK_STR(err.msg, "<sql>: row 1, column 1: it has a zero byte or is not valid");
    CHECK(!read_sql("SELECT 'inf'::DOUBLE AS x FROM range(30)") && strstr(err.msg, "infinity"));
}

TEST(errors)
{
    char sql[300];
    static unsigned char packed[] = "PAR1\x15more";
    CHECK(!read_sql("SELEC 1") && strstr(err.msg, "<sql>: Parser Error: syntax error"));
    CHECK(!read_sql("CREATE TABLE t(x INTEGER)") && strstr(err.msg, "must be a SELECT"));
    CHECK(!read_sql("SELECT 1; SELECT 2"));
    CHECK(!read_sql("SELECT 1 AS x WHERE false") && strstr(err.msg, "no rows"));
    CHECK(!read_sql("SELECT error('stop here') FROM range(5000)") && strstr(err.msg, "stop here"));
    CHECK_INT(odim_table_read_memory(&(odim_table *){0}, packed, sizeof packed, "m.parquet", NULL, &err),
              ODIM_ERR_FORMAT);
    CHECK(strncmp(err.msg, "m.parquet: ", 11) == 0);
    bytes gz = {0};
    put_gzip(&gz, packed, sizeof packed);
    CHECK_INT(odim_table_read_memory(&(odim_table *){0}, gz.p, gz.len, "m.parquet", NULL, &err),
              ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "m.parquet: Parquet and DuckDB files cannot be read from a pipe or packed; save it "
                       "as a plain file first");
    drop(&gz);

    REQUIRE(make_parquet("cut.parquet", "SELECT i * 0.1 AS x FROM range(1000) t(i)"));
    CHECK(!read_with(in_scratch("cut.parquet"), (odim_read_options){.sql = "SELECT 1"}));
    CHECK(strstr(err.msg, "a query names its files itself"));
    CHECK(!read_with(in_scratch("cut.parquet"), (odim_read_options){.table = "t"}));
    CHECK(truncate(in_scratch("cut.parquet"), 2000) == 0);
    CHECK(!read_with(in_scratch("cut.parquet"), (odim_read_options){.bad_rows = ODIM_BAD_ROWS_SKIP}));
    CHECK(strstr(err.msg, "cut.parquet: "));
    write_text(in_scratch("t.txt"), "x\n1\n2\n");
    snprintf(sql, sizeof sql, "SELECT * FROM '%s'", in_scratch("t.txt"));
    CHECK(!read_with(in_scratch("t.txt"), (odim_read_options){.sql = sql}));
}

/* The environment names the library. */
TEST(library)
{
    od_ddb_api api;
    char before[1000] = "";
    if (getenv("ODIM_DUCKDB")) snprintf(before, sizeof before, "%s", getenv("ODIM_DUCKDB"));
    setenv("ODIM_DUCKDB", "/no/such/libduckdb.so", 1);
    CHECK_INT(od_ddb_load(&api, &err), ODIM_ERR_SYSTEM);
    CHECK_STR(err.msg, "libduckdb cannot be loaded from '/no/such/libduckdb.so', which ODIM_DUCKDB names");
    setenv("ODIM_DUCKDB", "libm.so.6", 1);
    CHECK_INT(od_ddb_load(&api, &err), ODIM_ERR_SYSTEM);
    CHECK(strstr(err.msg, "libduckdb has no function duckdb_"));
    if (*before)
        setenv("ODIM_DUCKDB", before, 1);
    else
        unsetenv("ODIM_DUCKDB");
}

TEST(allocations)
{
    odim_status status;
    const odim_read_options o = {
        .size = sizeof o,
        .sql = "SELECT i * 0.5 AS x, 'b'::ENUM('a', 'b') AS e, 'z'::BLOB AS raw FROM range(30) t(i)"};
    /* Giving back memory at the end may fail. */
    EACH_ALLOCATION_FAILS_BUT(status, 12, 1)
    {
        odim_table *t = NULL;
        status = odim_table_read(&t, "", &o, &err);
        odim_table_free(t);
    }
}

int main(void)
{
    static const char why[] = "no libduckdb";
    bool there = duckdb_is_there();
    scratch_make();
    RUN_IF(there, every_type, why);
    RUN_IF(there, chunks, why);
    RUN_IF(there, same_as_csv, why);
    RUN_IF(there, several_files, why);
    RUN_IF(there, database, why);
    RUN_IF(there, other_columns, why);
    RUN_IF(there, errors, why);
    RUN(library);
    RUN_IF(there, allocations, why);
    return test_end();
}
