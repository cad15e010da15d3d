/* tests: shuffle rng. A permutation of any n, different for every key, and even; Philox's published values.
 */
#include "test.h"

#include "base/rng.h"
#include "base/shuffle.h"

/* The known answers of Random123 (kat_vectors) for philox4x32-7. */
TEST(philox_known_answers)
{
    od_rng zero = {{0, 0}, {0, 0}}, ones = {{0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}};
    od_rng pi = {{0xa4093822, 0x299f31d0}, {0x13198a2e, 0x03707344}};
    const uint32_t want[3][4] = {{0x5f6fb709, 0x0d893f64, 0x4f121f81, 0x4f730a48},
                                 {0x5207ddc2, 0x45165e59, 0x4d8ee751, 0x8c52f662},
                                 {0x4dfccaba, 0x190a87f0, 0xc47362ba, 0xb6b5242a}};
    uint32_t got[4];
    od_rng_block(&zero, 0, got);
    CHECK(memcmp(got, want[0], sizeof got) == 0);
    od_rng_block(&ones, UINT64_MAX, got);
    CHECK(memcmp(got, want[1], sizeof got) == 0);
    od_rng_block(&pi, UINT64_C(0x85a308d3243f6a88), got);
    CHECK(memcmp(got, want[2], sizeof got) == 0);
}

TEST(unit_stays_inside)
{
    CHECK(od_unit(0) > 0.0f);
    CHECK(od_unit(UINT32_MAX) < 1.0f);
    CHECK_NEAR(od_unit(UINT32_C(1) << 31), 0.5, 1e-7);
}

TEST(is_a_permutation)
{
    static const uint64_t sizes[] = {1, 2, 3, 4, 5, 16, 17, 64, 80, 100, 255, 1000, 4097};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        uint64_t n = sizes[s];
        od_shuffle order = od_shuffle_make(n, 42, 3, OD_RNG_SHUFFLE, 1);
        unsigned char *seen = calloc(n, 1);
        for (uint64_t i = 0; i < n; i++) {
            uint64_t row = od_shuffle_at(&order, i);
            CHECK(row < n && !seen[row]);
            if (row < n) seen[row] = 1;
        }
        free(seen);
    }
}

TEST(large_n_stays_inside)
{
    od_shuffle order = od_shuffle_make(UINT64_C(10000000019), 1, 0, OD_RNG_SHUFFLE, 0);
    for (uint64_t i = 0; i < 1000; i++) CHECK(od_shuffle_at(&order, i * 10000000) < UINT64_C(10000000019));
}

/* Where row 0 lands over many epochs: every place equally often (chi-square, 79 degrees of freedom). */
TEST(places_are_even)
{
    enum { N = 80, EPOCHS = 16000 };
    int count[N] = {0};
    for (uint32_t e = 0; e < EPOCHS; e++) {
        od_shuffle order = od_shuffle_make(N, 7, 2, OD_RNG_SHUFFLE, e);
        count[od_shuffle_at(&order, 0)]++;
    }
    double chi2 = 0, want = (double)EPOCHS / N;
    for (int i = 0; i < N; i++) chi2 += (count[i] - want) * (count[i] - want) / want;
    CHECK(chi2 > 40 && chi2 < 135); /* both ends beyond the 99.99 % points */
}

TEST(keys_differ)
{
    od_shuffle base = od_shuffle_make(1000, 1, 0, OD_RNG_SHUFFLE, 0),
               others[3] = {
                   od_shuffle_make(1000, 2, 0, OD_RNG_SHUFFLE, 0),
                   od_shuffle_make(1000, 1, 1, OD_RNG_SHUFFLE, 0),
                   od_shuffle_make(1000, 1, 0, OD_RNG_SHUFFLE, 1),
               };
    for (int o = 0; o < 3; o++) {
        int same = 0;
        for (uint64_t i = 0; i < 1000; i++) same += od_shuffle_at(&base, i) == od_shuffle_at(&others[o], i);
        CHECK(same < 10);
    }
}

int main(void)
{
    RUN(philox_known_answers);
    RUN(unit_stays_inside);
    RUN(is_a_permutation);
    RUN(large_n_stays_inside);
    RUN(places_are_even);
    RUN(keys_differ);
    return test_end();
}
