/* Reasons in words. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/picture_reasons.h"
#include "model/model.h"
#include "prep/checks_rules.h"
#include "prep/spelling.h"

#define LEAST_SHARE 0.01 /* of what is so thinly spread no column is the reason */

/* A cell and what is said of it. */
typedef struct remark {
    const odim_model *model;
    const odim_table *table;
    const od_schema_col *col;
    const odim_reason *reason;
    int64_t row;
    char text[160]; /* of the cell, if the column is a category */
    int64_t known;  /* the level's number in the model, -1: it has none */
} remark;

static remark look(const odim_model *m, const odim_table *t, int64_t row, const odim_reason *reason)
{
    remark r = {m, t, &m->schema.col[reason->col], reason, row, "", -1};
    int64_t source = od_table_find(t, r.col->name, reason->col);
    if (r.col->type != ODIM_CATEGORICAL || source < 0 || isnan(reason->value)) return r;
    odim_table_text(t, row, source, r.text, sizeof r.text);
    r.known = od_levels_find(&r.col->levels, r.text, strlen(r.text));
    return r;
}

const char *odim_reason_kind_text(odim_reason_kind kind)
{
    static const char *const names[] = {"value", "combination", "contradiction",
                                        "level", "missing",     "unreadable"};
    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "unknown";
}

static bool is_public(const remark *r)
{
    return r->model->config.dp_epsilon > 0;
}

/* Whether the table is most likely the one that the model was fitted on, as always with detect, and the
 * cell's level occurs in it only once. */
static bool is_only_one(const remark *r)
{
    int64_t source = od_table_find(r->table, r->col->name, r->reason->col), count = 0;
    if (!r->model->fresh || r->model->schema.rows != r->table->n || source < 0) return false;
    for (int64_t i = 0; i < r->table->n && count < 2; i++)
        count += od_table_cell(r->table, i, source) == r->reason->value;
    return count == 1;
}

/* "written unlike the others, which look like 99999", if the cell of a column of codes is. */
static bool write_pattern(const remark *r, char *buf, size_t size)
{
    const od_checks *checks = &r->model->schema.checks;
    const od_strlist *patterns = checks->cols ? &checks->col[r->reason->col].patterns : NULL;
    if (!patterns || !patterns->count || !*r->text || od_patterns_fit(patterns, r->text)) return false;
    char first[OD_PATTERN_ROOM + 16];
    const char *pattern = od_strlist_at(patterns, 0);
    snprintf(buf, size, "written unlike the others, which look like %s%s",
             od_printable(first, sizeof first, pattern, strlen(pattern)),
             patterns->count > 1 ? " and the like" : "");
    return true;
}

/* Of a level that is new or rare: how often it was seen. */
static void write_count(const remark *r, char *buf, size_t size)
{
    int64_t count = r->known < 0 ? 0 : r->col->level_count[r->known];
    /* A level that is not kept has fewer rows than one that is, and is in no more rows than all such levels.
     */
    int64_t most =
        r->model->schema.least - 1 < r->col->dropped ? r->model->schema.least - 1 : r->col->dropped;
    if (is_public(r))
        snprintf(buf, size, "not among its levels");
    else if (r->known >= 0)
        snprintf(buf, size, "seen in %lld training row%s", (long long)count, count == 1 ? "" : "s");
    else if (most == 1 && is_only_one(r))
        snprintf(buf, size, "occurs only once in this table");
    else if (most <= 0)
        snprintf(buf, size, "never seen in training");
    else if (most == 1)
        snprintf(buf, size, "seen at most once in training");
    else
        snprintf(buf, size, "in fewer than %lld training rows", (long long)most + 1);
}

/* "did you mean 'Berlin'?", if what was expected is written nearly like the cell; whether it is. */
static bool write_suggestion(const remark *r, char *buf, size_t size)
{
    double level = r->reason->expected;
    if (!(level >= 0 && level < (double)od_levels_count(&r->col->levels))) return false;
    const char *text = od_strlist_at(&r->col->levels.texts, (size_t)level);
    char shown[80];
    if (!od_spelling_near(r->text, text)) return false;
    snprintf(buf, size, "did you mean '%s'?", od_printable(shown, sizeof shown, text, strlen(text)));
    return true;
}

static void write_range(const remark *r, const char *before, char *buf, size_t size)
{
    double from, to;
    char low[48], high[48];
    od_schema_usual(&r->model->schema, r->reason->col, &from, &to);
    odim_model_text(r->model, r->reason->col, from, low, sizeof low);
    odim_model_text(r->model, r->reason->col, to, high, sizeof high);
    snprintf(buf, size, "%s%s to %s", before, low, high);
}

