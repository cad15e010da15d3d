/* odim eval: how well scores agree with known labels. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buffer.h"
#include "json.h"
#include "log.h"
#include "run.h"

typedef struct settings {
    const char *label, *score, *data;
    int json;
} settings;

/* Scores and labels side by side, and where they come from. */
typedef struct run {
    settings set;
    cli_buffer scores_file, data_file;
    odim_table *table, *data;
    double *scores;
    int8_t *labels;
    int64_t *rank;
    int64_t n;
} run;

typedef struct verdict {
    int64_t outliers, hits; /* hits: outliers among the `outliers` highest scores */
    double auc, ap;
} verdict;

static const cli_option options[] = {
    {"label", 0, "COL", "Options", "column of the labels, 1 = outlier, 0 = inlier", CLI_OPTION_TEXT, 0,
     offsetof(settings, label)},
    {"score", 0, "COL", "Options", "column of the scores, high = outlier [score]", CLI_OPTION_TEXT, 0,
     offsetof(settings, score)},
    {"data", 0, "FILE", "Options",
     "read the labels from FILE, matched by the column 'row' of SCORES or, without it, in the same order; an "
     "NPZ file with labels 'y' needs no --label",
     CLI_OPTION_TEXT, 0, offsetof(settings, data)},
    {"json", 0, NULL, "Options", "print JSON instead of text", CLI_OPTION_SWITCH, 1,
     offsetof(settings, json)},
};

static bool fail(const odim_error *err)
{
    cli_log("%s", err->msg);
    return false;
}

/* The file of the scores has no column of that name: which option would name another is worth saying. */
static bool fail_scores(const run *r, const odim_error *err)
{
    char wanted[128];
    snprintf(wanted, sizeof wanted, "there is no column '%.100s'", r->set.score);
    cli_log("%s%s", err->msg, strstr(err->msg, wanted) ? "; --score names the column of the scores" : "");
    return false;
}

static bool fail_nomem(void)
{
    cli_log("out of memory");
    return false;
}

static odim_status parse(odim_table **out, const cli_buffer *b, const char *only, const char *label,
                         odim_error *err)
{
    const char *const list[] = {only, NULL}, *const *columns = only ? list : NULL;
    odim_read_options reading = {.size = sizeof reading, .only = columns, .numeric = columns, .label = label};
    return odim_table_read_memory(out, b->bytes, b->size, b->name, &reading, err);
}

static bool allocate(run *r)
{
    r->n = odim_table_rows(r->table);
    size_t n = (size_t)r->n;
    r->scores = malloc(n * sizeof *r->scores);
    r->labels = malloc(n * sizeof *r->labels);
    r->rank = malloc(n * sizeof *r->rank);
    return (r->scores && r->labels && r->rank) || fail_nomem();
}

/* Labels and scores are columns of one file. */
static bool take_both(run *r)
{
    odim_error err;
    if (cli_buffer_check(&r->scores_file, &err)) return fail(&err);
    if (parse(&r->table, &r->scores_file, r->set.score, r->set.label, &err)) return fail_scores(r, &err);
    if (!allocate(r)) return false;
    memcpy(r->labels, odim_table_labels(r->table), (size_t)r->n);
    for (int64_t i = 0; i < r->n; i++) r->scores[i] = odim_table_value(r->table, i, 0);
    return true;
}

/* The scores, and with them the column 'row' if there is one: *row is its place in the table, -1: none. */
static bool take_scores(run *r, int *row)
{
    odim_error err;
    cli_score_file file;
    odim_status status = cli_buffer_scores(&file, &r->scores_file, r->set.score, &err);
    r->table = file.table;
    if (status) return err.row >= 0 ? fail(&err) : fail_scores(r, &err);
    if (!allocate(r)) return false;
    *row = file.row;
    for (int64_t i = 0; i < r->n; i++) r->scores[i] = odim_table_value(r->table, i, file.score);
    return true;
}

/*
 * Reads the file of the labels. Its label column is read as an ordinary one where that works: then nothing
 * else in the file has to be a number. Otherwise (the labels are words, or an NPZ file's y) it is read as
 * detect does.
 */
static bool read_data(run *r)
{
    odim_error err = {.row = -1}, other;
    const cli_buffer *b = &r->data_file;
    if (r->set.label && parse(&r->data, b, r->set.label, NULL, &err) == ODIM_OK) return true;
    if (parse(&r->data, b, NULL, r->set.label, &other)) return fail(err.row >= 0 ? &err : &other);
    if (odim_table_labels(r->data)) return true;
    cli_log("%s: has no labels of its own; name their column with --label", b->name);
    return false;
}

static bool label_of(const run *r, int64_t row, int8_t *label)
{
    const int8_t *labels = odim_table_labels(r->data);
    double value = labels ? labels[row] : odim_table_value(r->data, row, 0);
    *label = value == 1;
    if (value == 0 || value == 1) return true;
    cli_log("%s: row %lld, column '%s': a label must be 0 or 1, not %.6g", r->data_file.name,
            (long long)row + 1, odim_table_name(r->data, 0), value);
    return false;
}

