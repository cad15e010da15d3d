/* Public reasons: columns, values and kinds. reason_text.c puts them into words. */
#include <math.h>
#include <string.h>

#include "api/picture_reasons.h"
#include "base/poll.h"
#include "common/mem.h"
#include "base/sized.h"
#include "kern/kern.h"
#include "model/params.h"
#include "prep/checks_row.h"
#include "prep/checks_rules.h"
#include "prep/spelling.h"
#include "score/explain.h"

#define LEAST_SHARE 0.01 /* of a reason, unless there are many columns: see least_share */
#define CHUNK_ROWS  4096 /* explained at a time, since shares of all columns are kept for them */
#define CHUNK_CELLS                                                                                          \
    ((int64_t)1 << 20) /* and at most so many of their cells, unless the rows are very wide                  \
                        */
#define LEAST_ROWS 64
#define USUAL_TOP  3  /* reasons per row, unless the caller says how many */
#define FREQUENT   10 /* a level is misspelled only if the right one has this many times its rows */

/* The row that is explained. */
typedef struct subject {
    const odim_model *model;
    const od_encoder *encoder;
    int64_t row;
    const float *expected;   /* (features) */
    const double *evidence;  /* (columns) of the checks, or NULL */
    double *room;            /* for the checks */
    const od_pixels *pixels; /* of a picture, or NULL */
    double *cells;           /* (2, columns) of a picture: room for its values and what is expected */
} subject;

/* Brings an expected value into the usual range of its column: a network that was stopped early is vague
 * about columns with extreme values. */
static double clamp(const odim_model *m, int64_t col, double v)
{
    const od_schema_col *c = &m->schema.col[col];
    double low, high;
    if (c->type != ODIM_NUMERIC && c->type != ODIM_TIME) return v;
    od_schema_usual(&m->schema, col, &low, &high);
    return fmin(fmax(v, low), high);
}

/* Whether two values of a column look the same as text. */
static bool looks_same(const odim_model *m, int64_t col, double a, double b)
{
    char left[64], right[64];
    odim_model_text(m, col, a, left, sizeof left);
    odim_model_text(m, col, b, right, sizeof right);
    return strcmp(left, right) == 0;
}

/* The most frequent level that a rare one, known or not, may be a misspelling of; or -1. */
static int64_t find_near(const odim_model *m, int64_t col, int64_t known, const char *text)
{
    const od_schema_col *c = &m->schema.col[col];
    bool counted = !(m->config.dp_epsilon > 0);
    int64_t own = known < 0 ? 1 : c->level_count[known], best = -1;
    for (int64_t i = 0; i < od_levels_count(&c->levels); i++) {
        if (counted && c->level_count[i] < FREQUENT * own) continue;
        if (best >= 0 && (!counted || c->level_count[i] <= c->level_count[best])) continue;
        if (od_spelling_near(text, od_strlist_at(&c->levels.texts, (size_t)i))) best = i;
    }
    return best;
}

static void describe_level(const subject *s, odim_reason *r)
{
    const od_schema_col *c = &s->model->schema.col[r->col];
    const od_encoder *e = s->encoder;
    int64_t code = (int64_t)r->value, known = e->level[r->col][code];
    r->kind = ODIM_REASON_COMBINATION;
    if (known < 0 || c->level_feature[known] < 0) {
        const od_column *column = &e->table->col[e->source[r->col]];
        int64_t near = find_near(s->model, r->col, known, od_strlist_at(&column->levels.texts, (size_t)code));
        r->kind = ODIM_REASON_LEVEL;
        if (near >= 0) r->expected = (double)near;
    }
    if (known >= 0 && (double)known == r->expected) r->expected = NAN;
}

