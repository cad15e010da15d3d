/* tests: fit fit_train fit_finish prefit member score aux_detectors aux_weights model odim adam. The whole of
 * fit and score on small made tables: what is found, and what must be identical. */
#include "test.h"

#include "common/mem.h"
#include "base/rng.h"
#include "kern/kern.h"
#include "model/model.h"
#include "net/adam.h"
#include "score/calibrate.h"
#include "score/score.h"

enum { ROWS = 640, COLS = 6, OUTLIERS = 16 };

static double cells[ROWS * COLS];
static int8_t labels[ROWS];

/* Inliers: six readings of two hidden causes. Outliers: the same readings, independent of each other. */
static void make_rows(void)
{
    od_rng s = od_rng_make(77, 0, OD_RNG_TRAIN, 0);
    static float z[ROWS * 8];
    od_kern_ref()->normal(z, ROWS * 8, &s);
    for (int i = 0; i < ROWS; i++) {
        labels[i] = i % (ROWS / OUTLIERS) == 3;
        for (int j = 0; j < COLS; j++) {
            double a = (double)z[i * 8], b = (double)z[i * 8 + 1], e = (double)z[i * 8 + 2 + j];
            cells[i * COLS + j] = labels[i] ? 3.0 * e : (j % 2 ? a : b) * 0.5 + 0.2 * e + j;
        }
    }
}

static odim_params *params(const char *threads)
{
    odim_params *p = odim_params_new();
    odim_params_set(p, "preset", "paper", NULL);
    odim_params_set(p, "members", "3", NULL);
    odim_params_set(p, "samples", "5", NULL);
    odim_params_set(p, "hidden", "8,6", NULL);
    odim_params_set(p, "threads", threads, NULL);
    return p;
}

/* Raw scores: what the members say, not the verdict. */
static double *fit_score(odim_params *p, odim_model **keep)
{
    odim_table *t;
    odim_model *m;
    odim_error err;
    double *scores = od_alloc(ROWS, sizeof *scores);
    if (odim_table_wrap_f64(&t, cells, ROWS, COLS, 0, NULL, &err) || odim_fit(t, p, NULL, &m, &err) ||
        odim_score_raw(m, t, p, NULL, scores, &err)) {
        printf("%s\n", err.msg);
        exit(1);
    }
    odim_table_free(t);
    if (keep)
        *keep = m;
    else
        odim_model_free(m);
    return scores;
}

TEST(finds_planted_outliers)
{
    odim_params *p = params("2");
    double *s = fit_score(p, NULL), auc;
    CHECK(odim_auc(s, labels, ROWS, &auc, NULL) == ODIM_OK);
    CHECK(auc > 0.9); /* three members of five samples: a good detector, not the best */
    od_free(s);
    odim_params_free(p);
}

TEST(same_bits_for_any_thread_count)
{
    odim_params *p1 = params("1"), *p2 = params("2"), *p7 = params("7");
    double *a = fit_score(p1, NULL), *b = fit_score(p2, NULL), *c = fit_score(p7, NULL);
    CHECK(memcmp(a, b, ROWS * sizeof *a) == 0);
    CHECK(memcmp(a, c, ROWS * sizeof *a) == 0);
    odim_params_set(p1, "seed", "1", NULL);
    double *d = fit_score(p1, NULL);
    CHECK(memcmp(a, d, ROWS * sizeof *a) != 0);
    od_free(a), od_free(b), od_free(c), od_free(d);
    odim_params_free(p1), odim_params_free(p2), odim_params_free(p7);
}

/* The score of a row is a function of the model and that row: alone, reversed, repeated, it is the same bits.
 */
