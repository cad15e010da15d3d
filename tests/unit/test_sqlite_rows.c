/* tests: sqlite_rows sqlite_db sqlite_input. Tables and queries of SQLite databases. */
#include "io/sqlite_rows.h"

#include <sqlite3.h>

#include "base/poll.h"
#include "common/numtext.h"
#include "prep/read.h"
#include "scratch.h"
#include "starve.h"
#include "tables.h"

/* Makes a database from SQL, and returns its path. */
static const char *make(const char *name, const char *sql)
{
    sqlite3 *db;
    const char *path = in_scratch(name);
    remove(path);
    if (sqlite3_open(path, &db) ||
        sqlite3_exec(db, "PRAGMA page_size = 512; PRAGMA synchronous = 0", 0, 0, 0))
        abort();
    if (sqlite3_exec(db, sql, 0, 0, 0)) TEST_SAY("%s", sqlite3_errmsg(db));
    sqlite3_close(db);
    return path;
}

static odim_table *read_path(const char *path, odim_read_options o)
{
    odim_table *t;
    o.size = sizeof o;
    return odim_table_read(&t, path, &o, &err) ? NULL : t;
}

#define READ_DB(path, ...)  read_path(path, (odim_read_options){.id = "", __VA_ARGS__})
#define READ_DB_PLAIN(path) READ_DB(path, .format = NULL)

/* The message without the path in front of it. */
static void expect_failure(odim_table *t, odim_status status, const char *msg)
{
    const char *at = strstr(err.msg, ".db: ");
    CHECK(!t);
    odim_table_free(t);
    if (t) return;
    CHECK_INT(err.status, status);
    CHECK_STR(at ? at + 5 : err.msg, msg);
}

#define MIXED                                                                                                \
    "CREATE TABLE t (n INTEGER, x REAL, word TEXT, day TEXT);"                                               \
    "INSERT INTO t VALUES (9007199254740993, 0.1, 'red', '2024-05-01');"                                     \
    "INSERT INTO t VALUES (-5, 1e15, 'blue, \"dark\"', '2024-05-02');"                                       \
    "INSERT INTO t VALUES (NULL, -2.5, NULL, NULL);"

TEST(cells)
{
    const char *path = make("cells.db", MIXED);
    expect_text(READ_DB(path, .categorical = (const char *const[]){"word", NULL}),
                "9007199254740992|0.1|red|2024-05-01;-5|1000000000000000|blue, \"dark\"|2024-05-02;|-2.5||");
    odim_table *t = READ_DB(path, .keep = 1);
    REQUIRE(t);
    CHECK_STR(odim_table_kept_name(t, 2), "word");
    CHECK_STR(odim_table_kept(t, 0, 0), "9007199254740993");
    CHECK_STR(odim_table_kept(t, 0, 1), "0.1");
    CHECK_STR(odim_table_kept(t, 2, 0), "");
    CHECK(odim_table_value(t, 0, 1) == 0.1 && odim_table_value(t, 1, 1) == 1e15);
    CHECK_INT(odim_table_type(t, 3), ODIM_TIME);
    odim_table_free(t);
}

/* All doubles come back as they are. */
TEST(reals)
{
    od_records *r;
    od_record rec;
    sqlite3 *db;
    sqlite3_stmt *insert;
    const char *path = make("reals.db", "CREATE TABLE t (a, b, c, d, e)");
    const double want[] = {1.0 / 3, 4.9406564584124654e-324, 1.7976931348623157e308, INFINITY, -INFINITY};
    REQUIRE(!sqlite3_open(path, &db));
    REQUIRE(!sqlite3_prepare_v2(db, "INSERT INTO t VALUES (?, ?, ?, ?, ?)", -1, &insert, NULL));
    for (int k = 0; k < 5; k++) sqlite3_bind_double(insert, k + 1, want[k]);
    CHECK_INT(sqlite3_step(insert), SQLITE_DONE);
    sqlite3_finalize(insert);
    sqlite3_close(db);
    REQUIRE(!od_sqlite_open(&r, path, (od_sqlite_choice){0}, NULL, &err));
    REQUIRE(!r->next(r, &rec, &err));
    CHECK_INT(rec.count, 5);
    CHECK(rec.row == 1 && rec.line == 0);
    for (int k = 0; k < 3; k++) {
        double value;
        CHECK_INT(od_num_parse(rec.fields[k].text, rec.fields[k].len, &value), OD_NUM_OK);
        CHECK(value == want[k]);
    }
    CHECK(rec.fields[3].len == 3 && memcmp(rec.fields[3].text, "inf", 3) == 0);
    CHECK(rec.fields[4].len == 4 && memcmp(rec.fields[4].text, "-inf", 4) == 0);
    for (int i = 0; i < 2; i++) {
        REQUIRE(!r->next(r, &rec, &err));
        CHECK_INT(rec.count, 0); /* the end stays the end */
    }
    REQUIRE(!r->rewind(r, &err) && !r->next(r, &rec, &err));
    CHECK(rec.count == 5 && rec.row == 1);
    od_records_close(r);
}

