/* tests: forkjoin. Every index once, by any number of threads, many times over. */
#include "test.h"

#include <stdatomic.h>

#include "base/forkjoin.h"

enum { COUNT = 100 };

typedef struct seen {
    _Atomic int times[COUNT];
    _Atomic int worst; /* the highest worker */
    int64_t plain[COUNT];
} seen;

static void visit(void *ctx, int worker, int64_t index)
{
    seen *s = ctx;
    atomic_fetch_add(&s->times[index], 1);
    s->plain[index] += index; /* no lock: nobody else has this index, and runs do not overlap */
    int worst = atomic_load(&s->worst);
    while (worker > worst && !atomic_compare_exchange_weak(&s->worst, &worst, worker)) {
    }
}

static void check_team(int size)
{
    od_forkjoin *team;
    static seen s;
    s = (seen){0};
    REQUIRE(od_forkjoin_new(&team, size, NULL) == ODIM_OK);
    CHECK_INT(od_forkjoin_size(team), size);
    for (int round = 0; round < 300; round++) od_forkjoin_run(team, COUNT - round % 3, visit, &s);
    for (int i = 0; i < COUNT - 2; i++) {
        CHECK_INT(s.times[i], 300);
        CHECK_INT(s.plain[i], 300 * i);
    }
    CHECK_INT(s.times[COUNT - 1], 100);
    CHECK_INT(s.times[COUNT - 2], 200);
    CHECK(s.worst < size);
    od_forkjoin_run(team, 0, visit, &s);
    od_forkjoin_free(team);
}

TEST(alone)
{
    check_team(1);
    od_forkjoin_free(NULL);
    CHECK_INT(od_forkjoin_size(NULL), 1);
}

TEST(together)
{
    check_team(2);
    check_team(5);
}

/* Freed while helpers may be anywhere between two runs. */
TEST(ends_at_any_moment)
{
    static seen s;
    for (int round = 0; round < 2000; round++) {
        od_forkjoin *team;
        REQUIRE(od_forkjoin_new(&team, 3, NULL) == ODIM_OK);
        for (int run = 0; run < round % 4; run++) od_forkjoin_run(team, 3, visit, &s);
        od_forkjoin_free(team);
    }
    CHECK_INT(s.times[0], 3000);
}

int main(void)
{
    RUN(alone);
    RUN(together);
    RUN(ends_at_any_moment);
    return test_end();
}
