/* tests: idx. IDX files. */
#include "io/idx.h"

#include "bytes.h"
#include "test.h"

static odim_error err;
static od_dense d;

/* The header, and if `a` is given the cells. */
static odim_status parse(const bytes *b, od_array *a)
{
    od_source *src;
    odim_status status = od_source_memory(&src, b->p, b->len, &err);
    if (status) return status;
    status = od_idx_header(src, &d, &err);
    if (!status && a) status = od_dense_read(&d, src, a, &err);
    od_source_close(src);
    return status;
}

TEST(images)
{
    bytes plain = {0}, zipped = {0};
    put(&plain, "\0\0\x08\3", 4);
    put_big(&plain, 2, 4);
    put_big(&plain, 2, 4);
    put_big(&plain, 3, 4);
    for (unsigned i = 0; i < 12; i++) put_big(&plain, i * 20, 1);
    put_gzip(&zipped, plain.p, plain.len);
    CHECK(od_idx_is(plain.p, plain.len));
    for (int i = 0; i < 2; i++) {
        od_array a;
        REQUIRE(!parse(i ? &zipped : &plain, &a));
        CHECK(a.rows == 2 && a.cols == 6 && !a.is_f64);
        for (int k = 0; k < 12; k++) CHECK(od_array_cell(&a, k / 6, k % 6) == k * 20);
        od_array_free(&a);
    }
    for (plain.len--; plain.len > 0; plain.len--) CHECK_INT(parse(&plain, &(od_array){0}), ODIM_ERR_FORMAT);
    drop(&plain);
    drop(&zipped);
}

/* 1.5 or 3, as the type allows, big-endian. */
TEST(types)
{
    static const struct {
        int code, size;
        uint64_t bits;
        double value;
    } known[] = {{0x08, 1, 200, 200},       {0x09, 1, 0xFD, -3},        {0x0B, 2, 0xFFFD, -3},
                 {0x0C, 4, 0xFFFFFFFD, -3}, {0x0D, 4, 0x3FC00000, 1.5}, {0x0E, 8, 0x3FF8000000000000, 1.5}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        bytes b = {0};
        od_array a;
        put_big(&b, (unsigned)known[i].code << 8 | 1, 4);
        put_big(&b, 1, 4);
        put_big(&b, known[i].bits, known[i].size);
        CHECK(od_idx_is(b.p, b.len));
        REQUIRE(!parse(&b, &a));
        CHECK(od_array_cell(&a, 0, 0) == known[i].value);
        od_array_free(&a);
        drop(&b);
    }
}

static void expect(const char *data, size_t len, odim_status status, const char *msg)
{
    bytes b = {(unsigned char *)data, len, len};
    CHECK_INT(parse(&b, NULL), status);
    CHECK_STR(err.msg, msg);
}

TEST(malformed)
{
    expect("", 0, ODIM_ERR_FORMAT, "not an IDX file: it does not begin with two zero bytes");
    expect("\0\0\x08", 3, ODIM_ERR_FORMAT, "not an IDX file: it does not begin with two zero bytes");
    expect("\0\1\x08\1", 4, ODIM_ERR_FORMAT, "not an IDX file: it does not begin with two zero bytes");
    expect("\0\0\x0A\1", 4, ODIM_ERR_FORMAT, "IDX type 0A is not known; 08, 09, 0B, 0C, 0D and 0E are");
    expect("\0\0\x08\x41", 4, ODIM_ERR_FORMAT, "an IDX file of 65 axes; at most 64 can be read");
    expect("\0\0\x08\2\0\0\0\1\0\0\0", 11, ODIM_ERR_FORMAT,
           "the IDX header ends too early: the file is truncated");
    expect("\0\0\x08\0", 4, ODIM_ERR_DATA,
           "it holds a single number, not a table: an array of rows is needed");
    expect("\0\0\x08\1\0\0\0\0", 8, ODIM_ERR_DATA, "the array has no rows");
    expect("\0\0\x08\3\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 16, ODIM_ERR_FORMAT,
           "the shape has more cells than memory can hold");
    CHECK(!od_idx_is((const unsigned char *)"\0\0\x0A\1", 4));
    CHECK(!od_idx_is((const unsigned char *)"\0\0\x08\0", 4));
    CHECK(!od_idx_is((const unsigned char *)"\0\0\x08", 3));
}

int main(void)
{
    RUN(images);
    RUN(types);
    RUN(malformed);
    return test_end();
}
