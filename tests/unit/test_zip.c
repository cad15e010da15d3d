/* tests: zip. Zip archives. */
#include "io/zip.h"

#include "common/mem.h"
#include "bytes.h"
#include "starve.h"
#include "test.h"

static odim_error err;

/* Offsets in the records that bytes.h writes. */
enum { LOCAL = 30, ENTRY = 46, END = 22 };

/* a.txt stored, b.bin deflated, empty. */
static bytes sample(void)
{
    zip_maker z = {0};
    char zeros[5000] = {0};
    zip_add(&z, "a.txt", "hello", 5, 0);
    zip_add(&z, "b.bin", zeros, sizeof zeros, 1);
    zip_add(&z, "empty", "", 0, 0);
    return zip_end(&z);
}

static size_t directory_of(const bytes *b)
{
    const unsigned char *p = b->p + b->len - END + 16;
    return p[0] | (size_t)p[1] << 8 | (size_t)p[2] << 16;
}

static odim_status open_and_close(const bytes *b)
{
    od_zip zip;
    odim_status status = od_zip_open(&zip, b->p, b->len, &err);
    if (!status) od_zip_close(&zip);
    return status;
}

/* The whole member, or what failed. */
static odim_status extract(const od_zip *zip, size_t member, bytes *out)
{
    od_source *src;
    *out = (bytes){0};
    odim_status status = od_zip_source(zip, member, &src, &err);
    unsigned char buf[100];
    size_t got;
    while (!status && !(status = od_source_read(src, buf, sizeof buf, &got, &err)) && got) put(out, buf, got);
    od_source_close(src);
    return status;
}

TEST(members)
{
    bytes b = sample(), out;
    od_zip zip;
    CHECK(od_zip_is(b.p, b.len));
    REQUIRE(!od_zip_open(&zip, b.p, b.len, &err));
    CHECK_INT(zip.count, 3);
    CHECK(zip.members[1].name_len == 5 && memcmp(zip.members[1].name, "b.bin", 5) == 0);
    CHECK_INT(extract(&zip, 0, &out), ODIM_OK);
    CHECK(out.len == 5 && memcmp(out.p, "hello", 5) == 0);
    drop(&out);
    CHECK_INT(extract(&zip, 1, &out), ODIM_OK);
    CHECK(out.len == 5000 && out.p[0] == 0 && out.p[4999] == 0);
    drop(&out);
    CHECK_INT(extract(&zip, 2, &out), ODIM_OK);
    CHECK_INT(out.len, 0);
    drop(&out);
    od_zip_close(&zip);
    drop(&b);
}

TEST(empty_archive)
{
    zip_maker z = {0};
    bytes b = zip_end(&z);
    CHECK(od_zip_is(b.p, b.len));
    CHECK_INT(open_and_close(&b), ODIM_OK);
    drop(&b);
    CHECK(!od_zip_is((const unsigned char *)"PK\3", 3) && !od_zip_is((const unsigned char *)"PK\3\5", 4));
}

TEST(comment)
{
    bytes b = sample();
    set_little(&b, b.len - 2, 30, 2);
    for (int i = 0; i < 30; i++) put_text(&b, "c");
    CHECK_INT(open_and_close(&b), ODIM_OK);
    b.len--;
    CHECK_INT(open_and_close(&b), ODIM_ERR_FORMAT);
    drop(&b);
}

/* Cut anywhere, it is an error, and no byte behind the end is read: the copy is exact. */
TEST(truncated)
{
    bytes b = sample();
    for (size_t len = 0; len < b.len; len++) {
        bytes cut = {malloc(len ? len : 1), len, len};
        memcpy(cut.p, b.p, len);
        CHECK_INT(open_and_close(&cut), ODIM_ERR_FORMAT);
        free(cut.p);
    }
    CHECK_STR(err.msg,
              "not a whole zip archive: its directory, which belongs at the end, is missing: the file "
              "is truncated");
    drop(&b);
}

/* Every byte of the structure changed: an error, or an archive that can be read or refused; never a crash. */
TEST(every_byte_changed)
{
    bytes b = sample();
    for (size_t at = 0; at < b.len; at++) {
        for (int change = 1; change < 256; change += 127) {
            od_zip zip;
            b.p[at] ^= (unsigned char)change;
            if (!od_zip_open(&zip, b.p, b.len, &err)) {
                for (size_t i = 0; i < zip.count; i++) {
                    bytes out;
                    extract(&zip, i, &out);
                    drop(&out);
                }
                od_zip_close(&zip);
            }
            b.p[at] ^= (unsigned char)change;
        }
    }
    CHECK_INT(open_and_close(&b), ODIM_OK);
    drop(&b);
}

