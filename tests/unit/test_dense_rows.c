#include "prep/dense_rows.h"

#include "tables.h"

TEST(npy_columns)
{
    bytes b = {0};
    put_npy(&b, "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }\n",
            (double[]){10, 0.1, 1, 2, 20, 1e300, 0, 3, 30, NAN, 1, 4}, 96);
    odim_read_options o = {.label = "x3", .id = "2"};
    odim_table *t = read_bytes(&b, "a.npy", &o);
    REQUIRE(t);
    CHECK_STR(odim_table_id_name(t), "x2");
    CHECK_STR(odim_table_id(t, 0), "0.1");
    CHECK_STR(odim_table_id(t, 1), "1e+300");
    CHECK_STR(odim_table_id(t, 2), "nan");
    CHECK_STR(odim_table_label_name(t), "x3");
    CHECK(t->labels[0] == 1 && t->labels[1] == 0 && t->labels[2] == 1);
    CHECK_STR(odim_table_name(t, 0), "x1");
    CHECK_STR(odim_table_name(t, 1), "x4");
    EXPECT_TABLE(t, 3, 2, 10, 2, 20, 3, 30, 4);
    EXPECT_TABLE(read_bytes(&b, "a.npy", NULL), 3, 4, 10, 0.1, 1, 2, 20, 1e300, 0, 3, 30, NAN, 1, 4);
    o = (odim_read_options){.label = "4", .ignore = "2"};
    expect_error(
        read_bytes(&b, "a.npy", &o), ODIM_ERR_DATA, 1, 4,
        "a.npy: row 1, column 'x4': 2 is not a label; labels are 1 (outlier) and 0 (inlier): recode them, or "
        "leave them out (--ignore x4)");
    o = (odim_read_options){.label = "y"};
    expect_error(read_bytes(&b, "a.npy", &o), ODIM_ERR_DATA, 0, 0,
                 "a.npy: there is no column 'y'; there are x1, x2, x3, x4");
    double infinite = -INFINITY;
    memcpy(b.p + b.len - 24, &infinite, 8);
    expect_error(
        read_bytes(&b, "a.npy", NULL), ODIM_ERR_DATA, 3, 2,
        "a.npy: row 3, column 'x2': infinite value; correct it, drop the row, or leave the column out "
        "(--ignore x2)");
    b.len--;
    expect_error(read_bytes(&b, "a.npy", NULL), ODIM_ERR_FORMAT, 0, 0,
                 "a.npy: the data ends after 95 of 96 bytes: the file is truncated, or its header wrong");
    drop(&b);
    b = npy_2x2();
    o = (odim_read_options){.id = "x1", .only = "x2"};
    t = read_bytes(&b, "a.npy", &o);
    REQUIRE(t);
    CHECK_STR(odim_table_id(t, 1), "3");
    EXPECT_TABLE(t, 2, 1, 2, 4);
    drop(&b);
}

/* A header may promise what it likes: no memory is taken for it. */
TEST(npy_promises)
{
    bytes b = {0};
    put_npy(&b, "{'descr': '|u1', 'fortran_order': False, 'shape': (1000000000000, 2), }\n", "abc", 3);
    expect_error(
        read_bytes(&b, "a.npy", NULL), ODIM_ERR_FORMAT, 0, 0,
        "a.npy: the data ends after 3 of 2000000000000 bytes: the file is truncated, or its header wrong");
    drop(&b);
    put_npy(&b, "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 1000000000000), }\n", "abc", 3);
    expect_error(read_bytes(&b, "a.npy", NULL), ODIM_ERR_DATA, 0, 0,
                 "a.npy: more than 1048576 columns; reduce the dimension first");
    drop(&b);
    put_npy(&b, "{'descr': '|O', 'fortran_order': False, 'shape': (2, 2), }\n", "abc", 3);
    expect_error(read_bytes(&b, "a.npy", NULL), ODIM_ERR_FORMAT, 0, 0,
                 "a.npy: it is an object array, stored as pickled Python, and nothing in a file is executed "
                 "here; save it "
                 "as numbers: numpy.save(file, array.astype(float))");
    drop(&b);
}

