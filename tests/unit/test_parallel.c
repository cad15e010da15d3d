/* tests: parallel mem status. Every job once, errors and cancellation, and what happens when memory is out.
 */
#include "test.h"

#include <stdatomic.h>
#include <time.h>

#include "common/mem.h"
#include "base/parallel.h"
#include "base/thread.h"

typedef struct jobs {
    _Atomic int done[1000];
    _Atomic int ticks;
    int fail_at, cancel;
} jobs;

static odim_status count(void *ctx, od_parallel *par, int worker, int64_t job, odim_error *err)
{
    jobs *j = ctx;
    (void)worker;
    atomic_fetch_add(&j->done[job], 1);
    /* Jobs behind the one that fails wait for it, however slow its thread is. */
    while (j->fail_at && job >= j->fail_at && !od_parallel_stopped(par))
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    if (job + 1 == j->fail_at) return od_fail_at(err, ODIM_ERR_DATA, job, 0, "job %lld", (long long)job);
    return ODIM_OK;
}

TEST(every_job_once)
{
    for (int threads = 1; threads <= 7; threads += 3) {
        jobs j = {.fail_at = 0};
        CHECK(od_parallel_run(threads, 1000, count, NULL, &j, NULL) == ODIM_OK);
        for (int i = 0; i < 1000; i++) CHECK_INT(j.done[i], 1);
    }
    jobs none = {.fail_at = 0};
    CHECK(od_parallel_run(3, 0, count, NULL, &none, NULL) == ODIM_OK);
}

TEST(a_failure_ends_the_run)
{
    jobs j = {.fail_at = 5};
    odim_error err = {0};
    CHECK_INT(od_parallel_run(2, 1000, count, NULL, &j, &err), ODIM_ERR_DATA);
    CHECK_STR(err.msg, "job 4");
    CHECK_INT(err.row, 3); /* from 0 */
    CHECK_INT(j.done[999], 0);
}

static odim_status wait_for_stop(void *ctx, od_parallel *par, int worker, int64_t job, odim_error *err)
{
    (void)ctx, (void)worker, (void)job;
    while (!od_parallel_stopped(par)) nanosleep(&(struct timespec){0, 1000000}, NULL);
    return od_fail(err, ODIM_ERR_CANCELLED, "cancelled");
}

static int tick(void *ctx)
{
    jobs *j = ctx;
    return atomic_fetch_add(&j->ticks, 1) >= 1;
}

TEST(tick_cancels)
{
    jobs j = {.fail_at = 0};
    odim_error err = {0};
    CHECK_INT(od_parallel_run(2, 10, wait_for_stop, tick, &j, &err), ODIM_ERR_CANCELLED);
    CHECK_STR(err.msg, "cancelled");
    CHECK(j.ticks >= 2);
}

/* No thread to be had, or fewer than asked for: the jobs are done all the same, and can be cancelled. */
TEST(threads_that_cannot_be_started)
{
    for (int fail = 1; fail <= 3; fail++) {
        jobs j = {.fail_at = 0};
        od_thread_fail_at(fail);
        CHECK(od_parallel_run(3, 1000, count, tick, &j, NULL) == ODIM_OK || j.ticks >= 2);
        od_thread_fail_at(0);
        for (int i = 0; i < 1000 && j.ticks < 2; i++) CHECK_INT(j.done[i], 1);
    }
    jobs j = {.fail_at = 5};
    od_thread_fail_at(1);
    CHECK_INT(od_parallel_run(2, 1000, count, NULL, &j, NULL), ODIM_ERR_DATA);
    j = (jobs){.fail_at = 0};
    CHECK_INT(od_parallel_run(2, 10, wait_for_stop, tick, &j, NULL), ODIM_ERR_CANCELLED);
    od_thread_fail_at(0);
    CHECK(j.ticks >= 2);
}

TEST(memory)
{
    char *p = od_alloc(10, 3);
    CHECK(p && (uintptr_t)p % 64 == 0);
    memset(p, 'x', 30);
    p = od_grow(p, 30, 1000, 1);
    CHECK(p && p[29] == 'x');
    od_free(p);
    CHECK(od_alloc(SIZE_MAX / 2, 3) == NULL);
    CHECK(od_alloc(SIZE_MAX, 1) == NULL);
    od_mem_fail_at(2);
    void *first = od_alloc(1, 1), *second = od_alloc(1, 1), *third = od_calloc(1, 1);
    od_mem_fail_at(0);
    CHECK(first && !second && !third);
    od_free(first);
    od_mem_fail_at(1);
    jobs j = {.fail_at = 0};
    CHECK_INT(od_parallel_run(2, 10, count, NULL, &j, NULL), ODIM_ERR_NOMEM);
    od_mem_fail_at(0);
}

TEST(messages)
{
    char buf[16];
    CHECK_STR(od_printable(buf, sizeof buf, "a\nb\033c", 5), "a\\nb\\x1bc");
    CHECK_STR(od_printable(buf, sizeof buf, "0123456789abcdefgh", 18), "0123456789ab...");
    CHECK_STR(od_printable(buf, 8, "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4", 8), "\xc3\xa4\xc3\xa4...");
    odim_error err;
    od_error_prefix(&err, od_fail_at(&err, ODIM_ERR_DATA, 3, 4, "row %d", 3), "a.csv");
    CHECK_STR(err.msg, "a.csv: row 3");
    CHECK(err.row == 2 && err.col == 3 && err.status == ODIM_ERR_DATA);
    CHECK(od_fail(NULL, ODIM_ERR_IO, "x") == ODIM_ERR_IO);
    for (int s = ODIM_OK; s <= ODIM_ERR_SYSTEM; s++)
        CHECK(strcmp(odim_status_text((odim_status)s), "unknown status"));
}

/* The job with the lowest number has the word, however the threads run. */
static odim_status fail_late(void *ctx, od_parallel *par, int worker, int64_t job, odim_error *err)
{
    (void)par, (void)worker;
    _Atomic int *failed = ctx;
    if (job > 1) return ODIM_OK;
    while (job == 0 && !*failed) continue;
    *failed = 1;
    return od_fail(err, ODIM_ERR_DATA, "job %d", (int)job);
}

TEST(the_first_failure_is_reported)
{
    _Atomic int failed = 0;
    odim_error err;
    CHECK_INT(od_parallel_run(2, 10, fail_late, NULL, &failed, &err), ODIM_ERR_DATA);
    CHECK_STR(err.msg, "job 0");
}

static void mark(void *ctx, int worker, int64_t first, int64_t end)
{
    CHECK(worker >= 0 && worker < 3);
    for (int64_t i = first; i < end; i++) ((char *)ctx)[i]++;
}

TEST(ranges)
{
    for (int64_t n = 0; n < 30; n++)
        for (int64_t size = 1; size < 9; size++)
            for (int64_t threads = 0; threads < 4; threads++) {
                char done[31] = {0};
                CHECK_INT(od_parallel_ranges(threads, n, size, mark, done, NULL), ODIM_OK);
                for (int i = 0; i < 31; i++) CHECK_INT(done[i], i < n);
            }
}

int main(void)
{
    RUN(the_first_failure_is_reported);
    RUN(ranges);
    RUN(every_job_once);
    RUN(a_failure_ends_the_run);
    RUN(tick_cancels);
    RUN(threads_that_cannot_be_started);
    RUN(memory);
    RUN(messages);
    return test_end();
}
