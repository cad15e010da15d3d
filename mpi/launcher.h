/*
 * Whoever started us, where that is Open MPI's mpirun or its daemon. When a machine is lost it asks that
 * machine to end its processes and waits for the answer as long as TCP does, a quarter of an hour; so we see
 * to it that it ends.
 */
#ifndef OD_LAUNCHER_H
#define OD_LAUNCHER_H

/* Gives the launcher some seconds to end in order, then makes it end. Returns at once; the caller may die. */
void od_launcher_end(void);

#endif
