/* Reads a file in growing blocks, up to a limit. */
#include "common/read_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/mem.h"

#define BLOCK ((size_t)64 << 10)

typedef struct buffer {
    char *bytes;
    size_t size, cap; /* one byte more than cap is allocated */
} buffer;

static bool grow(buffer *b, size_t cap)
{
    char *bytes = od_grow(b->bytes, b->size, cap + 1, 1);
    if (!bytes) {
        errno = ENOMEM;
        return false;
    }
    b->bytes = bytes;
    b->cap = cap;
    return true;
}

/* Reads as much as fits; 0 at the end of the file, -1 on failure. */
static ssize_t read_some(int fd, buffer *b)
{
    size_t room = b->cap - b->size;
    ssize_t n;
    do n = read(fd, b->bytes + b->size, room < SSIZE_MAX ? room : SSIZE_MAX);
    while (n < 0 && errno == EINTR);
    if (n > 0) b->size += (size_t)n;
    return n;
}

static bool read_all(int fd, const char *magic, size_t most, buffer *b)
{
    struct stat st;
    if (fstat(fd, &st) != 0) return false;
    size_t expected = S_ISREG(st.st_mode) ? (size_t)st.st_size : 0, head = strlen(magic);
    if (!grow(b, BLOCK)) return false;
    for (ssize_t n; (n = read_some(fd, b)) != 0;) {
        if (n < 0) return false;
        if (b->size >= head && memcmp(b->bytes, magic, head) != 0) break;
        if (b->size > most || expected > most) {
            errno = EFBIG;
            return false;
        }
        /* One byte more than expected, so that the end is seen without growing again. */
        if (b->size == b->cap && !grow(b, b->cap <= expected / 2 ? expected + 1 : b->cap * 2)) return false;
    }
    b->bytes[b->size] = '\0';
    return true;
}

const char *od_read_file(const char *path, const char *magic, size_t most, char **bytes, size_t *size)
{
    buffer b = {0};
    *bytes = NULL;
    *size = 0;
    int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
    if (fd < 0) return "cannot open";
    bool fine = read_all(fd, magic, most, &b);
    int error = errno;
    if (path) close(fd);
    if (!fine) {
        od_free(b.bytes);
        errno = error;
        return "cannot read";
    }
    *bytes = b.bytes;
    *size = b.size;
    return NULL;
}
