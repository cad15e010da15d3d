/* Which texts may be misspellings of a level. */
#include "prep/spelling.h"

#include "test.h"

TEST(one_edit)
{
    CHECK(od_spelling_near("Berlni", "Berlin"));
    CHECK(od_spelling_near("Brlin", "Berlin"));
    CHECK(od_spelling_near("Berliin", "Berlin"));
    CHECK(od_spelling_near("xBerlin", "Berlin"));
    CHECK(od_spelling_near("Berlinx", "Berlin"));
    CHECK(od_spelling_near("Barlin", "Berlin"));
    CHECK(od_spelling_near("eBrlin", "Berlin"));
    CHECK(!od_spelling_near("Berlin", "Berlin"));
    CHECK(!od_spelling_near("Brlni", "Berlin"));
    CHECK(!od_spelling_near("Bonn", "Berlin"));
    CHECK(!od_spelling_near("nilreB", "Berlin"));
    CHECK(!od_spelling_near("", "Berlin"));
    CHECK(!od_spelling_near("Berlin", ""));
}

TEST(case_and_blanks)
{
    CHECK(od_spelling_near("BERLIN", "Berlin"));
    CHECK(od_spelling_near(" Berlin\t", "Berlin"));
    CHECK(od_spelling_near(" berln", "Berlin"));
    CHECK(od_spelling_near("m", "M"));
}

/* An edit is of a character, however many bytes it has. */
TEST(characters)
{
    CHECK(od_spelling_near("Munchen", "M\xC3\xBCnchen"));
    CHECK(od_spelling_near("M\xC3\xB6nchen", "M\xC3\xBCnchen"));
    CHECK(od_spelling_near("M\xC3\x9Cnchen", "M\xC3\xBCnchen"));
    CHECK(od_spelling_near("\xC3\xBCMnchen", "M\xC3\xBCnchen"));
    CHECK(od_spelling_near("Mn\xC3\xBC"
                           "chen",
                           "M\xC3\xBCnchen"));
    CHECK(od_spelling_near("a\xC5\xBC"
                           "a",
                           "a\xC3\xBC"
                           "a"));
    CHECK(!od_spelling_near("Muenchen", "M\xC3\xBCnchen"));
}

TEST(other_names_are_no_misspellings)
{
    CHECK(!od_spelling_near("F", "M"));
    CHECK(!od_spelling_near("AT", "IT"));
    CHECK(!od_spelling_near("plan2", "plan3"));
    CHECK(!od_spelling_near("plan", "plan1"));
    CHECK(!od_spelling_near("A12", "A21"));
}

int main(void)
{
    RUN(one_edit);
    RUN(case_and_blanks);
    RUN(characters);
    RUN(other_names_are_no_misspellings);
    return test_end();
}
