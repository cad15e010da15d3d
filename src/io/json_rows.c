/* Reads the objects of a JSON file as rows. */
#include "io/json_rows.h"

#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "base/hint.h"
#include "io/json_rows_impl.h"

/* ---- columns -------------------------------------------------------------------------------------- */

static odim_status make_room(od_json_rows *r, odim_error *err)
{
    size_t n = r->base.names.count, cap = r->cap ? r->cap * 2 : 32;
    if (n < r->cap) return ODIM_OK;
    od_json_cell *cells = od_grow(r->cells, n, cap, sizeof *cells);
    if (cells) r->cells = cells;
    od_field *fields = od_grow(r->fields, n, cap, sizeof *fields);
    if (fields) r->fields = fields;
    if (!cells || !fields) return od_fail_nomem(err);
    r->cap = cap;
    return ODIM_OK;
}

odim_status od_json_rows_add(od_json_rows *r, const char *name, size_t len, odim_error *err)
{
    size_t n = r->base.names.count;
    if (n == OD_JSON_COLUMNS_MOST)
        return od_fail(err, ODIM_ERR_DATA, "more than %d different keys", OD_JSON_COLUMNS_MOST);
    odim_status status = make_room(r, err);
    if (!status) status = od_name_index_add(&r->index, &r->base.names, name, len, err);
    if (!status) r->cells[n] = (od_json_cell){0};
    return status;
}

void od_json_rows_clear(od_json_rows *r)
{
    od_strlist_clear(&r->base.names);
    od_name_index_clear(&r->index);
}

/* -1: there is none. */
int64_t od_json_rows_find(const od_json_rows *r, const char *name, size_t len)
{
    return od_name_index_find(&r->index, &r->base.names, name, len, r->expected);
}

/* ---- a row ---------------------------------------------------------------------------------------- */

/* Notes the first fault of the row in hand, `what` being about the name in hand. The rest of it is still
 * read. */
static odim_status blame(od_json_rows *r, const char *what)
{
    char shown[80];
    if (r->fault.status) return ODIM_OK;
    od_printable(shown, sizeof shown, r->name, r->name_len);
    od_fail_at(&r->fault, ODIM_ERR_FORMAT, r->row.row, 0, "row %lld (line %lld): '%s' %s",
               (long long)r->row.row, (long long)r->row.line, shown, what);
    return ODIM_OK;
}

static odim_status put_text(od_json_rows *r, const od_json_token *t, odim_error *err)
{
    if (t->len > OD_CSV_RECORD_MOST - r->text_len)
        return od_fail_at(err, ODIM_ERR_FORMAT, r->row.row, 0, "row %lld (line %lld): longer than 64 MB",
                          (long long)r->row.row, (long long)r->row.line);
    if (r->text_cap - r->text_len < t->len) {
        size_t cap = (r->text_len + t->len) * 2 + 256;
        char *text = od_grow(r->text, r->text_len, cap, 1);
        if (!text) return od_fail_nomem(err);
        r->text = text;
        r->text_cap = cap;
    }
    if (t->len) memcpy(r->text + r->text_len, t->text, t->len);
    r->text_len += t->len;
    return ODIM_OK;
}

/* Sets the cell of the column whose name is in hand. */
static odim_status put_cell(od_json_rows *r, const od_json_token *t, odim_error *err)
{
    int64_t col = od_json_rows_find(r, r->name, r->name_len);
    if (col < 0) {
        if (!r->learning) return ODIM_OK;
        col = (int64_t)r->base.names.count;
        odim_status status = od_json_rows_add(r, r->name, r->name_len, err);
        if (status) return status;
    }
    r->expected = (size_t)col + 1;
    od_json_cell *c = &r->cells[col];
    if (c->stamp == r->stamp) return blame(r, "occurs twice");
    c->stamp = r->stamp;
    c->start = r->text_len;
    c->len = (uint32_t)t->len;
    c->quoted = t->kind == OD_JSON_STRING;
    c->number = t->kind == OD_JSON_NUMBER;
    return put_text(r, t, err);
}

static bool is_listed(const od_json_rows *r, const od_strlist *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const char *name = od_strlist_at(list, i);
        if (strlen(name) == r->name_len && memcmp(name, r->name, r->name_len) == 0) return true;
    }
    return false;
}

