/*
 * Limits of numbers that are codes: a few values that repeat, such as the status of a request or an answer
 * from 1 to 5.
 *
 * A tail says little about codes, because the next code may be anywhere: after 200, 302 and 404, a single 500
 * is ordinary. But a code with a digit too many is not. So a stray value is wrong if it is four times the
 * highest code, if it is negative where no code is, or if it has a digit less than codes of three digits or
 * more. Next to one constant value, a factor of ten is needed.
 *
 * A scale is stricter: whole numbers from 0 or 1 on without a hole. If its last value is so frequent that the
 * next one would have to occur too, and it does not, the scale ends there, and anything beyond is wrong.
 */
#include <math.h>

#include "prep/limits.h"

#define CODES_MOST      12  /* different codes */
#define CODE_ROWS       50  /* values of a column, at least */
#define CONSTANT_ROWS   100 /* the same for a column with one code */
#define CODE_LEAST      3   /* rows of a code, */
#define CODE_SHARE      200 /* and one in so many */
#define STRAY_LEAST     2   /* rows with other values, */
#define STRAY_SHARE     100 /* or one in so many */
#define FACTOR          4.0
#define FACTOR_CONSTANT 10.0
#define LONG_CODE       100.0
#define SCALE_LEAST     4 /* codes of a scale, */
#define SCALE_MOST      7 /* and at most */
#define SCALE_CHANCE    1e-4
#define SLOPE           0.9 /* of the evidence: that of a light tail */

typedef struct codes {
    double value[CODES_MOST];
    int64_t rows[CODES_MOST];
    int count;
    int64_t below, above; /* rows beyond all codes */
    bool whole;           /* all values are */
} codes;

/* The codes of values (n), sorted; false: the column is not one of codes. */
static bool find_codes(const double *values, int64_t n, codes *c)
{
    int64_t least = n / CODE_SHARE > CODE_LEAST ? n / CODE_SHARE : CODE_LEAST, stray = 0;
    int64_t most = n / STRAY_SHARE > STRAY_LEAST ? n / STRAY_SHARE : STRAY_LEAST;
    *c = (codes){.whole = true};
    for (int64_t i = 0, next; i < n; i = next) {
        for (next = i + 1; next < n && values[next] == values[i]; next++) continue;
        c->whole &= values[i] == floor(values[i]);
        if (next - i < least) {
            stray += next - i;
            c->above += next - i;
            if (!c->count) c->below += next - i;
            if (stray > most) return false;
            continue;
        }
        if (c->count == CODES_MOST) return false;
        c->above = 0;
        c->value[c->count] = values[i];
        c->rows[c->count++] = next - i;
    }
    return c->count > 1 || (c->count == 1 && n >= CONSTANT_ROWS && stray == 1);
}

static bool is_scale(const codes *c)
{
    bool scale = c->whole && c->count >= SCALE_LEAST && c->count <= SCALE_MOST &&
                 (c->value[0] == 0.0 || c->value[0] == 1.0);
    for (int i = 1; i < c->count; i++) scale &= c->value[i] == c->value[i - 1] + 1.0;
    return scale;
}

/* Whether a scale ends at its last value, which `last` rows have and `before` rows the one before it. As many
 * would be expected of the next value, in proportion; `beyond` rows are there. */
static bool is_end(int64_t last, int64_t before, int64_t beyond)
{
    double expected = (double)last * fmin((double)last / (double)before, 1.0), term = exp(-expected),
           sum = term;
    for (int64_t k = 1; k <= beyond; k++) sum += term *= expected / (double)k;
    return sum < SCALE_CHANCE;
}

/* Moves a limit inwards to `bound`. */
static void limit_high(od_limits *l, double bound)
{
    if (!(bound < l->high)) return;
    l->high = bound;
    l->high_far = od_limits_scale(l, bound) - l->centre;
    l->high_slope = SLOPE;
}

static void limit_low(od_limits *l, double bound)
{
    if (!(bound > l->low)) return;
    l->low = bound;
    l->low_far = l->centre - od_limits_scale(l, bound);
    l->low_slope = SLOPE;
}

void od_limits_codes(od_limits *l, const double *values, int64_t n)
{
    codes c;
    if (n < CODE_ROWS || !find_codes(values, n, &c)) return;
    const od_limits before = *l;
    double first = c.value[0], last = c.value[c.count - 1], factor = c.count == 1 ? FACTOR_CONSTANT : FACTOR;
    if (last > 0.0) limit_high(l, factor * last);
    if (last < 0.0) limit_high(l, 0.0);
    if (first >= LONG_CODE || (c.count == 1 && first > 0.0))
        limit_low(l, first / factor);
    else if (first >= 0.0)
        limit_low(l, c.whole ? -0.5 : 0.0);
    /* Of a flag, which value is rare says nothing. */
    if (c.count == 1 && values[0] >= l->low && values[n - 1] <= l->high) *l = before;
    if (!is_scale(&c)) return;
    if (is_end(c.rows[c.count - 1], c.rows[c.count - 2], c.above)) limit_high(l, last + 0.5);
    if (is_end(c.rows[0], c.rows[1], c.below)) limit_low(l, first - 0.5);
}
