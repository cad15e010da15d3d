/* tests: text_rows text_read text_parts text_cells. Rows of CSV files. */
#include "prep/read.h"

#include "schemas.h"

TEST(csv)
{
    EXPECT_TABLE(READ_PLAIN("a,b\n1,2\n3,4\n"), 2, 2, 1, 2, 3, 4);
    EXPECT_TABLE(READ_PLAIN("1;2.5;1e3"), 1, 3, 1, 2.5, 1000);
    EXPECT_TABLE(READ_PLAIN("\xEF\xBB\xBF\"a\";\"b\"\r\n\"1\";\" 2 \"\r\n\r\n"), 1, 2, 1, 2);
    EXPECT_TABLE(READ_PLAIN("5\n6\n7"), 3, 1, 5, 6, 7);
    EXPECT_TABLE(READ("1,2\n3,4\n", .header = 1), 1, 2, 3, 4);
    EXPECT_TABLE(READ("1 2\n3 4\n", .delimiter = ' '), 2, 2, 1, 2, 3, 4);
    EXPECT_TABLE(READ("a,b,c,d\n1,x,0,4\n5,y,1,8\n", .label = "c", .id = "b"), 2, 2, 1, 4, 5, 8);
    EXPECT_TABLE(READ("a,b,c\n1,x,3\n", .ignore = NAMES("b")), 1, 2, 1, 3);
    EXPECT_TABLE(READ("a,b,c\n1,x,3\n", .only = NAMES("c")), 1, 1, 3);
}

TEST(names)
{
    odim_table *t = READ(" a ,\" b \",,c,key,y\n1,2,3,4,k1,0\n1,2,3,4,,1\n", .label = "y", .id = "5");
    REQUIRE(t);
    CHECK_STR(odim_table_name(t, 0), "a");
    CHECK_STR(odim_table_name(t, 1), " b ");
    CHECK_STR(odim_table_name(t, 2), "x3");
    CHECK_STR(odim_table_name(t, 3), "c");
    CHECK(odim_table_name(t, 4) == NULL);
    CHECK_STR(odim_table_label_name(t), "y");
    CHECK_STR(odim_table_id_name(t), "key");
    CHECK_STR(odim_table_id(t, 0), "k1");
    CHECK_STR(odim_table_id(t, 1), "");
    CHECK(odim_table_id(t, 2) == NULL);
    CHECK_INT(odim_table_labels(t)[0], 0);
    CHECK_INT(odim_table_labels(t)[1], 1);
    odim_table_free(t);
    t = READ("1,2,3\n", .ignore = NAMES("x1"));
    REQUIRE(t);
    CHECK_STR(odim_table_name(t, 0), "x2"); /* numbers are the file's */
    CHECK(odim_table_labels(t) == NULL && odim_table_id_name(t) == NULL && odim_table_id(t, 0) == NULL);
    odim_table_free(t);
}

TEST(labels)
{
    odim_table *t = READ("a,y\n1,0\n1,1\n1,0.0\n1,1e0\n1,true\n1,FALSE\n1, 1 \n", .label = "y");
    REQUIRE(t);
    static const int8_t want[] = {0, 1, 0, 1, 1, 0, 1};
    CHECK(memcmp(odim_table_labels(t), want, sizeof want) == 0);
    odim_table_free(t);
    EXPECT(ODIM_ERR_DATA, 2, 2,
           "t.csv: row 2 (line 3), column 'y': 'yes' is not a label; labels are 1 (outlier) and 0 (inlier): "
           "recode the "
           "column, or name another as the label",
           "a,y\n1,0\n1,yes\n", .label = "y");
    EXPECT(ODIM_ERR_DATA, 1, 2,
           "t.csv: row 1 (line 2), column 'y': '2' is not a label; labels are 1 (outlier) and 0 (inlier): "
           "recode the "
           "column, or name another as the label",
           "a,y\n1,2\n", .label = "y");
    EXPECT(ODIM_ERR_DATA, 1, 2,
           "t.csv: row 1 (line 2), column 'y': '' is not a label; labels are 1 (outlier) and 0 (inlier): "
           "recode the "
           "column, or name another as the label",
           "a,y\n1,\n", .label = "y");
}

