/* tests: api_scorer row_scorer ready_nets cell_value. A scorer gives the bits of odim_score without
 * allocating memory or starting threads. */
#include "mixed.h"
#include "starve.h"
#include "test.h"

#include "base/thread.h"
#include "net/ready_nets.h"
#include "prep/table.h"

static odim_error err;

/* ---- the same scores ---------------------------------------------------------------------------------- */

/* New rows for a model of the mixed table: ordinary ones, a gap, a new level, extreme values, an empty row,
 * rows that cannot be read. */
static const char *const new_rows[] = {"a,40,31,red,yes,2024-03-01,x",
                                       "b,77,50.5,green,no,2024-05-17,y",
                                       "c,,30,blue,yes,2024-03-02,x",
                                       "d,50,35,violet,yes,2024-03-02,x",
                                       "e,1e30,35,red,no,2024-03-02,x",
                                       "f,-1e300,35,red,no,1800-01-01,x",
                                       "g,,,,,,",
                                       "h,50,,NA,?,,x",
                                       "i,fifty,35,red,yes,2024-03-02,x",
                                       "j,50,35,red,maybe,2024-03-02,x",
                                       "k,Total,35, red ,yes,2024-03-02,x"};
enum { NEW_ROWS = sizeof new_rows / sizeof *new_rows };

static odim_table *read_new(const odim_model *like)
{
    char text[2048] = "id,load,heat,color,open,day,site\n";
    for (size_t i = 0; i < NEW_ROWS; i++) strcat(strcat(text, new_rows[i]), "\n");
    const odim_read_options o = {
        .size = sizeof o, .id = "", .like = like, .bad_rows = ODIM_BAD_ROWS_CALL, .keep = 1};
    odim_table *t;
    if (odim_table_read_memory(&t, text, strlen(text), "new.csv", &o, &err)) puts(err.msg);
    return t;
}

static odim_model *fit(const odim_table *t, const char *const *settings)
{
    odim_model *m;
    odim_params *p = odim_params_new();
    for (; *settings; settings += 2)
        if (odim_params_set(p, settings[0], settings[1], &err)) puts(err.msg);
    if (odim_fit(t, p, NULL, &m, &err)) puts(err.msg);
    odim_params_free(p);
    return m;
}

/* The scores of a table: with every allocation failing, and no thread started. */
static void check_table(odim_scorer *s, const odim_table *t)
{
    const odim_model *m = odim_scorer_model(s);
    double want[MIXED_ROWS], want_raw[MIXED_ROWS], got[MIXED_ROWS], got_raw[MIXED_ROWS];
    size_t size = (size_t)odim_table_rows(t) * sizeof *want;
    REQUIRE(odim_score(m, t, NULL, NULL, want, &err) == ODIM_OK);
    REQUIRE(odim_score_raw(m, t, NULL, NULL, want_raw, &err) == ODIM_OK);
    int64_t threads = od_thread_starts();
    od_mem_fail_at(1);
    CHECK_INT(odim_scorer_table(s, t, got, got_raw, &err), ODIM_OK);
    CHECK_INT(od_mem_count(), 0);
    od_mem_fail_at(0);
    CHECK_INT(od_thread_starts(), threads);
    CHECK(memcmp(got, want, size) == 0);
    CHECK(memcmp(got_raw, want_raw, size) == 0);
}

