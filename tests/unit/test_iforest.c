/* tests: iforest. Ways down a tree worked by hand; what trees look like; what a file may not hold. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "base/rng.h"
#include "detectors/detector.h"

enum { TREES, SEEN, STEPS };
enum { FEATURE, VALUE, CHILD, ROOT };

static const od_detector_kind *forest;

/*
 * Two trees over two features, as of m = 4 rows and 2 steps:
 *
 *     x0 < 1 ? (leaf of one row at depth 1: 1) : x1 < 5 ? (2) : (2 with c(2): 3)
 *     (a leaf that is alone: all four rows are alike: c(4))
 */
static od_detector make(void)
{
    od_detector c = {.method = OD_METHOD_IFOREST, .d = 2, .count = {2, 4, 2}};
    static const int32_t feature[] = {0, 0, 1, 0, 0, 0}, root[] = {0, 5, 6};
    static const int32_t child[] = {1, 2, 1, 1, 3, 4, 3, 3, 4, 4, 5, 5};
    static const float value[] = {1, 1, 5, 2, 3, 1};
    if (od_detector_array_new(&c, FEATURE, OD_ARRAY_INT, 6, NULL) ||
        od_detector_array_new(&c, VALUE, OD_ARRAY_FLOAT, 6, NULL) ||
        od_detector_array_new(&c, CHILD, OD_ARRAY_INT, 12, NULL) ||
        od_detector_array_new(&c, ROOT, OD_ARRAY_INT, 3, NULL))
        abort();
    memcpy(c.part[FEATURE].at.i, feature, sizeof feature);
    memcpy(c.part[VALUE].at.f, value, sizeof value);
    memcpy(c.part[CHILD].at.i, child, sizeof child);
    memcpy(c.part[ROOT].at.i, root, sizeof root);
    return c;
}

/* c(n) = 2 (ln(n - 1) + 0.5772156649) - 2 (n - 1) / n: of 4 it is 2 * 1.6758279536 - 1.5. */
TEST(ways_by_hand)
{
    const double c4 = 2 * (log(3) + 0.57721566490153286) - 1.5;
    CHECK_NEAR(c4, 1.8516559071, 1e-9);
    od_detector c = make();
    c.part[VALUE].at.f[5] = (float)c4;
    REQUIRE(forest->check(&c, NULL) == ODIM_OK);
    const float x[] = {0, 9, 1, 4, 7, 5}; /* 1: not below 1; 5: not below 5 */
    double s[3];
    forest->score(&c, x, 3, NULL, s);
    CHECK_NEAR(s[0], pow(2, -(1 + c4) / 2 / c4), 1e-7);
    CHECK_NEAR(s[1], pow(2, -(2 + c4) / 2 / c4), 1e-7);
    CHECK_NEAR(s[2], pow(2, -(3 + c4) / 2 / c4), 1e-7);
    od_detector_free(&c);
}

static void refuse_int(int part, int64_t at, int32_t value)
{
    od_detector c = make();
    odim_error err;
    c.part[part].at.i[at] = value;
    CHECK_INT(forest->check(&c, &err), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "not a forest of isolation trees");
    od_detector_free(&c);
}

static void refuse_count(int which, int64_t value)
{
    od_detector c = make();
    c.count[which] = value;
    CHECK_INT(forest->check(&c, NULL), ODIM_ERR_FORMAT);
    od_detector_free(&c);
}

TEST(what_is_refused)
{
    refuse_int(FEATURE, 2, 2);
    refuse_int(FEATURE, 0, -1);
    refuse_int(CHILD, 0, 0); /* back to itself on one side */
    refuse_int(CHILD, 4, 1); /* upwards */
    refuse_int(CHILD, 5, 5); /* into the next tree */
    refuse_int(CHILD, 5, -1);
    refuse_int(CHILD, 2, 6);
    refuse_int(ROOT, 0, 1);
    refuse_int(ROOT, 1, 6); /* a tree without nodes */
    refuse_int(ROOT, 1, 0);
    refuse_int(ROOT, 1, -7);
    refuse_int(ROOT, 1, 1 << 30);
    refuse_int(ROOT, 2, 5);
    refuse_count(TREES, 0);
    refuse_count(TREES, 1);
    refuse_count(TREES, INT64_MAX);
    refuse_count(SEEN, 1);
    refuse_count(STEPS, 0);
    refuse_count(STEPS, 1); /* the tree is deeper */
    refuse_count(STEPS, 64);
    od_detector c = make();
    c.part[VALUE].at.f[3] = -1; /* the length of a way */
    CHECK_INT(forest->check(&c, NULL), ODIM_ERR_FORMAT);
    c.part[VALUE].at.f[3] = 2;
    CHECK_INT(forest->check(&c, NULL), ODIM_OK);
    c.part[CHILD].count = 11;
    CHECK_INT(forest->check(&c, NULL), ODIM_ERR_FORMAT);
    od_detector_free(&c);
}

/* ---- trees that are grown --------------------------------------------------------------------------- */

enum { N = 1000, D = 4 };

static float x[N * D];

/* Uniform in three columns, the fourth constant; the last row is far off in the second. */
static void make_rows(void)
{
    od_rng s = od_rng_make(7, 0, OD_RNG_SAMPLE, 0);
    for (int i = 0; i < N; i++) {
        uint32_t w[4];
        od_rng_block(&s, (uint64_t)i, w);
        for (int j = 0; j < D; j++) x[i * D + j] = j == 3 ? 2.5f : od_unit(w[j]);
    }
    x[(N - 1) * D + 1] = 4;
}

