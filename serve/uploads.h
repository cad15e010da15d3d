/*
 * Uploaded tables, held in memory: their bytes, how they are read, and a description of what was understood.
 * Nothing here knows of HTTP.
 *
 * Memory. All tables and jobs of a process share one serve_memory, which counts the bytes that they hold.
 * What would exceed the limit first makes room: finished jobs go, the oldest first, then tables that no job
 * uses, the one that was used longest ago first. If that is not enough, the request fails with 413.
 *
 * Threads. All functions may be called from any thread. Order of locks, outermost first:
 *
 *     jobs (the registry of jobs, the queue) > job (state, events) > tables (the registry) > table > memory
 *
 * A thread that holds one may take those to its right. No lock is held while a file is read, a model is
 * fitted, or rows are scored, explained, searched or written.
 */
#ifndef SERVE_UPLOADS_H
#define SERVE_UPLOADS_H

#include <stddef.h>

#include "problem.h"
#include "text.h"

enum { SERVE_ID = 33 }; /* room for an id: 32 random hexadecimal digits and the '\0' */

/* What may be held. Everything that is 0 has the default. */
typedef struct serve_limits {
    int64_t memory;  /* bytes of all tables and jobs [half of the machine's memory] */
    int64_t rows;    /* of a table [50 million] */
    int64_t columns; /* of a table [16384] */
    int tables;      /* uploads at a time [100] */
    int jobs;        /* jobs that are remembered, finished or not [200] */
    int queue;       /* jobs that wait [16]; one more gets 429 */
    int workers;     /* jobs that run at a time [1] */
    int threads; /* most threads of each job [as many as the client asks for, else those of the machine] */
} serve_limits;

typedef struct serve_tables serve_tables;

odim_status serve_tables_new(serve_tables **out, const serve_limits *limits, serve_problem *why);
/* After all jobs are gone (serve_jobs_free). */
void serve_tables_free(serve_tables *t);
/* Bytes that tables and jobs hold now, and the limit: for metrics. */
int64_t serve_tables_memory(serve_tables *t, int64_t *limit);
int serve_tables_count(serve_tables *t);

/*
 * Takes an uploaded file and reads it, on the calling thread, which may take a while. `bytes` must come from
 * malloc and belongs to the table from now on, whatever the outcome. `name` is what the client calls the
 * file; it is only shown, and helps to detect the format. Writes the description, a JSON object:
 *
 *     {"table": ID, "name": "sales.csv", "bytes": 5120, "rows": 100,
 *      "columns": [{"name", "role": "feature"|"id"|"label"|"known"|"ignored",
 *                   "type": "numeric"|"boolean"|"categorical"|"time"|null, "format": "decimal comma, EUR",
 *                   "missing": 3, "why": "is constant"|null, "examples": ["1", ...]}, ...],
 *      "preview": {"rows": [["1", "2"], ...]}, "notes": ["..."],
 *      "choices": {"sheets": [...], "tables": [...], "entries": [...]}, "options": {as understood}}
 *
 * Columns are those of the file, in its order; the cells of the preview are in the same order. A file that
 * has a choice to make (several sheets, tables or entries) but is not read yet, since there is no default,
 * has "rows": 0, no columns, and a note that says so.
 *
 * On failure the upload is forgotten, except for ODIM_ERR_DATA and ODIM_ERR_FORMAT with a text file: then
 * the problem is written as the member "problem" of a description without columns, and the call succeeds, so
 * that the client can try other options. serve_jobs_detect refuses such a table.
 */
odim_status serve_tables_add(serve_tables *t, const char *name, void *bytes, size_t size, serve_text *out,
                             serve_problem *why);

/*
 * Reads the file again with other options, and writes the description. body: {"options": {...}}, where each
 * option may be missing:
 *
 *     {"id": COL or "" for none, "label": COL, "known": COL, "ignore": [COL...], "only": [COL...],
 *      "types": {COL: "numeric"|"boolean"|"categorical"|"time"|"numeric:comma"|"time:dmy"...},
 *      "decimal": ","|"."|"comma"|"point", "encoding", "format", "header": true|false, "delimiter": ";",
 *      "bad_rows": "stop"|"skip"|"call", "sheet", "table", "sql", "entry", "na": [TEXT...]}
 *
 * On failure the table stays as it was.
 */
odim_status serve_tables_read(serve_tables *t, const char *id, const char *body, size_t size, serve_text *out,
                              serve_problem *why);
/* The description. */
odim_status serve_tables_get(serve_tables *t, const char *id, serve_text *out, serve_problem *why);
/* Jobs that use the table keep what they need. */
odim_status serve_tables_delete(serve_tables *t, const char *id, serve_problem *why);

#endif
