/* tests: report_data. What a report says is held against plain counting. */
#include "report.h"

#include "test.h"
#include "reasons.h"

enum { ROWS = 500, COLS = 4, OUTLIERS = 12 };

static double cells[ROWS * COLS];
static double scores[ROWS];
static int64_t rank[ROWS], order[ROWS];
static int8_t labels[ROWS];
static odim_table *table;
static odim_model *model;

/* a and b go together, and in the outliers they do not; c is noise, d is constant. */
static void make(void)
{
    uint32_t s = 9;
    for (int i = 0; i < ROWS; i++) {
        double u[3];
        for (int j = 0; j < 3; j++) u[j] = (double)((s = s * 1664525u + 1013904223u) >> 8) / (1 << 24);
        labels[i] = i % (ROWS / OUTLIERS) == 5;
        cells[i * COLS] = u[0];
        cells[i * COLS + 1] = (labels[i] ? 1 - u[0] + (u[0] > 0.5 ? -0.6 : 0.6) : u[0]) + 0.05 * u[1];
        cells[i * COLS + 2] = u[2];
        cells[i * COLS + 3] = 7;
    }
    static const char *const names[] = {"a", "b", "c", "d"};
    odim_params *p = odim_params_new();
    odim_params_set(p, "members", "3", NULL);
    odim_params_set(p, "samples", "8", NULL);
    if (odim_table_wrap_f64(&table, cells, ROWS, COLS, 0, names, NULL) ||
        odim_detect(table, p, NULL, &model, scores, NULL) || odim_rank(scores, ROWS, rank, NULL))
        abort();
    for (int i = 0; i < ROWS; i++) order[rank[i] - 1] = i;
    odim_params_free(p);
}

static cli_report about(double threshold)
{
    return (cli_report){.path = "t.csv",
                        .model = model,
                        .table = table,
                        .rows = ROWS,
                        .scores = scores,
                        .order = order,
                        .labels = labels,
                        .threshold = threshold};
}

static int64_t count_above(double threshold, bool labelled)
{
    int64_t n = 0;
    for (int i = 0; i < ROWS; i++) n += scores[i] > threshold && (!labelled || labels[i]);
    return n;
}

TEST(counts)
{
    cli_findings f;
    odim_error err;
    double threshold = scores[order[20]]; /* 20 are above */
    cli_report r = about(threshold);
    REQUIRE(cli_findings_make(&f, &r, &err) == ODIM_OK);
    CHECK_INT(f.flagged, 20);
    CHECK(f.range.low < threshold && threshold < f.range.high);
    double bars[CLI_LEVELS] = {0}, neighbors = INFINITY;
    for (int level = 0; level < CLI_LEVELS; level++)
        for (int i = 0; i < CLI_REPORT_BARS; i++) bars[level] += f.bar[level][i];
    CHECK_NEAR(bars[CLI_ORDINARY] + bars[CLI_UNUSUAL] + bars[CLI_OUTLIER], ROWS, 0);
    CHECK_NEAR(bars[CLI_UNUSUAL], (double)f.noted, 0);
    CHECK_NEAR(bars[CLI_OUTLIER], 20, 0);
    /* The threshold is between two bars. */
    for (int i = 0; i <= CLI_REPORT_BARS; i++) neighbors = fmin(neighbors, fabs(f.edge[i] - threshold));
    CHECK_NEAR(neighbors, 0, 1e-9);
    CHECK(f.range.high >= threshold && f.range.low <= scores[order[ROWS / 2]]);
    for (int step = 0; step <= CLI_REPORT_STEPS; step++) {
        double at = f.range.low + (f.range.high - f.range.low) * step / CLI_REPORT_STEPS;
        CHECK_INT(f.above[step], count_above(at, false));
        CHECK_INT(f.hits[step], count_above(at, true));
    }
    double auc;
    REQUIRE(odim_auc(scores, labels, ROWS, &auc, NULL) == ODIM_OK);
    CHECK(f.judged && f.auc == auc);
    cli_findings_free(&f);
}

