/*
 * An Excel workbook (.xlsx): a zip archive of XML files. Relationships say which file is what:
 *
 *     _rels/.rels                    where the workbook is, as a rule xl/workbook.xml
 *     xl/workbook.xml                the sheets in the order of their tabs, and the date system
 *     xl/_rels/workbook.xml.rels     the files of sheets, shared strings and styles
 *     xl/sharedStrings.xml           texts, which cells name by their number
 *     xl/styles.xml                  formats: they alone tell a date from a number
 *     xl/worksheets/sheet1.xml ...   the cells: io/xlsx_sheet.h
 */
#ifndef OD_XLSX_BOOK_H
#define OD_XLSX_BOOK_H

#include "base/strlist.h"
#include "io/xml.h"
#include "io/zip.h"

typedef struct od_book_sheet {
    size_t member; /* of the archive */
    bool hidden;
} od_book_sheet;

typedef struct od_book {
    od_zip zip;
    size_t limit; /* bytes that a file of the archive may unpack to */
    bool from_1904, is_ods;
    od_book_sheet *sheets; /* (names.count) those that have cells */
    size_t sheets_cap;
    od_strlist names; /* of the sheets */
    od_strlist strings;
    bool *dates; /* (styles) whether numbers in that style are dates */
    size_t styles, styles_cap;
} od_book;

/* Whether the archive is a workbook, an OpenDocument file or another Office file. */
bool od_book_is(const od_zip *zip);
/* The bytes are borrowed. */
odim_status od_book_open(od_book *b, const unsigned char *bytes, size_t size, size_t limit, odim_error *err);
void od_book_close(od_book *b);
/* Opens a file of the archive as XML. */
odim_status od_book_xml(const od_book *b, size_t member, const od_xml_handler *handler, void *ctx,
                        od_xml **out, odim_error *err);
/* Puts the name of the file before a message. */
odim_status od_book_blame(const od_book *b, size_t member, odim_status status, odim_error *err);
/* Loads what cells refer to: xlsx_strings.c and xlsx_styles.c. */
odim_status od_book_read_strings(od_book *b, size_t member, odim_error *err);
odim_status od_book_read_styles(od_book *b, size_t member, odim_error *err);
/* Finds the sheets of an OpenDocument file, by its content.xml: ods_book.c. manifest NULL: it has none. */
odim_status od_book_read_ods(od_book *b, size_t member, const size_t *manifest, odim_error *err);

static inline const char *od_book_string(const od_book *b, size_t i, size_t *len)
{
    size_t end = i + 1 < b->strings.count ? b->strings.start[i + 1] : b->strings.used;
    *len = end - b->strings.start[i] - 1;
    return od_strlist_at(&b->strings, i);
}

/* Reads a whole file of the archive. */
odim_status od_book_run(const od_book *b, size_t member, const od_xml_handler *handler, void *ctx,
                        odim_error *err);
/* Replaces _x000D_, which stands for a character that XML cannot hold, in place; returns the new length. */
size_t od_book_unescape(char *text, size_t len);

/* For the readers of books: adds a sheet that has cells. */
odim_status od_book_add_sheet(od_book *b, const char *name, od_book_sheet sheet, odim_error *err);

#endif
