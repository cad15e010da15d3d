/*
 * An auxiliary detector: the distance to small samples of the training rows. A few networks that stop early
 * see the broad shape of a table, and miss rows in sparse places between its parts.
 *
 * Several small groups of training rows are kept, and the score is the mean distance to the nearest row of
 * each group. Similar outliers are then seldom in the same group, where they would vouch for each other.
 *
 * It keeps: count 0 groups, count 1 rows in each; part 0 (groups, d, rows) their features.
 */
#include <math.h>

#include "base/shuffle.h"
#include "detectors/detector.h"

#define GROUPS     16
#define SIZE       64
#define MOST_CELLS ((int64_t)1 << 22)

/* Half of the rows of a small table, so that the groups differ. */
static void plan(int64_t n, int64_t d, int64_t *groups, int64_t *size)
{
    int64_t most = MOST_CELLS / d > 4 ? MOST_CELLS / d : 4; /* rows in all */
    *size = n < 2 * SIZE ? (n + 1) / 2 : SIZE;
    *groups = GROUPS;
    if (*groups * *size > most) *groups = most / *size;
    if (*groups == 0) {
        *groups = 1;
        *size = most;
    }
}

/* An order of its own for each group. */
static odim_status fit(od_detector *c, const od_detector_task *t, odim_error *err)
{
    plan(t->n, t->d, &c->count[0], &c->count[1]);
    int64_t groups = c->count[0], size = c->count[1], d = t->d;
    odim_status status = od_detector_array_new(c, 0, OD_ARRAY_FLOAT, groups * size * d, err);
    for (int64_t g = 0; !status && g < groups; g++) {
        od_shuffle order = od_shuffle_make((uint64_t)t->n, t->seed, (uint32_t)g, OD_RNG_SUBSAMPLE_KNN, 0);
        float *rows = c->part[0].at.f + g * d * size;
        for (int64_t i = 0; i < size; i++) {
            const float *x = t->x + (int64_t)od_shuffle_at(&order, (uint64_t)i) * d;
            for (int64_t j = 0; j < d; j++) rows[j * size + i] = x[j];
        }
    }
    return status;
}

static size_t scratch(const od_detector *c)
{
    (void)c;
    return 0;
}

/* The nearest row of a group and its squared distance; -1 if the group has only the row itself. */
static int64_t neighbors(const od_detector *c, const float *rows, const float *x, float *square)
{
    float all[SIZE] = {0};
    int64_t n = c->count[1], best = -1;
    bool own = false;
    for (int64_t j = 0; j < c->d; j++, rows += n)
        for (int64_t i = 0; i < n; i++) all[i] += (x[j] - rows[i]) * (x[j] - rows[i]);
    for (int64_t i = 0; i < n; i++) {
        bool first = all[i] == 0.0f && !own;
        own |= first;
        if (!first && (best < 0 || all[i] < all[best])) best = i;
    }
    if (best >= 0) *square = all[best];
    return best;
}

/* The mean distance to the nearest row of each group. In each group one row that equals x is taken for x
 * itself and left out. */
static double attribute(const od_detector *c, const float *x, void *room, double times, double *part)
{
    int64_t groups = c->count[0], size = c->count[1];
    double sum = 0.0, share = 1.0 / (double)groups;
    (void)room;
    for (int64_t g = 0; g < groups; g++) {
        const float *rows = c->part[0].at.f + g * c->d * size;
        float square;
        int64_t which = neighbors(c, rows, x, &square);
        if (which < 0) continue;
        double length = sqrt((double)square);
        sum += length * share;
        for (int64_t j = 0; part && length > 0.0 && j < c->d; j++) {
            double apart = (double)x[j] - (double)rows[j * size + which];
            part[j] += times * share * apart * apart / length;
        }
    }
    return sum;
}

static void score(const od_detector *c, const float *x, int64_t rows, void *room, double *scores)
{
    for (int64_t i = 0; i < rows; i++) scores[i] = attribute(c, x + i * c->d, room, 0.0, NULL);
}

static bool is_same(const od_detector *c, int64_t row, int64_t other)
{
    int64_t size = c->count[1], j = 0;
    const float *a = c->part[0].at.f + row / size * c->d * size + row % size;
    const float *b = c->part[0].at.f + other / size * c->d * size + other % size;
    while (j < c->d && a[j * size] == b[j * size]) j++;
    return j == c->d;
}

/* A row may be in several groups. */
static int64_t count_rows(const od_detector *c, const float *x, bool *is_one)
{
    int64_t size = c->count[1], all = c->count[0] * size, found = 0;
    *is_one = false;
    for (int64_t i = 0; i < all; i++) {
        const float *row = c->part[0].at.f + i / size * c->d * size + i % size;
        int64_t earlier = 0, j = 0;
        while (earlier < i && !is_same(c, i, earlier)) earlier++;
        while (j < c->d && row[j * size] == x[j]) j++;
        found += earlier == i;
        *is_one |= j == c->d;
    }
    return found;
}

static odim_status check(const od_detector *c, odim_error *err)
{
    int64_t groups = c->count[0], size = c->count[1];
    bool fine = groups >= 1 && groups <= GROUPS && size >= 1 && size <= SIZE &&
                od_detector_has(c, 0, OD_ARRAY_FLOAT, groups * size * c->d);
    return fine ? ODIM_OK : od_fail(err, ODIM_ERR_FORMAT, "not 1 to %d groups of 1 to %d rows", GROUPS, SIZE);
}

const od_detector_kind od_subsample_knn = {.method = OD_METHOD_SUBSAMPLE_KNN,
                                           .name = "subsample-knn",
                                           .fit = fit,
                                           .scratch = scratch,
                                           .score = score,
                                           .attribute = attribute,
                                           .keeps = "training rows",
                                           .rows = count_rows,
                                           .check = check};
