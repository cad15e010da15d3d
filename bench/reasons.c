/*
 * Does the first reason name the column where the fault is? Plants faults in one column of a row in a
 * hundred, fits a model on that table, explains the faulty rows and counts. Then the time that explaining
 * takes.
 *
 *     reasons [--seeds N] [--preset NAME] [--set PARAM=VALUE]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "faults.h"
#include "score/explain.h"
#include "synthetic.h"
#include "common/compare.h"

static const int64_t widths[] = {3, 6, 10, 30};
enum { WIDTHS = sizeof widths / sizeof *widths, TIMED_ROWS = 100000, TIMED_COLS = 10 };

/* Which rows are counted. */
enum { ALL, DETECTED, CLEAR, SETS };

typedef struct count {
    int rows[SETS], right[SETS], plain[SETS]; /* right: with mending; plain: by excess alone */
    double error, plain_error;                /* of clear rows: expected against original value, in sd */
} count;

/* ---- one table ---- */

static odim_table *wrap(const double *cells, int64_t n, int64_t d)
{
    odim_table *t;
    odim_error err;
    bench_check("table", odim_table_wrap_f64(&t, cells, n, d, 0, NULL, &err), &err);
    return t;
}

static double *room(int64_t numbers)
{
    double *p = malloc((size_t)numbers * sizeof *p);
    if (!p) bench_die("memory", "out of it");
    return p;
}

static double *score(const odim_model *m, const odim_table *t)
{
    odim_error err;
    double *s = room(t->n);
    bench_check("score", odim_score_raw(m, t, NULL, NULL, s, &err), &err);
    return s;
}

/* The scores that 99 % and 90 % of the rows without a fault stay below. */
static void limits(const faulty_table *f, const double *scores, double *high, double *score_p90)
{
    double *clean = room(f->n);
    int64_t n = 0, next = 0;
    for (int64_t i = 0; i < f->n; i++) {
        if (next < f->planted && f->row[next] == i)
            next++;
        else
            clean[n++] = scores[i];
    }
    qsort(clean, (size_t)n, sizeof *clean, od_compare_double);
    *high = clean[n * 99 / 100];
    *score_p90 = clean[n * 9 / 10];
    free(clean);
}

static int64_t largest(const double *x, int64_t n)
{
    int64_t at = 0;
    for (int64_t j = 1; j < n; j++)
        if (x[j] > x[at]) at = j;
    return at;
}

static od_reasons explain(const odim_model *m, const odim_table *t, const faulty_table *f)
{
    odim_error err;
    od_reasons r = {.share = room(f->planted * f->d), .expected = (float *)room(f->planted * f->d)};
    bench_check("explain",
                od_explain_rows(m, &(od_table_rows){t, f->row, f->planted}, &(od_run){0, NULL}, &r, &err),
                &err);
    return r;
}

/* How far the expected value of the faulty column is from the one before the fault. */
static double expected_error(const odim_model *m, const faulty_table *f, const od_reasons *r, int64_t i)
{
    int64_t c = f->column[i], j = m->schema.col[c].first;
    double value = (double)r->expected[i * f->d + j] * m->schema.width[j] + m->schema.shift[j];
    return fabs(value - f->original[i * f->d + c]) / f->sd[c];
}

static void votes(count *to, odim_model *m, const odim_table *t, const faulty_table *f)
{
    odim_table *before = wrap(f->original, f->planted, f->d);
    double *now = score(m, t), *then = score(m, before), high, score_p90;
    limits(f, now, &high, &score_p90);
    od_reasons mended = explain(m, t, f);
    m->score_p90 = INFINITY; /* nothing is doubtful now */
    od_reasons plain = explain(m, t, f);
    for (int64_t i = 0; i < f->planted; i++) {
        bool detected = now[f->row[i]] > high, clear = detected && then[i] < score_p90;
        for (int set = ALL; set <= (clear ? CLEAR : detected ? DETECTED : ALL); set++) {
            to->rows[set]++;
            to->right[set] += largest(mended.share + i * f->d, f->d) == f->column[i];
            to->plain[set] += largest(plain.share + i * f->d, f->d) == f->column[i];
        }
        if (clear) to->error += expected_error(m, f, &mended, i);
        if (clear) to->plain_error += expected_error(m, f, &plain, i);
    }
    free(now), free(then);
    free(mended.share), free(mended.expected);
    free(plain.share), free(plain.expected);
    odim_table_free(before);
}

static void run_table(count *to, int kind, int64_t d, fault what, uint64_t seed, odim_params *p)
{
    faulty_table f = faults_make(kind, d, what, seed);
    odim_table *t = wrap(f.cells, f.n, d);
    odim_model *m;
    odim_error err;
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)seed);
    bench_set(p, "seed", text);
    bench_check("fit", odim_fit(t, p, NULL, &m, &err), &err);
    if (f.planted) votes(to, m, t, &f);
    odim_model_free(m);
    odim_table_free(t);
    faults_free(&f);
}

