/* Public reasons: columns, values and kinds. reason_text.c puts them into words. */
#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "kern/kern.h"
#include "model/params.h"
#include "prep/checks_row.h"
#include "prep/spelling.h"
#include "score/explain.h"

#define LEAST_SHARE 0.01 /* of a reason, unless there are many columns: see least_share */
#define CHUNK_ROWS  4096 /* explained at a time, since shares of all columns are kept for them */
#define FREQUENT    10   /* a level is misspelled only if the right one has this many times its rows */

/* The row that is explained. */
typedef struct subject {
    const odim_model *model;
    const od_encoder *encoder;
    int64_t row;
    const float *expected;  /* (features) */
    const double *evidence; /* (columns) of the checks, or NULL */
    double *room;           /* for the checks */
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
    bool is_related = s->evidence && s->evidence[r->col] > 0.0 && checks->col[r->col].related;
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

static odim_reason describe(const subject *s, int64_t col, double share)
{
    const odim_model *m = s->model;
    odim_reason r = {.col = col, .share = share, .kind = ODIM_REASON_COMBINATION};
    r.value = od_table_cell(s->encoder->table, s->row, s->encoder->source[col]);
    r.expected = clamp(m, col, od_encode_back(&m->schema, col, s->expected));
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

/* The columns with the largest shares, most important first. */
static void pick(const subject *s, const double *share, int top, odim_reason *out)
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

typedef struct explaining {
    const odim_model *model;
    od_encoder encoder;
    od_run run;
    int top;          /* reasons per row */
    od_reasons found; /* of as many rows as are explained at a time */
    double *room;     /* for the checks */
} explaining;

static odim_status make_room(explaining *x, int64_t rows, odim_error *err)
{
    const od_schema *schema = &x->model->schema;
    size_t most = (size_t)rows, cells = most * (size_t)schema->cols;
    x->found = (od_reasons){.share = od_alloc(cells, sizeof(double)),
                            .expected = od_alloc(most * (size_t)schema->features, sizeof(float)),
                            .evidence = od_alloc(cells, sizeof(double))};
    x->room = od_alloc((size_t)od_checks_room(&schema->checks), sizeof *x->room);
    return x->found.share && x->found.expected && x->found.evidence && x->room ? ODIM_OK : od_fail_nomem(err);
}

/* out (rows, top). */
static odim_status explain_chunk(const explaining *x, const od_table_rows *rows, odim_reason *out,
                                 odim_error *err)
{
    const odim_model *m = x->model;
    int64_t cols = m->schema.cols;
    odim_status status = od_explain_rows(m, rows, &x->run, &x->found, err);
    for (int64_t i = 0; !status && i < rows->count; i++) {
        const subject s = {m,
                           &x->encoder,
                           rows->rows[i],
                           x->found.expected + i * m->schema.features,
                           m->schema.checks.cols ? x->found.evidence + i * cols : NULL,
                           x->room};
        pick(&s, x->found.share + i * cols, x->top, out + i * x->top);
    }
    return status;
}

odim_status odim_explain(const odim_model *model, const odim_table *table, const int64_t *rows, int64_t count,
                         int top, const odim_params *params, const odim_hooks *hooks, odim_reason *reasons,
                         odim_error *err)
{
    for (int64_t i = 0; i < count; i++)
        if (rows[i] < 0 || rows[i] >= table->n)
            return od_fail(err, ODIM_ERR_PARAM, "row %lld of %lld", (long long)rows[i], (long long)table->n);
    explaining x = {.model = model, .run = {params ? params->config.threads : 0, hooks}, .top = top};
    odim_status status = od_kern_check(err);
    if (!status) status = od_encoder_new(&x.encoder, &model->schema, table, err);
    if (status) return status;
    status = make_room(&x, count < CHUNK_ROWS ? count : CHUNK_ROWS, err);
    for (int64_t at = 0; !status && at < count; at += CHUNK_ROWS) {
        int64_t n = count - at < CHUNK_ROWS ? count - at : CHUNK_ROWS;
        status = explain_chunk(&x, &(od_table_rows){table, rows + at, n}, reasons + at * top, err);
    }
    od_free(x.found.share);
    od_free(x.found.expected);
    od_free(x.found.evidence);
    od_free(x.room);
    od_encoder_free(&x.encoder);
    return status;
}
