#include "out.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "log.h"

/*
 * The temporary files, for cli_out_abandon. A name is noted before its file is made and forgotten after it
 * has been renamed, so that a signal at any moment finds it; to unlink a name that is not there does no harm.
 */
static struct temp {
    char name[PATH_MAX];
    volatile sig_atomic_t pending;
} temps[CLI_OUT_FILES];

void cli_out_abandon(void)
{
    for (int i = 0; i < CLI_OUT_FILES; i++)
        if (temps[i].pending) unlink(temps[i].name);
}

static bool fail(const char *name, int error)
{
    cli_log("%s: %s", name, strerror(error));
    return false;
}

/* Length of the directory part of a path with its '/', 0 when there is none. */
static size_t dir_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* The file that a path means once symbolic links are followed, whether it exists or not. 0 or an errno. */
static int follow_links(const char *path, char target[PATH_MAX])
{
    size_t size = strlen(path) + 1;
    if (size > PATH_MAX) return ENAMETOOLONG;
    memcpy(target, path, size);
    for (int links = 0; links < 40; links++) {
        char link[PATH_MAX];
        ssize_t len = readlink(target, link, sizeof link - 1);
        if (len < 0) return 0; /* not a link, or not there; whoever opens it will say why */
        link[len] = '\0';
        size_t dir = link[0] == '/' ? 0 : dir_length(target);
        if (dir + (size_t)len >= PATH_MAX) return ENAMETOOLONG;
        memcpy(target + dir, link, (size_t)len + 1);
    }
    return ELOOP;
}

/* A place for one more temporary file; -1 with errno set: all are taken. */
static int find_place(void)
{
    for (int i = 0; i < CLI_OUT_FILES; i++)
        if (!temps[i].pending) return i;
    errno = EMFILE;
    return -1;
}

/*
 * Makes a temporary file beside `target` and notes it in `temp`. The name has the time in it, since a process
 * that was killed leaves its file behind, and another may have its number.
 */
static int open_temp(struct temp *temp, const char *target)
{
    size_t dir = dir_length(target);
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    for (int attempt = 0; attempt < 100; attempt++) {
        int len = snprintf(temp->name, sizeof temp->name, "%.*s.odim-%ld-%lld.%09ld-%d.tmp", (int)dir, target,
                           (long)getpid(), (long long)now.tv_sec, now.tv_nsec, attempt);
        if (len < 0 || (size_t)len >= sizeof temp->name) {
            errno = ENAMETOOLONG;
            return -1;
        }
        temp->pending = 1;
        int fd = open(temp->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0) return fd;
        int error = errno;
        temp->pending = 0;
        errno = error;
        if (error != EEXIST) return -1;
    }
    return -1;
}

/* The new file takes the place of an old one: same owner where we may, same permissions. */
static bool inherit(int fd, const struct stat *old)
{
    int refused = fchown(fd, old->st_uid, old->st_gid);
    (void)refused;
    return fchmod(fd, old->st_mode & 0777) == 0;
}

static bool open_file(cli_out *out, const char *path)
{
    char target[PATH_MAX];
    int error = *path ? follow_links(path, target) : ENOENT;
    if (error) return fail(path, error);

    struct stat old;
    bool exists = stat(target, &old) == 0;
    if (exists && S_ISDIR(old.st_mode)) return fail(path, EISDIR);
    bool direct = exists && !S_ISREG(old.st_mode);
    /* To replace a file needs only its directory; that it is read-only still means hands off. */
    if (exists && !direct && access(target, W_OK) != 0) return fail(path, errno);
    if (!direct && (out->place = find_place()) < 0) return fail(path, errno);
    if (!direct && !(out->target = strdup(target))) return fail(path, ENOMEM);

    int fd = direct ? open(target, O_WRONLY | O_CLOEXEC) : open_temp(&temps[out->place], target);
    if (fd >= 0 && (direct || !exists || inherit(fd, &old))) out->file = fdopen(fd, "w");
    if (out->file) return true;
    fail(path, errno);
    if (fd >= 0) close(fd);
    cli_out_discard(out);
    return false;
}

bool cli_out_open(cli_out *out, const char *path)
{
    *out = (cli_out){.name = path};
    if (path && strcmp(path, "-") != 0) return open_file(out, path);
    out->name = "standard output";
    /* Better to learn now than after the work that nobody will see the result (see main). */
    if ((fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE) == O_RDONLY) return fail(out->name, EBADF);
    out->file = stdout;
    return true;
}

static void check(cli_out *out, bool fine)
{
    if (!fine && !out->error) out->error = errno ? errno : EIO;
}

void cli_out_printf(cli_out *out, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    check(out, vfprintf(out->file, fmt, ap) >= 0);
    va_end(ap);
}

void cli_out_bytes(cli_out *out, const char *bytes, size_t size)
{
    check(out, fwrite(bytes, 1, size, out->file) == size);
}

void cli_out_text(cli_out *out, const char *text)
{
    check(out, fputs(text, out->file) >= 0);
}

void cli_out_flush(cli_out *out)
{
    check(out, fflush(out->file) == 0);
}

bool cli_out_is_file(const cli_out *out)
{
    return out->target != NULL;
}

void cli_out_rewrite(cli_out *out, const char *bytes, size_t size)
{
    check(out, fseeko(out->file, 0, SEEK_SET) == 0);
    cli_out_bytes(out, bytes, size);
    check(out, fseeko(out->file, 0, SEEK_END) == 0);
}

const char *cli_out_temp(const cli_out *out)
{
    return out->target ? temps[out->place].name : NULL;
}

bool cli_out_commit(cli_out *out)
{
    check(out, fflush(out->file) == 0);
    errno = 0;
    check(out, !ferror(out->file)); /* of who writes to the file directly, and does not look */
    if (out->target) check(out, fsync(fileno(out->file)) == 0);
    if (out->file != stdout) check(out, fclose(out->file) == 0);
    out->file = NULL;
    struct temp *temp = out->target ? &temps[out->place] : NULL;
    if (temp && !out->error) check(out, rename(temp->name, out->target) == 0);
    bool fine = !out->error;
    if (!fine)
        fail(out->name, out->error);
    else if (temp)
        temp->pending = 0;
    cli_out_discard(out);
    return fine;
}

void cli_out_discard(cli_out *out)
{
    if (out->file && out->file != stdout) fclose(out->file);
    out->file = NULL;
    if (out->target && temps[out->place].pending) {
        unlink(temps[out->place].name);
        temps[out->place].pending = 0;
    }
    free(out->target);
    out->target = NULL;
}
