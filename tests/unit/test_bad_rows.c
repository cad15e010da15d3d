/* tests: text_read. Rows that cannot be parsed at the beginning of a file, where its layout is found. */
#include "prep/read.h"
#include "schemas.h"
#include "starve.h"

#define SKIP(text) READ(text, .bad_rows = ODIM_BAD_ROWS_SKIP)
#define CALL(text) READ(text, .bad_rows = ODIM_BAD_ROWS_CALL)

static const char QUOTE[] = "text after a closing quote; a quote inside a quoted field is written twice";

static void expect_note(const odim_table *t, size_t i, const char *place, const char *what)
{
    char want[200];
    snprintf(want, sizeof want, "%s%s", place, what);
    REQUIRE(t && t->notes.count > i);
    CHECK_STR(od_strlist_at(&t->notes, i), want);
}

TEST(below_a_header)
{
    odim_table *t = SKIP("a,b\n1,\"x\"y\n3,4\n5,6\n");
    expect_note(t, 0, "skipped: row 1 (line 2): ", QUOTE);
    CHECK_INT(od_table_row(t, 0), 2);
    expect_table(t, 2, 2, (double[]){3, 4, 5, 6});
    expect_table(CALL("a,b\n1,\"x\"y\n3,4\n5,6\n"), 3, 2, (double[]){NAN, NAN, 3, 4, 5, 6});
    expect_table(SKIP("a,b\n1,\"x\"y\n,\"x\"y\n3,4\n5,6\n"), 2, 2, (double[]){3, 4, 5, 6});
    expect_error(READ("a,b\n1,\"x\"y\n3,4\n5,6\n", .header = 0), ODIM_ERR_FORMAT, 1, 0,
                 "t.csv: row 1 (line 2): text after a closing quote; a quote inside a quoted field is "
                 "written twice");
}

/* The other rows say how many columns there are. */
TEST(without_header)
{
    odim_table *t = SKIP("1,\"x\"y\n3,4\n5,6\n");
    expect_note(t, 0, "skipped: row 1 (line 1): ", QUOTE);
    expect_table(t, 2, 2, (double[]){3, 4, 5, 6});
    expect_table(CALL("1,\"x\"y\n3,4\n5,6\n"), 3, 2, (double[]){NAN, NAN, 3, 4, 5, 6});
    t = SKIP("\"x\"y\n\"x\"y\n3,4\n5,6\n");
    CHECK_INT(t ? t->skipped : 0, 2);
    expect_table(t, 2, 2, (double[]){3, 4, 5, 6});
    t = SKIP("1,2,3\n3,4\n5,6\n7,8\n");
    expect_note(t, 0, "skipped: row 1 (line 1): 3 fields, expected 2", "");
    expect_table(t, 3, 2, (double[]){3, 4, 5, 6, 7, 8});
    expect_error(SKIP("\"x\"y\n"), ODIM_ERR_FORMAT, 1, 0,
                 "t.csv: row 1 (line 1): text after a closing quote; a quote inside a quoted field is "
                 "written twice");
}

/* Above a header it is not a row. A header that the caller promises must be sound. */
TEST(above_a_header)
{
    odim_table *t = SKIP("\"x\"y\na,b\n3,4\n5,6\n");
    expect_note(t, 0, "1 line above the table is skipped", "");
    CHECK_INT(t ? t->skipped : 1, 0);
    CHECK_STR(odim_table_name(t, 1), "b");
    expect_table(t, 2, 2, (double[]){3, 4, 5, 6});
    expect_error(READ("\"x\"y\na,b\n3,4\n", .header = 1, .bad_rows = ODIM_BAD_ROWS_SKIP), ODIM_ERR_FORMAT, 0,
                 0,
                 "t.csv: header (line 1): text after a closing quote; a quote inside a quoted field is "
                 "written twice");
}

