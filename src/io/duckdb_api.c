/* Finds libduckdb and its functions. */
#include "io/duckdb_api.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/platform.h"

#ifndef ODIM_LIBDIR
#define ODIM_LIBDIR "lib"
#endif

#define FUNCTION(name)                                                                                       \
    {                                                                                                        \
        "duckdb_" #name, offsetof(od_ddb_api, name)                                                          \
    }

static const struct {
    const char *name;
    size_t place; /* of its pointer in od_ddb_api */
} functions[] = {
    FUNCTION(create_config),
    FUNCTION(set_config),
    FUNCTION(destroy_config),
    FUNCTION(open_ext),
    FUNCTION(close),
    FUNCTION(connect),
    FUNCTION(disconnect),
    FUNCTION(free),
    FUNCTION(query),
    FUNCTION(prepare),
    FUNCTION(prepare_error),
    FUNCTION(prepared_statement_type),
    FUNCTION(destroy_prepare),
    FUNCTION(pending_prepared_streaming),
    FUNCTION(pending_execute_task),
    FUNCTION(pending_error),
    FUNCTION(execute_pending),
    FUNCTION(destroy_pending),
    FUNCTION(result_error),
    FUNCTION(destroy_result),
    FUNCTION(column_count),
    FUNCTION(column_name),
    FUNCTION(column_logical_type),
    FUNCTION(get_type_id),
    FUNCTION(destroy_logical_type),
    FUNCTION(decimal_scale),
    FUNCTION(decimal_internal_type),
    FUNCTION(enum_internal_type),
    FUNCTION(enum_dictionary_size),
    FUNCTION(enum_dictionary_value),
    FUNCTION(fetch_chunk),
    FUNCTION(data_chunk_get_size),
    FUNCTION(data_chunk_get_vector),
    FUNCTION(destroy_data_chunk),
    FUNCTION(vector_get_data),
    FUNCTION(vector_get_validity),
};

/* Looks at the places that belong to the folder of `file`, a program or a library. */
static void *load_near(const char *file)
{
    static const char *const places[] = {
        "", "duckdb/", "odim/", "../" ODIM_LIBDIR "/odim/", "../lib/odim/", "../" ODIM_LIBDIR "/", "../lib/"};
    const char *slash = strrchr(file, '/');
    void *handle = NULL;
    for (size_t i = 0; slash && !handle && i < sizeof places / sizeof *places; i++) {
        char path[PATH_MAX];
        int len = snprintf(path, sizeof path, "%.*s/%slibduckdb.so", (int)(slash - file), file, places[i]);
        if (len > 0 && (size_t)len < sizeof path && access(path, R_OK) == 0)
            handle = od_platform_library(path);
    }
    return handle;
}

static void *find_library(void)
{
    char program[PATH_MAX];
    od_platform_program(program, sizeof program);
    void *handle = load_near(program);
    /* Where another program, such as Python, has loaded libodim. */
    const char *here = handle ? NULL : od_platform_file_of(functions);
    if (here) handle = load_near(here);
    return handle ? handle : od_platform_library("libduckdb.so");
}

odim_status od_ddb_load(od_ddb_api *api, odim_error *err)
{
    char shown[160];
    const char *named = getenv("ODIM_DUCKDB");
    if (!od_platform_loads())
        return od_fail(err, ODIM_ERR_SYSTEM,
                       "reading it needs libduckdb, which this statically linked program cannot load: "
                       "use an odim that is linked dynamically");
    *api = (od_ddb_api){.handle = named && *named ? od_platform_library(named) : find_library()};
    if (!api->handle && named && *named)
        return od_fail(err, ODIM_ERR_SYSTEM, "libduckdb cannot be loaded from '%s', which ODIM_DUCKDB names",
                       od_printable(shown, sizeof shown, named, strlen(named)));
    if (!api->handle)
        return od_fail(
            err, ODIM_ERR_SYSTEM,
            "reading it needs libduckdb, which was not found: run 'make duckdb' where odim is built, "
            "or set ODIM_DUCKDB to the path of libduckdb.so");
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *found = od_platform_function(api->handle, functions[i].name);
        if (!found)
            return od_fail(err, ODIM_ERR_SYSTEM,
                           "libduckdb has no function %s: DuckDB 1.2 or newer is needed", functions[i].name);
        memcpy((char *)api + functions[i].place, &found, sizeof found);
    }
    return ODIM_OK;
}
