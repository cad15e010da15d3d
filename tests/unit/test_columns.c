#include "prep/columns.h"

#include "base/mem.h"
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
    if (!status && c.id >= 0) snprintf(found + used, sizeof found - (size_t)used, " id %d", (int)c.id + 1);
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
    CHECK_STR(CHOOSE("a b c d", .ignore = "a,3"), "features 2,4");
    CHECK_STR(CHOOSE("a b c d", .ignore = " a , d"), "features 2,3");
    CHECK_STR(CHOOSE("a b c d", .only = "d,b"), "features 2,4");
    CHECK_STR(CHOOSE("a,b b c d", .ignore = "a,b"), "features 2,3,4");
    CHECK_STR(CHOOSE("a b c d", .ignore = "b,b", .label = "b"), "features 1,3,4 label 2");
}

TEST(labels_at_the_end)
{
    odim_read_options o = {0};
    CHECK_STR(choose("x1 x2 y", o, true), "features 1,2 label 3");
    o.label = "y";
    CHECK_STR(choose("x1 x2 y", o, true), "features 1,2 label 3");
    o.label = "x1";
    CHECK_STR(choose("x1 x2 y", o, true), "features 2 label 1");
    o = (odim_read_options){.ignore = "y"};
    CHECK_STR(choose("x1 x2 y", o, true), "features 1,2");
    o = (odim_read_options){.id = "y"};
    CHECK_STR(choose("x1 x2 y", o, true), "features 1,2 id 3");
    o = (odim_read_options){.only = "y"};
    CHECK_STR(choose("x1 x2 y", o, true), "column 'y' cannot be both a feature and the label");
}

/* Columns that have no names, and one after them that has. */
TEST(numbered)
{
    odim_read_options o = {.label = "x2", .id = "3", .ignore = "last"};
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
    CHECK_STR(CHOOSE("a b c", .ignore = "a,z"), "there is no column 'z'; there are a, b, c");
    CHECK_STR(CHOOSE("a b c", .only = "a,"), "there is no column ''; there are a, b, c");
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
    CHECK_STR(CHOOSE("a b b", .ignore = "b"),
              "ignore: 2 columns are named 'b'; give the number instead (the first of them is column 2)");
    CHECK_STR(CHOOSE("a b b", .label = "3"), "features 1,2 label 3");
}

TEST(contradictions)
{
    CHECK_STR(CHOOSE("a b", .label = "a", .id = "1"), "column 'a' cannot be both the label and the id");
    CHECK_INT(err.status, ODIM_ERR_PARAM);
    CHECK_INT(err.col, 1);
    CHECK_STR(CHOOSE("a b", .label = "b", .only = "a,b"),
              "column 'b' cannot be both a feature and the label");
    CHECK_STR(CHOOSE("a b", .id = "b", .only = "a,b"), "column 'b' cannot be both a feature and the id");
    CHECK_STR(CHOOSE("a b", .ignore = "b", .only = "a,b"), "column 'b' cannot be both a feature and ignored");
}

TEST(too_few_or_many)
{
    CHECK_STR(CHOOSE("a b", .label = "a", .ignore = "b"),
              "no feature column is left: of 2, all are the label, the id or ignored");
    od_columns c = {0};
    for (int i = 0; i < OD_MAX_COLS + 2; i++) REQUIRE(!od_columns_add(&c, "", 0, &err));
    odim_read_options o = {.label = "x7", .ignore = "x8"};
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

TEST(out_of_memory)
{
    const char *msg = "out of memory";
    for (int n = 1; strcmp(msg, "out of memory") == 0 && n < 100; n++) {
        od_mem_fail_at(n);
        msg = CHOOSE("a b c", .label = "b");
        CHECK(strcmp(msg, "out of memory") == 0 || n > 4);
    }
    od_mem_fail_at(0);
    CHECK_STR(msg, "features 1,3 label 2");
}

int main(void)
{
    RUN(by_name_or_number);
    RUN(labels_at_the_end);
    RUN(numbered);
    RUN(unknown);
    RUN(ambiguous);
    RUN(contradictions);
    RUN(too_few_or_many);
    RUN(out_of_memory);
    return test_end();
}
