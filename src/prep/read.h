/* The two ways a file becomes a table; odim_table_read chooses between them. */
#ifndef OD_READ_H
#define OD_READ_H

#include "base/status.h"
#include "io/source.h"
#include "prep/table.h"

typedef enum od_format {
    OD_FORMAT_AUTO,
    OD_FORMAT_CSV,
    OD_FORMAT_TSV,
    OD_FORMAT_NPY,
    OD_FORMAT_NPZ,
    OD_FORMAT_IDX
} od_format;

/* Both fill in an empty table: features finite, labels 0 or 1. After a failure it is still to be freed. */
odim_status od_read_text_fill(odim_table *t, od_source *src, od_format format, const odim_read_options *o,
                              odim_error *err);
odim_status od_read_dense_fill(odim_table *t, od_source *src, od_format format, const odim_read_options *o,
                               odim_error *err);

#endif
