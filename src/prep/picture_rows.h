/*
 * A folder of pictures as records, in the order of their names. The columns are the name of the file and the
 * pixels of a grid that each picture is scaled to (prep/pixels.h).
 */
#ifndef OD_PICTURE_ROWS_H
#define OD_PICTURE_ROWS_H

#include "io/records.h"
#include "prep/table_input.h"

/* The column of the names of the files, which are the ids of the rows. */
#define OD_PICTURE_FILE "file"

bool od_picture_rows_is_folder(const char *path);
/* The grid is that of options->pixels, of the model, or 16x16. An empty options->id leaves the names of the
 * files out. Remarks about files that are not pictures go to `notes`. */
odim_status od_picture_rows_open(od_records **out, const char *path, const od_table_input *in,
                                 od_strlist *notes, odim_error *err);

#endif
