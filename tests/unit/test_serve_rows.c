/* tests: result_summary result_rows result_files result_moved. Results of a table in the German manner, whose
 * rows are known. */
#include <unistd.h>

#include "scratch.h"
#include "serve_fixture.h"

extern const cli_verb cli_detect_verb;

static serve_tables *tables;
static serve_jobs *jobs;
static char table[SERVE_ID], job[SERVE_ID];

static void rows(serve_rows_query q)
{
    CHECK_INT(serve_jobs_rows(jobs, job, &q, fresh(), &why), ODIM_OK);
}

/* The rows of the answer, as "18 21". */
static const char *numbers(void)
{
    static char text[4000];
    size_t at = 0;
    *text = '\0';
    const char *list = value_of("rows");
    for (const char *row = list; (row = value_in(row, "row")) && at < sizeof text - 20;)
        at += (size_t)snprintf(text + at, sizeof text - at, at ? " %ld" : "%ld", strtol(row, NULL, 10));
    return text;
}

TEST(pages)
{
    rows((serve_rows_query){.limit = 2});
    CHECK_STR(numbers(), "18 21");
    CHECK_NEAR(number_of("total"), 300, 0);
    CHECK(has("\"id\": \"A-18\""));
    CHECK(has("\"values\": [\"A-18\", \"18.01.2024\", \"9.876,50 €\", "));
    CHECK(has("\"MÜNCHEN\", null]"));
    CHECK(has("\"verdict\": \"outlier\", \"mark\": null, \"reason\": \"Betrag 9876.5 (99 %): "));
    rows((serve_rows_query){.sort = "row"});
    CHECK(strncmp(numbers(), "1 2 3 4 ", 8) == 0);
    CHECK_INT(count_of("\"verdict\""), 50);
    rows((serve_rows_query){.sort = "row", .offset = 297, .limit = 10});
    CHECK_STR(numbers(), "298 299 300");
    rows((serve_rows_query){.sort = "row", .order = "desc", .offset = 299, .limit = 1000});
    CHECK_STR(numbers(), "1");
    rows((serve_rows_query){.offset = 300});
    CHECK_STR(numbers(), "");
    CHECK_NEAR(number_of("total"), 300, 0);
    rows((serve_rows_query){.offset = INT64_MAX, .limit = 1});
    CHECK_STR(numbers(), "");
}

/* By score up is by score down, the other way round, where scores differ. */
TEST(sorts)
{
    rows((serve_rows_query){.sort = "score", .order = "asc", .offset = 298, .limit = 2});
    CHECK_STR(numbers(), "21 18");
    /* By value: the highest amount first; the row without one last, in either order. */
    rows((serve_rows_query){.sort = "Betrag", .order = "desc", .limit = 1});
    CHECK_STR(numbers(), "18");
    rows((serve_rows_query){.sort = "Betrag", .order = "desc", .offset = 299});
    CHECK_STR(numbers(), "21");
    rows((serve_rows_query){.sort = "Betrag", .offset = 298});
    CHECK_STR(numbers(), "18 21");
    /* Ids by their numbers, dates by time. */
    rows((serve_rows_query){.sort = "id", .offset = 8, .limit = 3});
    CHECK_STR(numbers(), "9 10 11");
    rows((serve_rows_query){.sort = "Datum", .order = "desc", .limit = 2});
    CHECK_STR(numbers(), "300 299");
    /* Texts: 100 rows each, equal ones in the order of the file. */
    rows((serve_rows_query){.sort = "Ort", .limit = 3});
    CHECK_STR(numbers(), "2 5 8");
    rows((serve_rows_query){.sort = "Ort", .offset = 99, .limit = 3});
    CHECK_STR(numbers(), "299 1 4");
    rows((serve_rows_query){.sort = "Ort", .order = "desc", .limit = 2});
    CHECK_STR(numbers(), "3 6");
    /* A column without any value leaves the rows as they are. */
    rows((serve_rows_query){.sort = "Leer", .order = "desc", .limit = 2});
    CHECK_STR(numbers(), "1 2");
}

