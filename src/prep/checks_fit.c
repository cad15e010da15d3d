/*
 * Fits the checks of single cells to training rows.
 *
 * A network looks at a row as a whole, and one absurd cell among many ordinary ones can go unnoticed. So each
 * cell is checked by itself as well, against its own column:
 *
 *     numbers, times   limits that the column's own tail predicts (limits.c)
 *     categories       a level that is not kept, where all levels that are kept are frequent
 *     codes            a cell that is written unlike the others: 0213 among 02139 and 02140 (pattern.c)
 *     gaps             a missing cell where cells are hardly ever missing
 *     runs             a number that stays the same for longer than chance allows, like that of a stuck
 *                      sensor; a column that only rises, such as a time, tells which rows belong to a run,
 *                      or else the numbers of the rows, if they are named by a running number
 *     rules            arithmetic that nearly all rows obey: total = net + tax (rules_fit.c)
 *
 * checks_relate.c checks numbers against the other columns.
 */
#include "prep/checks_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/poll.h"
#include "common/sort.h"
#include "common/mem.h"
#include "common/numtext.h"
#include "prep/checks_fitter.h"
#include "prep/row_sample.h"
#include "prep/rules_fit.h"

#define COLUMNS_AT_ONCE 16
#define VALUE_CELLS     ((int64_t)1 << 24) /* of the training rows, at most, for the limits */
#define RULE_ROWS       2048               /* for the rules of arithmetic */

#define COARSE         6   /* distinct values at most */
#define LEVEL_ROWS     20  /* rows that a category needs before a new level is evidence */
#define LEVEL_SHARE    200 /* of rows with new levels: one in so many at most */
#define LEVEL_LEAST    10  /* rows of each kept level */
#define LEVEL_EVIDENCE 1.2
#define GAP_ROWS       30
#define GAP_SHARE      500
#define GAP_MANY_ROWS  200
#define GAP_EVIDENCE   0.8
#define KEY_FALLS      100   /* one row in so many may break the order of a key */
#define RUN_ROWS       50    /* rows that runs are looked for in, at least */
#define RUN_LEAST      4     /* rows of a run */
#define RUN_RATE       0.15  /* of equal neighbours elsewhere, at most */
#define RUN_ALARMS     0.001 /* such runs that would be expected by chance */

/* ---- columns ----------------------------------------------------------------------------------------- */

/* A share of the characters of a text. It is not an amount: there is no long way from a little to nothing. */
static bool is_share(const od_schema_col *c)
{
    return c->format.feature >= OD_TEXT_DIGITS && c->format.feature <= OD_TEXT_NON_ASCII;
}

/* From the quartiles of sorted values (n) if they differ; both arrays of the scratch are used. */
static od_checks_unit find_unit(const od_checks_fitter *f, const od_limits *l, int64_t n,
                                const od_checks_scratch *w)
{
    od_checks_unit u = {.known = n * 2 >= f->take};
    double *v = w->value;
    if (!u.known || n == 0) return u;
    if (l->resolution > 0.0) {
        bool rising = true;
        for (int64_t i = 0; i < n; i++) {
            w->room[i] = od_limits_scale(l, w->value[i]);
            rising &= i == 0 || w->room[i - 1] <= w->room[i];
        }
        v = w->room;
        if (!rising) od_sort_double_with(v, n, w->value); /* by the rounding of a logarithm */
    }
    u.centre = v[n / 2];
    u.unit = (v[n * 3 / 4] - v[n / 4]) / 1.349;
    if (!(u.unit > 0.0)) { /* most values are the same */
        double square = 0.0, least = v[n / 50], most = v[n - 1 - n / 50];
        for (int64_t i = 0; i < n; i++) {
            double far = (v[i] < least ? least : v[i] > most ? most : v[i]) - u.centre;
            square += far * far;
        }
        u.unit = sqrt(square / (double)n);
    }
    u.varies = u.unit > 0.0 && isfinite(u.unit);
    return u;
}

