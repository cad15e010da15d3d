/*
 * Are obvious errors found, and ordinary rows left alone? Synthetic everyday tables with planted errors, and
 * the same tables without.
 *
 *     everyday [--state N] [--half even|odd] [--tables NAME,...] [--most-rows N] [--set PARAMETER=VALUE]...
 *     everyday --write DIR [--state N] [--half ...] [--tables ...] [--most-rows N]
 *     everyday --formats all|NAME,... [--state N] [--half ...] [--tables ...] [--most-rows N] [--set ...]...
 *     everyday --reasons N [--state N] [--half ...] [--tables ...] [--most-rows N] [--set ...]...
 *
 * --state: what the tables are made from (1). --half: the tables with even numbers are for choosing rules,
 * those with odd ones for looking once. --write: no measuring; NN_name.csv, NN_name.clean.csv and
 * NN_name.truth.csv (row from 1, kind of error, whether it is gross, column) go to the folder. --reasons: of
 * the planted rows that are called, how often is the column of the error the first reason, and how often is
 * it among the first N? --formats: does each table, written as people write it in the US, in Germany,
 * Switzerland, France and India and in three encodings, give the same scores to the bit and the same called
 * rows as the plain CSV? Exit status 1 if not. With --write, these files are written too.
 *
 * Tables are read as `odim detect FILE` reads them. A planted error is gross when its value is far outside of
 * its column: everyday.h says how far.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "everyday.h"
#include "../tests/reasons.h"

typedef struct options {
    uint64_t state;
    int half; /* 0: both, 1: odd, 2: even */
    const char *tables, *folder;
    int64_t most_rows, reasons;
    unsigned formats; /* a bit for each ed_format */
    odim_params *params;
} options;

typedef struct votes {
    int64_t planted, called; /* of these */
    int64_t gross, gross_called, gross_first;
    double other, clean; /* shares of rows called, of those not planted and in the clean twin */
    double seconds;
} votes;

typedef struct by_kind {
    int64_t planted, called, first, gross, gross_called;
} by_kind;

/* ---- one table -------------------------------------------------------------------------------------- */

static int is_called(const ed_found *f, int64_t row)
{
    return bench_is_called(f->model, f->scores[row]);
}

static ed_found detect(const ed_table *t, const double *cells, const odim_params *params)
{
    size_t size;
    char *text = ed_csv(t, cells, &size);
    ed_found f = ed_detect(t, text, size, NULL, params);
    free(text);
    return f;
}

static double share_called(const ed_table *t, const odim_params *params)
{
    ed_found f = detect(t, t->clean, params);
    int64_t called = 0;
    for (int64_t i = 0; i < f.rows; i++) called += is_called(&f, i);
    ed_release(&f);
    return (double)called / (double)t->rows;
}

static votes judge(const ed_table *t, const odim_params *params, by_kind kinds[ED_KINDS])
{
    ed_found f = detect(t, t->spoilt, params);
    int64_t *ranks = malloc((size_t)f.rows * sizeof *ranks);
    odim_error err;
    if (!ranks) bench_die(t->spec->name, "out of memory");
    bench_check(t->spec->name, odim_rank(f.scores, f.rows, ranks, &err), &err);
    votes y = {.planted = t->planted, .gross = t->gross, .seconds = f.seconds};
    int64_t others = 0;
    for (int64_t i = 0; i < t->rows; i++) {
        const ed_truth *e = &t->truth[i];
        int called = is_called(&f, i), first = ranks[i] <= 5 + t->planted;
        if (!e->kind) {
            others += called;
            continue;
        }
        by_kind *k = &kinds[e->kind];
        k->planted++;
        k->called += called;
        k->first += first;
        k->gross += e->gross;
        k->gross_called += e->gross && called;
        y.called += called;
        y.gross_called += e->gross && called;
        y.gross_first += e->gross && first;
    }
    y.other = (double)others / (double)(t->rows - t->planted);
    free(ranks);
    ed_release(&f);
    y.clean = share_called(t, params);
    return y;
}

