/* replay FILE-OR-FOLDER...: gives each file to the fuzz target, once. A failure is a crash, which ends it. */
#include <dirent.h>
#include <stdio.h>

#include "fuzz.h"

static int passed, failed;

static void replay_file(const char *path)
{
    uint8_t *data = NULL;
    size_t size = 0, cap = 0, got;
    FILE *f = fopen(path, "rb");
    if (!f) {
        printf("FAILED cannot open %s\n", path);
        failed++;
        return;
    }
    do {
        if (size == cap) {
            cap = cap ? cap * 2 : 4096;
            data = realloc(data, cap);
            if (!data) abort();
        }
        got = fread(data + size, 1, cap - size, f);
        size += got;
    } while (got);
    fclose(f);
    /* An exact copy, so that a byte read behind the end is noticed. */
    uint8_t *exact = malloc(size ? size : 1);
    if (!exact) abort();
    memcpy(exact, data, size);
    free(data);
    printf("%s\n", path);
    fflush(stdout); /* the last line names the file that crashed */
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    passed++;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        DIR *folder = opendir(argv[i]);
        if (!folder) {
            replay_file(argv[i]);
            continue;
        }
        for (struct dirent *e; (e = readdir(folder));) {
            char path[4096];
            if (e->d_name[0] == '.') continue;
            snprintf(path, sizeof path, "%s/%s", argv[i], e->d_name);
            replay_file(path);
        }
        closedir(folder);
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0 || passed == 0;
}
