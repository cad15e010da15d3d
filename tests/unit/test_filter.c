/* Unpacking and recoding, by each way that bytes come.
 * tests: filter filter_zlib filter_xz filter_zstd filter_bzip2 filter_recode */
#include "io/filter.h"

#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "io/source.h"
#include "packed.h"
#include "starve.h"

static odim_error err;

static const struct {
    const char *name;
    void (*put)(bytes *b, const void *data, size_t len);
    size_t magic; /* fewer bytes are not recognized */
} kinds[] = {{"gzip", put_gzip, 2}, {"xz", put_xz, 6}, {"zstd", put_zstd, 4}, {"bzip2", put_bzip2, 10}};

enum { KINDS = sizeof kinds / sizeof *kinds };

static bool same(const bytes *a, const bytes *b)
{
    return a->len == b->len && (a->len == 0 || memcmp(a->p, b->p, a->len) == 0);
}

/* All bytes of a source, `step` at a time; the source is closed. */
static odim_status drain(od_source *s, size_t step, bytes *out)
{
    unsigned char buf[4096];
    odim_status status;
    size_t got;
    *out = (bytes){0};
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

static const char *sentence(const char *before, const char *name, const char *after)
{
    static char text[200];
    snprintf(text, sizeof text, "%s%s%s", before, name, after);
    return text;
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

/* ---- packed data ---------------------------------------------------------------------------------- */

TEST(unpacks)
{
    bytes plain = noise(300000), none = {0};
    for (int k = 0; k < KINDS; k++) {
        bytes in = {0}, out;
        kinds[k].put(&in, plain.p, plain.len);
        for (size_t step = 1; step < 5000; step = step * 9 + 1) {
            CHECK_INT(drain_memory(&in, step < 4096 ? step : 4096, &out), ODIM_OK);
            CHECK(same(&plain, &out));
            drop(&out);
        }
        drop(&in);
        kinds[k].put(&in, "", 0);
        CHECK_INT(drain_memory(&in, 100, &out), ODIM_OK);
        CHECK(same(&none, &out));
        drop(&in);
        drop(&out);
    }
    drop(&plain);
}

TEST(streams_one_after_the_other)
{
    bytes want = {0};
    put_text(&want, "onetwo");
    for (int k = 0; k < KINDS; k++) {
        bytes in = {0}, out;
        const char *rest = sentence("there are other bytes after the end of the ", kinds[k].name, " data");
        kinds[k].put(&in, "one", 3);
        kinds[k].put(&in, "", 0);
        kinds[k].put(&in, "two", 3);
        for (size_t step = 1; step < 100; step *= 9) {
            CHECK_INT(drain_memory(&in, step, &out), ODIM_OK);
            CHECK(same(&want, &out));
            drop(&out);
        }
        put(&in, "\0\0\0\0", 4);
        CHECK_INT(drain_memory(&in, 100, &out), ODIM_OK);
        CHECK(same(&want, &out));
        drop(&out);
        put_text(&in, "rest");
        expect_fail(&in, rest);
        in.len -= 8;
        put_text(&in, "rest");
        expect_fail(&in, rest);
        drop(&in);
    }
    bytes in = {0}, out; /* xz allows zeros between streams */
    put_xz(&in, "one", 3);
    put(&in, "\0\0\0\0", 4);
    put_xz(&in, "two", 3);
    CHECK_INT(drain_memory(&in, 100, &out), ODIM_OK);
    CHECK(same(&want, &out));
    drop(&out);
    drop(&in);
    put(&in, "\x5F\x2A\x4D\x18\3\0\0\0abc", 11); /* and zstd frames that hold something else */
    put_zstd(&in, "onetwo", 6);
    CHECK_INT(drain_memory(&in, 100, &out), ODIM_OK);
    CHECK(same(&want, &out));
    drop(&out);
    drop(&in);
    drop(&want);
}

TEST(damage)
{
    bytes plain = noise(5000), out;
    for (int k = 0; k < KINDS; k++) {
        bytes in = {0};
        kinds[k].put(&in, plain.p, plain.len);
        bytes cut = in;
        const char *early = sentence("the ", kinds[k].name, " data ends too early: the file is truncated");
        for (cut.len = kinds[k].magic; cut.len < in.len; cut.len += 1 + cut.len / 50)
            expect_fail(&cut, early);
        int wrong = 0;
        for (size_t i = kinds[k].magic; i < in.len; i += 7) { /* whatever is wrong, it ends */
            in.p[i] ^= 0x55;
            odim_status status = drain_memory(&in, 4096, &out);
            wrong += status && status != ODIM_ERR_FORMAT && status != ODIM_ERR_DATA;
            drop(&out);
            in.p[i] ^= 0x55;
        }
        CHECK_INT(wrong, 0);
        in.p[in.len / 2] ^= 1;
        CHECK_INT(drain_memory(&in, 4096, &out), ODIM_ERR_FORMAT);
        CHECK(strstr(err.msg, sentence("the ", kinds[k].name, " data is corrupt: ")) == err.msg);
        drop(&out);
        drop(&in);
    }
    drop(&plain);
}

/* A text may begin like packed data. */
TEST(not_packed)
{
    static const char *const texts[] = {"BZh91,2\n", "B", "BZh", "\xFD\x37z", "(a,b", "Z*,M\n", "\x1F"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        bytes in = {0}, out;
        od_source *s;
        size_t n;
        put_text(&in, texts[i]);
        CHECK_INT(drain_memory(&in, 3, &out), ODIM_OK);
        CHECK(same(&in, &out));
        REQUIRE(!od_source_memory(&s, in.p, in.len, &err));
        CHECK(!od_source_packed(s, &n) && od_source_size(s) == in.len && !od_source_encoded(s));
        od_source_close(s);
        drop(&in);
        drop(&out);
    }
}

/* What needs more memory than is sensible says so: few bytes can ask for much. */
TEST(window_too_large)
{
    const char *msg =
        "unpacking the %s data needs more than 256 MB of memory, which is refused; pack it again "
        "with a smaller dictionary or window";
    char want[200];
    bytes in = {0}, out;
    put_xz(&in, "one", 3);
    for (size_t i = 12; i < 23; i++)
        if (in.p[i] == 0x21 && in.p[i + 1] == 1) in.p[i + 2] = 40; /* LZMA2 with a dictionary of 4 GB */
    size_t header = (size_t)in.p[12] * 4;
    uint32_t crc = lzma_crc32(in.p + 12, header, 0);
    set_little(&in, 12 + header, crc, 4);
    CHECK_INT(drain_memory(&in, 100, &out), ODIM_ERR_DATA);
    snprintf(want, sizeof want, msg, "xz");
    CHECK_STR(err.msg, want);
    drop(&in);
    put(&in, "\x28\xB5\x2F\xFD\0\xA0\1\0\0", 9); /* a window of 1 GB */
    CHECK_INT(drain_memory(&in, 100, &out), ODIM_ERR_DATA);
    snprintf(want, sizeof want, msg, "zstd");
    CHECK_STR(err.msg, want);
    drop(&in);
}

/* Few bytes that stand for many are not unpacked beyond the limit. */
TEST(limit)
{
    size_t len = (size_t)8 << 20;
    unsigned char *zeros = calloc(len, 1);
    for (int k = 0; k < KINDS; k++) {
        bytes in = {0};
        kinds[k].put(&in, zeros, len);
        for (int within = 0; within < 2; within++) {
            od_source *s;
            const unsigned char *got;
            size_t size, packed;
            REQUIRE(!od_source_memory(&s, in.p, in.len, &err));
            CHECK(od_source_packed(s, &packed) && od_source_size(s) == 0 && od_source_left(s) == 0);
            od_source_limit(s, within ? len : len - 1);
            odim_status status = within ? od_source_all(s, &got, &size, &err) : od_source_hold(s, &err);
            CHECK_INT(status, within ? ODIM_OK : ODIM_ERR_DATA);
            if (within)
                CHECK_INT(size, len);
            else
                CHECK_STR(err.msg, "unpacks to more than 8.0 MB, the most that is allowed; if the file can "
                                   "be trusted, allow more (set unpacked)");
            od_source_close(s);
        }
        drop(&in);
    }
    free(zeros);
}

/* ---- encodings ------------------------------------------------------------------------------------ */

/* `in` read in an encoding (NULL: found out): the text, or the message. */
static const char *decode(const void *in, size_t len, const char *encoding, size_t step)
{
    static char shown[400];
    od_source *s;
    bytes out = {0};
    const unsigned char *head;
    size_t n;
    odim_status status = od_source_memory(&s, in, len, &err);
    if (!status && encoding && step == 1) od_source_peek(s, &head, &n, &err); /* it may come before */
    if (!status && encoding && (status = od_source_set_encoding(&s, encoding, &err))) od_source_close(s);
    if (!status) status = drain(s, step, &out);
    snprintf(shown, sizeof shown, "%.*s", (int)out.len, out.p ? (char *)out.p : "");
    drop(&out);
    return status ? err.msg : shown;
}

TEST(byte_order_marks)
{
    for (int size = 2; size <= 4; size += 2)
        for (int big = 0; big < 2; big++)
            for (int k = -1; k < KINDS; k++) {
                bytes wide = {0}, packed = {0};
                put_wide(&wide, "a,b\n1,2\n", size, big);
                if (k >= 0)
                    kinds[k].put(&packed, wide.p, wide.len);
                else
                    put(&packed, wide.p, wide.len);
                for (size_t step = 1; step < 200; step *= 7)
                    CHECK_STR(decode(packed.p, packed.len, NULL, step), "a,b\n1,2\n");
                od_source *s;
                size_t n;
                REQUIRE(!od_source_memory(&s, packed.p, packed.len, &err));
                CHECK(od_source_size(s) == 0 && od_source_packed(s, &n) == (k >= 0) && od_source_encoded(s));
                od_source_close(s);
                drop(&wide);
                drop(&packed);
            }
    CHECK_STR(decode("\xFF\xFE", 2, NULL, 100), "");
    CHECK_STR(decode("\xFF\xFE\xAC\x20\x3D\xD8\x00\xDE", 8, NULL, 1), "\xE2\x82\xAC\xF0\x9F\x98\x80");
    /* A part of a mark is none, and an IDX file begins like one. */
    od_source *s;
    const unsigned char *head;
    size_t len;
    REQUIRE(!od_source_memory(&s, "\0\0\x08\x01\0\0\0\1\7", 9, &err));
    REQUIRE(!od_source_peek(s, &head, &len, &err) && len == 9 && head[2] == 8);
    CHECK(od_source_size(s) == 9 && !od_source_encoded(s));
    od_source_close(s);
    REQUIRE(!od_source_memory(&s, "\0\0\xFE", 3, &err));
    CHECK_INT(od_source_size(s), 3);
    od_source_close(s);
}

TEST(named_encodings)
{
    CHECK_STR(decode("Gr\xFC\xDF"
                     "e,1\n",
                     8, "latin1", 1),
              "Gr\xC3\xBC\xC3\x9F"
              "e,1\n");
    CHECK_STR(decode("\xCF\xF0\xE8\n", 4, "windows-1251", 100), "\xD0\x9F\xD1\x80\xD0\xB8\n");
    CHECK_STR(decode("\x93\xFA\x96\x7B", 4, "SHIFT_JIS", 1), "\xE6\x97\xA5\xE6\x9C\xAC");
    CHECK_STR(decode("\x1B$BF|\x1B(B", 8, "ISO-2022-JP", 1), "\xE6\x97\xA5");
    CHECK_STR(decode("a\0b\0", 4, "UTF-16LE", 1), "ab");
    /* The name counts, not the mark. */
    CHECK_STR(decode("\xFF\xFE"
                     "a",
                     3, "latin1", 1),
              "\xC3\xBF\xC3\xBE"
              "a");
    CHECK_STR(decode("\xFF\xFE"
                     "a",
                     3, "UTF-8", 1),
              "the byte at offset 0 is not valid in the encoding UTF-8; name the right one (set encoding)");
    CHECK_STR(decode("\xFF\xFE"
                     "a\0",
                     4, "utf-16", 1),
              "a");
    CHECK_STR(decode("a\xFC", 2, "utf8", 1), "a\xFC");
    od_source *s;
    REQUIRE(!od_source_memory(&s, "a", 1, &err) && !od_source_encoded(s));
    CHECK(!od_source_set_encoding(&s, "utf-8", &err) && od_source_encoded(s) && od_source_size(s) == 1);
    od_source_close(s);
}

/* After a peek at a pipe, which brings the text in small pieces, all of it is recoded. */
TEST(named_after_a_peek)
{
    int ends[2], saved = dup(STDIN_FILENO);
    REQUIRE(!pipe(ends));
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    pid_t child = fork();
    if (child == 0) {
        static const char text[] = "\xFF\xFE"
                                   "a,b,c,d,e,f,g,h,i,j,k,l,m\0n,o,p,q,r,s";
        for (size_t i = 0; i < sizeof text; i++) {
            nanosleep(&(struct timespec){0, 100000}, NULL);
            if (write(ends[1], text + i, 1) != 1) _exit(1);
        }
        _exit(0);
    }
    close(ends[1]);
    od_source *s;
    const unsigned char *head;
    size_t n;
    bytes out;
    REQUIRE(!od_source_open(&s, "-", &err));
    od_source_peek(s, &head, &n, &err);
    REQUIRE(!od_source_set_encoding(&s, "latin1", &err));
    CHECK_INT(drain(s, 7, &out), ODIM_OK);
    CHECK(out.len == 42 && memcmp(out.p,
                                  "\xC3\xBF\xC3\xBE"
                                  "a,b,c,d,e,f,g,h,i,j,k,l,m\0n,o,p,q,r,s",
                                  42) == 0);
    drop(&out);
    waitpid(child, NULL, 0);
    dup2(saved, STDIN_FILENO);
    close(saved);
}

TEST(wrong_encodings)
{
    static const char *const unknown[] = {"nonsense", "", "latin1//IGNORE"};
    for (int i = 0; i < 3; i++) {
        od_source *s;
        REQUIRE(!od_source_memory(&s, "a", 1, &err));
        CHECK_INT(od_source_set_encoding(&s, unknown[i], &err), ODIM_ERR_PARAM);
        char want[100];
        snprintf(want, sizeof want, "unknown encoding '%s'; `iconv -l` lists the known ones", unknown[i]);
        CHECK_STR(err.msg, want);
        od_source_close(s); /* it is still there */
    }
    for (size_t step = 1; step < 200; step *= 13) {
        CHECK_STR(
            decode("abc\xFF", 4, "ascii", step),
            "the byte at offset 3 is not valid in the encoding ascii; name the right one (set encoding)");
        CHECK_STR(
            decode("\xFF\xFE"
                   "a\0\x3D\xD8"
                   "b\0",
                   8, NULL, step),
            "the byte at offset 4 is not valid in the encoding UTF-16; name the right one (set encoding)");
        CHECK_STR(decode("\xFF\xFE"
                         "a\0b",
                         5, NULL, step),
                  "the text ends inside a character of the encoding UTF-16");
    }
    bytes b = {0}; /* an offset that is larger than a buffer */
    for (int i = 0; i < 30000; i++) put_text(&b, "1234567\n");
    put_text(&b, "\x81");
    CHECK_STR(
        decode(b.p, b.len, "ascii", 4096),
        "the byte at offset 240000 is not valid in the encoding ascii; name the right one (set encoding)");
    drop(&b);
}

/* ---- pipes, files, memory ------------------------------------------------------------------------- */

/* A child that writes to a new standard input, byte by byte if it is to be slow. */
static pid_t feed(const bytes *in, bool slow)
{
    int ends[2];
    if (pipe(ends)) abort();
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        for (size_t k = 0; k < in->len;) {
            if (slow) nanosleep(&(struct timespec){0, 100000}, NULL);
            ssize_t n = write(ends[1], in->p + k, slow ? 1 : in->len - k);
            if (n <= 0) _exit(1);
            k += (size_t)n;
        }
        _exit(0);
    }
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    return child;
}

static void packed_text(int k, const bytes *plain, bytes *out)
{
    bytes wide = {0};
    if (k < KINDS) {
        kinds[k].put(out, plain->p, plain->len);
    } else if (k == KINDS) {
        put_wide(out, (char *)plain->p, 2, 0);
    } else {
        put_wide(&wide, (char *)plain->p, 4, 1);
        kinds[k - KINDS - 1].put(out, wide.p, wide.len);
    }
    drop(&wide);
}

enum { STORED = 2 * KINDS + 1 }; /* each packing, UTF-16, and each packing of UTF-32 */

TEST(one_byte_at_a_time)
{
    bytes plain = {0}, out;
    put_text(&plain, "a,b\n1,2\n");
    put(&plain, "", 1);
    plain.len--;
    int saved = dup(STDIN_FILENO);
    for (int k = 0; k < STORED; k++) {
        bytes in = {0};
        od_source *s;
        packed_text(k, &plain, &in);
        pid_t child = feed(&in, true);
        REQUIRE(!od_source_open(&s, "-", &err));
        CHECK_INT(drain(s, 4096, &out), ODIM_OK);
        CHECK(same(&plain, &out));
        waitpid(child, NULL, 0);
        drop(&out);
        drop(&in);
    }
    dup2(saved, STDIN_FILENO);
    close(saved);
    drop(&plain);
}

/* The same again after each rewind, also from the middle. */
static void expect_again(od_source *s, const bytes *want)
{
    unsigned char buf[777];
    const unsigned char *head;
    size_t got;
    REQUIRE(!od_source_peek(s, &head, &got, &err));
    REQUIRE(!od_source_hold(s, &err));
    for (int round = 0; round < 3; round++) {
        bytes out = {0};
        if (round == 1) CHECK(od_source_ready(s));
        while (!od_source_read(s, buf, sizeof buf, &got, &err) && got) put(&out, buf, got);
        CHECK(same(&out, want));
        drop(&out);
        REQUIRE(!od_source_rewind(s, &err));
        REQUIRE(!od_source_fill(s, buf, sizeof buf, &got, &err) && got == sizeof buf);
        REQUIRE(!od_source_rewind(s, &err));
    }
    od_source_close(s);
}

TEST(starting_again)
{
    bytes plain = {0};
    for (int i = 0; i < 20000; i++) put_text(&plain, i % 3 ? "12,34\n" : "567,8\n");
    put(&plain, "", 1);
    plain.len--;
    int saved = dup(STDIN_FILENO);
    for (int k = 0; k < STORED; k++) {
        bytes in = {0};
        od_source *s;
        char path[] = "/tmp/odim-test-XXXXXX";
        packed_text(k, &plain, &in);
        REQUIRE(!od_source_memory(&s, in.p, in.len, &err));
        expect_again(s, &plain);
        int fd = mkstemp(path);
        REQUIRE(fd >= 0 && write(fd, in.p, in.len) == (ssize_t)in.len && !close(fd));
        REQUIRE(!od_source_open(&s, path, &err));
        expect_again(s, &plain);
        unlink(path);
        pid_t child = feed(&in, false);
        REQUIRE(!od_source_open(&s, "-", &err));
        expect_again(s, &plain);
        waitpid(child, NULL, 0);
        drop(&in);
    }
    dup2(saved, STDIN_FILENO);
    close(saved);
    drop(&plain);
}

/* What packers give for a text when they are told to hold nothing back. */
typedef struct live_packer {
    z_stream z;
    lzma_stream x;
    ZSTD_CCtx *s;
} live_packer;

static void pack_live(live_packer *p, int k, const char *text, bytes *out)
{
    unsigned char buf[1000];
    size_t len = strlen(text);
    if (k == 0) {
        p->z.next_in = (unsigned char *)text;
        p->z.avail_in = (uInt)len;
        p->z.next_out = buf;
        p->z.avail_out = sizeof buf;
        if (deflate(&p->z, Z_SYNC_FLUSH) != Z_OK) abort();
        put(out, buf, sizeof buf - p->z.avail_out);
    } else if (k == 1) {
        p->x.next_in = (const uint8_t *)text;
        p->x.avail_in = len;
        p->x.next_out = buf;
        p->x.avail_out = sizeof buf;
        if (lzma_code(&p->x, LZMA_SYNC_FLUSH) != LZMA_STREAM_END) abort();
        put(out, buf, sizeof buf - p->x.avail_out);
    } else if (k == 2) {
        ZSTD_inBuffer in = {text, len, 0};
        ZSTD_outBuffer o = {buf, sizeof buf, 0};
        if (ZSTD_compressStream2(p->s, &o, &in, ZSTD_e_flush) != 0) abort();
        put(out, buf, o.pos);
    } else if (strcmp(text, "a,b\n") == 0) {
        put_wide(out, text, 2, 1);
    } else {
        for (; *text; text++) put_big(out, (unsigned char)*text, 2);
    }
}

/* A line is there as soon as it has come, a part of one does not pass for it, and nobody waits. */
TEST(live)
{
    int saved = dup(STDIN_FILENO);
    for (int k = 0; k < 4; k++) {
        live_packer p = {.x = LZMA_STREAM_INIT, .s = ZSTD_createCCtx()};
        REQUIRE(deflateInit2(&p.z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
        REQUIRE(lzma_easy_encoder(&p.x, 1, LZMA_CHECK_CRC32) == LZMA_OK);
        bytes b = {0};
        int ends[2];
        od_source *s;
        const unsigned char *head;
        unsigned char buf[100];
        size_t got;
        REQUIRE(!pipe(ends));
        dup2(ends[0], STDIN_FILENO);
        close(ends[0]);
        pack_live(&p, k, "a,b\n", &b);
        CHECK(write(ends[1], b.p, b.len) == (ssize_t)b.len);
        REQUIRE(!od_source_open(&s, "-", &err));
        for (int twice = 0; twice < 2; twice++) {
            REQUIRE(!od_source_peek(s, &head, &got, &err));
            CHECK(got == 4 && memcmp(head, "a,b\n", 4) == 0);
        }
        CHECK(od_source_ready(s));
        REQUIRE(!od_source_read(s, buf, sizeof buf, &got, &err) && got == 4);
        for (int i = 0; i < 50; i++) CHECK(!od_source_ready(s)); /* asking costs nothing */
        for (int line = 0; line < 3; line++) {
            b.len = 0;
            pack_live(&p, k, "1,2\n", &b);
            CHECK(write(ends[1], b.p, 1) == 1);
            CHECK(!od_source_ready(s)); /* a byte has come, and it is no text yet */
            CHECK(write(ends[1], b.p + 1, b.len - 1) == (ssize_t)b.len - 1);
            CHECK(od_source_ready(s) && od_source_ready(s));
            REQUIRE(!od_source_fill(s, buf, 4, &got, &err) && got == 4);
            CHECK(memcmp(buf, "1,2\n", 4) == 0 && !od_source_ready(s));
        }
        close(ends[1]);
        CHECK(od_source_ready(s)); /* with the end, or with the mistake that it comes too early */
        CHECK_INT(od_source_read(s, buf, sizeof buf, &got, &err), k < 3 ? ODIM_ERR_FORMAT : ODIM_OK);
        od_source_close(s);
        deflateEnd(&p.z);
        lzma_end(&p.x);
        ZSTD_freeCCtx(p.s);
        drop(&b);
    }
    dup2(saved, STDIN_FILENO);
    close(saved);
}

TEST(out_of_memory)
{
    bytes plain = {0};
    for (int i = 0; i < 20000; i++) put_text(&plain, i % 3 ? "12,34\n" : "567,8\n");
    put(&plain, "", 1);
    plain.len--;
    for (int k = 0; k < STORED; k++) {
        bytes in = {0};
        odim_status status;
        packed_text(k, &plain, &in);
        EACH_ALLOCATION_FAILS(status, 6)
        {
            od_source *s;
            const unsigned char *got;
            size_t size;
            status = od_source_memory(&s, in.p, in.len, &err);
            if (!status && !od_source_encoded(s)) status = od_source_set_encoding(&s, "latin1", &err);
            if (!status) status = od_source_all(s, &got, &size, &err);
            od_source_close(s);
        }
        drop(&in);
    }
    drop(&plain);
}

int main(void)
{
    RUN(unpacks);
    RUN(streams_one_after_the_other);
    RUN(damage);
    RUN(not_packed);
    RUN(window_too_large);
    RUN(limit);
    RUN(byte_order_marks);
    RUN(named_encodings);
    RUN(named_after_a_peek);
    RUN(wrong_encodings);
    RUN(one_byte_at_a_time);
    RUN(starting_again);
    RUN(live);
    RUN(out_of_memory);
    return test_end();
}
