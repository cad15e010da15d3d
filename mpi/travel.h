/* What ranks send each other, as bytes and back. */
#ifndef OD_TRAVEL_H
#define OD_TRAVEL_H

#include "model/bytes.h"
#include "prep/row_sample.h"
#include "prep/column_stats.h"

void od_put_levels(od_byte_writer *out, const od_levels *l);
/* Begin with {0}. */
odim_status od_get_levels(od_byte_reader *in, od_levels *l, odim_error *err);

void od_put_survey(od_byte_writer *out, const od_column_stats *s);
odim_status od_get_survey(od_byte_reader *in, od_column_stats *s, odim_error *err);

/* Rows in the order of their numbers; code (d): of the levels of a column, or NULL where it has none. */
void od_put_rack(od_byte_writer *out, od_kept_rows *r, int64_t d, const uint32_t *const *code);
/* Adds them. */
odim_status od_get_rack(od_byte_reader *in, od_kept_rows *r, int64_t d, odim_error *err);

#endif
