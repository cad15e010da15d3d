/* The parameters as a section of a model file: docs/FORMAT.md, section PARM. */
#ifndef OD_PARAMS_FILE_H
#define OD_PARAMS_FILE_H

#include "model/loading.h"

void od_params_file_write(od_byte_writer *out, const odim_model *m);
/* Sets loading->config. */
odim_status od_params_file_read(od_byte_reader *in, od_loading *loading, odim_error *err);

#endif
