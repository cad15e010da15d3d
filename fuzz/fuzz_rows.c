/*
 * A text read block by block is the text read at once: the same rows, or the same error. And read again for a
 * model of itself it has the same features. The first bytes choose the options and the size of the blocks.
 */
#include "fuzz.h"

#include "prep/encode.h"
#include "prep/read.h"
#include "prep/schema_fit.h"

typedef struct input {
    const void *bytes;
    size_t size;
    int64_t most; /* rows of a block */
    odim_read_options options;
} input;

/* Row i of `b` is row first + i of `a`. */
static void check_row(const odim_table *a, int64_t first, const odim_table *b, int64_t i)
{
    for (int64_t j = 0; j < b->d; j++) {
        char one[200], other[200];
        odim_table_text(a, first + i, j, one, sizeof one);
        odim_table_text(b, i, j, other, sizeof other);
        MUST(strcmp(one, other) == 0 && a->col[j].type == b->col[j].type);
    }
    for (int64_t j = 0; j < b->kept_cols; j++)
        MUST(strcmp(odim_table_kept(a, first + i, j), odim_table_kept(b, i, j)) == 0);
    if (a->labels) MUST(a->labels[first + i] == b->labels[i]);
    if (a->id_name) MUST(strcmp(odim_table_id(a, first + i), odim_table_id(b, i)) == 0);
    MUST(od_table_row(b, i) == first + i + 1);
}

/* all: the table, or NULL: reading it failed with `want`. */
static void check_blocks(const input *in, const od_schema *like, const odim_table *all,
                         const odim_error *want)
{
    odim_reader *r;
    odim_error err;
    const odim_table *block;
    int64_t rows = 0;
    odim_status status = od_reader_open(&r, "fuzz", in->bytes, in->size, &in->options, like, &err);
    while (!status && !(status = odim_reader_next(r, in->most, &block, &err)) && block->n) {
        MUST(block->n <= in->most);
        for (int64_t i = 0; all && i < block->n; i++) check_row(all, rows, block, i);
        rows += block->n;
    }
    odim_reader_free(r);
    MUST(!status == !want);
    if (all) MUST(rows == all->n);
    if (want) MUST(err.status == want->status && err.row == want->row && strcmp(err.msg, want->msg) == 0);
}

static float *encode(const od_schema *s, const odim_table *t)
{
    od_encoder e;
    float *x = malloc((size_t)(t->n * s->features) * sizeof *x);
    MUST(x && !od_encoder_new(&e, s, t, NULL));
    if (od_encode_rows(&e, NULL, 0, t->n, x, NULL)) {
        free(x); /* a value that scaling does not bear */
        x = NULL;
    }
    od_encoder_free(&e);
    return x;
}

/* A model of the table reads the file as the table was read. */
static void check_like(const input *in, const odim_table *t)
{
    od_column_stats stats;
    od_schema s;
    odim_table *again;
    odim_error err;
    MUST(!od_column_stats_new(&stats, t->d, &err) && !od_column_stats_add(&stats, t, &err));
    odim_status status =
        od_schema_make(&s, t, &stats, &(od_row_set){.count = t->n}, OD_SCALE_MINMAX, 0, 1, &err);
    od_column_stats_free(&stats);
    if (status) return; /* nothing tells the rows apart */
    status = od_read_table(&again, "fuzz", in->bytes, in->size, &in->options, &s, &err);
    if (status) {
        MUST(strstr(err.msg,
                    "not as many as the model has")); /* several columns share a name, and are not features */
    } else {
        float *x = encode(&s, t), *y = encode(&s, again);
        MUST(again->n == t->n && !x == !y);
        if (x) MUST(memcmp(x, y, (size_t)(t->n * s.features) * sizeof *x) == 0);
        free(x);
        free(y);
        check_blocks(in, &s, again, NULL);
        odim_table_free(again);
    }
    od_schema_free(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size <= FUZZ_OPTIONS) return 0;
    input in = {data + FUZZ_OPTIONS + 1, size - FUZZ_OPTIONS - 1, data[FUZZ_OPTIONS] % 9 + 1,
                fuzz_options(data)};
    odim_table *t;
    odim_error err;
    odim_status status = od_read_table(&t, "fuzz", in.bytes, in.size, &in.options, NULL, &err);
    check_blocks(&in, NULL, t, status ? &err : NULL);
    if (!status) check_like(&in, t);
    odim_table_free(t);
    return 0;
}