TEST(known)
{
    odim_table *t = READ("a,k\n1,0\n2,1\n3,\n4,true\n5,NA\n6,?\n7,unsure\n8,FALSE\n", .known = "k",
                         .na = NAMES("unsure"));
    REQUIRE(t);
    static const int8_t want[] = {0, 1, -1, 1, -1, -1, -1, 0};
    CHECK(memcmp(odim_table_known(t), want, sizeof want) == 0);
    CHECK(!odim_table_labels(t));
    EXPECT_TABLE(t, 8, 1, 1, 2, 3, 4, 5, 6, 7, 8);
    EXPECT(
        ODIM_ERR_DATA, 2, 2,
        "t.csv: row 2 (line 3), column 'k': '2' is not what can be known of a row: 1 (outlier), 0 (inlier) "
        "or empty (not known)",
        "a,k\n1,0\n1,2\n", .known = "k");
}

TEST(csv_ragged)
{
    EXPECT(ODIM_ERR_DATA, 2, 0, "t.csv: row 2 (line 4): 1 field, expected 2", "a,b\n1,2\n\n3\n", .header = 0);
    EXPECT(ODIM_ERR_DATA, 2, 0, "t.csv: row 2 (line 2): 3 fields, expected 2", "1,2\n3,4,5\n",
           .delimiter = ',');
    EXPECT(ODIM_ERR_FORMAT, 2, 0, "t.csv: row 2 (line 3): the quote that opens here is never closed",
           "a,b\n1,2\n3,\"4\n", .header = 0);
}

TEST(types_are_found)
{
    odim_table *t =
        READ_PLAIN("n,b,t,c\n1,yes,2024-05-01,red\n2.5,no,1970-01-02,blue\n,?,NA,\n-1,YES,,red\n");
    REQUIRE(t);
    CHECK_INT(odim_table_type(t, 0), ODIM_NUMERIC);
    CHECK_INT(odim_table_type(t, 1), ODIM_BOOLEAN);
    CHECK_INT(odim_table_type(t, 2), ODIM_TIME);
    CHECK_INT(odim_table_type(t, 3), ODIM_CATEGORICAL);
    static const double want[] = {1, 1, 1714521600, 0, 2.5, 0, 86400, 1, NAN, NAN, NAN, NAN, -1, 1, NAN, 0};
    expect_table(t, 4, 4, want);
    expect_text(READ_PLAIN("n,b,t,c\n1,yes,2024-05-01 12:00,red\n,?,NA,\n"),
                "1|true|2024-05-01 12:00|red;|||");
    /* Numbers with a decimal comma, a mixture, a column without a value. */
    expect_text(READ_PLAIN("a;b;c\n12,5;1;\n3,25;x;\n"), "12.5|1|;3.25|x|");
}

/* The whole file decides, not its first rows. */
TEST(types_from_all_rows)
{
    bytes b = {0};
    put_text(&b, "a,b\n");
    for (int i = 0; i < 5000; i++) put_text(&b, "1,2\n");
    for (int i = 0; i < 600; i++) put_text(&b, "x,2\n");
    odim_table *t = read_bytes(&b, "t.csv", NULL);
    drop(&b);
    REQUIRE(t);
    CHECK_INT(odim_table_type(t, 0), ODIM_CATEGORICAL);
    CHECK_INT(odim_table_type(t, 1), ODIM_NUMERIC);
    CHECK_INT(odim_table_value(t, 0, 0), 0);
    CHECK_INT(odim_table_value(t, 5000, 0), 1);
    odim_table_free(t);
}

