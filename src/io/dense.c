/* Decodes arrays of numbers of any type, byte order and layout. */
#include "io/dense.h"

#include <string.h>

#include "common/mem.h"

/* Cells converted at a time: the bytes of a block stay in the cache. */
#define BLOCK 8192
/* Cells allocated before any byte was seen. */
#define FIRST_CELLS ((size_t)1 << 16)
/* Bytes that one byte can be unpacked to, of deflate. */
#define MOST_RATIO 1032
/* Columns turned at a time while they are read, of so many rows at most: they fit into the cache. */
#define COLS_AT_ONCE 16
#define TURNED_ROWS  65536
/* Rows transposed at a time, so that their cache lines are still there for the next column. */
#define ROWS_AT_ONCE 128

static const unsigned char type_size[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8};
static const bool type_is_f64[] = {false, false, false, false, false, true,
                                   true,  true,  true,  false, false, true};

odim_status od_dense_measure(od_dense *d, odim_error *err)
{
    if (d->axes < 1)
        return od_fail(err, ODIM_ERR_DATA,
                       "it holds a single number, not a table: an array of rows is needed");
    size_t cols = 1, cells, bytes;
    for (int a = 1; a < d->axes; a++)
        if (!od_mul(cols, (size_t)d->shape[a], &cols)) cols = SIZE_MAX;
    if (d->shape[0] == 0) return od_fail(err, ODIM_ERR_DATA, "the array has no rows");
    if (cols == 0) return od_fail(err, ODIM_ERR_DATA, "the array has no columns");
    if (!od_mul((size_t)d->shape[0], cols, &cells) || !od_mul(cells, sizeof(double), &bytes) ||
        bytes > PTRDIFF_MAX)
        return od_fail(err, ODIM_ERR_FORMAT, "the shape has more cells than memory can hold");
    d->rows = d->shape[0];
    d->cols = (int64_t)cols;
    return ODIM_OK;
}

/* ---- one block of cells --------------------------------------------------------------------------- */

bool od_dense_host_is_big_endian(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 0;
}

static void swap_bytes(unsigned char *p, size_t n, size_t size)
{
    for (size_t i = 0; i < n; i++, p += size) {
        for (size_t a = 0, b = size - 1; a < b; a++, b--) {
            unsigned char t = p[a];
            p[a] = p[b];
            p[b] = t;
        }
    }
}

