/*
 * The lock on a checkpoint folder. Every rank tries to lock a file in the folder. Of the ranks that share a
 * folder one succeeds, and writes the name of its job there. The others read that name, and find their own
 * job or another. The kernel releases a lock when its process ends, so a killed job does not block the next.
 *
 * The locks are those of fcntl, because these work between machines on NFS. A process loses all its locks on
 * a file as soon as it closes any descriptor of that file.
 */
#include "folder.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/mem.h"

enum { LABEL = 384, TRIES = 100 };

static int held = -1; /* the locked file, or -1 */
static bool lockless;

static odim_status fail_with(const char *path, odim_error *err)
{
    return od_fail(err, ODIM_ERR_IO, "%s: %s", path, strerror(errno));
}

/* Makes a name for this job, on rank 0, and shares it. */
static void label_job(char label[LABEL])
{
    char host[256] = "";
    struct timespec now;
    gethostname(host, sizeof host - 1);
    clock_gettime(CLOCK_REALTIME, &now);
    memset(label, 0, LABEL);
    snprintf(label, LABEL, "process %ld on %s, %lld.%09ld\n", (long)getpid(), host, (long long)now.tv_sec,
             now.tv_nsec);
    job_comm_share(label, LABEL);
}

/* False if the file was removed or replaced after it had been opened. */
static bool is_still_there(int fd, const char *path)
{
    struct stat own, named;
    return !fstat(fd, &own) && !stat(path, &named) && own.st_dev == named.st_dev &&
           own.st_ino == named.st_ino;
}

/* True if the error means that the file system, as mounted, has no locks. */
static bool is_lockless(int error)
{
    return error == ENOLCK || error == ENOSYS || error == EOPNOTSUPP || error == EINVAL;
}

/* Locks the file unless it is locked. A job that ends removes file and folder; then this tries again. */
static odim_status try_lock(const char *folder, const char *path, odim_error *err)
{
    struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    for (int i = 0; i < TRIES; i++) {
        if (mkdir(folder, 0777) && errno != EEXIST) return fail_with(folder, err);
        int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (fd < 0 && errno == ENOENT) continue;
        if (fd < 0) return fail_with(path, err);
        if (fcntl(fd, F_SETLK, &all)) {
            int error = errno;
            close(fd);
            lockless = is_lockless(error);
            if (lockless || error == EACCES || error == EAGAIN) return ODIM_OK;
            errno = error;
            return fail_with(path, err);
        }
        if (is_still_there(fd, path)) {
            held = fd;
            return ODIM_OK;
        }
        close(fd);
    }
    return od_fail(err, ODIM_ERR_IO, "%s: is removed again and again; use another folder", folder);
}

static odim_status sign(const char *path, const char *label, odim_error *err)
{
    ssize_t size = (ssize_t)strlen(label);
    bool fine = ftruncate(held, 0) == 0 && pwrite(held, label, (size_t)size, 0) == size && fsync(held) == 0;
    return fine ? ODIM_OK : fail_with(path, err);
}

/* Another rank has the lock: fails unless it is one of this job. The file is opened again, because NFS shows
 * the writes of other machines only then. */
static odim_status check_holder(const char *folder, const char *path, const char *label, odim_error *err)
{
    char text[LABEL];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0) close(fd);
    text[got > 0 ? got : 0] = '\0';
    if (strcmp(text, label) == 0) return ODIM_OK;
    if (got <= 0) snprintf(text, sizeof text, "just started or ended");
    text[strcspn(text, ",\n")] = '\0';
    return od_fail(err, ODIM_ERR_IO,
                   "%s: is in use by another job (%s); wait until it has ended, or use another folder",
                   folder, text);
}

odim_status job_folder_take(const char *folder, bool *locks, odim_error *err)
{
    char path[4096 + sizeof JOB_FOLDER_LOCK], label[LABEL];
    snprintf(path, sizeof path, "%.4095s/%s", folder, JOB_FOLDER_LOCK);
    label_job(label);
    odim_status status = try_lock(folder, path, err);
    if (!status && held >= 0) status = sign(path, label, err);
    status = job_comm_agree(status, err); /* now every locked file has been signed */
    if (!status && held < 0 && !lockless) status = check_holder(folder, path, label, err);
    status = job_comm_agree(status, err);
    *locks = status || job_comm_sum(lockless) == 0;
    return status;
}

bool job_folder_is_mine(void)
{
    return held >= 0 || lockless;
}

void job_folder_leave(void)
{
    if (held >= 0) close(held);
    held = -1;
}
