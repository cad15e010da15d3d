/* tests: histogram. Histograms of scores. */
#include "histogram.h"

#include "test.h"

TEST(quantiles)
{
    double v[] = {4, NAN, 1, 3, INFINITY, 2};
    CHECK_INT(cli_histogram_sort(v, 6), 4);
    CHECK_NEAR(v[0], 1, 0);
    CHECK_NEAR(v[3], 4, 0);
    CHECK_NEAR(cli_histogram_quantile(v, 4, 0), 1, 0);
    CHECK_NEAR(cli_histogram_quantile(v, 4, 0.5), 2.5, 1e-12);
    CHECK_NEAR(cli_histogram_quantile(v, 4, 0.25), 1.75, 1e-12);
    CHECK_NEAR(cli_histogram_quantile(v, 4, 1), 4, 0);
    CHECK_NEAR(cli_histogram_quantile(v, 1, 0.7), 1, 0);
    CHECK(isnan(cli_histogram_quantile(v, 0, 0.5)));
    CHECK_INT(cli_histogram_sort(v, 0), 0);
}

/* What lies beyond is in the outermost bins, what is no number in none. */
TEST(counts)
{
    double v[] = {0, 0.5, 1, 1.999, 2, 3.9, 4, 9, -7, NAN, INFINITY}, count[4], edges[5];
    cli_range range = {0, 4};
    cli_histogram_edges(range, 4, edges);
    for (int i = 0; i < 5; i++) CHECK_NEAR(edges[i], i, 1e-12);
    cli_histogram_count(v, 11, range, 4, count);
    CHECK_NEAR(count[0], 3, 0);
    CHECK_NEAR(count[1], 2, 0);
    CHECK_NEAR(count[2], 1, 0);
    CHECK_NEAR(count[3], 3, 0);
    cli_histogram_share(count, 4);
    CHECK_NEAR(count[0], 3.0 / 9, 1e-12);
    double none[4] = {0};
    cli_histogram_share(none, 4);
    CHECK_NEAR(none[0], 0, 0);
}

TEST(ranges)
{
    double v[201], one[] = {5}, far[] = {1000};
    for (int i = 0; i <= 200; i++) v[i] = i;
    v[200] = 1e9; /* one that would squeeze all others */
    cli_range r = cli_histogram_range(v, 201, NULL, 0);
    CHECK_NEAR(r.low, 1 - 0.02 * 198, 1e-9);
    CHECK_NEAR(r.high, 199 + 0.02 * 198, 1e-9);
    r = cli_histogram_range(v, 201, far, 1);
    CHECK(r.high > 1000 && r.high < 1100);
    r = cli_histogram_range(one, 1, NULL, 0);
    CHECK(r.low < 5 && 5 < r.high);
    r = cli_histogram_range(NULL, 0, NULL, 0);
    CHECK(r.low < r.high);
}

/* Values so far apart that their difference is none. */
TEST(extremes)
{
    double v[] = {-1e308, -1, 0, 1, 1e308}, count[4], edges[5];
    CHECK_NEAR(cli_histogram_quantile(v, 5, 0.5), 0, 0);
    double ends[] = {-1e308, 1e308};
    CHECK_NEAR(cli_histogram_quantile(ends, 2, 0.5), 0, 0);
    CHECK_NEAR(cli_histogram_quantile(ends, 2, 0.75) / 1e308, 0.5, 1e-12);
    cli_range r = cli_histogram_range(v, 5, ends, 2);
    CHECK(r.low < r.high && isfinite(r.high - r.low));
    cli_histogram_edges(r, 4, edges);
    for (int i = 0; i < 4; i++) CHECK(edges[i] < edges[i + 1]);
    cli_histogram_count(v, 5, r, 4, count);
    CHECK_NEAR(count[0], 1, 0);
    CHECK_NEAR(count[1] + count[2], 3, 0);
    CHECK_NEAR(count[3], 1, 0);
    /* A range of no width has one bar. */
    cli_histogram_count(v + 2, 1, (cli_range){0, 0}, 4, count);
    CHECK_NEAR(count[0] + count[1] + count[2] + count[3], 1, 0);
}

int main(void)
{
    RUN(quantiles);
    RUN(counts);
    RUN(ranges);
    RUN(extremes);
    return test_end();
}
