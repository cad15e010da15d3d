/* An input that is read into memory as a whole: a pipe can be read only once, but may have to be parsed
 * twice. */
#ifndef CLI_BUFFER_H
#define CLI_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

#include "odim.h"

typedef struct cli_buffer {
    const char *name; /* for messages */
    char *bytes;
    size_t size;
} cli_buffer;

/* path "-": standard input. False: the reason has been reported. */
bool cli_buffer_load(cli_buffer *b, const char *path);
void cli_buffer_free(cli_buffer *b);

/* Fails for the formats of detect and score that are for other programs: JSON, and NPY with named fields. */
odim_status cli_buffer_check(const cli_buffer *b, odim_error *err);

/* The scores in a file, and the numbers of their rows. */
typedef struct cli_score_file {
    odim_table *table; /* of these columns */
    int row, score;    /* their columns in the table; row -1: none */
} cli_score_file;

/* score: the name of the column. Fails as reading does; `err` is complete but for a hint at the option that
 * would name another column. */
odim_status cli_buffer_scores(cli_score_file *out, const cli_buffer *b, const char *score, odim_error *err);

#endif
