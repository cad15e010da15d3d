/*
 * Replaces the contents of a file atomically: its name refers to all the old bytes or to all the new ones at
 * every moment, even if the program is killed or the machine stops. The new bytes go to a temporary file in
 * the same directory, are synced to the disk, and are renamed into place. The permissions of an old file are
 * kept, symbolic links are followed, and anything that is not a regular file, such as /dev/stdout or a FIFO,
 * is written to directly.
 *
 * All calls that can fail return 0 or an errno.
 */
#ifndef OD_ATOMIC_FILE_H
#define OD_ATOMIC_FILE_H

#include <limits.h>
#include <signal.h>
#include <stddef.h>

typedef struct od_atomic_file {
    int fd;                         /* -1: closed */
    char target[PATH_MAX];          /* the file, all links followed */
    char temp[PATH_MAX];            /* "": the target is written to directly */
    volatile sig_atomic_t has_temp; /* the temporary file may exist */
} od_atomic_file;

/* When it fails there is nothing to discard. */
int od_atomic_file_open(od_atomic_file *f, const char *path);
int od_atomic_file_write(od_atomic_file *f, const void *bytes, size_t size);
/* Renames the file into place or, when that fails, discards it: nothing else is to be done in either case. */
int od_atomic_file_commit(od_atomic_file *f);
/* Drops what was written; the old file is unchanged. Does nothing after a commit or the second time. */
void od_atomic_file_discard(od_atomic_file *f);
/* Removes the temporary file, at any moment; for signal handlers that end the program. */
void od_atomic_file_abandon(const od_atomic_file *f);

#endif
