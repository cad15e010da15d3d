/* Tables that databases print for people. */
#include "io/csv_rules.h"

#include "schemas.h"

#define PSQL " id |  name   | v \n----+---------+---\n  1 | ann lee | 5\n  2 |         | 7\n(2 rows)\n\n"
#define MYSQL                                                                                                \
    "+----+------+\n| id | v    |\n+----+------+\n|  1 |  2.5 |\n|  3 | NULL |\n+----+------+\n2 rows in "   \
    "set\n"
#define MARKDOWN "| id | v |\n|:---|--:|\n| 1  | 2 |\n| 3  | 4 |\n"
#define SQLCMD   "a    b        \n---- -------- \n   1      2.5 \n   3      4.5 \n\n(2 rows affected)\n"

/* "delimiter bars", or "" where nothing is found. */
static const char *find(const char *text)
{
    static char shown[8];
    od_csv_rules r = od_csv_find_rules(text, strlen(text));
    snprintf(shown, sizeof shown, "%c%s", r.delimiter, r.bars ? " bars" : "");
    return r.found ? shown : "";
}

TEST(finds_rules)
{
    CHECK_STR(find(PSQL), "|");
    CHECK_STR(find(MYSQL), "| bars");
    CHECK_STR(find(MARKDOWN), "| bars");
    CHECK_STR(find("a|b\r\n--|--\r\n1|2\r\n"), "|");
    CHECK_STR(find(SQLCMD), " ");
    CHECK_STR(find(""), "");
    CHECK_STR(find("a|b"), "");
    CHECK_STR(find("---"), "");
    CHECK_STR(find("a|b\n1|2\n"), "");
    CHECK_STR(find("a|b\n-|\n1|2\n"), "");      /* a missing cell */
    CHECK_STR(find("a\n---\n1\n"), "");         /* a row of one column */
    CHECK_STR(find("---+---\na|b\n1|2\n"), ""); /* a title that is underlined by nothing */
    CHECK_STR(find("a,b\n--,--\n"), "");
    CHECK_STR(find("--|--\n--|--\n1|2\n"), "");
}

TEST(tables)
{
    expect_text(READ(PSQL, .id = ""), "1|ann lee|5;2||7");
    expect_text(READ(MYSQL, .id = ""), "1|2.5;3|");
    expect_text(READ(MARKDOWN, .id = ""), "1|2;3|4");
    expect_text(READ(SQLCMD, .id = ""), "1|2.5;3|4.5");
    odim_table *t = READ(PSQL, .keep = 1, .id = "name");
    REQUIRE(t);
    CHECK_STR(odim_table_kept_name(t, 1), "name");
    CHECK_STR(odim_table_kept(t, 0, 1), "ann lee");
    CHECK_STR(odim_table_id(t, 1), "");
    odim_table_free(t);
    /* A row that does not fit is still one. */
    expect_error(READ("| a | b |\n|---|---|\n| 1 | 2 |\n| 3 |\n", .header = 0), ODIM_ERR_DATA, 2, 0,
                 "t.csv: row 2 (line 4): 1 field, expected 2");
    /* Another delimiter that the caller gives. */
    EXPECT_TABLE(READ("a,b\n1,2\n3,4\n", .delimiter = ','), 2, 2, 1, 2, 3, 4);
}

TEST(drawn)
{
    expect_error(READ("\xE2\x94\x8C\xE2\x94\x80\n\xE2\x94\x82 1\n", .header = 0), ODIM_ERR_FORMAT, 0, 0,
                 "t.csv: it is a table drawn with lines for people; let the program that drew it write CSV");
    CHECK(!od_csv_is_drawn("\xE2\x94", 2) && !od_csv_is_drawn("abc", 3));
}

TEST(markup)
{
    expect_error(READ("\n<!DOCTYPE html>\n<html><body>Log in</body></html>\n", .header = 0), ODIM_ERR_FORMAT,
                 0, 0, "t.csv: it is a web page or XML, not a table; export the table as CSV");
    CHECK(od_csv_is_markup("<HTML lang=en>", 14) && od_csv_is_markup("<?xml", 5));
    CHECK(!od_csv_is_markup("<5,>6", 5) && !od_csv_is_markup("", 0));
}

TEST(rules)
{
    CHECK(od_csv_is_rule_line("--", 2) && od_csv_is_rule_line("+==+", 4) &&
          od_csv_is_rule_line(" |:-|-:|", 8));
    CHECK(!od_csv_is_rule_line("-", 1) && !od_csv_is_rule_line("--a", 3) && !od_csv_is_rule_line("--\0", 3));
    CHECK(!od_csv_is_rule_line("", 0) && !od_csv_is_rule_line("| |", 3));
}

int main(void)
{
    RUN(finds_rules);
    RUN(tables);
    RUN(drawn);
    RUN(markup);
    RUN(rules);
    return test_end();
}
