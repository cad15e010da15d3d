#include "base/read_file.h"

#include <fcntl.h>

#include "base/mem.h"
#include "scratch.h"
#include "test.h"

static odim_error err;
static void *bytes;
static size_t size;

static odim_status slurp(const char *path, size_t most)
{
    od_free(bytes);
    return od_read_file(path, "MAGIC", most, &bytes, &size, &err);
}

/* A file of n bytes, after the magic word. */
static char *make_file(const char *path, size_t n)
{
    char *text = malloc(n + 1);
    if (!text) abort();
    for (size_t i = 0; i < n; i++) text[i] = i < 5 ? "MAGIC"[i] : (char)('a' + i % 23);
    text[n] = '\0';
    write_text(path, text);
    return text;
}

TEST(all_bytes)
{
    static const size_t sizes[] = {0, 3, 5, 6, 1000, 65535, 65536, 65537, 131072, 1000000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *text = make_file(in_scratch("f"), sizes[i]);
        CHECK_INT(slurp(in_scratch("f"), 1000000), ODIM_OK);
        CHECK(size == sizes[i] && memcmp(bytes, text, size) == 0);
        free(text);
    }
}

TEST(limits)
{
    free(make_file(in_scratch("f"), 100001));
    CHECK_INT(slurp(in_scratch("f"), 100001), ODIM_OK);
    CHECK_INT(size, 100001);
    CHECK_INT(slurp(in_scratch("f"), 100000), ODIM_ERR_FORMAT);
    CHECK(!bytes && strstr(err.msg, "/f: larger than 100000 bytes"));
    /* Of another kind of file, only the beginning, as long as it is. */
    CHECK_INT(slurp("/dev/zero", 1000), ODIM_OK);
    CHECK(size >= 5 && size <= 65536);
}

TEST(a_pipe)
{
    char command[400];
    REQUIRE(mkfifo(in_scratch("pipe"), 0600) == 0);
    snprintf(command, sizeof command,
             "{ printf MA; sleep 0.05; printf GIC; head -c 200000 /dev/zero; } >%s 2>/dev/null &",
             in_scratch("pipe"));
    REQUIRE(system(command) == 0);
    CHECK_INT(slurp(in_scratch("pipe"), 1000000), ODIM_OK);
    CHECK(size == 200005 && memcmp(bytes, "MAGIC\0\0", 7) == 0);
    REQUIRE(system(command) == 0);
    CHECK_INT(slurp(in_scratch("pipe"), 100000), ODIM_ERR_FORMAT);
}

TEST(failures)
{
    CHECK_INT(slurp("/nowhere/f", 10), ODIM_ERR_IO);
    CHECK_STR(err.msg, "/nowhere/f: cannot open: No such file or directory");
    CHECK_INT(slurp("/tmp", 10), ODIM_ERR_IO);
    CHECK_STR(err.msg, "/tmp: cannot read: Is a directory");
    free(make_file(in_scratch("f"), 100000));
    for (int n = 1; n <= 2; n++) {
        od_mem_fail_at(n);
        CHECK_INT(slurp(in_scratch("f"), 1000000), ODIM_ERR_NOMEM);
        CHECK(!bytes);
    }
    od_mem_fail_at(0);
}

int main(void)
{
    scratch_make();
    RUN(all_bytes);
    RUN(limits);
    RUN(a_pipe);
    RUN(failures);
    od_free(bytes);
    return test_end();
}
