/* Reads values of Arrow's types. The bytes may lie anywhere, so they are copied before they are used. */
#include "io/arrow_value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/numtext.h"
#include "io/windows1252.h"

/* A text view has its text in itself up to this length. */
#define VIEW_SHORT 12
#define VIEW_SIZE  16

/* ---- types ------------------------------------------------------------------------------------------ */

static int64_t parse_unit(char unit)
{
    return unit == 's' ? 1 : unit == 'm' ? 1000 : unit == 'u' ? 1000000 : unit == 'n' ? 1000000000 : 0;
}

/* "d:19,10" or "d:19,10,256" */
static bool parse_decimal(const char *text, od_arrow_type *out)
{
    char *end;
    long digits = strtol(text, &end, 10), scale, bits = 128;
    if (*end != ',') return false;
    scale = strtol(end + 1, &end, 10);
    if (*end == ',') bits = strtol(end + 1, &end, 10);
    out->kind = OD_ARROW_DECIMAL;
    out->bits = (int)bits;
    out->scale = (int)scale;
    return !*end && digits > 0 && scale >= -76 && scale <= 76 &&
           (bits == 32 || bits == 64 || bits == 128 || bits == 256);
}

/* Dates, times, timestamps, durations and intervals; `text` is behind the t. */
static bool parse_time(const char *text, od_arrow_type *out)
{
    if (strcmp(text, "dD") == 0 || strcmp(text, "dm") == 0) {
        out->kind = text[1] == 'D' ? OD_ARROW_DATE : OD_ARROW_DATE_MS;
        return true;
    }
    if (*text == 'i') {
        out->kind = OD_ARROW_OTHER;
        out->what = "interval";
        return true;
    }
    out->per = *text ? parse_unit(text[1]) : 0;
    if (!out->per) return false;
    bool zoned = *text == 's' && text[2] == ':';
    out->kind = *text == 't'   ? (out->per <= 1000 ? OD_ARROW_TIME32 : OD_ARROW_TIME64)
                : *text == 's' ? OD_ARROW_TIMESTAMP
                               : OD_ARROW_DURATION;
    out->utc = zoned && text[3];
    return strchr("tsD", *text) && (zoned || !text[2]);
}

