/*
 * Where a command's data goes: standard output, or a file that appears under its name only when it is
 * complete. Until then it is a temporary file in the same directory, removed when anything fails or a signal
 * ends the program; what was there before stays as it is. Something that is not a regular file, such as
 * /dev/null or a FIFO, is written to directly.
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

typedef struct od_out {
    FILE *file;
    const char *name; /* for messages; borrowed */
    char *target;     /* what the temporary file becomes; NULL when there is none */
    int error;        /* errno of the first write that failed, 0 while all is well */
} od_out;

/* path NULL or "-": standard output. False: the reason has been said. */
bool od_out_open(od_out *out, const char *path);

/* Writing never fails here: the first error is remembered and comes out of od_out_commit. */
void od_out_printf(od_out *out, const char *fmt, ...) OD_OUT_PRINTF;
void od_out_bytes(od_out *out, const char *bytes, size_t size);
void od_out_text(od_out *out, const char *text);

/* Puts the file in its place. False: a write failed, which has been said, and nothing has changed. */
bool od_out_commit(od_out *out);

/* Forgets what was written. After od_out_commit, or a second time, it does nothing. */
void od_out_discard(od_out *out);

/* Removes the temporary file, if there is one; for signal handlers. */
void od_out_abandon(void);

#endif
