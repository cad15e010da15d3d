/* Unpacks xz, several streams one after the other included. */
#include <lzma.h>
#include <string.h>

#include "common/mem.h"
#include "io/filter.h"

typedef struct xz_filter {
    od_filter filter;
    lzma_stream x;
    lzma_allocator allocator;
    bool ended; /* a stream has ended */
    od_filter_gap gap;
} xz_filter;

static void *xz_alloc(void *opaque, size_t count, size_t size)
{
    (void)opaque;
    return od_alloc(count, size);
}

static void xz_free(void *opaque, void *p)
{
    (void)opaque;
    od_free(p);
}

static odim_status fail(const xz_filter *f, lzma_ret rc, odim_error *err)
{
    switch (rc) {
    case LZMA_MEM_ERROR: return od_fail_nomem(err);
    case LZMA_MEMLIMIT_ERROR: return od_filter_too_large(&f->filter, err);
    case LZMA_OPTIONS_ERROR:
        return od_filter_corrupt(&f->filter, "an unknown option; it may need a newer liblzma", err);
    case LZMA_DATA_ERROR: return od_filter_corrupt(&f->filter, "a check failed", err);
    default: return od_filter_corrupt(&f->filter, NULL, err);
    }
}

/* Begins a stream. */
static odim_status begin(xz_filter *f, odim_error *err)
{
    f->ended = f->gap.padded = false;
    lzma_ret rc = lzma_stream_decoder(&f->x, OD_FILTER_MEMORY, 0);
    return rc == LZMA_OK ? ODIM_OK : fail(f, rc, err);
}

static odim_status run(od_filter *filter, od_filter_io *io, odim_error *err)
{
    xz_filter *f = (xz_filter *)filter;
    if (f->ended) {
        bool begins;
        odim_status status = od_filter_next_stream(filter, &f->gap, io, &begins, err);
        if (!status && begins) status = begin(f, err);
        if (status || !begins) return status;
    }
    bool starved = io->in_len == 0 && io->in_end;
    f->x.next_in = io->in;
    f->x.avail_in = io->in_len;
    f->x.next_out = io->out;
    f->x.avail_out = io->out_len;
    lzma_ret rc = lzma_code(&f->x, LZMA_RUN);
    starved &= f->x.avail_out == io->out_len;
    io->in = f->x.next_in;
    io->in_len = f->x.avail_in;
    io->out = f->x.next_out;
    io->out_len = f->x.avail_out;
    f->ended = rc == LZMA_STREAM_END;
    if (rc != LZMA_OK && rc != LZMA_BUF_ERROR && rc != LZMA_STREAM_END) return fail(f, rc, err);
    return starved && !f->ended ? od_filter_truncated(filter, err) : ODIM_OK;
}

static odim_status reset(od_filter *filter, odim_error *err)
{
    return begin((xz_filter *)filter, err);
}

static void close_xz(od_filter *filter)
{
    lzma_end(&((xz_filter *)filter)->x);
    od_free(filter);
}

odim_status od_filter_xz(od_filter **out, odim_error *err)
{
    *out = NULL;
    xz_filter *f = od_calloc(1, sizeof *f);
    if (!f) return od_fail_nomem(err);
    f->filter = (od_filter){"xz", true, run, reset, close_xz};
    f->gap = (od_filter_gap){.first = "\xFD", .gaps = true};
    f->allocator = (lzma_allocator){xz_alloc, xz_free, NULL};
    f->x = (lzma_stream)LZMA_STREAM_INIT;
    f->x.allocator = &f->allocator;
    odim_status status = begin(f, err);
    if (status)
        close_xz(&f->filter);
    else
        *out = &f->filter;
    return status;
}
