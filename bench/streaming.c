/*
 * How much time and memory does a large CSV file take with --stream?
 *
 *     streaming PROGRAM [ROWS [FLAG...]]        default: 5000000
 *
 * Writes a synthetic file of ten columns; then, in one run: `cat` and `wc -l` of it, a pass of our parser
 * over it for the types of its columns, another that takes its rows, and `PROGRAM detect --stream` with the
 * flags. Exit status 1 when that takes 300 MiB or more.
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

static void write_csv(FILE *f, int64_t rows)
{
    enum { BLOCK = 64 };
    float x[BLOCK * COLUMNS];
    for (int j = 0; j < COLUMNS; j++) fprintf(f, "%ssensor%d", j ? "," : "", j + 1);
    fputc('\n', f);
    for (int64_t first = 0; first < rows; first += BLOCK) {
        int64_t count = rows - first < BLOCK ? rows - first : BLOCK;
        synthetic_fill(x, first, count, COLUMNS);
        for (int64_t i = 0; i < count; i++)
            for (int j = 0; j < COLUMNS; j++)
                fprintf(f, "%.4f%c", (double)x[i * COLUMNS + j], j + 1 < COLUMNS ? ',' : '\n');
    }
    if (fflush(f) || ferror(f)) bench_die("temporary file", "cannot be written");
}

/* Runs it to the end, its output thrown away: seconds, and the peak of its memory in MiB. */
static double run(char **args, double *peak)
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
    *peak = (double)usage.ru_maxrss / 1024;
    return bench_wall() - start;
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

int main(int argc, char **argv)
{
    if (argc < 2) bench_die("usage", "streaming PROGRAM [ROWS [FLAG...]]");
    int64_t rows = argc > 2 ? bench_count(argv[2], 1000000000) : 5000000;
    char path[] = "/tmp/odim-streaming-XXXXXX", about[256];
    int fd = mkstemp(path);
    FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!f) bench_die("temporary file", "cannot be made");
    write_csv(f, rows);
    fclose(f);
    struct stat info;
    stat(path, &info);
    double bytes = (double)info.st_size, peak;

    bench_describe(about, sizeof about);
    printf("- Machine and version: %s\n- %lld rows, %d columns, %.0f MB of CSV\n\n", about, (long long)rows,
           COLUMNS, bytes / MB);
    printf("| what | s | s a million rows | MB/s |\n|:--|--:|--:|--:|\n");
    print("cat", run((char *[]){"cat", path, NULL}, &peak), bytes, rows);
    print("wc -l", run((char *[]){"wc", "-l", path, NULL}, &peak), bytes, rows);
    parse(path, bytes, rows);

    int flags = argc > 3 ? argc - 3 : 0;
    char **args = calloc((size_t)flags + 6, sizeof *args);
    if (!args) bench_die("arguments", "out of memory");
    memcpy(args, ((char *[]){argv[1], "detect", path, "--stream", "-q"}), 5 * sizeof *args);
    for (int i = 0; i < flags; i++) args[5 + i] = argv[3 + i];
    char what[256] = "odim detect --stream";
    for (int i = 0; i < flags; i++) strncat(strncat(what, " ", 2), args[5 + i], 60);
    print(what, run(args, &peak), bytes, rows);
    printf("\nPeak of the last: %.1f MiB resident; limit %.0f MiB.\n", peak, LIMIT_MIB);
    free(args);
    unlink(path);
    return peak >= LIMIT_MIB;
}
