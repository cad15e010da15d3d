/*
 * The members of a model as bytes: as sections of a file (docs/FORMAT.md, sections MEMB, WGTS, STAT, NOIS and
 * hist), and each by itself, to be sent to another machine or kept until the others are trained.
 */
#ifndef OD_MEMBER_FILE_H
#define OD_MEMBER_FILE_H

#include "model/loading.h"

#define OD_MEMBER_FILE_SIZE 24 /* bytes per member in section MEMB */

void od_members_file_write(od_byte_writer *out, const odim_model *m);
odim_status od_members_file_read(od_byte_reader *in, od_loading *loading, odim_error *err);
void od_weights_file_write(od_byte_writer *out, const odim_model *m);
odim_status od_weights_file_read(od_byte_reader *in, od_loading *loading, odim_error *err);
void od_statistics_file_write(od_byte_writer *out, const odim_model *m);
odim_status od_statistics_file_read(od_byte_reader *in, od_loading *loading, odim_error *err);
void od_noise_file_write(od_byte_writer *out, const odim_model *m);
odim_status od_noise_file_read(od_byte_reader *in, od_loading *loading, odim_error *err);
void od_history_file_write(od_byte_writer *out, const odim_model *m);
odim_status od_history_file_read(od_byte_reader *in, od_loading *loading, odim_error *err);

void od_member_put(od_byte_writer *out, const odim_model *m, int64_t index);
/* Into a model of the same layout. The bytes come from this program: sizes are checked, values are not. */
odim_status od_member_get(od_byte_reader *in, odim_model *m, int64_t index, odim_error *err);

#endif
