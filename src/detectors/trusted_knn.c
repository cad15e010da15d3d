/*
 * The distance to trusted rows.
 *
 * Distances to near rows measure well how odd a row is, with one weakness: similar outliers are near each
 * other and vouch for each other. This ends if no outliers are among the rows to compare with. So the
 * training rows are judged first (score/trusted_rows.c), and only the most ordinary ones are kept.
 *
 * A row is compared in two ways: by its features, and by its place along the principal axes of the trusted
 * rows, in units of their deviations, with large values drawn in by a logarithm. The second shows rows that
 * break a relation between columns. Both are scaled to the same total variance over the trusted rows, so
 * that neither dominates. Axes along which trusted rows do not vary would only amplify noise, so a share of
 * the mean variance is added to each. The rest of a row, outside all axes, is one more value.
 *
 * Where all columns have one unit, as in embeddings, pixels and spectra, a row is compared by its place along
 * at most UNIT_AXES axes alone. The columns are not scaled. Axes are divided by the square root of the
 * deviation along them, halfway between leaving all directions as they are and making them all alike:
 * docs/experiments/wide.md.
 *
 * The score is the mean distance to the k nearest rows. docs/experiments/beyond.md found k and MOST_ROWS to
 * be enough; both hardly matter.
 *
 * It keeps the counts and parts of neighbors.h, for rows of `width` values; then q; then the parts of
 * pca_space.h; then (width) the factor of each value. width is d + q + 1, or q + 1 in one unit.
 */
#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "base/parallel.h"
#include "base/signed_log.h"
#include "detectors/covariance.h"
#include "detectors/pca_space.h"
#include "detectors/neighbors.h"
#include "kern/doubles.h"

#define MOST_ROWS  2048
#define TREE_MOST  64   /* values of a row, beyond which a tree of so few rows does not pay */
#define WORK_ROWS  1024 /* that are held as they are compared, while scales are found */
#define WIDE       1024 /* columns; of more the axes are those of so many rows */
#define STRIP      256  /* values whose logarithms are taken at a time */
#define FLOOR      1e-3
#define UNIT_AXES  128
#define UNIT_REST  0.3 /* weight of the rest outside the axes, in units of its deviation */
#define UNIT_FLOOR 0.1 /* of the mean variance, that is added to that of each axis */
#define COUNT_Q    OD_NEIGHBORS_COUNTS
#define PART_AXES  OD_NEIGHBORS_ARRAYS
#define PART_TIMES (OD_NEIGHBORS_ARRAYS + OD_PCA_SPACE_ARRAYS)
_Static_assert(COUNT_Q < OD_DETECTOR_COUNTS && PART_TIMES < OD_DETECTOR_ARRAYS, "");

/* Features, axes, and what is left; or axes and what is left. */
static int64_t width_of(const od_detector *c)
{
    return c->part[PART_TIMES].count;
}

static bool has_one_unit(const od_detector *c)
{
    return width_of(c) == c->count[COUNT_Q] + 1;
}

/* The two detectors that it is made of, with its own arrays. */
static od_detector kept_rows(const od_detector *c)
{
    od_detector rows = {.method = OD_METHOD_KNN, .d = width_of(c)};
    memcpy(rows.count, c->count, OD_NEIGHBORS_COUNTS * sizeof *rows.count);
    memcpy(rows.part, c->part, OD_NEIGHBORS_ARRAYS * sizeof *rows.part);
    return rows;
}

static od_detector axes_of(const od_detector *c)
{
    od_detector axes = {.method = OD_METHOD_PCA, .d = c->d};
    axes.count[OD_PCA_SPACE_Q] = c->count[COUNT_Q];
    axes.count[OD_PCA_SPACE_TURNED] = 1;
    memcpy(axes.part, c->part + PART_AXES, OD_PCA_SPACE_ARRAYS * sizeof *axes.part);
    return axes;
}

/* ---- rows as they are compared ------------------------------------------------------------------------ */

