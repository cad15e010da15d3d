/* A table in a zip archive: the source of the archive is replaced by that of the member. */
#ifndef OD_ARCHIVE_H
#define OD_ARCHIVE_H

#include "io/zip.h"
#include "prep/table_input.h"

/* Begin with {0}. */
typedef struct od_archive {
    od_source *outer; /* of the archive; NULL: it is none */
    od_zip zip;
    char name[256]; /* of the member, cut off at the front if it is too long */
} od_archive;

/* Looks at the first bytes. A zip archive of files is opened, and *src becomes the member; anything else
 * stays. */
odim_status od_archive_enter(od_archive *a, od_source **src, od_format format, const odim_read_options *o,
                             odim_error *err);
/* After the member's source is closed. */
void od_archive_close(od_archive *a);

#endif
