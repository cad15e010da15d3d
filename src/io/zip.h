/*
 * Zip archives in memory, as far as NPZ files need them. The directory at the end is what counts:
 *
 *     local header (30 bytes, name, extra), the member's bytes        for each member
 *     directory entry (46 bytes, name, extra, comment)                for each member
 *     zip64 end record (56 bytes or more), its locator (20 bytes)     for large archives only
 *     end record (22 bytes, comment)                                  closes the file
 *
 * Stored and deflated members, zip64. Refused: encryption, several disks, anything that overlaps or lies
 * outside.
 */
#ifndef OD_ZIP_H
#define OD_ZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/source.h"

typedef struct od_zip_member {
    const char *name; /* in the archive's bytes, without '\0' */
    size_t name_len;
    uint64_t start; /* of the local header */
    uint64_t data;  /* of the member's bytes */
    uint64_t packed, size;
    uint32_t crc;
    unsigned method, flags;
} od_zip_member;

typedef struct od_zip {
    const unsigned char *bytes; /* borrowed */
    od_zip_member *members;     /* in the order of the directory */
    size_t count;
} od_zip;

/* Do these bytes begin a zip archive? */
bool od_zip_is(const unsigned char *bytes, size_t len);
odim_status od_zip_open(od_zip *out, const unsigned char *bytes, size_t size, odim_error *err);
void od_zip_close(od_zip *zip);
/* The member's bytes, inflated, checked against its size and CRC-32. The archive must outlive the source. */
odim_status od_zip_source(const od_zip *zip, size_t member, od_source **out, odim_error *err);

#endif
