/* Collects what a fit takes from rows, and merges it. */
#include "fit/partial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "base/poll.h"

#define POLL_ROWS  64
#define MOST_ROWS  (INT64_C(1) << 60)
#define FIRST_SEEN 64

void od_partial_init(odim_partial *p, uint64_t seed)
{
    *p = (odim_partial){.seed = seed};
}

void od_partial_clear(odim_partial *p)
{
    int64_t cols = p->head ? p->head->d : 0;
    for (int64_t j = 0; p->seen && j < cols; j++) od_free(p->seen[j]);
    od_free(p->seen);
    od_free(p->seen_cap);
    od_free(p->range);
    od_column_stats_free(&p->stats);
    od_row_sample_free(&p->sample);
    odim_table_free(p->head);
    *p = (odim_partial){.seed = p->seed};
}

/* ---- columns ------------------------------------------------------------------------------------------ */

static odim_status copy_columns(odim_table *to, const odim_table *from, odim_error *err)
{
    odim_status status = od_table_set_cols(to, from->d, err);
    for (int64_t j = 0; !status && j < from->d; j++) {
        const od_column *c = &from->col[j];
        to->col[j] =
            (od_column){.type = c->type, .format = c->format, .doubt = c->doubt, .forced = c->forced};
        to->col[j].name = od_strndup(c->name, strlen(c->name));
        if (!to->col[j].name) status = od_fail_nomem(err);
    }
    if (!status) status = od_file_columns_copy(&to->file, &from->file, err);
    if (!status) status = od_text_profiles_copy(&to->texts, &from->texts, err);
    to->is_f64 = true;
    return status;
}

odim_status od_partial_begin(odim_partial *p, const odim_table *columns, bool known, odim_error *err)
{
    if (!(p->head = od_table_new())) return od_fail_nomem(err);
    odim_status status = copy_columns(p->head, columns, err);
    int64_t cols = columns->d;
    p->known = known;
    if (!status) status = od_column_stats_new(&p->stats, cols, err);
    if (!status) status = od_row_sample_new(&p->sample, cols, known, p->seed, err);
    if (status) return status;
    p->seen = od_calloc((size_t)cols, sizeof *p->seen);
    p->seen_cap = od_calloc((size_t)cols, sizeof *p->seen_cap);
    return p->seen && p->seen_cap ? ODIM_OK : od_fail_nomem(err);
}

static bool same_format(const od_cell_format *a, const od_cell_format *b)
{
    return a->notations == b->notations && a->order == b->order && a->feature == b->feature &&
           a->text == b->text && strcmp(a->unit, b->unit) == 0;
}

static bool same_texts(const od_text_profiles *a, const od_text_profiles *b)
{
    if (a->count != b->count) return false;
    return a->count == 0 || memcmp(a->list, b->list, a->count * sizeof *a->list) == 0;
}

/* Whether rows of both tables can be in one: `columns` has the rows that are added. */
static odim_status check_columns(const odim_partial *p, const odim_table *columns, bool known,
                                 odim_error *err)
{
    const odim_table *head = p->head;
    char name[64], other[64];
    if (head->d != columns->d)
        return od_fail(err, ODIM_ERR_DATA, "%lld columns, but the rows so far have %lld",
                       (long long)columns->d, (long long)head->d);
    for (int64_t j = 0; j < head->d; j++) {
        const od_column *a = &head->col[j], *b = &columns->col[j];
        if (strcmp(a->name, b->name) != 0)
            return od_fail_at(err, ODIM_ERR_DATA, 0, j + 1,
                              "column %lld is '%s', but in the rows so far '%s'", (long long)(j + 1),
                              od_table_show(columns, j, name, sizeof name),
                              od_table_show(head, j, other, sizeof other));
        if (a->type != b->type || !same_format(&a->format, &b->format))
            return od_fail_at(
                err, ODIM_ERR_DATA, 0, j + 1,
                "column '%s' is %s here and %s in the rows so far, or its cells have another format: "
                "give the type of the column, or find it from all parts with odim_scan",
                od_table_show(columns, j, name, sizeof name), odim_type_text(b->type),
                odim_type_text(a->type));
    }
    if (!same_texts(&head->texts, &columns->texts))
        return od_fail(err, ODIM_ERR_DATA,
                       "a column of free text is described by the cells of all parts, which odim_scan finds: "
                       "scan them first");
    if (p->known != known)
        return od_fail(err, ODIM_ERR_DATA,
                       "some parts have known outliers (odim_table_set_known), and others not");
    return ODIM_OK;
}

