/*
 * A one-class support vector machine (Schoelkopf et al., 2001), with the kernel exp(-gamma |x - y|^2). The
 * score is rho - sum of weight times kernel over the support vectors: that of scikit-learn's OneClassSVM with
 * the opposite sign. It is above 0 outside the boundary, for about a fraction nu of the training rows.
 * Features are divided by their standard deviations first, so that gamma fits however columns are scaled.
 *
 * The weights w, 0 to 1 and nu n in all, have the least w'Kw. They are found by moving weight between two
 * rows at a time (SMO), chosen as in LIBSVM: the row with the lowest gradient that can take more, and the row
 * whose giving to it lowers w'Kw most. All kernels of the rows are kept meanwhile, so that there are at most
 * MOST_ROWS rows.
 *
 * It keeps: count 0 support vectors; part 0 (blocks, d, 16) their values over the deviations, the last
 * again where a block is not full; part 1 (blocks, 16) their weights, 0 beyond the last; part 2 gamma and
 * rho; part 3 (d) one over the deviations.
 */
#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "base/parallel.h"
#include "base/poll.h"
#include "detectors/detector.h"
#include "kern/kern.h"

#define LANES      16
#define MOST_ROWS  4096
#define MOST_CELLS ((int64_t)1 << 23) /* of the rows, of which two scaled copies are made */
#define GAP        1e-4               /* between gradients, where the search ends; LIBSVM has 1e-3 */
#define CURVATURE  1e-12              /* least, where two rows are equal */

enum { ROWS, WEIGHT, NUMBERS, SCALE };
enum { GAMMA, RHO };

/* Compilers make vectors of these by themselves, but not of loops over them. */
typedef float four __attribute__((vector_size(16)));
enum { FOURS = LANES / 4 };

static int64_t blocks_of(int64_t rows)
{
    return (rows + LANES - 1) / LANES;
}

/* kernel (blocks, LANES): of x (d) and each of the rows in blocks. */
static void kernels(const float *rows, int64_t blocks, int64_t d, const float *x, float gamma, float *kernel)
{
    for (int64_t b = 0; b < blocks; b++) {
        four sum[FOURS] = {0};
        for (int64_t j = 0; j < d; j++, rows += LANES)
            for (int v = 0; v < FOURS; v++) {
                four y;
                memcpy(&y, rows + 4 * v, sizeof y);
                y -= x[j];
                sum[v] += y * y;
            }
        for (int v = 0; v < FOURS; v++) {
            sum[v] *= -gamma;
            memcpy(kernel + b * LANES + 4 * v, &sum[v], sizeof sum[v]);
        }
    }
    od_kern_get()->exp(kernel, kernel, blocks * LANES);
}

static void scale_row(const float *x, const double *scale, int64_t d, float *to)
{
    for (int64_t j = 0; j < d; j++) to[j] = (float)((double)x[j] * scale[j]);
}

/* to (blocks, d, LANES): the rows of x with these numbers, or all if there are none. */
static void put_blocks(const float *x, int64_t d, const int32_t *which, int64_t count, float *to)
{
    for (int64_t i = 0; i < blocks_of(count) * LANES; i++) {
        int64_t place = i < count ? i : count - 1, row = which ? which[place] : place;
        for (int64_t j = 0; j < d; j++) to[(i / LANES * d + j) * LANES + i % LANES] = x[row * d + j];
    }
}

/* ---- fitting ------------------------------------------------------------------------------------------- */

typedef struct machine {
    const od_detector_task *task;
    int64_t n, stride; /* rows, and kernels in a line of the matrix */
    float gamma;
    float *x;         /* (n, d) scaled */
    float *blocks;    /* (blocks, d, LANES) */
    float *kernel;    /* (n, stride) */
    double *weight;   /* (n) */
    double *gradient; /* (n) */
    int32_t *which;   /* (n) support vectors */
} machine;