/* Each new row from its texts, one at a time; then all of them together. */
static void check_texts(odim_scorer *s, const odim_table *t)
{
    const odim_model *m = odim_scorer_model(s);
    enum { STRIDE = 9 };
    int64_t cols = odim_model_cols(m);
    double want[NEW_ROWS], values[NEW_ROWS * STRIDE], together[NEW_ROWS], raw[NEW_ROWS];
    bool bad[NEW_ROWS] = {false};
    REQUIRE(cols <= STRIDE && odim_score(m, t, NULL, NULL, want, &err) == ODIM_OK);
    od_mem_fail_at(1);
    for (int64_t i = 0; i < NEW_ROWS; i++) {
        double score;
        for (int64_t j = 0; j < cols; j++) {
            odim_status status =
                odim_model_value(m, j, odim_table_kept(t, i, j), &values[i * STRIDE + j], &err);
            odim_column_info info = ODIM_COLUMN_INFO_INIT;
            odim_model_column(m, j, &info, NULL);
            if (!info.ignored) bad[i] |= status == ODIM_ERR_DATA;
        }
        CHECK(bad[i] == (odim_table_bad_row(t, i) != NULL));
        CHECK_INT(odim_scorer_score(s, values + i * STRIDE, 1, 0, &score, NULL, &err), ODIM_OK);
        if (bad[i]) score = odim_model_bad_row_score(m, score);
        if (memcmp(&score, &want[i], sizeof score))
            TEST_SAY("row %d: %.17g, not %.17g", (int)i, score, want[i]);
    }
    CHECK_INT(odim_scorer_score(s, values, NEW_ROWS, STRIDE, together, raw, &err), ODIM_OK);
    CHECK_INT(od_mem_count(), 0);
    od_mem_fail_at(0);
    for (int64_t i = 0; i < NEW_ROWS; i++)
        CHECK((bad[i] ? odim_model_bad_row_score(m, together[i]) : together[i]) == want[i]);
}

TEST(the_bits_of_odim_score)
{
    static const char *const quick[] = {"members", "3", "max-updates", "60"};
    static const char *const settings[][6] = {
        {"preset", "auto"},
        {"preset", "fast"},
        {"preset", "paper"},
        {"model", "flow"},
        {"method", "iforest"},
        {"method", "knn"},
        {"method", "lof"},
        {"method", "mcd"},
        {"method", "pca"},
        {"method", "hbos"},
        {"method", "ecod"},
        {"method", "copod"},
        {"method", "ocsvm"},
        {"method", "cblof"},
        {"method", "loda"},
        {"method", "cof"},
        {"method", "sod"},
        {"method", "bagging"},
        {"preset", "fast", "batch-norm", "off"},
        {"preset", "fast", "score-samples", "3"},
        {"preset", "fast", "score-samples", "1"},
        {"preset", "paper", "likelihood", "bernoulli"},
        {"preset", "fast", "with", "iforest:0.5,mcd@transform", "transform"},
        {"method", "hbos", "contamination", "0.1"}};
    odim_table *t = mixed_read(mixed_csv(), NULL);
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
        const char *all[12] = {0};
        int n = 0;
        while (n < 6 && settings[k][n]) all[n] = settings[k][n], n++;
        if (n % 2) all[n++] = "log-pca";
        bool nets = strcmp(all[0], "method") != 0;
        for (int i = 0; nets && i < 4; i++) all[n++] = quick[i];
        odim_model *m = fit(t, all);
        if (!m) TEST_SAY("%s %s: %s", all[0], all[1], err.msg);
        REQUIRE(m);
        odim_table *more = read_new(m);
        odim_scorer *s;
        REQUIRE(odim_scorer_new(&s, m, &err) == ODIM_OK);
        CHECK(odim_scorer_model(s) == m);
        check_table(s, t);
        check_table(s, more);
        check_texts(s, more);
        odim_scorer_free(s);
        odim_table_free(more);
        odim_model_free(m);
    }
    odim_table_free(t);
}

/* Columns in another order, with others between them, and with levels in another order. */
TEST(any_table)
{
    odim_table *t = mixed_read(mixed_csv(), NULL), *other;
    odim_model *m = mixed_fit(t);
    static const char text[] = "site,color,open,what,heat,day,load,id\n"
                               "y,violet,no,1,30,2024-03-01,40,b\nx,blue,yes,2,31,2024-03-02,44,c\n"
                               "x,red,yes,3,NA,2024-03-02,44,c\n";
    odim_scorer *s;
    REQUIRE(odim_scorer_new(&s, m, &err) == ODIM_OK);
    REQUIRE(odim_table_read_memory(&other, text, sizeof text - 1, "x.csv", NULL, &err) == ODIM_OK);
    check_table(s, other);
    odim_table_free(other);
    REQUIRE(odim_table_read_memory(&other, "a,b\n1,2\n3,4\n", 12, "x.csv", NULL, &err) == ODIM_OK);
    double scores[2];
    CHECK_INT(odim_scorer_table(s, other, scores, NULL, &err), ODIM_ERR_DATA);
    CHECK_STR(err.msg, "the model needs columns 'load', 'heat', 'color', 'open', 'day', which are not there");
    odim_table_free(other);
    /* Levels that are none: negative, beyond the last, in between. */
    double row[7] = {NAN, 40, 31, -1, 1, 1.7e9, NAN}, first, score;
    CHECK_INT(odim_scorer_score(s, row, 1, 7, &first, NULL, &err), ODIM_OK);
    static const double none[] = {3, 1e300, -1e300, 0.5, INFINITY};
    for (int i = 0; i < 5; i++) {
        row[3] = none[i];
        CHECK_INT(odim_scorer_score(s, row, 1, 7, &score, NULL, &err), ODIM_OK);
        CHECK(score == first);
    }
    row[3] = 1;
    CHECK_INT(odim_scorer_score(s, row, 1, 7, &score, NULL, &err), ODIM_OK);
    CHECK(score < first);
    odim_scorer_free(s);
    odim_model_free(m);
    odim_table_free(t);
}

