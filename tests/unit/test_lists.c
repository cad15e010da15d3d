#include "lists.h"

#include "test.h"

/* The items, each behind a bar. */
static const char *shown(char **items)
{
    static char text[256];
    size_t len = 0;
    *text = '\0';
    for (size_t i = 0; items && items[i]; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "|%s", items[i]);
    return text;
}

static const char *split(const char *list)
{
    char **items = cli_list_split(list);
    const char *text = shown(items);
    free(items);
    return text;
}

TEST(items)
{
    CHECK(cli_list_split(NULL) == NULL);
    CHECK_STR(split("a"), "|a");
    CHECK_STR(split("a,b,3"), "|a|b|3");
    CHECK_STR(split(" a ,\tb c "), "|a|b c");
    CHECK_STR(split(""), "|");
    CHECK_STR(split("a,"), "|a|");
    CHECK_STR(split(" , "), "||");
}

TEST(quotes)
{
    CHECK_STR(split("\"a,b\",c"), "|a,b|c");
    CHECK_STR(split(" \" a \" , b"), "| a |b");
    CHECK_STR(split("\"say \"\"hi\"\"\",b"), "|say \"hi\"|b");
    CHECK_STR(split("\"\",b"), "||b");
    CHECK_STR(split("\"a,b"), "|a,b"); /* no end */
}

/* The columns of each type, "numeric;boolean;categorical;time". */
static const char *types(const char *list, const char *numeric, const char *categorical)
{
    static char text[512];
    char **out[CLI_TYPES] = {NULL};
    char **formats = NULL;
    bool fine = cli_list_types(out, &formats, list, numeric, categorical);
    free(formats);
    size_t len = 0;
    *text = '\0';
    for (int type = 0; type < CLI_TYPES; type++) {
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%s", type ? ";" : "", shown(out[type]));
        free(out[type]);
    }
    return fine ? text : "wrong";
}

TEST(columns_by_type)
{
    CHECK_STR(types(NULL, NULL, NULL), ";;;");
    CHECK_STR(types("a=time, b = boolean ,d=categorical", NULL, NULL), ";|b;|d;|a");
    CHECK_STR(types("a=time,b=time,c=numeric", "d, e", "f"), "|d|e|c;;|f;|a|b");
    CHECK_STR(types("a=b=time", NULL, NULL), ";;;|a=b");
    CHECK_STR(types("\"a,b\"=time", NULL, NULL), ";;;|a,b");
    CHECK_STR(types(NULL, "a,3", NULL), "|a|3;;;");
}

TEST(what_is_no_type)
{
    CHECK_STR(types("a", NULL, NULL), "wrong");
    CHECK_STR(types("a=numbers", "b", NULL), "wrong");
    CHECK_STR(types("", NULL, NULL), "wrong");
    CHECK_STR(types("a=time,", NULL, NULL), "wrong");
}

TEST(formats)
{
    char **out[CLI_TYPES] = {NULL}, **formats = NULL;
    REQUIRE(cli_list_types(out, &formats, "a=date:dmy, b c=number:comma,d=category,e=date", NULL, NULL));
    CHECK_STR(shown(formats), "|a|dmy|b c|comma");
    CHECK_STR(shown(out[ODIM_TIME]), "|a|e");
    CHECK_STR(shown(out[ODIM_NUMERIC]), "|b c");
    CHECK_STR(shown(out[ODIM_CATEGORICAL]), "|d");
    for (int type = 0; type < CLI_TYPES; type++) free(out[type]);
    free(formats);
    CHECK_STR(types("a=nonsense:dmy", NULL, NULL), "wrong");
    CHECK_STR(types("a=dat", NULL, NULL), "wrong");
}

int main(void)
{
    RUN(items);
    RUN(quotes);
    RUN(columns_by_type);
    RUN(what_is_no_type);
    RUN(formats);
    return test_end();
}
