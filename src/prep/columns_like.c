/* Matches the columns of a file with those of a model. */
#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "prep/columns.h"

/* Columns that notes name, at most. */
#define NOTED_COLUMNS 5

static void take(od_columns *c, int64_t col, const od_schema_col *want)
{
    c->type[c->features] = (signed char)want->type;
    c->format[c->features] = want->format;
    c->decided[c->features] = true;
    c->feature[c->features++] = col;
}

/* A file without names that has as many columns as the one that the model was fitted on gets its names. */
static odim_status adopt_names(od_columns *c, const od_schema *schema, bool *adopted, odim_error *err)
{
    const od_strlist *names = &schema->file.names;
    char number[OD_NUMBER_ROOM];
    size_t same = 0;
    *adopted = false;
    if (c->numbered != c->count || (size_t)c->count != names->count) return ODIM_OK;
    while (same < names->count &&
           strcmp(od_strlist_at(names, same), od_columns_name(c, (int64_t)same, number)) == 0)
        same++;
    *adopted = same < names->count; /* neither file may have had names */
    if (!*adopted) return ODIM_OK;
    odim_status status = ODIM_OK;
    c->count = c->numbered = 0;
    for (size_t i = 0; !status && i < names->count; i++) {
        const char *name = od_strlist_at(names, i);
        status = od_columns_add(c, name, strlen(name), err);
    }
    return status;
}

/* A file without names: its columns in order, without those that are not features. */
static bool take_in_order(od_columns *c, const od_schema *schema, int64_t last)
{
    int64_t next = 0, others = 0;
    for (int64_t j = 0; j < c->count; j++) others += !od_columns_role(c, j, last);
    if (c->numbered < c->count - (last >= 0) || others != od_schema_sources(schema)) return false;
    for (int64_t j = 0; j < c->count; j++) {
        if (od_columns_role(c, j, last)) continue;
        do {
            const od_schema_col *want = &schema->col[next++];
            if (!want->ignored) take(c, j, want);
        } while (next < schema->cols && od_schema_is_further(&schema->col[next]));
    }
    return true;
}

/* The column for number k of the schema, or -1. Models of older files and of tables in memory may have
 * several columns of one name, which are called "a", "a (2)", ... in a file. */
static int64_t find_column(const od_columns *c, const od_schema *schema, int64_t k, const bool *taken)
{
    const char *name = schema->col[k].name;
    int64_t at = -1, before = 0;
    od_columns_count_named(c, name, od_text_source(name, (od_text_feature)schema->col[k].format.feature),
                           &at);
    if (at < 0 || !taken[at]) return at;
    char numbered[OD_NUMBER_ROOM];
    for (int64_t i = 0; i < k; i++) before += strcmp(schema->col[i].name, name) == 0;
    for (int64_t j = at + 1; j < c->count; j++) {
        const char *own = od_columns_name(c, j, numbered);
        size_t len = strlen(name);
        bool twin = strncmp(own, name, len) == 0 && (!own[len] || strncmp(own + len, " (", 2) == 0);
        if (twin && --before == 0) return j;
    }
    return -1;
}

/* Whether the column, or one that describes the same text, is used. */
static bool is_wanted(const od_schema *schema, int64_t k)
{
    if (!schema->col[k].ignored) return true;
    while (++k < schema->cols && od_schema_is_further(&schema->col[k]))
        if (!schema->col[k].ignored) return true;
    return false;
}