TEST(wrong_arguments)
{
    odim_table *t = mixed_read(mixed_csv(), NULL);
    const char *const hbos[] = {"method", "hbos", NULL};
    odim_model *m = fit(t, hbos);
    odim_scorer *s;
    double x[7] = {0}, score = 7;
    CHECK_INT(odim_scorer_new(NULL, m, &err), ODIM_ERR_PARAM);
    CHECK_INT(odim_scorer_new(&s, NULL, &err), ODIM_ERR_PARAM);
    CHECK(!s);
    REQUIRE(odim_scorer_new(&s, m, &err) == ODIM_OK);
    CHECK_INT(odim_scorer_score(NULL, x, 1, 0, &score, NULL, &err), ODIM_ERR_PARAM);
    CHECK_INT(odim_scorer_score(s, NULL, 1, 0, &score, NULL, &err), ODIM_ERR_PARAM);
    CHECK_INT(odim_scorer_score(s, x, 1, 6, &score, NULL, &err), ODIM_ERR_PARAM);
    CHECK_STR(err.msg, "stride is 6, but the model has 7 columns");
    CHECK_INT(odim_scorer_score(s, NULL, 0, 0, NULL, NULL, &err), ODIM_OK);
    CHECK_INT(odim_scorer_score(s, x, 1, 0, NULL, NULL, NULL), ODIM_OK);
    CHECK_INT(odim_scorer_table(s, NULL, &score, NULL, &err), ODIM_ERR_PARAM);
    CHECK_INT(odim_scorer_table(NULL, t, &score, NULL, &err), ODIM_ERR_PARAM);
    CHECK_INT(odim_model_value(NULL, 1, "1", &score, &err), ODIM_ERR_PARAM);
    CHECK(isnan(score));
    CHECK_INT(odim_model_value(m, 1, NULL, &score, &err), ODIM_ERR_PARAM);
    CHECK_INT(odim_model_value(m, 1, "1", NULL, &err), ODIM_ERR_PARAM);
    CHECK_INT(odim_model_value(m, 7, "1", &score, &err), ODIM_ERR_PARAM);
    CHECK_STR(err.msg, "column 7 of 7");
    CHECK(isnan(odim_model_bad_row_score(NULL, 1)) && !odim_scorer_model(NULL));
    CHECK(odim_model_bad_row_score(m, 1) == 2 * odim_model_threshold(m));
    CHECK(odim_model_bad_row_score(m, 99) == 99);
    odim_scorer_free(s);
    odim_scorer_free(NULL);
    odim_model_free(m);
    odim_table_free(t);
}

TEST(memory_can_run_out)
{
    odim_table *t = mixed_read(mixed_csv(), NULL);
    for (int flow = 0; flow < 2; flow++) {
        const char *const settings[] = {
            "members", "2", "max-updates", "20", flow ? "model" : "preset", flow ? "flow" : "fast", NULL};
        odim_model *m = fit(t, settings);
        odim_scorer *s;
        odim_status status;
        REQUIRE(m);
        EACH_ALLOCATION_FAILS(status, 20)
        {
            status = odim_scorer_new(&s, m, &err);
            CHECK(!status == (s != NULL));
            odim_scorer_free(s);
        }
        odim_model_free(m);
    }
    odim_table_free(t);
}

/* ---- cells as text ------------------------------------------------------------------------------------- */

