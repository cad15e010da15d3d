/* Dense groups far from the others are found, and scattered rows are none. */
#include "score/groups.h"

#include "common/mem.h"
#include "detectors/chisquare.h"
#include "detectors.h"
#include "starve.h"

enum { N = 2000, Q = 3 };
static float *x;
static bool called[N];
static odim_error err;

/* Two clusters of ordinary rows; the last `second` rows lie `away` from them on the first axis, `wide` times
 * as wide, and are called. */
static void fill(int second, double away, float wide)
{
    od_free(x);
    x = normal_rows(N, Q, 11);
    for (int i = 0; i < N; i++) {
        called[i] = i >= N - second;
        if (i < N / 2) x[i * Q + 1] += 30;
        for (int j = 0; called[i] && j < Q; j++) x[i * Q + j] *= wide;
        if (called[i]) x[i * Q] += (float)away;
    }
}

static od_verdict find(int64_t n, uint64_t seed)
{
    od_verdict v = {.q = Q};
    CHECK_INT(od_groups_find(&v, x, called, n, seed, 2, &err), ODIM_OK);
    return v;
}

TEST(clusters)
{
    fill(300, 20, 1);
    od_verdict v = find(N, 1);
    REQUIRE(v.groups == 1);
    const od_group *g = &v.group[0];
    CHECK_NEAR(g->mean[0], 20, 0.3);
    CHECK_NEAR(g->mean[1], 0, 0.3);
    CHECK_NEAR(g->limit, od_chisquare_quantile(0.999, Q), 1e-9);
    int inside = 0, others = 0;
    for (int i = 0; i < N; i++)
        *(i >= N - 300 ? &inside : &others) += od_group_distance(g, Q, x + i * Q) < g->limit;
    CHECK(inside >= 295 && others == 0);
    /* The distance is Mahalanobis': of independent axes with deviation 1, the square of the plain one. */
    double plain = 0;
    for (int j = 0; j < Q; j++) plain += (x[j] - g->mean[j]) * (x[j] - g->mean[j]);
    CHECK_NEAR(od_group_distance(g, Q, x), plain, 0.35 * plain);
    od_verdict_free(&v);
}

/* A small group, or one that is spread over the whole space, or one that nobody calls, or the only one beside
 * a single cluster: that may well be outliers of one kind. */
TEST(what_is_no_group)
{
    fill(40, 20, 1); /* 2 % */
    od_verdict v = find(N, 1);
    CHECK_INT(v.groups, 0);
    od_verdict_free(&v);
    fill(300, 0, 20); /* outliers in all directions */
    v = find(N, 1);   /* the large clusters may be groups, but these rows are outside */
    int inside = 0;
    for (int i = N - 300; i < N; i++)
        for (int g = 0; g < v.groups; g++)
            inside += od_group_distance(&v.group[g], Q, x + i * Q) < v.group[g].limit;
    CHECK(inside < 15);
    od_verdict_free(&v);
    fill(300, 20, 1);
    for (int i = N - 230; i < N; i++) called[i] = false; /* less than a quarter are left */
    v = find(N, 1);
    CHECK_INT(v.groups, 0);
    od_verdict_free(&v);
    fill(300, 20, 1);
    for (int i = 0; i < N / 2; i++) x[i * Q + 1] -= 30;
    v = find(N, 1);
    CHECK_INT(v.groups, 0);
    od_verdict_free(&v);
    fill(300, 20, 1);
    memset(called, 0, sizeof called);
    v = find(N, 1);
    CHECK_INT(v.groups, 0);
    od_verdict_free(&v);
}

/* Units of the axes do not matter, nor does the order of the rows; the seed hardly does. */
TEST(units_and_seeds)
{
    fill(300, 20, 1);
    for (int i = 0; i < N; i++) x[i * Q] *= 1e-6f, x[i * Q + 2] *= 1e6f;
    for (uint64_t seed = 0; seed < 5; seed++) {
        od_verdict v = find(N, seed);
        CHECK_INT(v.groups, 1);
        if (v.groups) CHECK_NEAR(v.group[0].mean[0], 20e-6, 1e-6);
        od_verdict_free(&v);
    }
    od_verdict a = find(N, 3), b = find(N, 3);
    REQUIRE(a.groups == 1 && b.groups == 1);
    CHECK(memcmp(a.group[0].whiten, b.group[0].whiten, Q * Q * sizeof(double)) == 0);
    od_verdict_free(&a);
    od_verdict_free(&b);
}

/* More rows than are looked at: evenly spread ones are. */
TEST(many_rows)
{
    enum { MANY = 50000 };
    float *all = normal_rows(MANY, Q, 5);
    bool *odd = od_alloc(MANY, sizeof *odd);
    REQUIRE(odd);
    for (int i = 0; i < MANY; i++) {
        odd[i] = i >= MANY - 5000;
        if (odd[i]) all[i * Q + 1] -= 15;
        if (i < MANY / 3) all[i * Q + 2] += 20;
    }
    od_verdict v = {.q = Q};
    CHECK_INT(od_groups_find(&v, all, odd, MANY, 0, 2, &err), ODIM_OK);
    CHECK_INT(v.groups, 1);
    od_verdict_free(&v);
    od_free(all);
    od_free(odd);
}

/* Constant axes, equal rows, huge rows, too few rows: numbers stay finite. */
TEST(odd_rows)
{
    for (int kind = 0; kind < 4; kind++) {
        fill(300, 20, 1);
        for (int i = 0; i < N * Q; i++) {
            if (kind == 0 && i % Q) x[i] = 3;
            if (kind == 1) x[i] = 7;
            if (kind == 2) x[i] *= 1e30f;
            if (kind == 3) x[i] *= 1e-38f;
        }
        for (int64_t n = 1; n <= N; n = n == 1 ? 50 : n * 40) {
            od_verdict v = {.q = Q};
            const bool *from = called + N - n;
            CHECK_INT(od_groups_find(&v, x + (N - n) * Q, from, n, 0, 2, &err), ODIM_OK);
            for (int g = 0; g < v.groups; g++) {
                for (int i = 0; i < Q; i++) CHECK(isfinite(v.group[g].mean[i]));
                for (int i = 0; i < Q * Q; i++) CHECK(isfinite(v.group[g].whiten[i]));
                CHECK(v.group[g].limit > 0 && isfinite(v.group[g].limit));
            }
            od_verdict_free(&v);
        }
    }
}

TEST(memory_runs_out)
{
    fill(300, 20, 1);
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 6)
    {
        od_verdict v = {.q = Q};
        status = od_groups_find(&v, x, called, N, 1, 2, &err);
        od_verdict_free(&v);
    }
}

int main(void)
{
    RUN(clusters);
    RUN(what_is_no_group);
    RUN(units_and_seeds);
    RUN(many_rows);
    RUN(odd_rows);
    RUN(memory_runs_out);
    od_free(x);
    return test_end();
}
