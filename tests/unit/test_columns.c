/* tests: columns. Choosing columns by name and number. */
#include "prep/columns.h"

#include "prep/cell_format.h"
#include "starve.h"
#include "test.h"

static odim_error err;

/* Names between blanks, "_" for none; what is chosen, as "features 1,3 label 2 id 4", or the error. */
static const char *choose(const char *names, odim_read_options o, bool labels_last)
{
    static char found[256];
    od_columns c = {0};
    odim_status status = ODIM_OK;
    for (const char *p = names; !status && *p; p += strspn(p, " ")) {
        size_t len = strcspn(p, " ");
        status = od_columns_add(&c, p, *p == '_' ? 0 : len, &err);
        p += len;
    }
    if (!status) status = od_columns_choose(&c, &o, labels_last, &err);
    int used = snprintf(found, sizeof found, "features ");
    for (int64_t k = 0; !status && k < c.features; k++)
        used +=
            snprintf(found + used, sizeof found - (size_t)used, "%s%d", k ? "," : "", (int)c.feature[k] + 1);
    if (!status && c.label >= 0)
        used += snprintf(found + used, sizeof found - (size_t)used, " label %d", (int)c.label + 1);
    if (!status && c.id >= 0)
        used += snprintf(found + used, sizeof found - (size_t)used, " id %d", (int)c.id + 1);
    if (!status && c.known >= 0)
        snprintf(found + used, sizeof found - (size_t)used, " known %d", (int)c.known + 1);
    od_columns_free(&c);
    return status ? err.msg : found;
}

#define CHOOSE(names, ...) choose(names, (odim_read_options){__VA_ARGS__}, false)

TEST(by_name_or_number)
{
    CHECK_STR(CHOOSE("a b c", .format = NULL), "features 1,2,3");
    CHECK_STR(CHOOSE("a b c", .label = "b"), "features 1,3 label 2");
    CHECK_STR(CHOOSE("a b c", .label = "2", .id = "3"), "features 1 label 2 id 3");
    CHECK_STR(CHOOSE("a b 1", .label = "1"), "features 1,2 label 3"); /* the name counts first */
    CHECK_STR(CHOOSE("_ b _", .label = "x3", .id = "x1"), "features 2 label 3 id 1");
    CHECK_STR(CHOOSE("a b c d", .ignore = NAMES("a", "3")), "features 2,4");
    CHECK_STR(CHOOSE("a b c d", .ignore = NAMES("a", "d")), "features 2,3");
    CHECK_STR(CHOOSE("a b c d", .only = NAMES("d", "b")), "features 2,4");
    CHECK_STR(CHOOSE("a,b b c d", .ignore = NAMES("a,b")), "features 2,3,4");
    CHECK_STR(CHOOSE("a b c d", .ignore = NAMES("b", "b"), .label = "b"), "features 1,3,4 label 2");
}

TEST(labels_at_the_end)
{
    odim_read_options o = {0};
    CHECK_STR(choose("x1 x2 y", o, true), "features 1,2 label 3");
    o.label = "y";
    CHECK_STR(choose("x1 x2 y", o, true), "features 1,2 label 3");
    o.label = "x1";
    CHECK_STR(choose("x1 x2 y", o, true), "features 2 label 1");
    o = (odim_read_options){.ignore = NAMES("y")};
    CHECK_STR(choose("x1 x2 y", o, true), "features 1,2");
    o = (odim_read_options){.id = "y"};
    CHECK_STR(choose("x1 x2 y", o, true), "features 1,2 id 3");
    o = (odim_read_options){.only = NAMES("y")};
    CHECK_STR(choose("x1 x2 y", o, true), "column 'y' cannot be both a feature and the label");
}

