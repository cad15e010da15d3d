/* tests: arrow_value. Values of Arrow's types, each made by hand. */
#include "io/arrow_value.h"

#include "common/numtext.h"
#include "test.h"

static od_arrow_view view(const char *format, const void *data)
{
    od_arrow_view v = {.data = data, .count = 3};
    od_arrow_parse_type(format, &v.type);
    return v;
}

static const char *show_view(const od_arrow_view *v, int64_t i)
{
    static char text[OD_VALUE_ROOM + 1];
    char buf[OD_VALUE_ROOM];
    const char *at;
    size_t len = od_arrow_write(v, i, buf, &at);
    if (len == SIZE_MAX) return "not valid";
    if (len > OD_VALUE_ROOM) return "too long";
    memcpy(text, at, len);
    text[len] = '\0';
    return text;
}

/* Value i of an array as text. The number must be the same. */
static const char *show(const char *format, const void *data, int64_t i)
{
    od_arrow_view v = view(format, data);
    const char *text = show_view(&v, i);
    double number, read = NAN;
    if (!od_arrow_is_number(&v.type)) return text;
    number = od_arrow_number(&v, i);
    if (*text && od_num_parse(text, strlen(text), &read) != OD_NUM_OK)
        read = number > 0 ? INFINITY : -INFINITY;
    if (isnan(read) ? !isnan(number) : number != read) TEST_SAY("%s as a number is %.17g", text, number);
    return text;
}

TEST(numbers)
{
    CHECK_STR(show("c", (int8_t[]){1, -128}, 1), "-128");
    CHECK_STR(show("C", (uint8_t[]){1, 255}, 1), "255");
    CHECK_STR(show("s", (int16_t[]){1, -32768}, 1), "-32768");
    CHECK_STR(show("S", (uint16_t[]){1, 65535}, 1), "65535");
    CHECK_STR(show("i", (int32_t[]){1, INT32_MIN}, 1), "-2147483648");
    CHECK_STR(show("I", (uint32_t[]){1, UINT32_MAX}, 1), "4294967295");
    CHECK_STR(show("l", (int64_t[]){1, INT64_MIN}, 1), "-9223372036854775808");
    CHECK_STR(show("L", (uint64_t[]){1, UINT64_MAX}, 1), "18446744073709551615");
    CHECK_STR(show("f", (float[]){0.1f, -16777216, 3.4e38f}, 0), "0.1");
    CHECK_STR(show("f", (float[]){0.1f, -16777216, 3.4e38f}, 1), "-16777216");
    CHECK_STR(show("f", (float[]){0.1f, -16777216, 3.4e38f}, 2), "3.4e+38");
    CHECK_STR(show("g", (double[]){0.1, -1e300, NAN}, 1), "-1e+300");
    CHECK_STR(show("g", (double[]){0.1, -1e300, NAN}, 2), "");
    CHECK_STR(show("g", (double[]){-INFINITY}, 0), "-infinity");
    CHECK_STR(show("e", (uint16_t[]){0x3C00, 0xC500, 0x0001}, 0), "1");
    CHECK_STR(show("e", (uint16_t[]){0x3C00, 0xC500, 0x0001}, 1), "-5");
    CHECK_STR(show("e", (uint16_t[]){0x3C00, 0xC500, 0x0001}, 2), "5.9604645e-08");
    CHECK_STR(show("e", (uint16_t[]){0x2E66}, 0), "0.099975586");
    CHECK_STR(show("e", (uint16_t[]){0x7C00}, 0), "infinity");
    CHECK_STR(show("e", (uint16_t[]){0x7E00}, 0), "");
    CHECK_STR(show("b", (uint8_t[]){5}, 0), "true");
    CHECK_STR(show("b", (uint8_t[]){5}, 1), "false");
    CHECK_STR(show("tDm", (int64_t[]){1500, -1}, 0), "1.500");
    CHECK_STR(show("tDm", (int64_t[]){1500, -1}, 1), "-0.001");
    CHECK_STR(show("tDs", (int64_t[]){INT64_MIN}, 0), "-9223372036854775808");
    CHECK_STR(show("tDn", (int64_t[]){9007199254740993}, 0), "9007199.254740993");
    CHECK_STR(show("tDu", (int64_t[]){7}, 0), "0.000007");
}

