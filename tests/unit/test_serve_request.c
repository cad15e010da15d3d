#include "request.h"

#include "starve.h"
#include "test.h"

static http_request parsed(const char *target, int *status)
{
    http_request r = {.method = "GET"};
    *status = http_request_parse(&r, target);
    return r;
}

/* The path and the pairs of a target, each behind a bar; or the status of the problem. */
static const char *shown(const char *target)
{
    static char text[512];
    int status;
    http_request r = parsed(target, &status);
    int len = snprintf(text, sizeof text, "%d", status);
    if (!status) len = snprintf(text, sizeof text, "%s", r.path);
    for (int i = 0; !status && i < r.query_count; i++)
        len += snprintf(text + len, sizeof text - (size_t)len, "|%s=%s", r.query[i].name, r.query[i].value);
    http_request_free(&r);
    return text;
}

TEST(targets)
{
    CHECK_STR(shown("/"), "/");
    CHECK_STR(shown("/v1/models/a/score?reasons=3&x=%20y+z"), "/v1/models/a/score|reasons=3|x= y z");
    CHECK_STR(shown("/a%2Fb+c"), "/a/b+c");
    CHECK_STR(shown("/a?b"), "/a|b=");
    CHECK_STR(shown("/a?&&b=&=c"), "/a|b=|=c");
    CHECK_STR(shown("/a?b=1=2?3"), "/a|b=1=2?3");
    CHECK_STR(shown("/a?%62=%3D%26"), "/a|b==&");
}

TEST(bad_targets)
{
    CHECK_STR(shown(""), "400");
    CHECK_STR(shown("*"), "400");
    CHECK_STR(shown("http://x/"), "400");
    CHECK_STR(shown("/a%"), "400");
    CHECK_STR(shown("/a%4"), "400");
    CHECK_STR(shown("/a%zz"), "400");
    CHECK_STR(shown("/a%00b"), "400");
    CHECK_STR(shown("/a?b=%0a"), "400");
    CHECK_STR(shown("/a?b%=1"), "400");
    static char text[HTTP_TARGET_MOST + 2];
    memset(text, 'a', sizeof text - 1);
    text[0] = '/';
    CHECK_STR(shown(text), "414");
    text[HTTP_TARGET_MOST] = '\0';
    int status;
    http_request r = parsed(text, &status);
    CHECK_INT(status, 0);
    http_request_free(&r);
    strcpy(text, "/?");
    for (int i = 0; i <= HTTP_QUERY_MOST; i++) strcat(text, "a&");
    CHECK_STR(shown(text), "400");
}

TEST(memory)
{
    od_mem_fail_at(1);
    CHECK_STR(shown("/a"), "503");
    od_mem_fail_at(0);
}

TEST(values)
{
    int status;
    http_request r = parsed("/?a=1&b=2&a=3", &status);
    CHECK_STR(http_query(&r, "a"), "1");
    CHECK_STR(http_query(&r, "b"), "2");
    CHECK(!http_query(&r, "c"));
    http_request_free(&r);
}

static const char *match(const char *target, const char *pattern)
{
    static char text[200];
    int status;
    http_request r = parsed(target, &status);
    bool fine = http_path_matches(&r, pattern);
    snprintf(text, sizeof text, "%d %s %s", fine, r.parts[0] ? r.parts[0] : "", r.parts[1] ? r.parts[1] : "");
    http_request_free(&r);
    return text;
}

TEST(patterns)
{
    CHECK_STR(match("/v1/jobs", "/v1/jobs"), "1  ");
    CHECK_STR(match("/v1/jobs/", "/v1/jobs"), "0  ");
    CHECK_STR(match("/v1/jobs/7", "/v1/jobs/{}"), "1 7 ");
    CHECK_STR(match("/v1/jobs/", "/v1/jobs/{}"), "0  ");
    CHECK_STR(match("/v1/jobs/7/rows/12", "/v1/jobs/{}/rows/{}"), "1 7 12");
    CHECK_STR(match("/v1/jobs/7/rows/12/x", "/v1/jobs/{}/rows/{}"), "0  ");
    CHECK_STR(match("/v1/jobs/7/rows", "/v1/jobs/{}"), "0  ");
    CHECK_STR(match("/v1/job", "/v1/jobs"), "0  ");
}

TEST(names)
{
    char text[HTTP_NAME_MOST + 2];
    CHECK(http_name_is_fit("a"));
    CHECK(http_name_is_fit("Sales_2024-05.v1"));
    CHECK(http_name_is_fit("-"));
    CHECK(!http_name_is_fit(""));
    CHECK(!http_name_is_fit("."));
    CHECK(!http_name_is_fit(".."));
    CHECK(!http_name_is_fit(".hidden"));
    CHECK(!http_name_is_fit("a/b"));
    CHECK(!http_name_is_fit("a\\b"));
    CHECK(!http_name_is_fit("a b"));
    CHECK(!http_name_is_fit("\xC3\xA4"));
    memset(text, 'a', sizeof text);
    text[HTTP_NAME_MOST] = '\0';
    CHECK(http_name_is_fit(text));
    text[HTTP_NAME_MOST] = 'a';
    text[HTTP_NAME_MOST + 1] = '\0';
    CHECK(!http_name_is_fit(text));
}

static int accept_of(const char *accept)
{
    static const char *const types[] = {"text/csv", "application/json", "application/x-ndjson"};
    return http_accept(accept, types, 3);
}

TEST(accept)
{
    CHECK_INT(accept_of(NULL), 0);
    CHECK_INT(accept_of(""), 0);
    CHECK_INT(accept_of("*/*"), 0);
    CHECK_INT(accept_of("application/json"), 1);
    CHECK_INT(accept_of("APPLICATION/JSON"), 1);
    CHECK_INT(accept_of("text/html, application/x-ndjson"), 2);
    CHECK_INT(accept_of("application/*"), 1);
    CHECK_INT(accept_of("text/csv;q=0.5, application/json;q=0.6"), 1);
    CHECK_INT(accept_of("text/csv;q=0.55, application/json;q=0.551"), 1);
    CHECK_INT(accept_of("text/csv; charset=utf-8 ; q=0.4 , */* ; q=0.3"), 0);
    CHECK_INT(accept_of("*/*, text/csv;q=0"), 1);
    CHECK_INT(accept_of("*/*;q=0.1, application/*;q=0.2, application/json;q=0.05"), 2);
    CHECK_INT(accept_of("image/png"), -1);
    CHECK_INT(accept_of("text/csv;q=0"), -1);
    CHECK_INT(accept_of("text/csv;q=x"), -1);
    CHECK_INT(accept_of("text/cs"), -1);
    CHECK_INT(accept_of(",,;q=1,"), -1);
}

TEST(types)
{
    CHECK(http_type_is("text/csv", "text/csv"));
    CHECK(http_type_is(" Text/CSV ; charset=utf-8", "text/csv"));
    CHECK(!http_type_is("text/csvx", "text/csv"));
    CHECK(!http_type_is("", "text/csv"));
    CHECK(!http_type_is(NULL, "text/csv"));
}

int main(void)
{
    RUN(targets);
    RUN(bad_targets);
    RUN(memory);
    RUN(values);
    RUN(patterns);
    RUN(names);
    RUN(accept);
    RUN(types);
    return test_end();
}
