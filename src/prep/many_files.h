/*
 * Several files as one table: the records of one after the other. All have the same columns, in any order;
 * the first file says which. Rows and lines are counted in each file.
 */
#ifndef OD_MANY_FILES_H
#define OD_MANY_FILES_H

#include "io/records.h"
#include "prep/text_rows.h"

/* Opens file `i` up to its first row, in the place of the one before, and closes it. The rows belong to the
 * opener. */
typedef struct od_file_opener {
    odim_status (*open)(void *self, int64_t i, od_text_rows **rows, odim_error *err);
    void (*close)(void *self);
    void *self;
    const char *first; /* the name of the first file, fit for a message */
    int64_t count;     /* of files */
} od_file_opener;

/* The options that files are opened with. `texts` keeps a copy of those that are texts, and `ignored` a list
 * of columns, because the caller's may be gone when the next file is opened. */
odim_status od_many_files_options(odim_read_options *to, od_strlist *texts, const char ***ignored,
                                  const odim_read_options *from, odim_error *err);
/* Adds the notes about a file to those about all, except for what another file has had as well. */
odim_status od_many_files_notes(od_strlist *all, const char *file, const od_strlist *notes, odim_error *err);

/* Opens the first file, to know the columns. The opener must outlive the records. */
odim_status od_many_files_open(od_records **out, od_file_opener opener, odim_error *err);

#endif