static const char *nested_name(const char *text)
{
    static const struct {
        const char *format, *name;
    } known[] = {{"s", "struct"}, {"m", "map"},  {"r", "run-end encoded"}, {"u", "union"}, {"l", "list"},
                 {"L", "list"},   {"v", "list"}, {"w", "fixed size list"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (*text == *known[i].format) return known[i].name;
    return NULL;
}

void od_arrow_parse_type(const char *format, od_arrow_type *out)
{
    static const struct {
        const char *format;
        od_arrow_kind kind;
    } simple[] = {{"n", OD_ARROW_NULL},       {"b", OD_ARROW_BOOL},   {"c", OD_ARROW_INT8},
                  {"C", OD_ARROW_UINT8},      {"s", OD_ARROW_INT16},  {"S", OD_ARROW_UINT16},
                  {"i", OD_ARROW_INT32},      {"I", OD_ARROW_UINT32}, {"l", OD_ARROW_INT64},
                  {"L", OD_ARROW_UINT64},     {"e", OD_ARROW_HALF},   {"f", OD_ARROW_FLOAT},
                  {"g", OD_ARROW_DOUBLE},     {"u", OD_ARROW_TEXT},   {"U", OD_ARROW_LARGE_TEXT},
                  {"vu", OD_ARROW_TEXT_VIEW}, {"z", OD_ARROW_BYTES},  {"Z", OD_ARROW_BYTES},
                  {"vz", OD_ARROW_BYTES}};
    *out = (od_arrow_type){0};
    for (size_t i = 0; i < sizeof simple / sizeof *simple; i++) {
        if (strcmp(format, simple[i].format) != 0) continue;
        out->kind = simple[i].kind;
        return;
    }
    if (strncmp(format, "d:", 2) == 0 && parse_decimal(format + 2, out)) return;
    if (*format == 't' && parse_time(format + 1, out)) return;
    const char *name = *format == '+' ? nested_name(format + 1) : NULL;
    out->kind = strncmp(format, "w:", 2) == 0 ? OD_ARROW_BYTES : OD_ARROW_OTHER;
    out->what = name ? name : "unknown";
}

static size_t kind_width(od_arrow_kind kind)
{
    switch (kind) {
    case OD_ARROW_INT8:
    case OD_ARROW_UINT8: return 1;
    case OD_ARROW_INT16:
    case OD_ARROW_UINT16:
    case OD_ARROW_HALF: return 2;
    case OD_ARROW_INT32:
    case OD_ARROW_UINT32:
    case OD_ARROW_FLOAT:
    case OD_ARROW_TEXT:
    case OD_ARROW_DATE:
    case OD_ARROW_TIME32: return 4;
    case OD_ARROW_TEXT_VIEW: return VIEW_SIZE;
    case OD_ARROW_NULL:
    case OD_ARROW_BOOL:
    case OD_ARROW_DECIMAL:
    case OD_ARROW_BYTES:
    case OD_ARROW_OTHER: return 0;
    default: return 8;
    }
}

size_t od_arrow_width(const od_arrow_type *type)
{
    if (type->encoded) return kind_width(type->index);
    return type->kind == OD_ARROW_DECIMAL ? (size_t)type->bits / 8 : kind_width(type->kind);
}

bool od_arrow_is_readable(const od_arrow_type *type)
{
    return type->kind != OD_ARROW_BYTES && type->kind != OD_ARROW_OTHER;
}

bool od_arrow_is_number(const od_arrow_type *type)
{
    return !type->encoded && ((type->kind >= OD_ARROW_INT8 && type->kind <= OD_ARROW_DOUBLE) ||
                              type->kind == OD_ARROW_DURATION);
}

/* ---- numbers ---------------------------------------------------------------------------------------- */

/* Reads number i of an array, of any type and alignment. */
#define LOAD(type, data, i) (*(type *)memcpy(&(type){0}, (data) + (size_t)(i) * sizeof(type), sizeof(type)))

static int64_t whole(od_arrow_kind kind, const uint8_t *data, int64_t i)
{
    switch (kind) {
    case OD_ARROW_INT8: return LOAD(int8_t, data, i);
    case OD_ARROW_INT16: return LOAD(int16_t, data, i);
    case OD_ARROW_UINT8: return data[i];
    case OD_ARROW_UINT16: return LOAD(uint16_t, data, i);
    case OD_ARROW_UINT32: return LOAD(uint32_t, data, i);
    case OD_ARROW_INT32:
    case OD_ARROW_DATE:
    case OD_ARROW_TIME32: return LOAD(int32_t, data, i);
    default: return LOAD(int64_t, data, i);
    }
}

static float half(const uint8_t *data, int64_t i)
{
    uint16_t bits = LOAD(uint16_t, data, i);
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    float size = exponent == 31 ? (fraction ? NAN : INFINITY)
                 : exponent     ? ldexpf((float)(fraction + 1024), exponent - 25)
                                : ldexpf((float)fraction, -24);
    return bits >> 15 ? -size : size;
}

/* A float means the shortest decimal number that is nearest to it, as in a CSV file. */
static double single(float value)
{
    return isfinite(value) ? od_num_single(value) : (double)value;
}

static size_t write_duration(const od_arrow_view *v, int64_t i, char *buf);

/* A count of units that a double does not hold would be rounded twice. */
static double seconds(const od_arrow_view *v, int64_t i)
{
    int64_t units = LOAD(int64_t, v->data, i);
    double value = (double)units / (double)v->type.per;
    char text[OD_VALUE_ROOM];
    if (units > (int64_t)1 << 53 || units < -((int64_t)1 << 53))
        od_num_parse(text, write_duration(v, i, text), &value);
    return value;
}

/* Number i of the buffer. */
static double number(const od_arrow_view *v, int64_t i)
{
    switch (v->type.kind) {
    case OD_ARROW_DOUBLE: return LOAD(double, v->data, i);
    case OD_ARROW_FLOAT: return single(LOAD(float, v->data, i));
    case OD_ARROW_HALF: return single(half(v->data, i));
    case OD_ARROW_UINT64: return (double)LOAD(uint64_t, v->data, i);
    case OD_ARROW_DURATION: return seconds(v, i);
    default: return (double)whole(v->type.kind, v->data, i);
    }
}

static bool is_invalid(const uint8_t *valid, int64_t i)
{
    return valid && !(valid[i / 8] >> i % 8 & 1);
}

double od_arrow_number(const od_arrow_view *v, int64_t i)
{
    return number(v, v->offset + i);
}

/* The loop for one type: the compiler makes a tight one of each. */
#define EACH(value)                                                                                          \
    for (; k < count; k++) {                                                                                 \
        double x = value;                                                                                    \
        if (isinf(x)) break;                                                                                 \
        to[k * stride] = x;                                                                                  \
    }

static int64_t all_numbers(const od_arrow_view *v, int64_t i, int64_t count, double *to, int64_t stride)
{
    int64_t k = 0;
    switch (v->type.kind) {
    case OD_ARROW_DOUBLE: EACH(LOAD(double, v->data, i + k)) break;
    case OD_ARROW_FLOAT: EACH(single(LOAD(float, v->data, i + k))) break;
    case OD_ARROW_INT32: EACH((double)LOAD(int32_t, v->data, i + k)) break;
    case OD_ARROW_INT64: EACH((double)LOAD(int64_t, v->data, i + k)) break;
    default: EACH(number(v, i + k)) break;
    }
    return k;
}

int64_t od_arrow_numbers(const od_arrow_view *v, int64_t i, int64_t count, double *to, int64_t stride)
{
    int64_t k = 0;
    i += v->offset;
    if (!v->valid) return all_numbers(v, i, count, to, stride);
    EACH(is_invalid(v->valid, i + k) ? NAN : number(v, i + k))
    return k;
}

/* ---- text ------------------------------------------------------------------------------------------- */

bool od_arrow_is_missing(const od_arrow_view *v, int64_t i)
{
    return v->type.kind == OD_ARROW_NULL || is_invalid(v->valid, v->offset + i);
}

static size_t check_text(const char *text, size_t len)
{
    return memchr(text, '\0', len) || !od_is_utf8(text, len) ? SIZE_MAX : len;
}

static size_t find_text(const od_arrow_view *v, int64_t i, const char **text)
{
    uint64_t start, end;
    if (v->type.kind == OD_ARROW_TEXT) {
        int32_t from = LOAD(int32_t, v->data, i), to = LOAD(int32_t, v->data, i + 1);
        if (from < 0 || to < 0) return SIZE_MAX;
        start = (uint64_t)from;
        end = (uint64_t)to;
    } else {
        start = LOAD(uint64_t, v->data, i);
        end = LOAD(uint64_t, v->data, i + 1);
    }
    if (start > end || end > v->text.size) return SIZE_MAX;
    if (start == end) return 0;
    *text = (const char *)v->text.bytes + start;
    return check_text(*text, (size_t)(end - start));
}

static size_t find_viewed(const od_arrow_view *v, int64_t i, const char **text)
{
    const uint8_t *view = v->data + (size_t)i * VIEW_SIZE;
    uint32_t len = LOAD(uint32_t, view, 0), part = LOAD(uint32_t, view, 2), start = LOAD(uint32_t, view, 3);
    *text = (const char *)view + 4;
    if (len > VIEW_SHORT) {
        if (part >= v->part_count || start > v->parts[part].size || len > v->parts[part].size - start)
            return SIZE_MAX;
        *text = (const char *)v->parts[part].bytes + start;
    }
    return check_text(*text, len);
}

/* The value in the dictionary. */
static size_t find_level(const od_arrow_view *v, int64_t i, char *buf, const char **text)
{
    int64_t index = whole(v->type.index, v->data, i);
    int64_t count = v->levels ? (int64_t)v->levels->count : v->values ? v->values->count : 0;
    if (index < 0 || index >= count) return SIZE_MAX;
    if (!v->levels)
        return od_arrow_is_missing(v->values, index) ? 0 : od_arrow_write(v->values, index, buf, text);
    *text = od_strlist_at(v->levels, (size_t)index);
    return strlen(*text);
}

static size_t write_decimal(const od_arrow_view *v, int64_t i, char *buf)
{
    uint32_t part[8];
    int words = v->type.bits / 32;
    memcpy(part, v->data + (size_t)i * (size_t)words * 4, (size_t)words * 4);
    bool negative = part[words - 1] >> 31;
    uint32_t carry = negative;
    for (int k = 0; negative && k < words; k++) {
        part[k] = ~part[k] + carry;
        carry = carry && part[k] == 0;
    }
    return od_value_decimal(part, words, negative, v->type.scale, buf);
}

/* Seconds, with all digits that the unit has. */
static size_t write_duration(const od_arrow_view *v, int64_t i, char *buf)
{
    int64_t units = LOAD(int64_t, v->data, i), per = v->type.per;
    uint64_t size = units < 0 ? -(uint64_t)units : (uint64_t)units;
    uint32_t part[2] = {(uint32_t)size, (uint32_t)(size >> 32)};
    return od_value_decimal(part, 2, units < 0, per == 1 ? 0 : per == 1000 ? 3 : per == 1000000 ? 6 : 9, buf);
}

static size_t write_date_ms(int64_t ms, char *buf)
{
    const int64_t day = 86400000;
    return ms % day ? od_value_moment(ms, 1000, false, buf) : od_value_day(ms / day, buf);
}

static size_t write_unsigned(uint64_t value, char *buf)
{
    uint32_t part[2] = {(uint32_t)value, (uint32_t)(value >> 32)};
    return od_value_decimal(part, 2, false, 0, buf);
}

size_t od_arrow_write(const od_arrow_view *v, int64_t i, char buf[OD_VALUE_ROOM], const char **text)
{
    od_arrow_kind kind = v->type.kind;
    const uint8_t *data = v->data;
    i += v->offset;
    *text = buf;
    if (v->type.encoded) return find_level(v, i, buf, text);
    switch (kind) {
    case OD_ARROW_NULL: return 0;
    case OD_ARROW_BOOL: *text = is_invalid(data, i) ? "false" : "true"; return strlen(*text);
    case OD_ARROW_HALF: return od_value_real(half(data, i), true, buf);
    case OD_ARROW_FLOAT: return od_value_real(LOAD(float, data, i), true, buf);
    case OD_ARROW_DOUBLE: return od_value_real(LOAD(double, data, i), false, buf);
    case OD_ARROW_DECIMAL: return write_decimal(v, i, buf);
    case OD_ARROW_TEXT:
    case OD_ARROW_LARGE_TEXT: return find_text(v, i, text);
    case OD_ARROW_TEXT_VIEW: return find_viewed(v, i, text);
    case OD_ARROW_DATE: return od_value_day(whole(kind, data, i), buf);
    case OD_ARROW_DATE_MS: return write_date_ms(whole(kind, data, i), buf);
    case OD_ARROW_TIME32:
    case OD_ARROW_TIME64: return od_value_clock(whole(kind, data, i), v->type.per, buf);
    case OD_ARROW_TIMESTAMP: return od_value_moment(whole(kind, data, i), v->type.per, v->type.utc, buf);
    case OD_ARROW_DURATION: return write_duration(v, i, buf);
    case OD_ARROW_UINT64: return write_unsigned(LOAD(uint64_t, data, i), buf);
    default: return od_num_int(buf, whole(kind, data, i));
    }
}
