/* Decides what the columns of a CSV file are, and says so in notes. */
#include "prep/text_types.h"

#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "prep/text_columns.h"

/* Columns that one note names, at most. */
#define NOTED_COLUMNS 5

bool od_text_types_open(const od_columns *c)
{
    for (int64_t k = 0; k < c->features; k++)
        if (!c->decided[k]) return true;
    return false;
}

/* ---- notes ------------------------------------------------------------------------------------------ */

static odim_status add_note(odim_table *t, const char *text, odim_error *err)
{
    return od_strlist_add(&t->notes, text, strlen(text), err);
}

/* What is worth saying about the format of a column; "" for nothing. */
static void describe(const od_cell_kind *kind, const od_type_votes *votes, char *out, size_t size)
{
    *out = '\0';
    bool whole = votes->numbers == votes->present && votes->points == 0;
    if (kind->type == ODIM_NUMERIC && whole) return; /* nothing in it shows the decimal mark */
    od_cell_format_text(kind->type, &kind->format, out, size);
    size_t len = strlen(out);
    if (kind->ambiguous && kind->type == ODIM_TIME)
        snprintf(out + len, size - len, " (days and months could be swapped: no cell tells)");
    else if (kind->ambiguous)
        snprintf(out + len, size - len, " (%s)",
                 kind->format.notations == 1u << OD_COMMA_POINT ? "1.234 is read as 1234"
                 : kind->format.notations & OD_COMMAS           ? "1,234 is read as 1.234"
                                                                : "1,234 is read as 1234");
}

/* One note for all columns that have the same format as column k, which is the first of them. */
static odim_status note_format(odim_table *t, const od_cell_kind *kinds, const od_type_votes *votes,
                               int64_t k, odim_error *err)
{
    char own[160], other[160], names[260], name[48], text[480];
    int64_t alike = 0;
    size_t used = 0;
    describe(&kinds[k], &votes[k], own, sizeof own);
    if (!*own) return ODIM_OK;
    for (int64_t j = 0; j < t->d; j++) {
        describe(&kinds[j], &votes[j], other, sizeof other);
        if (strcmp(own, other) != 0) continue;
        if (j < k) return ODIM_OK;
        if (alike++ >= NOTED_COLUMNS) continue;
        used += (size_t)snprintf(names + used, sizeof names - used, "%s'%s'", used ? ", " : "",
                                 od_table_show(t, j, name, sizeof name));
    }
    if (alike > NOTED_COLUMNS)
        snprintf(names + used, sizeof names - used, " and %lld more", (long long)(alike - NOTED_COLUMNS));
    snprintf(text, sizeof text, "%s %s: %s", alike > 1 ? "columns" : "column", names, own);
    return add_note(t, text, err);
}

/* A category whose cells are mostly numbers or dates. */
static odim_status note_mixed(odim_table *t, const od_cell_kind *kind, const od_type_votes *votes, int64_t k,
                              odim_error *err)
{
    char name[64], text[240], share[40] = "all cells";
    int64_t numbers = votes->numbers, dates = votes->times + votes->dates;
    for (int i = 0; i < OD_UNITS; i++) /* what has a unit may be a code: B7 */
        if (!*votes->unit[i].unit) numbers += votes->unit[i].count;
    bool of_dates = dates > numbers;
    int64_t most = of_dates ? dates : numbers;
    if (kind->type != ODIM_CATEGORICAL || t->col[k].forced || most * 2 < votes->present) return ODIM_OK;
    if (kind->code) {
        snprintf(text, sizeof text, "column '%s': its numbers are codes and not amounts: read as a category",
                 od_table_show(t, k, name, sizeof name));
        return add_note(t, text, err);
    }
    if (most < votes->present)
        snprintf(share, sizeof share, "%.0f %% of the cells", 100.0 * (double)most / (double)votes->present);
    snprintf(text, sizeof text, "column '%s': %s are %s: read as a category",
             od_table_show(t, k, name, sizeof name), share,
             most < votes->present && of_dates ? "dates and the others are not"
             : most < votes->present           ? "numbers and the others are not"
             : of_dates                        ? "dates, but no order of day and month fits all of them"
                                               : "numbers, but no decimal mark fits all of them");
    return add_note(t, text, err);
}

