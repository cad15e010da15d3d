/* What a report shows: histogram, list, columns, training and labels. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "reason_words.h"
#include "explain_rows.h"
#include "report.h"

enum {
    SAMPLE = 10000,   /* rows that represent all when columns are shown */
    FOUND = 2000,     /* outliers, likewise */
    AGREEMENT = 1000, /* rows by which members are compared */
    CANDIDATES = 6,   /* columns among which the pair is looked for */
    LOOKED_AT = 1000, /* rows whose losses are shown */
    TRACED = 200      /* updates of the member that is looked at */
};
static const int64_t moments[] = {10, 30, 60, 120, TRACED};
enum { MOMENTS = sizeof moments / sizeof *moments };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static odim_status no_memory(odim_error *err)
{
    *err = (odim_error){.status = ODIM_ERR_NOMEM, .msg = "out of memory"};
    return err->status;
}

/* ---- scores ----------------------------------------------------------------------------------------- */

int64_t cli_report_row(const cli_report *r, int64_t row)
{
    if (r->number) return r->number[row];
    return (r->table ? odim_table_row_number(r->table, row) : row) + 1;
}

const char *cli_report_id_name(const cli_report *r)
{
    if (!r->table) return NULL;
    return odim_table_id_name(r->table) || !odim_table_file(r->table, 0) ? odim_table_id_name(r->table)
                                                                         : "file";
}

/* Score number i from the lowest. */
static double ascending(const cli_report *r, int64_t i)
{
    return r->scores[r->order[r->rows - 1 - i]];
}

static double quantile(const cli_report *r, double p)
{
    return ascending(r, (int64_t)(p * (double)(r->rows - 1)));
}

/* A range about as wide, with the threshold between two bars, and the level of unusual rows too where bars
 * are narrow enough: no bar holds rows of two kinds. */
static cli_range align_range(cli_range range, double threshold, double unusual)
{
    double width = range.high - range.low, apart = threshold - unusual;
    int left = (int)round((threshold - range.low) / width * CLI_REPORT_BARS);
    if (!(threshold > range.low && threshold < range.high)) return range;
    left = left < 1 ? 1 : left > CLI_REPORT_BARS - 1 ? CLI_REPORT_BARS - 1 : left;
    double bar = fmax((threshold - range.low) / left, (range.high - threshold) / (CLI_REPORT_BARS - left));
    if (apart >= bar && unusual > range.low) {
        bar = apart / floor(apart / bar);
        left = (int)ceil((threshold - range.low) / bar);
    }
    return (cli_range){threshold - left * bar, threshold + (CLI_REPORT_BARS - left) * bar};
}

/* From the lowest scores to well above the threshold; the farthest would squeeze all others into one bar, and
 * so would a threshold far away from all of them. */
static cli_range choose_range(const cli_report *r)
{
    double low = quantile(r, 0.002), middle = quantile(r, 0.5), most = ascending(r, r->rows - 1);
    double high = fmax(quantile(r, 0.995), r->threshold + 1.5 * fmax(r->threshold - middle, 0));
    double reach = most - ascending(r, 0);
    bool near = r->threshold <= most + reach && r->threshold >= low - reach;
    high = fmin(high, near ? fmax(most, r->threshold) : most);
    if (near) low = fmin(low, r->threshold);
    cli_range bound = cli_histogram_bound((cli_range){low, high});
    low = bound.low;
    high = bound.high;
    /* Scores that differ in their last digits only are one score. */
    bool wide = high - low > 1e-12 * fmax(fabs(low), fabs(high)) && high - low > 1e-290;
    double margin = wide ? 0.03 * (high - low) : fmax(fabs(low), 1) / 10;
    /* Round numbers: the same for scores that differ in their last digits. */
    double unit = pow(10, floor(log10(high - low + margin)) - 3);
    return align_range((cli_range){floor((low - margin) / unit) * unit, ceil((high + margin) / unit) * unit},
                       r->threshold, odim_model_unusual(r->model));
}

static double place_of(const cli_findings *f, int step)
{
    return f->range.low + (f->range.high - f->range.low) * step / CLI_REPORT_STEPS;
}

