/* Finds the types and formats of the columns of a CSV file, and the column that names its rows. */
#ifndef OD_TEXT_TYPES_H
#define OD_TEXT_TYPES_H

#include "prep/columns.h"
#include "prep/type_infer.h"

/* Whether a column has to be counted before the rows can be read. */
bool od_text_types_open(const od_columns *c);

/* Gives each open column its type and format, from the votes (features) of all rows. A column that looks like
 * an id becomes the id, if find_id and there is none, and stops being a feature. Notes say what is not plain.
 */
odim_status od_text_types_decide(od_columns *c, odim_table *t, const od_type_votes *votes,
                                 const od_type_hints *hints, bool find_id, odim_error *err);

#endif