static void expect_open(size_t at_end, uint64_t value, int size, const char *msg)
{
    bytes b = sample();
    set_little(&b, b.len - END + at_end, value, size);
    CHECK_INT(open_and_close(&b), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, msg);
    drop(&b);
}

static void expect_entry(size_t at, uint64_t value, int size, const char *msg)
{
    bytes b = sample();
    set_little(&b, directory_of(&b) + at, value, size);
    CHECK_INT(open_and_close(&b), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, msg);
    drop(&b);
}

TEST(hostile_directory)
{
    const char *where = "not a whole zip archive: its directory is not where the end record says";
    const char *lost = "not a whole zip archive: a member is not where the directory says";
    const char *bad = "not a whole zip archive: its directory is malformed";
    expect_open(16, 0, 4, where);
    expect_open(16, 0xFFFFFFFF, 4, where);
    expect_open(12, 0xFFFFFFFF, 4, where);
    expect_open(4, 1, 2, "a zip archive in several parts cannot be read; join it first");
    expect_open(8, 7, 2, "a zip archive in several parts cannot be read; join it first");
    expect_open(8, 0xFFFFFFFF, 4, "not a whole zip archive: its directory is too short for its members");
    expect_open(8, 0x00020002, 4, "not a whole zip archive: its directory has more than its members");
    expect_entry(0, 0, 4, bad);
    expect_entry(28, 0xFFFF, 2, bad);
    expect_entry(34, 1, 2, bad);
    expect_entry(20, 0xFFFFFFFF, 4, bad); /* zip64 without its values */
    expect_entry(20, 0x7FFFFFFF, 4, lost);
    expect_entry(24, 6, 4, lost); /* stored, but of another size */
    expect_entry(42, 1, 4, lost);
    expect_entry(42, 0x7FFFFFFF, 4, lost);
    expect_entry(10, 8, 2, lost); /* another method than in the local header */
    expect_entry(ENTRY, 'b', 1, lost);
    /* The second, deflated: its packed bytes run into the directory. */
    expect_entry(ENTRY + 5 + 20, 5000, 4, lost);
}

TEST(overlap)
{
    zip_maker z = {0};
    zip_add(&z, "a", "12345678901234567890123456789012345", 35, 0);
    zip_add(&z, "a", "12345678901234567890123456789012345", 35, 0);
    bytes b = zip_end(&z);
    size_t second = directory_of(&b) + ENTRY + 1;
    set_little(&b, second + 42, 0, 4); /* the second is where the first is */
    CHECK_INT(open_and_close(&b), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "not a whole zip archive: two of its members share bytes");
    drop(&b);
}

static void expect_member(size_t at, uint64_t value, int size, const char *msg)
{
    bytes b = sample(), out;
    od_zip zip;
    set_little(&b, directory_of(&b) + at, value, size);
    if (at == 10) set_little(&b, 8, value, size); /* the method is in both headers */
    REQUIRE(!od_zip_open(&zip, b.p, b.len, &err));
    CHECK_INT(extract(&zip, 0, &out), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, msg);
    drop(&out);
    od_zip_close(&zip);
    drop(&b);
}

TEST(refused_members)
{
    expect_member(8, 1, 2, "it is encrypted; save the archive without a password");
    expect_member(8, 0x41, 2, "it is encrypted; save the archive without a password");
    expect_member(10, 12, 2, "its compression (zip method 12) is not known; stored (0) and deflate (8) are");
    expect_member(16, 12345, 4, "its checksum (CRC-32) is wrong: the file is damaged");
    expect_member(10, 8, 2, "the compressed data is corrupt: invalid stored block lengths");
}

/* ---- zip64 ---------------------------------------------------------------------------------------- */