static void check_row_only(odim_params *p, bool raw)
{
    odim_status (*score)(const odim_model *, const odim_table *, const odim_params *, const odim_hooks *,
                         double *, odim_error *) = raw ? odim_score_raw : odim_score;
    odim_model *m;
    double *s = fit_score(p, &m);
    static double mixed[2 * ROWS * COLS];
    static double out[2 * ROWS];
    for (int i = 0; i < 2 * ROWS; i++)
        memcpy(mixed + i * COLS, cells + (i < ROWS ? ROWS - 1 - i : (i * 31) % ROWS) * COLS,
               COLS * sizeof *mixed);
    odim_table *t;
    REQUIRE(odim_table_wrap_f64(&t, cells, ROWS, COLS, 0, NULL, NULL) == ODIM_OK);
    CHECK(score(m, t, p, NULL, s, NULL) == ODIM_OK);
    odim_table_free(t);
    REQUIRE(odim_table_wrap_f64(&t, mixed, 2 * ROWS, COLS, 0, NULL, NULL) == ODIM_OK);
    CHECK(score(m, t, p, NULL, out, NULL) == ODIM_OK);
    odim_table_free(t);
    for (int i = 0; i < 2 * ROWS; i++) {
        double want = s[i < ROWS ? ROWS - 1 - i : (i * 31) % ROWS];
        CHECK(memcmp(&out[i], &want, sizeof want) == 0);
    }
    for (int i = 0; i < 5; i++) {
        REQUIRE(odim_table_wrap_f64(&t, cells + i * COLS, 1, COLS, 0, NULL, NULL) == ODIM_OK);
        CHECK(score(m, t, NULL, NULL, out, NULL) == ODIM_OK);
        CHECK(memcmp(out, &s[i], sizeof *out) == 0);
        odim_table_free(t);
    }
    od_free(s);
    odim_model_free(m);
}

TEST(a_score_depends_on_its_row_only)
{
    odim_params *p = params("2");
    check_row_only(p, true);
    check_row_only(p, false);
    odim_params_set(p, "preset", "auto", NULL);
    check_row_only(p, true);
    check_row_only(p, false);
    odim_params_free(p);
}

TEST(members_tell_what_they_did)
{
    odim_params *p = params("2");
    odim_model *m;
    od_free(fit_score(p, &m));
    CHECK_INT(odim_model_members(m), 3);
    for (int b = 0; b < 3; b++) {
        odim_member_info info;
        CHECK(odim_model_member(m, b, &info, NULL) == ODIM_OK);
        /* Stopped by patience: 100 updates after the best. */
        CHECK_INT(info.updates, info.best_update + 100);
        CHECK(info.best_update % 10 == 0 && info.distance > 0 && info.distance < 2);
    }
    odim_member_info info;
    CHECK_INT(odim_model_member(m, 3, &info, NULL), ODIM_ERR_PARAM);
    CHECK_INT(odim_model_member(m, -1, &info, NULL), ODIM_ERR_PARAM);
    odim_model_free(m);

    odim_params_set(p, "max-updates", "25", NULL);
    od_free(fit_score(p, &m));
    CHECK(odim_model_member(m, 0, &info, NULL) == ODIM_OK && info.updates == 25);
    odim_model_free(m);
    odim_params_free(p);
}

/* What the members say is what their mean is of, to the bit; and in the order of the rows that were asked
 * for. */
TEST(members_say_what_they_think)
{
    odim_params *p = params("2");
    odim_model *m;
    double *s = fit_score(p, &m);
    enum { COUNT = 300 };
    static double each[3 * COUNT];
    int64_t rows[COUNT], beyond = ROWS;
    odim_table *t;
    for (int i = 0; i < COUNT; i++) rows[i] = (i * 37) % ROWS;
    REQUIRE(odim_table_wrap_f64(&t, cells, ROWS, COLS, 0, NULL, NULL) == ODIM_OK);
    REQUIRE(odim_score_members(m, t, rows, COUNT, p, NULL, each, NULL) == ODIM_OK);
    for (int i = 0; i < COUNT; i++) {
        double mean = (each[i] + each[COUNT + i] + each[2 * COUNT + i]) / 3;
        CHECK(memcmp(&mean, &s[rows[i]], sizeof mean) == 0);
    }
    CHECK(memcmp(each, each + COUNT, COUNT * sizeof *each) != 0);
    CHECK_INT(odim_score_members(m, t, &beyond, 1, p, NULL, each, NULL), ODIM_ERR_PARAM);
    CHECK_INT(odim_score_members(m, t, NULL, 0, p, NULL, each, NULL), ODIM_OK);
    od_free(s);
    odim_table_free(t);
    odim_model_free(m);
    odim_params_free(p);
}

