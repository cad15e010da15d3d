/* tests: cores. The number of threads, from made-up control groups and from the environment. */
#define _GNU_SOURCE /* sched_setaffinity */
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cores.h"
#include "base/parallel.h"
#include "test.h"

static char root[] = "/tmp/odim-cores-XXXXXX";

static void put(const char *name, const char *text)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", root, name);
    for (char *at = path + strlen(root) + 1; (at = strchr(at, '/')); at++) {
        *at = '\0';
        mkdir(path, 0700);
        *at = '/';
    }
    FILE *f = fopen(path, "w");
    if (!f) return;
    fputs(text, f);
    fclose(f);
}

TEST(version_2)
{
    put("a/cpu.max", "400000 100000\n");
    put("a/b/cpu.max", "150000 100000\n");
    put("a/b/c/cpu.max", "max 100000\n");
    put("odd/cpu.max", "often\n");
    put("tiny/cpu.max", "1000 100000\n");
    put("huge/cpu.max", "9000000000000000000 1\n");
    CHECK_INT(od_cores_quota("0::/a\n", root), 4);
    CHECK_INT(od_cores_quota("0::/a/b\n", root), 2);
    CHECK_INT(od_cores_quota("0::/a/b/c", root), 2);
    CHECK_INT(od_cores_quota("0::/a/missing/\n", root), 4);
    CHECK_INT(od_cores_quota("0::/tiny\n", root), 1);
    CHECK_INT(od_cores_quota("0::/huge\n", root), 1024);
    CHECK_INT(od_cores_quota("0::/odd\n", root), 0);
    CHECK_INT(od_cores_quota("0::/\n", root), 0);
    CHECK_INT(od_cores_quota("", root), 0);
    CHECK_INT(od_cores_quota("\n0\n0:\n:::\nnothing", root), 0);
    put("cpu.max", "300000 100000\n"); /* of a container, whose own path is not there */
    CHECK_INT(od_cores_quota("0::/docker/1234\n", root), 3);
    CHECK_INT(od_cores_quota("0::/a\n", root), 3);
    put("cpu.max", "max 100000\n");
}

TEST(version_1)
{
    put("cpu,cpuacct/x/cpu.cfs_quota_us", "250000\n");
    put("cpu,cpuacct/x/cpu.cfs_period_us", "100000\n");
    put("cpu/y/cpu.cfs_quota_us", "-1\n");
    put("cpu/y/cpu.cfs_period_us", "100000\n");
    put("cpu/z/cpu.cfs_quota_us", "50000\n");
    put("cpu/z/cpu.cfs_period_us", "0\n");
    CHECK_INT(od_cores_quota("9:memory:/x\n4:cpu,cpuacct:/x\n", root), 3);
    CHECK_INT(od_cores_quota("4:cpu:/y\n", root), 0);
    CHECK_INT(od_cores_quota("4:cpu:/z\n", root), 0);
    CHECK_INT(od_cores_quota("4:cpuset:/x\n3:cpuacct:/x\n", root), 0);
    /* Both versions at the same time. */
    CHECK_INT(od_cores_quota("4:cpu,cpuacct:/x\n0::/a/b\n", root), 2);
}

TEST(environment_and_affinity)
{
    cpu_set_t all, one;
    CPU_ZERO(&one);
    REQUIRE(sched_getaffinity(0, sizeof all, &all) == 0);
    for (int i = 0; i < CPU_SETSIZE && !CPU_COUNT(&one); i++)
        if (CPU_ISSET(i, &all)) CPU_SET(i, &one);
    unsetenv("ODIM_THREADS");
    CHECK(od_cores() >= 1 && od_cores() <= CPU_COUNT(&all));
    int usual = od_cores();
    REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
    CHECK_INT(od_cores(), 1);
    setenv("ODIM_THREADS", "5", 1);
    CHECK_INT(od_cores(), 5);
    CHECK_INT(od_run_threads(&(od_run){0}), 5);
    CHECK_INT(od_run_threads(&(od_run){.threads = 2}), 2);
    sched_setaffinity(0, sizeof all, &all);
    static const char *const wrong[] = {"", "0", "-1", "x", "2 ", "1025", "99999999999999999999", " 3", "+4"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        setenv("ODIM_THREADS", wrong[i], 1);
        CHECK_INT(od_cores(), usual);
    }
    unsetenv("ODIM_THREADS");
}

int main(void)
{
    if (!mkdtemp(root)) return 1;
    RUN(version_2);
    RUN(version_1);
    RUN(environment_and_affinity);
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", root);
    return system(command) ? 1 : test_end();
}
