/* Reads bytes from files, pipes, memory and gzip streams. */
#include "io/source.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "common/mem.h"
#include "base/poll.h"

#define BUFFER ((size_t)64 << 10)
/* zlib counts in unsigned int. */
#define ZLIB_MOST ((size_t)1 << 30)

struct od_source {
    int fd;                  /* -1: memory */
    bool own_fd;             /* to be closed */
    const unsigned char *in; /* bytes that came and are not used yet */
    size_t in_len;
    bool in_end;           /* no more will come */
    size_t file_left;      /* bytes that the file system says are still to be read, 0 for a pipe */
    size_t file_size;      /* the same at the start; 0: not a regular file */
    off_t file_start;      /* where in the file it begins */
    unsigned char *buffer; /* of a file */

    enum { PLAIN, GZIP, DEFLATE } coding;
    z_stream z;
    bool z_open;
    bool z_done; /* all was inflated */

    size_t packed; /* bytes to inflate, 0 if unknown */
    size_t most;   /* that od_source_all may inflate; 0: any number */

    bool checked; /* a member: what must come out */
    uint64_t want_size, size;
    uint32_t want_crc, crc;

    unsigned char head[OD_SOURCE_PEEK]; /* peeked at and not read yet */
    size_t head_len, head_at;

    const unsigned char *whole; /* plain memory */
    size_t whole_size;
    unsigned char *all; /* what od_source_all collected */
    void *map;          /* (file_size) what od_source_map has */
};

/* ---- bytes as they are stored --------------------------------------------------------------------- */

/* A pipe may be silent for hours: that it is to end must get through. */
static odim_status await(const od_source *s, odim_error *err)
{
    struct pollfd p = {.fd = s->fd, .events = POLLIN};
    for (int come = 0; od_poll_is_on() && come == 0;) {
        odim_status status = od_poll_check(err);
        if (status) return status;
        come = poll(&p, 1, (int)(od_poll_interval() / 1000000));
        if (come < 0 && errno == EINTR) come = 0;
    }
    return ODIM_OK;
}

/* Makes in_len > 0, unless the end is reached. */
static odim_status pull(od_source *s, odim_error *err)
{
    if (s->in_len || s->in_end) return ODIM_OK;
    odim_status status = await(s, err);
    if (status) return status;
    ssize_t n;
    do n = read(s->fd, s->buffer, BUFFER);
    while (n < 0 && errno == EINTR);
    if (n < 0) return od_fail(err, ODIM_ERR_IO, "cannot read: %s", strerror(errno));
    if (n == 0 && s->file_left)
        return od_fail(err, ODIM_ERR_IO, "the file became shorter while it was being read");
    s->in = s->buffer;
    s->in_len = (size_t)n;
    s->in_end = n == 0;
    s->file_left -= s->file_left < (size_t)n ? s->file_left : (size_t)n;
    return ODIM_OK;
}

/* A pipe may hand out its first bytes one by one: two are needed to know gzip. */
static odim_status pull_two(od_source *s, odim_error *err)
{
    odim_status status = pull(s, err);
    while (!status && s->in_len == 1 && !s->in_end) {
        ssize_t n = read(s->fd, s->buffer + 1, BUFFER - 1);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return od_fail(err, ODIM_ERR_IO, "cannot read: %s", strerror(errno));
        s->in_len += (size_t)n;
        s->in_end = n == 0;
    }
    return status;
}

static odim_status read_plain(od_source *s, unsigned char *buf, size_t cap, size_t *got, odim_error *err)
{
    odim_status status = pull(s, err);
    if (status) return status;
    *got = s->in_len < cap ? s->in_len : cap;
    if (*got) memcpy(buf, s->in, *got);
    s->in += *got;
    s->in_len -= *got;
    return ODIM_OK;
}

/* ---- inflating ------------------------------------------------------------------------------------ */

static void *zlib_alloc(void *opaque, unsigned count, unsigned size)
{
    (void)opaque;
    return od_alloc(count, size);
}

static void zlib_free(void *opaque, void *p)
{
    (void)opaque;
    od_free(p);
}

static odim_status start_inflate(od_source *s, int window_bits, odim_error *err)
{
    s->z.zalloc = zlib_alloc;
    s->z.zfree = zlib_free;
    if (inflateInit2(&s->z, window_bits) != Z_OK) return od_fail_nomem(err);
    s->z_open = true;
    return ODIM_OK;
}

