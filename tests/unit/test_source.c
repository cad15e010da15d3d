/* tests: source_read source_open. Files, pipes and memory as byte sources. */
#include "io/source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/mem.h"
#include "bytes.h"
#include "starve.h"
#include "test.h"

static odim_error err;

/* All bytes of a source, `step` at a time; the source is closed. */
static odim_status drain(od_source *s, size_t step, bytes *out)
{
    unsigned char buf[4096];
    *out = (bytes){0};
    odim_status status;
    size_t got;
    while (!(status = od_source_read(s, buf, step, &got, &err)) && got) put(out, buf, got);
    od_source_close(s);
    return status;
}

static odim_status drain_memory(const bytes *in, size_t step, bytes *out)
{
    od_source *s;
    *out = (bytes){0};
    odim_status status = od_source_memory(&s, in->p, in->len, &err);
    return status ? status : drain(s, step, out);
}

static void expect_fail(const bytes *in, const char *msg)
{
    bytes out;
    CHECK_INT(drain_memory(in, 100, &out), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, msg);
    drop(&out);
}

static bool same(const bytes *a, const bytes *b)
{
    return a->len == b->len && (a->len == 0 || memcmp(a->p, b->p, a->len) == 0);
}

/* Bytes that do not compress too well. */
static bytes noise(size_t len)
{
    bytes b = {0};
    uint32_t x = 1;
    for (size_t i = 0; i < len; i += 2) {
        x = x * 1664525 + 1013904223;
        put(&b, (unsigned char[]){(unsigned char)(x >> 24), 'a'}, 2);
    }
    return b;
}

TEST(memory)
{
    bytes in = noise(100000), out;
    for (size_t step = 1; step < 5000; step = step * 7 + 1) {
        CHECK_INT(drain_memory(&in, step < 4096 ? step : 4096, &out), ODIM_OK);
        CHECK(same(&in, &out));
        drop(&out);
    }
    drop(&in);
    od_source *s;
    size_t got;
    REQUIRE(!od_source_memory(&s, NULL, 0, &err));
    CHECK_INT(od_source_read(s, &(char){0}, 1, &got, &err), ODIM_OK);
    CHECK_INT(got, 0);
    od_source_close(s);
    od_source_close(NULL);
}

TEST(gzip)
{
    bytes plain = noise(300000), in = {0}, out;
    put_gzip(&in, plain.p, plain.len);
    for (size_t step = 1; step < 5000; step = step * 9 + 1) {
        CHECK_INT(drain_memory(&in, step < 4096 ? step : 4096, &out), ODIM_OK);
        CHECK(same(&plain, &out));
        drop(&out);
    }
    drop(&in);
    drop(&plain);
}

TEST(gzip_members)
{
    bytes in = {0}, want = {0}, out;
    put_text(&want, "onetwo");
    put_gzip(&in, "one", 3);
    put_gzip(&in, "", 0);
    put_gzip(&in, "two", 3);
    CHECK_INT(drain_memory(&in, 100, &out), ODIM_OK);
    CHECK(same(&want, &out));
    drop(&out);
    put(&in, "\0\0\0\0\0", 5); /* as tar leaves on a tape */
    CHECK_INT(drain_memory(&in, 100, &out), ODIM_OK);
    CHECK(same(&want, &out));
    drop(&out);
    put_gzip(&in, "three", 5);
    expect_fail(&in, "there are other bytes after the end of the gzip data");
    drop(&in);
    put_gzip(&in, "one", 3);
    put_text(&in, "rest");
    expect_fail(&in, "there are other bytes after the end of the gzip data");
    drop(&in);
    put_gzip(&in, "one", 3);
    put(&in, "\x1f\x8c", 2);
    expect_fail(&in, "the gzip data is corrupt: incorrect header check");
    drop(&in);
    drop(&want);
}