/* Columns that have no names, and one after them that has. */
TEST(numbered)
{
    odim_read_options o = {
        .size = sizeof(odim_read_options), .label = "x2", .id = "3", .ignore = NAMES("last")};
    od_columns c = {0};
    odim_table *t = od_table_new();
    REQUIRE(t && !od_columns_number(&c, 4, &err) && !od_columns_add(&c, "last", 4, &err));
    CHECK_INT(od_columns_choose(&c, &o, false, &err), ODIM_OK);
    CHECK(c.count == 5 && c.features == 2 && c.feature[0] == 0 && c.feature[1] == 3 && c.label == 1 &&
          c.id == 2);
    CHECK_INT(od_columns_name_table(&c, t, &err), ODIM_OK);
    CHECK_INT(t->d, 2);
    CHECK_STR(t->col[0].name, "x1");
    CHECK_STR(t->col[1].name, "x4");
    CHECK_STR(t->label_name, "x2");
    CHECK_STR(t->id_name, "x3");
    odim_table_free(t);
    od_columns_free(&c);
    static const char *const unknown[] = {"x0", "x5", "x01", "x", "x1 ", "X1", "x-1", "las", "lastx"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        o = (odim_read_options){.label = unknown[i]};
        REQUIRE(!od_columns_number(&c, 4, &err) && !od_columns_add(&c, "last", 4, &err));
        if (!od_columns_choose(&c, &o, false, &err)) TEST_SAY("%s was found", unknown[i]);
        od_columns_free(&c);
    }
    o = (odim_read_options){.label = "x1"};
    REQUIRE(!od_columns_number(&c, 4, &err) && !od_columns_add(&c, "x1", 2, &err));
    CHECK_INT(od_columns_choose(&c, &o, false, &err), ODIM_ERR_DATA);
    CHECK_STR(err.msg,
              "label: 2 columns are named 'x1'; give the number instead (the first of them is column 1)");
    od_columns_free(&c);
}

TEST(unknown)
{
    CHECK_STR(CHOOSE("a b c", .label = "z"), "there is no column 'z'; there are a, b, c");
    CHECK_INT(err.status, ODIM_ERR_DATA);
    CHECK_STR(CHOOSE("a b c", .id = "4"), "there is no column '4'; there are a, b, c");
    CHECK_STR(CHOOSE("a b c", .id = "0"), "there is no column '0'; there are a, b, c");
    CHECK_STR(CHOOSE("a b c", .id = "-1"), "there is no column '-1'; there are a, b, c");
    CHECK_STR(CHOOSE("a b c", .id = "99999999999999999999"),
              "there is no column '99999999999999999999'; there are a, b, c");
    CHECK_STR(CHOOSE("a b c", .ignore = NAMES("a", "z")), "there is no column 'z'; there are a, b, c");
    CHECK_STR(CHOOSE("a b c", .only = NAMES("a", "")), "there is no column ''; there are a, b, c");
    CHECK_STR(CHOOSE("a b c", .label = ""), "there is no column ''; there are a, b, c");
    CHECK_STR(CHOOSE("A b c", .label = "z"), "there is no column 'z'; there are A, b, c");
    char many[3000] = "";
    for (int i = 0; i < 300; i++) strcat(many, "column ");
    CHECK_STR(choose(many, (odim_read_options){.label = "z"}, false),
              "there is no column 'z'; there are column, column, column, column, column, column, "
              "column, column, "
              "column, column, column, column, column, column, column, column, column and 283 more");
}

TEST(did_you_mean)
{
    CHECK_STR(CHOOSE("A b c", .label = "a"), "there is no column 'a'; did you mean 'A'?");
    CHECK_INT(err.status, ODIM_ERR_DATA);
    CHECK_STR(CHOOSE("price amount", .id = "prise"), "there is no column 'prise'; did you mean 'price'?");
    CHECK_STR(CHOOSE("price amount", .ignore = NAMES("price", "amuont")),
              "there is no column 'amuont'; did you mean 'amount'?");
    CHECK_STR(CHOOSE("price amount", .time = NAMES(" price")),
              "there is no column ' price'; did you mean 'price'?");
    CHECK_STR(CHOOSE("price amount", .only = NAMES("prices of all")),
              "there is no column 'prices of all'; there are price, amount");
    /* Other numbers name other things. */
    CHECK_STR(CHOOSE("pixel1 pixel2", .id = "pixel3"),
              "there is no column 'pixel3'; there are pixel1, pixel2");
    CHECK_STR(CHOOSE("ab\x01"
                     "cd e",
                     .id = "ab\x01"
                           "ce"),
              "there is no column 'ab\\x01ce'; did you mean 'ab\\x01cd'?");
}

