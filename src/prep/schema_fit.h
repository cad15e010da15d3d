/* Makes a schema from a table. */
#ifndef OD_SCHEMA_FIT_H
#define OD_SCHEMA_FIT_H

#include "prep/sample.h"
#include "prep/schema.h"

/* stats are those of all rows, `rows` the training rows of t. least: see od_schema_least, 0: auto. The
 * number of threads makes no difference to the result. */
odim_status od_schema_make(od_schema *s, const odim_table *t, const od_column_stats *stats,
                           const od_row_set *rows, od_scaling scaling, int64_t least, int64_t threads,
                           odim_error *err);

#endif