static void describe_number(const subject *s, odim_reason *r)
{
    const odim_model *m = s->model;
    const od_checks *checks = &m->schema.checks;
    double low, high;
    od_schema_usual(&m->schema, r->col, &low, &high);
    bool is_related =
        s->evidence && s->evidence[r->col] > 0.0 &&
        (checks->col[r->col].related || od_checks_rules(checks, s->encoder, s->row, NULL) > 0.0);
    if (is_related && !(od_limits_evidence(&checks->col[r->col].limits, r->value) > 0.0)) {
        double v = od_checks_expected(checks, s->encoder, s->row, r->col, s->room);
        r->kind = ODIM_REASON_CONTRADICTION;
        const od_limits *l = &checks->col[r->col].limits;
        r->expected = v >= l->low && v <= l->high ? v : NAN; /* an absurd value is no help */
    } else if ((r->value < low && !looks_same(m, r->col, r->value, low)) ||
               (r->value > high && !looks_same(m, r->col, r->value, high))) {
        r->kind = ODIM_REASON_VALUE;
        return;
    } else {
        r->kind = ODIM_REASON_COMBINATION;
    }
    if (!isnan(r->expected) && looks_same(m, r->col, r->value, r->expected)) r->expected = NAN;
}

static double value_of(const subject *s, int64_t col)
{
    int64_t source = s->encoder->source[col];
    return source < 0 ? NAN : od_table_cell(s->encoder->table, s->row, source);
}

static double expected_of(const subject *s, int64_t col)
{
    return clamp(s->model, col, od_encode_back(&s->model->schema, col, s->expected));
}

static odim_reason describe(const subject *s, int64_t col, double share)
{
    const odim_model *m = s->model;
    odim_reason r = {.col = col, .share = share, .kind = ODIM_REASON_COMBINATION};
    r.value = value_of(s, col);
    r.expected = expected_of(s, col);
    if (isnan(r.value))
        r.kind = ODIM_REASON_MISSING;
    else if (m->schema.col[col].type == ODIM_CATEGORICAL)
        describe_level(s, &r);
    else if (m->schema.col[col].type != ODIM_BOOLEAN)
        describe_number(s, &r);
    else if (r.value == r.expected)
        r.expected = NAN;
    return r;
}

/* In a table with many columns even the largest share may be below LEAST_SHARE. It is never below half an
 * equal share, so that every row with anything unusual has a reason. */
static double least_share(int64_t cols)
{
    return fmin(LEAST_SHARE, 0.5 / (double)cols);
}

/* The only reason of a row that could not be read. It must name a column. */
static odim_reason blame_reading(const od_schema *s)
{
    int64_t col = 0;
    while (col < s->cols - 1 && s->col[col].ignored) col++;
    return (odim_reason){
        .col = col, .share = 1.0, .value = NAN, .expected = NAN, .kind = ODIM_REASON_UNREADABLE};
}

/* The columns with the largest shares, most important first. */
static void pick_columns(const subject *s, const double *share, int top, odim_reason *out)
{
    int64_t cols = s->model->schema.cols;
    double least = least_share(cols);
    for (int k = 0; k < top; k++) {
        int64_t best = -1;
        for (int64_t j = 0; j < cols; j++) {
            bool taken = false;
            for (int i = 0; i < k; i++) taken |= out[i].col == j;
            if (!taken && share[j] >= least && (best < 0 || share[j] > share[best])) best = j;
        }
        out[k] = best < 0 ? (odim_reason){.col = -1} : describe(s, best, share[best]);
    }
}

static void pick_parts(const subject *s, const double *share, int top, odim_reason *out)
{
    int64_t cols = s->model->schema.cols;
    double *value = s->cells, *expected = s->cells + cols;
    for (int64_t j = 0; j < cols; j++) {
        value[j] = value_of(s, j);
        expected[j] = expected_of(s, j);
    }
    od_picture_reasons(s->pixels, share, value, expected, top, out);
}

static void pick(const subject *s, const double *share, int top, odim_reason *out)
{
    bool bad = odim_table_bad_row(s->encoder->table, s->row) != NULL;
    for (int k = 0; bad && k < top; k++)
        out[k] = k ? (odim_reason){.col = -1} : blame_reading(&s->model->schema);
    if (!bad && s->pixels)
        pick_parts(s, share, top, out);
    else if (!bad)
        pick_columns(s, share, top, out);
}

struct odim_reasons {
    int64_t rows;
    int top;
    odim_reason *reason; /* (rows, top); col -1: there is no further reason */
};