static odim_status fill_line(void *ctx, od_parallel *par, int worker, int64_t i, odim_error *err)
{
    const machine *m = ctx;
    const od_detector_task *t = m->task;
    (void)par, (void)worker, (void)err;
    kernels(m->blocks, m->stride / LANES, t->d, m->x + i * t->d, m->gamma, m->kernel + i * m->stride);
    return ODIM_OK;
}

static int tick(void *ctx)
{
    const machine *m = ctx;
    return od_detector_tick(m->task);
}

/* One over the standard deviation of each feature, or 1 where a feature is constant. */
static void measure_scales(const od_detector_task *t, double *scale)
{
    for (int64_t j = 0; j < t->d; j++) {
        double mean = 0.0, square = 0.0;
        bool same = true;
        for (int64_t i = 0; i < t->n; i++) {
            mean += (double)t->x[i * t->d + j];
            same = same && t->x[i * t->d + j] == t->x[j];
        }
        mean /= (double)t->n;
        for (int64_t i = 0; i < t->n; i++)
            square += ((double)t->x[i * t->d + j] - mean) * ((double)t->x[i * t->d + j] - mean);
        scale[j] = same ? 1.0 : 1.0 / sqrt(square / (double)t->n);
    }
}

/* As LIBSVM begins: the first rows have all the weight. */
static odim_status start(machine *m, odim_error *err)
{
    double left = m->task->nu * (double)m->n;
    odim_status status = ODIM_OK;
    for (int64_t i = 0; i < m->n; i++) m->gradient[i] = 0.0;
    for (int64_t i = 0; !status && i < m->n; i++) {
        const float *line = m->kernel + i * m->stride;
        m->weight[i] = fmin(left, 1.0);
        left = fmax(left - 1.0, 0.0);
        for (int64_t j = 0; m->weight[i] > 0.0 && j < m->n; j++)
            m->gradient[j] += m->weight[i] * (double)line[j];
        status = od_poll_check(err);
    }
    return status;
}

/* The rows between which weight moves, to *i from *j; false: no two gradients are far enough apart. */
static bool choose(const machine *m, int64_t *i, int64_t *j)
{
    double lowest = INFINITY, highest = -INFINITY, most = 0.0;
    for (int64_t t = 0; t < m->n; t++)
        if (m->weight[t] < 1.0 && m->gradient[t] < lowest) {
            lowest = m->gradient[t];
            *i = t;
        }
    if (!(lowest < INFINITY)) return false;
    const float *line = m->kernel + *i * m->stride;
    for (int64_t t = 0; t < m->n; t++) {
        double apart = m->gradient[t] - lowest;
        if (!(m->weight[t] > 0.0)) continue;
        if (m->gradient[t] > highest) highest = m->gradient[t];
        if (!(apart > 0.0)) continue;
        double curve = fmax(2.0 - 2.0 * (double)line[t], CURVATURE), gain = apart * apart / curve;
        if (!(gain > most)) continue;
        most = gain;
        *j = t;
    }
    return most > 0.0 && highest - lowest >= GAP;
}

static void move(machine *m, int64_t i, int64_t j)
{
    const float *a = m->kernel + i * m->stride, *b = m->kernel + j * m->stride;
    double curve = fmax(2.0 - 2.0 * (double)a[j], CURVATURE);
    double step = (m->gradient[j] - m->gradient[i]) / curve;
    if (step >= 1.0 - m->weight[i] || step >= m->weight[j]) {
        bool full = 1.0 - m->weight[i] <= m->weight[j];
        step = full ? 1.0 - m->weight[i] : m->weight[j];
        m->weight[i] = full ? 1.0 : m->weight[i] + step;
        m->weight[j] = full && m->weight[j] > step ? m->weight[j] - step : 0.0;
    } else {
        m->weight[i] += step;
        m->weight[j] -= step;
    }
    for (int64_t t = 0; t < m->n; t++) m->gradient[t] += step * ((double)a[t] - (double)b[t]);
}

/* The gradient at the boundary: the mean of those rows whose weight is between the bounds, or else the middle
 * between those at the bounds. */
