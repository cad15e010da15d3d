/* Unpacks zstd, several frames one after the other included. The stable interface of the library allocates
 * its memory itself. */
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "common/mem.h"
#include "io/filter.h"

#define WINDOW_LOG 28 /* OD_FILTER_MEMORY */

typedef struct zstd_filter {
    od_filter filter;
    ZSTD_DStream *z;
    bool ended; /* a frame has ended */
    bool full;  /* the last run filled its output: there may be more without input */
    od_filter_gap gap;
} zstd_filter;

static odim_status fail(const zstd_filter *f, size_t rc, odim_error *err)
{
    switch (ZSTD_getErrorCode(rc)) {
    case ZSTD_error_memory_allocation: return od_fail_nomem(err);
    case ZSTD_error_frameParameter_windowTooLarge: return od_filter_too_large(&f->filter, err);
    default: return od_filter_corrupt(&f->filter, ZSTD_getErrorName(rc), err);
    }
}

static odim_status run(od_filter *filter, od_filter_io *io, odim_error *err)
{
    zstd_filter *f = (zstd_filter *)filter;
    if (f->ended) {
        bool begins;
        odim_status status = od_filter_next_stream(filter, &f->gap, io, &begins, err);
        if (status || !begins) return status;
        f->ended = false;
    }
    /* The library takes repeated calls that achieve nothing for a mistake. */
    if (!io->in_len && !f->full) return io->in_end ? od_filter_truncated(filter, err) : ODIM_OK;
    ZSTD_inBuffer in = {io->in, io->in_len, 0};
    ZSTD_outBuffer out = {io->out, io->out_len, 0};
    size_t rc = ZSTD_decompressStream(f->z, &out, &in);
    io->in += in.pos;
    io->in_len -= in.pos;
    io->out += out.pos;
    io->out_len -= out.pos;
    if (ZSTD_isError(rc)) return fail(f, rc, err);
    f->ended = rc == 0;
    f->full = rc != 0 && out.pos == out.size;
    if (io->in_end && !io->in_len && !f->ended && !out.pos) return od_filter_truncated(filter, err);
    return ODIM_OK;
}

static odim_status reset(od_filter *filter, odim_error *err)
{
    zstd_filter *f = (zstd_filter *)filter;
    f->ended = f->full = f->gap.padded = false;
    size_t rc = ZSTD_DCtx_reset(f->z, ZSTD_reset_session_only);
    return ZSTD_isError(rc) ? fail(f, rc, err) : ODIM_OK;
}

static void close_zstd(od_filter *filter)
{
    ZSTD_freeDStream(((zstd_filter *)filter)->z);
    od_free(filter);
}

odim_status od_filter_zstd(od_filter **out, odim_error *err)
{
    *out = NULL;
    zstd_filter *f = od_calloc(1, sizeof *f);
    if (!f) return od_fail_nomem(err);
    f->filter = (od_filter){"zstd", true, run, reset, close_zstd};
    f->gap.first = "\x28\x50\x51\x52\x53\x54\x55\x56\x57\x58\x59\x5A\x5B\x5C\x5D\x5E\x5F";
    f->z = ZSTD_createDStream();
    if (!f->z || ZSTD_isError(ZSTD_DCtx_setParameter(f->z, ZSTD_d_windowLogMax, WINDOW_LOG))) {
        close_zstd(&f->filter);
        return od_fail_nomem(err);
    }
    *out = &f->filter;
    return ODIM_OK;
}