/* One stored member; the fields whose bit is set in `mask` (size, packed, start) are in zip64 form. */
static bytes sample64(int mask)
{
    bytes b = {0};
    uint32_t crc = (uint32_t)crc32(0, (const unsigned char *)"hello", 5);
    put(&b, "PK\3\4\x2d\0\0\0\0\0\0\0\0\0", 14);
    put_little(&b, crc, 4);
    put_little(&b, 0xFFFFFFFF, 4);
    put_little(&b, 0xFFFFFFFF, 4);
    put_little(&b, 1, 2);
    put_little(&b, 20, 2);
    put_text(&b, "a");
    put(&b, "\1\0\x10\0", 4);
    put_little(&b, 5, 8);
    put_little(&b, 5, 8);
    put_text(&b, "hello");
    size_t start = b.len;
    bytes extra = {0};
    put(&extra, "\x99\x99\2\0zz", 6); /* something else first */
    put_little(&extra, 1, 2);
    put_little(&extra, (mask & 1 ? 8u : 0u) + (mask & 2 ? 8u : 0u) + (mask & 4 ? 8u : 0u), 2);
    if (mask & 1) put_little(&extra, 5, 8);
    if (mask & 2) put_little(&extra, 5, 8);
    if (mask & 4) put_little(&extra, 0, 8);
    put(&b, "PK\1\2\x2d\0\x2d\0\0\0\0\0\0\0\0\0", 16);
    put_little(&b, crc, 4);
    put_little(&b, mask & 2 ? 0xFFFFFFFF : 5, 4);
    put_little(&b, mask & 1 ? 0xFFFFFFFF : 5, 4);
    put_little(&b, 1, 2);
    put_little(&b, extra.len, 2);
    put_little(&b, 0, 8);
    put_little(&b, 0, 2);
    put_little(&b, mask & 4 ? 0xFFFFFFFF : 0, 4);
    put_text(&b, "a");
    put(&b, extra.p, extra.len);
    drop(&extra);
    size_t end64 = b.len;
    put_text(&b, "PK\6\6");
    put_little(&b, 44, 8);
    put_little(&b, 0x002d002d, 4);
    put_little(&b, 0, 8); /* disks */
    put_little(&b, 1, 8);
    put_little(&b, 1, 8);
    put_little(&b, end64 - start, 8);
    put_little(&b, start, 8);
    put_text(&b, "PK\6\7");
    put_little(&b, 0, 4);
    put_little(&b, end64, 8);
    put_little(&b, 1, 4);
    put_text(&b, "PK\5\6");
    put_little(&b, 0, 4);
    put_little(&b, 0xFFFFFFFF, 4); /* counts */
    put_little(&b, 0xFFFFFFFF, 4);
    put_little(&b, 0xFFFFFFFF, 4);
    put_little(&b, 0, 2);
    return b;
}

TEST(zip64)
{
    for (int mask = 0; mask < 8; mask++) {
        bytes b = sample64(mask), out;
        od_zip zip;
        REQUIRE(!od_zip_open(&zip, b.p, b.len, &err));
        CHECK_INT(extract(&zip, 0, &out), ODIM_OK);
        CHECK(out.len == 5 && memcmp(out.p, "hello", 5) == 0);
        drop(&out);
        od_zip_close(&zip);
        for (size_t at = 0; at < b.len; at++) { /* as every_byte_changed */
            b.p[at] ^= 0xFF;
            open_and_close(&b);
            b.p[at] ^= 0xFF;
        }
        drop(&b);
    }
}

TEST(hostile_zip64)
{
    bytes b = sample64(7);
    size_t locator = b.len - END - 20, end64 = locator - 56;
    set_little(&b, locator + 8, UINT64_MAX, 8);
    CHECK_INT(open_and_close(&b), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "not a whole zip archive: its zip64 end record is missing");
    set_little(&b, locator + 8, end64 + 1, 8);
    CHECK_INT(open_and_close(&b), ODIM_ERR_FORMAT);
    set_little(&b, locator + 8, end64, 8);
    set_little(&b, end64 + 48, UINT64_MAX, 8);
    CHECK_INT(open_and_close(&b), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "not a whole zip archive: its directory is not where the end record says");
    set_little(&b, locator + 16, 2, 4);
    CHECK_INT(open_and_close(&b), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "a zip archive in several parts cannot be read; join it first");
    drop(&b);
}

TEST(out_of_memory)
{
    bytes b = sample();
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 2)
    {
        status = open_and_close(&b);
    }
    drop(&b);
}

int main(void)
{
    RUN(members);
    RUN(empty_archive);
    RUN(comment);
    RUN(truncated);
    RUN(every_byte_changed);
    RUN(hostile_directory);
    RUN(overlap);
    RUN(refused_members);
    RUN(zip64);
    RUN(hostile_zip64);
    RUN(out_of_memory);
    return test_end();
}
