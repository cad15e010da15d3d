/* Unpacks bzip2, several streams one after the other included. */
#include <bzlib.h>
#include <string.h>

#include "common/mem.h"
#include "io/filter.h"

/* The library counts in unsigned int. */
#define MOST ((size_t)1 << 30)

typedef struct bzip2_filter {
    od_filter filter;
    bz_stream b;
    bool open;
    bool ended; /* a stream has ended */
    od_filter_gap gap;
} bzip2_filter;

static void *bzip2_alloc(void *opaque, int count, int size)
{
    (void)opaque;
    return od_alloc((size_t)count, (size_t)size);
}

static void bzip2_free(void *opaque, void *p)
{
    (void)opaque;
    od_free(p);
}

static void end(bzip2_filter *f)
{
    if (f->open) BZ2_bzDecompressEnd(&f->b);
    f->open = false;
}

/* Begins a stream. */
static odim_status begin(bzip2_filter *f, odim_error *err)
{
    end(f);
    f->b = (bz_stream){.bzalloc = bzip2_alloc, .bzfree = bzip2_free};
    if (BZ2_bzDecompressInit(&f->b, 0, 0) != BZ_OK) return od_fail_nomem(err);
    f->open = true;
    f->ended = f->gap.padded = false;
    return ODIM_OK;
}

static odim_status run(od_filter *filter, od_filter_io *io, odim_error *err)
{
    bzip2_filter *f = (bzip2_filter *)filter;
    if (f->ended) {
        bool begins;
        odim_status status = od_filter_next_stream(filter, &f->gap, io, &begins, err);
        if (!status && begins) status = begin(f, err);
        if (status || !begins) return status;
    }
    bool starved = io->in_len == 0 && io->in_end;
    unsigned in_len = (unsigned)(io->in_len < MOST ? io->in_len : MOST);
    unsigned out_len = (unsigned)(io->out_len < MOST ? io->out_len : MOST);
    f->b.next_in = (char *)io->in; /* it is not written to */
    f->b.avail_in = in_len;
    f->b.next_out = (char *)io->out;
    f->b.avail_out = out_len;
    int rc = BZ2_bzDecompress(&f->b);
    io->in += in_len - f->b.avail_in;
    io->in_len -= in_len - f->b.avail_in;
    io->out += out_len - f->b.avail_out;
    io->out_len -= out_len - f->b.avail_out;
    f->ended = rc == BZ_STREAM_END;
    if (rc == BZ_MEM_ERROR) return od_fail_nomem(err);
    if (rc != BZ_OK && rc != BZ_STREAM_END)
        return od_filter_corrupt(filter, rc == BZ_DATA_ERROR ? "a check failed" : NULL, err);
    return starved && !f->ended && f->b.avail_out == out_len ? od_filter_truncated(filter, err) : ODIM_OK;
}

static odim_status reset(od_filter *filter, odim_error *err)
{
    return begin((bzip2_filter *)filter, err);
}

static void close_bzip2(od_filter *filter)
{
    end((bzip2_filter *)filter);
    od_free(filter);
}

odim_status od_filter_bzip2(od_filter **out, odim_error *err)
{
    *out = NULL;
    bzip2_filter *f = od_calloc(1, sizeof *f);
    if (!f) return od_fail_nomem(err);
    f->filter = (od_filter){"bzip2", true, run, reset, close_bzip2};
    f->gap.first = "B";
    odim_status status = begin(f, err);
    if (status)
        close_bzip2(&f->filter);
    else
        *out = &f->filter;
    return status;
}
