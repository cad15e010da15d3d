/* Finds copies of rows with a hash table. */
#include "detectors/dedup.h"

#include <string.h>

#include "common/mem.h"
#include "base/poll.h"

#define POLL_ROWS 64

/* The finaliser of splitmix64 (Steele et al., 2014) over the bits of the values. */
static uint64_t hash(const float *x, int64_t d)
{
    uint64_t h = 0;
    for (int64_t j = 0; j < d; j++) {
        float value = x[j] + 0.0f; /* no -0 */
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        h += bits + UINT64_C(0x9E3779B97F4A7C15);
        h = (h ^ (h >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
        h = (h ^ (h >> 27)) * UINT64_C(0x94D049BB133111EB);
        h ^= h >> 31;
    }
    return h;
}

static bool equal(const float *a, const float *b, int64_t d)
{
    for (int64_t j = 0; j < d; j++)
        if (a[j] != b[j]) return false;
    return true;
}

odim_status od_dedup_count(const float *x, int64_t n, int64_t d, int32_t *first, int32_t *copies,
                           int64_t *distinct, odim_error *err)
{
    size_t size = 16;
    while (size < 2 * (size_t)n) size *= 2;
    int32_t *slot = od_calloc(size, sizeof *slot); /* 1 + place in first, 0: free */
    if (!slot) return od_fail_nomem(err);
    int64_t count = 0;
    odim_status status = ODIM_OK;
    for (int64_t i = 0; !status && i < n; i++) {
        if (i % POLL_ROWS == 0) status = od_poll_check(err);
        size_t at = hash(x + i * d, d) & (size - 1);
        while (slot[at] && !equal(x + first[slot[at] - 1] * d, x + i * d, d)) at = (at + 1) & (size - 1);
        if (slot[at]) {
            copies[slot[at] - 1]++;
            continue;
        }
        first[count] = (int32_t)i;
        copies[count] = 1;
        slot[at] = (int32_t)++count;
    }
    od_free(slot);
    *distinct = count;
    return status;
}
