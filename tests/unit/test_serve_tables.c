/* tests: upload_store parsed choices. Uploads: what is understood of them, read again, limits and memory. */

#include <sqlite3.h>

#include "bytes.h"
#include "duckdb_sql.h"
#include "scratch.h"
#include "serve_fixture.h"
#include "starve.h"

static serve_tables *tables;

static void begin(const serve_limits *limits)
{
    CHECK_INT(serve_tables_new(&tables, limits, &why), ODIM_OK);
}

static void end(void)
{
    fresh();
    serve_tables_free(tables);
    tables = NULL;
}

/* The description of one column. */
static const char *column(const char *name)
{
    static char text[600];
    char start[100];
    snprintf(start, sizeof start, "{\"name\": \"%s\", ", name);
    const char *at = answer.bytes ? strstr(answer.bytes, start) : NULL, *stop = at ? strchr(at, '}') : NULL;
    snprintf(text, sizeof text, "%.*s", stop ? (int)(stop - at) + 1 : 0, at ? at : "");
    return text;
}

TEST(describes)
{
    char id[SERVE_ID];
    size_t size;
    char *text = german(&size);
    begin(NULL);
    upload(tables, "C:\\Daten/umsatz.csv", text, size, id);
    CHECK_INT(strlen(id), 32);
    CHECK(is_value("name", "\"umsatz.csv\""));
    CHECK_NEAR(number_of("bytes"), (double)size, 0);
    CHECK_NEAR(number_of("rows"), 300, 0);
    CHECK_STR(column("Nr"), "{\"name\": \"Nr\", \"role\": \"id\", \"type\": null, \"format\": \"\", "
                            "\"missing\": 0, \"why\": null, \"examples\": [\"A-1\", \"A-2\", \"A-3\"]}");
    CHECK_STR(column("Betrag"),
              "{\"name\": \"Betrag\", \"role\": \"feature\", \"type\": \"numeric\", \"format\": \"decimal "
              "comma, thousands point, EUR\", \"missing\": 1, \"why\": null, \"examples\": [\"95,04 €\", "
              "\"73,82 €\", \"74,06 €\"]}");
    CHECK(strstr(column("Datum"), "\"type\": \"time\", \"format\": \"day/month/year\""));
    CHECK(strstr(column("Ort"), "\"type\": \"categorical\""));
    CHECK_STR(column("Leer"),
              "{\"name\": \"Leer\", \"role\": \"ignored\", \"type\": \"numeric\", \"format\": \"decimal "
              "comma\", \"missing\": 300, \"why\": \"is empty\", \"examples\": []}");
    CHECK_INT(count_of("\"A-8\""), 1); /* the preview has eight rows */
    CHECK_INT(count_of("\"A-9\""), 0);
    CHECK(is_value("choices", "{}"));
    CHECK(is_value("options", "{\"id\": \"Nr\"}"));
    /* The same again, until it is deleted. */
    CHECK_INT(serve_tables_get(tables, id, fresh(), &why), ODIM_OK);
    CHECK_NEAR(number_of("rows"), 300, 0);
    CHECK_INT(serve_tables_delete(tables, id, &why), ODIM_OK);
    CHECK_INT(serve_tables_memory(tables, NULL), 0);
    CHECK(serve_tables_get(tables, id, fresh(), &why) != ODIM_OK);
    CHECK_INT(why.status, 404);
    CHECK(serve_tables_delete(tables, id, &why) != ODIM_OK);
    CHECK_INT(why.status, 404);
    free(text);
    end();
}

static void read_again(const char *id, const char *options, odim_status expected)
{
    char body[500];
    snprintf(body, sizeof body, "{\"options\": %s}", options);
    CHECK_INT(serve_tables_read(tables, id, body, strlen(body), fresh(), &why), expected);
}

