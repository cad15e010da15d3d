/* A verb at work: notes, progress and interruption, the same for every verb that fits or scores. */
#ifndef OD_WORK_H
#define OD_WORK_H

#include "odim.h"
#include "out.h"
#include "progress.h"
#include "verb.h"

typedef struct od_work {
    bool quiet; /* nothing on stderr but errors */
    od_progress bar;
    char **notes; /* (note_count) those that were made, the first ones of very many */
    int note_count;
} od_work;

void od_work_init(od_work *w, bool quiet);
/* The hooks to hand to the library; w must outlive them. */
odim_hooks od_work_hooks(od_work *w);
void od_work_free(od_work *w);
/* Says a remark, unless quiet, and keeps it. */
void od_work_note(od_work *w, const char *text);
/* All remarks that reading a table left. */
void od_work_notes(od_work *w, const odim_table *table);

/* Around a long call that looks at the progress hook: an interruption is noted and the call ends in order.
 * od_work_end says what went wrong; `name` is the file where the library could not name it, else NULL. Both
 * return an exit code, OD_EXIT_OK to go on. */
void od_work_begin(void);
int od_work_end(odim_status status, const odim_error *err, const char *name);
/* Says what went wrong, outside of a long call. */
int od_work_fail(const odim_error *err, const char *name);
int od_work_nomem(void);
/* Seconds, of which only differences mean something. */
double od_work_clock(void);
/* The command line as one would type it into a shell; to be freed. NULL: out of memory. */
char *od_work_command(const char *verb, int argc, char **argv);
/* Writes a model to an output that is open and puts it in its place. Returns the exit code. */
int od_work_save(const odim_model *model, od_out *out);

#endif