/* One gzip member ended: the next, zeros that fill a block of a tape, or the end. */
static odim_status end_gzip_member(od_source *s, odim_error *err)
{
    bool padded = false;
    odim_status status;
    while (!(status = pull(s, err)) && s->in_len && *s->in == 0) {
        padded = true;
        s->in++;
        s->in_len--;
    }
    if (status) return status;
    if (!s->in_len) {
        s->z_done = true;
    } else if (padded || *s->in != 0x1f) {
        return od_fail(err, ODIM_ERR_FORMAT, "there are other bytes after the end of the gzip data");
    } else {
        inflateReset(&s->z);
    }
    return ODIM_OK;
}

static odim_status end_member(od_source *s, odim_error *err)
{
    if (s->coding == GZIP) return end_gzip_member(s, err);
    s->z_done = true;
    if (s->in_len) return od_fail(err, ODIM_ERR_FORMAT, "there are other bytes after the compressed data");
    return ODIM_OK;
}

static odim_status read_inflated(od_source *s, unsigned char *buf, size_t cap, size_t *got, odim_error *err)
{
    const char *kind = s->coding == GZIP ? "gzip" : "compressed";
    *got = 0;
    while (*got == 0 && !s->z_done) {
        odim_status status;
        unsigned in_len = (unsigned)(s->in_len < ZLIB_MOST ? s->in_len : ZLIB_MOST);
        unsigned out_len = (unsigned)(cap < ZLIB_MOST ? cap : ZLIB_MOST);
        s->z.next_in = (unsigned char *)s->in; /* zlib does not write to it */
        s->z.avail_in = in_len;
        s->z.next_out = buf;
        s->z.avail_out = out_len;
        int rc = inflate(&s->z, Z_NO_FLUSH);
        s->in += in_len - s->z.avail_in;
        s->in_len -= in_len - s->z.avail_in;
        *got = out_len - s->z.avail_out;
        if (rc == Z_MEM_ERROR) return od_fail_nomem(err);
        if (rc == Z_BUF_ERROR) { /* only now: what was taken before may have held more than was asked for */
            if ((status = pull(s, err))) return status;
            if (s->in_len) continue;
            return od_fail(err, ODIM_ERR_FORMAT, "the %s data ends too early: the file is truncated", kind);
        }
        if (rc != Z_OK && rc != Z_STREAM_END)
            return od_fail(err, ODIM_ERR_FORMAT, "the %s data is corrupt: %s", kind,
                           s->z.msg ? s->z.msg : "not what the format allows");
        if (rc == Z_STREAM_END && (status = end_member(s, err))) return status;
    }
    return ODIM_OK;
}

/* ---- the public part ------------------------------------------------------------------------------ */

static odim_status read_checked(od_source *s, unsigned char *buf, size_t cap, size_t *got, odim_error *err)
{
    odim_status status =
        s->coding == PLAIN ? read_plain(s, buf, cap, got, err) : read_inflated(s, buf, cap, got, err);
    if (status || !s->checked) return status;
    s->size += *got;
    s->crc = (uint32_t)crc32_z(s->crc, buf, *got);
    if (s->size > s->want_size || (*got == 0 && s->size < s->want_size))
        return od_fail(err, ODIM_ERR_FORMAT, "it is not of the size that the archive's directory says");
    if (*got == 0 && s->crc != s->want_crc)
        return od_fail(err, ODIM_ERR_FORMAT, "its checksum (CRC-32) is wrong: the file is damaged");
    return ODIM_OK;
}

odim_status od_source_read(od_source *s, void *buf, size_t cap, size_t *got, odim_error *err)
{
    if (s->head_at == s->head_len) return read_checked(s, buf, cap, got, err);
    size_t left = s->head_len - s->head_at;
    *got = left < cap ? left : cap;
    memcpy(buf, s->head + s->head_at, *got);
    s->head_at += *got;
    return ODIM_OK;
}

odim_status od_source_fill(od_source *s, void *buf, size_t cap, size_t *got, odim_error *err)
{
    *got = 0;
    while (*got < cap) {
        size_t n;
        odim_status status = od_poll_check(err);
        if (!status) status = od_source_read(s, (unsigned char *)buf + *got, cap - *got, &n, err);
        if (status) return status;
        if (n == 0) break;
        *got += n;
    }
    return ODIM_OK;
}

