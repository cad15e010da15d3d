/* tests: json_parse. JSON, token by token. */
#include "io/json_parse.h"

#include "common/mem.h"
#include "bytes.h"
#include "starve.h"
#include "test.h"

static odim_error err;

/* The tokens as one text: { } [ ] k:key s:string n:number b:true 0 for null, with a blank between them. */
static odim_status trace_bytes(const bytes *in, bool lines, bytes *out)
{
    static const char marks[] = {0, '{', '}', '[', ']', 'k', 's', 'n', 'b', '0'};
    od_source *src = NULL;
    od_json *j = NULL;
    od_json_token t = {0};
    *out = (bytes){0};
    odim_status status = od_source_plain(&src, in->p, in->len, &err);
    if (!status) status = od_json_open(&j, src, &err);
    if (!status && lines) od_json_set_lines(j);
    while (!status && !(status = od_json_next(j, &t, &err)) && t.kind) {
        if (out->len) put_text(out, " ");
        put(out, &marks[t.kind], 1);
        if (t.kind >= OD_JSON_KEY && t.kind <= OD_JSON_BOOL) put_text(out, ":");
        put(out, t.text, t.len);
    }
    put(out, "", 1);
    od_json_close(j);
    od_source_close(src);
    return status;
}

static void expect(const char *text, const char *want)
{
    bytes out, in = {(unsigned char *)text, strlen(text), 0};
    odim_status status = trace_bytes(&in, false, &out);
    CHECK_STR(status ? err.msg : (char *)out.p, want);
    CHECK(status == ODIM_OK || status == ODIM_ERR_FORMAT);
    drop(&out);
}

TEST(values)
{
    expect("", "");
    expect(" \t\r\n ", "");
    expect("{}", "{ }");
    expect("\xEF\xBB\xBF[ ]", "[ ]");
    expect("{\"a\" : 1, \"b\":[true,false,null]}", "{ k:a n:1 k:b [ b:true b:false 0 ] }");
    expect("[-0, 0.50, 1e5, -12.25E-07, 123456789012345678901234567890]",
           "[ n:-0 n:0.50 n:1e5 n:-12.25E-07 n:123456789012345678901234567890 ]");
    expect("1 \"\" {}\n[]", "n:1 s: { } [ ]");
    expect("{\"a\":{\"b\":{\"c\":[[]]}}}", "{ k:a { k:b { k:c [ [ ] ] } } }");
}

