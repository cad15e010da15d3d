/* Encodes rows of a table as features, and single features back to cells. */
#include "prep/encode.h"

#include <math.h>
#include <string.h>

#include "base/isotime.h"
#include "common/mem.h"

#define MOST 1e18f /* its square is still a number in single precision */
#define TAU  6.283185307179586

/* ---- matching the columns ------------------------------------------------------------------------- */

static odim_status map_levels(od_encoder *e, int64_t j, odim_error *err)
{
    const od_levels *own = &e->schema->col[j].levels;
    const od_column *col = &e->table->col[e->source[j]];
    int64_t n = od_levels_count(&col->levels);
    e->level[j] = od_alloc((size_t)n + 1, sizeof **e->level);
    if (!e->level[j]) return od_fail_nomem(err);
    for (int64_t i = 0; i < n; i++) {
        const char *text = od_strlist_at(&col->levels.texts, (size_t)i);
        /* A table that was read for this model has its levels first. */
        bool same = i < od_levels_count(own) && strcmp(od_strlist_at(&own->texts, (size_t)i), text) == 0;
        e->level[j][i] = same ? i : od_levels_find(own, text, strlen(text));
    }
    e->level[j][n] = -1; /* one of too many */
    return ODIM_OK;
}

/* Numbers and booleans are one to us; a category must be one. */
static bool fits(odim_type have, odim_type want)
{
    bool number = have == ODIM_NUMERIC || have == ODIM_BOOLEAN;
    return have == want || (number && (want == ODIM_NUMERIC || want == ODIM_BOOLEAN));
}

static odim_status check_type(const od_encoder *e, int64_t j, odim_error *err)
{
    const od_schema_col *c = &e->schema->col[j];
    const od_column *col = &e->table->col[e->source[j]];
    char name[64];
    if (fits(col->type, c->type)) return ODIM_OK;
    return od_fail_at(
        err, ODIM_ERR_DATA, 0, e->source[j] + 1, "column '%s' is %s, but the model was fitted on a %s one",
        od_schema_show(c, name, sizeof name), odim_type_text(col->type), odim_type_text(c->type));
}

/* A table that was read for this model has the columns that are used, and no others. */
static bool match_used(od_encoder *e)
{
    int64_t next = 0;
    for (int64_t j = 0; j < e->schema->cols; j++) {
        const od_schema_col *c = &e->schema->col[j];
        e->source[j] = c->ignored ? -1 : next++;
        if (e->source[j] >= e->table->d) return false;
        if (e->source[j] >= 0 && strcmp(e->table->col[e->source[j]].name, c->name) != 0) return false;
    }
    return next == e->table->d;
}

/* Any other table. Each search begins after what was found last, so that columns in the same order, or of the
 * same name, are found one after the other. found (cols), or NULL. Returns whether all are there. */
static bool find_names(od_encoder *e, bool *found)
{
    const od_schema *s = e->schema;
    bool complete = true;
    for (int64_t j = 0, start = 0; j < s->cols; j++) {
        int64_t at = od_table_find(e->table, s->col[j].name, start);
        if (at >= 0) start = at + 1;
        bool is_there = s->col[j].ignored || at >= 0;
        e->source[j] = s->col[j].ignored ? -1 : at;
        complete &= is_there;
        if (found) found[j] = is_there;
    }
    return complete;
}

static odim_status match_names(od_encoder *e, odim_error *err)
{
    if (find_names(e, NULL)) return ODIM_OK;
    bool *found = od_alloc((size_t)e->schema->cols, sizeof *found);
    if (!found) return od_fail_nomem(err);
    find_names(e, found);
    odim_status status = od_schema_fail_missing(e->schema, "the model needs", found, err);
    od_free(found);
    return status;
}

odim_status od_encoder_match(od_encoder *e, const odim_table *t, odim_error *err)
{
    e->table = t;
    odim_status status = match_used(e) ? ODIM_OK : match_names(e, err);
    for (int64_t j = 0; !status && j < e->schema->cols; j++)
        if (e->source[j] >= 0) status = check_type(e, j, err);
    return status;
}

