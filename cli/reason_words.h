/* A reason for a score in words, for whoever lists several: what the row has, what was expected, what is
 * usual. Values and levels are as the file has them: odim_printable is for who shows them. */
#ifndef CLI_REASON_WORDS_H
#define CLI_REASON_WORDS_H

#include "odim.h"

/* The column of the table that a column of the model is; -1: there is none. */
int64_t cli_reason_column(const odim_model *model, int64_t col, const odim_table *table);
/* The name of a column, and its number where another column has the same name: "load (column 3)". */
const char *cli_reason_name(const odim_model *model, int64_t col, char *buf, size_t size);
/* The value in the row, whether the model knows it or not. All return buf. */
const char *cli_reason_value(const odim_model *model, const odim_table *table, int64_t row,
                             const odim_reason *reason, char *buf, size_t size);
/* Empty where nothing else than the value was expected. */
const char *cli_reason_expected(const odim_model *model, const odim_reason *reason, char *buf, size_t size);
const char *cli_reason_usual(const odim_model *model, const odim_table *table, int64_t row,
                             const odim_reason *reason, char *buf, size_t size);

#endif