/* What nine cells in ten are not is taken for a mistake, and the first of them is shown. */
TEST(odd_cells)
{
    EXPECT_TABLE(READ_PLAIN("age;b\n1;2\n12,5;2\n"), 2, 2, 1, 2, 12.5, 2);
    EXPECT(
        ODIM_ERR_DATA, 2, 2,
        "t.csv: row 2 (line 4), column 'b': '4..5' is not a number, but nearly all other cells of the column "
        "are; correct it, count it as missing (set na), take the column as a category (set categorical), or "
        "tolerate bad rows (set bad_rows)",
        "a,b\n\n1,2\n3,4..5\n1,3\n1,4\n1,5\n1,6\n1,7\n1,8\n1,9\n1,10\n", .header = 0);
    EXPECT(
        ODIM_ERR_DATA, 10, 1,
        "t.csv: row 10 (line 10), column 'x1': 'soon' is not an ISO 8601 date or time, but nearly all other "
        "cells of the column are; correct it, count it as missing (set na), take the column as a "
        "category (set categorical), or tolerate bad rows (set bad_rows)",
        "2024-01-01\n2024-01-02\n2024-01-03\n2024-01-04\n2024-01-05\n2024-01-06\n2024-01-07\n2024-01-08\n"
        "2024-01-09\nsoon\n",
        .header = -1);
    const char *mixed = "a\n1\n2\n3\n4\n5\n6\n7\n8\n9\nx\n";
    expect_text(READ(mixed, .na = NAMES("x")), "1;2;3;4;5;6;7;8;9;");
    expect_text(READ(mixed, .categorical = NAMES("a")), "1;2;3;4;5;6;7;8;9;x");
    /* The format that the others have is part of the message. */
    EXPECT(
        ODIM_ERR_DATA, 10, 1,
        "t.csv: row 10 (line 11), column 'my age': '7.5 kg' is not a number (decimal comma, kg), but nearly "
        "all other cells of the column are; correct it, count it as missing (set na), take the column as a "
        "category (set categorical), or tolerate bad rows (set bad_rows)",
        "my age\n1,5 kg\n2 kg\n3 kg\n4 kg\n5 kg\n6 kg\n7 kg\n8 kg\n9 kg\n7.5 kg\n", .header = 0,
        .delimiter = ';');
}

TEST(numbers_that_are_none)
{
    EXPECT(ODIM_ERR_DATA, 1, 2,
           "t.csv: row 1 (line 2), column 'b': '-Inf' is not a finite number; correct it, or count it as "
           "missing (set na)",
           "a,b\n1,-Inf\n", .header = 0);
    EXPECT(ODIM_ERR_DATA, 1, 2,
           "t.csv: row 1 (line 2), column 'b': '1e400' is too large for a number of 64 bits",
           "a,b\n1,1e400\n", .header = 0);
    EXPECT_TABLE(READ("a,b\n1,-Inf\n", .na = NAMES("-Inf")), 1, 2, 1, NAN);
    EXPECT_TABLE(READ_PLAIN("a,b\n1,nan\n2,-nan\n3,NaN\n"), 3, 2, 1, NAN, 2, NAN, 3, NAN);
}

TEST(types_that_are_wanted)
{
    EXPECT(ODIM_ERR_DATA, 2, 1, "t.csv: row 2 (line 3), column 'a': 'x' is not a number", "a,b\n1,2\nx,3\n",
           .numeric = NAMES("a"));
    EXPECT(ODIM_ERR_DATA, 2, 1, "t.csv: row 2 (line 3), column 'a': '2' is not true or false",
           "a,b\n1,2\n2,3\n", .boolean = NAMES("a"));
    EXPECT(ODIM_ERR_DATA, 1, 1, "t.csv: row 1 (line 2), column 'a': '1' is not an ISO 8601 date or time",
           "a,b\n1,2\n2,3\n", .time = NAMES("a"));
    EXPECT(ODIM_ERR_PARAM, 0, 1, "t.csv: column 'a' cannot be both numeric and categorical",
           "a,b\n1,2\n2,3\n", .numeric = NAMES("a"), .categorical = NAMES("a"));
    expect_text(READ("a,b\n1,2\n01,2\n0,\n", .categorical = NAMES("a"), .numeric = NAMES("b")),
                "1|2;01|2;0|");
    expect_text(READ("a\n1\n0\nTrue\n\"no\"\nNA\n", .boolean = NAMES("1")), "true;false;true;false;");
}

