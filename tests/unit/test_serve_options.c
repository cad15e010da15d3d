/* tests: options ask problem text. What clients say about reading and fitting. */
#include "options.h"

#include "serve_fixture.h"
#include "starve.h"

/* The options as JSON, and as a command line. */
static const char *as_json(const serve_options *o, const char *id)
{
    serve_text_out to;
    serve_text_begin(&to, &why);
    cli_json j = {.out = &to.out, .line = true};
    cli_json_begin(&j, NULL, '{');
    serve_options_json(o, id, &j);
    cli_json_end(&j);
    serve_text_end(&to, fresh(), &why);
    return answer.bytes;
}

static const char *as_command(const serve_options *o)
{
    serve_text_out to;
    serve_text_begin(&to, &why);
    serve_options_command(o, to.out.file);
    serve_text_end(&to, fresh(), &why);
    return answer.bytes;
}

static const char full[] =
    "{\"table\": \"0123456789abcdef0123456789abcdef\", \"options\": {\"id\": \"Nr\", \"label\": \"y\","
    " \"ignore\": [\"a\", \"b, c\"], \"only\": [\"d\"], \"na\": [\"-\"], \"types\": {\"Betrag\": "
    "\"numeric:comma\", \"Tag\": \"time:dmy\", \"Ort\": \"categorical\"}, \"decimal\": \",\", \"header\": "
    "false, \"delimiter\": \";\", \"bad_rows\": \"skip\", \"sheet\": 2}, \"params\": {\"preset\": \"fast\", "
    "\"members\": 5, \"log\": true}, \"outliers\": [3, 1], \"inliers\": [], \"forget\": [7]}";

TEST(parses)
{
    serve_request r = {0};
    serve_reading o = {0};
    CHECK_INT(serve_request_parse(&r, full, strlen(full), &why), ODIM_OK);
    CHECK_STR(r.table, "0123456789abcdef0123456789abcdef");
    CHECK(r.has_options);
    CHECK_INT(r.count[SERVE_SAID_OUTLIERS], 2);
    CHECK_INT(r.rows[SERVE_SAID_OUTLIERS][0], 3);
    CHECK_INT(r.count[SERVE_SAID_INLIERS], 0);
    CHECK_INT(r.rows[SERVE_SAID_FORGET][0], 7);
    CHECK_INT(r.params.count, 6);
    CHECK_STR(od_strlist_at(&r.params, 3), "5");
    CHECK_STR(od_strlist_at(&r.params, 5), "on");
    CHECK_STR(
        as_json(&r.options, "x"),
        "{\"id\": \"Nr\", \"label\": \"y\", \"delimiter\": \";\", \"decimal\": \",\", \"bad_rows\": "
        "\"skip\", \"sheet\": \"2\", \"ignore\": [\"a\", \"b, c\"], \"only\": [\"d\"], \"na\": [\"-\"], "
        "\"types\": {\"Betrag\": \"numeric:comma\", \"Tag\": \"time:dmy\", \"Ort\": \"categorical\"}, "
        "\"header\": false}\n");
    CHECK_STR(as_command(&r.options),
              " --id Nr --label y --delimiter ';' --decimal comma --bad-rows skip --sheet 2 --ignore 'a,\"b, "
              "c\"' --only d --na - --types Betrag=numeric:comma,Tag=time:dmy,Ort=categorical --no-header");
    REQUIRE(serve_reading_make(&o, &r.options, &why) == ODIM_OK);
    CHECK_STR(o.options.numeric[0], "Betrag");
    CHECK(!o.options.numeric[1] && !o.options.boolean);
    CHECK_STR(o.options.time[0], "Tag");
    CHECK_STR(o.options.formats[1], "comma");
    CHECK_STR(o.options.formats[3], "dmy");
    CHECK(!o.options.formats[4]);
    CHECK_STR(o.options.ignore[1], "b, c");
    CHECK(!o.options.ignore[2]);
    CHECK_INT(o.options.delimiter, ';');
    CHECK_INT(o.options.decimal, ',');
    CHECK_INT(o.options.bad_rows, ODIM_BAD_ROWS_SKIP);
    CHECK_INT(o.options.header, -1);
    CHECK_INT(o.options.keep, 1);
    serve_reading_free(&o);
    serve_request_free(&r);
}

/* The same from single texts. */
TEST(takes_texts)
{
    static const char *const pairs[][2] = {{"id", ""},
                                           {"ignore", "a,\"b, c\""},
                                           {"types", "Betrag=numeric:comma,x=y=time"},
                                           {"header", "true"},
                                           {"bad-rows", "call"},
                                           {"check-every", "20"},
                                           {"check_every", "30"},
                                           {"label", "y"},
                                           {"label", ""}};
    serve_request r = {0};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        CHECK_INT(serve_request_set(&r, pairs[i][0], pairs[i][1], &why), ODIM_OK);
    CHECK_STR(as_json(&r.options, "Nr"),
              "{\"id\": \"\", \"bad_rows\": \"call\", \"ignore\": [\"a\", \"b, c\"], \"types\": {\"Betrag\": "
              "\"numeric:comma\", \"x=y\": \"time\"}, \"header\": true}\n");
    CHECK_INT(r.params.count, 4);
    CHECK_STR(od_strlist_at(&r.params, 2), "check-every");
    serve_request_free(&r);
}

