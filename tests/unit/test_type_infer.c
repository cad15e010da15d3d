/* tests: type_names type_infer type_votes. Inferring column types. */
#include "prep/type_infer.h"

#include "test.h"

static odim_error err;
static const od_strlist none;

static const od_cell_format plain;

static void count(od_type_votes *t, const char *cells, const od_strlist *na)
{
    for (const char *p = cells;; p++) {
        size_t len = strcspn(p, "|");
        od_type_votes_add(t, p, len, na, true);
        p += len;
        if (!*p) break;
    }
}

/* What a column is, in words: its type, "?" if there is doubt, its format, "either" if another fits, "id". */
static const char *describe(const od_cell_kind *k, char *out, size_t size)
{
    char format[80];
    od_cell_format_text(k->type, &k->format, format, sizeof format);
    snprintf(out, size, "%s%s%s%s%s%s%s", odim_type_text(k->type), k->doubt ? "?" : "", *format ? ": " : "",
             format, k->ambiguous ? ", either" : "", k->id ? ", id" : "", k->running ? ", running" : "");
    return out;
}

/* The first of several columns of these cells, each column's between '|'. */
static const char *judge_beside(const char *const *columns, int cols, const char *name,
                                const od_type_hints *hints)
{
    static char out[160];
    static od_type_votes votes[3];
    od_cell_kind kinds[3];
    const char *names[3] = {name, "b", "c"};
    memset(votes, 0, sizeof votes);
    for (int j = 0; j < cols; j++) count(&votes[j], columns[j], &none);
    od_type_decide(votes, names, NULL, cols, hints, kinds);
    return describe(&kinds[0], out, sizeof out);
}

static const od_type_hints no_hints;

static const char *judge(const char *cells, const od_strlist *na)
{
    static char out[160];
    static od_type_votes votes;
    const char *name = "a";
    od_cell_kind kind;
    memset(&votes, 0, sizeof votes);
    count(&votes, cells, na);
    od_type_decide(&votes, &name, NULL, 1, &no_hints, &kind);
    return describe(&kind, out, sizeof out);
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
    static const char *const yes[] = {"",        " ",     "\t ",     "NA",           "n/a",
                                      "NaN",     "-nan",  "+NAN",    "null",         "None",
                                      "?",       " ? ",   "-",       "missing",      "\r\n",
                                      "nil",     "#N/A",  "<NA>",    " NULL\t",      "#DIV/0!",
                                      "#value!", "#REF!", "#NAME?",  "#NUM!",        "#NULL!",
                                      ".",       "n.a.",  "k.A.",    "\xE2\x80\x94", "\xE2\x80\x93",
                                      "$ -",     "$-",    " $    - "};
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
    CHECK(od_cell_parse(ODIM_NUMERIC, &plain, "-999", 4, &na, &v) && isnan(v));
    CHECK(od_cell_parse(ODIM_NUMERIC, &plain, "-998", 4, &na, &v) && v == -998);
    CHECK(od_cell_parse(ODIM_NUMERIC, &plain, "Inf", 3, &na, &v) && isnan(v));
    CHECK(!od_cell_parse(ODIM_NUMERIC, &plain, "inf", 3, &na, &v));
    od_strlist_free(&na);
    REQUIRE(!od_cell_na(&na, NULL, &err));
    CHECK_INT(na.count, 0);
    od_strlist_free(&na);
}