/* From the highest place of the threshold down; the rows come along in order. */
static void count_above(cli_findings *f)
{
    const cli_report *r = f->about;
    int64_t above = 0, hits = 0;
    for (int step = CLI_REPORT_STEPS; step >= 0; step--) {
        double threshold = place_of(f, step);
        for (; above < r->rows && r->scores[r->order[above]] > threshold; above++)
            hits += r->labels && r->labels[r->order[above]] == 1;
        f->above[step] = above;
        f->hits[step] = hits;
    }
    f->beyond = f->above[CLI_REPORT_STEPS];
}

static void look_at_scores(cli_findings *f)
{
    const cli_report *r = f->about;
    f->range = choose_range(r);
    cli_histogram_edges(f->range, CLI_REPORT_BARS, f->edge);
    count_above(f);
    f->unusual = odim_model_unusual(r->model);
    /* Models from before there was such a scale have one level only. */
    f->readable = f->unusual != odim_model_threshold(r->model) || f->unusual == 4;
    for (int64_t i = 0; i < r->rows; i++) {
        cli_log_level level = cli_findings_level(f, i);
        f->kind[i] = level == CLI_OUTLIER;
        f->flagged += level == CLI_OUTLIER;
        f->noted += level == CLI_UNUSUAL;
        cli_histogram_add(r->scores[i], f->range, CLI_REPORT_BARS, f->bar[level]);
    }
}

cli_log_level cli_findings_level(const cli_findings *f, int64_t row)
{
    double score = f->about->scores[row];
    return score > f->about->threshold ? CLI_OUTLIER : score > f->unusual ? CLI_UNUSUAL : CLI_ORDINARY;
}

static odim_status choose_spots(cli_findings *f, odim_error *err)
{
    enum { HIGHEST = 25 };
    const cli_report *r = f->about;
    f->spot = calloc((size_t)r->rows + 1, 1);
    if (!f->spot) return no_memory(err);
    int64_t some = r->rows / 10 < HIGHEST ? r->rows / 10 + 1 : HIGHEST;
    f->spots = f->flagged ? f->flagged : f->noted ? f->noted : some < r->rows ? some : r->rows;
    f->spot_name = f->flagged ? "outliers" : f->noted ? "unusual rows" : "highest-scoring rows";
    /* In the order of the scores outliers come first, then unusual rows. */
    for (int64_t i = 0; i < f->spots; i++) f->spot[r->order[i]] = 1;
    return ODIM_OK;
}

static odim_status judge(cli_findings *f, odim_error *err)
{
    const cli_report *r = f->about;
    for (int64_t i = 0; r->labels && i < r->rows; i++) f->outliers += r->labels[i] == 1;
    f->judged = f->outliers > 0 && f->outliers < r->rows;
    if (!f->judged) return ODIM_OK;
    odim_status status = odim_auc(r->scores, r->labels, r->rows, &f->auc, err);
    return status ? status : odim_average_precision(r->scores, r->labels, r->rows, &f->ap, err);
}

/* ---- rows ------------------------------------------------------------------------------------------- */

/* The highest scores: the outliers, then the unusual rows, then the rest. */
static odim_status list_rows(cli_findings *f, odim_error *err)
{
    const cli_report *r = f->about;
    f->listed = r->rows < CLI_REPORT_LISTED ? r->rows : CLI_REPORT_LISTED;
    f->row = malloc((size_t)f->listed * sizeof *f->row);
    if (!f->row) return no_memory(err);
    memcpy(f->row, r->order, (size_t)f->listed * sizeof *f->row);
    if (!r->table) return ODIM_OK;
    f->reason = malloc((size_t)f->listed * CLI_REPORT_REASONS * sizeof *f->reason);
    if (!f->reason) return no_memory(err);
    const odim_explain_options which = {
        .size = sizeof which, .rows = f->row, .count = f->listed, .top = CLI_REPORT_REASONS};
    return cli_explain_rows(r->model, r->table, &which, r->params, r->hooks, f->reason, err);
}

static odim_status make_pictures(cli_findings *f, odim_error *err)
{
    const cli_report *r = f->about;
    if (!cli_report_has_pictures(r->model, r->table)) return ODIM_OK;
    f->pictures = calloc((size_t)f->listed + 1, sizeof *f->pictures);
    if (!f->pictures) return no_memory(err);
    const cli_pictured which = {.model = r->model,
                                .table = r->table,
                                .folder = r->path,
                                .row = f->row,
                                .count = f->listed,
                                .params = r->params,
                                .hooks = r->hooks};
    return cli_report_pictures(&which, f->pictures, err);
}

