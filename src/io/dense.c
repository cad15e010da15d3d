/* Decodes arrays of numbers of any type, byte order and layout. */
#include "io/dense.h"

#include <string.h>

#include "common/mem.h"

/* Cells converted at a time: the bytes of a block stay in the cache. */
#define BLOCK 8192
/* Cells allocated before any byte was seen. */
#define FIRST_CELLS ((size_t)1 << 16)
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

/* The next rows in the order of the file, in an array that grows as they arrive. */
static odim_status read_cells(const od_dense *d, od_source *src, int64_t first, unsigned char *block,
                              od_array *out, odim_error *err)
{
    size_t size = type_size[d->type], cell = out->is_f64 ? sizeof(double) : sizeof(float);
    size_t need = (size_t)out->rows * (size_t)d->cols, have = 0;
    size_t cap = od_source_left(src) / size;
    if (cap < FIRST_CELLS) cap = FIRST_CELLS;
    if (cap > need) cap = need;
    out->cells = od_alloc(cap, cell);
    if (!out->cells) return od_fail_nomem(err);
    bool swap = d->big_endian != od_dense_host_is_big_endian();
    while (have < need) {
        size_t want = need - have < BLOCK ? need - have : BLOCK, got;
        odim_status status = od_source_fill(src, block, want * size, &got, err);
        if (status) return status;
        if (got < want * size)
            return od_fail(err, ODIM_ERR_FORMAT,
                           "the data ends after %zu of %zu bytes: the file is truncated, or its header wrong",
                           ((size_t)first * (size_t)d->cols + have) * size + got,
                           (size_t)d->rows * (size_t)d->cols * size);
        if (have + want > cap) {
            size_t more = cap < need / 2 ? cap * 2 : need;
            void *cells = od_grow(out->cells, have, more, cell);
            if (!cells) return od_fail_nomem(err);
            out->cells = cells;
            cap = more;
        }
        if (swap) swap_bytes(block, want, size);
        convert(d->type, block, want, (unsigned char *)out->cells + have * cell);
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

/*
 * From the first axis running fastest to the last. `axes` counts through the columns in the order of the file
 * (second axis fastest); `col` is where that column belongs.
 */
static odim_status turn(const od_dense *d, od_array *a, odim_error *err)
{
    size_t rows = (size_t)d->rows, cols = (size_t)d->cols;
    void *turned = od_alloc(rows * cols, a->is_f64 ? sizeof(double) : sizeof(float));
    if (!turned) return od_fail_nomem(err);
    for (size_t r0 = 0; r0 < rows; r0 += ROWS_AT_ONCE) {
        size_t r1 = rows - r0 < ROWS_AT_ONCE ? rows : r0 + ROWS_AT_ONCE;
        int64_t axis[OD_DENSE_AXES] = {0};
        for (size_t q = 0; q < cols; q++) {
            size_t col = 0;
            for (int x = 1; x < d->axes; x++) col = col * (size_t)d->shape[x] + (size_t)axis[x];
            if (a->is_f64)
                for (size_t r = r0; r < r1; r++)
                    ((double *)turned)[r * cols + col] = ((const double *)a->cells)[q * rows + r];
            else
                for (size_t r = r0; r < r1; r++)
                    ((float *)turned)[r * cols + col] = ((const float *)a->cells)[q * rows + r];
            for (int x = 1; x < d->axes && ++axis[x] == d->shape[x]; x++) axis[x] = 0;
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
    odim_status status = od_dense_next(d, src, 0, d->rows, out, err);
    if (!status && d->fortran && d->cols > 1) status = turn(d, out, err);
    if (status) od_array_free(out);
    return status;
}

void od_array_free(od_array *a)
{
    od_free(a->cells);
    a->cells = NULL;
}
