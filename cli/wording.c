#include "wording.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

int64_t od_wording_column(const odim_model *model, int64_t col, const odim_table *table)
{
    odim_column_info c;
    int64_t cols = odim_table_cols(table);
    if (odim_model_column(model, col, &c, NULL)) return -1;
    if (col < cols && strcmp(odim_table_name(table, col), c.name) == 0) return col; /* as a rule */
    for (int64_t j = 0; j < cols; j++)
        if (strcmp(odim_table_name(table, j), c.name) == 0) return j;
    return -1;
}

const char *od_wording_value(const odim_model *model, const odim_table *table, int64_t row,
                             const odim_reason *reason, char *buf, size_t size)
{
    odim_column_info c;
    odim_model_column(model, reason->col, &c, NULL);
    *buf = '\0';
    if (c.type == ODIM_NUMERIC && reason->value == reason->value)
        return odim_model_text(model, reason->col, reason->value, buf, size);
    int64_t j = od_wording_column(model, reason->col, table);
    if (j >= 0) odim_table_text(table, row, j, buf, size);
    if (!*buf) snprintf(buf, size, "missing");
    return buf;
}

const char *od_wording_expected(const odim_model *model, const odim_reason *reason, char *buf, size_t size)
{
    odim_column_info c;
    odim_model_column(model, reason->col, &c, NULL);
    bool level = c.type == ODIM_CATEGORICAL && reason->expected >= 0 && reason->expected < (double)c.levels;
    if (!level) return odim_model_text(model, reason->col, reason->expected, buf, size);
    snprintf(buf, size, "%s", odim_model_level(model, reason->col, (int64_t)reason->expected, NULL));
    return buf;
}

static bool is_known_level(const odim_model *model, int64_t col, const char *text)
{
    for (int64_t k = 0;; k++) {
        const char *level = odim_model_level(model, col, k, NULL);
        if (!level || strcmp(level, text) == 0) return level != NULL;
    }
}

const char *od_wording_usual(const odim_model *model, const odim_table *table, int64_t row,
                             const odim_reason *reason, char *buf, size_t size)
{
    odim_column_info c;
    char low[64], high[64];
    odim_model_column(model, reason->col, &c, NULL);
    if (c.type == ODIM_CATEGORICAL) {
        bool known =
            reason->value != reason->value ||
            is_known_level(model, reason->col, od_wording_value(model, table, row, reason, buf, size));
        if (known)
            snprintf(buf, size, "one of %lld levels", (long long)c.levels);
        else if (c.dropped && c.least == 2)
            snprintf(buf, size, "seen at most once in training");
        else if (c.dropped)
            snprintf(buf, size, "in fewer than %lld training rows", (long long)c.least);
        else
            snprintf(buf, size, "never seen in training");
    } else if (c.type == ODIM_BOOLEAN) {
        snprintf(buf, size, "false or true");
    } else {
        snprintf(buf, size, "%s to %s", odim_model_text(model, reason->col, c.usual_low, low, sizeof low),
                 odim_model_text(model, reason->col, c.usual_high, high, sizeof high));
    }
    return buf;
}
