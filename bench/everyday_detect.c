/* Reads everyday tables from text and detects, and compares local formats with the plain CSV. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "everyday.h"

ed_found ed_detect(const ed_table *t, const char *text, size_t size, const char *const *formats,
                   const odim_params *params)
{
    ed_found f = {0};
    odim_read_options options = ODIM_READ_OPTIONS_INIT;
    odim_error err;
    char name[80];
    snprintf(name, sizeof name, "%s.csv", t->spec->name);
    options.formats = formats;
    double start = bench_wall();
    bench_check(name, odim_table_read_memory(&f.table, text, size, name, &options, &err), &err);
    f.rows = odim_table_rows(f.table);
    if (f.rows != t->rows) bench_die(name, "was read with another number of rows");
    f.scores = malloc((size_t)f.rows * sizeof *f.scores);
    if (!f.scores) bench_die(name, "out of memory");
    bench_check(name, odim_detect(f.table, params, NULL, &f.model, f.scores, &err), &err);
    f.seconds = bench_wall() - start;
    return f;
}

void ed_release(ed_found *f)
{
    odim_model_free(f->model);
    odim_table_free(f->table);
    free(f->scores);
}

/* ---- local formats ---------------------------------------------------------------------------------- */

/* Rows that differ. */
typedef struct difference {
    int64_t scores, calls;
    int64_t first; /* of them, from 0 */
} difference;

static difference compare(const ed_found *plain, const ed_found *local)
{
    difference d = {0};
    for (int64_t i = 0; i < plain->rows; i++) {
        int score = memcmp(&plain->scores[i], &local->scores[i], sizeof(double)) != 0;
        int call = bench_is_called(plain->model, plain->scores[i]) !=
                   bench_is_called(local->model, local->scores[i]);
        if ((score || call) && !d.scores && !d.calls) d.first = i;
        d.scores += score;
        d.calls += call;
    }
    return d;
}

static int has_money(const ed_table *t)
{
    for (int c = 0; c < t->cols; c++)
        if (t->spec->columns[c].unit && strcmp(t->spec->columns[c].unit, ED_MONEY) == 0) return 1;
    return 0;
}

/* Whether a cell of the column is beyond the twelfth of its month. */
static int shows_day(const ed_table *t, int col)
{
    double unit = t->spec->columns[col].type == ED_TIME ? 86400.0 : 1.0;
    for (int64_t i = 0; i < t->rows; i++) {
        int year, month, day;
        double v = t->spoilt[i * t->cols + col];
        if (isnan(v)) continue;
        ed_civil(floor(v / unit), &year, &month, &day);
        if (day > 12) return 1;
    }
    return 0;
}

/* The columns whose order of day and month nothing in the file shows, not even a currency, and that order: as
 * odim_read_options takes them. */
static void tell_orders(const ed_table *t, ed_format format, const char *told[2 * ED_COLUMNS + 1])
{
    int n = 0;
    for (int c = 0; c < t->cols && !has_money(t); c++) {
        ed_type type = t->spec->columns[c].type;
        if ((type != ED_DATE && type != ED_TIME) || shows_day(t, c)) continue;
        told[n++] = t->spec->columns[c].name;
        told[n++] = format == ED_US ? "mdy" : "dmy";
    }
    told[n] = NULL;
}

/* What helps to find out why. */
static void tell(const ed_table *t, const char *format, const char *encoding, const ed_found *plain,
                 const ed_found *local, const difference *d)
{
    fprintf(stderr, BENCH_NAME ": %s, %s, %s: first in row %lld, score %.17g, plain %.17g\n", t->spec->name,
            format, encoding, (long long)d->first + 1, local->scores[d->first], plain->scores[d->first]);
    for (int i = 0; odim_table_note(local->table, i); i++)
        fprintf(stderr, "    %s\n", odim_table_note(local->table, i));
}

/* 1: it is the same, 0: it is not, -1: it cannot be written so. */
static int compare_one(const ed_table *t, const ed_found *plain, const char *text, size_t size,
                       ed_format format, ed_encoding encoding, const odim_params *params)
{
    size_t length;
    char *bytes = ed_encode(text, size, encoding, &length);
    if (!bytes) {
        printf(" - |");
        return -1;
    }
    const char *told[2 * ED_COLUMNS + 1];
    tell_orders(t, format, told);
    ed_found local = ed_detect(t, bytes, length, told, params);
    difference d = compare(plain, &local);
    int same = d.scores == 0 && d.calls == 0;
    if (same)
        printf(" same |");
    else
        printf(" %lld scores and %lld calls differ |", (long long)d.scores, (long long)d.calls);
    if (!same) tell(t, ed_format_name(format), ed_encoding_name(encoding), plain, &local, &d);
    free(bytes);
    ed_release(&local);
    return same;
}

void ed_compare_formats(const ed_table *t, unsigned formats, const odim_params *params, int64_t *same,
                        int64_t *other)
{
    size_t size;
    char *text = ed_csv(t, t->spoilt, &size);
    ed_found plain = ed_detect(t, text, size, NULL, params);
    free(text);
    for (int k = 0; k < ED_FORMATS; k++) {
        if (!(formats >> k & 1)) continue;
        text = ed_local_csv(t, t->spoilt, (ed_format)k, &size);
        printf("| %02d %s | %s |", t->number, t->spec->name, ed_format_name((ed_format)k));
        for (int e = 0; e < ED_ENCODINGS; e++) {
            int result = compare_one(t, &plain, text, size, (ed_format)k, (ed_encoding)e, params);
            *same += result == 1;
            *other += result == 0;
        }
        printf("\n");
        fflush(stdout);
        free(text);
    }
    ed_release(&plain);
}

void ed_print_formats_heading(void)
{
    printf("| table | format |");
    for (int e = 0; e < ED_ENCODINGS; e++) printf(" %s |", ed_encoding_name((ed_encoding)e));
    printf("\n|:--|:--|:--|:--|:--|\n");
}
