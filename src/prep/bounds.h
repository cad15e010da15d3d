/*
 * What is public about the columns of a table, from a file: names, types, bounds and levels that nobody had
 * to look at the rows for. The file is CSV with the columns
 *
 *     column   the name of a column of the table; the others are not used
 *     low      its bounds: numbers, or ISO 8601 times
 *     high
 *     levels   or the levels of a category, with | between them
 *
 * in any order. A column with neither bounds nor levels is a boolean.
 */
#ifndef OD_BOUNDS_H
#define OD_BOUNDS_H

#include "prep/schema.h"

/* Names, types, bounds and levels; nothing else of the schema is filled in. Messages have the file, the row
 * and the column. */
odim_status od_bounds_read(od_schema *s, const char *path, odim_error *err);
/* The same from memory; `name` stands for the file's name. */
odim_status od_bounds_read_memory(od_schema *s, const void *bytes, size_t size, const char *name,
                                  odim_error *err);

#endif