/* Missing cells of a row that is mostly empty, else 0. */
static int64_t count_gaps(const remark *r, int64_t *used)
{
    const od_schema *s = &r->model->schema;
    int64_t gaps = 0;
    *used = 0;
    for (int64_t j = 0; j < s->cols; j++) {
        bool skip = s->col[j].ignored || od_schema_is_further(&s->col[j]);
        int64_t source = skip ? -1 : od_table_find(r->table, s->col[j].name, j);
        *used += source >= 0;
        gaps += source >= 0 && isnan(od_table_cell(r->table, r->row, source));
    }
    return od_checks_is_empty(&s->checks, gaps, *used) ? gaps : 0;
}

/* Of a missing cell, whether there is anything to say. */
static bool write_gap(const remark *r, char *buf, size_t size)
{
    const od_checks *checks = &r->model->schema.checks;
    int64_t used, gaps = checks->cols ? count_gaps(r, &used) : 0;
    if (gaps && gaps == used)
        snprintf(buf, size, "the row is empty");
    else if (gaps)
        snprintf(buf, size, "the row is mostly empty, with %lld of %lld values missing", (long long)gaps,
                 (long long)used);
    else if (checks->cols && checks->col[r->reason->col].missing > 0.0)
        snprintf(buf, size, "hardly ever missing otherwise");
    else
        return false;
    return true;
}

/* Whether the value is one of a run, as of a sensor that is stuck. */
static bool is_stuck(const remark *r)
{
    const od_checks *checks = &r->model->schema.checks;
    if (!checks->cols || checks->col[r->reason->col].run_key == -1) return false;
    const od_column_check *c = &checks->col[r->reason->col];
    if (c->run_key == OD_RUN_ROWS)
        return od_checks_in_run(c, r->reason->value, (double)od_table_row(r->table, r->row));
    int64_t source = od_table_find(r->table, r->model->schema.col[c->run_key].name, c->run_key);
    return source >= 0 && od_checks_in_run(c, r->reason->value, od_table_cell(r->table, r->row, source));
}

/* The name of a column of a rule, and of a factor such as 1 - discount. */
static void write_term(const remark *r, const od_rule *rule, int k, char *buf, size_t size)
{
    char name[48];
    od_schema_show(&r->model->schema.col[rule->col[k]], name, sizeof name);
    double share = rule->kind == OD_RULE_PRODUCT ? rule->share[k] : 0.0;
    const char *sign = share < 0.0 ? "-" : "+";
    if (share == 0.0)
        snprintf(buf, size, "%s", name);
    else
        snprintf(buf, size, fabs(share) == 1.0 ? "(1 %s %s)" : "(1 %s %s / 100)", sign, name);
}

/* "total = quantity x price". */
static void write_rule(const remark *r, const od_rule *rule, char *buf, size_t size)
{
    char term[80];
    size_t used = 0;
    int left = 0;
    /* A sum has its total on the left, if it has one. */
    for (int k = 0; rule->kind == OD_RULE_SUM && k < rule->terms; k++) {
        int same = 0;
        for (int i = 0; i < rule->terms; i++) same += rule->weight[i] * rule->weight[k] > 0.0;
        if (same == 1) left = k;
    }
    write_term(r, rule, left, term, sizeof term);
    used += (size_t)snprintf(buf, size, "%s =", term);
    for (int k = 0, first = 1; k < rule->terms && used < size; k++) {
        if (k == left) continue;
        bool is_sum = rule->kind == OD_RULE_SUM, plus = rule->weight[k] * rule->weight[left] < 0.0;
        if (rule->kind == OD_RULE_ADDED && k == 3) {
            is_sum = true;
            plus = rule->weight[3] > 0.0;
        }
        const char *sign = is_sum ? (plus ? (first ? "" : "+ ") : "- ") : first ? "" : "x ";
        write_term(r, rule, k, term, sizeof term);
        used += (size_t)snprintf(buf + used, size - used, " %s%s", sign, term);
        first = 0;
    }
    double constant = rule->kind == OD_RULE_PRODUCT ? rule->constant : 1.0;
    if (used < size && constant != 1.0) snprintf(buf + used, size - used, " x %.6g", constant);
}

