/* Fills the buffer of the CSV parser, and lets others read parts of it. */
#include "io/csv_buffer.h"

#include <string.h>

#include "common/mem.h"
#include "io/csv_impl.h"

#define LONG_RECORD ((size_t)64 << 10)
#define AHEAD_FROM  ((int64_t)256 << 10) /* a shorter file is not worth a thread */

static odim_status pull_source(void *from, void *buf, size_t cap, size_t *got, odim_error *err)
{
    return od_source_read(from, buf, cap, got, err);
}

static odim_status pull(od_csv *c, size_t cap, size_t *got, odim_error *err)
{
    char *to = c->buf + c->len;
    return c->ahead ? od_read_ahead_take(c->ahead, to, cap, got, err)
                    : od_source_read(c->src, to, cap, got, err);
}

static bool source_ready(const od_csv *c)
{
    return c->ahead ? od_read_ahead_ready(c->ahead) : od_source_ready(c->src);
}

static void drop_used(od_csv *c)
{
    if (c->at == 0) return;
    c->dropped += (int64_t)c->at;
    memmove(c->buf, c->buf + c->at, c->len - c->at);
    c->len -= c->at;
    c->at = 0;
    c->buf[c->len] = '\n'; /* also if there is a mistake later */
}

static odim_status grow(od_csv *c, size_t cap, odim_error *err)
{
    char *more = od_grow(c->buf, c->len + 1, cap + 1, 1);
    if (!more) return od_fail_nomem(err);
    c->buf = more;
    c->cap = cap;
    return ODIM_OK;
}

/* Twice as much, but the longest record is the same whatever the size of the windows was. */
static size_t next_cap(size_t cap)
{
    return cap < OD_CSV_RECORD_MOST && cap * 2 > OD_CSV_RECORD_MOST ? OD_CSV_RECORD_MOST : cap * 2;
}

/* A pipe that is still being written must not hold up the lines that have come. But a long record is looked
 * at again only when twice as much is there. */
odim_status od_csv_load(od_csv *c, odim_error *err)
{
    odim_status status = ODIM_OK;
    if (!c->src) return od_fail(err, ODIM_ERR_IO, "the piece ends within a record");
    drop_used(c);
    if (c->late.status) {
        if (err) *err = c->late;
        return c->late.status;
    }
    if (c->len == c->cap && (status = grow(c, next_cap(c->cap), err))) return status;
    size_t had = c->len, got;
    do {
        if ((status = pull(c, c->cap - c->len, &got, err))) return status;
        c->len += got;
        c->end = got == 0;
    } while (!c->end && had > LONG_RECORD && c->len < c->cap);
    c->buf[c->len] = '\n';
    return ODIM_OK;
}

bool od_csv_ready(od_csv *c)
{
    if (c->after.count) return true;
    for (;;) {
        /* Blank lines are not known to be records before another comes. */
        const char *p = c->buf + c->at, *end = c->buf + c->len;
        while (p < end && (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n')) p++;
        size_t left = (size_t)(end - p);
        if (c->end || memchr(p, '\n', left) || memchr(p, '\r', left)) return true;
        /* The thread that reads a file may be behind, but a file is not waited for. */
        if (!od_source_never_waits(c->src) && !source_ready(c)) return false;
        if (od_csv_load(c, NULL)) return true; /* and the mistake comes again when the record is read */
    }
}

odim_status od_csv_seek(od_csv *c, int64_t at, int64_t end, int64_t row, int64_t line, odim_error *err)
{
    od_read_ahead_free(c->ahead);
    c->ahead = NULL;
    c->late.status = ODIM_OK;
    c->len = c->at = 0;
    c->blanks = 0;
    c->after.count = 0;
    c->buf[0] = '\n';
    c->end = false;
    c->dropped = at;
    c->stop = end;
    c->row = row;
    c->line = line;
    return od_source_seek(c->src, (size_t)at, err);
}

/* ---- windows -------------------------------------------------------------------------------------- */

odim_status od_csv_window(od_csv *c, size_t most, bool ready, od_csv_bytes *out, odim_error *err)
{
    odim_status status = ODIM_OK;
    bool waits = ready && !od_source_never_waits(c->src);
    if (!c->ahead && !c->alone && !c->end && c->dropped + (int64_t)c->len >= AHEAD_FROM &&
        !od_source_is_memory(c->src)) {
        if ((status = od_read_ahead_new(&c->ahead, pull_source, c->src, err))) return status;
        c->alone = !c->ahead;
    }
    if (!c->ahead && !c->alone && most > (size_t)AHEAD_FROM && !od_source_is_memory(c->src))
        most = (size_t)AHEAD_FROM;
    drop_used(c);
    if (c->cap < most && (status = grow(c, most, err))) return status;
    while (!c->end && !c->late.status && c->len < most && (!waits || source_ready(c))) {
        size_t got;
        status = pull(c, most - c->len, &got, &c->late);
        if (status == ODIM_ERR_CANCELLED) {
            if (err) *err = c->late;
            c->late.status = ODIM_OK;
            return status;
        }
        c->late.status = status;
        if (status) break;
        c->len += got;
        c->end = got == 0;
    }
    c->buf[c->len] = '\n';
    *out = (od_csv_bytes){.text = c->buf, .len = c->len, .whole = c->end};
    return ODIM_OK;
}

void od_csv_pass(od_csv *c, const od_csv_passed *by)
{
    if (by->recoded && !c->recoded_count) c->recoded_line = c->line + by->recoded_line;
    c->recoded_count += by->recoded;
    c->at += by->bytes;
    c->row += by->rows;
    c->line += by->lines;
}

bool od_csv_can_pass(const od_csv *c)
{
    return !c->after.count;
}

/* ---- pieces --------------------------------------------------------------------------------------- */

odim_status od_csv_piece_new(od_csv **out, const od_csv *like, odim_error *err)
{
    od_csv *c = *out = od_calloc(1, sizeof *c);
    if (!c) return od_fail_nomem(err);
    c->delimiter = like->delimiter;
    c->runs = like->runs;
    c->rules = like->rules;
    c->bars = like->bars;
    memcpy(c->kind, like->kind, sizeof c->kind);
    c->stop = INT64_MAX;
    return ODIM_OK;
}

odim_status od_csv_piece_set(od_csv *c, const od_csv_bytes *bytes, odim_error *err)
{
    odim_status status;
    c->len = 0;
    if (c->cap < bytes->len || !c->buf) {
        if ((status = grow(c, bytes->len, err))) return status;
    }
    memcpy(c->buf, bytes->text, bytes->len);
    c->len = bytes->len;
    c->buf[c->len] = '\n';
    c->at = 0;
    c->end = bytes->whole;
    c->dropped = c->line = c->blanks = 0;
    c->row = 1;
    c->after.count = 0;
    c->recoded_count = 0;
    return ODIM_OK;
}
