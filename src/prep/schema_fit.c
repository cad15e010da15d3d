/* Makes a schema from the statistics of all rows and from training rows. */
#include "prep/schema_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/isotime.h"
#include "base/parallel.h"
#include "base/poll.h"
#include "common/sort.h"
#include "common/mem.h"
#include "prep/checks_fit.h"
#include "prep/row_sample.h"

#define COLUMNS_AT_ONCE 16
#define QUANTILE_ROWS   4096 /* training rows for medians and other quantiles */

/* Missing cells get a feature if there are at least so many of them, and one in so many rows. */
#define INDICATOR_CELLS 10
#define INDICATOR_SHARE 100
/* Texts are not a category if nine in ten differ and there are more than a few. */
#define TEXT_LEVELS 20
/* The training rows, and room for some values of them. */
typedef struct maker {
    od_schema *s;
    const odim_table *t;
    const od_row_set *rows;
    int64_t count; /* of the rows; 0 if nothing may come from them */
    bool is_public;
    double *value; /* (threads, 2, QUANTILE_ROWS) */
} maker;

/* Of row number i out of n that are chosen evenly. */
static double cell(const maker *m, int64_t i, int64_t n, int64_t col)
{
    return od_table_cell(m->t, od_row_set_even(m->rows, i, n), col);
}

/* ---- numbers and times ---------------------------------------------------------------------------- */

/* Median and usual bounds. A column whose chosen rows are all missing keeps its bounds. value (QUANTILE_ROWS)
 * and room (QUANTILE_ROWS). */
static void describe_values(const maker *m, int64_t j, od_schema_col *c, double *value, double *room)
{
    int64_t take = m->count < QUANTILE_ROWS ? m->count : QUANTILE_ROWS, n = 0;
    od_row_set_gather(m->rows, m->t, take, j, value);
    for (int64_t i = 0; i < take; i++)
        if (!isnan(value[i])) value[n++] = value[i];
    c->fill = c->usual_low = c->low;
    c->usual_high = c->high;
    if (m->is_public) c->fill = 0.5 * c->low + 0.5 * c->high;
    if (n == 0) return;
    od_sort_double_with(value, n, room);
    c->fill = value[(n - 1) / 2];
    c->usual_low = value[n / 100];
    c->usual_high = value[n - 1 - n / 100];
}

/* Columns side by side share the lines of the cache that their cells are in. */
static odim_status describe_some_values(void *ctx, od_parallel *par, int worker, int64_t job, odim_error *err)
{
    const maker *m = ctx;
    double *value = m->value + (int64_t)worker * 2 * QUANTILE_ROWS;
    int64_t end = (job + 1) * COLUMNS_AT_ONCE < m->s->cols ? (job + 1) * COLUMNS_AT_ONCE : m->s->cols;
    for (int64_t j = job * COLUMNS_AT_ONCE; j < end; j++) {
        od_schema_col *c = &m->s->col[j];
        if (od_parallel_stopped(par)) return od_fail(err, ODIM_ERR_CANCELLED, "cancelled");
        if (!c->ignored && c->type != ODIM_CATEGORICAL)
            describe_values(m, j, c, value, value + QUANTILE_ROWS);
    }
    return ODIM_OK;
}

static odim_status describe_all_values(maker *m, int64_t threads, odim_error *err)
{
    int64_t jobs = (m->s->cols + COLUMNS_AT_ONCE - 1) / COLUMNS_AT_ONCE;
    double rows = m->count < QUANTILE_ROWS ? (double)m->count : QUANTILE_ROWS;
    int some = od_parallel_worth(threads < jobs ? threads : jobs, rows * (double)m->s->cols);
    m->value = od_alloc(some ? (size_t)some : 1, 2 * QUANTILE_ROWS * sizeof *m->value);
    if (!m->value) return od_fail_nomem(err);
    odim_status status = od_parallel_run(some, jobs, describe_some_values, od_poll_tick, m, err);
    od_free(m->value);
    return status;
}

static unsigned find_cycles(const od_column_stats_col *v)
{
    double days = (v->high - v->low) / OD_DAY;
    unsigned cycles = 0;
    if (days >= 2 && v->clock_high > v->clock_low) cycles |= OD_CYCLE_DAY;
    if (days >= 14) cycles |= OD_CYCLE_WEEK;
    if (days >= 730) cycles |= OD_CYCLE_YEAR;
    return cycles;
}

/* Mean and standard deviation, in two passes on values brought to [0, 1] first: neither a large offset nor a
 * very wide or narrow column costs digits. */