static void refuse(const char *body, int status, const char *detail)
{
    serve_request r = {0};
    serve_reading o = {0};
    why = (serve_problem){0};
    odim_status got = serve_request_parse(&r, body, strlen(body), &why);
    if (!got) got = serve_reading_make(&o, &r.options, &why);
    CHECK(got != ODIM_OK);
    CHECK_PROBLEM(status, detail);
    serve_reading_free(&o);
    serve_request_free(&r);
}

TEST(refuses)
{
    refuse("", 400, "the body must be a JSON object");
    refuse("[]", 400, "the body must be a JSON object");
    refuse("{} {}", 400, "the body must be one JSON object");
    refuse("{\"a\": 1}", 400, "the body has an unknown member 'a'");
    refuse("{\"options\": {\"bounds\": \"/etc/passwd\"}}", 400, "there is no option 'bounds'");
    refuse("{\"options\": {\"known_rows\": \"/etc/passwd\"}}", 400, "there is no option 'known_rows'");
    refuse("{\"options\": {\"id\": [1]}}", 400, "'id' must be a text");
    refuse("{\"options\": {\"ignore\": \"a\"}}", 400, "'ignore' must be an array of texts");
    refuse("{\"options\": {\"ignore\": [{}]}}", 400, "'ignore' must be an array of texts");
    refuse("{\"options\": {\"types\": {\"a\": \"float\"}}}", 400,
           "column 'a': the type must be numeric, boolean, categorical or time, not 'float'");
    refuse("{\"options\": {\"delimiter\": \"ab\"}}", 400,
           "delimiter must be one character or 'tab', not 'ab'");
    refuse("{\"options\": {\"decimal\": \";\"}}", 400, "decimal must be ',' or '.', not ';'");
    refuse("{\"options\": {\"bad_rows\": \"x\"}}", 400, "bad_rows must be stop, skip or call, not 'x'");
    refuse("{\"options\": {\"header\": \"maybe\"}}", 400, "header must be true or false, not 'maybe'");
    refuse("{\"params\": [1]}", 400, "'params' must be an object");
    refuse("{\"params\": {\"members\": [1]}}", 400, "'members' must be a text, a number or a boolean");
    refuse("{\"outliers\": [0]}", 400, "'outliers' must be an array of row numbers, which begin at 1");
    refuse("{\"outliers\": [1.5]}", 400, "'outliers' must be an array of row numbers, which begin at 1");
    refuse("{\"outliers\": [\"1\"]}", 400, "'outliers' must be an array of row numbers, which begin at 1");
    refuse("{\"outliers\": [99999999999999999999]}", 400,
           "'outliers' must be an array of row numbers, which begin at 1");
    refuse("{\"outliers\": 5}", 400, "'outliers' must be an array of row numbers");
    refuse("{\"table\": 5}", 400, "'table' must be the id of a table");
    refuse("{\"table\": \"0123456789abcdef0123456789abcdef0\"}", 404, "there is no such table");
    refuse("{\"table\": ", 400,
           "the body is not JSON: line 1, byte 11: the file ends within a value: it is truncated");
}

TEST(problems)
{
    odim_error err = {.status = ODIM_ERR_DATA, .row = 117, .col = 2, .msg = "a.csv: not a number"};
    CHECK_INT(serve_fail_error(&why, &err), ODIM_ERR_DATA);
    CHECK_PROBLEM(422, "a.csv: not a number");
    CHECK_INT(why.row, 118);
    CHECK_INT(why.column, 3);
    serve_text_out to;
    serve_text_begin(&to, NULL);
    cli_json j = {.out = &to.out, .line = true};
    serve_problem_json(&why, NULL, &j);
    serve_text_end(&to, fresh(), NULL);
    CHECK_STR(answer.bytes,
              "{\"type\": \"about:blank\", \"title\": \"The file cannot be used\", \"status\": 422, "
              "\"detail\": \"a.csv: not a number\", \"row\": 118, \"column\": 3}\n");
    serve_fail(&why, 429, "x\n");
    CHECK_PROBLEM(429, "x\\n");
    CHECK(why.retry_after > 0 && !why.row);
    CHECK_INT(serve_fail_nomem(NULL), ODIM_ERR_NOMEM);
}

TEST(starved)
{
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 20)
    {
        serve_request r = {0};
        serve_options copy = {0};
        serve_reading o = {0};
        status = serve_request_parse(&r, full, strlen(full), &why);
        if (!status) status = serve_options_copy(&copy, &r.options, &why);
        if (!status) status = serve_reading_make(&o, &copy, &why);
        serve_reading_free(&o);
        serve_options_free(&copy);
        serve_request_free(&r);
    }
}

int main(void)
{
    RUN(parses);
    RUN(takes_texts);
    RUN(refuses);
    RUN(problems);
    RUN(starved);
    fresh();
    return test_end();
}
