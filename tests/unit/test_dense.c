/* tests: dense. Reading arrays. */
#include "io/dense.h"

#include "common/mem.h"
#include "packed.h"
#include "starve.h"
#include "test.h"

static odim_error err;

static odim_status read_dense(od_dense *d, const bytes *b, od_array *out)
{
    od_source *src;
    *out = (od_array){0};
    odim_status status = od_dense_measure(d, &err);
    if (!status) status = od_source_memory(&src, b->p, b->len, &err);
    if (status) return status;
    status = od_dense_read(d, src, out, &err);
    od_source_close(src);
    return status;
}

TEST(measure)
{
    od_dense d = {.axes = 3, .shape = {5, 28, 28}};
    CHECK_INT(od_dense_measure(&d, &err), ODIM_OK);
    CHECK(d.rows == 5 && d.cols == 784);
    d = (od_dense){.axes = 1, .shape = {5}};
    CHECK_INT(od_dense_measure(&d, &err), ODIM_OK);
    CHECK(d.rows == 5 && d.cols == 1);
    d = (od_dense){.axes = 0};
    CHECK_INT(od_dense_measure(&d, &err), ODIM_ERR_DATA);
    CHECK_STR(err.msg, "it holds a single number, not a table: an array of rows is needed");
    d = (od_dense){.axes = 2, .shape = {0, 3}};
    CHECK_INT(od_dense_measure(&d, &err), ODIM_ERR_DATA);
    CHECK_STR(err.msg, "the array has no rows");
    d = (od_dense){.axes = 3, .shape = {3, INT64_MAX, 0}};
    CHECK_INT(od_dense_measure(&d, &err), ODIM_ERR_DATA);
    CHECK_STR(err.msg, "the array has no columns");
    static const int64_t huge[][4] = {{INT64_MAX, 1, 1, 1},
                                      {INT64_MAX, INT64_MAX, 1, 1},
                                      {1, INT64_MAX, INT64_MAX, INT64_MAX},
                                      {INT64_C(1) << 32, INT64_C(1) << 32, INT64_C(1) << 32, 1},
                                      {INT64_C(1) << 60, 1, 1, 1}};
    for (size_t i = 0; i < sizeof huge / sizeof *huge; i++) {
        d = (od_dense){.axes = 4};
        memcpy(d.shape, huge[i], sizeof huge[i]);
        CHECK_INT(od_dense_measure(&d, &err), ODIM_ERR_FORMAT);
        CHECK_STR(err.msg, "the shape has more cells than memory can hold");
    }
}

TEST(byte_orders)
{
    od_array a;
    for (int big = 0; big < 2; big++) {
        bytes b = {0};
        for (int i = 0; i < 3; i++)
            big ? put_big(&b, 0x1234u + (unsigned)i, 4) : put_little(&b, 0x1234u + (unsigned)i, 4);
        od_dense d = {.type = OD_TYPE_I32, .big_endian = big, .axes = 1, .shape = {3}};
        CHECK_INT(read_dense(&d, &b, &a), ODIM_OK);
        CHECK(a.is_f64 && od_array_cell(&a, 0, 0) == 0x1234 && od_array_cell(&a, 2, 0) == 0x1236);
        od_array_free(&a);
        drop(&b);
    }
}

TEST(half_floats)
{
    static const struct {
        uint16_t bits;
        float value;
    } known[] = {{0x3C00, 1.0f},     {0xC000, -2.0f},         {0x7BFF, 65504.0f},    {0x0400, 0x1p-14f},
                 {0x0001, 0x1p-24f}, {0x83FF, -0x1.FF8p-15f}, {0x3555, 0x1.554p-2f}, {0x8000, -0.0f},
                 {0x7C00, INFINITY}, {0xFC00, -INFINITY}};
    size_t n = sizeof known / sizeof *known;
    bytes b = {0};
    for (size_t i = 0; i < n; i++) put_little(&b, known[i].bits, 2);
    put_little(&b, 0x7E00, 2);
    od_dense d = {.type = OD_TYPE_F16, .axes = 1, .shape = {(int64_t)n + 1}};
    od_array a;
    REQUIRE(!read_dense(&d, &b, &a));
    CHECK(!a.is_f64);
    for (size_t i = 0; i < n; i++)
        if (memcmp((float *)a.cells + i, &known[i].value, sizeof(float)))
            TEST_SAY("%04X is %a, expected %a", known[i].bits, (double)((float *)a.cells)[i],
                     (double)known[i].value);
    CHECK(isnan(((float *)a.cells)[n]));
    od_array_free(&a);
    drop(&b);
}