#define SHOP                                                                                                 \
    "CREATE TABLE orders (a, b); INSERT INTO orders VALUES (1, 2), (3, 4), (5, 6);"                          \
    "CREATE TABLE customers (c); INSERT INTO customers VALUES (7);"                                          \
    "CREATE VIEW large AS SELECT * FROM orders WHERE a > 1;"

TEST(choice)
{
    const char *path = make("choice.db", SHOP);
    EXPECT_TABLE(READ_DB(path, .table = "orders"), 3, 2, 1, 2, 3, 4, 5, 6);
    EXPECT_TABLE(READ_DB(path, .table = "ORDERS"), 3, 2, 1, 2, 3, 4, 5, 6);
    EXPECT_TABLE(READ_DB(path, .table = "large"), 2, 2, 3, 4, 5, 6);
    EXPECT_TABLE(READ_DB(path, .sql = "SELECT b - a AS d, c FROM orders, customers;"), 3, 2, 1, 7, 1, 7, 1,
                 7);
    expect_failure(READ_DB_PLAIN(path), ODIM_ERR_DATA,
                   "it has several tables; choose one (set table): orders (3 rows), customers (1 row), "
                   "view large (2 rows)");
    expect_failure(READ_DB(path, .table = "order"), ODIM_ERR_DATA,
                   "there is no table 'order'; did you mean 'orders'?");
    expect_failure(
        READ_DB(path, .table = "x"), ODIM_ERR_DATA,
        "there is no table 'x'; there are orders (3 rows), customers (1 row), view large (2 rows)");
    expect_failure(READ_DB(path, .table = "orders", .sql = "SELECT 1"), ODIM_ERR_PARAM,
                   "rows are those of a table or of a query, not of both");
    path = make("one.db", "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2); CREATE VIEW v AS SELECT 1;");
    EXPECT_TABLE(READ_DB_PLAIN(path), 2, 1, 1, 2);
    expect_failure(READ_DB(path, .table = "other"), ODIM_ERR_DATA,
                   "there is no table 'other'; there are t (2 rows), view v (1 row)");
    path = make("none.db", "CREATE TABLE t (a); DROP TABLE t;");
    expect_failure(READ_DB_PLAIN(path), ODIM_ERR_DATA, "the database has no tables");
    path = make("empty.db", "CREATE TABLE t (a)");
    expect_failure(READ_DB_PLAIN(path), ODIM_ERR_DATA, "there is a header and no rows below it");
}

TEST(many_tables)
{
    char sql[4096] = "";
    for (int i = 0; i < 40; i++)
        snprintf(sql + strlen(sql), sizeof sql - strlen(sql), "CREATE TABLE \"a long name %d\" (x);", i);
    CHECK(!READ_DB_PLAIN(make("many.db", sql)));
    CHECK(strstr(err.msg, "'") == NULL && strstr(err.msg, "a long name 0 (0 rows), ") != NULL);
    CHECK(strstr(err.msg, " and 3") && strcmp(strrchr(err.msg, ' '), " more") == 0);
}

/* The order is that of the table, also where an index has all its columns. */
TEST(order)
{
    const char *path = make("order.db", "CREATE TABLE t (a INTEGER, b INTEGER);"
                                        "INSERT INTO t VALUES (3, 1), (1, 5), (2, 9);"
                                        "CREATE INDEX i ON t (a, b); ANALYZE;");
    EXPECT_TABLE(READ_DB(path, .table = "t"), 3, 2, 3, 1, 1, 5, 2, 9);
}

