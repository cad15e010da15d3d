#include "base/status.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/utf8.h"

static odim_status fail(odim_error *err, odim_status status, int64_t row, int64_t col, const char *fmt,
                        va_list ap)
{
    if (err) {
        err->status = status;
        err->row = row - 1;
        err->col = col - 1;
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

odim_status od_fail_file(odim_error *err, const char *path, const char *what)
{
    if (errno == ENOMEM) return od_fail_nomem(err);
    odim_status status = errno == EFBIG ? ODIM_ERR_FORMAT : ODIM_ERR_IO;
    return od_error_prefix(err, od_fail(err, status, "%s: %s", what, strerror(errno)), path);
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

/* Characters that a terminal obeys, that change the order or the lines of what is around them, or that
 * nobody sees. */
static bool is_hidden(uint32_t code)
{
    static const uint32_t range[][2] = {{0, 0x1F},        {0x7F, 0x9F},      {0xAD, 0xAD},
                                        {0x61C, 0x61C},   {0x180E, 0x180E},  {0x200B, 0x200F},
                                        {0x2028, 0x202E}, {0x2060, 0x206F},  {0xFEFF, 0xFEFF},
                                        {0xFFF9, 0xFFFB}, {0xE0000, 0xE007F}};
    for (size_t i = 0; i < sizeof range / sizeof *range; i++)
        if (code >= range[i][0] && code <= range[i][1]) return true;
    return false;
}

/* Persian, Hindi and composed emoji need joiners, always between two characters beyond ASCII that are seen.
 */
static bool is_joint(uint32_t before, uint32_t code, const char *next, size_t left)
{
    uint32_t after;
    return (code == 0x200C || code == 0x200D) && before >= 0x80 && od_utf8_decode(next, left, &after) &&
           after >= 0x80 && !is_hidden(after);
}

enum { ESCAPE_ROOM = 12 };

static size_t write_escape(char buf[ESCAPE_ROOM], uint32_t code, bool valid)
{
    static const char special[] = "\t\n\r", letter[] = "tnr";
    const char *found = code ? strchr(special, (int)code) : NULL;
    if (valid && code < 0x80 && found)
        return (size_t)snprintf(buf, ESCAPE_ROOM, "\\%c", letter[found - special]);
    const char *format = !valid || code < 0x80 ? "\\x%02x" : code < 0x10000 ? "\\u%04x" : "\\U%08x";
    return (size_t)snprintf(buf, ESCAPE_ROOM, format, (unsigned)code);
}

const char *od_printable(char *buf, size_t size, const char *text, size_t len)
{
    size_t out = 0, fits = 0; /* fits: where a "..." can go */
    uint32_t before = 0;      /* the character before, 0 when it was escaped */
    for (size_t i = 0; i < len;) {
        char escape[ESCAPE_ROOM];
        const char *from = text + i;
        uint32_t code;
        size_t step = (size_t)od_utf8_decode(text + i, len - i, &code), width = step;
        if (!step) code = (unsigned char)text[i];
        if (!step || (is_hidden(code) && !is_joint(before, code, text + i + step, len - i - step))) {
            width = write_escape(escape, code, step != 0);
            from = escape;
            code = 0;
        }
        before = code;
        if (out + width >= size) {
            out = fits + (size_t)snprintf(buf + fits, size - fits, "%s", size - fits > 3 ? "..." : "");
            break;
        }
        memcpy(buf + out, from, width);
        out += width;
        i += step ? step : 1;
        if (out + 3 < size) fits = out;
    }
    buf[out] = '\0';
    return buf;
}

const char *odim_printable(const char *text, char *buf, size_t size)
{
    if (!buf || !size) return buf;
    return od_printable(buf, size, text ? text : "", text ? strlen(text) : 0);
}

const char *odim_status_text(odim_status status)
{
    switch (status) {
    case ODIM_OK: return "success";
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
