/* Hand-made files: bytes put one after the other, gzip and zip around them. For the tests of the readers. */
#ifndef BYTES_H
#define BYTES_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

typedef struct bytes {
    unsigned char *p;
    size_t len, cap;
} bytes;

static inline void put(bytes *b, const void *data, size_t len)
{
    if (b->cap < b->len + len) {
        b->cap = (b->len + len) * 2;
        b->p = realloc(b->p, b->cap);
        if (!b->p) abort();
    }
    if (len) memcpy(b->p + b->len, data, len);
    b->len += len;
}

static inline void put_text(bytes *b, const char *text)
{
    put(b, text, strlen(text));
}

/* The lowest `size` bytes of v. */
static inline void put_little(bytes *b, uint64_t v, int size)
{
    for (int i = 0; i < size; i++) put(b, &(unsigned char){(unsigned char)(v >> 8 * i)}, 1);
}

static inline void put_big(bytes *b, uint64_t v, int size)
{
    for (int i = size; i-- > 0;) put(b, &(unsigned char){(unsigned char)(v >> 8 * i)}, 1);
}

static inline void set_little(bytes *b, size_t at, uint64_t v, int size)
{
    for (int i = 0; i < size; i++) b->p[at + (size_t)i] = (unsigned char)(v >> 8 * i);
}

static inline void drop(bytes *b)
{
    free(b->p);
    *b = (bytes){0};
}

/* window_bits: 15 + 16 is gzip, -15 a bare deflate stream. */
static inline void put_deflated(bytes *b, const void *data, size_t len, int window_bits)
{
    z_stream z = {0};
    if (deflateInit2(&z, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY) != Z_OK) abort();
    size_t most = deflateBound(&z, (uLong)len);
    unsigned char *out = malloc(most);
    if (!out) abort();
    z.next_in = (unsigned char *)data;
    z.avail_in = (uInt)len;
    z.next_out = out;
    z.avail_out = (uInt)most;
    if (deflate(&z, Z_FINISH) != Z_STREAM_END) abort();
    put(b, out, most - z.avail_out);
    deflateEnd(&z);
    free(out);
}

static inline void put_gzip(bytes *b, const void *data, size_t len)
{
    put_deflated(b, data, len, 15 + 16);
}

/* An NPY file, version 1, with this header (NumPy's blanks at its end left out). */
static inline void put_npy(bytes *b, const char *header, const void *data, size_t len)
{
    put(b, "\x93NUMPY\1\0", 8);
    put_little(b, strlen(header), 2);
    put_text(b, header);
    put(b, data, len);
}

/* A zip archive under construction: members first, then zip_end. */
typedef struct zip_maker {
    bytes out, directory;
    size_t count;
} zip_maker;

static inline void zip_add(zip_maker *z, const char *name, const void *data, size_t len, int deflated)
{
    bytes packed = {0};
    if (deflated)
        put_deflated(&packed, data, len, -15);
    else
        put(&packed, data, len);
    size_t start = z->out.len, name_len = strlen(name);
    uint32_t crc = (uint32_t)crc32(0, data, (uInt)len);
    bytes *parts[2] = {&z->out, &z->directory};
    for (int i = 0; i < 2; i++) {
        put_text(parts[i], i ? "PK\1\2" : "PK\3\4");
        if (i) put_little(parts[i], 20, 2); /* made by */
        put_little(parts[i], 20, 2);        /* needed */
        put_little(parts[i], 0, 2);         /* flags */
        put_little(parts[i], deflated ? 8 : 0, 2);
        put_little(parts[i], 0, 4); /* time */
        put_little(parts[i], crc, 4);
        put_little(parts[i], packed.len, 4);
        put_little(parts[i], len, 4);
        put_little(parts[i], name_len, 2);
        put_little(parts[i], 0, 2);        /* extra */
        if (i) put_little(parts[i], 0, 6); /* comment, disk, attributes */
        if (i) put_little(parts[i], 0, 4);
        if (i) put_little(parts[i], start, 4);
        put_text(parts[i], name);
    }
    put(&z->out, packed.p, packed.len);
    drop(&packed);
    z->count++;
}

/* The whole archive, which is to be dropped. */
static inline bytes zip_end(zip_maker *z)
{
    size_t start = z->out.len;
    put(&z->out, z->directory.p, z->directory.len);
    put_text(&z->out, "PK\5\6");
    put_little(&z->out, 0, 4); /* disks */
    put_little(&z->out, z->count, 2);
    put_little(&z->out, z->count, 2);
    put_little(&z->out, z->directory.len, 4);
    put_little(&z->out, start, 4);
    put_little(&z->out, 0, 2); /* comment */
    drop(&z->directory);
    return z->out;
}

#endif
