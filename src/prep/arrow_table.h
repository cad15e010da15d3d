/* Tables that a program hands over by the Arrow C data interface. */
#ifndef OD_ARROW_TABLE_H
#define OD_ARROW_TABLE_H

#include "prep/schema.h"

/* Reads all batches of a stream into a new table. If stream->release is not NULL afterwards, the options are
 * wrong, and the stream is still the caller's. */
odim_status od_arrow_table(odim_table **out, struct ArrowArrayStream *stream,
                           const odim_read_options *options, const od_schema *like, odim_error *err);

#endif
