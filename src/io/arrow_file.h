/*
 * Record batches of Arrow files: the IPC file format (.arrow, .feather), which has a list of its batches at
 * the end, and the IPC stream format (.arrows), which can come from a pipe.
 */
#ifndef OD_ARROW_FILE_H
#define OD_ARROW_FILE_H

#include "io/arrow_rows.h"
#include "io/source.h"

/* Whether data begin like one of the two. */
bool od_arrow_is(const unsigned char *bytes, size_t len);

/*
 * The source is borrowed, and nothing has been read from it yet. `limit` is for the bytes of one batch in
 * memory, and for what one unpacks to. Rewinding a stream needs a source that can be rewound.
 */
odim_status od_arrow_file_open(od_arrow_batches **out, od_source *src, size_t limit, odim_error *err);

#endif
