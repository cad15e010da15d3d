/* Labels in the cells of a CSV file, and errors about its cells. */
#ifndef OD_TEXT_CELLS_H
#define OD_TEXT_CELLS_H

#include "base/strlist.h"
#include "io/csv.h"
#include "prep/columns.h"
#include "prep/cell_format.h"

/* The cell does not fit its column, or is an infinite or too large number. */
odim_status od_text_cell_fail(const od_columns *cols, const od_record *rec, int64_t col,
                              const od_column *want, odim_error *err);

/* The same of a text at a `place`, which begins the message; row and col count from 1, 0 is none. */
odim_status od_text_cell_refuse(const char *place, int64_t row, int64_t col, const char *text, size_t len,
                                const od_column *want, odim_error *err);
/* Whether a cell says that its row has totals. Such a cell counts as missing. */
bool od_text_cell_is_total(const char *text, size_t size);

/* The cell of the label column. */
odim_status od_text_cell_label(const od_columns *cols, const od_record *rec, int8_t *out, odim_error *err);
/* The cell of the column of known outliers: 1, 0, or -1 if it is missing. */
odim_status od_text_cell_known(const od_columns *cols, const od_strlist *na, const od_record *rec,
                               int8_t *out, odim_error *err);

#endif
