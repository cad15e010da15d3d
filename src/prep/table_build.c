/* Builds a table from columns in memory. */
#include "prep/table_build.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "common/numtext.h"
#include "prep/type_infer.h"
#include "prep/columns.h"
#include "prep/text_columns.h"
#include "prep/text_types.h"

static const od_strlist no_na;

/* One column on its way into the table. */
typedef struct given {
    const odim_column *from;
    int64_t number; /* from 0, among the caller's */
    od_column *to;
    const od_text_profiles *texts;
    int64_t rows;
    double *cell; /* the first of the table's; one in `stride` is the column's */
    int64_t stride;
} given;

/* ---- what can be wrong ---------------------------------------------------------------------------- */

/* "row 3, column 'a': '12x' is not a number" */
static odim_status fail_cell(const given *g, int64_t row, const char *text, const char *what, odim_error *err)
{
    char name[40], shown[40];
    return od_fail_at(err, ODIM_ERR_DATA, row + 1, g->number + 1, "row %lld, column '%s': '%s' is %s",
                      (long long)(row + 1), od_printable(name, sizeof name, g->to->name, strlen(g->to->name)),
                      od_printable(shown, sizeof shown, text, strlen(text)), what);
}

/* A cell that does not fit its column. */
static odim_status fail_kind(const given *g, int64_t row, const char *text, odim_error *err)
{
    char kind[140], what[300];
    snprintf(what, sizeof what, "not %s%s", od_cell_kind_text(g->to->type, &g->to->format, kind, sizeof kind),
             g->to->doubt ? ", but nearly all other cells of the column are; correct it, make it missing, or "
                            "make the column a category"
                          : "");
    return fail_cell(g, row, text, what, err);
}

static odim_status fail_text(const given *g, int64_t row, const char *text, odim_error *err)
{
    double value;
    od_num kind = g->to->type == ODIM_TIME ? OD_NUM_NOT : od_num_parse(text, strlen(text), &value);
    if (kind == OD_NUM_NONFINITE) return fail_cell(g, row, text, "not a finite number", err);
    if (kind == OD_NUM_OVERFLOW) return fail_cell(g, row, text, "too large for a number of 64 bits", err);
    return fail_kind(g, row, text, err);
}

static odim_status check_codes(const odim_column *c, int64_t number, int64_t rows, odim_error *err)
{
    for (int64_t i = 0; i < rows; i++)
        if (c->codes[i] >= c->text_count)
            return od_fail_at(err, ODIM_ERR_PARAM, i + 1, number + 1,
                              "row %lld, column %lld: text %lld of %lld", (long long)(i + 1),
                              (long long)(number + 1), (long long)c->codes[i], (long long)c->text_count);
    return ODIM_OK;
}

static odim_status check_columns(const odim_column *columns, int64_t cols, int64_t rows, odim_error *err)
{
    if (!columns || cols < 1 || rows < 1)
        return od_fail(err, ODIM_ERR_DATA, "a table needs at least one row and one column");
    odim_status status = ODIM_OK;
    for (int64_t j = 0; !status && j < cols; j++) {
        const odim_column *c = &columns[j];
        bool texts = c->codes && (c->texts || c->text_count < 1);
        if (!c->numbers == !texts || (c->typed && (unsigned)c->type > ODIM_TIME))
            return od_fail_at(err, ODIM_ERR_PARAM, 0, j + 1,
                              "column %lld: numbers, or codes and texts, and a type that is known",
                              (long long)(j + 1));
        if (texts) status = check_codes(c, j, rows, err);
    }
    return status;
}

/* The blanks around a word are not part of it. */
static const char *trim(const char *text, size_t *len)
{
    *len = strlen(text);
    while (*text == ' ' || *text == '\t') text++, --*len;
    while (*len && (text[*len - 1] == ' ' || text[*len - 1] == '\t')) --*len;
    return text;
}

/* The value of a column that describes texts. */
static double describe(const given *g, const char *text)
{
    size_t len;
    od_text_values values;
    text = trim(text, &len);
    od_cell_describe(&g->texts->list[g->to->format.text], text, len, &no_na, values);
    return values[g->to->format.feature];
}