/* Enough cells for the array to grow, the last block to be short, and the transposition to have a rest. */
TEST(large)
{
    int64_t rows = 1000, cols = 301;
    bytes plain = {0}, zipped = {0};
    for (int64_t i = 0; i < rows * cols; i++) put_little(&plain, (uint64_t)i, 4);
    put_gzip(&zipped, plain.p, plain.len); /* no hint of the size */
    for (int fortran = 0; fortran < 2; fortran++) {
        od_dense d = {.type = OD_TYPE_U32, .fortran = fortran, .axes = 2, .shape = {rows, cols}};
        od_array a;
        REQUIRE(!read_dense(&d, &zipped, &a));
        int64_t wrong = 0;
        for (int64_t i = 0; i < rows; i++)
            for (int64_t j = 0; j < cols; j++)
                wrong += od_array_cell(&a, i, j) != (double)(fortran ? j * rows + i : i * cols + j);
        CHECK_INT(wrong, 0);
        od_array_free(&a);
    }
    drop(&plain);
    drop(&zipped);
}

/* An array that is far larger than its packed bytes suggest grows; one of very many rows is turned as a
 * whole. */
TEST(grows)
{
    int64_t rows = 100000, cols = 20;
    bytes plain = {0}, packed = {0};
    for (int64_t i = 0; i < rows * cols; i++) put_little(&plain, (uint64_t)(i / 1000000), 1);
    put_xz(&packed, plain.p, plain.len);
    CHECK(packed.len * 1032 < plain.len);
    for (int fortran = 0; fortran < 2; fortran++) {
        od_dense d = {.type = OD_TYPE_U8, .fortran = fortran, .axes = 2, .shape = {rows, cols}};
        od_array a;
        REQUIRE(!read_dense(&d, &packed, &a));
        int64_t wrong = 0;
        for (int64_t i = 0; i < rows; i++)
            for (int64_t j = 0; j < cols; j++)
                wrong +=
                    od_array_cell(&a, i, j) != (double)((fortran ? j * rows + i : i * cols + j) / 1000000);
        CHECK_INT(wrong, 0);
        od_array_free(&a);
    }
    drop(&plain);
    drop(&packed);
}

/* (2, 3, 2), first axis fastest: cell (i, j, k) is number i + 2 j + 6 k and belongs to column 2 j + k. */
TEST(fortran_axes)
{
    bytes b = {0};
    for (unsigned i = 0; i < 12; i++) put_little(&b, i, 1);
    od_dense d = {.type = OD_TYPE_U8, .fortran = true, .axes = 3, .shape = {2, 3, 2}};
    od_array a;
    REQUIRE(!read_dense(&d, &b, &a));
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 2; k++) CHECK(od_array_cell(&a, i, 2 * j + k) == i + 2 * j + 6 * k);
    od_array_free(&a);
    drop(&b);
}

TEST(wrong_length)
{
    bytes b = {0};
    for (int i = 0; i < 24; i++) put_little(&b, 1, 1);
    od_array a;
    od_dense d = {.type = OD_TYPE_F64, .axes = 2, .shape = {2, 2}};
    CHECK_INT(read_dense(&d, &b, &a), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "the data ends after 24 of 32 bytes: the file is truncated, or its header wrong");
    CHECK(a.cells == NULL);
    d.shape[1] = 1;
    CHECK_INT(read_dense(&d, &b, &a), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "there are more bytes than the 2 x 1 cells of the header need");
    /* A header that promises a petabyte gets no memory for it. */
    d.shape[1] = INT64_C(1) << 46;
    CHECK_INT(read_dense(&d, &b, &a), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg,
              "the data ends after 24 of 1125899906842624 bytes: the file is truncated, or its header wrong");
    drop(&b);
}

TEST(out_of_memory)
{
    bytes b = {0};
    for (int i = 0; i < 100000; i++) put_little(&b, 1, 1);
    od_array a;
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 3)
    {
        od_dense d = {.type = OD_TYPE_U8, .fortran = true, .axes = 2, .shape = {1000, 100}};
        status = read_dense(&d, &b, &a);
    }
    od_array_free(&a);
    drop(&b);
}

int main(void)
{
    RUN(measure);
    RUN(byte_orders);
    RUN(half_floats);
    RUN(large);
    RUN(grows);
    RUN(fortran_axes);
    RUN(wrong_length);
    RUN(out_of_memory);
    return test_end();
}
