/* Opens an SQLite database as records, with the options of the caller. */
#ifndef OD_SQLITE_INPUT_H
#define OD_SQLITE_INPUT_H

#include "io/records.h"
#include "prep/table_input.h"

/* Remarks about columns go to `notes`. */
odim_status od_sqlite_input(od_records **out, const od_table_input *in, od_strlist *notes, odim_error *err);

#endif
