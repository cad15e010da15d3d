/*
 * Sources of bytes: a file, standard input, memory, a member of a zip archive. gzip, xz, zstd and bzip2
 * are recognized by their first bytes and unpacked on the way; so are UTF-16 and UTF-32 by their byte order
 * mark, also in packed data, and recoded to UTF-8. Nothing is allocated on the word of the data, except for
 * the window of a packed format, which is limited: a buffer grows as bytes really arrive.
 */
#ifndef OD_SOURCE_H
#define OD_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef struct od_source od_source;

/* As many bytes as a peek shows. */
#define OD_SOURCE_PEEK 32

/* "-" is standard input. */
odim_status od_source_open(od_source **out, const char *path, odim_error *err);
/* The bytes are borrowed until the source is closed. */
odim_status od_source_memory(od_source **out, const void *bytes, size_t size, odim_error *err);
/* The same, and the bytes are taken as they are: nothing is unpacked or recoded. */
odim_status od_source_plain(od_source **out, const void *bytes, size_t size, odim_error *err);
/* A member of a zip archive, the same borrowing: it must come to `size` bytes with this CRC-32. */
odim_status od_source_member(od_source **out, const void *bytes, size_t packed, bool deflated, uint64_t size,
                             uint32_t crc, odim_error *err);
void od_source_close(od_source *s);
/* Unpacks and recodes a member as a file would be: *s may be replaced by a source on top of it. */
odim_status od_source_find_filters(od_source **s, odim_error *err);
/*
 * Says in which encoding the text is, whatever its byte order mark says; *s may be replaced by a source on
 * top of it. iconv must know the name, else ODIM_ERR_PARAM and *s stays. "utf-8" means that nothing is
 * recoded. Before the first read; a peek, which shows whether it is a text at all, may come before it.
 */
odim_status od_source_set_encoding(od_source **s, const char *name, odim_error *err);
/* Whether the encoding was named or has a byte order mark: a reader must not guess it. */
bool od_source_encoded(const od_source *s);

/* At least one byte and at most `cap` (> 0); 0 is the end, and only there is it known that all was intact. */
odim_status od_source_read(od_source *s, void *buf, size_t cap, size_t *got, odim_error *err);
/* Exactly `cap` bytes, or fewer at the end. */
odim_status od_source_fill(od_source *s, void *buf, size_t cap, size_t *got, odim_error *err);
/* The first OD_SOURCE_PEEK bytes, which stay to be read; or all, if there are fewer, or a line of text if no
 * more has come. Before the first read only. */
odim_status od_source_peek(od_source *s, const unsigned char **bytes, size_t *got, odim_error *err);
/* Everything, in one piece that belongs to the source. Before the first read only; a second call, also of
 * od_source_map, gives the same. */
odim_status od_source_all(od_source *s, const unsigned char **bytes, size_t *size, odim_error *err);
/* The same by mapping the file, for callers that need only parts of it. It must not become shorter meanwhile.
 */
odim_status od_source_map(od_source *s, const unsigned char **bytes, size_t *size, odim_error *err);
/* Makes od_source_rewind possible, if need be by reading everything into memory. Before the first read only.
 */
odim_status od_source_hold(od_source *s, odim_error *err);
/* Back to the first byte; only after od_source_hold. */
odim_status od_source_rewind(od_source *s, odim_error *err);
/* Moves to byte `at`; only if od_source_size is not 0. */
odim_status od_source_seek(od_source *s, size_t at, odim_error *err);
/* Bytes of a source that can be read from any place on: a regular file, or memory, without filters. 0: it
 * cannot. */
size_t od_source_size(const od_source *s);
/* Whether a read would come back at once, with bytes or with the end. */
bool od_source_ready(od_source *s);
/* Whether its bytes never have to be waited for: those of a regular file or of memory. */
bool od_source_never_waits(const od_source *s);
/* Whether it is memory that needs no unpacking or recoding. */
bool od_source_is_memory(const od_source *s);
/* Whether it is unpacked on the way; *bytes: of how many, 0 if nobody knows. */
bool od_source_packed(const od_source *s, size_t *bytes);
/* od_source_all and od_source_hold fail if more bytes than that are unpacked. */
void od_source_limit(od_source *s, size_t most);
/* A hint for allocation: bytes still to come as far as that is known without trusting the data, or 0. */
size_t od_source_left(const od_source *s);

#endif
