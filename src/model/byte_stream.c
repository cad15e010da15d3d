/* Encodes and decodes numbers and texts as little-endian bytes. */
#include "model/byte_stream.h"

#include <math.h>
#include <string.h>

#include "common/mem.h"

_Static_assert(sizeof(float) == 4 && sizeof(double) == 8, "IEEE 754 is needed");

static uint32_t bits_of_f32(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static uint64_t bits_of_f64(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static float f32_of_bits(uint32_t bits)
{
    float v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static double f64_of_bits(uint64_t bits)
{
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static void store(unsigned char *at, uint64_t v, size_t size)
{
    for (size_t i = 0; i < size; i++) at[i] = (unsigned char)(v >> 8 * i);
}

static uint64_t load(const unsigned char *at, size_t size)
{
    uint64_t v = 0;
    for (size_t i = 0; i < size; i++) v |= (uint64_t)at[i] << 8 * i;
    return v;
}

/* ---- writing -------------------------------------------------------------------------------------- */

od_byte_writer od_bytes_hasher(void)
{
    return (od_byte_writer){.hashing = true, .hash = UINT64_C(0xCBF29CE484222325)};
}

static bool reserve(od_byte_writer *out, size_t more)
{
    if (out->nomem || more > SIZE_MAX / 2 - out->size) return !(out->nomem = true);
    if (out->cap - out->size >= more) return true;
    size_t cap = (out->size + more) * 2;
    unsigned char *bytes = od_grow(out->bytes, out->size, cap, 1);
    if (!bytes) return !(out->nomem = true);
    out->bytes = bytes;
    out->cap = cap;
    return true;
}

void od_bytes_put(od_byte_writer *out, const void *bytes, size_t size)
{
    const unsigned char *p = bytes;
    if (out->hashing) {
        for (size_t i = 0; i < size; i++) out->hash = (out->hash ^ p[i]) * UINT64_C(0x100000001B3);
    } else if (size && reserve(out, size)) {
        memcpy(out->bytes + out->size, p, size);
        out->size += size;
    }
}

static void put_number(od_byte_writer *out, uint64_t v, size_t size)
{
    unsigned char bytes[8];
    store(bytes, v, size);
    od_bytes_put(out, bytes, size);
}

void od_bytes_put_u8(od_byte_writer *out, uint8_t v)
{
    put_number(out, v, 1);
}

void od_bytes_put_u32(od_byte_writer *out, uint32_t v)
{
    put_number(out, v, 4);
}

void od_bytes_put_u64(od_byte_writer *out, uint64_t v)
{
    put_number(out, v, 8);
}

void od_bytes_put_f64(od_byte_writer *out, double v)
{
    put_number(out, bits_of_f64(v), 8);
}

void od_bytes_put_text(od_byte_writer *out, const char *text)
{
    size_t len = strlen(text);
    od_bytes_put_u32(out, (uint32_t)len);
    od_bytes_put(out, text, len);
}

void od_bytes_put_f32s(od_byte_writer *out, const float *v, size_t count)
{
    for (size_t i = 0; i < count; i++) put_number(out, bits_of_f32(v[i]), 4);
}

void od_bytes_put_f64s(od_byte_writer *out, const double *v, size_t count)
{
    for (size_t i = 0; i < count; i++) od_bytes_put_f64(out, v[i]);
}

void od_bytes_put_i32s(od_byte_writer *out, const int32_t *v, size_t count)
{
    for (size_t i = 0; i < count; i++) put_number(out, (uint32_t)v[i], 4);
}

void od_bytes_put_zeros(od_byte_writer *out, size_t count)
{
    for (size_t i = 0; i < count; i++) od_bytes_put_u8(out, 0);
}

void od_bytes_set_u32(unsigned char *at, uint32_t v)
{
    store(at, v, 4);
}

void od_bytes_set_u64(unsigned char *at, uint64_t v)
{
    store(at, v, 8);
}

/* ---- reading -------------------------------------------------------------------------------------- */

const unsigned char *od_bytes_take(od_byte_reader *in, size_t size)
{
    if (in->bad || in->left < size) {
        in->bad = true;
        return NULL;
    }
    const unsigned char *at = in->at;
    in->at += size;
    in->left -= size;
    return at;
}

static uint64_t get_number(od_byte_reader *in, size_t size)
{
    const unsigned char *at = od_bytes_take(in, size);
    return at ? load(at, size) : 0;
}

uint8_t od_bytes_get_u8(od_byte_reader *in)
{
    return (uint8_t)get_number(in, 1);
}

uint32_t od_bytes_get_u32(od_byte_reader *in)
{
    return (uint32_t)get_number(in, 4);
}

uint64_t od_bytes_get_u64(od_byte_reader *in)
{
    return get_number(in, 8);
}

int64_t od_bytes_get_i64(od_byte_reader *in)
{
    uint64_t v = od_bytes_get_u64(in);
    if (v <= INT64_MAX) return (int64_t)v;
    in->bad = true;
    return 0;
}

double od_bytes_get_f64(od_byte_reader *in)
{
    return f64_of_bits(get_number(in, 8));
}

const char *od_bytes_get_text(od_byte_reader *in, size_t most, size_t *len)
{
    *len = od_bytes_get_count(in, 1);
    if (*len > most || memchr(in->at, '\0', *len)) in->bad = true;
    const char *text = (const char *)od_bytes_take(in, *len);
    if (text) return text;
    *len = 0;
    return "";
}

size_t od_bytes_get_count(od_byte_reader *in, size_t least)
{
    uint32_t count = od_bytes_get_u32(in);
    if (count <= in->left / least) return count;
    in->bad = true;
    return 0;
}

void od_bytes_get_f32s(od_byte_reader *in, float *v, size_t count)
{
    for (size_t i = 0; i < count; i++) v[i] = f32_of_bits(od_bytes_get_u32(in));
}

odim_status od_bytes_get_finite(od_byte_reader *in, float *v, size_t count, odim_error *err)
{
    od_bytes_get_f32s(in, v, count);
    for (size_t i = 0; i < count; i++)
        if (!isfinite(v[i])) return od_fail(err, ODIM_ERR_FORMAT, "a number is not finite");
    return ODIM_OK;
}

void od_bytes_get_f64s(od_byte_reader *in, double *v, size_t count)
{
    for (size_t i = 0; i < count; i++) v[i] = od_bytes_get_f64(in);
}

void od_bytes_get_i32s(od_byte_reader *in, int32_t *v, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = od_bytes_get_u32(in);
        memcpy(&v[i], &bits, sizeof bits);
    }
}