/* The limits of a number, and its unit. */
static void describe_number(const od_checks_fitter *f, int64_t j, const od_checks_scratch *w)
{
    int64_t n = 0;
    double *value = w->value;
    od_row_set_gather(f->rows, f->t, f->take, j, value);
    for (int64_t i = 0; i < f->take; i++)
        if (!isnan(value[i])) value[n++] = value[i];
    od_sort_double_with(value, n, w->room);
    int64_t distinct = n > 0;
    for (int64_t i = 1; i < n; i++) distinct += value[i] > value[i - 1];
    f->c->col[j].coarse = distinct <= COARSE && distinct * COARSE < n;
    const od_schema_col *s = &f->schema->col[j];
    od_limits l = od_limits_find(value, n, f->tests, s->type == ODIM_NUMERIC && !is_share(s), w->room);
    /* A text cannot be too common. */
    if (s->format.feature >= OD_TEXT_RARE_CHARACTERS) l.low = -INFINITY;
    f->c->col[j].limits = l;
    if (!s->format.feature) f->unit[j] = find_unit(f, &l, n, w);
}

/* Columns side by side share the lines of the cache that their cells are in. */
static odim_status describe_some(void *ctx, od_parallel *par, int worker, int64_t job, odim_error *err)
{
    const od_checks_fitter *f = ctx;
    int64_t end =
        (job + 1) * COLUMNS_AT_ONCE < f->schema->cols ? (job + 1) * COLUMNS_AT_ONCE : f->schema->cols;
    for (int64_t j = job * COLUMNS_AT_ONCE; j < end; j++) {
        if (od_parallel_stopped(par)) return od_fail(err, ODIM_ERR_CANCELLED, "cancelled");
        if (od_checks_is_number(&f->schema->col[j])) describe_number(f, j, &f->scratch[worker]);
    }
    return ODIM_OK;
}

static odim_status describe_numbers(od_checks_fitter *f, odim_error *err)
{
    int64_t jobs = (f->schema->cols + COLUMNS_AT_ONCE - 1) / COLUMNS_AT_ONCE;
    double cells = (double)f->take * (double)f->schema->cols;
    return od_parallel_run(od_parallel_worth(f->threads, cells), jobs, describe_some, od_poll_tick, f, err);
}

/* New levels are rare, and no kept level is. */
static double judge_levels(const od_schema_col *c, int64_t rows)
{
    int64_t present = rows - c->missing;
    if (present < LEVEL_ROWS || c->dropped > (present > 2 * LEVEL_SHARE ? present / LEVEL_SHARE : 2))
        return 0.0;
    for (int64_t i = 0; i < od_levels_count(&c->levels); i++)
        if (c->level_count[i] < LEVEL_LEAST && c->level_count[i] * 10 < present) return 0.0;
    return LEVEL_EVIDENCE;
}

static double judge_gaps(const od_schema_col *c, int64_t rows)
{
    if (rows < GAP_ROWS || c->missing > (rows > GAP_SHARE ? rows / GAP_SHARE : 1)) return 0.0;
    return GAP_EVIDENCE;
}

static void check_columns(od_checks_fitter *f)
{
    int64_t rows = f->schema->rows, cells = 0, gaps = 0, used = 0, gappy = 0, sources = 0;
    for (int64_t j = 0; j < f->schema->cols; j++) used += !f->schema->col[j].ignored;
    f->tests = (double)rows * (double)used;
    for (int64_t j = 0; j < f->schema->cols; j++) {
        const od_schema_col *s = &f->schema->col[j];
        od_column_check *c = &f->c->col[j];
        c->limits = c->given = od_limits_none();
        if (s->ignored) continue;
        if (!od_schema_is_further(s)) {
            cells += rows;
            gaps += s->missing;
            c->missing = judge_gaps(s, rows);
            gappy += c->missing == 0.0;
            sources++;
        }
        if (s->type == ODIM_CATEGORICAL) c->new_level = judge_levels(s, rows);
    }
    /* Gaps all over the table are no evidence, even in a column that has few. In a table with enough rows, a
     * column that may be empty says nothing about the others. */
    bool everywhere = rows < GAP_MANY_ROWS ? gaps * 200 > cells : gappy * 2 > sources;
    for (int64_t j = 0; gaps > 1 && everywhere && j < f->schema->cols; j++) f->c->col[j].missing = 0.0;
    if (used > 2 && rows >= GAP_ROWS && gaps * 10 < cells) f->c->empty = OD_CHECKS_EMPTY_EVIDENCE;
}

/* ---- codes ------------------------------------------------------------------------------------------- */