TEST(gzip_damage)
{
    bytes plain = noise(5000), in = {0}, out;
    put_gzip(&in, plain.p, plain.len);
    bytes cut = in;
    for (cut.len = 2; cut.len < in.len; cut.len += 1 + cut.len / 50)
        expect_fail(&cut, "the gzip data ends too early: the file is truncated");
    in.p[in.len - 5] ^= 1;
    expect_fail(&in, "the gzip data is corrupt: incorrect data check");
    in.p[in.len - 5] ^= 1;
    in.p[in.len - 1] ^= 1;
    expect_fail(&in, "the gzip data is corrupt: incorrect length check");
    in.p[2] = 7;
    expect_fail(&in, "the gzip data is corrupt: unknown compression method");
    for (size_t i = 3; i < in.len; i += 7) { /* whatever is wrong, it ends */
        in.p[i] ^= 0x55;
        drain_memory(&in, 4096, &out);
        drop(&out);
    }
    drop(&in);
    drop(&plain);
}

TEST(member)
{
    bytes plain = noise(100000), packed = {0}, out;
    uint32_t crc = (uint32_t)crc32(0, plain.p, (uInt)plain.len);
    put_deflated(&packed, plain.p, plain.len, -15);
    for (int deflated = 0; deflated < 2; deflated++) {
        const bytes *in = deflated ? &packed : &plain;
        od_source *s;
        REQUIRE(!od_source_member(&s, in->p, in->len, deflated, plain.len, crc, &err));
        CHECK_INT(drain(s, 1000, &out), ODIM_OK);
        CHECK(same(&plain, &out));
        drop(&out);
        REQUIRE(!od_source_member(&s, in->p, in->len, deflated, plain.len, crc ^ 1, &err));
        CHECK_INT(drain(s, 1000, &out), ODIM_ERR_FORMAT);
        CHECK_STR(err.msg, "its checksum (CRC-32) is wrong: the file is damaged");
        drop(&out);
        for (int more = -1; more < 2; more += 2) {
            REQUIRE(!od_source_member(&s, in->p, in->len, deflated, plain.len + (uint64_t)more, crc, &err));
            CHECK_INT(drain(s, 1000, &out), ODIM_ERR_FORMAT);
            CHECK_STR(err.msg, "it is not of the size that the archive's directory says");
            drop(&out);
        }
    }
    od_source *s;
    REQUIRE(!od_source_member(&s, packed.p, packed.len - 1, true, plain.len, crc, &err));
    CHECK_INT(drain(s, 1000, &out), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "the compressed data ends too early: the file is truncated");
    drop(&out);
    put_text(&packed, "x");
    REQUIRE(!od_source_member(&s, packed.p, packed.len, true, plain.len, crc, &err));
    CHECK_INT(drain(s, 1000, &out), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "there are other bytes after the compressed data");
    drop(&out);
    drop(&packed);
    drop(&plain);
}

/* The last packed byte may stand for more than is asked for at a time. */
TEST(small_steps)
{
    static const size_t steps[] = {1, 3, 100, 258, 1000};
    int wrong = 0;
    for (size_t len = 1; len < 1500; len += 7) {
        bytes plain = {0}, packed[2] = {{0}, {0}}, out;
        for (size_t i = 0; i < len; i++)
            put(&plain, &(unsigned char){(unsigned char)(len % 2 ? 0 : i % 3)}, 1);
        put_deflated(&packed[0], plain.p, len, -15);
        put_gzip(&packed[1], plain.p, len);
        for (int i = 0; i < 5; i++) {
            od_source *s;
            uint32_t crc = (uint32_t)crc32(0, plain.p, (uInt)len);
            REQUIRE(!od_source_member(&s, packed[0].p, packed[0].len, true, len, crc, &err));
            wrong += drain(s, steps[i], &out) || !same(&out, &plain);
            drop(&out);
            wrong += drain_memory(&packed[1], steps[i], &out) || !same(&out, &plain);
            drop(&out);
        }
        drop(&plain);
        drop(&packed[0]);
        drop(&packed[1]);
    }
    CHECK_INT(wrong, 0);
}

