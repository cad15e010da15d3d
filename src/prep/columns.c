/* Resolves the column options of a caller, by name or number, and gives each column its role. */
#include "prep/columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "prep/cell_format.h"
#include "prep/spelling.h"
#include "base/hint.h"

/* What the options say of a column; from TYPED on one bit for each type. */
enum { ONLY = 1, IGNORED = 2, TYPED = 4 };

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

static size_t number_name(char buf[OD_NUMBER_ROOM], int64_t col)
{
    return (size_t)snprintf(buf, OD_NUMBER_ROOM, "x%lld", (long long)col + 1);
}

odim_status od_columns_add(od_columns *c, const char *name, size_t len, odim_error *err)
{
    if (c->count >= OD_COLUMNS_MOST) return fail_too_many(err);
    char number[OD_NUMBER_ROOM];
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
    od_free(c->format);
    od_free(c->decided);
    *c = (od_columns){0};
}

const char *od_columns_name(const od_columns *c, int64_t col, char buf[OD_NUMBER_ROOM])
{
    if (col >= c->numbered) return c->text + c->start[col - c->numbered];
    number_name(buf, col);
    return buf;
}

const char *od_columns_show(const od_columns *c, int64_t col, char *buf, size_t size)
{
    char number[OD_NUMBER_ROOM];
    const char *name = od_columns_name(c, col, number);
    return od_printable(buf, size, name, strlen(name));
}

/* ---- names that are used twice ---------------------------------------------------------------------- */

typedef struct column_name {
    const char *name;
    int64_t col;
} column_name;

static int by_name(const void *a, const void *b)
{
    const column_name *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->col > y->col) - (x->col < y->col);
}

/* The column gets its name with a suffix that no other name has. */
static odim_status rename_column(od_columns *c, int64_t col, int64_t ordinal, odim_error *err)
{
    const char *old = c->text + c->start[col - c->numbered];
    size_t room = strlen(old) + 32;
    char *name = od_alloc(room, 1);
    if (!name) return od_fail_nomem(err);
    int64_t at;
    do snprintf(name, room, "%s (%lld)", old, (long long)ordinal++);
    while (od_columns_count_named(c, name, strlen(name), &at));
    odim_status status = od_columns_add(c, name, strlen(name), err);
    od_free(name);
    if (status) return status;
    c->count--; /* only its text was wanted */
    c->start[col - c->numbered] = c->start[c->count - c->numbered];
    return ODIM_OK;
}

