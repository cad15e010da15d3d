/*
 * From a file to tables: the whole file as one, or block after block of its rows. The format is found by
 * content, then by name.
 */
#ifndef OD_READ_H
#define OD_READ_H

#include <stdbool.h>

#include "base/status.h"
#include "io/source.h"
#include "prep/schema.h"

typedef enum od_format {
    OD_FORMAT_AUTO,
    OD_FORMAT_CSV,
    OD_FORMAT_TSV,
    OD_FORMAT_NPY,
    OD_FORMAT_NPZ,
    OD_FORMAT_IDX
} od_format;

/* bytes NULL: the file `path`; else these bytes, and path stands for their name. `like` NULL: the types of
 * the columns are found. The bytes must outlive the reader. */
odim_status od_reader_open(odim_reader **out, const char *path, const void *bytes, size_t size,
                           const odim_read_options *options, const od_schema *like, odim_error *err);

/* The file's name, fit for a message. */
const char *od_reader_name(const odim_reader *r);

/* The table that blocks are read into, with the rows of the last one: yours from here on. */
odim_table *od_reader_take(odim_reader *r);

/* All rows, as a table of the caller's. */
odim_status od_read_table(odim_table **out, const char *path, const void *bytes, size_t size,
                          const odim_read_options *options, const od_schema *like, odim_error *err);

#endif
