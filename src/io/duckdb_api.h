/*
 * The calls of DuckDB's C interface that are used here, found in libduckdb at run time.
 *
 * Only what is stable since DuckDB 1.2 is declared: handles, the numbers of the types, and the layout of the
 * values in a vector. Nothing is linked with the library, and no other file loads it.
 */
#ifndef OD_DUCKDB_API_H
#define OD_DUCKDB_API_H

#include <stdint.h>

#include "base/status.h"

typedef struct od_ddb_database_s *od_ddb_database;
typedef struct od_ddb_connection_s *od_ddb_connection;
typedef struct od_ddb_config_s *od_ddb_config;
typedef struct od_ddb_statement_s *od_ddb_statement;
typedef struct od_ddb_pending_s *od_ddb_pending;
typedef struct od_ddb_type_s *od_ddb_type;
typedef struct od_ddb_chunk_s *od_ddb_chunk;
typedef struct od_ddb_vector_s *od_ddb_vector;

/* Passed by value, so its size counts; its members belong to the library. */
typedef struct od_ddb_result {
    uint64_t reserved[3];
    void *columns;
    char *message;
    void *data;
} od_ddb_result;

/* Numbers of the types of columns. */
enum {
    OD_DDB_BOOLEAN = 1,
    OD_DDB_TINYINT,
    OD_DDB_SMALLINT,
    OD_DDB_INTEGER,
    OD_DDB_BIGINT,
    OD_DDB_UTINYINT,
    OD_DDB_USMALLINT,
    OD_DDB_UINTEGER,
    OD_DDB_UBIGINT,
    OD_DDB_FLOAT,
    OD_DDB_DOUBLE,
    OD_DDB_TIMESTAMP, /* microseconds since 1970 */
    OD_DDB_DATE,      /* days since 1970, 32 bits */
    OD_DDB_TIME,      /* microseconds since midnight */
    OD_DDB_INTERVAL,
    OD_DDB_HUGEINT,
    OD_DDB_VARCHAR,
    OD_DDB_BLOB,
    OD_DDB_DECIMAL, /* a whole number of 16, 32, 64 or 128 bits, and a scale */
    OD_DDB_TIMESTAMP_S,
    OD_DDB_TIMESTAMP_MS,
    OD_DDB_TIMESTAMP_NS,
    OD_DDB_ENUM, /* an index of 8, 16 or 32 bits */
    OD_DDB_LIST,
    OD_DDB_STRUCT,
    OD_DDB_MAP,
    OD_DDB_UUID, /* 128 bits, the highest one flipped */
    OD_DDB_UNION,
    OD_DDB_BIT,
    OD_DDB_TIME_TZ,
    OD_DDB_TIMESTAMP_TZ,
    OD_DDB_UHUGEINT,
    OD_DDB_ARRAY,
    OD_DDB_NULL = 36
};

enum { OD_DDB_OK = 0, OD_DDB_SELECT = 1 };                              /* states, kinds of statements */
enum { OD_DDB_READY, OD_DDB_NOT_READY, OD_DDB_ERROR, OD_DDB_NO_TASKS }; /* of a query that is being run */

/* Values of 128 bits. */
typedef struct od_ddb_huge {
    uint64_t lower;
    int64_t upper;
} od_ddb_huge;

/* A text of up to 12 bytes is in place; a longer one has its first 4 bytes there, and is elsewhere. */
typedef struct od_ddb_text {
    uint32_t len;
    char start[4];
    union {
        char more[8];
        const char *all;
    } rest;
} od_ddb_text;

typedef struct od_ddb_api {
    void *handle;
    int (*create_config)(od_ddb_config *);
    int (*set_config)(od_ddb_config, const char *name, const char *value);
    void (*destroy_config)(od_ddb_config *);
    int (*open_ext)(const char *path, od_ddb_database *, od_ddb_config, char **error);
    void (*close)(od_ddb_database *);
    int (*connect)(od_ddb_database, od_ddb_connection *);
    void (*disconnect)(od_ddb_connection *);
    void (*free)(void *);
    int (*query)(od_ddb_connection, const char *sql, od_ddb_result *);
    int (*prepare)(od_ddb_connection, const char *sql, od_ddb_statement *);
    const char *(*prepare_error)(od_ddb_statement);
    int (*prepared_statement_type)(od_ddb_statement);
    void (*destroy_prepare)(od_ddb_statement *);
    int (*pending_prepared_streaming)(od_ddb_statement, od_ddb_pending *);
    int (*pending_execute_task)(od_ddb_pending);
    const char *(*pending_error)(od_ddb_pending);
    int (*execute_pending)(od_ddb_pending, od_ddb_result *);
    void (*destroy_pending)(od_ddb_pending *);
    const char *(*result_error)(od_ddb_result *);
    void (*destroy_result)(od_ddb_result *);
    uint64_t (*column_count)(od_ddb_result *);
    const char *(*column_name)(od_ddb_result *, uint64_t col);
    od_ddb_type (*column_logical_type)(od_ddb_result *, uint64_t col);
    int (*get_type_id)(od_ddb_type);
    void (*destroy_logical_type)(od_ddb_type *);
    uint8_t (*decimal_scale)(od_ddb_type);
    int (*decimal_internal_type)(od_ddb_type);
    int (*enum_internal_type)(od_ddb_type);
    uint32_t (*enum_dictionary_size)(od_ddb_type);
    char *(*enum_dictionary_value)(od_ddb_type, uint64_t index);
    od_ddb_chunk (*fetch_chunk)(od_ddb_result);
    uint64_t (*data_chunk_get_size)(od_ddb_chunk);
    od_ddb_vector (*data_chunk_get_vector)(od_ddb_chunk, uint64_t col);
    void (*destroy_data_chunk)(od_ddb_chunk *);
    void *(*vector_get_data)(od_ddb_vector);
    uint64_t *(*vector_get_validity)(od_ddb_vector);
} od_ddb_api;

/*
 * Loads the library: the one that the environment variable ODIM_DUCKDB names, else libduckdb.so beside the
 * program or libodim, in the lib folder of the same prefix, or where the system has its libraries. It stays
 * loaded until the process ends.
 */
odim_status od_ddb_load(od_ddb_api *api, odim_error *err);

#endif
