/*
 * NPZ files: zip archives of NPY members, with `name.npy` for the array `name`. By convention the array X
 * has the rows, and the array y, if present, their labels.
 */
#ifndef OD_NPZ_H
#define OD_NPZ_H

#include <stdbool.h>

#include "io/npy.h"
#include "io/zip.h"

typedef struct od_npz {
    od_zip zip;
    size_t x, y; /* members */
    bool has_y;
} od_npz;

/* Finds X, or else the only array but y, and y. The bytes are borrowed until od_npz_close. */
odim_status od_npz_open(od_npz *out, const unsigned char *bytes, size_t size, odim_error *err);
void od_npz_close(od_npz *npz);
/* Opens a member and reads its NPY header; od_dense_read then reads its cells from *src. Close that. */
odim_status od_npz_member(const od_npz *npz, size_t member, od_source **src, od_dense *header,
                          odim_error *err);
/* Puts the member's name before the message of a failure; returns status. */
odim_status od_npz_blame(const od_npz *npz, size_t member, odim_status status, odim_error *err);

#endif
