/* Detectors that look at rows among others, against scikit-learn: tools/golden_classic_rows.py. */
#include "detectors.h"
#include "tensors.h"

#include "detectors/pca_space.h"
#include "detectors/covariance.h"
#include "detectors/fastmcd.h"

enum { K = 10 };

static const char *const files[] = {"one", "three", "groups", "seven"};
enum { FILES = sizeof files / sizeof *files };

typedef struct rows {
    golden g;
    float *x, *new;
    od_detector_task task;
    int64_t extra;
} rows;

static rows open_file(const char *name)
{
    rows r;
    char path[512];
    snprintf(path, sizeof path, TEST_DIR "/golden/rows_%s.txt", name);
    if (!golden_read(&r.g, path)) abort();
    int64_t d = get(&r.g, "mcd_location")->count, n = get(&r.g, "x")->count / d;
    r.x = floats(get(&r.g, "x")), r.new = floats(get(&r.g, "new"));
    r.extra = get(&r.g, "new")->count / d;
    r.task = (od_detector_task){.x = r.x, .n = n, .d = d, .seed = 1, .neighbors = K, .threads = 1};
    return r;
}

static void close_file(rows *r)
{
    od_free(r->x), od_free(r->new);
    golden_free(&r->g);
}

static void check_scores(const char *file, const tensor *want, const double *got, double tol, double more)
{
    for (int64_t i = 0; i < want->count; i++)
        if (!(fabs(got[i] - want->x[i]) <= tol * fabs(want->x[i]) + more))
            TEST_SAY("%s: %s[%lld] is %.12g, the reference has %.12g", file, want->name, (long long)i, got[i],
                     want->x[i]);
}

/* Training rows and new ones. */
static void check_method(od_method method, const char *own, const char *new, double tol)
{
    for (int f = 0; f < FILES; f++) {
        rows r = open_file(files[f]);
        double *a = scores_of(method, &r.task, r.x, r.task.n),
               *b = scores_of(method, &r.task, r.new, r.extra);
        check_scores(files[f], get(&r.g, own), a, tol, 0);
        check_scores(files[f], get(&r.g, new), b, tol, 0);
        od_free(a), od_free(b);
        close_file(&r);
    }
}

TEST(knn)
{
    check_method(OD_METHOD_KNN, "knn", "knn_new", 1e-11);
}

TEST(lof)
{
    check_method(OD_METHOD_LOF, "lof", "lof_new", 1e-10);
}

TEST(pca)
{
    check_method(OD_METHOD_PCA, "pca", "pca_new", 1e-9);
}

/* A subset as good as scikit-learn's, or better, for nearly all seeds of both. */
TEST(mcd_determinants)
{
    int tried = 0, good = 0;
    for (int f = 0; f < FILES; f++) {
        rows r = open_file(files[f]);
        int64_t n = r.task.n, d = r.task.d, h = od_mcd_support(n, d);
        double *z = od_alloc((size_t)n, (size_t)d * sizeof *z),
               *room = od_alloc(2 * OD_SCATTER_ROWS, (size_t)d * sizeof *z);
        double *cov = od_alloc(3 * (size_t)(d * d) + (size_t)d, sizeof *cov);
        int32_t *which = od_alloc((size_t)n, sizeof *which);
        for (int64_t i = 0; i < n * d; i++) z[i] = (double)r.x[i];
        const tensor *want = get(&r.g, "mcd_log_det");
        for (uint64_t seed = 1; seed <= 3; seed++) {
            od_mcd_task task = {.z = z, .n = n, .q = d, .seed = seed, .threads = 1};
            REQUIRE(od_mcd_search(&task, which, NULL) == ODIM_OK);
            od_mean_covariance(z, d, which, h, cov + 3 * d * d, cov, room);
            double got = od_whiten(cov, d, 0, cov + d * d, cov + 2 * d * d);
            for (int64_t i = 0; i < want->count; i++) {
                tried++;
                good += got <= want->x[i] + 1e-6;
                if (!(got <= want->x[i] + 1e-3))
                    TEST_SAY("%s: log det %.12g, the reference has %.12g", files[f], got, want->x[i]);
            }
        }
        od_free(z), od_free(room), od_free(cov), od_free(which);
        close_file(&r);
    }
    CHECK(good >= tried * 9 / 10);
}

/* In the units of the columns. */
static void check_estimate(const char *file, const od_detector *c, const golden *g, double tol)
{
    int64_t d = c->d;
    const double *centre = c->part[OD_PCA_SPACE_CENTRE].at.d, *middle = c->part[OD_PCA_SPACE_ARRAYS].at.d,
                 *white = c->part[OD_PCA_SPACE_ARRAYS + 1].at.d;
    const tensor *location = get(g, "mcd_location"), *cov = get(g, "mcd_covariance");
    for (int64_t i = 0; i < d; i++) {
        double scale = sqrt(cov->x[i * d + i]);
        CHECK_NEAR(middle[i] * centre[d + i] + centre[i], location->x[i], tol * scale);
        /* with s the reference's covariance, white' s white is to be 1 */
        for (int64_t j = 0; j < d; j++) {
            double sum = 0;
            for (int64_t k = 0; k < d; k++)
                for (int64_t l = 0; l < d; l++)
                    sum += white[k * d + i] / centre[d + k] * cov->x[k * d + l] * white[l * d + j] /
                           centre[d + l];
            if (!(fabs(sum - (i == j)) <= tol))
                TEST_SAY("%s: (%lld, %lld) of the whitened reference is %g", file, (long long)i, (long long)j,
                         sum);
        }
    }
}

static double rank_correlation(const double *a, const double *b, int64_t n)
{
    double sum = 0, m = (double)n;
    for (int64_t i = 0; i < n; i++) {
        double ra = 0, rb = 0;
        for (int64_t j = 0; j < n; j++) ra += a[j] < a[i], rb += b[j] < b[i];
        sum += (ra - rb) * (ra - rb);
    }
    return 1 - 6 * sum / (m * (m * m - 1));
}

/* Subsets need not be the same, but what comes of them is alike. */
TEST(mcd_estimates)
{
    for (int f = 0; f < FILES; f++) {
        rows r = open_file(files[f]);
        od_detector c = fitted(OD_METHOD_MCD, &r.task);
        check_estimate(files[f], &c, &r.g, 0.15);
        double *a = od_alloc((size_t)r.task.n, sizeof *a), *b = od_alloc((size_t)r.extra, sizeof *b);
        score_all(&c, r.x, r.task.n, a);
        score_all(&c, r.new, r.extra, b);
        CHECK(rank_correlation(a, get(&r.g, "mcd")->x, r.task.n) > 0.995);
        check_scores(files[f], get(&r.g, "mcd_new"), b, 0.2, 0.1);
        od_free(a), od_free(b);
        od_detector_free(&c);
        close_file(&r);
    }
}

int main(void)
{
    RUN(knn);
    RUN(lof);
    RUN(pca);
    RUN(mcd_determinants);
    RUN(mcd_estimates);
    return test_end();
}