/* ---- reasons ---------------------------------------------------------------------------------------- */

typedef struct named {
    int64_t called, first, among; /* planted rows; of these, those whose reasons name the column */
} named;

static int is_named(const odim_model *m, const ed_table *t, const ed_truth *e, const odim_reason *reason)
{
    odim_column_info c = ODIM_COLUMN_INFO_INIT;
    odim_error err;
    if (reason->col < 0) return 0;
    bench_check("column", odim_model_column(m, reason->col, &c, &err), &err);
    return strcmp(c.name, t->spec->columns[e->col].name) == 0 ||
           (e->other >= 0 && strcmp(c.name, t->spec->columns[e->other].name) == 0);
}

static void add_named(named *to, int64_t called, int64_t first, int64_t among)
{
    to->called += called;
    to->first += first;
    to->among += among;
}

static named judge_reasons(const ed_table *t, const options *o, named kinds[ED_KINDS])
{
    ed_found f = detect(t, t->spoilt, o->params);
    odim_reason *reason = malloc((size_t)o->reasons * sizeof *reason);
    odim_error err;
    named all = {0};
    if (!reason) bench_die(t->spec->name, "out of memory");
    for (int64_t i = 0; i < t->rows; i++) {
        const ed_truth *e = &t->truth[i];
        if (!e->kind || !is_called(&f, i)) continue;
        int first = 0, among = 0;
        bench_check(t->spec->name, explain_rows(f.model, f.table, &i, 1, (int)o->reasons, reason, &err),
                    &err);
        for (int64_t k = 0; k < o->reasons; k++) {
            int right = is_named(f.model, t, e, &reason[k]);
            first |= right && k == 0;
            among |= right;
        }
        add_named(&all, 1, first, among);
        add_named(&kinds[e->kind], 1, first, among);
    }
    free(reason);
    ed_release(&f);
    return all;
}

static void print_named(const char *name, const named *n)
{
    printf("| %s | %lld | %lld | %lld |\n", name, (long long)n->called, (long long)n->first,
           (long long)n->among);
    fflush(stdout);
}

static void print_named_heading(const char *what, int64_t reasons)
{
    printf("| %s | called | first reason | among the first %lld |\n|:--|--:|--:|--:|\n", what,
           (long long)reasons);
}

static void print_named_kinds(const named kinds[ED_KINDS], int64_t reasons)
{
    named all = {0};
    for (int k = 1; k < ED_KINDS; k++) add_named(&all, kinds[k].called, kinds[k].first, kinds[k].among);
    print_named("all", &all);
    printf("\n");
    print_named_heading("kind of error", reasons);
    for (int k = 1; k < ED_KINDS; k++)
        if (kinds[k].called) print_named(ed_kind_name((ed_kind)k), &kinds[k]);
}

/* ---- printing --------------------------------------------------------------------------------------- */

static void print_heading(void)
{
    printf("| table | rows | planted | called | gross called | gross in the first ranks | other rows called "
           "| clean "
           "twin called | seconds |\n|:--|--:|--:|--:|--:|--:|--:|--:|--:|\n");
}

static void print_table(const ed_table *t, const votes *y)
{
    printf("| %02d %s | %lld | %lld | %lld | %lld/%lld | %lld/%lld | %.2f %% | %.2f %% | %.2f |\n", t->number,
           t->spec->name, (long long)t->rows, (long long)y->planted, (long long)y->called,
           (long long)y->gross_called, (long long)y->gross, (long long)y->gross_first, (long long)y->gross,
           100 * y->other, 100 * y->clean, y->seconds);
    fflush(stdout);
}

