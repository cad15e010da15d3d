/*
 * Reads FlatBuffers, the form of the metadata of Arrow files, without trusting any offset in them.
 *
 * A table has numbered slots. A slot that is absent has a default value. Whatever lies outside of the buffer
 * counts as absent, and makes the buffer `bad`: look at it when everything has been read.
 */
#ifndef OD_FLATBUF_H
#define OD_FLATBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct od_flatbuf {
    const uint8_t *bytes;
    size_t size;
    bool bad;
} od_flatbuf;

typedef struct od_flat_table {
    od_flatbuf *in;
    size_t at;           /* of the table */
    size_t slots, count; /* where its slots are described, and how many are */
} od_flat_table;

/* A vector of structs, scalars or tables; all items are inside the buffer. */
typedef struct od_flat_vector {
    od_flatbuf *in;
    size_t at;
    size_t count, width;
} od_flat_vector;

/* False: there is no such table. */
bool od_flat_root(od_flatbuf *b, od_flat_table *out);
bool od_flat_child(const od_flat_table *t, int slot, od_flat_table *out);
/* A signed number of 1, 2, 4 or 8 bytes. */
int64_t od_flat_int(const od_flat_table *t, int slot, size_t width, int64_t absent);
/* A text, which may have any bytes and no '\0' at its end; NULL: absent. */
const char *od_flat_text(const od_flat_table *t, int slot, size_t *len);
/* Items of `width` bytes; an absent vector has none. */
od_flat_vector od_flat_items(const od_flat_table *t, int slot, size_t width);
/* The number at byte `from` of an item. */
int64_t od_flat_item_int(const od_flat_vector *v, size_t i, size_t from, size_t width);
/* Item i of a vector of tables, whose width is 4. */
bool od_flat_item_table(const od_flat_vector *v, size_t i, od_flat_table *out);

#endif
