/* tests: json_rows json_learn json_input name_index. Tables in JSON files. */
#include "io/json_rows.h"

#include "prep/json_input.h"
#include "prep/read.h"
#include "schemas.h"
#include "starve.h"

#define JSON(text, ...)                                                                                      \
    read_as(text, "t.json", (odim_read_options){.size = sizeof(odim_read_options), __VA_ARGS__})
#define JSONL(text, ...)                                                                                     \
    read_as(text, "t.jsonl", (odim_read_options){.size = sizeof(odim_read_options), __VA_ARGS__})

TEST(layouts)
{
    EXPECT_TABLE(JSON("[{\"a\":1,\"b\":2},{\"a\":3,\"b\":4}]", .header = 0), 2, 2, 1, 2, 3, 4);
    EXPECT_TABLE(JSON("[\n  {\n    \"a\": 1\n  },\n  {\n    \"a\": 3\n  }\n]\n", .header = 0), 2, 1, 1, 3);
    EXPECT_TABLE(JSON("{\"data\":[{\"a\":1},{\"a\":3}]}", .header = 0), 2, 1, 1, 3);
    EXPECT_TABLE(
        JSON("{\"n\":2,\"a\":\"x\",\"u\":{\"v\":[{}]},\"keys\":[\"a\"],\n\"rows\":[{\"a\":1},{\"a\":3}],"
             "\"z\":[],\"y\":{\"k\":[{}]},\"q\":7}",
             .header = 0),
        2, 1, 1, 3);
    EXPECT_TABLE(JSON("{\"a\":1}\n{\"a\":3}\n", .header = 0), 2, 1, 1, 3);
    EXPECT_TABLE(JSON("{\n\"a\":1\n}\n{\"a\":3}{\"a\":5}", .header = 0), 3, 1, 1, 3, 5);
    EXPECT_TABLE(JSONL("\n{\"a\":1}\r\n\n{\"a\":3}", .header = 0), 2, 1, 1, 3);
    /* By the content; a CSV file may begin alike. */
    EXPECT_TABLE(READ_PLAIN(" [ {\"a\":1}, {\"a\":3} ]"), 2, 1, 1, 3);
    EXPECT_TABLE(READ_PLAIN("\xEF\xBB\xBF{\"a\":1}\n{\"a\":3}"), 2, 1, 1, 3);
    EXPECT_TABLE(READ_PLAIN("[a],b\n1,2\n"), 1, 2, 1, 2);
    EXPECT_TABLE(READ_PLAIN("{\"a\",b}\n1,2\n"), 1, 2, 1, 2);
    EXPECT_TABLE(READ("[{\"a\":1}]", .format = "json"), 1, 1, 1);
    EXPECT_TABLE(READ("{\"a\":1}\n", .format = "jsonl"), 1, 1, 1);
}

/* Lines of objects, the first of which has an array of objects. */
TEST(lines_with_arrays)
{
    static const char lines[] = "{\"a\":1,\"t\":[]}\n{\"a\":3,\"t\":[{\"k\":1}]}\n",
                      two[] = "{\"a\":1,\"t\":[{}],\"u\":[{}]}\n{\"a\":3}\n";
    EXPECT_TABLE(READ(lines, .ignore = NAMES("t")), 2, 1, 1, 3);
    EXPECT_TABLE(READ(two, .ignore = NAMES("t", "u")), 2, 1, 1, 3);
    expect_error(READ(lines, .header = 0), ODIM_ERR_FORMAT, 1, 0,
                 "t.csv: row 1 (line 1): 't' is an array, which cannot be a cell; leave it out (set ignore)");
    expect_error(READ(two, .header = 0), ODIM_ERR_FORMAT, 1, 0,
                 "t.csv: row 1 (line 1): 't' is an array, which cannot be a cell; leave it out (set ignore)");
}