typedef struct room {
    double *z, *p; /* (OD_DETECTOR_ROWS, d) and (OD_DETECTOR_ROWS, q) */
    double *rest;  /* (OD_DETECTOR_ROWS) */
    float *seen;   /* (OD_DETECTOR_ROWS, width) */
    void *search;
} room;

static size_t bytes_of(const od_detector *c)
{
    size_t rows = OD_DETECTOR_ROWS, d = (size_t)c->d, q = (size_t)c->count[COUNT_Q];
    size_t seen = (rows * (size_t)width_of(c) * sizeof(float) + 63) / 64 * 64;
    return rows * (d + q + 1) * sizeof(double) + seen;
}

static room divide_room(const od_detector *c, void *scratch)
{
    int64_t rows = OD_DETECTOR_ROWS, q = c->count[COUNT_Q];
    double *z = scratch, *p = z + rows * c->d, *rest = p + rows * q;
    return (room){z, p, rest, (float *)(rest + rows), (char *)scratch + (bytes_of(c) + 63) / 64 * 64};
}

/* The deviation along axis k or, for k = q, outside all axes. */
static double deviation(const od_detector *axes, int64_t k)
{
    return sqrt(axes->part[OD_PCA_SPACE_LENGTH].at.d[k] + FLOOR);
}

/* The root mean square of what is left of a row outside all axes. */
static double usual_rest(const od_detector *axes)
{
    int64_t q = axes->count[OD_PCA_SPACE_Q];
    return sqrt((double)(axes->d - q) * axes->part[OD_PCA_SPACE_LENGTH].at.d[q]);
}

/* The places of rows on the axes, and what is left of them, drawn in and multiplied, if times is not NULL: q
 * + 1 values of r->seen, from `at` on. */
static void draw_in(const od_detector *c, const od_detector *axes, int64_t rows, int64_t at,
                    const double *times, const room *r)
{
    const bool one_unit = has_one_unit(c);
    const od_dense *dense = od_dense_get();
    int64_t q = c->count[COUNT_Q], width = width_of(c);
    double unit[STRIP], z[STRIP], usual = one_unit ? usual_rest(axes) : 0.0;
    for (int64_t first = 0; first <= q; first += STRIP) {
        int64_t count = q + 1 - first < STRIP ? q + 1 - first : STRIP;
        for (int64_t k = 0; k < count; k++)
            unit[k] = one_unit ? c->part[PART_TIMES].at.d[first + k] : deviation(axes, first + k);
        for (int64_t i = 0; i < rows; i++) {
            const double *p = r->p + i * q + first;
            for (int64_t k = 0; k < count; k++) {
                double place = first + k < q ? p[k] : sqrt(r->rest[i]) - usual;
                z[k] = one_unit ? place * unit[k] : place / unit[k];
            }
            dense->signed_log(z, times ? times + first : NULL, count, r->seen + i * width + at + first);
        }
    }
}

/* r->seen (rows, width) of x (rows, d); unless the columns share a unit, not yet multiplied if times is NULL.
 */
static void look(const od_detector *c, const od_detector *axes, const float *x, int64_t rows,
                 const double *times, const room *r)
{
    int64_t d = c->d, width = width_of(c);
    const bool one_unit = has_one_unit(c);
    od_pca_space_rows(axes, x, rows, r->z, r->p, r->rest);
    draw_in(c, axes, rows, one_unit ? 0 : d, one_unit || !times ? NULL : times + d, r);
    for (int64_t i = 0; i < rows && !one_unit; i++) {
        float *to = r->seen + i * width;
        memcpy(to, x + i * d, (size_t)d * sizeof *to);
        for (int64_t j = 0; times && j < d; j++) to[j] = (float)((double)to[j] * times[j]);
    }
}

/* ---- fit ---------------------------------------------------------------------------------------------- */