static void find_standard(const maker *m, int64_t j, double *shift, double *width)
{
    double sum[2] = {0.0, 0.0}, mean = 0.0;
    int64_t n = 0;
    for (int pass = 0; pass < 2; pass++) {
        n = 0;
        for (int64_t i = 0; i < m->count; i++) {
            double u = (cell(m, i, m->count, j) - *shift) / *width;
            if (isnan(u)) continue;
            sum[pass] += pass ? (u - mean) * (u - mean) : u;
            n++;
        }
        if (n == 0) return;
        if (pass == 0) mean = sum[0] / (double)n;
    }
    *shift += *width * mean;
    *width *= sqrt(sum[1] / (double)n);
}

static odim_status find_scale(const maker *m, int64_t j, od_scaling kind, odim_error *err)
{
    const od_schema_col *c = &m->s->col[j];
    double *shift = &m->s->shift[c->first], *width = &m->s->width[c->first];
    if (c->type == ODIM_BOOLEAN || (kind == OD_SCALE_NONE && c->type == ODIM_NUMERIC)) return ODIM_OK;
    const od_limits *l = m->s->checks.cols ? &m->s->checks.col[j].limits : NULL;
    bool robust = kind == OD_SCALE_ROBUST && l;
    *shift = robust ? l->least : c->low;
    *width = robust ? l->most - l->least : c->high - c->low;
    if (kind == OD_SCALE_STANDARD && *width > 0.0) find_standard(m, j, shift, width);
    if (isfinite(*width) && isfinite(*shift)) return ODIM_OK;
    char name[64];
    return od_fail_at(err, ODIM_ERR_DATA, 0, j + 1,
                      "column '%s': its values lie further apart than a double can hold",
                      od_schema_show(c, name, sizeof name));
}

/* ---- categories ----------------------------------------------------------------------------------- */

/* Those that rows brought are not public. */
static int64_t count_levels(const od_column *col, const od_column_stats *stats)
{
    return stats->is_public ? col->known : od_levels_count(&col->levels);
}

typedef struct level {
    const char *text;
    int64_t count;
    int64_t at; /* in the order of bytes */
} level;

static int by_text(const void *a, const void *b)
{
    return strcmp(((const level *)a)->text, ((const level *)b)->text);
}

static int by_count(const void *a, const void *b)
{
    const level *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count ? 1 : -1) : (x->at > y->at) - (x->at < y->at);
}

static bool is_frequent(int64_t count, int64_t rows)
{
    return count >= 2 && count >= rows / OD_SCHEMA_LEVEL_SHARE + (rows % OD_SCHEMA_LEVEL_SHARE != 0);
}

/* The frequent levels get their features in the order of bytes. */
static void choose_levels(od_schema_col *c, level *list, int64_t n, const od_column_stats *stats)
{
    int64_t own = 0;
    qsort(list, (size_t)n, sizeof *list, by_count);
    c->fill = n ? (double)list[0].at : 0.0;
    while (own < n && own < OD_SCHEMA_LEVELS &&
           (stats->is_public || is_frequent(list[own].count, stats->rows)))
        own++;
    for (int64_t i = 0; i < n; i++) c->level_feature[list[i].at] = i < own ? 0 : -1;
    c->own_levels = own;
    for (int64_t i = 0, at = 0; i < n; i++)
        if (c->level_feature[i] == 0) c->level_feature[i] = at++;
}

static odim_status describe_levels(od_schema_col *c, const od_column *col, const od_column_stats *stats,
                                   const od_column_stats_col *v, int64_t least, odim_error *err)
{
    int64_t all = count_levels(col, stats), n = 0;
    odim_status status = ODIM_OK;
    level *list = od_alloc((size_t)all, sizeof *list);
    for (int64_t i = 0; list && i < all; i++)
        if (stats->is_public || v->level_count[i] >= least)
            list[n++] = (level){od_strlist_at(&col->levels.texts, (size_t)i), v->level_count[i], 0};
    c->level_count = od_alloc((size_t)n, sizeof *c->level_count);
    c->level_feature = od_alloc((size_t)n, sizeof *c->level_feature);
    if (!list || !c->level_count || !c->level_feature) status = od_fail_nomem(err);
    if (!status) qsort(list, (size_t)n, sizeof *list, by_text);
    for (int64_t i = 0; !status && i < n; i++) {
        uint32_t code;
        list[i].at = i;
        c->level_count[i] = list[i].count;
        status = od_levels_code(&c->levels, list[i].text, strlen(list[i].text), &code, err);
    }
    if (!status) choose_levels(c, list, n, stats);
    od_free(list);
    return status;
}

static void forget_levels(od_schema_col *c)
{
    od_levels_free(&c->levels);
    c->own_levels = 0;
    c->fill = NAN;
}

/*
 * How large a 0/1 feature is when it is 1, for something that a share p of the rows has. The networks measure
 * distances: the cost of a feature that is off by v grows with v^2. What is to be expected of something with
 * probability p is the cost -log p. So v is made to grow with its root, and a level, or a gap, costs what it
 * is worth: little when it is common, much when it is rare, whatever the number of levels.
 */
