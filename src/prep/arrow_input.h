/* Opens an Arrow file as records, with the options of the caller. */
#ifndef OD_ARROW_INPUT_H
#define OD_ARROW_INPUT_H

#include "io/records.h"
#include "prep/table_input.h"

odim_status od_arrow_input(od_records **out, const od_table_input *in, od_strlist *notes, odim_error *err);
/* For od_arrow_needs, whose ctx is an od_table_input. */
bool od_arrow_input_needs(const void *ctx, const char *name, size_t column);

#endif
