/* tests: text_types. What the columns of a CSV file are said to be, and which of them names the rows. */
#include "prep/text_types.h"

#include "starve.h"
#include "tables.h"

/* `rows` rows of a table: %d in a line is three times the number of the row, modulo 97; %n the number; %b the
 * number, backwards. */
static bytes make(const char *head, const char *line, int rows)
{
    bytes b = {0};
    char cell[20];
    put_text(&b, head);
    for (int i = 0; i < rows; i++) {
        for (const char *p = line; *p; p++) {
            int value = i + 1;
            if (*p == '%' && p[1] == 'd') value = i * 3 % 97;
            if (*p == '%' && p[1] == 'b') value = 9000 - i;
            if (*p == '%')
                snprintf(cell, sizeof cell, "%d", value), p++;
            else
                snprintf(cell, sizeof cell, "%c", *p);
            put_text(&b, cell);
        }
    }
    return b;
}

/* The features, the id and the notes: "a b id k; column ..."; or the error. */
static const char *told(const bytes *b, odim_read_options o)
{
    static char out[1200];
    o.size = sizeof o;
    odim_table *t = read_bytes(b, "t.csv", &o);
    if (!t) return err.msg;
    int used = 0;
    for (int64_t k = 0; k < t->d; k++) used += sprintf(out + used, "%s%s", k ? " " : "", t->col[k].name);
    if (t->id_name) used += sprintf(out + used, " id %s", t->id_name);
    for (int i = 0; odim_table_note(t, i); i++) used += sprintf(out + used, "; %s", odim_table_note(t, i));
    if (t->id_name) CHECK_INT(t->ids.count, t->n);
    odim_table_free(t);
    return out;
}

static void expect_told(const char *head, const char *line, int rows, odim_read_options o, const char *want)
{
    bytes b = make(head, line, rows);
    CHECK_STR(told(&b, o), want);
    drop(&b);
}

#define TOLD(head, line, want, ...)                                                                          \
    expect_told(head, line, 40, (odim_read_options){.header = 1, __VA_ARGS__}, want)

/* ---- ids ------------------------------------------------------------------------------------------ */

TEST(the_column_that_names_the_rows)
{
    TOLD("a,b\n", "%d,%d\n", "a b", .format = NULL);
    TOLD("k,a\n", "K-%b,%d\n",
         "a id k; column 'k' has a different value in almost every row (looks like an ID): used as the name "
         "of the rows",
         .format = NULL);
    TOLD(
        "order_id,a\n", "%b,%d\n",
        "a id order_id; column 'order_id' has a different value in almost every row (looks like an ID): used "
        "as the name of the rows",
        .format = NULL);
    TOLD("a,k\n", "%d,%n\n", "a id k; column 'k' numbers the rows: used as the name of the rows",
         .format = NULL);
    /* Texts with blanks are remarks, unless the column is called like an id. */
    TOLD("a,remark\n", "%d,it is %b\n",
         "a remark: length remark: digits remark: upper case remark: punctuation remark: non-ASCII remark: "
         "rare characters remark: rare sequences remark: rare words; column 'remark': free text, compared by "
         "length, kinds of characters and rare parts",
         .format = NULL);
    TOLD("a,Name\n", "%d,it is %b\n",
         "a id Name; column 'Name' has a different value in almost every row (looks like an ID): used as the "
         "name of the rows",
         .format = NULL);
    expect_told("k,a\n", "K-%b,%d\n", 19, (odim_read_options){.header = 1}, "k a"); /* too few rows to know */
}

/* A name tells more than a number, and a column that is called so more than another. */
TEST(the_best_of_several)
{
    TOLD("n,k,a\n", "%n,K-%b,%d\n",
         "a id k; column 'k' has a different value in almost every row (looks like an ID): used as the name "
         "of the rows; column 'n' numbers the rows: ignored",
         .format = NULL);
    TOLD("n,k,key,a\n", "%n,K-%b,L-%b,%d\n",
         "k a id key; column 'key' has a different value in almost every row (looks like an ID): used as the "
         "name of the rows; column 'n' numbers the rows: ignored",
         .format = NULL);
    TOLD("k,id,a\n", "K-%b,%n,%d\n", "k a id id; column 'id' numbers the rows: used as the name of the rows",
         .format = NULL);
}

TEST(what_the_caller_says)
{
    TOLD("n,k,a\n", "%n,K-%b,%d\n", "k id a; column 'n' numbers the rows: ignored", .id = "a");
    TOLD("k,a\n", "K-%b,%d\n", "k a", .id = "");
    TOLD("n,a\n", "%n,%d\n", "n a", .id = "");
    TOLD("n,a\n", "%n,%d\n", "n a", .numeric = NAMES("n"));
    TOLD("k,a\n", "K-%b,%d\n", "k a", .categorical = NAMES("k"));
    TOLD("k,a\n", "K-%b,%d\n", "a", .ignore = NAMES("k"));
    /* The last feature stays one. */
    TOLD("k\n", "K-%b\n", "k", .format = NULL);
    TOLD("n\n", "%n\n", "n", .format = NULL);
}

/* ---- formats -------------------------------------------------------------------------------------- */

