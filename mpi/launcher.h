/*
 * Whoever started us, where that is Open MPI's mpirun or its daemon. It may outlive its job: when a machine
 * is lost it asks that machine to end its processes and waits for the answer as long as TCP does, a quarter
 * of an hour; and when a rank is killed while it starts, it may wait for itself for ever. So we see to it
 * that it ends.
 */
#ifndef JOB_LAUNCHER_H
#define JOB_LAUNCHER_H

/* Starts a process that does nothing until we have ended, in whatever way; then it gives the launcher some
 * seconds to end in order, and makes it end. Call it first of all. */
void job_launcher_guard(void);

#endif
