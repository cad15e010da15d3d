/* Answers the public questions about a model: its columns, members and detectors. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/isotime.h"
#include "base/sized.h"
#include "common/numtext.h"
#include "model/model.h"
#include "prep/cell_format.h"
#include "model/params.h"

#define TEXT_ROOM 200 /* for a value; a longer level is cut */

int64_t odim_model_rows(const odim_model *m)
{
    return m ? m->schema.rows : 0;
}

int64_t odim_model_cols(const odim_model *m)
{
    return m ? m->schema.cols : 0;
}

int64_t odim_model_features(const odim_model *m)
{
    return m ? m->schema.features : 0;
}

odim_status odim_model_column(const odim_model *m, int64_t col, odim_column_info *out, odim_error *err)
{
    OD_NEED(m, "model", err);
    OD_NEED(out, "out", err);
    if (col < 0 || col >= m->schema.cols)
        return od_fail(err, ODIM_ERR_PARAM, "column %lld of %lld", (long long)col, (long long)m->schema.cols);
    const od_schema_col *c = &m->schema.col[col];
    double low, high;
    od_schema_usual(&m->schema, col, &low, &high);
    const odim_column_info info = {
        .name = c->name,
        .type = c->type,
        .ignored = od_schema_why(c->ignored),
        .missing = c->missing,
        .low = c->low,
        .high = c->high,
        .usual_low = low,
        .usual_high = high,
        .levels = od_levels_count(&c->levels),
        .own_levels = c->own_levels,
        .features = c->features,
        .least = m->schema.least,
        .dropped = c->dropped,
    };
    return od_sized_out(out, &info, sizeof info, "out", err);
}

const char *odim_model_level(const odim_model *m, int64_t col, int64_t level, int64_t *rows)
{
    if (!m || col < 0 || col >= m->schema.cols) return NULL;
    const od_schema_col *c = &m->schema.col[col];
    if (level < 0 || level >= od_levels_count(&c->levels)) return NULL;
    if (rows) *rows = c->level_count[level];
    return od_strlist_at(&c->levels.texts, (size_t)level);
}

const char *odim_model_get(const odim_model *m, const char *name, char *buf, size_t size)
{
    if (!m || !buf) return NULL;
    odim_params params = {.config = m->config};
    const char *value = odim_params_get(&params, name);
    if (!value || (strcmp(name, "min-level-count") == 0 && !od_schema_counted(&m->schema))) return NULL;
    for (int i = 0; i < odim_param_count(); i++)
        if (strcmp(odim_param_at(i)->name, name) == 0 && !od_params_apply(&m->config, odim_param_at(i)))
            return NULL;
    snprintf(buf, size, "%s", value);
    return buf;
}

/* Decimals that tell the values of a column apart. Amounts, whose scale is logarithmic, keep three digits
 * where they are small, as far as the values of the column have them. */
static int decimals_of(const odim_model *m, int64_t col, double value)
{
    double low, high;
    od_schema_usual(&m->schema, col, &low, &high);
    double span = high - low,
           step = m->schema.checks.cols ? m->schema.checks.col[col].limits.resolution : 0.0;
    int decimals = span > 0 && isfinite(span) ? 2 - (int)floor(log10(span)) : 6;
    if (step > 0 && value != 0 && isfinite(value)) {
        int digits = 2 - (int)floor(log10(fabs(value))), most = (int)ceil(-log10(step) - 1e-9);
        if (digits > most) digits = most;
        if (digits > decimals) decimals = digits;
    }
    return decimals < 0 ? 0 : decimals;
}

/* The text of a level by its number, which comes as a cell's value does. */
static const char *level_text(const odim_model *m, int64_t col, double value)
{
    bool known = value >= 0 && value < (double)od_levels_count(&m->schema.col[col].levels);
    return known ? odim_model_level(m, col, (int64_t)value, NULL) : "another";
}

static bool has_clock(const od_schema_col *c)
{
    const double known[] = {c->low, c->high, c->usual_low, c->usual_high};
    bool clock = c->cycles & OD_CYCLE_DAY;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        clock |= isfinite(known[i]) && fmod(known[i], OD_DAY) != 0.0;
    return clock;
}

/* A time to the day where the column has only days, else to the minute, or to the second within an hour. */
static double rounded(const od_schema_col *c, double value)
{
    double unit = !has_clock(c) ? OD_DAY : c->high - c->low < 3600 ? 1 : 60;
    return c->type == ODIM_TIME ? floor(value / unit) * unit : value;
}

const char *odim_model_format(const odim_model *m, int64_t col, char *buf, size_t size)
{
    if (!buf || !size) return buf;
    *buf = '\0';
    if (!m || col < 0 || col >= m->schema.cols) return buf;
    return od_cell_format_text(m->schema.col[col].type, &m->schema.col[col].format, buf, size);
}

const char *odim_model_text(const odim_model *m, int64_t col, double value, char *buf, size_t size)
{
    char text[TEXT_ROOM];
    if (!buf || !size) return buf;
    *text = '\0';
    if (m && col >= 0 && col < m->schema.cols && !isnan(value)) {
        const od_schema_col *c = &m->schema.col[col];
        if (c->type == ODIM_CATEGORICAL)
            snprintf(text, sizeof text, "%s", level_text(m, col, value));
        else if (c->type == ODIM_NUMERIC)
            od_num_fixed(text, value, decimals_of(m, col, value));
        else
            od_table_text(&(od_column){.type = c->type}, false, rounded(c, value), text, sizeof text);
    }
    return od_printable(buf, size, text, strlen(text));
}
