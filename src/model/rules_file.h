/* The section RULE of a model file: docs/FORMAT.md. */
#ifndef OD_RULES_FILE_H
#define OD_RULES_FILE_H

#include "model/loading.h"

bool od_rules_file_wanted(const odim_model *m);
void od_rules_file_write(od_byte_writer *out, const odim_model *m);
odim_status od_rules_file_read(od_byte_reader *in, od_loading *loading, odim_error *err);

#endif