TEST(cells)
{
    odim_table *t = JSON("[{\"n\":-1.5e2,\"b\":true,\"s\":\"x, \\\"y\\\"\\u00e9\"},"
                         "{\"s\":\"z\",\"new\":{\"x\":1,\"y\":{\"z\":2}},\"n\":null},"
                         "{\"b\":false,\"new\":{\"y\":{},\"x\":\"4\"},\"n\":0.1}]",
                         .id = "");
    REQUIRE(t);
    CHECK_INT(t->d, 5);
    CHECK_STR(odim_table_name(t, 3), "new.x");
    CHECK_STR(odim_table_name(t, 4), "new.y.z");
    CHECK_INT(odim_table_type(t, 1), ODIM_BOOLEAN);
    CHECK_INT(odim_table_type(t, 3), ODIM_NUMERIC);
    CHECK(odim_table_value(t, 2, 0) == 0.1);
    expect_text(t, "-150|true|x, \"y\"\xC3\xA9||;||z|1|2;0.1|false||4|");
    t = JSON("[{\"day\":\"2024-01-02\",\"k\":1},{\"day\":\"2024-01-03\",\"k\":2}]", .keep = 1);
    REQUIRE(t);
    CHECK_INT(odim_table_type(t, 0), ODIM_TIME);
    CHECK_STR(odim_table_kept(t, 1, 0), "2024-01-03");
    odim_table_free(t);
    EXPECT_TABLE(
        JSON("[{\"a\":1,\"y\":1,\"t\":[1,[2,{}]]},{\"a\":2,\"y\":0}]", .label = "y", .ignore = NAMES("t")), 2,
        1, 1, 2);
}

TEST(errors)
{
    static const char head[] = "[{\"a\":1},\n";
    char text[200];
#define BAD(row, message, rest)                                                                              \
    snprintf(text, sizeof text, "%s%s", head, rest);                                                         \
    expect_error(JSON(text, .header = 0), ODIM_ERR_FORMAT, row, 0, "t.json: " message)
    BAD(2, "row 2 (line 2): 'tags' is an array, which cannot be a cell; leave it out (set ignore)",
        "{\"a\":2,\"tags\":[1,2]}]");
    BAD(2, "row 2 (line 2): 'u.v' is an array, which cannot be a cell; leave it out (set ignore)",
        "{\"u\":{\"v\":[]}}]");
    BAD(2, "row 2 (line 2): 'a' occurs twice", "{\"a\":2,\"a\":3}]");
    BAD(2, "row 2 (line 2): 'u.v' occurs twice", "{\"u\":{\"v\":1},\"u.v\":3}]");
    BAD(2, "row 2 (line 2): not an object but a number or a truth value", "3]");
    BAD(2, "row 2 (line 2): not an object but an array", "[3]]");
    BAD(2, "row 2 (line 2): not an object but null", "null]");
    BAD(2, "line 2, byte 15: expected a colon behind a key", "{\"a\"}]");
    BAD(2, "line 2, byte 17: the file ends within an object: it is truncated", "{\"a\":2");
    BAD(3,
        "line 2, byte 20: more behind the end of the table; if each line is an object, say so (set format to "
        "jsonl)",
        "{\"a\":2}] {}");
#undef BAD
    expect_error(JSON("[]", .header = 0), ODIM_ERR_DATA, 0, 0, "t.json: it has no rows");
    expect_error(JSON("{\"rows\":[]}", .header = 0), ODIM_ERR_DATA, 0, 0, "t.json: it has no rows");
    expect_error(JSON("  ", .header = 0), ODIM_ERR_DATA, 0, 0, "t.json: the file is empty");
    expect_error(JSONL("  ", .header = 0), ODIM_ERR_DATA, 0, 0, "t.jsonl: it has no rows");
    expect_error(JSON("[{}]", .header = 0), ODIM_ERR_DATA, 0, 0, "t.json: it has no rows");
    expect_error(JSON("12", .header = 0), ODIM_ERR_FORMAT, 1, 0,
                 "t.json: it is JSON, but neither an array of objects nor an object");
    expect_error(JSON("a,b\n1,2\n", .header = 0), ODIM_ERR_FORMAT, 1, 0,
                 "t.json: line 1, byte 2: 'a' before it is not JSON");
    expect_error(JSON("[[1,2],[3,4]]", .header = 0), ODIM_ERR_FORMAT, 1, 0,
                 "t.json: row 1 (line 1): not an object but an array");
    expect_error(JSON("{\"x\":[{\"a\":1}],\"y\":[{\"a\":1}]}", .header = 0), ODIM_ERR_DATA, 0, 0,
                 "t.json: line 1: 'y' is a second array of objects; only one can be the table");
    expect_error(JSON("{\"a\":{\"0\":1,\"1\":2},\"b\":{\"0\":1,\"1\":2}}", .header = 0), ODIM_ERR_DATA, 0, 0,
                 "t.json: it is one object of columns; write an array of rows (pandas: orient='records')");
    expect_error(JSONL("[1]\n", .header = 0), ODIM_ERR_FORMAT, 1, 0,
                 "t.jsonl: row 1 (line 1): not an object but an array");
}