TEST(queries)
{
    static const char reads[] = "the query must only read: one SELECT statement";
    static const char one[] = "the query must be one statement, without others";
    const struct {
        const char *sql, *msg;
    } wrong[] = {{"DELETE FROM orders", reads},
                 {"INSERT INTO orders VALUES (1, 2) RETURNING a", reads},
                 {"ATTACH 'other.db' AS o", reads},
                 {"PRAGMA journal_mode = wal", reads},
                 {"COMMIT", reads},
                 {"VACUUM INTO 'other.db'", reads},
                 {"SELECT 1; SELECT 2", one},
                 {"SELECT 1; DROP TABLE orders", one},
                 {"SELECT 1; nonsense", one},
                 {"", "the query is empty"},
                 {" -- nothing\n", "the query is empty"},
                 {"SELECT :a", "the query has a parameter (':a'), which has no value"},
                 {"SELECT ?", "the query has a parameter ('?'), which has no value"},
                 {"SELEKT 1", "the query is wrong: near \"SELEKT\": syntax error"},
                 {"SELECT x FROM orders", "the query is wrong: no such column: x"},
                 {"SELECT a FROM ordes", "the query is wrong: no such table: ordes"}};
    const char *path = make("queries.db", SHOP);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        expect_failure(READ_DB(path, .sql = wrong[i].sql), ODIM_ERR_DATA, wrong[i].msg);
    EXPECT_TABLE(READ_DB(path, .sql = "SELECT a FROM orders ORDER BY a DESC; ; -- done"), 3, 1, 5, 3, 1);
    EXPECT_TABLE(READ_DB(path, .sql = "VALUES (1, 2), (3, 4)"), 2, 2, 1, 2, 3, 4);
    expect_failure(READ_DB(path, .sql = "SELECT a FROM orders", .only = (const char *const[]){"b", NULL}),
                   ODIM_ERR_DATA, "there is no column 'b'; there are a");
}

TEST(blobs)
{
    const char *path = make("blobs.db", "CREATE TABLE t (a, photo BLOB, raw, b);"
                                        "INSERT INTO t VALUES (1, NULL, x'00', 2), (3, NULL, NULL, 4)");
    odim_table *t = READ_DB_PLAIN(path);
    REQUIRE(t);
    CHECK_STR(odim_table_note(t, 0), "column 'photo' contains blobs: ignored");
    CHECK_STR(odim_table_note(t, 1), "column 'raw' contains blobs: ignored");
    EXPECT_TABLE(t, 2, 2, 1, 2, 3, 4);
    /* One that comes late, and a text that is not one. */
    path = make("late.db", "CREATE TABLE t (a, b);"
                           "WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 150)"
                           "INSERT INTO t SELECT x, x FROM c; UPDATE t SET b = x'00' WHERE a = 140");
    expect_failure(READ_DB_PLAIN(path), ODIM_ERR_FORMAT,
                   "row 140, column 'b' is a blob; leave the column out by a query (set sql)");
    CHECK(err.row == 139 && err.col == 1);
    t = READ_DB(path, .bad_rows = ODIM_BAD_ROWS_SKIP);
    REQUIRE(t);
    CHECK(odim_table_rows(t) == 149 && odim_table_skipped(t) == 1 && odim_table_row_number(t, 139) == 140);
    odim_table_free(t);
    path =
        make("zero.db", "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 'x'), (2, 'y' || char(0) || 'z')");
    expect_failure(READ_DB_PLAIN(path), ODIM_ERR_FORMAT, "row 2, column 'b': the text has a zero byte in it");
    path = make("only.db", "CREATE TABLE t (a BLOB); INSERT INTO t VALUES (1)");
    expect_failure(READ_DB_PLAIN(path), ODIM_ERR_DATA, "it has no columns");
}