/* Blanks around a word do not make another word; between quotes they do, unless there is nothing else. */
TEST(words)
{
    odim_table *t =
        READ_PLAIN("c,d\nred , x\n red,\" x\"\n\"red\",x\n\"  \",x\n\"NA\",x\n\"a\"\"b\",\"1,2\"\n");
    REQUIRE(t);
    CHECK_INT(od_levels_count(&t->col[0].levels), 2);
    CHECK_INT(od_levels_count(&t->col[1].levels), 3);
    expect_text(t, "red|x;red| x;red|x;|x;|x;a\"b|1,2");
    EXPECT_TABLE(READ_PLAIN("a,b\n\"1\",\" 2 \"\n\"\",\"3\"\n"), 2, 2, 1, 2, NAN, 3);
    EXPECT_TABLE(READ_PLAIN("\xEF\xBB\xBFt,b\r\n2024-05-01\t,1\r\n 1970-01-01,\r\n"), 2, 2, 1714521600, 1, 0,
                 NAN);
}

/* Names and cells that would spoil a message are shown harmless, and cut. */
TEST(ugly_cells)
{
    EXPECT(ODIM_ERR_DATA, 2, 2,
           "t.csv: row 2 (line 3), column 'b\xC3\xA9\\x1b': '\xC3\xA9\\x1b[31m' is not a number",
           "a,b\xC3\xA9\x1b\n1,2\n3,\xC3\xA9\x1b[31m\n", .header = 1, .numeric = NAMES("2"));
    EXPECT(ODIM_ERR_DATA, 2, 2, /* what is not UTF-8 is Windows-1252 */
           "t.csv: row 2 (line 3), column 'b\xC3\xA9\\x1b': '\xC3\xA9\\x1b[31m\xC3\x83' is not a number",
           "a,b\xE9\x1b\n1,2\n3,\xE9\x1b[31m\xC3\n", .header = 1, .numeric = NAMES("2"));
    char text[3000] = "a,";
    memset(text + 2, 'n', 1000);
    strcat(text, "\n1,2\n3,");
    memset(text + strlen(text), '=', 1000);
    EXPECT(ODIM_ERR_DATA, 2, 2,
           "t.csv: row 2 (line 3), column 'nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn...': "
           "'====================================...' is not a number",
           text, .numeric = NAMES("2"));
}

/* The longest message there can be still ends with its advice. */
TEST(long_message)
{
    bytes b = {0};
    char many[1001], name[1001];
    memset(many, 'n', 1000);
    many[1000] = '\0';
    memset(name, 'f', 1000);
    name[1000] = '\0';
    put_text(&b, many);
    put_text(&b, "\n");
    for (int i = 0; i < 9; i++) put_text(&b, "1\n");
    put_text(&b, many);
    CHECK(read_bytes(&b, name, NULL) == NULL);
    size_t len = strlen(err.msg);
    CHECK(len > 32 && strcmp(err.msg + len - 32, "tolerate bad rows (set bad_rows)") == 0);
    drop(&b);
}

TEST(nothing_to_read)
{
    EXPECT(ODIM_ERR_DATA, 0, 0, "t.csv: the file is empty", "", .header = 0);
    EXPECT(ODIM_ERR_DATA, 0, 0, "t.csv: the file is empty", "\n \r\n\n", .header = 0);
    EXPECT(ODIM_ERR_DATA, 0, 0, "t.csv: the file is empty", "\xEF\xBB\xBF", .header = 0);
    EXPECT(ODIM_ERR_DATA, 0, 0, "t.csv: there is a header and no rows below it", "a,b\n", .header = 0);
    EXPECT(ODIM_ERR_DATA, 0, 0, "t.csv: there is a header and no rows below it", "1,2\n", .header = 1);
    EXPECT(ODIM_ERR_DATA, 0, 0,
           "t.csv: no feature column is left: of 2, all are the label, the id, what is known or ignored",
           "a,b\n1,2\n", .ignore = NAMES("a", "b"));
    EXPECT(ODIM_ERR_DATA, 0, 0, "t.csv: the file is empty", "", .format = "npz");
}

