/* Reads the messages of Arrow files, in both formats, and keeps their dictionaries. */
#include "io/arrow_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/poll.h"
#include "common/mem.h"
#include "io/arrow_body.h"

#define MAGIC     "ARROW1"
#define MAGIC_LEN 6
/* At the end of a file: the size of the footer and the magic. */
#define TAIL_LEN (4 + MAGIC_LEN)
/* Before the size of a message; older writers leave it out. */
#define CONTINUATION 0xFFFFFFFFu
/* More metadata than anyone has, and more levels. */
#define METADATA_MOST ((size_t)256 << 20)
#define LEVELS_MOST   ((size_t)1 << 26)
/* Bytes of a body that are asked for before any have come. */
#define FIRST_BODY ((size_t)1 << 20)

enum { MESSAGE_VERSION, MESSAGE_KIND, MESSAGE_HEADER, MESSAGE_BODY };
enum { KIND_SCHEMA = 1, KIND_DICTIONARY, KIND_BATCH };
enum { FOOTER_VERSION, FOOTER_SCHEMA, FOOTER_DICTIONARIES, FOOTER_BATCHES };
enum { DICTIONARY_ID, DICTIONARY_DATA, DICTIONARY_DELTA };
/* Of a block in the footer: offset, size of the metadata, size of the body. */
enum { BLOCK = 24, BLOCK_OFFSET = 0, BLOCK_METADATA = 8, BLOCK_BODY = 16 };

typedef struct dictionary {
    int64_t id;
    size_t column; /* one that uses it */
    od_strlist levels;
    bool read;
} dictionary;

typedef struct buffer {
    uint8_t *bytes;
    size_t cap;
} buffer;

typedef struct message {
    od_flatbuf flat;
    od_flat_table header;
    int64_t version, kind;
    const uint8_t *body;
    size_t body_size;
} message;

typedef struct file {
    od_arrow_batches base;
    od_source *src;
    size_t limit;
    od_arrow_schema schema;
    dictionary *dictionaries; /* (dictionary_count) */
    size_t dictionary_count;
    od_arrow_unpacker unpacker;
    od_arrow_part **parts; /* (columns) of text views */
    od_arrow_part *level_parts;
    bool ended;
    /* Of a stream: */
    buffer metadata, body;
    /* Of a file with a footer, whose bytes are in memory or mapped; NULL: a stream. */
    const uint8_t *bytes;
    size_t size;
    od_flatbuf footer;
    od_flat_vector blocks; /* the record batches */
    size_t next;           /* of them */
} file;

bool od_arrow_is(const unsigned char *bytes, size_t len)
{
    if (len >= MAGIC_LEN + 2 && memcmp(bytes, MAGIC "\0", MAGIC_LEN + 2) == 0) return true;
    /* A stream: a message whose size is a multiple of 8, and whose root is near its beginning. */
    return len >= 16 && memcmp(bytes, "\xFF\xFF\xFF\xFF", 4) == 0 && bytes[4] % 8 == 0 && bytes[7] == 0 &&
           (bytes[4] || bytes[5] || bytes[6]) && bytes[9] == 0 && bytes[10] == 0 && bytes[11] == 0 &&
           bytes[8];
}

/* ---- messages --------------------------------------------------------------------------------------- */

static odim_status fail(odim_error *err)
{
    return od_fail(err, ODIM_ERR_FORMAT, "a message of the Arrow data is damaged");
}

static odim_status fail_truncated(odim_error *err)
{
    return od_fail(err, ODIM_ERR_FORMAT, "the Arrow data ends too early: the file is truncated");
}

