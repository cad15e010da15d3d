/* The reasons of rows as one array, which results keep by row. */
#ifndef CLI_EXPLAIN_ROWS_H
#define CLI_EXPLAIN_ROWS_H

#include "odim.h"

/* out (which->count, which->top): col is -1 after the last reason of a row. */
odim_status cli_explain_rows(const odim_model *model, const odim_table *table,
                             const odim_explain_options *which, const odim_params *params,
                             const odim_hooks *hooks, odim_reason *out, odim_error *err);

#endif