TEST(searches)
{
    rows((serve_rows_query){.search = "münchen"});
    CHECK_NEAR(number_of("total"), 100, 0);
    rows((serve_rows_query){.search = "BONN", .sort = "row", .limit = 2});
    CHECK_STR(numbers(), "2 5");
    CHECK_NEAR(number_of("total"), 100, 0);
    rows((serve_rows_query){.search = "9.876"});
    CHECK_STR(numbers(), "18");
    rows((serve_rows_query){.search = "a-12", .sort = "row"}); /* */
    CHECK_STR(numbers(), "12 120 121 122 123 124 125 126 127 128 129");
    /* 22.01., 19.02. and so on: the dates that are the only ones with this text. */
    rows((serve_rows_query){.search = "20.11.2024"});
    CHECK_STR(numbers(), "300");
    rows((serve_rows_query){.search = "nothing like that"});
    CHECK_NEAR(number_of("total"), 0, 0);
    rows((serve_rows_query){.search = ""});
    CHECK_NEAR(number_of("total"), 300, 0);
}

TEST(kinds_of_rows)
{
    rows((serve_rows_query){.which = "outliers"});
    CHECK_STR(numbers(), "18 21");
    rows((serve_rows_query){.which = "notable", .search = "9.876"});
    CHECK_STR(numbers(), "18");
    rows((serve_rows_query){.which = "outliers", .threshold = "1e9"});
    CHECK_NEAR(number_of("total"), 0, 0);
    rows((serve_rows_query){.which = "outliers", .threshold = "-1e9"});
    CHECK_NEAR(number_of("total"), 300, 0);
    CHECK_INT(count_of("\"verdict\": \"outlier\""), 50);
    rows((serve_rows_query){.which = "marked"});
    CHECK_NEAR(number_of("total"), 0, 0);
}

static void refuse(serve_rows_query q, const char *detail)
{
    CHECK(serve_jobs_rows(jobs, job, &q, fresh(), &why) != ODIM_OK);
    CHECK_PROBLEM(400, detail);
    CHECK(!answer.bytes);
}

TEST(refuses)
{
    refuse((serve_rows_query){.offset = -1}, "offset and limit must not be negative");
    refuse((serve_rows_query){.limit = 1001}, "limit must be at most 1000");
    refuse((serve_rows_query){.sort = "betrag"}, "sort: there is no column 'betrag'");
    refuse((serve_rows_query){.order = "up"}, "order must be asc or desc, not 'up'");
    refuse((serve_rows_query){.which = "none"}, "which must be all, outliers, notable or marked, not 'none'");
    refuse((serve_rows_query){.threshold = "4x"}, "threshold must be a number, not '4x'");
    refuse((serve_rows_query){.threshold = "nan"}, "threshold must be a number, not 'nan'");
    CHECK(serve_jobs_rows(jobs, "x", &(serve_rows_query){0}, fresh(), &why) != ODIM_OK);
    CHECK_INT(why.status, 404);
}

TEST(one_row)
{
    CHECK_INT(serve_jobs_row(jobs, job, 21, fresh(), &why), ODIM_OK);
    CHECK(is_value("row", "21,"));
    CHECK(is_value("reasons", "[{\"column\": \"Betrag\", "));
    CHECK(is_value("kind", "\"missing\""));
    CHECK(has("{\"column\": \"Betrag\", \"value\": null}"));
    CHECK(has("{\"column\": \"Ort\", \"value\": \"MÜNCHEN\"}"));
    /* An ordinary row has reasons too. */
    CHECK_INT(serve_jobs_row(jobs, job, 300, fresh(), &why), ODIM_OK);
    CHECK(count_of("\"share\"") >= 1);
    CHECK(serve_jobs_row(jobs, job, 0, fresh(), &why) != ODIM_OK);
    CHECK_PROBLEM(404, "there is no row 0");
    CHECK(serve_jobs_row(jobs, job, 301, fresh(), &why) != ODIM_OK);
    CHECK_INT(why.status, 404);
}

