/* The public scorer: scores rows on the calling thread, without allocating memory. */
#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "kern/kern.h"
#include "prep/cell_value.h"
#include "score/score.h"

#define BLOCK_ROWS 64 /* rows that are scored at a time */

struct odim_scorer {
    const odim_model *model;
    od_row_scorer rows;
    odim_table block;   /* the rows to score, in the columns and levels of the model */
    od_encoder encoder; /* of the block */
    od_encoder match;   /* columns of the table that is scored */
    double *cells;      /* (BLOCK_ROWS, columns of the model) */
    bool has_levels;    /* a column that is used is a category */
};

/* ---- making one -------------------------------------------------------------------------------------- */

odim_status odim_scorer_new(odim_scorer **out, const odim_model *model, odim_error *err)
{
    OD_NEED(out, "out", err);
    *out = NULL;
    OD_NEED(model, "model", err);
    odim_status status = od_kern_check(err);
    if (status) return status;
    const od_verdict *v = &model->verdict;
    const od_row_wants wants = {.evidence = v->present,
                                .confirm = v->present,
                                .losses = v->present && v->loss.used,
                                .axes = v->present && v->groups};
    size_t cols = (size_t)model->schema.cols;
    odim_scorer *s = od_calloc(1, sizeof *s);
    if (!s) return od_fail_nomem(err);
    s->model = model;
    s->block = (odim_table){.d = model->schema.cols, .stride = model->schema.cols, .is_f64 = true};
    s->match.schema = &model->schema;
    status = od_row_scorer_new(&s->rows, model, &wants, BLOCK_ROWS, true, err);
    if (!status) status = od_encoder_own(&s->encoder, &model->schema, &s->block, err);
    s->encoder.lenient = true;
    if (!status && (!(s->match.source = od_alloc(cols, sizeof *s->match.source)) ||
                    !(s->cells = od_alloc(BLOCK_ROWS * cols, sizeof *s->cells))))
        status = od_fail_nomem(err);
    for (int64_t j = 0; j < model->schema.cols; j++)
        s->has_levels |= !model->schema.col[j].ignored && model->schema.col[j].type == ODIM_CATEGORICAL;
    if (status)
        odim_scorer_free(s);
    else
        *out = s;
    return status;
}

void odim_scorer_free(odim_scorer *s)
{
    if (!s) return;
    od_row_scorer_free(&s->rows);
    if (s->encoder.schema) od_encoder_free(&s->encoder);
    od_free(s->match.source);
    od_free(s->cells);
    od_free(s);
}

const odim_model *odim_scorer_model(const odim_scorer *s)
{
    return s ? s->model : NULL;
}

/* ---- scoring ----------------------------------------------------------------------------------------- */

/* A level as the encoder wants it: the number of levels stands for all that the model does not have. */
static double level_or_other(const od_schema_col *c, double value)
{
    int64_t n = od_levels_count(&c->levels);
    if (isnan(value)) return value;
    return value >= 0.0 && value < (double)n && value == floor(value) ? value : (double)n;
}

/* Scores `count` rows that begin at cells, the first of which is row `first` of those the caller gave. */
static odim_status score_block(odim_scorer *s, const double *cells, int64_t stride, int64_t first,
                               int64_t count, double *scores, double *raw, odim_error *err)
{
    s->block.cells = cells;
    s->block.stride = stride;
    s->block.n = count;
    s->block.first = first;
    odim_status status = od_row_scorer_block(&s->rows, NULL, &s->encoder, NULL, 0, count, err);
    for (int64_t i = 0; !status && i < count; i++) {
        const od_evidence e = od_row_scorer_at(&s->rows, i);
        if (scores) scores[first + i] = od_final_score(s->model, &e);
        if (raw) raw[first + i] = e.raw;
    }
    return status;
}

