/* Builds a table from columns in memory: numbers, or texts that are read as in a CSV file. */
#ifndef OD_TABLE_BUILD_H
#define OD_TABLE_BUILD_H

#include "prep/schema.h"

/* like: the columns are to be those of a fitted schema, by name or, where none has one, in its order; or
 * NULL. */
odim_status od_table_build(odim_table **out, const odim_column *columns, int64_t cols, int64_t rows,
                           const od_schema *like, odim_error *err);

#endif
