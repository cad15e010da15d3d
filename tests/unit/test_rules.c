/* tests: rules rules_fit rule_trial. Rules of arithmetic: how values obey them, and how they are found in
 * tables. */
#include "prep/rules_fit.h"

#include <math.h>

#include "starve.h"
#include "test.h"

enum { N = 200 };
static odim_error err;
static double x[N * OD_RULE_COLUMNS]; /* row by row */
static od_rules rules;

/* A reproducible number in [0, 1). */
static double next(void)
{
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return state / 4294967296.0;
}

static double cents(double v)
{
    return round(v * 100) / 100;
}

static od_rules_input input(int64_t n, int q, unsigned times)
{
    static double columns[N * OD_RULE_COLUMNS];
    od_rules_input in = {.x = columns, .n = n, .rows = n, .q = q};
    for (int k = 0; k < q; k++) {
        for (int64_t i = 0; i < n; i++) columns[k * n + i] = x[i * q + k];
        in.col[k] = 10 + k; /* the schema has others before them */
        in.is_time[k] = times >> k & 1;
        in.low[k] = -INFINITY;
        in.high[k] = INFINITY;
    }
    return in;
}

static int find(int64_t n, int q, unsigned times)
{
    od_rules_input in = input(n, q, times);
    CHECK_INT(od_rules_find(&rules, &in, &err), ODIM_OK);
    return rules.count;
}

TEST(sums)
{
    od_rule r = {.kind = OD_RULE_SUM, .terms = 3, .weight = {1, -1, -1}, .rounding = {0.005}};
    CHECK_INT(od_rule_check(&r, (double[]){119, 100, 19}), OD_RULE_OBEYED);
    CHECK_INT(od_rule_check(&r, (double[]){119.01, 100, 19}), OD_RULE_BENT);
    CHECK_INT(od_rule_check(&r, (double[]){129, 100, 19}), OD_RULE_BROKEN);
    CHECK_INT(od_rule_check(&r, (double[]){119, NAN, 19}), OD_RULE_SILENT);
    CHECK_INT(od_rule_check(&r, (double[]){0, 0, 0}), OD_RULE_SILENT);
    double error;
    CHECK_NEAR(od_rule_solve(&r, (double[]){119, 100, 1}, 2, &error), 19, 1e-12);
    CHECK_NEAR(error, 0.005, 1e-6);
    CHECK_NEAR(od_rule_solve(&r, (double[]){1, 100, 19}, 0, &error), 119, 1e-12);
}

TEST(products)
{
    od_rule r = {.kind = OD_RULE_PRODUCT,
                 .terms = 4,
                 .weight = {0, 1, 1, 1},
                 .share = {0, 0, 0, -1},
                 .step = {0.01, 1, 0.01, 0.05},
                 .rounding = {0.005},
                 .constant = 1};
    CHECK_INT(od_rule_check(&r, (double[]){27, 3, 10, 0.1}), OD_RULE_OBEYED);
    CHECK_INT(od_rule_check(&r, (double[]){30, 3, 10, 0.1}), OD_RULE_BROKEN);
    CHECK_INT(od_rule_check(&r, (double[]){0, 0, 10, 0.1}), OD_RULE_SILENT);
    double error;
    CHECK_NEAR(od_rule_solve(&r, (double[]){30, 3, 10, 0.1}, 0, &error), 27, 1e-9);
    double discount = od_rule_solve(&r, (double[]){30, 3, 10, 0.1}, 3, &error);
    CHECK_NEAR(discount, 0, 1e-9);
    CHECK(od_rule_on_grid(&r, 3, discount, error));
    double quantity = od_rule_solve(&r, (double[]){24, 3, 10, 0.1}, 1, &error);
    CHECK_NEAR(quantity, 24 / 9.0, 1e-9);
    CHECK(!od_rule_on_grid(&r, 1, quantity, error));
    r.weight[1] = -1; /* 10 x 0.9 / 3 */
    CHECK_INT(od_rule_check(&r, (double[]){3, 3, 10, 0.1}), OD_RULE_OBEYED);
    CHECK_NEAR(od_rule_solve(&r, (double[]){3, 1, 10, 0.1}, 1, &error), 3, 1e-9);
    CHECK(isnan(od_rule_solve(&r, (double[]){3, 0, 10, 0.1}, 0, &error))); /* a division by zero */
}