static double find_rho(const machine *m)
{
    double sum = 0.0, above = INFINITY, below = -INFINITY;
    int64_t between = 0;
    for (int64_t i = 0; i < m->n; i++) {
        double g = m->gradient[i];
        if (m->weight[i] >= 1.0)
            below = fmax(below, g);
        else if (m->weight[i] <= 0.0)
            above = fmin(above, g);
        else {
            sum += g;
            between++;
        }
    }
    if (between) return sum / (double)between;
    return above == INFINITY ? below : below == -INFINITY ? above : (above + below) / 2.0;
}

static odim_status solve(machine *m, odim_error *err)
{
    int64_t i = 0, j = 0, steps = 0, most = 100 * m->n + 100000;
    odim_status status = start(m, err);
    while (!status && steps++ < most && choose(m, &i, &j)) {
        move(m, i, j);
        status = od_poll_check(err);
    }
    return status;
}

static odim_status keep(od_detector *c, const machine *m, odim_error *err)
{
    int64_t count = 0;
    for (int64_t i = 0; i < m->n; i++)
        if (m->weight[i] > 0.0) m->which[count++] = (int32_t)i;
    int64_t places = blocks_of(count) * LANES;
    c->count[0] = count;
    odim_status status = od_detector_array_new(c, ROWS, OD_ARRAY_FLOAT, places * c->d, err);
    if (!status) status = od_detector_array_new(c, WEIGHT, OD_ARRAY_DOUBLE, places, err);
    if (!status) status = od_detector_array_new(c, NUMBERS, OD_ARRAY_DOUBLE, 2, err);
    if (status) return status;
    put_blocks(m->x, c->d, m->which, count, c->part[ROWS].at.f);
    for (int64_t i = 0; i < count; i++) c->part[WEIGHT].at.d[i] = m->weight[m->which[i]];
    c->part[NUMBERS].at.d[GAMMA] = (double)m->gamma;
    c->part[NUMBERS].at.d[RHO] = find_rho(m);
    return ODIM_OK;
}

static odim_status fit(od_detector *c, const od_detector_task *t, odim_error *err)
{
    size_t n = (size_t)t->n, places = (size_t)(blocks_of(t->n) * LANES);
    machine m = {.task = t,
                 .n = t->n,
                 .stride = (int64_t)places,
                 .gamma = (float)(t->gamma > 0.0 ? t->gamma : 1.0 / (double)t->d),
                 .x = od_alloc(n, (size_t)t->d * sizeof *m.x),
                 .blocks = od_alloc(places, (size_t)t->d * sizeof *m.blocks),
                 .kernel = od_alloc(n, places * sizeof *m.kernel),
                 .weight = od_alloc(n, sizeof *m.weight),
                 .gradient = od_alloc(n, sizeof *m.gradient),
                 .which = od_alloc(n, sizeof *m.which)};
    bool there = m.x && m.blocks && m.kernel && m.weight && m.gradient && m.which;
    odim_status status = there ? ODIM_OK : od_fail_nomem(err);
    if (!status) status = od_detector_array_new(c, SCALE, OD_ARRAY_DOUBLE, t->d, err);
    if (!status) {
        measure_scales(t, c->part[SCALE].at.d);
        for (int64_t i = 0; i < t->n; i++)
            scale_row(t->x + i * t->d, c->part[SCALE].at.d, t->d, m.x + i * t->d);
        put_blocks(m.x, t->d, NULL, t->n, m.blocks);
        status = od_parallel_run(t->threads > 1 ? (int)t->threads : 1, t->n, fill_line, tick, &m, err);
    }
    if (!status) status = solve(&m, err);
    if (!status) status = keep(c, &m, err);
    od_free(m.x);
    od_free(m.blocks);
    od_free(m.kernel);
    od_free(m.weight);
    od_free(m.gradient);
    od_free(m.which);
    return status;
}

/* ---- scoring ------------------------------------------------------------------------------------------- */

static size_t scratch(const od_detector *c)
{
    return (size_t)(blocks_of(c->count[0]) * LANES + c->d) * sizeof(float);
}

