#include "prep/sample.h"

#include "common/mem.h"
#include "starve.h"
#include "test.h"

static odim_error err;

TEST(size)
{
    CHECK_INT(od_sample_size(1), 131072);
    CHECK_INT(od_sample_size(128), 131072);
    CHECK_INT(od_sample_size(129), 130055); /* 2^24 cells */
    CHECK_INT(od_sample_size(512), 32768);
    CHECK_INT(od_sample_size(600), 32768);
    CHECK_INT(od_sample_size(16384), 32768);
}

/* Offers `rows` in the order that `step`, coprime to rows, walks; the chosen ones in order. */
static int64_t *choose(int64_t rows, int64_t size, int64_t step, uint64_t seed)
{
    od_sample s;
    int64_t *out = malloc((size_t)size * sizeof *out);
    if (!out || od_sample_new(&s, size, seed, &err)) abort();
    for (int64_t i = 0; i < rows; i++) od_sample_offer(&s, i * step % rows);
    od_sample_sort(&s);
    CHECK_INT(s.count, size);
    for (int64_t i = 0; i < size; i++) out[i] = s.heap[i].row;
    od_sample_free(&s);
    return out;
}

/* Whatever order the rows come in. */
TEST(same_rows)
{
    enum { ROWS = 5000, SIZE = 700 };
    int64_t *want = choose(ROWS, SIZE, 1, 42);
    static const int64_t steps[] = {4999, 7, 1237};
    for (int i = 0; i < 3; i++) {
        int64_t *got = choose(ROWS, SIZE, steps[i], 42);
        CHECK(memcmp(want, got, SIZE * sizeof *want) == 0);
        free(got);
    }
    int64_t *other = choose(ROWS, SIZE, 1, 43);
    CHECK(memcmp(want, other, SIZE * sizeof *want) != 0);
    for (int i = 1; i < SIZE; i++) CHECK(want[i] > want[i - 1]);
    free(want);
    free(other);
}

/* The slots are a place for each chosen row: what a caller kept there is the row that is chosen in the end.
 */
TEST(slots)
{
    enum { ROWS = 3000, SIZE = 100 };
    int64_t kept[SIZE];
    od_sample s;
    REQUIRE(!od_sample_new(&s, SIZE, 7, &err));
    for (int64_t i = 0; i < ROWS; i++) {
        int64_t slot = od_sample_offer(&s, i);
        if (i < SIZE) CHECK_INT(slot, i);
        CHECK(slot >= -1 && slot < SIZE);
        if (slot >= 0) kept[slot] = i;
    }
    od_sample_sort(&s);
    for (int i = 0; i < SIZE; i++) CHECK_INT(kept[s.heap[i].slot], s.heap[i].row);
    od_sample_free(&s);
}

/* Each tenth of the rows has its share: 600 expected, standard deviation 22. */
TEST(uniform)
{
    enum { ROWS = 60000, SIZE = 6000 };
    int count[10] = {0};
    int64_t *rows = choose(ROWS, SIZE, 1, 1);
    for (int i = 0; i < SIZE; i++) count[rows[i] * 10 / ROWS]++;
    for (int i = 0; i < 10; i++) CHECK_NEAR(count[i], 600, 100);
    free(rows);
}

TEST(all_or_some)
{
    od_row_set c;
    REQUIRE(!od_sample_choose(&c, NULL, 1000, 2, 5, &err));
    CHECK(!c.rows && c.count == 1000 && !c.known && c.knowns == 0);
    REQUIRE(!od_sample_choose(&c, NULL, 131072, 2, 5, &err));
    CHECK(!c.rows && c.count == 131072);
    REQUIRE(!od_sample_choose(&c, NULL, 140000, 2, 5, &err));
    REQUIRE(c.rows);
    CHECK_INT(c.count, 131072);
    int64_t *want = choose(140000, 131072, 3, 5);
    CHECK(memcmp(want, c.rows, (size_t)c.count * sizeof *c.rows) == 0);
    free(want);
    od_row_set_free(&c);
}

