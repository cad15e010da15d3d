/* What the public calls that read rows have in common. */
#ifndef OD_READING_H
#define OD_READING_H

#include "base/poll.h"
#include "model/model.h"

/* The options as this version has them, and the caller's hooks. */
typedef struct od_reading {
    odim_read_options options;
    const od_schema *like; /* of the model that they name */
    odim_hooks hooks;
    od_poll poll;
} od_reading;

/* Unless it fails, od_reading_end must follow. */
odim_status od_reading_begin(od_reading *r, const odim_read_options *options, odim_error *err);
void od_reading_end(od_reading *r);

/* Columns of the caller, as this version has them. Free *own with od_free, also after a failure. */
odim_status od_reading_columns(odim_column **own, const odim_column *const *columns, int64_t cols,
                               odim_error *err);

#endif
