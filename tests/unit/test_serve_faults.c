/* tests: job_queue. Jobs without threads or memory, and many threads that use the same jobs. */
#include <pthread.h>
#include <stdatomic.h>

#include "base/thread.h"
#include "serve_fixture.h"
#include "starve.h"

static serve_tables *tables;
static serve_jobs *jobs;

static void begin(const serve_limits *limits)
{
    REQUIRE(serve_tables_new(&tables, limits, &why) == ODIM_OK);
    REQUIRE(serve_jobs_new(&jobs, tables, &why) == ODIM_OK);
}

static void end(void)
{
    fresh();
    serve_jobs_free(jobs);
    serve_tables_free(tables);
}

static odim_status start(const char *table, const char *more, char id[SERVE_ID])
{
    char body[1000];
    snprintf(body, sizeof body, "{\"table\": \"%s\"%s}", table, more);
    return serve_jobs_detect(jobs, body, strlen(body), id, fresh(), &why);
}

typedef struct heard {
    int ends;
    bool order; /* nothing came after the end */
} heard;

static bool hear(const char *name, const char *data, void *ctx)
{
    heard *h = ctx;
    (void)data;
    h->order &= !h->ends;
    h->ends += strcmp(name, "end") == 0;
    return true;
}

/* ---- failures --------------------------------------------------------------------------------------- */

TEST(no_threads)
{
    begin(NULL);
    serve_jobs *none;
    od_thread_fail_at(2);
    serve_tables *own;
    CHECK_INT(serve_tables_new(&own, &(serve_limits){.workers = 3}, &why), ODIM_OK);
    CHECK(serve_jobs_new(&none, own, &why) != ODIM_OK);
    od_thread_fail_at(0);
    CHECK(!none);
    CHECK_INT(why.status, 500);
    serve_tables_free(own);
    end();
}

/* From the upload to the rows, with each allocation failing in turn. */
static odim_status whole(void)
{
    static const char text[] = "a,b\n1,2\n2,3\n3,5\n4,7\n5,6\n6,6\n7,8\n8,9\n9,1\n50,5\n";
    static const char *const learning = "{\"outliers\": [3]}";
    char table[SERVE_ID], id[SERVE_ID], child[SERVE_ID];
    odim_status status =
        serve_tables_add(tables, "t", copy_of(text, strlen(text)), strlen(text), fresh(), &why);
    if (status) return status;
    id_of("table", table);
    status = start(table, ", \"params\": {\"method\": \"hbos\", \"threads\": 1}", id);
    if (status) return status;
    wait_for(jobs, id);
    /* Either the last call says so, or the job has failed for that reason. */
    const char *code = value_in(value_of("error"), "status");
    bool starved = why.status == 503 || (code && strncmp(code, "503", 3) == 0);
    if (!is_value("state", "\"done\"")) return starved ? ODIM_ERR_NOMEM : ODIM_ERR_SYSTEM;
    if ((status = serve_jobs_result(jobs, id, fresh(), &why))) return status;
    if ((status = serve_jobs_rows(jobs, id, &(serve_rows_query){.sort = "b", .search = "5"}, fresh(), &why)))
        return status;
    if ((status = serve_jobs_row(jobs, id, 10, fresh(), &why))) return status;
    if ((status = serve_jobs_scores(jobs, id, &(serve_scores_query){.format = "json", .explain = 1}, fresh(),
                                    &why)))
        return status;
    if ((status = serve_jobs_model(jobs, id, fresh(), &why))) return status;
    if ((status = serve_jobs_list(jobs, fresh(), &why))) return status;
    status = serve_jobs_learn(jobs, id, learning, strlen(learning), child, fresh(), &why);
    if (status == ODIM_ERR_NOMEM) return status;
    return ODIM_OK;
}

/* Nobody waits for the job that learns, so that its own allocations may fail unseen. */
TEST(starved)
{
    odim_status status;
    EACH_ALLOCATION_FAILS_BUT(status, 50, 1000)
    {
        jobs = NULL;
        status = serve_tables_new(&tables, NULL, &why);
        if (!status) status = serve_jobs_new(&jobs, tables, &why);
        if (!status) status = whole();
        end();
    }
}

