/*
 * How the cells of a text column are written: the marks and the unit of its numbers, the order of its dates.
 * It is decided once for a whole column (prep/type_infer.h), is part of a model, and reads the cells of new
 * rows.
 */
#ifndef OD_CELL_FORMAT_H
#define OD_CELL_FORMAT_H

#include "base/local_date.h"
#include "base/local_number.h"
#include "base/strlist.h"
#include "prep/table.h"

/* Takes additional markers for missing cells: an array that ends with NULL, or NULL. */
odim_status od_cell_na(od_strlist *na, const char *const *texts, odim_error *err);
bool od_cell_is_missing(const char *text, size_t len, const od_strlist *na);

/* Parses true/false, yes/no, on/off. */
bool od_cell_boolean(const char *text, size_t len, double *out);

/*
 * Parses a cell of a column that has this type and format, NaN where it is missing. Returns false if it is
 * neither. Categories are not for it: their cells go to od_levels_code.
 */
bool od_cell_parse(odim_type type, const od_cell_format *format, const char *text, size_t len,
                   const od_strlist *na, double *out);

/* Describes a cell of free text; all values are NaN if it is missing. */
void od_cell_describe(const od_text_profile *p, const char *text, size_t len, const od_strlist *na,
                      od_text_values out);

/* Writes what is special about a format, for people: "decimal comma, EUR"; "" for plain numbers and ISO 8601
 * dates. */
const char *od_cell_format_text(odim_type type, const od_cell_format *format, char *buf, size_t size);
/* Writes what the cells of such a column are, for a message: "a number (decimal comma, EUR)". */
const char *od_cell_kind_text(odim_type type, const od_cell_format *format, char *buf, size_t size);
/* Reads the word behind "number:" or "date:" in a list of types: comma, point, dmy, unix, ... False: it is
 * none. */
bool od_cell_format_named(odim_type type, const char *word, od_cell_format *out);

#endif
