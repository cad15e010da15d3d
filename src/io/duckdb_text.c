/* Writes values of DuckDB's types as text. */
#include "io/duckdb_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/numtext.h"

static const char *const names[] = {"",
                                    "BOOLEAN",
                                    "TINYINT",
                                    "SMALLINT",
                                    "INTEGER",
                                    "BIGINT",
                                    "UTINYINT",
                                    "USMALLINT",
                                    "UINTEGER",
                                    "UBIGINT",
                                    "FLOAT",
                                    "DOUBLE",
                                    "TIMESTAMP",
                                    "DATE",
                                    "TIME",
                                    "INTERVAL",
                                    "HUGEINT",
                                    "VARCHAR",
                                    "BLOB",
                                    "DECIMAL",
                                    "TIMESTAMP_S",
                                    "TIMESTAMP_MS",
                                    "TIMESTAMP_NS",
                                    "ENUM",
                                    "LIST",
                                    "STRUCT",
                                    "MAP",
                                    "UUID",
                                    "UNION",
                                    "BIT",
                                    "TIME WITH TIME ZONE",
                                    "TIMESTAMP WITH TIME ZONE",
                                    "UHUGEINT",
                                    "ARRAY"};

const char *od_ddb_type_name(int type)
{
    if (type == OD_DDB_NULL) return "NULL";
    return type > 0 && (size_t)type < sizeof names / sizeof *names ? names[type] : "another type";
}

bool od_ddb_is_readable(int type)
{
    switch (type) {
    case OD_DDB_INTERVAL:
    case OD_DDB_BLOB:
    case OD_DDB_LIST:
    case OD_DDB_STRUCT:
    case OD_DDB_MAP:
    case OD_DDB_UNION:
    case OD_DDB_BIT:
    case OD_DDB_TIME_TZ:
    case OD_DDB_ARRAY: return false;
    default: return type == OD_DDB_NULL || (type > 0 && (size_t)type < sizeof names / sizeof *names);
    }
}

bool od_ddb_is_number(int type)
{
    return (type >= OD_DDB_TINYINT && type <= OD_DDB_UBIGINT) || type == OD_DDB_DOUBLE;
}

/* ---- whole numbers ---------------------------------------------------------------------------------- */

static int64_t whole(int type, const void *data, size_t i)
{
    switch (type) {
    case OD_DDB_TINYINT: return ((const int8_t *)data)[i];
    case OD_DDB_SMALLINT: return ((const int16_t *)data)[i];
    case OD_DDB_INTEGER:
    case OD_DDB_DATE: return ((const int32_t *)data)[i];
    case OD_DDB_UTINYINT: return ((const uint8_t *)data)[i];
    case OD_DDB_USMALLINT: return ((const uint16_t *)data)[i];
    case OD_DDB_UINTEGER: return ((const uint32_t *)data)[i];
    default: return ((const int64_t *)data)[i];
    }
}

/* A whole number of 128 bits, or the size of a negative one; *negative says which. */
static od_ddb_huge magnitude(const od_ddb_kind *kind, const void *data, size_t i, bool *negative)
{
    od_ddb_huge v;
    int type = kind->type == OD_DDB_DECIMAL ? kind->stored : kind->type;
    if (type == OD_DDB_HUGEINT || type == OD_DDB_UHUGEINT) {
        memcpy(&v, (const od_ddb_huge *)data + i, sizeof v);
    } else {
        int64_t small = whole(type, data, i);
        v = (od_ddb_huge){(uint64_t)small, small < 0 && type != OD_DDB_UBIGINT ? -1 : 0};
    }
    *negative = v.upper < 0 && type != OD_DDB_UHUGEINT;
    if (*negative) {
        v.lower = ~v.lower + 1;
        v.upper = (int64_t)(~(uint64_t)v.upper + (v.lower == 0));
    }
    return v;
}

static size_t write_whole(const od_ddb_kind *kind, const void *data, size_t i, char *buf)
{
    bool negative;
    od_ddb_huge v = magnitude(kind, data, i, &negative);
    uint32_t part[4] = {(uint32_t)v.lower, (uint32_t)(v.lower >> 32), (uint32_t)v.upper,
                        (uint32_t)((uint64_t)v.upper >> 32)};
    return od_value_decimal(part, 4, negative, kind->type == OD_DDB_DECIMAL ? kind->scale : 0, buf);
}

