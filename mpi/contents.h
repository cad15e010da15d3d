/* A hash of all bytes of the input. */
#ifndef JOB_CONTENTS_H
#define JOB_CONTENTS_H

#include "job.h"

/* Collective: each rank reads a part. The hash does not depend on the number of ranks. */
odim_status job_contents_hash(const job_context *job, uint64_t *hash, odim_error *err);

#endif
