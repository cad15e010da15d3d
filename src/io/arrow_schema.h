/* The schema of an Arrow file: the columns, their types, and which buffers of a record batch are theirs. */
#ifndef OD_ARROW_SCHEMA_H
#define OD_ARROW_SCHEMA_H

#include "io/arrow_value.h"
#include "io/flatbuf.h"

/* Versions of the metadata that can be read; before 4, buffers were described otherwise. */
#define OD_ARROW_V4 3
#define OD_ARROW_V5 4

/* What a column takes of a record batch; of nested ones, its children included. */
typedef struct od_arrow_layout {
    int64_t dictionary;    /* the number of the dictionary of an encoded column */
    size_t nodes, buffers; /* entries of the batch's lists */
    size_t views;          /* of these nodes, text and binary views, which have more buffers */
} od_arrow_layout;

typedef struct od_arrow_schema {
    od_strlist names;
    od_arrow_type *type;     /* (names.count) */
    od_arrow_layout *layout; /* (names.count) */
} od_arrow_schema;

/* The table is a Schema; version: that of the message or the footer that it is in. `out` is empty; free it
 * whatever comes of it. */
odim_status od_arrow_schema_read(od_arrow_schema *out, const od_flat_table *schema, int64_t version,
                                 odim_error *err);
void od_arrow_schema_free(od_arrow_schema *s);

#endif
