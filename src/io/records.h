/*
 * Rows of a file that is not CSV, such as JSON: the names of the columns, then records of text fields.
 *
 * A reader embeds this struct as its first member and fills it in when it is opened. Fields are UTF-8, an
 * empty field is a missing cell, numbers are written so that od_num_parse reads the same value, dates as ISO
 * 8601.
 */
#ifndef OD_RECORDS_H
#define OD_RECORDS_H

#include "base/strlist.h"
#include "io/csv.h"

/* How the cells of a column are given. */
typedef enum od_cells_as {
    OD_CELLS_TEXT,   /* as text */
    OD_CELLS_NUMBER, /* as text, and as a number in od_records.number */
    OD_CELLS_BARE,   /* as a number only; the text is empty, unless the number is infinite */
    OD_CELLS_UNUSED  /* not at all: the text is empty */
} od_cells_as;

typedef struct od_records od_records;
struct od_records {
    od_strlist names; /* of the columns */
    bool unnamed;     /* and these are only numbers */
    bool semicolon;   /* between the cells: see od_type_hints */
    /* For a reader whose columns have types; otherwise both are NULL. The caller may change OD_CELLS_NUMBER
     * to OD_CELLS_BARE where it needs no text, and back; and anything to OD_CELLS_UNUSED. */
    od_cells_as *as;
    double *number;    /* the numbers of the record that was read last; NaN is a missing cell */
    bool only_numbers; /* columns that are given as numbers are numeric: their types need not be found */
    /* After a record that is bad in itself: what identifies it. NULL: that is not known. */
    const char *bad_id;
    /* Reads the next record, with as many fields as there are names; count 0 is the end. Rows are counted
     * from 1. `line` is the line of the file, or the row of a sheet, for messages; 0: there are none. A
     * record that is bad in itself fails with ODIM_ERR_FORMAT, and the next call goes on behind it if that is
     * possible; if not, it is the end. */
    odim_status (*next)(od_records *r, od_record *out, odim_error *err);
    /* Goes back to the first record. */
    odim_status (*rewind)(od_records *r, odim_error *err);
    /* Frees everything, the names included. */
    void (*close)(od_records *r);
    /*
     * Reads records of which the caller needs only the numbers of `cols` columns, all of them OD_CELLS_BARE.
     * Number k of the i-th goes to to[i * cols + k]. *rows is at most `most`; 0: the next record must be read
     * by `next`, because it is infinite somewhere, or there is none. NULL: never.
     */
    odim_status (*numbers)(od_records *r, const int64_t *columns, int64_t cols, int64_t most, double *to,
                           int64_t *rows, odim_error *err);
    int64_t rows; /* all records, where that is known after the last one; else 0 */
    /* Whether the next record can be read without waiting for it. NULL: always. */
    bool (*ready)(od_records *r);
};

static inline void od_records_close(od_records *r)
{
    if (r) r->close(r);
}

#endif