/* ---- numbers -------------------------------------------------------------------------------------- */

/* A number where its column is not simply one of numbers, or not finite. */
static odim_status take_odd_number(const given *g, int64_t row, double *v, bool is_time, odim_error *err)
{
    char text[OD_NUM_ROOM];
    if (isinf(*v)) return fail_cell(g, row, *v > 0 ? "inf" : "-inf", "not a finite number", err);
    od_num_format(text, *v, false);
    if (is_time)
        return fail_cell(g, row, text, "a time (seconds since 1970), and the column has no times", err);
    if (g->to->format.feature) {
        *v = describe(g, text);
        return ODIM_OK;
    }
    if (g->to->type == ODIM_TIME && g->to->format.order >= OD_DATE_SECONDS) /* since 1970 */
        return od_cell_parse(ODIM_TIME, &g->to->format, text, strlen(text), &no_na, v)
                   ? ODIM_OK
                   : fail_kind(g, row, text, err);
    if (g->to->type == ODIM_TIME) return fail_kind(g, row, text, err);
    if (g->to->type == ODIM_BOOLEAN) return *v == 0 || *v == 1 ? ODIM_OK : fail_kind(g, row, text, err);
    uint32_t code;
    odim_status status = od_levels_code(&g->to->levels, text, strlen(text), &code, err);
    if (!status) *v = code;
    return status;
}

static odim_status take_numbers(const given *g, odim_error *err)
{
    odim_status status = ODIM_OK;
    bool is_time = g->from->typed && g->from->type == ODIM_TIME;
    bool plain = g->to->type == (is_time ? ODIM_TIME : ODIM_NUMERIC) && !g->to->format.feature;
    for (int64_t i = 0; !status && i < g->rows; i++) {
        double v = g->from->numbers[i];
        if (!isnan(v) && (!plain || isinf(v))) status = take_odd_number(g, i, &v, is_time, err);
        g->cell[i * g->stride] = v;
    }
    return status;
}

/* ---- types ------------------------------------------------------------------------------------------ */

/* Counts the cells as those of a file. */
static odim_status count_texts(const odim_column *from, int64_t rows, bool is_id_name, bool parts,
                               od_type_votes *votes, odim_error *err)
{
    odim_status status = ODIM_OK;
    for (int64_t i = 0; !status && i < rows; i++) {
        size_t len;
        const char *text = from->codes[i] < 0 ? "" : from->texts[from->codes[i]];
        if (!od_type_votes_add(votes, text, strlen(text), &no_na, is_id_name) || !parts) continue;
        text = trim(text, &len);
        status = od_text_counts_add(&votes->parts, text, len, err);
    }
    return status;
}

static void count_numbers(const odim_column *from, int64_t rows, bool is_id_name, od_type_votes *votes)
{
    for (int64_t i = 0; i < rows; i++) {
        double v = from->numbers[i];
        char text[OD_NUM_ROOM];
        if (!is_id_name) {
            od_type_votes_add_number(votes, v);
        } else if (!isnan(v)) { /* how many are different is counted by their texts */
            od_num_format(text, v, false);
            od_type_votes_add(votes, text, strlen(text), &no_na, true);
        }
    }
}

/* The levels of a category in a part of the rows. */
static odim_status count_levels(const odim_column *from, int64_t rows, od_type_votes *votes, odim_error *err)
{
    odim_status status = ODIM_OK;
    if (from->type != ODIM_CATEGORICAL || !votes->in_part) return ODIM_OK;
    for (int64_t i = 0; !status && i < rows; i++) {
        char number[OD_NUM_ROOM];
        size_t len;
        const char *text = "";
        if (from->numbers && !isnan(from->numbers[i]))
            text = od_num_format(number, from->numbers[i], false);
        else if (!from->numbers && from->codes[i] >= 0)
            text = from->texts[from->codes[i]];
        text = trim(text, &len);
        if (!od_cell_is_missing(text, len, &no_na)) status = od_type_votes_add_level(votes, text, len, err);
    }
    return status;
}

