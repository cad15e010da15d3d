/* What a job has found: scores, model, and everything that is shown of them. Immutable but for its caches. */
#ifndef SERVE_RESULT_H
#define SERVE_RESULT_H

#include <pthread.h>

#include "jobs.h"
#include "judge.h"
#include "parsed.h"
#include "report.h"
#include "results.h"

/* Rows that match a query, in its order. */
typedef struct serve_selection {
    char *key;
    int64_t *row; /* (count) from 0 */
    int64_t count;
    int refs; /* under the lock of the result */
} serve_selection;

/* How a row has moved from a parent's result to its child's. */
typedef struct serve_move {
    int64_t row; /* from 0 */
    double before, after;
    int64_t rank_before, rank_after;
} serve_move;

enum { SERVE_MOVES = 100, SERVE_RANKS = 20 };

typedef struct serve_moved {
    char parent[SERVE_ID];
    serve_move now[SERVE_MOVES], no_longer[SERVE_MOVES]; /* outliers; the largest changes first */
    serve_move up[SERVE_RANKS], down[SERVE_RANKS];       /* in rank, of rows that were not marked */
    int64_t now_count, no_longer_count, up_count, down_count;
    int64_t outliers_before, outliers_after;
    double correlation; /* of the ranks */
} serve_moved;

typedef struct serve_result {
    serve_parsed *parsed;
    odim_table *view;        /* the rows with what the client knows of them; NULL: nothing */
    const odim_table *table; /* that, or the table as it was read */
    odim_model *model;
    int64_t rows;
    double *scores;
    int64_t *rank, *order;
    double threshold;
    cli_report report; /* what the findings are about */
    cli_findings findings;
    char *command;
    od_strlist notes;
    const char **note_list; /* (notes.count) */
    cli_judgement judgement;
    serve_moved *moved; /* NULL: there is no parent */
    double work_seconds, explain_seconds;
    size_t model_bytes;
    bool has_findings; /* to be freed */
    int64_t bytes;     /* of memory, roughly */

    pthread_mutex_t lock; /* of what follows */
    serve_selection *selection;
    double *raw; /* (rows) or NULL */
} serve_result;

void serve_result_free(serve_result *r);
/* Where a row with this number, from 1, is; -1: nowhere. */
int64_t serve_result_find(const serve_result *r, int64_t number);
/* What a row is, by a threshold. */
cli_log_level serve_result_level(const serve_result *r, int64_t row, double threshold);
/* What is known of a row: NULL, "outlier" or "fine". */
const char *serve_result_mark(const serve_result *r, int64_t row);
/* The bytes that the result of so many rows needs at most, apart from its model. */
int64_t serve_result_room(int64_t rows, int64_t cols);

/* A reference to a job that is done, so that it has a result; NULL: 404 or 409. */
struct serve_job *serve_result_take(serve_jobs *j, const char *id, serve_problem *why);

/* result_moved.c: compares with the scores of the parent. NULL: out of memory. */
serve_moved *serve_moved_make(const serve_result *before, const serve_result *after, const char *parent);
void serve_moved_json(const serve_result *r, cli_json *j);

#endif
