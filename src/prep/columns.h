/*
 * The role of each column of a file: feature, label, id, known outliers, or ignored.
 *
 * A caller names a column by its name or else by its 1-based number. Features keep the order of the file.
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
/* To be inferred from the cells. */
#define OD_TYPE_OPEN (-1)
/* Room for "x" and a number. */
#define OD_NUMBER_ROOM 24

typedef struct od_columns {
    int64_t count; /* of the file */
    int64_t
        numbered;  /* the first so many have no name and are called x1, x2, ...; nothing is stored for them */
    char *text;    /* names of the others, each with its '\0' */
    size_t *start; /* (count - numbered) of each in text */
    size_t cap, text_len, text_cap;

    /* Set by od_columns_choose or od_columns_like; all columns are 0-based. */
    int64_t label, id, known; /* -1: none */
    int64_t *feature;       /* (features) in the order of the file or, with od_columns_like, of the schema */
    signed char *type;      /* (features) what the caller wants it to be, or OD_TYPE_OPEN */
    od_cell_format *format; /* (features) how its cells are written */
    bool *decided;          /* (features) type and format are known */
    int64_t features;
    const od_schema *like; /* the schema that chose the columns, or NULL */
    bool bounds;           /* that schema is from bounds (prep/bounds.h), not from a model */
} od_columns;

/* The first `count` columns, without names. Begin with {0}. */
odim_status od_columns_number(od_columns *c, int64_t count, odim_error *err);
/* Adds a column at the end; without a name it is called x and its number. */
odim_status od_columns_add(od_columns *c, const char *name, size_t len, odim_error *err);
/* Gives columns that share a name a suffix, as in "a" and "a (2)", with a note. After the last
 * od_columns_add. */
odim_status od_columns_make_unique(od_columns *c, od_strlist *notes, odim_error *err);
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
/* Makes feature k the id of the rows, or just not a feature, in the table as well. */
odim_status od_columns_drop(od_columns *c, odim_table *t, int64_t k, bool id, odim_error *err);
/* Writes down what each column of the file is for, in the table. After the last od_columns_drop. */
odim_status od_columns_list_file(const od_columns *c, odim_table *t, odim_error *err);
/* Does all of this: gives the table the columns of `like` or, if that is NULL, those that the options choose.
 * With the option keep, also the names of all columns, for cells that are kept as text. */
odim_status od_columns_settle(od_columns *c, odim_table *t, const odim_read_options *o, const od_schema *like,
                              bool labels_last, odim_error *err);
/* Makes room for so many features. */
odim_status od_columns_room(od_columns *c, int64_t features, odim_error *err);
/* The name; buf is for one that is not stored. */
const char *od_columns_name(const od_columns *c, int64_t col, char buf[OD_NUMBER_ROOM]);
/* The number of columns of that name; *at is the first. */
int64_t od_columns_count_named(const od_columns *c, const char *name, size_t len, int64_t *at);
/* Finds the label, the id and the column of known rows that the options name, which must be different
 * columns. */
odim_status od_columns_find_others(od_columns *c, const odim_read_options *o, odim_error *err);
odim_status od_columns_check_others(const od_columns *c, odim_error *err);
/* What the column is, if it is not a feature, for a message; NULL: a feature. `last`: a column of labels, or
 * -1. */
const char *od_columns_role(const od_columns *c, int64_t col, int64_t last);
odim_status od_columns_fail_both(const od_columns *c, int64_t col, const char *one, const char *other,
                                 odim_error *err);
/* The name, fit for a message. */
const char *od_columns_show(const od_columns *c, int64_t col, char *buf, size_t size);
void od_columns_free(od_columns *c);

#endif