/* The label of score i; row: the place of the column 'row' in the table of scores, -1: none. */
static bool take_label(run *r, int64_t i, int row, int64_t rows, char *seen)
{
    double at = row < 0 ? (double)i + 1 : odim_table_value(r->table, i, row);
    if (!(at >= 1 && at <= (double)rows) || at != (double)(int64_t)at) {
        cli_log("%s: row %lld, column 'row': %s has rows 1 to %lld, not %.9g", r->scores_file.name,
                (long long)i + 1, r->data_file.name, (long long)rows, at);
        return false;
    }
    if (seen[(int64_t)at - 1]++) {
        cli_log("%s: row %lld, column 'row': %lld occurs twice", r->scores_file.name, (long long)i + 1,
                (long long)at);
        return false;
    }
    return label_of(r, (int64_t)at - 1, &r->labels[i]);
}

static bool take_labels(run *r, int row)
{
    if (!read_data(r)) return false;
    int64_t rows = odim_table_rows(r->data);
    if (row < 0 && rows != r->n) {
        cli_log("%s: %lld scores for the %lld rows of %s", r->scores_file.name, (long long)r->n,
                (long long)rows, r->data_file.name);
        return false;
    }
    char *seen = calloc((size_t)rows, 1);
    bool fine = seen || fail_nomem();
    for (int64_t i = 0; fine && i < r->n; i++) fine = take_label(r, i, row, rows, seen);
    free(seen);
    if (fine && r->n < rows)
        cli_log("note: %s has scores of %lld of the %lld rows of %s", r->scores_file.name, (long long)r->n,
                (long long)rows, r->data_file.name);
    return fine;
}

static bool judge(const run *r, verdict *v)
{
    odim_error err;
    if (odim_auc(r->scores, r->labels, r->n, &v->auc, &err) ||
        odim_average_precision(r->scores, r->labels, r->n, &v->ap, &err) ||
        odim_rank(r->scores, r->n, r->rank, &err)) {
        cli_log("%s: %s", r->scores_file.name, err.msg);
        return false;
    }
    for (int64_t i = 0; i < r->n; i++) v->outliers += r->labels[i];
    for (int64_t i = 0; i < r->n; i++) v->hits += r->labels[i] && r->rank[i] <= v->outliers;
    return true;
}

static bool print(const run *r, const char *path, const verdict *v)
{
    cli_out out;
    if (!cli_out_open(&out, NULL)) return false;
    double precision = (double)v->hits / (double)v->outliers;
    if (r->set.json) {
        cli_json j = {.out = &out};
        cli_json_begin(&j, NULL, '{');
        cli_json_string(&j, "version", odim_version());
        cli_json_string(&j, "file", path);
        cli_json_int(&j, "rows", r->n);
        cli_json_int(&j, "outliers", v->outliers);
        cli_json_number(&j, "auc", v->auc);
        cli_json_number(&j, "average_precision", v->ap);
        cli_json_number(&j, "precision_at_outliers", precision);
        cli_json_end(&j);
    } else {
        cli_out_printf(&out, "%-19s %lld\n", "rows", (long long)r->n);
        cli_out_printf(&out, "%-19s %lld\n", "outliers", (long long)v->outliers);
        cli_out_printf(&out, "%-19s %.4f\n", "AUC", cli_log_measure(v->auc));
        cli_out_printf(&out, "%-19s %.4f\n", "average precision", cli_log_measure(v->ap));
        char name[40];
        snprintf(name, sizeof name, "precision at %lld", (long long)v->outliers);
        cli_out_printf(&out, "%-19s %.4f\n", name, precision);
    }
    return cli_out_commit(&out);
}

static bool evaluate(run *r, const char *path)
{
    verdict v = {0};
    int row = -1;
    if (!cli_buffer_load(&r->scores_file, path)) return false;
    if (!r->set.data) {
        if (!take_both(r)) return false;
    } else if (!cli_buffer_load(&r->data_file, r->set.data) || !take_scores(r, &row) ||
               !take_labels(r, row)) {
        return false;
    }
    return judge(r, &v) && print(r, path, &v);
}

static int eval(cli_run *w, void *settings_of)
{
    run r = {.set = *(const settings *)settings_of};
    const char *path = w->path;
    if (r.set.data && strcmp(path, "-") == 0 && strcmp(r.set.data, "-") == 0) {
        cli_log("SCORES and --data cannot both be standard input");
        return CLI_EXIT_USAGE;
    }
    if (!r.set.label && !r.set.data) {
        cli_log("eval needs the labels: --label COL for a column of SCORES, --data FILE for another file");
        return CLI_EXIT_USAGE;
    }
    int code = evaluate(&r, path) ? CLI_EXIT_OK : CLI_EXIT_FAILED;
    cli_buffer_free(&r.scores_file);
    cli_buffer_free(&r.data_file);
    free(r.scores);
    free(r.labels);
    free(r.rank);
    odim_table_free(r.data);
    odim_table_free(r.table);
    return code;
}

static int run_eval(int argc, char **argv)
{
    settings set = {.score = "score"};
    return cli_run_verb(&cli_eval_verb, argc, argv, &set, eval);
}

const cli_verb cli_eval_verb = {
    .name = "eval",
    .summary = "compare scores with known labels",
    .usage = "SCORES --label COL [options]",
    .examples = "  odim eval scores.csv --data data.csv --label fault\n"
                "  odim eval scored.csv --label y --score s    both in one file\n"
                "  odim detect data.npz | odim eval - --data data.npz --json\n",
    .more = "Prints the number of rows and outliers, the area under the ROC curve, average\n"
            "precision, and the precision of the N highest scores, where N is the number of\n"
            "outliers. COL is the name of a column or its number from 1.\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .needs = (const cli_need[]){{"", "a SCORES file, '-' for standard input"}, {NULL, NULL}},
    .run = run_eval,
};
