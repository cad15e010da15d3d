/*
 * Filters that bytes pass on their way from a source to a reader: unpacking (gzip, deflate, xz, zstd, bzip2)
 * and recoding to UTF-8. A filter knows nothing of sources; od_source puts it on top of another source.
 */
#ifndef OD_FILTER_H
#define OD_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* Memory that unpacking may take apart from the unpacked data, for the formats in which the data say how much
 * they need. */
#define OD_FILTER_MEMORY ((size_t)256 << 20)

/* A run moves `in` on past the bytes that were used, and `out` past those that were written. */
typedef struct od_filter_io {
    const unsigned char *in;
    size_t in_len;
    bool in_end; /* no more will come after these */
    unsigned char *out;
    size_t out_len; /* > 0 */
    bool done;      /* all has been written, and the input was complete */
} od_filter_io;

typedef struct od_filter od_filter;
struct od_filter {
    const char *name; /* for messages: "gzip" */
    bool unpacks;     /* what comes out may be much longer than what goes in */
    /*
     * Uses and writes as much as possible without waiting. A run that neither uses, writes nor finishes asks
     * for more input; bytes that it left come again with more behind them. After in_end it must not ask.
     */
    odim_status (*run)(od_filter *f, od_filter_io *io, odim_error *err);
    /* Back to the beginning of the input. */
    odim_status (*reset)(od_filter *f, odim_error *err);
    void (*close)(od_filter *f);
};

odim_status od_filter_gzip(od_filter **out, odim_error *err);
odim_status od_filter_deflate(od_filter **out, odim_error *err); /* one stream without a header */
odim_status od_filter_xz(od_filter **out, odim_error *err);
odim_status od_filter_zstd(od_filter **out, odim_error *err);
odim_status od_filter_bzip2(od_filter **out, odim_error *err);
/* From an encoding that iconv knows, such as "latin1"; ODIM_ERR_PARAM if it does not. */
odim_status od_filter_recode(od_filter **out, const char *encoding, odim_error *err);
/* UTF-16 and UTF-32 with a byte order mark. */
odim_status od_filter_utf16(od_filter **out, odim_error *err);
odim_status od_filter_utf32(od_filter **out, odim_error *err);
void od_filter_close(od_filter *f);

/*
 * The filter that data need which begin with these bytes: one that unpacks, or one that recodes. NULL: none
 * of them. *more says that further bytes may lead to another answer.
 */
typedef odim_status od_filter_open(od_filter **out, odim_error *err);
od_filter_open *od_filter_find(bool unpacks, const unsigned char *head, size_t len, bool *more);
/* Enough bytes for od_filter_find. */
#define OD_FILTER_MAGIC 10

/* For filters of packed data. */

/* Between two streams: *begins if another one follows, else io->done or more input is needed. Zeros at the
 * end, which fill a block of a tape, are skipped; `gaps` allows them between streams too. A stream begins
 * with one of the bytes `first`. */
typedef struct od_filter_gap {
    const char *first;
    bool gaps;
    bool padded; /* zeros were skipped */
} od_filter_gap;
odim_status od_filter_next_stream(const od_filter *f, od_filter_gap *gap, od_filter_io *io, bool *begins,
                                  odim_error *err);
/* The mistakes that all kinds know. */
odim_status od_filter_truncated(const od_filter *f, odim_error *err);
odim_status od_filter_corrupt(const od_filter *f, const char *why, odim_error *err);
odim_status od_filter_too_large(const od_filter *f, odim_error *err);

#endif
