/* A directory of its own for a test that writes files, gone when the program ends. */
#ifndef SCRATCH_H
#define SCRATCH_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch[32];

static inline void scratch_remove(void)
{
    char command[128];
    snprintf(command, sizeof command, "chmod -R u+w %s; rm -rf %s", scratch, scratch);
    if (system(command)) printf("%s: left behind\n", scratch);
}

static inline void scratch_make(void)
{
    strcpy(scratch, "/tmp/odim-test-XXXXXX");
    if (!mkdtemp(scratch)) abort();
    atexit(scratch_remove);
}

/* The path of a file there. Each of the last four results is valid. */
static inline const char *in_scratch(const char *name)
{
    static char path[4][256];
    static int at;
    at = (at + 1) % 4;
    snprintf(path[at], sizeof path[at], "%s/%s", scratch, name);
    return path[at];
}

static inline void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");
    if (!f || fputs(text, f) < 0 || fclose(f)) abort();
}

/* Whether a file has exactly these bytes. */
static inline int has_bytes(const char *path, const void *want, size_t size)
{
    FILE *f = fopen(path, "rb");
    if (!f) return 0;
    char *got = malloc(size + 1);
    int same = got && fread(got, 1, size + 1, f) == size && memcmp(got, want, size) == 0;
    free(got);
    fclose(f);
    return same;
}

static inline int has_text(const char *path, const char *text)
{
    return has_bytes(path, text, strlen(text));
}

/* Files in a directory, links and all. */
static inline int count_files(const char *path)
{
    int count = 0;
    DIR *dir = opendir(path);
    if (!dir) return -1;
    for (struct dirent *e; (e = readdir(dir));)
        count += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(dir);
    return count;
}

#endif
