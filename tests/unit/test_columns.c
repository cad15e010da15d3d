#include "prep/columns.h"

#include "common/mem.h"
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
    CHECK_STR(CHOOSE("A b c", .label = "a"), "there is no column 'a'; there are A, b, c");
    char many[3000] = "";
    for (int i = 0; i < 300; i++) strcat(many, "column ");
    CHECK_STR(choose(many, (odim_read_options){.label = "z"}, false),
              "there is no column 'z'; there are column, column, column, column, column, column, "
              "column, column, "
              "column, column, column, column, column, column, column, column, column and 283 more");
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
    CHECK_STR(err.msg,
              "1048576 feature columns; at most 16384 can be used: choose some (--only, --ignore) or reduce "
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

/* ---- the columns of a model ----------------------------------------------------------------------- */

/* A schema of columns with names of one letter; small ones are used, large ones not; 'c' is a category. */
static void make_schema(od_schema *s, const char *names)
{
    *s = (od_schema){.cols = (int64_t)strlen(names)};
    s->col = od_calloc(strlen(names), sizeof *s->col);
    if (!s->col) abort();
    for (int64_t k = 0; k < s->cols; k++) {
        s->col[k].name = od_strndup(names + k, 1);
        s->col[k].ignored = names[k] < 'a' ? OD_IGNORED_CONSTANT : OD_USED;
        s->col[k].type = names[k] == 'c' ? ODIM_CATEGORICAL : ODIM_NUMERIC;
        if (!s->col[k].name) abort();
    }
}

/* As choose, for a model, with the notes behind; file NULL: `count` columns without names, and y with labels.
 */
static const char *like(const char *model, const char *file, int count, odim_read_options o, bool labels_last)
{
    static char found[1000];
    od_schema s;
    od_columns c = {0};
    od_strlist notes = {0};
    odim_status status = ODIM_OK;
    make_schema(&s, model);
    if (!file) status = od_columns_number(&c, count, &err);
    if (!file && labels_last) status = od_columns_add(&c, "y", 1, &err);
    for (const char *p = file; p && !status && *p; p++) status = od_columns_add(&c, p, 1, &err);
    if (!status) status = od_columns_like(&c, &o, &s, labels_last, &notes, &err);
    int at = sprintf(found, "features ");
    for (int64_t k = 0; !status && k < c.features; k++)
        at += sprintf(found + at, "%s%d%s", k ? "," : "", (int)c.feature[k] + 1,
                      c.type[k] == ODIM_CATEGORICAL ? "c" : "");
    if (!status && c.label >= 0) at += sprintf(found + at, " label %d", (int)c.label + 1);
    if (!status && c.id >= 0) at += sprintf(found + at, " id %d", (int)c.id + 1);
    for (size_t i = 0; !status && i < notes.count; i++)
        at += sprintf(found + at, "; %s", od_strlist_at(&notes, i));
    od_columns_free(&c);
    od_strlist_free(&notes);
    od_schema_free(&s);
    return status ? err.msg : found;
}

#define LIKE(model, file, ...) like(model, file, 0, (odim_read_options){__VA_ARGS__}, false)

TEST(columns_of_a_model)
{
    CHECK_STR(LIKE("abc", "abc", .format = NULL), "features 1,2,3c");
    CHECK_STR(LIKE("abc", "cba", .format = NULL), "features 3,2,1c");
    CHECK_STR(LIKE("aBc", "cBa", .format = NULL), "features 3,1c"); /* B is known and not needed */
    CHECK_STR(LIKE("aBc", "ca", .format = NULL), "features 2,1c");
    CHECK_STR(LIKE("ab", "azb", .format = NULL), "features 1,3; column 'z' is not in the model: ignored");
    CHECK_STR(LIKE("ab", "azb", .id = "z"), "features 1,3 id 2");
    CHECK_STR(LIKE("ab", "azby", .label = "y", .id = "2"), "features 1,3 label 4 id 2");
    CHECK_STR(
        LIKE("ab", "aqrstuvb", .format = NULL),
        "features 1,8; column 'q' is not in the model: ignored; column 'r' is not in the model: ignored; "
        "column 's' is not in the model: ignored; column 't' is not in the model: ignored; "
        "column 'u' is not in the model: ignored; 1 more columns are not in the model: ignored");
    CHECK_STR(LIKE("ab", "ab", .only = NAMES("a"), .ignore = NAMES("b"), .numeric = NAMES("z")),
              "features 1,2"); /* no matter */
}

TEST(columns_a_model_misses)
{
    CHECK_STR(LIKE("abc", "acx", .format = NULL), "the model needs column 'b', which is not there");
    CHECK_STR(LIKE("abc", "xyz", .format = NULL),
              "the model needs columns 'a', 'b', 'c', which are not there");
    CHECK_STR(LIKE("ab", "ab", .label = "z"), "there is no column 'z'; there are a, b");
    CHECK_STR(LIKE("ab", "ab", .label = "a"),
              "column 'a' cannot be both a feature of the model and the label");
    CHECK_STR(LIKE("ab", "ab", .id = "b"), "column 'b' cannot be both a feature of the model and the id");
    CHECK_STR(LIKE("ab", "abx", .id = "x", .label = "x"), "column 'x' cannot be both the label and the id");
}

TEST(columns_of_one_name)
{
    CHECK_STR(LIKE("abb", "bab", .format = NULL), "features 2,1,3");
    CHECK_STR(LIKE("bAb", "bbA", .format = NULL), "features 1,2");
    CHECK_STR(LIKE("ab", "abb", .format = NULL),
              "2 columns are named 'b', which is not as many as the model has: give them other names");
    CHECK_STR(LIKE("abbb", "abb", .format = NULL),
              "2 columns are named 'b', which is not as many as the model has: give them other names");
    CHECK_STR(
        LIKE("ab", "abzz", .format = NULL),
        "features 1,2; column 'z' is not in the model: ignored; column 'z' is not in the model: ignored");
}

#define NUMBERED(model, count, labels, ...) like(model, NULL, count, (odim_read_options){__VA_ARGS__}, labels)

TEST(files_without_names)
{
    const char *note = "the file has no column names: its columns are taken in the model's order";
    char want[200];
    snprintf(want, sizeof want, "features 1,2,3c; %s", note);
    CHECK_STR(NUMBERED("abc", 3, false, .format = NULL), want);
    snprintf(want, sizeof want, "features 1,3c; %s", note);
    CHECK_STR(NUMBERED("aBc", 3, false, .format = NULL), want);
    snprintf(want, sizeof want, "features 2,4 label 3 id 1; %s", note);
    CHECK_STR(NUMBERED("ab", 4, false, .label = "3", .id = "1"), want);
    snprintf(want, sizeof want, "features 1,2 label 3; %s", note);
    CHECK_STR(NUMBERED("ab", 2, true, .format = NULL), want);
    CHECK_STR(NUMBERED("ab", 3, false, .format = NULL),
              "the model needs columns 'a', 'b', which are not there");
    CHECK_STR(NUMBERED("ab", 1, false, .format = NULL),
              "the model needs columns 'a', 'b', which are not there");
}

/* The labels of an archive are no feature, whatever else is the label. */
TEST(labels_are_no_feature_of_a_model)
{
    CHECK_STR(NUMBERED("ay", 2, true, .format = NULL),
              "column 'y' cannot be both a feature of the model and the label");
    CHECK_STR(NUMBERED("ay", 2, true, .known = "y"),
              "column 'y' cannot be both a feature of the model and what is known");
    CHECK_STR(NUMBERED("ay", 2, true, .label = "x1"),
              "column 'y' cannot be both a feature of the model and the label");
    CHECK_STR(NUMBERED("ab", 2, true, .label = "x1"),
              "the model needs columns 'a', 'b', which are not there");
    CHECK_STR(
        NUMBERED("ab", 3, true, .label = "x1"),
        "features 2,3 label 1; the file has no column names: its columns are taken in the model's order");
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
    RUN(ambiguous);
    RUN(known);
    RUN(contradictions);
    RUN(too_few_or_many);
    RUN(types_wanted);
    RUN(columns_of_a_model);
    RUN(columns_a_model_misses);
    RUN(columns_of_one_name);
    RUN(files_without_names);
    RUN(labels_are_no_feature_of_a_model);
    RUN(out_of_memory);
    return test_end();
}
