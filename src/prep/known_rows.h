/*
 * A file of known outliers, one per line, each given by its row number (from 1) or by its id. A line that
 * matches no row of the table is an error, because it is most likely a slip.
 */
#ifndef OD_KNOWN_ROWS_H
#define OD_KNOWN_ROWS_H

#include "prep/table.h"

/* A line of the file. */
typedef struct od_known_row {
    const char *id; /* or NULL */
    int64_t row;    /* from 1, where there is no id */
    int64_t line;
    bool fine; /* it is an inlier: the line ends with a tab and "fine" */
    bool met;  /* a row of that number or id has come */
} od_known_row;

/* Begin with {0}. */
typedef struct od_known_rows {
    char shown[160];    /* the file's name, fit for a message */
    char *text;         /* of the file; the ids are in it */
    od_known_row *mark; /* (count) sorted, no two alike */
    size_t count;
    bool by_id;
} od_known_rows;

odim_status od_known_rows_read(od_known_rows *m, const char *path, bool by_id, odim_error *err);
/* What is known of the rows of the table: 1 for outliers, 0 for inliers, -1 for the others. */
odim_status od_known_rows_apply(od_known_rows *m, odim_table *t, odim_error *err);
/* After the last of all `rows`. */
odim_status od_known_rows_end(const od_known_rows *m, int64_t rows, odim_error *err);
void od_known_rows_free(od_known_rows *m);

#endif