odim_status odim_scorer_score(odim_scorer *s, const double *values, int64_t rows, int64_t stride,
                              double *scores, double *raw, odim_error *err)
{
    OD_NEED(s, "scorer", err);
    if (rows < 1) return ODIM_OK;
    OD_NEED(values, "values", err);
    const od_schema *schema = &s->model->schema;
    if (stride == 0) stride = schema->cols;
    if (stride < schema->cols)
        return od_fail(err, ODIM_ERR_PARAM, "stride is %lld, but the model has %lld columns",
                       (long long)stride, (long long)schema->cols);
    odim_status status = ODIM_OK;
    for (int64_t at = 0; !status && at < rows; at += BLOCK_ROWS) {
        int64_t count = rows - at < BLOCK_ROWS ? rows - at : BLOCK_ROWS, step = stride;
        const double *cells = values + at * stride;
        if (s->has_levels) {
            for (int64_t i = 0; i < count; i++) {
                double *to = s->cells + i * schema->cols;
                memcpy(to, cells + i * stride, (size_t)schema->cols * sizeof *to);
                for (int64_t j = 0; j < schema->cols; j++)
                    if (schema->col[j].type == ODIM_CATEGORICAL)
                        to[j] = level_or_other(&schema->col[j], to[j]);
            }
            cells = s->cells;
            step = schema->cols;
        }
        status = score_block(s, cells, step, at, count, scores, raw, err);
    }
    return status;
}

/* The model's code of a level of the table's column. */
static double code_of(const od_schema_col *c, const od_column *col, double value)
{
    int64_t n = od_levels_count(&c->levels);
    if (isnan(value)) return value;
    if (value >= (double)od_levels_count(&col->levels)) return (double)n; /* one of too many */
    size_t code = (size_t)value;
    const char *text = od_strlist_at(&col->levels.texts, code);
    /* A table that was read for this model has its levels first. */
    if ((int64_t)code < n && strcmp(od_strlist_at(&c->levels.texts, code), text) == 0) return value;
    int64_t found = od_levels_find(&c->levels, text, strlen(text));
    return found < 0 ? (double)n : (double)found;
}

odim_status odim_scorer_table(odim_scorer *s, const odim_table *table, double *scores, double *raw,
                              odim_error *err)
{
    OD_NEED(s, "scorer", err);
    OD_NEED(table, "table", err);
    const od_schema *schema = &s->model->schema;
    odim_status status = od_encoder_match(&s->match, table, err);
    for (int64_t at = 0; !status && at < table->n; at += BLOCK_ROWS) {
        int64_t count = table->n - at < BLOCK_ROWS ? table->n - at : BLOCK_ROWS;
        for (int64_t i = 0; i < count; i++) {
            for (int64_t j = 0; j < schema->cols; j++) {
                const od_schema_col *c = &schema->col[j];
                int64_t from = s->match.source[j];
                double value = from < 0 ? NAN : od_table_cell(table, at + i, from);
                if (from >= 0 && c->type == ODIM_CATEGORICAL) value = code_of(c, &table->col[from], value);
                s->cells[i * schema->cols + j] = value;
            }
        }
        status = score_block(s, s->cells, schema->cols, at, count, scores, raw, err);
    }
    if (!status && scores) od_score_raise_bad(s->model, table, scores);
    return status;
}

/* ---- cells that come as text ------------------------------------------------------------------------- */

odim_status odim_model_value(const odim_model *model, int64_t col, const char *text, double *value,
                             odim_error *err)
{
    OD_NEED(value, "value", err);
    *value = NAN;
    OD_NEED(model, "model", err);
    OD_NEED(text, "text", err);
    if (col < 0 || col >= model->schema.cols)
        return od_fail(err, ODIM_ERR_PARAM, "column %lld of %lld", (long long)col,
                       (long long)model->schema.cols);
    return od_cell_value(&model->schema, col, text, strlen(text), value, err);
}

double odim_model_bad_row_score(const odim_model *model, double score)
{
    return model ? od_score_of_bad(model, score) : NAN;
}
