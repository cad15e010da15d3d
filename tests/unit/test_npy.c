#include "io/npy.h"

#include "common/mem.h"
#include "bytes.h"
#include "starve.h"
#include "test.h"

static odim_error err;
static od_dense d;

static odim_status parse_bytes(const bytes *b)
{
    od_source *src;
    odim_status status = od_source_memory(&src, b->p, b->len, &err);
    if (status) return status;
    status = od_npy_header(src, &d, &err);
    od_source_close(src);
    return status;
}

static odim_status parse(const char *header)
{
    bytes b = {0};
    put_npy(&b, header, "", 0);
    odim_status status = parse_bytes(&b);
    drop(&b);
    return status;
}

TEST(header)
{
    CHECK_INT(parse("{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }          \n"), ODIM_OK);
    CHECK(d.type == OD_TYPE_F64 && !d.big_endian && !d.fortran && d.axes == 2 && d.rows == 3 && d.cols == 4);
    CHECK_INT(parse("{\"shape\":(7,),\"fortran_order\":True,\"descr\":\">i2\"}"), ODIM_OK);
    CHECK(d.type == OD_TYPE_I16 && d.big_endian && d.fortran && d.axes == 1 && d.rows == 7 && d.cols == 1);
    CHECK_INT(parse(" {\n'shape' : ( 2 , 3L , 4, ) , 'descr' : '|u1' , 'fortran_order' : False , } "),
              ODIM_OK);
    CHECK(d.type == OD_TYPE_U8 && d.axes == 3 && d.rows == 2 && d.cols == 12);
}

TEST(types)
{
    static const struct {
        const char *text;
        od_type type;
        int big;
    } known[] = {{"|b1", OD_TYPE_BOOL, -1}, {"?", OD_TYPE_BOOL, -1},  {"|i1", OD_TYPE_I8, -1},
                 {"|u1", OD_TYPE_U8, -1},   {"<i2", OD_TYPE_I16, 0},  {">i2", OD_TYPE_I16, 1},
                 {"<u2", OD_TYPE_U16, 0},   {"<i4", OD_TYPE_I32, 0},  {">u4", OD_TYPE_U32, 1},
                 {"<i8", OD_TYPE_I64, 0},   {"<u8", OD_TYPE_U64, 0},  {"<f2", OD_TYPE_F16, 0},
                 {">f4", OD_TYPE_F32, 1},   {"=f8", OD_TYPE_F64, -1}, {"f8", OD_TYPE_F64, -1}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char text[100];
        snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (1, 1)}",
                 known[i].text);
        int big = known[i].big < 0 ? od_dense_host_is_big_endian() : known[i].big;
        if (parse(text) || d.type != known[i].type || d.big_endian != big)
            TEST_SAY("%s: wrong", known[i].text);
    }
}

static void expect_type(const char *type, const char *msg)
{
    char text[200];
    snprintf(text, sizeof text, "{'descr': %s, 'fortran_order': False, 'shape': (1, 1)}", type);
    CHECK_INT(parse(text), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, msg);
}

TEST(foreign_types)
{
    expect_type("'|O'",
                "it is an object array, stored as pickled Python, and nothing in a file is executed here; "
                "save it as numbers: numpy.save(file, array.astype(float))");
    expect_type("'<c16'",
                "its type '<c16' (complex numbers) cannot be read; save it as numbers (float, int or bool)");
    expect_type("'<U5'", "its type '<U5' (strings) cannot be read; save it as numbers (float, int or bool)");
    expect_type("'|S5'", "its type '|S5' (strings) cannot be read; save it as numbers (float, int or bool)");
    expect_type("'<M8[ns]'",
                "its type '<M8[ns]' (dates) cannot be read; save it as numbers (float, int or bool)");
    expect_type("'<m8[s]'",
                "its type '<m8[s]' (time spans) cannot be read; save it as numbers (float, int or bool)");
    expect_type(
        "'|V8'",
        "its type '|V8' (records or raw bytes) cannot be read; save it as numbers (float, int or bool)");
    expect_type("'<f16'",
                "its type '<f16' (floats of a width that C has not) cannot be read; save it as numbers "
                "(float, int or bool)");
    expect_type("'<i3'", "its type '<i3' cannot be read; save it as numbers (float, int or bool)");
    expect_type("''", "its type '' cannot be read; save it as numbers (float, int or bool)");
    expect_type("[('a', '<f8'), ('b', '<i4')]",
                "it is a structured array (fields with names); save it as a plain array of numbers");
    expect_type("('<f8', (2,))",
                "it is a structured array (fields with names); save it as a plain array of numbers");
}