TEST(texts)
{
    const char *path = make("texts.db", "CREATE TABLE t (a, b);"
                                        "INSERT INTO t VALUES (1, CAST(x'4BF66C6E' AS TEXT)), (2, 'Bonn')");
    expect_text(READ_DB_PLAIN(path), "1|K\xC3\xB6ln;2|Bonn");
    path = make("utf16.db", "PRAGMA encoding = 'UTF-16'; CREATE TABLE t (a, b);"
                            "INSERT INTO t VALUES (1, 'K\xC3\xB6ln'), (2, 'Bonn')");
    expect_text(READ_DB_PLAIN(path), "1|K\xC3\xB6ln;2|Bonn");
    /* A cell that is not what its column is. */
    path = make("cell.db", "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 'x'), ('y', 'z')");
    expect_failure(READ_DB(path, .numeric = (const char *const[]){"a", NULL}), ODIM_ERR_DATA,
                   "row 2, column 'a': 'y' is not a number");
    /* Two columns of one name. */
    odim_table *t = READ_DB(path, .sql = "SELECT 1 AS a, 2 AS a");
    REQUIRE(t);
    CHECK_STR(odim_table_name(t, 1), "a (2)");
    odim_table_free(t);
}

/* Names of files and tables with everything that has a meaning elsewhere. */
TEST(odd_names)
{
    const char *path = make("a ?b#c%41&d'e.db", "CREATE TABLE \"o\"\"dd; --'%s\" (a); INSERT INTO \"o\"\"dd; "
                                                "--'%s\" VALUES (1), (2)");
    EXPECT_TABLE(READ_DB_PLAIN(path), 2, 1, 1, 2);
    EXPECT_TABLE(READ_DB(path, .table = "o\"dd; --'%s"), 2, 1, 1, 2);
    char slashes[300];
    snprintf(slashes, sizeof slashes, "/%s", path);
    EXPECT_TABLE(READ_DB_PLAIN(slashes), 2, 1, 1, 2);
}

static bytes load(const char *path)
{
    bytes b = {0};
    char buf[4096];
    FILE *f = fopen(path, "rb");
    if (!f) abort();
    for (size_t n; (n = fread(buf, 1, sizeof buf, f)) > 0;) put(&b, buf, n);
    fclose(f);
    return b;
}

TEST(memory)
{
    bytes b = load(make("memory.db", SHOP));
    const odim_read_options o = {.size = sizeof o, .table = "orders"}, bare = {.size = sizeof bare};
    EXPECT_TABLE(read_bytes(&b, "m", &o), 3, 2, 1, 2, 3, 4, 5, 6);
    CHECK(!read_bytes(&b, "m", &bare));
    drop(&b);
    /* With a log, which memory cannot have; the bytes stay as they are. */
    b = load(make("log.db", "PRAGMA journal_mode = wal;" SHOP));
    CHECK_INT(b.p[18], 2);
    EXPECT_TABLE(read_bytes(&b, "m", &o), 3, 2, 1, 2, 3, 4, 5, 6);
    CHECK_INT(b.p[18], 2);
    drop(&b);
}

/* Another connection writes: the rows before that are seen, in both passes. */
TEST(active_log)
{
    sqlite3 *db;
    const char *path = make("active.db", "PRAGMA journal_mode = wal;" SHOP);
    od_records *r;
    od_record rec;
    REQUIRE(!sqlite3_open(path, &db));
    REQUIRE(!sqlite3_exec(db, "INSERT INTO customers VALUES (8)", 0, 0, 0));
    EXPECT_TABLE(READ_DB(path, .table = "customers"), 2, 1, 7, 8);
    REQUIRE(!od_sqlite_open(&r, path, (od_sqlite_choice){.table = "customers"}, NULL, &err));
    REQUIRE(!sqlite3_exec(db, "DELETE FROM customers", 0, 0, 0));
    for (int pass = 0; pass < 2; pass++) {
        int rows = 0;
        REQUIRE(!r->rewind(r, &err));
        while (!r->next(r, &rec, &err) && rec.count) rows++;
        CHECK_INT(rows, 2);
    }
    od_records_close(r);
    sqlite3_close(db);
}

TEST(locked)
{
    sqlite3 *db;
    const char *path = make("locked.db", SHOP);
    bytes before = load(path);
    REQUIRE(!sqlite3_open(path, &db));
    REQUIRE(!sqlite3_exec(db, "BEGIN EXCLUSIVE", 0, 0, 0));
    expect_failure(READ_DB(path, .table = "orders"), ODIM_ERR_IO,
                   "another program is writing to the database; try again later");
    sqlite3_close(db);
    EXPECT_TABLE(READ_DB(path, .table = "customers"), 1, 1, 7);
    bytes after = load(path);
    CHECK(before.len == after.len && memcmp(before.p, after.p, after.len) == 0);
    drop(&before);
    drop(&after);
}

