/* A cluster job: its settings, the division of its input, and its stages. */
#ifndef JOB_H
#define JOB_H

#include "base/status.h"
#include "comm.h"
#include "fit/part_scan.h"
#include "input.h"
#include "prep/read.h"
#include "results.h"

/* An input file. Rows and chunks are numbered through all files. */
typedef struct job_file {
    const char *path;
    int64_t size;
    uint64_t hash;  /* of some of its bytes, to see whether other ranks have the same file */
    int64_t length; /* bytes of text or rows of an array; 0: it cannot be cut */
    int64_t first;  /* its first chunk */
    bool text;
} job_file;

/*
 * A piece of a file and the unit of work: a chunk that is finished is never repeated. The cuts depend only on
 * the sizes of the files, so that a job can resume with another number of ranks.
 */
typedef struct job_chunk {
    int64_t file;
    int64_t cut;  /* where the file was cut: bytes of text, rows of an array */
    od_span part; /* its rows; known after job_scan */
    int64_t rows, lines;
    int64_t first; /* rows of all files before it */
} job_chunk;

typedef struct job_context {
    const char *verb;
    odim_read_options reading;
    odim_params *params;
    const cli_output *set; /* NULL: no scores are wanted */
    const char *load, *save, *checkpoint;
    cli_run *work;

    job_file *file; /* (files) */
    int64_t files;
    job_chunk *chunk; /* (chunks) */
    int64_t chunks;
    int64_t *start; /* (ranks + 1) rank r has the chunks from start[r] to before start[r + 1] */
    int64_t rows;   /* of all files */
    odim_scan scan; /* of all rows, one part per rank, once known: it decides types and formats */
    int notes;      /* of the first file, which have been printed */
    int64_t cols;   /* feature columns */
    odim_model *model;
    int64_t asked; /* threads that the user asked for, or 0 */

    odim_reader *reader; /* of the open file, or NULL */
    int64_t open;        /* the open file, or -1 */
} job_context;

/* Rank 0 looks at the files and cuts them into chunks; all ranks learn how. */
odim_status job_partition_plan(job_context *job, odim_error *err);
/* Opens a file unless it is open already, and checks that it is the one that rank 0 has. Not collective. */
odim_status job_partition_open_file(job_context *job, int64_t file, odim_error *err);
/* Opens the file of a chunk and goes to the chunk. Not collective. */
odim_status job_partition_open(job_context *job, const job_chunk *chunk, odim_error *err);
/* Closes the open file, if any. Not collective. */
void job_partition_close(job_context *job);
void job_partition_free(job_context *job);

/* Reads all chunks once, to find where their rows begin, how many there are, and the types of the columns. */
odim_status job_scan(job_context *job, odim_error *err);

/* Fits job->model on all rows; afterwards every rank has it. */
odim_status job_cluster_fit(job_context *job, odim_error *err);

/* Scores all rows into the output that rank 0 has open. */
odim_status job_cluster_score(job_context *job, cli_out *out, int64_t *flagged, odim_error *err);

/* ---- the checkpoint --------------------------------------------------------------------------------- */

/* Begins a checkpoint or resumes from one; all ranks. Fails if another job uses the folder. Without a folder,
 * finished chunks are kept next to the output until the job ends. */
odim_status job_checkpoint_open(job_context *job, odim_error *err);
/* True if the file exists and is complete. name: "member", "chunk" or "model". */
bool job_checkpoint_has(const char *name, int64_t number);
/* Reads a whole file. Free *bytes with od_free. */
odim_status job_checkpoint_load(const char *name, int64_t number, void **bytes, size_t *size,
                                odim_error *err);
odim_status job_checkpoint_save(const char *name, int64_t number, const void *bytes, size_t size,
                                odim_error *err);
/* A file that is written piece by piece: begin, add, end. */
typedef struct job_kept {
    FILE *file;
    char path[4096], temp[4096 + 32];
    uint64_t number, hash, size;
} job_kept;
odim_status job_checkpoint_begin(job_kept *k, const char *name, int64_t number, odim_error *err);
odim_status job_checkpoint_add(job_kept *k, const void *bytes, size_t size, odim_error *err);
/* extra: a number that is stored with the file. */
odim_status job_checkpoint_end(job_kept *k, uint64_t extra, odim_error *err);
void job_checkpoint_discard(job_kept *k);
/* Opens a file for reading; its first *size bytes are the contents. Returns NULL if there is none. */
FILE *job_checkpoint_read(const char *name, int64_t number, int64_t *size, uint64_t *extra);
/* Removes temporary files, and the whole checkpoint if the job is done; all ranks. */
void job_checkpoint_close(bool done);

#endif