/* Scales of all rows, the middle of the trusted ones, whose numbers are a list, and their axes. */
static odim_status find_axes(od_detector *c, const od_detector_task *t, const int32_t *list, int64_t count,
                             odim_error *err)
{
    od_detector axes = {.method = OD_METHOD_PCA, .d = t->d};
    odim_status status = od_pca_space_scale(&axes, t, false, err);
    if (!status) {
        double *centre = axes.part[OD_PCA_SPACE_CENTRE].at.d;
        memset(centre, 0, (size_t)t->d * sizeof *centre);
        for (int64_t i = 0; i < count; i++)
            for (int64_t j = 0; j < t->d; j++) centre[j] += (double)t->x[list[i] * t->d + j];
        for (int64_t j = 0; j < t->d; j++) centre[j] /= (double)count;
        od_detector_task own = *t;
        own.which = list;
        own.n = t->d > WIDE && count > WIDE ? WIDE : count;
        status = od_pca_space_turn(&axes, &own, t->one_unit && t->d > UNIT_AXES ? UNIT_AXES : t->d, 0.0, err);
    }
    if (status) {
        od_detector_free(&axes);
        return status;
    }
    c->count[COUNT_Q] = axes.count[OD_PCA_SPACE_Q];
    memcpy(c->part + PART_AXES, axes.part, OD_PCA_SPACE_ARRAYS * sizeof *axes.part);
    return ODIM_OK;
}

/* What brings values to a width of 1 over all rows, and then each side to a variance of 1 over the trusted
 * ones. */
typedef struct extent {
    double low, high, sum, square;
} extent;

static void set_times(od_detector *c, const extent *e, int64_t count)
{
    double *times = c->part[PART_TIMES].at.d;
    int64_t side[] = {0, c->d, width_of(c)};
    for (int s = 0; s < 2; s++) {
        double all = 0.0;
        for (int64_t j = side[s]; j < side[s + 1]; j++) {
            double mean = e[j].sum / (double)count, variance = e[j].square / (double)count - mean * mean;
            double width = s == 0 ? 1.0 : e[j].high - e[j].low;
            times[j] = width > 0.0 ? 1.0 / width : 0.0;
            all += (variance > 0.0 ? variance : 0.0) * times[j] * times[j];
        }
        for (int64_t j = side[s]; all > 0.0 && j < side[s + 1]; j++) times[j] /= sqrt(all);
    }
}

/* In one unit: what divides axes by the square roots of their deviations, and brings them to a mean square of
 * 1 together. */
static void set_axis_times(od_detector *c)
{
    int64_t d = c->d, q = c->count[COUNT_Q];
    const double *length = c->part[PART_AXES + OD_PCA_SPACE_LENGTH].at.d;
    double *times = c->part[PART_TIMES].at.d, all = (double)(d - q) * length[q], square = 0.0;
    for (int64_t k = 0; k < q; k++) all += length[k];
    for (int64_t k = 0; k < q; k++) {
        times[k] = 1.0 / sqrt(sqrt(length[k] + UNIT_FLOOR * all / (double)d));
        square += length[k] * times[k] * times[k] / (double)q;
    }
    for (int64_t k = 0; k < q; k++) times[k] /= sqrt(square);
}

/* Rows that many threads look at, some at a time. */
typedef struct looking {
    const od_detector *c;
    od_detector axes;
    const float *x;       /* (rows, d) */
    const int32_t *which; /* numbers of the rows that may be looked at, or NULL: all */
    float *gathered;      /* (workers, OD_DETECTOR_ROWS, d) of those */
    int64_t all, count;   /* of all rows `count` are looked at, evenly spread */
    int64_t first;        /* the rows at work begin here */
    const double *times;
    char *scratch; /* (workers, bytes_of(c)) */
    float *seen;   /* (rows at work, width), or NULL: only rest is wanted */
    double *rest;  /* (rows at work) */
} looking;

