/* Models that no fit would write, shown by inspect, explain and report: what they say is text, and not too
 * much. */
#include "common/mem.h"
#include "io/windows1252.h"
#include "model/model.h"
#include "scratch.h"
#include "test.h"
#include "verb.h"

/* What main.c has, for the verbs. */
const char cli_program[] = "odim", cli_examples[] = "";
const cli_verb *const cli_verbs[] = {NULL};
const cli_verb *cli_verb_find(const char *name)
{
    return name ? NULL : *cli_verbs;
}

enum { ROWS = 80, LONG = 1 << 20 };

static odim_error err;

/* ---- a model and its rows ------------------------------------------------------------------------- */

/* A table with these names; the cells of the second column say nothing but themselves. */
static void write_table(const char *path, const char *name)
{
    FILE *f = fopen(path, "wb");
    if (!f) abort();
    fputc('"', f);
    for (const char *c = name; *c; c++) fprintf(f, *c == '"' ? "\"\"" : "%c", *c);
    fputs("\",kind\n", f);
    for (int i = 0; i < ROWS; i++) fprintf(f, "%d,k%d\n", i == 40 ? 900 : i * 7 % 11, i % 3);
    if (fclose(f)) abort();
}

/* The model of a harmless table, with another name for its first column, and counts beyond all rows. */
static bool forge(const char *name, bool counts)
{
    odim_table *t;
    odim_model *m = NULL;
    odim_params *p = odim_params_new();
    write_table(in_scratch("plain.csv"), "a");
    bool fine = p && !odim_params_set(p, "method", "iforest", &err) &&
                !odim_table_read(&t, in_scratch("plain.csv"), NULL, &err) && !odim_fit(t, p, NULL, &m, &err);
    if (fine) {
        od_schema_col *c = m->schema.col;
        odim_table_free(t);
        od_free(c[0].name);
        c[0].name = od_strndup(name, strlen(name));
        if (counts) m->schema.rows = c[0].missing = c[1].missing = c[1].level_count[0] = INT64_MAX;
        fine = !odim_model_save(m, in_scratch("m.odim"), &err);
    }
    odim_model_free(m);
    odim_params_free(p);
    write_table(in_scratch("t.csv"), name);
    FILE *f = fopen(in_scratch("s.csv"), "wb");
    if (!f) abort();
    fputs("row,score\n", f);
    for (int i = 0; i < ROWS; i++) fprintf(f, "%d,%g\n", i + 1, i == 40 ? 9.0 : i % 7 / 10.0);
    return fclose(f) == 0 && fine;
}

/* ---- what is shown -------------------------------------------------------------------------------- */

/* All bytes of a file and a zero; to be freed. */
static char *read_all(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    char *all = malloc(8 * LONG);
    if (!f || !all) abort();
    *size = fread(all, 1, 8 * LONG - 1, f);
    all[*size] = '\0';
    fclose(f);
    return all;
}

static int count(const char *text, const char *what)
{
    int n = 0;
    for (; (text = strstr(text, what)); text++) n++;
    return n;
}

/* Nothing that a terminal or a page would obey. */
static void expect_safe(const char *text, size_t size, const char *what)
{
    static const char *const bad[] = {"<img",         "<svg onload",  "onerror=alert(1)>", "\033", "\xC2\x9B",
                                      "\xE2\x80\xAE", "\xE2\x81\xA6", "\xE2\x80\xA8",      "\xFF"};
    if (strlen(text) != size) TEST_SAY("%s: a zero byte", what);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (i < 3 ? strstr(what, "html") && strstr(text, bad[i]) : strstr(text, bad[i]) != NULL)
            TEST_SAY("%s: bad text %d", what, (int)i);
}

/* A verb, with its standard output in a file. */
static int run(const cli_verb *verb, int argc, const char **argv, const char *output)
{
    fflush(stdout);
    int kept = dup(STDOUT_FILENO);
    if (kept < 0 || !freopen(output, "wb", stdout)) abort();
    int code = verb->run(argc, (char **)argv);
    fflush(stdout);
    if (dup2(kept, STDOUT_FILENO) < 0) abort();
    close(kept);
    return code;
}

static void expect_text(const cli_verb *verb, int argc, const char **argv)
{
    size_t size;
    CHECK_INT(run(verb, argc, argv, in_scratch("out")), CLI_EXIT_OK);
    char *text = read_all(in_scratch("out"), &size);
    expect_safe(text, size, verb->name);
    CHECK(size > 100 && size < 4000);
    free(text);
}

static void expect_page(int argc, const char **argv)
{
    size_t size;
    CHECK_INT(run(&cli_report_verb, argc, argv, in_scratch("out")), CLI_EXIT_OK);
    char *page = read_all(in_scratch("p.html"), &size);
    expect_safe(page, size, "html");
    CHECK(size > 10000 && size < 2000000);
    CHECK_INT(count(page, "<script"), 3); /* the data, what page and report share, the report */
    CHECK_INT(count(page, "</script>"), 3);
    CHECK_INT(count(page, "</html>"), 1);
    CHECK(strcmp(page + size - 8, "</html>\n") == 0);
    CHECK(!strstr(page, "nan<") && !strstr(page, "inf<"));
    free(page);
}

static void show(const char *name, bool counts)
{
    char model[64], rows[64], scores[64], page[64];
    snprintf(model, sizeof model, "%s/m.odim", scratch);
    snprintf(rows, sizeof rows, "%s/t.csv", scratch);
    snprintf(scores, sizeof scores, "%s/s.csv", scratch);
    snprintf(page, sizeof page, "%s/p.html", scratch);
    if (!forge(name, counts)) {
        TEST_SAY("%s", err.msg);
        return;
    }
    expect_text(&cli_inspect_verb, 1, (const char *[]){model});
    expect_page(6, (const char *[]){scores, "-m", model, "--quiet", "-o", page});
    const char *explain[] = {rows, "--header", "-m", model, "--row", "41"};
    if (!od_is_utf8(name, strlen(name))) { /* names of a table always are */
        CHECK_INT(run(&cli_explain_verb, 6, explain, in_scratch("out")), 1);
        return;
    }
    expect_text(&cli_explain_verb, 6, explain);
    expect_page(9, (const char *[]){scores, "-m", model, "--quiet", "-o", page, "--data", rows, "--header"});
}

TEST(names)
{
    show("a", false);
    show("</script><img src=x onerror=alert(1)>", false);
    show("\"><svg onload=alert(2)>", false);
    show("--></style></title><img src=x>", false);
    show("a\xE2\x80\xAE"
         "b\xE2\x81\xA6"
         "c\xE2\x80\xA8",
         false);
    show("\033]0;title\007\033[2J\xC2\x9B"
         "31m",
         false);
    show("a\nb\r\nc", false);
    show("\xFF\xC3", false);
}

TEST(a_very_long_name)
{
    char *name = malloc(LONG + 1);
    REQUIRE(name);
    memset(name, 'x', LONG);
    name[LONG] = '\0';
    show(name, false);
    for (int i = 0; i + 3 <= LONG; i += 3) memcpy(name + i, "\xE2\x80\xAE", 3);
    show(name, false);
    free(name);
}

TEST(counts)
{
    show("a", true);
}

int main(void)
{
    scratch_make();
    RUN(names);
    RUN(a_very_long_name);
    RUN(counts);
    return test_end();
}
