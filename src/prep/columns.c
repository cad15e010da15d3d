#include "prep/columns.h"

#include <stdio.h>
#include <string.h>

#include "common/mem.h"

/* What the options say of a column; from TYPED on one bit for each type. */
enum { ONLY = 1, IGNORED = 2, TYPED = 4 };
#define NOTED_COLUMNS 5

/* Room for x and a number. */
#define NUMBER_ROOM 24

static odim_status fail_too_many(odim_error *err)
{
    return od_fail(err, ODIM_ERR_DATA, "more than %d columns; reduce the dimension first", OD_COLUMNS_MOST);
}

odim_status od_columns_number(od_columns *c, int64_t count, odim_error *err)
{
    if (count > OD_COLUMNS_MOST) return fail_too_many(err);
    c->count = c->numbered = count;
    return ODIM_OK;
}

static size_t number_name(char buf[NUMBER_ROOM], int64_t col)
{
    return (size_t)snprintf(buf, NUMBER_ROOM, "x%lld", (long long)col + 1);
}

odim_status od_columns_add(od_columns *c, const char *name, size_t len, odim_error *err)
{
    if (c->count >= OD_COLUMNS_MOST) return fail_too_many(err);
    char number[NUMBER_ROOM];
    if (len == 0) {
        len = number_name(number, c->count);
        name = number;
    }
    size_t named = (size_t)(c->count - c->numbered);
    if (named == c->cap) {
        size_t cap = c->cap ? c->cap * 2 : 64;
        size_t *start = od_grow(c->start, c->cap, cap, sizeof *start);
        if (!start) return od_fail_nomem(err);
        c->start = start;
        c->cap = cap;
    }
    if (c->text_cap - c->text_len <= len) {
        size_t cap = (c->text_len + len + 1) * 2;
        char *text = od_grow(c->text, c->text_len, cap, 1);
        if (!text) return od_fail_nomem(err);
        c->text = text;
        c->text_cap = cap;
    }
    c->start[named] = c->text_len;
    c->count++;
    memcpy(c->text + c->text_len, name, len);
    c->text[c->text_len + len] = '\0';
    c->text_len += len + 1;
    return ODIM_OK;
}

void od_columns_free(od_columns *c)
{
    od_free(c->text);
    od_free(c->start);
    od_free(c->feature);
    od_free(c->type);
    *c = (od_columns){0};
}

/* The name; `buf` is for one that is not stored. */
static const char *name_of(const od_columns *c, int64_t col, char buf[NUMBER_ROOM])
{
    if (col >= c->numbered) return c->text + c->start[col - c->numbered];
    number_name(buf, col);
    return buf;
}

const char *od_columns_show(const od_columns *c, int64_t col, char *buf, size_t size)
{
    char number[NUMBER_ROOM];
    const char *name = name_of(c, col, number);
    return od_printable(buf, size, name, strlen(name));
}

/* ---- finding -------------------------------------------------------------------------------------- */

/* A 1-based number of at most `most`; *out is 0-based. */
static bool is_number(const char *text, size_t len, int64_t most, int64_t *out)
{
    int64_t n = 0;
    for (size_t i = 0; i < len; i++) {
        if (text[i] < '0' || text[i] > '9' || n > most) return false;
        n = n * 10 + (text[i] - '0');
    }
    *out = n - 1;
    return n >= 1 && n <= most;
}

/* Columns of that name; *at is the first. */
static int64_t count_named(const od_columns *c, const char *name, size_t len, int64_t *at)
{
    int64_t found = 0;
    if (len > 1 && name[0] == 'x' && name[1] != '0') found += is_number(name + 1, len - 1, c->numbered, at);
    for (int64_t j = c->numbered; j < c->count; j++) {
        const char *own = c->text + c->start[j - c->numbered];
        if (strncmp(own, name, len) != 0 || own[len] != '\0') continue;
        if (found++ == 0) *at = j;
    }
    return found;
}

bool od_columns_unique(const od_columns *c, int64_t col)
{
    char number[NUMBER_ROOM];
    const char *name = name_of(c, col, number);
    int64_t at;
    return count_named(c, name, strlen(name), &at) == 1;
}

