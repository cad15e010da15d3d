/* The paper's other detectors against scikit-learn and plain NumPy: tools/golden_paper_methods.py. */
#include "detectors.h"
#include "tensors.h"

enum { K = 8, CLUSTERS = 5, REFERENCES = 6 };

static golden g;
static float *x, *new;
static int64_t n, m, d;

/* Scores of the rows and of the new rows, each wrong by at most `tol` of the reference plus `more`. */
static void check_method(od_method method, const char *name, double tol, double more)
{
    od_detector_task task = {.x = x,
                             .n = n,
                             .d = d,
                             .seed = 1,
                             .neighbors = K,
                             .threads = 1,
                             .nu = 0.5,
                             .clusters = CLUSTERS,
                             .projections = 10000,
                             .bins = 10,
                             .references = REFERENCES,
                             .bags = 1000};
    od_detector c = fitted(method, &task);
    for (int extra = 0; extra < 2; extra++) {
        char what[32];
        snprintf(what, sizeof what, "%s%s", name, extra ? "_new" : "");
        const tensor *want = get(&g, what);
        double *got = od_alloc((size_t)(extra ? m : n), sizeof *got);
        score_all(&c, extra ? new : x, extra ? m : n, got);
        REQUIRE(want->count == (extra ? m : n));
        for (int64_t i = 0; i < want->count; i++)
            if (!(fabs(got[i] - want->x[i]) <= tol * fabs(want->x[i]) + more))
                TEST_SAY("%s[%lld] is %.9g, the reference has %.9g", what, (long long)i, got[i], want->x[i]);
        od_free(got);
    }
    od_detector_free(&c);
}

/* The search ends where gradients are 1e-4 apart; the sum of all weights is 120. */
TEST(ocsvm)
{
    check_method(OD_METHOD_OCSVM, "ocsvm", 0, 2e-3);
}

TEST(cblof)
{
    check_method(OD_METHOD_CBLOF, "cblof", 1e-6, 0);
}

/* 10,000 projections beside 20,000 others. */
TEST(loda)
{
    check_method(OD_METHOD_LODA, "loda", 0.01, 0.03);
}

TEST(cof)
{
    check_method(OD_METHOD_COF, "cof", 1e-7, 0);
}

TEST(sod)
{
    check_method(OD_METHOD_SOD, "sod", 1e-7, 0);
}

/* 1000 bags beside the mean over all. */
TEST(bagging)
{
    check_method(OD_METHOD_BAGGING, "bagging", 0.05, 0);
}

int main(void)
{
    if (!golden_read(&g, TEST_DIR "/golden/paper_methods.txt")) abort();
    const tensor *shape = get(&g, "shape");
    n = (int64_t)shape->x[0], m = (int64_t)shape->x[1], d = (int64_t)shape->x[2];
    x = floats(get(&g, "x")), new = floats(get(&g, "new"));
    RUN(ocsvm);
    RUN(cblof);
    RUN(loda);
    RUN(cof);
    RUN(sod);
    RUN(bagging);
    od_free(x), od_free(new);
    golden_free(&g);
    return test_end();
}
