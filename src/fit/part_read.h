/*
 * Reads the parts of a file, each for itself. Text is cut at any byte, as odim-mpi cuts it: a part has the
 * records that begin between two cuts. A file that cannot be cut is read as the first part, and the others
 * have no rows.
 */
#ifndef OD_PART_READ_H
#define OD_PART_READ_H

#include "fit/part_scan.h"

/* Scans part `part` (from 0) of `parts`. like: the columns of a model, whose types are known; or NULL. */
odim_status od_part_scan(odim_scan *s, int64_t part, int64_t parts, const char *path,
                         const odim_read_options *o, const od_schema *like, odim_error *err);
/* Opens the file at the first row of a part, with the types that all parts together have. The reader ends
 * with the part. */
odim_status od_part_open(odim_reader **out, const odim_scan *s, int64_t part, const char *path,
                         const odim_read_options *o, const od_schema *like, odim_error *err);

#endif
