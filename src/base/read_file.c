#include "base/read_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

#define BLOCK ((size_t)64 << 10)

typedef struct buffer {
    unsigned char *bytes;
    size_t size, cap;
} buffer;

static odim_status grow(buffer *b, size_t cap, odim_error *err)
{
    unsigned char *bytes = od_grow(b->bytes, b->size, cap, 1);
    if (!bytes) return od_fail_nomem(err);
    b->bytes = bytes;
    b->cap = cap;
    return ODIM_OK;
}

/* As much as fits; *got 0: the end. */
static odim_status read_some(int fd, buffer *b, size_t *got, odim_error *err)
{
    size_t room = b->cap - b->size;
    ssize_t n;
    do n = read(fd, b->bytes + b->size, room < SSIZE_MAX ? room : SSIZE_MAX);
    while (n < 0 && errno == EINTR);
    if (n < 0) return od_fail(err, ODIM_ERR_IO, "cannot read: %s", strerror(errno));
    *got = (size_t)n;
    b->size += *got;
    return ODIM_OK;
}

static odim_status read_all(int fd, const char *magic, size_t most, buffer *b, odim_error *err)
{
    struct stat st;
    if (fstat(fd, &st) != 0) return od_fail(err, ODIM_ERR_IO, "cannot read: %s", strerror(errno));
    size_t expected = S_ISREG(st.st_mode) ? (size_t)st.st_size : 0, head = strlen(magic);
    size_t got = 0;
    odim_status status = grow(b, BLOCK, err);
    while (!status && !(status = read_some(fd, b, &got, err)) && got) {
        if (b->size >= head && memcmp(b->bytes, magic, head) != 0) break;
        if (b->size > most || expected > most)
            return od_fail(err, ODIM_ERR_FORMAT, "larger than %zu bytes, the most that is read", most);
        /* One more than there should be, so that the end is seen without growing again. */
        if (b->size == b->cap) status = grow(b, b->cap <= expected / 2 ? expected + 1 : b->cap * 2, err);
    }
    return status;
}

odim_status od_read_file(const char *path, const char *magic, size_t most, void **bytes, size_t *size,
                         odim_error *err)
{
    buffer b = {0};
    *bytes = NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    odim_status status = fd < 0 ? od_fail(err, ODIM_ERR_IO, "cannot open: %s", strerror(errno))
                                : read_all(fd, magic, most, &b, err);
    if (fd >= 0) close(fd);
    if (status) {
        od_free(b.bytes);
        return od_error_prefix(err, status, path);
    }
    *bytes = b.bytes;
    *size = b.size;
    return ODIM_OK;
}