static bool is_unused(const od_json_rows *r)
{
    return is_listed(r, &r->ignore) || (r->is_needed_known && !is_listed(r, &r->needed));
}

int64_t od_json_rows_needed(const od_json_rows *r, size_t i)
{
    const char *name = od_strlist_at(&r->needed, i);
    return od_json_rows_find(r, name, strlen(name));
}

/* Whether the first object is a row: it has a cell of the model, or the caller leaves the array in hand out.
 */
static bool is_first_row(const od_json_rows *r)
{
    for (size_t i = 0; i < r->needed.count; i++) {
        int64_t at = od_json_rows_needed(r, i);
        if (at >= 0 && r->cells[at].stamp == r->stamp) return true;
    }
    return is_listed(r, &r->needed) || is_listed(r, &r->ignore);
}

/* An array as the value of a key. With `outer` it may be the one that has the rows. */
static odim_status take_array(od_json_rows *r, bool outer, odim_error *err)
{
    int depth = od_json_depth(r->json);
    od_json_token t;
    odim_status status = od_json_next(r->json, &t, err);
    if (status) return status;
    if (outer && (t.kind == OD_JSON_OBJECT || t.kind == OD_JSON_ARRAY_END) && !is_first_row(r)) {
        r->layout = OD_JSON_LAYOUT_WRAPPED;
        r->has_token = true;
        r->token = t;
        if (!r->learning) return ODIM_OK;
        od_json_rows_clear(r); /* the keys before it are no columns */
        return ODIM_OK;
    }
    status = od_json_leave(r->json, depth, err);
    if (status) return status;
    if (!is_unused(r)) {
        char what[80 + OD_HINT_ROOM];
        snprintf(what, sizeof what, "is an array, which cannot be a cell; leave it out%s", OD_HINT("ignore"));
        return blame(r, what);
    }
    return put_cell(r, &(od_json_token){.kind = OD_JSON_NULL, .text = ""}, err);
}

static odim_status take_name(od_json_rows *r, int depth, const od_json_token *t, odim_error *err)
{
    size_t at = r->prefix[depth], dot = depth > 0;
    if (t->len >= OD_JSON_NAME_MOST - at - dot)
        return od_fail_at(err, ODIM_ERR_FORMAT, r->row.row, 0,
                          "row %lld (line %lld): a key of more than %d bytes", (long long)r->row.row,
                          (long long)t->line, OD_JSON_NAME_MOST - 1);
    if (dot) r->name[at++] = '.';
    memcpy(r->name + at, t->text, t->len);
    r->name_len = at + t->len;
    return ODIM_OK;
}

/* The members of an object whose opening brace, `open`, has been read. */
static odim_status read_members(od_json_rows *r, const od_json_token *open, bool outer, odim_error *err)
{
    int depth = 0;
    odim_status status = ODIM_OK;
    r->row = (od_record){.row = r->row.row + 1, .line = open->line, .at = open->at};
    r->fault.status = ODIM_OK;
    r->text_len = r->expected = 0;
    r->stamp++;
    while (!status) {
        od_json_token t;
        if ((status = od_json_next(r->json, &t, err))) break;
        switch (t.kind) {
        case OD_JSON_KEY: status = take_name(r, depth, &t, err); break;
        case OD_JSON_OBJECT: r->prefix[++depth] = r->name_len; break;
        case OD_JSON_OBJECT_END:
            r->end_line = t.line;
            if (depth-- == 0) return ODIM_OK;
            break;
        case OD_JSON_ARRAY:
            status = take_array(r, outer && depth == 0, err);
            if (r->has_token) return status;
            break;
        default: status = put_cell(r, &t, err);
        }
    }
    return status;
}

/* ---- the file ------------------------------------------------------------------------------------- */

static odim_status fail_more(const od_json_token *t, odim_error *err)
{
    return od_fail(
        err, ODIM_ERR_FORMAT,
        "line %lld, byte %lld: more behind the end of the table; if each line is an object, say so%s",
        (long long)t->line, (long long)t->at + 1, OD_HINT_TO("format", "jsonl"));
}

static odim_status fail_second(const od_json_rows *r, const od_json_token *t, odim_error *err)
{
    char shown[80];
    return od_fail(err, ODIM_ERR_DATA,
                   "line %lld: '%s' is a second array of objects; only one can be the table",
                   (long long)t->line, od_printable(shown, sizeof shown, r->name, r->name_len));
}

