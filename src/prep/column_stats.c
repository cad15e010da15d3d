/* Collects column statistics block by block, and merges them. */
#include "prep/column_stats.h"

#include <math.h>

#include "base/isotime.h"
#include "common/mem.h"
#include "base/poll.h"

#define POLL_ROWS       64 /* between two looks whether to go on */
#define COLUMNS_AT_ONCE 64

odim_status od_column_stats_new(od_column_stats *s, int64_t cols, odim_error *err)
{
    *s = (od_column_stats){.cols = cols, .col = od_calloc((size_t)cols, sizeof *s->col)};
    if (!s->col) return od_fail_nomem(err);
    for (int64_t j = 0; j < cols; j++) {
        s->col[j].low = s->col[j].clock_low = INFINITY;
        s->col[j].high = s->col[j].clock_high = -INFINITY;
    }
    return ODIM_OK;
}

/* Room for so many codes. */
static odim_status widen(od_column_stats_col *s, int64_t need, odim_error *err)
{
    if (need <= s->levels) return ODIM_OK;
    int64_t *count = od_grow(s->level_count, (size_t)s->levels, (size_t)need, sizeof *count);
    if (!count) return od_fail_nomem(err);
    for (int64_t i = s->levels; i < need; i++) count[i] = 0;
    s->level_count = count;
    s->levels = need;
    return ODIM_OK;
}

static void count_levels(od_column_stats_col *s, const odim_table *t, int64_t col)
{
    for (int64_t i = 0; i < t->n; i++) {
        double v = od_table_cell(t, i, col);
        if (!isnan(v)) s->level_count[(int64_t)v]++;
    }
}

static void see_clock(od_column_stats_col *s, double time)
{
    double clock = time - floor(time / OD_DAY) * OD_DAY;
    if (clock < s->clock_low) s->clock_low = clock;
    if (clock > s->clock_high) s->clock_high = clock;
}

static void find_clock(od_column_stats_col *s, const odim_table *t, int64_t col)
{
    for (int64_t i = 0; i < t->n; i++) see_clock(s, od_table_cell(t, i, col));
}

/* Of one row; a comparison with NaN is false. */
#define SEE_CELLS(type)                                                                                      \
    const type *row = (const type *)t->cells + i * t->stride + first;                                        \
    for (int64_t j = 0; j < count; j++) {                                                                    \
        double v = (double)row[j];                                                                           \
        low[j] = v < low[j] ? v : low[j];                                                                    \
        high[j] = v > high[j] ? v : high[j];                                                                 \
        missing[j] += v != v;                                                                                \
    }

/* Rows r0..r1-1 of `count` columns, as the cells lie. */
static void see_rows(od_column_stats *s, const odim_table *t, int64_t r0, int64_t r1, int64_t first,
                     int64_t count)
{
    double low[COLUMNS_AT_ONCE], high[COLUMNS_AT_ONCE];
    int64_t missing[COLUMNS_AT_ONCE] = {0};
    od_column_stats_col *c = s->col + first;
    for (int64_t j = 0; j < count; j++) {
        low[j] = c[j].low;
        high[j] = c[j].high;
    }
    for (int64_t i = r0; i < r1; i++) {
        if (t->is_f64) {
            SEE_CELLS(double)
        } else {
            SEE_CELLS(float)
        }
    }
    for (int64_t j = 0; j < count; j++) {
        c[j].low = low[j];
        c[j].high = high[j];
        c[j].missing += missing[j];
    }
}

odim_status od_column_stats_add(od_column_stats *s, const odim_table *t, odim_error *err)
{
    for (int64_t i = 0; i < t->n; i += POLL_ROWS) {
        int64_t end = t->n - i < POLL_ROWS ? t->n : i + POLL_ROWS;
        for (int64_t j = 0; j < s->cols; j += COLUMNS_AT_ONCE)
            see_rows(s, t, i, end, j, s->cols - j < COLUMNS_AT_ONCE ? s->cols - j : COLUMNS_AT_ONCE);
        odim_status status = od_poll_check(err);
        if (status) return status;
    }
    for (int64_t j = 0; j < s->cols; j++) {
        odim_status status = od_poll_check(err);
        if (status) return status;
        if (t->col[j].type == ODIM_TIME) find_clock(&s->col[j], t, j);
        if (t->col[j].type != ODIM_CATEGORICAL) continue;
        /* The code of too many levels included. */
        const od_levels *l = &t->col[j].levels;
        status = widen(&s->col[j], od_levels_count(l) + l->overflow, err);
        if (status) return status;
        count_levels(&s->col[j], t, j);
    }
    for (int64_t i = 0; t->known && i < t->n; i++)
        if (t->known[i] >= 0) s->known[t->known[i]]++;
    s->rows += t->n;
    return ODIM_OK;
}

/* The bounds of codes are those of the codes that occur. */
static void bound_codes(od_column_stats_col *c)
{
    c->low = INFINITY;
    c->high = -INFINITY;
    for (int64_t i = 0; i < c->levels; i++) {
        if (!c->level_count[i]) continue;
        if (c->low > c->high) c->low = (double)i;
        c->high = (double)i;
    }
}

static odim_status merge_levels(od_column_stats_col *c, const od_column_stats_col *other,
                                const uint32_t *code, odim_error *err)
{
    int64_t need = code ? 0 : other->levels;
    for (int64_t i = 0; code && i < other->levels; i++)
        if (code[i] >= need) need = (int64_t)code[i] + 1;
    odim_status status = widen(c, need, err);
    for (int64_t i = 0; !status && i < other->levels; i++)
        c->level_count[code ? code[i] : i] += other->level_count[i];
    if (!status) bound_codes(c);
    return status;
}

odim_status od_column_stats_merge(od_column_stats *s, const od_column_stats *other,
                                  const uint32_t *const *code, odim_error *err)
{
    for (int64_t j = 0; j < s->cols; j++) {
        od_column_stats_col *c = &s->col[j];
        const od_column_stats_col *o = &other->col[j];
        c->missing += o->missing;
        c->low = fmin(c->low, o->low);
        c->high = fmax(c->high, o->high);
        c->clock_low = fmin(c->clock_low, o->clock_low);
        c->clock_high = fmax(c->clock_high, o->clock_high);
        if (!c->levels && !o->levels) continue;
        odim_status status = merge_levels(c, o, code ? code[j] : NULL, err);
        if (status) return status;
    }
    s->known[0] += other->known[0];
    s->known[1] += other->known[1];
    s->rows += other->rows;
    return ODIM_OK;
}

odim_status od_column_stats_add_public(od_column_stats *s, const odim_table *t, odim_error *err)
{
    s->is_public = true;
    s->rows += t->n;
    for (int64_t j = 0; j < s->cols; j++) {
        const od_column *col = &t->col[j];
        od_column_stats_col *c = &s->col[j];
        if (col->type == ODIM_BOOLEAN) {
            c->low = 0;
            c->high = 1;
        } else if (col->type == ODIM_CATEGORICAL) {
            odim_status status = widen(c, col->known, err);
            if (status) return status;
        } else if (col->bounded) {
            c->low = col->low;
            c->high = col->high;
            if (col->type != ODIM_TIME) continue;
            see_clock(c, c->low);
            see_clock(c, c->high);
        }
    }
    return ODIM_OK;
}

void od_column_stats_free(od_column_stats *s)
{
    for (int64_t j = 0; s->col && j < s->cols; j++) od_free(s->col[j].level_count);
    od_free(s->col);
    *s = (od_column_stats){0};
}
