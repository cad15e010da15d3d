/* The inside of a source: a file or memory, or a filter on top of another source. For source*.c only. */
#ifndef OD_SOURCE_IMPL_H
#define OD_SOURCE_IMPL_H

#include <sys/types.h>

#include "io/source.h"
#include "io/filter.h"

#define OD_SOURCE_BUFFER ((size_t)64 << 10)

struct od_source {
    const unsigned char *in; /* bytes that came and are not used yet */
    size_t in_len;
    bool in_end;           /* no more will come */
    unsigned char *buffer; /* where they are, unless this is memory */

    int fd;           /* -1: no file */
    bool own_fd;      /* to be closed */
    size_t file_left; /* bytes that the file system says are still to be read, 0 for a pipe */
    size_t file_size; /* the same at the start; 0: not a regular file */
    off_t file_start; /* where in the file it begins */

    od_source *inner; /* where the bytes come from that the filter works on; NULL: no filter */
    od_filter *filter;
    bool begun;        /* the first bytes of its input are no longer in the buffer */
    bool done;         /* the filter has given everything */
    odim_error failed; /* a mistake that was met while looking ahead */
    bool encoded;      /* the encoding of the text is known */

    size_t packed; /* bytes to unpack of a member, 0 if nobody knows */
    size_t most;   /* that od_source_all may unpack; 0: any number */

    bool checked; /* a member: what must come out */
    uint64_t want_size, size;
    uint32_t want_crc, crc;

    unsigned char head[OD_SOURCE_PEEK]; /* seen and not read yet */
    size_t head_len, head_at;

    const unsigned char *whole; /* plain memory */
    size_t whole_size;
    unsigned char *all; /* (all_size) what od_source_all collected */
    size_t all_size;
    bool collected; /* it is complete */
    void *map;      /* (file_size) what od_source_map has */
};

/* Adds to the head, which is not full; *n is 0 at the end. */
odim_status od_source_extend_head(od_source *s, size_t *n, odim_error *err);

#endif