/* What follows the array of rows. */
static odim_status read_end(od_json_rows *r, odim_error *err)
{
    od_json_token t;
    odim_status status = ODIM_OK, second = ODIM_OK;
    int depth = od_json_depth(r->json);
    int64_t end_line = 0;
    odim_error why;
    r->name_len = 0;
    while (!status && od_json_depth(r->json) == depth && depth > 0) {
        if ((status = od_json_next(r->json, &t, err))) break;
        if (t.kind == OD_JSON_KEY) {
            status = take_name(r, 0, &t, err);
        } else if (t.kind == OD_JSON_ARRAY) {
            if (!(status = od_json_next(r->json, &t, err)) && t.kind == OD_JSON_OBJECT && !second)
                second = fail_second(r, &t, &why);
            if (!status) status = od_json_leave(r->json, depth + 1, err);
        } else if (t.kind == OD_JSON_OBJECT) {
            status = od_json_leave(r->json, depth + 1, err);
        }
    }
    if (!status) end_line = t.line;
    if (!status) status = od_json_next(r->json, &t, err);
    if (status) return status;
    r->in_lines = r->layout == OD_JSON_LAYOUT_WRAPPED && t.kind == OD_JSON_OBJECT && end_line == r->top_line;
    if (second) *err = why;
    return second || t.kind == OD_JSON_END ? second : fail_more(&t, err);
}

/* Finds the layout, and with it the first row or what it begins with. */
static odim_status start(od_json_rows *r, odim_error *err)
{
    od_json_token t;
    r->started = true;
    r->layout = r->lines ? OD_JSON_LAYOUT_LINES : OD_JSON_LAYOUT_OBJECTS;
    if (r->lines) od_json_set_lines(r->json);
    if (r->lines) return ODIM_OK;
    odim_status status = od_json_next(r->json, &t, err);
    if (status) return status;
    if (t.kind == OD_JSON_END) return od_fail(err, ODIM_ERR_DATA, "the file is empty");
    if (t.kind == OD_JSON_ARRAY) {
        r->layout = OD_JSON_LAYOUT_ARRAY;
        return ODIM_OK;
    }
    if (t.kind != OD_JSON_OBJECT)
        return od_fail(err, ODIM_ERR_FORMAT, "it is JSON, but neither an array of objects nor an object");
    r->top_line = t.line;
    status = read_members(r, &t, true, err);
    if (status == ODIM_ERR_FORMAT &&
        od_json_line(r->json) == t.line) { /* it may be the first of many lines */
        r->layout = OD_JSON_LAYOUT_LINES;
        od_json_set_lines(r->json);
    }
    if (status) return status;
    if (r->layout == OD_JSON_LAYOUT_WRAPPED) {
        r->row.row = 0;
        return ODIM_OK;
    }
    r->has_row = true;
    if (r->end_line == t.line) {
        r->layout = OD_JSON_LAYOUT_LINES;
        od_json_set_lines(r->json);
    }
    return ODIM_OK;
}

static odim_status fail_value(od_json_rows *r, const od_json_token *t, odim_error *err)
{
    odim_status status =
        t->kind == OD_JSON_ARRAY ? od_json_leave(r->json, od_json_depth(r->json), err) : ODIM_OK;
    r->row = (od_record){.row = r->row.row + 1, .line = t->line, .at = t->at};
    if (status) return status;
    od_fail_at(&r->fault, ODIM_ERR_FORMAT, r->row.row, 0, "row %lld (line %lld): not an object but %s",
               (long long)r->row.row, (long long)t->line,
               t->kind == OD_JSON_ARRAY    ? "an array"
               : t->kind == OD_JSON_STRING ? "a string"
               : t->kind == OD_JSON_NULL   ? "null"
                                           : "a number or a truth value");
    return ODIM_OK;
}

