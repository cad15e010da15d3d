/*
 * Encodes numbers and texts as bytes and back, little-endian on every machine. Model files consist of them
 * (docs/FORMAT.md).
 *
 * Reader and writer remember an error and continue harmlessly. So a format can be read and written as a
 * plain list of its fields, with one check at the end.
 */
#ifndef OD_BYTE_STREAM_H
#define OD_BYTE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Begin with {0}, or with od_bytes_hasher(). */
typedef struct od_byte_writer {
    unsigned char *bytes; /* (size) yours, to be od_free'd */
    size_t size, cap;
    bool hashing;  /* nothing is kept but the hash: this cannot fail */
    uint64_t hash; /* FNV-1a of all bytes, when hashing */
    bool nomem;    /* memory ran out: the bytes are not complete */
} od_byte_writer;

od_byte_writer od_bytes_hasher(void);

void od_bytes_put(od_byte_writer *out, const void *bytes, size_t size);
void od_bytes_put_u8(od_byte_writer *out, uint8_t v);
void od_bytes_put_u32(od_byte_writer *out, uint32_t v);
void od_bytes_put_u64(od_byte_writer *out, uint64_t v);
void od_bytes_put_f64(od_byte_writer *out, double v);
/* A u32 of its length, then its bytes. */
void od_bytes_put_text(od_byte_writer *out, const char *text);
/* Without a count. */
void od_bytes_put_f32s(od_byte_writer *out, const float *v, size_t count);
void od_bytes_put_f64s(od_byte_writer *out, const double *v, size_t count);
void od_bytes_put_i32s(od_byte_writer *out, const int32_t *v, size_t count);
void od_bytes_put_zeros(od_byte_writer *out, size_t count);

/* Writes over bytes that are there already. */
void od_bytes_set_u32(unsigned char *at, uint32_t v);
void od_bytes_set_u64(unsigned char *at, uint64_t v);

/* What is still to be read: set both, and bad to false. */
typedef struct od_byte_reader {
    const unsigned char *at;
    size_t left;
    bool bad; /* something was read that is not there, or is out of range: zeros came instead */
} od_byte_reader;

/* The next `size` bytes where they lie; NULL: there are fewer. */
const unsigned char *od_bytes_take(od_byte_reader *in, size_t size);
uint8_t od_bytes_get_u8(od_byte_reader *in);
uint32_t od_bytes_get_u32(od_byte_reader *in);
uint64_t od_bytes_get_u64(od_byte_reader *in);
/* A u64 that fits an int64_t. */
int64_t od_bytes_get_i64(od_byte_reader *in);
double od_bytes_get_f64(od_byte_reader *in);
/* A text of at most `most` bytes and without '\0' in it, where it lies; it has no '\0' at its end. */
const char *od_bytes_get_text(od_byte_reader *in, size_t most, size_t *len);
/* A u32 that counts things of at least `least` bytes each: no more than can follow, so that memory for them
 * is a small multiple of what was read. */
size_t od_bytes_get_count(od_byte_reader *in, size_t least);
/* Fails if one of the numbers is not finite. */
odim_status od_bytes_get_finite(od_byte_reader *in, float *v, size_t count, odim_error *err);
void od_bytes_get_f32s(od_byte_reader *in, float *v, size_t count);
void od_bytes_get_f64s(od_byte_reader *in, double *v, size_t count);
void od_bytes_get_i32s(od_byte_reader *in, int32_t *v, size_t count);

#endif