/* Every variant trains and stays finite. */
TEST(all_variants_run)
{
    static const char *const sets[][2] = {
        {"likelihood", "gaussian"}, {"likelihood", "unit"}, {"likelihood", "bernoulli"},
        {"batch-norm", "off"},      {"scale", "standard"},  {"scale", "none"},
        {"distance", "w2"},         {"hidden", "50,50"},    {"latent", "5"},
        {"samples", "1"},           {"batch", "8"},         {"batch", "100000"},
        {"members", "1"},           {"hidden", "3"},        {"lr", "0.01"},
        {"check-every", "1"}};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        odim_params *p = params("2");
        odim_error err;
        CHECK(odim_params_set(p, "max-updates", "30", &err) == ODIM_OK);
        CHECK(odim_params_set(p, sets[i][0], sets[i][1], &err) == ODIM_OK);
        double *s = fit_score(p, NULL), lo = INFINITY, hi = -INFINITY;
        for (int r = 0; r < ROWS; r++) lo = fmin(lo, s[r]), hi = fmax(hi, s[r]);
        if (!(isfinite(lo) && isfinite(hi) && hi > lo))
            TEST_SAY("%s %s: scores %g to %g", sets[i][0], sets[i][1], lo, hi);
        od_free(s);
        odim_params_free(p);
    }
}

static int stop_at_once(const odim_progress *now, void *user)
{
    (void)now;
    ++*(int *)user;
    return 1;
}

TEST(progress_cancels)
{
    odim_table *t;
    odim_model *m;
    odim_error err;
    int calls = 0;
    odim_hooks hooks = {stop_at_once, NULL, &calls};
    odim_params *p = odim_params_new();
    odim_params_set(p, "members", "10000", NULL);
    REQUIRE(odim_table_wrap_f64(&t, cells, ROWS, COLS, 0, NULL, NULL) == ODIM_OK);
    CHECK_INT(odim_fit(t, p, &hooks, &m, &err), ODIM_ERR_CANCELLED);
    CHECK(m == NULL && calls >= 1);
    odim_table_free(t);
    odim_params_free(p);
}

static void collect(const char *text, void *user)
{
    strcat(strcat(user, text), ";");
}

/* ---- flows ------------------------------------------------------------------------------------------ */

static odim_params *flow_params(const char *threads)
{
    odim_params *p = odim_params_new();
    odim_params_set(p, "preset", "paper", NULL);
    odim_params_set(p, "model", "flow", NULL);
    odim_params_set(p, "members", "3", NULL);
    odim_params_set(p, "threads", threads, NULL);
    return p;
}

TEST(flow_finds_planted_outliers)
{
    odim_params *p = flow_params("2");
    odim_model *m;
    double *s = fit_score(p, &m), auc;
    CHECK(odim_auc(s, labels, ROWS, &auc, NULL) == ODIM_OK);
    CHECK(auc > 0.95);
    odim_member_info info; /* the stop rule has ended it */
    CHECK(odim_model_member(m, 0, &info, NULL) == ODIM_OK && info.updates == info.best_update + 100);
    odim_model_free(m);
    od_free(s);
    odim_params_free(p);
}

TEST(flow_same_bits)
{
    odim_params *p1 = flow_params("1"), *p7 = flow_params("7");
    odim_model *m;
    double *a = fit_score(p1, &m), *b = fit_score(p7, NULL), alone;
    CHECK(memcmp(a, b, ROWS * sizeof *a) == 0);
    for (int i = 0; i < 5; i++) {
        odim_table *t;
        REQUIRE(odim_table_wrap_f64(&t, cells + i * COLS, 1, COLS, 0, NULL, NULL) == ODIM_OK);
        CHECK(odim_score_raw(m, t, NULL, NULL, &alone, NULL) == ODIM_OK);
        CHECK(memcmp(&alone, &a[i], sizeof alone) == 0);
        odim_table_free(t);
    }
    odim_model_free(m);
    od_free(a), od_free(b);
    odim_params_free(p1), odim_params_free(p7);
}

/* One column, two, and more than there are linear layers for; scales of all kinds; numbers on a grid, of
 * which one is another only in a single row. */
