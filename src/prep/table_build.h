/* Builds a table from columns in memory: numbers, or texts that are read as in a CSV file. */
#ifndef OD_TABLE_BUILD_H
#define OD_TABLE_BUILD_H

#include "prep/schema.h"
#include "prep/type_infer.h"

/* like: the columns are to be those of a fitted schema, by name or, where none has one, in its order; or
 * NULL. voted: what decides the types of the columns, if these are only some of the rows; or NULL. */
odim_status od_table_build(odim_table **out, const odim_column *columns, int64_t cols, int64_t rows,
                           const od_schema *like, const od_voted *voted, odim_error *err);
/* Takes only what decides the types of the columns: adds their names, which are as many as columns, and adds
 * the cells to votes (cols). */
odim_status od_table_vote(const odim_column *columns, int64_t cols, int64_t rows, od_strlist *names,
                          od_type_votes *votes, odim_error *err);

#endif
