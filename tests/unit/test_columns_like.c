/* tests: columns_like. The columns of a model, found in another file. */
#include "common/mem.h"
#include "base/local_date.h"
#include "prep/columns.h"
#include "starve.h"
#include "test.h"

static odim_error err;

/* A schema of columns with names of one letter; small ones are used, large ones not; 'c' is a category that
 * has no format, 'd' a date with the day first, all others have decimal commas. After a blank the columns of
 * the file that it was fitted on may follow, each with a letter for its role: "ab xIaFbFzL". */
static void make_schema(od_schema *s, const char *names)
{
    static const char roles[] = "-FILK";
    size_t cols = strcspn(names, " "), count = strlen(names + cols) / 2;
    *s = (od_schema){.cols = (int64_t)cols};
    s->col = od_calloc(cols, sizeof *s->col);
    s->file.role = od_calloc(count + 1, 1);
    if (!s->col || !s->file.role) abort();
    for (size_t i = 0; i < count; i++) {
        const char *at = names + cols + 1 + 2 * i;
        s->file.role[i] = (uint8_t)(strchr(roles, at[1]) - roles);
        if (od_strlist_add(&s->file.names, at, 1, &err)) abort();
    }
    for (int64_t k = 0; k < s->cols; k++) {
        s->col[k].name = od_strndup(names + k, 1);
        s->col[k].ignored = names[k] < 'a' ? OD_IGNORED_CONSTANT : OD_USED;
        s->col[k].type = names[k] == 'c' ? ODIM_CATEGORICAL : names[k] == 'd' ? ODIM_TIME : ODIM_NUMERIC;
        if (names[k] == 'd') s->col[k].format.order = OD_DATE_DMY;
        if (s->col[k].type == ODIM_NUMERIC) s->col[k].format.notations = OD_COMMAS;
        if (!s->col[k].name) abort();
    }
}

/* What is chosen, as "features 1,3 label 2 id 4", with the notes behind, or the error. file NULL: `count`
 * columns without names, and y with labels. */
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
    if (!status) status = od_columns_make_unique(&c, &notes, &err);
    od_strlist_clear(&notes);
    if (!status) status = od_columns_like(&c, &o, &s, labels_last, &notes, &err);
    int at = sprintf(found, "features ");
    for (int64_t k = 0; !status && k < c.features; k++) {
        CHECK(c.decided[k] &&
              (c.type[k] == ODIM_CATEGORICAL || c.type[k] == ODIM_TIME ? !c.format[k].notations
                                                                       : c.format[k].notations == OD_COMMAS));
        CHECK_INT(c.format[k].order, c.type[k] == ODIM_TIME ? OD_DATE_DMY : 0);
        at += sprintf(found + at, "%s%d%s", k ? "," : "", (int)c.feature[k] + 1,
                      c.type[k] == ODIM_CATEGORICAL ? "c"
                      : c.type[k] == ODIM_TIME      ? "d"
                                                    : "");
    }
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

/* Models from before names got suffixes may have the same one several times. */
TEST(models_with_columns_of_one_name)
{
    CHECK_STR(LIKE("abb", "bab", .format = NULL), "features 2,1,3");
    CHECK_STR(LIKE("abbb", "bbab", .format = NULL), "features 3,1,2,4");
    CHECK_STR(LIKE("bAb", "bbA", .format = NULL), "features 1,2");
    CHECK_STR(LIKE("abbb", "abb", .format = NULL), "the model needs column 'b', which is not there");
    CHECK_STR(LIKE("ab", "abb", .format = NULL), "features 1,2; column 'b (2)' is not in the model: ignored");
    CHECK_STR(LIKE("ab", "abzz", .format = NULL),
              "features 1,2; column 'z' is not in the model: ignored; column 'z (2)' is not in the model: "
              "ignored");
}

/* ---- what the model remembers of its file --------------------------------------------------------- */

TEST(the_id_is_remembered)
{
    CHECK_STR(LIKE("ab iIaFbF", "bai", .format = NULL), "features 2,1 id 3");
    CHECK_STR(LIKE("ab iIaFbF", "ba", .format = NULL), "features 2,1");
    CHECK_STR(LIKE("ab iIaFbF", "bai", .id = ""), "features 2,1"); /* the caller wants none */
    CHECK_STR(LIKE("ab iIaFbF", "baiz", .id = "z"), "features 2,1 id 4");
    CHECK_STR(LIKE("ab iIaFbF", "bai", .label = "i"), "features 2,1 label 3");
    CHECK_STR(LIKE("ab iIaFbF", "bai", .known = "i"), "features 2,1");
    CHECK_STR(LIKE("ab iIaFbF", "baii", .format = NULL),
              "features 2,1 id 3; column 'i (2)' is not in the model: ignored");
}