TEST(peek_then_read)
{
    bytes plain = noise(1000), zipped = {0}, out;
    put_gzip(&zipped, plain.p, plain.len);
    for (int i = 0; i < 2; i++) {
        od_source *s;
        const unsigned char *head;
        size_t len;
        const bytes *in = i ? &zipped : &plain;
        REQUIRE(!od_source_memory(&s, in->p, in->len, &err));
        for (int twice = 0; twice < 2; twice++) {
            REQUIRE(!od_source_peek(s, &head, &len, &err));
            CHECK_INT(len, OD_SOURCE_PEEK);
            CHECK(memcmp(head, plain.p, len) == 0);
        }
        CHECK_INT(od_source_left(s), i ? 0 : plain.len);
        CHECK_INT(drain(s, 20, &out), ODIM_OK);
        CHECK(same(&plain, &out));
        drop(&out);
    }
    drop(&plain);
    drop(&zipped);
}

TEST(all_at_once)
{
    for (size_t len = 0; len < 300000; len = len * 5 + 2) {
        bytes plain = noise(len), zipped = {0};
        put(&plain, "", 1);
        put_gzip(&zipped, plain.p, plain.len);
        for (int i = 0; i < 2; i++) {
            od_source *s;
            const unsigned char *got;
            size_t size;
            const bytes *in = i ? &zipped : &plain;
            REQUIRE(!od_source_memory(&s, in->p, in->len, &err));
            REQUIRE(!od_source_peek(s, &got, &size, &err));
            REQUIRE(!od_source_all(s, &got, &size, &err));
            CHECK(size == plain.len && memcmp(got, plain.p, size) == 0);
            CHECK(i || got == plain.p); /* plain memory is not copied */
            od_source_close(s);
        }
        drop(&plain);
        drop(&zipped);
    }
}

/* ---- files ---------------------------------------------------------------------------------------- */

static char folder[] = "/tmp/odim-test-XXXXXX";

static const char *path_of(const char *name)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *path, const bytes *b)
{
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(b->p, 1, b->len, f) != b->len || fclose(f)) TEST_SAY("cannot write %s", path);
}

TEST(files)
{
    bytes plain = noise(200000), zipped = {0}, out;
    put_gzip(&zipped, plain.p, plain.len);
    for (int i = 0; i < 2; i++) {
        od_source *s;
        const unsigned char *got;
        size_t size;
        const char *path = path_of("data");
        write_file(path, i ? &zipped : &plain);
        REQUIRE(!od_source_open(&s, path, &err));
        CHECK_INT(drain(s, 4096, &out), ODIM_OK);
        CHECK(same(&plain, &out));
        drop(&out);
        REQUIRE(!od_source_open(&s, path, &err));
        CHECK_INT(od_source_left(s), i ? 0 : plain.len);
        REQUIRE(!od_source_all(s, &got, &size, &err));
        CHECK(size == plain.len && memcmp(got, plain.p, size) == 0);
        od_source_close(s);
    }
    unlink(path_of("data"));
    drop(&plain);
    drop(&zipped);
}

TEST(files_that_fail)
{
    od_source *s = (od_source *)&err;
    CHECK_INT(od_source_open(&s, path_of("none"), &err), ODIM_ERR_IO);
    CHECK_STR(err.msg, "cannot open: No such file or directory");
    CHECK(s == NULL);
    CHECK_INT(od_source_open(&s, folder, &err), ODIM_ERR_IO);
    CHECK_STR(err.msg, "cannot read: Is a directory");
    const char *path = path_of("secret");
    write_file(path, &(bytes){(unsigned char *)"x", 1, 1});
    CHECK_INT(chmod(path, 0), 0);
    if (access(path, R_OK) != 0) { /* root may read it all the same */
        CHECK_INT(od_source_open(&s, path, &err), ODIM_ERR_IO);
        CHECK_STR(err.msg, "cannot open: Permission denied");
    }
    unlink(path);
}