static odim_status fail_unknown(const od_columns *c, const char *name, size_t len, odim_error *err)
{
    char list[140], shown[48], more[48] = "";
    size_t used = 0;
    int64_t j = 0;
    for (; j < c->count; j++) {
        char own[32];
        od_columns_show(c, j, own, sizeof own);
        if (used + strlen(own) + 3 > sizeof list) break;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", j ? ", " : "", own);
    }
    if (j < c->count) snprintf(more, sizeof more, " and %lld more", (long long)(c->count - j));
    return od_fail(err, ODIM_ERR_DATA, "there is no column '%s'; there are %s%s",
                   od_printable(shown, sizeof shown, name, len), list, more);
}

/* `use` is what it is wanted for, to begin a message with. */
static odim_status find(const od_columns *c, const char *use, const char *name, size_t len, int64_t *out,
                        odim_error *err)
{
    int64_t named = count_named(c, name, len, out);
    if (named == 1 || (named == 0 && is_number(name, len, c->count, out))) return ODIM_OK;
    if (named == 0) return fail_unknown(c, name, len, err);
    char shown[64];
    return od_fail(
        err, ODIM_ERR_DATA,
        "%s: %lld columns are named '%s'; give the number instead (the first of them is column %lld)", use,
        (long long)named, od_printable(shown, sizeof shown, name, len), (long long)*out + 1);
}

/* Sets `flag` for every column of a list that ends with NULL; the list may be NULL. */
static odim_status mark(const od_columns *c, const char *use, const char *const *list, unsigned char flag,
                        unsigned char *known_rows, odim_error *err)
{
    odim_status status = ODIM_OK;
    for (; list && *list && !status; list++) {
        int64_t col = 0;
        status = find(c, use, *list, strlen(*list), &col, err);
        if (!status) known_rows[col] |= flag;
    }
    return status;
}

static unsigned char type_flag(odim_type type)
{
    return (unsigned char)(TYPED << type);
}

/* The columns whose types the caller gives. */
static odim_status mark_types(const od_columns *c, const odim_read_options *o, unsigned char *known_rows,
                              odim_error *err)
{
    const char *const *const list[] = {[ODIM_NUMERIC] = o->numeric,
                                       [ODIM_BOOLEAN] = o->boolean,
                                       [ODIM_CATEGORICAL] = o->categorical,
                                       [ODIM_TIME] = o->time};
    odim_status status = ODIM_OK;
    for (int type = ODIM_NUMERIC; type <= ODIM_TIME && !status; type++)
        status =
            mark(c, odim_type_text((odim_type)type), list[type], type_flag((odim_type)type), known_rows, err);
    return status;
}

/* ---- choosing ------------------------------------------------------------------------------------- */

static odim_status fail_both(const od_columns *c, int64_t col, const char *one, const char *other,
                             odim_error *err)
{
    char name[64];
    return od_fail_at(err, ODIM_ERR_PARAM, 0, col + 1, "column '%s' cannot be both %s and %s",
                      od_columns_show(c, col, name, sizeof name), one, other);
}

static odim_status choose_type(const od_columns *c, int64_t col, unsigned char known_rows, signed char *out,
                               odim_error *err)
{
    for (int type = ODIM_NUMERIC; type <= ODIM_TIME; type++) {
        if (!(known_rows & type_flag((odim_type)type))) continue;
        if (*out != OD_TYPE_OPEN)
            return fail_both(c, col, odim_type_text((odim_type)*out), odim_type_text((odim_type)type), err);
        *out = (signed char)type;
    }
    return ODIM_OK;
}

/* The columns that are no features, by name: label, id and known. */
static odim_status find_others(od_columns *c, const odim_read_options *o, odim_error *err)
{
    odim_status status = ODIM_OK;
    c->label = c->id = c->known = -1;
    if (o->label) status = find(c, "label", o->label, strlen(o->label), &c->label, err);
    if (!status && o->id) status = find(c, "id", o->id, strlen(o->id), &c->id, err);
    if (!status && o->known) status = find(c, "known", o->known, strlen(o->known), &c->known, err);
    return status;
}

/* What the column is, if it is no feature, as a message has it; NULL: nothing of the kind. */
static const char *role_of(const od_columns *c, int64_t col, int64_t last)
{
    return col == c->id                     ? "the id"
           : col == c->known                ? "what is known"
           : col == c->label || col == last ? "the label"
                                            : NULL;
}

static odim_status check_others(const od_columns *c, odim_error *err)
{
    if (c->label >= 0 && c->label == c->id) return fail_both(c, c->id, "the label", "the id", err);
    if (c->known >= 0 && c->known == c->id) return fail_both(c, c->id, "what is known", "the id", err);
    if (c->known >= 0 && c->known == c->label)
        return fail_both(c, c->label, "what is known", "the label that scores are judged by", err);
    return ODIM_OK;
}