/* ---- many threads ----------------------------------------------------------------------------------- */

enum { READERS = 3, ROUNDS = 6 };
static char shared_table[SERVE_ID], shared_job[SERVE_ID];
static atomic_int failures;

/* Reads results of one job, and starts, learns, cancels and forgets others. */
static void *use(void *arg)
{
    int self = (int)(intptr_t)arg;
    for (int i = 0; i < ROUNDS; i++) {
        serve_text text = {0};
        serve_problem problem = {0};
        char body[200], id[SERVE_ID];
        bool cancelled;
        const serve_rows_query q = {
            .sort = i % 2 ? "Betrag" : "score", .search = self ? "1" : NULL, .limit = 5};
        failures += serve_jobs_rows(jobs, shared_job, &q, &text, &problem) != ODIM_OK;
        serve_text_free(&text);
        failures += serve_jobs_row(jobs, shared_job, 1 + i, &text, &problem) != ODIM_OK;
        serve_text_free(&text);
        failures +=
            serve_jobs_figure(jobs, shared_job, i % 2 ? "pair" : "scores", &text, &problem) != ODIM_OK;
        serve_text_free(&text);
        failures += serve_jobs_scores(jobs, shared_job, &(serve_scores_query){.raw_scores = true}, &text,
                                      &problem) != ODIM_OK;
        serve_text_free(&text);
        if (self == 0)
            snprintf(body, sizeof body, "{\"outliers\": [%d, %d]}", 3 * i + 1, 3 * i + 2);
        else
            snprintf(body, sizeof body,
                     "{\"table\": \"%s\", \"params\": {\"preset\": \"fast\", \"members\": 2}}", shared_table);
        odim_status status = self == 0
                                 ? serve_jobs_learn(jobs, shared_job, body, strlen(body), id, &text, &problem)
                                 : serve_jobs_detect(jobs, body, strlen(body), id, &text, &problem);
        serve_text_free(&text);
        failures += status && problem.status != 429;
        if (status) continue;
        heard h = {.order = true};
        serve_watch *w;
        if (!serve_watch_open(&w, jobs, id, NULL, NULL, &problem)) {
            bool more = serve_watch_take(w, hear, &h);
            if (i % 2) serve_jobs_delete(jobs, id, &cancelled, &problem);
            for (; more; more = serve_watch_take(w, hear, &h)) serve_watch_wait(w, 10);
            serve_watch_close(w);
            failures += h.ends != 1 || !h.order;
        }
        serve_jobs_list(jobs, &text, &problem);
        serve_text_free(&text);
        serve_jobs_status(jobs, id, &text, &problem);
        serve_text_free(&text);
        serve_jobs_delete(jobs, id, &cancelled, &problem);
    }
    return NULL;
}

TEST(many_threads)
{
    pthread_t thread[READERS];
    serve_jobs_counts counts;
    int64_t limit;
    begin(&(serve_limits){.workers = 2, .threads = 1});
    size_t size;
    char *text = german(&size);
    upload(tables, "umsatz.csv", text, size, shared_table);
    free(text);
    detect(jobs, shared_table, ", \"params\": {\"preset\": \"fast\", \"members\": 2}", shared_job);
    for (int i = 0; i < READERS; i++)
        CHECK_INT(pthread_create(&thread[i], NULL, use, (void *)(intptr_t)i), 0);
    for (int i = 0; i < ROUNDS; i++) {
        serve_jobs_count(jobs, &counts);
        serve_tables_memory(tables, &limit);
        CHECK_INT(serve_tables_get(tables, shared_table, fresh(), &why), ODIM_OK);
    }
    for (int i = 0; i < READERS; i++) pthread_join(thread[i], NULL);
    CHECK_INT(failures, 0);
    end();
}

int main(void)
{
    RUN(no_threads);
    RUN(starved);
    RUN(many_threads);
    return test_end();
}
