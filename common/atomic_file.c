/* Writes to a temporary file, flushes it to disk and renames it. */
#include "common/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Length of the directory part of a path with its '/', 0 when there is none. */
static size_t dir_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Follows symbolic links; the file they lead to need not exist. */
static int follow_links(const char *path, char target[PATH_MAX])
{
    size_t len = strlen(path);
    if (len >= PATH_MAX) return ENAMETOOLONG;
    memcpy(target, path, len + 1);
    for (int links = 0; links < 40; links++) {
        char link[PATH_MAX];
        ssize_t size = readlink(target, link, sizeof link);
        if (size < 0) return 0; /* not a link, or nothing there */
        size_t dir = link[0] == '/' ? 0 : dir_length(target);
        if (dir + (size_t)size >= PATH_MAX) return ENAMETOOLONG;
        memcpy(target + dir, link, (size_t)size);
        target[dir + (size_t)size] = '\0';
    }
    return ELOOP;
}

/*
 * The name has the time in it, not only the process: a process that was killed leaves its file behind, and
 * programs that run in containers of their own may all be process 1. has_temp is set before the file is
 * created, so that a signal at any moment finds it; unlinking a name that does not exist does no harm.
 */
static int open_temp(od_atomic_file *f)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t nanos = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
    for (uint64_t attempt = 0; attempt < 100; attempt++) {
        int len = snprintf(f->temp, sizeof f->temp, "%.*s.odim-%ld-%016llx.tmp", (int)dir_length(f->target),
                           f->target, (long)getpid(), (unsigned long long)(nanos + attempt));
        if (len < 0 || (size_t)len >= sizeof f->temp) return ENAMETOOLONG;
        f->has_temp = 1;
        f->fd = open(f->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (f->fd >= 0) return 0;
        f->has_temp = 0;
        if (errno != EEXIST) return errno;
    }
    return EEXIST;
}

/* Takes over the permissions of the old file and, where that is allowed, its owner. */
static int inherit(int fd, const struct stat *old)
{
    int refused = fchown(fd, old->st_uid, old->st_gid);
    (void)refused;
    return fchmod(fd, old->st_mode & 0777) == 0 ? 0 : errno;
}

int od_atomic_file_open(od_atomic_file *f, const char *path)
{
    *f = (od_atomic_file){.fd = -1};
    int error = *path ? follow_links(path, f->target) : ENOENT;
    if (error) return error;
    struct stat old;
    bool exists = stat(f->target, &old) == 0;
    if (exists && S_ISDIR(old.st_mode)) return EISDIR;
    if (exists && !S_ISREG(old.st_mode)) {
        f->fd = open(f->target, O_WRONLY | O_CLOEXEC);
        return f->fd >= 0 ? 0 : errno;
    }
    /* Renaming needs write permission on the directory only, but a read-only file is read-only for a reason.
     */
    if (exists && access(f->target, W_OK) != 0) return errno;
    if ((error = open_temp(f))) return error;
    if (exists && (error = inherit(f->fd, &old))) od_atomic_file_discard(f);
    return error;
}

int od_atomic_file_write(od_atomic_file *f, const void *bytes, size_t size)
{
    const char *p = bytes;
    while (size) {
        ssize_t n = write(f->fd, p, size < SSIZE_MAX ? size : SSIZE_MAX);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno;
        p += n;
        size -= (size_t)n;
    }
    return 0;
}

/* Makes the new name, too, survive a power cut. Failure is harmless: the file is in place already. */
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

int od_atomic_file_commit(od_atomic_file *f)
{
    int error = f->has_temp && fsync(f->fd) != 0 ? errno : 0;
    if (close(f->fd) != 0 && !error) error = errno;
    f->fd = -1;
    if (f->has_temp && !error) {
        if (rename(f->temp, f->target) == 0) {
            f->has_temp = 0;
            sync_dir(f->target);
        } else {
            error = errno;
        }
    }
    od_atomic_file_discard(f);
    return error;
}

void od_atomic_file_discard(od_atomic_file *f)
{
    if (f->fd >= 0) close(f->fd);
    f->fd = -1;
    od_atomic_file_abandon(f);
    f->has_temp = 0;
}

void od_atomic_file_abandon(const od_atomic_file *f)
{
    if (f->has_temp) unlink(f->temp);
}
