/*
 * What the fuzz targets share. Those of tables: the bytes are read, and whatever comes of it must be a table
 * as odim.h promises it, or a clear error. The sanitizers see to the rest.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "odim.h"

#define MUST(cond)                                                                                           \
    do {                                                                                                     \
        if (!(cond)) abort();                                                                                \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A number, or none; of a category a level that has a text. */
static inline void check_cell(const odim_table *t, int64_t row, int64_t col)
{
    double v = odim_table_value(t, row, col);
    char text[64];
    odim_table_text(t, row, col, text, sizeof text);
    MUST(!isnan(v) || !*text);
    if (isnan(v)) return;
    switch (odim_table_type(t, col)) {
    case ODIM_BOOLEAN: MUST(v == 0 || v == 1); break;
    case ODIM_CATEGORICAL: MUST(v >= 0 && v < 65536 && v == floor(v) && *text); break;
    case ODIM_NUMERIC:
    case ODIM_TIME: MUST(isfinite(v) && *text); break;
    default: abort();
    }
}

/* The longest text that a table of so many bytes can hold: gzip shrinks to a 1030th at best, other packers
 * without a bound; but no record is longer than 64 MB, and recoding makes three bytes of one at most. */
static inline size_t longest_text(const uint8_t *data, size_t size)
{
    bool packed = size && (*data == 0xFD || *data == 'B' || *data == 0x28 || (*data & 0xF0) == 0x50);
    return packed ? ((size_t)64 << 20) * 3 : size * 1100 + 32;
}

/* most: a bound of the length of a text */
static inline void check_table(const odim_table *t, size_t most, const odim_read_options *o)
{
    int64_t n = odim_table_rows(t), d = odim_table_cols(t), kept = odim_table_kept_cols(t);
    MUST(n >= 1 && d >= 1);
    MUST(!o->label || odim_table_labels(t));
    MUST(!odim_table_labels(t) == !odim_table_label_name(t));
    MUST(!o->id || odim_table_id_name(t));     /* one may be found */
    MUST(o->keep ? 8 * kept >= d : kept == 0); /* a free text becomes eight columns */
    for (int64_t j = 0; j < d; j++) MUST(*odim_table_name(t, j));
    for (int64_t j = 0; j < kept; j++) MUST(*odim_table_kept_name(t, j));
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < d; j++) check_cell(t, i, j);
        for (int64_t j = 0; j < kept; j++) MUST(strlen(odim_table_kept(t, i, j)) < most);
        if (odim_table_labels(t)) MUST(odim_table_labels(t)[i] == 0 || odim_table_labels(t)[i] == 1);
        if (odim_table_id_name(t)) MUST(strlen(odim_table_id(t, i)) < most);
    }
}

static inline void check_error(odim_status status, const odim_error *err)
{
    MUST(err->status == status && err->row >= -1 && err->col >= -1);
    MUST(memchr(err->msg, '\0', sizeof err->msg));
    for (const char *p = err->msg; *p; p++) MUST((unsigned char)*p >= 32 && *p != 127);
}

static inline int fuzz_read(const uint8_t *data, size_t size, const odim_read_options *options)
{
    odim_table *t;
    odim_error err;
    memset(&err, 0xA5, sizeof err); /* what is not filled in shows */
    odim_status status = odim_table_read_memory(&t, data, size, "fuzz", options, &err);
    if (status) {
        MUST(!t);
        check_error(status, &err);
        MUST(strncmp(err.msg, "fuzz: ", 6) == 0 || status == ODIM_ERR_PARAM);
    } else {
        check_table(t, longest_text(data, size), options);
        odim_table_free(t);
    }
    return 0;
}

/* Nearly every mutation of bytes that end with their hash breaks it: the last eight become FNV-1a of the
 * rest.
 */
static inline void fuzz_repair(uint8_t *bytes, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    if (size < 8) return;
    for (size_t i = 0; i < size - 8; i++) hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    for (int i = 0; i < 8; i++) bytes[size - 8 + (size_t)i] = (uint8_t)(hash >> 8 * i);
}

/* Bytes of the input that choose how a text is read; the rest is the text. */
#define FUZZ_OPTIONS 3

static inline odim_read_options fuzz_options(const uint8_t *data)
{
    static const char *const columns[] = {NULL, "1", "2", "a", "y", "x3", "id", "nothing"};
    static const char *const one[] = {"1", NULL}, *const two[] = {"b", "2", NULL},
                             *const words[] = {"a", "x3", NULL}, *const na[] = {"x", "-1", "yes", NULL};
    static const char *const *const lists[] = {NULL, one, two, words};
    static const char delimiters[] = {0, 0, 0, ',', ';', '\t', '|', ' '};
    return (odim_read_options){.size = sizeof(odim_read_options),
                               .format = data[0] & 1 ? "tsv" : "csv",
                               .header = (data[0] >> 1 & 3) == 1   ? 1
                                         : (data[0] >> 1 & 3) == 2 ? -1
                                                                   : 0,
                               .delimiter = delimiters[data[0] >> 3 & 7],
                               .ignore = lists[data[0] >> 6],
                               .label = columns[data[1] & 7],
                               .id = columns[data[1] >> 3 & 7],
                               .only = lists[data[1] >> 6],
                               .numeric = lists[data[2] & 3],
                               .categorical = lists[data[2] >> 2 & 3],
                               .time = data[2] >> 4 & 1 ? one : NULL,
                               .boolean = data[2] >> 5 & 1 ? words : NULL,
                               .na = data[2] >> 6 & 1 ? na : NULL,
                               .keep = data[2] >> 7};
}

#endif
