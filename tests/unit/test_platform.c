/* tests: platform. Built twice: with the calls of Linux, and with those that every POSIX system has. */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/platform.h"

TEST(counts_cpus)
{
    CHECK(od_platform_cpus() >= 1 && od_platform_cpus() <= 1 << 16);
    CHECK(od_platform_cpus() <= sysconf(_SC_NPROCESSORS_ONLN));
}

TEST(random_bytes_fill_all)
{
    unsigned char bytes[3][100] = {{0}};
    for (int i = 0; i < 3; i++) REQUIRE(od_platform_random(bytes[i], 99) == 0);
    CHECK(memcmp(bytes[0], bytes[1], 99) != 0 && memcmp(bytes[1], bytes[2], 99) != 0);
    int last = 0;
    for (int i = 0; i < 3; i++) {
        CHECK_INT(bytes[i][99], 0);
        last |= bytes[i][98] | bytes[i][97];
    }
    CHECK(last != 0); /* wrong once in 2^48 */
}

TEST(numbers_are_read_exactly)
{
    CHECK(od_platform_strtod("1.5e3") == 1500.0);
    CHECK(od_platform_strtod("0.1") == 0.1);
}

TEST(waits_end)
{
    pthread_cond_t condition;
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct timespec until, later;
    REQUIRE(od_platform_cond_init(&condition) == 0);
    od_platform_deadline(&until, 0.01);
    od_platform_deadline(&later, 1.75);
    CHECK(until.tv_nsec >= 0 && until.tv_nsec < 1000000000 && later.tv_nsec < 1000000000);
    double apart = (double)(later.tv_sec - until.tv_sec) + 1e-9 * (double)(later.tv_nsec - until.tv_nsec);
    CHECK(apart >= 1.74 && apart < 1000.0);
    pthread_mutex_lock(&lock);
    int ended;
    while ((ended = pthread_cond_timedwait(&condition, &lock, &until)) == 0) continue;
    CHECK_INT(ended, ETIMEDOUT);
    pthread_mutex_unlock(&lock);
    pthread_cond_destroy(&condition);
}

TEST(loads_libraries)
{
    char program[PATH_MAX] = "?";
    od_platform_program(program, sizeof program);
    CHECK(!od_platform_library("/no/such/library.so"));
#if defined(ODIM_STATIC)
    CHECK(!od_platform_loads());
#else
    CHECK(od_platform_loads());
    void *library = od_platform_library("libm.so.6");
    REQUIRE(library);
    CHECK(od_platform_function(library, "cos") != NULL);
    CHECK(od_platform_function(library, "no_such_function") == NULL);
    static const int here = 0;
    const char *file = od_platform_file_of(&here);
    REQUIRE(file);
    CHECK(strstr(file, "test_platform"));
#endif
#if !defined(ODIM_PLATFORM_POSIX)
    CHECK(strstr(program, "test_platform"));
#else
    CHECK_STR(program, "");
#endif
}

TEST(files_in_memory)
{
    char path[40], read_back[4] = "";
    int fd = od_platform_memory_file(path, sizeof path);
#if defined(ODIM_PLATFORM_POSIX)
    CHECK(fd == -1 && errno == ENOTSUP);
    (void)read_back;
#else
    REQUIRE(fd >= 0);
    CHECK(write(fd, "abc", 3) == 3);
    int again = open(path, O_RDONLY);
    REQUIRE(again >= 0);
    CHECK(read(again, read_back, 3) == 3);
    CHECK_STR(read_back, "abc");
    close(again), close(fd);
#endif
}

TEST(pipes_and_sockets_are_private)
{
    int ends[2];
    REQUIRE(od_platform_pipe(ends, 1 << 16));
    CHECK((fcntl(ends[0], F_GETFD) & FD_CLOEXEC) && (fcntl(ends[1], F_GETFD) & FD_CLOEXEC));
    CHECK(write(ends[1], "x", 1) == 1);
    close(ends[0]), close(ends[1]);
    int fd = od_platform_socket(AF_INET);
    REQUIRE(fd >= 0);
    CHECK(fcntl(fd, F_GETFD) & FD_CLOEXEC);
    CHECK(fcntl(fd, F_GETFL) & O_NONBLOCK);
    close(fd);
}

TEST(sending_to_nobody_is_no_signal)
{
    int pair[2];
    char got[3] = "";
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    CHECK(od_platform_send(pair[0], "a", 1, true) == 1);
    CHECK(od_platform_send(pair[0], "b", 1, false) == 1);
    CHECK(read(pair[1], got, 2) == 2);
    CHECK_STR(got, "ab");
    close(pair[1]);
    CHECK(od_platform_send(pair[0], "c", 1, false) == -1 && errno == EPIPE);
    close(pair[0]);
}

TEST(memory_and_changes)
{
    struct stat info;
    REQUIRE(stat(TEST_DIR, &info) == 0);
    CHECK_INT(od_platform_changed(&info).tv_sec, info.st_mtime);
#if defined(ODIM_PLATFORM_POSIX)
    CHECK(od_platform_resident() == 0);
#else
    CHECK(od_platform_resident() > 1e5);
#endif
}

TEST(addresses_in_figures)
{
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM}, *found;
#if defined(ODIM_STATIC)
    CHECK(od_platform_address("127.0.0.1", "80", &hints, &found) != 0);
#else
    CHECK(od_platform_address("localhost", "80", &hints, &found) != 0);
    REQUIRE(od_platform_address("127.0.0.1", "80", &hints, &found) == 0);
    CHECK_INT(found->ai_family, AF_INET);
    freeaddrinfo(found);
#endif
}

int main(void)
{
    RUN(counts_cpus);
    RUN(random_bytes_fill_all);
    RUN(numbers_are_read_exactly);
    RUN(waits_end);
    RUN(loads_libraries);
    RUN(files_in_memory);
    RUN(pipes_and_sockets_are_private);
    RUN(sending_to_nobody_is_no_signal);
    RUN(memory_and_changes);
    RUN(addresses_in_figures);
    return test_end();
}