static void look_at(void *ctx, int worker, int64_t first, int64_t end)
{
    const looking *l = ctx;
    const room r = divide_room(l->c, l->scratch + (size_t)worker * ((bytes_of(l->c) + 63) / 64 * 64));
    int64_t d = l->c->d, width = width_of(l->c), step = l->which || l->all == l->count ? end - first : 1;
    float *gathered = l->which ? l->gathered + worker * OD_DETECTOR_ROWS * d : NULL;
    for (int64_t i = first; i < end; i += step) {
        const float *x = gathered ? gathered : l->x + (l->first + i) * l->all / l->count * d;
        for (int64_t k = 0; gathered && k < step; k++)
            memcpy(gathered + k * d, l->x + l->which[(l->first + i + k) * l->all / l->count] * d,
                   (size_t)d * sizeof *gathered);
        if (l->seen) {
            look(l->c, &l->axes, x, step, l->times, &r);
            memcpy(l->seen + i * width, r.seen, (size_t)(step * width) * sizeof *l->seen);
        } else {
            od_pca_space_rows(&l->axes, x, step, r.z, r.p, l->rest + i);
        }
    }
}

static odim_status look_at_rows(const looking *l, int64_t rows, const od_detector_task *t, odim_error *err)
{
    looking own = *l;
    int64_t threads = t->threads > 1 ? t->threads : 1;
    own.axes = axes_of(l->c);
    own.scratch = od_alloc((size_t)threads, (bytes_of(l->c) + 63) / 64 * 64);
    if (l->which)
        own.gathered = od_alloc((size_t)threads * OD_DETECTOR_ROWS, (size_t)l->c->d * sizeof *own.gathered);
    odim_status status = own.scratch && (own.gathered || !l->which) ? ODIM_OK : od_fail_nomem(err);
    if (!status) status = od_parallel_ranges(threads, rows, OD_DETECTOR_ROWS, look_at, &own, err);
    od_free(own.gathered);
    od_free(own.scratch);
    return status;
}

/* The factors of the axes, and of what is left outside them. That is large, and much the same for all rows:
 * it counts in units of its own deviation over trusted rows. */
static odim_status set_unit_times(od_detector *c, const od_detector_task *t, const int32_t *list,
                                  int64_t count, odim_error *err)
{
    double sum = 0.0, square = 0.0, *rest = od_alloc((size_t)count, sizeof *rest);
    if (!rest) return od_fail_nomem(err);
    set_axis_times(c);
    odim_status status =
        look_at_rows(&(looking){.c = c, .x = t->x, .which = list, .all = count, .count = count, .rest = rest},
                     count, t, err);
    for (int64_t i = 0; !status && i < count; i++) {
        sum += sqrt(rest[i]);
        square += rest[i];
    }
    double mean = sum / (double)count, variance = square / (double)count - mean * mean;
    double least = 1e-6 * mean * mean;
    if (variance < least) variance = least;
    c->part[PART_TIMES].at.d[c->count[COUNT_Q]] = variance > 0.0 ? UNIT_REST / sqrt(variance) : 0.0;
    od_free(rest);
    return status;
}

/* Adds rows first.. of seen (rows, width) to the extents. */
static void measure(const od_detector_task *t, const float *seen, int64_t first, int64_t rows, int64_t width,
                    extent *e)
{
    for (int64_t i = first; i < first + rows; i++, seen += width)
        for (int64_t j = 0; j < width; j++) {
            double v = (double)seen[j];
            if (i == 0 || v < e[j].low) e[j].low = v;
            if (i == 0 || v > e[j].high) e[j].high = v;
            if (t->trusted && !t->trusted[i]) continue;
            e[j].sum += v;
            e[j].square += v * v;
        }
}

static odim_status find_times(od_detector *c, const od_detector_task *t, int64_t count, odim_error *err)
{
    int64_t width = width_of(c);
    extent *e = od_calloc((size_t)width, sizeof *e);
    float *seen = od_alloc(WORK_ROWS, (size_t)width * sizeof *seen);
    odim_status status = e && seen ? ODIM_OK : od_fail_nomem(err);
    looking l = {.c = c, .x = t->x, .all = t->n, .count = t->n, .seen = seen};
    for (; !status && l.first < t->n; l.first += WORK_ROWS) {
        int64_t rows = t->n - l.first < WORK_ROWS ? t->n - l.first : WORK_ROWS;
        status = look_at_rows(&l, rows, t, err);
        if (!status) measure(t, seen, l.first, rows, width, e);
    }
    if (!status) set_times(c, e, count);
    od_free(e);
    od_free(seen);
    return status;
}