static uint32_t load32(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Takes apart the metadata of a message. Its body is not known yet. */
static odim_status parse_message(message *m, const uint8_t *bytes, size_t size, odim_error *err)
{
    od_flat_table root;
    m->flat = (od_flatbuf){.bytes = bytes, .size = size};
    if (!od_flat_root(&m->flat, &root)) return fail(err);
    m->version = od_flat_int(&root, MESSAGE_VERSION, 2, 0);
    m->kind = od_flat_int(&root, MESSAGE_KIND, 1, 0);
    int64_t body = od_flat_int(&root, MESSAGE_BODY, 8, 0);
    if (!od_flat_child(&root, MESSAGE_HEADER, &m->header) || m->flat.bad || body < 0) return fail(err);
    m->body_size = (size_t)body;
    return ODIM_OK;
}

/* Reads `size` bytes of a stream. Memory is taken as they come, not on the word of the data. */
static odim_status read_bytes(file *f, buffer *b, size_t size, odim_error *err)
{
    size_t have = 0;
    odim_status status = ODIM_OK;
    while (have < size && !status) {
        size_t got, want = size;
        if (b->cap <= have) {
            size_t cap = b->cap < FIRST_BODY ? FIRST_BODY : b->cap * 2;
            if (cap > size) cap = size;
            uint8_t *more = od_grow(b->bytes, have, cap, 1);
            if (!more) return od_fail_nomem(err);
            b->bytes = more;
            b->cap = cap;
        }
        if (want > b->cap) want = b->cap;
        status = od_source_fill(f->src, b->bytes + have, want - have, &got, err);
        if (!status && got < want - have) status = fail_truncated(err);
        have = want;
    }
    return status;
}

/* The size of the next message of a stream; 0 is the end, which may or may not be marked. */
static odim_status read_size(file *f, size_t *size, odim_error *err)
{
    uint8_t word[4];
    size_t got;
    *size = 0;
    odim_status status = od_source_fill(f->src, word, sizeof word, &got, err);
    if (status || got == 0) return status;
    if (got == sizeof word && load32(word) == CONTINUATION)
        status = od_source_fill(f->src, word, sizeof word, &got, err);
    if (!status && got < sizeof word) status = fail_truncated(err);
    if (status) return status;
    *size = load32(word);
    /* Only at its end is it known that a packed file was intact; a pipe may stay open. */
    if (*size == 0) return od_source_ready(f->src) ? od_source_read(f->src, word, 1, &got, err) : ODIM_OK;
    return *size > METADATA_MOST ? fail(err) : ODIM_OK;
}

/* *m is of kind 0 at the end. */
static odim_status read_message(file *f, message *m, odim_error *err)
{
    size_t size;
    *m = (message){0};
    odim_status status = read_size(f, &size, err);
    if (status || size == 0) return status;
    if ((status = read_bytes(f, &f->metadata, size, err))) return status;
    if ((status = parse_message(m, f->metadata.bytes, size, err))) return status;
    if (m->body_size > f->limit)
        return od_fail(
            err, ODIM_ERR_DATA,
            "a batch has %.1f MB, and %.1f MB are allowed; write smaller batches or, if the file can "
            "be trusted, set unpacked to allow more",
            (double)m->body_size / 1048576.0, (double)f->limit / 1048576.0);
    status = read_bytes(f, &f->body, m->body_size, err);
    m->body = f->body.bytes;
    return status;
}

/* The message that a block of the footer names. */
static odim_status find_message(const file *f, const od_flat_vector *blocks, size_t i, message *m,
                                odim_error *err)
{
    int64_t at = od_flat_item_int(blocks, i, BLOCK_OFFSET, 8);
    int64_t metadata = od_flat_item_int(blocks, i, BLOCK_METADATA, 4);
    int64_t body = od_flat_item_int(blocks, i, BLOCK_BODY, 8);
    if (at < 0 || metadata < 8 || body < 0 || (uint64_t)at > f->size ||
        (uint64_t)metadata > f->size - (uint64_t)at ||
        (uint64_t)body > f->size - (uint64_t)at - (uint64_t)metadata)
        return fail(err);
    const uint8_t *p = f->bytes + at;
    size_t prefix = load32(p) == CONTINUATION ? 8 : 4;
    odim_status status = parse_message(m, p + prefix, (size_t)metadata - prefix, err);
    m->body = p + metadata;
    m->body_size = (size_t)body;
    return status;
}

/* ---- dictionaries ----------------------------------------------------------------------------------- */

static int compare_dictionaries(const void *one, const void *other)
{
    const dictionary *a = one, *b = other;
    return a->id < b->id ? -1 : a->id > b->id;
}

static dictionary *find_dictionary(const file *f, int64_t id)
{
    const dictionary key = {.id = id};
    return bsearch(&key, f->dictionaries, f->dictionary_count, sizeof key, compare_dictionaries);
}

/* The dictionaries of the columns that can be read, in the order of their ids. Columns may share one. */
static odim_status make_dictionaries(file *f, odim_error *err)
{
    size_t columns = f->schema.names.count, all = 0;
    f->dictionaries = od_calloc(columns, sizeof *f->dictionaries);
    f->parts = od_calloc(columns, sizeof *f->parts);
    if (!f->dictionaries || !f->parts) return od_fail_nomem(err);
    for (size_t j = 0; j < columns; j++) {
        const od_arrow_type *type = &f->schema.type[j];
        if (!type->encoded || !od_arrow_is_readable(type)) continue;
        f->dictionaries[all++] = (dictionary){.id = f->schema.layout[j].dictionary, .column = j};
    }
    qsort(f->dictionaries, all, sizeof *f->dictionaries, compare_dictionaries);
    for (size_t i = 0; i < all; i++)
        if (i == 0 || f->dictionaries[i].id != f->dictionaries[i - 1].id)
            f->dictionaries[f->dictionary_count++] = f->dictionaries[i];
    return ODIM_OK;
}

static odim_status add_levels(const file *f, dictionary *d, const od_arrow_view *v, odim_error *err)
{
    odim_status status = ODIM_OK;
    for (int64_t i = 0; i < v->count && !status; i++) {
        char buf[OD_VALUE_ROOM];
        const char *text = "";
        size_t len = od_arrow_is_missing(v, i) ? 0 : od_arrow_write(v, i, buf, &text);
        if (len > OD_CSV_RECORD_MOST)
            status = od_fail(err, ODIM_ERR_FORMAT,
                             "a dictionary of the Arrow data has a text that is too long or not UTF-8");
        else if (d->levels.count >= LEVELS_MOST || d->levels.used >= f->limit)
            status = od_fail(err, ODIM_ERR_DATA, "a dictionary of the Arrow data is too large");
        else
            status = od_strlist_add(&d->levels, text, len, err);
        if (!status && i % 4096 == 0) status = od_poll_check(err);
    }
    return status;
}

/* Fills, replaces or extends a dictionary. In a file with a footer, none may be replaced. */
static odim_status read_dictionary(file *f, const message *m, odim_error *err)
{
    od_flat_table batch;
    od_arrow_body body;
    od_arrow_view view;
    dictionary *d = find_dictionary(f, od_flat_int(&m->header, DICTIONARY_ID, 8, 0));
    bool delta = od_flat_int(&m->header, DICTIONARY_DELTA, 1, 0) != 0;
    if (!od_flat_child(&m->header, DICTIONARY_DATA, &batch)) return fail(err);
    if (!d) return ODIM_OK; /* of a column that is not read */
    if (d->read && !delta && f->bytes) return fail(err);
    od_arrow_type type = f->schema.type[d->column];
    const od_arrow_layout layout = {.nodes = 1};
    type.encoded = false;
    odim_status status = od_arrow_body_open(&body, &batch, m->body, m->body_size, &f->unpacker, err);
    if (!status) status = od_arrow_body_column(&body, &type, &layout, true, &view, &f->level_parts, err);
    if (!status) status = od_arrow_body_end(&body, err);
    if (status) return status;
    if (!delta) od_strlist_clear(&d->levels);
    d->read = true;
    return add_levels(f, d, &view, err);
}

/* ---- batches ---------------------------------------------------------------------------------------- */

static odim_status view_batch(file *f, const message *m, const bool *used, od_arrow_view *views,
                              int64_t *rows, odim_error *err)
{
    od_arrow_body body;
    const od_arrow_schema *s = &f->schema;
    odim_status status = od_arrow_body_open(&body, &m->header, m->body, m->body_size, &f->unpacker, err);
    for (size_t j = 0; j < s->names.count && !status; j++) {
        status =
            od_arrow_body_column(&body, &s->type[j], &s->layout[j], used[j], &views[j], &f->parts[j], err);
        const dictionary *d =
            used[j] && s->type[j].encoded ? find_dictionary(f, s->layout[j].dictionary) : NULL;
        if (d) views[j].levels = &d->levels;
    }
    if (!status) status = od_arrow_body_end(&body, err);
    if (!status) *rows = body.rows;
    return status;
}

static odim_status next_batch(od_arrow_batches *base, const bool *used, od_arrow_view *views, int64_t *rows,
                              od_arrow_view *row, odim_error *err)
{
    file *f = (file *)base;
    (void)row; /* only cells can be missing */
    *rows = -1;
    while (!f->ended) {
        message m;
        odim_status status = od_poll_check(err);
        if (status) return status;
        if (f->bytes && f->next == f->blocks.count) break;
        status = f->bytes ? find_message(f, &f->blocks, f->next++, &m, err) : read_message(f, &m, err);
        if (!status && m.kind == KIND_BATCH) return view_batch(f, &m, used, views, rows, err);
        if (!status && m.kind == KIND_DICTIONARY && !f->bytes)
            status = read_dictionary(f, &m, err);
        else if (!status && m.kind)
            status = fail(err);
        if (status) return status;
        f->ended = m.kind == 0;
    }
    return ODIM_OK;
}

/* ---- opening and closing ---------------------------------------------------------------------------- */

static odim_status take_schema(file *f, const od_flat_table *schema, int64_t version, odim_error *err)
{
    odim_status status = od_arrow_schema_read(&f->schema, schema, version, err);
    if (!status) status = make_dictionaries(f, err);
    for (size_t j = 0; j < f->schema.names.count && !status; j++) {
        const char *name = od_strlist_at(&f->schema.names, j);
        status = od_strlist_add(&f->base.names, name, strlen(name), err);
    }
    f->base.type = f->schema.type;
    return status;
}

static odim_status open_stream(file *f, bool again, odim_error *err)
{
    message m;
    odim_status status = read_message(f, &m, err);
    if (status) return status;
    if (m.kind != KIND_SCHEMA) return fail(err);
    return again ? ODIM_OK : take_schema(f, &m.header, m.version, err);
}

static odim_status open_footer(file *f, odim_error *err)
{
    od_flat_table footer, schema;
    odim_status status = od_source_map(f->src, &f->bytes, &f->size, err);
    if (status) return status;
    const uint8_t *end = f->bytes + f->size;
    if (f->size < MAGIC_LEN + 2 + TAIL_LEN || memcmp(end - MAGIC_LEN, MAGIC, MAGIC_LEN) != 0)
        return fail_truncated(err);
    size_t size = load32(end - TAIL_LEN);
    if (size > f->size - TAIL_LEN - MAGIC_LEN - 2) return fail(err);
    f->footer = (od_flatbuf){.bytes = end - TAIL_LEN - size, .size = size};
    if (!od_flat_root(&f->footer, &footer) || !od_flat_child(&footer, FOOTER_SCHEMA, &schema))
        return fail(err);
    f->blocks = od_flat_items(&footer, FOOTER_BATCHES, BLOCK);
    od_flat_vector blocks = od_flat_items(&footer, FOOTER_DICTIONARIES, BLOCK);
    status = take_schema(f, &schema, od_flat_int(&footer, FOOTER_VERSION, 2, 0), err);
    if (!status && f->footer.bad) status = fail(err);
    for (size_t i = 0; i < blocks.count && !status; i++) {
        message m;
        status = find_message(f, &blocks, i, &m, err);
        if (!status) status = m.kind == KIND_DICTIONARY ? read_dictionary(f, &m, err) : fail(err);
    }
    return status;
}

static odim_status rewind_file(od_arrow_batches *base, odim_error *err)
{
    file *f = (file *)base;
    f->ended = false;
    f->next = 0;
    if (f->bytes) return ODIM_OK;
    for (size_t i = 0; i < f->dictionary_count; i++) {
        od_strlist_clear(&f->dictionaries[i].levels);
        f->dictionaries[i].read = false;
    }
    odim_status status = od_source_rewind(f->src, err);
    return status ? status : open_stream(f, true, err);
}

static bool is_ready(od_arrow_batches *base)
{
    file *f = (file *)base;
    return f->bytes || f->ended || od_source_ready(f->src);
}

static void close_file(od_arrow_batches *base)
{
    file *f = (file *)base;
    for (size_t i = 0; i < f->dictionary_count; i++) od_strlist_free(&f->dictionaries[i].levels);
    for (size_t j = 0; f->parts && j < f->schema.names.count; j++) od_free(f->parts[j]);
    od_free(f->parts);
    od_free(f->level_parts);
    od_free(f->dictionaries);
    od_free(f->metadata.bytes);
    od_free(f->body.bytes);
    od_arrow_unpacker_free(&f->unpacker);
    od_arrow_schema_free(&f->schema);
    od_strlist_free(&base->names);
    od_free(f);
}

odim_status od_arrow_file_open(od_arrow_batches **out, od_source *src, size_t limit, odim_error *err)
{
    const unsigned char *head;
    size_t len;
    *out = NULL;
    file *f = od_calloc(1, sizeof *f);
    if (!f) return od_fail_nomem(err);
    f->base =
        (od_arrow_batches){.next = next_batch, .rewind = rewind_file, .close = close_file, .ready = is_ready};
    f->src = src;
    f->limit = f->unpacker.limit = limit;
    odim_status status = od_source_peek(src, &head, &len, err);
    if (!status)
        status = len >= MAGIC_LEN && memcmp(head, MAGIC, MAGIC_LEN) == 0 ? open_footer(f, err)
                                                                         : open_stream(f, false, err);
    if (status)
        close_file(&f->base);
    else
        *out = &f->base;
    return status;
}