/* known (count): columns of the file that the schema has, used or not. */
static odim_status find_like(od_columns *c, const od_schema *schema, int64_t last, bool *known, bool *found,
                             odim_error *err)
{
    bool complete = true;
    int64_t at = -1;
    for (int64_t k = 0; k < schema->cols; k++) {
        const od_schema_col *want = &schema->col[k];
        bool further = od_schema_is_further(want);
        if (!further) at = find_column(c, schema, k, known);
        if (at >= 0) known[at] = true;
        /* The first of several that describe a text stands for all in a message. */
        found[k] = further || at >= 0 || !is_wanted(schema, k);
        complete &= found[k];
        if (want->ignored || at < 0) continue;
        const char *role = od_columns_role(c, at, last);
        if (role) return od_columns_fail_both(c, at, "a feature of the model", role, err);
        take(c, at, want);
    }
    if (complete) return ODIM_OK;
    return od_schema_fail_missing(schema, c->bounds ? "the bounds name" : "the model needs", found, err);
}

/* What the model remembers of the file that it was fitted on: the id, and columns that are not worth a note.
 */
static void recall_file(od_columns *c, const odim_read_options *o, const od_schema *schema, bool *known)
{
    const od_file_columns *file = &schema->file;
    for (size_t i = 0; i < file->names.count; i++) {
        int64_t at = -1;
        const char *name = od_strlist_at(&file->names, i);
        if (file->role[i] == OD_ROLE_FEATURE || od_columns_count_named(c, name, strlen(name), &at) == 0)
            continue;
        known[at] = true;
        if (file->role[i] == OD_ROLE_ID && !o->id && c->id < 0 && !od_columns_role(c, at, -1)) c->id = at;
    }
}

static odim_status add_note(od_strlist *notes, const char *text, odim_error *err)
{
    return od_strlist_add(notes, text, strlen(text), err);
}

static odim_status note_extra(const od_columns *c, const bool *known, int64_t last, od_strlist *notes,
                              odim_error *err)
{
    int64_t extra = 0;
    char text[160], name[64];
    odim_status status = ODIM_OK;
    for (int64_t j = 0; !status && j < c->count; j++) {
        if (known[j] || od_columns_role(c, j, last) || extra++ >= NOTED_COLUMNS) continue;
        snprintf(text, sizeof text, "column '%s' is not in the %s: ignored",
                 od_columns_show(c, j, name, sizeof name), c->bounds ? "bounds" : "model");
        status = add_note(notes, text, err);
    }
    if (status || extra <= NOTED_COLUMNS) return status;
    snprintf(text, sizeof text, "%lld more columns are not in the %s: ignored",
             (long long)(extra - NOTED_COLUMNS), c->bounds ? "bounds" : "model");
    return add_note(notes, text, err);
}

odim_status od_columns_like(od_columns *c, const odim_read_options *o, const od_schema *schema,
                            bool labels_last, od_strlist *notes, odim_error *err)
{
    int64_t last = labels_last ? c->count - 1 : -1;
    bool *known = od_calloc((size_t)c->count, sizeof *known);
    bool *found = od_calloc((size_t)schema->cols, sizeof *found);
    c->like = schema;
    c->bounds = o->bounds != NULL;
    bool adopted = false;
    odim_status status = od_columns_room(c, schema->cols, err);
    if (!status && (!known || !found)) status = od_fail_nomem(err);
    if (!status) status = adopt_names(c, schema, &adopted, err);
    if (!status) status = od_columns_find_others(c, o, err);
    if (!status && !o->label && last >= 0 && !od_columns_role(c, last, -1)) c->label = last;
    if (!status) status = od_columns_check_others(c, err);
    if (!status) recall_file(c, o, schema, known);
    if (!status) status = find_like(c, schema, last, known, found, err);
    if (!status && adopted)
        status =
            add_note(notes,
                     "the file has no column names: its columns are taken in the order of the file that the "
                     "model was fitted on",
                     err);
    if (status == ODIM_ERR_DATA && c->features == 0 && take_in_order(c, schema, last))
        status =
            add_note(notes,
                     c->bounds ? "the file has no column names: its columns are taken in the bounds' order"
                               : "the file has no column names: its columns are taken in the model's order",
                     err);
    else if (!status)
        status = note_extra(c, known, last, notes, err);
    od_free(known);
    od_free(found);
    return status;
}
