#include "prep/columns.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"

enum { ONLY = 1, IGNORED = 2 };

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

/* Sets `flag` for every column of a list. */
static odim_status mark(const od_columns *c, const char *use, const char *list, unsigned char flag,
                        unsigned char *marks, odim_error *err)
{
    int64_t col = 0;
    if (count_named(c, list, strlen(list), &col) == 1) {
        marks[col] |= flag;
        return ODIM_OK;
    }
    for (;;) {
        size_t whole = strcspn(list, ","), len = whole;
        const char *name = list;
        while (len && *name == ' ') name++, len--;
        while (len && name[len - 1] == ' ') len--;
        odim_status status = find(c, use, name, len, &col, err);
        if (status) return status;
        marks[col] |= flag;
        if (!list[whole]) return ODIM_OK;
        list += whole + 1;
    }
}

/* ---- choosing ------------------------------------------------------------------------------------- */

static odim_status fail_both(const od_columns *c, int64_t col, const char *one, const char *other,
                             odim_error *err)
{
    char name[64];
    return od_fail_at(err, ODIM_ERR_PARAM, 0, col + 1, "column '%s' cannot be both %s and %s",
                      od_columns_show(c, col, name, sizeof name), one, other);
}

static odim_status choose(od_columns *c, const odim_read_options *o, bool labels_last, unsigned char *marks,
                          odim_error *err)
{
    odim_status status = ODIM_OK;
    int64_t last = labels_last ? c->count - 1 : -1;
    c->label = c->id = -1;
    if (o->label) status = find(c, "label", o->label, strlen(o->label), &c->label, err);
    if (!status && o->id) status = find(c, "id", o->id, strlen(o->id), &c->id, err);
    if (!status && o->ignore) status = mark(c, "ignore", o->ignore, IGNORED, marks, err);
    if (!status && o->only) status = mark(c, "only", o->only, ONLY, marks, err);
    if (status) return status;
    if (!o->label && last >= 0 && last != c->id && !(marks[last] & IGNORED)) c->label = last;
    if (c->label >= 0 && c->label == c->id) return fail_both(c, c->id, "the label", "the id", err);

    for (int64_t j = 0; j < c->count; j++) {
        bool only = marks[j] & ONLY, ignored = marks[j] & IGNORED;
        if (only && (j == c->label || j == last)) return fail_both(c, j, "a feature", "the label", err);
        if (only && j == c->id) return fail_both(c, j, "a feature", "the id", err);
        if (only && ignored) return fail_both(c, j, "a feature", "ignored", err);
        if (j == c->label || j == c->id || j == last || ignored || (o->only && !only)) continue;
        c->feature[c->features++] = j;
    }
    if (c->features == 0)
        return od_fail(err, ODIM_ERR_DATA,
                       "no feature column is left: of %lld, all are the label, the id or ignored",
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
    unsigned char *marks = od_calloc((size_t)c->count, 1);
    c->feature = od_alloc((size_t)c->count, sizeof *c->feature);
    odim_status status =
        marks && c->feature ? choose(c, options, labels_last, marks, err) : od_fail_nomem(err);
    od_free(marks);
    return status;
}

static char *copy_name(const od_columns *c, int64_t col)
{
    char number[NUMBER_ROOM];
    const char *name = name_of(c, col, number);
    return od_strndup(name, strlen(name));
}

odim_status od_columns_name_table(const od_columns *c, odim_table *t, odim_error *err)
{
    t->names = od_calloc((size_t)c->features, sizeof *t->names);
    if (!t->names) return od_fail_nomem(err);
    t->d = t->stride = c->features;
    for (int64_t k = 0; k < c->features; k++)
        if (!(t->names[k] = copy_name(c, c->feature[k]))) return od_fail_nomem(err);
    if (c->label >= 0 && !(t->label_name = copy_name(c, c->label))) return od_fail_nomem(err);
    if (c->id >= 0 && !(t->id_name = copy_name(c, c->id))) return od_fail_nomem(err);
    return ODIM_OK;
}
