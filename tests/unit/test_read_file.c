#include "common/read_file.h"

#include <errno.h>
#include <fcntl.h>

#include "common/mem.h"
#include "scratch.h"
#include "starve.h"
#include "test.h"

static char *bytes;
static size_t size;

/* 0, or the reason why the file could not be read. */
static int read_it(const char *path, size_t most)
{
    od_free(bytes);
    const char *what = od_read_file(path, "MAGIC", most, &bytes, &size);
    if (what) CHECK_STR(what, errno == ENOENT ? "cannot open" : "cannot read");
    return what ? errno : 0;
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
        CHECK_INT(read_it(in_scratch("f"), 1000000), 0);
        CHECK(size == sizes[i] && memcmp(bytes, text, size) == 0 && bytes[size] == '\0');
        free(text);
    }
}

TEST(limits)
{
    free(make_file(in_scratch("f"), 100001));
    CHECK_INT(read_it(in_scratch("f"), 100001), 0);
    CHECK_INT(size, 100001);
    CHECK_INT(read_it(in_scratch("f"), 100000), EFBIG);
    CHECK(!bytes);
    /* Of another kind of file, only the beginning, as long as it is. */
    CHECK_INT(read_it("/dev/zero", 1000), 0);
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
    CHECK_INT(read_it(in_scratch("pipe"), 1000000), 0);
    CHECK(size == 200005 && memcmp(bytes, "MAGIC\0\0", 7) == 0);
    REQUIRE(system(command) == 0);
    CHECK_INT(read_it(in_scratch("pipe"), 100000), EFBIG);
}

TEST(failures)
{
    CHECK_INT(read_it("/nowhere/f", 10), ENOENT);
    CHECK_INT(read_it("/tmp", 10), EISDIR);
    free(make_file(in_scratch("f"), 100000));
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 2)
    {
        int error = read_it(in_scratch("f"), 1000000);
        CHECK(error == ENOMEM ? !bytes : error == 0);
        status = error ? ODIM_ERR_NOMEM : ODIM_OK;
    }
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