TEST(flow_of_all_sizes)
{
    static const char *const sets[][2] = {
        {"scale", "minmax"}, {"scale", "standard"}, {"scale", "none"}, {"flow-steps", "1"}, {"batch", "8"}};
    static const int64_t sizes[] = {1, 2, 3, OD_LINEAR_MOST + 1};
    enum { FEW = 40 };
    static double x[FEW * (OD_LINEAR_MOST + 1)];
    for (size_t k = 0; k < 4; k++) {
        for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
            int64_t d = sizes[k];
            for (int64_t r = 0; r < FEW; r++)
                for (int64_t j = 0; j < d; j++)
                    x[r * d + j] = j % 3 == 2 ? (double)(r == 7) : (double)((r * (j + 3)) % 11) + (double)j;
            odim_params *p = flow_params("2");
            odim_table *t;
            odim_model *m;
            odim_error err = {0};
            double scores[FEW];
            odim_params_set(p, "max-updates", "20", NULL);
            odim_params_set(p, sets[i][0], sets[i][1], NULL);
            REQUIRE(odim_table_wrap_f64(&t, x, FEW, d, 0, NULL, NULL) == ODIM_OK);
            CHECK_INT(odim_detect(t, p, NULL, &m, scores, &err), ODIM_OK);
            if (err.status) printf("%s\n", err.msg);
            for (int r = 0; r < FEW; r++) CHECK(isfinite(scores[r]));
            odim_model_free(m);
            odim_table_free(t);
            odim_params_free(p);
        }
    }
}

/* ---- known outliers --------------------------------------------------------------------------------- */

/* Scores of rows x where this is known of them, NULL: nothing. */
static double *score_known(odim_params *p, const double *x, const int8_t *known, const odim_hooks *hooks)
{
    odim_table *t;
    odim_model *m;
    odim_error err;
    double *scores = od_alloc(ROWS, sizeof *scores);
    if (odim_table_wrap_f64(&t, x, ROWS, COLS, 0, NULL, &err) || odim_table_set_known(t, known, &err) ||
        odim_detect(t, p, hooks, &m, scores, &err)) {
        printf("%s\n", err.msg);
        exit(1);
    }
    odim_table_free(t);
    odim_model_free(m);
    return scores;
}

/* The first `count` outliers are known, nothing else. */
static void know_some(int8_t *known, int count)
{
    for (int i = 0; i < ROWS; i++) known[i] = labels[i] && count-- > 0 ? 1 : -1;
}

static double auc_of_others(const double *scores, const int8_t *known)
{
    static double s[ROWS];
    static int8_t l[ROWS];
    double auc = 0;
    int n = 0;
    for (int i = 0; i < ROWS; i++) {
        if (known[i] == 1) continue;
        s[n] = scores[i];
        l[n++] = labels[i];
    }
    CHECK_INT(odim_auc(s, l, n, &auc, NULL), ODIM_OK);
    return auc;
}

/* Outliers whose every value is as usual, and only the third does not go with the first: they are hardly
 * found by what they are. One that is known will do to be found again; several help to find the others. */
static void check_known(bool flow)
{
    static int8_t known[ROWS];
    static double x[ROWS * COLS];
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++) {
            int from = labels[i] || (i > 0 && labels[i - 1]) ? (i + 5) % ROWS : i; /* an inlier's causes */
            x[i * COLS + j] = cells[from * COLS + j];
            if (labels[i] && j == 2) x[i * COLS + j] = 4.0 - x[i * COLS];
        }
    odim_params *p = flow ? flow_params("2") : params("2");
    double *without = score_known(p, x, NULL, NULL);
    for (int count = 1; count <= 8; count += 7) {
        know_some(known, count);
        double *with = score_known(p, x, known, NULL);
        double before = auc_of_others(without, known), after = auc_of_others(with, known);
        int above[2] = {0, 0};
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; known[i] == 1 && j < ROWS; j++) {
                above[0] += without[j] > without[i];
                above[1] += with[j] > with[i];
            }
        CHECK(above[1] < above[0] * (flow ? 0.7 : 0.5));
        CHECK(count == 1 || after > before + (flow ? 0.01 : 0.1)); /* a flow finds most of them unaided */
        od_free(with);
    }
    od_free(without);
    odim_params_free(p);
}

TEST(known_outliers_help)
{
    check_known(false);
    check_known(true);
}