/* Two levels: with the threshold moved up, what the model calls unusual or worse is unusual. */
TEST(levels)
{
    cli_findings f;
    odim_error err;
    cli_report r = about(1e9);
    REQUIRE(cli_findings_make(&f, &r, &err) == ODIM_OK);
    CHECK_NEAR(f.unusual, odim_model_unusual(model), 0);
    CHECK(f.readable);
    CHECK_INT(f.flagged, 0);
    CHECK_INT(f.noted, count_above(f.unusual, false));
    for (int i = 0; i < ROWS; i++)
        CHECK_INT(cli_findings_level(&f, i), scores[i] > f.unusual ? CLI_UNUSUAL : CLI_ORDINARY);
    cli_findings_free(&f);
    /* Both levels are between two bars. */
    r = about(4);
    REQUIRE(cli_findings_make(&f, &r, &err) == ODIM_OK);
    double neighbors[2] = {INFINITY, INFINITY};
    for (int i = 0; i <= CLI_REPORT_BARS; i++) {
        neighbors[0] = fmin(neighbors[0], fabs(f.edge[i] - 4));
        neighbors[1] = fmin(neighbors[1], fabs(f.edge[i] - f.unusual));
    }
    CHECK_NEAR(neighbors[0], 0, 1e-9);
    CHECK_NEAR(neighbors[1], 0, 1e-9);
    cli_findings_free(&f);
    /* Below that level all are outliers or ordinary. */
    r = about(0);
    REQUIRE(cli_findings_make(&f, &r, &err) == ODIM_OK);
    CHECK_INT(f.flagged, count_above(0, false));
    CHECK_INT(f.noted, 0);
    cli_findings_free(&f);
}

/* The list is the highest scores, with the reasons that odim_explain gives. */
TEST(list)
{
    cli_findings f;
    odim_error err;
    cli_report r = about(scores[order[20]]);
    REQUIRE(cli_findings_make(&f, &r, &err) == ODIM_OK);
    CHECK_INT(f.listed, ROWS);
    odim_reason reason[CLI_REPORT_REASONS];
    for (int i = 0; i < f.listed; i += 9) {
        CHECK_INT(f.row[i], order[i]);
        REQUIRE(explain_rows(model, table, &f.row[i], 1, CLI_REPORT_REASONS, reason, NULL) == ODIM_OK);
        for (int k = 0; k < CLI_REPORT_REASONS; k++)
            CHECK_INT(f.reason[i * CLI_REPORT_REASONS + k].col, reason[k].col);
    }
    int64_t blame = 0;
    for (int j = 0; j < COLS; j++) blame += f.column[j].blame;
    CHECK(blame > 0 && blame <= 20);
    CHECK_INT(f.column[3].blame, 0);
    for (int j = 1; j < COLS; j++) CHECK(f.column[f.ranked[j - 1]].blame >= f.column[f.ranked[j]].blame);
    CHECK_INT(f.duplicates, 0);
    cli_findings_free(&f);
}

/* The columns that only together say something are the ones that are drawn. */
TEST(pair)
{
    cli_findings f;
    odim_error err;
    cli_report r = about(scores[order[OUTLIERS]]);
    REQUIRE(cli_findings_make(&f, &r, &err) == ODIM_OK);
    CHECK((f.pair[0] == 0 && f.pair[1] == 1) || (f.pair[0] == 1 && f.pair[1] == 0));
    cli_findings_free(&f);
}