/* ---- report ---- */

static void add(count *to, const count *c)
{
    for (int set = 0; set < SETS; set++) {
        to->rows[set] += c->rows[set];
        to->right[set] += c->right[set];
        to->plain[set] += c->plain[set];
    }
    to->error += c->error;
    to->plain_error += c->plain_error;
}

static void cell(int right, int rows)
{
    if (rows)
        printf(" %.1f |", 100.0 * right / rows);
    else
        printf(" |");
}

static void print(const char *name, const char *width, const count *c)
{
    printf("| %s | %s |", name, width);
    for (int set = 0; set < SETS; set++) {
        printf(" %d |", c->rows[set]);
        cell(c->right[set], c->rows[set]);
    }
    cell(c->plain[CLEAR], c->rows[CLEAR]);
    if (c->rows[CLEAR])
        printf(" %.2f | %.2f |\n", c->error / c->rows[CLEAR], c->plain_error / c->rows[CLEAR]);
    else
        printf(" | |\n");
}

static void run_fault(fault what, int seeds, odim_params *p)
{
    count total = {.error = 0};
    printf("| table | columns | planted | right | detected | right | clear | right | by excess alone "
           "| error of expected | by excess alone |\n"
           "|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    for (int kind = 0; kind < FAULTS_KINDS; kind++) {
        for (int w = 0; w < WIDTHS; w++) {
            if (!faults_possible(kind, widths[w], what)) continue;
            count c = {.error = 0};
            char width[24];
            for (int seed = 0; seed < seeds; seed++) run_table(&c, kind, widths[w], what, (uint64_t)seed, p);
            snprintf(width, sizeof width, "%lld", (long long)widths[w]);
            print(faults_kind(kind), width, &c);
            fflush(stdout);
            add(&total, &c);
        }
    }
    print("all", "", &total);
}

/* Explaining every row of a table beside scoring every row of it. */
static void time_it(odim_params *p)
{
    float *x = (float *)room(TIMED_ROWS * TIMED_COLS);
    odim_table *t;
    odim_model *m;
    odim_error err;
    od_reasons r = {.share = room(TIMED_ROWS * TIMED_COLS),
                    .expected = (float *)room(TIMED_ROWS * TIMED_COLS)};
    synthetic_fill(x, 0, TIMED_ROWS, TIMED_COLS);
    bench_check("table", odim_table_wrap_f32(&t, x, TIMED_ROWS, TIMED_COLS, 0, NULL, &err), &err);
    bench_check("fit", odim_fit(t, p, NULL, &m, &err), &err);
    double start = bench_cpu();
    free(score(m, t));
    double scored = bench_cpu();
    bench_check("explain",
                od_explain_rows(m, &(od_table_rows){t, NULL, TIMED_ROWS}, &(od_run){0, NULL}, &r, &err),
                &err);
    double explained = bench_cpu();
    printf("\n%d rows of %d columns, seconds of CPU: scored in %.1f, explained in %.1f, which is %.1f times "
           "as long.\n",
           TIMED_ROWS, TIMED_COLS, scored - start, explained - scored,
           (explained - scored) / (scored - start));
    free(r.share), free(r.expected), free(x);
    odim_model_free(m);
    odim_table_free(t);
}

int main(int argc, char **argv)
{
    int seeds = 4;
    const char *preset = "paper", *more = NULL;
    for (int i = 1; i < argc; i++) {
        if (i + 1 < argc && strcmp(argv[i], "--seeds") == 0)
            seeds = (int)bench_count(argv[++i], 1000);
        else if (i + 1 < argc && strcmp(argv[i], "--preset") == 0)
            preset = argv[++i];
        else if (i + 1 < argc && strcmp(argv[i], "--set") == 0)
            more = argv[++i];
        else
            bench_die(argv[i], "usage: reasons [--seeds N] [--preset NAME] [--set PARAM=VALUE]");
    }
    odim_params *p = odim_params_new();
    if (!p) bench_die("memory", "out of it");
    bench_set(p, "preset", preset);
    if (more) bench_assign(p, more);
    char machine[256];
    bench_describe(machine, sizeof machine);
    printf("- Machine and version: %s\n- Models: `%s`%s%s, %d seeds\n\n### A value beyond its range\n\n",
           machine, preset, more ? ", " : "", more ? more : "", seeds);
    run_fault(FAULT_EXTREME, seeds, p);
    printf("\n### A value that does not go with the others\n\n");
    run_fault(FAULT_RELATION, seeds, p);
    printf("\n### A value of another row, whether or not the table tells that it is wrong\n\n");
    run_fault(FAULT_ANY, seeds, p);
    time_it(p);
    odim_params_free(p);
    return 0;
}