/* A pipe hands out what there is, be it one byte. */
TEST(standard_input)
{
    bytes plain = {0}, zipped = {0}, out;
    put_text(&plain, "a,b\n1,2\n");
    put_gzip(&zipped, plain.p, plain.len);
    int saved = dup(STDIN_FILENO);
    for (int i = 0; i < 2; i++) {
        const bytes *in = i ? &zipped : &plain;
        int ends[2];
        REQUIRE(pipe(ends) == 0);
        pid_t child = fork();
        if (child == 0) {
            for (size_t k = 0; k < in->len; k++) {
                nanosleep(&(struct timespec){0, 500000}, NULL);
                if (write(ends[1], in->p + k, 1) != 1) _exit(1);
            }
            _exit(0);
        }
        close(ends[1]);
        dup2(ends[0], STDIN_FILENO);
        close(ends[0]);
        od_source *s;
        REQUIRE(!od_source_open(&s, "-", &err));
        CHECK_INT(drain(s, 4096, &out), ODIM_OK);
        CHECK(same(&plain, &out));
        CHECK(fcntl(STDIN_FILENO, F_GETFD) != -1); /* it is not ours to close */
        drop(&out);
        CHECK(waitpid(child, NULL, 0) == child);
    }
    close(STDIN_FILENO);
    od_source *s;
    CHECK_INT(od_source_open(&s, "-", &err), ODIM_ERR_IO);
    CHECK_STR(err.msg, "cannot read: Bad file descriptor");
    dup2(saved, STDIN_FILENO);
    close(saved);
    drop(&plain);
    drop(&zipped);
}

/* Whatever the bytes come from: the same again after each rewind, also from the middle. */
static void expect_again(od_source *s, const bytes *want)
{
    unsigned char buf[777];
    const unsigned char *head;
    size_t got;
    REQUIRE(!od_source_peek(s, &head, &got, &err));
    REQUIRE(!od_source_hold(s, &err));
    for (int round = 0; round < 3; round++) {
        bytes out = {0};
        if (round == 1) REQUIRE(!od_source_peek(s, &head, &got, &err) && memcmp(head, want->p, got) == 0);
        while (!od_source_read(s, buf, sizeof buf, &got, &err) && got) put(&out, buf, got);
        CHECK(same(&out, want));
        drop(&out);
        REQUIRE(!od_source_rewind(s, &err));
        REQUIRE(!od_source_fill(s, buf, sizeof buf, &got, &err) && got == sizeof buf); /* not to the end */
        REQUIRE(!od_source_rewind(s, &err));
    }
    od_source_close(s);
}

TEST(starting_again)
{
    bytes plain = noise(200000), packed = {0};
    put_gzip(&packed, plain.p, 1000);
    put_gzip(&packed, plain.p + 1000, plain.len - 1000);
    od_source *s;
    REQUIRE(!od_source_memory(&s, plain.p, plain.len, &err));
    expect_again(s, &plain);
    REQUIRE(!od_source_memory(&s, packed.p, packed.len, &err));
    expect_again(s, &plain);
    const bytes *stored[] = {&plain, &packed};
    for (int i = 0; i < 2; i++) {
        char path[] = "/tmp/odim-test-XXXXXX";
        int fd = mkstemp(path), saved = dup(STDIN_FILENO);
        REQUIRE(fd >= 0 && saved >= 0 && write(fd, "skip", 4) == 4);
        CHECK(write(fd, stored[i]->p, stored[i]->len) == (ssize_t)stored[i]->len);
        CHECK(lseek(fd, 4, SEEK_SET) == 4); /* a file that someone has read from */
        dup2(fd, STDIN_FILENO);
        REQUIRE(!od_source_open(&s, "-", &err));
        expect_again(s, &plain);
        /* And as a pipe, which must be held in memory. */
        int ends[2];
        REQUIRE(!pipe(ends));
        pid_t child = fork();
        if (child == 0) {
            close(ends[0]);
            for (size_t at = 0; at < stored[i]->len;) {
                ssize_t n = write(ends[1], stored[i]->p + at, stored[i]->len - at);
                if (n <= 0) _exit(1);
                at += (size_t)n;
            }
            _exit(0);
        }
        close(ends[1]);
        dup2(ends[0], STDIN_FILENO);
        close(ends[0]);
        REQUIRE(!od_source_open(&s, "-", &err));
        expect_again(s, &plain);
        waitpid(child, NULL, 0);
        dup2(saved, STDIN_FILENO);
        close(saved);
        close(fd);
        unlink(path);
    }
    drop(&plain);
    drop(&packed);
}

