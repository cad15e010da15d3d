/* tests: container. The container of model files. */
#include "model/container.h"

#include <zlib.h>

#include "common/mem.h"
#include "test.h"

static odim_error err;
static od_container c;

/* Two sections: "ABCD" with "hello", and "ef12" with nothing. The first begins at 128, the second at 192. */
static od_byte_writer make_two(void)
{
    od_byte_writer out = {0};
    od_container_begin(&out, 2);
    size_t start = od_container_start(&out);
    od_bytes_put(&out, "hello", 5);
    od_container_finish(&out, 0, "ABCD", start);
    start = od_container_start(&out);
    od_container_finish(&out, 1, "ef12", start);
    od_container_end(&out, 2);
    return out;
}

enum { TABLE = 16, ENTRY = 24, HEAD = TABLE + 2 * ENTRY, FIRST = 128, SIZE = 192 };

/* The checksum of the header, right again. */
static void repair(od_byte_writer *out)
{
    od_bytes_set_u32(out->bytes + HEAD, (uint32_t)crc32(0, out->bytes, HEAD));
}

static odim_status open_all(const od_byte_writer *out)
{
    return od_container_open(&c, out->bytes, out->size, &err);
}

TEST(round_trip)
{
    od_byte_writer out = make_two();
    CHECK_INT(out.size, SIZE);
    CHECK_INT(open_all(&out), ODIM_OK);
    CHECK_INT(c.count, 2);
    const od_section *s = od_container_find(&c, "ABCD");
    REQUIRE(s);
    CHECK(s->body.at == out.bytes + FIRST && s->body.left == 5 && !s->body.bad);
    CHECK(memcmp(s->body.at, "hello", 5) == 0);
    s = od_container_find(&c, "ef12");
    CHECK(s && s->body.left == 0);
    CHECK(!od_container_find(&c, "ABC"));
    od_free(out.bytes);
}

TEST(what_is_no_model)
{
    od_byte_writer out = make_two();
    CHECK_INT(od_container_open(&c, NULL, 0, &err), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "not a model of odim");
    CHECK_INT(od_container_open(&c, "a,b\n1,2\n3,4\n", 12, &err), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "not a model of odim");
    memmove(out.bytes + 4, out.bytes + 5, out.size - 5); /* CR LF became LF */
    CHECK_INT(open_all(&out), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "a model that was damaged on its way, by a transfer as text");
    od_free(out.bytes);
}

TEST(versions)
{
    od_byte_writer out = make_two();
    od_bytes_set_u32(out.bytes + 8, 7);
    CHECK_INT(open_all(&out), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "a model of format version 7, from a newer odim; this one reads up to version 1: "
                       "update odim, or fit the model again with this one");
    od_bytes_set_u32(out.bytes + 8, UINT32_MAX);
    CHECK_INT(open_all(&out), ODIM_ERR_FORMAT);
    CHECK(strstr(err.msg, "a model of format version 4294967295, from a newer odim"));
    od_bytes_set_u32(out.bytes + 8, 0);
    CHECK_INT(open_all(&out), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "damaged: it says format version 0, and versions begin with 1; fit the model again");
    od_free(out.bytes);
}

TEST(every_truncation_and_every_flip_is_seen)
{
    od_byte_writer out = make_two();
    for (size_t size = 0; size < out.size; size++)
        if (od_container_open(&c, out.bytes, size, &err) != ODIM_ERR_FORMAT)
            TEST_SAY("cut to %zu bytes: accepted", size);
    for (size_t i = 0; i < out.size; i++)
        for (int bit = 0; bit < 8; bit++) {
            out.bytes[i] ^= (unsigned char)(1 << bit);
            if (open_all(&out) != ODIM_ERR_FORMAT) TEST_SAY("bit %d of byte %zu: accepted", bit, i);
            out.bytes[i] ^= (unsigned char)(1 << bit);
        }
    CHECK_INT(open_all(&out), ODIM_OK);
    od_free(out.bytes);
}

/* With the header's checksum right: what the table says is not believed either. */
static void expect_refused(size_t at, uint64_t value, size_t size, const char *why)
{
    od_byte_writer out = make_two();
    for (size_t i = 0; i < size; i++) out.bytes[at + i] = (unsigned char)(value >> 8 * i);
    repair(&out);
    CHECK_INT(open_all(&out), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, why);
    od_free(out.bytes);
}

TEST(hostile_tables)
{
    enum { OFFSET = TABLE + 8, LENGTH = TABLE + 16, SECOND = TABLE + ENTRY };
    expect_refused(OFFSET, 64, 8, "section ABCD: at byte 64 instead of 128");
    expect_refused(OFFSET, UINT64_MAX, 8, "section ABCD: at byte 18446744073709551615 instead of 128");
    expect_refused(SECOND + 8, FIRST, 8, "section ef12: at byte 128 instead of 192");
    expect_refused(LENGTH, UINT64_MAX, 8, "section ABCD: the file ends before it does");
    expect_refused(LENGTH, SIZE - FIRST + 1, 8, "section ABCD: the file ends before it does");
    expect_refused(LENGTH, 4, 8, "section ABCD: damaged: it does not match its checksum");
    expect_refused(SECOND + 16, 1, 8, "section ef12: the file ends before it does");
    expect_refused(FIRST - 1, 1, 1, "section ABCD: not only zeros before it");
    expect_refused(TABLE, 0x0a464645, 4, "a section's tag is not 4 letters or digits");
    expect_refused(TABLE, 0x41414131, 4, "a section's tag is not 4 letters or digits"); /* 1AAA */
    expect_refused(SECOND, 0x44434241, 4, "section ABCD: there twice");
    expect_refused(12, UINT32_MAX, 4, "the header is cut short");
}

TEST(too_much)
{
    od_byte_writer out = make_two();
    od_bytes_put_u8(&out, 0);
    CHECK_INT(open_all(&out), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "1 bytes after the end of the last section");
    od_free(out.bytes);

    enum { MANY = OD_CONTAINER_MOST + 1 };
    out = (od_byte_writer){0};
    od_container_begin(&out, MANY);
    for (size_t i = 0; i < MANY; i++) {
        char tag[OD_TAG + 1];
        snprintf(tag, sizeof tag, "T%03zu", i);
        od_container_finish(&out, i, tag, od_container_start(&out));
    }
    od_container_end(&out, MANY);
    CHECK_INT(open_all(&out), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "65 sections; at most 64 are possible");
    od_free(out.bytes);
}

TEST(memory_runs_out)
{
    od_mem_fail_at(1);
    od_byte_writer out = make_two();
    od_mem_fail_at(0);
    CHECK(out.nomem);
    od_free(out.bytes);
}

int main(void)
{
    RUN(round_trip);
    RUN(what_is_no_model);
    RUN(versions);
    RUN(every_truncation_and_every_flip_is_seen);
    RUN(hostile_tables);
    RUN(too_much);
    RUN(memory_runs_out);
    return test_end();
}
