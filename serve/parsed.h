/* A table that has been read, shared by the upload and the jobs that use it; and the count of all memory. */
#ifndef SERVE_PARSED_H
#define SERVE_PARSED_H

#include <stdatomic.h>

#include "options.h"

/* What holds the bytes, so that they can be counted. */
typedef struct serve_memory serve_memory;

/* Makes room if need be. 413 if that is not possible. Call it without any lock. */
odim_status serve_memory_take(serve_memory *m, int64_t bytes, serve_problem *why);
void serve_memory_give(serve_memory *m, int64_t bytes);
/* How many bytes are free, not counting what would go to make room. */
int64_t serve_memory_left(serve_memory *m);

/* Immutable once made. */
typedef struct serve_parsed {
    char *name; /* of the file */
    odim_table *table;
    serve_options options; /* how it was read */
    double seconds;        /* that it took */
    int64_t cols;          /* columns of the file */
    int64_t *feature;      /* (cols) the column of the table, or its first one for a free text; -1: none */
    char **why;            /* (cols) why a fit would ignore it, or NULL */
    int64_t *missing;      /* (cols) cells */
    int64_t bytes;         /* of memory */
    serve_memory *memory;  /* that has been counted there */
    atomic_int refs;
} serve_parsed;

/* Reads the bytes; `limits` are complete. The caller gets one reference. */
odim_status serve_parsed_read(serve_parsed **out, serve_memory *memory, const serve_limits *limits,
                              const char *name, const void *bytes, size_t size, const serve_options *options,
                              serve_problem *why);
serve_parsed *serve_parsed_ref(serve_parsed *p);
void serve_parsed_unref(serve_parsed *p); /* NULL: nothing */

/* Columns of the file, as clients see them. */
const char *serve_parsed_column(const serve_parsed *p, int64_t col);
/* The type of a feature, and NULL for other columns and for free text. */
const char *serve_parsed_type(const serve_parsed *p, int64_t col);
/* The cell as it is in the file, "" if it is missing. buf is used where the file has no texts. */
const char *serve_parsed_cell(const serve_parsed *p, int64_t row, int64_t col, char *buf, size_t size);

/* Members of a description that are about the table: rows, columns, preview, notes, options. */
void serve_parsed_json(const serve_parsed *p, cli_json *j);
/* Members of one column: name, role, type, format, missing. */
void serve_parsed_put_column(const serve_parsed *p, int64_t col, cli_json *j);
/* The member "choices": sheets, tables and entries of the file, where there are several. */
void serve_choices_json(const char *name, const void *bytes, size_t size, cli_json *j);
/* Whether there are any. */
bool serve_choices_exist(const char *name, const void *bytes, size_t size);

/* ---- for jobs: the tables' side ------------------------------------------------------------------- */

serve_memory *serve_tables_count_memory(serve_tables *t);
const serve_limits *serve_tables_limits(const serve_tables *t);
/* What makes room besides the tables: returns false when there is nothing more to let go. NULL: nothing. */
void serve_tables_set_evict(serve_tables *t, bool (*evict)(void *ctx), void *ctx);
/* The table as it was read last. If options are given and differ, it is read again, on the calling thread,
 * and the upload stays as it is. */
odim_status serve_tables_parse(serve_tables *t, const char *id, const serve_options *options,
                               serve_parsed **out, serve_problem *why);
/* Only the name, and whether a read is needed for these options (may be NULL). *out: NULL if it is. */
odim_status serve_tables_find(serve_tables *t, const char *id, const serve_options *options,
                              serve_parsed **out, char **name, serve_problem *why);
/* What a client calls a file, without folders and not too long; to be freed by od_free. NULL: out of memory.
 */
char *serve_name(const char *name);
/* New ids. Fails if the system has no random numbers. */
odim_status serve_new_id(char id[SERVE_ID], serve_problem *why);
/* Seconds since some start, and since 1970. */
double serve_clock(void);
double serve_time(void);

#endif
