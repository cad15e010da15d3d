/*
 * Synthetic rows: values drawn evenly within the bounds of a schema, each column by itself. A private model
 * learns from them what it must not take from training rows.
 */
#ifndef OD_SYNTHETIC_H
#define OD_SYNTHETIC_H

#include "prep/schema.h"

/* A table of the columns that the schema uses. */
odim_status od_synthetic_rows(odim_table **out, const od_schema *s, int64_t rows, uint64_t seed,
                              odim_error *err);

#endif
