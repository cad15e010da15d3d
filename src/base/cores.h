/* How many threads are worth starting: by the CPUs that the process may use, its CPU quota and ODIM_THREADS.
 */
#ifndef OD_CORES_H
#define OD_CORES_H

/* ODIM_THREADS, if that is a whole number from 1 to 1024; otherwise the number of CPUs that the process may
 * run on, and not more than its quota has. At least 1. */
int od_cores(void);

/* The CPUs that a quota of control groups allows, rounded up; 0: there is none. groups has the lines of
 * /proc/self/cgroup, root is the folder of the control groups, usually /sys/fs/cgroup. Of a group and those
 * above it the smallest quota counts. */
int od_cores_quota(const char *groups, const char *root);

#endif
