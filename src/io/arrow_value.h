/*
 * Values of Arrow's types as text, and as numbers where a double holds them.
 *
 * A view is a column of a batch, wherever its buffers are: in arrays of a program (io/arrow_stream.h) or in a
 * file (io/arrow_file.h).
 */
#ifndef OD_ARROW_VALUE_H
#define OD_ARROW_VALUE_H

#include <stdbool.h>

#include "base/strlist.h"
#include "io/value_text.h"

typedef enum od_arrow_kind {
    OD_ARROW_NULL,
    OD_ARROW_BOOL,
    OD_ARROW_INT8,
    OD_ARROW_INT16,
    OD_ARROW_INT32,
    OD_ARROW_INT64,
    OD_ARROW_UINT8,
    OD_ARROW_UINT16,
    OD_ARROW_UINT32,
    OD_ARROW_UINT64,
    OD_ARROW_HALF,
    OD_ARROW_FLOAT,
    OD_ARROW_DOUBLE,
    OD_ARROW_DECIMAL,
    OD_ARROW_TEXT,       /* 32 bit offsets */
    OD_ARROW_LARGE_TEXT, /* 64 bit offsets */
    OD_ARROW_TEXT_VIEW,
    OD_ARROW_DATE,    /* days */
    OD_ARROW_DATE_MS, /* milliseconds */
    OD_ARROW_TIME32,
    OD_ARROW_TIME64,
    OD_ARROW_TIMESTAMP,
    OD_ARROW_DURATION,
    OD_ARROW_BYTES, /* of any length: not read */
    OD_ARROW_OTHER  /* not a single value: not read */
} od_arrow_kind;

typedef struct od_arrow_type {
    od_arrow_kind kind;
    int64_t per;         /* of times and durations: units per second */
    bool utc;            /* of timestamps: they have a zone, and count from 1970 in UTC */
    int bits, scale;     /* of decimals */
    const char *what;    /* of OTHER: its name, for messages */
    bool encoded;        /* the cells are numbers of values in a dictionary, */
    od_arrow_kind index; /* which are of this kind; `kind` is that of the values */
} od_arrow_type;

/* A piece of the texts of a text view. */
typedef struct od_arrow_part {
    const uint8_t *bytes;
    uint64_t size;
} od_arrow_part;

typedef struct od_arrow_view od_arrow_view;
struct od_arrow_view {
    od_arrow_type type;
    const uint8_t *valid;       /* a bit for each value; NULL: all are */
    int64_t offset;             /* of the first value in all buffers */
    int64_t count;              /* of values */
    const uint8_t *data;        /* values; of texts the offsets or views, of an encoded column the indices */
    od_arrow_part text;         /* of texts with offsets */
    const od_arrow_part *parts; /* (part_count) of text views */
    size_t part_count;
    /* The dictionary of an encoded column, one of: */
    const od_arrow_view *values;
    const od_strlist *levels; /* its values as text; "" is missing */
};

/* The type of a format string of the C data interface; an unknown one is OTHER. */
void od_arrow_parse_type(const char *format, od_arrow_type *out);
/* Bytes of one value in the data buffer; 0: bits, or none. */
size_t od_arrow_width(const od_arrow_type *type);
/* Whether the values can be written as text. */
bool od_arrow_is_readable(const od_arrow_type *type);
/* Whether od_arrow_number gives the values. */
bool od_arrow_is_number(const od_arrow_type *type);

bool od_arrow_is_missing(const od_arrow_view *v, int64_t i);
/*
 * Writes value i, which is not missing: numbers so that od_num_parse reads them exactly, dates and times as
 * ISO 8601, durations in seconds, NaN as nothing. *text is in buf or in the view; returns its length. There
 * is no '\0' at the end. SIZE_MAX: the text is not UTF-8, or it or its index is not inside the buffers.
 */
size_t od_arrow_write(const od_arrow_view *v, int64_t i, char buf[OD_VALUE_ROOM], const char **text);
/* The same value as a number: what od_num_parse reads from that text, or NaN. */
double od_arrow_number(const od_arrow_view *v, int64_t i);
/* Values i to i + count - 1, to[0], to[stride], ...; NaN where one is missing. Returns how many, up to one
 * that is infinite. */
int64_t od_arrow_numbers(const od_arrow_view *v, int64_t i, int64_t count, double *to, int64_t stride);

#endif
