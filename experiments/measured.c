/* Measured values in a TSV file that only grows. */
#include "measured.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"

/* The head of a file: five lines, of which the last names the columns. */
enum { MACHINE = 256, HEAD = 5, HEAD_MACHINE = 3 };

struct cells {
    char path[4096];
    int fd; /* to append to; -1: only read, or not there yet */
    tsv table;
    char head[HEAD][TSV_LINE];
    char machine[MACHINE];
};

/* ---- reading ---------------------------------------------------------------------------------------- */

static char *read_all(const cells *c, int fd, size_t *size)
{
    struct stat st;
    if (fstat(fd, &st) != 0) bench_die(c->path, strerror(errno));
    *size = (size_t)st.st_size;
    char *text = malloc(*size + 1);
    if (!text) bench_die(c->path, "out of memory");
    for (size_t done = 0; done < *size;) {
        ssize_t got = pread(fd, text + done, *size - done, (off_t)done);
        if (got <= 0) bench_die(c->path, "cannot be read");
        done += (size_t)got;
    }
    text[*size] = '\0';
    return text;
}

/* What a killed run left of its last line is not a line. */
static void cut_torn(const cells *c, int fd, char *text, size_t *size)
{
    while (*size && text[*size - 1] != '\n') (*size)--;
    text[*size] = '\0';
    if (c->fd >= 0 && ftruncate(fd, (off_t)*size) != 0) bench_die(c->path, strerror(errno));
}

static void expect(const cells *c, const char *line, const char *wanted)
{
    if (strcmp(line, wanted) == 0) return;
    char why[1024];
    snprintf(why, sizeof why,
             "was measured with something else: it has \"%s\", this run has \"%s\"; "
             "choose another --out, or remove the file",
             line, wanted);
    bench_die(c->path, why);
}

static void write_head(char head[HEAD][TSV_LINE], const char *experiment, const char *parameters,
                       const char *columns)
{
    char machine[MACHINE];
    bench_describe(machine, sizeof machine);
    snprintf(head[0], TSV_LINE, "# experiment: %s", experiment);
    snprintf(head[1], TSV_LINE, "# version: %s", odim_version());
    snprintf(head[2], TSV_LINE, "# parameters: %s", *parameters ? parameters : "the defaults");
    snprintf(head[HEAD_MACHINE], TSV_LINE, "# machine: %s", machine);
    snprintf(head[4], TSV_LINE, "set\tsetting\tseed\t%s", columns);
    for (char *p = head[4]; *p; p++)
        if (*p == ' ') *p = '\t';
}

static void read_line(cells *c, int number, char *line)
{
    if (number < HEAD && number != HEAD_MACHINE) expect(c, line, c->head[number]);
    if (strncmp(line, "# machine: ", 11) == 0) snprintf(c->machine, sizeof c->machine, "%s", line + 11);
    if (*line == '#' || number < HEAD) return;
    tsv_row row;
    if (!tsv_parse_row(&c->table, line, &row)) tsv_die(c->path, number + 1, line);
    tsv_add(&c->table, &row);
}

/* ---- writing ---------------------------------------------------------------------------------------- */

static void lock(const char *path, int fd)
{
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) bench_die(path, "another run is writing to it");
}

/* At once: another process sees all of it or nothing. */
static void append(const cells *c, const char *text)
{
    size_t size = strlen(text);
    if (write(c->fd, text, size) != (ssize_t)size) bench_die(c->path, "cannot be written");
}