/* The next row, with its fault; or done. */
static odim_status read_row(od_json_rows *r, odim_error *err)
{
    od_json_token t;
    odim_status status = r->started ? ODIM_OK : start(r, err);
    if (status || r->done) return status;
    if (r->has_row) {
        r->has_row = false;
        return ODIM_OK;
    }
    if (r->has_token) t = r->token;
    if (!r->has_token && (status = od_json_next(r->json, &t, err))) return status;
    r->has_token = false;
    if (t.kind == OD_JSON_END || t.kind == OD_JSON_ARRAY_END) {
        r->done = true;
        return t.kind == OD_JSON_END ? ODIM_OK : read_end(r, err);
    }
    return t.kind == OD_JSON_OBJECT ? read_members(r, &t, false, err) : fail_value(r, &t, err);
}

/* Behind malformed text: the next line, or no way on. */
static void recover(od_json_rows *r, odim_error *err)
{
    odim_error why;
    err->row = r->row.row - 1;
    if (r->layout == OD_JSON_LAYOUT_LINES && od_json_skip_line(r->json, &why) == ODIM_OK) return;
    r->stuck = *err;
}

odim_status od_json_rows_step(od_json_rows *r, odim_error *err)
{
    if (r->stuck.status) {
        *err = r->stuck;
        return err->status = ODIM_ERR_DATA;
    }
    int64_t row = r->row.row;
    odim_status status = read_row(r, err);
    if (status == ODIM_ERR_FORMAT) {
        r->row.row = row + 1;
        recover(r, err);
    }
    if (!status && !r->done && r->fault.status) {
        *err = r->fault;
        status = r->fault.status;
    }
    return status;
}

static odim_status next(od_records *base, od_record *out, odim_error *err)
{
    od_json_rows *r = (od_json_rows *)base;
    odim_error why;
    *out = (od_record){0};
    if (r->first.status) {
        if (err) *err = r->first;
        odim_status first = r->first.status;
        r->first.status = ODIM_OK;
        return first;
    }
    odim_status status = od_json_rows_step(r, err ? err : &why);
    if (status || r->done) return status;
    size_t n = base->names.count;
    for (size_t j = 0; j < n; j++) {
        const od_json_cell *c = &r->cells[j];
        r->fields[j] = c->stamp == r->stamp && c->len
                           ? (od_field){r->text + c->start, c->len, c->quoted, c->number}
                           : (od_field){.text = ""};
    }
    *out = r->row;
    out->fields = r->fields;
    out->count = n;
    return ODIM_OK;
}

odim_status od_json_rows_rewind(od_records *base, odim_error *err)
{
    od_json_rows *r = (od_json_rows *)base;
    r->started = r->done = r->has_token = r->has_row = false;
    r->stuck.status = r->fault.status = r->first.status = ODIM_OK;
    r->row.row = 0;
    return od_json_rewind(r->json, err);
}

static bool ready(od_records *base)
{
    od_json_rows *r = (od_json_rows *)base;
    return r->has_row || r->done || r->stuck.status || r->first.status || od_json_ready(r->json);
}

static void close_rows(od_records *base)
{
    od_json_rows *r = (od_json_rows *)base;
    od_json_close(r->json);
    od_strlist_free(&base->names);
    od_strlist_free(&r->ignore);
    od_strlist_free(&r->needed);
    od_free(r->cells);
    od_free(r->fields);
    od_name_index_free(&r->index);
    od_free(r->text);
    od_free(r);
}

static odim_status copy_list(od_strlist *to, const char *const *from, odim_error *err)
{
    odim_status status = ODIM_OK;
    for (; from && *from && !status; from++) status = od_strlist_add(to, *from, strlen(*from), err);
    return status;
}

odim_status od_json_rows_open(od_records **out, od_source *src, const od_json_options *options,
                              odim_error *err)
{
    odim_error why;
    od_json_rows *r = od_calloc(1, sizeof *r);
    *out = NULL;
    if (!err) err = &why;
    if (!r) return od_fail_nomem(err);
    r->base = (od_records){.next = next, .rewind = od_json_rows_rewind, .close = close_rows, .ready = ready};
    r->lines = options->lines;
    r->is_needed_known = options->needed != NULL;
    odim_status status = copy_list(&r->ignore, options->ignore, err);
    if (!status) status = copy_list(&r->needed, options->needed, err);
    if (!status) status = od_json_open(&r->json, src, err);
    if (!status) status = options->ahead ? od_json_learn_all(r, err) : od_json_learn_first(r, err);
    if (status)
        close_rows(&r->base);
    else
        *out = &r->base;
    return status;
}
