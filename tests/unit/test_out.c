/* tests: out. Output files of the command. */
#include "out.h"

#include <dirent.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "signals.h"
#include "test.h"

static char folder[] = "/tmp/odim-out-XXXXXX";

/* In the folder of this test; valid until the fifth next call. */
static const char *path(const char *name)
{
    static char text[5][sizeof folder + 256];
    static int next;
    next = (next + 1) % 5;
    snprintf(text[next], sizeof *text, "%s/%s", folder, name);
    return text[next];
}

/* Files whose name begins so. */
static int count(const char *prefix)
{
    int n = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        n += strncmp(entry->d_name, prefix, strlen(prefix)) == 0;
    if (dir) closedir(dir);
    return n;
}

static const char *content(const char *name)
{
    static char text[64];
    FILE *file = fopen(path(name), "r");
    size_t len = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[len] = '\0';
    if (file) fclose(file);
    return file ? text : "(no file)";
}

/* One ends well, one is dropped, in any order; neither touches the other. */
TEST(two_at_a_time)
{
    cli_out a, b;
    REQUIRE(cli_out_open(&a, path("a")) && cli_out_open(&b, path("b")));
    cli_out_text(&a, "one");
    cli_out_text(&b, "two");
    CHECK_INT(count("."), 2 + 2); /* with "." and ".." */
    CHECK(cli_out_commit(&a));
    CHECK_STR(content("a"), "one");
    CHECK_INT(count(".odim"), 1);
    CHECK(cli_out_commit(&b));
    CHECK_STR(content("b"), "two");

    REQUIRE(cli_out_open(&a, path("a")) && cli_out_open(&b, path("b")));
    cli_out_text(&a, "three");
    cli_out_text(&b, "four");
    cli_out_discard(&a);
    cli_out_discard(&a);
    CHECK_INT(count(".odim"), 1);
    CHECK(cli_out_commit(&b));
    CHECK_STR(content("a"), "one");
    CHECK_STR(content("b"), "four");
    CHECK_INT(count(".odim"), 0);
}

/* As many as there is room for; one that ended makes room for another. */
TEST(all_places)
{
    cli_out outs[CLI_OUT_FILES], more;
    char name[] = "c0";
    for (int i = 0; i < CLI_OUT_FILES; i++) {
        name[1] = (char)('0' + i);
        REQUIRE(cli_out_open(&outs[i], path(name)));
    }
    CHECK(!cli_out_open(&more, path("more")));
    CHECK_INT(count(".odim"), CLI_OUT_FILES);
    CHECK(cli_out_commit(&outs[1]));
    CHECK(cli_out_open(&more, path("more")));
    for (int i = 0; i < CLI_OUT_FILES; i++)
        if (i != 1) cli_out_discard(&outs[i]);
    CHECK(cli_out_commit(&more));
    CHECK_INT(count("c"), 1);
    CHECK_INT(count("more"), 1);
    CHECK_INT(count(".odim"), 0);
}

/* A signal removes all of them, but not what is in its place already. */
TEST(signal)
{
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        cli_out done, a, b;
        cli_signals_install();
        if (!freopen("/dev/null", "w", stderr) || !cli_out_open(&done, path("done")) ||
            !cli_out_open(&a, path("s1")) || !cli_out_commit(&done) || !cli_out_open(&b, path("s2")))
            _exit(1);
        raise(SIGTERM);
        _exit(2);
    }
    int status;
    REQUIRE(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
    CHECK_INT(WTERMSIG(status), SIGTERM);
    CHECK_INT(count("done"), 1);
    CHECK_INT(count("s"), 0);
    CHECK_INT(count(".odim"), 0);
}

TEST(rewrite)
{
    cli_out a;
    REQUIRE(cli_out_open(&a, path("r")));
    CHECK(cli_out_is_file(&a));
    cli_out_text(&a, "head, body");
    cli_out_rewrite(&a, "HEAD", 4);
    cli_out_text(&a, ", tail");
    CHECK(cli_out_commit(&a));
    CHECK_STR(content("r"), "HEAD, body, tail");
    REQUIRE(cli_out_open(&a, NULL));
    CHECK(!cli_out_is_file(&a));
    REQUIRE(cli_out_open(&a, "/dev/null"));
    CHECK(!cli_out_is_file(&a));
    cli_out_discard(&a);
}

static void remove_all(void)
{
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) unlink(path(entry->d_name));
    if (dir) closedir(dir);
    rmdir(folder);
}

int main(void)
{
    if (!mkdtemp(folder)) return 1;
    RUN(two_at_a_time);
    RUN(all_places);
    RUN(signal);
    RUN(rewrite);
    remove_all();
    return test_end();
}