/* ---- rows that were seen ------------------------------------------------------------------------------ */

odim_status od_partial_add_range(odim_partial *p, int64_t first, int64_t end, odim_error *err)
{
    size_t at = 0;
    if (first < 0 || end < first || end > MOST_ROWS)
        return od_fail(err, ODIM_ERR_PARAM, "rows from number %lld on: out of range", (long long)first);
    if (first == end) return ODIM_OK;
    while (at < p->ranges && p->range[at].end < first) at++;
    od_row_range *r = p->range + at;
    /* Ranges that touch become one. */
    if (at < p->ranges && r->end == first) {
        bool last = at + 1 == p->ranges;
        if (last || end <= r[1].first) {
            r->end = end;
            if (last || end < r[1].first) return ODIM_OK;
            r->end = r[1].end;
            memmove(r + 1, r + 2, (p->ranges-- - at - 2) * sizeof *r);
            return ODIM_OK;
        }
    } else if (at == p->ranges || end < r->first) {
        if (p->ranges == p->range_cap) {
            size_t cap = p->range_cap ? 2 * p->range_cap : 16;
            od_row_range *grown = od_grow(p->range, p->ranges, cap, sizeof *grown);
            if (!grown) return od_fail_nomem(err);
            p->range = grown;
            p->range_cap = cap;
        }
        memmove(p->range + at + 1, p->range + at, (p->ranges++ - at) * sizeof *p->range);
        p->range[at] = (od_row_range){first, end};
        return ODIM_OK;
    } else if (end == r->first) {
        r->first = first;
        return ODIM_OK;
    }
    return od_fail(err, ODIM_ERR_DATA, "rows %lld to %lld: some of them were added before",
                   (long long)(first + 1), (long long)end);
}

odim_status od_partial_see(odim_partial *p, int64_t col, int64_t code, int64_t row, odim_error *err)
{
    if (code >= p->seen_cap[col]) {
        int64_t cap = p->seen_cap[col] ? p->seen_cap[col] : FIRST_SEEN;
        while (cap <= code) cap *= 2;
        int64_t *grown = od_grow(p->seen[col], (size_t)p->seen_cap[col], (size_t)cap, sizeof *grown);
        if (!grown) return od_fail_nomem(err);
        for (int64_t i = p->seen_cap[col]; i < cap; i++) grown[i] = INT64_MAX;
        p->seen[col] = grown;
        p->seen_cap[col] = cap;
    }
    if (row < p->seen[col][code]) p->seen[col][code] = row;
    return ODIM_OK;
}

/* ---- levels ------------------------------------------------------------------------------------------- */

static void free_codes(uint32_t **code, int64_t cols)
{
    for (int64_t j = 0; code && j < cols; j++) od_free(code[j]);
    od_free(code);
}

static odim_status fail_levels(const odim_partial *p, int64_t col, odim_error *err)
{
    char name[64];
    return od_fail_at(
        err, ODIM_ERR_DATA, 0, col + 1,
        "column '%s' has more than %d levels, and which are kept depends on the part: scan all parts "
        "first, or leave it out",
        od_table_show(p->head, col, name, sizeof name), OD_LEVELS_MOST);
}

/* More levels than can be kept, in a column that the caller has made a category: the model counts those that
 * are. All parts must have the same ones, which a scan has found. */
static odim_status keep_levels(odim_partial *p, int64_t col, const od_levels *levels, uint32_t *code,
                               odim_error *err)
{
    od_column *c = &p->head->col[col];
    size_t n = (size_t)od_levels_count(levels);
    odim_status status = ODIM_OK;
    if (p->stats.rows == 0) status = od_levels_copy(&c->levels, levels, err);
    if (!status && !od_levels_equal(&c->levels, levels)) return fail_levels(p, col, err);
    for (size_t i = 0; i <= n; i++) code[i] = (uint32_t)i;
    return status;
}