/* The head, where there is none, or the machine, where the cells so far are of another one. */
static void append_head(cells *c)
{
    if (c->fd < 0) { /* the file begins with its first cell */
        c->fd = open(c->path, O_RDWR | O_CREAT | O_EXCL | O_APPEND, 0666);
        if (c->fd < 0) bench_die(c->path, strerror(errno));
        lock(c->path, c->fd);
    }
    char text[HEAD * (TSV_LINE + 1) + 1];
    const char *machine = c->head[HEAD_MACHINE] + 11;
    if (!*c->machine) {
        snprintf(text, sizeof text, "%s\n%s\n%s\n%s\n%s\n", c->head[0], c->head[1], c->head[2], c->head[3],
                 c->head[4]);
        append(c, text);
    } else if (strcmp(c->machine, machine) != 0) {
        snprintf(text, sizeof text, "%s\n", c->head[HEAD_MACHINE]);
        append(c, text);
    }
    snprintf(c->machine, sizeof c->machine, "%s", machine);
}

void cells_add(cells *c, const char *set, const char *setting, int seed, const double *values)
{
    char line[TSV_LINE];
    size_t used = (size_t)snprintf(line, sizeof line, "%s\t%s\t%d", set, setting, seed);
    for (int i = 0; i < c->table.columns && used < sizeof line; i++)
        used += (size_t)(isfinite(values[i]) ? snprintf(line + used, sizeof line - used, "\t%.6g", values[i])
                                             : snprintf(line + used, sizeof line - used, "\t-"));
    tsv_row row;
    if (used + 2 > sizeof line || !tsv_parse_row(&c->table, line, &row)) bench_die(set, "bad name of a cell");
    line[used] = '\n';
    line[used + 1] = '\0';
    append_head(c);
    append(c, line);
    tsv_add(&c->table, &row);
}

/* ---- the file --------------------------------------------------------------------------------------- */

/* -1: there is no such file yet, which is fine for a writer. */
static int open_file(const char *path, int writing)
{
    int fd = open(path, writing ? O_RDWR | O_APPEND : O_RDONLY);
    if (fd < 0 && !(writing && errno == ENOENT)) bench_die(path, strerror(errno));
    if (fd >= 0 && writing) lock(path, fd);
    return fd;
}

/* Reads what is there. */
static void read_file(cells *c, int fd)
{
    size_t size;
    char *text = read_all(c, fd, &size);
    cut_torn(c, fd, text, &size);
    int number = 0;
    for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        read_line(c, number++, line);
    }
    free(text);
    if (number > 0 && number < HEAD) bench_die(c->path, "has no head; remove it");
}

cells *cells_open(const char *path, const char *experiment, const char *parameters, const char *columns,
                  int writing)
{
    cells *c = calloc(1, sizeof *c);
    if (!c) bench_die(path, "out of memory");
    snprintf(c->path, sizeof c->path, "%s", path);
    c->table.keys = 3;
    write_head(c->head, experiment, parameters, columns);
    if (!tsv_parse_names(&c->table, c->head[HEAD - 1])) bench_die(path, "too many columns");
    int fd = open_file(path, writing);
    c->fd = writing ? fd : -1;
    if (fd >= 0) read_file(c, fd);
    if (!writing) close(fd);
    return c;
}

void cells_close(cells *c)
{
    if (!c) return;
    if (c->fd >= 0) close(c->fd);
    free(c->table.rows);
    free(c);
}

/* ---- looking ---------------------------------------------------------------------------------------- */

int cells_has(const cells *c, const char *set, const char *setting, int seed)
{
    char text[16];
    snprintf(text, sizeof text, "%d", seed);
    return tsv_find(&c->table, set, setting, text) != NULL;
}

const tsv *cells_all(const cells *c)
{
    return &c->table;
}

double cells_mean(const cells *c, const char *set, const char *setting, const char *column, int *count)
{
    double sum = 0;
    int seeds = 0;
    for (int i = 0; i < c->table.count; i++) {
        const tsv_row *row = &c->table.rows[i];
        double value = tsv_value(&c->table, row, column);
        if (strcmp(row->key[0], set) != 0 || strcmp(row->key[1], setting) != 0 || isnan(value)) continue;
        sum += value;
        seeds++;
    }
    if (count) *count = seeds;
    return seeds ? sum / seeds : NAN;
}

const char *cells_machine(const cells *c)
{
    return c->machine;
}