#define SURPRISE 0.2
/* A gap is a lesser surprise than a rare value: something is not known, nothing is wrong. */
#define GAP 0.5

static double surprise(double p)
{
    return SURPRISE * sqrt(-log(p < 0.9 ? p : 0.9));
}

static void scale_level(od_schema *s, int64_t feature, int64_t count, double weight)
{
    double rows = (double)s->rows, p = count > 0 ? (double)count / rows : 0.5 / rows;
    s->width[feature] = 1.0 / (weight * surprise(p));
}

/* No level was counted: they are equally likely, and any other is as if it had never been seen. */
static void scale_public_levels(od_schema *s, const od_schema_col *c)
{
    for (int64_t k = 0; k < c->own_levels; k++)
        s->width[c->first + k] = 1.0 / surprise(1.0 / (double)c->own_levels);
    scale_level(s, c->first + c->own_levels, 0, 1);
}

static void scale_levels(od_schema *s, const od_schema_col *c)
{
    int64_t rare = s->rows - c->missing;
    for (int64_t i = 0; i < od_levels_count(&c->levels); i++) {
        if (c->level_feature[i] < 0) continue;
        scale_level(s, c->first + c->level_feature[i], c->level_count[i], 1);
        rare -= c->level_count[i];
    }
    scale_level(s, c->first + c->own_levels, rare, 1);
}

/* ---- one column ----------------------------------------------------------------------------------- */

static od_ignored judge(const od_schema_col *c, const od_column *col, const od_column_stats *stats)
{
    int64_t present = stats->rows - c->missing, levels = od_levels_count(&col->levels);
    bool category = c->type == ODIM_CATEGORICAL;
    if (stats->is_public) return OD_USED;
    if (present == 0) return OD_IGNORED_EMPTY;
    if (category && !col->forced &&
        (col->levels.overflow || (levels > TEXT_LEVELS && levels * 10 >= present * 9)))
        return OD_IGNORED_TEXT;
    if (!c->indicator && (category ? levels == 1 && !col->levels.overflow : c->low == c->high))
        return OD_IGNORED_CONSTANT;
    return OD_USED;
}

static odim_status describe(const maker *m, const od_column_stats *stats, int64_t j, odim_error *err)
{
    od_schema_col *c = &m->s->col[j];
    const od_column *col = &m->t->col[j];
    const od_column_stats_col *v = &stats->col[j];
    c->format = col->format;
    c->name = od_strndup(col->name, strlen(col->name));
    if (!c->name) return od_fail_nomem(err);
    c->type = col->type;
    c->missing = v->missing;
    c->indicator = v->missing >= INDICATOR_CELLS && v->missing * INDICATOR_SHARE >= stats->rows &&
                   !od_schema_is_further(c);
    bool any = v->low <= v->high && c->type != ODIM_CATEGORICAL;
    c->low = any ? v->low : NAN;
    c->high = any ? v->high : NAN;
    c->fill = c->usual_low = c->usual_high = NAN;
    c->ignored = judge(c, col, stats);
    if (c->ignored) {
        c->indicator = false;
        return ODIM_OK;
    }
    if (c->type == ODIM_CATEGORICAL) {
        odim_status status = describe_levels(c, col, stats, v, m->s->least, err);
        if (!status && c->own_levels == 0) {
            c->ignored = OD_IGNORED_RARE;
            c->indicator = false;
            forget_levels(c);
        }
        return status;
    }
    /* Words are too irregular for networks: only what is extreme about a text counts, and its length. */
    c->checked = od_schema_is_further(c);
    if (c->checked) c->indicator = false;
    if (c->type == ODIM_TIME) c->cycles = find_cycles(v);
    return ODIM_OK;
}

/* ---- one unit ------------------------------------------------------------------------------------- */

#define UNIT_FEATURES 100  /* more of them may have one unit, */
#define UNIT_SHARE    0.05 /* if this share of them or more has a part in the total variance, */
#define UNIT_LIMITS   0.95
#define UNIT_NAMES    0.9 /* and this share of the names differs only in numbers */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Whether two names have numbers at the same places, and are the same otherwise. */
static bool is_alike(const char *a, const char *b)
{
    bool number = false;
    while (*a && *b) {
        if (is_digit(*a) && is_digit(*b)) {
            while (is_digit(*a)) a++;
            while (is_digit(*b)) b++;
            number = true;
        } else if (*a++ != *b++) {
            return false;
        }
    }
    return number && !*a && !*b;
}

/* Whether all columns are numbers, most of them measured and not yes or no, and nearly all called like the
 * middle one: x1, x2, ... or 400 nm, 402 nm, ... */
