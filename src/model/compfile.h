/* The companions as a section of a model file: docs/FORMAT.md, section COMP. */
#ifndef OD_COMPFILE_H
#define OD_COMPFILE_H

#include "model/sections.h"

void od_compfile_write(od_wire_out *out, const odim_model *m);
/* They must be those that the parameters ask for. */
odim_status od_compfile_read(od_wire_in *in, od_loading *loading, odim_error *err);

#endif
