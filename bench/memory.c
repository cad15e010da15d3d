/*
 * How much memory does `odim detect` take at its peak, beyond the data?
 *
 *     memory PROGRAM [ROWS COLUMNS [FLAG...]]        default: 2000000 10
 *
 * Writes a synthetic NPY file, runs PROGRAM on it with the flags, and reports the largest resident size the
 * system saw. Exit status 1 when that is more than the data as float32 and 200 MiB.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "synthetic.h"

#define LIMIT_MIB 200.0
#define MIB       1048576.0

/* In blocks of a few rows: what this process holds when it forks counts as the child's. */
static void write_npy(FILE *f, int64_t rows, int d)
{
    enum { BLOCK = 64, HEAD = 128 };
    const uint16_t one = 1;
    char head[HEAD + 1];
    int len =
        snprintf(head + 10, HEAD - 10, "{'descr': '%cf4', 'fortran_order': False, 'shape': (%lld, %d), }",
                 *(const char *)&one ? '<' : '>', (long long)rows, d);
    memset(head + 10 + len, ' ', (size_t)(HEAD - 11 - len));
    head[HEAD - 1] = '\n';
    memcpy(head, "\x93NUMPY\x01\x00\x76\x00", 10); /* version 1.0; 0x76 = HEAD - 10 */
    fwrite(head, 1, HEAD, f);

    float *x = malloc((size_t)BLOCK * (size_t)d * sizeof *x);
    if (!x) bench_die("rows", "out of memory");
    for (int64_t first = 0; first < rows; first += BLOCK) {
        int64_t count = rows - first < BLOCK ? rows - first : BLOCK;
        synthetic_fill(x, first, count, d);
        fwrite(x, sizeof *x, (size_t)count * (size_t)d, f);
    }
    free(x);
    if (fflush(f) || ferror(f)) bench_die("temporary file", "cannot be written");
}

/* `program detect FILE -q FLAG...`, its scores thrown away. */
static void run(char *program, char *path, char **flags)
{
    int count = 0;
    while (flags[count]) count++;
    char **args = calloc((size_t)count + 5, sizeof *args);
    if (!args) bench_die("arguments", "out of memory");
    char *start[] = {program, "detect", path, "-q"};
    memcpy(args, start, sizeof start);
    memcpy(args + 4, flags, (size_t)count * sizeof *args);

    pid_t child = fork();
    if (child < 0) bench_die(program, "cannot be started");
    if (child == 0) {
        if (freopen("/dev/null", "w", stdout)) execv(program, args);
        _exit(127);
    }
    int status;
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
        bench_die(program, "did not end by itself");
    if (WEXITSTATUS(status) == 127) bench_die(program, "cannot be run");
    if (WEXITSTATUS(status) != 0) bench_die(program, "failed");
    free(args);
}

int main(int argc, char **argv)
{
    if (argc != 2 && argc < 4) bench_die("usage", "memory PROGRAM [ROWS COLUMNS [FLAG...]]");
    int64_t rows = argc > 2 ? bench_count(argv[2], 1000000000) : 2000000;
    int d = argc > 2 ? (int)bench_count(argv[3], 100000) : 10;

    FILE *f = tmpfile(); /* has no name, so it is gone when this process and the child are */
    if (!f) bench_die("temporary file", "cannot be made");
    write_npy(f, rows, d);
    char path[32];
    snprintf(path, sizeof path, "/dev/fd/%d", fileno(f));

    double start = bench_wall();
    run(argv[1], path, argv + (argc > 4 ? 4 : argc));
    double seconds = bench_wall() - start;
    fclose(f);

    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    double peak = (double)usage.ru_maxrss / 1024, data = (double)rows * d * sizeof(float) / MIB;
    printf("%lld rows, %d columns, read from NPY, fitted and scored in %.1f s: peak of %.1f MiB resident = "
           "data as float32 (%.1f MiB) + %.1f MiB; limit + %.0f MiB\n",
           (long long)rows, d, seconds, peak, data, peak - data, LIMIT_MIB);
    return peak - data > LIMIT_MIB;
}
