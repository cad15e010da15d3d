/*
 * Sources of bytes: a file, standard input, memory, or a member of a zip archive. gzip is recognized by its
 * first two bytes and inflated on the fly, including several members in a row. Sizes that the data claim are
 * not trusted: a buffer grows as bytes arrive.
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
/* A member of a zip archive, the same borrowing: it must come to `size` bytes with this CRC-32. */
odim_status od_source_member(od_source **out, const void *bytes, size_t packed, bool deflated, uint64_t size,
                             uint32_t crc, odim_error *err);
void od_source_close(od_source *s);

/* At least one byte and at most `cap` (> 0); 0 is the end, and only there is it known that all was intact. */
odim_status od_source_read(od_source *s, void *buf, size_t cap, size_t *got, odim_error *err);
/* Exactly `cap` bytes, or fewer at the end. */
odim_status od_source_fill(od_source *s, void *buf, size_t cap, size_t *got, odim_error *err);
/* The first OD_SOURCE_PEEK bytes, which stay to be read; or all, if there are fewer, or a line of text if no
 * more has come. Before the first read only. */
odim_status od_source_peek(od_source *s, const unsigned char **bytes, size_t *got, odim_error *err);
/* Everything, in one piece that belongs to the source. Before the first read only. */
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
/* The size of a source that can seek: a regular file or memory that is not compressed. 0: it cannot seek. */
size_t od_source_size(const od_source *s);
/* Whether a read would come back at once, with bytes or with the end. */
bool od_source_ready(const od_source *s);
/* Whether it is inflated on the fly; *bytes: its compressed size, 0 if unknown. */
bool od_source_packed(const od_source *s, size_t *bytes);
/* od_source_all fails if more bytes than that are inflated. */
void od_source_limit(od_source *s, size_t most);
/* A hint for allocation: bytes still to come as far as that is known without trusting the data, or 0. */
size_t od_source_left(const od_source *s);

#endif