TEST(columns_that_are_not_there)
{
    EXPECT(ODIM_ERR_DATA, 0, 0, "t.csv: there is no column 'z'; there are a, b", "a,b\n1,2\n", .label = "z");
    EXPECT_TABLE(READ("a,a\n1,2\n", .ignore = NAMES("a")), 1, 1, 2); /* the other is "a (2)" */
    EXPECT_TABLE(READ("a,a\n1,2\n", .ignore = NAMES("a (2)")), 1, 1, 1);
    EXPECT(ODIM_ERR_PARAM, 0, 2, "t.csv: column 'b' cannot be both the label and the id", "a,b\n1,2\n",
           .label = "b", .id = "b");
}

/* The message comes from the first line, before anything else is looked at. */
TEST(too_many_columns)
{
    bytes b = {0};
    for (int i = 0; i < 100000; i++) put_text(&b, i ? ",1" : "1");
    put_text(&b, "\nx\n");
    expect_error(read_bytes(&b, "wide.csv", NULL), ODIM_ERR_DATA, 0, 0,
                 "wide.csv: 100000 feature columns; at most 16384 can be used: choose some (set only or "
                 "ignore) or reduce "
                 "the dimension first");
    b.len -= 2;
    odim_read_options o = {.size = sizeof(odim_read_options), .only = NAMES("7", "100000")};
    EXPECT_TABLE(read_bytes(&b, "wide.csv", &o), 1, 2, 1, 1);
    drop(&b);
}

/* More rows than the first allocation holds, with labels and ids. */
TEST(many_rows)
{
    enum { N = 50000 };
    bytes b = {0};
    char line[100];
    put_text(&b, "id,a,b,y\n");
    for (int i = 0; i < N; i++) {
        snprintf(line, sizeof line, "row%d,%d,%d.25,%d\n", i, 3 * i, -i, i % 3 == 0);
        put_text(&b, line);
    }
    odim_read_options o = {.size = sizeof(odim_read_options), .id = "id", .label = "y"};
    odim_table *t = read_bytes(&b, "t.csv", &o);
    drop(&b);
    REQUIRE(t);
    CHECK_INT(t->n, N);
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        snprintf(line, sizeof line, "row%d", i);
        wrong += odim_table_value(t, i, 0) != 3 * i || odim_table_value(t, i, 1) != -i + (i ? -0.25 : 0.25) ||
                 t->labels[i] != (i % 3 == 0) || strcmp(odim_table_id(t, i), line) != 0;
    }
    CHECK_INT(wrong, 0);
    odim_table_free(t);
}

/* ---- blocks --------------------------------------------------------------------------------------- */

static const char mixed[] = "id,n,c,t,b,y\n"
                            "r1,1,red,2024-05-01,yes,0\n"
                            "r2,,\"blue, dark\",2024-05-02T10:00,no,1\n"
                            "\n"
                            "r3,3.5,red,,no,0\r\n"
                            "r4,1e9,,2024-05-03,yes,0\n"
                            "r5,-2,green,2024-05-04,,0\n"
                            "\"r\n6\",NA,red,2024-05-05,yes,0\n"
                            "r7,7,blue,2024-05-06,yes,1\n"
                            "r8,8,violet,2024-05-07,yes,0";
enum { MIXED_ROWS = 8 };

/* The same rows, block by block; `at_most` tables of them. */
static void expect_blocks(const odim_table *all, const odim_read_options *o, const od_schema *like,
                          int64_t most)
{
    odim_reader *r;
    const odim_table *block = NULL;
    int64_t rows = 0;
    REQUIRE(!od_reader_open(&r, "t.csv", mixed, strlen(mixed), o, like, &err));
    while (!odim_reader_next(r, most, &block, &err) && block->n) {
        CHECK(block->n <= most && block->first == rows && od_table_row(block, 0) == rows + 1);
        if (!same_rows(all, rows, block))
            TEST_SAY("blocks of %d: other rows from %d on", (int)most, (int)rows);
        rows += block->n;
    }
    CHECK_INT(rows, odim_table_rows(all));
    CHECK(block && block->n == 0);
    CHECK(!odim_reader_next(r, most, &block, &err) && block->n == 0); /* the end stays the end */
    odim_reader_free(r);
}