TEST(reads_again)
{
    static const char text[] = "a;b;y;n\n1;2;0;x\n3;4;1;y\n5;6;0;x\n7;8;1;z\n";
    char id[SERVE_ID];
    begin(NULL);
    upload(tables, "t.csv", text, strlen(text), id);
    CHECK(strstr(column("y"), "\"role\": \"feature\""));
    read_again(id,
               "{\"label\": \"y\", \"ignore\": [\"n\"], \"types\": {\"b\": \"categorical\"}, \"id\": \"a\"}",
               ODIM_OK);
    CHECK(strstr(column("a"), "\"role\": \"id\""));
    CHECK(strstr(column("b"), "\"type\": \"categorical\""));
    CHECK(strstr(column("y"), "\"role\": \"label\""));
    CHECK(strstr(column("n"), "\"role\": \"ignored\""));
    CHECK(is_value("options", "{\"id\": \"a\", \"label\": \"y\", \"ignore\": [\"n\"], \"types\": {\"b\": "
                              "\"categorical\"}}"));
    /* A failure leaves it as it was; the options before do not count any more. */
    read_again(id, "{\"label\": \"no\"}", ODIM_ERR_DATA);
    CHECK_INT(why.status, 422);
    read_again(id, "{\"types\": {\"n\": \"numeric\"}}", ODIM_ERR_DATA);
    CHECK_INT(why.status, 422);
    CHECK_INT(why.row, 1);
    CHECK_INT(why.column, 4);
    CHECK_INT(serve_tables_get(tables, id, fresh(), &why), ODIM_OK);
    CHECK(strstr(column("y"), "\"role\": \"label\""));
    read_again(id, "{}", ODIM_OK);
    CHECK(strstr(column("y"), "\"role\": \"feature\""));
    /* As text without a header. */
    read_again(id, "{\"header\": false, \"delimiter\": \";\"}", ODIM_OK);
    CHECK_NEAR(number_of("rows"), 5, 0);
    CHECK(serve_tables_read(tables, "x", "{}", 2, fresh(), &why) != ODIM_OK);
    CHECK_INT(why.status, 404);
    end();
}

/* A text that cannot be read as it is stays, since other options may help; anything else goes. */
TEST(failed_uploads)
{
    static const char bad[] = "a,b,c\n1,2,3\n4,5\n6,7,8\n9,1,2\n";
    char id[SERVE_ID];
    begin(NULL);
    upload(tables, "bad.csv", bad, strlen(bad), id);
    CHECK_NEAR(number_of("rows"), 0, 0);
    CHECK(is_value("problem", "{\"type\": \"about:blank\""));
    CHECK(has("\"row\": 2"));
    read_again(id, "{\"bad_rows\": \"skip\"}", ODIM_OK);
    CHECK_NEAR(number_of("rows"), 3, 0);
    CHECK(!has("\"problem\""));
    int64_t before = serve_tables_memory(tables, NULL);
    CHECK(serve_tables_add(tables, "x", copy_of("\x89HDF\r\n\x1a\n\0\0", 10), 10, fresh(), &why) != ODIM_OK);
    CHECK_INT(why.status, 422);
    CHECK(serve_tables_add(tables, "", copy_of("", 0), 0, fresh(), &why) != ODIM_OK);
    CHECK_INT(why.status, 422);
    CHECK_INT(serve_tables_memory(tables, NULL), before);
    CHECK_INT(serve_tables_count(tables), 1);
    end();
}

TEST(limits)
{
    static const char text[] = "a,b\n1,2\n3,4\n5,6\n7,9\n";
    char id[3][SERVE_ID];
    begin(&(serve_limits){.rows = 3});
    CHECK(serve_tables_add(tables, "t", copy_of(text, strlen(text)), strlen(text), fresh(), &why) != ODIM_OK);
    CHECK_PROBLEM(413, "t: 4 rows are more than this server takes (3)");
    end();
    begin(&(serve_limits){.columns = 1});
    CHECK(serve_tables_add(tables, "t", copy_of(text, strlen(text)), strlen(text), fresh(), &why) != ODIM_OK);
    CHECK_PROBLEM(413, "t: 2 columns are more than this server takes (1)");
    end();
    begin(&(serve_limits){.memory = 20});
    CHECK(serve_tables_add(tables, "t", copy_of(text, strlen(text)), strlen(text), fresh(), &why) != ODIM_OK);
    CHECK_INT(why.status, 413);
    CHECK_INT(serve_tables_memory(tables, NULL), 0);
    end();
    /* Of three uploads two fit; the one that was used longest ago goes. */
    begin(&(serve_limits){.tables = 2});
    upload(tables, "1", text, strlen(text), id[0]);
    upload(tables, "2", text, strlen(text), id[1]);
    CHECK_INT(serve_tables_get(tables, id[0], fresh(), &why), ODIM_OK);
    upload(tables, "3", text, strlen(text), id[2]);
    CHECK_INT(serve_tables_count(tables), 2);
    CHECK_INT(serve_tables_get(tables, id[0], fresh(), &why), ODIM_OK);
    CHECK(serve_tables_get(tables, id[1], fresh(), &why) != ODIM_OK);
    end();
    /* The same by memory. */
    begin(NULL);
    upload(tables, "t", text, strlen(text), id[0]);
    int64_t each = serve_tables_memory(tables, NULL);
    end();
    begin(&(serve_limits){.memory = 2 * each + each / 2});
    for (int i = 0; i < 3; i++) upload(tables, "t", text, strlen(text), id[i]);
    CHECK_INT(serve_tables_count(tables), 2);
    CHECK(serve_tables_get(tables, id[0], fresh(), &why) != ODIM_OK);
    CHECK_INT(serve_tables_get(tables, id[2], fresh(), &why), ODIM_OK);
    end();
}

