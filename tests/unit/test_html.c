/* tests: html. Escaping text for HTML. */
#include "html.h"

#include "test.h"

/* Cut at a character, with a sign that it was. */
TEST(names)
{
    char buf[CLI_HTML_NAME], name[200];
    CHECK_STR(cli_html_cut("flow", buf), "flow");
    CHECK_STR(cli_html_cut("", buf), "(no name)");
    memset(name, 'x', sizeof name);
    name[60] = '\0';
    CHECK_STR(cli_html_cut(name, buf), name);
    name[60] = 'x', name[80] = '\0';
    const char *cut = cli_html_cut(name, buf);
    CHECK_INT(strlen(cut), 60);
    CHECK(strstr(cut, "…") && strlen(strstr(cut, "…")) == 3 + 18); /* the end of a name stays */
    /* "é" over the place where it is cut: the whole of it goes. */
    memcpy(name + 38, "\xC3\xA9", 2);
    cut = cli_html_cut(name, buf);
    CHECK_INT(strlen(cut), 59);
    CHECK(strncmp(cut + 38, "…", 3) == 0);
}

TEST(files)
{
    CHECK_STR(cli_html_file("a/b/c.csv"), "c.csv");
    CHECK_STR(cli_html_file("-"), "standard input");
    CHECK_STR(cli_html_file("a/"), "a/");
}

int main(void)
{
    RUN(names);
    RUN(files);
    return test_end();
}
