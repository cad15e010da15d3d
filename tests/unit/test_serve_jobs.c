/* tests: job_queue job_start job_run job_events. The queue, the states of jobs, their events, and limits. */
#include "jobs.h"

#include <stdatomic.h>
#include <time.h>

#include "serve_fixture.h"

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

/* Takes minutes unless it is cancelled. */
static const char endless[] =
    ", \"params\": {\"preset\": \"paper\", \"members\": 500, \"max-updates\": 100000, \"patience\": 100000}";
static const char quick[] = ", \"params\": {\"method\": \"hbos\"}";

static void machine(char id[SERVE_ID])
{
    size_t size;
    char *text = file_bytes(TEST_DIR "/../demo/machine.csv", &size);
    upload(tables, "machine.csv", text, size, id);
    free(text);
}

static odim_status start(const char *table, const char *more, char id[SERVE_ID])
{
    char body[1000];
    snprintf(body, sizeof body, "{\"table\": \"%s\"%s}", table, more);
    return serve_jobs_detect(jobs, body, strlen(body), id, fresh(), &why);
}

/* ---- events ----------------------------------------------------------------------------------------- */

typedef struct heard {
    int statuses, losses, distances, ends;
    char last[100], state[20];
    bool order; /* nothing came after the end */
    bool one_line;
    char wanted[20]; /* stop at this state */
    bool reached;
} heard;

static bool hear(const char *name, const char *data, void *ctx)
{
    heard *h = ctx;
    h->order &= !h->ends;
    h->one_line &= !strchr(data, '\n') && *data == '{' && data[strlen(data) - 1] == '}';
    h->statuses += strcmp(name, "status") == 0;
    h->losses += strcmp(name, "losses") == 0;
    h->distances += strcmp(name, "distance") == 0;
    h->ends += strcmp(name, "end") == 0;
    snprintf(h->last, sizeof h->last, "%s", data);
    const char *state = strcmp(name, "status") == 0 ? value_in(data, "state") : NULL;
    if (state) snprintf(h->state, sizeof h->state, "%.*s", (int)strcspn(state + 1, "\""), state + 1);
    h->reached |= *h->wanted && strcmp(h->state, h->wanted) == 0;
    return true;
}

static heard listen(const char *id, const char *until)
{
    heard h = {.order = true, .one_line = true};
    serve_watch *w;
    if (until) snprintf(h.wanted, sizeof h.wanted, "%s", until);
    if (serve_watch_open(&w, jobs, id, NULL, NULL, &why)) return h;
    while (serve_watch_take(w, hear, &h) && !h.reached) serve_watch_wait(w, 10);
    serve_watch_close(w);
    return h;
}

TEST(events)
{
    char table[SERVE_ID], id[SERVE_ID];
    begin(NULL);
    machine(table);
    CHECK_INT(start(table, ", \"params\": {\"preset\": \"paper\", \"members\": 3, \"threads\": 1}", id),
              ODIM_OK);
    CHECK_INT(strlen(id), 32);
    heard h = listen(id, NULL);
    CHECK(h.order && h.one_line);
    CHECK_INT(h.ends, 1);
    CHECK_STR(h.last, "{\"state\": \"done\"}");
    CHECK_STR(h.state, "done");
    CHECK(h.statuses >= 3);
    CHECK(h.distances >= 1 && h.losses >= 1);
    /* Who comes late gets all distances, the last losses and status, and the end. */
    heard late = listen(id, NULL);
    CHECK_INT(late.distances, h.distances);
    CHECK_INT(late.losses, 1);
    CHECK_INT(late.statuses, 1);
    CHECK_INT(late.ends, 1);
    CHECK_INT(serve_jobs_status(jobs, id, fresh(), &why), ODIM_OK);
    CHECK(is_value("state", "\"done\"") && is_value("error", "null") && is_value("queue", "null"));
    CHECK(is_value("fraction", "1,") && has("\"rows\": 3000, \"columns\": 12"));
    CHECK(has("\"members\": 3, \"members_done\": 3"));
    /* Forgetting it ends a watch that has not taken the end. */
    serve_watch *w;
    bool cancelled;
    CHECK_INT(serve_watch_open(&w, jobs, id, NULL, NULL, &why), ODIM_OK);
    CHECK_INT(serve_jobs_delete(jobs, id, &cancelled, &why), ODIM_OK);
    CHECK(!serve_watch_take(w, no_event, NULL));
    CHECK(!serve_watch_take(w, no_event, NULL));
    CHECK(!serve_watch_wait(w, 0.001));
    serve_watch_close(w);
    CHECK(serve_watch_open(&w, jobs, id, NULL, NULL, &why) != ODIM_OK);
    CHECK_INT(why.status, 404);
    serve_watch_close(NULL);
    end();
}