static void score(const od_detector *c, const float *x, int64_t rows, void *room, double *scores)
{
    const double *weight = c->part[WEIGHT].at.d, *number = c->part[NUMBERS].at.d;
    int64_t blocks = blocks_of(c->count[0]);
    float *kernel = room, *scaled = kernel + blocks * LANES;
    for (int64_t i = 0; i < rows; i++) {
        double sum[4] = {0};
        scale_row(x + i * c->d, c->part[SCALE].at.d, c->d, scaled);
        kernels(c->part[ROWS].at.f, blocks, c->d, scaled, (float)number[GAMMA], kernel);
        for (int64_t s = 0; s < blocks * LANES; s += 4)
            for (int l = 0; l < 4; l++) sum[l] += weight[s + l] * (double)kernel[s + l];
        scores[i] = number[RHO] - ((sum[0] + sum[1]) + (sum[2] + sum[3]));
    }
}

static float value_of(const od_detector *c, int64_t row, int64_t j)
{
    return c->part[ROWS].at.f[(row / LANES * c->d + j) * LANES + row % LANES];
}

static bool is_same(const od_detector *c, int64_t a, int64_t b)
{
    int64_t j = 0;
    while (j < c->d && value_of(c, a, j) == value_of(c, b, j)) j++;
    return j == c->d;
}

static int64_t count_rows(const od_detector *c, const float *x, bool *is_one)
{
    int64_t found = 0;
    *is_one = false;
    for (int64_t i = 0; i < c->count[0]; i++) {
        int64_t earlier = 0, j = 0;
        while (earlier < i && !is_same(c, i, earlier)) earlier++;
        while (j < c->d && value_of(c, i, j) == (float)((double)x[j] * c->part[SCALE].at.d[j])) j++;
        found += earlier == i;
        *is_one |= j == c->d;
    }
    return found;
}

static odim_status check(const od_detector *c, odim_error *err)
{
    int64_t count = c->count[0], places = blocks_of(count) * LANES;
    if (count < 1 || count > MOST_ROWS || c->d < 1 || c->d > INT32_MAX ||
        !od_detector_has(c, ROWS, OD_ARRAY_FLOAT, places * c->d) ||
        !od_detector_has(c, WEIGHT, OD_ARRAY_DOUBLE, places) ||
        !od_detector_has(c, NUMBERS, OD_ARRAY_DOUBLE, 2) || !od_detector_has(c, SCALE, OD_ARRAY_DOUBLE, c->d))
        return od_fail(err, ODIM_ERR_FORMAT, "not 1 to %d support vectors", MOST_ROWS);
    for (int64_t i = 0; i < c->part[ROWS].count; i++)
        if (!isfinite(c->part[ROWS].at.f[i]))
            return od_fail(err, ODIM_ERR_FORMAT, "a support vector is not finite");
    for (int64_t i = 0; i < places; i++)
        if (!(c->part[WEIGHT].at.d[i] >= 0.0 && c->part[WEIGHT].at.d[i] <= 1.0))
            return od_fail(err, ODIM_ERR_FORMAT, "a weight is out of range");
    for (int64_t j = 0; j < c->d; j++)
        if (!(c->part[SCALE].at.d[j] > 0.0 && isfinite(c->part[SCALE].at.d[j])))
            return od_fail(err, ODIM_ERR_FORMAT, "a scale is out of range");
    double gamma = c->part[NUMBERS].at.d[GAMMA], rho = c->part[NUMBERS].at.d[RHO];
    if (!((float)gamma > 0.0f && gamma <= 1e30) || !isfinite(rho))
        return od_fail(err, ODIM_ERR_FORMAT, "a number of the kernel is out of range");
    return ODIM_OK;
}

static int64_t most_rows(int64_t d)
{
    (void)d;
    return MOST_ROWS;
}

const od_detector_kind od_ocsvm = {
    .method = OD_METHOD_OCSVM,
    .name = "ocsvm",
    .fit = fit,
    .scratch = scratch,
    .score = score,
    .keeps = "training rows",
    .rows = count_rows,
    .check = check,
    .most_rows = most_rows,
    .most_cells = MOST_CELLS,
};