static od_detector grow(int64_t n, int64_t trees, int64_t rows, int64_t threads)
{
    od_detector c;
    const od_detector_task task = {
        .x = x, .n = n, .d = D, .seed = 3, .trees = trees, .tree_sample = rows, .threads = threads};
    if (od_detector_fit(&c, OD_METHOD_IFOREST, &task, NULL)) abort();
    CHECK_INT(forest->check(&c, NULL), ODIM_OK);
    return c;
}

TEST(a_row_far_off)
{
    od_detector c = grow(N, 100, 256, 2);
    static double s[N];
    CHECK_INT(c.count[STEPS], 8);
    for (int i = 0; i < N; i += OD_DETECTOR_ROWS)
        forest->score(&c, x + i * D, N - i < OD_DETECTOR_ROWS ? N - i : OD_DETECTOR_ROWS, NULL, s + i);
    for (int i = 0; i < N - 1; i++) CHECK(s[i] > 0.3 && s[i] < s[N - 1]);
    CHECK(s[N - 1] > 0.6 && s[N - 1] < 1);
    for (int64_t i = 0; i < c.part[FEATURE].count; i++) CHECK(c.part[FEATURE].at.i[i] < 3);
    od_detector_free(&c);
}

/* With as many rows as there are, and steps enough, a leaf has one row: the leaves number the rows, and the
 * tree of two rows is one split. */
TEST(sizes)
{
    od_detector c = grow(2, 5, 256, 1);
    CHECK_INT(c.count[SEEN], 2);
    CHECK_INT(c.count[STEPS], 1);
    CHECK_INT(c.part[FEATURE].count, 5 * 3);
    double s;
    forest->score(&c, x, 1, NULL, &s);
    CHECK_NEAR(s, 0.5, 1e-12); /* one step down, c(2) = 1 */
    od_detector_free(&c);
}

/* Rows that are all alike cannot be parted: one leaf with c(n), and the score 1/2. */
TEST(all_alike)
{
    static const float same[3 * D] = {1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4};
    const od_detector_task task = {
        .x = same, .n = 3, .d = D, .seed = 3, .trees = 4, .tree_sample = 64, .threads = 1};
    od_detector c;
    double s;
    REQUIRE(od_detector_fit(&c, OD_METHOD_IFOREST, &task, NULL) == ODIM_OK);
    CHECK_INT(c.part[FEATURE].count, 4);
    forest->score(&c, same, 1, NULL, &s);
    CHECK_NEAR(s, 0.5, 1e-6);
    od_detector_free(&c);
}

/* Neighbouring numbers of single precision are parted all the same. */
TEST(hardly_apart)
{
    float close[2] = {1, nextafterf(1, 2)};
    const od_detector_task task = {
        .x = close, .n = 2, .d = 1, .seed = 3, .trees = 20, .tree_sample = 2, .threads = 1};
    od_detector c;
    REQUIRE(od_detector_fit(&c, OD_METHOD_IFOREST, &task, NULL) == ODIM_OK);
    CHECK_INT(c.part[FEATURE].count, 60);
    for (int i = 0; i < 60; i += 3) CHECK(c.part[VALUE].at.f[i] == close[1]);
    od_detector_free(&c);
}

static bool same_forest(const od_detector *a, const od_detector *b)
{
    bool same = true;
    for (int i = 0; i < 4; i++)
        same = same && a->part[i].count == b->part[i].count &&
               memcmp(a->part[i].at.any, b->part[i].at.any, (size_t)a->part[i].count * 4) == 0;
    return same;
}

TEST(same_bits_for_any_threads)
{
    od_detector a = grow(N, 30, 128, 1), b = grow(N, 30, 128, 5);
    CHECK(same_forest(&a, &b));
    od_detector_free(&b);
    double many[20], one;
    forest->score(&a, x, 20, NULL, many);
    for (int i = 0; i < 20; i++) {
        forest->score(&a, x + i * D, 1, NULL, &one);
        CHECK(memcmp(&one, &many[i], sizeof one) == 0);
    }
    od_detector_free(&a);
}

static int stop(void *ctx)
{
    ++*(int *)ctx;
    return 1;
}

TEST(cancelled)
{
    int calls = 0;
    const od_detector_task task = {.x = x,
                                   .n = N,
                                   .d = D,
                                   .trees = 1000000,
                                   .tree_sample = 1000,
                                   .threads = 1,
                                   .tick = stop,
                                   .ctx = &calls};
    od_detector c;
    CHECK_INT(od_detector_fit(&c, OD_METHOD_IFOREST, &task, NULL), ODIM_ERR_CANCELLED);
    CHECK_INT(calls, 1);
}

TEST(kinds)
{
    CHECK(od_detector_kind_of(OD_METHOD_NONE) == NULL);
    for (od_method m = OD_METHOD_IFOREST; m <= OD_METHOD_SUBSAMPLE_KNN; m++) {
        const od_detector_kind *k = od_detector_kind_of(m);
        if (k) CHECK(k->method == m && k->fit && k->score && k->scratch && k->check);
    }
}

int main(void)
{
    forest = od_detector_kind_of(OD_METHOD_IFOREST);
    make_rows();
    RUN(ways_by_hand);
    RUN(what_is_refused);
    RUN(a_row_far_off);
    RUN(sizes);
    RUN(all_alike);
    RUN(hardly_apart);
    RUN(same_bits_for_any_threads);
    RUN(cancelled);
    RUN(kinds);
    return test_end();
}