static void count_wake(void *ctx)
{
    atomic_fetch_add((atomic_int *)ctx, 1);
}

static bool take_one(const char *name, const char *data, void *ctx)
{
    (void)data;
    *(int *)ctx += *name != '\0';
    return false;
}

TEST(wakes)
{
    char table[SERVE_ID], first[SERVE_ID], id[SERVE_ID];
    atomic_int woken = 0;
    int taken = 0;
    serve_watch *w;
    bool cancelled;
    begin(NULL);
    machine(table);
    CHECK_INT(start(table, endless, first), ODIM_OK);
    CHECK_INT(start(table, quick, id), ODIM_OK);
    CHECK_INT(serve_watch_open(&w, jobs, id, count_wake, &woken, &why), ODIM_OK);
    /* There is a status at once; an event that is not armed for wakes nobody. */
    CHECK(serve_watch_wait(w, 0));
    CHECK_INT(woken, 0);
    serve_watch_arm(w);
    CHECK_INT(woken, 1);
    CHECK(serve_watch_take(w, no_event, NULL));
    CHECK(!serve_watch_wait(w, 0.001));
    serve_watch_arm(w);
    CHECK_INT(woken, 1);
    CHECK_INT(serve_jobs_delete(jobs, id, &cancelled, &why), ODIM_OK);
    CHECK(cancelled);
    CHECK_INT(woken, 2);
    /* Events one by one: the last status, then the end. */
    CHECK(serve_watch_take(w, take_one, &taken));
    CHECK(!serve_watch_take(w, take_one, &taken));
    CHECK_INT(taken, 2);
    serve_watch_arm(w);
    CHECK_INT(woken, 2);
    serve_watch_close(w);
    end();
}

/* ---- states ----------------------------------------------------------------------------------------- */

TEST(cancels)
{
    char table[SERVE_ID], running[SERVE_ID], waiting[SERVE_ID];
    bool cancelled = false;
    serve_jobs_counts counts;
    begin(NULL);
    machine(table);
    /* While it is fitted. */
    CHECK_INT(start(table, endless, running), ODIM_OK);
    CHECK(listen(running, "fitting").reached);
    CHECK_INT(start(table, endless, waiting), ODIM_OK);
    CHECK(is_value("state", "\"queued\"") && is_value("queue", "1"));
    serve_jobs_count(jobs, &counts);
    CHECK_INT(counts.running, 1);
    CHECK_INT(counts.queued, 1);
    CHECK(serve_jobs_result(jobs, running, fresh(), &why) != ODIM_OK);
    CHECK_INT(why.status, 409);
    CHECK(serve_jobs_learn(jobs, running, "{\"outliers\": [1]}", 17, waiting + 0, fresh(), &why) != ODIM_OK);
    CHECK_INT(why.status, 409);
    CHECK_INT(serve_jobs_list(jobs, fresh(), &why), ODIM_OK);
    id_of("job", waiting); /* the newest comes first */
    CHECK_INT(count_of("\"job\": "), 2);
    /* While it waits: at once. */
    CHECK_INT(serve_jobs_delete(jobs, waiting, &cancelled, &why), ODIM_OK);
    CHECK(cancelled);
    CHECK_INT(serve_jobs_status(jobs, waiting, fresh(), &why), ODIM_OK);
    CHECK(is_value("state", "\"cancelled\"") && is_value("error", "null"));
    CHECK_INT(serve_jobs_delete(jobs, running, &cancelled, &why), ODIM_OK);
    CHECK(cancelled);
    heard h = listen(running, NULL);
    CHECK_STR(h.last, "{\"state\": \"cancelled\"}");
    CHECK(serve_jobs_rows(jobs, running, &(serve_rows_query){0}, fresh(), &why) != ODIM_OK);
    CHECK_PROBLEM(409, "the job was cancelled");
    /* A second time forgets it. */
    CHECK_INT(serve_jobs_delete(jobs, running, &cancelled, &why), ODIM_OK);
    CHECK(!cancelled);
    CHECK(serve_jobs_delete(jobs, running, &cancelled, &why) != ODIM_OK);
    CHECK_INT(why.status, 404);
    /* While it is read or explained, and when it is done: it ends, whatever the moment. */
    static const char *const states[] = {"reading", "scoring", "explaining", "done"};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        char id[SERVE_ID];
        CHECK_INT(
            start(table, ", \"options\": {\"label\": \"fault\"}, \"params\": {\"preset\": \"fast\"}", id),
            ODIM_OK);
        listen(id, states[i]);
        CHECK_INT(serve_jobs_delete(jobs, id, &cancelled, &why), ODIM_OK);
        h = listen(id, NULL);
        if (cancelled) CHECK(strcmp(h.state, "cancelled") == 0 || strcmp(h.state, "done") == 0);
    }
    end();
}

