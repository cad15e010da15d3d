/* Reads record batches by the Arrow C data interface. The producer is trusted: it is part of this process. */
#include "io/arrow_stream.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/poll.h"
#include "common/mem.h"

/* More columns than anyone has. */
#define COLUMNS_MOST (1 << 20)

typedef struct stream {
    od_arrow_batches base;
    struct ArrowArrayStream from;
    struct ArrowSchema schema;
    bool hold;
    struct ArrowArray *batch; /* (count) those that are kept */
    size_t count, cap, next;  /* `next` is to be read next */
    bool ended;               /* the producer has no more */
    od_arrow_view *values;    /* (columns) the dictionaries of the batch in hand */
    od_arrow_part **parts;    /* (2 * columns) of text views: of the columns, then of the dictionaries */
} stream;

/* ---- errors ----------------------------------------------------------------------------------------- */

static odim_status fail_producer(stream *s, int code, odim_error *err)
{
    char shown[300];
    const char *why = s->from.get_last_error ? s->from.get_last_error(&s->from) : NULL;
    if (code == ENOMEM) return od_fail_nomem(err);
    if (!why || !*why) why = strerror(code);
    return od_fail(err, ODIM_ERR_IO, "the producer of the Arrow stream failed: %s",
                   od_printable(shown, sizeof shown, why, strlen(why)));
}

static odim_status fail_column(const stream *s, size_t j, const char *why, odim_error *err)
{
    char shown[80];
    const char *name = od_strlist_at(&s->base.names, j);
    return od_fail_at(err, ODIM_ERR_FORMAT, 0, (int64_t)j + 1, "column '%s' of the Arrow stream: %s",
                      od_printable(shown, sizeof shown, name, strlen(name)), why);
}

/* ---- views ------------------------------------------------------------------------------------------ */

static int64_t buffers_of(const od_arrow_type *type)
{
    if (type->encoded) return 2;
    switch (type->kind) {
    case OD_ARROW_NULL: return 0;
    case OD_ARROW_TEXT:
    case OD_ARROW_LARGE_TEXT: return 3;
    default: return 2;
    }
}

/* The bytes behind the last offset are not known, and not used. */
static uint64_t text_size(const od_arrow_view *v)
{
    int64_t end = v->offset + v->count;
    if (v->type.kind == OD_ARROW_LARGE_TEXT) {
        int64_t size;
        memcpy(&size, v->data + end * 8, sizeof size);
        return size < 0 ? 0 : (uint64_t)size;
    }
    int32_t size;
    memcpy(&size, v->data + end * 4, sizeof size);
    return size < 0 ? 0 : (uint64_t)size;
}

/* A text view has a buffer for each piece, and behind them one with the sizes of the pieces. */
static odim_status view_parts(od_arrow_part **parts, const struct ArrowArray *a, od_arrow_view *v,
                              odim_error *err)
{
    od_free(*parts);
    *parts = NULL;
    if (a->n_buffers <= 3) return ODIM_OK;
    size_t count = (size_t)a->n_buffers - 3;
    const int64_t *sizes = a->buffers[a->n_buffers - 1];
    if (!(*parts = od_alloc(count, sizeof **parts))) return od_fail_nomem(err);
    for (size_t k = 0; k < count; k++)
        (*parts)[k] = (od_arrow_part){a->buffers[k + 2], sizes[k] < 0 ? 0 : (uint64_t)sizes[k]};
    v->parts = *parts;
    v->part_count = count;
    return ODIM_OK;
}

/* A column, or a dictionary. Its first `skip` values are not part of the batch. */
static odim_status view_array(stream *s, size_t j, const od_arrow_type *type, const struct ArrowArray *a,
                              int64_t skip, od_arrow_part **parts, od_arrow_view *v, odim_error *err)
{
    *v = (od_arrow_view){.type = *type, .offset = a->offset + skip, .count = a->length - skip};
    if (a->length < skip || a->offset < 0 || a->n_buffers < buffers_of(type))
        return fail_column(s, j, "the array is shorter than the batch, or has too few buffers", err);
    if (type->kind == OD_ARROW_NULL && !type->encoded) return ODIM_OK;
    v->valid = a->null_count ? a->buffers[0] : NULL;
    v->data = a->buffers[1];
    if (v->count == 0) return ODIM_OK;
    if (!v->data) return fail_column(s, j, "the array has no data", err);
    if (!type->encoded && buffers_of(type) == 3) {
        v->text = (od_arrow_part){a->buffers[2], text_size(v)};
        if (!v->text.bytes) v->text.size = 0;
    }
    return !type->encoded && type->kind == OD_ARROW_TEXT_VIEW ? view_parts(parts, a, v, err) : ODIM_OK;
}

static odim_status view_column(stream *s, size_t j, const struct ArrowArray *batch, od_arrow_view *v,
                               odim_error *err)
{
    const struct ArrowArray *a = batch->children[j];
    const od_arrow_type *type = &s->base.type[j];
    if (a->length < batch->offset + batch->length)
        return fail_column(s, j, "the array is shorter than the batch", err);
    odim_status status = view_array(s, j, type, a, batch->offset, &s->parts[2 * j], v, err);
    v->count = batch->length;
    if (status || !type->encoded) return status;
    if (!a->dictionary) return fail_column(s, j, "the dictionary is missing", err);
    od_arrow_type plain = *type;
    plain.encoded = false;
    status = view_array(s, j, &plain, a->dictionary, 0, &s->parts[2 * j + 1], &s->values[j], err);
    v->values = &s->values[j];
    return status;
}

/* ---- batches ---------------------------------------------------------------------------------------- */

static void release_array(struct ArrowArray *a)
{
    if (a->release) a->release(a);
    a->release = NULL;
}

