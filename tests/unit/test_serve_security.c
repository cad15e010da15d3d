#include "security.h"

#include "common/mem.h"
#include "scratch.h"
#include "test.h"

TEST(hosts)
{
    static const char *const names[] = {"odim.example", NULL};
    CHECK(http_host_is_ours("localhost", NULL));
    CHECK(http_host_is_ours("LocalHost:8377", NULL));
    CHECK(http_host_is_ours("127.0.0.1:1", NULL));
    CHECK(http_host_is_ours("[::1]:8377", NULL));
    CHECK(http_host_is_ours("[::1]", NULL));
    CHECK(http_host_is_ours("10.0.0.7", NULL));
    CHECK(http_host_is_ours("odim.example:80", names));
    CHECK(!http_host_is_ours("odim.example", NULL));
    CHECK(!http_host_is_ours("evil.example", names));
    CHECK(!http_host_is_ours("localhost.evil.example", names));
    CHECK(!http_host_is_ours("127.0.0.1.evil.example", names));
    CHECK(!http_host_is_ours("localhost:80x", NULL));
    CHECK(!http_host_is_ours("localhost@evil.example", NULL));
    CHECK(!http_host_is_ours("[::1", NULL));
    CHECK(!http_host_is_ours("[::1]x", NULL));
    CHECK(!http_host_is_ours("", NULL));
    CHECK(!http_host_is_ours(":80", NULL));
    CHECK(!http_host_is_ours(NULL, NULL));
    char text[400];
    memset(text, '1', sizeof text);
    text[sizeof text - 1] = '\0';
    CHECK(!http_host_is_ours(text, NULL));
}

TEST(origins)
{
    CHECK(http_origin_is_ours(NULL, "localhost:8377"));
    CHECK(http_origin_is_ours("http://localhost:8377", "localhost:8377"));
    CHECK(http_origin_is_ours("https://odim.example", "odim.example"));
    CHECK(!http_origin_is_ours("http://localhost:8378", "localhost:8377"));
    CHECK(!http_origin_is_ours("http://localhost", "localhost:8377"));
    CHECK(!http_origin_is_ours("http://evil.example", "localhost:8377"));
    CHECK(!http_origin_is_ours("null", "localhost:8377"));
    CHECK(!http_origin_is_ours("", "localhost:8377"));
    CHECK(!http_origin_is_ours("http://localhost:8377/", "localhost:8377"));
    CHECK(!http_origin_is_ours("http://a", NULL));
}

TEST(tokens)
{
    CHECK(http_token_equal("0123456789abcdef", "0123456789abcdef"));
    CHECK(!http_token_equal("0123456789abcdef", "0123456789abcdeg"));
    CHECK(!http_token_equal("0123456789abcdef", "0123456789abcde"));
    CHECK(!http_token_equal("0123456789abcdef", "0123456789abcdef0"));
    CHECK(!http_token_equal("0123456789abcdef", ""));
    CHECK(http_token_is_given("secret-secret-secret", "Bearer secret-secret-secret"));
    CHECK(http_token_is_given("secret-secret-secret", "bearer  secret-secret-secret"));
    CHECK(!http_token_is_given("secret-secret-secret", "Bearer secret-secret-secret "));
    CHECK(!http_token_is_given("secret-secret-secret", "Basic secret-secret-secret"));
    CHECK(!http_token_is_given("secret-secret-secret", "Bearer"));
    CHECK(!http_token_is_given("secret-secret-secret", ""));
    CHECK(!http_token_is_given("secret-secret-secret", NULL));
}

static char *read_token(const char *text)
{
    write_text(in_scratch("token"), text);
    return http_token_read(in_scratch("token"));
}

/* Messages about what is wrong go to stderr. */
TEST(token_files)
{
    char *token = read_token("0123456789abcdef\nsecond line\n");
    CHECK_STR(token, "0123456789abcdef");
    od_free(token);
    token = read_token("0123456789abcdef\r\n");
    CHECK_STR(token, "0123456789abcdef");
    od_free(token);
    CHECK(!read_token("short\n"));
    CHECK(!read_token("with a blank in its middle\n"));
    CHECK(!read_token(""));
    CHECK(!http_token_read(in_scratch("none")));
}

TEST(addresses)
{
    CHECK(http_address_is_loopback("127.0.0.1"));
    CHECK(http_address_is_loopback("127.9.9.9"));
    CHECK(http_address_is_loopback("::1"));
    CHECK(!http_address_is_loopback("0.0.0.0"));
    CHECK(!http_address_is_loopback("::"));
    CHECK(!http_address_is_loopback("192.168.1.2"));
}

int main(void)
{
    scratch_make();
    RUN(hosts);
    RUN(origins);
    RUN(tokens);
    RUN(token_files);
    RUN(addresses);
    return test_end();
}
