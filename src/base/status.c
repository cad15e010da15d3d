#include "base/status.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static odim_status fail(odim_error *err, odim_status status, int64_t row, int64_t col, const char *fmt,
                        va_list ap)
{
    if (err) {
        err->status = status;
        err->row = row;
        err->col = col;
        vsnprintf(err->msg, sizeof err->msg, fmt, ap);
    }
    return status;
}

odim_status od_fail(odim_error *err, odim_status status, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fail(err, status, 0, 0, fmt, ap);
    va_end(ap);
    return status;
}

odim_status od_fail_at(odim_error *err, odim_status status, int64_t row, int64_t col, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fail(err, status, row, col, fmt, ap);
    va_end(ap);
    return status;
}

odim_status od_error_prefix(odim_error *err, odim_status status, const char *prefix)
{
    if (err && status) {
        char old[sizeof err->msg];
        memcpy(old, err->msg, sizeof old);
        snprintf(err->msg, sizeof err->msg, "%.200s: %.300s", prefix, old);
    }
    return status;
}

/* Bytes of the UTF-8 character at p, 0 when there is none: cut short, overlong, a surrogate, a control. */
static size_t character(const unsigned char *p, size_t left)
{
    static const uint32_t smallest[5] = {0, 0x20, 0xA0, 0x800, 0x10000};
    size_t len = p[0] < 0x80 ? 1 : p[0] < 0xC0 ? 0 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : p[0] < 0xF8 ? 4 : 0;
    if (len == 0 || len > left) return 0;
    uint32_t code = len == 1 ? p[0] : p[0] & (0x7Fu >> len);
    for (size_t i = 1; i < len; i++) {
        if ((p[i] & 0xC0) != 0x80) return 0;
        code = code << 6 | (p[i] & 0x3F);
    }
    bool fine = code >= smallest[len] && code != 0x7F && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
    return fine ? len : 0;
}

const char *od_printable(char *buf, size_t size, const char *text, size_t len)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t out = 0, fits = 0; /* fits: where a "..." can go */
    for (size_t i = 0; i < len;) {
        size_t step = character(p + i, len - i), width = step ? step : 1;
        if (out + width >= size) {
            out = fits + (size_t)snprintf(buf + fits, size - fits, "%s", size - fits > 3 ? "..." : "");
            break;
        }
        if (step)
            memcpy(buf + out, p + i, step);
        else
            buf[out] = '?';
        out += width;
        i += width;
        if (out + 3 < size) fits = out;
    }
    buf[out] = '\0';
    return buf;
}

const char *odim_status_text(odim_status status)
{
    switch (status) {
    case ODIM_OK: return "fine";
    case ODIM_ERR_NOMEM: return "out of memory";
    case ODIM_ERR_IO: return "input or output failed";
    case ODIM_ERR_FORMAT: return "malformed file";
    case ODIM_ERR_DATA: return "unusable data";
    case ODIM_ERR_PARAM: return "bad parameter";
    case ODIM_ERR_CANCELLED: return "cancelled";
    case ODIM_ERR_SYSTEM: return "refused by the system";
    }
    return "unknown status";
}