odim_status od_encoder_own(od_encoder *e, const od_schema *s, const odim_table *t, odim_error *err)
{
    *e = (od_encoder){.schema = s, .table = t, .plain = s->plain};
    e->source = od_alloc((size_t)s->cols, sizeof *e->source);
    e->level = od_calloc((size_t)s->cols, sizeof *e->level);
    odim_status status = e->source && e->level ? ODIM_OK : od_fail_nomem(err);
    for (int64_t j = 0; !status && j < s->cols; j++) {
        const od_schema_col *c = &s->col[j];
        int64_t n = od_levels_count(&c->levels);
        e->source[j] = c->ignored ? -1 : j;
        e->plain &= !c->ignored;
        if (c->type != ODIM_CATEGORICAL) continue;
        e->level[j] = od_alloc((size_t)n + 1, sizeof **e->level);
        if (!e->level[j]) status = od_fail_nomem(err);
        for (int64_t i = 0; !status && i < n; i++) e->level[j][i] = i;
        if (!status) e->level[j][n] = -1;
    }
    if (status) od_encoder_free(e);
    return status;
}

odim_status od_encoder_new(od_encoder *e, const od_schema *s, const odim_table *t, odim_error *err)
{
    *e = (od_encoder){.schema = s, .table = t, .plain = s->plain && t->d == s->cols};
    e->source = od_alloc((size_t)s->cols, sizeof *e->source);
    e->level = od_calloc((size_t)s->cols, sizeof *e->level);
    odim_status status = e->source && e->level ? ODIM_OK : od_fail_nomem(err);
    if (!status) status = od_encoder_match(e, t, err);
    for (int64_t j = 0; !status && j < s->cols; j++) {
        e->plain &= e->source[j] == j;
        if (e->source[j] >= 0 && s->col[j].type == ODIM_CATEGORICAL) status = map_levels(e, j, err);
    }
    if (status) od_encoder_free(e);
    return status;
}

void od_encoder_free(od_encoder *e)
{
    for (int64_t j = 0; e->level && j < e->schema->cols; j++) od_free(e->level[j]);
    od_free(e->level);
    od_free(e->source);
    *e = (od_encoder){0};
}

/* ---- one cell ------------------------------------------------------------------------------------- */

/* A missing value stays one. */
static double clipped(const od_schema *s, int64_t feature, double x)
{
    if (!s->clip_low) return x;
    return x < s->clip_low[feature]    ? s->clip_low[feature]
           : x > s->clip_high[feature] ? s->clip_high[feature]
                                       : x;
}

static float scaled(const od_schema *s, int64_t feature, double x)
{
    double w = s->width[feature];
    return w > 0.0 ? (float)((x - s->shift[feature]) / w) : 0.0f;
}

/* Where on a circle of `period` the time is, as two features between 0 and 1. */
static float *put_cycle(float *out, double seconds, double period)
{
    double turn = TAU * (seconds - floor(seconds / period) * period) / period;
    *out++ = (float)(0.5 + 0.5 * sin(turn));
    *out++ = (float)(0.5 + 0.5 * cos(turn));
    return out;
}

static float *put_level(const od_encoder *e, int64_t j, double code, float *out)
{
    const od_schema_col *c = &e->schema->col[j];
    int64_t level = isnan(code) ? (int64_t)c->fill : e->level[j][(int64_t)code];
    int64_t at = level < 0 ? -1 : c->level_feature[level];
    for (int64_t k = 0; k < c->own_levels; k++) out[k] = scaled(e->schema, c->first + k, k == at);
    double other = level < 0 ? c->unlisted : at < 0;
    out[c->own_levels] = scaled(e->schema, c->first + c->own_levels, other);
    return out + c->own_levels + 1;
}

/* The features of schema column j of one row, from out[first] on. */
static void put_column(const od_encoder *e, int64_t j, double v, float *row)
{
    const od_schema_col *c = &e->schema->col[j];
    float *out = row + c->first;
    bool missing = isnan(v);
    if (!c->features) return;
    if (c->type == ODIM_CATEGORICAL) {
        out = put_level(e, j, v, out);
    } else {
        double x = missing ? c->fill : v;
        *out++ = scaled(e->schema, c->first, clipped(e->schema, c->first, x));
        if (c->cycles & OD_CYCLE_DAY) out = put_cycle(out, x, OD_DAY);
        if (c->cycles & OD_CYCLE_WEEK) out = put_cycle(out, x, 7 * OD_DAY);
        if (c->cycles & OD_CYCLE_YEAR) out = put_cycle(out, x, 365.2425 * OD_DAY);
    }
    if (c->indicator) *out = scaled(e->schema, c->first + c->features - 1, missing);
}

