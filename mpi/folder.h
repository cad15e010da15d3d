/*
 * The folder of a checkpoint, which one job at a time has. It may be one for all ranks or one for each
 * machine, and no rank knows which.
 */
#ifndef JOB_FOLDER_H
#define JOB_FOLDER_H

#include "job.h"

#define JOB_FOLDER_LOCK "odim-mpi.lock"

/* All ranks: makes the folder if it is not there, and takes it. Fails if another job has it. *locks: whether
 * the file system knows locks; if not, the folder is taken all the same. */
odim_status job_folder_take(const char *folder, bool *locks, odim_error *err);
/* Not collective: this rank is the one of those that share the folder that may remove it. */
bool job_folder_is_mine(void);
/* Not collective. */
void job_folder_leave(void);

#endif
