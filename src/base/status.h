/* Errors: a function fails by returning od_fail(...), which fills in the caller's odim_error. */
#ifndef OD_STATUS_H
#define OD_STATUS_H

#include "odim.h"

#if defined(__GNUC__)
#define OD_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#else
#define OD_PRINTF(fmt, first)
#endif

/* Both return `status`, so that `return od_fail(...)` reads well. err may be NULL. */
odim_status od_fail(odim_error *err, odim_status status, const char *fmt, ...) OD_PRINTF(3, 4);
odim_status od_fail_at(odim_error *err, odim_status status, int64_t row, int64_t col, const char *fmt, ...)
    OD_PRINTF(5, 6);

/* Inline so that a static analyser sees that it never returns ODIM_OK. */
static inline odim_status od_fail_nomem(odim_error *err)
{
    od_fail(err, ODIM_ERR_NOMEM, "out of memory");
    return ODIM_ERR_NOMEM;
}

/* Fails with "path: what: reason", the reason being errno. */
odim_status od_fail_file(odim_error *err, const char *path, const char *what);

/* Puts "prefix: " before the message, once: the place where a file's name is known. Returns err's status. */
odim_status od_error_prefix(odim_error *err, odim_status status, const char *prefix);

/* odim_printable for text of a known length, zero bytes in it included. */
const char *od_printable(char *buf, size_t size, const char *text, size_t len);

#endif