/* Number i of `of` is taken when i * take / of passes a whole number: `take` of them, evenly spread. */
static bool is_taken(int64_t i, int64_t take, int64_t of)
{
    return (i + 1) * take / of > i * take / of;
}

static odim_status sample_rows(cli_findings *f, odim_error *err)
{
    const cli_report *r = f->about;
    int64_t rest = r->rows - f->spots, others = rest < SAMPLE ? rest : SAMPLE, seen[2] = {0, 0};
    int64_t found = f->spots < FOUND ? f->spots : FOUND;
    f->others = malloc((size_t)(others + 1) * sizeof *f->others);
    f->found = malloc((size_t)(found + 1) * sizeof *f->found);
    if (!f->others || !f->found) return no_memory(err);
    for (int64_t i = 0; i < r->rows; i++) {
        int64_t at = seen[f->spot[i]]++;
        if (f->spot[i] && is_taken(at, found, f->spots)) f->found[f->found_count++] = i;
        if (!f->spot[i] && is_taken(at, others, rest)) f->others[f->other_count++] = i;
    }
    return ODIM_OK;
}

/* ---- columns ---------------------------------------------------------------------------------------- */

/* For qsort, which hands nothing on. */
static _Thread_local const cli_report_column *compared;

static int by_blame(const void *a, const void *b)
{
    int64_t i = *(const int64_t *)a, j = *(const int64_t *)b;
    const cli_report_column *x = &compared[i], *y = &compared[j];
    if (x->blame != y->blame) return x->blame < y->blame ? 1 : -1;
    if (x->share != y->share) return x->share < y->share ? 1 : -1;
    return (i > j) - (i < j);
}

/* Reasons of pictures are counted for the first pixel of a part. */
static void count_parts(cli_findings *f)
{
    enum { PARTS = 9 };
    const char *part[PARTS];
    int64_t first[PARTS];
    int count = 0;
    for (int64_t j = 0; j < odim_model_cols(f->about->model); j++) {
        const char *place = f->pictures ? odim_model_place(f->about->model, j) : NULL;
        int at = 0;
        while (place && at < count && strcmp(part[at], place) != 0) at++;
        if (place && at == count && count < PARTS) {
            part[count] = place;
            first[count++] = j;
        }
        f->column[j].counted = place && at < count ? first[at] : j;
    }
}

static odim_status look_at_columns(cli_findings *f, odim_error *err)
{
    const cli_report *r = f->about;
    int64_t cols = odim_model_cols(r->model);
    f->column = calloc((size_t)cols, sizeof *f->column);
    f->ranked = malloc((size_t)cols * sizeof *f->ranked);
    if (!f->column || !f->ranked) return no_memory(err);
    for (int64_t j = 0; j < cols; j++) {
        f->ranked[j] = j;
        f->column[j].place = r->table ? cli_reason_column(r->model, j, r->table) : -1;
    }
    count_parts(f);
    for (int64_t i = 0; f->reason && i < f->listed; i++) {
        const odim_reason *reason = &f->reason[i * CLI_REPORT_REASONS];
        if (!f->spot[f->row[i]]) continue;
        for (int k = 0; k < CLI_REPORT_REASONS && reason[k].col >= 0; k++) {
            cli_report_column *c = &f->column[f->column[reason[k].col].counted];
            c->share += reason[k].share;
            c->blame += k == 0;
        }
    }
    compared = f->column;
    qsort(f->ranked, (size_t)cols, sizeof *f->ranked, by_blame);
    while (f->charts < cols && f->charts < CLI_REPORT_CHARTS && f->column[f->ranked[f->charts]].place >= 0)
        f->charts++;
    return ODIM_OK;
}

/* ---- the pair of columns ---------------------------------------------------------------------------- */

/*
 * How far the outliers lie from the others in the plane of two columns: the median over the outliers of the
 * squared distance from the mean, in units of the spread (Mahalanobis). It sees what lies outside of both
 * ranges, and what only does not go together.
 */
