/* A job from the inside: what job_queue.c, job_run.c, job_events.c and the results share. */
#ifndef SERVE_JOB_STATE_H
#define SERVE_JOB_STATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "jobs.h"
#include "parsed.h"
#include "result.h"

typedef enum serve_state {
    SERVE_QUEUED,
    SERVE_READING,
    SERVE_FITTING,
    SERVE_SCORING,
    SERVE_EXPLAINING,
    SERVE_DONE,
    SERVE_FAILED,
    SERVE_CANCELLED
} serve_state;

/* "queued", "reading", ... */
const char *serve_state_text(serve_state state);
static inline bool serve_state_is_end(serve_state state)
{
    return state >= SERVE_DONE;
}

enum { SERVE_BINS = 60, SERVE_CHECKS = 20000 }; /* of losses; distances that are kept of a job */

/* A distance that the stop rule found. */
typedef struct serve_check {
    int member;
    int64_t update;
    double distance;
} serve_check;

typedef struct serve_losses {
    int member;
    int64_t update;
    double low, high;
    double count[SERVE_BINS];
} serve_losses;

typedef struct serve_job {
    /* Set when it is made, and never changed: */
    char id[SERVE_ID], parent[SERVE_ID], table[SERVE_ID]; /* "": none */
    char *name;
    serve_jobs *jobs;
    serve_options options;
    od_strlist params;  /* name, value, ... as asked for */
    odim_params *fit;   /* the parameters themselves */
    char threshold[40]; /* "": the model's */
    double created;     /* since 1970 */

    /* Of the worker, while it runs; nobody else looks at these: */
    void *bytes; /* of a file that is to be read */
    size_t size;
    int8_t *known;        /* (rows) what is known beside the table, or NULL */
    struct serve_job *of; /* the parent, a reference, until the child is compared with it */
    serve_result *making; /* until it is complete */
    double shown;         /* when the last status was published */
    serve_state stage;    /* what the progress belongs to where the library would say something else */
    bool staged;

    atomic_bool cancel;

    /* Under its lock: */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    serve_state state;
    double started, ended; /* serve_clock; 0: not yet */
    double stage_started;
    odim_progress progress;
    serve_problem error;
    int64_t rows, columns, outliers;
    int64_t marks[2];      /* known inliers and outliers */
    serve_parsed *parsed;  /* NULL until it is read */
    serve_result *result;  /* NULL until it is done */
    uint64_t status_count; /* how often the status has changed */
    uint64_t losses_count;
    serve_losses losses;
    serve_check *checks; /* (check_count) */
    size_t check_count, check_cap;
    int64_t bytes_counted; /* of memory, without what was read */
    serve_watch *watches;
    bool forgotten; /* deleted: watches end */

    /* Under the lock of the jobs: */
    int refs;
    struct serve_job *next; /* the next older one */
    struct serve_job *wait; /* the next in the queue */
    bool counted;           /* among the running ones */
} serve_job;

/* job_queue.c */
serve_job *serve_job_take(serve_jobs *j, const char *id, serve_problem *why); /* a reference; NULL: 404 */
void serve_job_release(serve_job *job);
serve_state serve_job_state(serve_job *job);
/* An empty job, held by the caller. After a failure *out may be one to release, or NULL. */
odim_status serve_job_new(serve_job **out, serve_jobs *j, serve_problem *why);
/* Puts the job into the list and the queue, which hold it from now on. */
odim_status serve_job_enqueue(serve_jobs *j, serve_job *job, serve_problem *why);
serve_memory *serve_job_memory(serve_job *job);
serve_tables *serve_job_tables(serve_job *job);
int serve_job_place(serve_job *job); /* in the queue, from 1; 0: not there */

/* job_run.c: does the work. Ends in one of the end states. */
void serve_job_run(serve_job *job);

/* job_events.c */
/* Changes the state, under the lock; wakes the watches. */
void serve_job_set_state(serve_job *job, serve_state state);
/* Says that something has changed, under the lock. */
void serve_job_publish(serve_job *job);
/* The members of an object in `j`; takes the lock. */
void serve_job_json(serve_job *job, const char *key, cli_json *j);

#endif
