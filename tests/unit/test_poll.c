/* tests: poll. A hook that asks to stop at any of its calls ends every stage, whichever is at work then. */
#include "test.h"

#include "base/poll.h"
#include "odim.h"

enum { ROWS = 300, COLS = 7, WIDE_ROWS = 110, WIDE_COLS = 130 };

typedef struct stopper {
    int64_t calls, stop_at; /* 0: never */
    double fraction;        /* the highest that was shown */
} stopper;

static int on_progress(const odim_progress *now, void *user)
{
    stopper *s = user;
    if (now->fraction > s->fraction) s->fraction = now->fraction;
    return ++s->calls == s->stop_at;
}

TEST(hooks_are_called_when_due)
{
    stopper s = {.stop_at = 3};
    odim_hooks hooks = {.size = sizeof(odim_hooks), .progress = on_progress, .user = &s};
    od_poll p, inner;
    CHECK(!od_poll_is_on() && !od_poll_stopped() && od_poll_check(NULL) == ODIM_OK && !od_poll_tick(NULL));
    od_poll_begin(&p, &hooks, (odim_progress){0});
    for (int i = 0; i < 1000; i++) od_poll_stopped();
    CHECK(s.calls <= 2); /* a thousand looks do not take longer than that, unless the machine stands still */
    s.calls = 0;
    od_poll_set_interval(0);
    od_poll_begin(&inner, &hooks, (odim_progress){0});
    od_poll_show(0.5);
    CHECK(!od_poll_stopped() && s.fraction == 0.5);
    od_poll_end(&inner);
    CHECK(od_poll_tick(NULL) == 0);
    odim_error err;
    CHECK(od_poll_check(&err) == ODIM_ERR_CANCELLED);
    CHECK(od_poll_stopped() && s.calls == 3); /* it is not asked again */
    od_poll_end(&p);
    CHECK(!od_poll_is_on());
    od_poll_begin(&p, NULL, (odim_progress){0});
    CHECK(!od_poll_stopped());
    od_poll_end(&p);
    od_poll_set_interval(-1);
}

static double x[WIDE_ROWS * WIDE_COLS];

static odim_table *make_table(int64_t rows, int64_t cols)
{
    odim_table *t = NULL;
    uint32_t state = 1;
    for (int64_t i = 0; i < rows * cols; i++) {
        state = state * 1664525u + 1013904223u;
        x[i] = (double)(state >> 8) / 16777216.0 + 0.01 * (double)(i % cols);
    }
    CHECK(odim_table_wrap_f64(&t, x, rows, cols, 0, NULL, NULL) == ODIM_OK);
    return t;
}

/* Once with the hook asking to stop at its call number `at`. False: it was not called so often. */
static bool try_stop(const odim_table *t, const odim_params *p, int64_t at)
{
    static double scores[ROWS];
    stopper s = {.stop_at = at};
    odim_hooks hooks = {.size = sizeof(odim_hooks), .progress = on_progress, .user = &s};
    odim_model *m;
    odim_error err;
    odim_status status = odim_detect(t, p, &hooks, &m, scores, &err);
    bool stopped = s.calls >= at;
    CHECK_INT(status, stopped ? ODIM_ERR_CANCELLED : ODIM_OK);
    CHECK(stopped == (m == NULL));
    if (m && at > 1) CHECK(!od_poll_is_on());
    odim_model_free(m);
    return stopped;
}

static void check_all(const odim_table *t, const char *name, const char *value)
{
    odim_params *p = odim_params_new();
    REQUIRE(p && odim_params_set(p, name, value, NULL) == ODIM_OK);
    REQUIRE(odim_params_set(p, "threads", "2", NULL) == ODIM_OK);
    int64_t at = 1, tried = 0;
    for (; try_stop(t, p, at); at += 1 + at / 3) tried++;
    CHECK(tried >= 5); /* there is something to be stopped in */
    odim_params_free(p);
}

TEST(every_stage_can_be_stopped)
{
    static const char *const methods[] = {"iforest", "knn",   "lof",   "mcd",  "pca", "hbos", "ecod",
                                          "copod",   "ocsvm", "cblof", "loda", "cof", "sod",  "bagging"};
    od_poll_set_interval(0);
    odim_table *t = make_table(ROWS, COLS);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) check_all(t, "method", methods[i]);
    check_all(t, "preset", "auto");
    check_all(t, "preset", "fast");
    odim_table_free(t);
    t = make_table(WIDE_ROWS, WIDE_COLS); /* more columns than rows */
    check_all(t, "method", "pca");
    check_all(t, "method", "mcd");
    odim_table_free(t);
    od_poll_set_interval(-1);
}

typedef struct stages {
    bool seen[ODIM_STAGE_READING + 1];
    odim_stage last;
    int back; /* how often a stage came after one that is later */
    int64_t rows, rows_done;
} stages;

static int watch(const odim_progress *now, void *user)
{
    stages *s = user;
    s->back += now->stage < s->last;
    s->seen[now->stage] = true;
    s->last = now->stage;
    s->rows = now->rows;
    s->rows_done = now->rows_done;
    CHECK(now->fraction >= 0 && now->fraction <= 1 && now->rows_done <= now->rows);
    return 0;
}

/* A fit ends with scoring, then with what reasons need, and does not go back; explaining is a stage too. */
TEST(stages_come_in_order)
{
    static double scores[ROWS];
    odim_table *t = make_table(ROWS, COLS);
    odim_params *p = odim_params_new();
    odim_model *m = NULL;
    odim_reasons *reasons = NULL;
    stages s = {.back = 0};
    odim_hooks hooks = {.size = sizeof hooks, .progress = watch, .user = &s};
    REQUIRE(t && p && !odim_params_set(p, "threads", "1", NULL) &&
            !odim_params_set(p, "preset", "paper", NULL) && !odim_params_set(p, "members", "1", NULL) &&
            !odim_params_set(p, "max-updates", "30", NULL));
    od_poll_set_interval(0);
    REQUIRE(odim_detect(t, p, &hooks, &m, scores, NULL) == ODIM_OK);
    CHECK_INT(s.back, 0);
    s = (stages){.back = 0};
    REQUIRE(odim_explain(m, t, NULL, p, &hooks, &reasons, NULL) == ODIM_OK);
    CHECK(s.seen[ODIM_STAGE_EXPLAINING] && !s.seen[ODIM_STAGE_FITTING] && !s.seen[ODIM_STAGE_SCORING]);
    CHECK(s.rows == ROWS && s.rows_done <= ROWS);
    od_poll_set_interval(-1);
    odim_reasons_free(reasons);
    odim_model_free(m);
    odim_params_free(p);
    odim_table_free(t);
}

int main(void)
{
    RUN(hooks_are_called_when_due);
    RUN(every_stage_can_be_stopped);
    RUN(stages_come_in_order);
    return test_end();
}