/* What scores mean is learnt from the rows that are not known to be outliers; a share is one of all rows. */
TEST(known_outliers_do_not_calibrate)
{
    static int8_t known[ROWS];
    odim_params *p = params("2");
    odim_table *t;
    odim_model *m;
    odim_error err;
    double scores[ROWS], others[ROWS];
    int64_t n = 0, above = 0;
    know_some(known, 8);
    REQUIRE(!odim_table_wrap_f64(&t, cells, ROWS, COLS, 0, NULL, &err));
    REQUIRE(!odim_table_set_known(t, known, &err));
    REQUIRE(!odim_detect(t, p, NULL, &m, scores, &err));
    CHECK(m->threshold == OD_SCORE_OUTLIER);
    REQUIRE(!odim_score_raw(m, t, p, NULL, scores, &err));
    for (int i = 0; i < ROWS; i++)
        if (known[i] != 1) others[n++] = scores[i];
    od_calibration c;
    REQUIRE(!od_calibrate_fit(&c, others, n, &err));
    CHECK(m->calibration.threshold == c.threshold);
    odim_model_free(m);
    odim_params_set(p, "contamination", "0.1", NULL);
    REQUIRE(!odim_detect(t, p, NULL, &m, scores, &err));
    for (int i = 0; i < ROWS; i++) above += scores[i] > m->threshold;
    CHECK_INT(above, ROWS / 10);
    odim_model_free(m);
    odim_table_free(t);
    odim_params_free(p);
}

/* Nothing known, or only inliers: the same bits as without. The bits do not depend on threads. */
TEST(known_same_bits)
{
    static int8_t known[ROWS];
    char notes[200] = "";
    odim_hooks hooks = {NULL, collect, notes};
    odim_params *p = params("1"), *p5 = params("5");
    know_some(known, 0);
    double *plain = score_known(p, cells, NULL, NULL), *none = score_known(p, cells, known, &hooks);
    CHECK_STR(notes, "");
    known[0] = 0;
    double *inlier = score_known(p, cells, known, &hooks);
    CHECK_STR(notes, "known beforehand: 0 outliers, 1 inlier;");
    notes[0] = '\0';
    know_some(known, 7);
    double *one = score_known(p, cells, known, &hooks), *five = score_known(p5, cells, known, NULL);
    CHECK_STR(notes, "known beforehand: 7 outliers, 0 inliers; with so few known outliers the model "
                     "may miss other kinds;");
    CHECK(memcmp(plain, none, ROWS * sizeof *plain) == 0);
    CHECK(memcmp(plain, inlier, ROWS * sizeof *plain) == 0);
    CHECK(memcmp(plain, one, ROWS * sizeof *plain) != 0);
    CHECK(memcmp(one, five, ROWS * sizeof *one) == 0);
    odim_params_set(p, "known-weight", "0.1", NULL);
    double *light = score_known(p, cells, known, NULL);
    CHECK(memcmp(one, light, ROWS * sizeof *one) != 0);
    od_free(plain), od_free(none), od_free(inlier), od_free(one), od_free(five), od_free(light);
    odim_params_free(p), odim_params_free(p5);
}

/* More known outliers than a batch has rows; nearly all rows; and too many. */
TEST(known_many)
{
    enum { N = 100 };
    int8_t known[N];
    odim_params *p = params("2");
    odim_table *t;
    odim_model *m;
    odim_error err;
    odim_params_set(p, "max-updates", "12", NULL);
    REQUIRE(odim_table_wrap_f64(&t, cells, N, COLS, 0, NULL, NULL) == ODIM_OK);
    static const struct {
        int others;
        const char *msg;
    } cases[] = {{30, NULL},
                 {2, NULL},
                 {1, "all rows but one are known outliers: at least 2 rows are needed that are not"},
                 {0, "all rows are known outliers: at least 2 rows are needed that are not"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int r = 0; r < N; r++) known[r] = r < cases[i].others ? -1 : 1;
        REQUIRE(odim_table_set_known(t, known, NULL) == ODIM_OK);
        CHECK_INT(odim_fit(t, p, NULL, &m, &err), cases[i].msg ? ODIM_ERR_DATA : ODIM_OK);
        if (cases[i].msg) CHECK_STR(err.msg, cases[i].msg);
        odim_model_free(m);
    }
    odim_table_free(t);
    odim_params_free(p);
}

