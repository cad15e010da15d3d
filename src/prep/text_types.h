/* Finds the types and formats of the columns of a CSV file, and the column that names its rows. */
#ifndef OD_TEXT_TYPES_H
#define OD_TEXT_TYPES_H

#include "prep/columns.h"
#include "prep/type_infer.h"

/* What to do with columns that look like ids. */
typedef enum od_id_search {
    OD_IDS_KEEP, /* they are features like others: the caller has chosen the features */
    OD_IDS_DROP, /* numbers that count the rows, or identify them, are not features */
    OD_IDS_FIND  /* and the best one names the rows */
} od_id_search;

/* Whether a column has to be counted before the rows can be read. */
bool od_text_types_open(const od_columns *c);

/* Gives each open column its type and format, from the votes (features) of all rows, and finds ids. Notes say
 * what is not plain. */
odim_status od_text_types_decide(od_columns *c, odim_table *t, const od_type_votes *votes,
                                 const od_type_hints *hints, od_id_search ids, odim_error *err);

#endif
