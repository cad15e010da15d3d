/*
 * Finds ordinary clusters among the rows that are called outliers.
 *
 * Ordinary tables have clusters: two machines, four seasons, three kinds of customers. Any measure of the
 * distance to the bulk finds the smaller ones far away.
 *
 * A mixture of Gaussians with 1 to MOST components, chosen by the Bayesian information criterion, is fitted
 * to the rows along their first principal axes. A component stands apart if hardly any of its rows could
 * belong to another one. A table has groups if there are at least three components and if those that stand
 * apart have about half of the rows: a mixture also describes one odd-shaped cloud, but with components that
 * overlap. A component is an ordinary group if it stands apart, has at least LEAST_SHARE of the rows, is
 * about as dense as the largest one (outliers are scattered), and if a good part of its rows are called
 * outliers: if only its outskirts are, they are called rightly. A cluster that the mixture has split in two
 * counts as one, and a component with nearly a third of the rows is ordinary in any case.
 */
#include "score/groups.h"

#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "base/parallel.h"
#include "base/rng.h"
#include "detectors/chisquare.h"
#include "detectors/covariance.h"

#define MOST         6
#define MOST_ROWS    2048
#define ROWS_NEEDED  4 /* for each number of a component's mean, twice */
#define ROUNDS       50
#define STARTS       10 /* rounds of k-means before */
#define RIDGE        1e-3
#define BETTER       10.0 /* by which the criterion must fall */
#define LEAST        3    /* components */
#define LEAST_SHARE  0.035
#define LARGE_SHARE  0.3    /* of the rows: a group that needs no others beside it */
#define LEAK         0.0075 /* share of a component's rows that overlaps with another one */
#define APART        0.985  /* mean responsibility of a component for its own rows */
#define APART_SHARE  0.45   /* of the rows in such components */
#define MOST_WIDTH   1.6
#define CALLED_SHARE 0.25
#define INSIDE       0.999

typedef struct mixture {
    int64_t k, q, n;
    double *share;    /* (k) */
    double *mean;     /* (k, q) */
    double *cov;      /* (k, q, q) */
    double *whiten;   /* (k, q, q) */
    double *log_det;  /* (k) */
    double *resp;     /* (n, k) responsibilities */
    double *room;     /* (q, q) */
    double *work;     /* (2 OD_SCATTER_ROWS, q) */
    double *distance; /* (n) */
    double merit;     /* log-likelihood */
} mixture;

double od_group_distance(const od_group *g, int64_t q, const float *x)
{
    double sum = 0.0;
    for (int64_t j = 0; j < q; j++) {
        double white = 0.0;
        for (int64_t i = 0; i <= j; i++) white += ((double)x[i] - g->mean[i]) * g->whiten[i * q + j];
        sum += white * white;
    }
    return sum;
}

static bool mixture_new(mixture *g, int64_t n, int64_t q)
{
    size_t each = (size_t)(MOST * (2 + q + 2 * q * q) + n * (MOST + 1) + q * q + 2 * OD_SCATTER_ROWS * q);
    double *at = od_alloc(each, sizeof *at);
    *g = (mixture){.q = q, .n = n, .share = at};
    if (!at) return false;
    g->log_det = g->share + MOST;
    g->mean = g->log_det + MOST;
    g->cov = g->mean + MOST * q;
    g->whiten = g->cov + MOST * q * q;
    g->resp = g->whiten + MOST * q * q;
    g->distance = g->resp + n * MOST;
    g->room = g->distance + n;
    g->work = g->room + q * q;
    return true;
}

static void mixture_free(mixture *g)
{
    od_free(g->share);
}

/* ---- start: k-means ---------------------------------------------------------------------------------- */

static double plain_distance(const double *a, const double *b, int64_t q)
{
    double sum = 0.0;
    for (int64_t j = 0; j < q; j++) sum += (a[j] - b[j]) * (a[j] - b[j]);
    return sum;
}