/* What a file unpacks to, and what tiny cells become, is limited before it is allocated. */
TEST(bombs)
{
    enum { ROWS = 2000000 };
    char *text = malloc(2 * ROWS);
    bytes gz = {0};
    REQUIRE(text);
    for (int i = 0; i < ROWS; i++) text[2 * i] = (char)('1' + i % 2), text[2 * i + 1] = '\n';
    put_gzip(&gz, text, 2 * ROWS);
    begin(&(serve_limits){.memory = 10 << 20});
    CHECK(serve_tables_add(tables, "b.csv", copy_of(text, 2 * ROWS), 2 * ROWS, fresh(), &why) != ODIM_OK);
    CHECK_INT(why.status, 413);
    CHECK(serve_tables_add(tables, "b.csv.gz", copy_of((char *)gz.p, gz.len), gz.len, fresh(), &why) !=
          ODIM_OK);
    CHECK_INT(why.status, 413);
    CHECK_INT(serve_tables_memory(tables, NULL), 0);
    end();
    drop(&gz);
    free(text);
}

/* ---- other formats ---------------------------------------------------------------------------------- */

TEST(sqlite)
{
    sqlite3 *db;
    size_t size;
    char id[SERVE_ID];
    const char *path = in_scratch("a.db");
    REQUIRE(sqlite3_open(path, &db) == SQLITE_OK);
    CHECK_INT(sqlite3_exec(db,
                           "CREATE TABLE one(a, b); INSERT INTO one VALUES (1, 2), (3, 4), (5, 7);"
                           "CREATE TABLE two(c); INSERT INTO two VALUES (1), (2)",
                           NULL, NULL, NULL),
              SQLITE_OK);
    sqlite3_close(db);
    char *file = file_bytes(path, &size);
    begin(NULL);
    upload(tables, "a.db", file, size, id); /* it has a choice to make */
    CHECK(is_value("choices", "{\"tables\": [\"one\", \"two\"]}"));
    CHECK(value_of("problem") != NULL);
    read_again(id, "{\"table\": \"one\"}", ODIM_OK);
    CHECK_NEAR(number_of("rows"), 3, 0);
    read_again(id, "{\"sql\": \"SELECT a + b AS s FROM one WHERE a > 1\"}", ODIM_OK);
    CHECK_NEAR(number_of("rows"), 2, 0);
    CHECK(has("\"examples\": [\"7\", \"12\"]"));
    read_again(id, "{\"sql\": \"ATTACH '/etc/passwd' AS x\"}", ODIM_ERR_DATA);
    end();
    free(file);
}

TEST(zip)
{
    char id[SERVE_ID];
    zip_maker z = {0};
    zip_add(&z, "a.csv", "x,y\n1,2\n3,4\n5,7\n", 16, 1);
    zip_add(&z, "sub/", "", 0, 0);
    zip_add(&z, "sub/b.csv", "z\n1\n2\n", 6, 0);
    zip_add(&z, "__MACOSX/sub/._b.csv", "x", 1, 0);
    bytes b = zip_end(&z);
    begin(NULL);
    upload(tables, "two.zip", (const char *)b.p, b.len, id);
    CHECK(is_value("choices", "{\"entries\": [\"a.csv\", \"sub/b.csv\"]}"));
    CHECK(value_of("problem") != NULL);
    read_again(id, "{\"entry\": \"sub/b.csv\"}", ODIM_OK);
    CHECK_NEAR(number_of("rows"), 2, 0);
    end();
    drop(&b);
}

TEST(json)
{
    static const char text[] = "[{\"a\": 1, \"b\": \"x\"}, {\"a\": 2}, {\"a\": 4, \"b\": \"y\"}]";
    char id[SERVE_ID];
    begin(NULL);
    upload(tables, "t.json", text, strlen(text), id);
    CHECK_NEAR(number_of("rows"), 3, 0);
    CHECK(strstr(column("b"), "\"missing\": 1"));
    end();
}

#define REL(id, type, target)                                                                                \
    "<Relationship Id=\"" id                                                                                 \
    "\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/" type                    \
    "\" Target=\"" target "\"/>"
#define RELS(LIST)                                                                                           \
    "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">" LIST            \
    "</Relationships>"
#define MAIN          "xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\""
#define SHEET(VALUES) "<worksheet " MAIN "><sheetData>" VALUES "</sheetData></worksheet>"