TEST(strings)
{
    expect("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "s:\"\\/\b\f\n\r\t");
    expect("\"\\u0041\\u00e9\\u20AC\\ud83d\\uDE00\"", "s:A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
    expect("\"\xC3\xA9\x7F\"", "s:\xC3\xA9\x7F");
    expect("\"\\u0000\"", "line 1, byte 8: \\u0000 cannot be part of a table");
    expect("\"\\ud83d\"", "line 1, byte 8: half of a surrogate pair");
    expect("\"\\ud83dx\"", "line 1, byte 8: half of a surrogate pair");
    expect("\"\\ud83d\\u0041\"", "line 1, byte 14: half of a surrogate pair");
    expect("\"\\ude00\"", "line 1, byte 8: half of a surrogate pair");
    expect("\"\\u12g4\"", "line 1, byte 6: expected four hexadecimal digits behind \\u");
    expect("\"\\x41\"", "line 1, byte 3: unknown escape in a string");
    expect("\"a\tb\"", "line 1, byte 3: a control character in a string, which must be written as an escape");
    expect("[\n\"a\nb\"]", "line 2, byte 5: the line ends within a string");
    expect("\"abc", "line 1, byte 5: the file ends within a string");
    expect("\"abc\\", "line 1, byte 6: unknown escape in a string");
    expect("\"\xFF\"", "line 1, byte 4: the string before it is not UTF-8; name its encoding (set encoding)");
    expect("\"\xED\xA0\x80\"",
           "line 1, byte 6: the string before it is not UTF-8; name its encoding (set encoding)");
}

TEST(refused)
{
    static const char *const words[] = {"01",  "1.", ".5",   "+1",  "1e",    "-",        "0x10",
                                        "tru", "1a", "True", "nul", "1e+-1", "Truthful", "1.2.3"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char want[100];
        snprintf(want, sizeof want, "line 1, byte %zu: '%s' before it is not JSON", strlen(words[i]) + 1,
                 words[i]);
        expect(words[i], want);
    }
    expect("[NaN]", "line 1, byte 5: 'NaN' before it is not JSON; a missing value is null");
    expect("[-Infinity]", "line 1, byte 11: '-Infinity' before it is not JSON; a missing value is null");
    expect("[1,]", "line 1, byte 4: expected a value, found ']'");
    expect("[,1]", "line 1, byte 2: expected a value, found ','");
    expect("[1 2]", "line 1, byte 4: expected a comma or ']' behind a value");
    expect("[1}", "line 1, byte 3: expected a comma or ']' behind a value");
    expect("{\"a\" 1}", "line 1, byte 6: expected a colon behind a key");
    expect("{\"a\":}", "line 1, byte 6: expected a value, found '}'");
    expect("{\"a\":1,}", "line 1, byte 8: expected a key in quotes");
    expect("{a:1}", "line 1, byte 2: expected a key in quotes");
    expect("{\"a\":1]", "line 1, byte 7: expected a comma or '}' behind a value");
    expect("{\n\"a\":\n1", "line 3, byte 9: the file ends within an object: it is truncated");
    expect("{\"a\"", "line 1, byte 5: the file ends within an object: it is truncated");
    expect("{\"a\":1,", "line 1, byte 8: the file ends within an object: it is truncated");
    expect("{", "line 1, byte 2: the file ends within an object: it is truncated");
    expect("[1", "line 1, byte 3: the file ends within an array: it is truncated");
    expect("[1,", "line 1, byte 4: the file ends within a value: it is truncated");
    expect("// c\n1", "line 1, byte 1: expected a value, found '/'");
    expect("]", "line 1, byte 1: expected a value, found ']'");
    expect("\xEF\xBB[]", "line 1, byte 3: not JSON");
}

TEST(depth)
{
    char text[3 * OD_JSON_DEPTH] = "";
    memset(text, '[', OD_JSON_DEPTH);
    memset(text + OD_JSON_DEPTH, ']', OD_JSON_DEPTH);
    bytes out, in = {(unsigned char *)text, 2 * OD_JSON_DEPTH, 0};
    CHECK_INT(trace_bytes(&in, false, &out), ODIM_OK);
    drop(&out);
    memset(text, '[', sizeof text - 1);
    expect(text, "line 1, byte 65: more than 64 arrays and objects within each other");
}

/* Every kind of token across the end of the buffer. */
TEST(buffers)
{
    static const char item[] = "{\"key\":\"a\\u00e9\\n\xC3\xA9\", \"x\":-1.5e3,\"y\":false}";
    static const char want[] = "{ k:key s:a\xC3\xA9\n\xC3\xA9 k:x n:-1.5e3 k:y b:false }";
    for (size_t shift = 0; shift <= sizeof item; shift++) {
        bytes in = {0}, out;
        for (size_t i = 0; i < 65536 - shift; i++) put_text(&in, " ");
        put_text(&in, item);
        CHECK_INT(trace_bytes(&in, false, &out), ODIM_OK);
        CHECK_STR((char *)out.p, want);
        drop(&in);
        drop(&out);
    }
}

TEST(lines)
{
    static const char text[] = "{\"a\":1}\n\n{\"a\":\n{\"a\":\"x\n{\"a\":2} {\"a\":3}\n  {\"a\":4}";
    static const char *const faults[] = {"line 3, byte 15: the line ends within a value",
                                         "line 4, byte 23: the line ends within a string",
                                         "line 5, byte 32: more behind the value on its line"};
    od_source *src;
    od_json *j;
    od_json_token t = {.kind = OD_JSON_NULL};
    size_t fault = 0, objects = 0;
    REQUIRE(!od_source_plain(&src, text, sizeof text - 1, &err) && !od_json_open(&j, src, &err));
    od_json_set_lines(j);
    for (int round = 0; round < 2; round++) {
        t.kind = OD_JSON_NULL;
        for (fault = objects = 0; t.kind != OD_JSON_END;) {
            odim_status status = od_json_next(j, &t, &err);
            objects += !status && t.kind == OD_JSON_OBJECT_END;
            if (!status) continue;
            REQUIRE(fault < 3);
            CHECK_STR(err.msg, faults[fault++]);
            CHECK_INT(od_json_skip_line(j, &err), ODIM_OK);
            t.kind = OD_JSON_NULL;
        }
        CHECK_INT(fault, 3);
        CHECK_INT(objects, 3);
        CHECK(od_json_ready(j));
        CHECK_INT(od_json_rewind(j, &err), ODIM_OK);
    }
    od_json_close(j);
    od_source_close(src);
}

TEST(leave)
{
    static const char text[] = "[{\"a\":[1,[2]]},5]";
    od_source *src;
    od_json *j;
    od_json_token t;
    REQUIRE(!od_source_plain(&src, text, sizeof text - 1, &err) && !od_json_open(&j, src, &err));
    CHECK(!od_json_next(j, &t, &err) && !od_json_next(j, &t, &err) && t.kind == OD_JSON_OBJECT);
    CHECK_INT(od_json_depth(j), 2);
    CHECK_INT(od_json_leave(j, 2, &err), ODIM_OK);
    CHECK(!od_json_next(j, &t, &err) && t.kind == OD_JSON_NUMBER && t.at == 15);
    od_json_close(j);
    od_source_close(src);
}

TEST(memory)
{
    bytes out, in = {0};
    put_text(&in, "{\"a\":\"");
    for (int i = 0; i < 1000; i++) put_text(&in, "long ");
    put_text(&in, "\"}");
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 3)
    {
        status = trace_bytes(&in, false, &out);
        drop(&out);
    }
    drop(&in);
}

int main(void)
{
    RUN(values);
    RUN(strings);
    RUN(refused);
    RUN(depth);
    RUN(buffers);
    RUN(lines);
    RUN(leave);
    RUN(memory);
    return test_end();
}