TEST(damaged)
{
    const char *path = make("damaged.db", SHOP);
    bytes b = load(path);
    const odim_read_options o = {.size = sizeof o, .table = "orders"},
                            forced = {.size = sizeof forced, .format = "sqlite"};
    memset(b.p + 512, 0xA5, b.len - 512); /* all pages but the first */
    CHECK(!read_bytes(&b, "m", &o));
    CHECK_INT(err.status, ODIM_ERR_IO);
    CHECK(strstr(err.msg, "m: the database is damaged") == err.msg);
    memset(b.p + 16, 0xFF, 84);
    CHECK(!read_bytes(&b, "m", &o));
    CHECK_STR(err.msg, "m: it is not an SQLite database, or it is encrypted");
    drop(&b);
    bytes text = {(unsigned char *)"a,b\n1,2\n3,4\n", 12, 0};
    CHECK(!read_bytes(&text, "m", &forced));
    CHECK_INT(err.status, ODIM_ERR_FORMAT);
    CHECK(!read_bytes(&text, "m", &o));
    CHECK_STR(err.msg, "m: tables and queries are for databases, which it is not");
    CHECK(!od_sqlite_is("SQLite format 3", 15) && od_sqlite_is("SQLite format 3", 16));
}

static int stop(const odim_progress *now, void *user)
{
    (void)now, (void)user;
    return 1;
}

/* A query without end stops when the call is cancelled. */
TEST(cancelled)
{
    od_records *r;
    od_poll poll;
    const odim_hooks hooks = {.size = sizeof hooks, .progress = stop};
    const char *path = make("cancel.db", SHOP);
    const od_sqlite_choice choice = {
        .sql = "WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) FROM c"};
    od_poll_set_interval(0);
    od_poll_begin(&poll, &hooks, (odim_progress){0});
    CHECK_INT(od_sqlite_open(&r, path, choice, NULL, &err), ODIM_ERR_CANCELLED);
    od_poll_end(&poll);
    od_poll_set_interval(-1);
}

TEST(blocks)
{
    odim_reader *r;
    const odim_table *block;
    const char *path = make("blocks.db", SHOP);
    const odim_read_options o = {.size = sizeof o, .table = "orders"};
    int64_t rows = 0;
    REQUIRE(!odim_reader_open(&r, path, &o, &err));
    while (!odim_reader_next(r, 2, &block, &err) && odim_table_rows(block)) {
        CHECK(odim_table_value(block, 0, 0) == (double)(2 * rows + 1));
        rows += odim_table_rows(block);
    }
    CHECK_INT(rows, 3);
    odim_reader_free(r);
}

TEST(allocations)
{
    odim_status status;
    odim_table *t;
    const char *path = make("alloc.db", "CREATE TABLE t (a, b, c BLOB);"
                                        "INSERT INTO t VALUES (1, CAST(x'F6' AS TEXT), 1), (2, 'x', 2)");
    const odim_read_options o = {.size = sizeof o};
    EACH_ALLOCATION_FAILS_BUT(status, 10, 1)
    {
        status = odim_table_read(&t, path, &o, &err);
        CHECK(!status == !!t);
        odim_table_free(t);
    }
    bytes b = load(make("alloc.db", "PRAGMA journal_mode = wal;" SHOP));
    const odim_read_options orders = {.size = sizeof o, .table = "orders"};
    EACH_ALLOCATION_FAILS_BUT(status, 10, 1)
    {
        status = odim_table_read_memory(&t, b.p, b.len, "m", &orders, &err);
        odim_table_free(t);
    }
    drop(&b);
}

int main(void)
{
    scratch_make();
    RUN(cells);
    RUN(reals);
    RUN(choice);
    RUN(many_tables);
    RUN(order);
    RUN(queries);
    RUN(blobs);
    RUN(texts);
    RUN(odd_names);
    RUN(memory);
    RUN(active_log);
    RUN(locked);
    RUN(damaged);
    RUN(cancelled);
    RUN(blocks);
    RUN(allocations);
    return test_end();
}