TEST(nine_in_ten)
{
    CHECK_STR(judge("1|2|3|4|5|6|7|8|9|x", &none), "numeric?");
    CHECK_STR(judge("1|2|3|4|5|6|7|8|x", &none), "categorical"); /* eight of nine */
    CHECK_STR(judge("1|2|x|4|5|6|7|8|9|10|11|12|13|14|15|16|17|18|19|y", &none), "numeric?");
    CHECK_STR(judge("1|2|x|4|5|6|7|8|9|10|11|12|13|14|15|16|17|z|19|y", &none), "categorical");
    CHECK_STR(judge("1||||||||||x", &none), "categorical"); /* what is missing does not count */
    CHECK_STR(judge("1|2|||||3|4|5|6|7|8|9|x", &none), "numeric?");
    CHECK_STR(
        judge("2024-01-01|2024-01-02|soon|2024-01-03|2024-01-04|2024-01-05|2024-01-06|2024-01-07|2024-01-08|"
              "2024-01-09",
              &none),
        "time?");
    CHECK_STR(judge("2024-01-01|2024-01-02|2024-01-03|2024-01-04|2024-01-05|2024-01-06|2024-01-07|2024-01-08|"
                    "2024-01-09|7",
                    &none),
              "time?");
    CHECK_STR(judge("1|2|3|4|5|6|7|8|9|yes", &none), "numeric?");
    CHECK_STR(judge("yes|no|yes|no|yes|no|yes|no|yes|x", &none), "categorical"); /* words may be any */
}

TEST(values)
{
    double v = 7;
    CHECK(od_cell_parse(ODIM_NUMERIC, &plain, " 1.5 ", 5, &none, &v) && v == 1.5);
    CHECK(od_cell_parse(ODIM_NUMERIC, &plain, "", 0, &none, &v) && isnan(v));
    CHECK(od_cell_parse(ODIM_NUMERIC, &plain, "NaN", 3, &none, &v) && isnan(v));
    CHECK(!od_cell_parse(ODIM_NUMERIC, &plain, "x", 1, &none, &v));
    CHECK(!od_cell_parse(ODIM_NUMERIC, &plain, "inf", 3, &none, &v));
    CHECK(!od_cell_parse(ODIM_NUMERIC, &plain, "1e999", 5, &none, &v));
    CHECK(!od_cell_parse(ODIM_NUMERIC, &plain, "yes", 3, &none, &v));
    CHECK(od_cell_parse(ODIM_BOOLEAN, &plain, "Yes", 3, &none, &v) && v == 1);
    CHECK(od_cell_parse(ODIM_BOOLEAN, &plain, " off", 4, &none, &v) && v == 0);
    CHECK(od_cell_parse(ODIM_BOOLEAN, &plain, "1", 1, &none, &v) && v == 1);
    CHECK(od_cell_parse(ODIM_BOOLEAN, &plain, "0.0", 3, &none, &v) && v == 0);
    CHECK(od_cell_parse(ODIM_BOOLEAN, &plain, "null", 4, &none, &v) && isnan(v));
    CHECK(!od_cell_parse(ODIM_BOOLEAN, &plain, "2", 1, &none, &v));
    CHECK(!od_cell_parse(ODIM_BOOLEAN, &plain, "truee", 5, &none, &v));
    CHECK(od_cell_parse(ODIM_TIME, &plain, "1970-01-02", 10, &none, &v) && v == 86400);
    CHECK(od_cell_parse(ODIM_TIME, &plain, "?", 1, &none, &v) && isnan(v));
    CHECK(!od_cell_parse(ODIM_TIME, &plain, "12", 2, &none, &v));
}

TEST(notations)
{
    CHECK_STR(judge("12,5|7", &none), "numeric: decimal comma");
    CHECK_STR(judge("1.234,5|7", &none), "numeric: decimal comma, thousands point");
    CHECK_STR(judge("1,234.5|7", &none), "numeric: decimal point, thousands comma");
    CHECK_STR(judge("1 234,5|7", &none), "numeric: decimal comma, thousands space");
    CHECK_STR(judge("1'234.5|7", &none), "numeric: decimal point, thousands apostrophe");
    CHECK_STR(judge("1.234,50 \xE2\x82\xAC|7,00 \xE2\x82\xAC", &none),
              "numeric: decimal comma, thousands point, EUR");
    CHECK_STR(judge("\xE2\x82\xAC 5|7 EUR", &none), "numeric: EUR");
    CHECK_STR(judge("12.5 kg|7 KG", &none), "numeric: kg");
    CHECK_STR(judge("(5)|7", &none), "numeric");
    CHECK_STR(judge("5-|7", &none), "numeric");
    CHECK_STR(judge("12.5 kg|7 g", &none), "categorical");
    CHECK_STR(judge("12.5 kg|7", &none), "categorical");
    CHECK_STR(judge("12.5|12,5", &none), "categorical");
    CHECK_STR(judge("1|2|3|4|5|6|7|8,5|9|7 kg", &none), "numeric?: decimal comma");
    CHECK_STR(judge("1 %|2 %|3 %|4 %|5 %|6 %|7 %|8 %|9 %|10", &none), "numeric?: %");
}

