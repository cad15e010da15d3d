/*
 * A file that gets new contents at once: under its name there are at every moment all the old bytes or all
 * the new ones, also when the program is killed or the machine stops. They go to a temporary file in the same
 * directory, to the disk, and then under the name by rename. An old file keeps its permissions, a symbolic
 * link stays one. What is not a regular file, such as /dev/stdout or a FIFO, is written to directly.
 *
 * All calls that can fail return 0 or an errno.
 */
#ifndef OD_ATOMIC_FILE_H
#define OD_ATOMIC_FILE_H

#include <limits.h>
#include <stddef.h>

typedef struct od_atomic_file {
    int fd;                /* -1: closed */
    char target[PATH_MAX]; /* the file, all links followed */
    char temp[PATH_MAX];   /* "": the target is written to directly */
} od_atomic_file;

/* When it fails there is nothing to discard. */
int od_atomic_file_open(od_atomic_file *r, const char *path);
int od_atomic_file_write(od_atomic_file *r, const void *bytes, size_t size);
/* Puts the file in its place or, when that fails, discards it: the end in either case. */
int od_atomic_file_commit(od_atomic_file *r);
/* Forgets what was written; the old file is as it was. */
void od_atomic_file_discard(od_atomic_file *r);

#endif
