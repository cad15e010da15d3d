/* Recognizes packed and recoded data by their first bytes, and holds what all filters share. */
#include "io/filter.h"

#include <string.h>

/* ---- recognizing ---------------------------------------------------------------------------------- */

typedef struct magic {
    od_filter_open *open;
    bool unpacks;
    size_t len;
    const char *bytes;
    int loose; /* the byte of which only the upper half counts; -1: none */
} magic;

/* bzip2 has two because "BZh" alone may begin a text: a block, or the end of an empty stream, follows. */
static const magic magics[] = {
    {od_filter_gzip, true, 2, "\x1F\x8B", -1},
    {od_filter_xz, true, 6, "\xFD\x37zXZ\0", -1},
    {od_filter_zstd, true, 4, "\x28\xB5\x2F\xFD", -1},
    {od_filter_zstd, true, 4, "\x50\x2A\x4D\x18", 0}, /* a frame to be skipped */
    {od_filter_bzip2, true, 10, "BZh01AY&SY", 3},
    {od_filter_bzip2, true, 10, "BZh0\x17\x72\x45\x38\x50\x90", 3},
    {od_filter_utf16, false, 2, "\xFF\xFE", -1},
    {od_filter_utf16, false, 2, "\xFE\xFF", -1},
    {od_filter_utf32, false, 4, "\xFF\xFE\0\0", -1},
    {od_filter_utf32, false, 4, "\0\0\xFE\xFF", -1},
};

/* Whether the first bytes of both are equal, as many as there are. */
static bool agree(const magic *m, const unsigned char *head, size_t len)
{
    for (size_t i = 0; i < len && i < m->len; i++) {
        unsigned differ = head[i] ^ (unsigned char)m->bytes[i];
        if (m->loose == (int)i ? differ >> 4 : differ) return false;
    }
    return true;
}

od_filter_open *od_filter_find(bool unpacks, const unsigned char *head, size_t len, bool *more)
{
    const magic *found = NULL;
    *more = false;
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++) {
        const magic *m = &magics[i];
        if (m->unpacks != unpacks || !agree(m, head, len)) continue;
        if (m->len > len)
            *more = true;
        else if (!found || found->len < m->len) /* UTF-32 begins like UTF-16 */
            found = m;
    }
    return found ? found->open : NULL;
}

void od_filter_close(od_filter *f)
{
    if (f) f->close(f);
}

/* ---- streams one after the other ------------------------------------------------------------------ */

odim_status od_filter_next_stream(const od_filter *f, od_filter_gap *gap, od_filter_io *io, bool *begins,
                                  odim_error *err)
{
    *begins = false;
    for (; io->in_len && *io->in == 0; io->in++, io->in_len--) gap->padded = true;
    if (!io->in_len) {
        io->done = io->in_end;
        return ODIM_OK;
    }
    if ((gap->padded && !gap->gaps) || !strchr(gap->first, *io->in))
        return od_fail(err, ODIM_ERR_FORMAT, "there are other bytes after the end of the %s data", f->name);
    gap->padded = false;
    *begins = true;
    return ODIM_OK;
}

odim_status od_filter_truncated(const od_filter *f, odim_error *err)
{
    return od_fail(err, ODIM_ERR_FORMAT, "the %s data ends too early: the file is truncated", f->name);
}

odim_status od_filter_corrupt(const od_filter *f, const char *why, odim_error *err)
{
    return od_fail(err, ODIM_ERR_FORMAT, "the %s data is corrupt: %s", f->name,
                   why ? why : "not what the format allows");
}

odim_status od_filter_too_large(const od_filter *f, odim_error *err)
{
    return od_fail(err, ODIM_ERR_DATA,
                   "unpacking the %s data needs more than %zu MB of memory, which is refused; pack it again "
                   "with a smaller dictionary or window",
                   f->name, OD_FILTER_MEMORY >> 20);
}
