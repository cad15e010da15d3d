/*
 * Rows of an SQLite database, as records of text: those of a table or view, in its order, or of a query.
 *
 * The database is opened read-only and never changed. One read transaction lasts from the opening to the end,
 * so that all passes see the same rows. NULL is a missing cell. Columns of blobs are left out, with a note.
 */
#ifndef OD_SQLITE_ROWS_H
#define OD_SQLITE_ROWS_H

#include <stdbool.h>

#include "io/records.h"

/* Whether the first bytes are those of a database. */
bool od_sqlite_is(const void *bytes, size_t len);

/* Which rows: of a table or view or, instead, of a query. Both NULL: of the only table. */
typedef struct od_sqlite_choice {
    const char *table, *sql;
} od_sqlite_choice;

/* Opens a database file. Remarks about columns go to `notes`. */
odim_status od_sqlite_open(od_records **out, const char *path, od_sqlite_choice choice, od_strlist *notes,
                           odim_error *err);
/* The same for a database in memory; the bytes must outlive the records. */
odim_status od_sqlite_open_memory(od_records **out, const void *bytes, size_t size, od_sqlite_choice choice,
                                  od_strlist *notes, odim_error *err);

#endif
