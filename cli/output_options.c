/* Checks of the options that say what detect and score write. */
#include "output_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "log.h"

static bool writes_file(const cli_output *set)
{
    return set->output && strcmp(set->output, "-") != 0;
}

/* Two options that each say what an outlier is. */
static const char *find_rivals(const cli_output *set, odim_params *params)
{
    bool share = strcmp(odim_params_get(params, "contamination"), "auto") != 0;
    return set->threshold && set->top ? "--threshold and --top"
           : share && set->top        ? "--contamination and --top"
           : share && set->threshold  ? "--contamination and --threshold"
                                      : NULL;
}

/* Of the scores, the report and its picture. */
static bool check_files(const cli_output *set, const char *path)
{
    const cli_target targets[] = {
        {"--output", set->output, true}, {"--report", set->report, false}, {"--plot", set->plot, false}};
    if (!cli_input_check_targets((const char *const[CLI_INPUTS]){path}, targets, 3)) return false;
    if (set->stream && (set->report || set->plot)) {
        cli_log("%s needs all scores at once, which --stream does not have",
                set->report ? "--report" : "--plot");
        return false;
    }
    if (!set->picture || set->plot) return true;
    cli_log("--plot-kind needs --plot SVG: it says which plot to write");
    return false;
}

bool cli_output_check(const cli_output *set, odim_params *params, const char *path)
{
    bool rows = !set->json && (!set->top || writes_file(set));
    cli_row_format format = cli_writer_format(set->output_format, set->output);
    const char *wrong = NULL, *rivals = find_rivals(set, params);
    if (rivals) {
        cli_log("%s both define what an outlier is: use one of them", rivals);
        return false;
    }
    if (set->explain > CLI_REASONS_MAX) {
        cli_log("--explain gives at most %d reasons per row", CLI_REASONS_MAX);
        return false;
    }
    if (set->output_format && !rows)
        wrong = set->json ? "--output-format is for rows of scores; --json is a format of its own"
                          : "--output-format is for rows of scores; with --top they need an --output FILE";
    else if (set->keep && !rows)
        wrong = set->json ? "--keep is for rows of scores, not for --json"
                          : "--keep is for rows of scores; with --top they need an --output FILE";
    else if (set->keep == CLI_KEEP_SAFE && format != CLI_ROWS_CSV && format != CLI_ROWS_TSV)
        wrong = "--keep=safe is for CSV and TSV, which spreadsheets open; use --keep for other formats";
    else if (set->provenance && !set->json && !rows)
        wrong = "--provenance is for rows of scores; with --top they need an --output FILE";
    else if (set->stream && set->top)
        wrong = "--top needs all scores at once, which --stream does not have; use --threshold or "
                "--contamination";
    else if (set->stream && set->json)
        wrong = "--json is written as a whole; with --stream use --output-format jsonl";
    if (wrong) {
        cli_log("%s", wrong);
        return false;
    }
    return check_files(set, path);
}

bool cli_output_threshold(const cli_output *set, const odim_model *model, double *out)
{
    *out = model ? odim_model_threshold(model) : 0;
    if (!set->threshold) return true;
    char *end;
    errno = 0;
    *out = strtod(set->threshold, &end);
    if (end != set->threshold && !*end && *out - *out == 0) return true;
    cli_log("--threshold must be a number, not '%s'", set->threshold);
    return false;
}