TEST(bad_rows)
{
    static const char lines[] = "{\"a\":1}\n{\"a\":\n{\"a\":[1]}\n\"x\"\n{\"a\":2} 3\n{\"a\":4}\n";
    odim_table *t = JSONL(lines, .bad_rows = ODIM_BAD_ROWS_SKIP);
    REQUIRE(t);
    CHECK_INT(t->skipped, 4);
    CHECK_INT(od_table_row(t, 1), 5);
    CHECK_INT(od_table_row(t, 2), 7);
    CHECK_STR(od_strlist_at(&t->notes, 0), "skipped: line 2, byte 14: the line ends within a value");
    expect_table(t, 3, 1, (double[]){1, 2, 4});
    t = JSONL(lines, .bad_rows = ODIM_BAD_ROWS_CALL);
    expect_table(t, 7, 1, (double[]){1, NAN, NAN, NAN, 2, NAN, 4});
    expect_error(JSONL("{\"a\":1e999}\n{\"a\":\n", .bad_rows = ODIM_BAD_ROWS_SKIP), ODIM_ERR_DATA, 0, 0,
                 "t.jsonl: no row is left: all 2 are bad and were skipped");
    /* The first as well, and also where only the content shows that there are lines. */
    static const char first[] = "{\"a\":}\n{\"a\":1,\"a\":1}\n{\"a\":4}\n";
    expect_table(JSONL(first, .bad_rows = ODIM_BAD_ROWS_SKIP), 1, 1, (double[]){4});
    expect_table(READ(first, .bad_rows = ODIM_BAD_ROWS_CALL), 3, 1, (double[]){NAN, NAN, 4});
    expect_error(READ(first, .header = 0), ODIM_ERR_FORMAT, 1, 0,
                 "t.csv: line 1, byte 6: expected a value, found '}'");
    /* In an array, a row that is bad in itself can be left out, and malformed text cannot. */
    t = JSON("[{\"a\":1},{\"a\":[1]},7,{\"a\":4}]", .bad_rows = ODIM_BAD_ROWS_SKIP);
    expect_table(t, 2, 1, (double[]){1, 4});
    expect_error(JSON("[{\"a\":1},{\"a\"},{\"a\":4}]", .bad_rows = ODIM_BAD_ROWS_SKIP), ODIM_ERR_DATA, 2, 0,
                 "t.json: line 1, byte 14: expected a colon behind a key");
    expect_error(JSON("[{\"a\":1},{\"a\":4}", .bad_rows = ODIM_BAD_ROWS_SKIP), ODIM_ERR_DATA, 3, 0,
                 "t.json: line 1, byte 17: the file ends within an array: it is truncated");
}

/* The fields of a record as "1|x||". */
static const char *show(const od_record *rec)
{
    static char text[200];
    size_t at = 0;
    for (size_t j = 0; j < rec->count; j++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%.*s|", (int)rec->fields[j].len,
                               rec->fields[j].text);
    return text;
}

