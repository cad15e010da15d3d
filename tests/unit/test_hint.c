/* Hints that name an option. */
#include "base/hint.h"

#include "odim.h"
#include "test.h"

TEST(names_fields)
{
    CHECK_STR(OD_HINT("na"), " (set na)");
    CHECK_STR(OD_HINT("bad_rows"), " (set bad_rows)");
    CHECK_STR(OD_HINT("only|ignore"), " (set only or ignore)");
    CHECK_STR(OD_HINT("header|no_header"), " (set header)");
    CHECK_STR(OD_HINT_TO("ignore", "x_4"), " (set ignore to x_4)");
}

/* The name of a column keeps its underscores. */
TEST(names_flags)
{
    odim_hints_set(ODIM_HINTS_FLAGS);
    CHECK_STR(OD_HINT("na"), " (--na)");
    CHECK_STR(OD_HINT("bad_rows"), " (--bad-rows)");
    CHECK_STR(OD_HINT("only|ignore"), " (--only or --ignore)");
    CHECK_STR(OD_HINT("header|no_header"), " (--header or --no-header)");
    CHECK_STR(OD_HINT_TO("ignore", "x_4"), " (--ignore x_4)");
}

TEST(names_nothing)
{
    odim_hints_set(ODIM_HINTS_NONE);
    CHECK_STR(OD_HINT("na"), "");
    CHECK_STR(OD_HINT_TO("ignore", "x4"), "");
    odim_hints_set(ODIM_HINTS_FIELDS);
    CHECK_STR(OD_HINT("na"), " (set na)");
}

/* A long value is cut. */
TEST(has_an_end)
{
    char value[400];
    memset(value, 'v', sizeof value - 1);
    value[sizeof value - 1] = '\0';
    const char *hint = OD_HINT_TO("ignore", value);
    CHECK_INT(strlen(hint), strlen(" (set ignore to )") + 100);
    CHECK(hint[strlen(hint) - 1] == ')');
}

int main(void)
{
    RUN(names_fields);
    RUN(names_flags);
    RUN(names_nothing);
    RUN(has_an_end);
    return test_end();
}