/* The sum of an array of numbers. */
static double sum_of(const char *key)
{
    const char *at = value_of(key);
    double sum = 0;
    for (char *end = (char *)at; at && *end != ']'; sum += strtod(end + 1, &end)) continue;
    return sum;
}

TEST(summary)
{
    CHECK_INT(serve_jobs_result(jobs, job, fresh(), &why), ODIM_OK);
    CHECK_NEAR(number_of("rows"), 300, 0);
    CHECK_NEAR(number_of("threshold"), 4, 0);
    CHECK(is_value("columns", "[{\"name\": \"Nr\", \"role\": \"id\", "));
    CHECK(has("\"outliers\": 2, \"unusual_rows\": "));
    CHECK(is_value("labels", "null"));
    CHECK(is_value("moved", "null"));
    CHECK(is_value("command", "\"odim detect umsatz.csv --preset fast\""));
    CHECK(is_value("preset", "\"fast\""));
    CHECK(has("\"blame\": 2"));
    CHECK(is_value("figures", "[\"scores\", \"pair\", \"learning\", \"losses\", \"column-"));
    const char *bars = value_of("ordinary"), *above = value_of("above");
    REQUIRE(bars && above);
    CHECK_NEAR(sum_of("ordinary"), 298 - number_of("unusual_rows"), 0);
    CHECK(strtod(above + 1, NULL) >= 299); /* all but perhaps a few are above the lowest place */
    static const char *const names[] = {"scores", "pair", "learning", "losses", "column-2"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        CHECK_INT(serve_jobs_figure(jobs, job, names[i], fresh(), &why), ODIM_OK);
        CHECK(answer.bytes && strncmp(answer.bytes, "<svg", 4) == 0);
    }
    static const char *const no[] = {"labels", "", "column-", "column-0", "column-99", "column-2x", "other"};
    for (size_t i = 0; i < sizeof no / sizeof *no; i++) {
        CHECK(serve_jobs_figure(jobs, job, no[i], fresh(), &why) != ODIM_OK);
        CHECK_INT(why.status, 404);
    }
}

/* ---- downloads -------------------------------------------------------------------------------------- */

static void same_as_command(serve_scores_query q, const char *const *more)
{
    const char *args[16] = {"umsatz.csv", "--preset", "fast", "-q", "-o", "made"};
    int count = 6;
    size_t size;
    while (*more) args[count++] = *more++;
    CHECK_INT(cli_detect_verb.run(count, (char **)args), 0);
    char *made = file_bytes("made", &size);
    CHECK_INT(serve_jobs_scores(jobs, job, &q, fresh(), &why), ODIM_OK);
    CHECK(made && size > 3000);
    CHECK_INT(answer.size, size);
    CHECK(made && answer.bytes && answer.size == size && memcmp(answer.bytes, made, size) == 0);
    free(made);
}

TEST(scores)
{
    same_as_command((serve_scores_query){0}, NAMES("--output-format", "csv"));
    same_as_command((serve_scores_query){.format = "csv", .table = true, .explain = 2},
                    NAMES("--keep", "--explain", "2", "--output-format", "csv"));
    same_as_command((serve_scores_query){.format = "tsv", .table = true, .safe = true, .raw_scores = true},
                    NAMES("--keep=safe", "--raw-scores", "--output-format", "tsv"));
    same_as_command((serve_scores_query){.format = "jsonl"}, NAMES("--output-format", "jsonl"));
    same_as_command((serve_scores_query){.format = "json"}, NAMES("--json"));
    same_as_command((serve_scores_query){.format = "json", .explain = 3}, NAMES("--json", "--explain", "3"));
    static const serve_scores_query wrong[] = {{.format = "npy"},
                                               {.format = "json", .table = true},
                                               {.format = "jsonl", .table = true, .safe = true},
                                               {.explain = 101},
                                               {.explain = -1}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CHECK(serve_jobs_scores(jobs, job, &wrong[i], fresh(), &why) != ODIM_OK);
        CHECK_INT(why.status, 400);
    }
}