/* Columns that share a name get a suffix that no other has. */
static const char *unique(const char *names)
{
    static char found[400];
    od_columns c = {0};
    od_strlist notes = {0};
    char number[OD_NUMBER_ROOM];
    int used = 0;
    odim_status status = ODIM_OK;
    for (const char *p = names; !status && *p; p += strspn(p, "|")) {
        size_t len = strcspn(p, "|");
        status = od_columns_add(&c, p, *p == '_' ? 0 : len, &err);
        p += len;
    }
    if (!status) status = od_columns_make_unique(&c, &notes, &err);
    for (int64_t j = 0; !status && j < c.count; j++)
        used += snprintf(found + used, sizeof found - (size_t)used, "%s%s", j ? "|" : "",
                         od_columns_name(&c, j, number));
    for (size_t i = 0; !status && i < notes.count; i++)
        used += snprintf(found + used, sizeof found - (size_t)used, "; %s", od_strlist_at(&notes, i));
    od_columns_free(&c);
    od_strlist_free(&notes);
    return status ? err.msg : found;
}

TEST(names_that_are_used_twice)
{
    CHECK_STR(unique("a|b|c"), "a|b|c");
    CHECK_STR(unique("a|b|a"),
              "a|b|a (2); 1 column has the name of an earlier one and got a number: column 3 is now 'a (2)'");
    CHECK_STR(unique("a|a|b|a|b"), "a|a (2)|b|a (3)|b (2); 3 columns have the name of an earlier one and got "
                                   "a number: column 2 is now 'a (2)'");
    /* A name that is there already is not given again. */
    CHECK_STR(unique("a|a (2)|a"), "a|a (2)|a (3); 1 column has the name of an earlier one and got a number: "
                                   "column 3 is now 'a (3)'");
    CHECK_STR(unique("a|a|a (2)"), "a|a (3)|a (2); 1 column has the name of an earlier one and got a number: "
                                   "column 2 is now 'a (3)'");
    CHECK_STR(unique("x2|_|x2"),
              "x2|x2 (2)|x2 (3); 2 columns have the name of an earlier one and got a number: column 2 is now "
              "'x2 (2)'");
    CHECK_STR(unique("A|a"), "A|a");
}

TEST(no_memory_for_unique_names)
{
    const char *msg = NULL;
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 5)
    {
        msg = unique("a|b|a|a");
        status = strcmp(msg, "out of memory") == 0 ? ODIM_ERR_NOMEM : ODIM_OK;
    }
    CHECK(strncmp(msg, "a|b|a (2)|a (3); ", 17) == 0);
}

TEST(ambiguous)
{
    CHECK_STR(CHOOSE("a b b", .format = NULL), "features 1,2,3");
    CHECK_STR(CHOOSE("a b b", .label = "a"), "features 2,3 label 1");
    CHECK_STR(CHOOSE("a b b", .label = "b"),
              "label: 2 columns are named 'b'; give the number instead (the first of them is column 2)");
    CHECK_STR(CHOOSE("a b b", .ignore = NAMES("b")),
              "ignore: 2 columns are named 'b'; give the number instead (the first of them is column 2)");
    CHECK_STR(CHOOSE("a b b", .label = "3"), "features 1,2 label 3");
}