odim_status od_columns_make_unique(od_columns *c, od_strlist *notes, odim_error *err)
{
    int64_t n = c->count - c->numbered, renamed = 0, first = -1;
    column_name *list = od_alloc((size_t)n, sizeof *list);
    int64_t *ordinal = od_calloc((size_t)n, sizeof *ordinal);
    odim_status status = list && ordinal ? ODIM_OK : od_fail_nomem(err);
    for (int64_t i = 0; !status && i < n; i++)
        list[i] = (column_name){c->text + c->start[i], c->numbered + i};
    if (!status && n > 1) qsort(list, (size_t)n, sizeof *list, by_name);
    for (int64_t i = 1; !status && i < n; i++)
        if (strcmp(list[i].name, list[i - 1].name) == 0)
            ordinal[list[i].col - c->numbered] = ordinal[list[i - 1].col - c->numbered] + 1;
    for (int64_t i = 0; !status && i < n; i++) {
        if (!ordinal[i]) continue;
        status = rename_column(c, c->numbered + i, ordinal[i] + 1, err);
        if (renamed++ == 0) first = c->numbered + i;
    }
    od_free(list);
    od_free(ordinal);
    if (status || !renamed) return status;
    char name[64], text[200];
    snprintf(text, sizeof text,
             "%lld column%s the name of an earlier one and got a number: column %lld is now '%s'",
             (long long)renamed, renamed == 1 ? " has" : "s have", (long long)first + 1,
             od_columns_show(c, first, name, sizeof name));
    return od_strlist_add(notes, text, strlen(text), err);
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

int64_t od_columns_count_named(const od_columns *c, const char *name, size_t len, int64_t *at)
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

/* The column whose name is most likely meant, or -1. */
static int64_t find_near(const od_columns *c, const char *name, size_t len)
{
    char asked[64], number[OD_NUMBER_ROOM];
    snprintf(asked, sizeof asked, "%.*s", (int)(len < sizeof asked ? len : sizeof asked - 1), name);
    for (int64_t j = c->numbered; j < c->count; j++)
        if (od_spelling_near(asked, od_columns_name(c, j, number))) return j;
    return -1;
}

static odim_status fail_unknown(const od_columns *c, const char *name, size_t len, odim_error *err)
{
    char list[140], shown[48], more[48] = "", near_name[48];
    size_t used = 0;
    int64_t j = 0, near = find_near(c, name, len);
    od_printable(shown, sizeof shown, name, len);
    if (near >= 0)
        return od_fail(err, ODIM_ERR_DATA, "there is no column '%s'; did you mean '%s'?", shown,
                       od_columns_show(c, near, near_name, sizeof near_name));
    for (; j < c->count; j++) {
        char own[32];
        od_columns_show(c, j, own, sizeof own);
        if (used + strlen(own) + 3 > sizeof list) break;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", j ? ", " : "", own);
    }
    if (j < c->count) snprintf(more, sizeof more, " and %lld more", (long long)(c->count - j));
    return od_fail(err, ODIM_ERR_DATA, "there is no column '%s'; there are %s%s", shown, list, more);
}

/* `use` is what it is wanted for, to begin a message with. */
static odim_status find(const od_columns *c, const char *use, const char *name, size_t len, int64_t *out,
                        odim_error *err)
{
    int64_t named = od_columns_count_named(c, name, len, out);
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

odim_status od_columns_fail_both(const od_columns *c, int64_t col, const char *one, const char *other,
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
            return od_columns_fail_both(c, col, odim_type_text((odim_type)*out),
                                        odim_type_text((odim_type)type), err);
        *out = (signed char)type;
    }
    return ODIM_OK;
}

odim_status od_columns_find_others(od_columns *c, const odim_read_options *o, odim_error *err)
{
    odim_status status = ODIM_OK;
    c->label = c->id = c->known = -1;
    if (o->label) status = find(c, "label", o->label, strlen(o->label), &c->label, err);
    if (!status && o->id && *o->id) status = find(c, "id", o->id, strlen(o->id), &c->id, err);
    if (!status && o->known) status = find(c, "known", o->known, strlen(o->known), &c->known, err);
    return status;
}

const char *od_columns_role(const od_columns *c, int64_t col, int64_t last)
{
    return col == c->id                     ? "the id"
           : col == c->known                ? "what is known"
           : col == c->label || col == last ? "the label"
                                            : NULL;
}

odim_status od_columns_check_others(const od_columns *c, odim_error *err)
{
    if (c->label >= 0 && c->label == c->id) return od_columns_fail_both(c, c->id, "the label", "the id", err);
    if (c->known >= 0 && c->known == c->id)
        return od_columns_fail_both(c, c->id, "what is known", "the id", err);
    if (c->known >= 0 && c->known == c->label)
        return od_columns_fail_both(c, c->label, "what is known", "the label that scores are judged by", err);
    return ODIM_OK;
}

static odim_status choose(od_columns *c, const odim_read_options *o, bool labels_last,
                          unsigned char *known_rows, odim_error *err)
{
    int64_t last = labels_last ? c->count - 1 : -1;
    odim_status status = od_columns_find_others(c, o, err);
    if (!status) status = mark(c, "ignore", o->ignore, IGNORED, known_rows, err);
    if (!status) status = mark(c, "only", o->only, ONLY, known_rows, err);
    if (!status) status = mark_types(c, o, known_rows, err);
    if (status) return status;
    if (!o->label && last >= 0 && !od_columns_role(c, last, -1) && !(known_rows[last] & IGNORED))
        c->label = last;
    if ((status = od_columns_check_others(c, err))) return status;

    for (int64_t j = 0; j < c->count; j++) {
        bool only = known_rows[j] & ONLY, ignored = known_rows[j] & IGNORED;
        const char *role = od_columns_role(c, j, last);
        if (only && role) return od_columns_fail_both(c, j, "a feature", role, err);
        if (only && ignored) return od_columns_fail_both(c, j, "a feature", "ignored", err);
        if (role || ignored || (o->only && !only)) continue;
        signed char *type = &c->type[c->features];
        *type = OD_TYPE_OPEN;
        if ((status = choose_type(c, j, known_rows[j], type, err))) return status;
        c->decided[c->features] = *type == ODIM_BOOLEAN || *type == ODIM_CATEGORICAL;
        c->feature[c->features++] = j;
    }
    if (c->features == 0)
        return od_fail(
            err, ODIM_ERR_DATA,
            "no feature column is left: of %lld, all are the label, the id, what is known or ignored",
            (long long)c->count);
    if (c->features > OD_MAX_COLS)
        return od_fail(err, ODIM_ERR_DATA,
                       "%lld feature columns; at most %d can be used: choose some%s or reduce the "
                       "dimension first",
                       (long long)c->features, OD_MAX_COLS, OD_HINT("only|ignore"));
    return ODIM_OK;
}

odim_status od_columns_room(od_columns *c, int64_t features, odim_error *err)
{
    size_t n = (size_t)features;
    c->feature = od_alloc(n, sizeof *c->feature);
    c->type = od_alloc(n, 1);
    c->format = od_calloc(n, sizeof *c->format);
    c->decided = od_calloc(n, sizeof *c->decided);
    return c->feature && c->type && c->format && c->decided ? ODIM_OK : od_fail_nomem(err);
}

/* The formats that the caller gives: a column, its format, another column, ... */
static odim_status choose_formats(od_columns *c, const odim_read_options *o, odim_error *err)
{
    for (const char *const *list = o->formats; list && list[0]; list += 2) {
        int64_t col = 0, k = 0;
        char name[64], word[40];
        odim_status status = find(c, "formats", list[0], strlen(list[0]), &col, err);
        if (status) return status;
        while (k < c->features && c->feature[k] != col) k++;
        od_columns_show(c, col, name, sizeof name);
        if (!list[1]) return od_fail(err, ODIM_ERR_PARAM, "formats: column '%s' has no format", name);
        od_printable(word, sizeof word, list[1], strlen(list[1]));
        if (k == c->features)
            return od_fail(err, ODIM_ERR_PARAM, "formats: column '%s' is not a feature", name);
        odim_type number = ODIM_NUMERIC, time = ODIM_TIME;
        bool is_number = od_cell_format_named(number, list[1], &c->format[k]);
        if (!is_number && !od_cell_format_named(time, list[1], &c->format[k]))
            return od_fail(
                err, ODIM_ERR_PARAM,
                "formats: '%s' is not a format; use comma or point for numbers, and iso, ymd, dmy, mdy, "
                "named, unix or unix-ms for dates",
                word);
        odim_type type = is_number ? number : time;
        if (c->type[k] != OD_TYPE_OPEN && c->type[k] != (signed char)type)
            return od_columns_fail_both(c, col, odim_type_text((odim_type)c->type[k]), odim_type_text(type),
                                        err);
        c->type[k] = (signed char)type;
        c->decided[k] = type == ODIM_TIME; /* numbers may still have a unit */
    }
    return ODIM_OK;
}

odim_status od_columns_choose(od_columns *c, const odim_read_options *options, bool labels_last,
                              odim_error *err)
{
    unsigned char *known_rows = od_calloc((size_t)c->count, 1);
    odim_status status = od_columns_room(c, c->count, err);
    if (!status && !known_rows) status = od_fail_nomem(err);
    if (!status) status = choose(c, options, labels_last, known_rows, err);
    if (!status) status = choose_formats(c, options, err);
    od_free(known_rows);
    return status;
}

/* ---- the table ------------------------------------------------------------------------------------ */

static char *copy_name(const od_columns *c, int64_t col)
{
    char number[OD_NUMBER_ROOM];
    const char *name = od_columns_name(c, col, number);
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
        col->format = c->format[k];
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

odim_status od_columns_drop(od_columns *c, odim_table *t, int64_t k, bool id, odim_error *err)
{
    if (id) {
        c->id = c->feature[k];
        if (!(t->id_name = copy_name(c, c->id))) return od_fail_nomem(err);
    }
    size_t after = (size_t)(c->features - k - 1);
    memmove(&c->feature[k], &c->feature[k + 1], after * sizeof *c->feature);
    memmove(&c->type[k], &c->type[k + 1], after);
    memmove(&c->format[k], &c->format[k + 1], after * sizeof *c->format);
    memmove(&c->decided[k], &c->decided[k + 1], after * sizeof *c->decided);
    c->features--;
    od_table_drop_col(t, k);
    return ODIM_OK;
}

static od_role file_role(const od_columns *c, int64_t col)
{
    return col == c->id      ? OD_ROLE_ID
           : col == c->label ? OD_ROLE_LABEL
           : col == c->known ? OD_ROLE_KNOWN
                             : OD_ROLE_IGNORED;
}

odim_status od_columns_list_file(const od_columns *c, odim_table *t, odim_error *err)
{
    odim_status status = ODIM_OK;
    char number[OD_NUMBER_ROOM];
    t->file.role = od_alloc((size_t)c->count, 1);
    if (!t->file.role) return od_fail_nomem(err);
    for (int64_t j = 0; !status && j < c->count; j++) {
        const char *name = od_columns_name(c, j, number);
        t->file.role[j] = (uint8_t)file_role(c, j);
        status = od_strlist_add(&t->file.names, name, strlen(name), err);
    }
    for (int64_t k = 0; k < c->features; k++) t->file.role[c->feature[k]] = OD_ROLE_FEATURE;
    return status;
}

odim_status od_columns_settle(od_columns *c, odim_table *t, const odim_read_options *o, const od_schema *like,
                              bool labels_last, odim_error *err)
{
    odim_status status = like ? od_columns_like(c, o, like, labels_last, &t->notes, err)
                              : od_columns_choose(c, o, labels_last, err);
    if (!status) status = od_columns_name_table(c, t, err);
    if (!status && like) status = od_text_profiles_copy(&t->texts, &like->texts, err);
    if (!status && o->keep) status = keep_names(c, t, err);
    return status;
}