/* Rank correlations: symmetric, 1 on the diagonal, and what plain ranks give. */
TEST(agreement)
{
    cli_findings f;
    odim_error err;
    cli_report r = about(scores[order[20]]);
    static double each[3 * ROWS];
    static int64_t ranks[2][ROWS];
    REQUIRE(cli_findings_make(&f, &r, &err) == ODIM_OK);
    REQUIRE(f.agreement);
    REQUIRE(odim_score_members(model, table, NULL, NULL, NULL, each, NULL) == ODIM_OK);
    REQUIRE(odim_rank(each, ROWS, ranks[0], NULL) == ODIM_OK &&
            odim_rank(each + ROWS, ROWS, ranks[1], NULL) == ODIM_OK);
    double squares = 0;
    for (int i = 0; i < ROWS; i++) {
        double d = (double)(ranks[0][i] - ranks[1][i]);
        squares += d * d;
    }
    CHECK_NEAR(f.agreement[1], 1 - 6 * squares / ((double)ROWS * ((double)ROWS * ROWS - 1)), 1e-9);
    for (int a = 0; a < 3; a++) {
        CHECK_NEAR(f.agreement[a * 3 + a], 1, 0);
        for (int b = 0; b < a; b++) CHECK_NEAR(f.agreement[a * 3 + b], f.agreement[b * 3 + a], 1e-12);
    }
    cli_findings_free(&f);
}

/* All outliers, none, and scores without rows. */
TEST(ends)
{
    cli_findings f;
    odim_error err;
    cli_report r = about(-1e9);
    REQUIRE(cli_findings_make(&f, &r, &err) == ODIM_OK);
    CHECK_INT(f.flagged, ROWS);
    CHECK_INT(f.noted, 0);
    cli_findings_free(&f);
    r = about(1e9);
    REQUIRE(cli_findings_make(&f, &r, &err) == ODIM_OK);
    CHECK_INT(f.flagged, 0);
    /* Then the unusual rows stand for outliers, or the highest scores. */
    int64_t spots = f.noted ? f.noted : 25;
    CHECK_INT(f.spots, spots);
    CHECK_INT(f.found_count, spots);
    for (int i = 0; i < ROWS; i++) CHECK_INT(f.spot[i], rank[i] <= spots);
    cli_findings_free(&f);
    r = about(scores[order[20]]);
    r.table = NULL;
    r.labels = NULL;
    REQUIRE(cli_findings_make(&f, &r, &err) == ODIM_OK);
    CHECK(!f.reason && !f.judged && !f.agreement && !f.trace && f.charts == 0 && f.duplicates == -1);
    CHECK_INT(f.flagged, 20);
    cli_findings_free(&f);
}

/* A page of it, as bytes: everything that must be there is, once. */
TEST(page)
{
    cli_findings f;
    odim_error err;
    cli_report r = about(scores[order[20]]);
    char *bytes = NULL;
    size_t size = 0;
    r.command = "odim detect '</pre><script>'";
    REQUIRE(cli_findings_make(&f, &r, &err) == ODIM_OK);
    cli_out out = {.file = open_memstream(&bytes, &size)};
    cli_report_page(&f, &out);
    REQUIRE(fclose(out.file) == 0 && !out.error);
    char headline[200], unusual[48] = "";
    if (f.noted)
        snprintf(unusual, sizeof unusual, " and %d unusual row%s", (int)f.noted, f.noted == 1 ? "" : "s");
    snprintf(headline, sizeof headline,
             "<h1><span id=\"headline-count\">20</span> <span id=\"headline-rest\">outliers%s among 500%s"
             "</span></h1>",
             unusual, f.noted ? "" : " rows");
    CHECK(strstr(bytes, headline) != NULL);
    static const char *const ids[] = {"answer", "scores",   "list",    "columns",
                                      "labels", "learning", "quality", "run"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        char want[64];
        snprintf(want, sizeof want, "<section id=\"%s\"", ids[i]);
        const char *found = strstr(bytes, want);
        CHECK(found != NULL && strstr(found + 1, want) == NULL);
    }
    CHECK(strstr(bytes, "&lt;/pre&gt;&lt;script&gt;") != NULL);
    CHECK(strstr(bytes, "</pre><script>'") == NULL);
    CHECK(strstr(bytes, "nan\"") == NULL && strstr(bytes, "inf\"") == NULL);
    CHECK(size < 2000000);
    free(bytes);
    cli_findings_free(&f);
}

int main(void)
{
    make();
    RUN(counts);
    RUN(levels);
    RUN(list);
    RUN(pair);
    RUN(agreement);
    RUN(ends);
    RUN(page);
    odim_model_free(model);
    odim_table_free(table);
    return test_end();
}
