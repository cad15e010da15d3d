/* Reads all bytes of a file, pipe or standard input into memory. */
#ifndef OD_READ_FILE_H
#define OD_READ_FILE_H

#include <stddef.h>

/*
 * Reads at most `most` bytes of `path`, or of standard input when it is NULL. *bytes gets a '\0' after the
 * last byte and is freed with od_free. Returns NULL, or what failed ("cannot open") with the reason in errno:
 * EFBIG when there are more bytes, ENOMEM when memory is out.
 *
 * If the contents do not begin with `magic`, the file is not of the expected kind: only its first block is
 * returned, which is enough for the caller to see that.
 */
const char *od_read_file(const char *path, const char *magic, size_t most, char **bytes, size_t *size);

#endif