static odim_status find_patterns(const od_checks_fitter *f, odim_error *err)
{
    odim_status status = ODIM_OK;
    for (int64_t j = 0; !status && j < f->schema->cols; j++) {
        if (f->schema->col[j].ignored || f->schema->col[j].type != ODIM_CATEGORICAL) continue;
        const od_levels *levels = &f->t->col[j].levels;
        int64_t *rows = od_calloc(levels->texts.count + 1, sizeof *rows);
        for (int64_t i = 0; rows && i < f->take; i++) {
            double v = od_checks_cell(f, i, f->take, j);
            if (!isnan(v)) rows[(int64_t)v]++;
        }
        status =
            rows ? od_patterns_find(&f->c->col[j].patterns, &levels->texts, rows, err) : od_fail_nomem(err);
        od_free(rows);
    }
    return status;
}

/* ---- runs of equal values: of all rows, in their order ------------------------------------------------ */

/* Whether the names of the rows are numbers that rise: then the rows are in the order of something. */
static bool has_running_ids(const od_checks_fitter *f)
{
    const odim_table *t = f->t;
    double last = -INFINITY, value;
    if (!t->id_name || (int64_t)t->ids.count != t->n) return false;
    for (size_t i = 0; i < t->ids.count; i++) {
        const char *id = od_strlist_at(&t->ids, i);
        if (od_num_parse(id, strlen(id), &value) != OD_NUM_OK || !(value > last)) return false;
        last = value;
    }
    return true;
}

/* A column that rises from row to row, apart from a few errors: a time, a number. Where there is none, the
 * numbers of the rows, if their names are running numbers. -1: rows have no order. */
static int64_t find_key(const od_checks_fitter *f)
{
    for (int64_t j = 0; j < f->schema->cols; j++) {
        if (od_poll_stopped() || !od_checks_is_number(&f->schema->col[j])) continue;
        int64_t falls = 0, most = f->rows->count / KEY_FALLS > 2 ? f->rows->count / KEY_FALLS : 2;
        for (int64_t i = 1; falls <= most && i < f->rows->count; i++)
            falls += !(od_table_cell(f->t, i, j) > od_table_cell(f->t, i - 1, j));
        if (falls <= most) return j;
    }
    return has_running_ids(f) ? OD_RUN_ROWS : -1;
}

static double key_of(const od_checks_fitter *f, int64_t i, int64_t key)
{
    return key == OD_RUN_ROWS ? (double)od_table_row(f->t, i) : od_table_cell(f->t, i, key);
}

/*
 * The longest run of a column. How often neighbours are equal elsewhere says how likely it is. Where they
 * often are, the column is coarse or rests at times, and runs say nothing.
 */
static void find_run(const od_checks_fitter *f, int64_t j, int64_t key)
{
    int64_t equal = 0, longest = 1, end = 0, run = 1;
    for (int64_t i = 1; i < f->rows->count; i++) {
        bool same = od_table_cell(f->t, i, j) == od_table_cell(f->t, i - 1, j); /* false if one is missing */
        equal += same;
        run = same ? run + 1 : 1;
        if (run > longest) {
            longest = run;
            end = i;
        }
    }
    double rest = (double)(equal - longest + 1), pairs = (double)(f->rows->count - longest);
    double rate = fmax(rest, 1.0) / fmax(pairs, 1.0);
    double alarms = (double)f->rows->count * (double)f->schema->cols * pow(rate, (double)(longest - 1));
    if (longest < RUN_LEAST || rate > RUN_RATE || alarms > RUN_ALARMS) return;
    od_column_check *c = &f->c->col[j];
    c->run_key = key;
    c->run_value = od_table_cell(f->t, end, j);
    c->run_low = key_of(f, end - longest + 1, key);
    c->run_high = key_of(f, end, key);
    if (!(c->run_low <= c->run_high)) c->run_key = -1; /* an error in the key, of all places */
}

/* Only where the training rows are all rows, in their order. */
static void find_runs(const od_checks_fitter *f)
{
    int64_t key =
        f->rows->rows || f->rows->count != f->schema->rows || f->rows->count < RUN_ROWS ? -1 : find_key(f);
    for (int64_t j = 0; j < f->schema->cols; j++) {
        f->c->col[j].run_key = -1;
        if (od_poll_stopped()) return;
        if (key != -1 && j != key && f->schema->col[j].type == ODIM_NUMERIC && !f->schema->col[j].ignored)
            find_run(f, j, key);
    }
}