/* The first centers: each is chosen with a probability that grows with the distance to those before it. */
static void seed_centres(mixture *g, const double *x, uint64_t seed)
{
    od_rng stream = od_rng_make(seed, (uint32_t)g->k, OD_RNG_GROUPS, 0);
    double *neighbors = g->resp;
    for (int64_t i = 0; i < g->n; i++) neighbors[i] = 1.0;
    for (int64_t c = 0; c < g->k; c++) {
        uint32_t word[4];
        double sum = 0.0;
        int64_t pick = 0;
        od_rng_block(&stream, (uint64_t)c, word);
        for (int64_t i = 0; i < g->n; i++) sum += neighbors[i];
        double at = sum * (double)od_unit(word[0]);
        while (pick + 1 < g->n && (at -= neighbors[pick]) > 0.0) pick++;
        memcpy(g->mean + c * g->q, x + pick * g->q, (size_t)g->q * sizeof *g->mean);
        for (int64_t i = 0; i < g->n; i++) {
            double d = plain_distance(x + i * g->q, x + pick * g->q, g->q);
            neighbors[i] = c == 0 ? d : fmin(neighbors[i], d);
        }
    }
}

/* Responsibilities of 0 and 1. */
static void assign_nearest(mixture *g, const double *x)
{
    for (int64_t i = 0; i < g->n; i++) {
        int64_t best = 0;
        double least = INFINITY;
        for (int64_t c = 0; c < g->k; c++) {
            double d = plain_distance(x + i * g->q, g->mean + c * g->q, g->q);
            if (d < least) {
                least = d;
                best = c;
            }
        }
        for (int64_t c = 0; c < g->k; c++) g->resp[i * g->k + c] = c == best;
    }
}

static void find_means(mixture *g, const double *x)
{
    for (int64_t c = 0; c < g->k; c++) {
        double sum = 1e-12;
        double *mean = g->mean + c * g->q;
        for (int64_t j = 0; j < g->q; j++) mean[j] *= 1e-12; /* an empty one stays where it is */
        for (int64_t i = 0; i < g->n; i++) {
            double r = g->resp[i * g->k + c];
            sum += r;
            for (int64_t j = 0; r > 0.0 && j < g->q; j++) mean[j] += r * x[i * g->q + j];
        }
        for (int64_t j = 0; j < g->q; j++) mean[j] /= sum;
        g->share[c] = sum / (double)g->n;
    }
}

/* ---- expectation and maximization -------------------------------------------------------------------- */

static void find_covariances(mixture *g, const double *x)
{
    int64_t q = g->q;
    for (int64_t c = 0; c < g->k; c++) {
        double *cov = g->cov + c * q * q, *mean = g->mean + c * q;
        int64_t held = 0;
        memset(cov, 0, (size_t)(q * q) * sizeof *cov);
        for (int64_t i = 0; i < g->n; i++) {
            double r = g->resp[i * g->k + c];
            if (r >= 1e-12) {
                double root = sqrt(r), *z = g->work + held++ * q;
                for (int64_t j = 0; j < q; j++) z[j] = root * (x[i * q + j] - mean[j]);
            }
            if (held < OD_SCATTER_ROWS && i + 1 < g->n) continue;
            od_scatter(g->work, held, q, 0, q, cov);
            held = 0;
        }
        double sum = g->share[c] * (double)g->n;
        for (int64_t a = 0; a < q; a++)
            for (int64_t b = a; b < q; b++) cov[b * q + a] = cov[a * q + b] = cov[a * q + b] / sum;
        g->log_det[c] = od_whiten(cov, q, RIDGE, g->whiten + c * q * q, g->room);
    }
}

/* The squared distances of all rows from a component. There are few axes, so the values of some rows along
 * one of them lie side by side. */
static void find_distances(mixture *g, const double *along, int64_t c)
{
    enum { ROWS = OD_SCATTER_ROWS };
    int64_t q = g->q;
    const double *mean = g->mean + c * q, *whiten = g->whiten + c * q * q;
    double *turned = g->room, *apart = g->work, *white = apart + ROWS * q;
    for (int64_t j = 0; j < q; j++)
        for (int64_t i = 0; i < q; i++) turned[j * q + i] = whiten[i * q + j];
    for (int64_t first = 0; first < g->n; first += ROWS) {
        int64_t rows = g->n - first < ROWS ? g->n - first : ROWS;
        double *to = g->distance + first;
        for (int64_t j = 0; j < q; j++)
            for (int64_t r = 0; r < rows; r++) apart[j * rows + r] = along[j * g->n + first + r] - mean[j];
        od_product(turned, apart, q, q, rows, false, white);
        for (int64_t r = 0; r < rows; r++) to[r] = white[r] * white[r];
        for (int64_t j = 1; j < q; j++)
            for (int64_t r = 0; r < rows; r++) to[r] += white[j * rows + r] * white[j * rows + r];
    }
}