TEST(formats_are_told)
{
    TOLD("p;a\n", "%d,5;%d\n", "p a; column 'p': decimal comma", .format = NULL);
    TOLD("p;q;r;a\n", "%d,5 EUR;%d,25 EUR;7,%d;%d\n",
         "p q r a; columns 'p', 'q': decimal comma, EUR; column 'r': decimal comma", .format = NULL);
    TOLD("a;b;c;d;e;f;g\n", "%d,5;%d,5;%d,5;%d,5;%d,5;%d,5;%d,5\n",
         "a b c d e f g; columns 'a', 'b', 'c', 'd', 'e' and 2 more: decimal comma", .format = NULL);
    TOLD("d,a\n", "2%d.5.2024,%d\n", "t.csv: row 1 (line 2), column 'd': '20.5.2024' is not a number",
         .numeric = NAMES("d"));
    TOLD("d,a\n", "05/06/2024,%d\n",
         "d a; column 'd': month/day/year (days and months could be swapped: no cell tells)", .format = NULL);
    TOLD("n,a\n", "\"1,234\",%d\n", "n a; column 'n': decimal point, thousands comma (1,234 is read as 1234)",
         .format = NULL);
    TOLD("n;a\n", "1,234;%d\n", "n a; column 'n': decimal comma (1,234 is read as 1.234)", .format = NULL);
    TOLD("n;a\n", "1,234;%d\n", "n a; column 'n': decimal comma", .decimal = ',');
    TOLD("n;a\n", "1,234;%d\n", "n a; column 'n': decimal point, thousands comma", .decimal = '.');
    TOLD("n;a\n", "1,234;%d\n", "n a", .formats = NAMES("n", "point")); /* as the caller said */
    TOLD("n;a\n", "1,234;%d\n", "n a; column 'n': decimal comma", .formats = NAMES("n", "comma"));
    TOLD("t,a\n", "17000%b0,%d\n", "t a", .format = NULL); /* a count, not a time */
    TOLD("ts,a\n", "170000%b,%d\n", "ts a; column 'ts': seconds since 1970", .format = NULL);
}

TEST(what_is_mixed_is_told)
{
    bytes b = {0};
    put_text(&b, "m,a\n");
    for (int i = 0; i < 20; i++) put_text(&b, i < 15 ? "7,2\n" : i < 17 ? "x,3\n" : "y,5\n");
    CHECK_STR(told(&b, (odim_read_options){0}),
              "m a; column 'm': 75 % of the cells are numbers and the others are not: read as a category");
    CHECK_STR(told(&b, (odim_read_options){.categorical = NAMES("m")}), "m a");
    drop(&b);
    static const struct {
        const char *one, *two, *note;
    } mixed[] = {
        {"25/12/2024", "12/25/2024", "all cells are dates, but no order of day and month fits all of them"},
        {"25/12/2024", "soon", "50 % of the cells are dates and the others are not"},
        {"2024-12-25", "12/25/2024", "all cells are dates, but no order of day and month fits all of them"},
        {"1.5", "\"2,5\"", "all cells are numbers, but no decimal mark fits all of them"},
        {"A7", "B7", NULL},
    };
    for (size_t i = 0; i < sizeof mixed / sizeof *mixed; i++) {
        char want[200] = "m a";
        put_text(&b, "m,a\n");
        for (int k = 0; k < 30; k++) {
            char line[60];
            snprintf(line, sizeof line, "%s,%d\n", k % 2 ? mixed[i].two : mixed[i].one, k % 3);
            put_text(&b, line);
        }
        if (mixed[i].note)
            snprintf(want, sizeof want, "m a; column 'm': %s: read as a category", mixed[i].note);
        CHECK_STR(told(&b, (odim_read_options){0}), want);
        drop(&b);
    }
}

/* Different dates are not ids, although they are short texts without blanks. */
TEST(mixed_dates_are_no_ids)
{
    bytes b = {0};
    put_text(&b, "m,a\n");
    for (int k = 0; k < 30; k++) {
        char line[60];
        snprintf(line, sizeof line, k % 2 ? "12/%d/2024,%d\n" : "%d/12/2024,%d\n", k / 2 + 13, k % 7);
        put_text(&b, line);
    }
    CHECK_STR(told(&b, (odim_read_options){0}), "m a; column 'm': all cells are dates, but no order of day "
                                                "and month fits all of them: read as a category");
    drop(&b);
}

/* ---- streams, parts and memory -------------------------------------------------------------------- */

/* What is ignored by a model has no note when it reads the file again. */
TEST(columns_that_need_no_count)
{
    od_columns c = {0};
    odim_read_options o = {.boolean = NAMES("a"), .formats = NAMES("b", "dmy")};
    REQUIRE(!od_columns_add(&c, "a", 1, &err) && !od_columns_add(&c, "b", 1, &err));
    REQUIRE(!od_columns_choose(&c, &o, false, &err));
    CHECK(!od_text_types_open(&c)); /* a yes and no, and a date that is said */
    od_columns_free(&c);
    o = (odim_read_options){.formats = NAMES("b", "comma"), .categorical = NAMES("a")};
    REQUIRE(!od_columns_add(&c, "a", 1, &err) && !od_columns_add(&c, "b", 1, &err));
    REQUIRE(!od_columns_choose(&c, &o, false, &err));
    CHECK(od_text_types_open(&c)); /* its numbers may have a unit */
    od_columns_free(&c);
}

TEST(out_of_memory)
{
    bytes b = make("n;k;p;q\n", "%n;K-%b;%d,5;%d,5 EUR\n", 40);
    odim_status status;
    EACH_ALLOCATION_FAILS_BUT(status, 20, 1)
    {
        odim_table *t;
        status = odim_table_read_memory(&t, b.p, b.len, "t.csv", NULL, &err);
        if (!status) CHECK_STR(t->id_name, "k");
        odim_table_free(t);
    }
    drop(&b);
}

int main(void)
{
    RUN(the_column_that_names_the_rows);
    RUN(the_best_of_several);
    RUN(what_the_caller_says);
    RUN(formats_are_told);
    RUN(what_is_mixed_is_told);
    RUN(mixed_dates_are_no_ids);
    RUN(columns_that_need_no_count);
    RUN(out_of_memory);
    return test_end();
}
