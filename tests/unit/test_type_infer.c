/* tests: type_infer. Inferring column types. */
#include "prep/type_infer.h"

#include "test.h"

static odim_error err;
static const od_strlist none;

/* The type of a column of these cells, between '|'; "?" and the first odd cell behind it. */
static const char *judge(const char *cells, const od_strlist *na)
{
    static char out[100];
    od_type_votes t = {0};
    odim_type type;
    int64_t row = 1;
    for (const char *p = cells;; row++) {
        size_t len = strcspn(p, "|");
        od_type_votes_add(&t, p, len, na, row, row + 1);
        if (!p[len]) break;
        p += len + 1;
    }
    const od_odd_cell *odd = od_type_votes_decide(&t, &type);
    if (odd)
        snprintf(out, sizeof out, "%s?%s at %d, %d", odim_type_text(type), odd->text, (int)odd->row,
                 (int)odd->line);
    else
        snprintf(out, sizeof out, "%s", odim_type_text(type));
    return out;
}

TEST(kinds)
{
    CHECK_STR(judge("1|2.5|-1e9", &none), "numeric");
    CHECK_STR(judge("0|1|1", &none), "numeric");
    CHECK_STR(judge("1|inf|1e999", &none), "numeric"); /* refused when they are read */
    CHECK_STR(judge("true|False|TRUE", &none), "boolean");
    CHECK_STR(judge("yes| no ", &none), "boolean");
    CHECK_STR(judge("on|off|yes", &none), "boolean");
    CHECK_STR(judge("y|n", &none), "categorical");
    CHECK_STR(judge("true|false|maybe", &none), "categorical");
    CHECK_STR(judge("true|1|0", &none), "categorical");
    CHECK_STR(judge("2024-05-01|2024-05-01T10:00", &none), "time");
    CHECK_STR(judge("2024-05-01|1|2", &none), "categorical");
    CHECK_STR(judge("red|blue", &none), "categorical");
    CHECK_STR(judge("1|red", &none), "categorical");
}

TEST(missing)
{
    static const char *const yes[] = {"",     " ",    "\t ",  "NA",   "n/a",    "NaN", "-nan",
                                      "+NAN", "null", "None", "?",    " ? ",    "-",   "missing",
                                      "\r\n", "nil",  "#N/A", "<NA>", " NULL\t"};
    static const char *const no[] = {"0", "NAN2", "na na", "--", "nope", "inf", "nanx"};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        if (!od_cell_is_missing(yes[i], strlen(yes[i]), &none)) TEST_SAY("'%s' is there", yes[i]);
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        if (od_cell_is_missing(no[i], strlen(no[i]), &none)) TEST_SAY("'%s' is missing", no[i]);
    CHECK_STR(judge("1||NA|nan|2", &none), "numeric");
    CHECK_STR(judge("||", &none), "numeric"); /* nothing says otherwise */
    CHECK_STR(judge("|yes|?", &none), "boolean");
    CHECK_STR(judge("|2024-05-01|null", &none), "time");
    CHECK_STR(judge("|red", &none), "categorical");
}

TEST(further_missing)
{
    od_strlist na = {0};
    REQUIRE(!od_cell_na(&na, NAMES("-999", " unknown ", "x y", "", "Inf"), &err));
    CHECK_INT(na.count, 5);
    CHECK(od_cell_is_missing("-999", 4, &na));
    CHECK(od_cell_is_missing("  -999 ", 7, &na));
    CHECK(od_cell_is_missing("unknown", 7, &na));
    CHECK(od_cell_is_missing("x y", 3, &na));
    CHECK(od_cell_is_missing("Inf", 3, &na));
    CHECK(!od_cell_is_missing("inf", 3, &na)); /* as it is written */
    CHECK(!od_cell_is_missing("-999.0", 6, &na));
    CHECK(!od_cell_is_missing("Unknown", 7, &na));
    CHECK_STR(judge("1|-999|unknown|2", &na), "numeric");
    CHECK_STR(judge("yes|-999|no", &na), "boolean");
    double v = 0;
    CHECK(od_cell_parse(ODIM_NUMERIC, "-999", 4, &na, &v) && isnan(v));
    CHECK(od_cell_parse(ODIM_NUMERIC, "-998", 4, &na, &v) && v == -998);
    CHECK(od_cell_parse(ODIM_NUMERIC, "Inf", 3, &na, &v) && isnan(v));
    CHECK(!od_cell_parse(ODIM_NUMERIC, "inf", 3, &na, &v));
    od_strlist_free(&na);
    REQUIRE(!od_cell_na(&na, NULL, &err));
    CHECK_INT(na.count, 0);
    od_strlist_free(&na);
}