/* Columns that were not features once are not worth a note now. */
TEST(ignored_columns_are_remembered)
{
    CHECK_STR(LIKE("ab aFz-bFyLkK", "kzyab", .format = NULL), "features 4,5");
    CHECK_STR(LIKE("ab aFz-bFyLkK", "abq", .format = NULL),
              "features 1,2; column 'q' is not in the model: ignored");
    CHECK_STR(LIKE("ab aFz-bFyLkK", "aby", .label = "y"), "features 1,2 label 3");
}

/* A file without names that has as many columns as the fitted one, with its id and what was ignored. */
TEST(names_are_adopted)
{
    const char *note =
        "the file has no column names: its columns are taken in the order of the file that the model was "
        "fitted on";
    const char *model = "adb iIbFz-aFdF";
    char want[200];
    snprintf(want, sizeof want, "features 4,5d,2 id 1; %s", note);
    CHECK_STR(NUMBERED(model, 5, false, .format = NULL), want);
    snprintf(want, sizeof want, "features 4,5d,2; %s", note);
    CHECK_STR(NUMBERED(model, 5, false, .id = ""), want);
    snprintf(want, sizeof want, "features 4,5d,2 id 3; %s", note);
    CHECK_STR(NUMBERED(model, 5, false, .id = "z"), want);
    CHECK_STR(NUMBERED(model, 5, false, .id = "3"), want);
    /* Only the features. */
    CHECK_STR(NUMBERED(model, 3, false, .format = NULL),
              "features 1,2d,3; the file has no column names: its columns are taken in the model's order");
    CHECK_STR(NUMBERED(model, 4, false, .format = NULL),
              "the model needs columns 'a', 'd', 'b', which are not there");
    CHECK_STR(NUMBERED(model, 6, false, .format = NULL),
              "the model needs columns 'a', 'd', 'b', which are not there");
}

/* A model that was fitted without names finds x1, x2, ... by these. */
TEST(numbers_are_names)
{
    od_schema s;
    od_columns c = {0};
    od_strlist notes = {0};
    odim_read_options o = {0};
    make_schema(&s, "ab iIaFbF");
    od_free(s.col[0].name);
    od_free(s.col[1].name);
    od_strlist_clear(&s.file.names);
    s.col[0].name = od_strndup("x2", 2);
    s.col[1].name = od_strndup("x3", 2);
    for (int i = 1; i <= 3; i++) {
        char name[16];
        snprintf(name, sizeof name, "x%d", i);
        REQUIRE(!od_strlist_add(&s.file.names, name, 2, &err));
    }
    REQUIRE(!od_columns_number(&c, 3, &err) && !od_columns_like(&c, &o, &s, false, &notes, &err));
    CHECK(c.id == 0 && c.features == 2 && c.feature[0] == 1 && c.feature[1] == 2);
    CHECK_INT(notes.count, 0);
    od_columns_free(&c);
    od_schema_free(&s);
    od_strlist_free(&notes);
}

TEST(out_of_memory)
{
    od_schema s;
    odim_read_options o = {0};
    odim_status status;
    make_schema(&s, "ab iIaFz-bF");
    EACH_ALLOCATION_FAILS(status, 8)
    {
        od_columns c = {0};
        od_strlist notes = {0};
        status = od_columns_number(&c, 4, &err);
        if (!status) status = od_columns_like(&c, &o, &s, false, &notes, &err);
        od_columns_free(&c);
        od_strlist_free(&notes);
    }
    od_schema_free(&s);
}

int main(void)
{
    RUN(columns_of_a_model);
    RUN(columns_a_model_misses);
    RUN(files_without_names);
    RUN(labels_are_no_feature_of_a_model);
    RUN(models_with_columns_of_one_name);
    RUN(the_id_is_remembered);
    RUN(ignored_columns_are_remembered);
    RUN(names_are_adopted);
    RUN(numbers_are_names);
    RUN(out_of_memory);
    return test_end();
}
