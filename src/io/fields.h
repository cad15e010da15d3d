/* A record of a text table: its fields, and where it is in the file. */
#ifndef OD_FIELDS_H
#define OD_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct od_field {
    const char *text; /* no '\0' at the end */
    uint32_t len;
    bool quoted;
    bool number; /* the file has it as a number, so that its text is plain: see od_num_parse */
} od_field;

/* Valid until the next one is read. */
typedef struct od_record {
    const od_field *fields;
    size_t count; /* 0: the end */
    int64_t row;  /* 1-based; a header is row 0 */
    int64_t line; /* 1-based, of its first character */
    int64_t at;   /* where its first byte is, counted from the beginning */
    bool sheet;   /* `line` is the row of a sheet */
    int32_t file; /* of several files, counted from 0 */
    bool placed;  /* there is a field for each column of the table, although the count is wrong */
} od_record;

#endif
