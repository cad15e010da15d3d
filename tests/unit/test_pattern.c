/* Patterns of codes, and columns that have them. */
#include "prep/pattern.h"

#include <string.h>

#include "starve.h"
#include "test.h"

static odim_error err;
static od_strlist levels, patterns;
static int64_t rows[64];

static void add(const char *text, int64_t count)
{
    rows[levels.count] = count;
    CHECK_INT(od_strlist_add(&levels, text, strlen(text), &err), ODIM_OK);
}

static size_t find(void)
{
    od_strlist_free(&patterns);
    CHECK_INT(od_patterns_find(&patterns, &levels, rows, &err), ODIM_OK);
    return patterns.count;
}

static void forget(void)
{
    od_strlist_free(&levels);
    od_strlist_free(&patterns);
}

TEST(pattern_of_a_text)
{
    char p[OD_PATTERN_ROOM];
    CHECK(od_pattern_of("02139", p));
    CHECK_STR(p, "99999");
    CHECK(od_pattern_of(" SKU-01a ", p));
    CHECK_STR(p, "AAA-99a");
    CHECK(od_pattern_of("M\xC3\xBC", p));
    CHECK_STR(p, "A\xC3\xBC");
    CHECK(!od_pattern_of("", p) && !od_pattern_of("   ", p));
    CHECK(od_pattern_of("1234567890123456789012345678901", p));
    CHECK(!od_pattern_of("12345678901234567890123456789012", p));
}

TEST(codes)
{
    add("02139", 40);
    add("10115", 40);
    CHECK_INT(find(), 1);
    CHECK_STR(od_strlist_at(&patterns, 0), "99999");
    add("0213", 1);
    add("O2139", 1);
    CHECK_INT(find(), 1);
    CHECK(od_patterns_fit(&patterns, "99999") && od_patterns_fit(&patterns, "00000 "));
    CHECK(!od_patterns_fit(&patterns, "0213") && !od_patterns_fit(&patterns, "O2139"));
    CHECK(!od_patterns_fit(&patterns, "") && !od_patterns_fit(&patterns, "12345678901234567890123456789012"));
    add("DE-123", 30); /* a second pattern, less frequent */
    add("DE-321", 30);
    CHECK_INT(find(), 2);
    CHECK_STR(od_strlist_at(&patterns, 0), "99999");
    CHECK_STR(od_strlist_at(&patterns, 1), "AA-999");
    add("x", 1); /* too many that fit none */
    CHECK_INT(find(), 0);
    forget();
}

TEST(no_codes)
{
    CHECK_INT(find(), 0); /* no levels */
    add("12345", 49);     /* too few rows */
    CHECK_INT(find(), 0);
    forget();
    add("card", 60); /* words, even of one length */
    add("cash", 60);
    CHECK_INT(find(), 0);
    forget();
    add("card", 60); /* a word next to codes */
    add("1234", 60);
    CHECK_INT(find(), 0);
    forget();
    for (int i = 1; i < 12; i++) { /* as many patterns as levels */
        char text[16];
        memset(text, '1', sizeof text);
        text[i] = '\0';
        add(text, 20);
    }
    CHECK_INT(find(), 0);
    forget();
    for (int i = 1; i < 60; i++) {
        char text[64];
        memset(text, 'a', sizeof text);
        text[i / 2] = '1';
        text[i / 2 + 1] = i % 2 ? 'A' : '\0';
        text[i / 2 + 2] = '\0';
        add(text, 20);
    }
    CHECK_INT(find(), 0);
    forget();
}

TEST(allocations)
{
    odim_status status;
    add("02139", 40);
    add("A2139", 40);
    EACH_ALLOCATION_FAILS(status, 1)
    {
        od_strlist_free(&patterns);
        status = od_patterns_find(&patterns, &levels, rows, &err);
    }
    forget();
}

int main(void)
{
    RUN(pattern_of_a_text);
    RUN(codes);
    RUN(no_codes);
    RUN(allocations);
    return test_end();
}