static bool is_numbered(const od_schema *s)
{
    const char *middle = s->col[s->cols / 2].name;
    int64_t alike = 0, coarse = 0;
    for (int64_t j = 0; j < s->cols; j++) {
        const od_schema_col *c = &s->col[j];
        if (c->features && (c->features > 1 || c->type != ODIM_NUMERIC)) return false;
        coarse += c->features && s->checks.cols && s->checks.col[j].coarse;
        alike += is_alike(c->name, middle);
    }
    return 2 * coarse < s->features && (double)alike >= UNIT_NAMES * (double)s->cols;
}

/* A value that many a column could have is not wrong by itself: limits are at least those that UNIT_LIMITS of
 * the columns have. */
static odim_status share_limits(od_schema *s, odim_error *err)
{
    int64_t n = 0;
    double *low = od_alloc((size_t)s->cols, 2 * sizeof *low), *high = low ? low + s->cols : NULL;
    if (!low) return od_fail_nomem(err);
    for (int64_t j = 0; j < s->checks.cols; j++) {
        if (!s->col[j].features) continue;
        low[n] = -s->checks.col[j].limits.low;
        high[n++] = s->checks.col[j].limits.high;
    }
    od_sort_double(low, n);
    od_sort_double(high, n);
    int64_t at = (int64_t)(UNIT_LIMITS * (double)(n - 1));
    for (int64_t j = 0; n && j < s->checks.cols; j++) {
        od_limits *l = &s->checks.col[j].limits;
        if (!s->col[j].features) continue;
        l->low = fmin(l->low, -low[at]);
        l->high = fmax(l->high, high[at]);
    }
    od_free(low);
    return ODIM_OK;
}

/*
 * Embeddings, pixels and spectra have one unit: the column that varies more says more. There one width for
 * all finds more outliers than a width for each (docs/experiments/wide.md). Nobody says that columns have
 * one unit, but such columns are many, are numbered instead of named, and no few of them make up the total
 * variance, as they would with different units.
 */
static odim_status share_unit(od_schema *s, odim_error *err)
{
    double sum = 0.0, square = 0.0;
    if (s->features <= UNIT_FEATURES || !is_numbered(s)) return ODIM_OK;
    for (int64_t f = 0; f < s->features; f++) {
        double v = s->width[f] * s->width[f];
        sum += v;
        square += v * v;
    }
    double parts = sum * sum / square; /* how many equal features would have that share of it */
    if (!(parts >= UNIT_SHARE * (double)s->features)) return ODIM_OK;
    for (int64_t f = 0; f < s->features; f++) s->width[f] = sqrt(sum / (double)s->features);
    s->one_unit = true;
    return share_limits(s, err);
}

odim_status od_schema_make(od_schema *s, const odim_table *t, const od_column_stats *stats,
                           const od_row_set *rows, od_scaling scaling, int64_t least, int64_t threads,
                           odim_error *err)
{
    maker m = {.s = s, .t = t, .rows = rows, .is_public = stats->is_public};
    m.count = stats->is_public ? 0 : rows->count;
    *s = (od_schema){.rows = stats->rows, .cols = t->d, .clamped = stats->is_public};
    s->least = stats->is_public ? 1 : od_schema_least(least, s->rows);
    s->col = od_calloc((size_t)t->d, sizeof *s->col);
    odim_status status = s->col ? ODIM_OK : od_fail_nomem(err);
    if (!status) status = od_file_columns_copy(&s->file, &t->file, err);
    if (!status) status = od_text_profiles_copy(&s->texts, &t->texts, err);
    for (int64_t j = 0; !status && j < t->d; j++) {
        status = describe(&m, stats, j, err);
        if (!status) status = od_poll_check(err);
    }
    if (!status) status = describe_all_values(&m, threads, err);
    if (!status) status = od_schema_finish(s, err);
    if (!status) od_schema_drop(s, s->least);
    if (!status && !stats->is_public) status = od_checks_fit(&s->checks, s, t, rows, threads, err);
    if (!status) {
        s->shift = od_calloc((size_t)s->features, sizeof *s->shift);
        s->width = od_alloc((size_t)s->features, sizeof *s->width);
        if (!s->shift || !s->width) status = od_fail_nomem(err);
    }
    for (int64_t f = 0; !status && f < s->features; f++) s->width[f] = 1.0;
    for (int64_t j = 0; !status && j < s->cols; j++) {
        const od_schema_col *c = &s->col[j];
        if (!c->features) continue;
        if (c->type == ODIM_CATEGORICAL)
            stats->is_public ? scale_public_levels(s, c) : scale_levels(s, c);
        else
            status = find_scale(&m, j, scaling, err);
        if (c->indicator) scale_level(s, c->first + c->features - 1, c->missing, GAP);
    }
    if (!status && scaling == OD_SCALE_ROBUST) {
        status = share_unit(s, err);
        if (!status) status = od_schema_clip(s, err);
    }
    if (status) od_schema_free(s);
    return status;
}
