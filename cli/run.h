/* A verb at work: notes, progress and interruption, the same for every verb that fits or scores. */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "odim.h"
#include "out.h"
#include "progress.h"
#include "verb.h"

typedef struct cli_run {
    bool quiet; /* nothing on stderr but errors */
    cli_progress bar;
    char **notes; /* (note_count) those that were made, the first ones of very many */
    int note_count;
} cli_run;

void cli_run_init(cli_run *w, bool quiet);
/* The hooks to hand to the library; w must outlive them. */
odim_hooks cli_run_hooks(cli_run *w);
void cli_run_free(cli_run *w);
/* Says a remark, unless quiet, and keeps it. */
void cli_run_note(cli_run *w, const char *text);
/* All remarks that reading a table left. */
void cli_run_notes(cli_run *w, const odim_table *table);

/* Around a long call that looks at the progress hook: an interruption is noted and the call ends in order.
 * cli_run_end says what went wrong; `name` is the file where the library could not name it, else NULL. Both
 * return an exit code, CLI_EXIT_OK to go on. */
void cli_run_begin(void);
int cli_run_end(odim_status status, const odim_error *err, const char *name);
/* Says what went wrong, outside of a long call. */
int cli_run_fail(const odim_error *err, const char *name);
int cli_run_nomem(void);
/* Seconds, of which only differences mean something. */
double cli_run_clock(void);
/* The command line as one would type it into a shell; to be freed. NULL: out of memory. */
char *cli_run_command(const char *verb, int argc, char **argv);
/* Writes a model to an output that is open and puts it in its place. Returns the exit code. */
int cli_run_save(const odim_model *model, cli_out *out);

#endif
