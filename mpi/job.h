/* A job of several ranks: what was asked for, and how its input is divided. */
#ifndef JOB_H
#define JOB_H

#include "base/status.h"
#include "comm.h"
#include "input.h"
#include "prep/read.h"
#include "results.h"

/* A file of the input. The row and the lot numbers of all files are counted through. */
typedef struct job_file {
    const char *path;
    int64_t size;
    uint64_t hash;  /* of some of its bytes, to see whether other ranks have the same file */
    int64_t length; /* bytes of text or rows of an array; 0: it cannot be cut */
    int64_t first;  /* its first lot */
    bool text;
} job_file;

/*
 * A piece of a file, the unit of work: what was done of it need not be done again. Where files are cut
 * depends on nothing but their sizes, so that a job can go on with another number of ranks.
 */
typedef struct job_share {
    int64_t file;
    int64_t cut;  /* where it was cut: bytes of text, rows of an array */
    od_span part; /* its rows: known when all is laid out */
    int64_t rows, lines;
    int64_t first; /* rows of all files before it */
} job_share;

typedef struct job_context {
    const char *verb;
    const cli_input *input;
    odim_read_options reading;
    odim_params *params;
    const cli_output *set; /* NULL: no scores are wanted */
    const char *load, *save, *checkpoint;
    int traffic;
    cli_run *work;

    job_file *file; /* (files) */
    int64_t files;
    job_share *lot; /* (lots) */
    int64_t partition;
    int64_t *start;    /* (ranks + 1) the lots of rank r are start[r] to before start[r + 1] */
    int64_t rows;      /* of all files */
    signed char *type; /* (cols) of the columns that are features, when they are known */
    int64_t cols;
    bool known; /* there is a column of what is known */
    odim_model *model;
    int64_t asked; /* threads, 0: not asked for */

    odim_reader *reader; /* of the file that is open, or NULL */
    int64_t open;
} job_context;

/* Rank 0 looks at the files and cuts them; all learn how. */
odim_status job_partition_plan(job_context *job, odim_error *err);
/* Finds where the rows of each lot begin, how many there are, and the types of the columns: one pass. */
odim_status job_partition_lay(job_context *job, odim_error *err);
/* Opens the file of a lot, if it is not open, and goes to the lot. */
odim_status job_partition_open(job_context *job, const job_share *lot, odim_error *err);
/* Closes the file that is open, if any. */
void job_partition_close(job_context *job);
void job_partition_free(job_context *job);

/* Fits job->model from all rows; it is there on every rank. */
odim_status job_cluster_fit(job_context *job, odim_error *err);

/* Scores all rows into the output that rank 0 has open. */
odim_status job_cluster_score(job_context *job, cli_out *out, int64_t *flagged, odim_error *err);

/* ---- what is kept for another run ------------------------------------------------------------------- */

/* Begins or goes on; all ranks. Fails if another job has the folder. Without a folder to keep it in, what
 * lots come to lies beside the output for the time being. */
odim_status job_checkpoint_open(job_context *job, odim_error *err);
/* Whether something is there and whole. name: "member", "lot", "model". */
bool job_checkpoint_has(const char *name, int64_t number);
/* All of it, to be od_free'd. */
odim_status job_checkpoint_load(const char *name, int64_t number, void **bytes, size_t *size,
                                odim_error *err);
odim_status job_checkpoint_save(const char *name, int64_t number, const void *bytes, size_t size,
                                odim_error *err);
/* The same piece by piece. */
typedef struct job_kept {
    FILE *file;
    char path[4096], temp[4096 + 32];
    uint64_t number, hash, size;
} job_kept;
odim_status job_checkpoint_begin(job_kept *k, const char *name, int64_t number, odim_error *err);
odim_status job_checkpoint_add(job_kept *k, const void *bytes, size_t size, odim_error *err);
/* extra: a number to be kept with it. */
odim_status job_checkpoint_end(job_kept *k, uint64_t extra, odim_error *err);
void job_checkpoint_discard(job_kept *k);
/* Opens what was kept for reading; *size bytes of it count. NULL: it is not there. */
FILE *job_checkpoint_read(const char *name, int64_t number, int64_t *size, uint64_t *extra);
/* All ranks: removes what is not to be kept. done: the results are there, and nothing is needed any more. */
void job_checkpoint_close(bool done);

#endif