TEST(orders)
{
    od_rule r = {.kind = OD_RULE_ORDER, .terms = 2, .constant = 5};
    double error;
    CHECK_INT(od_rule_check(&r, (double[]){1, 1}), OD_RULE_OBEYED);
    CHECK_INT(od_rule_check(&r, (double[]){4, 1}), OD_RULE_BENT);
    CHECK_INT(od_rule_check(&r, (double[]){7, 1}), OD_RULE_BROKEN);
    CHECK(isnan(od_rule_solve(&r, (double[]){7, 1}, 0, &error)));
}

TEST(finds_a_sum)
{
    for (int i = 0; i < N; i++) {
        double net = cents(10 + 500 * next()), tax = cents(20 * next());
        double row[] = {net, tax, net + tax, next()};
        for (int k = 0; k < 4; k++) x[i * 4 + k] = row[k];
    }
    CHECK_INT(find(N, 4, 0), 1);
    CHECK_INT(rules.rule[0].kind, OD_RULE_SUM);
    CHECK_INT(rules.rule[0].terms, 3);
    CHECK_INT(rules.rule[0].col[0] + rules.rule[0].col[1] + rules.rule[0].col[2], 33);
    for (int i = 0; i < 4; i++) x[(i * 31 + 7) * 4 + 2] += 50; /* a few errors do not hide it */
    CHECK_INT(find(N, 4, 0), 1);
    CHECK_INT(od_rule_check(&rules.rule[0], (double[]){x[28], x[29], x[30]}), OD_RULE_BROKEN);
    for (int i = 0; i < N / 10; i++) x[i * 10 * 4 + 2] += 50; /* many do */
    CHECK_INT(find(N, 4, 0), 0);
}

TEST(finds_a_discount)
{
    for (int i = 0; i < N; i++) {
        double quantity = 1 + floor(8 * next()), price = cents(5 + 90 * next()),
               discount = 5 * floor(4 * next());
        double row[] = {quantity, price, discount, cents(quantity * price * (1 - discount / 100))};
        for (int k = 0; k < 4; k++) x[i * 4 + k] = row[k];
    }
    CHECK_INT(find(N, 4, 0), 1);
    const od_rule *r = &rules.rule[0];
    CHECK_INT(r->kind, OD_RULE_PRODUCT);
    CHECK_INT(r->terms, 4);
    CHECK_INT(r->col[0], 13);
    CHECK(r->share[3] == -0.01 && r->constant == 1.0);
    CHECK(r->step[1] == 1.0 && r->step[2] == 0.01 && r->step[3] == 5.0);
}

TEST(products_with_a_fee)
{
    od_rule r = {.kind = OD_RULE_ADDED,
                 .terms = 4,
                 .weight = {1, 1, 1, 1},
                 .step = {0.01, 1, 0.01, 0.1},
                 .rounding = {0.005}};
    double error;
    CHECK_INT(od_rule_check(&r, (double[]){34.9, 3, 10, 4.9}), OD_RULE_OBEYED);
    CHECK_INT(od_rule_check(&r, (double[]){34.91, 3, 10, 4.9}), OD_RULE_BENT);
    CHECK_INT(od_rule_check(&r, (double[]){54.9, 3, 10, 4.9}), OD_RULE_BROKEN);
    CHECK_INT(od_rule_check(&r, (double[]){54.9, 3, NAN, 4.9}), OD_RULE_SILENT);
    CHECK_NEAR(od_rule_solve(&r, (double[]){1, 3, 10, 4.9}, 0, &error), 34.9, 1e-9);
    CHECK_NEAR(od_rule_solve(&r, (double[]){34.9, 1, 10, 4.9}, 1, &error), 3, 1e-9);
    CHECK_NEAR(error, 0.0005, 1e-6);
    CHECK_NEAR(od_rule_solve(&r, (double[]){34.9, 3, 1, 4.9}, 2, &error), 10, 1e-9);
    CHECK_NEAR(od_rule_solve(&r, (double[]){34.9, 3, 10, 0}, 3, &error), 4.9, 1e-9);
    CHECK(isnan(od_rule_solve(&r, (double[]){34.9, 3, 0, 4.9}, 1, &error)));
    r.weight[3] = -1;
    CHECK_INT(od_rule_check(&r, (double[]){25.1, 3, 10, 4.9}), OD_RULE_OBEYED);
    CHECK_NEAR(od_rule_solve(&r, (double[]){25.1, 3, 10, 0}, 3, &error), 4.9, 1e-9);
}

