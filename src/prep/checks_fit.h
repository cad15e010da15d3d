/* Fits the checks of single cells to training rows. */
#ifndef OD_CHECKS_FIT_H
#define OD_CHECKS_FIT_H

#include "prep/sample.h"
#include "prep/schema.h"

/* On so many threads, which make no difference to the result. */
odim_status od_checks_fit(od_checks *c, const od_schema *schema, const odim_table *table,
                          const od_row_set *rows, int64_t threads, odim_error *err);

#endif
