/*
 * What do threads gain where CSV is read?
 *
 *     csv_threads [ROWS [THREADS]]        default: 3000000 2
 *
 * Writes a synthetic file of ten columns, plain and packed with gzip. Then reads it on one thread and on
 * several: for the types of its columns, for its rows, and, by a model that costs little (HBOS), to score
 * them. Besides the clock there is the CPU time of all threads and that of the calling thread alone. The
 * latter bounds what more cores could gain, and can be compared on a machine that others use as well.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"
#include "synthetic.h"

#define COLUMNS 10
#define BLOCK   16384

typedef struct times {
    double wall, all, caller;
} times;

static times now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (times){bench_wall(), bench_cpu(), (double)t.tv_sec + 1e-9 * (double)t.tv_nsec};
}

static void add(times *sum, times from)
{
    times t = now();
    sum->wall += t.wall - from.wall;
    sum->all += t.all - from.all;
    sum->caller += t.caller - from.caller;
}

/* The steps of one run. */
typedef struct run {
    times types, rows, scoring;
} run;

static run read_file(const char *path, const odim_model *model, int threads)
{
    run r = {0};
    odim_error err;
    odim_reader *reader;
    const odim_table *block;
    static double scores[BLOCK];
    char text[16];
    snprintf(text, sizeof text, "%d", threads);
    odim_params *params = odim_params_new();
    bench_set(params, "threads", text);
    odim_read_options o = ODIM_READ_OPTIONS_INIT;
    o.threads = threads;
    times start = now();
    bench_check(path, odim_reader_open(&reader, path, &o, &err), &err);
    add(&r.types, start);
    odim_reader_free(reader);
    o.like = model;
    bench_check(path, odim_reader_open(&reader, path, &o, &err), &err);
    for (;;) {
        start = now();
        bench_check(path, odim_reader_next(reader, BLOCK, &block, &err), &err);
        add(&r.rows, start);
        if (odim_table_rows(block) == 0) break;
        start = now();
        bench_check(path, odim_score(model, block, params, NULL, scores, &err), &err);
        add(&r.scoring, start);
    }
    odim_reader_free(reader);
    odim_params_free(params);
    return r;
}

static void print(const char *what, times one, times several)
{
    printf("| %s | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f |\n", what, one.wall, several.wall, one.all,
           several.all, several.caller, one.caller / several.caller);
}

/* The caller does not score, if there are threads. */
static void print_scores(const char *what, times one, times several)
{
    printf("| %s | %.2f | %.2f | %.2f | %.2f | | |\n", what, one.wall, several.wall, one.all, several.all);
}

static void print_head(int threads)
{
    printf("| what | s, 1 | s, %d | CPU s, 1 | CPU s, %d | of these the caller | ratio |\n"
           "|:--|--:|--:|--:|--:|--:|--:|\n",
           threads, threads);
}

static odim_model *fit(const char *path)
{
    odim_error err;
    odim_model *model;
    odim_params *params = odim_params_new();
    bench_set(params, "method", "hbos");
    bench_check(path, odim_fit_file(path, NULL, params, NULL, &model, &err), &err);
    odim_params_free(params);
    return model;
}

int main(int argc, char **argv)
{
    int64_t rows = argc > 1 ? bench_count(argv[1], 1000000000) : 3000000;
    int threads = argc > 2 ? (int)bench_count(argv[2], 1024) : 2;
    char path[] = "/tmp/odim-csv-threads-XXXXXX", packed[64], command[128], about[256];
    int fd = mkstemp(path);
    FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!f) bench_die("temporary file", "cannot be made");
    synthetic_write_csv(f, rows, COLUMNS);
    fclose(f);
    snprintf(packed, sizeof packed, "%s.gz", path);
    snprintf(command, sizeof command, "gzip -1 <%s >%s", path, packed);
    if (system(command)) bench_die("gzip", "failed");
    odim_model *model = fit(path);

    bench_describe(about, sizeof about);
    printf("- Machine and version: %s\n- %lld rows, %d columns; 1 thread and %d\n\n", about, (long long)rows,
           COLUMNS, threads);
    for (int i = 0; i < 2; i++) {
        const char *file = i ? packed : path, *kind = i ? "packed" : "plain";
        char what[3][40];
        run one = read_file(file, model, 1), several = read_file(file, model, threads);
        snprintf(what[0], sizeof what[0], "%s: types of the columns", kind);
        snprintf(what[1], sizeof what[1], "%s: rows", kind);
        snprintf(what[2], sizeof what[2], "%s: scores (HBOS)", kind);
        print_head(threads);
        print(what[0], one.types, several.types);
        print(what[1], one.rows, several.rows);
        print_scores(what[2], one.scoring, several.scoring);
        printf("\nReading is %.0f %% of the time that rows and scores take on one thread, %.0f %% on %d.\n\n",
               100 * one.rows.wall / (one.rows.wall + one.scoring.wall),
               100 * several.rows.wall / (several.rows.wall + several.scoring.wall), threads);
    }
    odim_model_free(model);
    unlink(path);
    unlink(packed);
    return 0;
}
