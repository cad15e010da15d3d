/*
 * A loop that makes each allocation of its body fail in turn.
 *
 *     odim_status status;
 *     EACH_ALLOCATION_FAILS(status, 3)
 *     {
 *         status = od_thing_new(&thing, &err);
 *         od_thing_free(&thing);
 *     }
 *
 * In the n-th round the n-th allocation and all after it fail. The body sets status, which must be
 * ODIM_ERR_NOMEM until no allocation is left to fail; the last round succeeds. At least 3 rounds must fail.
 * The sanitizers find what leaks.
 */
#ifndef STARVE_H
#define STARVE_H

#include <stdbool.h>

#include "common/mem.h"
#include "odim.h"
#include "test.h"

#define EACH_ALLOCATION_FAILS(status, least) EACH_ALLOCATION_FAILS_BUT(status, least, 0)
/* The same if the last `optional` allocations may fail without consequence. */
#define EACH_ALLOCATION_FAILS_BUT(status, least, optional)                                                   \
    for (int64_t round_ = ((status) = ODIM_ERR_NOMEM, 0);                                                    \
         starve_next(&round_, status, least, optional, __LINE__);)

static inline bool starve_next(int64_t *round, odim_status status, int64_t least, int64_t optional, int line)
{
    enum { MOST = 100000 };
    int64_t failed = od_mem_count() - *round + 1; /* allocations of the last round that failed */
    if (status == ODIM_ERR_NOMEM && *round < MOST) {
        od_mem_fail_at(++*round);
        return true;
    }
    od_mem_fail_at(0);
    if (status) TEST_SAY("line %d: status is %d in round %lld", line, (int)status, (long long)*round);
    if (failed > optional) TEST_SAY("line %d: round %lld ignored a failure", line, (long long)*round);
    if (*round <= least) TEST_SAY("line %d: only %lld rounds failed", line, (long long)*round - 1);
    return false;
}

#endif