/* Rows that are kept have no level there any more. */
static void forget_codes(od_kept_rows *r, int64_t d, int64_t col)
{
    for (int64_t i = 0; i < r->sample.count; i++) {
        double *cell = &r->cells[r->sample.heap[i].slot * d + col];
        if (!isnan(*cell)) *cell = 0.0;
    }
}

/* The same in a column that is a category by itself: the model ignores it, so nothing else has to be known.
 */
static odim_status drop_levels(odim_partial *p, int64_t col, odim_error *err)
{
    od_column *c = &p->head->col[col];
    if (c->forced) return fail_levels(p, col, err);
    if (c->levels.overflow && !od_levels_count(&c->levels)) return ODIM_OK; /* done before */
    forget_codes(&p->sample.all, p->head->d, col);
    forget_codes(&p->sample.outliers, p->head->d, col);
    od_levels_free(&c->levels);
    c->levels.overflow = true;
    od_free(p->stats.col[col].level_count);
    p->stats.col[col].level_count = NULL;
    p->stats.col[col].levels = 0;
    od_free(p->seen[col]);
    p->seen[col] = NULL;
    p->seen_cap[col] = 0;
    return ODIM_OK;
}

/* Adds the levels of a column of a block. Only those count that its rows have, since blocks of a file share
 * their levels. code (levels + 1) becomes the code here of each: 0 if there are too many. Returns in *any
 * whether there are any. */
static odim_status take_levels(odim_partial *p, const odim_table *block, int64_t col, uint32_t *code,
                               bool *any, odim_error *err)
{
    const od_levels *levels = &block->col[col].levels;
    od_levels *own = &p->head->col[col].levels;
    size_t n = (size_t)od_levels_count(levels);
    bool *used = od_calloc(n + 1, sizeof *used);
    if (!used) return od_fail_nomem(err);
    for (int64_t i = 0; i < block->n; i++) {
        double v = od_table_cell(block, i, col);
        if (!isnan(v)) used[(size_t)v] = true;
    }
    odim_status status = ODIM_OK;
    bool overflow = own->overflow || used[n];
    if (block->col[col].forced && levels->overflow) {
        od_free(used);
        *any = true;
        return keep_levels(p, col, levels, code, err);
    }
    memset(code, 0, (n + 1) * sizeof *code);
    *any = false;
    for (size_t i = 0; !status && !overflow && i < n; i++) {
        const char *text = od_strlist_at(&levels->texts, i);
        if (used[i]) status = od_levels_code(own, text, strlen(text), &code[i], err);
        *any |= used[i];
        overflow = own->overflow;
    }
    od_free(used);
    if (status || !overflow) return status;
    memset(code, 0, (n + 1) * sizeof *code);
    *any = false;
    return drop_levels(p, col, err);
}

/* The codes and the statistics of a block, in terms of its own codes. */
static odim_status take_block(odim_partial *p, const odim_table *block, uint32_t **code, od_column_stats *one,
                              odim_error *err)
{
    odim_status status = od_column_stats_new(one, block->d, err);
    if (!status) status = od_column_stats_add(one, block, err);
    for (int64_t j = 0; !status && j < block->d; j++) {
        bool any;
        if (block->col[j].type != ODIM_CATEGORICAL) continue;
        code[j] = od_alloc((size_t)od_levels_count(&block->col[j].levels) + 1, sizeof **code);
        status = code[j] ? take_levels(p, block, j, code[j], &any, err) : od_fail_nomem(err);
        if (!status && !any) one->col[j].levels = 0;
    }
    return status;
}

/* The same of another partial, whose levels all have rows. */
static odim_status merge_levels(odim_partial *p, const odim_partial *other, uint32_t **code, odim_error *err)
{
    odim_table *head = p->head;
    odim_status status = ODIM_OK;
    for (int64_t j = 0; !status && j < head->d; j++) {
        const od_levels *levels = &other->head->col[j].levels;
        size_t n = (size_t)od_levels_count(levels);
        if (head->col[j].type != ODIM_CATEGORICAL) continue;
        code[j] = od_calloc(n + 1, sizeof **code);
        if (!code[j]) return od_fail_nomem(err);
        if (head->col[j].forced && levels->overflow) {
            status = keep_levels(p, j, levels, code[j], err);
            continue;
        }
        if (!head->col[j].levels.overflow)
            status = od_levels_merge(&head->col[j].levels, levels, code[j], err);
        if (!status && head->col[j].levels.overflow) {
            memset(code[j], 0, (n + 1) * sizeof *code[j]);
            status = drop_levels(p, j, err);
            continue;
        }
        for (size_t i = 0; !status && i < n; i++)
            status = od_partial_see(p, j, code[j][i], other->seen[j][i], err);
    }
    return status;
}