TEST(npz_labels)
{
    bytes b = npz_with("{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }\n", "\1\0", 2);
    odim_table *t = read_bytes(&b, "a.npz", NULL);
    REQUIRE(t);
    CHECK_STR(odim_table_label_name(t), "y");
    CHECK(t->labels[0] == 1 && t->labels[1] == 0);
    EXPECT_TABLE(t, 2, 2, 1, 2, 3, 4);
    odim_read_options o = {.ignore = "y"};
    t = read_bytes(&b, "a.npz", &o);
    REQUIRE(t);
    CHECK(t->labels == NULL && t->label_name == NULL);
    EXPECT_TABLE(t, 2, 2, 1, 2, 3, 4);
    o = (odim_read_options){.id = "y"};
    t = read_bytes(&b, "a.npz", &o);
    REQUIRE(t);
    CHECK_STR(odim_table_id(t, 0), "1");
    CHECK(t->labels == NULL);
    EXPECT_TABLE(t, 2, 2, 1, 2, 3, 4);
    o = (odim_read_options){.label = "x1"};
    expect_error(
        read_bytes(&b, "a.npz", &o), ODIM_ERR_DATA, 2, 1,
        "a.npz: row 2, column 'x1': 3 is not a label; labels are 1 (outlier) and 0 (inlier): recode them, or "
        "leave them out (--ignore x1)");
    drop(&b);
}

TEST(npz_bad_labels)
{
    bytes b = npz_with("{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }\n", "\1\0\1", 3);
    expect_error(read_bytes(&b, "a.npz", NULL), ODIM_ERR_DATA, 0, 0,
                 "a.npz: y.npy: 3 x 1 values, but X has 2 rows; one for each row is needed");
    drop(&b);
    b = npz_with("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2), }\n", "\1\0\1\0", 4);
    expect_error(read_bytes(&b, "a.npz", NULL), ODIM_ERR_DATA, 0, 0,
                 "a.npz: y.npy: 2 x 2 values, but X has 2 rows; one for each row is needed");
    drop(&b);
    b = npz_with("{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }\n", (double[]){0, NAN}, 16);
    expect_error(read_bytes(&b, "a.npz", NULL), ODIM_ERR_DATA, 2, 3,
                 "a.npz: row 2, column 'y': nan is not a label; labels are 1 (outlier) and 0 (inlier): "
                 "recode them, or "
                 "leave them out (--ignore y)");
    drop(&b);
    /* What is not needed is not read. */
    b = npz_with("{'descr': '|O', 'fortran_order': False, 'shape': (2,), }\n", "", 0);
    odim_read_options o = {.ignore = "y"};
    EXPECT_TABLE(read_bytes(&b, "a.npz", &o), 2, 2, 1, 2, 3, 4);
    expect_error(read_bytes(&b, "a.npz", NULL), ODIM_ERR_FORMAT, 0, 0,
                 "a.npz: y.npy: it is an object array, stored as pickled Python, and nothing in a file is "
                 "executed here; "
                 "save it as numbers: numpy.save(file, array.astype(float))");
    drop(&b);
}

TEST(npz_damaged)
{
    bytes b = npz_with("{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }\n", "\1\0", 2);
    size_t at = 0;
    while (memcmp(b.p + at, (float[]){1}, 4) != 0) at++; /* the first cell of X */
    b.p[at] ^= 1;
    expect_error(read_bytes(&b, "a.npz", NULL), ODIM_ERR_FORMAT, 0, 0,
                 "a.npz: X.npy: its checksum (CRC-32) is wrong: the file is damaged");
    drop(&b);
}

int main(void)
{
    RUN(npy_columns);
    RUN(npy_promises);
    RUN(npz_labels);
    RUN(npz_bad_labels);
    RUN(npz_damaged);
    return test_end();
}
