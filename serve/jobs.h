/*
 * Jobs: detection of outliers in uploaded tables, in worker threads, with progress, results and learning from
 * what the user knows. Nothing here knows of HTTP: a handler passes the texts of a request on, and sends the
 * text that it gets. uploads.h explains memory and locks.
 *
 * The states of a job:
 *
 *     queued -> reading -> fitting -> scoring -> explaining -> done
 *
 * and, from each of these but the last, failed or cancelled. A job on a table that was read before skips
 * reading. Results exist only when a job is done, and never change.
 *
 * All functions may be called from any thread. `id` is any text; one that is not the id of a job is 404.
 */
#ifndef SERVE_JOBS_H
#define SERVE_JOBS_H

#include "uploads.h"

typedef struct serve_jobs serve_jobs;

/* Starts the worker threads. Uses the limits of the tables. */
odim_status serve_jobs_new(serve_jobs **out, serve_tables *tables, serve_problem *why);
/* Refuses new jobs from now on (503), and cancels all that wait or run. Returns at once. */
void serve_jobs_stop(serve_jobs *j);
/* Stops, waits for the workers to end, and forgets everything. All watches must be closed before. */
void serve_jobs_free(serve_jobs *j);

/* For metrics. */
typedef struct serve_jobs_counts {
    int64_t queued, running;                  /* now */
    int64_t done, failed, cancelled, refused; /* since the start; refused: the queue was full */
    int64_t rows;                             /* that done jobs have scored */
    double seconds;                           /* that done jobs have taken, without waiting */
} serve_jobs_counts;
void serve_jobs_count(serve_jobs *j, serve_jobs_counts *out);

/* ---- starting ------------------------------------------------------------------------------------- */

/*
 * Starts a job on a table. body: {"table": ID, "options": {...}, "params": {"preset": "fast", "members": 5,
 * ...}}. Options are those of serve_tables_read; if they are given, the file is read again by the job, and
 * the table itself stays as it is. Parameters are those of `odim params`, as texts, numbers or booleans; and
 * "threshold". `threads` is limited. Writes the status, and the id of the job to `id`.
 */
odim_status serve_jobs_detect(serve_jobs *j, const char *body, size_t size, char id[SERVE_ID],
                              serve_text *out, serve_problem *why);

/* An option or a parameter as a text: id=nr, ignore=a,b, types=a=numeric:comma,b=time, preset=fast. Names
 * may be written with - or _. */
typedef struct serve_setting {
    const char *name, *value;
} serve_setting;

/* The same for a file that is not an uploaded table. `bytes` must come from malloc and belongs to the job,
 * whatever the outcome; they are freed once they have been read. */
odim_status serve_jobs_detect_file(serve_jobs *j, const char *name, void *bytes, size_t size,
                                   const serve_setting *settings, int count, char id[SERVE_ID],
                                   serve_text *out, serve_problem *why);

/*
 * Starts a job that fits again with what is known. body: {"outliers": [rows], "inliers": [rows]}, rows as
 * the results number them, from 1. The new job has the table, options and parameters of its parent, and what
 * the parent knew; a row that is named again changes sides, and one that is in "forget": [rows] is unknown
 * again. Its result has a member "moved".
 */
odim_status serve_jobs_learn(serve_jobs *j, const char *parent, const char *body, size_t size,
                             char id[SERVE_ID], serve_text *out, serve_problem *why);

/* ---- watching ------------------------------------------------------------------------------------- */

/*
 * The status:
 *
 *     {"job": ID, "name", "table": ID|null, "parent": ID|null, "state", "created": seconds since 1970,
 *      "seconds": since work began, "progress": {"fraction", "members", "members_done", "updates",
 *      "distance", "rows", "rows_done", "seconds_left"|null}, "queue": place from 1|null,
 *      "error": problem|null, "rows", "columns", "bytes", "outliers"|null, "marks": {"outliers", "inliers"}}
 */
odim_status serve_jobs_status(serve_jobs *j, const char *id, serve_text *out, serve_problem *why);
/* {"jobs": [status, newest first]} */
odim_status serve_jobs_list(serve_jobs *j, serve_text *out, serve_problem *why);
/* Cancels a job that waits or runs, otherwise forgets it; *cancelled says which. Forgetting a parent leaves
 * its children. A cancelled job is remembered until it is deleted a second time. */
odim_status serve_jobs_delete(serve_jobs *j, const char *id, bool *cancelled, serve_problem *why);

/*
 * A watch is one listener of a job's events: any number may listen. Events are
 *
 *     status    the status, on every change, at most ten per second (a change of state comes at once)
 *     losses    {"member": i, "update": u, "low", "high", "counts": [60 bins]}, at most ten per second
 *     distance  {"member": i, "update": u, "distance": d}; a new watch first gets all that there were
 *     end       {"state": "done"|...}; nothing follows
 *
 * A slow listener misses statuses and losses that newer ones have replaced, but no distance and no end. A job
 * that is forgotten ends its watches.
 *
 * serve_watch_open: `wake` is called, on any thread, when there are events to take, once for each
 * serve_watch_arm. It must not call functions of this header, and must return at once (it may hand the
 * connection back to the server's loop). After serve_watch_close has returned, it is not called any more.
 */
typedef struct serve_watch serve_watch;
odim_status serve_watch_open(serve_watch **out, serve_jobs *j, const char *id, void (*wake)(void *ctx),
                             void *ctx, serve_problem *why);
