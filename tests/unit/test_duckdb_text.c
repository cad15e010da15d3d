/* tests: duckdb_text. Values of DuckDB's types as text, each made by hand. */
#include "io/duckdb_text.h"

#include "common/numtext.h"
#include "test.h"

static od_ddb_kind kind;

/* Value i of an array as text. */
static const char *show(int type, const void *data, size_t i)
{
    static char text[OD_DDB_ROOM + 1];
    char buf[OD_DDB_ROOM];
    const char *at;
    kind.type = type;
    size_t len = od_ddb_write(&kind, data, i, buf, &at);
    if (len == SIZE_MAX) return "not valid";
    if (len > OD_DDB_ROOM) return "too long";
    memcpy(text, at, len);
    text[len] = '\0';
    return text;
}

TEST(whole_numbers)
{
    int8_t i8[] = {0, -128, 127};
    int16_t i16[] = {-32768};
    int32_t i32[] = {INT32_MIN};
    int64_t i64[] = {INT64_MIN, INT64_MAX};
    uint8_t u8[] = {255};
    uint16_t u16[] = {65535};
    uint32_t u32[] = {UINT32_MAX};
    uint64_t u64[] = {UINT64_MAX};
    CHECK_STR(show(OD_DDB_TINYINT, i8, 0), "0");
    CHECK_STR(show(OD_DDB_TINYINT, i8, 1), "-128");
    CHECK_STR(show(OD_DDB_TINYINT, i8, 2), "127");
    CHECK_STR(show(OD_DDB_SMALLINT, i16, 0), "-32768");
    CHECK_STR(show(OD_DDB_INTEGER, i32, 0), "-2147483648");
    CHECK_STR(show(OD_DDB_BIGINT, i64, 0), "-9223372036854775808");
    CHECK_STR(show(OD_DDB_BIGINT, i64, 1), "9223372036854775807");
    CHECK_STR(show(OD_DDB_UTINYINT, u8, 0), "255");
    CHECK_STR(show(OD_DDB_USMALLINT, u16, 0), "65535");
    CHECK_STR(show(OD_DDB_UINTEGER, u32, 0), "4294967295");
    CHECK_STR(show(OD_DDB_UBIGINT, u64, 0), "18446744073709551615");
}

TEST(of_128_bits)
{
    od_ddb_huge v[] = {{0, 0}, {0, 1}, {UINT64_MAX, -1}, {0, INT64_MIN}, {UINT64_MAX, INT64_MAX}};
    CHECK_STR(show(OD_DDB_HUGEINT, v, 0), "0");
    CHECK_STR(show(OD_DDB_HUGEINT, v, 1), "18446744073709551616");
    CHECK_STR(show(OD_DDB_HUGEINT, v, 2), "-1");
    CHECK_STR(show(OD_DDB_HUGEINT, v, 3), "-170141183460469231731687303715884105728");
    CHECK_STR(show(OD_DDB_HUGEINT, v, 4), "170141183460469231731687303715884105727");
    CHECK_STR(show(OD_DDB_UHUGEINT, v, 2), "340282366920938463463374607431768211455");
    od_ddb_huge id = {0x0123456789ABCDEF, (int64_t)(0xFEDCBA9876543210 ^ (uint64_t)1 << 63)};
    CHECK_STR(show(OD_DDB_UUID, &id, 0), "fedcba98-7654-3210-0123-456789abcdef");
}

