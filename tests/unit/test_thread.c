/* tests: thread. Where threads cannot be started there are fewer, and the scores have the same bits. */
#include "test.h"

#include "base/thread.h"
#include "odim.h"

enum { ROWS = 400, COLS = 5 };

static double x[ROWS * COLS];

static void score(const odim_table *t, const char *method, int64_t fail_at, double *scores)
{
    odim_params *p = odim_params_new();
    odim_model *m;
    REQUIRE(p && odim_params_set(p, "threads", "4", NULL) == ODIM_OK);
    if (method)
        REQUIRE(odim_params_set(p, "method", method, NULL) == ODIM_OK);
    else
        REQUIRE(odim_params_set(p, "members", "2", NULL) == ODIM_OK &&
                odim_params_set(p, "max-updates", "20", NULL) == ODIM_OK);
    od_thread_fail_at(fail_at);
    odim_error err = {0};
    CHECK_INT(odim_detect(t, p, NULL, &m, scores, &err), ODIM_OK);
    od_thread_fail_at(0);
    odim_model_free(m);
    odim_params_free(p);
}

TEST(fewer_threads_same_bits)
{
    static const char *const methods[] = {NULL, "pca", "mcd", "lof", "iforest"};
    static double all[ROWS], fewer[ROWS];
    odim_table *t;
    uint32_t state = 3;
    for (int i = 0; i < ROWS * COLS; i++) x[i] = (double)((state = state * 1664525u + 1013904223u) >> 8);
    REQUIRE(odim_table_wrap_f64(&t, x, ROWS, COLS, 0, NULL, NULL) == ODIM_OK);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        score(t, methods[i], 0, all);
        for (int64_t fail_at = 1; fail_at <= 4; fail_at++) { /* 1: none at all */
            score(t, methods[i], fail_at, fewer);
            CHECK(memcmp(all, fewer, sizeof all) == 0);
        }
    }
    odim_table_free(t);
}

TEST(a_start_that_fails)
{
    pthread_t thread;
    od_thread_fail_at(1);
    CHECK(od_thread_start(&thread, NULL, NULL) != 0);
    od_thread_fail_at(0);
}

int main(void)
{
    RUN(a_start_that_fails);
    RUN(fewer_threads_same_bits);
    return test_end();
}
