/*
 * The folder of a checkpoint, which one job at a time may use. It may be shared by all ranks, or there may be
 * one per machine; no rank knows which.
 */
#ifndef JOB_FOLDER_H
#define JOB_FOLDER_H

#include "job.h"

#define JOB_FOLDER_LOCK "odim-mpi.lock"

/* All ranks: creates the folder if necessary, and locks it. Fails if another job uses it. *locks: whether the
 * file system has locks; if not, the folder is used without one. */
odim_status job_folder_take(const char *folder, bool *locks, odim_error *err);
/* Not collective: true for the one rank, of those that share the folder, that may remove it. */
bool job_folder_is_mine(void);
/* Not collective: releases the lock. */
void job_folder_leave(void);

#endif