/* ---- ids and texts ----------------------------------------------------------------------------------- */

/* How well a column is suited as the name of the rows: 0 for not at all. */
static int suits(const od_cell_kind *kind, const char *name)
{
    if (!kind->id) return 0;
    return 1 + !kind->running + 2 * od_type_is_id_name(name);
}

static odim_status note_id(odim_table *t, int64_t k, bool running, bool chosen, odim_error *err)
{
    char name[64], text[200];
    snprintf(text, sizeof text, "column '%s' %s: %s", od_table_show(t, k, name, sizeof name),
             running ? "numbers the rows" : "has a different value in almost every row (looks like an ID)",
             chosen ? "used as the name of the rows" : "ignored");
    return add_note(t, text, err);
}

/* Takes the ids out of the features; ids that are texts and not chosen stay: the model will ignore them. Free
 * texts become numbers. */
static odim_status replace_texts(od_columns *c, odim_table *t, od_cell_kind *kinds,
                                 const od_type_votes *votes, od_id_search ids, odim_error *err)
{
    int64_t best = -1, features = c->features;
    odim_status status = ODIM_OK;
    for (int64_t k = 0; k < features; k++) {
        if (t->col[k].forced) kinds[k].id = kinds[k].free = false;
        if (ids == OD_IDS_FIND && c->id < 0 && suits(&kinds[k], t->col[k].name) &&
            (best < 0 || suits(&kinds[k], t->col[k].name) > suits(&kinds[best], t->col[best].name)))
            best = k;
    }
    for (int64_t k = features - 1; !status && k >= 0; k--) {
        if (kinds[k].free && k < OD_TEXT_COLUMNS) {
            status = od_text_columns_make(c, t, k, votes[k].parts, err);
            continue;
        }
        bool drop = k == best || (ids != OD_IDS_KEEP && kinds[k].id && kinds[k].type == ODIM_NUMERIC);
        if (!drop || c->features == 1) continue;
        status = note_id(t, k, kinds[k].running, k == best, err);
        if (!status) status = od_columns_drop(c, t, k, k == best, err);
    }
    return status ? status : od_text_columns_note(t, err);
}

/* ---- the whole -------------------------------------------------------------------------------------- */

odim_status od_text_types_decide(od_columns *c, odim_table *t, const od_type_votes *votes,
                                 const od_type_hints *hints, od_id_search ids, odim_error *err)
{
    size_t n = (size_t)c->features;
    const char **names = od_alloc(n, sizeof *names);
    od_cell_kind *kinds = od_calloc(n, sizeof *kinds);
    odim_status status = names && kinds ? ODIM_OK : od_fail_nomem(err);
    for (int64_t k = 0; !status && k < c->features; k++) names[k] = t->col[k].name;
    if (!status) od_type_decide(votes, names, c->type, c->features, hints, kinds);
    for (int64_t k = 0; !status && k < c->features; k++) {
        od_column *col = &t->col[k];
        if (c->decided[k]) {
            kinds[k] = (od_cell_kind){.type = col->type, .format = col->format};
            if (votes[k].levels && votes[k].levels->overflow)
                status = od_levels_copy(&col->levels, votes[k].levels, err);
            continue;
        }
        /* A decimal mark that the caller gave for this column stays. */
        if (col->format.notations) {
            kinds[k].format.notations = col->format.notations;
            kinds[k].ambiguous = false;
        }
        col->type = kinds[k].type;
        col->format = kinds[k].format;
        col->doubt = kinds[k].doubt;
    }
    for (int64_t k = 0; !status && k < c->features; k++) {
        if (c->decided[k]) continue;
        status = note_format(t, kinds, votes, k, err);
        if (!status) status = note_mixed(t, &kinds[k], &votes[k], k, err);
    }
    if (!status) status = replace_texts(c, t, kinds, votes, ids, err);
    od_free(names);
    od_free(kinds);
    return status;
}
