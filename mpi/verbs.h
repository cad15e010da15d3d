/* The verbs of odim-mpi: detect, fit and score. */
#ifndef JOB_VERBS_H
#define JOB_VERBS_H

#include "verb.h"

extern const cli_verb job_detect_verb, job_fit_verb, job_score_verb;

/* Runs one of these verbs on all ranks. Returns the exit code, which counts on rank 0. */
int job_verb_run(const cli_verb *verb, int argc, char **argv);

#endif
