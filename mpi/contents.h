/* A hash of all bytes of the input, which each rank reads a part of. */
#ifndef JOB_CONTENTS_H
#define JOB_CONTENTS_H

#include "job.h"

/* All ranks; the same on each, for any number of them. */
odim_status job_contents_hash(const job_context *job, uint64_t *hash, odim_error *err);

#endif
