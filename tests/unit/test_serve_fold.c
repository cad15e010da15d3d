/* tests: fold. Search without regard to case. */
#include "fold.h"

#include "test.h"

static bool contains(const char *text, const char *what)
{
    char needle[200];
    serve_fold(what, needle, sizeof needle);
    return serve_fold_contains(text, needle);
}

TEST(folds)
{
    char out[100];
    CHECK_INT(serve_fold("AbC 12 ÄÖÜß Ÿ ĀŁŽ ΑΩ ЖЁ", out, sizeof out), strlen("abc 12 äöüß ÿ āłž αω жё"));
    CHECK_STR(out, "abc 12 äöüß ÿ āłž αω жё");
    CHECK_INT(serve_fold("ẞ×÷", out, sizeof out), strlen("ß×÷"));
    CHECK_STR(out, "ß×÷");
    /* Cut between characters, and bytes that are not UTF-8 stay. */
    CHECK_INT(serve_fold("aÄÄ", out, 5), 3);
    CHECK_STR(out, "aä");
    serve_fold("A\xFF\xC3", out, sizeof out);
    CHECK_STR(out, "a\xFF\xC3");
}

TEST(finds)
{
    CHECK(contains("Straße in MÜNCHEN", "münchen"));
    CHECK(contains("Straße in münchen", "MÜNCHEN"));
    CHECK(contains("aab", "AB"));
    CHECK(contains("x", ""));
    CHECK(contains("", ""));
    CHECK(!contains("", "a"));
    CHECK(!contains("ab", "abc"));
    CHECK(!contains("Köln", "koln"));
    CHECK(contains("a\xFF"
                   "b",
                   "B"));
}

TEST(compares)
{
    CHECK(serve_fold_compare("a", "B") < 0);
    CHECK(serve_fold_compare("b", "A") > 0);
    CHECK(serve_fold_compare("A-9", "a-10") < 0);
    CHECK(serve_fold_compare("A-010", "a-9") > 0);
    CHECK(serve_fold_compare("a", "ab") < 0);
    CHECK(serve_fold_compare("ab", "a") > 0);
    CHECK_INT(serve_fold_compare("x1", "x1"), 0);
    /* Where only the case or zeros differ, there is still an order. */
    CHECK(serve_fold_compare("a", "A") != 0);
    CHECK(serve_fold_compare("a", "A") == -serve_fold_compare("A", "a"));
}

int main(void)
{
    RUN(folds);
    RUN(finds);
    RUN(compares);
    return test_end();
}
