/* tests: read_ahead. Bytes that a thread reads ahead. */
#include "base/read_ahead.h"

#include <stdatomic.h>

#include "base/poll.h"
#include "base/thread.h"
#include "starve.h"
#include "test.h"

static odim_error err;

/* Gives the bytes 0, 1, 2, ... in reads of changing length, then the end or a failure. */
typedef struct counter {
    size_t at, end;
    odim_status then;
    bool silent; /* waits at the end instead, like a pipe */
} counter;

static unsigned char byte_at(size_t i)
{
    return (unsigned char)(i * 2654435761u >> 13);
}

static odim_status pull(void *from, void *buf, size_t cap, size_t *got, odim_error *e)
{
    counter *c = from;
    size_t n = 1 + c->at % 9973;
    *got = 0;
    while (c->at == c->end && c->silent) {
        odim_status status = od_poll_check(e);
        if (status) return status;
    }
    if (c->at == c->end && c->then) return od_fail(e, c->then, "after %zu bytes", c->at);
    if (n > cap) n = cap;
    if (n > c->end - c->at) n = c->end - c->at;
    for (size_t i = 0; i < n; i++) ((unsigned char *)buf)[i] = byte_at(c->at + i);
    c->at += n;
    *got = n;
    return ODIM_OK;
}

/* Takes everything; returns the number of bytes, or -1 if one is wrong. */
static long long take_all(od_read_ahead *a, odim_status *status)
{
    static unsigned char buf[50000];
    size_t total = 0, got;
    while (!(*status = od_read_ahead_take(a, buf, 1 + total % sizeof buf, &got, &err)) && got) {
        for (size_t i = 0; i < got; i++)
            if (buf[i] != byte_at(total + i)) return -1;
        total += got;
    }
    return (long long)total;
}

TEST(bytes_come_in_their_order)
{
    odim_status status;
    for (size_t size = 0; size < 12000000; size = size * 7 + 1) {
        od_read_ahead *a;
        counter c = {.end = size};
        REQUIRE(od_read_ahead_new(&a, pull, &c, &err) == ODIM_OK && a);
        CHECK_INT(take_all(a, &status), size);
        CHECK_INT(status, ODIM_OK);
        CHECK(od_read_ahead_ready(a));
        CHECK_INT(take_all(a, &status), 0); /* the end stays the end */
        od_read_ahead_free(a);
    }
}

TEST(a_failure_comes_behind_the_bytes)
{
    od_read_ahead *a;
    odim_status status;
    counter c = {.end = 100000, .then = ODIM_ERR_IO};
    REQUIRE(od_read_ahead_new(&a, pull, &c, &err) == ODIM_OK && a);
    CHECK_INT(take_all(a, &status), 100000);
    CHECK_INT(status, ODIM_ERR_IO);
    CHECK_STR(err.msg, "after 100000 bytes");
    memset(&err, 0, sizeof err);
    CHECK_INT(take_all(a, &status), 0);
    CHECK_STR(err.msg, "after 100000 bytes");
    od_read_ahead_free(a);
}

TEST(it_ends_while_it_waits)
{
    /* For bytes, for room, and with nothing taken. */
    for (int i = 0; i < 3; i++) {
        od_read_ahead *a;
        unsigned char one;
        size_t got;
        counter c = {.end = i == 1 ? (size_t)1 << 30 : 1, .silent = true};
        REQUIRE(od_read_ahead_new(&a, pull, &c, &err) == ODIM_OK && a);
        if (i < 2) CHECK_INT(od_read_ahead_take(a, &one, 1, &got, &err), ODIM_OK);
        if (i == 0) CHECK(!od_read_ahead_ready(a));
        od_read_ahead_free(a);
    }
    od_read_ahead_free(NULL);
}

static int count_calls(const odim_progress *now, void *user)
{
    (void)now;
    return ++*(int *)user >= 3;
}

TEST(a_caller_that_waits_can_cancel)
{
    od_read_ahead *a;
    od_poll poll;
    int calls = 0;
    unsigned char one;
    size_t got;
    counter c = {.silent = true};
    const odim_hooks hooks = {.size = sizeof hooks, .progress = count_calls, .user = &calls};
    od_poll_set_interval(1000);
    REQUIRE(od_read_ahead_new(&a, pull, &c, &err) == ODIM_OK && a);
    od_poll_begin(&poll, &hooks, (odim_progress){0});
    CHECK_INT(od_read_ahead_take(a, &one, 1, &got, &err), ODIM_ERR_CANCELLED);
    od_poll_end(&poll);
    CHECK_INT(calls, 3);
    od_read_ahead_free(a);
    od_poll_set_interval(-1);
}

TEST(without_threads_or_memory)
{
    od_read_ahead *a;
    odim_status status;
    counter c = {.end = 1};
    od_thread_fail_at(1);
    CHECK_INT(od_read_ahead_new(&a, pull, &c, &err), ODIM_OK);
    od_thread_fail_at(0);
    CHECK(!a);
    CHECK_INT(c.at, 0);
    EACH_ALLOCATION_FAILS(status, 2)
    {
        status = od_read_ahead_new(&a, pull, &c, &err);
        od_read_ahead_free(a);
    }
}

int main(void)
{
    RUN(bytes_come_in_their_order);
    RUN(a_failure_comes_behind_the_bytes);
    RUN(it_ends_while_it_waits);
    RUN(a_caller_that_waits_can_cancel);
    RUN(without_threads_or_memory);
    return test_end();
}
