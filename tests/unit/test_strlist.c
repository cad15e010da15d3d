#include "base/strlist.h"

#include "common/mem.h"
#include "starve.h"
#include "test.h"

static odim_error err;

TEST(adds)
{
    od_strlist t = {0};
    REQUIRE(!od_strlist_add(&t, "", 0, &err));
    REQUIRE(!od_strlist_add(&t, NULL, 0, &err));
    REQUIRE(!od_strlist_add(&t, "abcdef", 3, &err));
    REQUIRE(!od_strlist_add(&t, "x", 1, &err));
    CHECK_INT(t.count, 4);
    CHECK_STR(od_strlist_at(&t, 0), "");
    CHECK_STR(od_strlist_at(&t, 1), "");
    CHECK_STR(od_strlist_at(&t, 2), "abc");
    CHECK_STR(od_strlist_at(&t, 3), "x");
    od_strlist_clear(&t);
    CHECK_INT(t.count, 0);
    REQUIRE(!od_strlist_add(&t, "again", 5, &err));
    CHECK_INT(t.count, 1);
    CHECK_STR(od_strlist_at(&t, 0), "again");
    od_strlist_free(&t);
    CHECK(!t.bytes && !t.start && !t.count);
    od_strlist_free(&t);
}

/* Past the first allocations of both arrays, with a text that is longer than all before it. */
TEST(grows)
{
    od_strlist t = {0};
    char text[20];
    static char large[100000];
    memset(large, 'l', sizeof large);
    for (int i = 0; i < 3000; i++) {
        int len = sprintf(text, "%d", i);
        REQUIRE(!od_strlist_add(&t, text, (size_t)len, &err));
        if (i == 1000) REQUIRE(!od_strlist_add(&t, large, sizeof large, &err));
    }
    CHECK_INT(t.count, 3001);
    CHECK_INT(strlen(od_strlist_at(&t, 1001)), sizeof large);
    int wrong = 0;
    for (int i = 0; i < 3000; i++) {
        sprintf(text, "%d", i);
        wrong += strcmp(od_strlist_at(&t, (size_t)(i + (i > 1000))), text) != 0;
    }
    CHECK_INT(wrong, 0);
    od_strlist_free(&t);
}

/* What was there stays, and can be freed. */
TEST(out_of_memory)
{
    od_strlist t = {0};
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 2)
    {
        status = od_strlist_add(&t, "a", 1, &err);
        CHECK_INT(t.count, status ? 0 : 1);
    }
    CHECK_STR(od_strlist_at(&t, 0), "a");
    od_strlist_free(&t);
}

int main(void)
{
    RUN(adds);
    RUN(grows);
    RUN(out_of_memory);
    return test_end();
}
