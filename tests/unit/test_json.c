/* tests: json. Writing JSON. */
#include "json.h"

#include "test.h"

static char *bytes;
static size_t size;

static const char *written(bool html, const char *text)
{
    free(bytes);
    cli_out out = {.file = open_memstream(&bytes, &size)};
    cli_json j = {.out = &out, .line = true, .html = html};
    cli_json_string(&j, NULL, text);
    fclose(out.file);
    return bytes;
}

/* What could end a script element, or a line of a script, is spelled out; only there. */
TEST(for_a_page)
{
    CHECK_STR(written(true, "</script><!--&\"\\"), "\"\\u003c/script\\u003e\\u003c!--\\u0026\\\"\\\\\"");
    CHECK_STR(written(true, "a\xE2\x80\xA8z\xE2\x80\xA9"), "\"a\\u2028z\\u2029\"");
    CHECK_STR(written(false, "<a&b>\xE2\x80\xA8"), "\"<a&b>\xE2\x80\xA8\"");
    CHECK_STR(written(true, "h\xC3\xB6\x80\n"), "\"h\xC3\xB6\\ufffd\\n\"");
}

int main(void)
{
    RUN(for_a_page);
    free(bytes);
    return test_end();
}