/* Coarse counts and prices do not make a product with a share of a fee that is added. */
TEST(finds_a_fee)
{
    static const double prices[] = {8.9, 19.9, 44.5, 12.0, 15.5}, fees[] = {0, 4.9, 9.9};
    for (int i = 0; i < N; i++) {
        double quantity = 1 + floor(7 * next()), price = prices[(int)(5 * next())],
               fee = fees[(int)(3 * next())];
        double row[] = {quantity, price, fee, cents(quantity * price + fee)};
        for (int k = 0; k < 4; k++) x[i * 4 + k] = row[k];
    }
    int count = find(N, 4, 0);
    for (int i = 1; i < count; i++) CHECK_INT(rules.rule[i].kind, OD_RULE_ORDER); /* price <= total */
    CHECK_INT(rules.rule[0].kind, OD_RULE_ADDED);
    CHECK_INT(rules.rule[0].col[0], 13);
    CHECK_INT(rules.rule[0].col[3], 12);
    CHECK(rules.rule[0].weight[3] == 1.0);
}

TEST(finds_a_rate)
{
    for (int i = 0; i < N; i++) {
        x[i * 2] = floor(100 + 300 * next());
        x[i * 2 + 1] = cents(0.32 * x[i * 2]);
    }
    CHECK_INT(find(N, 2, 0), 1);
    CHECK_INT(rules.rule[0].terms, 2);
    CHECK_NEAR(od_rule_solve(&rules.rule[0], (double[]){0, 100}, 0, &(double){0}),
               rules.rule[0].col[0] == 11 ? 32 : 312.5, 1e-6);
}

TEST(finds_a_duration)
{
    for (int i = 0; i < N; i++) {
        double days = 1 + floor(10 * next()), start = 86400 * floor(19000 + 300 * next());
        double row[] = {start, start + 86400 * (days - 1), days};
        for (int k = 0; k < 3; k++) x[i * 3 + k] = row[k];
    }
    int count = find(N, 3, 3), sums = 0, orders = 0;
    for (int i = 0; i < count; i++) {
        const od_rule *r = &rules.rule[i];
        sums += r->kind == OD_RULE_SUM && r->weight[2] == -86400 && r->constant == -86400;
        orders += r->kind == OD_RULE_ORDER && r->col[0] == 10 && r->col[1] == 11 && r->constant == 0;
    }
    CHECK_INT(sums, 1); /* one of the two ways to write it */
    CHECK_INT(orders, 1);
}

TEST(finds_an_order)
{
    for (int i = 0; i < N; i++) {
        x[i * 2] = floor(1e9 * next());
        x[i * 2 + 1] = x[i * 2] + 3600 + floor(7200 * next());
    }
    x[9 * 2 + 1] = x[9 * 2] - 86400;
    CHECK_INT(find(N, 2, 3), 1);
    CHECK(rules.rule[0].constant >= 3600 && rules.rule[0].constant < 5400);
    CHECK_INT(od_rule_check(&rules.rule[0], &x[9 * 2]), OD_RULE_BROKEN);
    x[20 * 2 + 1] = x[20 * 2] - 86400; /* two of 200 are not mistakes */
    CHECK_INT(find(N, 2, 3), 0);
    for (int i = 0; i < N; i++)
        x[i * 2] = next(), x[i * 2 + 1] = 50 + next(); /* numbers are in order by chance */
    CHECK_INT(find(N, 2, 0), 0);
}

TEST(finds_nothing)
{
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 6; k++) x[i * 6 + k] = k < 3 ? floor(5 * next()) : k == 3 ? 0.0 : next();
    CHECK_INT(find(N, 6, 0), 0);
    CHECK_INT(find(5, 6, 0), 0);
    CHECK_INT(find(0, 6, 0), 0);
    for (int i = 0; i < N * 6; i++) x[i] = NAN;
    CHECK_INT(find(N, 6, 2), 0);
    for (int i = 0; i < N * 6; i++) x[i] = i % 6 == 5 ? INFINITY : 1e308;
    CHECK_INT(find(N, 6, 2), 0);
}