static double apartness(const cli_findings *f, int64_t a, int64_t b, double *room)
{
    const odim_table *t = f->about->table;
    double sum[2] = {0, 0}, xx = 0, yy = 0, xy = 0;
    int64_t n = 0, count = 0;
    for (int64_t i = 0; i < f->other_count; i++) {
        double x = odim_table_value(t, f->others[i], a), y = odim_table_value(t, f->others[i], b);
        if (isfinite(x) && isfinite(y)) n++, sum[0] += x, sum[1] += y;
    }
    if (n < 3) return 0;
    double mx = sum[0] / (double)n, my = sum[1] / (double)n;
    for (int64_t i = 0; i < f->other_count; i++) {
        double x = odim_table_value(t, f->others[i], a) - mx, y = odim_table_value(t, f->others[i], b) - my;
        if (isfinite(x) && isfinite(y))
            xx += x * x / (double)n, yy += y * y / (double)n, xy += x * y / (double)n;
    }
    double det = xx * yy - xy * xy;
    if (!(det > 1e-9 * xx * yy)) return 0;
    for (int64_t i = 0; i < f->found_count; i++) {
        double x = odim_table_value(t, f->found[i], a) - mx, y = odim_table_value(t, f->found[i], b) - my;
        if (isfinite(x) && isfinite(y)) room[count++] = (yy * x * x - 2 * xy * x * y + xx * y * y) / det;
    }
    double middle = cli_histogram_quantile(room, cli_histogram_sort(room, count), 0.5);
    return isfinite(middle) ? middle : 0;
}

static odim_status choose_pair(cli_findings *f, odim_error *err)
{
    const cli_report *r = f->about;
    int64_t candidate[CANDIDATES];
    int count = 0;
    double most = 0, *room = malloc((size_t)(f->found_count + 1) * sizeof *room);
    f->pair[0] = f->pair[1] = -1;
    if (!room) return no_memory(err);
    for (int64_t k = 0; k < odim_model_cols(r->model) && count < CANDIDATES; k++) {
        odim_column_info c = ODIM_COLUMN_INFO_INIT;
        int64_t col = f->ranked[k];
        bool known = f->column[col].place >= 0 && !odim_model_column(r->model, col, &c, NULL);
        if (known && !c.ignored && c.type == ODIM_NUMERIC) candidate[count++] = col;
    }
    for (int i = 0; i < count; i++) {
        for (int j = i + 1; j < count; j++) {
            double apart = apartness(f, f->column[candidate[i]].place, f->column[candidate[j]].place, room);
            if (apart <= most) continue;
            most = apart;
            f->pair[0] = candidate[i];
            f->pair[1] = candidate[j];
        }
    }
    free(room);
    return ODIM_OK;
}

/* ---- members ---------------------------------------------------------------------------------------- */

typedef struct ranked {
    double score;
    int64_t at;
} ranked;

static int by_score(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->score != y->score) return x->score < y->score ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* Scores (n) become their ranks, equal ones sharing theirs, less the mean and divided by the spread. */
static void standard_ranks(double *score, int64_t n, ranked *room)
{
    double square = 0, mean = (double)(n - 1) / 2;
    for (int64_t i = 0; i < n; i++) room[i] = (ranked){score[i], i};
    qsort(room, (size_t)n, sizeof *room, by_score);
    for (int64_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && room[end].score == room[i].score; end++) continue;
        for (int64_t k = i; k < end; k++) score[room[k].at] = (double)(i + end - 1) / 2 - mean;
    }
    for (int64_t i = 0; i < n; i++) square += score[i] * score[i];
    for (int64_t i = 0; i < n && square > 0; i++) score[i] /= sqrt(square);
}

static odim_status compare_members(cli_findings *f, odim_error *err)
{
    const cli_report *r = f->about;
    int members = odim_model_members(r->model);
    int64_t n = r->rows < AGREEMENT ? r->rows : AGREEMENT, count = 0;
    if (members < 2 || n < 3) return ODIM_OK;
    int64_t *rows = malloc((size_t)n * sizeof *rows);
    double *each = malloc((size_t)(n * members) * sizeof *each);
    ranked *room = malloc((size_t)n * sizeof *room);
    f->agreement = malloc((size_t)members * (size_t)members * sizeof *f->agreement);
    odim_status status = rows && each && room && f->agreement ? ODIM_OK : no_memory(err);
    for (int64_t i = 0; !status && i < r->rows; i++)
        if (is_taken(i, n, r->rows)) rows[count++] = i;
    const odim_score_options which = {.size = sizeof which, .rows = rows, .count = count};
    if (!status) status = odim_score_members(r->model, r->table, &which, r->params, r->hooks, each, err);
    for (int b = 0; !status && b < members; b++) standard_ranks(each + b * count, count, room);
    for (int a = 0; !status && a < members; a++) {
        for (int b = 0; b < members; b++) {
            double sum = 0;
            for (int64_t i = 0; i < count; i++) sum += each[a * count + i] * each[b * count + i];
            f->agreement[a * members + b] = a == b ? 1 : sum;
        }
    }
    free(rows);
    free(each);
    free(room);
    return status;
}