odim_status od_source_peek(od_source *s, const unsigned char **bytes, size_t *got, odim_error *err)
{
    size_t len = s->head_len, n = 1;
    /* A pipe that brought a line and no more is waiting for an answer to it. */
    while (n && len < sizeof s->head && (!memchr(s->head, '\n', len) || od_source_ready(s))) {
        odim_status status = read_checked(s, s->head + len, sizeof s->head - len, &n, err);
        if (status) return status;
        len += n;
    }
    s->head_len = len;
    *bytes = s->head;
    *got = s->head_len;
    return ODIM_OK;
}

bool od_source_ready(const od_source *s)
{
    if (s->head_at < s->head_len || s->in_len || s->in_end) return true;
    struct pollfd p = {.fd = s->fd, .events = POLLIN};
    return poll(&p, 1, 0) != 0;
}

size_t od_source_left(const od_source *s)
{
    return s->coding == PLAIN ? s->head_len - s->head_at + s->in_len + s->file_left : 0;
}

bool od_source_packed(const od_source *s, size_t *bytes)
{
    *bytes = s->coding == DEFLATE ? s->packed : s->file_size;
    return s->coding != PLAIN;
}

void od_source_limit(od_source *s, size_t most)
{
    s->most = most;
}

odim_status od_source_all(od_source *s, const unsigned char **bytes, size_t *size, odim_error *err)
{
    *bytes = s->whole;
    *size = s->whole_size;
    if (s->whole) return ODIM_OK;
    size_t cap = od_source_left(s) + 1; /* one more, to see the end without growing */
    if (cap < BUFFER) cap = BUFFER;
    s->all = od_alloc(cap, 1);
    if (!s->all) return od_fail_nomem(err);
    size_t len = 0;
    for (;;) {
        size_t n;
        odim_status status = od_source_fill(s, s->all + len, cap - len, &n, err);
        if (status) return status;
        len += n;
        if (len < cap) break;
        if (s->coding != PLAIN && s->most && len > s->most)
            return od_fail(
                err, ODIM_ERR_DATA,
                "unpacks to more than %.1f MB, the most that is allowed; if the file can be trusted, "
                "set unpacked to allow more",
                (double)s->most / 1048576.0);
        unsigned char *more = od_grow(s->all, cap, cap * 2, 1);
        if (!more) return od_fail_nomem(err);
        s->all = more;
        cap *= 2;
    }
    *bytes = s->all;
    *size = len;
    return ODIM_OK;
}

odim_status od_source_map(od_source *s, const unsigned char **bytes, size_t *size, odim_error *err)
{
    if (s->whole || s->coding != PLAIN || s->file_size == 0 || s->file_start != 0)
        return od_source_all(s, bytes, size, err);
    void *map = mmap(NULL, s->file_size, PROT_READ, MAP_PRIVATE, s->fd, 0);
    if (map == MAP_FAILED) return od_source_all(s, bytes, size, err);
    s->map = map;
    *bytes = map;
    *size = s->file_size;
    return ODIM_OK;
}

/* ---- starting again ------------------------------------------------------------------------------- */

odim_status od_source_hold(od_source *s, odim_error *err)
{
    const unsigned char *bytes;
    size_t size;
    if (s->whole || s->file_size) return ODIM_OK;
    odim_status status = od_source_all(s, &bytes, &size, err);
    if (status) return status;
    s->whole = bytes;
    s->whole_size = size;
    return od_source_rewind(s, err);
}

static odim_status seek_file(od_source *s, size_t at, odim_error *err)
{
    if (lseek(s->fd, s->file_start + (off_t)at, SEEK_SET) < 0)
        return od_fail(err, ODIM_ERR_IO, "cannot read it a second time: %s", strerror(errno));
    s->in_len = 0;
    s->in_end = false;
    s->file_left = s->file_size - at;
    return ODIM_OK;
}

odim_status od_source_rewind(od_source *s, odim_error *err)
{
    s->head_len = s->head_at = 0;
    if (s->whole) { /* as it is: what was packed has been unpacked */
        s->coding = PLAIN;
        s->in = s->whole;
        s->in_len = s->whole_size;
        s->in_end = true;
        return ODIM_OK;
    }
    odim_status status = seek_file(s, 0, err);
    s->z_done = false;
    if (!status && s->z_open) inflateReset(&s->z);
    return status;
}

