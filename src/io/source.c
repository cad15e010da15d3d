/*
 * A source is a file or memory, or a filter on top of another source. The filters are stacked when the source
 * is opened: one that unpacks, then one that recodes a text with a byte order mark.
 */
#include "io/source.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "common/mem.h"
#include "base/poll.h"
#include "io/filter.h"

#define BUFFER ((size_t)64 << 10)

struct od_source {
    const unsigned char *in; /* bytes that came and are not used yet */
    size_t in_len;
    bool in_end;           /* no more will come */
    unsigned char *buffer; /* where they are, unless this is memory */

    int fd;           /* -1: no file */
    bool own_fd;      /* to be closed */
    size_t file_left; /* bytes that the file system says are still to be read, 0 for a pipe */
    size_t file_size; /* the same at the start; 0: not a regular file */
    off_t file_start; /* where in the file it begins */

    od_source *inner; /* where the bytes come from that the filter works on; NULL: no filter */
    od_filter *filter;
    bool done;         /* the filter has given everything */
    odim_error failed; /* a mistake that was met while looking ahead */
    bool encoded;      /* the encoding of the text is known */

    size_t packed; /* bytes to unpack of a member, 0 if nobody knows */
    size_t most;   /* that od_source_all may unpack; 0: any number */

    bool checked; /* a member: what must come out */
    uint64_t want_size, size;
    uint32_t want_crc, crc;

    unsigned char head[OD_SOURCE_PEEK]; /* seen and not read yet */
    size_t head_len, head_at;

    const unsigned char *whole; /* plain memory */
    size_t whole_size;
    unsigned char *all; /* what od_source_all collected */
    void *map;          /* (file_size) what od_source_map has */
};

static const od_source *bottom(const od_source *s)
{
    while (s->inner) s = s->inner;
    return s;
}

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

/* ---- bytes from a filter -------------------------------------------------------------------------- */

/* More input for the filter, behind the bytes that it left. */
static odim_status pull_inner(od_source *s, odim_error *err)
{
    size_t n;
    if (s->in_len) memmove(s->buffer, s->in, s->in_len);
    s->in = s->buffer;
    odim_status status = od_source_read(s->inner, s->buffer + s->in_len, BUFFER - s->in_len, &n, err);
    if (status) return status;
    s->in_len += n;
    s->in_end = n == 0;
    return ODIM_OK;
}

/* With `waits`, no waiting: sets *waits and reads nothing instead. */
static odim_status read_filtered(od_source *s, unsigned char *buf, size_t cap, size_t *got, bool *waits,
                                 odim_error *err)
{
    *got = 0;
    while (*got == 0 && !s->done) {
        od_filter_io io = {s->in, s->in_len, s->in_end, buf, cap, false};
        odim_status status = s->filter->run(s->filter, &io, err);
        if (status) return status;
        bool used = io.in_len < s->in_len;
        s->in = io.in;
        s->in_len = io.in_len;
        s->done = io.done;
        *got = cap - io.out_len;
        if (*got || used || s->done) continue;
        if (s->in_end) return od_filter_truncated(s->filter, err);
        if (waits && !od_source_ready(s->inner)) {
            *waits = true;
            return ODIM_OK;
        }
        if ((status = pull_inner(s, err))) return status;
    }
    return ODIM_OK;
}

/* ---- the public part ------------------------------------------------------------------------------ */

