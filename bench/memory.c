/*
 * How much memory does `odim detect` take at its peak, beyond the data?
 *
 *     memory PROGRAM [ROWS COLUMNS [FLAG...]]                              default: 2000000 10
 *     memory PROGRAM --wide [--sizes ROWSxCOLUMNS,...] [--kinds KIND,...] [--cases NAME,...] [--threads
 * N,...]
 *                           [--seconds N] [--data float32|csv]
 *
 * The first form writes a synthetic NPY file, runs PROGRAM on it with the flags, and reports the largest
 * resident size the system saw. The second does so for each preset and each method on wide tables
 * (100000x1000,10000x5000), of each kind, and prints a table: `unit` is like an embedding, all of whose
 * columns have one unit; the columns of `scales` have units of their own. --cases names some of the presets
 * and methods, --threads is 2,1 otherwise,
 * --seconds is the CPU time after which a run is stopped (3600). Exit status 1 when a run takes more than the
 * data as float32 and 200 MiB.
 */
#define _DEFAULT_SOURCE /* wait4 */
#include <math.h>
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

/* x (rows, d) becomes rows first, first + 1, ... of a table. */
typedef void fill(float *x, int64_t first, int64_t rows, int d);

/* ---- files -------------------------------------------------------------------------------------------- */

/* In blocks of a few rows: what this process holds when it forks counts as the child's. */
static void write_npy(FILE *f, fill *rows_of, int64_t rows, int d)
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
        rows_of(x, first, count, d);
        fwrite(x, sizeof *x, (size_t)count * (size_t)d, f);
    }
    free(x);
    if (fflush(f) || ferror(f)) bench_die("temporary file", "cannot be written");
}

/* The same numbers as text, with a header. */
static void write_csv(FILE *f, fill *rows_of, int64_t rows, int d)
{
    float *x = malloc((size_t)d * sizeof *x);
    if (!x) bench_die("rows", "out of memory");
    for (int j = 0; j < d; j++) fprintf(f, "%ss%d", j ? "," : "", j + 1);
    for (int64_t i = 0; i < rows; i++) {
        rows_of(x, i, 1, d);
        for (int j = 0; j < d; j++) fprintf(f, "%c%.5g", j ? ',' : '\n', (double)x[j]);
    }
    fputc('\n', f);
    free(x);
    if (fflush(f) || ferror(f)) bench_die("temporary file", "cannot be written");
}

/* ---- one run ------------------------------------------------------------------------------------------ */

typedef struct outcome {
    double wall, cpu; /* seconds */
    double peak;      /* MiB resident */
    int stopped;      /* by the time limit */
    int failed;
} outcome;

/* `program detect FILE -q FLAG...`, its scores thrown away; `seconds`: CPU time after which it is stopped, 0:
 * none. */
static outcome run(char *program, char *path, char **flags, long long seconds)
{
    int count = 0;
    while (flags[count]) count++;
    char **args = calloc((size_t)count + 5, sizeof *args);
    if (!args) bench_die("arguments", "out of memory");
    char *start[] = {program, "detect", path, "-q"};
    memcpy(args, start, sizeof start);
    memcpy(args + 4, flags, (size_t)count * sizeof *args);

    fflush(stdout); /* or the child would write it once more */
    double began = bench_wall();
    pid_t child = fork();
    if (child < 0) bench_die(program, "cannot be started");
    if (child == 0) {
        const struct rlimit most = {(rlim_t)seconds, (rlim_t)seconds};
        if (seconds && setrlimit(RLIMIT_CPU, &most)) _exit(127);
        if (freopen("/dev/null", "w", stdout)) execv(program, args);
        _exit(127);
    }
    int status;
    struct rusage usage;
    if (wait4(child, &status, 0, &usage) != child) bench_die(program, "cannot be waited for");
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) bench_die(program, "cannot be run");
    free(args);
    return (outcome){.wall = bench_wall() - began,
                     .cpu = (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec / 1e6 +
                            (double)usage.ru_stime.tv_sec + (double)usage.ru_stime.tv_usec / 1e6,
                     .peak = (double)usage.ru_maxrss / 1024,
                     .stopped = WIFSIGNALED(status) && seconds > 0,
                     .failed = WIFSIGNALED(status) || WEXITSTATUS(status) != 0};
}

static double data_mib(int64_t rows, int d)
{
    return (double)rows * d * sizeof(float) / MIB;
}

/* A temporary file has no name, so it is gone when this process and the child are. */
static FILE *temporary(char path[32])
{
    FILE *f = tmpfile();
    if (!f) bench_die("temporary file", "cannot be made");
    snprintf(path, 32, "/dev/fd/%d", fileno(f));
    return f;
}

static int run_one(char *program, int64_t rows, int d, char **flags)
{
    char path[32];
    FILE *f = temporary(path);
    write_npy(f, synthetic_fill, rows, d);
    outcome o = run(program, path, flags, 0);
    fclose(f);
    if (o.failed) bench_die(program, "failed");
    double data = data_mib(rows, d);
    printf("%lld rows, %d columns, read from NPY, fitted and scored in %.1f s: peak of %.1f MiB resident = "
           "data as float32 (%.1f MiB) + %.1f MiB; limit + %.0f MiB\n",
           (long long)rows, d, o.wall, o.peak, data, o.peak - data, LIMIT_MIB);
    return o.peak - data > LIMIT_MIB;
}

/* ---- presets and methods on wide tables -----------------------------------------------------------------
 */

