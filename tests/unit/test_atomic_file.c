/* tests: atomic_file. Atomic replacement of files. */
#include "common/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "scratch.h"
#include "test.h"

static int replace(const char *path, const char *text)
{
    od_atomic_file r;
    int error = od_atomic_file_open(&r, path);
    if (error) return error;
    if (!(error = od_atomic_file_write(&r, text, strlen(text)))) return od_atomic_file_commit(&r);
    od_atomic_file_discard(&r);
    return error;
}

static unsigned mode_of(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 ? st.st_mode & 0777 : 0;
}

static int is_link(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
}

TEST(new_and_old_files)
{
    const char *path = in_scratch("plain");
    mode_t mask = umask(027);
    CHECK_INT(replace(path, "one"), 0);
    umask(mask);
    CHECK(has_text(path, "one"));
    CHECK_INT(mode_of(path), 0640);
    CHECK_INT(chmod(path, 0604), 0);
    CHECK_INT(replace(path, "two"), 0);
    CHECK(has_text(path, "two"));
    CHECK_INT(mode_of(path), 0604);
    CHECK_INT(replace(path, ""), 0);
    CHECK(has_text(path, ""));
    CHECK_INT(count_files(scratch), 1);
    unlink(path);
}

/* Until the commit, nobody sees anything; after a discard there was nothing. */
TEST(nothing_shows_before_the_commit)
{
    const char *path = in_scratch("late");
    od_atomic_file r;
    CHECK_INT(od_atomic_file_open(&r, path), 0);
    CHECK_INT(od_atomic_file_write(&r, "abc", 3), 0);
    CHECK(access(path, F_OK) != 0);
    CHECK_INT(count_files(scratch), 1);
    od_atomic_file_discard(&r);
    od_atomic_file_discard(&r);
    CHECK_INT(count_files(scratch), 0);

    write_text(path, "old");
    CHECK_INT(od_atomic_file_open(&r, path), 0);
    CHECK_INT(od_atomic_file_write(&r, "ne", 2), 0);
    CHECK_INT(od_atomic_file_write(&r, "w", 1), 0);
    CHECK(has_text(path, "old"));
    CHECK_INT(od_atomic_file_commit(&r), 0);
    CHECK(has_text(path, "new"));
    CHECK_INT(count_files(scratch), 1);
    unlink(path);
}

TEST(links_are_followed)
{
    char dir[256];
    snprintf(dir, sizeof dir, "%s", in_scratch("sub"));
    CHECK_INT(mkdir(dir, 0777), 0);
    CHECK_INT(symlink("sub/target", in_scratch("link")), 0);
    CHECK_INT(symlink("link", in_scratch("link2")), 0);
    CHECK_INT(symlink("loop", in_scratch("loop")), 0);
    CHECK_INT(replace(in_scratch("link2"), "one"), 0); /* there is no target yet */
    CHECK_INT(replace(in_scratch("link"), "two"), 0);
    CHECK(is_link(in_scratch("link")) && is_link(in_scratch("link2")));
    CHECK(has_text(in_scratch("sub/target"), "two"));
    CHECK_INT(count_files(dir), 1);
    CHECK_INT(replace(in_scratch("loop"), "x"), ELOOP);
    const char *absolute = in_scratch("sub/made");
    CHECK_INT(symlink(absolute, in_scratch("link3")), 0);
    CHECK_INT(replace(in_scratch("link3"), "three"), 0);
    CHECK(has_text(absolute, "three"));
}

TEST(without_a_directory_in_the_path)
{
    char home[4096];
    REQUIRE(getcwd(home, sizeof home) && chdir(scratch) == 0);
    CHECK_INT(replace("here", "x"), 0);
    CHECK(has_text("here", "x"));
    CHECK_INT(unlink("here"), 0);
    CHECK_INT(chdir(home), 0);
}

TEST(what_is_no_regular_file_is_written_to)
{
    const char *path = in_scratch("pipe");
    struct stat st;
    char got[8] = "";
    REQUIRE(mkfifo(path, 0600) == 0);
    int fd = open(path, O_RDONLY | O_NONBLOCK);
    CHECK_INT(replace(path, "hello"), 0);
    CHECK_INT(read(fd, got, sizeof got - 1), 5);
    CHECK_STR(got, "hello");
    close(fd);
    CHECK(stat(path, &st) == 0 && S_ISFIFO(st.st_mode));
    unlink(path);
    CHECK_INT(replace("/dev/null", "x"), 0);
    CHECK_INT(replace("/dev/full", "x"), ENOSPC);
}

