/* The report, one of its plots, and a histogram on the terminal. */
#include "reporting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input.h"
#include "log.h"
#include "sparkline.h"

bool cli_reporting_open(cli_score_job *s)
{
    return (!s->set->report || cli_out_open(&s->page, s->set->report)) &&
           (!s->set->plot || cli_out_open(&s->drawing, s->set->plot));
}

bool cli_reporting_can_draw(const cli_score_job *s, const odim_table *table)
{
    const char *name = s->set->picture, *lacks = cli_plot_lacks(name, table, s->model);
    if (!s->model && name && strcmp(name, "learning") == 0 && cli_input_is_private(s->run->params))
        lacks = "a model that is not private: the plot would show how it learned";
    if (lacks) cli_log("--plot-kind %s needs %s", name, lacks);
    return !lacks;
}

/* With --top the threshold is the score that this number of rows exceed; if all rows do, one just below the
 * lowest score. */
static double threshold_of(const cli_results *r)
{
    int64_t n = odim_table_rows(r->table);
    if (!r->set->top && isfinite(r->threshold)) return r->threshold;
    return r->set->top && r->set->top < n ? r->scores[r->order[r->set->top]]
                                          : nextafter(r->scores[r->order[n - 1]], -INFINITY);
}

int cli_reporting_write(cli_score_job *s, const cli_results *r)
{
    odim_error err;
    cli_findings f;
    if (!s->set->report && !s->set->plot) return CLI_EXIT_OK;
    odim_hooks hooks = cli_run_hooks(s->run);
    char *command = cli_run_command(s->run);
    const cli_report about = {.path = r->path,
                              .command = command,
                              .model = r->model,
                              .table = r->table,
                              .rows = odim_table_rows(r->table),
                              .scores = r->scores,
                              .order = r->order,
                              .labels = odim_table_labels(r->table),
                              .threshold = threshold_of(r),
                              .asked = s->set->top            ? "--top"
                                       : s->set->threshold    ? "--threshold"
                                       : s->contamination > 0 ? "--contamination"
                                                              : NULL,
                              .notes = (const char *const *)s->run->notes,
                              .note_count = s->run->note_count,
                              .read_seconds = s->read_seconds,
                              .work_seconds = s->work_seconds,
                              .params = s->run->params,
                              .hooks = &hooks};
    s->run->bar.doing = "writing the report";
    cli_run_begin();
    odim_status status = cli_findings_make(&f, &about, &err);
    s->run->bar.doing = NULL;
    int code = cli_run_end(status, &err, cli_input_name(s->run->path));
    if (!code && !cli_report_write(&f, s->set->report ? &s->page : NULL, s->set->plot ? &s->drawing : NULL,
                                   s->set->picture))
        code = CLI_EXIT_FAILED;
    cli_findings_free(&f);
    free(command);
    return code;
}

/* Logarithms of the counts, so that small ones are visible; below them the place of the threshold. */
void cli_reporting_terminal(const cli_score_job *s, const cli_results *r)
{
    enum { BARS = 60, LEAST = 16 };
    int64_t n = odim_table_rows(r->table);
    int width = cli_log_width(STDERR_FILENO);
    double low = r->scores[r->order[n - 1]], high = r->scores[r->order[0]], threshold = threshold_of(r);
    if (!s->run->bar.on || !(high > low)) return;
    cli_range bound = cli_histogram_bound((cli_range){low, high});
    low = bound.low;
    high = bound.high;
    /* Up to well above the threshold; the last bar includes the rest. */
    double far = threshold + 2 * (threshold - r->scores[r->order[n / 2]]);
    if (far > low && far < high) high = far;
    char from[32], to[32];
    snprintf(from, sizeof from, "%.4g", low);
    snprintf(to, sizeof to, "%s%.4g", high == far ? "over " : "", high);
    int lead = (int)(strlen("scores ") + strlen(from)) + 1, bars = width - lead - (int)strlen(to) - 2;
    if (bars > BARS) bars = BARS;
    if (bars < LEAST) return;
    double count[BARS], most = 0;
    cli_histogram_count(r->scores, n, (cli_range){low, high}, bars, count);
    for (int i = 0; i < bars; i++) most = fmax(most, count[i] = log2(1 + count[i]));
    cli_out err = {.file = stderr, .name = "stderr"};
    cli_progress_clear();
    cli_out_printf(&err, "scores %s ", from);
    cli_sparkline(count, bars, most, cli_log_utf8(), &err);
    cli_out_printf(&err, " %s\n", to);
    int at = (int)floor((threshold - low) / (high - low) * bars);
    char text[48];
    int len = snprintf(text, sizeof text, "threshold %.4g", threshold);
    if (at < 0 || at >= bars) return;
    if (lead + at + 2 + len < width)
        cli_out_printf(&err, "%*s^ %s\n", lead + at, "", text);
    else
        cli_out_printf(&err, "%*s ^\n", lead + at - 1, text);
}