/* Says which rule of the table the row breaks, if it is one about this column. */
static bool write_broken(const remark *r, char *buf, size_t size)
{
    const od_schema *s = &r->model->schema;
    od_encoder encoder;
    double x[OD_RULE_TERMS];
    odim_error err;
    if (!s->checks.rules.count || od_encoder_new(&encoder, s, r->table, &err)) return false;
    const od_rule *rule = od_checks_broken(&s->checks, &encoder, r->row, r->reason->col, x);
    od_encoder_free(&encoder);
    if (!rule) return false;
    char words[200], value[80], name[48];
    if (rule->kind == OD_RULE_ORDER) {
        bool first = rule->col[0] == r->reason->col;
        od_schema_show(&s->col[rule->col[first]], name, sizeof name);
        odim_model_text(r->model, rule->col[first], x[first], value, sizeof value);
        bool is_time = r->col->type == ODIM_TIME;
        snprintf(buf, size, "%s %s %s, never so elsewhere",
                 is_time ? (first ? "after" : "before") : (first ? "more than" : "less than"), name, value);
        return true;
    }
    bool is_mean = false, is_span = false;
    for (int k = 0; k < rule->terms && rule->kind == OD_RULE_SUM; k++) {
        is_mean |= fabs(rule->weight[k]) > 1.0 && rule->share[0] == 0.0;
        is_span |= rule->share[k] != 0.0;
    }
    if (isnan(r->reason->expected) || is_mean || is_span) return false;
    write_rule(r, rule, words, sizeof words);
    odim_model_text(r->model, r->reason->col, r->reason->expected, value, sizeof value);
    snprintf(buf, size, "expected %s, since %s", value, words);
    return true;
}

static void write_expected(const remark *r, char *buf, size_t size)
{
    bool is_number = r->col->type == ODIM_NUMERIC || r->col->type == ODIM_TIME;
    char value[80], range[120] = "";
    if (is_stuck(r)) {
        snprintf(buf, size, "the same value in many rows in a row, as if stuck");
        return;
    }
    if (r->reason->kind == ODIM_REASON_CONTRADICTION && write_broken(r, buf, size)) return;
    bool is_another = r->col->type == ODIM_CATEGORICAL && r->reason->expected < 0; /* which helps nobody */
    if (isnan(r->reason->expected) || is_another) {
        snprintf(buf, size,
                 r->reason->kind == ODIM_REASON_CONTRADICTION
                     ? "contradicts the other columns"
                     : "unusual in combination with the other columns");
        return;
    }
    odim_model_text(r->model, r->reason->col, r->reason->expected, value, sizeof value);
    if (r->reason->kind == ODIM_REASON_CONTRADICTION) {
        snprintf(buf, size, "about %s expected from the other columns", value);
        return;
    }
    if (is_number && r->reason->kind == ODIM_REASON_COMBINATION && r->model->schema.checks.cols > 1) {
        snprintf(buf, size, "expected about %s given the other columns", value);
        return;
    }
    if (is_number) write_range(r, is_public(r) ? ", bounds " : ", usually ", range, sizeof range);
    bool is_level = r->col->type == ODIM_CATEGORICAL && r->reason->expected >= 0;
    snprintf(buf, size,
             is_number  ? "expected about %s%s"
             : is_level ? "expected '%s'%s"
                        : "expected %s%s",
             value, range);
}

/* What follows the colon. */
static void write_words(const remark *r, char *buf, size_t size)
{
    if (r->reason->kind == ODIM_REASON_MISSING && write_gap(r, buf, size)) return;
    if (r->reason->kind != ODIM_REASON_LEVEL) {
        write_expected(r, buf, size);
        return;
    }
    char count[64], more[160] = "";
    if (write_pattern(r, buf, size)) return;
    write_count(r, count, sizeof count);
    write_suggestion(r, more,
                     sizeof more); /* what the model expects instead is often just the commonest level */
    snprintf(buf, size, "%s%s%s", count, *more ? ", " : "", more);
}

/* "load", and where another column has the same name, "load (column 3)". */
static void write_name(const odim_model *m, int64_t col, char *buf, size_t size)
{
    char name[64];
    bool is_shared = false;
    for (int64_t j = 0; j < m->schema.cols; j++)
        is_shared |= j != col && strcmp(m->schema.col[j].name, m->schema.col[col].name) == 0;
    od_schema_show(&m->schema.col[col], name, sizeof name);
    if (is_shared)
        snprintf(buf, size, "%s (column %lld)", name, (long long)col + 1);
    else
        snprintf(buf, size, "%s", name);
}