/* Responsibilities, and the log-likelihood. */
static void expect(mixture *g, const double *along)
{
    g->merit = 0.0;
    for (int64_t c = 0; c < g->k; c++) {
        double start = log(g->share[c]) - 0.5 * g->log_det[c];
        find_distances(g, along, c);
        for (int64_t i = 0; i < g->n; i++) g->resp[i * g->k + c] = start - 0.5 * g->distance[i];
    }
    for (int64_t i = 0; i < g->n; i++) {
        double most = -INFINITY, sum = 0.0, *r = g->resp + i * g->k;
        for (int64_t c = 0; c < g->k; c++) most = fmax(most, r[c]);
        for (int64_t c = 0; c < g->k; c++) sum += r[c] = exp(r[c] - most);
        for (int64_t c = 0; c < g->k; c++) r[c] /= sum;
        g->merit += most + log(sum);
    }
}

/* x (n, q), and along (q, n): the same column by column. */
static void fit_mixture(mixture *g, const double *x, const double *along, int64_t k, uint64_t seed)
{
    g->k = k;
    seed_centres(g, x, seed);
    for (int i = 0; i < STARTS; i++) {
        assign_nearest(g, x);
        find_means(g, x);
    }
    double before = -INFINITY;
    for (int i = 0; i < ROUNDS; i++) {
        find_means(g, x);
        find_covariances(g, x);
        expect(g, along);
        if (g->merit - before < 1e-3 * (double)g->n * 1e-1) break;
        before = g->merit;
    }
}

/* The Bayesian information criterion: -2 log-likelihood, plus log n for each parameter. */
static double criterion(const mixture *g)
{
    double numbers = (double)g->k * ((double)g->q + 0.5 * (double)(g->q * (g->q + 1)) + 1.0) - 1.0;
    return -2.0 * g->merit + numbers * log((double)g->n);
}

/* ---- groups ------------------------------------------------------------------------------------------ */

/* The component that a row most likely belongs to. */
static int64_t owner(const mixture *g, int64_t row)
{
    int64_t best = 0;
    for (int64_t c = 1; c < g->k; c++)
        if (g->resp[row * g->k + c] > g->resp[row * g->k + best]) best = c;
    return best;
}

/* The component that each one overlaps with, or itself: a cluster may be split in two. If more than two
 * overlap they are a cloud, and its components stay as they are. */
static void find_halves(const mixture *g, const int64_t *rows, int64_t *half)
{
    double leak[MOST][MOST] = {{0}};
    for (int64_t i = 0; i < g->n; i++)
        for (int64_t a = owner(g, i), c = 0; c < g->k; c++)
            leak[a][c] += g->resp[i * g->k + c] / fmax((double)rows[a], 1.0);
    for (int64_t a = 0; a < g->k; a++) {
        int64_t others = 0;
        half[a] = a;
        for (int64_t b = 0; b < g->k; b++)
            if (b != a && (leak[a][b] > LEAK || leak[b][a] > LEAK)) {
                half[a] = b;
                others++;
            }
        if (others > 1) half[a] = a;
    }
    for (int64_t a = 0; a < g->k; a++)
        if (half[half[a]] != a) half[a] = a;
}

static odim_status add_groups(od_verdict *v, const mixture *g, const bool *called, int64_t all,
                              odim_error *err)
{
    int64_t rows[MOST] = {0}, odd[MOST] = {0}, main = 0, apart = 0;
    int64_t half[MOST];
    double sure[MOST] = {0};
    for (int64_t i = 0; i < g->n; i++) {
        int64_t c = owner(g, i);
        rows[c]++;
        odd[c] += called[i * all / g->n];
    }
    find_halves(g, rows, half);
    for (int64_t i = 0; i < g->n; i++) {
        int64_t c = owner(g, i);
        sure[c] += g->resp[i * g->k + c] + (half[c] == c ? 0.0 : g->resp[i * g->k + half[c]]);
    }
    for (int64_t c = 0; c < g->k; c++) {
        sure[c] /= fmax((double)rows[c], 1.0);
        if (sure[c] >= APART) apart += rows[c];
    }
    if ((double)apart < APART_SHARE * (double)g->n) return ODIM_OK;
    for (int64_t c = 1; c < g->k; c++)
        if (rows[c] > rows[main]) main = c;
    for (int64_t c = 0; c < g->k; c++) {
        double width = exp(0.5 * (g->log_det[c] - g->log_det[main]) / (double)g->q);
        bool whole = half[c] == c;
        double own = (double)(rows[c] + (whole ? 0 : rows[half[c]]));
        double share = own / (double)g->n, called_rows = (double)(odd[c] + (whole ? 0 : odd[half[c]]));
        bool small = g->k >= LEAST && share >= LEAST_SHARE && called_rows >= CALLED_SHARE * own;
        bool large = g->k > 1 && share >= LARGE_SHARE && called_rows > 0;
        if (rows[c] == 0 || !(small || large) || width > MOST_WIDTH || sure[c] < APART) continue;
        odim_status status = od_verdict_add_group(v, err);
        if (status) return status;
        od_group *to = &v->group[v->groups - 1];
        memcpy(to->mean, g->mean + c * g->q, (size_t)g->q * sizeof *to->mean);
        memcpy(to->whiten, g->whiten + c * g->q * g->q, (size_t)(g->q * g->q) * sizeof *to->whiten);
        to->limit = od_chisquare_quantile(INSIDE, g->q);
    }
    return ODIM_OK;
}