/* ---- dates and times -------------------------------------------------------------------------------- */

static size_t write_moment(int type, int64_t units, char *buf)
{
    int64_t per = type == OD_DDB_TIMESTAMP_S    ? 1
                  : type == OD_DDB_TIMESTAMP_MS ? 1000
                  : type == OD_DDB_TIMESTAMP_NS ? 1000000000
                                                : 1000000;
    if (units == INT64_MAX || units == -INT64_MAX) return od_value_infinity(units < 0, buf);
    return od_value_moment(units, per, type == OD_DDB_TIMESTAMP_TZ, buf);
}

static size_t write_date(int64_t days, char *buf)
{
    return days == INT32_MAX || days == -INT32_MAX ? od_value_infinity(days < 0, buf)
                                                   : od_value_day(days, buf);
}

/* ---- the others ------------------------------------------------------------------------------------- */

static size_t write_uuid(const void *data, size_t i, char *buf)
{
    od_ddb_huge v;
    memcpy(&v, (const od_ddb_huge *)data + i, sizeof v);
    uint64_t high = (uint64_t)v.upper ^ (uint64_t)1 << 63, low = v.lower;
    return (size_t)snprintf(buf, OD_DDB_ROOM, "%08llx-%04llx-%04llx-%04llx-%012llx",
                            (unsigned long long)(high >> 32), (unsigned long long)(high >> 16 & 0xFFFF),
                            (unsigned long long)(high & 0xFFFF), (unsigned long long)(low >> 48),
                            (unsigned long long)(low & 0xFFFFFFFFFFFF));
}

static size_t find_text(const od_ddb_text *t, const char **text)
{
    *text = t->len <= sizeof t->start + sizeof t->rest ? t->start : t->rest.all;
    return memchr(*text, '\0', t->len) ? SIZE_MAX : t->len;
}

static size_t find_level(const od_ddb_kind *kind, const void *data, size_t i, const char **text)
{
    uint64_t index = (uint64_t)whole(kind->stored, data, i);
    if (index >= kind->levels.count) return SIZE_MAX;
    *text = od_strlist_at(&kind->levels, (size_t)index);
    return strlen(*text);
}

size_t od_ddb_write(const od_ddb_kind *kind, const void *data, size_t i, char buf[OD_DDB_ROOM],
                    const char **text)
{
    *text = buf;
    switch (kind->type) {
    case OD_DDB_BOOLEAN: *text = ((const uint8_t *)data)[i] ? "true" : "false"; return strlen(*text);
    case OD_DDB_FLOAT: return od_value_real((double)((const float *)data)[i], true, buf);
    case OD_DDB_DOUBLE: return od_value_real(((const double *)data)[i], false, buf);
    case OD_DDB_TIMESTAMP:
    case OD_DDB_TIMESTAMP_S:
    case OD_DDB_TIMESTAMP_MS:
    case OD_DDB_TIMESTAMP_NS:
    case OD_DDB_TIMESTAMP_TZ: return write_moment(kind->type, ((const int64_t *)data)[i], buf);
    case OD_DDB_DATE: return write_date(((const int32_t *)data)[i], buf);
    case OD_DDB_TIME: return od_value_clock(((const int64_t *)data)[i], 1000000, buf);
    case OD_DDB_VARCHAR: return find_text((const od_ddb_text *)data + i, text);
    case OD_DDB_ENUM: return find_level(kind, data, i, text);
    case OD_DDB_UUID: return write_uuid(data, i, buf);
    case OD_DDB_NULL: return 0;
    case OD_DDB_UBIGINT:
    case OD_DDB_HUGEINT:
    case OD_DDB_UHUGEINT:
    case OD_DDB_DECIMAL: return write_whole(kind, data, i, buf);
    default: return od_num_int(buf, whole(kind->type, data, i));
    }
}

bool od_ddb_number(int type, const void *data, size_t i, double *out)
{
    if (type == OD_DDB_DOUBLE)
        *out = ((const double *)data)[i];
    else if (type == OD_DDB_UBIGINT)
        *out = (double)((const uint64_t *)data)[i];
    else
        *out = (double)whole(type, data, i);
    return !isinf(*out);
}