/* What odim_explain works with, and what shows how far it is. */
typedef struct explaining {
    const odim_model *model;
    const odim_hooks *hooks; /* the caller's */
    int64_t threads;
    od_encoder encoder;
    od_reasons found; /* of a chunk */
    double *room;     /* for the checks */
    int64_t done, count;
    bool is_picture;
    od_pixels pixels;
    double *cells; /* see subject */
    /* What is wanted: reasons, or an account of every cell, whose arrays may be NULL. */
    odim_reasons *reasons;
    double *share, *expected; /* (count, columns) */
} explaining;

/* Progress of a chunk as progress of all rows. */
static int show(const odim_progress *now, void *user)
{
    const explaining *x = user;
    odim_progress all = *now;
    all.rows = x->count;
    all.rows_done += x->done;
    all.fraction = (double)all.rows_done / (double)x->count;
    return x->hooks->progress(&all, x->hooks->user);
}

/* The row at place `i` of the chunk. */
static void keep(const explaining *x, const subject *s, int64_t i)
{
    int64_t cols = x->model->schema.cols, at = (x->done + i) * cols;
    const double *share = x->found.share + i * cols;
    if (x->reasons) pick(s, share, x->reasons->top, x->reasons->reason + (x->done + i) * x->reasons->top);
    if (x->share) memcpy(x->share + at, share, (size_t)cols * sizeof *share);
    for (int64_t j = 0; x->expected && j < cols; j++) x->expected[at + j] = expected_of(s, j);
}

/* rows NULL: all of the table, in order. */
static odim_status explain_chunk(explaining *x, const int64_t *rows, int64_t count, odim_error *err)
{
    const odim_model *m = x->model;
    const odim_hooks hooks = {.size = sizeof hooks, .progress = x->hooks->progress ? show : NULL, .user = x};
    const od_run run = {x->threads, &hooks};
    int64_t cols = m->schema.cols, own[CHUNK_ROWS];
    for (int64_t i = 0; i < count; i++) own[i] = rows ? rows[x->done + i] : x->done + i;
    odim_status status =
        od_explain_rows(m, &(od_table_rows){x->encoder.table, own, count}, &run, &x->found, err);
    for (int64_t i = 0; !status && i < count; i++) {
        const subject s = {m,
                           &x->encoder,
                           own[i],
                           x->found.expected + i * m->schema.features,
                           m->schema.checks.cols ? x->found.evidence + i * cols : NULL,
                           x->room,
                           x->is_picture ? &x->pixels : NULL,
                           x->cells};
        keep(x, &s, i);
    }
    return status;
}

/* Rows that are explained at a time. There are three numbers for each of their cells. */
static int64_t chunk_of(const explaining *x)
{
    int64_t rows = CHUNK_CELLS / (x->model->schema.features + x->model->schema.cols);
    if (rows < LEAST_ROWS) rows = LEAST_ROWS;
    if (rows > CHUNK_ROWS) rows = CHUNK_ROWS;
    return rows < x->count ? rows : x->count;
}

static odim_status explain(explaining *x, const int64_t *rows, odim_error *err)
{
    int64_t chunk = chunk_of(x);
    size_t most = (size_t)chunk;
    size_t cells = most * (size_t)x->model->schema.cols;
    x->found = (od_reasons){.share = od_alloc(cells, sizeof *x->found.share),
                            .expected =
                                od_alloc(most * (size_t)x->model->schema.features, sizeof *x->found.expected),
                            .evidence = od_alloc(cells, sizeof *x->found.evidence)};
    x->room = od_alloc((size_t)od_checks_room(&x->model->schema.checks), sizeof *x->room);
    x->is_picture = od_pixels_of(&x->model->schema, &x->pixels);
    x->cells = od_alloc(x->is_picture ? (size_t)x->model->schema.cols : 1, 2 * sizeof *x->cells);
    bool enough = x->found.share && x->found.expected && x->found.evidence && x->room && x->cells;
    odim_status status = enough ? ODIM_OK : od_fail_nomem(err);
    od_poll poll;
    od_poll_begin(&poll, x->hooks, (odim_progress){.stage = ODIM_STAGE_EXPLAINING, .rows = x->count});
    for (; !status && x->done < x->count; x->done += chunk) {
        int64_t n = x->count - x->done < chunk ? x->count - x->done : chunk;
        poll.now.rows_done = x->done;
        poll.now.fraction = (double)x->done / (double)x->count;
        status = od_poll_check(err);
        if (!status) status = explain_chunk(x, rows, n, err);
    }
    od_poll_end(&poll);
    od_free(x->found.share);
    od_free(x->found.expected);
    od_free(x->found.evidence);
    od_free(x->room);
    od_free(x->cells);
    return status;
}

