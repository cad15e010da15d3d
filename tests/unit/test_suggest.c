/* "Did you mean". */
#include "common/suggest.h"

#include "test.h"

static const char *best(const char *word)
{
    static const char *const names[] = {"orders", "customers", "max-updates", "id"};
    od_suggest s = {.word = word};
    for (int i = 0; i < 4; i++) od_suggest_offer(&s, names[i]);
    return s.best ? s.best : "";
}

TEST(near)
{
    CHECK_STR(best("order"), "orders");
    CHECK_STR(best("oredrs"), "orders");
    CHECK_STR(best("orders2"), "orders");
    CHECK_STR(best("max"), "max-updates");
    CHECK_STR(best("custmers"), "customers");
}

TEST(far)
{
    CHECK_STR(best("payments"), "");
    CHECK_STR(best(""), "");
    CHECK_STR(best("a word that is longer than any name that is compared"), "");
}

int main(void)
{
    RUN(near);
    RUN(far);
    return test_end();
}
