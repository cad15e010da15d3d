/* Record batches of a program in the same process, by the Arrow C data interface of odim.h. */
#ifndef OD_ARROW_STREAM_H
#define OD_ARROW_STREAM_H

#include "io/arrow_rows.h"

/*
 * Takes over the stream, whatever comes of it: `stream` is empty afterwards. With `hold` all batches are kept
 * until it is closed, so that rewinding is possible; otherwise each is released before the next is asked for.
 */
odim_status od_arrow_stream_open(od_arrow_batches **out, struct ArrowArrayStream *stream, bool hold,
                                 odim_error *err);

#endif