static float half_to_float(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, exponent = h >> 10 & 31, fraction = h & 1023, bits;
    if (exponent == 0) { /* zero and what is below the normal range: fraction * 2^-24 */
        float f = (float)fraction * 0x1p-24f;
        return sign ? -f : f;
    }
    /* The exponent's bias is 15 here and 127 there; all ones (infinity, NaN) stay all ones. */
    bits = sign | (exponent == 31 ? 255u : exponent + 112) << 23 | fraction << 13;
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

#define CONVERT(from, to, value)                                                                             \
    for (size_t i = 0; i < n; i++) {                                                                         \
        from v;                                                                                              \
        memcpy(&v, in + i * sizeof v, sizeof v);                                                             \
        ((to *)out)[i] = (to)(value);                                                                        \
    }                                                                                                        \
    break

static void convert(od_type type, const unsigned char *in, size_t n, void *out)
{
    switch (type) {
    case OD_TYPE_BOOL: CONVERT(uint8_t, float, v != 0);
    case OD_TYPE_I8: CONVERT(int8_t, float, v);
    case OD_TYPE_U8: CONVERT(uint8_t, float, v);
    case OD_TYPE_I16: CONVERT(int16_t, float, v);
    case OD_TYPE_U16: CONVERT(uint16_t, float, v);
    case OD_TYPE_I32: CONVERT(int32_t, double, v);
    case OD_TYPE_U32: CONVERT(uint32_t, double, v);
    case OD_TYPE_I64: CONVERT(int64_t, double, v);
    case OD_TYPE_U64: CONVERT(uint64_t, double, v);
    case OD_TYPE_F16: CONVERT(uint16_t, float, half_to_float(v));
    case OD_TYPE_F32: CONVERT(float, float, v);
    case OD_TYPE_F64: CONVERT(double, double, v);
    }
}

/* ---- all of them ---------------------------------------------------------------------------------- */

/* The next `count` cells in the order of the file, after `done` others of the array. */
static odim_status fill_cells(const od_dense *d, od_source *src, size_t done, size_t count,
                              unsigned char *block, void *out, odim_error *err)
{
    size_t size = type_size[d->type], cell = type_is_f64[d->type] ? sizeof(double) : sizeof(float);
    bool swap = d->big_endian != od_dense_host_is_big_endian();
    for (size_t have = 0, want; have < count; have += want) {
        size_t got;
        want = count - have < BLOCK ? count - have : BLOCK;
        odim_status status = od_source_fill(src, block, want * size, &got, err);
        if (status) return status;
        if (got < want * size)
            return od_fail(err, ODIM_ERR_FORMAT,
                           "the data ends after %zu of %zu bytes: the file is truncated, or its header wrong",
                           (done + have) * size + got, (size_t)d->rows * (size_t)d->cols * size);
        if (swap) swap_bytes(block, want, size);
        convert(d->type, block, want, (unsigned char *)out + have * cell);
    }
    return ODIM_OK;
}

/* How many cells may be allocated before any was seen: as many as the bytes that are there can hold. */
static size_t first_cells(const od_dense *d, const od_source *src, size_t need)
{
    size_t packed, bytes = od_source_left(src);
    if (od_source_packed(src, &packed) && !od_mul(packed, MOST_RATIO, &bytes)) bytes = SIZE_MAX;
    size_t cap = bytes / type_size[d->type];
    if (cap < FIRST_CELLS) cap = FIRST_CELLS;
    return cap < need ? cap : need;
}

/* The next rows in the order of the file, in an array that grows if they are more than expected. */
static odim_status read_cells(const od_dense *d, od_source *src, int64_t first, unsigned char *block,
                              od_array *out, odim_error *err)
{
    size_t cell = out->is_f64 ? sizeof(double) : sizeof(float);
    size_t need = (size_t)out->rows * (size_t)d->cols, have = 0, cap = first_cells(d, src, need);
    out->cells = od_alloc(cap, cell);
    if (!out->cells) return od_fail_nomem(err);
    while (have < need) {
        size_t want = cap - have;
        if (want == 0) {
            size_t more = cap < need / 2 ? cap * 2 : need;
            void *cells = od_grow(out->cells, have, more, cell);
            if (!cells) return od_fail_nomem(err);
            out->cells = cells;
            cap = more;
            continue;
        }
        odim_status status = fill_cells(d, src, (size_t)first * (size_t)d->cols + have, want, block,
                                        (unsigned char *)out->cells + have * cell, err);
        if (status) return status;
        have += want;
    }
    return ODIM_OK;
}

static odim_status check_end(const od_dense *d, od_source *src, odim_error *err)
{
    size_t got;
    unsigned char byte;
    odim_status status = od_source_fill(src, &byte, 1, &got, err);
    if (!status && got)
        status = od_fail(err, ODIM_ERR_FORMAT,
                         "there are more bytes than the %lld x %lld cells of the header need",
                         (long long)d->rows, (long long)d->cols);
    return status;
}

/* Where the next column of a file belongs whose first axis runs fastest; `axis` counts through the columns in
 * the order of the file, the second axis fastest. */
static size_t next_column(const od_dense *d, int64_t axis[OD_DENSE_AXES])
{
    size_t col = 0;
    for (int x = 1; x < d->axes; x++) col = col * (size_t)d->shape[x] + (size_t)axis[x];
    for (int x = 1; x < d->axes && ++axis[x] == d->shape[x]; x++) axis[x] = 0;
    return col;
}

/* Puts the rows r0..r1-1 of some columns, from (count, rows), into out (rows, cols). */
static void turn(const void *from, const size_t *col, size_t count, size_t r0, size_t r1, size_t rows,
                 size_t cols, bool is_f64, void *out)
{
    for (size_t q = 0; q < count; q++)
        if (is_f64)
            for (size_t r = r0; r < r1; r++)
                ((double *)out)[r * cols + col[q]] = ((const double *)from)[q * rows + r];
        else
            for (size_t r = r0; r < r1; r++)
                ((float *)out)[r * cols + col[q]] = ((const float *)from)[q * rows + r];
}

/* Some columns at a time, as they are read: enough to fill lines of the cache. */
static odim_status read_turned(const od_dense *d, od_source *src, od_array *out, odim_error *err)
{
    size_t rows = (size_t)d->rows, cols = (size_t)d->cols, col[COLS_AT_ONCE];
    size_t cell = type_is_f64[d->type] ? sizeof(double) : sizeof(float);
    int64_t axis[OD_DENSE_AXES] = {0};
    *out = (od_array){d->rows, d->cols, type_is_f64[d->type], od_alloc(rows * cols, cell)};
    void *some = od_alloc(rows, COLS_AT_ONCE * cell);
    unsigned char *block = od_alloc(BLOCK, sizeof(double));
    odim_status status = out->cells && some && block ? ODIM_OK : od_fail_nomem(err);
    for (size_t q = 0, count; !status && q < cols; q += count) {
        count = cols - q < COLS_AT_ONCE ? cols - q : COLS_AT_ONCE;
        status = fill_cells(d, src, q * rows, count * rows, block, some, err);
        for (size_t k = 0; k < count; k++) col[k] = next_column(d, axis);
        for (size_t r = 0; !status && r < rows; r += ROWS_AT_ONCE)
            turn(some, col, count, r, rows - r < ROWS_AT_ONCE ? rows : r + ROWS_AT_ONCE, rows, cols,
                 out->is_f64, out->cells);
    }
    od_free(some);
    od_free(block);
    return status ? status : check_end(d, src, err);
}

/* All columns at once, of an array that is in the order of the file. */
static odim_status turn_all(const od_dense *d, od_array *a, odim_error *err)
{
    size_t rows = (size_t)d->rows, cols = (size_t)d->cols, cell = a->is_f64 ? sizeof(double) : sizeof(float);
    void *turned = od_alloc(rows * cols, cell);
    if (!turned) return od_fail_nomem(err);
    for (size_t r0 = 0; r0 < rows; r0 += ROWS_AT_ONCE) {
        size_t r1 = rows - r0 < ROWS_AT_ONCE ? rows : r0 + ROWS_AT_ONCE;
        int64_t axis[OD_DENSE_AXES] = {0};
        for (size_t q = 0; q < cols; q++) {
            size_t col = next_column(d, axis);
            turn((const unsigned char *)a->cells + q * rows * cell, &col, 1, r0, r1, rows, cols, a->is_f64,
                 turned);
        }
    }
    od_free(a->cells);
    a->cells = turned;
    return ODIM_OK;
}

double od_dense_memory(const od_dense *d, int64_t rows)
{
    double cells = (double)rows * (double)d->cols;
    if (d->fortran && d->cols > 1) cells *= 2.0; /* it is turned around */
    return cells * (double)(type_is_f64[d->type] ? sizeof(double) : sizeof(float));
}

size_t od_dense_row_size(const od_dense *d)
{
    return (size_t)d->cols * type_size[d->type];
}

odim_status od_dense_next(const od_dense *d, od_source *src, int64_t first, int64_t rows, od_array *out,
                          odim_error *err)
{
    *out = (od_array){rows, d->cols, type_is_f64[d->type], NULL};
    unsigned char *block = od_alloc(BLOCK, sizeof(double));
    odim_status status = block ? read_cells(d, src, first, block, out, err) : od_fail_nomem(err);
    od_free(block);
    if (!status && first + rows == d->rows) status = check_end(d, src, err);
    if (status) od_array_free(out);
    return status;
}

odim_status od_dense_read(const od_dense *d, od_source *src, od_array *out, odim_error *err)
{
    const bool turns = d->fortran && d->cols > 1;
    size_t need = (size_t)d->rows * (size_t)d->cols;
    odim_status status;
    if (turns && d->rows <= TURNED_ROWS && first_cells(d, src, need) == need) {
        status = read_turned(d, src, out, err);
    } else {
        status = od_dense_next(d, src, 0, d->rows, out, err);
        if (!status && turns) status = turn_all(d, out, err);
    }
    if (status) od_array_free(out);
    return status;
}

void od_array_free(od_array *a)
{
    od_free(a->cells);
    a->cells = NULL;
}