size_t od_source_size(const od_source *s)
{
    return s->coding != PLAIN ? 0 : s->whole ? s->whole_size : s->file_size;
}

odim_status od_source_seek(od_source *s, size_t at, odim_error *err)
{
    size_t size = od_source_size(s), from = at < size ? at : size;
    s->head_len = s->head_at = 0;
    s->checked = false; /* what is left out cannot be checked */
    if (!s->whole) return seek_file(s, from, err);
    s->in = s->whole + from;
    s->in_len = size - from;
    s->in_end = true;
    return ODIM_OK;
}

/* Takes over `s`, whatever comes of it. */
static odim_status start(od_source *s, od_source **out, odim_error *err)
{
    odim_status status = pull_two(s, err);
    if (!status && s->in_len >= 2 && s->in[0] == 0x1f && s->in[1] == 0x8b) {
        s->coding = GZIP;
        s->whole = NULL;
        status = start_inflate(s, 15 + 16, err);
    }
    if (status)
        od_source_close(s);
    else
        *out = s;
    return status;
}

static od_source *new_from_memory(const void *bytes, size_t size)
{
    od_source *s = od_calloc(1, sizeof *s);
    if (!s) return NULL;
    s->fd = -1;
    s->in = bytes ? bytes : (const void *)"";
    s->in_len = size;
    s->in_end = true;
    return s;
}

odim_status od_source_memory(od_source **out, const void *bytes, size_t size, odim_error *err)
{
    *out = NULL;
    od_source *s = new_from_memory(bytes, size);
    if (!s) return od_fail_nomem(err);
    s->whole = s->in;
    s->whole_size = size;
    return start(s, out, err);
}

odim_status od_source_member(od_source **out, const void *bytes, size_t packed, bool deflated, uint64_t size,
                             uint32_t crc, odim_error *err)
{
    *out = NULL;
    od_source *s = new_from_memory(bytes, packed);
    if (!s) return od_fail_nomem(err);
    s->checked = true;
    s->want_size = size;
    s->want_crc = crc;
    if (!deflated) {
        s->whole = s->in;
        s->whole_size = packed;
    } else {
        s->coding = DEFLATE;
        s->packed = packed;
        odim_status status = start_inflate(s, -15, err);
        if (status) {
            od_source_close(s);
            return status;
        }
    }
    *out = s;
    return ODIM_OK;
}

static odim_status open_file(od_source *s, const char *path, odim_error *err)
{
    s->fd = -1;
    s->buffer = od_alloc(BUFFER, 1);
    if (!s->buffer) return od_fail_nomem(err);
    s->own_fd = strcmp(path, "-") != 0;
    s->fd = s->own_fd ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
    if (s->fd < 0) return od_fail(err, ODIM_ERR_IO, "cannot open: %s", strerror(errno));
    struct stat info;
    if (fstat(s->fd, &info)) return od_fail(err, ODIM_ERR_IO, "cannot read: %s", strerror(errno));
    if (S_ISDIR(info.st_mode)) return od_fail(err, ODIM_ERR_IO, "cannot read: %s", strerror(EISDIR));
    s->file_start = S_ISREG(info.st_mode) ? lseek(s->fd, 0, SEEK_CUR) : -1;
    if (s->file_start >= 0 && info.st_size > s->file_start)
        s->file_left = s->file_size = (size_t)(info.st_size - s->file_start);
    return ODIM_OK;
}

odim_status od_source_open(od_source **out, const char *path, odim_error *err)
{
    *out = NULL;
    od_source *s = od_calloc(1, sizeof *s);
    if (!s) return od_fail_nomem(err);
    odim_status status = open_file(s, path, err);
    if (!status) return start(s, out, err);
    od_source_close(s);
    return status;
}

void od_source_close(od_source *s)
{
    if (!s) return;
    if (s->z_open) inflateEnd(&s->z);
    if (s->map) munmap(s->map, s->file_size);
    if (s->own_fd && s->fd >= 0) close(s->fd);
    od_free(s->all);
    od_free(s->buffer);
    od_free(s);
}
