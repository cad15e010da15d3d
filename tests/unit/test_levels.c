#include "prep/levels.h"

#include "common/mem.h"
#include "starve.h"
#include "test.h"

static odim_error err;

static int64_t code(od_levels *l, const char *text)
{
    uint32_t c = 0;
    return od_levels_code(l, text, strlen(text), &c, &err) ? -1 : (int64_t)c;
}

static int64_t find(const od_levels *l, const char *text)
{
    return od_levels_find(l, text, strlen(text));
}

TEST(codes)
{
    od_levels l = {0};
    CHECK_INT(find(&l, "red"), -1);
    CHECK_INT(code(&l, "red"), 0);
    CHECK_INT(code(&l, "blue"), 1);
    CHECK_INT(code(&l, "red"), 0);
    CHECK_INT(code(&l, ""), 2);
    CHECK_INT(code(&l, "re"), 3);
    CHECK_INT(code(&l, "Red"), 4);
    CHECK_INT(od_levels_count(&l), 5);
    CHECK_INT(find(&l, "blue"), 1);
    CHECK_INT(find(&l, ""), 2);
    CHECK_INT(find(&l, "redd"), -1);
    CHECK_INT(od_levels_find(&l, "blue sky", 4), 1); /* the length counts, not a '\0' */
    od_levels_free(&l);
    CHECK_INT(od_levels_count(&l), 0);
}

/* More than the limit: all that are beyond it share the code after the last. */
TEST(too_many)
{
    od_levels l = {0};
    char text[20];
    int wrong = 0;
    for (int i = 0; i < OD_LEVELS_MOST; i++) {
        sprintf(text, "%d", i);
        wrong += code(&l, text) != i;
    }
    CHECK_INT(wrong, 0);
    CHECK(!l.overflow);
    CHECK_INT(code(&l, "65535"), 65535);
    CHECK(!l.overflow);
    CHECK_INT(code(&l, "65536"), OD_LEVELS_MOST);
    CHECK(l.overflow);
    CHECK_INT(code(&l, "another"), OD_LEVELS_MOST);
    CHECK_INT(od_levels_count(&l), OD_LEVELS_MOST);
    CHECK_INT(code(&l, "7"), 7);
    CHECK_INT(find(&l, "another"), -1);
    for (int i = 0; i < OD_LEVELS_MOST; i++) {
        sprintf(text, "%d", i);
        wrong += find(&l, text) != i;
    }
    CHECK_INT(wrong, 0);
    od_levels_free(&l);
}

/* Long texts are no levels, and must not fill the memory. */
TEST(too_long)
{
    od_levels l = {0};
    size_t len = OD_LEVELS_BYTES / 2;
    char *text = malloc(len);
    REQUIRE(text);
    uint32_t c;
    CHECK_INT(code(&l, "a"), 0);
    memset(text, 'x', len);
    REQUIRE(!od_levels_code(&l, text, len, &c, &err));
    CHECK_INT(c, 1);
    text[0] = 'y';
    REQUIRE(!od_levels_code(&l, text, len, &c, &err));
    CHECK_INT(c, 2);
    CHECK(l.overflow && od_levels_count(&l) == 2);
    CHECK_INT(code(&l, "short"), 2); /* its code is taken */
    CHECK_INT(od_levels_count(&l), 2);
    CHECK_INT(code(&l, "a"), 0);
    free(text);
    od_levels_free(&l);
}

/* What is cut is as if it had not been there, also where the table of places grew between. */
TEST(cut)
{
    od_levels l = {0};
    char text[20];
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 5000; i++) {
            sprintf(text, "%d", i);
            if (code(&l, text) != i) TEST_SAY("round %d: %d", round, i);
        }
        od_levels_cut(&l, 20 - round);
        CHECK_INT(od_levels_count(&l), 20 - round);
        for (int i = 0; i < 5000; i++) {
            sprintf(text, "%d", i);
            if (find(&l, text) != (i < 20 - round ? i : -1)) TEST_SAY("round %d: %d is there", round, i);
        }
    }
    CHECK_INT(code(&l, "other"), 18);
    od_levels_cut(&l, 100); /* there are fewer */
    CHECK_INT(od_levels_count(&l), 19);
    od_levels_cut(&l, 0);
    CHECK_INT(find(&l, "0"), -1);
    CHECK_INT(code(&l, "new"), 0);
    l.overflow = true;
    od_levels_cut(&l, 1);
    CHECK(!l.overflow);
    od_levels_free(&l);
    od_levels_cut(&l, 0);
}

TEST(out_of_memory)
{
    od_levels l = {0};
    uint32_t c;
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 3)
    {
        od_levels_free(&l);
        status = od_levels_code(&l, "a", 1, &c, &err);
        CHECK_INT(od_levels_count(&l), status ? 0 : 1);
    }
    CHECK_INT(code(&l, "a"), 0);
    od_levels_free(&l);
}

/* As if the cells of both had come one after the other, too many of them included. */
TEST(merge)
{
    od_levels a = {0}, b = {0};
    uint32_t to[4] = {9, 9, 9, 9};
    code(&a, "red"), code(&a, "blue");
    code(&b, "green"), code(&b, "blue"), code(&b, "grey");
    REQUIRE(!od_levels_merge(&a, &b, to, &err));
    CHECK(to[0] == 2 && to[1] == 1 && to[2] == 3 && to[3] == 4);
    CHECK(od_levels_count(&a) == 4 && !a.overflow);
    CHECK_INT(find(&a, "grey"), 3);
    od_levels_free(&a);
    od_levels_free(&b);

    static uint32_t codes[OD_LEVELS_MOST + 1];
    char text[20];
    code(&a, "first");
    for (int i = 0; i < OD_LEVELS_MOST + 5; i++) {
        snprintf(text, sizeof text, "t%d", i);
        code(&b, text);
    }
    CHECK(b.overflow);
    REQUIRE(!od_levels_merge(&a, &b, codes, &err));
    CHECK(a.overflow && od_levels_count(&a) == OD_LEVELS_MOST);
    CHECK(codes[0] == 1 && codes[OD_LEVELS_MOST - 2] == OD_LEVELS_MOST - 1);
    CHECK(codes[OD_LEVELS_MOST - 1] == OD_LEVELS_MOST && codes[OD_LEVELS_MOST] == OD_LEVELS_MOST);
    CHECK_INT(code(&a, "new"), OD_LEVELS_MOST);
    od_levels_free(&a);
    od_levels_free(&b);
}

int main(void)
{
    RUN(codes);
    RUN(too_many);
    RUN(too_long);
    RUN(cut);
    RUN(out_of_memory);
    RUN(merge);
    return test_end();
}
