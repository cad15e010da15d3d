/* What a model contains, as a JSON object. */
#include "model_json.h"

#include <math.h>

#include "dp_notice.h"
#include "held.h"
#include "results.h"

/* Whole numbers, which may be ids or times, to the last digit. */
static void put_bound(const char *key, double v, cli_json *j)
{
    if (v == floor(v) && fabs(v) < 1e15)
        cli_json_int(j, key, (int64_t)v);
    else
        cli_json_number(j, key, v);
}

static void put_column(const odim_model *m, int64_t col, cli_json *j)
{
    odim_column_info c = ODIM_COLUMN_INFO_INIT;
    if (odim_model_column(m, col, &c, NULL)) return;
    cli_json_begin(j, NULL, '{');
    cli_json_string(j, "name", c.name);
    cli_json_string(j, "type", odim_type_text(c.type));
    char format[100];
    if (*odim_model_format(m, col, format, sizeof format)) cli_json_string(j, "format", format);
    if (c.ignored) cli_json_string(j, "ignored", c.ignored);
    cli_json_int(j, "missing", c.missing);
    cli_json_int(j, "features", c.features);
    if (c.type == ODIM_CATEGORICAL) {
        cli_json_begin(j, "levels", '{');
        for (int64_t k = 0; k < c.levels; k++) {
            int64_t rows = 0;
            const char *level = odim_model_level(m, col, k, &rows);
            cli_json_int(j, level, rows);
        }
        cli_json_end(j);
        cli_json_int(j, "rare", c.dropped);
    } else {
        put_bound("low", c.low, j);
        put_bound("high", c.high, j);
        put_bound("usual_low", c.usual_low, j);
        put_bound("usual_high", c.usual_high, j);
    }
    cli_json_end(j);
}

void cli_model_json(const odim_model *m, const char *path, cli_out *out)
{
    cli_json j = {.out = out};
    cli_json_begin(&j, NULL, '{');
    cli_results_provenance(m, path, &j);
    cli_json_int(&j, "rows", odim_model_rows(m));
    cli_json_number(&j, "threshold", odim_model_threshold(m));
    cli_json_number(&j, "unusual_threshold", odim_model_unusual(m));
    cli_held_json(m, &j);
    cli_dp_notice_json(m, &j);
    cli_results_members(m, &j);
    cli_json_begin(&j, "columns", '[');
    for (int64_t k = 0; k < odim_model_cols(m); k++) put_column(m, k, &j);
    cli_json_end(&j);
    cli_json_end(&j);
}