TEST(workbook)
{
    static const char *const members[][2] = {
        {"[Content_Types].xml", "<Types/>"},
        {"_rels/.rels", RELS(REL("rId1", "officeDocument", "xl/workbook.xml"))},
        {"xl/workbook.xml",
         "<workbook " MAIN "><sheets><sheet name=\"May\" sheetId=\"1\" r:id=\"rId1\"/><sheet "
         "name=\"June\" sheetId=\"2\" r:id=\"rId2\"/></sheets></workbook>"},
        {"xl/_rels/workbook.xml.rels", RELS(REL("rId1", "worksheet", "worksheets/sheet1.xml")
                                                REL("rId2", "worksheet", "worksheets/sheet2.xml"))},
        {"xl/worksheets/sheet1.xml", SHEET("<row r=\"1\"><c r=\"A1\"><v>1</v></c></row><row r=\"2\"><c "
                                           "r=\"A2\"><v>5</v></c></row>")},
        {"xl/worksheets/sheet2.xml", SHEET("<row r=\"1\"><c r=\"A1\"><v>7</v></c></row><row r=\"2\"><c "
                                           "r=\"A2\"><v>8</v></c></row><row r=\"3\"><c r=\"A3\"><v>9</v></c>"
                                           "</row>")}};
    char id[SERVE_ID];
    zip_maker z = {0};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        zip_add(&z, members[i][0], members[i][1], strlen(members[i][1]), 1);
    bytes b = zip_end(&z);
    begin(NULL);
    upload(tables, "book.xlsx", (const char *)b.p, b.len, id);
    CHECK(is_value("choices", "{\"sheets\": [\"May\", \"June\"]}"));
    CHECK_NEAR(number_of("rows"), 2, 0);
    read_again(id, "{\"sheet\": \"June\"}", ODIM_OK);
    CHECK_NEAR(number_of("rows"), 3, 0);
    end();
    drop(&b);
}

/* Uploads of databases and Parquet files never reach the disk; what they contain cannot read other files. */
TEST(duckdb)
{
    char id[SERVE_ID], copy[400], body[600];
    size_t size;
    const char *path = in_scratch("a.duckdb"), *parquet = in_scratch("a.parquet"),
               *secret = in_scratch("secret.csv");
    write_text(secret, "password\nhunter2\nswordfish\n");
    snprintf(copy, sizeof copy, "COPY one TO '%s'", parquet);
    char view[400];
    snprintf(view, sizeof view, "CREATE VIEW two AS SELECT * FROM read_csv('%s')", secret);
    REQUIRE(duckdb_run(
        path,
        NAMES("CREATE TABLE one(a INT, b INT)", "INSERT INTO one VALUES (1, 2), (3, 4), (5, 7)", view, copy),
        4));
    char *file = file_bytes(parquet, &size);
    begin(NULL);
    upload(tables, "a.parquet", file, size, id);
    CHECK_NEAR(number_of("rows"), 3, 0);
    CHECK(strstr(column("b"), "\"examples\": [\"2\", \"4\", \"7\"]"));
    free(file);
    file = file_bytes(path, &size);
    upload(tables, "a.duckdb", file, size, id);
    CHECK(is_value("choices", "{\"tables\": [\"one\", \"two\"]}"));
    read_again(id, "{\"table\": \"one\"}", ODIM_OK);
    CHECK_NEAR(number_of("rows"), 3, 0);
    read_again(id, "{\"sql\": \"SELECT a FROM one WHERE a > 1\"}", ODIM_OK);
    CHECK_NEAR(number_of("rows"), 2, 0);
    snprintf(body, sizeof body, "{\"options\": {\"sql\": \"SELECT * FROM read_csv('%s')\"}}", secret);
    CHECK(serve_tables_read(tables, id, body, strlen(body), fresh(), &why) != ODIM_OK);
    CHECK(strstr(why.detail, "Permission Error"));
    snprintf(body, sizeof body, "{\"options\": {\"table\": \"two\"}}");
    CHECK(serve_tables_read(tables, id, body, strlen(body), fresh(), &why) != ODIM_OK);
    CHECK(strstr(why.detail, "Permission Error"));
    free(file);
    end();
}

TEST(starved)
{
    static const char text[] = "a;b;y;n\n1;2,5;0;x\n3;4,5;1;y\n5;6,1;0;x\n7;8,2;1;z\n";
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 30)
    {
        status = serve_tables_new(&tables, NULL, &why);
        if (!status)
            status = serve_tables_add(tables, "t", copy_of(text, strlen(text)), strlen(text), fresh(), &why);
        if (status) CHECK_INT(why.status, 503);
        if (!status) {
            static const char body[] = "{\"options\": {\"label\": \"y\"}}";
            char id[SERVE_ID];
            id_of("table", id);
            status = serve_tables_read(tables, id, body, strlen(body), fresh(), &why);
        }
        if (status) CHECK_INT(why.status, 503);
        end();
    }
}

int main(void)
{
    scratch_make();
    RUN(describes);
    RUN(reads_again);
    RUN(failed_uploads);
    RUN(limits);
    RUN(bombs);
    RUN(sqlite);
    RUN(zip);
    RUN(json);
    RUN(workbook);
    RUN_IF(duckdb_is_there(), duckdb, "no libduckdb");
    RUN(starved);
    return test_end();
}
