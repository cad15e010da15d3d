/* The sections CHKS and VERD of a model file: docs/FORMAT.md. */
#ifndef OD_VERDICTFILE_H
#define OD_VERDICTFILE_H

#include "model/sections.h"

void od_checksfile_write(od_wire_out *out, const odim_model *m);
odim_status od_checksfile_read(od_wire_in *in, od_loading *loading, odim_error *err);
void od_verdictfile_write(od_wire_out *out, const odim_model *m);
odim_status od_verdictfile_read(od_wire_in *in, od_loading *loading, odim_error *err);

#endif