TEST(ambiguous_numbers)
{
    static const od_type_hints semicolon = {.semicolon = true}, comma = {.decimal = ','},
                               point = {.decimal = '.'};
    const char *both[] = {"1,234|5,678", "1,5|2"}, *points[] = {"1,234|5,678", "1.5|2"};
    const char *german[] = {"1.234|5.678", "1,5|2"}, *english[] = {"1.234|5.678", "1.5|2"};
    CHECK_STR(judge_beside(both, 1, "a", &no_hints), "numeric: decimal point, thousands comma, either");
    CHECK_STR(judge_beside(both, 1, "a", &semicolon), "numeric: decimal comma, either");
    CHECK_STR(judge_beside(both, 2, "a", &no_hints), "numeric: decimal comma, either");
    CHECK_STR(judge_beside(points, 2, "a", &semicolon), "numeric: decimal point, thousands comma, either");
    CHECK_STR(judge_beside(both, 1, "a", &comma), "numeric: decimal comma");
    CHECK_STR(judge_beside(both, 2, "a", &point), "numeric: decimal point, thousands comma");
    CHECK_STR(judge_beside(german, 1, "a", &no_hints), "numeric");
    CHECK_STR(judge_beside(german, 1, "a", &semicolon), "numeric");
    CHECK_STR(judge_beside(german, 2, "a", &no_hints), "numeric: decimal comma, thousands point, either");
    CHECK_STR(judge_beside(english, 2, "a", &semicolon), "numeric");
    CHECK_STR(judge_beside(english, 1, "a", &comma), "numeric: decimal comma, thousands point");
    /* 345 beside 1.234: a thousand in a file with semicolons, unless another column has decimal points. */
    const char *thousands[] = {"345|1.234|28", "1.5|2"}, *decimals[] = {"3|1.234|2.5"};
    CHECK_STR(judge_beside(thousands, 1, "a", &semicolon), "numeric: decimal comma, thousands point, either");
    CHECK_STR(judge_beside(thousands, 1, "a", &no_hints), "numeric");
    CHECK_STR(judge_beside(thousands, 2, "a", &semicolon), "numeric");
    CHECK_STR(judge_beside(decimals, 1, "a", &semicolon), "numeric");
    /* Whole numbers beside decimal commas: what comes later will have commas. */
    const char *whole[] = {"1|2|3", "1,5|2"}, *contradiction[] = {"1.5|2.5"};
    CHECK_STR(judge_beside(whole, 2, "a", &no_hints), "numeric: decimal comma");
    CHECK_STR(judge_beside(contradiction, 1, "a", &comma), "numeric?: decimal comma");
}