TEST(headers_of_two_lines)
{
    odim_table *t = READ("t,u\ns,m/s\n1,2\n3,4\n5,7\n", .id = "");
    expect_note(t, 0, "line 2 is the second of the header: it is skipped", "");
    CHECK_STR(odim_table_name(t, 1), "u");
    CHECK_INT(od_table_row(t, 0), 1);
    expect_table(t, 3, 2, (double[]){1, 2, 3, 4, 5, 7});
    t = READ("Sales,,Costs,\nold,new,old,new\n1,2,3,4\n5,6,7,8\n9,1,2,3\n", .id = "");
    expect_note(t, 0, "line 2 is the second of the header: its names are joined with those above", "");
    CHECK_STR(odim_table_name(t, 1), "Sales new");
    CHECK_STR(odim_table_name(t, 2), "Costs old");
    expect_table(t, 3, 4, (double[]){1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3});
}

/* Lines of one text behind the last row are not rows. */
TEST(below_the_table)
{
    odim_table *t = READ("a,b\n1,2\n3,4\n\nSource: the office\n\"Note\n2\"\n", .id = "");
    expect_note(t, 0, "2 lines below the table are skipped", "");
    expect_table(t, 2, 2, (double[]){1, 2, 3, 4});
    t = READ("a,b\n1,2\n3,4\nend\n", .id = "");
    expect_note(t, 0, "1 line below the table is skipped", "");
    odim_table_free(t);
    static const char *const bad[] = {"a,b\n1,2\n3,4\n\ntext\n5,6\n", "a,b\n1,2\n3,4\n\n7\n",
                                      "a,b\n1,2\n3,4\n\ntext\n\"x\"y\n"};
    for (size_t i = 0; i < 3; i++)
        expect_error(READ(bad[i], .id = ""), ODIM_ERR_DATA, 3, 0,
                     "t.csv: row 3 (line 5): 1 field, expected 2");
    t = SKIP("a,b\n1,2\n3,4\nend\n");
    expect_note(t, 0, "skipped: row 3 (line 4): 1 field, expected 2", "");
    odim_table_free(t);
}

/* A model that was fitted on rows without a header takes a broken first row for what it is. */
TEST(with_a_model)
{
    od_schema s;
    odim_table *t = READ_PLAIN("1,2\n3,5\n4,4\n"), *again;
    odim_read_options o = {.size = sizeof o, .bad_rows = ODIM_BAD_ROWS_SKIP};
    static const char *const texts[] = {"w,w,w\n1,2\n3,4\n", "\"x\"y\n1,2\n3,4\n"};
    REQUIRE(t && !make_schema(&s, t, OD_SCALE_MINMAX));
    odim_table_free(t);
    for (size_t i = 0; i < 2; i++) {
        REQUIRE(!od_read_table(&again, "t.csv", texts[i], strlen(texts[i]), &o, &s, &err));
        CHECK_INT(again->skipped, 1);
        expect_table(again, 2, 2, (double[]){1, 2, 3, 4});
    }
    /* All rows have that width: it is a header. */
    static const char wide[] = "u,v,w\n1,2,3\n4,5,6\n";
    REQUIRE(!od_read_table(&again, "t.csv", wide, sizeof wide - 1, &o, &s, &err));
    CHECK_INT(again->skipped, 0);
    odim_table_free(again);
    od_schema_free(&s);
}

TEST(out_of_memory)
{
    static const char text[] = "\"x\"y\n\"x\"y\na,\nb,c\n3,4\n5,6\n6,8\n5,\"x\"y\n";
    odim_read_options o = {.size = sizeof o, .bad_rows = ODIM_BAD_ROWS_CALL};
    odim_status status;
    EACH_ALLOCATION_FAILS_BUT(status, 10, 1)
    {
        odim_table *t;
        status = odim_table_read_memory(&t, text, sizeof text - 1, "t.csv", &o, &err);
        odim_table_free(t);
    }
}

int main(void)
{
    RUN(below_a_header);
    RUN(without_header);
    RUN(above_a_header);
    RUN(headers_of_two_lines);
    RUN(below_the_table);
    RUN(with_a_model);
    RUN(out_of_memory);
    return test_end();
}
