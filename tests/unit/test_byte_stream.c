/* tests: byte_stream. Reading and writing bytes. */
#include "model/byte_stream.h"

#include "common/mem.h"
#include "test.h"

TEST(numbers_are_little_endian)
{
    od_byte_writer out = {0};
    od_bytes_put_u8(&out, 0xAB);
    od_bytes_put_u32(&out, 0x01020304);
    od_bytes_put_u64(&out, UINT64_C(0x1122334455667788));
    od_bytes_put_f64(&out, 1.0);
    od_bytes_put_f32s(&out, (const float[]){-2.0f, 0.5f}, 2);
    od_bytes_put_f64s(&out, (const double[]){-0.0}, 1);
    od_bytes_put_text(&out, "ab");
    od_bytes_put_zeros(&out, 2);
    static const unsigned char want[] = {
        0xAB, 4,    3,    2,    1,                      /* u8, u32 */
        0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, /* u64 */
        0,    0,    0,    0,    0,    0,    0xF0, 0x3F, /* 1.0 */
        0,    0,    0,    0xC0, 0,    0,    0,    0x3F, /* -2, 0.5 in single precision */
        0,    0,    0,    0,    0,    0,    0,    0x80, /* -0.0 */
        2,    0,    0,    0,    'a',  'b',  0,    0};
    CHECK_INT(out.size, sizeof want);
    CHECK(!out.nomem && memcmp(out.bytes, want, sizeof want) == 0);
    od_bytes_set_u32(out.bytes, 0xA1B2C3D4);
    CHECK(memcmp(out.bytes, "\xD4\xC3\xB2\xA1\x01", 5) == 0);
    od_bytes_set_u64(out.bytes, 5);
    CHECK(memcmp(out.bytes, "\5\0\0\0\0\0\0\0", 8) == 0);
    od_free(out.bytes);
}

TEST(what_was_written_is_read)
{
    od_byte_writer out = {0};
    const float f[3] = {1e-40f, -3.25f, 1e38f};
    const double d[2] = {0.1, 5e-324};
    od_bytes_put_u8(&out, 7);
    od_bytes_put_u32(&out, UINT32_MAX);
    od_bytes_put_u64(&out, UINT64_MAX);
    od_bytes_put_u64(&out, INT64_MAX);
    od_bytes_put_f64(&out, -1e300);
    od_bytes_put_text(&out, "");
    od_bytes_put_text(&out, "grün");
    od_bytes_put_u32(&out, 3);
    od_bytes_put_f32s(&out, f, 3);
    od_bytes_put_f64s(&out, d, 2);

    od_byte_reader in = {out.bytes, out.size, false};
    float f2[3];
    double d2[2];
    size_t len;
    CHECK_INT(od_bytes_get_u8(&in), 7);
    CHECK(od_bytes_get_u32(&in) == UINT32_MAX);
    CHECK(od_bytes_get_u64(&in) == UINT64_MAX);
    CHECK(od_bytes_get_i64(&in) == INT64_MAX);
    CHECK(od_bytes_get_f64(&in) == -1e300);
    od_bytes_get_text(&in, 0, &len);
    CHECK_INT(len, 0);
    const char *text = od_bytes_get_text(&in, 5, &len);
    CHECK(len == 5 && memcmp(text, "grün", 5) == 0);
    CHECK_INT(od_bytes_get_count(&in, 4), 3);
    od_bytes_get_f32s(&in, f2, 3);
    od_bytes_get_f64s(&in, d2, 2);
    CHECK(!in.bad && in.left == 0);
    CHECK(memcmp(f, f2, sizeof f) == 0 && memcmp(d, d2, sizeof d) == 0);
    od_free(out.bytes);
}