static odim_status keep_rows(od_detector *c, const od_detector_task *t, const int32_t *list, int64_t count,
                             odim_error *err)
{
    int64_t width = width_of(c), most = count < MOST_ROWS ? count : MOST_ROWS;
    float *seen = od_alloc((size_t)most, (size_t)width * sizeof *seen);
    if (!seen) return od_fail_nomem(err);
    const looking l = {.c = c,
                       .x = t->x,
                       .which = list,
                       .all = count,
                       .count = most,
                       .times = c->part[PART_TIMES].at.d,
                       .seen = seen};
    odim_status status = look_at_rows(&l, most, t, err);
    if (t->owned) { /* what is kept takes as much memory once more */
        od_free(*t->owned);
        *t->owned = NULL;
    }
    od_detector rows = {.method = OD_METHOD_KNN, .d = width};
    od_detector_task own = *t;
    own.x = seen;
    own.n = most;
    own.d = width;
    if (!status)
        status = od_neighbors_fit(&rows, &own, width > TREE_MOST ? OD_GUIDE_PRODUCTS : OD_GUIDE_CHOOSE, err);
    od_free(seen);
    if (status) {
        od_detector_free(&rows);
        return status;
    }
    memcpy(c->count, rows.count, OD_NEIGHBORS_COUNTS * sizeof *rows.count);
    memcpy(c->part, rows.part, OD_NEIGHBORS_ARRAYS * sizeof *rows.part);
    return ODIM_OK;
}

static odim_status fit_trusted(od_detector *c, const od_detector_task *t, const int32_t *list, int64_t count,
                               odim_error *err)
{
    odim_status status = find_axes(c, t, list, count, err);
    int64_t q = c->count[COUNT_Q], width = t->one_unit ? q + 1 : t->d + q + 1;
    if (!status) status = od_detector_array_new(c, PART_TIMES, OD_ARRAY_DOUBLE, width, err);
    if (!status && t->one_unit) status = set_unit_times(c, t, list, count, err);
    if (!status && !t->one_unit) status = find_times(c, t, count, err);
    return status ? status : keep_rows(c, t, list, count, err);
}

static odim_status fit(od_detector *c, const od_detector_task *t, odim_error *err)
{
    int32_t *list = od_alloc((size_t)t->n, sizeof *list);
    int64_t count = 0;
    if (!list) return od_fail_nomem(err);
    for (int64_t i = 0; i < t->n; i++)
        if (!t->trusted || t->trusted[i]) list[count++] = (int32_t)i;
    odim_status status = fit_trusted(c, t, list, count, err);
    od_free(list);
    return status;
}

/* ---- score -------------------------------------------------------------------------------------------- */

static size_t scratch(const od_detector *c)
{
    od_detector rows = kept_rows(c);
    return (bytes_of(c) + 63) / 64 * 64 + od_neighbors_scratch(&rows);
}

static void score(const od_detector *c, const float *x, int64_t count, void *scratch, double *scores)
{
    int64_t found[OD_DETECTOR_ROWS], k = c->count[OD_NEIGHBORS_K];
    od_detector rows = kept_rows(c), axes = axes_of(c);
    room r = divide_room(c, scratch);
    look(c, &axes, x, count, c->part[PART_TIMES].at.d, &r);
    const od_neighbor *list = od_neighbors_find(&rows, r.seen, count, r.search, found);
    for (int64_t i = 0; i < count; i++) scores[i] = od_neighbors_mean(list + i * (k + 1), found[i], k);
}

static double positive(double x)
{
    return x > 0.0 ? x : 0.0;
}

