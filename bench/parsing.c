/*
 * How fast are cells parsed, as programs write them and as people do?
 *
 *     parsing [ROWS [FORMAT...]]        default: 300000, all formats
 *
 * Writes the same ten columns in each format: plain numbers; German and French ones, with units and without;
 * US ones in quotes; dates as ISO 8601 and as dd.mm.yyyy. Then, in turns, reads each file five times: a pass
 * for the types of its columns and another for its values. Times are CPU times, the least of the five, and
 * the last column is the speed in cells per second as a part of that of plain numbers.
 *
 * For counts of instructions: valgrind --tool=callgrind bench/parsing 20000 plain
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "synthetic.h"

enum { COLUMNS = 10, TURNS = 5, FORMATS = 8 };

/* How the numbers of a file are written, or its dates. */
typedef struct format {
    const char *name, *delimiter, *decimal, *thousands, *before, *behind, *date;
} format;

static const format formats[FORMATS] = {
    {"plain", ",", ".", "", "", "", NULL},
    {"german", ";", ",", ".", "", "", NULL},
    {"german-euro", ";", ",", ".", "", " \xE2\x82\xAC", NULL},
    {"french", ";", ",", "\xC2\xA0", "", "", NULL},
    {"french-euro", ";", ",", "\xC2\xA0", "", "\xC2\xA0\xE2\x82\xAC", NULL},
    {"us-quoted", ",", ".", ",", "\"$", "\"", NULL},
    {"iso-date", ",", NULL, NULL, NULL, NULL, "%04d-%02d-%02d"},
    {"german-date", ";", NULL, NULL, NULL, NULL, "%3$02d.%2$02d.%1$04d"}};

typedef struct file {
    char path[32];
    double types, values; /* seconds */
} file;

static void put_number(FILE *f, const format *a, double v)
{
    long long parts = llround(fabs(v) * 1e4), whole = parts / 10000;
    fprintf(f, "%s%s", v < 0 ? "-" : "", a->before);
    if (whole >= 1000)
        fprintf(f, "%lld%s%03lld", whole / 1000, a->thousands, whole % 1000);
    else
        fprintf(f, "%lld", whole);
    fprintf(f, "%s%04lld%s", a->decimal, parts % 10000, a->behind);
}

/* A day of 28 years, of months that all have 28 days. */
static void put_date(FILE *f, const format *a, double v)
{
    int day = (int)llround(fabs(v)) % (28 * 12 * 28);
    fprintf(f, a->date, 1996 + day / (12 * 28), 1 + day / 28 % 12, 1 + day % 28);
}

static void write_csv(FILE *f, const format *a, int64_t rows)
{
    enum { BLOCK = 64 };
    float x[BLOCK * COLUMNS];
    for (int j = 0; j < COLUMNS; j++) fprintf(f, "%ssensor%d", j ? a->delimiter : "", j + 1);
    fputc('\n', f);
    for (int64_t first = 0; first < rows; first += BLOCK) {
        int64_t count = rows - first < BLOCK ? rows - first : BLOCK;
        synthetic_fill(x, first, count, COLUMNS);
        for (int64_t i = 0; i < count * COLUMNS; i++) {
            double v = 20000.0 * (double)x[i];
            a->date ? put_date(f, a, v) : put_number(f, a, v);
            fputs((i + 1) % COLUMNS ? a->delimiter : "\n", f);
        }
    }
    if (fflush(f) || ferror(f)) bench_die("temporary file", "cannot be written");
}

static void make(file *to, const format *a, int64_t rows)
{
    strcpy(to->path, "/tmp/odim-parsing-XXXXXX");
    int fd = mkstemp(to->path);
    FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!f) bench_die("temporary file", "cannot be made");
    write_csv(f, a, rows);
    fclose(f);
    to->types = to->values = INFINITY;
}

static void parse(file *from, int64_t rows)
{
    odim_error err;
    odim_reader *reader;
    const odim_table *block;
    int64_t got = 0;
    double start = bench_cpu();
    bench_check(from->path, odim_reader_open(&reader, from->path, NULL, &err), &err);
    from->types = fmin(from->types, bench_cpu() - start);
    start = bench_cpu();
    do {
        bench_check(from->path, odim_reader_next(reader, 8192, &block, &err), &err);
        got += odim_table_rows(block);
    } while (odim_table_rows(block) > 0);
    from->values = fmin(from->values, bench_cpu() - start);
    odim_reader_free(reader);
    if (got != rows) bench_die(from->path, "was read with another number of rows");
}

static int is_wanted(const char *name, char **list)
{
    if (!list[0]) return 1;
    while (*list && strcmp(*list, name) != 0) list++;
    return *list != NULL;
}

int main(int argc, char **argv)
{
    static file files[FORMATS];
    char about[256], *all[] = {NULL}, **list = argc > 2 ? argv + 2 : all;
    int64_t rows = argc > 1 ? bench_count(argv[1], 100000000) : 300000;
    for (int k = 0; k < FORMATS; k++)
        if (is_wanted(formats[k].name, list)) make(&files[k], &formats[k], rows);
    for (int turn = 0; turn < (argc > 2 ? 1 : TURNS); turn++)
        for (int k = 0; k < FORMATS; k++)
            if (*files[k].path) parse(&files[k], rows);
    bench_describe(about, sizeof about);
    printf("- Machine and version: %s; one thread\n- %lld rows, %d columns\n\n", about, (long long)rows,
           COLUMNS);
    printf(
        "| format | types, ns per cell | values, ns per cell | both | of plain |\n|:--|--:|--:|--:|--:|\n");
    for (int k = 0; k < FORMATS; k++) {
        if (!*files[k].path) continue;
        double cells = (double)rows * COLUMNS * 1e-9, plain = files[0].types + files[0].values;
        double types = files[k].types / cells, values = files[k].values / cells;
        printf("| %s | %.1f | %.1f | %.1f | %.0f %% |\n", formats[k].name, types, values, types + values,
               100.0 * plain / (files[k].types + files[k].values));
        unlink(files[k].path);
    }
    return 0;
}
