/* The schema as a section of a model file: docs/FORMAT.md, section COLS. */
#ifndef OD_SCHEMA_FILE_H
#define OD_SCHEMA_FILE_H

#include "model/byte_stream.h"
#include "prep/schema.h"

void od_schema_file_write(od_byte_writer *out, const od_schema *s);
/* s is empty before; what was read when it fails is still to be freed. */
odim_status od_schema_file_read(od_byte_reader *in, od_schema *s, odim_error *err);

/* Section FILE: the columns of the file that the rows came from, and the formats of the schema's columns. */
bool od_file_columns_wanted(const od_schema *s);
void od_file_columns_write(od_byte_writer *out, const od_schema *s);
odim_status od_file_columns_read(od_byte_reader *in, od_schema *s, odim_error *err);

#endif
