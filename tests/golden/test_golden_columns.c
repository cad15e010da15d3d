/* Our classical detectors that look at one column at a time against scores that tools/golden_columns.py made:
 * an isolation forest of scikit-learn, and HBOS, ECOD and COPOD by their definitions. */
#include "tensors.h"

#include "detectors/detector.h"

static golden g;
static int64_t n, d;
static float *x, *new_rows;

static void score(od_method method, const float *rows, int64_t count, double *scores)
{
    od_detector c;
    const od_detector_task task = {
        .x = x, .n = n, .d = d, .seed = 1, .trees = 2000, .tree_sample = 128, .threads = 2};
    const od_detector_kind *kind = od_detector_kind_of(method);
    REQUIRE(od_detector_fit(&c, method, &task, NULL) == ODIM_OK);
    CHECK_INT(kind->check(&c, NULL), ODIM_OK);
    for (int64_t i = 0; i < count; i += OD_DETECTOR_ROWS)
        kind->score(&c, rows + i * d, count - i < OD_DETECTOR_ROWS ? count - i : OD_DETECTOR_ROWS, NULL,
                    scores + i);
    od_detector_free(&c);
}

static void check(od_method method, const char *name, const float *rows)
{
    const tensor *want = get(&g, name);
    double *scores = od_alloc((size_t)want->count, sizeof *scores);
    score(method, rows, want->count, scores);
    for (int64_t i = 0; i < want->count; i++)
        CHECK_NEAR(scores[i], want->x[i], 1e-9 * (1 + fabs(want->x[i])));
    od_free(scores);
}

TEST(histograms)
{
    check(OD_METHOD_HBOS, "hbos", x);
    check(OD_METHOD_HBOS, "hbos_new", new_rows);
}

TEST(empirical_distributions)
{
    check(OD_METHOD_ECOD, "ecod", x);
    check(OD_METHOD_ECOD, "ecod_new", new_rows);
    check(OD_METHOD_COPOD, "copod", x);
    check(OD_METHOD_COPOD, "copod_new", new_rows);
}

static double rank(const double *v, int64_t i)
{
    double below = 0;
    for (int64_t k = 0; k < n; k++) below += v[k] < v[i] ? 1 : v[k] == v[i] ? 0.5 : 0;
    return below;
}

/* Other random numbers, the same forest: nearly the same order of the rows, nearly the same scores. */
TEST(forests)
{
    const double *want = get(&g, "iforest")->x;
    double *scores = od_alloc((size_t)n, sizeof *scores), ab = 0, aa = 0, bb = 0, off = 0;
    score(OD_METHOD_IFOREST, x, n, scores);
    for (int64_t i = 0; i < n; i++) {
        double a = rank(scores, i) - (double)n / 2, b = rank(want, i) - (double)n / 2;
        ab += a * b, aa += a * a, bb += b * b;
        off = fmax(off, fabs(scores[i] - want[i]));
    }
    CHECK(ab / sqrt(aa * bb) > 0.99);
    CHECK(off < 0.012);
    od_free(scores);
}

int main(void)
{
    if (!golden_read(&g, TEST_DIR "/golden/columns.txt")) return 1;
    const double *shape = get(&g, "shape")->x;
    n = (int64_t)shape[0], d = (int64_t)shape[2];
    x = floats(get(&g, "x"));
    new_rows = floats(get(&g, "new"));
    RUN(histograms);
    RUN(empirical_distributions);
    RUN(forests);
    od_free(x), od_free(new_rows);
    golden_free(&g);
    return test_end();
}