TEST(constant_columns_are_noted)
{
    const double x[] = {1, 5, 2, 5, 3, 5}, same[] = {4, 4, 4, 4, 4, 4};
    char notes[1000] = "";
    odim_hooks hooks = {NULL, collect, notes};
    odim_params *p = params("1");
    odim_table *t;
    odim_model *m;
    odim_error err;
    REQUIRE(odim_table_wrap_f64(&t, x, 3, 2, 0, NULL, NULL) == ODIM_OK);
    CHECK(odim_fit(t, p, &hooks, &m, NULL) == ODIM_OK);
    CHECK_STR(notes, "column 'x2' is constant: ignored;");
    odim_model_free(m);
    odim_table_free(t);

    REQUIRE(odim_table_wrap_f64(&t, same, 3, 2, 0, NULL, NULL) == ODIM_OK);
    CHECK_INT(odim_fit(t, p, &hooks, &m, &err), ODIM_ERR_DATA);
    CHECK_STR(err.msg, "no column tells the rows apart: all are constant, empty or ignored");
    odim_table_free(t);
    odim_params_free(p);
}

TEST(what_cannot_be_fitted_or_scored)
{
    odim_table *one, *narrow, *all;
    odim_model *m;
    odim_error err;
    double s[1];
    odim_params *p = params("1");
    odim_params_set(p, "max-updates", "1", NULL);
    REQUIRE(odim_table_wrap_f64(&one, cells, 1, COLS, 0, NULL, NULL) == ODIM_OK);
    CHECK_INT(odim_fit(one, p, NULL, &m, &err), ODIM_ERR_DATA);
    CHECK_STR(err.msg, "one row alone cannot be compared: at least 2 are needed");
    REQUIRE(odim_table_wrap_f64(&all, cells, ROWS, COLS, 0, NULL, NULL) == ODIM_OK);
    REQUIRE(odim_table_wrap_f64(&narrow, cells, 1, COLS - 1, 0, NULL, NULL) == ODIM_OK);
    REQUIRE(odim_fit(all, p, NULL, &m, &err) == ODIM_OK);
    CHECK_INT(odim_score(m, narrow, p, NULL, s, &err), ODIM_ERR_DATA);
    CHECK_STR(err.msg, "the model needs column 'x6', which is not there");
    odim_model_free(m);
    odim_params_set(p, "likelihood", "bernoulli", NULL);
    odim_params_set(p, "scale", "standard", NULL);
    CHECK_INT(odim_fit(all, p, NULL, &m, &err), ODIM_ERR_PARAM);
    odim_table_free(one), odim_table_free(narrow), odim_table_free(all);

    odim_params_set(p, "scale", "minmax", NULL);
    double *wide = od_calloc(2 * (OD_MAX_COLS + 1), sizeof *wide);
    REQUIRE(odim_table_wrap_f64(&all, wide, 2, OD_MAX_COLS + 1, 0, NULL, NULL) == ODIM_OK);
    CHECK_INT(odim_fit(all, p, NULL, &m, &err), ODIM_ERR_DATA);
    odim_table_free(all);
    od_free(wide);
    odim_params_free(p);
}

/* ---- the preset auto -------------------------------------------------------------------------------- */

static odim_params *auto_params(const char *threads)
{
    odim_params *p = params(threads);
    odim_params_set(p, "preset", "auto", NULL); /* leaves members and samples as they are */
    return p;
}

TEST(auto_finds_planted_outliers)
{
    odim_params *p = auto_params("2");
    odim_model *m;
    double *s = fit_score(p, &m), auc;
    CHECK(odim_auc(s, labels, ROWS, &auc, NULL) == ODIM_OK);
    CHECK(auc > 0.99);
    CHECK_INT(m->transform.d, COLS);
    CHECK_INT(m->transform.axes, COLS);
    CHECK_INT(m->layout.shape.d, 2 * COLS);
    CHECK_INT(m->aux_count, 2);
    CHECK_INT(m->aux[0].detector.method, OD_METHOD_TRUSTED_KNN);
    CHECK(m->aux[1].detector.method == OD_METHOD_MCD && m->aux[1].confirm);
    CHECK(m->aux[1].weight == 0.0);
    CHECK_INT(m->aux[0].detector.d, COLS);
    odim_model_free(m);
    od_free(s);
    odim_params_free(p);
}