/* A read would not wait: there is something, or the end. */
TEST(ready)
{
    od_source *s;
    unsigned char buf[100];
    const unsigned char *head;
    size_t got;
    int ends[2], saved = dup(STDIN_FILENO);
    REQUIRE(saved >= 0 && !pipe(ends));
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    CHECK(write(ends[1], "a line\nand", 10) == 10);
    REQUIRE(!od_source_open(&s, "-", &err));
    REQUIRE(!od_source_peek(s, &head, &got, &err)); /* a line is enough: more may be long in coming */
    CHECK(got == 10 && od_source_ready(s));
    REQUIRE(!od_source_read(s, buf, sizeof buf, &got, &err) && got == 10);
    CHECK(!od_source_ready(s));
    CHECK(write(ends[1], "x", 1) == 1);
    CHECK(od_source_ready(s));
    REQUIRE(!od_source_read(s, buf, sizeof buf, &got, &err) && got == 1);
    CHECK(!od_source_ready(s));
    close(ends[1]);
    CHECK(od_source_ready(s));
    REQUIRE(!od_source_read(s, buf, sizeof buf, &got, &err) && got == 0);
    CHECK(od_source_ready(s));
    od_source_close(s);
    dup2(saved, STDIN_FILENO);
    close(saved);
    REQUIRE(!od_source_memory(&s, "ab", 2, &err));
    CHECK(od_source_ready(s));
    od_source_close(s);
}

TEST(out_of_memory)
{
    bytes plain = noise(200000), zipped = {0};
    put_gzip(&zipped, plain.p, plain.len);
    const char *path = path_of("data.gz");
    write_file(path, &zipped);
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 5)
    {
        od_source *s;
        const unsigned char *got;
        size_t size;
        status = od_source_open(&s, path, &err);
        if (!status) status = od_source_all(s, &got, &size, &err);
        od_source_close(s);
    }
    unlink(path);
    drop(&plain);
    drop(&zipped);
}

/* From any place on; what is packed has none. */
TEST(seek)
{
    char got[8];
    size_t n;
    od_source *s;
    REQUIRE(!od_source_memory(&s, "0123456", 7, &err));
    CHECK_INT(od_source_size(s), 7);
    REQUIRE(!od_source_fill(s, got, 3, &n, &err) && !od_source_seek(s, 5, &err));
    REQUIRE(!od_source_fill(s, got, 8, &n, &err));
    CHECK(n == 2 && memcmp(got, "56", 2) == 0);
    REQUIRE(!od_source_seek(s, 1, &err) && !od_source_fill(s, got, 2, &n, &err));
    CHECK(n == 2 && memcmp(got, "12", 2) == 0);
    REQUIRE(!od_source_seek(s, 99, &err) && !od_source_fill(s, got, 2, &n, &err));
    CHECK_INT(n, 0);
    od_source_close(s);

    char path[] = "/tmp/odim-seek-XXXXXX";
    int fd = mkstemp(path);
    REQUIRE(fd >= 0 && write(fd, "0123456", 7) == 7 && !close(fd));
    REQUIRE(!od_source_open(&s, path, &err));
    CHECK_INT(od_source_size(s), 7);
    REQUIRE(!od_source_seek(s, 4, &err) && od_source_left(s) == 3 && !od_source_fill(s, got, 8, &n, &err));
    CHECK(n == 3 && memcmp(got, "456", 3) == 0);
    REQUIRE(!od_source_seek(s, 0, &err) && !od_source_fill(s, got, 2, &n, &err));
    CHECK(n == 2 && memcmp(got, "01", 2) == 0);
    od_source_close(s);
    unlink(path);

    bytes b = {0};
    put_gzip(&b, "0123456", 7);
    REQUIRE(!od_source_memory(&s, b.p, b.len, &err));
    CHECK_INT(od_source_size(s), 0);
    od_source_close(s);
    drop(&b);
}

int main(void)
{
    if (!mkdtemp(folder)) return 1;
    RUN(memory);
    RUN(gzip);
    RUN(gzip_members);
    RUN(gzip_damage);
    RUN(member);
    RUN(small_steps);
    RUN(peek_then_read);
    RUN(all_at_once);
    RUN(files);
    RUN(files_that_fail);
    RUN(standard_input);
    RUN(starting_again);
    RUN(ready);
    RUN(out_of_memory);
    rmdir(folder);
    RUN(seek);
    return test_end();
}
