/*
 * Learns the distribution of scores from three noised histograms.
 *
 * Each histogram is finer than the one before and looks where that one points. Bins that are the same for all
 * tables must be wide, since scores may be anywhere: the loss of a feature is seldom below -6 and has no
 * upper limit. So the first histogram has bins that grow with the distance from zero, and shows which of them
 * hold the middle of the scores. The second divides that part evenly, and shows where the middle is and how
 * wide it is. The third has bins that grow with the distance from there, in units of that width. It gives the
 * result.
 *
 * A row is in one bin of each histogram. The three together are one Gaussian mechanism of sensitivity
 * sqrt(3), so each count gets normal noise of sqrt(3) times `noise`. To choose bins by noised counts costs
 * nothing.
 *
 * In the tails a bin has fewer rows than noise. There bins are joined, from the end towards the middle, until
 * their count cannot be noise.
 */
#include "score/dp_histogram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"

#define ROUNDS    3
#define WIDE_UNIT 0.01 /* loss of a feature near which the first bins are even */
#define WIDE_FROM (-8.0)
#define WIDE_TO   24.0 /* both as asinh of the loss in that unit */
#define BINS      64   /* of the first two histograms */
#define MIDDLE    0.6  /* share of the rows that is their middle */
#define FAR       7.0  /* the third reaches sinh(FAR) widths to each side, some 500 */
#define MOST_BINS 1401
#define CLEAR     4.0  /* standard deviations that noise does not reach */
#define ENOUGH    20.0 /* rows must be so many times the noise on a count */

/* Bins of even width on a scale y: asinh((score - centre) / unit) or, with unit 0, the score itself. */
typedef struct scale {
    double centre, unit;
    double from, step; /* of y */
    int bins;
} scale;

static double place_of(const scale *s, double score)
{
    return s->unit > 0 ? asinh((score - s->centre) / s->unit) : score;
}

static double score_at(const scale *s, double place)
{
    double y = s->from + s->step * place;
    return s->unit > 0 ? s->centre + s->unit * sinh(y) : y;
}

/* Scores outside are in the first or last bin; NaN counts as large. */
static int bin_of(const scale *s, double score)
{
    double at = (place_of(s, score) - s->from) / s->step;
    if (at < 0) return 0;
    return at < s->bins ? (int)at : s->bins - 1;
}

typedef struct blur {
    const double *scores;
    int64_t n;
    double sd; /* of the noise on a count */
    od_csprng *rng;
    double count[MOST_BINS], noise[MOST_BINS];
} blur;

static void measure(blur *b, const scale *s)
{
    memset(b->count, 0, sizeof b->count);
    for (int64_t i = 0; i < b->n; i++) b->count[bin_of(s, b->scores[i])] += 1.0;
    od_csprng_normal(b->rng, b->noise, s->bins);
    for (int k = 0; k < s->bins; k++) b->count[k] += b->sd * b->noise[k];
}

/* The fewest adjacent bins that hold the middle of the rows; or all bins, if noise hides the middle. */
static void find_middle(const blur *b, const scale *s, int *first, int *last)
{
    *first = 0;
    *last = s->bins - 1;
    for (int i = 0; i < s->bins; i++) {
        double sum = 0;
        for (int j = i; j < s->bins && j - i < *last - *first; j++) {
            sum += b->count[j];
            if (sum < MIDDLE * (double)b->n) continue;
            *first = i;
            *last = j;
            break;
        }
    }
}

/* The bins of the second histogram: the middle of the first, and as much on both sides. */
static scale zoom(const blur *b, const scale *s)
{
    int first, last;
    find_middle(b, s, &first, &last);
    double low = score_at(s, first), high = score_at(s, last + 1), width = high - low;
    return (scale){.from = low - width, .step = 3 * width / BINS, .bins = BINS};
}

/* The bins of the last histogram: the more rows for the noise, the finer. */
static scale focus(const blur *b, const scale *s)
{
    int first, last;
    find_middle(b, s, &first, &last);
    double low = score_at(s, first), high = score_at(s, last + 1);
    double step = fmin(fmax(16 * b->sd / (double)b->n, 2 * FAR / MOST_BINS), 0.5);
    int side = (int)(FAR / step);
    return (scale){.centre = 0.5 * low + 0.5 * high,
                   .unit = 0.5 * (high - low),
                   .from = -(side + 0.5) * step,
                   .step = step,
                   .bins = 2 * side + 1};
}

/* Goes from one end to the bin in the middle and puts counts that cannot be noise into to[]. Returns the
 * rest, which belongs to the middle. */
static double gather(const blur *b, double *to, int start, int step, int middle)
{
    double rest = 0;
    int first = start; /* after what is gathered */
    for (int k = start; k != middle; k += step) {
        double sum = 0, best = CLEAR * b->sd;
        int from = k + step; /* of the bins up to here that stand out most from noise together */
        to[k] = 0;
        rest = 0;
        for (int j = k; j != first - step; j -= step) {
            sum += b->count[j];
            int bins = abs(k - j) + 1;
            if (sum > rest) rest = sum;
            if (sum <= best * sqrt(bins)) continue;
            best = sum / sqrt(bins);
            from = j;
        }
        if (from == k + step) continue;
        int bins = abs(k - from) + 1;
        for (int j = from; j != k + step; j += step) to[j] = best / sqrt(bins);
        first = k + step;
        rest = 0;
    }
    return rest;
}

/* Evenly within each bin. */
static void spread(double *out, int64_t count, const scale *s, const double *rows)
{
    double all = 0, before = 0;
    int k = 0;
    for (int i = 0; i < s->bins; i++) all += rows[i];
    for (int64_t i = 0; i < count; i++) {
        double want = all * ((double)i + 0.5) / (double)count;
        while (k < s->bins - 1 && before + rows[k] <= want) before += rows[k++];
        double part = rows[k] > 0 ? (want - before) / rows[k] : 0.5;
        out[i] = score_at(s, k + fmin(fmax(part, 0), 1));
    }
}

bool od_dp_histogram_possible(int64_t n, double noise)
{
    return (double)n >= ENOUGH * noise * sqrt(ROUNDS);
}

odim_status od_dp_histogram_scores(double *out, int64_t count, const od_dp_scores *in, od_csprng *rng,
                                   odim_error *err)
{
    blur *b = od_calloc(1, sizeof *b);
    if (!b) return od_fail_nomem(err);
    b->scores = in->scores;
    b->n = in->n;
    b->sd = in->noise * sqrt(ROUNDS);
    b->rng = rng;
    scale s = {.unit = WIDE_UNIT * (double)in->features,
               .from = WIDE_FROM,
               .step = (WIDE_TO - WIDE_FROM) / BINS,
               .bins = BINS};
    measure(b, &s);
    s = zoom(b, &s);
    measure(b, &s);
    s = focus(b, &s);
    measure(b, &s);
    odim_status status = od_csprng_check(rng, err);
    int middle = s.bins / 2;
    double rest = gather(b, b->noise, 0, 1, middle) + gather(b, b->noise, s.bins - 1, -1, middle);
    b->noise[middle] = fmax(b->count[middle] + rest, 1.0);
    if (!status) spread(out, count, &s, b->noise);
    od_free(b);
    return status;
}
