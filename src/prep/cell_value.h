/* The value of a cell that comes as text, read as a file for the model is read. */
#ifndef OD_CELL_VALUE_H
#define OD_CELL_VALUE_H

#include "prep/schema.h"

/* The value of a cell of a column: NaN if it is missing; of a category the code of its level, -1 if the
 * schema does not have it. Fails if the text does not fit the column. Allocates nothing. */
odim_status od_cell_value(const od_schema *s, int64_t col, const char *text, size_t len, double *out,
                          odim_error *err);

#endif