TEST(malformed)
{
    static const struct {
        const char *header, *msg;
    } bad[] = {
        {"", "malformed NPY header at byte 1 of it: ''"},
        {"[]", "malformed NPY header at byte 1 of it: '[]'"},
        {"{}", "malformed NPY header: it has no 'descr'"},
        {"{'descr': '<f8', 'shape': (1,)}", "malformed NPY header: it has no 'fortran_order'"},
        {"{'descr': '<f8', 'fortran_order': False}", "malformed NPY header: it has no 'shape'"},
        {"{'descr': '<f8', 'descr': '<f8'}", "malformed NPY header at byte 18 of it: ''descr': '<f8'}'"},
        {"{'extra': 1}", "malformed NPY header at byte 2 of it: ''extra': 1}'"},
        {"{'descr' '<f8'}", "malformed NPY header at byte 2 of it: ''descr' '<f8'}'"},
        {"{'descr': <f8}", "malformed NPY header at byte 11 of it: '<f8}'"},
        {"{'descr': '<f8}", "malformed NPY header at byte 11 of it: ''<f8}'"},
        {"{'des\\x63r': '<f8'}", "malformed NPY header at byte 2 of it: ''des\\x63r': '<f8'}'"},
        {"{'shape': (3)}", "malformed NPY header at byte 11 of it: '(3)}'"},
        {"{'shape': 3}", "malformed NPY header at byte 11 of it: '3}'"},
        {"{'shape': (-3,)}", "malformed NPY header at byte 11 of it: '(-3,)}'"},
        {"{'shape': (3, 4}", "malformed NPY header at byte 11 of it: '(3, 4}'"},
        {"{'shape': (3 4)}", "malformed NPY header at byte 11 of it: '(3 4)}'"},
        {"{'shape': (,)}", "malformed NPY header at byte 11 of it: '(,)}'"},
        {"{'shape': (99999999999999999999,)}",
         "malformed NPY header at byte 11 of it: '(99999999999999999999,)}'"},
        {"{'fortran_order': 0}", "malformed NPY header at byte 19 of it: '0}'"},
        {"{'fortran_order': False 'shape': (1,)}", "malformed NPY header at byte 25 of it: ''shape': (1,)}'"},
        {"{'fortran_order': False", "malformed NPY header at byte 24 of it: ''"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1,)} x",
         "malformed NPY header at byte 57 of it: 'x'"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK_INT(parse(bad[i].header), ODIM_ERR_FORMAT);
        CHECK_STR(err.msg, bad[i].msg);
    }
    char many[600] = "{'shape': (";
    for (int i = 0; i < 65; i++) strcat(many, "1,");
    strcat(many, ")}");
    CHECK_INT(parse(many), ODIM_ERR_FORMAT);
}

TEST(shapes)
{
    CHECK_INT(parse("{'descr': '<f8', 'fortran_order': False, 'shape': ()}"), ODIM_ERR_DATA);
    CHECK_STR(err.msg, "it holds a single number, not a table: an array of rows is needed");
    CHECK_INT(parse("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 4)}"), ODIM_ERR_DATA);
    CHECK_INT(parse("{'descr': '<f8', 'fortran_order': False, 'shape': (4, 0)}"), ODIM_ERR_DATA);
    CHECK_INT(parse("{'descr': '<f8', 'fortran_order': False, 'shape': (9000000000000000000, 4)}"),
              ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "the shape has more cells than memory can hold");
}

TEST(versions)
{
    static const char header[] = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }";
    for (int version = 0; version < 5; version++) {
        bytes b = {0};
        put(&b, "\x93NUMPY", 6);
        put_little(&b, (unsigned)version, 2);
        put_little(&b, sizeof header - 1, version == 1 ? 2 : 4);
        put_text(&b, header);
        if (version >= 1 && version <= 3) {
            CHECK_INT(parse_bytes(&b), ODIM_OK);
            CHECK(d.rows == 3 && d.cols == 4);
            size_t whole = b.len;
            for (b.len = 6; b.len < whole; b.len++) {
                CHECK_INT(parse_bytes(&b), ODIM_ERR_FORMAT);
                CHECK_STR(err.msg, "the NPY header ends too early: the file is truncated");
            }
            for (b.len = 0; b.len < 6; b.len++) {
                CHECK_INT(parse_bytes(&b), ODIM_ERR_FORMAT);
                CHECK_STR(err.msg, "not an NPY file: it does not begin with \\x93NUMPY");
            }
        } else {
            CHECK_INT(parse_bytes(&b), ODIM_ERR_FORMAT);
            CHECK(strstr(err.msg, ".0 is not known; 1.0, 2.0 and 3.0 are"));
        }
        drop(&b);
    }
    bytes b = {0};
    put(&b, "\x93NUMPY\2\0\xFF\xFF\xFF\xFF{}", 14);
    CHECK_INT(parse_bytes(&b), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "an NPY header of 4294967295 bytes is too long (at most 65536)");
    drop(&b);
}

TEST(out_of_memory)
{
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 2)
    {
        status = parse("{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4)}");
    }
}

int main(void)
{
    RUN(header);
    RUN(types);
    RUN(foreign_types);
    RUN(malformed);
    RUN(shapes);
    RUN(versions);
    RUN(out_of_memory);
    return test_end();
}
