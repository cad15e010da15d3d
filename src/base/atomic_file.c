#include "base/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Length of the directory in a path, with its '/'; 0: there is none. */
static size_t dir_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* The file that a path means once symbolic links are followed, whether it exists or not. */
static int follow_links(const char *path, char target[PATH_MAX])
{
    size_t len = strlen(path);
    if (len >= PATH_MAX) return ENAMETOOLONG;
    memcpy(target, path, len + 1);
    for (int links = 0; links < 40; links++) {
        char link[PATH_MAX];
        ssize_t size = readlink(target, link, sizeof link);
        if (size < 0) return 0; /* no link, or nothing at all */
        size_t dir = link[0] == '/' ? 0 : dir_length(target);
        if (dir + (size_t)size >= PATH_MAX) return ENAMETOOLONG;
        memcpy(target + dir, link, (size_t)size);
        target[dir + (size_t)size] = '\0';
    }
    return ELOOP;
}

/*
 * The name has the time in it, not only the process: one that was killed leaves its file behind, and where
 * every program runs in a container of its own they may all be process 1.
 */
static int open_temp(od_atomic_file *r)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t nanos = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
    for (uint64_t attempt = 0; attempt < 100; attempt++) {
        int len = snprintf(r->temp, sizeof r->temp, "%.*s.odim-%ld-%016llx.tmp", (int)dir_length(r->target),
                           r->target, (long)getpid(), (unsigned long long)(nanos + attempt));
        if (len < 0 || (size_t)len >= sizeof r->temp) return ENAMETOOLONG;
        r->fd = open(r->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (r->fd >= 0) return 0;
        if (errno != EEXIST) return errno;
    }
    return EEXIST;
}

/* Owner where we may, and permissions, of the file whose place is taken. */
static int inherit(int fd, const struct stat *old)
{
    int refused = fchown(fd, old->st_uid, old->st_gid);
    (void)refused;
    return fchmod(fd, old->st_mode & 0777) == 0 ? 0 : errno;
}

int od_atomic_file_open(od_atomic_file *r, const char *path)
{
    *r = (od_atomic_file){.fd = -1};
    int error = follow_links(path, r->target);
    if (error) return error;
    struct stat old;
    bool exists = stat(r->target, &old) == 0;
    if (exists && S_ISDIR(old.st_mode)) return EISDIR;
    if (exists && !S_ISREG(old.st_mode)) {
        r->fd = open(r->target, O_WRONLY | O_CLOEXEC);
        return r->fd >= 0 ? 0 : errno;
    }
    /* To replace a file needs only its directory; that it is read-only still means hands off. */
    if (exists && access(r->target, W_OK) != 0) return errno;
    if ((error = open_temp(r))) return error;
    if (exists && (error = inherit(r->fd, &old))) od_atomic_file_discard(r);
    return error;
}

int od_atomic_file_write(od_atomic_file *r, const void *bytes, size_t size)
{
    const char *p = bytes;
    while (size) {
        ssize_t n = write(r->fd, p, size < SSIZE_MAX ? size : SSIZE_MAX);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno;
        p += n;
        size -= (size_t)n;
    }
    return 0;
}

/* So that the new name, too, survives a power cut. The file is in its place whatever comes of it. */
static void sync_dir(const char *target)
{
    char dir[PATH_MAX];
    size_t len = dir_length(target);
    snprintf(dir, sizeof dir, "%.*s", (int)(len ? len : 1), len ? target : ".");
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return;
    fsync(fd);
    close(fd);
}

int od_atomic_file_commit(od_atomic_file *r)
{
    int error = r->temp[0] && fsync(r->fd) != 0 ? errno : 0;
    if (close(r->fd) != 0 && !error) error = errno;
    r->fd = -1;
    if (r->temp[0] && !error && rename(r->temp, r->target) != 0) error = errno;
    if (error) {
        od_atomic_file_discard(r);
    } else if (r->temp[0]) {
        sync_dir(r->target);
    }
    return error;
}

void od_atomic_file_discard(od_atomic_file *r)
{
    if (r->fd >= 0) close(r->fd);
    if (r->temp[0]) unlink(r->temp);
    *r = (od_atomic_file){.fd = -1};
}