TEST(decimals)
{
    int16_t small[] = {5, -5, 12345};
    int64_t cents[] = {-100, 99};
    od_ddb_huge most = {0x98A223FFFFFFFFF, 0x4B3B4CA85A86C47A}, least = {UINT64_MAX, -1};
    kind = (od_ddb_kind){.stored = OD_DDB_SMALLINT, .scale = 2};
    CHECK_STR(show(OD_DDB_DECIMAL, small, 0), "0.05");
    CHECK_STR(show(OD_DDB_DECIMAL, small, 1), "-0.05");
    CHECK_STR(show(OD_DDB_DECIMAL, small, 2), "123.45");
    kind = (od_ddb_kind){.stored = OD_DDB_BIGINT, .scale = 2};
    CHECK_STR(show(OD_DDB_DECIMAL, cents, 0), "-1.00");
    CHECK_STR(show(OD_DDB_DECIMAL, cents, 1), "0.99");
    kind = (od_ddb_kind){.stored = OD_DDB_BIGINT};
    CHECK_STR(show(OD_DDB_DECIMAL, cents, 0), "-100");
    kind = (od_ddb_kind){.stored = OD_DDB_HUGEINT, .scale = 38};
    CHECK_INT(strlen(show(OD_DDB_DECIMAL, &most, 0)), 40);
    CHECK_STR(show(OD_DDB_DECIMAL, &least, 0), "-0.00000000000000000000000000000000000001");
}

TEST(reals)
{
    double d[] = {0.1, -1.0 / 3, 1e300, NAN, INFINITY, -INFINITY, 5};
    float f[] = {0.1f, NAN};
    double back;
    CHECK_STR(show(OD_DDB_DOUBLE, d, 0), "0.1");
    for (int i = 0; i < 3; i++) {
        const char *text = show(OD_DDB_DOUBLE, d, (size_t)i);
        CHECK(od_num_parse(text, strlen(text), &back) == OD_NUM_OK && back == d[i]);
    }
    CHECK_STR(show(OD_DDB_DOUBLE, d, 3), "");
    CHECK_STR(show(OD_DDB_DOUBLE, d, 4), "infinity");
    CHECK_STR(show(OD_DDB_DOUBLE, d, 5), "-infinity");
    CHECK_STR(show(OD_DDB_FLOAT, f, 0), "0.1");
    CHECK_STR(show(OD_DDB_FLOAT, f, 1), "");
}

TEST(dates_and_times)
{
    int32_t days[] = {0, 19723, 11016, -719528, -1, INT32_MAX, -INT32_MAX};
    int64_t us[] = {0, -1, 1704067200123456, 86399999999, 86400000000, INT64_MAX, -INT64_MAX};
    int64_t s[] = {1709164799}, ms[] = {1709164799500}, ns[] = {1709164799000000001};
    CHECK_STR(show(OD_DDB_DATE, days, 0), "1970-01-01");
    CHECK_STR(show(OD_DDB_DATE, days, 1), "2024-01-01");
    CHECK_STR(show(OD_DDB_DATE, days, 2), "2000-02-29");
    CHECK_STR(show(OD_DDB_DATE, days, 3), "0000-01-01");
    CHECK_STR(show(OD_DDB_DATE, days, 4), "1969-12-31");
    CHECK_STR(show(OD_DDB_DATE, days, 5), "infinity");
    CHECK_STR(show(OD_DDB_DATE, days, 6), "-infinity");
    CHECK_STR(show(OD_DDB_TIMESTAMP, us, 0), "1970-01-01T00:00:00");
    CHECK_STR(show(OD_DDB_TIMESTAMP, us, 1), "1969-12-31T23:59:59.999999");
    CHECK_STR(show(OD_DDB_TIMESTAMP, us, 2), "2024-01-01T00:00:00.123456");
    CHECK_STR(show(OD_DDB_TIMESTAMP, us, 5), "infinity");
    CHECK_STR(show(OD_DDB_TIMESTAMP, us, 6), "-infinity");
    CHECK_STR(show(OD_DDB_TIMESTAMP_TZ, us, 0), "1970-01-01T00:00:00Z");
    CHECK_STR(show(OD_DDB_TIMESTAMP_S, s, 0), "2024-02-28T23:59:59");
    CHECK_STR(show(OD_DDB_TIMESTAMP_MS, ms, 0), "2024-02-28T23:59:59.5");
    CHECK_STR(show(OD_DDB_TIMESTAMP_NS, ns, 0), "2024-02-28T23:59:59.000000001");
    CHECK_STR(show(OD_DDB_TIME, us, 0), "00:00:00");
    CHECK_STR(show(OD_DDB_TIME, us, 3), "23:59:59.999999");
    CHECK_STR(show(OD_DDB_TIME, us, 4), "24:00:00");
}

