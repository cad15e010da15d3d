/* What NumPy wrote (tools/make_npy_testdata.py) is read back bit for bit: every type, order, packing. */
#include <dirent.h>

#include "odim.h"
#include "prep/table.h"
#include "test.h"

#define FOLDER TEST_DIR "/data/numpy/"

/* The next word of *line, ended in place. */
static char *word(char **line)
{
    char *start = *line + strspn(*line, " "), *end = start + strcspn(start, " \n");
    *line = *end ? end + 1 : end;
    *end = '\0';
    return start;
}

static void check_file(char *line)
{
    char *name = word(&line), path[500];
    int is_f64 = atoi(word(&line));
    long long rows = atoll(word(&line)), cols = atoll(word(&line));
    const char *labels = word(&line);
    snprintf(path, sizeof path, "%s%s", FOLDER, name);
    odim_table *t;
    odim_error err;
    if (odim_table_read(&t, path, NULL, &err)) {
        TEST_SAY("%s", err.msg);
        return;
    }
    if (odim_table_rows(t) != rows || odim_table_cols(t) != cols || t->is_f64 != is_f64)
        TEST_SAY("%s: %lld x %lld of type %d", name, (long long)t->n, (long long)t->d, t->is_f64);
    for (int64_t i = 0; i < t->n; i++) {
        for (int64_t j = 0; j < t->d; j++) {
            double want = strtod(word(&line), NULL), got = odim_table_value(t, i, j);
            if (memcmp(&want, &got, sizeof want))
                TEST_SAY("%s: row %d, column %d is %a, expected %a", name, (int)i, (int)j, got, want);
        }
        if (*labels != '-' && (!t->labels || t->labels[i] != labels[i] - '0'))
            TEST_SAY("%s: the label of row %d is wrong", name, (int)i);
    }
    if (*labels == '-' && t->labels) TEST_SAY("%s: there are no labels", name);
    if (*word(&line)) TEST_SAY("%s: not all values were read", name);
    odim_table_free(t);
}

TEST(files)
{
    FILE *f = fopen(FOLDER "expected.txt", "r");
    REQUIRE(f);
    char line[4096];
    int lines = 0, files = 0;
    for (; fgets(line, sizeof line, f); lines++) check_file(line);
    fclose(f);
    DIR *folder = opendir(FOLDER);
    REQUIRE(folder);
    for (struct dirent *e; (e = readdir(folder));) files += strstr(e->d_name, ".np") != NULL;
    closedir(folder);
    CHECK(lines > 50);
    CHECK_INT(lines, files);
}

int main(void)
{
    RUN(files);
    return test_end();
}