static double recoded(const uint32_t *code, double value)
{
    return code && !isnan(value) ? (double)code[(int64_t)value] : value;
}

/* ---- adding and merging ------------------------------------------------------------------------------- */

static odim_status add_rows(odim_partial *p, const odim_table *block, int64_t first, uint32_t *const *code,
                            double *cells, odim_error *err)
{
    int64_t d = block->d;
    odim_status status = ODIM_OK;
    for (int64_t i = 0; !status && i < block->n; i++) {
        int8_t known = block->known ? block->known[i] : -1;
        if (i % POLL_ROWS == 0 && (status = od_poll_check(err))) return status;
        for (int64_t j = 0; !status && j < d; j++) {
            cells[j] = recoded(code[j], od_table_cell(block, i, j));
            if (code[j] && !isnan(cells[j]) && !p->head->col[j].levels.overflow)
                status = od_partial_see(p, j, (int64_t)cells[j], first + i, err);
        }
        if (!status) status = od_kept_rows_put(&p->sample.all, d, first + i, cells, known, err);
        if (!status && known == 1)
            status = od_kept_rows_put(&p->sample.outliers, d, first + i, cells, known, err);
    }
    return status;
}

odim_status od_partial_add(odim_partial *p, const odim_table *block, int64_t first, odim_error *err)
{
    if (block->n == 0) return ODIM_OK;
    odim_status status = p->head ? check_columns(p, block, block->known != NULL, err)
                                 : od_partial_begin(p, block, block->known != NULL, err);
    if (!status)
        status = od_partial_add_range(p, first, block->n > MOST_ROWS - first ? -1 : first + block->n, err);
    if (status) return status;
    od_column_stats one = {0};
    double *cells = od_alloc((size_t)block->d, sizeof *cells);
    uint32_t **code = od_calloc((size_t)block->d, sizeof *code);
    status = cells && code ? take_block(p, block, code, &one, err) : od_fail_nomem(err);
    if (!status) status = od_column_stats_merge(&p->stats, &one, (const uint32_t *const *)code, err);
    if (!status) status = add_rows(p, block, first, code, cells, err);
    od_column_stats_free(&one);
    free_codes(code, block->d);
    od_free(cells);
    return status;
}

/* Adds rows that another sample has kept. */
static odim_status merge_kept(od_kept_rows *to, const od_kept_rows *from, int64_t d, uint32_t *const *code,
                              double *cells, odim_error *err)
{
    odim_status status = ODIM_OK;
    for (int64_t i = 0; !status && i < from->sample.count; i++) {
        int64_t slot = from->sample.heap[i].slot;
        for (int64_t j = 0; j < d; j++) cells[j] = recoded(code[j], from->cells[slot * d + j]);
        status = od_kept_rows_put(to, d, from->sample.heap[i].row, cells, from->known[slot], err);
    }
    return status;
}

odim_status od_partial_merge(odim_partial *p, const odim_partial *other, odim_error *err)
{
    if (p->seed != other->seed)
        return od_fail(err, ODIM_ERR_PARAM, "the parts have different seeds, %llu and %llu",
                       (unsigned long long)p->seed, (unsigned long long)other->seed);
    if (!other->head) return ODIM_OK;
    int64_t d = other->head->d;
    odim_status status = p->head ? check_columns(p, other->head, other->known, err)
                                 : od_partial_begin(p, other->head, other->known, err);
    for (size_t i = 0; !status && i < other->ranges; i++)
        status = od_partial_add_range(p, other->range[i].first, other->range[i].end, err);
    if (status) return status;
    double *cells = od_alloc((size_t)d, sizeof *cells);
    uint32_t **code = od_calloc((size_t)d, sizeof *code);
    status = cells && code ? merge_levels(p, other, code, err) : od_fail_nomem(err);
    if (!status) status = od_column_stats_merge(&p->stats, &other->stats, (const uint32_t *const *)code, err);
    if (!status) status = merge_kept(&p->sample.all, &other->sample.all, d, code, cells, err);
    if (!status) status = merge_kept(&p->sample.outliers, &other->sample.outliers, d, code, cells, err);
    free_codes(code, d);
    od_free(cells);
    return status;
}