/* Stopping ends all jobs, and takes no new ones. */
TEST(stops)
{
    char table[SERVE_ID], id[3][SERVE_ID];
    begin(&(serve_limits){.workers = 2});
    machine(table);
    for (int i = 0; i < 3; i++) CHECK_INT(start(table, endless, id[i]), ODIM_OK);
    serve_jobs_stop(jobs);
    for (int i = 0; i < 3; i++) CHECK_STR(listen(id[i], NULL).last, "{\"state\": \"cancelled\"}");
    CHECK(start(table, quick, id[0]) != ODIM_OK);
    CHECK_PROBLEM(503, "the server is stopping");
    end();
}

TEST(fails)
{
    char table[SERVE_ID], id[SERVE_ID];
    static const char text[] = "a,b\n1,1\n1,1\n1,1\n1,1\n1,1\n1,1\n1,1\n1,1\n";
    begin(NULL);
    upload(tables, "same.csv", text, strlen(text), table);
    detect(jobs, table, "", id);
    CHECK(is_value("state", "\"failed\""));
    CHECK(is_value("error",
                   "{\"type\": \"about:blank\", \"title\": \"The file cannot be used\", \"status\": 422"));
    CHECK(serve_jobs_report(jobs, id, fresh(), &why) != ODIM_OK);
    CHECK_INT(why.status, 409);
    CHECK(strstr(why.detail, "the job has failed: "));
    /* Of a failed job nothing is kept but its status. */
    CHECK_INT(serve_jobs_status(jobs, id, fresh(), &why), ODIM_OK);
    CHECK(is_value("bytes", "0"));
    static const struct {
        const char *more;
        int status;
        const char *detail;
    } wrong[] = {
        {", \"params\": {\"memberz\": 3}", 400, NULL},
        {", \"params\": {\"members\": -3}", 400, NULL},
        {", \"params\": {\"threshold\": \"x\"}", 400, "threshold must be a number, not 'x'"},
        {", \"params\": {\"threshold\": 3, \"contamination\": 0.1}", 400,
         "contamination and threshold both define what an outlier is: use one"},
        {", \"params\": {\"hidden\": \"32,20000\"}", 400,
         "hidden must be at most 1024 here; the command has no such limit"},
        {", \"options\": {\"what\": 1}", 400, "there is no option 'what'"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CHECK(start(table, wrong[i].more, id) != ODIM_OK);
        CHECK_INT(why.status, wrong[i].status);
        if (wrong[i].detail) CHECK_STR(why.detail, wrong[i].detail);
        CHECK_STR(id, "");
    }
    CHECK(serve_jobs_detect(jobs, "{}", 2, id, fresh(), &why) != ODIM_OK);
    CHECK_PROBLEM(400, "'table' is missing: the id of a table");
    CHECK(start("0123", "", id) != ODIM_OK);
    CHECK_INT(why.status, 404);
    /* Options are tried by the job. */
    detect(jobs, table, ", \"options\": {\"label\": \"none\"}", id);
    CHECK(is_value("state", "\"failed\""));
    CHECK_INT(serve_tables_delete(tables, table, &why), ODIM_OK);
    end();
}

/* A file without an upload: its bytes go once they are read. */
TEST(files)
{
    size_t size;
    char id[SERVE_ID], *text = german(&size);
    static const serve_setting settings[] = {
        {"preset", "fast"}, {"ignore", "Leer,Menge"}, {"threshold", "5"}};
    begin(NULL);
    CHECK_INT(serve_jobs_detect_file(jobs, "dir/umsatz.csv", copy_of(text, size), size, settings, 3, id,
                                     fresh(), &why),
              ODIM_OK);
    wait_for(jobs, id);
    CHECK(is_value("state", "\"done\"") && is_value("table", "null"));
    CHECK_INT(serve_jobs_result(jobs, id, fresh(), &why), ODIM_OK);
    CHECK(is_value("threshold", "5,"));
    CHECK(is_value("threshold_name", "\"the threshold that --threshold set\""));
    CHECK(is_value("command", "\"odim detect umsatz.csv --ignore Leer,Menge --preset fast --threshold 5\""));
    CHECK(has("{\"name\": \"Menge\", \"role\": \"ignored\", "));
    CHECK_INT(serve_tables_count(tables), 0);
    CHECK(serve_jobs_detect_file(jobs, "x", copy_of(text, size), size, &(serve_setting){"no-such", "1"}, 1,
                                 id, fresh(), &why) != ODIM_OK);
    CHECK_INT(why.status, 400);
    CHECK_INT(serve_jobs_detect_file(jobs, "", copy_of("\0\0\0", 3), 3, NULL, 0, id, fresh(), &why), ODIM_OK);
    wait_for(jobs, id);
    CHECK(is_value("state", "\"failed\"") && is_value("name", "\"table\""));
    free(text);
    end();
}

/* ---- limits ----------------------------------------------------------------------------------------- */

TEST(queue_is_bounded)
{
    char table[SERVE_ID], id[4][SERVE_ID];
    serve_jobs_counts counts;
    begin(&(serve_limits){.queue = 2});
    machine(table);
    CHECK_INT(start(table, endless, id[0]), ODIM_OK);
    CHECK(listen(id[0], "fitting").reached);
    CHECK_INT(start(table, quick, id[1]), ODIM_OK);
    CHECK_INT(start(table, quick, id[2]), ODIM_OK);
    CHECK(is_value("queue", "2"));
    CHECK(start(table, quick, id[3]) != ODIM_OK);
    CHECK_PROBLEM(429, "2 jobs are waiting already; try again later");
    CHECK(why.retry_after > 0);
    serve_jobs_count(jobs, &counts);
    CHECK_INT(counts.refused, 1);
    end();
}

/* The oldest job that has ended goes when there are too many, or when memory is short. */
TEST(old_jobs_go)
{
    char table[SERVE_ID], id[4][SERVE_ID];
    begin(&(serve_limits){.jobs = 2});
    machine(table);
    for (int i = 0; i < 3; i++) detect(jobs, table, quick, id[i]);
    CHECK(serve_jobs_status(jobs, id[0], fresh(), &why) != ODIM_OK);
    CHECK_INT(serve_jobs_status(jobs, id[1], fresh(), &why), ODIM_OK);
    int64_t two = serve_tables_memory(tables, NULL);
    end();
    begin(&(serve_limits){.memory = two + two / 10});
    machine(table);
    for (int i = 0; i < 4; i++) detect(jobs, table, quick, id[i]);
    CHECK(is_value("state", "\"done\""));
    CHECK(serve_jobs_status(jobs, id[0], fresh(), &why) != ODIM_OK);
    CHECK(serve_jobs_status(jobs, id[1], fresh(), &why) != ODIM_OK);
    CHECK_INT(serve_jobs_result(jobs, id[3], fresh(), &why), ODIM_OK);
    CHECK(serve_tables_memory(tables, NULL) <= two + two / 10);
    end();
    /* No room at all: the job fails. */
    begin(&(serve_limits){.memory = 4 << 20});
    machine(table);
    detect(jobs, table, quick, id[0]);
    CHECK(is_value("state", "\"failed\"") && has("\"status\": 413"));
    end();
}

/* What all jobs have taken is given back. */
TEST(memory_is_given_back)
{
    char table[SERVE_ID], id[SERVE_ID], child[SERVE_ID];
    bool cancelled;
    begin(NULL);
    machine(table);
    detect(jobs, table, ", \"params\": {\"preset\": \"fast\", \"members\": 1}", id);
    learn(jobs, id, "{\"outliers\": [1, 2, 3]}", child);
    CHECK(is_value("state", "\"done\""));
    CHECK(serve_tables_memory(tables, NULL) > 8 << 20);
    /* The table may go first. */
    CHECK_INT(serve_tables_delete(tables, table, &why), ODIM_OK);
    CHECK_INT(serve_jobs_row(jobs, id, 5, fresh(), &why), ODIM_OK);
    CHECK_INT(serve_jobs_delete(jobs, id, &cancelled, &why), ODIM_OK);
    CHECK_INT(serve_jobs_row(jobs, child, 5, fresh(), &why), ODIM_OK);
    CHECK_INT(serve_jobs_delete(jobs, child, &cancelled, &why), ODIM_OK);
    /* A worker lets go of its job just after the end. */
    for (int i = 0; i < 60000 && serve_tables_memory(tables, NULL); i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    CHECK_INT(serve_tables_memory(tables, NULL), 0);
    end();
}

int main(void)
{
    RUN(events);
    RUN(wakes);
    RUN(cancels);
    RUN(stops);
    RUN(fails);
    RUN(files);
    RUN(queue_is_bounded);
    RUN(old_jobs_go);
    RUN(memory_is_given_back);
    return test_end();
}
