/* Reading tables from hand-made bytes, and saying what is expected of them. For the tests of the readers. */
#ifndef TABLES_H
#define TABLES_H

#include "bytes.h"
#include "odim.h"
#include "prep/table.h"
#include "test.h"

static odim_error err;

static inline odim_table *read_bytes(const bytes *b, const char *name, const odim_read_options *o)
{
    odim_table *t = (odim_table *)&err;
    odim_status status = odim_table_read_memory(&t, b->p, b->len, name, o, &err);
    if (status && t) TEST_SAY("an output handle after a failure");
    if (status && status != err.status) TEST_SAY("the status is not in the error");
    return status ? NULL : t;
}

static inline odim_table *read_as(const char *text, const char *name, odim_read_options o)
{
    bytes b = {(unsigned char *)text, strlen(text), 0};
    return read_bytes(&b, name, &o);
}

#define READ(text, ...)                                                                                      \
    read_as(text, "t.csv", (odim_read_options){.size = sizeof(odim_read_options), __VA_ARGS__})
#define READ_PLAIN(text) READ(text, .format = NULL)

/* The reading fails, with this message and place, which counts from 1 as in the message; 0: none. */
static inline void expect_error(odim_table *t, odim_status status, int64_t row, int64_t col, const char *msg)
{
    if (t) {
        TEST_SAY("was read, should be: %s", msg);
        odim_table_free(t);
        return;
    }
    CHECK_STR(err.msg, msg);
    if (err.status != status || err.row != row - 1 || err.col != col - 1)
        TEST_SAY("status %d, row %d, column %d of: %s", (int)err.status, (int)err.row, (int)err.col, msg);
}

#define EXPECT(status, row, col, msg, text, ...) expect_error(READ(text, __VA_ARGS__), status, row, col, msg)

/* n, d and the values row by row; NAN where a cell is missing. */
static inline void expect_table(odim_table *t, int64_t n, int64_t d, const double *values)
{
    if (!t) {
        TEST_SAY("%s", err.msg);
        return;
    }
    CHECK_INT(odim_table_rows(t), n);
    CHECK_INT(odim_table_cols(t), d);
    for (int64_t i = 0; i < t->n * t->d && n == t->n && d == t->d; i++) {
        double got = odim_table_value(t, i / d, i % d);
        if (isnan(values[i]) ? !isnan(got) : got != values[i])
            TEST_SAY("cell %d is %g, expected %g", (int)i, got, values[i]);
    }
    odim_table_free(t);
}

#define EXPECT_TABLE(t, n, d, ...) expect_table(t, n, d, (const double[]){__VA_ARGS__})

/* Rows as "1|red||2024-05-01;...", the cells of a row between bars: what odim_table_text shows. */
static inline void expect_text(odim_table *t, const char *want)
{
    static char text[4096];
    size_t at = 0;
    if (!t) {
        TEST_SAY("%s", err.msg);
        return;
    }
    for (int64_t i = 0; i < t->n; i++) {
        for (int64_t j = 0; j < t->d; j++) {
            char cell[100];
            odim_table_text(t, i, j, cell, sizeof cell);
            at += (size_t)snprintf(text + at, sizeof text - at, "%s%s", j ? "|" : i ? ";" : "", cell);
            if (at >= sizeof text) at = sizeof text - 1;
        }
    }
    CHECK_STR(text, want);
    odim_table_free(t);
}

/* A 2 x 2 array of floats: 1, 2, 3, 4. */
static inline bytes npy_2x2(void)
{
    bytes b = {0};
    put_npy(&b, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }\n", (float[]){1, 2, 3, 4}, 16);
    return b;
}

/* An archive of that array as X and this y. */
static inline bytes npz_with(const char *y_header, const void *y, size_t len)
{
    bytes x = npy_2x2(), member = {0};
    zip_maker z = {0};
    put_npy(&member, y_header, y, len);
    zip_add(&z, "y.npy", member.p, member.len, 1);
    zip_add(&z, "X.npy", x.p, x.len, 0);
    drop(&member);
    drop(&x);
    return zip_end(&z);
}

/* All columns of two tables, types, cells, labels, ids, kept cells: the rows of b are those of a from `first`
 * on. */
static inline int same_rows(const odim_table *a, int64_t first, const odim_table *b)
{
    if (a->d != b->d || first + b->n > a->n || odim_table_kept_cols(a) != odim_table_kept_cols(b)) return 0;
    if (!a->labels != !b->labels || !a->id_name != !b->id_name) return 0;
    for (int64_t i = 0; i < b->n; i++) {
        for (int64_t j = 0; j < b->d; j++) {
            char one[200], other[200];
            if (odim_table_type(a, j) != odim_table_type(b, j)) return 0;
            odim_table_text(a, first + i, j, one, sizeof one);
            odim_table_text(b, i, j, other, sizeof other);
            if (strcmp(one, other) != 0) return 0;
        }
        if (a->labels && a->labels[first + i] != b->labels[i]) return 0;
        if (a->id_name && strcmp(odim_table_id(a, first + i), odim_table_id(b, i)) != 0) return 0;
        for (int64_t j = 0; j < odim_table_kept_cols(a); j++)
            if (strcmp(odim_table_kept(a, first + i, j), odim_table_kept(b, i, j)) != 0) return 0;
    }
    return 1;
}

#endif
