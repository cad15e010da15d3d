/* The parts of a reason as text: column, value and expected value. Values and levels are as in the file;
 * callers that show them use odim_printable. */
#ifndef CLI_REASON_WORDS_H
#define CLI_REASON_WORDS_H

#include "odim.h"

/* The place in the table of a column of the model; -1: it is not there. */
int64_t cli_reason_column(const odim_model *model, int64_t col, const odim_table *table);
/* The name of a column, and its number where another column has the same name: "load (column 3)". */
const char *cli_reason_name(const odim_model *model, int64_t col, char *buf, size_t size);
/* The value in the row, whether the model knows it or not. All return buf. */
const char *cli_reason_value(const odim_model *model, const odim_table *table, int64_t row,
                             const odim_reason *reason, char *buf, size_t size);
/* Empty if no other value was expected. */
const char *cli_reason_expected(const odim_model *model, const odim_reason *reason, char *buf, size_t size);

#endif
