/* Checks the buffers of a record batch, and unpacks those that are compressed with LZ4 or zstd. */
#include "io/arrow_body.h"

#include <lz4frame.h>
#include <string.h>
#include <zstd.h>

#include "common/mem.h"

enum { BATCH_LENGTH, BATCH_NODES, BATCH_BUFFERS, BATCH_COMPRESSION, BATCH_VIEWS };
enum { CODEC_NONE = -1, CODEC_LZ4, CODEC_ZSTD };
/* Bytes of a node and of the place of a buffer: two numbers each. */
#define ENTRY 16
/* Before a compressed buffer: its size when unpacked, or -1 if it is not compressed after all. */
#define SIZE_PREFIX 8

struct od_arrow_memory {
    uint8_t *bytes;
    size_t cap;
};

/* ---- unpacking -------------------------------------------------------------------------------------- */

void od_arrow_unpacker_free(od_arrow_unpacker *u)
{
    for (size_t i = 0; i < u->cap; i++) od_free(u->memory[i].bytes);
    od_free(u->memory);
    LZ4F_freeDecompressionContext(u->lz4);
    ZSTD_freeDCtx(u->zstd);
    *u = (od_arrow_unpacker){0};
}

static odim_status fail_packed(const char *name, odim_error *err)
{
    return od_fail(err, ODIM_ERR_FORMAT, "a buffer of the Arrow data is damaged: %s cannot unpack it", name);
}

/* Memory for so many bytes, that of an earlier batch if it is enough. */
static odim_status take_memory(od_arrow_unpacker *u, size_t size, uint8_t **out, odim_error *err)
{
    if (u->used == u->cap) {
        size_t cap = u->cap ? u->cap * 2 : 16;
        struct od_arrow_memory *more = od_grow(u->memory, u->cap, cap, sizeof *more);
        if (!more) return od_fail_nomem(err);
        memset(more + u->cap, 0, (cap - u->cap) * sizeof *more);
        u->memory = more;
        u->cap = cap;
    }
    struct od_arrow_memory *m = &u->memory[u->used++];
    if (m->cap < size) {
        od_free(m->bytes);
        m->cap = 0;
        if (!(m->bytes = od_alloc(size, 1))) return od_fail_nomem(err);
        m->cap = size;
    }
    *out = m->bytes;
    return ODIM_OK;
}

static odim_status unpack_lz4(od_arrow_unpacker *u, const uint8_t *from, size_t len, uint8_t *to, size_t size,
                              odim_error *err)
{
    LZ4F_dctx *context = u->lz4;
    if (!context && LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION)))
        return od_fail_nomem(err);
    u->lz4 = context;
    LZ4F_resetDecompressionContext(context);
    size_t left = 1, done = 0;
    while (left) {
        size_t in = len, out = size - done;
        left = LZ4F_decompress(context, to + done, &out, from, &in, NULL);
        if (LZ4F_isError(left) || (left && !in && !out)) return fail_packed("LZ4", err);
        from += in;
        len -= in;
        done += out;
    }
    return done == size ? ODIM_OK : fail_packed("LZ4", err);
}

static odim_status unpack_zstd(od_arrow_unpacker *u, const uint8_t *from, size_t len, uint8_t *to,
                               size_t size, odim_error *err)
{
    if (!u->zstd && !(u->zstd = ZSTD_createDCtx())) return od_fail_nomem(err);
    return ZSTD_decompressDCtx(u->zstd, to, size, from, len) == size ? ODIM_OK : fail_packed("zstd", err);
}

static odim_status unpack(od_arrow_body *b, od_arrow_part *part, odim_error *err)
{
    od_arrow_unpacker *u = b->unpacker;
    int64_t size;
    uint8_t *to;
    if (part->size < SIZE_PREFIX) return part->size ? fail_packed("the prefix", err) : ODIM_OK;
    memcpy(&size, part->bytes, sizeof size);
    const uint8_t *from = part->bytes + SIZE_PREFIX;
    size_t len = (size_t)part->size - SIZE_PREFIX;
    if (size == -1 || size == 0) {
        *part = (od_arrow_part){from, size ? len : 0};
        return ODIM_OK;
    }
    if (size < 0) return fail_packed("a negative size", err);
    if ((uint64_t)size > u->limit - u->total)
        return od_fail(err, ODIM_ERR_DATA,
                       "a batch unpacks to more than %.1f MB, the most that is allowed; if the file can be "
                       "trusted, set unpacked to allow more",
                       (double)u->limit / 1048576.0);
    odim_status status = take_memory(u, (size_t)size, &to, err);
    if (status) return status;
    status = b->codec == CODEC_LZ4 ? unpack_lz4(u, from, len, to, (size_t)size, err)
                                   : unpack_zstd(u, from, len, to, (size_t)size, err);
    u->total += (size_t)size;
    *part = (od_arrow_part){to, (uint64_t)size};
    return status;
}

/* ---- buffers ---------------------------------------------------------------------------------------- */

static odim_status fail(odim_error *err)
{
    return od_fail(err, ODIM_ERR_FORMAT, "a record batch of the Arrow data is damaged");
}