TEST(known)
{
    odim_read_options o = {.known = "y"};
    CHECK_STR(CHOOSE("a b c", .known = "b"), "features 1,3 known 2");
    CHECK_STR(CHOOSE("a b c d", .known = "2", .label = "a", .id = "d"), "features 3 label 1 id 4 known 2");
    CHECK_STR(CHOOSE("a b", .known = "k"), "there is no column 'k'; there are a, b");
    CHECK_STR(choose("x1 y", o, true), "features 1 known 2"); /* and so y is not the label */
    CHECK_STR(CHOOSE("a b", .known = "a", .id = "a"), "column 'a' cannot be both what is known and the id");
    CHECK_STR(CHOOSE("a b", .known = "a", .label = "a"),
              "column 'a' cannot be both what is known and the label that scores are judged by");
    CHECK_STR(CHOOSE("a b", .known = "b", .only = NAMES("a", "b")),
              "column 'b' cannot be both a feature and what is known");
}

TEST(contradictions)
{
    CHECK_STR(CHOOSE("a b", .label = "a", .id = "1"), "column 'a' cannot be both the label and the id");
    CHECK_INT(err.status, ODIM_ERR_PARAM);
    CHECK_INT(err.col, 0);
    CHECK_STR(CHOOSE("a b", .label = "b", .only = NAMES("a", "b")),
              "column 'b' cannot be both a feature and the label");
    CHECK_STR(CHOOSE("a b", .id = "b", .only = NAMES("a", "b")),
              "column 'b' cannot be both a feature and the id");
    CHECK_STR(CHOOSE("a b", .ignore = NAMES("b"), .only = NAMES("a", "b")),
              "column 'b' cannot be both a feature and ignored");
}

TEST(too_few_or_many)
{
    CHECK_STR(CHOOSE("a b", .label = "a", .ignore = NAMES("b")),
              "no feature column is left: of 2, all are the label, the id, what is known or ignored");
    od_columns c = {0};
    for (int i = 0; i < OD_MAX_COLS + 2; i++) REQUIRE(!od_columns_add(&c, "", 0, &err));
    odim_read_options o = {.label = "x7", .ignore = NAMES("x8")};
    CHECK_INT(od_columns_choose(&c, &o, false, &err), ODIM_OK);
    CHECK_INT(c.features, OD_MAX_COLS);
    od_columns_free(&c);
    REQUIRE(!od_columns_number(&c, OD_COLUMNS_MOST, &err));
    o = (odim_read_options){0};
    CHECK_INT(od_columns_choose(&c, &o, false, &err), ODIM_ERR_DATA);
    CHECK_STR(
        err.msg,
        "1048576 feature columns; at most 16384 can be used: choose some (set only or ignore) or reduce "
        "the dimension first");
    CHECK_INT(od_columns_add(&c, "", 0, &err), ODIM_ERR_DATA);
    CHECK_STR(err.msg, "more than 1048576 columns; reduce the dimension first");
    od_columns_free(&c);
    CHECK_INT(od_columns_number(&c, OD_COLUMNS_MOST + 1, &err), ODIM_ERR_DATA);
    CHECK_STR(err.msg, "more than 1048576 columns; reduce the dimension first");
}

/* ---- types ---------------------------------------------------------------------------------------- */

/* The types wanted, a letter for each feature, "." for none; or the error. */
static const char *types(const char *names, odim_read_options o)
{
    static char found[64];
    od_columns c = {0};
    odim_status status = ODIM_OK;
    for (const char *p = names; !status && *p; p++) status = od_columns_add(&c, p, 1, &err);
    if (!status) status = od_columns_choose(&c, &o, false, &err);
    for (int64_t k = 0; !status && k < c.features; k++)
        found[k] = c.type[k] == OD_TYPE_OPEN ? '.' : *odim_type_text((odim_type)c.type[k]);
    found[status ? 0 : c.features] = '\0';
    od_columns_free(&c);
    return status ? err.msg : found;
}

#define TYPES(names, ...) types(names, (odim_read_options){__VA_ARGS__})