/* Adds the cells of columns whose types are open to the votes (features). */
static odim_status count_cells(const od_columns *c, const odim_table *t, const odim_column *columns,
                               int64_t rows, od_type_votes *votes, odim_error *err)
{
    odim_status status = ODIM_OK;
    for (int64_t k = 0; !status && k < c->features; k++) {
        const odim_column *from = &columns[c->feature[k]];
        bool is_id_name = od_type_is_id_name(t->col[k].name);
        if (from->typed)
            status = count_levels(from, rows, &votes[k], err);
        else if (from->numbers)
            count_numbers(from, rows, is_id_name, &votes[k]);
        else
            status = count_texts(from, rows, is_id_name, k < OD_TEXT_COLUMNS, &votes[k], err);
    }
    return status;
}

static odim_status check_voted(const odim_table *t, const od_voted *voted, odim_error *err)
{
    char name[64];
    if ((size_t)t->d != voted->names->count)
        return od_fail(err, ODIM_ERR_DATA, "%lld columns, but the scan has %zu", (long long)t->d,
                       voted->names->count);
    for (int64_t k = 0; k < t->d; k++)
        if (strcmp(t->col[k].name, od_strlist_at(voted->names, (size_t)k)) != 0)
            return od_fail_at(err, ODIM_ERR_DATA, 0, k + 1,
                              "column %lld is '%s', which it is not in the scan", (long long)(k + 1),
                              od_table_show(t, k, name, sizeof name));
    return ODIM_OK;
}

/* The types of all columns together, as of a file. One may become the name of the rows, and one several. */
static odim_status find_types(od_columns *c, odim_table *t, const odim_column *columns, int64_t rows,
                              const od_voted *voted, odim_error *err)
{
    static const od_type_hints none;
    int64_t features = c->features;
    od_type_votes *votes = voted ? NULL : od_calloc((size_t)features, sizeof *votes);
    odim_status status = voted   ? check_voted(t, voted, err)
                         : votes ? count_cells(c, t, columns, rows, votes, err)
                                 : od_fail_nomem(err);
    for (int64_t k = 0; !status && k < features; k++) {
        const odim_column *from = &columns[c->feature[k]];
        if (!from->typed) continue;
        t->col[k].type = from->type;
        t->col[k].forced = c->decided[k] = true;
    }
    if (!status) status = od_text_types_decide(c, t, voted ? voted->votes : votes, &none, OD_IDS_FIND, err);
    if (!status) status = od_columns_list_file(c, t, err);
    if (votes) od_type_votes_clear(votes, features);
    od_free(votes);
    return status;
}

/* The name of each row. */
static odim_status take_ids(odim_table *t, const odim_column *from, int64_t rows, odim_error *err)
{
    odim_status status = ODIM_OK;
    for (int64_t i = 0; !status && i < rows; i++) {
        char number[OD_NUM_ROOM];
        const char *text = "";
        if (from->numbers && !isnan(from->numbers[i]))
            text = od_num_format(number, from->numbers[i], false);
        else if (!from->numbers && from->codes[i] >= 0)
            text = from->texts[from->codes[i]];
        status = od_strlist_add(&t->ids, text, strlen(text), err);
    }
    return status;
}

/* ---- texts ---------------------------------------------------------------------------------------- */

static odim_status take_text(const given *g, int64_t row, const char *text, double *out, odim_error *err)
{
    size_t len;
    uint32_t code;
    if (g->to->format.feature) {
        *out = describe(g, text);
        return ODIM_OK;
    }
    if (g->to->type != ODIM_CATEGORICAL)
        return od_cell_parse(g->to->type, &g->to->format, text, strlen(text), &no_na, out)
                   ? ODIM_OK
                   : fail_text(g, row, text, err);
    text = trim(text, &len);
    *out = NAN;
    if (od_cell_is_missing(text, len, &no_na)) return ODIM_OK;
    odim_status status = od_levels_code(&g->to->levels, text, len, &code, err);
    if (!status) *out = code;
    return status;
}

