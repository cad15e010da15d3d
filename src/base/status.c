#include "base/status.h"

#include <stdarg.h>
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

odim_status od_fail_nomem(odim_error *err)
{
    return od_fail(err, ODIM_ERR_NOMEM, "out of memory");
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

const char *od_printable(char *buf, size_t size, const char *text, size_t len)
{
    size_t out = 0, i = 0;
    while (i < len && out + 1 < size) {
        unsigned char c = (unsigned char)text[i++];
        buf[out++] = (c < 32 || c == 127) ? '?' : (char)c;
    }
    /* A UTF-8 sequence cut in the middle would spoil the terminal: drop its bytes. */
    if (i < len)
        while (out > 0 && ((unsigned char)buf[out - 1] & 0xC0) == 0x80) out--;
    if (i < len && out > 0 && (unsigned char)buf[out - 1] >= 0xC0) out--;
    if (i < len && out >= 3) memcpy(buf + out - 3, "...", 3);
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