odim_status od_arrow_body_open(od_arrow_body *out, const od_flat_table *batch, const uint8_t *bytes,
                               size_t size, od_arrow_unpacker *unpacker, odim_error *err)
{
    od_flat_table compression;
    *out = (od_arrow_body){.bytes = bytes,
                           .size = size,
                           .rows = od_flat_int(batch, BATCH_LENGTH, 8, 0),
                           .nodes = od_flat_items(batch, BATCH_NODES, ENTRY),
                           .buffers = od_flat_items(batch, BATCH_BUFFERS, ENTRY),
                           .views = od_flat_items(batch, BATCH_VIEWS, 8),
                           .codec = CODEC_NONE,
                           .unpacker = unpacker};
    unpacker->used = unpacker->total = 0;
    if (od_flat_child(batch, BATCH_COMPRESSION, &compression)) {
        int64_t codec = od_flat_int(&compression, 0, 1, CODEC_LZ4);
        if (codec != CODEC_LZ4 && codec != CODEC_ZSTD)
            return od_fail(err, ODIM_ERR_FORMAT,
                           "the Arrow data is compressed in a way that cannot be read; use LZ4 or zstd");
        out->codec = (int)codec;
    }
    return batch->in->bad || out->rows < 0 ? fail(err) : ODIM_OK;
}

/* The next buffer, which must have so many bytes. */
static odim_status take_buffer(od_arrow_body *b, size_t least, od_arrow_part *out, odim_error *err)
{
    if (b->buffer >= b->buffers.count) return fail(err);
    int64_t at = od_flat_item_int(&b->buffers, b->buffer, 0, 8);
    int64_t len = od_flat_item_int(&b->buffers, b->buffer++, 8, 8);
    if (at < 0 || len < 0 || (uint64_t)at > b->size || (uint64_t)len > b->size - (uint64_t)at)
        return fail(err);
    *out = (od_arrow_part){b->bytes + at, (uint64_t)len};
    odim_status status = b->codec == CODEC_NONE ? ODIM_OK : unpack(b, out, err);
    if (status) return status;
    if (out->size > SIZE_MAX - b->seen || out->size < least) return fail(err);
    b->seen += (size_t)out->size;
    return ODIM_OK;
}

/* Values, offsets, views or indices. A batch without rows may lack them. */
static odim_status take_data(od_arrow_body *b, const od_arrow_type *type, int64_t rows, od_arrow_view *out,
                             odim_error *err)
{
    od_arrow_part part;
    size_t width = od_arrow_width(type), need = (size_t)rows / 8 + (rows % 8 != 0);
    bool offsets = !type->encoded && (type->kind == OD_ARROW_TEXT || type->kind == OD_ARROW_LARGE_TEXT);
    if (width && !od_mul((size_t)rows + offsets, width, &need)) return fail(err);
    odim_status status = take_buffer(b, rows ? need : 0, &part, err);
    out->data = part.bytes;
    return status || !offsets ? status : take_buffer(b, 0, &out->text, err);
}

/* The buffers behind the views, as many as the batch says. */
static odim_status take_parts(od_arrow_body *b, od_arrow_view *out, od_arrow_part **parts, odim_error *err)
{
    if (b->view >= b->views.count) return fail(err);
    int64_t count = od_flat_item_int(&b->views, b->view++, 0, 8);
    if (count < 0 || (uint64_t)count > b->buffers.count - b->buffer) return fail(err);
    odim_status status = ODIM_OK;
    if (!(*parts = od_alloc((size_t)count, sizeof **parts))) return od_fail_nomem(err);
    for (int64_t k = 0; k < count && !status; k++) status = take_buffer(b, 0, &(*parts)[k], err);
    out->parts = *parts;
    out->part_count = (size_t)count;
    return status;
}

static odim_status take_column(od_arrow_body *b, const od_arrow_type *type, od_arrow_view *out,
                               od_arrow_part **parts, odim_error *err)
{
    od_arrow_part valid;
    int64_t rows = od_flat_item_int(&b->nodes, b->node, 0, 8);
    int64_t missing = od_flat_item_int(&b->nodes, b->node++, 8, 8);
    if (rows != b->rows) return fail(err);
    if (type->kind == OD_ARROW_NULL && !type->encoded) return ODIM_OK;
    odim_status status = take_buffer(b, 0, &valid, err);
    if (status) return status;
    if (missing && valid.size) {
        if (valid.size < (uint64_t)rows / 8 + (rows % 8 != 0)) return fail(err);
        out->valid = valid.bytes;
    }
    status = take_data(b, type, rows, out, err);
    bool viewed = type->kind == OD_ARROW_TEXT_VIEW && !type->encoded;
    return status || !viewed ? status : take_parts(b, out, parts, err);
}

/* The entries of a column that is not used. */
static odim_status skip_column(od_arrow_body *b, const od_arrow_layout *layout, odim_error *err)
{
    b->node += layout->nodes;
    b->buffer += layout->buffers;
    for (size_t k = 0; k < layout->views; k++) {
        if (b->view >= b->views.count) return fail(err);
        int64_t count = od_flat_item_int(&b->views, b->view++, 0, 8);
        if (count < 0 || (uint64_t)count > b->buffers.count) return fail(err);
        b->buffer += (size_t)count;
    }
    return b->buffer > b->buffers.count ? fail(err) : ODIM_OK;
}

odim_status od_arrow_body_column(od_arrow_body *b, const od_arrow_type *type, const od_arrow_layout *layout,
                                 bool used, od_arrow_view *out, od_arrow_part **parts, odim_error *err)
{
    *out = (od_arrow_view){.type = *type, .count = b->rows};
    od_free(*parts);
    *parts = NULL;
    if (b->node >= b->nodes.count || layout->nodes > b->nodes.count - b->node) return fail(err);
    return used ? take_column(b, type, out, parts, err) : skip_column(b, layout, err);
}

/* The smallest values are bits. Without this a few bytes could claim any number of missing cells. */
odim_status od_arrow_body_end(const od_arrow_body *b, odim_error *err)
{
    size_t bytes = b->seen > b->size ? b->seen : b->size;
    return (uint64_t)b->rows / 8 > bytes ? fail(err) : ODIM_OK;
}
