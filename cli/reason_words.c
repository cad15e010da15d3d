/* The value, the expectation and the usual range of a reason as text. */
#include "reason_words.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

int64_t cli_reason_column(const odim_model *model, int64_t col, const odim_table *table)
{
    odim_column_info c = ODIM_COLUMN_INFO_INIT;
    int64_t cols = odim_table_cols(table);
    if (odim_model_column(model, col, &c, NULL)) return -1;
    if (col < cols && strcmp(odim_table_name(table, col), c.name) == 0) return col; /* as a rule */
    for (int64_t j = 0; j < cols; j++)
        if (strcmp(odim_table_name(table, j), c.name) == 0) return j;
    return -1;
}

const char *cli_reason_value(const odim_model *model, const odim_table *table, int64_t row,
                             const odim_reason *reason, char *buf, size_t size)
{
    odim_column_info c = ODIM_COLUMN_INFO_INIT;
    odim_model_column(model, reason->col, &c, NULL);
    *buf = '\0';
    if (c.type == ODIM_NUMERIC && reason->value == reason->value)
        return odim_model_text(model, reason->col, reason->value, buf, size);
    int64_t j = cli_reason_column(model, reason->col, table);
    if (j >= 0) odim_table_text(table, row, j, buf, size);
    if (!*buf) snprintf(buf, size, "missing");
    return buf;
}

const char *cli_reason_expected(const odim_model *model, const odim_reason *reason, char *buf, size_t size)
{
    odim_column_info c = ODIM_COLUMN_INFO_INIT;
    odim_model_column(model, reason->col, &c, NULL);
    *buf = '\0';
    if (reason->expected != reason->expected) return buf;
    bool level = c.type == ODIM_CATEGORICAL && reason->expected >= 0 && reason->expected < (double)c.levels;
    if (!level) return odim_model_text(model, reason->col, reason->expected, buf, size);
    snprintf(buf, size, "%s", odim_model_level(model, reason->col, (int64_t)reason->expected, NULL));
    return buf;
}

const char *cli_reason_name(const odim_model *model, int64_t col, char *buf, size_t size)
{
    odim_column_info c = ODIM_COLUMN_INFO_INIT, other = ODIM_COLUMN_INFO_INIT;
    const char *place = odim_model_place(model, col);
    *buf = '\0';
    if (place) {
        snprintf(buf, size, "%s", place);
        return buf;
    }
    if (odim_model_column(model, col, &c, NULL)) return buf;
    snprintf(buf, size, "%s", c.name);
    for (int64_t j = 0; j < odim_model_cols(model); j++) {
        if (j == col || odim_model_column(model, j, &other, NULL) || strcmp(other.name, c.name) != 0)
            continue;
        snprintf(buf, size, "%s (column %lld)", c.name, (long long)col + 1);
        break;
    }
    return buf;
}