TEST(auto_same_bits)
{
    odim_params *p1 = auto_params("1"), *p7 = auto_params("7");
    odim_model *m;
    double *a = fit_score(p1, &m), *b = fit_score(p7, NULL), alone;
    CHECK(memcmp(a, b, ROWS * sizeof *a) == 0);
    for (int i = 0; i < 5; i++) {
        odim_table *t;
        REQUIRE(odim_table_wrap_f64(&t, cells + i * COLS, 1, COLS, 0, NULL, NULL) == ODIM_OK);
        CHECK(odim_score_raw(m, t, NULL, NULL, &alone, NULL) == ODIM_OK);
        CHECK(memcmp(&alone, &a[i], sizeof alone) == 0);
        odim_table_free(t);
    }
    odim_model_free(m);
    od_free(a), od_free(b);
    odim_params_free(p1), odim_params_free(p7);
}

static double deviation(const double *x)
{
    double mean = 0, square = 0;
    for (int i = 0; i < ROWS; i++) mean += x[i] / ROWS;
    for (int i = 0; i < ROWS; i++) square += (x[i] - mean) * (x[i] - mean) / ROWS;
    return sqrt(square);
}

/* What the distances add to the scores varies as much as was asked for. */
TEST(distances_have_their_weight)
{
    odim_params *p = auto_params("2");
    CHECK(odim_params_set(p, "with", "subsample-knn:0.25", NULL) == ODIM_OK);
    CHECK(odim_params_set(p, "trusted-fraction", "off", NULL) == ODIM_OK);
    odim_model *m;
    odim_table *t;
    static double loss[ROWS];
    double *s = fit_score(p, &m);
    CHECK(m->aux[0].weight > 0);
    m->aux[0].weight = 0;
    REQUIRE(odim_table_wrap_f64(&t, cells, ROWS, COLS, 0, NULL, NULL) == ODIM_OK);
    CHECK(odim_score_raw(m, t, NULL, NULL, loss, NULL) == ODIM_OK);
    for (int i = 0; i < ROWS; i++) {
        s[i] -= loss[i];
        CHECK(s[i] > 0);
    }
    CHECK_NEAR(deviation(s) / deviation(loss), 0.25, 1e-9);
    odim_table_free(t);
    odim_model_free(m);
    od_free(s);
    odim_params_free(p);
}

/* Several beside the networks: each by itself has its weight, and all add up. */
TEST(several_beside)
{
    static const double want[] = {0.5, 2, 1};
    odim_params *p = auto_params("2");
    CHECK(odim_params_set(p, "with", "iforest@transform:0.5,subsample-knn:2,hbos", NULL) == ODIM_OK);
    CHECK(odim_params_set(p, "trees", "20", NULL) == ODIM_OK);
    CHECK(odim_params_set(p, "trusted-fraction", "off", NULL) == ODIM_OK);
    odim_model *m;
    odim_table *t;
    static double loss[ROWS], with[ROWS], sum[ROWS];
    double *s = fit_score(p, &m), weight[3];
    REQUIRE(m->aux_count == 3);
    REQUIRE(odim_table_wrap_f64(&t, cells, ROWS, COLS, 0, NULL, NULL) == ODIM_OK);
    CHECK_INT(m->aux[0].detector.d, 2 * COLS);
    CHECK_INT(m->aux[1].detector.d, COLS);
    for (int k = 0; k < 3; k++) {
        weight[k] = m->aux[k].weight;
        m->aux[k].weight = 0;
    }
    CHECK(odim_score_raw(m, t, NULL, NULL, loss, NULL) == ODIM_OK);
    memcpy(sum, loss, sizeof sum);
    for (int k = 0; k < 3; k++) {
        m->aux[k].weight = weight[k];
        CHECK(odim_score_raw(m, t, NULL, NULL, with, NULL) == ODIM_OK);
        m->aux[k].weight = 0;
        for (int i = 0; i < ROWS; i++) with[i] -= loss[i];
        for (int i = 0; i < ROWS; i++) sum[i] += with[i];
        CHECK_NEAR(deviation(with) / deviation(loss), want[k], 1e-9);
    }
    for (int i = 0; i < ROWS; i++) CHECK_NEAR(sum[i], s[i], 1e-9 * (1 + fabs(s[i])));
    odim_table_free(t);
    odim_model_free(m);
    od_free(s);
    odim_params_free(p);
}

