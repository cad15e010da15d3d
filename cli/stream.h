/* Scoring block by block: files of any size, and pipes that never end. */
#ifndef CLI_STREAM_H
#define CLI_STREAM_H

#include "score_job.h"

/* Reads, scores and writes all rows of the file with s->model. Returns the exit code. */
int cli_stream_score(cli_score_job *s);

/* The reasons (rows, set->explain) of the rows that cli_results_is_explained names; the others get none. */
int cli_stream_explain(cli_run *work, const cli_results *r, odim_reason *reasons, const odim_params *params);

#endif