/* The parameters that the model was fitted with, but for one member. */
static odim_params *params_of(const cli_report *r)
{
    odim_params *p = odim_params_new();
    for (int i = 0; p && i < odim_param_count(); i++) {
        char value[256];
        const char *name = odim_param_at(i)->name;
        if (strcmp(name, "threads") != 0 && odim_model_get(r->model, name, value, sizeof value))
            odim_params_set(p, name, value, NULL);
    }
    if (p) odim_params_set(p, "members", "1", NULL);
    return p;
}

bool cli_report_is_private(const cli_report *r)
{
    char value[64];
    return odim_model_get(r->model, "dp-epsilon", value, sizeof value) && strcmp(value, "off") != 0;
}

const char *cli_report_threshold(const cli_report *r, char *buf, size_t size)
{
    char share[64];
    bool fixed = odim_model_get(r->model, "contamination", share, sizeof share) && strcmp(share, "auto") != 0;
    const char *option = r->asked ? r->asked : fixed ? "--contamination" : NULL;
    snprintf(buf, size, option ? "the threshold that %s set" : "the model's threshold", option);
    return buf;
}

/* How the model learns, by its first member. What cannot be traced, since the table has other columns than
 * the one it was fitted on say, is not shown. */
static odim_status trace_member(cli_findings *f, odim_error *err)
{
    const cli_report *r = f->about;
    odim_trace_options look = {
        .size = sizeof look, .length = TRACED, .updates = moments, .count = MOMENTS, .rows = LOOKED_AT};
    odim_error why;
    if (odim_model_rows(r->model) != r->rows || cli_report_is_private(r) || !odim_model_members(r->model))
        return ODIM_OK;
    odim_params *p = params_of(r);
    if (!p) return no_memory(err);
    odim_hooks hooks = {.size = sizeof hooks,
                        .progress = r->hooks ? r->hooks->progress : NULL,
                        .user = r->hooks ? r->hooks->user : NULL};
    odim_status status = odim_trace_fit(r->table, p, &look, &hooks, &f->trace, &why);
    odim_params_free(p);
    if (status == ODIM_ERR_CANCELLED || status == ODIM_ERR_NOMEM) {
        *err = why;
        return status;
    }
    if (status) return ODIM_OK;
    bool fine = cli_trace_data_make(&f->learning, f->trace, r->rows, f->spot, r->path, moments, MOMENTS);
    f->learning.kinds[0] = "other rows";
    f->learning.kinds[1] = f->spot_name;
    return fine ? ODIM_OK : no_memory(err);
}

/* ---- all of it -------------------------------------------------------------------------------------- */

odim_status cli_findings_make(cli_findings *f, const cli_report *r, odim_error *err)
{
    double start = now();
    *f = (cli_findings){.about = r, .duplicates = -1, .pair = {-1, -1}};
    f->kind = calloc((size_t)r->rows + 1, 1);
    if (!f->kind) return no_memory(err);
    look_at_scores(f);
    odim_status status = choose_spots(f, err);
    if (!status) status = judge(f, err);
    if (!status) status = list_rows(f, err);
    if (!status) status = make_pictures(f, err);
    if (!status) status = sample_rows(f, err);
    if (!status) status = look_at_columns(f, err);
    if (!status && r->table) {
        if (!f->pictures) status = choose_pair(f, err);
        if (!status) status = compare_members(f, err);
        if (!status) status = trace_member(f, err);
        if (!status) status = odim_table_duplicates(r->table, &f->duplicates, err);
    }
    f->seconds = now() - start;
    return status;
}

void cli_findings_free(cli_findings *f)
{
    cli_row_pictures_free(f->pictures, f->listed);
    free(f->reason);
    free(f->row);
    free(f->column);
    free(f->ranked);
    free(f->others);
    free(f->found);
    free(f->agreement);
    free(f->kind);
    free(f->spot);
    cli_trace_data_free(&f->learning);
    odim_trace_free(f->trace);
}
