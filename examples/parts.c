/*
 * Fits a model from parts of a table, as the workers of a cluster would, and compares it with the one of the
 * whole.
 *
 *     parts FILE
 *
 * Each part is a block of the file, in a process of its own as far as this program is concerned: all that
 * leaves it are bytes. The columns of the file must be numbers, whose type does not depend on the part.
 */
#include <odim.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PARTS_MAX  1000
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

/* What a worker does: from rows to bytes. */
static odim_status work(const odim_table *rows, int64_t first, bytes *out, odim_error *err)
{
    odim_partial *part;
    odim_status status = odim_partial_new(&part, NULL, err);
    if (!status) status = odim_partial_add(part, rows, first, err);
    if (!status) status = odim_partial_save_memory(part, &out->at, &out->size, err);
    odim_partial_free(part);
    return status;
}

/* What happens in one place: from the bytes of all parts, in any order, to a model. */
static odim_status join(const bytes *parts, int count, odim_model **out, odim_error *err)
{
    odim_partial *all;
    odim_status status = odim_partial_new(&all, NULL, err);
    for (int i = count - 1; !status && i >= 0; i--) {
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
    odim_reader *reader;
    odim_table *table;
    odim_model *model, *whole;
    static bytes part[PARTS_MAX];
    int count = 0;
    if (argc != 2) {
        fprintf(stderr, "usage: parts FILE\n");
        return 2;
    }
    if (odim_reader_open(&reader, argv[1], NULL, &err)) return fail(&err);
    for (int64_t first = 0; count < PARTS_MAX; count++) {
        const odim_table *block;
        if (odim_reader_next(reader, BLOCK_ROWS, &block, &err)) return fail(&err);
        if (odim_table_rows(block) == 0) break;
        if (work(block, first, &part[count], &err)) return fail(&err);
        first += odim_table_rows(block);
    }
    odim_reader_free(reader);
    if (join(part, count, &model, &err)) return fail(&err);
    if (odim_table_read(&table, argv[1], NULL, &err)) return fail(&err);
    if (odim_fit(table, NULL, NULL, &whole, &err)) return fail(&err);

    char ours[17], theirs[17];
    odim_model_fingerprint(model, ours);
    odim_model_fingerprint(whole, theirs);
    printf("%d parts, model %s; the whole table, model %s\n", count, ours, theirs);
    for (int i = 0; i < count; i++) odim_free(part[i].at);
    odim_model_free(model);
    odim_model_free(whole);
    odim_table_free(table);
    return strcmp(ours, theirs) != 0;
}
