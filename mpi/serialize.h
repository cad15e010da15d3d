/* What ranks send each other, as bytes and back. */
#ifndef JOB_SERIALIZE_H
#define JOB_SERIALIZE_H

#include "model/byte_stream.h"
#include "prep/row_sample.h"
#include "prep/column_stats.h"

void job_put_levels(od_byte_writer *out, const od_levels *l);
/* Begin with {0}. */
odim_status job_get_levels(od_byte_reader *in, od_levels *l, odim_error *err);

void job_put_column_stats(od_byte_writer *out, const od_column_stats *s);
odim_status job_get_column_stats(od_byte_reader *in, od_column_stats *s, odim_error *err);

/* Rows in the order of their numbers; code (d): of the levels of a column, or NULL where it has none. */
void job_put_kept_rows(od_byte_writer *out, od_kept_rows *r, int64_t d, const uint32_t *const *code);
/* Adds them. */
odim_status job_get_kept_rows(od_byte_reader *in, od_kept_rows *r, int64_t d, odim_error *err);

#endif
