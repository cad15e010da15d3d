/*
 * Which member of a zip archive is the table: the one that the caller names, the only file, or the only one
 * whose name ends like that of a table. Folders, and what macOS adds to archives, do not count.
 */
#ifndef OD_ZIP_PICK_H
#define OD_ZIP_PICK_H

#include "io/zip.h"

/* Whether it is an archive of files, not a document that is stored as a zip archive: NPZ, or xlsx and its
 * like. */
bool od_zip_is_folder(const od_zip *zip);
/* wanted: the member's name, or NULL. */
odim_status od_zip_pick(const od_zip *zip, const char *wanted, size_t *member, odim_error *err);

#endif