/* Every method: nothing but the row and the model matters, and a method has no members. */
TEST(methods)
{
    static const char *const names[] = {"iforest", "knn", "lof", "mcd", "pca", "hbos", "ecod", "copod"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        odim_params *p = odim_params_new();
        odim_model *m;
        odim_table *t;
        double *scores[2], auc, alone;
        CHECK(odim_params_set(p, "method", names[k], NULL) == ODIM_OK);
        for (int i = 0; i < 2; i++) {
            CHECK(odim_params_set(p, "threads", i ? "5" : "1", NULL) == ODIM_OK);
            scores[i] = fit_score(p, i ? &m : NULL);
        }
        CHECK(memcmp(scores[0], scores[1], ROWS * sizeof **scores) == 0);
        CHECK(odim_auc(scores[0], labels, ROWS, &auc, NULL) == ODIM_OK);
        if (!(auc > 0.95)) TEST_SAY("%s: AUC %g", names[k], auc);
        CHECK_INT(odim_model_members(m), 0);
        CHECK(odim_model_get(m, "members", (char[8]){0}, 8) == NULL);
        for (int i = 0; i < ROWS; i += 97) {
            REQUIRE(odim_table_wrap_f64(&t, cells + i * COLS, 1, COLS, 0, NULL, NULL) == ODIM_OK);
            CHECK(odim_score_raw(m, t, NULL, NULL, &alone, NULL) == ODIM_OK);
            CHECK(memcmp(&alone, &scores[0][i], sizeof alone) == 0);
            odim_table_free(t);
        }
        odim_model_free(m);
        od_free(scores[0]), od_free(scores[1]);
        odim_params_free(p);
    }
}

/* Two rows; one column; all rows but one alike. */
TEST(best_of_small_tables)
{
    odim_params *p = auto_params("1");
    for (int64_t cols = 1; cols <= 3; cols++)
        for (int64_t n = 2; n < 12; n++) {
            double x[36] = {0}, scores[12];
            x[cols] = 1; /* the first of the second row */
            for (int64_t j = 0; j < cols; j++) x[j] = (double)j;
            odim_table *t;
            odim_model *m = NULL;
            odim_error err = {0};
            REQUIRE(odim_table_wrap_f64(&t, x, n, cols, 0, NULL, NULL) == ODIM_OK);
            if (odim_fit(t, p, NULL, &m, &err)) TEST_SAY("%s", err.msg);
            if (m) CHECK(odim_score(m, t, NULL, NULL, scores, NULL) == ODIM_OK);
            for (int64_t i = 0; m && i < n; i++) CHECK(isfinite(scores[i]));
            odim_model_free(m);
            odim_table_free(t);
        }
    odim_params_free(p);
}

TEST(first_adam_update_is_the_learning_rate)
{
    /* After one step the moments are corrected to g and g^2: the update is lr times the sign of g. */
    float w[3] = {0, 0, 0}, m[3] = {0}, v[3] = {0}, g[3] = {3, -0.001f, 50};
    od_adam a = {.lr = 0.01};
    od_adam_update(od_kern_get(), &a, w, m, v, g, 3);
    CHECK_NEAR(w[0], -0.01, 1e-6);
    CHECK_NEAR(w[1], 0.01, 1e-6);
    CHECK_NEAR(w[2], -0.01, 1e-6);
    CHECK_INT(a.step, 1);
}

int main(void)
{
    make_rows();
    RUN(first_adam_update_is_the_learning_rate);
    RUN(finds_planted_outliers);
    RUN(same_bits_for_any_thread_count);
    RUN(a_score_depends_on_its_row_only);
    RUN(members_tell_what_they_did);
    RUN(members_say_what_they_think);
    RUN(all_variants_run);
    RUN(progress_cancels);
    RUN(flow_finds_planted_outliers);
    RUN(flow_same_bits);
    RUN(flow_of_all_sizes);
    RUN(auto_finds_planted_outliers);
    RUN(auto_same_bits);
    RUN(distances_have_their_weight);
    RUN(several_beside);
    RUN(methods);
    RUN(best_of_small_tables);
    RUN(known_outliers_help);
    RUN(known_outliers_do_not_calibrate);
    RUN(known_same_bits);
    RUN(known_many);
    RUN(constant_columns_are_noted);
    RUN(what_cannot_be_fitted_or_scored);
    return test_end();
}
