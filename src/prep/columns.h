/*
 * What each column of a file is for: a feature, the label, the id, what is known of the rows, or nothing.
 *
 * A column is meant by its name or else by its 1-based number. The features keep the order of the file.
 */
#ifndef OD_COLUMNS_H
#define OD_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "prep/schema.h"

/* A file may have more columns than a table: the rest is to be left out. */
#define OD_COLUMNS_MOST (1 << 20)
/* To be found from the cells. */
#define OD_TYPE_OPEN (-1)

typedef struct od_columns {
    int64_t count; /* of the file */
    int64_t
        numbered;  /* the first so many have no name and are called x1, x2, ...; nothing is stored for them */
    char *text;    /* names of the others, each with its '\0' */
    size_t *start; /* (count - numbered) of each in text */
    size_t cap, text_len, text_cap;

    /* Set by od_columns_choose or od_columns_like; all columns are 0-based. */
    int64_t label, id, known; /* -1: none */
    int64_t *feature;  /* (features) in the order of the file or, with od_columns_like, of the schema */
    signed char *type; /* (features) what the caller wants it to be, or OD_TYPE_OPEN */
    int64_t features;
    const od_schema *like; /* whose columns they are, or NULL */
    bool bounds;           /* and it is one of bounds (prep/bounds.h), not a model's */
} od_columns;

/* The first `count` columns, without names. Begin with {0}. */
odim_status od_columns_number(od_columns *c, int64_t count, odim_error *err);
/* Adds a column at the end; without a name it is called x and its number. */
odim_status od_columns_add(od_columns *c, const char *name, size_t len, odim_error *err);
/* With `labels_last` the last column is never a feature, and the label unless the options say otherwise. */
odim_status od_columns_choose(od_columns *c, const odim_read_options *options, bool labels_last,
                              odim_error *err);
/*
 * The columns of a fitted schema, by name; of the options only label, id and known count. A file without
 * names may have as many other columns as the schema and is taken in order. Remarks about columns that are
 * left out go to `notes`.
 */
odim_status od_columns_like(od_columns *c, const odim_read_options *options, const od_schema *schema,
                            bool labels_last, od_strlist *notes, odim_error *err);
/* Gives the table its columns and all names; types that are open become numeric. */
odim_status od_columns_name_table(const od_columns *c, odim_table *t, odim_error *err);
/* No other column has its name. */
bool od_columns_unique(const od_columns *c, int64_t col);
/* All of it: the columns of `like` or, where that is NULL, those that the options choose, to the table; with
 * `keep` also the names of all columns, for cells that are kept as text. */
odim_status od_columns_settle(od_columns *c, odim_table *t, const odim_read_options *o, const od_schema *like,
                              bool labels_last, odim_error *err);
/* The name, fit for a message. */
const char *od_columns_show(const od_columns *c, int64_t col, char *buf, size_t size);
void od_columns_free(od_columns *c);

#endif