TEST(texts)
{
    uint8_t flag[] = {0, 1}, level[] = {1, 0, 2};
    od_ddb_text t[] = {{.len = 0}, {.len = 12}, {.len = 20}, {.len = 3, .start = "a\0b"}};
    memcpy((char *)&t[1] + 4, "twelve bytes", 12);
    t[2].rest.all = "more than 12 of them";
    CHECK_INT(sizeof *t, 16);
    CHECK_STR(show(OD_DDB_BOOLEAN, flag, 0), "false");
    CHECK_STR(show(OD_DDB_BOOLEAN, flag, 1), "true");
    CHECK_STR(show(OD_DDB_VARCHAR, t, 0), "");
    CHECK_STR(show(OD_DDB_VARCHAR, t, 1), "twelve bytes");
    CHECK_STR(show(OD_DDB_VARCHAR, t, 2), "more than 12 of them");
    CHECK_STR(show(OD_DDB_VARCHAR, t, 3), "not valid");
    CHECK_STR(show(OD_DDB_NULL, t, 0), "");
    kind = (od_ddb_kind){.stored = OD_DDB_UTINYINT};
    CHECK(!od_strlist_add(&kind.levels, "red", 3, NULL) && !od_strlist_add(&kind.levels, "blue", 4, NULL));
    CHECK_STR(show(OD_DDB_ENUM, level, 0), "blue");
    CHECK_STR(show(OD_DDB_ENUM, level, 1), "red");
    CHECK_STR(show(OD_DDB_ENUM, level, 2), "not valid");
    od_strlist_free(&kind.levels);
}

TEST(numbers)
{
    double d[] = {1.5, NAN, INFINITY}, out;
    int16_t s[] = {-7};
    uint64_t u[] = {UINT64_MAX};
    CHECK(od_ddb_number(OD_DDB_DOUBLE, d, 0, &out) && out == 1.5);
    CHECK(od_ddb_number(OD_DDB_DOUBLE, d, 1, &out) && isnan(out));
    CHECK(!od_ddb_number(OD_DDB_DOUBLE, d, 2, &out));
    CHECK(od_ddb_number(OD_DDB_SMALLINT, s, 0, &out) && out == -7);
    CHECK(od_ddb_number(OD_DDB_UBIGINT, u, 0, &out) && out == 18446744073709551616.0);
    CHECK(od_ddb_is_number(OD_DDB_UTINYINT) && od_ddb_is_number(OD_DDB_DOUBLE));
    CHECK(!od_ddb_is_number(OD_DDB_FLOAT) && !od_ddb_is_number(OD_DDB_BOOLEAN) &&
          !od_ddb_is_number(OD_DDB_DATE));
}

TEST(types)
{
    static const int nested[] = {OD_DDB_LIST,
                                 OD_DDB_STRUCT,
                                 OD_DDB_MAP,
                                 OD_DDB_UNION,
                                 OD_DDB_ARRAY,
                                 OD_DDB_BLOB,
                                 OD_DDB_BIT,
                                 OD_DDB_INTERVAL,
                                 35,
                                 99,
                                 0,
                                 -1};
    for (size_t i = 0; i < sizeof nested / sizeof *nested; i++) CHECK(!od_ddb_is_readable(nested[i]));
    CHECK(od_ddb_is_readable(OD_DDB_VARCHAR) && od_ddb_is_readable(OD_DDB_UUID) &&
          od_ddb_is_readable(OD_DDB_NULL));
    CHECK_STR(od_ddb_type_name(OD_DDB_ARRAY), "ARRAY");
    CHECK_STR(od_ddb_type_name(OD_DDB_TIMESTAMP_NS), "TIMESTAMP_NS");
    CHECK_STR(od_ddb_type_name(OD_DDB_NULL), "NULL");
    CHECK_STR(od_ddb_type_name(99), "another type");
}

int main(void)
{
    RUN(whole_numbers);
    RUN(of_128_bits);
    RUN(decimals);
    RUN(reals);
    RUN(dates_and_times);
    RUN(texts);
    RUN(numbers);
    RUN(types);
    return test_end();
}
