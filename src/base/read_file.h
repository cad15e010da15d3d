/* All bytes of a file, in memory. */
#ifndef OD_READ_FILE_H
#define OD_READ_FILE_H

#include "base/status.h"

/*
 * At most `most` bytes are read, to be od_free'd. Of a file that does not begin with `magic`, which is so not
 * the kind that is wanted, only a first block is read: the caller will see. Messages begin with the path.
 */
odim_status od_read_file(const char *path, const char *magic, size_t most, void **bytes, size_t *size,
                         odim_error *err);

#endif