/* The sum of those x a[k] b[k] that are above 0. */
static double positive_dot(double x, const double *a, const double *b, int64_t n)
{
    double sum[4] = {0.0};
    int64_t k = 0;
    for (; k + 4 <= n; k += 4)
        for (int l = 0; l < 4; l++) sum[l] += positive(x * a[k + l] * b[k + l]);
    for (; k < n; k++) sum[0] += positive(x * a[k] * b[k]);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/*
 * What an axis has in a distance is the features' that took the row away along it: each by how far it did,
 * those that brought it back by nothing. `apart` (d): of the scaled features, this row less the other.
 * amount (q): of each axis. way (q), sum (q).
 */
static void blame_axes(const od_detector *axes, const double *apart, const double *amount,
                       double *restrict way, double *restrict sum, double *part)
{
    int64_t d = axes->d, q = axes->count[OD_PCA_SPACE_Q];
    const double *a = axes->part[OD_PCA_SPACE_AXES].at.d;
    od_product(apart, a, 1, d, q, false, way);
    for (int64_t k = 0; k < q; k++) {
        way[k] = way[k] < 0.0 ? -1.0 : 1.0;
        sum[k] = 0.0;
    }
    for (int64_t j = 0; j < d; j++)
        for (int64_t k = 0; k < q; k++) sum[k] += positive(apart[j] * a[j * q + k] * way[k]);
    for (int64_t k = 0; k < q; k++) way[k] *= sum[k] > 0.0 ? amount[k] / sum[k] : 0.0;
    for (int64_t j = 0; j < d; j++) part[j] += positive_dot(apart[j], a + j * q, way, q);
}

/* And the rest outside the axes, by the rest of each feature. */
static void blame_rest(const od_detector *axes, const double *z, const double *p, double rest, double amount,
                       double *part)
{
    int64_t q = axes->count[OD_PCA_SPACE_Q];
    const double *a = axes->part[OD_PCA_SPACE_AXES].at.d;
    for (int64_t j = 0; rest > 0.0 && j < axes->d; j++) {
        double left = z[j] - od_dot(a + j * q, p, q);
        part[j] += amount * left * left / rest;
    }
}

/* What each value has in the mean distance, `times` over, to amount (width); and to apart (d) how far the
 * scaled features are from those of the near rows, in the mean. In one unit, these follow from how far the
 * row is from them along the axes: p (q) its place, along (q). */
static void compare(const od_detector *c, const float *seen, const double *p, const od_neighbor *list,
                    int64_t found, double times, double *amount, double *apart, double *along)
{
    const bool one_unit = has_one_unit(c);
    int64_t k = c->count[OD_NEIGHBORS_K], d = c->d, width = width_of(c), left = k;
    od_detector rows = kept_rows(c), axes = axes_of(c);
    const double *by = c->part[PART_TIMES].at.d, *scale = axes.part[OD_PCA_SPACE_CENTRE].at.d + d;
    for (int64_t i = 0; i < found && left > 0; i++) {
        int64_t copies = list[i].copies < left ? list[i].copies : left;
        double distance = sqrt(list[i].square), share = (double)copies / (double)k;
        left -= copies;
        for (int64_t j = 0; distance > 0.0 && j < width; j++) {
            double away = (double)seen[j] - (double)od_neighbors_value(&rows, list[i].row, j);
            amount[j] += times * share * away * away / distance;
            if (!one_unit && j < d && by[j] > 0.0) apart[j] += share * away / by[j] / scale[j];
        }
        for (int64_t a = 0; one_unit && a < c->count[COUNT_Q]; a++) {
            double other = (double)od_neighbors_value(&rows, list[i].row, a);
            along[a] += share * (p[a] - od_signed_log_back(other) / by[a]);
        }
    }
}

static double attribute(const od_detector *c, const float *x, void *scratch, double times, double *part)
{
    int64_t found, d = c->d, q = c->count[COUNT_Q], width = width_of(c);
    od_detector rows = kept_rows(c), axes = axes_of(c);
    room r = divide_room(c, scratch);
    double *apart = r.z + d, *amount = apart + d, *along = amount + width; /* room for 64 rows, one is used */
    bool one_unit = has_one_unit(c);
    look(c, &axes, x, 1, c->part[PART_TIMES].at.d, &r);
    const od_neighbor *list = od_neighbors_find(&rows, r.seen, 1, r.search, &found);
    memset(apart, 0, (size_t)(d + width + q) * sizeof *apart);
    compare(c, r.seen, r.p, list, found, times, amount, apart, along);
    for (int64_t j = 0; j < d && one_unit; j++)
        apart[j] = od_dot(along, axes.part[OD_PCA_SPACE_AXES].at.d + j * q, q);
    for (int64_t j = 0; j < d && !one_unit; j++) part[j] += amount[j];
    const double *of_axes = one_unit ? amount : amount + d;
    blame_axes(&axes, apart, of_axes, along + q, along + 2 * q, part);
    blame_rest(&axes, r.z, r.p, r.rest[0], of_axes[q], part);
    return od_neighbors_mean(list, found, c->count[OD_NEIGHBORS_K]);
}

/* Whether kept row i is x, by their places on the axes. */
static bool is_same_place(const od_detector *c, const od_detector *rows, const od_detector *axes, int64_t i,
                          const float *x)
{
    int64_t d = c->d, q = c->count[COUNT_Q];
    const double *a = axes->part[OD_PCA_SPACE_AXES].at.d, *centre = axes->part[OD_PCA_SPACE_CENTRE].at.d;
    for (int64_t k = 0; k < q; k++) {
        double p = 0.0, there = (double)od_neighbors_value(rows, i, k);
        for (int64_t j = 0; j < d; j++) p += ((double)x[j] - centre[j]) * a[j * q + k];
        double here = od_signed_log(p * c->part[PART_TIMES].at.d[k]);
        if (fabs(here - there) > 1e-6 * (1.0 + fabs(there))) return false;
    }
    return true;
}

/* Rows by their features alone: the other values follow from them. */
static int64_t count_rows(const od_detector *c, const float *x, bool *is_one)
{
    od_detector rows = kept_rows(c);
    const double *times = c->part[PART_TIMES].at.d;
    int64_t count = rows.count[OD_NEIGHBORS_DISTINCT];
    *is_one = false;
    od_detector axes = axes_of(c);
    for (int64_t i = 0; has_one_unit(c) && i < count && !*is_one; i++)
        *is_one = is_same_place(c, &rows, &axes, i, x);
    for (int64_t i = 0; !has_one_unit(c) && i < count && !*is_one; i++) {
        int64_t j = 0;
        while (j < c->d && od_neighbors_value(&rows, i, j) == (float)((double)x[j] * times[j])) j++;
        *is_one = j == c->d;
    }
    return count;
}

static odim_status check(const od_detector *c, odim_error *err)
{
    if (c->count[COUNT_Q] < 1 || c->count[COUNT_Q] > c->d || c->d > INT32_MAX / 4)
        return od_fail(err, ODIM_ERR_FORMAT, "out of range: number of axes");
    int64_t width = has_one_unit(c) ? width_of(c) : c->d + c->count[COUNT_Q] + 1;
    if (!od_detector_has(c, PART_TIMES, OD_ARRAY_DOUBLE, width))
        return od_fail(err, ODIM_ERR_FORMAT, "not a factor for each value");
    od_detector rows = kept_rows(c), axes = axes_of(c);
    odim_status status = od_pca_space_check(&axes, err);
    if (!status) status = od_neighbors_check(&rows, err);
    for (int64_t j = 0; !status && j < width_of(c); j++)
        if (!(c->part[PART_TIMES].at.d[j] >= 0.0))
            status = od_fail(err, ODIM_ERR_FORMAT, "out of range: a factor");
    return status;
}

const od_detector_kind od_trusted_knn = {
    .method = OD_METHOD_TRUSTED_KNN,
    .name = "trusted-knn",
    .fit = fit,
    .scratch = scratch,
    .score = score,
    .attribute = attribute,
    .keeps = "up to 2048 training rows",
    .rows = count_rows,
    .check = check,
};
