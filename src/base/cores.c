/* Counts the CPUs that this process may use, with the quota of its control groups. */
#include "base/cores.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/platform.h"

#define MOST_THREADS 1024
#define PATH_ROOM    4096

static bool read_text(const char *path, char *buf, size_t size)
{
    FILE *f = fopen(path, "re");
    if (!f) return false;
    size_t len = fread(buf, 1, size - 1, f);
    fclose(f);
    buf[len] = '\0';
    return len > 0;
}

/* quota / period, rounded up, if both are above 0. */
static int cpus_of(long long quota, long long period)
{
    if (quota <= 0 || period <= 0) return 0;
    long long cpus = quota / period + (quota % period != 0);
    return cpus > MOST_THREADS ? MOST_THREADS : (int)cpus;
}

/* Version 2: "200000 100000", or "max 100000". */
static int unified_quota(const char *folder)
{
    char path[PATH_ROOM], text[100];
    long long quota, period;
    if (snprintf(path, sizeof path, "%s/cpu.max", folder) >= (int)sizeof path) return 0;
    if (!read_text(path, text, sizeof text) || sscanf(text, "%lld %lld", &quota, &period) != 2) return 0;
    return cpus_of(quota, period);
}

/* Version 1: a file for each number, and a quota of -1 is none. */
static int split_quota(const char *folder)
{
    char path[PATH_ROOM], text[100];
    long long number[2];
    for (int i = 0; i < 2; i++) {
        const char *name = i ? "cpu.cfs_period_us" : "cpu.cfs_quota_us";
        if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) return 0;
        if (!read_text(path, text, sizeof text) || sscanf(text, "%lld", &number[i]) != 1) return 0;
    }
    return cpus_of(number[0], number[1]);
}

static int lesser(int a, int b)
{
    return a == 0 || (b > 0 && b < a) ? b : a;
}

/* The smallest quota of root/group and of the folders above it, down to root. Inside a container the path of
 * the group may be that of the host, of which only the root is there. */
static int quota_of_group(const char *root, const char *group, int (*quota)(const char *folder))
{
    char folder[PATH_ROOM];
    if (snprintf(folder, sizeof folder, "%s%s", root, group) >= (int)sizeof folder) return 0;
    size_t least = strlen(root), len = strlen(folder);
    int cpus = 0;
    for (;;) {
        while (len > least && folder[len - 1] == '/') len--;
        folder[len] = '\0';
        cpus = lesser(cpus, quota(folder));
        if (len <= least) return cpus;
        while (len > least && folder[len - 1] != '/') len--;
    }
}

/* Whether "cpu" is in a list with commas. */
static bool has_cpu(const char *list, size_t len)
{
    for (size_t at = 0; at < len;) {
        size_t end = at;
        while (end < len && list[end] != ',') end++;
        if (end - at == 3 && strncmp(list + at, "cpu", 3) == 0) return true;
        at = end + 1;
    }
    return false;
}

int od_cores_quota(const char *groups, const char *root)
{
    int cpus = 0;
    char group[PATH_ROOM], folder[PATH_ROOM];
    for (const char *line = groups; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        size_t end = strcspn(line, "\n"), first = strcspn(line, ":\n"), second;
        if (first == end) continue;
        second = first + 1 + strcspn(line + first + 1, ":\n");
        if (second >= end || end - second > sizeof group) continue;
        memcpy(group, line + second + 1, end - second - 1);
        group[end - second - 1] = '\0';
        const char *list = line + first + 1;
        int len = (int)(second - first - 1);
        if (len == 0) {
            cpus = lesser(cpus, quota_of_group(root, group, unified_quota));
        } else if (has_cpu(list, (size_t)len)) {
            /* The folder has the name of all controllers in the list, or only that of this one. */
            if (snprintf(folder, sizeof folder, "%s/%.*s", root, len, list) < (int)sizeof folder)
                cpus = lesser(cpus, quota_of_group(folder, group, split_quota));
            if (snprintf(folder, sizeof folder, "%s/cpu", root) < (int)sizeof folder)
                cpus = lesser(cpus, quota_of_group(folder, group, split_quota));
        }
    }
    return cpus;
}

/* Looked up once, since it takes reading files. */
static int quota(void)
{
    static _Atomic int known = -1;
    int cpus = atomic_load(&known);
    if (cpus >= 0) return cpus;
    char groups[8192];
    cpus =
        read_text("/proc/self/cgroup", groups, sizeof groups) ? od_cores_quota(groups, "/sys/fs/cgroup") : 0;
    atomic_store(&known, cpus);
    return cpus;
}

int od_cores(void)
{
    const char *asked = getenv("ODIM_THREADS");
    if (asked && *asked >= '1' && *asked <= '9') {
        char *end;
        long count = strtol(asked, &end, 10);
        if (!*end && count <= MOST_THREADS) return (int)count;
    }
    return lesser(od_platform_cpus(), quota());
}
