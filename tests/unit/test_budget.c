/* tests: budget */
#include "test.h"

#include "odim.h"
#include "privacy/budget.h"
#include "privacy/renyi.h"

TEST(orders)
{
    for (int i = 1; i < OD_BUDGET_ORDERS; i++) CHECK(od_budget_order(i) > od_budget_order(i - 1));
    CHECK(od_budget_order(0) == 1.01);
    CHECK(od_budget_order(8) == 1.09);
    CHECK(od_budget_order(9) == 1.1);
    CHECK(od_budget_order(107) == 10.9);
    CHECK(od_budget_order(108) == 11);
    CHECK(od_budget_order(160) == 63);
    CHECK(od_budget_order(161) == 64);
    CHECK(od_budget_order(165) == 128);
    CHECK(od_budget_order(OD_BUDGET_ORDERS - 1) == 4096);
}

/* Our orders are those of the published value and more, so that the guarantee cannot be worse. */
TEST(published)
{
    double epsilon, order;
    CHECK(odim_dp_epsilon(0.04, 1.5, 2250, 1e-5, &epsilon, &order, NULL) == ODIM_OK);
    CHECK_NEAR(epsilon, 7.32911117143, 1e-10);
    CHECK_NEAR(order, 3.9, 1e-12);
}

/* Without sampling the cost is a T / (2 s^2) and the best order, were it not one of a list, has a closed form
 * near 1 + sqrt(2 s^2 log(1/delta) / T): the list must come close to the least over all orders. */
TEST(the_list_of_orders_is_good)
{
    static const double noises[] = {0.5, 1, 3, 10, 50, 300};
    for (int i = 0; i < 6; i++) {
        double epsilon, best = INFINITY, s = noises[i];
        CHECK(odim_dp_epsilon(1, s, 10, 1e-5, &epsilon, NULL, NULL) == ODIM_OK);
        for (double a = 1.0001; a < 4096; a = 1 + (a - 1) * 1.0005)
            best = fmin(best, od_renyi_epsilon(a, 10 * a / (2 * s * s), 1e-5));
        CHECK(epsilon >= best * (1 - 1e-6) && epsilon < best * 1.01);
    }
}

/* One run of 2 T updates is two runs of T: costs add up, epsilons add up to more. */
TEST(composition)
{
    od_budget b;
    od_budget_begin(&b, 0.05, 1.3);
    for (int i = 0; i < OD_BUDGET_ORDERS; i++)
        CHECK(b.cost[i] == od_renyi_cost(0.05, 1.3, od_budget_order(i)));
    double before = 0;
    for (int64_t steps = 1; steps < 1000000000; steps *= 3) {
        double one = od_budget_epsilon(&b, steps, 1e-6, NULL),
               two = od_budget_epsilon(&b, 2 * steps, 1e-6, NULL);
        CHECK(one > before);
        CHECK(two > one && two < 2 * one);
        before = one;
    }
    CHECK(od_budget_epsilon(&b, 0, 1e-6, NULL) == 0);
}

TEST(no_guarantee)
{
    od_budget b;
    od_budget_begin(&b, 0.5, 0);
    double order;
    CHECK(od_budget_epsilon(&b, 1, 1e-5, &order) == INFINITY && order == INFINITY);
    CHECK(od_budget_epsilon(&b, 0, 1e-5, &order) == 0 && order == INFINITY);
    CHECK_INT(od_budget_steps(NULL, &b, 1e9, 1e-5), 0);
}

/* The number of steps is the last that fits. */
TEST(steps_within)
{
    static const double targets[] = {0.01, 0.5, 1, 7.32911117143, 10, 300};
    for (int i = 0; i < 6; i++) {
        int64_t steps;
        double at, after;
        CHECK(odim_dp_steps(0.04, 1.5, targets[i], 1e-5, &steps, NULL) == ODIM_OK);
        CHECK(odim_dp_epsilon(0.04, 1.5, steps, 1e-5, &at, NULL, NULL) == ODIM_OK);
        CHECK(odim_dp_epsilon(0.04, 1.5, steps + 1, 1e-5, &after, NULL, NULL) == ODIM_OK);
        CHECK(at <= targets[i] && after > targets[i]);
    }
    int64_t steps;
    CHECK(odim_dp_steps(0.04, 1.5, 7.3292, 1e-5, &steps, NULL) == ODIM_OK);
    CHECK_INT(steps, 2250);
    CHECK(odim_dp_steps(1, 0.1, 0.1, 1e-5, &steps, NULL) == ODIM_OK);
    CHECK_INT(steps, 0);
    CHECK(odim_dp_steps(1e-9, 1e9, 1, 1e-5, &steps, NULL) == ODIM_OK);
    CHECK_INT(steps, (int64_t)1 << 53);
}

/* The noise is the first of its grid that is enough. */
TEST(noise_enough)
{
    static const struct {
        double rate, epsilon;
        int64_t steps;
        double delta;
    } c[] = {{0.04, 10, 2250, 1e-5},
             {0.5, 0.5, 20, 1e-8},
             {1, 8, 1, 1e-5},
             {1e-3, 5000, 1, 1e-5},
             {0.02, 0.01, 5, 1e-5}};
    for (int i = 0; i < 5; i++) {
        double noise, at, before;
        CHECK(odim_dp_noise(c[i].rate, c[i].epsilon, c[i].steps, c[i].delta, &noise, NULL) == ODIM_OK);
        CHECK_NEAR(noise * 10000, round(noise * 10000), 1e-9);
        CHECK(odim_dp_epsilon(c[i].rate, noise, c[i].steps, c[i].delta, &at, NULL, NULL) == ODIM_OK);
        CHECK(odim_dp_epsilon(c[i].rate, noise - 0.0001, c[i].steps, c[i].delta, &before, NULL, NULL) ==
              ODIM_OK);
        CHECK(at <= c[i].epsilon && before > c[i].epsilon);
    }
}

