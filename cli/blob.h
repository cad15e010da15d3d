/* A file in memory: a pipe can be read only once, and what it holds is found out by trying. */
#ifndef OD_BLOB_H
#define OD_BLOB_H

#include <stdbool.h>
#include <stddef.h>

#include "odim.h"

typedef struct od_blob {
    const char *name; /* for messages */
    char *bytes;
    size_t size;
} od_blob;

/* path "-": standard input. False: the reason has been said. */
bool od_blob_load(od_blob *b, const char *path);
void od_blob_free(od_blob *b);

/* Fails for the formats of detect and score that are for other programs: JSON, and NPY with named fields. */
odim_status od_blob_check(const od_blob *b, odim_error *err);

/* The scores in a file, and the numbers of their rows. */
typedef struct od_score_file {
    odim_table *table; /* of these columns */
    int row, score;    /* which they are in it; row -1: there is none */
} od_score_file;

/* score: the name of the column. Fails as reading does; `err` is complete but for a hint at the option that
 * would name another column. */
odim_status od_blob_scores(od_score_file *out, const od_blob *b, const char *score, odim_error *err);

#endif
