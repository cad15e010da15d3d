/*
 * Every file that the manifest of the shared data names is read, with the rows, columns and outliers that it
 * says. The data is no part of the project: ODIM_DATA says where it is, and without it the test is skipped.
 */
#include <stdbool.h>
#include <unistd.h>

#include "odim.h"
#include "test.h"

static const char *folder;

/* Column `index` of a line with tabs between them, valid until the next call. */
static const char *column(const char *line, int index)
{
    while (index-- > 0) line += strcspn(line, "\t") + (line[strcspn(line, "\t")] != '\0');
    static char text[300];
    snprintf(text, sizeof text, "%.*s", (int)strcspn(line, "\t\n"), line);
    return text;
}

static void check_line(const char *line)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/%s", folder, column(line, 0));
    long long rows = atoll(column(line, 1)), cols = atoll(column(line, 2)), outliers = 0;
    odim_table *t;
    odim_error err;
    if (odim_table_read(&t, path, NULL, &err)) {
        TEST_SAY("%s", err.msg);
        return;
    }
    const int8_t *labels = odim_table_labels(t);
    for (int64_t i = 0; labels && i < odim_table_rows(t); i++) outliers += labels[i];
    bool labelled = *column(line, 3) != '\0';
    if (odim_table_rows(t) != rows || odim_table_cols(t) != cols || labelled != (labels != NULL) ||
        outliers != atoll(column(line, 3)))
        TEST_SAY("%s: %lld x %lld with %lld outliers", path, (long long)odim_table_rows(t),
                 (long long)odim_table_cols(t), outliers);
    odim_table_free(t);
}

TEST(manifest)
{
    char path[1000], line[4096];
    snprintf(path, sizeof path, "%s/MANIFEST.tsv", folder);
    FILE *f = fopen(path, "r");
    REQUIRE(f);
    int lines = 0;
    for (; fgets(line, sizeof line, f); lines++)
        if (lines > 0) check_line(line);
    CHECK(lines > 40);
    fclose(f);
}

int main(void)
{
    folder = getenv("ODIM_DATA");
    if (!folder) folder = TEST_DIR "/../../shared/data";
    char path[1000];
    snprintf(path, sizeof path, "%s/MANIFEST.tsv", folder);
    RUN_IF(access(path, R_OK) == 0, manifest, "no data (ODIM_DATA names the folder)");
    return test_end();
}