/* ---- what is refused -------------------------------------------------------------------------------- */

static const char *epsilon_message(double rate, double noise, int64_t steps, double delta)
{
    static odim_error err;
    double epsilon;
    CHECK(odim_dp_epsilon(rate, noise, steps, delta, &epsilon, NULL, &err) == ODIM_ERR_PARAM);
    return err.msg;
}

TEST(refusals)
{
    CHECK_STR(epsilon_message(0, 1, 1, 1e-5), "rate must be above 0 and at most 1, not 0");
    CHECK_STR(epsilon_message(1.5, 1, 1, 1e-5), "rate must be above 0 and at most 1, not 1.5");
    CHECK_STR(epsilon_message(NAN, 1, 1, 1e-5), "rate must be above 0 and at most 1, not nan");
    CHECK_STR(epsilon_message(0.1, 0, 1, 1e-5), "noise must be a number above 0, not 0");
    CHECK_STR(epsilon_message(0.1, INFINITY, 1, 1e-5), "noise must be a number above 0, not inf");
    CHECK_STR(epsilon_message(0.1, -INFINITY, 1, 1e-5), "noise must be a number above 0, not -inf");
    CHECK_STR(epsilon_message(0.1, 1, -1, 1e-5), "steps must be at least 0, not -1");
    CHECK_STR(epsilon_message(0.1, 1, 1, 0), "delta must be above 0 and below 1, not 0");
    CHECK_STR(epsilon_message(0.1, 1, 1, 1), "delta must be above 0 and below 1, not 1");

    odim_error err;
    int64_t steps;
    double noise;
    CHECK(odim_dp_steps(2, 1, 1, 1e-5, &steps, &err) == ODIM_ERR_PARAM);
    CHECK(odim_dp_steps(0.1, -1, 1, 1e-5, &steps, &err) == ODIM_ERR_PARAM);
    CHECK_STR(err.msg, "noise must be a number above 0, not -1");
    CHECK(odim_dp_steps(0.1, 1, 0, 1e-5, &steps, &err) == ODIM_ERR_PARAM);
    CHECK_STR(err.msg, "epsilon must be a number above 0, not 0");
    CHECK(odim_dp_noise(2, 1, 1, 1e-5, &noise, &err) == ODIM_ERR_PARAM);
    CHECK(odim_dp_noise(0.1, NAN, 1, 1e-5, &noise, &err) == ODIM_ERR_PARAM);
    CHECK_STR(err.msg, "epsilon must be a number above 0, not nan");
    CHECK(odim_dp_noise(0.1, 1, 0, 1e-5, &noise, &err) == ODIM_ERR_PARAM);
    CHECK_STR(err.msg, "steps must be at least 1, not 0");
    CHECK(odim_dp_noise(0.1, 1e-6, 1, 1e-5, &noise, &err) == ODIM_ERR_PARAM);
    CHECK_STR(err.msg, "epsilon is too small: no noise up to 1073741824 is enough for it");
}

/* A mechanism beside the updates leaves less for them, and costs of both are those of one list. */
TEST(others)
{
    od_budget each, other, both;
    od_budget_begin(&each, 0.05, 1.3);
    od_budget_begin(&other, 1, 4);
    both = other;
    od_budget_add(&both, &each, 70);
    for (int i = 0; i < OD_BUDGET_ORDERS; i++) CHECK(both.cost[i] == other.cost[i] + 70 * each.cost[i]);
    CHECK(od_budget_with(&other, &each, 70, 1e-5) == od_budget_epsilon(&both, 1, 1e-5, NULL));
    CHECK(od_budget_with(NULL, &each, 70, 1e-5) == od_budget_epsilon(&each, 70, 1e-5, NULL));
    int64_t steps = od_budget_steps(&other, &each, 4, 1e-5);
    CHECK(steps > 0 && steps < od_budget_steps(NULL, &each, 4, 1e-5));
    CHECK(od_budget_with(&other, &each, steps, 1e-5) <= 4 &&
          od_budget_with(&other, &each, steps + 1, 1e-5) > 4);
    double noise;
    CHECK(od_budget_noise(&other, 0.05, steps, 4, 1e-5, &noise, NULL) == ODIM_OK);
    CHECK(noise <= 1.3 && noise > 1.25);
    /* No updates cost nothing, even those that could never be paid for. */
    od_budget_begin(&each, 0.05, 0);
    CHECK(od_budget_with(&other, &each, 0, 1e-5) == od_budget_epsilon(&other, 1, 1e-5, NULL));
}

int main(void)
{
    RUN(orders);
    RUN(published);
    RUN(the_list_of_orders_is_good);
    RUN(composition);
    RUN(no_guarantee);
    RUN(steps_within);
    RUN(noise_enough);
    RUN(refusals);
    RUN(others);
    return test_end();
}
