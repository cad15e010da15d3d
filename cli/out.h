/*
 * Where a command's data goes: standard output, or a file that appears under its name only when it is
 * complete. Until then it is a temporary file in the same directory, removed when anything fails or a signal
 * ends the program; what was there before stays as it is. Something that is not a regular file, such as
 * /dev/null or a FIFO, is written to directly. Several outputs may be open at a time.
 */
#ifndef CLI_OUT_H
#define CLI_OUT_H

#include <stdbool.h>
#include <stdio.h>

#include "common/atomic_file.h"

#if defined(__GNUC__)
#define CLI_OUT_PRINTF __attribute__((format(printf, 2, 3)))
#else
#define CLI_OUT_PRINTF
#endif

enum { CLI_OUT_FILES = 4 }; /* open at a time */

typedef struct cli_out {
    FILE *file;             /* may be written to directly */
    const char *name;       /* for messages; borrowed */
    od_atomic_file *atomic; /* NULL: standard output */
    int error;              /* errno of the first write that failed, 0 while all is well */
} cli_out;

/* path NULL or "-": standard output. False: the reason has been reported. */
bool cli_out_open(cli_out *out, const char *path);

/* Writing never fails here: the first error is remembered and comes out of cli_out_commit. */
void cli_out_printf(cli_out *out, const char *fmt, ...) CLI_OUT_PRINTF;
void cli_out_bytes(cli_out *out, const char *bytes, size_t size);
void cli_out_text(cli_out *out, const char *text);

/* Hands on what was written so far, to a pipe whose reader waits for it. */
void cli_out_flush(cli_out *out);

/* Whether what was written can be changed: only in a file that is not in its place yet. */
bool cli_out_is_file(const cli_out *out);
/* Writes over the first bytes of such a file; what comes next goes to its end. */
void cli_out_rewrite(cli_out *out, const char *bytes, size_t size);

/* The name of the temporary file, for other writers; NULL: not a file. */
const char *cli_out_temp(const cli_out *out);

/* Puts the file in its place. False: a write failed, which has been reported, and nothing has changed. */
bool cli_out_commit(cli_out *out);

/* Forgets what was written. After cli_out_commit, or a second time, it does nothing. */
void cli_out_discard(cli_out *out);

/* Removes all temporary files there are; for signal handlers. */
void cli_out_abandon(void);

#endif
