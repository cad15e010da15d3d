/* Values of DuckDB's types as text, and as numbers where a double holds them. */
#ifndef OD_DUCKDB_TEXT_H
#define OD_DUCKDB_TEXT_H

#include <stdbool.h>

#include "base/strlist.h"
#include "io/duckdb_api.h"
#include "io/value_text.h"

/* The type of a column. */
typedef struct od_ddb_kind {
    int type;
    int stored;        /* of DECIMAL and ENUM: the type of the numbers in the vector */
    int scale;         /* of DECIMAL: digits behind the point, at most 38 */
    od_strlist levels; /* of ENUM */
} od_ddb_kind;

/* Room for any value that is not a text. */
#define OD_DDB_ROOM OD_VALUE_ROOM

/* The name of a type, for messages. */
const char *od_ddb_type_name(int type);
/* Whether its values can be written as text. */
bool od_ddb_is_readable(int type);
/* Whether its values are numbers that od_ddb_number gives. */
bool od_ddb_is_number(int type);

/*
 * Writes value i of a vector: numbers so that od_num_parse reads them exactly (whole numbers above 2^53 have
 * all digits), dates and times as ISO 8601, NaN as nothing. *text is in buf, in the vector or in the kind;
 * returns its length. There is no '\0' at the end. A text, or the index of a level, that is not valid
 * gives SIZE_MAX.
 */
size_t od_ddb_write(const od_ddb_kind *kind, const void *data, size_t i, char buf[OD_DDB_ROOM],
                    const char **text);
/* The same value as a number: what od_num_parse reads from that text, or NaN. False: it is infinite. */
bool od_ddb_number(int type, const void *data, size_t i, double *out);

#endif