/* The value of a text in a column, or what is wrong with it. */
static void check_value(const odim_model *m, int64_t col, const char *text, double want)
{
    double value = 0;
    if (odim_model_value(m, col, text, &value, &err)) TEST_SAY("'%s': %s", text, err.msg);
    if (!(value == want || (isnan(value) && isnan(want)))) TEST_SAY("'%s' is %g, not %g", text, value, want);
}

TEST(values_of_texts)
{
    char text[16384] = "price;day;what;ok;note\n";
    for (int i = 0; i < 120; i++)
        sprintf(text + strlen(text),
                "1.%03d,50 EUR;%02d.%02d.2024;%s;%s;the door number %d of %d was open today\n", i * 7 % 1000,
                1 + i % 28, 1 + i % 12, i % 3 ? "tea" : "Coffee", i % 2 ? "yes" : "no", i * 31, i);
    odim_table *t;
    REQUIRE(odim_table_read_memory(&t, text, strlen(text), "x.csv", NULL, &err) == ODIM_OK);
    const char *const hbos[] = {"method", "hbos", NULL};
    odim_model *m = fit(t, hbos);
    REQUIRE(m && odim_model_cols(m) > 5);
    check_value(m, 0, "1.234,50 EUR", 1234.5);
    check_value(m, 0, "12,5 EUR", 12.5);
    check_value(m, 0, " 7 EUR ", 7);
    check_value(m, 0, "", NAN);
    check_value(m, 0, "n/a", NAN);
    check_value(m, 0, "Summe:", NAN);
    check_value(m, 1, "02.03.2024", 1709337600);
    check_value(m, 1, "", NAN);
    check_value(m, 2, "Coffee", 0);
    check_value(m, 2, " tea\t", 1);
    check_value(m, 2, "coffee", -1);
    check_value(m, 2, "null", NAN);
    check_value(m, 3, "NO", 0);
    check_value(m, 3, "true", 1);
    /* All columns that describe a text take the text. */
    for (int64_t j = 4; j < odim_model_cols(m); j++)
        check_value(m, j, "the door number 31 of 1 was open today", odim_table_value(t, 1, j));
    CHECK_STR(odim_table_name(t, 4), "note: length");
    double value;
    CHECK_INT(odim_model_value(m, 0, "12,5 USD", &value, &err), ODIM_ERR_DATA);
    CHECK(isnan(value));
    CHECK_STR(err.msg, "column 'price': '12,5 USD' is not a number (decimal comma, thousands point, EUR)");
    CHECK_INT(err.col, 0);
    CHECK_INT(err.row, -1);
    CHECK_INT(odim_model_value(m, 1, "2024-13-01", &value, &err), ODIM_ERR_DATA);
    CHECK_INT(odim_model_value(m, 3, "perhaps\n", &value, &err), ODIM_ERR_DATA);
    CHECK_STR(err.msg, "column 'ok': 'perhaps\\n' is not true or false");
    odim_model_free(m);
    odim_table_free(t);
}

/* ---- a few rows start no thread ------------------------------------------------------------------------ */

TEST(few_rows_start_no_thread)
{
    odim_table *t = mixed_read(mixed_csv(), NULL);
    odim_model *m = mixed_fit(t);
    odim_table *more = read_new(m);
    double scores[3 * NEW_ROWS];
    odim_reasons *reasons;
    int64_t threads = od_thread_starts();
    CHECK_INT(odim_score(m, more, NULL, NULL, scores, &err), ODIM_OK);
    CHECK_INT(odim_score_raw(m, more, NULL, NULL, scores, &err), ODIM_OK);
    CHECK_INT(odim_score_members(m, more, NULL, NULL, NULL, scores, &err), ODIM_OK);
    CHECK_INT(odim_explain(m, more, NULL, NULL, NULL, &reasons, &err), ODIM_OK);
    CHECK_INT(od_thread_starts(), threads);
    odim_reasons_free(reasons);
    odim_table_free(more);
    odim_model_free(m);
    odim_table_free(t);
}

int main(void)
{
    RUN(the_bits_of_odim_score);
    RUN(any_table);
    RUN(wrong_arguments);
    RUN(memory_can_run_out);
    RUN(values_of_texts);
    RUN(few_rows_start_no_thread);
    return test_end();
}
