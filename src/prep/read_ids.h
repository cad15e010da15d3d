/* The ids of a table while it is read: texts one after the other, one for each row. */
#ifndef OD_READ_IDS_H
#define OD_READ_IDS_H

#include <stddef.h>

#include "prep/table.h"

/* How much the table's arrays can hold. Begin with {0}. */
typedef struct od_read_ids {
    size_t rows, rows_cap, used, cap;
} od_read_ids;

/* Adds the id of the next row. */
odim_status od_read_ids_add(od_read_ids *ids, odim_table *t, const char *text, size_t len, odim_error *err);

#endif
