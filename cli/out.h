/*
 * Where a command's data goes: standard output, or a file that appears under its name only when it is
 * complete. Until then it is a temporary file in the same directory, removed when anything fails or a signal
 * ends the program; what was there before stays as it is. Something that is not a regular file, such as
 * /dev/null or a FIFO, is written to directly. Several outputs may be open at a time.
 */
#ifndef OD_OUT_H
#define OD_OUT_H

#include <stdbool.h>
#include <stdio.h>

#if defined(__GNUC__)
#define OD_OUT_PRINTF __attribute__((format(printf, 2, 3)))
#else
#define OD_OUT_PRINTF
#endif

enum { OD_OUT_FILES = 4 }; /* temporary files at a time */

typedef struct od_out {
    FILE *file;       /* may be written to directly */
    const char *name; /* for messages; borrowed */
    char *target;     /* what the temporary file becomes; NULL when there is none */
    int place;        /* of the temporary file among those that are pending */
    int error;        /* errno of the first write that failed, 0 while all is well */
} od_out;

/* path NULL or "-": standard output. False: the reason has been said. */
bool od_out_open(od_out *out, const char *path);

/* Writing never fails here: the first error is remembered and comes out of od_out_commit. */
void od_out_printf(od_out *out, const char *fmt, ...) OD_OUT_PRINTF;
void od_out_bytes(od_out *out, const char *bytes, size_t size);
void od_out_text(od_out *out, const char *text);

/* Hands on what was written so far, to a pipe whose reader waits for it. */
void od_out_flush(od_out *out);

/* Whether what was written can be changed: only in a file that is not in its place yet. */
bool od_out_is_file(const od_out *out);
/* Writes over the first bytes of such a file; what comes next goes to its end. */
void od_out_rewrite(od_out *out, const char *bytes, size_t size);

/* The name it has until then, for others who write to it; NULL when it is no file. */
const char *od_out_temp(const od_out *out);

/* Puts the file in its place. False: a write failed, which has been said, and nothing has changed. */
bool od_out_commit(od_out *out);

/* Forgets what was written. After od_out_commit, or a second time, it does nothing. */
void od_out_discard(od_out *out);

/* Removes all temporary files there are; for signal handlers. */
void od_out_abandon(void);

#endif
