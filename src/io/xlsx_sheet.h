/*
 * The rows of a sheet in an Excel workbook, one at a time:
 *
 *     <sheetData>
 *       <row r="5"><c r="C5" t="s" s="2"><f>A5*2</f><v>17</v></c><c t="inlineStr"><is><t>a
 * text</t></is></c></row>
 *
 * Rows and cells may be absent, which means empty, and so may be their references: they follow the one
 * before. A cell's type is a number (n, none given), a shared string (s), a text (str, inlineStr), a boolean
 * (b), an error (e) or an ISO date (d). Its style s says whether a number is a date. Of a formula the result
 * counts.
 */
#ifndef OD_XLSX_SHEET_H
#define OD_XLSX_SHEET_H

#include <stdint.h>

#include "io/xlsx_book.h"

/* The last row is 1048576, the last column XFD. */
#define OD_SHEET_ROWS    1048576
#define OD_SHEET_COLUMNS 16384
/* Room for the name of a cell. */
#define OD_SHEET_NAME 16

/* VALUE: a number, a date or a boolean. */
typedef enum od_sheet_kind { OD_SHEET_EMPTY, OD_SHEET_TEXT, OD_SHEET_VALUE } od_sheet_kind;

typedef struct od_sheet_cell {
    od_sheet_kind kind;
    const char *text; /* without '\0'; not of an empty cell */
    size_t start, len;
} od_sheet_cell;

typedef struct od_sheet {
    const od_book *book;
    size_t index; /* among the sheets of the book */
    od_xml *xml;
    int64_t row;          /* that was read, from 1 */
    od_sheet_cell *cells; /* (width) of that row, from column A on */
    size_t width, cap;

    char *text; /* of the row's cells */
    size_t text_len, text_cap;
    bool in_data, in_row, in_cell, in_text, in_phonetic;
    int64_t column; /* of the last cell, from 1 */
    char type;      /* of it: n, s, t (text), b, e or d */
    bool date, formula;
    size_t filled; /* cells of the row that are not empty */

    /* Of an OpenDocument sheet: */
    int64_t next_row, repeat;          /* the row after this one; how often this one is still to be given */
    int64_t columns;                   /* that the cell stands for */
    size_t start, tables;              /* of the text of the cell; sheets that have begun */
    int depth;                         /* of tables in tables */
    bool in_sheets, has_value, broken; /* broken: the text has a paragraph already */

    int64_t errors, pending; /* cells that are errors, or formulas without a result */
    char first_error[OD_SHEET_NAME], first_pending[OD_SHEET_NAME];
} od_sheet;

odim_status od_sheet_open(od_sheet *s, const od_book *book, size_t index, odim_error *err);
void od_sheet_close(od_sheet *s);
/* Reads the next row that has a cell which is not empty. */
odim_status od_sheet_next(od_sheet *s, bool *end, odim_error *err);
/* For the parsers of both formats. Adds to the text of the row; makes room for a number of cells, which are
 * empty; counts a cell and remembers the first; whether a text is only white space. */
odim_status od_sheet_add(od_sheet *s, const char *text, size_t len, odim_error *err);
odim_status od_sheet_widen(od_sheet *s, size_t width, odim_error *err);
void od_sheet_count(const od_sheet *s, int64_t *count, char first[OD_SHEET_NAME]);
bool od_sheet_is_blank(const char *text, size_t len);
/* A number of days as ISO 8601. False: it is no day of the calendar. */
bool od_sheet_days(char *iso, double days, bool from_1904);
/* Parses the sheets of an OpenDocument file: ods_sheet.c. */
extern const od_xml_handler od_ods_sheet;

/* "C5" for row 5, column 3; row 0: "C". */
const char *od_sheet_name(char buf[OD_SHEET_NAME], int64_t row, int64_t column);

#endif