/* Groups of rows with units from thousandths to thousands, and a skewed column in each five. */
static void scales_rows(float *x, int64_t first, int64_t rows, int d)
{
    static const double unit[] = {1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1e3};
    synthetic_groups(x, first, rows, d);
    for (int64_t i = 0; i < rows; i++)
        for (int j = 0; j < d; j++) {
            double v = (double)x[i * d + j];
            x[i * d + j] = (float)((j % 5 == 4 ? exp(v) : v + j % 11) * unit[j % 7]);
        }
}

static const struct {
    const char *name;
    fill *rows;
} kinds[] = {{"unit", synthetic_groups}, {"scales", scales_rows}};

static const char *const presets[] = {"auto", "fast", "paper"};
static const char *const methods[] = {"iforest", "hbos",  "ecod",  "copod", "pca", "mcd", "knn",
                                      "lof",     "ocsvm", "cblof", "loda",  "cof", "sod", "bagging"};
#define COUNT(a) (sizeof(a) / sizeof *(a))

typedef struct study {
    char *program;
    const char *sizes, *kinds, *cases, *threads, *data;
    long long seconds;
    int over; /* a run took too much memory */
} study;

/* Whether a list "a,b,c" has this entry; NULL is a list of everything. */
static int has(const char *list, const char *name)
{
    size_t len = strlen(name);
    for (const char *at = list; at && *at; at += strcspn(at, ","), at += *at == ',')
        if (strcspn(at, ",") == len && strncmp(at, name, len) == 0) return 1;
    return !list;
}

/* The next entry of a list of whole numbers, or of two with an x between them. */
static int next_size(const char **list, long long *a, long long *b)
{
    char *end = NULL;
    if (!**list) return 0;
    *a = strtoll(*list, &end, 10);
    if (b && *end == 'x') *b = strtoll(end + 1, &end, 10);
    if (*a < 1 || (b && *b < 1) || (*end && *end != ',')) bench_die(*list, "not a list of sizes");
    *list = end + (*end == ',');
    return 1;
}

static void case_row(study *s, char *path, const char *option, const char *name, double data)
{
    if (!has(s->cases, name)) return;
    const char *list = s->threads;
    for (long long threads; next_size(&list, &threads, NULL);) {
        char text[24], option_text[16], name_text[16];
        snprintf(text, sizeof text, "%lld", threads);
        snprintf(option_text, sizeof option_text, "%s", option);
        snprintf(name_text, sizeof name_text, "%s", name);
        char *flags[] = {option_text, name_text, "--threads", text, NULL};
        outcome o = run(s->program, path, flags, s->seconds);
        double above = o.peak - data;
        int over = above > LIMIT_MIB;
        printf("| %s | %lld | %s%.0f | %.0f | %.0f | %s |\n", name, threads, o.stopped ? "at least " : "",
               above, o.cpu, o.wall,
               over        ? "no"
               : o.stopped ? "stopped"
               : o.failed  ? "failed"
                           : "yes");
        fflush(stdout);
        s->over |= over || (o.failed && !o.stopped);
    }
}

static void table_of(study *s, size_t kind, int64_t rows, int d)
{
    char path[32];
    FILE *f = temporary(path);
    (strcmp(s->data, "csv") == 0 ? write_csv : write_npy)(f, kinds[kind].rows, rows, d);
    double data = data_mib(rows, d);
    printf("\n%lld x %d, `%s`, from %s: %.0f MiB as float32\n\n", (long long)rows, d, kinds[kind].name,
           s->data, data);
    printf("| preset or method | threads | MiB above the data | CPU s | wall s | within %.0f MiB |\n",
           LIMIT_MIB);
    printf("|:--|--:|--:|--:|--:|:--|\n");
    for (size_t i = 0; i < COUNT(presets); i++) case_row(s, path, "--preset", presets[i], data);
    for (size_t i = 0; i < COUNT(methods); i++) case_row(s, path, "--method", methods[i], data);
    fclose(f);
}

static int run_study(int argc, char **argv)
{
    study s = {.program = argv[1],
               .sizes = "100000x1000,10000x5000",
               .threads = "2,1",
               .data = "float32",
               .seconds = 3600};
    for (int i = 3; i + 1 < argc; i += 2) {
        const char *name = argv[i], *value = argv[i + 1];
        if (strcmp(name, "--sizes") == 0)
            s.sizes = value;
        else if (strcmp(name, "--kinds") == 0)
            s.kinds = value;
        else if (strcmp(name, "--cases") == 0)
            s.cases = value;
        else if (strcmp(name, "--threads") == 0)
            s.threads = value;
        else if (strcmp(name, "--data") == 0)
            s.data = value;
        else if (strcmp(name, "--seconds") == 0)
            s.seconds = bench_count(value, 1000000);
        else
            bench_die(name, "unknown option");
    }
    if (argc % 2 == 0) bench_die(argv[argc - 1], "an option without a value, or unknown");
    odim_params *defaults = odim_params_new();
    if (!defaults) bench_die("parameters", "out of memory");
    bench_head(argc, argv, defaults);
    odim_params_free(defaults);
    long long rows = 0, columns = 0;
    for (const char *list = s.sizes; next_size(&list, &rows, &columns);)
        for (size_t k = 0; k < COUNT(kinds); k++)
            if (has(s.kinds, kinds[k].name)) table_of(&s, k, rows, (int)columns);
    return s.over;
}

int main(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[2], "--wide") == 0) return run_study(argc, argv);
    if (argc != 2 && argc < 4)
        bench_die("usage", "memory PROGRAM [ROWS COLUMNS [FLAG...]], or memory PROGRAM --wide");
    int64_t rows = argc > 2 ? bench_count(argv[2], 1000000000) : 2000000;
    int d = argc > 2 ? (int)bench_count(argv[3], 100000) : 10;
    return run_one(argv[1], rows, d, argv + (argc > 4 ? 4 : argc));
}
