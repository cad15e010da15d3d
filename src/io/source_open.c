/*
 * Opens sources, and stacks the filters that they need: one that unpacks, then one that recodes a text with a
 * byte order mark.
 */
#include "io/source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/mem.h"
#include "io/source_impl.h"

/* Puts a filter, which is taken over, on top of *s. */
static odim_status put_filter(od_source **s, od_filter *filter, odim_error *err)
{
    od_source *top = od_calloc(1, sizeof *top);
    unsigned char *buffer = od_alloc(OD_SOURCE_BUFFER, 1);
    if (!top || !buffer) {
        od_free(top);
        od_free(buffer);
        od_filter_close(filter);
        return od_fail_nomem(err);
    }
    top->fd = -1;
    top->inner = *s;
    top->filter = filter;
    top->in = top->buffer = buffer;
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
    for (size_t n = 1;; status = od_source_extend_head(*s, &n, err)) {
        if (status) return status;
        open = od_filter_find(unpacks, (*s)->head, (*s)->head_len, &more);
        if (!more || !n) break;
    }
    if (!open) return ODIM_OK;
    status = open(&filter, err);
    return status ? status : put_filter(s, filter, err);
}

odim_status od_source_find_filters(od_source **s, odim_error *err)
{
    odim_status status = find_filter(s, true, err);
    return status ? status : find_filter(s, false, err);
}

/* Takes over `s`, whatever comes of it. */
static odim_status start(od_source *s, od_source **out, odim_error *err)
{
    odim_status status = od_source_find_filters(&s, err);
    if (status)
        od_source_close(s);
    else
        *out = s;
    return status;
}

/* Puts another filter in the place of one that has read, but given away nothing. */
static void replace_filter(od_source *s, od_filter *filter)
{
    s->in_len += (size_t)(s->in - s->buffer);
    s->in = s->buffer;
    s->head_len = s->head_at = 0;
    s->done = false;
    s->failed.status = ODIM_OK;
    od_filter_close(s->filter);
    s->filter = filter;
}

odim_status od_source_set_encoding(od_source **s, const char *name, odim_error *err)
{
    od_filter *filter;
    bool marked = (*s)->inner && !(*s)->filter->unpacks; /* there is a byte order mark */
    if (!marked && (strcasecmp(name, "utf-8") == 0 || strcasecmp(name, "utf8") == 0)) {
        (*s)->encoded = true;
        return ODIM_OK;
    }
    odim_status status = od_filter_recode(&filter, name, err);
    if (status) return status;
    if (!marked) return put_filter(s, filter, err);
    replace_filter(*s, filter);
    return ODIM_OK;
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
    s->buffer = od_alloc(OD_SOURCE_BUFFER, 1);
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
