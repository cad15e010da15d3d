/*
 * Encodes cells of a table as features of a model: any rows, on demand. There is no encoded copy of a table.
 * New rows are scaled with the numbers of the training rows and are not clipped, because an extreme value
 * must look extreme. Only values that single precision cannot hold are too large: they are an error in a
 * fit, and count as the largest usable value in a new row (`lenient`, set by the caller).
 */
#ifndef OD_ENCODE_H
#define OD_ENCODE_H

#include "prep/schema.h"

typedef struct od_encoder {
    const od_schema *schema;
    const odim_table *table;
    int64_t *source; /* (cols) the table's column for each of the schema, -1 where none is used */
    int64_t **level; /* (cols) of a categorical column: the schema's code of each of the table's levels, -1:
                        never seen */
    bool plain;      /* a cell is a feature */
    bool lenient;    /* what is too large counts as the largest that can be used, instead of being refused */
} od_encoder;

/* Columns are matched by name; order is free, and columns that the schema does not know are no matter. Both
 * must outlive the encoder. */
odim_status od_encoder_new(od_encoder *e, const od_schema *s, const odim_table *t, odim_error *err);
/* For a table with a column for each of the schema, whose categories have the schema's codes, and the number
 * of levels for any other. Its cells may change. */
odim_status od_encoder_own(od_encoder *e, const od_schema *s, const odim_table *t, odim_error *err);
void od_encoder_free(od_encoder *e);

/* Sets `table` and `source` for another table. Allocates nothing, and does not map its levels. */
odim_status od_encoder_match(od_encoder *e, const odim_table *t, odim_error *err);

/* out (count, features): rows[0..count-1] of the table or, where rows is NULL, start, start + 1, ... */
odim_status od_encode_rows(const od_encoder *e, const int64_t *rows, int64_t start, int64_t count, float *out,
                           odim_error *err);

/* x (d): what is beyond +-most becomes that. What is not a number stays so. */
void od_encode_clamp(float *x, int64_t d, float most);

/* The way back: the cell of a column that features (features) stand for, as a table of the schema's own
 * levels would have it. Of a category it is the likeliest level, of "another level" -1. */
double od_encode_back(const od_schema *s, int64_t col, const float *features);

#endif