static odim_status choose(od_columns *c, const odim_read_options *o, bool labels_last,
                          unsigned char *known_rows, odim_error *err)
{
    int64_t last = labels_last ? c->count - 1 : -1;
    odim_status status = find_others(c, o, err);
    if (!status) status = mark(c, "ignore", o->ignore, IGNORED, known_rows, err);
    if (!status) status = mark(c, "only", o->only, ONLY, known_rows, err);
    if (!status) status = mark_types(c, o, known_rows, err);
    if (status) return status;
    if (!o->label && last >= 0 && !role_of(c, last, -1) && !(known_rows[last] & IGNORED)) c->label = last;
    if ((status = check_others(c, err))) return status;

    for (int64_t j = 0; j < c->count; j++) {
        bool only = known_rows[j] & ONLY, ignored = known_rows[j] & IGNORED;
        const char *role = role_of(c, j, last);
        if (only && role) return fail_both(c, j, "a feature", role, err);
        if (only && ignored) return fail_both(c, j, "a feature", "ignored", err);
        if (role || ignored || (o->only && !only)) continue;
        c->type[c->features] = OD_TYPE_OPEN;
        if ((status = choose_type(c, j, known_rows[j], &c->type[c->features], err))) return status;
        c->feature[c->features++] = j;
    }
    if (c->features == 0)
        return od_fail(
            err, ODIM_ERR_DATA,
            "no feature column is left: of %lld, all are the label, the id, what is known or ignored",
            (long long)c->count);
    if (c->features > OD_MAX_COLS)
        return od_fail(
            err, ODIM_ERR_DATA,
            "%lld feature columns; at most %d can be used: choose some (--only, --ignore) or reduce the "
            "dimension first",
            (long long)c->features, OD_MAX_COLS);
    return ODIM_OK;
}

odim_status od_columns_choose(od_columns *c, const odim_read_options *options, bool labels_last,
                              odim_error *err)
{
    unsigned char *known_rows = od_calloc((size_t)c->count, 1);
    c->feature = od_alloc((size_t)c->count, sizeof *c->feature);
    c->type = od_alloc((size_t)c->count, 1);
    odim_status status = known_rows && c->feature && c->type
                             ? choose(c, options, labels_last, known_rows, err)
                             : od_fail_nomem(err);
    od_free(known_rows);
    return status;
}

/* ---- the columns of a model ----------------------------------------------------------------------- */

static void take(od_columns *c, int64_t col, const od_schema_col *want)
{
    c->type[c->features] = (signed char)want->type;
    c->feature[c->features++] = col;
}

/* A file without names: its columns in order, those left out that are no features. */
static bool take_in_order(od_columns *c, const od_schema *schema, int64_t last)
{
    int64_t next = 0, others = 0;
    for (int64_t j = 0; j < c->count; j++) others += !role_of(c, j, last);
    if (c->numbered < c->count - (last >= 0) || others != schema->cols) return false;
    for (int64_t j = 0; j < c->count; j++) {
        if (role_of(c, j, last)) continue;
        const od_schema_col *want = &schema->col[next++];
        if (!want->ignored) take(c, j, want);
    }
    return true;
}

/* The column for number k of the schema, where `named` have its name: if the schema has as many of that name,
 * they are taken one after the other; else -1. */
static int64_t find_twin(const od_columns *c, const od_schema *schema, int64_t k, int64_t named)
{
    const char *name = schema->col[k].name;
    int64_t before = 0, alike = 0;
    for (int64_t i = 0; i < schema->cols; i++) {
        bool same = strcmp(schema->col[i].name, name) == 0;
        alike += same;
        before += same && i < k;
    }
    if (alike != named) return -1;
    for (int64_t j = 0; j < c->count; j++) {
        char number[NUMBER_ROOM];
        if (strcmp(name_of(c, j, number), name) == 0 && before-- == 0) return j;
    }
    return -1;
}

static odim_status fail_alike(const od_columns *c, const od_schema_col *want, int64_t named, odim_error *err)
{
    char name[64];
    return od_fail(err, ODIM_ERR_DATA,
                   "%lld columns are named '%s', which is not as many as the %s: give them other names",
                   (long long)named, od_schema_show(want, name, sizeof name),
                   c->bounds ? "bounds have" : "model has");
}

