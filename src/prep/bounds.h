/*
 * Public facts about the columns of a table, from a file: names, types, bounds and levels that are known
 * without looking at the rows. The file is CSV with the columns
 *
 *     column   the name of a column of the table; columns that are not listed are not used
 *     low      the lower bound: a number or an ISO 8601 time
 *     high     the upper bound
 *     levels   instead of bounds, the levels of a category, separated by |
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
