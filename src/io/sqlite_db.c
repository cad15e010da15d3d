/* Opens SQLite databases without ever changing them, and words SQLite's errors. */
#include "io/sqlite_db.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/mem.h"
#include "base/poll.h"
#include "io/csv.h"

/* How long to wait for another program that writes, in ms. */
#define WAIT 2000
/* Steps of SQLite's machine between two checks for cancellation. */
#define STEPS_AT_ONCE 10000

odim_status od_sqlite_fail(sqlite3 *db, int rc, odim_error *err)
{
    char shown[200];
    const char *text = db ? sqlite3_errmsg(db) : sqlite3_errstr(rc);
    od_printable(shown, sizeof shown, text, strlen(text));
    switch (rc & 0xff) {
    case SQLITE_NOMEM: return od_fail_nomem(err);
    case SQLITE_INTERRUPT: return od_fail(err, ODIM_ERR_CANCELLED, "cancelled");
    case SQLITE_NOTADB:
        return od_fail(err, ODIM_ERR_FORMAT, "it is not an SQLite database, or it is encrypted");
    case SQLITE_CORRUPT: return od_fail(err, ODIM_ERR_IO, "the database is damaged (%s)", shown);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return od_fail(err, ODIM_ERR_IO, "another program is writing to the database; try again later");
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
        return od_fail(
            err, ODIM_ERR_IO,
            "the database cannot be opened for reading only (%s); if a program that wrote to it was "
            "interrupted, open it once with that program",
            shown);
    case SQLITE_TOOBIG:
        return od_fail(err, ODIM_ERR_DATA, "a value is longer than %zu MB", OD_CSV_RECORD_MOST >> 20);
    default: return od_fail(err, ODIM_ERR_IO, "SQLite: %s", shown);
    }
}

static int is_cancelled(void *ignored)
{
    (void)ignored;
    return od_poll_stopped();
}

/* The path as a URI, in which most characters are escaped. */
static char *make_uri(const char *path, bool immutable)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-";
    size_t len = strlen(path), room = len * 3 + 64;
    char *uri = len < SIZE_MAX / 4 ? od_alloc(room, 1) : NULL;
    if (!uri) return NULL;
    char *at = uri + snprintf(uri, room, "file:%s", *path == '/' ? "//" : "");
    for (; *path; path++) {
        bool keep = strchr(plain, *path) != NULL;
        at += keep ? snprintf(at, 2, "%c", *path) : snprintf(at, 4, "%%%02X", (unsigned char)*path);
    }
    snprintf(at, room - (size_t)(at - uri), "?mode=ro%s", immutable ? "&immutable=1" : "");
    return uri;
}

/* Nothing in a file from elsewhere may have side effects or ask for much memory. */
static int protect(sqlite3 *db)
{
    sqlite3_extended_result_codes(db, 1);
    sqlite3_busy_timeout(db, WAIT);
    sqlite3_progress_handler(db, STEPS_AT_ONCE, is_cancelled, NULL);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, (int)OD_CSV_RECORD_MOST);
    sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    return sqlite3_exec(db, "PRAGMA cell_size_check = 1; PRAGMA query_only = 1; PRAGMA temp_store = 2", NULL,
                        NULL, NULL);
}

/* Begins the transaction of all reads, and reads for the first time. */
static int begin(sqlite3 *db)
{
    int rc = sqlite3_exec(db, "BEGIN", NULL, NULL, NULL);
    return rc ? rc : sqlite3_exec(db, "SELECT 1 FROM sqlite_master LIMIT 1", NULL, NULL, NULL);
}

static odim_status connect(sqlite3 **db, const char *path, bool immutable, int *rc, odim_error *err)
{
    const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
    char *uri = make_uri(path, immutable);
    if (!uri) return od_fail_nomem(err);
    sqlite3_close(*db);
    *rc = sqlite3_open_v2(uri, db, flags, NULL);
    od_free(uri);
    if (!*rc) *rc = protect(*db);
    if (!*rc) *rc = begin(*db);
    return *rc ? od_sqlite_fail(*db, *rc, err) : ODIM_OK;
}

/*
 * A database with a write-ahead log needs a file next to it even for reading. Where that cannot be made, in a
 * folder without permission to write, it is read as it is: then nobody can be writing to it, unless there is
 * a log.
 */
static bool is_unchangeable(const char *path)
{
    static const char *const beside[] = {"-wal", "-journal"};
    if (access(path, W_OK) == 0) return false;
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        size_t size = strlen(path) + 10;
        char *name = od_alloc(size, 1);
        if (!name) return false;
        snprintf(name, size, "%s%s", path, beside[i]);
        bool there = access(name, F_OK) == 0;
        od_free(name);
        if (there) return false;
    }
    return true;
}

odim_status od_sqlite_connect(sqlite3 **db, const char *path, odim_error *err)
{
    int rc = 0;
    *db = NULL;
    odim_status status = connect(db, path, false, &rc, err);
    bool refused = (rc & 0xff) == SQLITE_CANTOPEN || (rc & 0xff) == SQLITE_READONLY;
    return refused && is_unchangeable(path) ? connect(db, path, true, &rc, err) : status;
}

odim_status od_sqlite_connect_memory(sqlite3 **db, const void *bytes, size_t size, unsigned char **copy,
                                     odim_error *err)
{
    enum { WRITE_VERSION = 18, READ_VERSION = 19, WITH_LOG = 2 };
    unsigned char *use = (unsigned char *)bytes; /* SQLite does not write to what is read-only */
    *db = NULL;
    *copy = NULL;
    if (size > READ_VERSION && use[READ_VERSION] == WITH_LOG) {
        *copy = use = od_alloc(size, 1);
        if (!use) return od_fail_nomem(err);
        memcpy(use, bytes, size);
        use[WRITE_VERSION] = use[READ_VERSION] = 1;
    }
    int rc = sqlite3_open_v2(":memory:", db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, NULL);
    if (!rc)
        rc = sqlite3_deserialize(*db, "main", use, (sqlite3_int64)size, (sqlite3_int64)size,
                                 SQLITE_DESERIALIZE_READONLY);
    if (!rc) rc = protect(*db);
    if (!rc) rc = begin(*db);
    return rc ? od_sqlite_fail(*db, rc, err) : ODIM_OK;
}
