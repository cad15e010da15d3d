/* Replaces a column of free text by the numeric columns that describe it. */
#ifndef OD_TEXT_COLUMNS_H
#define OD_TEXT_COLUMNS_H

#include "prep/columns.h"

/* Replaces feature k in the columns of a file and in the table, which has no rows yet. The counts, which may
 * be NULL, are those of all cells. */
odim_status od_text_columns_make(od_columns *c, odim_table *t, int64_t k, const od_text_counts *counts,
                                 odim_error *err);
/* Notes which columns were replaced, if any. */
odim_status od_text_columns_note(odim_table *t, odim_error *err);

#endif