TEST(nine_in_ten)
{
    CHECK_STR(judge("1|2|3|4|5|6|7|8|9|x", &none), "numeric?x at 10, 11");
    CHECK_STR(judge("1|2|3|4|5|6|7|8|x", &none), "categorical"); /* eight of nine */
    CHECK_STR(judge("1|2|x|4|5|6|7|8|9|10|11|12|13|14|15|16|17|18|19|y", &none), "numeric?x at 3, 4");
    CHECK_STR(judge("1|2|x|4|5|6|7|8|9|10|11|12|13|14|15|16|17|z|19|y", &none), "categorical");
    CHECK_STR(judge("1||||||||||x", &none), "categorical"); /* what is missing does not count */
    CHECK_STR(judge("1|2|||||3|4|5|6|7|8|9|x", &none), "numeric?x at 14, 15");
    CHECK_STR(
        judge("2024-01-01|2024-01-02|soon|2024-01-03|2024-01-04|2024-01-05|2024-01-06|2024-01-07|2024-01-08|"
              "2024-01-09",
              &none),
        "time?soon at 3, 4");
    CHECK_STR(judge("2024-01-01|2024-01-02|2024-01-03|2024-01-04|2024-01-05|2024-01-06|2024-01-07|2024-01-08|"
                    "2024-01-09|7",
                    &none),
              "time?7 at 10, 11");
    CHECK_STR(judge("1|2|3|4|5|6|7|8|9|yes", &none), "numeric?yes at 10, 11");
    CHECK_STR(judge("yes|no|yes|no|yes|no|yes|no|yes|x", &none), "categorical"); /* words may be any */
}

TEST(values)
{
    double v = 7;
    CHECK(od_cell_parse(ODIM_NUMERIC, " 1.5 ", 5, &none, &v) && v == 1.5);
    CHECK(od_cell_parse(ODIM_NUMERIC, "", 0, &none, &v) && isnan(v));
    CHECK(od_cell_parse(ODIM_NUMERIC, "NaN", 3, &none, &v) && isnan(v));
    CHECK(!od_cell_parse(ODIM_NUMERIC, "x", 1, &none, &v));
    CHECK(!od_cell_parse(ODIM_NUMERIC, "inf", 3, &none, &v));
    CHECK(!od_cell_parse(ODIM_NUMERIC, "1e999", 5, &none, &v));
    CHECK(!od_cell_parse(ODIM_NUMERIC, "yes", 3, &none, &v));
    CHECK(od_cell_parse(ODIM_BOOLEAN, "Yes", 3, &none, &v) && v == 1);
    CHECK(od_cell_parse(ODIM_BOOLEAN, " off", 4, &none, &v) && v == 0);
    CHECK(od_cell_parse(ODIM_BOOLEAN, "1", 1, &none, &v) && v == 1);
    CHECK(od_cell_parse(ODIM_BOOLEAN, "0.0", 3, &none, &v) && v == 0);
    CHECK(od_cell_parse(ODIM_BOOLEAN, "null", 4, &none, &v) && isnan(v));
    CHECK(!od_cell_parse(ODIM_BOOLEAN, "2", 1, &none, &v));
    CHECK(!od_cell_parse(ODIM_BOOLEAN, "truee", 5, &none, &v));
    CHECK(od_cell_parse(ODIM_TIME, "1970-01-02", 10, &none, &v) && v == 86400);
    CHECK(od_cell_parse(ODIM_TIME, "?", 1, &none, &v) && isnan(v));
    CHECK(!od_cell_parse(ODIM_TIME, "12", 2, &none, &v));
}

/* The cell in a message is cut and harmless. */
TEST(odd_cell_is_printable)
{
    od_type_votes t = {0};
    odim_type type;
    for (int i = 0; i < 9; i++) od_type_votes_add(&t, "1", 1, &none, i + 1, i + 1);
    od_type_votes_add(&t, "a\x1b[31m and much more text than a message has room for", 53, &none, 10, 12);
    const od_odd_cell *odd = od_type_votes_decide(&t, &type);
    REQUIRE(odd);
    CHECK_STR(odd->text, "a\\x1b[31m and much more text than a ...");
    CHECK(odd->row == 10 && odd->line == 12);
}

/* Counts of parts add up; of the odd cells the first one stays, with its place in its file. */
TEST(merge)
{
    od_type_votes a = {0}, b = {0}, sum = {0};
    odim_type type;
    for (int i = 0; i < 19; i++) od_type_votes_add(&a, "1", 1, &none, i + 1, i + 2);
    od_type_votes_add(&b, "2", 1, &none, 1, 1);
    od_type_votes_add(&b, "oops", 4, &none, 2, 3);
    od_type_votes_merge(&sum, &a, 5, 0, 0);
    od_type_votes_merge(&sum, &b, 7, 100, 200);
    CHECK(sum.present == 21 && sum.numbers == 20 && sum.times == 0 && sum.booleans == 0);
    const od_odd_cell *odd = od_type_votes_decide(&sum, &type);
    REQUIRE(odd && type == ODIM_NUMERIC);
    CHECK_STR(odd->text, "oops");
    CHECK(odd->row == 102 && odd->line == 203 && odd->file == 7);
    CHECK(sum.not_time.row == 1 && sum.not_time.line == 2 && sum.not_time.file == 5);
    od_type_votes_merge(&sum, &b, 9, 1000, 1000);
    CHECK(sum.not_number.row == 102 && sum.not_number.file == 7);
}

int main(void)
{
    RUN(kinds);
    RUN(missing);
    RUN(further_missing);
    RUN(nine_in_ten);
    RUN(values);
    RUN(odd_cell_is_printable);
    RUN(merge);
    return test_end();
}