TEST(types_wanted)
{
    CHECK_STR(TYPES("abcd", .format = NULL), "....");
    CHECK_STR(TYPES("abcd", .numeric = NAMES("a", "3")), "n.n.");
    CHECK_STR(TYPES("abcd", .categorical = NAMES("b"), .numeric = NAMES("a")), "nc..");
    CHECK_STR(TYPES("abcd", .time = NAMES("a"), .boolean = NAMES("b"), .categorical = NAMES("d")), "tb.c");
    CHECK_STR(TYPES("abcd", .numeric = NAMES("2", "b")), ".n..");
    CHECK_STR(TYPES("abcd", .numeric = NAMES("b"), .ignore = NAMES("a")), "n..");
    CHECK_STR(TYPES("abcd", .numeric = NAMES("a"), .label = "a"), "...");
    CHECK_STR(TYPES("abcd", .numeric = NAMES("a"), .categorical = NAMES("a")),
              "column 'a' cannot be both numeric and categorical");
    CHECK_INT(err.status, ODIM_ERR_PARAM);
    CHECK_INT(err.col, 0);
    CHECK_STR(TYPES("abcd", .numeric = NAMES("b"), .time = NAMES("b")),
              "column 'b' cannot be both numeric and time");
    CHECK_STR(TYPES("abcd", .time = NAMES("a"), .boolean = NAMES("a")),
              "column 'a' cannot be both boolean and time");
    CHECK_STR(TYPES("abcd", .time = NAMES("z")), "there is no column 'z'; there are a, b, c, d");
    CHECK_STR(TYPES("abcb", .time = NAMES("b")),
              "time: 2 columns are named 'b'; give the number instead (the first of them is column 2)");
    CHECK_STR(TYPES("abcd", .numeric = NAMES("e")), "there is no column 'e'; there are a, b, c, d");
}

/* ---- formats -------------------------------------------------------------------------------------- */

/* The formats wanted: the type's letter, what is special in words, "!" if nothing is left to decide. */
static const char *formats(const char *names, odim_read_options o)
{
    static char found[400];
    od_columns c = {0};
    int used = 0;
    odim_status status = ODIM_OK;
    for (const char *p = names; !status && *p; p++) status = od_columns_add(&c, p, 1, &err);
    if (!status) status = od_columns_choose(&c, &o, false, &err);
    for (int64_t k = 0; !status && k < c.features; k++) {
        odim_type type = c.type[k] == OD_TYPE_OPEN ? ODIM_NUMERIC : (odim_type)c.type[k];
        char text[80];
        od_cell_format_text(type, &c.format[k], text, sizeof text);
        used +=
            snprintf(found + used, sizeof found - (size_t)used, "%s%s%s%s", k ? "|" : "",
                     c.type[k] == OD_TYPE_OPEN ? "" : odim_type_text(type), text, c.decided[k] ? "!" : "");
    }
    od_columns_free(&c);
    return status ? err.msg : found;
}

#define FORMATS(names, ...) formats(names, (odim_read_options){__VA_ARGS__})

TEST(formats_wanted)
{
    CHECK_STR(FORMATS("abc", .formats = NAMES("a", "comma", "3", "dmy")),
              "numericdecimal comma||timeday/month/year!");
    CHECK_STR(FORMATS("ab", .formats = NAMES("a", "unix-ms"), .time = NAMES("a")),
              "timemilliseconds since 1970!|");
    CHECK_STR(FORMATS("ab", .formats = NAMES("b", "iso")), "|time!");
    CHECK_STR(FORMATS("ab", .formats = NAMES("b", "point"), .categorical = NAMES("b")),
              "column 'b' cannot be both categorical and numeric");
    CHECK_INT(err.status, ODIM_ERR_PARAM);
    CHECK_STR(FORMATS("ab", .formats = NAMES("a", "mdy"), .numeric = NAMES("a")),
              "column 'a' cannot be both numeric and time");
    CHECK_STR(FORMATS("ab", .formats = NAMES("a", "german")),
              "formats: 'german' is not a format; use comma or point for numbers, and iso, ymd, dmy, mdy, "
              "named, unix or unix-ms for dates");
    CHECK_STR(FORMATS("ab", .formats = NAMES("a")), "formats: column 'a' has no format");
    CHECK_STR(FORMATS("ab", .formats = NAMES("a", "comma"), .id = "a"),
              "formats: column 'a' is not a feature");
    CHECK_STR(FORMATS("ab", .formats = NAMES("c", "comma")), "there is no column 'c'; there are a, b");
}

