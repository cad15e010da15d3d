/*
 * Allocates memory for the whole library: 64-byte aligned (a cache line, a vector), with overflow checks, and
 * with a hook by which a test makes the n-th allocation fail.
 */
#ifndef OD_MEM_H
#define OD_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* count * size bytes, not cleared; NULL when memory is out or the product overflows. 0 bytes are allowed. */
void *od_alloc(size_t count, size_t size);
void *od_calloc(size_t count, size_t size);
/* Grows to count * size bytes keeping the first old_count * size; on failure `p` stays valid. */
void *od_grow(void *p, size_t old_count, size_t count, size_t size);
char *od_strndup(const char *s, size_t len);
void od_free(void *p);

/* The size of the machine's memory in bytes. */
uint64_t od_mem_physical(void);
/* How many bytes something may take that a few bytes of a file ask for: `asked`, or half of the machine's
 * memory if that is not above 0. */
size_t od_mem_limit(int64_t asked);

/* False when a * b does not fit. */
bool od_mul(size_t a, size_t b, size_t *out);

/* For tests: the n-th allocation from now on (1 = the next) and all after it fail; 0 switches this off. */
void od_mem_fail_at(int64_t n);
/* For tests: the number of allocations since the last od_mem_fail_at. */
int64_t od_mem_count(void);

#endif