/* ---- rows ----------------------------------------------------------------------------------------- */

static odim_status fail_extreme(const od_encoder *e, int64_t row, int64_t feature, odim_error *err)
{
    int64_t j = e->schema->owner[feature];
    char name[64];
    int64_t number = od_table_row(e->table, row);
    return od_fail_at(err, ODIM_ERR_DATA, number, e->source[j] + 1,
                      "row %lld, column '%s': %g is too large for the scaling that was chosen or fitted",
                      (long long)number, od_schema_show(&e->schema->col[j], name, sizeof name),
                      od_table_cell(e->table, row, e->source[j]));
}

/* One row of numbers from cell `at` on. is_f64 is a constant where it is called, so that the loop can be
 * vectorised. */
static inline void scale_row(const od_schema *s, const void *cells, bool is_f64, int64_t at, float *out)
{
    for (int64_t f = 0; f < s->features; f++) {
        double x = is_f64 ? ((const double *)cells)[at + f] : (double)((const float *)cells)[at + f];
        if (s->clip_low) x = clipped(s, f, x);
        double w = s->width[f], v = (x - s->shift[f]) / (w > 0.0 ? w : 1.0);
        out[f] = w > 0.0 ? (float)v : 0.0f;
    }
}

static void encode_row(const od_encoder *e, int64_t row, float *out)
{
    for (int64_t j = 0; j < e->schema->cols; j++)
        if (e->source[j] >= 0) put_column(e, j, od_table_cell(e->table, row, e->source[j]), out);
}

/* The first feature that is out of bounds or, where a cell is missing, not a number. */
static int64_t find_bad(const float *x, int64_t d)
{
    int64_t j = 0;
    while (j < d && fabsf(x[j]) <= MOST) j++;
    return j;
}

/* What is not a number is a missing cell, which has a value of its own. */
void od_encode_clamp(float *x, int64_t d, float most)
{
    for (int64_t j = 0; j < d; j++) x[j] = x[j] > most ? most : x[j] < -most ? -most : x[j];
}

odim_status od_encode_rows(const od_encoder *e, const int64_t *rows, int64_t start, int64_t count, float *out,
                           odim_error *err)
{
    const odim_table *t = e->table;
    int64_t d = e->schema->features;
    for (int64_t i = 0; i < count; i++, out += d) {
        int64_t row = rows ? rows[i] : start + i, bad = 0;
        if (e->plain) {
            int64_t at = row * t->stride;
            t->is_f64 ? scale_row(e->schema, t->cells, true, at, out)
                      : scale_row(e->schema, t->cells, false, at, out);
            if (e->schema->clamped) od_encode_clamp(out, d, OD_SCHEMA_FAR);
            bad = find_bad(out, d);
            if (bad == d) continue;
        }
        encode_row(e, row, out);
        if (e->schema->clamped) od_encode_clamp(out, d, OD_SCHEMA_FAR);
        if (e->lenient) od_encode_clamp(out, d, MOST);
        bad = find_bad(out, d);
        if (bad < d) return fail_extreme(e, row, bad, err);
    }
    return ODIM_OK;
}

double od_encode_back(const od_schema *s, int64_t col, const float *features)
{
    const od_schema_col *c = &s->col[col];
    if (!c->features) return c->fill;
    const float *x = features + c->first;
    const double *shift = s->shift + c->first, *width = s->width + c->first;
    if (c->type == ODIM_BOOLEAN) return x[0] > 0.5f;
    if (c->type != ODIM_CATEGORICAL) return shift[0] + width[0] * (double)x[0];
    int64_t best = 0; /* among the features; the last stands for all other levels */
    for (int64_t k = 1; k <= c->own_levels; k++)
        if ((double)x[k] * width[k] > (double)x[best] * width[best]) best = k;
    for (int64_t level = 0; level < od_levels_count(&c->levels); level++)
        if (c->level_feature[level] == best) return (double)level;
    return -1;
}
