/* One trained member as bytes and back: to be sent to another machine, or kept until the others are done. */
#ifndef OD_MEMBER_FILE_H
#define OD_MEMBER_FILE_H

#include "model/model.h"
#include "model/byte_stream.h"

void od_member_put(od_byte_writer *out, const odim_model *m, int64_t index);
/* Into a model of the same layout. The bytes are ours: sizes are checked, meanings are not. */
odim_status od_member_get(od_byte_reader *in, odim_model *m, int64_t index, odim_error *err);

#endif