TEST(many_numbers)
{
    double to[8] = {0}, x[] = {1, 2, INFINITY, 4};
    float f[] = {0.1f, 2.5f, 3};
    uint16_t u[] = {7, 8, 9};
    od_arrow_view v = view("g", x);
    CHECK_INT(od_arrow_numbers(&v, 0, 4, to, 2), 2);
    CHECK(to[0] == 1 && to[1] == 0 && to[2] == 2);
    CHECK_INT(od_arrow_numbers(&v, 3, 1, to, 1), 1);
    CHECK(to[0] == 4);
    v = view("f", f);
    CHECK_INT(od_arrow_numbers(&v, 0, 3, to, 1), 3);
    CHECK(to[0] == 0.1 && to[1] == 2.5 && to[2] == 3);
    v = view("S", u);
    v.valid = (const uint8_t[]){5};
    CHECK_INT(od_arrow_numbers(&v, 0, 3, to, 1), 3);
    CHECK(to[0] == 7 && isnan(to[1]) && to[2] == 9);
    v.offset = 1;
    CHECK_INT(od_arrow_numbers(&v, 0, 2, to, 1), 2);
    CHECK(isnan(to[0]) && to[1] == 9);
    v = view("l", (int64_t[]){-5, 1});
    CHECK_INT(od_arrow_numbers(&v, 0, 2, to, 1), 2);
    CHECK(to[0] == -5 && to[1] == 1);
    v = view("i", (int32_t[]){-6, 1});
    CHECK_INT(od_arrow_numbers(&v, 0, 2, to, 1), 2);
    CHECK(to[0] == -6 && to[1] == 1);
}

/* A float means what its text means. */
TEST(singles)
{
    static const float some[] = {0.1f,       1.1f,  123456.7f, 9.999995f, 0.00012345679f, 1e-5f, 8388607.5f,
                                 16777217.f, 3e20f, 1.5e-45f,  0.3f,      99999.95f,      1e17f, 2.5f};
    char text[OD_NUM_ROOM];
    double want;
    uint32_t bits = 12345;
    for (size_t i = 0; i < 200000; i++) {
        float x;
        if (i < sizeof some / sizeof *some) {
            x = some[i];
        } else {
            uint32_t random = bits = bits * 1664525u + 1013904223u;
            if (i % 2) random = (random & 0x87FFFFFF) | 0x38000000; /* of a usual size */
            memcpy(&x, &random, sizeof x);
        }
        if (!isfinite(x)) continue;
        od_num_format(text, (double)x, true);
        od_num_parse(text, strlen(text), &want);
        if (od_num_single(x) != want) TEST_SAY("%s is %.17g", text, od_num_single(x));
    }
}

TEST(dates_and_times)
{
    CHECK_STR(show("tdD", (int32_t[]){19782}, 0), "2024-02-29");
    CHECK_STR(show("tdm", (int64_t[]){-86400000, -86399999}, 0), "1969-12-31");
    CHECK_STR(show("tdm", (int64_t[]){-86400000, -86399999}, 1), "1969-12-31T00:00:00.001");
    CHECK_STR(show("tts", (int32_t[]){3661}, 0), "01:01:01");
    CHECK_STR(show("ttm", (int32_t[]){3661500}, 0), "01:01:01.5");
    CHECK_STR(show("ttu", (int64_t[]){3661000001}, 0), "01:01:01.000001");
    CHECK_STR(show("ttn", (int64_t[]){3661000000001}, 0), "01:01:01.000000001");
    CHECK_STR(show("tss:", (int64_t[]){951782400}, 0), "2000-02-29T00:00:00");
    CHECK_STR(show("tsm:Europe/Berlin", (int64_t[]){951782400500}, 0), "2000-02-29T00:00:00.5Z");
    CHECK_STR(show("tsu:UTC", (int64_t[]){-1}, 0), "1969-12-31T23:59:59.999999Z");
    CHECK_STR(show("tsn:", (int64_t[]){1}, 0), "1970-01-01T00:00:00.000000001");
}

TEST(decimals)
{
    CHECK_STR(show("d:9,2,32", (int32_t[]){12345, -5}, 0), "123.45");
    CHECK_STR(show("d:9,2,32", (int32_t[]){12345, -5}, 1), "-0.05");
    CHECK_STR(show("d:18,0,64", (int64_t[]){INT64_MIN}, 0), "-9223372036854775808");
    CHECK_STR(show("d:38,3", (uint64_t[]){0, 1, UINT64_MAX, UINT64_MAX}, 0), "18446744073709551.616");
    CHECK_STR(show("d:38,3", (uint64_t[]){0, 1, UINT64_MAX, UINT64_MAX}, 1), "-0.001");
    CHECK_STR(show("d:38,3", (uint64_t[]){0, 0, 0, (uint64_t)1 << 63}, 1),
              "-170141183460469231731687303715884105.728");
    CHECK_STR(show("d:76,-2,256", (uint64_t[]){7, 0, 0, 0}, 0), "7e2");
    CHECK_STR(show("d:76,76,256", (uint64_t[]){0, 0, 0, (uint64_t)1 << 63}, 0),
              "-5.7896044618658097711785492504343953926634992332820282019728792003956564819968");
}

