/* The schema as a section of a model file: docs/FORMAT.md, section COLS. */
#ifndef OD_SCHEMAFILE_H
#define OD_SCHEMAFILE_H

#include "model/wire.h"
#include "prep/schema.h"

void od_schemafile_write(od_wire_out *out, const od_schema *s);
/* s is empty before; what was read when it fails is still to be freed. */
odim_status od_schemafile_read(od_wire_in *in, od_schema *s, odim_error *err);

#endif
