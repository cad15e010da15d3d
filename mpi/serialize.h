/* Type votes, column statistics, levels and training rows as bytes that ranks send each other. */
#ifndef JOB_SERIALIZE_H
#define JOB_SERIALIZE_H

#include "model/byte_stream.h"
#include "prep/row_sample.h"
#include "prep/column_stats.h"
#include "prep/type_infer.h"

void job_put_votes(od_byte_writer *out, const od_type_votes *votes, int64_t cols);
/* Merges the votes of later rows into votes (cols). */
odim_status job_merge_votes(od_byte_reader *in, od_type_votes *votes, int64_t cols, odim_error *err);

void job_put_levels(od_byte_writer *out, const od_levels *l);
/* *l must be {0}. */
odim_status job_get_levels(od_byte_reader *in, od_levels *l, odim_error *err);

void job_put_column_stats(od_byte_writer *out, const od_column_stats *s);
odim_status job_get_column_stats(od_byte_reader *in, od_column_stats *s, odim_error *err);

/* Writes the rows in the order of their numbers. code (d): the new code of each level of a column, or NULL if
 * the column has no levels. */
void job_put_kept_rows(od_byte_writer *out, od_kept_rows *r, int64_t d, const uint32_t *const *code);
/* Adds the rows to *r. */
odim_status job_get_kept_rows(od_byte_reader *in, od_kept_rows *r, int64_t d, odim_error *err);

#endif
