/*
 * Rows of Arrow's record batches, as records.
 *
 * The batches come from arrays of a program (io/arrow_stream.h) or from a file (io/arrow_file.h); each fills
 * in an od_arrow_batches, as its first member.
 */
#ifndef OD_ARROW_ROWS_H
#define OD_ARROW_ROWS_H

#include "io/arrow_value.h"
#include "io/records.h"

typedef struct od_arrow_batches od_arrow_batches;
struct od_arrow_batches {
    od_strlist names;    /* of the columns */
    od_arrow_type *type; /* (names.count) */
    /*
     * Reads the next batch: views (names.count), of which those with !used need not be filled in. *rows is -1
     * at the end. row->valid and row->offset say which whole rows are missing, if any are.
     */
    odim_status (*next)(od_arrow_batches *b, const bool *used, od_arrow_view *views, int64_t *rows,
                        od_arrow_view *row, odim_error *err);
    odim_status (*rewind)(od_arrow_batches *b, odim_error *err);
    /* Frees everything, names and types included. */
    void (*close)(od_arrow_batches *b);
    /* Whether the next batch can be read without waiting for it. NULL: always. */
    bool (*ready)(od_arrow_batches *b);
};

/* Whether the cells of a column are needed. If not, its type does not matter. NULL: all are. */
typedef struct od_arrow_needs {
    bool (*needed)(const void *ctx, const char *name, size_t column);
    const void *ctx;
} od_arrow_needs;

/*
 * Takes over the batches, whatever comes of it. Columns of bytes are left out, and a remark about each of
 * them goes to `notes`. A column whose values are not single ones, such as a list, is an error if its cells
 * are needed; otherwise they are missing.
 */
odim_status od_arrow_rows_open(od_records **out, od_arrow_batches *batches, const od_arrow_needs *needs,
                               od_strlist *notes, odim_error *err);

#endif
