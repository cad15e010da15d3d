/* Sums the shares of single pixels over the parts of a picture. */
#include "api/picture_reasons.h"

#include <math.h>

#define LEAST_SHARE 0.01 /* of a part */

typedef struct part {
    double share, most;             /* of its pixels together, and the largest */
    double weight, value, expected; /* sums over the pixels of which a value is expected */
    int64_t col;                    /* the pixel with the largest share */
} part;

static void add_pixel(part *q, int64_t col, double share, double value, double expected)
{
    if (!(share > 0)) return;
    q->share += share;
    if (share > q->most) q->most = share, q->col = col;
    if (isnan(expected) || isnan(value)) return;
    q->weight += share;
    q->value += share * value;
    q->expected += share * expected;
}

static odim_reason describe(const part *q, const double *value)
{
    odim_reason r = {.col = q->col, .share = q->share, .value = value[q->col], .expected = NAN};
    r.kind = ODIM_REASON_COMBINATION;
    if (!(q->weight > 0)) return r;
    r.value = round(q->value / q->weight);
    double expected = round(q->expected / q->weight);
    if (fabs(r.value - expected) >= OD_PICTURE_VISIBLE) r.expected = expected;
    return r;
}

void od_picture_reasons(const od_pixels *p, const double *share, const double *value, const double *expected,
                        int top, odim_reason *out)
{
    part parts[OD_PIXELS_PARTS] = {0};
    for (int64_t j = 0; j < od_pixels_count(p); j++)
        add_pixel(&parts[od_pixels_part(p, j)], j, share[j], value[j], expected[j]);
    for (int k = 0; k < top; k++) {
        int best = -1;
        for (int i = 0; i < OD_PIXELS_PARTS; i++)
            if (parts[i].share >= LEAST_SHARE && (best < 0 || parts[i].share > parts[best].share)) best = i;
        out[k] = best < 0 ? (odim_reason){.col = -1} : describe(&parts[best], value);
        if (best >= 0) parts[best].share = 0;
    }
}

const char *od_picture_reason_text(const odim_reason *reason)
{
    if (isnan(reason->expected)) return "a different pattern than expected";
    return reason->value > reason->expected ? "brighter than expected" : "darker than expected";
}
