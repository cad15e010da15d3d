/* The work of detect and score: a model, fitted or loaded; the scores of a file, at once or as a stream. */
#ifndef CLI_SCORING_H
#define CLI_SCORING_H

#include "score_job.h"

/* Returns the exit code. */
int cli_scoring_run(cli_score_job *s);

#endif
