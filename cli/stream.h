/* Scoring block by block: files of any size, and pipes that never end. */
#ifndef OD_STREAM_H
#define OD_STREAM_H

#include "scoring.h"

/* Reads, scores and writes all rows of s->path with s->model. Returns the exit code. */
int od_stream_score(od_scoring *s);

/* The reasons (rows, set->explain) of the rows that od_results_is_explained names; the others get none. */
int od_stream_explain(od_work *work, const od_results *r, odim_reason *reasons, const odim_params *params);

#endif
