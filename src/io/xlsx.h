/*
 * Excel workbooks (.xlsx) as records: one sheet of them, and the table that is in it.
 *
 * The sheet is the one that is named, by its name or by its number among those that are not hidden, or else
 * the first with cells that is not hidden. Empty rows and columns around the table are left out. Above the
 * table there may be titles: rows with one text, above a row with three cells or more. Its first row is the
 * header if its cells are names, or if one is and has a value below it. The columns of the table are those
 * that have cells in its first rows. An empty row inside the table is a record of missing cells.
 */
#ifndef OD_XLSX_H
#define OD_XLSX_H

#include "io/records.h"
#include "io/source.h"

/* The bytes are borrowed until the records are closed, and so are `notes`, to which the first pass adds up to
 * its end. */
odim_status od_xlsx_open(od_records **out, const unsigned char *bytes, size_t size,
                         const odim_read_options *options, od_strlist *notes, odim_error *err);
/* Whether a zip archive is a workbook, or another Office file. */
bool od_xlsx_is(const unsigned char *bytes, size_t size);
/* Fails, and says what the file is: one of the old binary kind, or an encrypted workbook. */
odim_status od_xlsx_refuse_old(const unsigned char *bytes, size_t size, odim_error *err);

#endif
