/*
 * Numbers and texts as bytes and back: little endian on every machine, byte by byte. What a model file is
 * made of; docs/FORMAT.md says which.
 *
 * Both sides remember that something went wrong and go on harmlessly, so that a format can be read and
 * written as a plain list of its fields, with one look at the end.
 */
#ifndef OD_WIRE_H
#define OD_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Begin with {0}, or with od_wire_hasher(). */
typedef struct od_wire_out {
    unsigned char *bytes; /* (size) yours, to be od_free'd */
    size_t size, cap;
    bool hashing;  /* nothing is kept but the hash: this cannot fail */
    uint64_t hash; /* FNV-1a of all bytes, when hashing */
    bool nomem;    /* memory ran out: the bytes are not complete */
} od_wire_out;

od_wire_out od_wire_hasher(void);

void od_wire_put(od_wire_out *out, const void *bytes, size_t size);
void od_wire_put_u8(od_wire_out *out, uint8_t v);
void od_wire_put_u32(od_wire_out *out, uint32_t v);
void od_wire_put_u64(od_wire_out *out, uint64_t v);
void od_wire_put_f64(od_wire_out *out, double v);
/* A u32 of its length, then its bytes. */
void od_wire_put_text(od_wire_out *out, const char *text);
/* Without a count. */
void od_wire_put_f32s(od_wire_out *out, const float *v, size_t count);
void od_wire_put_f64s(od_wire_out *out, const double *v, size_t count);
void od_wire_put_i32s(od_wire_out *out, const int32_t *v, size_t count);
void od_wire_put_zeros(od_wire_out *out, size_t count);

/* Writes over bytes that are there already. */
void od_wire_set_u32(unsigned char *at, uint32_t v);
void od_wire_set_u64(unsigned char *at, uint64_t v);

/* What is still to be read: set both, and bad to false. */
typedef struct od_wire_in {
    const unsigned char *at;
    size_t left;
    bool bad; /* something was read that is not there, or is out of range: zeros came instead */
} od_wire_in;

/* The next `size` bytes where they lie; NULL: there are fewer. */
const unsigned char *od_wire_take(od_wire_in *in, size_t size);
uint8_t od_wire_get_u8(od_wire_in *in);
uint32_t od_wire_get_u32(od_wire_in *in);
uint64_t od_wire_get_u64(od_wire_in *in);
/* A u64 that fits an int64_t. */
int64_t od_wire_get_i64(od_wire_in *in);
double od_wire_get_f64(od_wire_in *in);
/* A text of at most `most` bytes and without '\0' in it, where it lies; it has no '\0' at its end. */
const char *od_wire_get_text(od_wire_in *in, size_t most, size_t *len);
/* A u32 that counts things of at least `least` bytes each: no more than can follow, so that memory for them
 * is a small multiple of what was read. */
size_t od_wire_get_count(od_wire_in *in, size_t least);
void od_wire_get_f32s(od_wire_in *in, float *v, size_t count);
void od_wire_get_f64s(od_wire_in *in, double *v, size_t count);
void od_wire_get_i32s(od_wire_in *in, int32_t *v, size_t count);

#endif