static void write_value(const remark *r, char *buf, size_t size)
{
    char level[48];
    if (isnan(r->reason->value))
        snprintf(buf, size, "is missing");
    else if (*r->text)
        snprintf(buf, size, "'%s'", od_printable(level, sizeof level, r->text, strlen(r->text)));
    else if (r->col->type == ODIM_TIME) /* all of it */
        od_table_text(&(od_column){.type = ODIM_TIME}, false, r->reason->value, buf, size);
    else
        odim_model_text(r->model, r->reason->col, r->reason->value, buf, size);
}

/* "62 %"; or "0.8 %, one of many". */
static void write_share(double share, char *buf, size_t size)
{
    if (share < LEAST_SHARE)
        snprintf(buf, size, "%.1g %%, one of many", 100 * share);
    else
        snprintf(buf, size, "%.0f %%", 100 * share);
}

/* "upper left (42 %): brighter than expected, about 180 instead of 60". */
static const char *write_part(const od_pixels *pixels, const odim_reason *reason, const char *share,
                              char *buf, size_t size)
{
    char more[80] = "";
    if (!isnan(reason->expected))
        snprintf(more, sizeof more, ", about %.0f instead of %.0f", reason->value, reason->expected);
    snprintf(buf, size, "%s (%s): %s%s", od_pixels_part_name(od_pixels_part(pixels, reason->col)), share,
             od_picture_reason_text(reason), more);
    return buf;
}

static bool has_cell(const odim_model *model, const odim_table *table, int64_t row, const odim_reason *reason)
{
    return model && table && row >= 0 && row < table->n && reason && reason->col >= 0 &&
           reason->col < model->schema.cols;
}

const char *odim_reason_text(const odim_model *model, const odim_table *table, int64_t row,
                             const odim_reason *reason, char *buf, size_t size)
{
    if (!buf || !size) return buf;
    *buf = '\0';
    if (!has_cell(model, table, row, reason)) return buf;
    if (reason->kind == ODIM_REASON_UNREADABLE) {
        const char *why = odim_table_bad_row(table, row);
        return why ? odim_printable(why, buf, size) : buf;
    }
    char name[96], value[80], share[48], words[300];
    od_pixels pixels;
    if (od_pixels_of(&model->schema, &pixels)) {
        write_share(reason->share, share, sizeof share);
        return write_part(&pixels, reason, share, buf, size);
    }
    const remark r = look(model, table, row, reason);
    write_name(model, reason->col, name, sizeof name);
    write_value(&r, value, sizeof value);
    write_share(reason->share, share, sizeof share);
    write_words(&r, words, sizeof words);
    snprintf(buf, size, "%s %s (%s): %s", name, value, share, words);
    return buf;
}

const char *odim_reason_usual(const odim_model *model, const odim_table *table, int64_t row,
                              const odim_reason *reason, char *buf, size_t size)
{
    if (!buf || !size) return buf;
    *buf = '\0';
    if (!has_cell(model, table, row, reason)) return buf;
    char usual[160] = "", more[160] = "";
    od_pixels pixels;
    if (reason->kind == ODIM_REASON_UNREADABLE) {
        snprintf(buf, size, "the row could not be read");
        return buf;
    }
    if (od_pixels_of(&model->schema, &pixels)) {
        snprintf(buf, size, "%s", od_picture_reason_text(reason));
        return buf;
    }
    const remark r = look(model, table, row, reason);
    if (reason->kind == ODIM_REASON_MISSING && write_gap(&r, buf, size)) return buf;
    if (reason->kind == ODIM_REASON_LEVEL) {
        write_count(&r, usual, sizeof usual);
        write_suggestion(&r, more, sizeof more);
    } else if (r.col->type == ODIM_CATEGORICAL) {
        snprintf(usual, sizeof usual, "one of %lld levels", (long long)od_levels_count(&r.col->levels));
    } else if (r.col->type == ODIM_BOOLEAN) {
        snprintf(usual, sizeof usual, "false or true");
    } else {
        write_range(&r, "", usual, sizeof usual);
    }
    if (reason->kind == ODIM_REASON_CONTRADICTION)
        snprintf(more, sizeof more, "contradicts the others");
    else if (reason->kind == ODIM_REASON_COMBINATION && isnan(reason->expected))
        snprintf(more, sizeof more, "unusual in combination");
    snprintf(buf, size, "%s%s%s", usual, *more ? "; " : "", more);
    return buf;
}
