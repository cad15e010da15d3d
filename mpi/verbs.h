/* The verbs of odim-mpi. */
#ifndef JOB_VERBS_H
#define JOB_VERBS_H

#include "verb.h"

extern const cli_verb job_detect_verb, job_fit_verb, job_score_verb;

#endif