/* What cannot be read ahead: the first object and the model say what the columns are. */
TEST(pipes)
{
    static const char text[] = "{\"x\":1,\"b\":2,\"t\":[1]}\n{\"b\":3,\"c\":4,\"d\":5}\n";
    od_source *src;
    od_records *r;
    od_record rec;
    const od_json_options o = {.needed = NAMES("b", "c")};
    REQUIRE(!od_source_plain(&src, text, sizeof text - 1, &err) && !od_json_rows_open(&r, src, &o, &err));
    CHECK_INT(r->names.count, 4);
    CHECK_STR(od_strlist_at(&r->names, 3), "c");
    CHECK(r->ready(r));
    CHECK(!r->next(r, &rec, &err) && rec.row == 1 && rec.line == 1);
    CHECK_STR(show(&rec), "1|2|||");
    CHECK(!r->next(r, &rec, &err) && rec.row == 2 && rec.line == 2 && rec.at == 22);
    CHECK_STR(show(&rec), "|3||4|");
    CHECK(!r->next(r, &rec, &err) && rec.count == 0);
    CHECK(!r->next(r, &rec, &err) && rec.count == 0);
    od_records_close(r);
    od_source_close(src);

    /* A first row that is bad. */
    static const char *const bad[] = {"{\"b\":}\n{\"b\":3,\"c\":4}\n", "{\"b\":[]}\n{\"b\":3,\"c\":4}\n"};
    for (size_t i = 0; i < 2; i++) {
        REQUIRE(!od_source_plain(&src, bad[i], strlen(bad[i]), &err) &&
                !od_json_rows_open(&r, src, &o, &err));
        CHECK_INT(r->names.count, 2);
        CHECK(r->ready(r));
        CHECK_INT(r->next(r, &rec, &err), ODIM_ERR_FORMAT);
        CHECK_STR(err.msg,
                  i ? "row 1 (line 1): 'b' is an array, which cannot be a cell; leave it out (set ignore)"
                    : "line 1, byte 6: expected a value, found '}'");
        CHECK(!r->next(r, &rec, &err) && rec.row == 2);
        CHECK_STR(show(&rec), "3|4|");
        od_records_close(r);
        od_source_close(src);
    }

    /* An array of objects in an object that has a column of the model. */
    static const char inner[] = "{\"b\":2,\"t\":[{\"c\":1}]}\n{\"b\":3,\"c\":4}\n";
    REQUIRE(!od_source_plain(&src, inner, sizeof inner - 1, &err) && !od_json_rows_open(&r, src, &o, &err));
    CHECK(!r->next(r, &rec, &err));
    CHECK_STR(show(&rec), "2|||");
    od_records_close(r);
    od_source_close(src);

    /* An object without any of them is another table. */
    const od_json_options others = {.needed = NAMES("e", "c")};
    REQUIRE(!od_source_plain(&src, "{\"x\":1}", 7, &err) && !od_json_rows_open(&r, src, &others, &err));
    CHECK_INT(r->names.count, 1);
    od_records_close(r);
    od_source_close(src);
}

/* With a model, what it does not use may be anything. */
TEST(like)
{
    od_schema s;
    odim_table *t = JSON("[{\"a\":1,\"b\":\"x\"},{\"a\":2,\"b\":\"y\"},{\"a\":3,\"b\":\"x\"}]", .id = ""),
               *again;
    REQUIRE(t);
    REQUIRE(!make_schema(&s, t, OD_SCALE_MINMAX));
    odim_table_free(t);
    static const char other[] = "[{\"b\":\"y\",\"t\":[]},{\"c\":7,\"a\":9}]";
    CHECK_INT(od_read_table(&again, "t.json", other, sizeof other - 1, NULL, &s, &err), ODIM_OK);
    expect_text(again, "|y;9|");
    static const char without[] = "[{\"a\":1},{\"a\":2}]";
    CHECK_INT(od_read_table(&again, "t.json", without, sizeof without - 1, NULL, &s, &err), ODIM_ERR_DATA);
    CHECK(strstr(err.msg, "'b'"));
    od_schema_free(&s);
}