/* Whatever is read behind the end is 0, and everything after it, too. */
TEST(nothing_is_read_behind_the_end)
{
    const unsigned char three[3] = {1, 2, 3};
    size_t len;
    od_byte_reader in = {three, 3, false};
    CHECK(od_bytes_get_u32(&in) == 0 && in.bad);
    CHECK(od_bytes_get_u8(&in) == 0 && in.left == 3);
    in = (od_byte_reader){three, 3, false};
    CHECK(od_bytes_get_u64(&in) == 0 && in.bad);
    in = (od_byte_reader){three, 3, false};
    CHECK(!od_bytes_take(&in, 4) && in.bad);
    in = (od_byte_reader){three, 3, false};
    CHECK(od_bytes_take(&in, 3) == three && !in.bad && in.left == 0);
    CHECK(od_bytes_take(&in, 0) && !in.bad);
    in = (od_byte_reader){three, 3, false};
    CHECK(od_bytes_get_f64(&in) == 0 && in.bad);
    float f[2] = {1, 1};
    in = (od_byte_reader){three, 3, false};
    od_bytes_get_f32s(&in, f, 2);
    CHECK(in.bad && f[0] == 0 && f[1] == 0);
    in = (od_byte_reader){three, 3, false};
    CHECK(od_bytes_get_text(&in, 10, &len)[0] == '\0' && len == 0 && in.bad);
}

TEST(counts_are_bounded_by_what_follows)
{
    const unsigned char ten[10] = {3};
    const unsigned char hostile[8] = {0xFF, 0xFF, 0xFF, 0xFF};
    const unsigned char text[7] = {3, 0, 0, 0, 'a', 0, 'c'};
    size_t len;
    od_byte_reader in = {ten, 10, false};
    CHECK_INT(od_bytes_get_count(&in, 2), 3);
    in = (od_byte_reader){ten, 10, false};
    CHECK(od_bytes_get_count(&in, 3) == 0 && in.bad);
    in = (od_byte_reader){hostile, 8, false};
    CHECK(od_bytes_get_count(&in, 1) == 0 && in.bad);
    in = (od_byte_reader){hostile, 8, false};
    CHECK(od_bytes_get_text(&in, SIZE_MAX, &len)[0] == '\0' && len == 0 && in.bad);
    in = (od_byte_reader){text, 7, false}; /* a zero byte in a text */
    CHECK(od_bytes_get_text(&in, 10, &len)[0] == '\0' && len == 0 && in.bad);
    in = (od_byte_reader){text, 7, false}; /* too long a text */
    CHECK(od_bytes_get_text(&in, 2, &len)[0] == '\0' && len == 0 && in.bad);
    const unsigned char negative[8] = {0, 0, 0, 0, 0, 0, 0, 0x80};
    in = (od_byte_reader){negative, 8, false};
    CHECK(od_bytes_get_i64(&in) == 0 && in.bad);
}

/* FNV-1a has published values: of "" and of "foobar". */
TEST(hash)
{
    od_byte_writer hasher = od_bytes_hasher();
    CHECK(hasher.hash == UINT64_C(0xCBF29CE484222325));
    od_bytes_put(&hasher, "foo", 3);
    od_bytes_put(&hasher, "bar", 3);
    CHECK(hasher.hash == UINT64_C(0x85944171F73967E8));
    CHECK(!hasher.bytes && !hasher.nomem);
}

TEST(memory_runs_out)
{
    od_byte_writer out = {0};
    od_bytes_put_u32(&out, 1);
    od_mem_fail_at(1);
    for (int i = 0; i < 100; i++) od_bytes_put_u32(&out, 2);
    CHECK(out.nomem);
    od_mem_fail_at(0);
    size_t size = out.size;
    od_bytes_put_u32(&out, 3); /* nothing is added behind a gap */
    CHECK(out.nomem && out.size == size);
    od_free(out.bytes);
}

int main(void)
{
    RUN(numbers_are_little_endian);
    RUN(what_was_written_is_read);
    RUN(nothing_is_read_behind_the_end);
    RUN(counts_are_bounded_by_what_follows);
    RUN(hash);
    RUN(memory_runs_out);
    return test_end();
}