static odim_status read_checked(od_source *s, unsigned char *buf, size_t cap, size_t *got, bool *waits,
                                odim_error *err)
{
    if (s->failed.status) {
        if (err) *err = s->failed;
        return s->failed.status;
    }
    odim_status status =
        s->inner ? read_filtered(s, buf, cap, got, waits, err) : read_plain(s, buf, cap, got, err);
    if (status || !s->checked || (waits && *waits)) return status;
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
    if (s->head_at == s->head_len) return read_checked(s, buf, cap, got, NULL, err);
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

/* Whether there is more than the head, without waiting for it. What a filter gives goes to the head: only by
 * running it can be known whether its input is enough for a byte. */
static bool more_ready(od_source *s)
{
    if (!s->inner) {
        struct pollfd p = {.fd = s->fd, .events = POLLIN};
        return s->in_len || s->in_end || poll(&p, 1, 0) != 0;
    }
    if (s->done || s->failed.status) return true;
    bool waits = false;
    size_t n = 0;
    odim_error why;
    if (s->head_at == s->head_len) s->head_at = s->head_len = 0;
    if (read_checked(s, s->head + s->head_len, sizeof s->head - s->head_len, &n, &waits, &why))
        s->failed = why;
    s->head_len += n;
    return !waits;
}

/* Adds to the head, which is not full; *n is 0 at the end. */
static odim_status extend_head(od_source *s, size_t *n, odim_error *err)
{
    odim_status status = read_checked(s, s->head + s->head_len, sizeof s->head - s->head_len, n, NULL, err);
    if (!status) s->head_len += *n;
    return status;
}

odim_status od_source_peek(od_source *s, const unsigned char **bytes, size_t *got, odim_error *err)
{
    size_t n = 1;
    while (n && s->head_len < sizeof s->head) {
        size_t had = s->head_len;
        /* A pipe that brought a line and no more is waiting for an answer to it. */
        if (memchr(s->head, '\n', had) && !more_ready(s)) break;
        odim_status status = s->head_len == had ? extend_head(s, &n, err) : ODIM_OK;
        if (status) return status;
    }
    *bytes = s->head;
    *got = s->head_len;
    return ODIM_OK;
}

bool od_source_ready(od_source *s)
{
    return s->head_at < s->head_len || more_ready(s);
}

size_t od_source_left(const od_source *s)
{
    return s->inner ? 0 : s->head_len - s->head_at + s->in_len + s->file_left;
}

bool od_source_packed(const od_source *s, size_t *bytes)
{
    bool packed = false;
    for (; s->inner; s = s->inner) packed |= s->filter->unpacks;
    *bytes = s->packed ? s->packed : s->file_size;
    return packed;
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
    size_t packed_size;
    bool packed = od_source_packed(s, &packed_size);
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
        if (packed && s->most && len > s->most)
            return od_fail(
                err, ODIM_ERR_DATA,
                "unpacks to more than %.1f MB, the most that is allowed; if the file can be trusted, "
                "set unpacked to allow more",
                (double)s->most / 1048576.0);
        if (len < cap) break;
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
    if (s->whole || s->inner || s->file_size == 0 || s->file_start != 0)
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
    if (s->whole || bottom(s)->file_size) return ODIM_OK;
    odim_status status = od_source_all(s, &bytes, &size, err);
    if (status) return status;
    s->whole = bytes;
    s->whole_size = size;
    od_filter_close(s->filter); /* it is plain memory from now on */
    od_source_close(s->inner);
    s->filter = NULL;
    s->inner = NULL;
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
    s->size = s->crc = 0;
    s->failed.status = ODIM_OK;
    if (s->inner) {
        odim_status status = od_source_rewind(s->inner, err);
        s->in_len = 0;
        s->in_end = s->done = false;
        return status ? status : s->filter->reset(s->filter, err);
    }
    if (!s->whole) return seek_file(s, 0, err);
    s->in = s->whole;
    s->in_len = s->whole_size;
    s->in_end = true;
    return ODIM_OK;
}

size_t od_source_size(const od_source *s)
{
    return s->inner ? 0 : s->whole ? s->whole_size : s->file_size;
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

/* ---- opening -------------------------------------------------------------------------------------- */

/* Puts a filter, which is taken over, on top of *s. */
static odim_status put_filter(od_source **s, od_filter *filter, odim_error *err)
{
    od_source *top = od_calloc(1, sizeof *top);
    unsigned char *buffer = od_alloc(BUFFER, 1);
    if (!top || !buffer) {
        od_free(top);
        od_free(buffer);
        od_filter_close(filter);
        return od_fail_nomem(err);
    }
    top->fd = -1;
    top->inner = *s;
    top->filter = filter;
    top->buffer = buffer;
    top->most = (*s)->most;
    top->encoded = !filter->unpacks;
    *s = top;
    return ODIM_OK;
}

/* Puts the filter on top of *s that its first bytes call for, if there is one. No more bytes are awaited than
 * are needed to tell: a pipe may bring them one by one. */
static odim_status find_filter(od_source **s, bool unpacks, odim_error *err)
{
    od_filter *filter;
    od_filter_open *open;
    odim_status status = ODIM_OK;
    bool more;
    for (size_t n = 1;; status = extend_head(*s, &n, err)) {
        if (status) return status;
        open = od_filter_find(unpacks, (*s)->head, (*s)->head_len, &more);
        if (!more || !n) break;
    }
    if (!open) return ODIM_OK;
    status = open(&filter, err);
    return status ? status : put_filter(s, filter, err);
}

/* Takes over `s`, whatever comes of it. */
static odim_status start(od_source *s, od_source **out, odim_error *err)
{
    odim_status status = find_filter(&s, true, err);
    if (!status) status = find_filter(&s, false, err);
    if (status)
        od_source_close(s);
    else
        *out = s;
    return status;
}

odim_status od_source_set_encoding(od_source **s, const char *name, odim_error *err)
{
    od_filter *filter = NULL;
    bool utf8 = strcasecmp(name, "utf-8") == 0 || strcasecmp(name, "utf8") == 0;
    odim_status status = utf8 ? ODIM_OK : od_filter_recode(&filter, name, err);
    if (status) return status;
    if ((*s)->inner && !(*s)->filter->unpacks) { /* the byte order mark says something else */
        od_source *top = *s;
        *s = top->inner;
        (*s)->most = top->most;
        top->inner = NULL;
        od_source_close(top);
    }
    (*s)->encoded = utf8;
    return utf8 ? ODIM_OK : put_filter(s, filter, err);
}

bool od_source_encoded(const od_source *s)
{
    return s->encoded;
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

odim_status od_source_plain(od_source **out, const void *bytes, size_t size, odim_error *err)
{
    od_source *s = *out = new_from_memory(bytes, size);
    if (!s) return od_fail_nomem(err);
    s->whole = s->in;
    s->whole_size = size;
    return ODIM_OK;
}

odim_status od_source_memory(od_source **out, const void *bytes, size_t size, odim_error *err)
{
    od_source *s;
    *out = NULL;
    odim_status status = od_source_plain(&s, bytes, size, err);
    return status ? status : start(s, out, err);
}

odim_status od_source_member(od_source **out, const void *bytes, size_t packed, bool deflated, uint64_t size,
                             uint32_t crc, odim_error *err)
{
    od_filter *filter;
    odim_status status = od_source_plain(out, bytes, packed, err);
    if (!status && deflated) {
        (*out)->packed = packed;
        status = od_filter_deflate(&filter, err);
        if (!status) status = put_filter(out, filter, err);
    }
    if (status) {
        od_source_close(*out);
        *out = NULL;
        return status;
    }
    (*out)->checked = true;
    (*out)->want_size = size;
    (*out)->want_crc = crc;
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
    od_filter_close(s->filter);
    od_source_close(s->inner);
    if (s->map) munmap(s->map, s->file_size);
    if (s->own_fd && s->fd >= 0) close(s->fd);
    od_free(s->all);
    od_free(s->buffer);
    od_free(s);
}