/* known (count): columns of the file that the schema has, used or not. */
static odim_status find_like(od_columns *c, const od_schema *schema, int64_t last, bool *known, bool *found,
                             odim_error *err)
{
    bool complete = true;
    for (int64_t k = 0; k < schema->cols; k++) {
        const od_schema_col *want = &schema->col[k];
        int64_t at = -1, named = count_named(c, want->name, strlen(want->name), &at);
        if (named > 1) at = find_twin(c, schema, k, named);
        if (at >= 0) known[at] = true;
        found[k] = want->ignored || named > 0;
        complete &= found[k];
        if (want->ignored || named == 0) continue;
        if (at < 0) return fail_alike(c, want, named, err);
        const char *role = role_of(c, at, last);
        if (role) return fail_both(c, at, "a feature of the model", role, err);
        take(c, at, want);
    }
    if (complete) return ODIM_OK;
    return od_schema_fail_missing(schema, c->bounds ? "the bounds name" : "the model needs", found, err);
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
        if (known[j] || role_of(c, j, last) || extra++ >= NOTED_COLUMNS) continue;
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
    c->feature = od_alloc((size_t)schema->cols, sizeof *c->feature);
    c->type = od_alloc((size_t)schema->cols, 1);
    odim_status status = known && found && c->feature && c->type ? ODIM_OK : od_fail_nomem(err);
    if (!status) status = find_others(c, o, err);
    if (!status && !o->label && last >= 0 && !role_of(c, last, -1)) c->label = last;
    if (!status) status = check_others(c, err);
    if (!status) status = find_like(c, schema, last, known, found, err);
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

static char *copy_name(const od_columns *c, int64_t col)
{
    char number[NUMBER_ROOM];
    const char *name = name_of(c, col, number);
    return od_strndup(name, strlen(name));
}

/* The levels of a model come first, with its codes: they are found however many others the file has. */
static odim_status know_levels(od_column *col, const od_levels *levels, odim_error *err)
{
    odim_status status = ODIM_OK;
    for (size_t i = 0; !status && i < levels->texts.count; i++) {
        const char *text = od_strlist_at(&levels->texts, i);
        uint32_t code;
        status = od_levels_code(&col->levels, text, strlen(text), &code, err);
    }
    col->known = od_levels_count(&col->levels);
    return status;
}

odim_status od_columns_name_table(const od_columns *c, odim_table *t, odim_error *err)
{
    odim_status status = od_table_set_cols(t, c->features, err);
    if (status) return status;
    int64_t used = 0; /* of the model's columns */
    for (int64_t k = 0; k < c->features; k++) {
        od_column *col = &t->col[k];
        while (c->like && c->like->col[used].ignored) used++;
        const od_schema_col *want = c->like ? &c->like->col[used++] : NULL;
        col->name = want ? od_strndup(want->name, strlen(want->name)) : copy_name(c, c->feature[k]);
        if (!col->name) return od_fail_nomem(err);
        col->forced = c->type[k] != OD_TYPE_OPEN;
        if (col->forced) col->type = (odim_type)c->type[k];
        if (want && (status = know_levels(col, &want->levels, err))) return status;
        if (!c->bounds) continue;
        col->bounded = true;
        col->low = want->low;
        col->high = want->high;
    }
    if (c->label >= 0 && !(t->label_name = copy_name(c, c->label))) return od_fail_nomem(err);
    if (c->id >= 0 && !(t->id_name = copy_name(c, c->id))) return od_fail_nomem(err);
    return ODIM_OK;
}

static odim_status keep_names(const od_columns *c, odim_table *t, odim_error *err)
{
    t->kept_name = od_calloc((size_t)c->count, sizeof *t->kept_name);
    if (!t->kept_name) return od_fail_nomem(err);
    t->kept_cols = c->count;
    for (int64_t j = 0; j < c->count; j++)
        if (!(t->kept_name[j] = copy_name(c, j))) return od_fail_nomem(err);
    return ODIM_OK;
}

odim_status od_columns_settle(od_columns *c, odim_table *t, const odim_read_options *o, const od_schema *like,
                              bool labels_last, odim_error *err)
{
    odim_status status = like ? od_columns_like(c, o, like, labels_last, &t->notes, err)
                              : od_columns_choose(c, o, labels_last, err);
    if (!status) status = od_columns_name_table(c, t, err);
    if (!status && o->keep) status = keep_names(c, t, err);
    return status;
}
