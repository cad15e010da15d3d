/* Fits the checks of single cells to training rows. */
#ifndef OD_CHECKS_FIT_H
#define OD_CHECKS_FIT_H

#include "prep/sample.h"
#include "prep/schema.h"

odim_status od_checks_fit(od_checks *c, const od_schema *schema, const odim_table *table,
                          const od_row_set *rows, odim_error *err);

#endif