/* Rows evenly among all, each axis with deviation 1. */
static void take_rows(double *x, const float *from, int64_t n, int64_t take, int64_t q, double *unit)
{
    for (int64_t j = 0; j < q; j++) {
        double mean = 0.0, square = 0.0;
        for (int64_t i = 0; i < take; i++) mean += (double)from[i * n / take * q + j] / (double)take;
        for (int64_t i = 0; i < take; i++) {
            double away = (double)from[i * n / take * q + j] - mean;
            square += away * away / (double)take;
        }
        unit[j] = square > 0.0 ? sqrt(square) : 1.0;
        for (int64_t i = 0; i < take; i++) x[i * q + j] = (double)from[i * n / take * q + j] / unit[j];
    }
}

/* Returns to the unit of the rows. */
static void rescale(od_verdict *v, const double *unit)
{
    for (int g = 0; g < v->groups; g++)
        for (int64_t i = 0; i < v->q; i++) {
            v->group[g].mean[i] *= unit[i];
            for (int64_t j = 0; j < v->q; j++) v->group[g].whiten[i * v->q + j] /= unit[i];
        }
}

typedef struct choice {
    mixture *mixture; /* (count): of 1, 2, ... components */
    int64_t count;
    const double *rows, *along;
    uint64_t seed;
} choice;

/* The largest come first, so that no thread is left with them at the end. */
static void fit_mixtures(void *ctx, int worker, int64_t first, int64_t end)
{
    (void)worker;
    const choice *c = ctx;
    for (int64_t i = first; i < end; i++) {
        int64_t k = c->count - i;
        fit_mixture(&c->mixture[k - 1], c->rows, c->along, k, c->seed);
    }
}

odim_status od_groups_find(od_verdict *v, const float *x, const bool *called, int64_t n, uint64_t seed,
                           int64_t threads, odim_error *err)
{
    int64_t take = n < MOST_ROWS ? n : MOST_ROWS, q = v->q, odd = 0;
    for (int64_t i = 0; i < n; i++) odd += called[i];
    if ((double)odd < 0.5 * LEAST_SHARE * (double)n) return ODIM_OK; /* no group can be among them */
    double *rows = od_alloc(2 * (size_t)take + 1, (size_t)q * sizeof *rows);
    double *along = rows ? rows + take * q : NULL, *unit = rows ? along + take * q : NULL;
    mixture fitted[MOST] = {{0}};
    choice c = {.mixture = fitted, .count = 1, .rows = rows, .along = along, .seed = seed};
    while (c.count < MOST && (c.count + 1) * (q + 2) * ROWS_NEEDED <= take) c.count++;
    bool ok = rows;
    for (int64_t k = 0; k < c.count && ok; k++) ok = mixture_new(&fitted[k], take, q);
    odim_status status = ok ? ODIM_OK : od_fail_nomem(err);
    if (!status) {
        take_rows(rows, x, n, take, q, unit);
        for (int64_t i = 0; i < take * q; i++) along[i % q * take + i / q] = rows[i];
        status = od_parallel_ranges(threads, c.count, 1, fit_mixtures, &c, err);
    }
    int64_t best = 0;
    for (int64_t k = 1; !status && k < c.count; k++)
        if (criterion(&fitted[k]) < criterion(&fitted[best]) - BETTER) best = k;
    if (!status) status = add_groups(v, &fitted[best], called, n, err);
    if (!status) rescale(v, unit);
    for (int64_t k = 0; k < c.count; k++) mixture_free(&fitted[k]);
    od_free(rows);
    return status;
}