TEST(texts)
{
    int32_t offsets[] = {0, 3, 3, 9, -1, 2, 100};
    int64_t large[] = {0, 3, 3, 9, -1, 2, 100};
    od_arrow_view v = view("u", offsets), l = view("U", large);
    v.text = l.text = (od_arrow_part){(const uint8_t *)"red\xC3\xA4gr\xE4n", 9};
    CHECK_STR(show_view(&v, 0), "red");
    CHECK_STR(show_view(&v, 1), "");
    CHECK_STR(show_view(&v, 2), "not valid"); /* Latin-1 */
    CHECK_STR(show_view(&v, 3), "not valid"); /* a negative offset */
    CHECK_STR(show_view(&v, 5), "not valid"); /* past the end */
    CHECK_STR(show_view(&l, 0), "red");
    CHECK_STR(show_view(&l, 2), "not valid");
    CHECK_STR(show_view(&l, 3), "not valid");
    CHECK_STR(show_view(&l, 4), "not valid");
    CHECK_STR(show_view(&l, 5), "not valid");
    v.text = (od_arrow_part){(const uint8_t *)"a\0b", 3};
    CHECK_STR(show_view(&v, 0), "not valid");
}

TEST(text_views)
{
    struct {
        uint32_t len;
        char start[4];
        uint32_t part, at;
    } views[] = {{12, "twel", 0, 0}, {13, "thir", 0, 2}, {13, "thir", 1, 0}, {13, "thir", 0, 3}};
    od_arrow_part parts[] = {{(const uint8_t *)"--thirteen byte", 15}};
    memcpy(&views[0].part, "ve bytes", 8);
    od_arrow_view v = view("vu", views);
    v.parts = parts;
    v.part_count = 1;
    CHECK_STR(show_view(&v, 0), "twelve bytes");
    CHECK_STR(show_view(&v, 1), "thirteen byte");
    CHECK_STR(show_view(&v, 2), "not valid"); /* there is one part */
    CHECK_STR(show_view(&v, 3), "not valid"); /* it ends behind the part */
}

TEST(dictionaries)
{
    static odim_error err;
    int32_t offsets[] = {0, 3, 8, 8};
    od_arrow_view values = view("u", offsets), v = view("u", (int8_t[]){1, 0, 2, 3, -1});
    values.text = (od_arrow_part){(const uint8_t *)"redgreen", 8};
    values.valid = (const uint8_t[]){3};
    v.type.encoded = true;
    v.type.index = OD_ARROW_INT8;
    CHECK_INT(od_arrow_width(&v.type), 1);
    CHECK(!od_arrow_is_number(&v.type));
    CHECK_STR(show_view(&v, 0), "not valid"); /* there is no dictionary */
    v.values = &values;
    CHECK_STR(show_view(&v, 0), "green");
    CHECK_STR(show_view(&v, 1), "red");
    CHECK_STR(show_view(&v, 2), "");
    CHECK_STR(show_view(&v, 3), "not valid");
    CHECK_STR(show_view(&v, 4), "not valid");
    od_strlist levels = {0};
    od_strlist_add(&levels, "one", 3, &err);
    od_strlist_add(&levels, "two", 3, &err);
    v.levels = &levels;
    CHECK_STR(show_view(&v, 0), "two");
    CHECK_STR(show_view(&v, 2), "not valid");
    od_strlist_free(&levels);
}

TEST(missing)
{
    od_arrow_view v = view("g", NULL), n = view("n", NULL);
    v.valid = (const uint8_t[]){0x00, 0x02};
    v.offset = 8;
    CHECK(od_arrow_is_missing(&v, 0));
    CHECK(!od_arrow_is_missing(&v, 1));
    CHECK(od_arrow_is_missing(&n, 5));
}

/* What a format means, in the words of a message; "" if it can be read. */
static const char *what(const char *format)
{
    od_arrow_type type;
    od_arrow_parse_type(format, &type);
    return od_arrow_is_readable(&type) ? "" : type.kind == OD_ARROW_BYTES ? "bytes" : type.what;
}

TEST(types)
{
    CHECK_STR(what("g"), "");
    CHECK_STR(what("z"), "bytes");
    CHECK_STR(what("Z"), "bytes");
    CHECK_STR(what("vz"), "bytes");
    CHECK_STR(what("w:16"), "bytes");
    CHECK_STR(what("+l"), "list");
    CHECK_STR(what("+vL"), "list");
    CHECK_STR(what("+w:3"), "fixed size list");
    CHECK_STR(what("+s"), "struct");
    CHECK_STR(what("+m"), "map");
    CHECK_STR(what("+ud:1,2"), "union");
    CHECK_STR(what("+r"), "run-end encoded");
    CHECK_STR(what("tiM"), "interval");
    CHECK_STR(what("d:10"), "unknown");
    CHECK_STR(what("d:10,2,77"), "unknown");
    CHECK_STR(what("d:10,200"), "unknown");
    CHECK_STR(what("tsx:"), "unknown");
    CHECK_STR(what("t"), "unknown");
    CHECK_STR(what("ttmm"), "unknown");
    CHECK_STR(what(""), "unknown");
    CHECK_STR(what("+"), "unknown");
}

int main(void)
{
    RUN(numbers);
    RUN(many_numbers);
    RUN(singles);
    RUN(dates_and_times);
    RUN(decimals);
    RUN(texts);
    RUN(text_views);
    RUN(dictionaries);
    RUN(missing);
    RUN(types);
    return test_end();
}
