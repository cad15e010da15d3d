/* tests: text_features. Numbers that describe a text, against values worked out by hand. */
#include "prep/text_features.h"

#include <string.h>

#include "common/mem.h"
#include "starve.h"

static odim_error err;

/* The values of a text where `cells`, with '|' between them, are the column. */
static const double *describe(const char *cells, const char *text)
{
    static od_text_values out;
    od_text_counts *counts = NULL;
    od_text_profiles p = {0};
    for (const char *c = cells; *c; c += *c == '|') {
        size_t len = strcspn(c, "|");
        CHECK_INT(od_text_counts_add(&counts, c, len, &err), ODIM_OK);
        c += len;
    }
    CHECK_INT(od_text_profiles_add(&p, counts, &err), ODIM_OK);
    od_text_describe(p.list, text, strlen(text), out);
    od_text_profiles_free(&p);
    od_free(counts);
    return out;
}

TEST(kinds_of_characters)
{
    const double *v = describe("", "Müller, 12!");
    CHECK_NEAR(v[OD_TEXT_LENGTH], 11.0, 0.0);
    CHECK_NEAR(v[OD_TEXT_DIGITS], 2.0 / 11, 0.0);
    CHECK_NEAR(v[OD_TEXT_UPPER], 1.0 / 11, 0.0);
    CHECK_NEAR(v[OD_TEXT_PUNCTUATION], 2.0 / 11, 0.0);
    CHECK_NEAR(v[OD_TEXT_NON_ASCII], 1.0 / 11, 0.0);
    /* The same name in a wrong encoding has one character more. */
    v = describe("", "MÃ¼ller");
    CHECK_NEAR(v[OD_TEXT_LENGTH], 7.0, 0.0);
    CHECK_NEAR(v[OD_TEXT_NON_ASCII], 2.0 / 7, 0.0);
    v = describe("", "a\tb\nc");
    CHECK_NEAR(v[OD_TEXT_PUNCTUATION], 0.0, 0.0);
    v = describe("", "\x01\x7F");
    CHECK_NEAR(v[OD_TEXT_PUNCTUATION], 1.0, 0.0);
    v = describe("", "");
    for (int i = OD_TEXT_LENGTH; i <= OD_TEXT_FEATURES; i++) CHECK_NEAR(v[i], 0.0, 0.0);
}

/* Characters, sequences and words of a short text that is n times in its column. */
static void expect_rare(const char *cells, const char *text, double want)
{
    const double *v = describe(cells, text);
    CHECK_NEAR(v[OD_TEXT_RARE_CHARACTERS], want, 1e-15);
    CHECK_NEAR(v[OD_TEXT_RARE_SEQUENCES], want, 1e-15);
    CHECK_NEAR(v[OD_TEXT_RARE_WORDS], want, 1e-15);
}

TEST(rare_parts)
{
    expect_rare("ab|ab|cd", "ab", 0.5);
    expect_rare("ab|ab|cd", "AB", 0.5);                       /* case does not matter */
    expect_rare("ab|ab|cd", "cd", 1.0);                       /* seen once, in its own row, */
    expect_rare("ab|ab|cd", "xy", 1.0);                       /* is like never seen */
    expect_rare("ab|ab|ab|ab|ab", "ab", 0.21022410381342864); /* 5 is kept as 2^(9/4) */
}

/* All are the same. */
TEST(digits)
{
    const double *v = describe("1-2|3-4", "9-9");
    CHECK_NEAR(v[OD_TEXT_RARE_WORDS], 0.25, 0.0);
    CHECK_NEAR(v[OD_TEXT_RARE_SEQUENCES], 0.5, 0.0);
    CHECK_NEAR(v[OD_TEXT_RARE_CHARACTERS], 0.5, 0.0); /* the rarest one is the hyphen */
}

TEST(words)
{
    /* "the" is three times in the column, "cat" once, "dog" never. */
    const double *v = describe("the cat|the|The!", "the,dog cat");
    CHECK_NEAR(v[OD_TEXT_RARE_WORDS], (0.35355339059327376 + 1.0 + 1.0) / 3.0, 1e-15);
    v = describe("a|b|c", "?!");
    CHECK_NEAR(v[OD_TEXT_RARE_WORDS], 0.0, 0.0); /* it has none */
    CHECK_NEAR(v[OD_TEXT_RARE_CHARACTERS], 1.0, 0.0);
}

