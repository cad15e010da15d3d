/* What differs between operating systems: everything that is not C11 or POSIX.1-2008 is behind these
 * functions. */
#ifndef OD_PLATFORM_H
#define OD_PLATFORM_H

#include <netdb.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

/* The number of CPUs that this process may run on, at least 1. */
int od_platform_cpus(void);

/* Fills in random bytes from the operating system. Returns 0, or the error number. */
int od_platform_random(void *bytes, size_t size);

/* strtod in the locale "C". */
double od_platform_strtod(const char *text);

/* A condition for waits with a time limit, and the time on its clock that is so many seconds away. */
int od_platform_cond_init(pthread_cond_t *condition);
void od_platform_deadline(struct timespec *at, double seconds);

/* ---- libraries loaded at run time ---- */

/* Loads a library that is never unloaded; NULL if it cannot be. A program that is linked statically loads
 * none. */
void *od_platform_library(const char *path);
void *od_platform_function(void *library, const char *name);
/* The path of this program, or "". */
void od_platform_program(char *path, size_t size);
/* The file that `address`, something static in a library or program, was loaded from; NULL if unknown. */
const char *od_platform_file_of(const void *address);
/* Whether od_platform_library can load anything in this program. */
bool od_platform_loads(void);

/* ---- files and sockets ---- */

/* A file that never reaches the disk, and the path under which this process can open it. Returns its
 * descriptor or -1, with errno. */
int od_platform_memory_file(char *path, size_t size);
/* A pipe that programs started by this one do not inherit, with room for about `room` bytes if the system
 * can. */
bool od_platform_pipe(int ends[2], int room);
/* getaddrinfo for addresses in figures. Programs that are linked statically have none. */
int od_platform_address(const char *address, const char *port, const struct addrinfo *hints,
                        struct addrinfo **found);
/* A stream socket that programs started by this one do not inherit; its calls do not wait. */
int od_platform_socket(int family);
/* Sends without waiting, and without a signal if the peer is gone. `more` says that more follows at once. */
ssize_t od_platform_send(int fd, const void *bytes, size_t size, bool more);
/* When a file was changed. */
struct timespec od_platform_changed(const struct stat *info);
/* Bytes of memory that this process has; 0 if unknown. */
double od_platform_resident(void);

#endif
