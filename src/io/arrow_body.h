/* The columns of a record batch in an Arrow file: its buffers, unpacked and checked, as views. */
#ifndef OD_ARROW_BODY_H
#define OD_ARROW_BODY_H

#include "io/arrow_schema.h"

/* Unpacks buffers into memory that is used again for the next batch. Begin with {.limit = ...}. */
typedef struct od_arrow_unpacker {
    size_t limit;                   /* bytes that the buffers of a batch may unpack to */
    size_t total;                   /* of the batch in hand */
    struct od_arrow_memory *memory; /* (cap) */
    size_t used, cap;
    void *lz4, *zstd; /* contexts of the libraries, made when they are needed */
} od_arrow_unpacker;

void od_arrow_unpacker_free(od_arrow_unpacker *u);

/* A record batch. The views of its columns are taken in the order of the schema. */
typedef struct od_arrow_body {
    const uint8_t *bytes;
    size_t size;
    int64_t rows;
    od_flat_vector nodes, buffers, views;
    int codec;                 /* -1: none */
    size_t node, buffer, view; /* entries that have been taken */
    size_t seen;               /* bytes of the buffers that have been taken */
    od_arrow_unpacker *unpacker;
} od_arrow_body;

/* batch: a table RecordBatch; the bytes behind its message are its body. What an earlier batch had unpacked
 * is gone. */
odim_status od_arrow_body_open(od_arrow_body *out, const od_flat_table *batch, const uint8_t *bytes,
                               size_t size, od_arrow_unpacker *unpacker, odim_error *err);
/* Takes the next column. Its view is filled in, without the dictionary, if `used`. parts: memory for the
 * pieces of text views, which this call allocates anew. */
odim_status od_arrow_body_column(od_arrow_body *b, const od_arrow_type *type, const od_arrow_layout *layout,
                                 bool used, od_arrow_view *out, od_arrow_part **parts, odim_error *err);
/* After the last column: whether there are enough bytes for so many rows. */
odim_status od_arrow_body_end(const od_arrow_body *b, odim_error *err);

#endif