/* Twelve rows are enough if all but one agree. */
TEST(few_rows)
{
    static const double quantity[] = {2, 4, 3, 7, 1, 4, 2, 3, 5, 3, 2, 6},
                        price[] = {5, 3, 5, 2, 8, 4, 6, 9, 7, 3, 2, 4};
    for (int i = 0; i < 12; i++) {
        double row[] = {quantity[i], price[i], quantity[i] * price[i]};
        for (int k = 0; k < 3; k++) x[i * 3 + k] = row[k];
    }
    x[2 * 3 + 2] += 7;
    CHECK_INT(find(12, 3, 0), 1);
    x[5 * 3 + 2] += 7;
    CHECK_INT(find(12, 3, 0), 0);
}

TEST(allocations)
{
    odim_status status;
    od_rules_input in = input(N, 4, 0);
    EACH_ALLOCATION_FAILS(status, 1) status = od_rules_find(&rules, &in, &err);
}

/* Many rows at once are counted as one by one, whatever their values. */
TEST(counts)
{
    static const double odd[] = {0.0, -0.0, 1.0, -1.0, 100.0, NAN, INFINITY, 1e308, 1e-310};
    for (int round = 0; round < 600; round++) {
        static const od_rule_kind kinds[] = {OD_RULE_SUM, OD_RULE_PRODUCT, OD_RULE_ADDED};
        double columns[OD_RULE_TERMS][OD_RULE_BLOCK], row[OD_RULE_TERMS];
        od_rule r = {.kind = kinds[round % 3], .terms = round % 3 == 2 ? 4 : 2 + round / 3 % 3};
        int64_t count = 1 + (int64_t)(OD_RULE_BLOCK * next());
        od_rule_tally want = {0}, got = {0};
        r.constant = next() < 0.5 ? 1.0 : 0.5;
        for (int k = 0; k < r.terms; k++) {
            r.weight[k] = next() < 0.5 ? 1.0 : -1.0;
            r.share[k] = next() < 0.5 ? 0.0 : next() < 0.5 ? -1.0 : 0.01;
            r.rounding[k] = next() < 0.5 ? 0.0 : 0.5;
            for (int i = 0; i < count; i++)
                columns[k][i] = next() < 0.2 ? odd[(int)(9 * next())] : floor(4 * next());
        }
        for (int i = 0; i < count; i++) {
            for (int k = 0; k < r.terms; k++) row[k] = columns[k][i];
            od_obedience o = od_rule_check(&r, row);
            want.all += o != OD_RULE_SILENT;
            want.obeyed += o == OD_RULE_OBEYED;
            want.broken += o == OD_RULE_BROKEN;
        }
        od_rule_count(&r, columns, count, &got);
        CHECK_INT(got.all, want.all);
        CHECK_INT(got.obeyed, want.obeyed);
        CHECK_INT(got.broken, want.broken);
    }
}

/* A rule that speaks of hardly any row, because of zeros, is none; with a few more rows it is. */
TEST(zeros)
{
    for (int some = 0; some < 2; some++) {
        for (int i = 0; i < N; i++) {
            bool zero = i % 5 >= 2 + some;
            double row[] = {zero ? 0 : cents(50 + 100 * next()), zero ? 0 : cents(5 + 20 * next()), 0};
            row[2] = cents(row[0] + row[1]);
            for (int k = 0; k < 3; k++) x[i * 3 + k] = row[k];
        }
        CHECK_INT(find(N, 3, 0) > 0, some);
    }
}

int main(void)
{
    RUN(counts);
    RUN(zeros);
    RUN(sums);
    RUN(products);
    RUN(orders);
    RUN(finds_a_sum);
    RUN(finds_a_discount);
    RUN(products_with_a_fee);
    RUN(finds_a_fee);
    RUN(finds_a_rate);
    RUN(finds_a_duration);
    RUN(finds_an_order);
    RUN(finds_nothing);
    RUN(few_rows);
    RUN(allocations);
    return test_end();
}