/* Known outliers are chosen whatever their keys, as long as they are few; then those with the smallest. */
TEST(known)
{
    enum { ROWS = 140000, SIZE = 32768 };
    static int8_t known[ROWS];
    od_row_set c;
    for (int i = 0; i < ROWS; i++) known[i] = i % 100 == 7 ? 1 : i % 100 == 8 ? 0 : -1;
    REQUIRE(!od_sample_choose(&c, known, ROWS, 2, 5, &err));
    CHECK_INT(c.count, 131072);
    REQUIRE(c.knowns == 1400);
    for (int i = 0; i < 1400; i++) CHECK_INT(c.known[i], i * 100 + 7);
    od_row_set_free(&c);

    CHECK_INT(od_sample_known_size(2), SIZE);
    CHECK_INT(od_sample_known_size(16384), 8192);
    for (int i = 0; i < ROWS; i++) known[i] = 1;
    REQUIRE(!od_sample_choose(&c, known, ROWS, 2, 5, &err));
    REQUIRE(c.knowns == SIZE);
    int64_t *want = choose(ROWS, SIZE, 3, 5);
    CHECK(memcmp(want, c.known, SIZE * sizeof *want) == 0);
    free(want);
    od_row_set_free(&c);

    odim_status status;
    EACH_ALLOCATION_FAILS(status, 4)
    {
        status = od_sample_choose(&c, known, ROWS, 2, 5, &err);
        if (status) CHECK(!c.rows && !c.known);
    }
    od_row_set_free(&c);
}

/* Rows in three samples: the threshold that leaves as many as one sample would have leaves the same ones. */
TEST(limit)
{
    enum { ROWS = 5000, SIZE = 700, PARTS = 3 };
    int64_t *want = choose(ROWS, SIZE, 1, 42), got = 0;
    od_sample all, part[PARTS];
    REQUIRE(!od_sample_new(&all, SIZE, 42, &err));
    for (int k = 0; k < PARTS; k++) REQUIRE(!od_sample_new(&part[k], SIZE, 42, &err));
    for (int64_t i = 0; i < ROWS; i++) {
        od_sample_offer(&all, i);
        od_sample_offer(&part[i * PARTS / ROWS], i);
    }
    uint64_t key = all.heap[0].key; /* the largest that is chosen */
    int64_t row = all.heap[0].row, within = 0;
    for (int k = 0; k < PARTS; k++) {
        within += od_sample_within(&part[k], key, row);
        od_sample_limit(&part[k], key, row);
        od_sample_sort(&part[k]);
        for (int64_t i = 0; i < part[k].count; i++) CHECK_INT(part[k].heap[i].row, want[got++]);
    }
    CHECK(within == SIZE && got == SIZE);
    CHECK_INT(od_sample_within(&all, key, row), SIZE);
    CHECK_INT(od_sample_within(&all, key, row - 1), SIZE - 1);
    CHECK_INT(od_sample_within(&all, key - 1, INT64_MAX), SIZE - 1);
    for (int k = 0; k < PARTS; k++) od_sample_free(&part[k]);
    od_sample_free(&all);
    free(want);
}

TEST(few)
{
    CHECK_INT(od_sample_few(100, 10), 100);
    CHECK_INT(od_sample_few(1000000, 10), 8192);
    CHECK_INT(od_sample_few(1000000, 4096), 4096);
    CHECK_INT(od_sample_few(1000000, INT32_MAX), 2);
}

TEST(even)
{
    int64_t rows[] = {2, 3, 5, 7, 11};
    const od_row_set some = {.rows = rows, .count = 5}, first = {.count = 5};
    CHECK(od_row_set_even(&some, 0, 2) == 2 && od_row_set_even(&some, 1, 2) == 5);
    CHECK(od_row_set_even(&first, 0, 2) == 0 && od_row_set_even(&first, 1, 2) == 2);
    for (int64_t i = 0; i < 5; i++) CHECK_INT(od_row_set_even(&some, i, 5), rows[i]);
}

int main(void)
{
    RUN(few);
    RUN(even);
    RUN(size);
    RUN(same_rows);
    RUN(slots);
    RUN(uniform);
    RUN(all_or_some);
    RUN(known);
    RUN(limit);
    return test_end();
}