TEST(files)
{
    char name[40];
    odim_model *model;
    size_t size;
    CHECK_INT(serve_jobs_report(jobs, job, fresh(), &why), ODIM_OK);
    CHECK(has("<!doctype html>") && has("Outliers in umsatz.csv") && has("9876.5"));
    const char *args[] = {"umsatz.csv", "--preset", "fast", "-q", "-o", "made", "--save-model", "made.odim"};
    CHECK_INT(cli_detect_verb.run(8, (char **)args), 0);
    char *made = file_bytes("made.odim", &size);
    CHECK_INT(serve_jobs_model(jobs, job, fresh(), &why), ODIM_OK);
    CHECK(made && answer.size == size && memcmp(answer.bytes, made, size) == 0);
    CHECK_INT(odim_model_load_memory(&model, answer.bytes, answer.size, NULL), ODIM_OK);
    odim_model_free(model);
    free(made);
    CHECK_INT(serve_jobs_name(jobs, job, name, sizeof name, &why), ODIM_OK);
    CHECK_STR(name, "umsatz");
}

/* ---- learning --------------------------------------------------------------------------------------- */

TEST(learns)
{
    char child[SERVE_ID], grandchild[SERVE_ID];
    learn(jobs, job, "{\"outliers\": [5, 6], \"inliers\": [21, 7]}", child);
    CHECK(is_value("state", "\"done\""));
    CHECK(has("\"marks\": {\"outliers\": 2, \"inliers\": 2}"));
    char parent[SERVE_ID];
    id_of("parent", parent);
    CHECK_STR(parent, job);
    CHECK_INT(serve_jobs_result(jobs, child, fresh(), &why), ODIM_OK);
    CHECK(is_value("marks", "{\"outliers\": [5, 6], \"inliers\": [7, 21]}"));
    CHECK(has("\"outliers_before\": 2, "));
    /* Known outliers become outliers, and the list says how. */
    const char *moved = value_in(value_of("moved"), "now_outliers");
    REQUIRE(moved);
    CHECK(strstr(moved, "{\"row\": 5, \"id\": \"A-5\", \"before\": "));
    CHECK(is_value("command", "\"odim detect umsatz.csv --known-rows known.txt --preset fast\""));
    CHECK_INT(serve_jobs_known(jobs, child, fresh(), &why), ODIM_OK);
    CHECK_STR(answer.bytes, "5\n6\n7\tfine\n21\tfine\n");
    CHECK_INT(
        serve_jobs_rows(jobs, child, &(serve_rows_query){.which = "marked", .sort = "row"}, fresh(), &why),
        ODIM_OK);
    CHECK_STR(numbers(), "5 6 7 21");
    CHECK(has("\"mark\": \"fine\"") && has("\"mark\": \"outlier\""));
    /* It inherits; a row may change sides, or be forgotten. */
    learn(jobs, child, "{\"outliers\": [7], \"forget\": [5, 100]}", grandchild);
    CHECK_INT(serve_jobs_result(jobs, grandchild, fresh(), &why), ODIM_OK);
    CHECK(is_value("marks", "{\"outliers\": [6, 7], \"inliers\": [21]}"));
    /* The parent has not changed, and undoing is to delete the child. */
    CHECK_INT(serve_jobs_result(jobs, job, fresh(), &why), ODIM_OK);
    CHECK(is_value("marks", "{\"outliers\": [], \"inliers\": []}"));
    bool cancelled = true;
    CHECK_INT(serve_jobs_delete(jobs, child, &cancelled, &why), ODIM_OK);
    CHECK(!cancelled);
    CHECK_INT(serve_jobs_result(jobs, grandchild, fresh(), &why), ODIM_OK);
    CHECK_INT(serve_jobs_delete(jobs, grandchild, &cancelled, &why), ODIM_OK);
}

