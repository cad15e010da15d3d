/*
 * How much time and memory does a large CSV file take with --stream?
 *
 *     streaming PROGRAM [ROWS [FLAG...]]        default: 5000000
 *
 * Writes a synthetic file of ten columns; then, in one run: `cat` and `wc -l` of it, a pass of our parser
 * over it for the types of its columns, another that takes its rows, `PROGRAM score` on one thread with a
 * model of `fast`, and `PROGRAM detect --stream` with the flags. Exit status 1 when the last takes 300 MiB or
 * more.
 */
#define _DEFAULT_SOURCE /* wait4 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "synthetic.h"

#define COLUMNS   10
#define LIMIT_MIB 300.0
#define MB        1e6
#define SAMPLE    20000 /* rows that the model is fitted to */

typedef struct outcome {
    double wall, cpu; /* seconds */
    double peak;      /* MiB resident */
} outcome;

/* Runs it to the end, its output thrown away. */
static outcome run(char **args)
{
    fflush(stdout); /* or the child would write it once more */
    double start = bench_wall();
    pid_t child = fork();
    if (child < 0) bench_die(args[0], "cannot be started");
    if (child == 0) {
        if (freopen("/dev/null", "w", stdout)) execvp(args[0], args);
        _exit(127);
    }
    int status;
    struct rusage usage;
    if (wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        bench_die(args[0], "failed");
    return (outcome){.wall = bench_wall() - start,
                     .cpu = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                            1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec),
                     .peak = (double)usage.ru_maxrss / 1024};
}

static void print(const char *what, double seconds, double bytes, int64_t rows)
{
    printf("| %s | %.2f | %.3f | %.0f |\n", what, seconds, seconds / ((double)rows / 1e6),
           bytes / MB / seconds);
}

/* Our parser alone: a pass for the types, a pass for the rows. */
static void parse(const char *path, double bytes, int64_t rows)
{
    odim_error err;
    odim_reader *reader;
    const odim_table *block;
    double start = bench_wall();
    bench_check(path, odim_reader_open(&reader, path, NULL, &err), &err);
    double types = bench_wall() - start;
    start = bench_wall();
    do bench_check(path, odim_reader_next(reader, 8192, &block, &err), &err);
    while (odim_table_rows(block) > 0);
    double taking = bench_wall() - start;
    odim_reader_free(reader);
    print("odim: types of the columns", types, bytes, rows);
    print("odim: values of the rows", taking, bytes, rows);
}

/* Rows that a core scores per second, with a model of the first rows. Returns CPU seconds. */
static double score(char *program, char *path, double bytes, int64_t rows)
{
    char model[64], sample[64];
    snprintf(model, sizeof model, "%s.odim", path);
    snprintf(sample, sizeof sample, "%s.sample", path);
    FILE *f = fopen(sample, "w");
    if (!f) bench_die(sample, "cannot be made");
    synthetic_write_csv(f, rows < SAMPLE ? rows : SAMPLE, COLUMNS);
    fclose(f);
    run((char *[]){program, "fit", sample, "-o", model, "--preset", "fast", "-q", NULL});
    outcome o =
        run((char *[]){program, "score", "-m", model, path, "--stream", "--threads", "1", "-q", NULL});
    print("odim score --stream, a model of fast, one thread", o.wall, bytes, rows);
    unlink(model);
    unlink(sample);
    return o.cpu;
}

int main(int argc, char **argv)
{
    if (argc < 2) bench_die("usage", "streaming PROGRAM [ROWS [FLAG...]]");
    int64_t rows = argc > 2 ? bench_count(argv[2], 1000000000) : 5000000;
    char path[] = "/tmp/odim-streaming-XXXXXX", about[256];
    int fd = mkstemp(path);
    FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!f) bench_die("temporary file", "cannot be made");
    synthetic_write_csv(f, rows, COLUMNS);
    fclose(f);
    struct stat info;
    stat(path, &info);
    double bytes = (double)info.st_size;

    bench_describe(about, sizeof about);
    printf("- Machine and version: %s\n- %lld rows, %d columns, %.0f MB of CSV\n\n", about, (long long)rows,
           COLUMNS, bytes / MB);
    printf("| what | s | s a million rows | MB/s |\n|:--|--:|--:|--:|\n");
    print("cat", run((char *[]){"cat", path, NULL}).wall, bytes, rows);
    print("wc -l", run((char *[]){"wc", "-l", path, NULL}).wall, bytes, rows);
    parse(path, bytes, rows);
    double cpu = score(argv[1], path, bytes, rows);

    int flags = argc > 3 ? argc - 3 : 0;
    char **args = calloc((size_t)flags + 6, sizeof *args);
    if (!args) bench_die("arguments", "out of memory");
    memcpy(args, ((char *[]){argv[1], "detect", path, "--stream", "-q"}), 5 * sizeof *args);
    for (int i = 0; i < flags; i++) args[5 + i] = argv[3 + i];
    char what[256] = "odim detect --stream";
    for (int i = 0; i < flags; i++) strncat(strncat(what, " ", 2), args[5 + i], 60);
    outcome o = run(args);
    print(what, o.wall, bytes, rows);
    printf(
        "\nScoring: %.0f rows per second of CPU time. Peak of the last: %.1f MiB resident; limit %.0f MiB.\n",
        (double)rows / cpu, o.peak, LIMIT_MIB);
    free(args);
    unlink(path);
    return o.peak >= LIMIT_MIB;
}
