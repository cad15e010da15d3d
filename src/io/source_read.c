/* Reads bytes from files, pipes, memory and filters. */
#include "io/source.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "common/mem.h"
#include "base/poll.h"
#include "io/source_impl.h"
#include "base/hint.h"

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
    do n = read(s->fd, s->buffer, OD_SOURCE_BUFFER);
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
    size_t n, end = (size_t)(s->in - s->buffer) + s->in_len;
    if (s->begun || end == OD_SOURCE_BUFFER) {
        if (s->in_len) memmove(s->buffer, s->in, s->in_len);
        s->in = s->buffer;
        s->begun = true;
        end = s->in_len;
    }
    odim_status status = od_source_read(s->inner, s->buffer + end, OD_SOURCE_BUFFER - end, &n, err);
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
        odim_error why = {0};
        odim_status status = s->filter->run(s->filter, &io, &why);
        *got = cap - io.out_len;
        if (status) {
            /* What was unpacked before it comes first, whatever there is room for at a time. It stays: once
             * it has failed, a library may say something else. */
            s->failed = why;
            if (*got) return ODIM_OK;
            if (err) *err = why;
            return status;
        }
        bool used = io.in_len < s->in_len;
        s->in = io.in;
        s->in_len = io.in_len;
        s->done = io.done;
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
    s->begun = true;
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

odim_status od_source_extend_head(od_source *s, size_t *n, odim_error *err)
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
        odim_status status = s->head_len == had ? od_source_extend_head(s, &n, err) : ODIM_OK;
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

bool od_source_never_waits(const od_source *s)
{
    return bottom(s)->whole || bottom(s)->file_size;
}

bool od_source_is_memory(const od_source *s)
{
    return s->whole != NULL;
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
    *bytes = s->whole ? s->whole : s->all;
    *size = s->whole ? s->whole_size : s->all_size;
    if (s->whole || s->collected) return ODIM_OK;
    size_t packed_size;
    bool packed = od_source_packed(s, &packed_size);
    size_t cap = od_source_left(s) + 1; /* one more, to see the end without growing */
    if (cap < OD_SOURCE_BUFFER) cap = OD_SOURCE_BUFFER;
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
                "allow more%s",
                (double)s->most / 1048576.0, OD_HINT("unpacked"));
        if (len < cap) break;
        unsigned char *more = od_grow(s->all, cap, cap * 2, 1);
        if (!more) return od_fail_nomem(err);
        s->all = more;
        cap *= 2;
    }
    s->collected = true;
    *bytes = s->all;
    *size = s->all_size = len;
    return ODIM_OK;
}

odim_status od_source_map(od_source *s, const unsigned char **bytes, size_t *size, odim_error *err)
{
    if (s->whole || s->all || s->inner || s->file_size == 0 || s->file_start != 0)
        return od_source_all(s, bytes, size, err);
    void *map = s->map ? s->map : mmap(NULL, s->file_size, PROT_READ, MAP_PRIVATE, s->fd, 0);
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
        s->in = s->buffer;
        s->in_len = 0;
        s->in_end = s->done = s->begun = false;
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
