/*
 * A file that gets new contents at once: under its name there are at every moment all the old bytes or all
 * the new ones, also when the program is killed or the machine stops. They go to a temporary file in the same
 * directory, to the disk, and then under the name by rename. An old file keeps its permissions, a symbolic
 * link stays one. What is not a regular file, such as /dev/stdout or a FIFO, is written to directly.
 *
 * All calls that can fail return 0 or an errno.
 */
#ifndef OD_REPLACE_H
#define OD_REPLACE_H

#include <limits.h>
#include <stddef.h>

typedef struct od_replace {
    int fd;                /* -1: closed */
    char target[PATH_MAX]; /* the file, all links followed */
    char temp[PATH_MAX];   /* "": the target is written to directly */
} od_replace;

/* When it fails there is nothing to discard. */
int od_replace_open(od_replace *r, const char *path);
int od_replace_write(od_replace *r, const void *bytes, size_t size);
/* Puts the file in its place or, when that fails, discards it: the end in either case. */
int od_replace_commit(od_replace *r);
/* Forgets what was written; the old file is as it was. */
void od_replace_discard(od_replace *r);

#endif