TEST(dates)
{
    const char *both[] = {"05/06/2024|07/08/2024", "25/12/2024", "1"};
    const char *us[] = {"05/06/2024|07/08/2024", "12/25/2024", "1,5"};
    const char *comma[] = {"05/06/2024|07/08/2024", "1,5|2"}, *euro[] = {"05/06/2024", "\xE2\x82\xAC 7"};
    CHECK_STR(judge("31.12.2024|1.5.24", &none), "time: day/month/year");
    CHECK_STR(judge("31/12/2024|05/06/2024", &none), "time: day/month/year");
    CHECK_STR(judge("12/31/2024|05/06/2024 5:30 PM", &none), "time: month/day/year");
    CHECK_STR(judge("2024/12/31|2024-05-01", &none), "time: year/month/day");
    CHECK_STR(judge("15 Nov 2026|1 May 2025", &none), "time: month by name");
    CHECK_STR(judge("31/12/2024|12/31/2024", &none), "categorical");
    CHECK_STR(judge_beside(both, 1, "a", &no_hints), "time: month/day/year, either");
    CHECK_STR(judge_beside(both, 2, "a", &no_hints), "time: day/month/year, either");
    CHECK_STR(judge_beside(us, 3, "a", &no_hints), "time: month/day/year, either");
    CHECK_STR(judge_beside(comma, 2, "a", &no_hints), "time: day/month/year, either");
    CHECK_STR(judge_beside(euro, 2, "a", &no_hints), "time: day/month/year, either");
}

TEST(counts_since_1970)
{
    const char *seconds[] = {"1700000000|1700000060"}, *milliseconds[] = {"1700000000123|1700000060000"};
    CHECK_STR(judge_beside(seconds, 1, "created_at", &no_hints), "time: seconds since 1970");
    CHECK_STR(judge_beside(milliseconds, 1, "eventTime", &no_hints), "time: milliseconds since 1970");
    CHECK_STR(judge_beside(seconds, 1, "phone", &no_hints), "numeric");
    od_cell_format ms = {.order = OD_DATE_MILLISECONDS};
    double v;
    CHECK(od_cell_parse(ODIM_TIME, &ms, "1500", 4, &none, &v) && v == 1.5);
}

static const char *rows_of(const char *format, int rows, int step)
{
    static char text[8000];
    *text = '\0';
    char *p = text;
    for (int i = 0; i < rows; i++) {
        if (i) *p++ = '|';
        p += snprintf(p, 40, format, 100 + i * step);
    }
    return text;
}

TEST(ids)
{
    const char *one[1];
    one[0] = rows_of("%d", 30, 1);
    CHECK_STR(judge_beside(one, 1, "a", &no_hints), "numeric, id, running");
    one[0] = rows_of("%d", 30, 3);
    CHECK_STR(judge_beside(one, 1, "a", &no_hints), "numeric");
    CHECK_STR(judge_beside(one, 1, "order_id", &no_hints), "numeric, id, running");
    one[0] = rows_of("%d", 30, -3);
    CHECK_STR(judge_beside(one, 1, "orderId", &no_hints), "numeric, id");
    CHECK_STR(judge_beside(one, 1, "width", &no_hints), "numeric");
    one[0] = rows_of("K-%d", 30, 7);
    CHECK_STR(judge_beside(one, 1, "a", &no_hints), "categorical, id");
    one[0] = rows_of("K %d is here", 30, 7);
    CHECK_STR(judge_beside(one, 1, "remark", &no_hints), "categorical");
    CHECK_STR(judge_beside(one, 1, "Name", &no_hints), "categorical, id");
    one[0] = rows_of("K-%d", 30, 0);
    CHECK_STR(judge_beside(one, 1, "id", &no_hints), "categorical");
    one[0] = rows_of("K-%d", 19, 7);
    CHECK_STR(judge_beside(one, 1, "id", &no_hints), "categorical");
    CHECK(od_type_is_id_name("Customer ID") && od_type_is_id_name("customerNumber") &&
          od_type_is_id_name("id"));
    CHECK(!od_type_is_id_name("width") && !od_type_is_id_name("ideal") && !od_type_is_id_name("humidity"));
}

