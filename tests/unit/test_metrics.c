/* tests: metrics. AUC and average precision by hand and against scikit-learn; ranks. */
#include "test.h"

#include "odim.h"
#include "reference_values.h"

TEST(by_hand)
{
    /* Outliers have 3 and 1, inliers 2 and 0: of the four pairs three are in order. */
    const double s[] = {0, 1, 2, 3};
    const int8_t y[] = {0, 1, 0, 1};
    double v;
    CHECK(odim_auc(s, y, 4, &v, NULL) == ODIM_OK);
    CHECK_NEAR(v, 0.75, 1e-15);
    CHECK(odim_average_precision(s, y, 4, &v, NULL) == ODIM_OK);
    CHECK_NEAR(v, 0.5 * 1 + 0.5 * 2.0 / 3, 1e-15);
}

TEST(as_scikit_learn)
{
    for (size_t i = 0; i < sizeof reference_rankings / sizeof *reference_rankings; i++) {
        const struct reference_ranking *r = &reference_rankings[i];
        double v;
        CHECK(odim_auc(r->score, r->label, r->n, &v, NULL) == ODIM_OK);
        CHECK_NEAR(v, r->auc, 1e-12);
        CHECK(odim_average_precision(r->score, r->label, r->n, &v, NULL) == ODIM_OK);
        CHECK_NEAR(v, r->ap, 1e-12);
    }
}

TEST(extremes_and_errors)
{
    const double s[] = {-INFINITY, 1, INFINITY}, bad[] = {1, NAN, 2};
    const int8_t y[] = {0, 0, 1}, ones[] = {1, 1, 1}, odd[] = {0, 2, 1};
    double v;
    odim_error err;
    CHECK(odim_auc(s, y, 3, &v, NULL) == ODIM_OK && v == 1);
    CHECK_INT(odim_auc(s, ones, 3, &v, &err), ODIM_ERR_DATA);
    CHECK_STR(err.msg, "the labels are all 1: both kinds are needed");
    CHECK_INT(odim_auc(bad, y, 3, &v, &err), ODIM_ERR_DATA);
    CHECK_INT(err.row, 1);
    CHECK_INT(odim_average_precision(s, odd, 3, &v, &err), ODIM_ERR_DATA);
    CHECK_INT(odim_auc(s, y, 0, &v, &err), ODIM_ERR_DATA);
}

TEST(ranks)
{
    const double s[] = {2, 5, 2, 9};
    int64_t r[4];
    CHECK(odim_rank(s, 4, r, NULL) == ODIM_OK);
    CHECK(r[0] == 3 && r[1] == 2 && r[2] == 4 && r[3] == 1);
    CHECK(odim_rank(s, 0, r, NULL) == ODIM_OK);
}

/* Many scores are sorted in another way: negative ones, equal ones, both zeros, the infinite. */
TEST(many_ranks)
{
    enum { MANY = 5000 };
    static double s[MANY];
    static int64_t rank[MANY], row_at[MANY + 1];
    unsigned state = 3;
    for (int i = 0; i < MANY; i++) {
        state = state * 1664525u + 1013904223u;
        int kind = (int)(state >> 28);
        double x = ((double)(state >> 8) / (1 << 24) - 0.5) * pow(10, kind - 8);
        s[i] = kind < 10    ? x
               : kind == 10 ? 0.0
               : kind == 11 ? -0.0
               : kind == 12 ? INFINITY
               : kind == 13 ? -INFINITY
                            : 7;
    }
    REQUIRE(odim_rank(s, MANY, rank, NULL) == ODIM_OK);
    for (int i = 0; i < MANY; i++) {
        REQUIRE(rank[i] >= 1 && rank[i] <= MANY);
        row_at[rank[i]] = i;
    }
    for (int r = 2; r <= MANY; r++) {
        int64_t before = row_at[r - 1], here = row_at[r];
        CHECK(s[before] > s[here] || (s[before] == s[here] && before < here));
    }
    for (int i = 0; i < MANY; i++) s[i] = 5; /* no digit differs */
    REQUIRE(odim_rank(s, MANY, rank, NULL) == ODIM_OK);
    for (int i = 0; i < MANY; i++) CHECK_INT(rank[i], i + 1);
}

int main(void)
{
    RUN(by_hand);
    RUN(as_scikit_learn);
    RUN(extremes_and_errors);
    RUN(ranks);
    RUN(many_ranks);
    return test_end();
}