/* Each text is looked at once, where it is first met. */
static odim_status take_texts(const given *g, odim_error *err)
{
    size_t count = g->from->text_count > 0 ? (size_t)g->from->text_count : 0;
    double *value = od_alloc(count, sizeof *value);
    bool *seen = od_calloc(count, sizeof *seen);
    odim_status status = value && seen ? ODIM_OK : od_fail_nomem(err);
    for (int64_t i = 0; !status && i < g->rows; i++) {
        int32_t code = g->from->codes[i];
        if (code >= 0 && !seen[code]) status = take_text(g, i, g->from->texts[code], &value[code], err);
        if (code >= 0) seen[code] = true;
        g->cell[i * g->stride] = code >= 0 ? value[code] : NAN;
    }
    od_free(value);
    od_free(seen);
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------------ */

/* Names and types; without a model the type is the caller's, or found. */
static odim_status name_columns(od_columns *c, const odim_column *columns, int64_t cols, odim_error *err)
{
    int64_t named = 0;
    for (int64_t j = 0; j < cols; j++) named += columns[j].name && *columns[j].name;
    if (!named) return od_columns_number(c, cols, err);
    odim_status status = ODIM_OK;
    for (int64_t j = 0; !status && j < cols; j++) {
        const char *name = columns[j].name ? columns[j].name : "";
        status = od_columns_add(c, name, strlen(name), err);
    }
    return status;
}

static odim_status build(odim_table *t, od_columns *c, const odim_column *columns, int64_t cols, int64_t rows,
                         const od_schema *like, const od_voted *voted, odim_error *err)
{
    static const odim_read_options none = {0};
    odim_status status = name_columns(c, columns, cols, err);
    if (!status) status = od_columns_settle(c, t, &none, like, false, err);
    if (!status && !like) status = find_types(c, t, columns, rows, voted, err);
    if (status) return status;
    size_t count;
    if (!od_mul((size_t)rows, (size_t)t->d, &count)) return od_fail_nomem(err);
    double *cells = od_alloc(count, sizeof *cells);
    if (!cells) return od_fail_nomem(err);
    t->n = rows;
    t->is_f64 = true;
    t->cells = cells;
    for (int64_t k = 0; !status && k < t->d; k++) {
        int64_t j = c->feature[k];
        given g = {&columns[j], j, &t->col[k], &t->texts, rows, cells + k, t->d};
        status = g.from->numbers ? take_numbers(&g, err) : take_texts(&g, err);
    }
    if (!status && !like && c->id >= 0) status = take_ids(t, &columns[c->id], rows, err);
    return status;
}

odim_status od_table_build(odim_table **out, const odim_column *columns, int64_t cols, int64_t rows,
                           const od_schema *like, const od_voted *voted, odim_error *err)
{
    *out = NULL;
    odim_status status = check_columns(columns, cols, rows, err);
    if (status) return status;
    odim_table *t = od_table_new();
    if (!t) return od_fail_nomem(err);
    od_columns c = {0};
    status = build(t, &c, columns, cols, rows, like, voted, err);
    od_columns_free(&c);
    if (status) {
        odim_table_free(t);
        return status;
    }
    *out = t;
    return ODIM_OK;
}

odim_status od_table_vote(const odim_column *columns, int64_t cols, int64_t rows, od_strlist *names,
                          od_type_votes *votes, odim_error *err)
{
    static const odim_read_options none = {0};
    odim_status status = rows ? check_columns(columns, cols, rows, err) : ODIM_OK;
    if (status) return status;
    odim_table *t = od_table_new();
    od_columns c = {0};
    status = t ? name_columns(&c, columns, cols, err) : od_fail_nomem(err);
    if (!status) status = od_columns_settle(&c, t, &none, NULL, false, err);
    for (int64_t k = 0; !status && k < t->d; k++)
        status = od_strlist_add(names, t->col[k].name, strlen(t->col[k].name), err);
    if (!status) status = count_cells(&c, t, columns, rows, votes, err);
    od_columns_free(&c);
    odim_table_free(t);
    return status;
}
