/* The sections CHKS and VERD of a model file: docs/FORMAT.md. */
#ifndef OD_VERDICT_FILE_H
#define OD_VERDICT_FILE_H

#include "model/loading.h"

void od_checks_file_write(od_byte_writer *out, const odim_model *m);
odim_status od_checks_file_read(od_byte_reader *in, od_loading *loading, odim_error *err);
void od_verdict_file_write(od_byte_writer *out, const odim_model *m);
odim_status od_verdict_file_read(od_byte_reader *in, od_loading *loading, odim_error *err);

/* A unit of scores; in->bad if it is impossible. */
void od_score_unit_write(od_byte_writer *out, const od_score_unit *u);
od_score_unit od_score_unit_read(od_byte_reader *in);

#endif