static double share(int64_t part, int64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

static void print_total(const votes *all, int count)
{
    votes s = {0};
    double worst_other = 0, worst_clean = 0, mean_gross = 0, mean_first = 0;
    int with_gross = 0, silent = 0;
    for (int i = 0; i < count; i++) {
        const votes *y = &all[i];
        s.planted += y->planted;
        s.called += y->called;
        s.gross += y->gross;
        s.gross_called += y->gross_called;
        s.gross_first += y->gross_first;
        s.other += y->other / count;
        s.clean += y->clean / count;
        s.seconds += y->seconds;
        worst_other = fmax(worst_other, y->other);
        worst_clean = fmax(worst_clean, y->clean);
        with_gross += y->gross > 0;
        silent += y->called == 0;
        mean_gross += share(y->gross_called, y->gross);
        mean_first += share(y->gross_first, y->gross);
    }
    printf("\n| all tables | |\n|:--|--:|\n| tables | %d |\n| planted | %lld |\n", count,
           (long long)s.planted);
    printf("| called | %lld (%.1f %%) |\n", (long long)s.called, share(s.called, s.planted));
    printf("| gross, called | %lld of %lld (%.1f %%; mean of the tables %.1f %%) |\n",
           (long long)s.gross_called, (long long)s.gross, share(s.gross_called, s.gross),
           with_gross ? mean_gross / with_gross : 0.0);
    printf("| gross, within the first (5 + planted) ranks | %lld of %lld (%.1f %%; mean of the tables %.1f "
           "%%) |\n",
           (long long)s.gross_first, (long long)s.gross, share(s.gross_first, s.gross),
           with_gross ? mean_first / with_gross : 0.0);
    printf("| tables where no planted row is called | %d |\n", silent);
    printf("| other rows called, mean and worst table | %.3f %% (%.2f %%) |\n", 100 * s.other,
           100 * worst_other);
    printf("| rows of clean twins called, mean and worst table | %.3f %% (%.2f %%) |\n", 100 * s.clean,
           100 * worst_clean);
    printf("| seconds | %.1f |\n", s.seconds);
}

static void print_kinds(const by_kind kinds[ED_KINDS])
{
    printf("\n| kind of error | planted | called | in the first ranks | gross | gross called |\n"
           "|:--|--:|--:|--:|--:|--:|\n");
    for (int k = 1; k < ED_KINDS; k++)
        if (kinds[k].planted)
            printf("| %s | %lld | %.0f %% | %.0f %% | %lld | %.0f %% |\n", ed_kind_name((ed_kind)k),
                   (long long)kinds[k].planted, share(kinds[k].called, kinds[k].planted),
                   share(kinds[k].first, kinds[k].planted), (long long)kinds[k].gross,
                   share(kinds[k].gross_called, kinds[k].gross));
}

/* ---- files ------------------------------------------------------------------------------------------ */

static FILE *create(const char *folder, const ed_table *t, const char *end, char path[4096])
{
    snprintf(path, 4096, "%s/%02d_%s%s", folder, t->number, t->spec->name, end);
    FILE *f = fopen(path, "wb");
    if (!f) bench_die(path, strerror(errno));
    return f;
}

static void finish(FILE *f, const char *path)
{
    int failed = ferror(f);
    if (fclose(f) != 0 || failed) bench_die(path, "cannot be written");
}

static void write_local(const ed_table *t, const char *folder, ed_format format)
{
    size_t size, length;
    char *text = ed_local_csv(t, t->spoilt, format, &size), path[4096], end[80];
    for (int e = 0; e < ED_ENCODINGS; e++) {
        char *bytes = ed_encode(text, size, (ed_encoding)e, &length);
        if (!bytes) continue;
        snprintf(end, sizeof end, ".%s.%s.csv", ed_format_name(format), ed_encoding_name((ed_encoding)e));
        FILE *f = create(folder, t, end, path);
        fwrite(bytes, 1, length, f);
        finish(f, path);
        free(bytes);
    }
    free(text);
}

static void write_files(const ed_table *t, const char *folder, unsigned formats)
{
    char path[4096];
    for (int k = 0; k < ED_FORMATS; k++)
        if (formats >> k & 1) write_local(t, folder, (ed_format)k);
    for (int clean = 0; clean < 2; clean++) {
        size_t size;
        char *text = ed_csv(t, clean ? t->clean : t->spoilt, &size);
        FILE *f = create(folder, t, clean ? ".clean.csv" : ".csv", path);
        fwrite(text, 1, size, f);
        finish(f, path);
        free(text);
    }
    FILE *f = create(folder, t, ".truth.csv", path);
    ed_write_truth(t, f);
    finish(f, path);
}

/* ---- options ---------------------------------------------------------------------------------------- */

static int is_listed(const char *list, const char *name)
{
    size_t len = strlen(name);
    for (const char *p = list; *p; p += strcspn(p, ",")) {
        p += *p == ',';
        if (strcspn(p, ",") == len && memcmp(p, name, len) == 0) return 1;
    }
    return 0;
}

static unsigned parse_formats(const char *list)
{
    unsigned formats = 0;
    for (int k = 0; k < ED_FORMATS; k++)
        if (strcmp(list, "all") == 0 || is_listed(list, ed_format_name((ed_format)k))) formats |= 1u << k;
    if (!formats) bench_die(list, "not all, us, german, swiss, french or indian");
    return formats;
}

static void parse(options *o, int argc, char **argv)
{
    for (int i = 1; i < argc; i += 2) {
        const char *value = argv[i + 1];
        if (!value) bench_die(argv[i], "its value is missing");
        if (strcmp(argv[i], "--state") == 0)
            o->state = (uint64_t)bench_count(value, INT64_MAX);
        else if (strcmp(argv[i], "--half") == 0)
            o->half = bench_half(value);
        else if (strcmp(argv[i], "--tables") == 0)
            o->tables = value;
        else if (strcmp(argv[i], "--most-rows") == 0)
            o->most_rows = bench_count(value, INT64_MAX);
        else if (strcmp(argv[i], "--reasons") == 0)
            o->reasons = bench_count(value, 100);
        else if (strcmp(argv[i], "--formats") == 0)
            o->formats = parse_formats(value);
        else if (strcmp(argv[i], "--write") == 0)
            o->folder = value;
        else if (strcmp(argv[i], "--set") == 0)
            bench_assign(o->params, value);
        else
            bench_die(argv[i], "unknown option");
    }
}

static int is_wanted(const options *o, int number)
{
    const ed_spec *spec = ed_spec_of(number);
    if (o->half && number % 2 != o->half % 2) return 0;
    if (spec->rows > o->most_rows) return 0;
    if (!o->tables) return 1;
    return is_listed(o->tables, spec->name);
}

int main(int argc, char **argv)
{
    static votes all[ED_TABLES];
    by_kind kinds[ED_KINDS] = {0};
    named named_kinds[ED_KINDS] = {0};
    options o = {.state = 1, .most_rows = INT64_MAX, .params = odim_params_new()};
    int count = 0;
    int64_t same = 0, other = 0;
    if (!o.params) bench_die("parameters", "out of memory");
    parse(&o, argc, argv);
    if (!o.folder) {
        bench_head(argc, argv, o.params);
        if (o.formats)
            ed_print_formats_heading();
        else
            o.reasons ? print_named_heading("table", o.reasons) : print_heading();
    }
    for (int number = 1; number <= ED_TABLES; number++) {
        if (!is_wanted(&o, number)) continue;
        ed_table t;
        ed_make(&t, number, o.state);
        if (o.folder) {
            write_files(&t, o.folder, o.formats);
        } else if (o.formats) {
            ed_compare_formats(&t, o.formats, o.params, &same, &other);
        } else if (o.reasons) {
            named n = judge_reasons(&t, &o, named_kinds);
            print_named(t.spec->name, &n);
        } else {
            all[count] = judge(&t, o.params, kinds);
            print_table(&t, &all[count]);
        }
        count++;
        ed_free(&t);
    }
    if (!count) bench_die("tables", "none is wanted");
    if (o.formats && !o.folder) {
        printf("\n%lld files give the same scores and called rows as the plain CSV, %lld do not.\n",
               (long long)same, (long long)other);
    } else if (o.reasons && !o.folder) {
        print_named_kinds(named_kinds, o.reasons);
    } else if (!o.folder) {
        print_total(all, count);
        print_kinds(kinds);
    }
    odim_params_free(o.params);
    return other > 0;
}