/* ---- the end ------------------------------------------------------------------------------------------ */

typedef struct seen_level {
    int64_t row;
    uint32_t code;
} seen_level;

static int compare_seen(const void *a, const void *b)
{
    const seen_level *x = a, *y = b;
    return (x->row > y->row) - (x->row < y->row);
}

/* Gives the levels of a column the codes of their first appearance; code (levels + 1) maps to them. */
static odim_status sort_levels(odim_partial *p, int64_t col, uint32_t *code, odim_error *err)
{
    od_levels *levels = &p->head->col[col].levels, sorted = {0};
    size_t n = (size_t)od_levels_count(levels), used = 0;
    seen_level *list = od_alloc(n, sizeof *list);
    if (!list) return od_fail_nomem(err);
    for (size_t i = 0; i < n; i++) list[i] = (seen_level){p->seen[col][i], (uint32_t)i};
    qsort(list, n, sizeof *list, compare_seen);
    odim_status status = ODIM_OK;
    for (; !status && used < n; used++) {
        const char *text = od_strlist_at(&levels->texts, list[used].code);
        status = od_levels_code(&sorted, text, strlen(text), &code[list[used].code], err);
    }
    code[n] = (uint32_t)n;
    for (size_t i = 0; !status && i < n; i++) p->seen[col][i] = list[i].row;
    if (!status) {
        od_levels_free(levels);
        *levels = sorted;
    } else {
        od_levels_free(&sorted);
    }
    od_free(list);
    return status;
}

static void recode_kept(od_kept_rows *r, int64_t d, uint32_t *const *code)
{
    for (int64_t i = 0; i < r->sample.count; i++)
        for (int64_t j = 0; j < d; j++) {
            double *cell = &r->cells[r->sample.heap[i].slot * d + j];
            *cell = recoded(code[j], *cell);
        }
}

odim_status od_partial_complete(odim_partial *p, odim_error *err)
{
    if (!p->ranges) return od_fail(err, ODIM_ERR_DATA, "there are no rows to fit");
    if (p->range[0].first > 0)
        return od_fail(err, ODIM_ERR_DATA, "rows 1 to %lld are missing: their part was not merged",
                       (long long)p->range[0].first);
    if (p->ranges > 1)
        return od_fail(err, ODIM_ERR_DATA, "rows %lld to %lld are missing: their part was not merged",
                       (long long)p->range[0].end + 1, (long long)p->range[1].first);
    int64_t d = p->head->d;
    od_column_stats sum = {0};
    uint32_t **code = od_calloc((size_t)d, sizeof *code);
    odim_status status = code ? od_column_stats_new(&sum, d, err) : od_fail_nomem(err);
    for (int64_t j = 0; !status && j < d; j++) {
        if (p->head->col[j].type != ODIM_CATEGORICAL || p->head->col[j].levels.overflow) continue;
        code[j] = od_alloc((size_t)od_levels_count(&p->head->col[j].levels) + 1, sizeof **code);
        status = code[j] ? sort_levels(p, j, code[j], err) : od_fail_nomem(err);
    }
    if (!status) status = od_column_stats_merge(&sum, &p->stats, (const uint32_t *const *)code, err);
    if (!status) {
        od_column_stats swap = p->stats;
        p->stats = sum;
        sum = swap;
        recode_kept(&p->sample.all, d, code);
        recode_kept(&p->sample.outliers, d, code);
    }
    od_column_stats_free(&sum);
    free_codes(code, d);
    return status;
}

odim_status od_partial_give(odim_partial *p, od_fit *fit, odim_error *err)
{
    odim_status status = od_partial_complete(p, err);
    if (status) return status;
    fit->stats = p->stats;
    p->stats = (od_column_stats){0};
    fit->table = p->head;
    return od_row_sample_take(&p->sample, p->head, &fit->chosen, err);
}
