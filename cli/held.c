#include "held.h"

#include <stdio.h>

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

void cli_held_say(cli_run *work, const odim_model *model)
{
    odim_held_info h = ODIM_HELD_INFO_INIT;
    char rows[64] = "", once[64] = "", text[400];
    /* Out of memory: saving will say so. */
    if (odim_model_held(model, &h, NULL) || h.rows + h.once == 0) return;
    if (h.rows) snprintf(rows, sizeof rows, "%lld training row%s", (long long)h.rows, plural(h.rows));
    if (h.once)
        snprintf(once, sizeof once, "%s%lld category level%s seen once", h.rows ? ", " : "",
                 (long long)h.once, plural(h.once));
    snprintf(text, sizeof text,
             "the model holds %s%s and up to %lld single value%s, for anyone who has the file to read; "
             "--share-safe keeps rows out, --dp-epsilon makes the model private",
             rows, once, (long long)h.values, plural(h.values));
    cli_run_note(work, text);
}

void cli_held_print(const odim_model *model, cli_out *out)
{
    odim_held_info h = ODIM_HELD_INFO_INIT;
    if (odim_model_privacy(model) || odim_model_held(model, &h, NULL)) return;
    cli_out_printf(
        out, "holds: %lld training row%s; up to %lld single value%s; %lld level%s, %lld of them seen once\n",
        (long long)h.rows, plural(h.rows), (long long)h.values, plural(h.values), (long long)h.levels,
        plural(h.levels), (long long)h.once);
}

void cli_held_json(const odim_model *model, cli_json *j)
{
    odim_held_info h = ODIM_HELD_INFO_INIT;
    if (odim_model_held(model, &h, NULL)) return;
    cli_json_begin(j, "holds", '{');
    cli_json_int(j, "training_rows", h.rows);
    cli_json_int(j, "single_values", h.values);
    cli_json_int(j, "levels", h.levels);
    cli_json_int(j, "levels_seen_once", h.once);
    cli_json_end(j);
}
