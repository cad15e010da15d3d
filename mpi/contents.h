/* A hash of all bytes of the input, which each rank reads a part of. */
#ifndef OD_CONTENTS_H
#define OD_CONTENTS_H

#include "job.h"

/* All ranks; the same on each, for any number of them. */
odim_status od_contents_hash(const od_job *job, uint64_t *hash, odim_error *err);

#endif
