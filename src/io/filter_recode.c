/* Recodes text to UTF-8 with the iconv of the C library. */
#include <errno.h>
#include <iconv.h>
#include <stdint.h>
#include <string.h>

#include "common/mem.h"
#include "io/filter.h"
#include "base/hint.h"

#define NAME_ROOM 40
/* Room for what a few characters become, which may be more than the reader asks for. */
#define SPILL 64

typedef struct recode_filter {
    od_filter filter;
    char encoding[NAME_ROOM];
    iconv_t cd;
    uint64_t used; /* bytes of the input so far */
    bool flushed;  /* the end has been converted */
    char spill[SPILL];
    size_t spill_at, spill_len;
} recode_filter;

static odim_status open_iconv(recode_filter *f, odim_error *err)
{
    char shown[80];
    /* An empty name would stand for the locale, and a slash begins options of iconv. */
    bool usable = *f->encoding && !strchr(f->encoding, '/');
    f->cd = usable ? iconv_open("UTF-8", f->encoding) : (iconv_t)-1;
    if (f->cd != (iconv_t)-1) return ODIM_OK;
    if (usable && errno == ENOMEM) return od_fail_nomem(err);
    return od_fail(err, ODIM_ERR_PARAM, "unknown encoding '%s'; `iconv -l` lists the known ones",
                   od_printable(shown, sizeof shown, f->encoding, strlen(f->encoding)));
}

/* Hands out what was converted before. */
static void give_spill(recode_filter *f, od_filter_io *io)
{
    size_t left = f->spill_len - f->spill_at, n = left < io->out_len ? left : io->out_len;
    memcpy(io->out, f->spill + f->spill_at, n);
    f->spill_at += n;
    io->out += n;
    io->out_len -= n;
}

/* Converts to [*out, *out + *left); false: nothing more can be converted, for the reason in errno. */
static bool convert(recode_filter *f, od_filter_io *io, char **out, size_t *left)
{
    char *in = (char *)io->in; /* iconv does not write to it */
    size_t in_len = io->in_len, had = *left;
    bool all = iconv(f->cd, &in, &in_len, out, left) != (size_t)-1;
    bool moved = in_len < io->in_len || *left < had;
    f->used += io->in_len - in_len;
    io->in += io->in_len - in_len;
    io->in_len = in_len;
    return all || moved;
}

/* The input has ended: what iconv has kept back. */
static odim_status finish(recode_filter *f, od_filter_io *io, odim_error *err)
{
    if (io->in_len)
        return od_fail(err, ODIM_ERR_FORMAT, "the text ends inside a character of the encoding %s",
                       f->encoding);
    char *out = f->spill;
    size_t left = sizeof f->spill;
    if (!f->flushed) iconv(f->cd, NULL, NULL, &out, &left);
    f->flushed = true;
    f->spill_at = 0;
    f->spill_len = sizeof f->spill - left;
    give_spill(f, io);
    io->done = f->spill_at == f->spill_len;
    return ODIM_OK;
}

static odim_status run(od_filter *filter, od_filter_io *io, odim_error *err)
{
    recode_filter *f = (recode_filter *)filter;
    bool moved = true;
    if (f->spill_at < f->spill_len) {
        give_spill(f, io);
    } else if (io->in_len && io->out_len >= sizeof f->spill) {
        char *out = (char *)io->out;
        moved = convert(f, io, &out, &io->out_len);
        io->out = (unsigned char *)out;
    } else if (io->in_len) {
        char *out = f->spill;
        size_t left = sizeof f->spill;
        moved = convert(f, io, &out, &left);
        f->spill_at = 0;
        f->spill_len = sizeof f->spill - left;
        give_spill(f, io);
    } else if (io->in_end) {
        return finish(f, io, err);
    }
    if (moved || (errno == EINVAL && !io->in_end)) return ODIM_OK; /* EINVAL: a part of a character */
    if (errno == EINVAL) return finish(f, io, err);
    return od_fail(err, ODIM_ERR_FORMAT,
                   "the byte at offset %llu is not valid in the encoding %s; name the right one%s",
                   (unsigned long long)f->used, f->encoding, OD_HINT("encoding"));
}

static odim_status reset(od_filter *filter, odim_error *err)
{
    recode_filter *f = (recode_filter *)filter;
    f->used = f->spill_at = f->spill_len = 0;
    f->flushed = false;
    if (f->cd != (iconv_t)-1) iconv_close(f->cd); /* anew, so that a byte order mark is one again */
    return open_iconv(f, err);
}

static void close_recode(od_filter *filter)
{
    recode_filter *f = (recode_filter *)filter;
    if (f->cd != (iconv_t)-1) iconv_close(f->cd);
    od_free(f);
}

odim_status od_filter_recode(od_filter **out, const char *encoding, odim_error *err)
{
    *out = NULL;
    recode_filter *f = od_calloc(1, sizeof *f);
    if (!f) return od_fail_nomem(err);
    f->filter = (od_filter){f->encoding, false, run, reset, close_recode};
    f->cd = (iconv_t)-1;
    /* A longer name is not known either. */
    strncpy(f->encoding, encoding, sizeof f->encoding - 1);
    odim_status status = open_iconv(f, err);
    if (status)
        close_recode(&f->filter);
    else
        *out = &f->filter;
    return status;
}

odim_status od_filter_utf16(od_filter **out, odim_error *err)
{
    return od_filter_recode(out, "UTF-16", err);
}

odim_status od_filter_utf32(od_filter **out, odim_error *err)
{
    return od_filter_recode(out, "UTF-32", err);
}