void serve_watch_close(serve_watch *w);
/*
 * Takes the events that there are, each with its data on one line, by calling `event`. Returns false when
 * `end` was among them, now or earlier. It never waits. If `event` returns false, taking ends early and the
 * remaining events stay; the one it was called with counts as taken.
 */
bool serve_watch_take(serve_watch *w, bool (*event)(const char *name, const char *data, void *ctx),
                      void *ctx);
/* Asks for one call of `wake` as soon as there are events that have not been taken: at once, on this thread,
 * if there are some already. So a handler takes, suspends its connection, and arms, in this order, and misses
 * nothing. */
void serve_watch_arm(serve_watch *w);
/* For callers that have a thread to wait with: true when there are events to take, false after `seconds`. */
bool serve_watch_wait(serve_watch *w, double seconds);

/* ---- results of a job that is done ---------------------------------------------------------------- */

/*
 * The summary:
 *
 *     {"job", "name", "rows", "columns": [{"name", "role", "type", "format", "ignored": why|null, "missing",
 *      "low", "high", "usual_low", "usual_high" (texts), "blame": rows of which it is the main reason,
 *      "share": of all reasons, 0 to 1, "figure": name|null}...] (columns of the file, as in rows),
 *      "threshold", "threshold_name", "unusual", "outliers", "unusual_rows",
 *      "histogram": {"low", "high", "edges": [81], "ordinary": [80], "unusual": [80], "outliers": [80]},
 *      "above": [1001] rows above each place of the threshold between low and high,
 *      "notes": [...], "seconds": {"reading", "working", "explaining"}, "command", "preset", "params": {...},
 *      "labels": {"auc", "ap", "outliers", "hits": [1001], "flagged_hits"}|null,
 *      "duplicates", "skipped", "members": [{"updates", "best_update", "distance"}...], "model": fingerprint,
 *      "marks": {"outliers": [rows], "inliers": [rows]},
 *      "moved": null|{"parent", "now_outliers": [{"row", "id", "before", "after"}...] at most 100,
 * "no_longer": [the same], "up": [at most 20 rows whose rank rose most, with "rank_before" and "rank_after"],
 * "down", "counts": {"now_outliers", "no_longer", "outliers_before", "outliers_after"}, "correlation": of
 * ranks}, "figures": ["scores", "pair", "learning", "labels", "column-1", ...] those there are}
 */
odim_status serve_jobs_result(serve_jobs *j, const char *id, serve_text *out, serve_problem *why);
/* One figure as an SVG element for a page. Its style is that of plot/plot.css, which the page includes. */
odim_status serve_jobs_figure(serve_jobs *j, const char *id, const char *name, serve_text *out,
                              serve_problem *why);

/* Which rows, and how. NULL and 0: the default. */
typedef struct serve_rows_query {
    int64_t offset;    /* of the first row, from 0 */
    int64_t limit;     /* [50], at most 1000 */
    const char *sort;  /* "score", "row", "id", or the name of a column [score] */
    const char *order; /* "asc" or "desc" [desc for score, else asc] */
    const char
        *search;       /* only rows with this text, in any case, in their id or a cell, or with this number */
    const char *which; /* "all", "outliers", "notable" (outliers and unusual rows), "marked" [all] */
    const char *threshold; /* a number: what an outlier is, in `which` and "verdict" [that of the result] */
} serve_rows_query;

/*
 * {"total": rows that match, "offset", "rows": [{"row", "id"|null, "score", "rank", "probability", "verdict":
 * "outlier"|"unusual"|"ordinary", "mark": null|"outlier"|"fine", "label": 0|1 (only with labels), "reason":
 * TEXT|null, "values": [a text or null (missing) for each column of the result]}...]}
 *
 * All rows of the table are searched and sorted. Empty and missing cells come last in either order; rows
 * that are equal stay in the order of the file. The 2,000 highest rows have a "reason"; serve_jobs_row finds
 * those of any row.
 */
odim_status serve_jobs_rows(serve_jobs *j, const char *id, const serve_rows_query *query, serve_text *out,
                            serve_problem *why);
/* One row, by its number from 1: the same, and "reasons": [{"column", "share", "value", "expected", "usual",
 * "kind", "text"}], and "cells": [{"column", "value"}] of all columns. */
odim_status serve_jobs_row(serve_jobs *j, const char *id, int64_t row, serve_text *out, serve_problem *why);

/* ---- downloads ------------------------------------------------------------------------------------ */

/* format: "csv", "tsv", "json" or "jsonl" (NULL: csv). table: with the columns of the file beside the scores;
 * safe: with an apostrophe before formulas (csv and tsv). explain: reasons per row. The bytes are those that
 * `odim detect` writes with the same options. */
typedef struct serve_scores_query {
    const char *format;
    bool table, safe, raw_scores;
    int explain;
} serve_scores_query;
odim_status serve_jobs_scores(serve_jobs *j, const char *id, const serve_scores_query *query, serve_text *out,
                              serve_problem *why);
/* The HTML report. */
odim_status serve_jobs_report(serve_jobs *j, const char *id, serve_text *out, serve_problem *why);
/* The bytes of the model file. */
odim_status serve_jobs_model(serve_jobs *j, const char *id, serve_text *out, serve_problem *why);
/* The known outliers and inliers, one per line, as the option --known-rows of the command takes them. */
odim_status serve_jobs_known(serve_jobs *j, const char *id, serve_text *out, serve_problem *why);
/* The name of the file without its folder and ending, fit for a file name of a download ("sales"); always
 * ASCII. */
odim_status serve_jobs_name(serve_jobs *j, const char *id, char *buf, size_t size, serve_problem *why);

#endif