/* ---- after the types are known -------------------------------------------------------------------- */

/* Roles of the columns of the file, and the features that are left in the table. */
static const char *list(odim_read_options o, int64_t drop, bool as_id, odim_status *status)
{
    static char found[200];
    od_columns c = {0};
    odim_table *t = od_table_new();
    *status = t ? ODIM_OK : od_fail_nomem(&err);
    for (const char *p = "abcde"; !*status && *p; p++) *status = od_columns_add(&c, p, 1, &err);
    if (!*status) *status = od_columns_settle(&c, t, &o, NULL, false, &err);
    if (!*status && drop >= 0) *status = od_columns_drop(&c, t, drop, as_id, &err);
    if (!*status) *status = od_columns_list_file(&c, t, &err);
    int used = 0;
    for (size_t i = 0; !*status && i < t->file.names.count; i++)
        used += sprintf(found + used, "%s%c", od_strlist_at(&t->file.names, i), "-FILK"[t->file.role[i]]);
    if (!*status && t->id_name) used += sprintf(found + used, " id %s", t->id_name);
    for (int64_t k = 0; !*status && k < t->d; k++) {
        CHECK_STR(t->col[k].name, od_strlist_at(&t->file.names, (size_t)c.feature[k]));
        used += sprintf(found + used, "%s%s%s", k ? "," : " ", t->col[k].name, c.decided[k] ? "!" : "");
    }
    if (!*status) CHECK_INT(t->d, c.features);
    od_columns_free(&c);
    odim_table_free(t);
    return *status ? err.msg : found;
}

#define LIST(drop, as_id, ...) list((odim_read_options){__VA_ARGS__}, drop, as_id, &status)

TEST(what_each_column_is_for)
{
    odim_status status;
    CHECK_STR(LIST(-1, false, .format = NULL), "aFbFcFdFeF a,b,c,d,e");
    CHECK_STR(LIST(-1, false, .id = "b", .label = "c", .known = "d", .ignore = NAMES("e")),
              "aFbIcLdKe- id b a");
    CHECK_STR(LIST(-1, false, .only = NAMES("d", "b")), "a-bFc-dFe- b,d");
}

TEST(dropped_columns)
{
    odim_status status;
    CHECK_STR(LIST(0, true, .boolean = NAMES("c")), "aIbFcFdFeF id a b,c!,d,e");
    CHECK_STR(LIST(4, true, .boolean = NAMES("c")), "aFbFcFdFeI id e a,b,c!,d");
    CHECK_STR(LIST(1, false, .boolean = NAMES("c")), "aFb-cFdFeF a,c!,d,e");
    CHECK_STR(LIST(1, false, .boolean = NAMES("d"), .ignore = NAMES("a")), "a-bFc-dFeF b,d!,e");
    CHECK_STR(LIST(0, true, .only = NAMES("d", "b")), "a-bIc-dFe- id b d");
    const char *msg = NULL;
    EACH_ALLOCATION_FAILS(status, 10)
    msg = LIST(2, true, .label = "a");
    CHECK_STR(msg, "aLbFcFdIeF id d b,c,e");
}

TEST(out_of_memory)
{
    const char *msg = NULL;
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 4)
    {
        msg = CHOOSE("a b c", .label = "b");
        status = strcmp(msg, "out of memory") == 0 ? ODIM_ERR_NOMEM : ODIM_OK;
    }
    CHECK_STR(msg, "features 1,3 label 2");
}

int main(void)
{
    RUN(by_name_or_number);
    RUN(labels_at_the_end);
    RUN(numbered);
    RUN(unknown);
    RUN(did_you_mean);
    RUN(names_that_are_used_twice);
    RUN(no_memory_for_unique_names);
    RUN(ambiguous);
    RUN(known);
    RUN(contradictions);
    RUN(too_few_or_many);
    RUN(types_wanted);
    RUN(formats_wanted);
    RUN(what_each_column_is_for);
    RUN(dropped_columns);
    RUN(out_of_memory);
    return test_end();
}
