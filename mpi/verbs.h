/* The verbs of odim-mpi. */
#ifndef OD_VERBS_H
#define OD_VERBS_H

#include "verb.h"

extern const cli_verb od_mpi_detect_verb, od_mpi_fit_verb, od_mpi_score_verb;

#endif
