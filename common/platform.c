/*
 * The calls that differ between operating systems.
 *
 * Linux has its own calls. Other systems get what POSIX has, with less: all CPUs instead of those that the
 * process may use, and no files in memory. That part is built and tested on Linux with ODIM_PLATFORM_POSIX;
 * no other system has been tried.
 */
#if defined(__linux__) && !defined(ODIM_PLATFORM_POSIX)
#define IS_LINUX    1
#define _GNU_SOURCE /* sched_getaffinity, memfd_create, pipe2, F_SETPIPE_SZ, dladdr, strtod_l */
#else
#define IS_LINUX 0
#undef _POSIX_C_SOURCE /* macOS and the BSDs hide dladdr and strtod_l with it */
#define _DEFAULT_SOURCE
#define _DARWIN_C_SOURCE
#define _GNU_SOURCE
#endif
#include "common/platform.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <mach-o/dyld.h>
#include <xlocale.h>
#endif
#if IS_LINUX
#include <sched.h>
#include <sys/mman.h>
#include <sys/random.h>
#endif

/* ---- numbers in the locale "C" ---- */

static locale_t c_locale;
static pthread_once_t c_locale_once = PTHREAD_ONCE_INIT;

static void make_c_locale(void)
{
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

double od_platform_strtod(const char *text)
{
    pthread_once(&c_locale_once, make_c_locale);
    return c_locale ? strtod_l(text, NULL, c_locale) : strtod(text, NULL);
}

/* ---- waiting ---- */

#if defined(__APPLE__) /* has no pthread_condattr_setclock */
#define WAIT_CLOCK CLOCK_REALTIME
#else
#define WAIT_CLOCK CLOCK_MONOTONIC
#endif

int od_platform_cond_init(pthread_cond_t *condition)
{
    pthread_condattr_t attr;
    int error = pthread_condattr_init(&attr);
    if (error) return error;
#if !defined(__APPLE__)
    pthread_condattr_setclock(&attr, WAIT_CLOCK);
#endif
    error = pthread_cond_init(condition, &attr);
    pthread_condattr_destroy(&attr);
    return error;
}

void od_platform_deadline(struct timespec *at, double seconds)
{
    clock_gettime(WAIT_CLOCK, at);
    double whole = floor(seconds);
    at->tv_sec += (time_t)whole;
    at->tv_nsec += (long)(1e9 * (seconds - whole));
    if (at->tv_nsec >= 1000000000) {
        at->tv_nsec -= 1000000000;
        at->tv_sec++;
    }
}

/* ---- libraries loaded at run time ---- */

#if defined(ODIM_STATIC)

bool od_platform_loads(void)
{
    return false;
}

void *od_platform_library(const char *path)
{
    (void)path;
    return NULL;
}

void *od_platform_function(void *library, const char *name)
{
    (void)library, (void)name;
    return NULL;
}

const char *od_platform_file_of(const void *address)
{
    (void)address;
    return NULL;
}

int od_platform_address(const char *address, const char *port, const struct addrinfo *hints,
                        struct addrinfo **found)
{
    (void)address, (void)port, (void)hints, (void)found;
    return EAI_FAIL;
}

#else

bool od_platform_loads(void)
{
    return true;
}

/* Never unloaded: its threads and destructors may outlive the last handle. */
void *od_platform_library(const char *path)
{
    return dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

void *od_platform_function(void *library, const char *name)
{
    return dlsym(library, name);
}

const char *od_platform_file_of(const void *address)
{
    Dl_info here;
    return dladdr(address, &here) ? here.dli_fname : NULL;
}

int od_platform_address(const char *address, const char *port, const struct addrinfo *hints,
                        struct addrinfo **found)
{
    return getaddrinfo(address, port, hints, found);
}

#endif

/* ---- the rest ---- */

#if IS_LINUX

int od_platform_cpus(void)
{
    cpu_set_t set;
    int cpus = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return cpus > 0 ? cpus : 1;
}

int od_platform_random(void *bytes, size_t size)
{
    for (size_t got = 0; got < size;) {
        ssize_t more = getrandom((char *)bytes + got, size - got, 0);
        if (more > 0)
            got += (size_t)more;
        else if (more == 0 || errno != EINTR)
            return more == 0 ? EIO : errno;
    }
    return 0;
}

void od_platform_program(char *path, size_t size)
{
    ssize_t len = readlink("/proc/self/exe", path, size - 1);
    path[len > 0 ? len : 0] = '\0';
}

int od_platform_memory_file(char *path, size_t size)
{
    int fd = memfd_create("odim", MFD_CLOEXEC);
    snprintf(path, size, "/proc/self/fd/%d", fd);
    return fd;
}

bool od_platform_pipe(int ends[2], int room)
{
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    fcntl(ends[1], F_SETPIPE_SZ, room);
    return true;
}

int od_platform_socket(int family)
{
    return socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

ssize_t od_platform_send(int fd, const void *bytes, size_t size, bool more)
{
    return send(fd, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT | (more ? MSG_MORE : 0));
}

double od_platform_resident(void)
{
    char text[128] = "";
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f) return 0;
    const char *second = fgets(text, sizeof text, f) ? strchr(text, ' ') : NULL;
    fclose(f);
    return second ? od_platform_strtod(second) * (double)sysconf(_SC_PAGESIZE) : 0;
}

#else

int od_platform_cpus(void)
{
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    return cpus > 0 && cpus < 1 << 16 ? (int)cpus : 1;
}

int od_platform_random(void *bytes, size_t size)
{
    int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC), error = fd < 0 ? errno : 0;
    for (size_t got = 0; got < size && !error;) {
        ssize_t more = read(fd, (char *)bytes + got, size - got);
        if (more > 0)
            got += (size_t)more;
        else if (more == 0 || errno != EINTR)
            error = more == 0 ? EIO : errno;
    }
    if (fd >= 0) close(fd);
    return error;
}

void od_platform_program(char *path, size_t size)
{
    path[0] = '\0';
#if defined(__APPLE__)
    uint32_t room = (uint32_t)size;
    if (_NSGetExecutablePath(path, &room) != 0) path[0] = '\0';
#else
    (void)size;
#endif
}

int od_platform_memory_file(char *path, size_t size)
{
    snprintf(path, size, "%s", "");
    errno = ENOTSUP;
    return -1;
}

static bool is_private(int fd)
{
    return fcntl(fd, F_SETFD, FD_CLOEXEC) == 0;
}

bool od_platform_pipe(int ends[2], int room)
{
    (void)room;
    if (pipe(ends) != 0) return false;
    if (is_private(ends[0]) && is_private(ends[1])) return true;
    close(ends[0]), close(ends[1]);
    return false;
}

int od_platform_socket(int family)
{
    int fd = socket(family, SOCK_STREAM, 0), on = 1;
    if (fd < 0) return -1;
#if defined(SO_NOSIGPIPE)
    setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#else
    (void)on;
#endif
    if (is_private(fd) && fcntl(fd, F_SETFL, O_NONBLOCK) == 0) return fd;
    close(fd);
    return -1;
}

ssize_t od_platform_send(int fd, const void *bytes, size_t size, bool more)
{
    (void)more;
#if defined(MSG_NOSIGNAL)
    return send(fd, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
#else
    return send(fd, bytes, size, MSG_DONTWAIT);
#endif
}

double od_platform_resident(void)
{
    return 0;
}

#endif

struct timespec od_platform_changed(const struct stat *info)
{
#if defined(__APPLE__)
    return info->st_mtimespec;
#else
    return info->st_mtim;
#endif
}