/* Postal codes and numbers of accounts are names, not amounts. */
TEST(codes)
{
    const char *one[1] = {"02139|02140|10115|90210|02115"};
    CHECK_STR(judge_beside(one, 1, "a", &no_hints), "categorical");
    one[0] = "12139|12140|10115|90210|02115"; /* a single zero may be a slip */
    CHECK_STR(judge_beside(one, 1, "a", &no_hints), "numeric");
    one[0] = "0.5|0.25|0|10|007";
    CHECK_STR(judge_beside(one, 1, "a", &no_hints), "numeric");
    one[0] = "05|1|12|300|04|7|8"; /* of all lengths, and mostly without */
    CHECK_STR(judge_beside(one, 1, "a", &no_hints), "numeric");
    one[0] = rows_of("12%03d", 30, 7);
    CHECK_STR(judge_beside(one, 1, "a", &no_hints), "numeric");
    CHECK_STR(judge_beside(one, 1, "plz", &no_hints), "categorical, id");
    one[0] = rows_of("%05d", 30, 1);
    CHECK_STR(judge_beside(one, 1, "a", &no_hints), "categorical, id, running");
    one[0] = rows_of("%05d", 30, 7);
    CHECK_STR(judge_beside(one, 1, "a", &no_hints), "categorical, id");
}

/* Any division of the rows is decided alike, to the bit of what was counted. */
TEST(merging)
{
    static const char *const cells[] = {"5",          "6",  "7,5",        "1.234,5", "x y", "2024-05-01",
                                        "05/06/2024", "",   "8 kg",       "9 EUR",   "yes", "8",
                                        "9",          "10", "1700000000", "1.234"};
    enum { CELLS = sizeof cells / sizeof *cells };
    static od_type_votes whole, first, second;
    memset(&whole, 0, sizeof whole);
    for (int i = 0; i < CELLS; i++) od_type_votes_add(&whole, cells[i], strlen(cells[i]), &none, true);
    for (int cut = 0; cut <= CELLS; cut++) {
        memset(&first, 0, sizeof first);
        memset(&second, 0, sizeof second);
        for (int i = 0; i < CELLS; i++)
            od_type_votes_add(i < cut ? &first : &second, cells[i], strlen(cells[i]), &none, true);
        CHECK_INT(od_type_votes_merge(&first, &second, NULL), ODIM_OK);
        CHECK(memcmp(&first, &whole, sizeof whole) == 0);
    }
}

TEST(distinct)
{
    static od_type_votes t;
    for (int n = 10; n <= 100000; n *= 10) {
        memset(&t, 0, sizeof t);
        for (int i = 0; i < n; i++) {
            char text[20];
            od_type_votes_add(&t, text, (size_t)snprintf(text, sizeof text, "K%d", i), &none, false);
        }
        CHECK_NEAR(od_type_votes_distinct(&t), n, 0.09 * n);
    }
}

/* Numbers that are not text count like their texts, except that 1.234 is never a thousand. */
TEST(numbers_without_text)
{
    static od_type_votes text, number;
    static const double values[] = {3, 4, 0.5, -7, 1e20, 1.25, 1700000000, 1700000000123, 1e-9};
    memset(&text, 0, sizeof text);
    memset(&number, 0, sizeof number);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char buf[40];
        snprintf(buf, sizeof buf, "%.17g", values[i]);
        od_type_votes_add(&text, buf, strlen(buf), &none, false);
        od_type_votes_add_number(&number, values[i]);
    }
    od_type_votes_add_number(&number, NAN);
    text.points = number.points; /* 1e20 has no point, but is not a whole number that would be a time */
    CHECK(memcmp(&text, &number, sizeof text) == 0);
    od_type_votes_add_number(&number, 1.234);
    CHECK_INT(number.thousands, 0);
    CHECK_INT(number.numbers, 10);
}

int main(void)
{
    RUN(numbers_without_text);
    RUN(kinds);
    RUN(missing);
    RUN(further_missing);
    RUN(nine_in_ten);
    RUN(values);
    RUN(notations);
    RUN(ambiguous_numbers);
    RUN(dates);
    RUN(counts_since_1970);
    RUN(ids);
    RUN(codes);
    RUN(merging);
    RUN(distinct);
    return test_end();
}
