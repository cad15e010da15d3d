/* A producer of the Arrow C data interface for tests: batches of given columns, slices, errors, and a count
 * of what was released. */
#ifndef ARROW_PRODUCER_H
#define ARROW_PRODUCER_H

#include <stdlib.h>

#include "odim.h"
#include "test.h"

/* A column: its format, its name, and up to five buffers; the first is the validity. */
typedef struct made_column {
    const char *format, *name;
    int64_t buffers;
    const void *buffer[5];
    int64_t offset; /* of the first value */
    const char *values;
    int64_t value_count, value_buffers; /* of the dictionary, if `values` is its format */
    const void *value_buffer[5];
} made_column;

typedef struct producer {
    const char *format; /* NULL: "+s" */
    const made_column *column;
    int64_t columns;
    int64_t rows, batch;      /* of all, of each batch */
    const uint8_t *valid;     /* of the rows, or NULL */
    bool slice;               /* the children are sliced, not the batch */
    int64_t fail_at;          /* the batch, from 1, that cannot be made */
    int fail_code;            /* with this errno */
    const char *fail_text;    /* and this message */
    int64_t next;             /* row */
    int64_t given, released;  /* arrays of batches */
    int64_t schemas, streams; /* releases */
    int64_t most;             /* batches held at one time */
} producer;

static inline void release_child_schema(struct ArrowSchema *s)
{
    if (s->dictionary) free(s->dictionary);
    s->release = NULL;
}

static inline void release_schema(struct ArrowSchema *s)
{
    ((producer *)s->private_data)->schemas++;
    for (int64_t j = 0; j < s->n_children; j++) {
        if (s->children[j]->release) s->children[j]->release(s->children[j]);
        free(s->children[j]);
    }
    free(s->children);
    s->release = NULL;
}

static inline int get_schema(struct ArrowArrayStream *from, struct ArrowSchema *out)
{
    producer *p = from->private_data;
    *out = (struct ArrowSchema){.format = p->format ? p->format : "+s",
                                .name = "",
                                .n_children = p->columns,
                                .children = malloc((size_t)p->columns * sizeof(void *) + 1),
                                .release = release_schema,
                                .private_data = p};
    for (int64_t j = 0; j < p->columns; j++) {
        struct ArrowSchema *c = out->children[j] = calloc(1, sizeof *c);
        *c = (struct ArrowSchema){
            .format = p->column[j].format, .name = p->column[j].name, .release = release_child_schema};
        if (!p->column[j].values) continue;
        c->dictionary = calloc(1, sizeof *c);
        *c->dictionary = (struct ArrowSchema){.format = p->column[j].values};
    }
    return 0;
}

static inline void release_batch(struct ArrowArray *a)
{
    ((producer *)a->private_data)->released++;
    for (int64_t j = 0; j < a->n_children; j++) {
        free(a->children[j]->dictionary);
        free(a->children[j]);
    }
    free(a->children);
    free(a->buffers);
    a->release = NULL;
}

static inline int get_next(struct ArrowArrayStream *from, struct ArrowArray *out)
{
    producer *p = from->private_data;
    if (p->fail_at && p->given + 1 == p->fail_at) return p->fail_code;
    *out = (struct ArrowArray){.release = NULL};
    if (p->next >= p->rows) return 0;
    int64_t length = p->rows - p->next < p->batch ? p->rows - p->next : p->batch;
    *out = (struct ArrowArray){.length = length,
                               .null_count = p->valid ? -1 : 0,
                               .offset = p->slice ? 0 : p->next,
                               .n_buffers = 1,
                               .n_children = p->columns,
                               .buffers = malloc(sizeof(void *)),
                               .children = malloc((size_t)p->columns * sizeof(void *)),
                               .release = release_batch,
                               .private_data = p};
    out->buffers[0] = p->valid;
    for (int64_t j = 0; j < p->columns; j++) {
        const made_column *c = &p->column[j];
        struct ArrowArray *a = out->children[j] = calloc(1, sizeof *a);
        *a = (struct ArrowArray){.length = p->slice ? length : p->rows,
                                 .null_count = c->buffer[0] ? -1 : 0,
                                 .offset = c->offset + (p->slice ? p->next : 0),
                                 .n_buffers = c->buffers,
                                 .buffers = (const void **)c->buffer};
        if (!c->values) continue;
        a->dictionary = calloc(1, sizeof *a);
        *a->dictionary = (struct ArrowArray){.length = c->value_count,
                                             .null_count = c->value_buffer[0] ? -1 : 0,
                                             .n_buffers = c->value_buffers,
                                             .buffers = (const void **)c->value_buffer};
    }
    p->next += length;
    p->given++;
    if (p->given - p->released > p->most) p->most = p->given - p->released;
    return 0;
}

static inline const char *get_last_error(struct ArrowArrayStream *from)
{
    return ((producer *)from->private_data)->fail_text;
}

static inline void release_stream(struct ArrowArrayStream *from)
{
    ((producer *)from->private_data)->streams++;
    from->release = NULL;
}

static inline struct ArrowArrayStream start_producer(producer *p)
{
    p->next = p->given = p->released = p->schemas = p->streams = p->most = 0;
    return (struct ArrowArrayStream){get_schema, get_next, get_last_error, release_stream, p};
}

/* Everything that was given has been released, the stream once. */
static inline void expect_released(const producer *p)
{
    CHECK_INT(p->streams, 1);
    CHECK_INT(p->released, p->given);
    CHECK(p->schemas <= 1);
}

#endif
