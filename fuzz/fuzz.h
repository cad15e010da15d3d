/*
 * What the fuzz targets share. Those of tables: the bytes are read, and whatever comes of it must be a table
 * as odim.h promises it, or a clear error. The sanitizers see to the rest.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "odim.h"

#define MUST(cond)                                                                                           \
    do {                                                                                                     \
        if (!(cond)) abort();                                                                                \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void check_table(const odim_table *t, size_t size, const odim_read_options *o)
{
    int64_t n = odim_table_rows(t), d = odim_table_cols(t);
    MUST(n >= 1 && d >= 1);
    MUST(!o->label || odim_table_labels(t));
    MUST(!odim_table_labels(t) == !odim_table_label_name(t));
    MUST(!o->id == !odim_table_id_name(t));
    for (int64_t j = 0; j < d; j++) MUST(*odim_table_name(t, j));
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < d; j++) MUST(!isinf(odim_table_value(t, i, j))); /* NaN: missing */
        if (odim_table_labels(t)) MUST(odim_table_labels(t)[i] == 0 || odim_table_labels(t)[i] == 1);
        if (o->id)
            MUST(strlen(odim_table_id(t, i)) < size * 1100 + 32); /* gzip shrinks to a 1030th at best */
    }
}

static inline void check_error(odim_status status, const odim_error *err)
{
    MUST(err->status == status && err->row >= 0 && err->col >= 0);
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
        check_table(t, size, options);
        odim_table_free(t);
    }
    return 0;
}

#endif
