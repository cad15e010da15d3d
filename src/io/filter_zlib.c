/* Unpacks gzip, several members one after the other included, and bare deflate streams. */
#include <string.h>
#include <zlib.h>

#include "common/mem.h"
#include "io/filter.h"

/* zlib counts in unsigned int. */
#define MOST ((size_t)1 << 30)

typedef struct zlib_filter {
    od_filter filter;
    z_stream z;
    bool gzip, ended; /* a stream has ended */
    od_filter_gap gap;
} zlib_filter;

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

static odim_status inflate_some(zlib_filter *f, od_filter_io *io, odim_error *err)
{
    unsigned in_len = (unsigned)(io->in_len < MOST ? io->in_len : MOST);
    unsigned out_len = (unsigned)(io->out_len < MOST ? io->out_len : MOST);
    f->z.next_in = (unsigned char *)io->in; /* zlib does not write to it */
    f->z.avail_in = in_len;
    f->z.next_out = io->out;
    f->z.avail_out = out_len;
    int rc = inflate(&f->z, Z_NO_FLUSH);
    io->in += in_len - f->z.avail_in;
    io->in_len -= in_len - f->z.avail_in;
    io->out += out_len - f->z.avail_out;
    io->out_len -= out_len - f->z.avail_out;
    f->ended = rc == Z_STREAM_END;
    if (rc == Z_MEM_ERROR) return od_fail_nomem(err);
    if (rc == Z_BUF_ERROR) return io->in_end ? od_filter_truncated(&f->filter, err) : ODIM_OK;
    if (rc != Z_OK && rc != Z_STREAM_END) return od_filter_corrupt(&f->filter, f->z.msg, err);
    return ODIM_OK;
}

static odim_status run(od_filter *filter, od_filter_io *io, odim_error *err)
{
    zlib_filter *f = (zlib_filter *)filter;
    if (!f->ended) return inflate_some(f, io, err);
    if (!f->gzip && io->in_len)
        return od_fail(err, ODIM_ERR_FORMAT, "there are other bytes after the compressed data");
    bool begins;
    odim_status status = od_filter_next_stream(filter, &f->gap, io, &begins, err);
    if (status || !begins) return status;
    inflateReset(&f->z);
    return inflate_some(f, io, err);
}

static odim_status reset(od_filter *filter, odim_error *err)
{
    zlib_filter *f = (zlib_filter *)filter;
    (void)err;
    inflateReset(&f->z);
    f->ended = f->gap.padded = false;
    return ODIM_OK;
}

static void close_zlib(od_filter *filter)
{
    inflateEnd(&((zlib_filter *)filter)->z);
    od_free(filter);
}

static odim_status open_zlib(od_filter **out, bool gzip, odim_error *err)
{
    *out = NULL;
    zlib_filter *f = od_calloc(1, sizeof *f);
    if (!f) return od_fail_nomem(err);
    f->filter = (od_filter){gzip ? "gzip" : "compressed", true, run, reset, close_zlib};
    f->gzip = gzip;
    f->gap.first = "\x1F";
    f->z.zalloc = zlib_alloc;
    f->z.zfree = zlib_free;
    if (inflateInit2(&f->z, gzip ? 15 + 16 : -15) != Z_OK) {
        od_free(f);
        return od_fail_nomem(err);
    }
    *out = &f->filter;
    return ODIM_OK;
}

odim_status od_filter_gzip(od_filter **out, odim_error *err)
{
    return open_zlib(out, true, err);
}

odim_status od_filter_deflate(od_filter **out, odim_error *err)
{
    return open_zlib(out, false, err);
}