/* Asks the producer for a batch. */
static odim_status pull(stream *s, odim_error *err)
{
    odim_status status = od_poll_check(err);
    if (status) return status;
    if (!s->hold && s->count) release_array(&s->batch[--s->count]);
    if (s->count == s->cap) {
        size_t cap = s->cap ? s->cap * 2 : 8;
        struct ArrowArray *more = od_grow(s->batch, s->cap, cap, sizeof *more);
        if (!more) return od_fail_nomem(err);
        s->batch = more;
        s->cap = cap;
    }
    struct ArrowArray *a = &s->batch[s->count];
    *a = (struct ArrowArray){0};
    int code = s->from.get_next(&s->from, a);
    if (code) return fail_producer(s, code, err);
    if (!a->release) {
        s->ended = true;
        return ODIM_OK;
    }
    s->count++;
    if (!s->hold) s->next = 0;
    if (a->n_children != (int64_t)s->base.names.count || a->length < 0 || a->offset < 0)
        return od_fail(err, ODIM_ERR_FORMAT, "a batch of the Arrow stream does not fit its schema");
    return ODIM_OK;
}

static odim_status next_batch(od_arrow_batches *base, const bool *used, od_arrow_view *views, int64_t *rows,
                              od_arrow_view *row, odim_error *err)
{
    stream *s = (stream *)base;
    odim_status status = ODIM_OK;
    *rows = -1;
    if (s->next == s->count || !s->hold) status = s->ended ? ODIM_OK : pull(s, err);
    if (status || (s->ended && (s->next == s->count || !s->hold))) return status;
    const struct ArrowArray *batch = &s->batch[s->next++];
    for (size_t j = 0; j < base->names.count && !status; j++)
        if (used[j]) status = view_column(s, j, batch, &views[j], err);
    if (batch->null_count && batch->n_buffers > 0) row->valid = batch->buffers[0];
    row->type.kind = OD_ARROW_OTHER;
    row->offset = batch->offset;
    if (!status) *rows = batch->length;
    return status;
}

static odim_status rewind_stream(od_arrow_batches *base, odim_error *err)
{
    stream *s = (stream *)base;
    if (!s->hold) return od_fail(err, ODIM_ERR_IO, "an Arrow stream can be read only once");
    s->next = 0;
    return ODIM_OK;
}

static void close_stream(od_arrow_batches *base)
{
    stream *s = (stream *)base;
    while (s->count) release_array(&s->batch[--s->count]);
    if (s->schema.release) s->schema.release(&s->schema);
    if (s->from.release) s->from.release(&s->from);
    for (size_t j = 0; s->parts && j < 2 * base->names.count; j++) od_free(s->parts[j]);
    od_free(s->parts);
    od_free(s->values);
    od_free(s->batch);
    od_free(base->type);
    od_strlist_free(&base->names);
    od_free(s);
}

/* ---- the schema ------------------------------------------------------------------------------------- */

static odim_status read_field(stream *s, size_t j, const struct ArrowSchema *f, odim_error *err)
{
    const char *name = f->name ? f->name : "";
    od_arrow_type *type = &s->base.type[j];
    odim_status status = od_strlist_add(&s->base.names, name, strlen(name), err);
    if (status) return status;
    od_arrow_parse_type(f->format, type);
    if (!f->dictionary) return ODIM_OK;
    od_arrow_kind index = type->kind;
    if (index < OD_ARROW_INT8 || index > OD_ARROW_UINT64)
        return fail_column(s, j, "the indices of a dictionary must be whole numbers", err);
    od_arrow_parse_type(f->dictionary->format, type);
    if (f->dictionary->dictionary)
        *type = (od_arrow_type){.kind = OD_ARROW_OTHER, .what = "dictionary of a dictionary"};
    type->encoded = true;
    type->index = index;
    return ODIM_OK;
}

static odim_status read_schema(stream *s, odim_error *err)
{
    if (!s->from.release || !s->from.get_schema || !s->from.get_next)
        return od_fail(err, ODIM_ERR_PARAM, "the Arrow stream has been released");
    int code = s->from.get_schema(&s->from, &s->schema);
    if (code) return fail_producer(s, code, err);
    if (!s->schema.format || strcmp(s->schema.format, "+s") != 0)
        return od_fail(err, ODIM_ERR_DATA,
                       "the Arrow stream has single values, not rows of columns: give it as a table");
    if (s->schema.n_children < 1 || s->schema.n_children > COLUMNS_MOST)
        return od_fail(err, ODIM_ERR_DATA, "it has %s columns", s->schema.n_children < 1 ? "no" : "too many");
    size_t n = (size_t)s->schema.n_children;
    s->base.type = od_calloc(n, sizeof *s->base.type);
    s->values = od_calloc(n, sizeof *s->values);
    s->parts = od_calloc(2 * n, sizeof *s->parts);
    if (!s->base.type || !s->values || !s->parts) return od_fail_nomem(err);
    odim_status status = ODIM_OK;
    for (size_t j = 0; j < n && !status; j++) status = read_field(s, j, s->schema.children[j], err);
    return status;
}

odim_status od_arrow_stream_open(od_arrow_batches **out, struct ArrowArrayStream *from, bool hold,
                                 odim_error *err)
{
    *out = NULL;
    stream *s = od_calloc(1, sizeof *s);
    if (!s) {
        if (from->release) from->release(from);
        from->release = NULL;
        return od_fail_nomem(err);
    }
    s->base = (od_arrow_batches){.next = next_batch, .rewind = rewind_stream, .close = close_stream};
    s->hold = hold;
    s->from = *from; /* the interface allows structs to be moved */
    from->release = NULL;
    odim_status status = read_schema(s, err);
    if (status)
        close_stream(&s->base);
    else
        *out = &s->base;
    return status;
}
