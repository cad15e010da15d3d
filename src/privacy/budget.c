/* Adds up the cost of private updates, and finds the noise or the number of updates that a budget allows. */
#include "privacy/budget.h"

#include <math.h>
#include <stdbool.h>

#include "common/numtext.h"
#include "base/status.h"
#include "privacy/renyi.h"

/* The orders: 1.01 to 1.09 by 0.01, 1.1 to 10.9 by 0.1, 11 to 63 by 1, then four per doubling. */
enum { TENTHS = 9, WHOLE = TENTHS + 99, LARGE = WHOLE + 53 };

/* The most that od_budget_steps returns: a double counts exactly up to here. */
#define MOST_STEPS ((int64_t)1 << 53)

/* Noise is searched among the multiples of 1 / PARTS, up to MOST_PARTS of them. */
#define PARTS      10000
#define MOST_PARTS ((int64_t)PARTS << 30)

double od_budget_order(int index)
{
    if (index < TENTHS) return (101 + index) / 100.0;
    if (index < WHOLE) return (11 + index - TENTHS) / 10.0;
    if (index < LARGE) return 11 + index - WHOLE;
    return round(64 * pow(2.0, (index - LARGE) / 4.0));
}

void od_budget_begin(od_budget *b, double rate, double noise)
{
    for (int i = 0; i < OD_BUDGET_ORDERS; i++) b->cost[i] = od_renyi_cost(rate, noise, od_budget_order(i));
}

void od_budget_add(od_budget *to, const od_budget *what, int64_t times)
{
    if (times == 0) return; /* a cost may be infinite */
    for (int i = 0; i < OD_BUDGET_ORDERS; i++) to->cost[i] += (double)times * what->cost[i];
}

double od_budget_epsilon(const od_budget *b, int64_t steps, double delta, double *order)
{
    double best = INFINITY, best_order = INFINITY;
    if (steps == 0) best = 0; /* at any order, and costs may be infinite */
    for (int i = 0; i < OD_BUDGET_ORDERS && best > 0; i++) {
        double epsilon = od_renyi_epsilon(od_budget_order(i), (double)steps * b->cost[i], delta);
        if (epsilon >= best) continue;
        best = epsilon;
        best_order = od_budget_order(i);
    }
    if (order) *order = best_order;
    return best;
}

double od_budget_with(const od_budget *others, const od_budget *b, int64_t steps, double delta)
{
    if (!others) return od_budget_epsilon(b, steps, delta, NULL);
    od_budget all = *others;
    od_budget_add(&all, b, steps);
    return od_budget_epsilon(&all, 1, delta, NULL);
}

int64_t od_budget_steps(const od_budget *others, const od_budget *b, double epsilon, double delta)
{
    int64_t within = 0, beyond = MOST_STEPS + 1;
    while (beyond - within > 1) {
        int64_t middle = within + (beyond - within) / 2;
        if (od_budget_with(others, b, middle, delta) <= epsilon)
            within = middle;
        else
            beyond = middle;
    }
    return within;
}

/* Whether so many parts of noise are enough, for the search of od_budget_noise. */
typedef struct question {
    const od_budget *others;
    double rate, epsilon, delta;
    int64_t steps;
} question;

static bool is_enough(const question *q, int64_t parts)
{
    od_budget budget;
    od_budget_begin(&budget, q->rate, (double)parts / PARTS);
    return od_budget_with(q->others, &budget, q->steps, q->delta) <= q->epsilon;
}

odim_status od_budget_noise(const od_budget *others, double rate, int64_t steps, double epsilon, double delta,
                            double *noise, odim_error *err)
{
    question q = {others, rate, epsilon, delta, steps};
    int64_t too_few = 0, enough = PARTS; /* no noise is never enough */
    while (!is_enough(&q, enough)) {
        if (enough == MOST_PARTS)
            return od_fail(err, ODIM_ERR_PARAM, "epsilon is too small: no noise up to %lld is enough for it",
                           (long long)(MOST_PARTS / PARTS));
        too_few = enough;
        enough *= 2;
    }
    while (enough - too_few > 1) {
        int64_t middle = too_few + (enough - too_few) / 2;
        if (is_enough(&q, middle))
            enough = middle;
        else
            too_few = middle;
    }
    *noise = (double)enough / PARTS;
    return ODIM_OK;
}

/* ---- the public calls ------------------------------------------------------------------------------- */

static odim_status refuse(odim_error *err, const char *name, const char *range, double value)
{
    char text[OD_NUM_ROOM];
    const char *shown = isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    if (isfinite(value)) shown = od_num_format(text, value, false);
    return od_fail(err, ODIM_ERR_PARAM, "%s must be %s, not %s", name, range, shown);
}

static odim_status check_positive(const char *name, double value, odim_error *err)
{
    if (value > 0 && value < INFINITY) return ODIM_OK;
    return refuse(err, name, "a number above 0", value);
}

static odim_status check_steps(int64_t steps, int64_t least, odim_error *err)
{
    if (steps >= least) return ODIM_OK;
    return od_fail(err, ODIM_ERR_PARAM, "steps must be at least %lld, not %lld", (long long)least,
                   (long long)steps);
}

static odim_status check_common(double rate, double delta, odim_error *err)
{
    if (!(rate > 0 && rate <= 1)) return refuse(err, "rate", "above 0 and at most 1", rate);
    if (!(delta > 0 && delta < 1)) return refuse(err, "delta", "above 0 and below 1", delta);
    return ODIM_OK;
}

odim_status odim_dp_epsilon(double rate, double noise, int64_t steps, double delta, double *epsilon,
                            double *order, odim_error *err)
{
    OD_NEED(epsilon, "epsilon", err);
    odim_status status = check_common(rate, delta, err);
    if (!status) status = check_positive("noise", noise, err);
    if (!status) status = check_steps(steps, 0, err);
    if (status) return status;
    od_budget budget;
    od_budget_begin(&budget, rate, noise);
    *epsilon = od_budget_epsilon(&budget, steps, delta, order);
    return ODIM_OK;
}

odim_status odim_dp_steps(double rate, double noise, double epsilon, double delta, int64_t *steps,
                          odim_error *err)
{
    OD_NEED(steps, "steps", err);
    odim_status status = check_common(rate, delta, err);
    if (!status) status = check_positive("noise", noise, err);
    if (!status) status = check_positive("epsilon", epsilon, err);
    if (status) return status;
    od_budget budget;
    od_budget_begin(&budget, rate, noise);
    *steps = od_budget_steps(NULL, &budget, epsilon, delta);
    return ODIM_OK;
}

odim_status odim_dp_noise(double rate, double epsilon, int64_t steps, double delta, double *noise,
                          odim_error *err)
{
    OD_NEED(noise, "noise", err);
    odim_status status = check_common(rate, delta, err);
    if (!status) status = check_positive("epsilon", epsilon, err);
    if (!status) status = check_steps(steps, 1, err);
    if (status) return status;
    return od_budget_noise(NULL, rate, steps, epsilon, delta, noise, err);
}
