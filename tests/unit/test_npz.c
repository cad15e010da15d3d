#include "io/npz.h"

#include "common/mem.h"
#include "bytes.h"
#include "starve.h"
#include "test.h"

#define F8 "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }\n"

static odim_error err;

/* An archive of members with these names (ended by NULL), number i a 2 x 3 array that begins with i. */
static bytes archive(const char *const *names)
{
    zip_maker z = {0};
    for (int i = 0; names[i]; i++) {
        bytes npy = {0};
        double cells[6] = {i, 1, 2, 3, 4, 5};
        put_npy(&npy, F8, cells, sizeof cells);
        zip_add(&z, names[i], npy.p, npy.len, i % 2);
        drop(&npy);
    }
    return zip_end(&z);
}

/* "2" when the third member is taken for X, "2 y0" with the first for y, or the error. */
static const char *choose(const char *const *names)
{
    static char found[32];
    bytes b = archive(names);
    od_npz npz;
    odim_status status = od_npz_open(&npz, b.p, b.len, &err);
    if (!status) {
        snprintf(found, sizeof found, npz.has_y ? "%d y%d" : "%d", (int)npz.x, (int)npz.y);
        od_npz_close(&npz);
    }
    drop(&b);
    return status ? err.msg : found;
}

#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})

TEST(choice)
{
    CHECK_STR(choose(NAMES("X.npy")), "0");
    CHECK_STR(choose(NAMES("y.npy", "a.npy", "X.npy")), "2 y0");
    CHECK_STR(choose(NAMES("data.npy", "y.npy")), "0 y1");
    CHECK_STR(choose(NAMES("readme.txt", "arr_0.npy")), "1");
    CHECK_STR(choose(NAMES("X.npy", "X.npy.npy", "Y.npy")), "0");
}

TEST(no_choice)
{
    CHECK_STR(choose(NAMES("a.npy", "b.npy", "y.npy")),
              "no array X among several (a.npy, b.npy, y.npy): save the rows under that name, "
              "numpy.savez(file, X=rows)");
    CHECK_STR(choose(NAMES("y.npy")), "a zip archive without an array to read (it holds y.npy); if it is a "
                                      "spreadsheet, save it as CSV");
    CHECK_STR(
        choose(NAMES("xl/workbook.xml", "[Content_Types].xml")),
        "a zip archive without an array to read (it holds xl/workbook.xml, [Content_Types].xml); if it is a "
        "spreadsheet, save it as CSV");
    CHECK_STR(choose(NAMES(NULL)),
              "a zip archive without an array to read (it is empty); if it is a spreadsheet, save it as CSV");
    CHECK_STR(choose(NAMES("X.npy", "y.npy", "X.npy")), "it holds several arrays named X");
    CHECK_STR(choose(NAMES("X.npy", "y.npy", "y.npy")), "it holds several arrays named y");
    CHECK_STR(choose(NAMES("1.npy", "2.npy", "3.npy", "4.npy", "5.npy", "6.npy", "7.npy", "8.npy", "9.npy")),
              "no array X among several (1.npy, 2.npy, 3.npy, 4.npy, 5.npy, 6.npy, 7.npy, 8.npy and 1 more): "
              "save the "
              "rows under that name, numpy.savez(file, X=rows)");
    CHECK_STR(choose(NAMES("a_name_that_is_much_too_long_to_be_shown_as_a_whole_.npy", "b\n.npy",
                           "another_name_that_is_much_too_long_to_be_shown.npy",
                           "one_more_name_that_is_much_too_long_to_be_shown.npy")),
              "no array X among several (a_name_that_is_much_too_long_to_be_s..., b\\n.npy, "
              "another_name_that_is_much_too_long_t... and 1 more): save the rows under that name, "
              "numpy.savez(file, X=rows)");
}

TEST(member)
{
    bytes b = archive(NAMES("y.npy", "X.npy"));
    od_npz npz;
    od_source *src;
    od_dense d;
    od_array a;
    REQUIRE(!od_npz_open(&npz, b.p, b.len, &err));
    REQUIRE(!od_npz_member(&npz, npz.x, &src, &d, &err));
    CHECK(d.rows == 2 && d.cols == 3);
    REQUIRE(!od_dense_read(&d, src, &a, &err));
    CHECK(od_array_cell(&a, 0, 0) == 1 && od_array_cell(&a, 1, 2) == 5);
    od_array_free(&a);
    od_source_close(src);
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 3)
    {
        status = od_npz_member(&npz, npz.x, &src, &d, &err);
        CHECK(!status == !!src);
        od_source_close(src);
    }
    od_npz_close(&npz);
    drop(&b);
}

TEST(member_that_is_no_array)
{
    zip_maker z = {0};
    zip_add(&z, "X.npy", "hello", 5, 1);
    bytes b = zip_end(&z);
    od_npz npz;
    od_source *src;
    od_dense d;
    REQUIRE(!od_npz_open(&npz, b.p, b.len, &err));
    CHECK_INT(od_npz_member(&npz, npz.x, &src, &d, &err), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "X.npy: not an NPY file: it does not begin with \\x93NUMPY");
    CHECK(src == NULL);
    od_npz_close(&npz);
    drop(&b);
}

int main(void)
{
    RUN(choice);
    RUN(no_choice);
    RUN(member);
    RUN(member_that_is_no_array);
    return test_end();
}