/* The strangest eight sequences in a row count. */
TEST(a_strange_part)
{
    static const char cells[] = "aaaaaaaaaa|aaaaaaaaaa|aaaaaaaaaa|aaaaaaaaaa";
    const double *v = describe(cells, "aaaaaaaaaa");
    CHECK_NEAR(v[OD_TEXT_RARE_SEQUENCES], (0.25 + 7.0 / 32) / 8, 1e-15);
    v = describe(cells, "aaaaaaaaaa#!");
    CHECK_NEAR(v[OD_TEXT_RARE_SEQUENCES], (5.0 / 32 + 3.0) / 8, 1e-15);
    v = describe(cells, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaa#!aaaaaaaaaaaaaaaaaaaaaaaaaaa"); /* wherever it is */
    CHECK_NEAR(v[OD_TEXT_RARE_SEQUENCES], (4.0 / 32 + 4.0) / 8, 1e-15);
}

TEST(merging)
{
    static const char *const cells[] = {"/shop/cart?id=7", "Ünïcode", "a b", "", "A B C", "/shop/7"};
    od_text_counts *whole = NULL;
    for (int i = 0; i < 6; i++) CHECK(!od_text_counts_add(&whole, cells[i], strlen(cells[i]), &err));
    for (int cut = 1; cut < 6; cut++) {
        od_text_counts *part[2] = {NULL, NULL};
        for (int i = 0; i < 6; i++)
            CHECK(!od_text_counts_add(&part[i >= cut], cells[i], strlen(cells[i]), &err));
        od_text_counts_merge(part[0], part[1]);
        CHECK(memcmp(part[0], whole, sizeof *whole) == 0);
        od_free(part[0]);
        od_free(part[1]);
    }
    /* The highest count stays what it is. */
    od_text_counts *more = NULL;
    CHECK(!od_text_counts_add(&more, "a", 1, &err));
    for (int i = 0; i < OD_TEXT_SLOTS; i++) whole->part[i] = UINT32_MAX;
    od_text_counts_merge(whole, more);
    int other = 0;
    for (int i = 0; i < OD_TEXT_SLOTS; i++) other += whole->part[i] != UINT32_MAX;
    CHECK_INT(other, 0);
    od_text_profiles p = {0};
    CHECK(!od_text_profiles_add(&p, whole, &err));
    CHECK_INT(p.list[0].part[0], 128);
    od_text_profiles_free(&p);
    od_free(whole);
    od_free(more);
}

TEST(names)
{
    CHECK_STR(od_text_suffix(OD_TEXT_NON_ASCII), ": non-ASCII");
    CHECK_INT(od_text_source("comment: length", OD_TEXT_LENGTH), 7);
    CHECK_INT(od_text_source("a: b: rare words", OD_TEXT_RARE_WORDS), 4);
    CHECK_INT(od_text_source(": digits", OD_TEXT_DIGITS), 0);
    CHECK_INT(od_text_source("comment: length", OD_TEXT_DIGITS), 15); /* it is not one of those */
    CHECK_INT(od_text_source("a: length", OD_TEXT_NONE), 9);
}

TEST(memory)
{
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 4)
    {
        od_text_counts *counts = NULL;
        od_text_profiles p = {0}, copy = {0};
        status = od_text_counts_add(&counts, "abc", 3, &err);
        if (!status) status = od_text_counts_add(&counts, "de", 2, &err);
        if (!status) status = od_text_profiles_add(&p, counts, &err);
        if (!status) status = od_text_profiles_add(&p, NULL, &err);
        if (!status) status = od_text_profiles_copy(&copy, &p, &err);
        if (!status) CHECK_INT(copy.count, 2);
        od_text_profiles_free(&p);
        od_text_profiles_free(&copy);
        od_free(counts);
    }
}

int main(void)
{
    RUN(kinds_of_characters);
    RUN(rare_parts);
    RUN(digits);
    RUN(words);
    RUN(a_strange_part);
    RUN(merging);
    RUN(names);
    RUN(memory);
    return test_end();
}
