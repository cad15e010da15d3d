/* Data packed by the libraries themselves and texts in other encodings, for the tests of the readers. */
#ifndef PACKED_H
#define PACKED_H

#include <bzlib.h>
#include <lzma.h>
#include <zstd.h>

#include "bytes.h"

static inline void put_xz(bytes *b, const void *data, size_t len)
{
    size_t most = lzma_stream_buffer_bound(len), at = 0;
    unsigned char *out = malloc(most);
    if (!out || lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, data, len, out, &at, most) != LZMA_OK)
        abort();
    put(b, out, at);
    free(out);
}

static inline void put_zstd(bytes *b, const void *data, size_t len)
{
    size_t most = ZSTD_compressBound(len);
    unsigned char *out = malloc(most);
    ZSTD_CCtx *z = ZSTD_createCCtx();
    if (!out || !z) abort();
    ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, 1);
    size_t n = ZSTD_compress2(z, out, most, data, len);
    if (ZSTD_isError(n)) abort();
    put(b, out, n);
    ZSTD_freeCCtx(z);
    free(out);
}

static inline void put_bzip2(bytes *b, const void *data, size_t len)
{
    unsigned most = (unsigned)(len + len / 50 + 700);
    char *out = malloc(most);
    if (!out || BZ2_bzBuffToBuffCompress(out, &most, (char *)data, (unsigned)len, 1, 0, 0) != BZ_OK) abort();
    put(b, out, most);
    free(out);
}

/* An ASCII text with a byte order mark, in 2 or 4 bytes per character. */
static inline void put_wide(bytes *b, const char *text, int size, int big)
{
    big ? put_big(b, 0xFEFF, size) : put_little(b, 0xFEFF, size);
    for (; *text; text++)
        big ? put_big(b, (unsigned char)*text, size) : put_little(b, (unsigned char)*text, size);
}

#endif