TEST(blocks)
{
    odim_read_options o = {.size = sizeof(odim_read_options), .label = "y", .id = "id", .keep = 1};
    odim_table *all;
    REQUIRE(!odim_table_read_memory(&all, mixed, strlen(mixed), "t.csv", &o, &err));
    CHECK_INT(odim_table_rows(all), MIXED_ROWS);
    CHECK_INT(odim_table_kept_cols(all), 6);
    CHECK_STR(odim_table_kept_name(all, 2), "c");
    CHECK(!odim_table_kept_name(all, 6) && !odim_table_kept(all, 0, 6) && !odim_table_kept(all, 8, 0));
    CHECK_STR(odim_table_kept(all, 1, 2), "blue, dark");
    CHECK_STR(odim_table_kept(all, 1, 1), "");
    CHECK_STR(odim_table_kept(all, 5, 0), "r\n6");
    CHECK_STR(odim_table_kept(all, 5, 1), "NA");
    CHECK_STR(odim_table_id(all, 5), "r\n6");
    static const int64_t sizes[] = {1, 2, 7, 8, 9, INT64_MAX};
    for (int i = 0; i < 6; i++) expect_blocks(all, &o, NULL, sizes[i]);
    odim_table_free(all);
}

/* A block after the first has the row numbers of the file in its messages. */
TEST(mistake_in_a_later_block)
{
    odim_reader *r;
    const odim_table *block;
    const char *text = "a,b\n1,2\n\n3,4\n5,x\n";
    odim_read_options o = {.size = sizeof(odim_read_options), .numeric = NAMES("a", "b")};
    REQUIRE(!od_reader_open(&r, "t.csv", text, strlen(text), &o, NULL, &err));
    REQUIRE(!odim_reader_next(r, 2, &block, &err) && block->n == 2);
    CHECK_INT(odim_reader_next(r, 2, &block, &err), ODIM_ERR_DATA);
    CHECK(!block);
    CHECK_STR(err.msg, "t.csv: row 3 (line 5), column 'b': 'x' is not a number");
    CHECK(err.row == 2 && err.col == 1);
    odim_reader_free(r);
}

/* ---- for a model ---------------------------------------------------------------------------------- */

TEST(like_a_model)
{
    odim_table *t = READ("n,c,k\n1,red,7\n2,blue,7\n3,red,7\n4,blue,7\n", .header = 1);
    od_schema s;
    REQUIRE(t && !make_schema(&s, t, OD_SCALE_MINMAX));
    odim_table_free(t);
    /* Another order, a column that is not known, levels in another order, numbers as levels. */
    const char *text = "more,c,n\nq,blue,1\nq,,\nq,7,3\nq,red,4\n";
    REQUIRE(!od_read_table(&t, "t.csv", text, strlen(text), NULL, &s, &err));
    CHECK_STR(odim_table_note(t, 0), "column 'more' is not in the model: ignored");
    CHECK(!odim_table_note(t, 1));
    CHECK_STR(odim_table_name(t, 0), "n");
    CHECK_STR(odim_table_name(t, 1), "c");
    static const double want[] = {1, 0, NAN, NAN, 3, 2, 4, 1}; /* blue 0, red 1: the model's codes */
    expect_table(t, 4, 2, want);
    const char *wrong = "c,n\nblue,x\n";
    CHECK_INT(od_read_table(&t, "t.csv", wrong, strlen(wrong), NULL, &s, &err), ODIM_ERR_DATA);
    CHECK_STR(err.msg, "t.csv: row 1 (line 2), column 'n': 'x' is not a number");
    const char *few = "n\n1\n";
    CHECK_INT(od_read_table(&t, "t.csv", few, strlen(few), NULL, &s, &err), ODIM_ERR_DATA);
    CHECK_STR(err.msg, "t.csv: the model needs column 'c', which is not there");
    od_schema_free(&s);
}