TEST(learns_wrongly)
{
    static const char *const wrong[][2] = {
        {"{}", "name at least one row in 'outliers' or 'inliers'"},
        {"{\"outliers\": []}", "name at least one row in 'outliers' or 'inliers'"},
        {"{\"outliers\": [301]}", "there is no row 301"},
        {"{\"outliers\": [3], \"inliers\": [4, 3]}", "row 3 is named as two different things"}};
    char id[SERVE_ID];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CHECK(serve_jobs_learn(jobs, job, wrong[i][0], strlen(wrong[i][0]), id, fresh(), &why) != ODIM_OK);
        CHECK_PROBLEM(400, wrong[i][1]);
    }
    CHECK(serve_jobs_learn(jobs, "x", "{}", 2, id, fresh(), &why) != ODIM_OK);
    CHECK_INT(why.status, 404);
}

/* Rows that were left out keep their numbers, and labels are judged without the known rows. */
TEST(numbers_and_labels)
{
    char id[SERVE_ID], made[SERVE_ID], child[SERVE_ID], *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fputs("a,b,y\n", f);
    for (int i = 1; i <= 60; i++)
        fprintf(f, i == 10 ? "1,2\n" : i % 20 ? "%d,%d,0\n" : "%d,%d,1\n", i % 7, i % 20 ? 2 * (i % 7) : 40);
    fclose(f);
    upload(tables, "t.csv", text, size, id);
    free(text);
    detect(jobs, id,
           ", \"options\": {\"bad_rows\": \"skip\", \"label\": \"y\"}, \"params\": {\"method\": \"knn\"}",
           made);
    CHECK(is_value("state", "\"done\""));
    CHECK(has("\"rows\": 59, \"columns\": 3"));
    CHECK_INT(serve_jobs_result(jobs, made, fresh(), &why), ODIM_OK);
    CHECK(is_value("labels", "{\"auc\": 1, \"ap\": 1, \"outliers\": 3, \"rows\": 59, "));
    CHECK_NEAR(number_of("flagged_hits"), 3, 0);
    CHECK_NEAR(number_of("skipped"), 1, 0);
    CHECK_INT(serve_jobs_rows(jobs, made, &(serve_rows_query){.sort = "row", .offset = 8, .limit = 2},
                              fresh(), &why),
              ODIM_OK);
    CHECK_STR(numbers(), "9 11");
    CHECK_INT(serve_jobs_row(jobs, made, 60, fresh(), &why), ODIM_OK);
    CHECK(has("\"label\": 1"));
    CHECK(serve_jobs_row(jobs, made, 10, fresh(), &why) != ODIM_OK);
    CHECK_INT(why.status, 404);
    detect(jobs, id,
           ", \"options\": {\"bad_rows\": \"call\", \"label\": \"y\"}, \"params\": {\"preset\": \"fast\"}",
           made);
    CHECK_INT(
        serve_jobs_rows(jobs, made, &(serve_rows_query){.which = "outliers", .search = "10"}, fresh(), &why),
        ODIM_OK);
    CHECK(has("\"row\": 10, ") && has("fields"));
    learn(jobs, made, "{\"outliers\": [20]}", child);
    CHECK_INT(serve_jobs_result(jobs, child, fresh(), &why), ODIM_OK);
    /* Rows 40 and 60, and the bad row, whose label counts as 1. */
    CHECK(has("\"outliers\": 3, \"rows\": 59, \"hits\""));
    serve_tables_delete(tables, id, &why);
}

int main(void)
{
    size_t size;
    char *text = german(&size);
    scratch_make();
    if (!text || chdir(scratch)) return 1;
    write_text("umsatz.csv", text);
    test_bad = 0;
    if (serve_tables_new(&tables, NULL, &why) || serve_jobs_new(&jobs, tables, &why)) return 1;
    upload(tables, "umsatz.csv", text, size, table);
    detect(jobs, table, ", \"params\": {\"preset\": \"fast\"}", job);
    free(text);
    RUN(pages);
    RUN(sorts);
    RUN(searches);
    RUN(kinds_of_rows);
    RUN(refuses);
    RUN(one_row);
    RUN(summary);
    RUN(scores);
    RUN(files);
    RUN(learns);
    RUN(learns_wrongly);
    RUN(numbers_and_labels);
    fresh();
    serve_jobs_free(jobs);
    serve_tables_free(tables);
    return test_end();
}
