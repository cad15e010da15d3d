/*
 * A connection to an SQLite database that cannot change it. The first read has been made, and begins a
 * transaction that lasts as long as the connection: every later read sees the same data. Long statements end
 * when the call is cancelled (base/poll.h).
 */
#ifndef OD_SQLITE_DB_H
#define OD_SQLITE_DB_H

#include <sqlite3.h>

#include "base/status.h"

/* Opens a file. *db is to be closed by sqlite3_close, also after a failure. */
odim_status od_sqlite_connect(sqlite3 **db, const char *path, odim_error *err);
/*
 * Opens a database in memory; the bytes must outlive the connection. A database with a write-ahead log needs
 * a copy, without the mark that there is one: *copy is to be freed by od_free after the connection is closed.
 */
odim_status od_sqlite_connect_memory(sqlite3 **db, const void *bytes, size_t size, unsigned char **copy,
                                     odim_error *err);
/* Says in clear words what SQLite has just failed with; rc: its result, db: may be NULL. */
odim_status od_sqlite_fail(sqlite3 *db, int rc, odim_error *err);

#endif