TEST(failures_leave_the_old_file)
{
    char dir[256];
    snprintf(dir, sizeof dir, "%s", in_scratch("failures"));
    REQUIRE(mkdir(dir, 0777) == 0);
    CHECK_INT(replace(dir, "x"), EISDIR);
    CHECK_INT(replace(in_scratch("nowhere/x"), "x"), ENOENT);
    CHECK_INT(replace("", "x"), ENOENT);
    char *endless = malloc(PATH_MAX + 1);
    REQUIRE(endless);
    memset(endless, 'a', PATH_MAX);
    endless[PATH_MAX] = '\0';
    CHECK_INT(replace(endless, "x"), ENAMETOOLONG);
    free(endless);

    /* A disk that takes no more than 4 bytes. */
    const char *path = in_scratch("failures/kept");
    write_text(path, "old");
    void (*before)(int) = signal(SIGXFSZ, SIG_IGN);
    struct rlimit old, four;
    REQUIRE(getrlimit(RLIMIT_FSIZE, &old) == 0);
    four = old;
    four.rlim_cur = 4;
    REQUIRE(setrlimit(RLIMIT_FSIZE, &four) == 0);
    int error = replace(path, "much too long");
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, before);
    CHECK_INT(error, EFBIG);
    CHECK(has_text(path, "old"));
    CHECK_INT(count_files(dir), 1);
}

/* Permissions mean nothing to root: a child gives them up. Its exit code is the errno. */
static int replace_as_nobody(const char *path)
{
    int code = -1;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        if (getuid() == 0 && (setgid(65534) || setuid(65534))) _exit(255);
        _exit(replace(path, "new"));
    }
    return waitpid(pid, &code, 0) == pid && WIFEXITED(code) ? WEXITSTATUS(code) : -1;
}

TEST(permissions_are_respected)
{
    char dir[256];
    snprintf(dir, sizeof dir, "%s", in_scratch("guarded"));
    REQUIRE(mkdir(dir, 0777) == 0);
    REQUIRE(chmod(scratch, 0755) == 0 && chmod(dir, 0777) == 0);
    const char *path = in_scratch("guarded/file");
    write_text(path, "old");
    CHECK_INT(chmod(path, 0444), 0); /* a read-only file in a directory that may be written */
    CHECK_INT(replace_as_nobody(path), EACCES);
    CHECK_INT(chmod(path, 0666), 0);
    CHECK_INT(chmod(dir, 0555), 0); /* a read-only directory */
    CHECK_INT(replace_as_nobody(path), EACCES);
    CHECK(has_text(path, "old"));
    CHECK_INT(chmod(dir, 0777), 0);
    CHECK_INT(replace_as_nobody(path), 0);
    CHECK(has_text(path, "new"));
    CHECK_INT(mode_of(path), 0666);
    CHECK_INT(count_files(dir), 1);
}

/* A process that is killed leaves its temporary file behind; that must not stand in anybody's way. */
TEST(left_over_files_do_no_harm)
{
    const char *path = in_scratch("again");
    od_atomic_file r[3];
    for (int i = 0; i < 3; i++) {
        CHECK_INT(od_atomic_file_open(&r[i], path), 0);
        CHECK(i == 0 || strcmp(r[i].temp, r[i - 1].temp) != 0);
    }
    CHECK_INT(replace(path, "fine"), 0);
    CHECK(has_text(path, "fine"));
    for (int i = 0; i < 3; i++) od_atomic_file_discard(&r[i]);
    CHECK(has_text(path, "fine"));
}

int main(void)
{
    scratch_make();
    RUN(new_and_old_files);
    RUN(nothing_shows_before_the_commit);
    RUN(links_are_followed);
    RUN(without_a_directory_in_the_path);
    RUN(what_is_no_regular_file_is_written_to);
    RUN(failures_leave_the_old_file);
    RUN(permissions_are_respected);
    RUN(left_over_files_do_no_harm);
    return test_end();
}
