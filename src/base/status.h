/* How a function says what went wrong: it returns od_fail(...), which fills the caller's odim_error. */
#ifndef OD_STATUS_H
#define OD_STATUS_H

#include "odim.h"

#if defined(__GNUC__)
#define OD_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#else
#define OD_PRINTF(fmt, first)
#endif

/* Both return `status`, so that `return od_fail(...)` reads well. err may be NULL. Rows and columns count
 * from 1, as in the message, and 0 is none; the odim_error counts from 0, and -1 is none. */
odim_status od_fail(odim_error *err, odim_status status, const char *fmt, ...) OD_PRINTF(3, 4);
odim_status od_fail_at(odim_error *err, odim_status status, int64_t row, int64_t col, const char *fmt, ...)
    OD_PRINTF(5, 6);

/* Inline so that a static analyser sees that it never returns ODIM_OK. */
static inline odim_status od_fail_nomem(odim_error *err)
{
    od_fail(err, ODIM_ERR_NOMEM, "out of memory");
    return ODIM_ERR_NOMEM;
}

/* Returns from the caller if an argument that must not be NULL is. */
#define OD_NEED(arg, name, err)                                                                              \
    do {                                                                                                     \
        if (!(arg)) return od_fail_null(err, name);                                                          \
    } while (0)

static inline odim_status od_fail_null(odim_error *err, const char *name)
{
    od_fail(err, ODIM_ERR_PARAM, "%s must not be NULL", name);
    return ODIM_ERR_PARAM;
}

/* Fails with "path: what: reason", the reason being errno. */
odim_status od_fail_file(odim_error *err, const char *path, const char *what);

/* Puts "prefix: " before the message, once: the place where a file's name is known. Returns err's status. */
odim_status od_error_prefix(odim_error *err, odim_status status, const char *prefix);

/* odim_printable for text of a known length, zero bytes in it included. */
const char *od_printable(char *buf, size_t size, const char *text, size_t len);

#endif
