/* Runs statements with DuckDB, for tests that need files of its formats. */
#ifndef DUCKDB_SQL_H
#define DUCKDB_SQL_H

#include <stdbool.h>
#include <stdio.h>

#include "io/duckdb_api.h"

/* Whether there is a library to test with. */
static inline bool duckdb_is_there(void)
{
    od_ddb_api api;
    return od_ddb_load(&api, NULL) == ODIM_OK;
}

/* Runs statements in a DuckDB file, or without one (NULL). False: one failed, which has been printed. */
static inline bool duckdb_run(const char *path, const char *const *sql, int count)
{
    od_ddb_api api;
    od_ddb_database database = NULL;
    od_ddb_connection connection = NULL;
    if (od_ddb_load(&api, NULL)) return false;
    bool fine = api.open_ext(path, &database, NULL, NULL) == OD_DDB_OK &&
                api.connect(database, &connection) == OD_DDB_OK;
    for (int i = 0; i < count && fine; i++) {
        od_ddb_result result = {0};
        fine = api.query(connection, sql[i], &result) == OD_DDB_OK;
        if (!fine) printf("%s: %s\n", sql[i], api.result_error(&result));
        api.destroy_result(&result);
    }
    if (connection) api.disconnect(&connection);
    if (database) api.close(&database);
    return fine;
}

#endif
