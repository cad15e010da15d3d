/*
 * Fits a model from parts of a file, as the workers of a cluster would, and compares it with the one of the
 * whole.
 *
 *     parts FILE
 *
 * Each part is read by itself, in a process of its own as far as this program is concerned: all that leaves
 * it are bytes. The first pass finds the types of the columns, the second what the fit takes from the rows.
 */
#include <odim.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PARTS      4
#define BLOCK_ROWS 100

static int fail(const odim_error *err)
{
    fprintf(stderr, "parts: %s\n", err->msg);
    return 1;
}

typedef struct bytes {
    void *at;
    size_t size;
} bytes;

/* The first pass of a worker over its part. */
static odim_status scan(const char *path, int64_t i, bytes *out, odim_error *err)
{
    odim_scan *part;
    odim_status status = odim_scan_new(&part, err);
    if (!status) status = odim_scan_file(part, i, PARTS, path, NULL, err);
    if (!status) status = odim_scan_save_memory(part, &out->at, &out->size, err);
    odim_scan_free(part);
    return status;
}

/* The second pass, which knows what all workers have found in the first. */
static odim_status collect(const char *path, int64_t i, const odim_scan *all, bytes *out, odim_error *err)
{
    odim_reader *reader = NULL;
    odim_partial *part;
    const odim_table *block = NULL;
    int64_t first = odim_scan_first(all, i);
    odim_status status = odim_partial_new(&part, NULL, err);
    if (!status) status = odim_scan_open(all, i, path, NULL, &reader, err);
    do {
        if (!status) status = odim_reader_next(reader, BLOCK_ROWS, &block, err);
        if (!status) status = odim_partial_add(part, block, first, err);
        first += odim_table_rows(block);
    } while (!status && odim_table_rows(block) > 0);
    if (!status) status = odim_partial_save_memory(part, &out->at, &out->size, err);
    odim_reader_free(reader);
    odim_partial_free(part);
    return status;
}

/* In one place: merges the scans of all parts, in any order. */
static odim_status join_scans(const bytes *parts, odim_scan **all, odim_error *err)
{
    odim_status status = odim_scan_new(all, err);
    for (int i = PARTS - 1; !status && i >= 0; i--) {
        odim_scan *part;
        status = odim_scan_load_memory(&part, parts[i].at, parts[i].size, err);
        if (!status) status = odim_scan_merge(*all, part, err);
        odim_scan_free(part);
    }
    return status;
}

/* In one place: from the bytes of all parts, in any order, to a model. */
static odim_status join(const bytes *parts, odim_model **out, odim_error *err)
{
    odim_partial *all;
    odim_status status = odim_partial_new(&all, NULL, err);
    for (int i = PARTS - 1; !status && i >= 0; i--) {
        odim_partial *part;
        status = odim_partial_load_memory(&part, parts[i].at, parts[i].size, err);
        if (!status) status = odim_partial_merge(all, part, err);
        odim_partial_free(part);
    }
    if (!status) status = odim_partial_fit(all, NULL, NULL, out, err);
    odim_partial_free(all);
    return status;
}

int main(int argc, char **argv)
{
    odim_error err;
    odim_scan *all;
    odim_model *model, *whole;
    bytes scans[PARTS] = {{0}}, parts[PARTS] = {{0}};
    if (argc != 2) {
        fprintf(stderr, "usage: parts FILE\n");
        return 2;
    }
    for (int i = 0; i < PARTS; i++)
        if (scan(argv[1], i, &scans[i], &err)) return fail(&err);
    if (join_scans(scans, &all, &err)) return fail(&err);
    for (int i = 0; i < PARTS; i++)
        if (collect(argv[1], i, all, &parts[i], &err)) return fail(&err);
    if (join(parts, &model, &err)) return fail(&err);
    if (odim_fit_file(argv[1], NULL, NULL, NULL, &whole, &err)) return fail(&err);

    char ours[17], theirs[17];
    odim_model_fingerprint(model, ours);
    odim_model_fingerprint(whole, theirs);
    printf("%d parts, model %s; the whole table, model %s\n", PARTS, ours, theirs);
    for (int i = 0; i < PARTS; i++) {
        odim_free(scans[i].at);
        odim_free(parts[i].at);
    }
    odim_scan_free(all);
    odim_model_free(model);
    odim_model_free(whole);
    return strcmp(ours, theirs) != 0;
}