/* More keys than the table of columns has room for at first, in changing order. */
TEST(many_keys)
{
    bytes b = {0};
    for (int i = 0; i < 3; i++) {
        put_text(&b, i ? ",{" : "[{");
        for (int k = 0; k < 500; k++) {
            char cell[40];
            int key = i == 1 ? 499 - k : k;
            snprintf(cell, sizeof cell, "%s\"k%d\":%d", k ? "," : "", key, key * 10 + i);
            put_text(&b, cell);
        }
        put_text(&b, "}");
    }
    put_text(&b, "]");
    odim_table *t =
        read_bytes(&b, "t.json", &(odim_read_options){.size = sizeof(odim_read_options), .id = ""});
    REQUIRE(t);
    CHECK(t->n == 3 && t->d == 500);
    for (int64_t i = 0; i < t->n; i++)
        for (int64_t j = 0; j < t->d; j++) CHECK(odim_table_value(t, i, j) == (double)(j * 10 + i));
    odim_table_free(t);
    b.len = 0;
    put_text(&b, "[{");
    for (int k = 0; k <= OD_JSON_COLUMNS_MOST; k++) {
        char cell[40];
        snprintf(cell, sizeof cell, "%s\"%d\":1", k ? "," : "", k);
        put_text(&b, cell);
    }
    put_text(&b, "}]");
    expect_error(read_bytes(&b, "t.json", NULL), ODIM_ERR_DATA, 0, 0,
                 "t.json: more than 65536 different keys");
    b.len = 0;
    put_text(&b, "[{\"");
    for (int k = 0; k < 5000; k++) put_text(&b, "k");
    put_text(&b, "\":1}]");
    expect_error(read_bytes(&b, "t.json", NULL), ODIM_ERR_FORMAT, 1, 0,
                 "t.json: row 1 (line 1): a key of more than 4095 bytes");
    drop(&b);
}

TEST(names)
{
    CHECK_INT(od_json_format("a.json", OD_FORMAT_CSV), OD_FORMAT_JSON);
    CHECK_INT(od_json_format("a.JSONL.gz", OD_FORMAT_CSV), OD_FORMAT_JSON_LINES);
    CHECK_INT(od_json_format("a.ndjson.zst", OD_FORMAT_CSV), OD_FORMAT_JSON_LINES);
    CHECK_INT(od_json_format("json", OD_FORMAT_CSV), OD_FORMAT_CSV);
    CHECK_INT(od_json_format("a.json.csv", OD_FORMAT_CSV), OD_FORMAT_CSV);
    static const char *const yes[] = {"[{\"a\":", "{\"a b", "{ \"a\\\"\" :1", "[", "[]\n", "{}", "\n{"};
    static const char *const no[] = {"", "a", "[1,2]", "{a", "{\"a\",", "[],1", "{\"a\nb\":1", "[\"a\"]"};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        CHECK(od_json_is((const unsigned char *)yes[i], strlen(yes[i])));
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        CHECK(!od_json_is((const unsigned char *)no[i], strlen(no[i])));
}

TEST(memory)
{
    static const char text[] = "[{\"a\":1,\"b\":\"x\"},{\"a\":2,\"c\":{\"d\":\"y\"},\"t\":[1]}]";
    odim_status status;
    odim_table *t;
    const odim_read_options o = {.size = sizeof o, .id = "", .ignore = NAMES("t")};
    EACH_ALLOCATION_FAILS_BUT(status, 15, 1)
    {
        status = odim_table_read_memory(&t, text, sizeof text - 1, "t.json", &o, &err);
        if (!status) odim_table_free(t);
    }
    const od_json_options pipe = {.needed = NAMES("a", "z")};
    EACH_ALLOCATION_FAILS(status, 7)
    {
        od_source *src;
        od_records *r = NULL;
        status = od_source_plain(&src, "{\"a\":1}", 7, &err);
        if (!status) status = od_json_rows_open(&r, src, &pipe, &err);
        od_records_close(r);
        od_source_close(src);
    }
}

int main(void)
{
    RUN(layouts);
    RUN(lines_with_arrays);
    RUN(cells);
    RUN(errors);
    RUN(bad_rows);
    RUN(pipes);
    RUN(like);
    RUN(many_keys);
    RUN(names);
    RUN(memory);
    return test_end();
}