/* A line that names a column of the model is a header, also where its other names are numbers. */
TEST(header_of_a_model)
{
    odim_table *t = READ("c,2019\nred,1\nblue,1\nred,x\nblue,x\n", .header = 1);
    od_schema s;
    REQUIRE(t && !make_schema(&s, t, OD_SCALE_MINMAX));
    odim_table_free(t);
    const char *text = "2019, c ,-1.5\n7,red,0\nx,\"blue\",0\n";
    REQUIRE(!od_read_table(&t, "t.csv", text, strlen(text), NULL, &s, &err));
    expect_text(t, "red|7;blue|x");
    const char *ragged = "2019,c\n7,red\nx\n";
    CHECK_INT(od_read_table(&t, "t.csv", ragged, strlen(ragged), NULL, &s, &err), ODIM_ERR_DATA);
    CHECK_STR(err.msg, "t.csv: row 2 (line 3): 1 field, expected 2");
    const char *nameless = "red,7\nblue,8\n"; /* no name of the model: data, in its order */
    REQUIRE(!od_read_table(&t, "t.csv", nameless, strlen(nameless), NULL, &s, &err));
    expect_text(t, "red|7;blue|8");
    od_schema_free(&s);
}

/* Levels that a model does not know are forgotten with their block: a stream may have any number of them. */
TEST(unknown_levels_do_not_pile_up)
{
    odim_table *t = READ("n,c\n1,red\n2,blue\n3,red\n4,blue\n", .header = 1);
    od_schema s;
    REQUIRE(t && !make_schema(&s, t, OD_SCALE_MINMAX));
    odim_table_free(t);
    bytes b = {0};
    char line[40];
    put_text(&b, "n,c\n");
    for (int i = 0; i < 200; i++) {
        snprintf(line, sizeof line, "%d,%s%d\n", i, i % 10 ? "new" : "old", i % 10 ? i : 0);
        put_text(&b, line);
        put_text(&b, "0,blue\n");
    }
    odim_reader *r;
    const odim_table *block;
    REQUIRE(!od_reader_open(&r, "t.csv", b.p, b.len, NULL, &s, &err));
    int blocks = 0;
    for (; !odim_reader_next(r, 2, &block, &err) && block->n; blocks++) {
        CHECK_INT(od_levels_count(&block->col[1].levels), 3);
        CHECK_INT(odim_table_value(block, 0, 1), 2);
        CHECK_INT(odim_table_value(block, 1, 1), 0);
    }
    CHECK_INT(blocks, 200);
    odim_reader_free(r);
    od_schema_free(&s);
    drop(&b);
}

TEST(blocks_like_a_model)
{
    odim_read_options o = {.size = sizeof(odim_read_options), .label = "y", .id = "id", .keep = 1};
    odim_table *all, *like;
    od_schema s;
    REQUIRE(!odim_table_read_memory(&all, mixed, strlen(mixed), "t.csv", &o, &err) &&
            !make_schema(&s, all, OD_SCALE_MINMAX));
    REQUIRE(!od_read_table(&like, "t.csv", mixed, strlen(mixed), &o, &s, &err));
    CHECK(same_rows(all, 0, like));
    static const int64_t sizes[] = {1, 2, 7, 8};
    for (int i = 0; i < 4; i++) expect_blocks(like, &o, &s, sizes[i]);
    odim_table_free(all);
    odim_table_free(like);
    od_schema_free(&s);
}

int main(void)
{
    RUN(csv);
    RUN(names);
    RUN(labels);
    RUN(known);
    RUN(csv_ragged);
    RUN(types_are_found);
    RUN(types_from_all_rows);
    RUN(odd_cells);
    RUN(numbers_that_are_none);
    RUN(types_that_are_wanted);
    RUN(words);
    RUN(ugly_cells);
    RUN(long_message);
    RUN(nothing_to_read);
    RUN(columns_that_are_not_there);
    RUN(too_many_columns);
    RUN(many_rows);
    RUN(blocks);
    RUN(mistake_in_a_later_block);
    RUN(like_a_model);
    RUN(header_of_a_model);
    RUN(unknown_levels_do_not_pile_up);
    RUN(blocks_like_a_model);
    return test_end();
}
