/* The driver of the verbs: a parsed command line, notes, progress and interruption. */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "lists.h"
#include "odim.h"
#include "out.h"
#include "progress.h"
#include "verb.h"

typedef struct cli_run {
    const cli_verb *verb;
    int argc; /* of what follows the verb */
    char **argv;
    const char *path;    /* the operand; NULL: there is none */
    odim_params *params; /* the library's parameters */
    bool quiet;          /* nothing on stderr but errors */
    cli_progress bar;
    cli_lists lists; /* of the command line, for cli_input_options */
    char **files;    /* (file_count) and a NULL: of a verb that takes several, see files.h */
    int file_count;
    char **notes; /* (note_count) those that were made, the first ones of very many */
    int note_count;
} cli_run;

/* A verb's own work, with its settings. Returns the exit code. */
typedef int cli_work(cli_run *run, void *settings);
/*
 * Runs a verb: parses what follows it into the settings, which hold the defaults, checks that everything it
 * needs is there, works, and frees what parsing has allocated. Returns the exit code.
 */
int cli_run_verb(const cli_verb *verb, int argc, char **argv, void *settings, cli_work *work);

void cli_run_init(cli_run *w, bool quiet);
/* The hooks to hand to the library; w must outlive them. */
odim_hooks cli_run_hooks(cli_run *w);
void cli_run_free(cli_run *w);
/* Prints a note, unless quiet, and keeps it. */
void cli_run_note(cli_run *w, const char *text);
/* Prints all notes about a table that was read. */
void cli_run_notes(cli_run *w, const odim_table *table);
/* How many threads may read, as odim_read_options has it. */
int64_t cli_run_threads(const cli_run *w);
/* Says, unless quiet, how many bad rows were left out. */
void cli_run_skipped(const cli_run *w, int64_t rows);
/* Reads a table and prints the notes about it. Returns the exit code. */
int cli_run_read(cli_run *w, odim_table **table, const char *path, const odim_read_options *reading);

/* Around a long call with a progress hook: an interruption ends the call in order. cli_run_end reports an
 * error; `name` is the file if the library could not name it, otherwise NULL. It returns an exit code,
 * CLI_EXIT_OK to go on. */
void cli_run_begin(void);
int cli_run_end(odim_status status, const odim_error *err, const char *name);
/* Reports an error outside of a long call. */
int cli_run_fail(const odim_error *err, const char *name);
int cli_run_nomem(void);
/* A clock in seconds, for differences. */
double cli_run_clock(void);
/* The command line as one would type it into a shell; to be freed. NULL: out of memory. */
char *cli_run_command(const cli_run *w);
/* Writes a model to an output that is open and puts it in its place; size (may be NULL): its bytes. Returns
 * the exit code. */
int cli_run_save(const odim_model *model, cli_out *out, size_t *size);

#endif
