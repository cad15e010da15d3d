/* Reads tab-separated tables of numbers. */
#include "tsv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

/* The next field of a line, which is cut to what fits into `out`; NULL after the last. */
static const char *next_field(const char *at, char out[TSV_NAME])
{
    if (!at) return NULL;
    size_t len = strcspn(at, "\t");
    snprintf(out, TSV_NAME, "%.*s", (int)(len < TSV_NAME ? len : TSV_NAME - 1), at);
    return at[len] ? at + len + 1 : at + len;
}

static int count_fields(const char *line)
{
    int count = 1;
    for (; *line; line++) count += *line == '\t';
    return count;
}

int tsv_parse_names(tsv *t, const char *line)
{
    int columns = count_fields(line) - t->keys;
    if (columns < 1 || columns > TSV_MOST) return 0;
    char key[TSV_NAME];
    for (int i = 0; i < t->keys; i++) line = next_field(line, key);
    for (int i = 0; i < columns; i++) line = next_field(line, t->names[i]);
    t->columns = columns;
    return 1;
}

static int parse_number(const char *text, double *out)
{
    if (!*text || strcmp(text, "-") == 0) {
        *out = NAN;
        return 1;
    }
    char *end;
    *out = strtod(text, &end);
    return !*end;
}

int tsv_parse_row(const tsv *t, const char *line, tsv_row *out)
{
    if (count_fields(line) != t->keys + t->columns) return 0;
    memset(out, 0, sizeof *out);
    char field[TSV_NAME];
    for (int i = 0; i < t->keys; i++) line = next_field(line, out->key[i]);
    for (int i = 0; i < t->columns; i++) {
        line = next_field(line, field);
        if (!parse_number(field, &out->value[i])) return 0;
    }
    return 1;
}

void tsv_add(tsv *t, const tsv_row *row)
{
    if ((t->count & (t->count - 1)) == 0) { /* it is full at every power of two */
        tsv_row *rows = realloc(t->rows, (size_t)(t->count ? 2 * t->count : 1) * sizeof *rows);
        if (!rows) bench_die("table", "out of memory");
        t->rows = rows;
    }
    t->rows[t->count++] = *row;
}

void tsv_die(const char *path, int number, const char *line)
{
    char why[TSV_LINE + 64];
    snprintf(why, sizeof why, "line %d is no row of the table: '%s'", number, line);
    bench_die(path, why);
}

tsv *tsv_read(const char *path, int keys)
{
    FILE *f = fopen(path, "r");
    if (!f) bench_die(path, "cannot be opened");
    tsv *t = calloc(1, sizeof *t);
    if (!t) bench_die(path, "out of memory");
    t->keys = keys;
    char line[TSV_LINE];
    tsv_row row;
    for (int number = 1; fgets(line, sizeof line, f); number++) {
        line[strcspn(line, "\r\n")] = '\0';
        if (*line == '#' || !*line) continue;
        if (!t->columns) {
            if (!tsv_parse_names(t, line)) bench_die(path, "does not begin with the names of columns");
        } else if (tsv_parse_row(t, line, &row)) {
            tsv_add(t, &row);
        } else {
            tsv_die(path, number, line);
        }
    }
    fclose(f);
    if (!t->columns) bench_die(path, "is empty");
    return t;
}

void tsv_free(tsv *t)
{
    if (t) free(t->rows);
    free(t);
}

int tsv_column(const tsv *t, const char *name)
{
    for (int i = 0; i < t->columns; i++)
        if (strcmp(t->names[i], name) == 0) return i;
    return -1;
}

const tsv_row *tsv_find(const tsv *t, const char *key0, const char *key1, const char *key2)
{
    for (int i = 0; i < t->count; i++) {
        const tsv_row *row = &t->rows[i];
        if (strcmp(row->key[0], key0) != 0) continue;
        if (t->keys > 1 && strcmp(row->key[1], key1) != 0) continue;
        if (t->keys > 2 && strcmp(row->key[2], key2) != 0) continue;
        return row;
    }
    return NULL;
}

double tsv_value(const tsv *t, const tsv_row *row, const char *name)
{
    int column = tsv_column(t, name);
    return row && column >= 0 ? row->value[column] : NAN;
}
