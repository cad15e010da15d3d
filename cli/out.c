/* Outputs: standard output, or a file that is written atomically. */
#include "out.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "log.h"

/* Static, so that a signal handler finds them. */
static od_atomic_file files[CLI_OUT_FILES] = {{.fd = -1}, {.fd = -1}, {.fd = -1}, {.fd = -1}};

void cli_out_abandon(void)
{
    for (int i = 0; i < CLI_OUT_FILES; i++) od_atomic_file_abandon(&files[i]);
}

static bool fail(const char *name, int error)
{
    cli_log("%s: %s", name, strerror(error));
    return false;
}

static bool open_file(cli_out *out, const char *path)
{
    int i = 0;
    while (i < CLI_OUT_FILES && files[i].fd >= 0) i++;
    int error = i < CLI_OUT_FILES ? od_atomic_file_open(&files[i], path) : EMFILE;
    if (error) return fail(path, error);
    out->atomic = &files[i];
    /* A copy of the descriptor: fclose closes this one, od_atomic_file_commit the other. */
    int fd = fcntl(files[i].fd, F_DUPFD_CLOEXEC, 0);
    if (fd >= 0) out->file = fdopen(fd, "w");
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
    return out->atomic && out->atomic->has_temp;
}

void cli_out_rewrite(cli_out *out, const char *bytes, size_t size)
{
    check(out, fseeko(out->file, 0, SEEK_SET) == 0);
    cli_out_bytes(out, bytes, size);
    check(out, fseeko(out->file, 0, SEEK_END) == 0);
}

const char *cli_out_temp(const cli_out *out)
{
    return cli_out_is_file(out) ? out->atomic->temp : NULL;
}

bool cli_out_commit(cli_out *out)
{
    check(out, fflush(out->file) == 0);
    errno = 0;
    check(out, !ferror(out->file)); /* for callers that write to the file directly and do not check */
    if (out->file != stdout) check(out, fclose(out->file) == 0);
    out->file = NULL;
    if (out->atomic && !out->error) out->error = od_atomic_file_commit(out->atomic);
    bool fine = !out->error;
    if (!fine) fail(out->name, out->error);
    cli_out_discard(out);
    return fine;
}

void cli_out_discard(cli_out *out)
{
    if (out->file && out->file != stdout) fclose(out->file);
    out->file = NULL;
    if (out->atomic) od_atomic_file_discard(out->atomic);
    out->atomic = NULL;
}