/* ---- rules of arithmetic ----------------------------------------------------------------------------- */

static odim_status find_rules(const od_checks_fitter *f, odim_error *err)
{
    od_rules_input in = {
        .n = f->take < RULE_ROWS ? f->take : RULE_ROWS, .rows = f->schema->rows, .threads = f->threads};
    for (int64_t j = 0; j < f->schema->cols && in.q < OD_RULE_COLUMNS; j++) {
        const od_schema_col *s = &f->schema->col[j];
        if (!od_checks_is_number(s) || s->format.feature) continue;
        in.is_time[in.q] = s->type == ODIM_TIME;
        in.low[in.q] = f->c->col[j].limits.low;
        in.high[in.q] = f->c->col[j].limits.high;
        in.col[in.q++] = j;
    }
    double *x = od_alloc((size_t)in.n, (size_t)(in.q + 1) * sizeof *x);
    if (!x) return od_fail_nomem(err);
    for (int k = 0; k < in.q; k++) od_row_set_gather(f->rows, f->t, in.n, in.col[k], x + k * in.n);
    in.x = x;
    odim_status status = od_rules_find(&f->c->rules, &in, err);
    od_free(x);
    return status;
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

static odim_status new_scratch(od_checks_fitter *f, odim_error *err)
{
    f->unit = od_calloc((size_t)f->schema->cols, sizeof *f->unit);
    f->scratch = od_calloc((size_t)f->threads, sizeof *f->scratch);
    if (!f->unit || !f->scratch) return od_fail_nomem(err);
    for (int64_t w = 0; w < f->threads; w++) {
        f->scratch[w].value = od_alloc((size_t)f->take, sizeof(double));
        f->scratch[w].room = od_alloc((size_t)f->take, sizeof(double));
        if (!f->scratch[w].value || !f->scratch[w].room) return od_fail_nomem(err);
    }
    return ODIM_OK;
}

static void free_scratch(od_checks_fitter *f)
{
    for (int64_t w = 0; f->scratch && w < f->threads; w++) {
        od_free(f->scratch[w].value);
        od_free(f->scratch[w].room);
    }
    od_free(f->scratch);
    od_free(f->unit);
}

/* A table with little work has one thread, and scratch for one. */
static int64_t limit_threads(int64_t threads, int64_t take, const od_schema *s)
{
    int64_t jobs = take > s->cols ? take : s->cols;
    if (threads > jobs) threads = jobs;
    return od_parallel_worth(threads, (double)take * (double)s->cols) ? threads : 1;
}

odim_status od_checks_fit(od_checks *c, const od_schema *schema, const odim_table *table,
                          const od_row_set *rows, int64_t threads, odim_error *err)
{
    int64_t most =
        VALUE_CELLS / schema->cols > OD_RELATED_ROWS ? VALUE_CELLS / schema->cols : OD_RELATED_ROWS;
    od_encoder encoder;
    od_checks_fitter f = {.c = c, .schema = schema, .t = table, .rows = rows, .encoder = &encoder};
    f.take = rows->count < most ? rows->count : most;
    f.threads = limit_threads(threads, f.take, schema);
    *c = (od_checks){.cols = schema->cols};
    c->col = od_calloc((size_t)schema->cols, sizeof *c->col);
    c->relation = od_alloc(OD_CHECKS_RELATED, sizeof *c->relation);
    c->level = od_alloc(OD_CHECKS_RELATED, sizeof *c->level);
    odim_status status = c->col && c->relation && c->level ? new_scratch(&f, err) : od_fail_nomem(err);
    if (!status) status = od_encoder_new(&encoder, schema, table, err);
    const bool encodes = !status;
    if (!status) {
        check_columns(&f);
        status = describe_numbers(&f, err);
    }
    if (!status) {
        find_runs(&f);
        status = od_poll_check(err); /* it returns early once the fit is to end */
    }
    if (!status) status = find_patterns(&f, err);
    if (!status) status = find_rules(&f, err);
    if (!status) status = od_checks_relate(&f, f.take < OD_RELATED_ROWS ? f.take : OD_RELATED_ROWS, err);
    if (encodes) od_encoder_free(&encoder);
    free_scratch(&f);
    if (status) od_checks_free(c);
    return status;
}