/* Room for the reasons. No row has more of them than the model has columns. */
static odim_reasons *reasons_new(int64_t rows, int64_t top, const odim_model *model)
{
    odim_reasons *r = od_calloc(1, sizeof *r);
    if (!r) return NULL;
    r->rows = rows;
    r->top = (int)(top < model->schema.cols ? top : model->schema.cols);
    r->reason = od_alloc((size_t)rows, (size_t)r->top * sizeof *r->reason);
    if (r->reason) return r;
    od_free(r);
    return NULL;
}

static odim_status begin(explaining *x, odim_explain_options *o, const odim_explain_options *options,
                         const odim_table *table, const odim_params *params, odim_error *err)
{
    odim_status status = od_sized_in(o, sizeof *o, options, "options", err);
    if (status) return status;
    if (o->top < 0) return od_fail(err, ODIM_ERR_PARAM, "top is %d", o->top);
    x->threads = params ? params->config.threads : 0;
    x->count = o->rows ? o->count : table->n;
    if ((status = od_table_check_rows(table, o->rows, x->count, err))) return status;
    status = od_kern_check(err);
    return status ? status : od_encoder_new(&x->encoder, &x->model->schema, table, err);
}

odim_status odim_explain(const odim_model *model, const odim_table *table,
                         const odim_explain_options *options, const odim_params *params,
                         const odim_hooks *hooks, odim_reasons **out, odim_error *err)
{
    odim_explain_options o;
    odim_hooks own;
    OD_NEED(out, "out", err);
    *out = NULL;
    OD_NEED(model, "model", err);
    OD_NEED(table, "table", err);
    explaining x = {.model = model, .hooks = &own};
    odim_status status = od_sized_in(&own, sizeof own, hooks, "hooks", err);
    if (!status) status = begin(&x, &o, options, table, params, err);
    if (status) return status;
    x.reasons = reasons_new(x.count, o.top ? o.top : USUAL_TOP, model);
    status = x.reasons ? explain(&x, o.rows, err) : od_fail_nomem(err);
    od_encoder_free(&x.encoder);
    if (status)
        odim_reasons_free(x.reasons);
    else
        *out = x.reasons;
    return status;
}

odim_status odim_explain_cells(const odim_model *model, const odim_table *table,
                               const odim_explain_options *options, const odim_params *params,
                               const odim_hooks *hooks, double *share, double *expected, odim_error *err)
{
    odim_explain_options o;
    odim_hooks own;
    OD_NEED(model, "model", err);
    OD_NEED(table, "table", err);
    explaining x = {.model = model, .hooks = &own, .share = share, .expected = expected};
    odim_status status = od_sized_in(&own, sizeof own, hooks, "hooks", err);
    if (!status) status = begin(&x, &o, options, table, params, err);
    if (status) return status;
    status = explain(&x, o.rows, err);
    od_encoder_free(&x.encoder);
    return status;
}

void odim_reasons_free(odim_reasons *reasons)
{
    if (!reasons) return;
    od_free(reasons->reason);
    od_free(reasons);
}

int64_t odim_reasons_rows(const odim_reasons *reasons)
{
    return reasons ? reasons->rows : 0;
}

const odim_reason *odim_reasons_at(const odim_reasons *reasons, int64_t index, int place)
{
    if (!reasons || index < 0 || index >= reasons->rows || place < 0 || place >= reasons->top) return NULL;
    const odim_reason *r = &reasons->reason[index * reasons->top + place];
    return r->col >= 0 ? r : NULL;
}

int odim_reasons_count(const odim_reasons *reasons, int64_t index)
{
    int count = 0;
    while (odim_reasons_at(reasons, index, count)) count++;
    return count;
}
