/* tests: fit fit_train fit_finish prefit member score aux_detectors aux_weights model odim adam. The whole of
 * fit and score on small made tables: what is found, and what must be identical. */
#include "test.h"

#include "base/poll.h"
#include "fit/stop_rule.h"
#include "model/model.h"
#include "net/adam.h"
#include "planted.h"
#include "score/calibrate.h"
#include "score/score.h"

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
        const odim_member_info *info = odim_model_member(m, b);
        REQUIRE(info);
        /* Stopped by patience: 100 updates after the best. */
        CHECK_INT(info->updates, info->best_update + 100);
        CHECK(info->best_update % 10 == 0 && info->distance > 0 && info->distance < 2);
    }
    CHECK(!odim_model_member(m, 3));
    CHECK(!odim_model_member(m, -1));
    odim_model_free(m);

    odim_params_set(p, "max-updates", "25", NULL);
    od_free(fit_score(p, &m));
    CHECK(odim_model_member(m, 0)->updates == 25);
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
    odim_score_options some = {.size = sizeof some, .rows = rows, .count = COUNT};
    REQUIRE(odim_score_members(m, t, &some, p, NULL, each, NULL) == ODIM_OK);
    for (int i = 0; i < COUNT; i++) {
        double mean = (each[i] + each[COUNT + i] + each[2 * COUNT + i]) / 3;
        CHECK(memcmp(&mean, &s[rows[i]], sizeof mean) == 0);
    }
    CHECK(memcmp(each, each + COUNT, COUNT * sizeof *each) != 0);
    some.count = 0;
    CHECK_INT(odim_score_members(m, t, &some, p, NULL, each, NULL), ODIM_OK);
    some.count = -1;
    CHECK_INT(odim_score_members(m, t, &some, p, NULL, each, NULL), ODIM_ERR_PARAM);
    some = (odim_score_options){.size = sizeof some, .rows = &beyond, .count = 1};
    CHECK_INT(odim_score_members(m, t, &some, p, NULL, each, NULL), ODIM_ERR_PARAM);
    /* Without a list of rows all of them are scored, in their order. */
    static double all[3 * ROWS];
    REQUIRE(odim_score_members(m, t, NULL, p, NULL, all, NULL) == ODIM_OK);
    for (int i = 0; i < COUNT; i++)
        for (int b = 0; b < 3; b++) CHECK(all[b * ROWS + rows[i]] == each[b * COUNT + i]);
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
    odim_hooks hooks = {sizeof(odim_hooks), stop_at_once, NULL, &calls};
    odim_params *p = odim_params_new();
    odim_params_set(p, "members", "10000", NULL);
    REQUIRE(odim_table_wrap_f64(&t, cells, ROWS, COLS, 0, NULL, NULL) == ODIM_OK);
    CHECK_INT(odim_fit(t, p, &hooks, &m, &err), ODIM_ERR_CANCELLED);
    CHECK(m == NULL && calls >= 1);
    odim_table_free(t);
    odim_params_free(p);
}

/* What the progress callback saw of the last check before each call. */
typedef struct checks_seen {
    int count;
    struct {
        int member;
        int64_t update, losses;
        double distance;
    } at[64];
} checks_seen;

static int note_check(const odim_progress *now, void *user)
{
    checks_seen *s = user;
    double scratch[2 * ROWS];
    if (now->loss_count == 0 || now->loss_count > ROWS || s->count == 64) return 0;
    s->at[s->count].member = now->member;
    s->at[s->count].update = now->update;
    s->at[s->count].losses = now->loss_count;
    s->at[s->count++].distance = od_stop_distance(now->losses, now->loss_count, OD_DISTANCE_PAPER, scratch);
    return 0;
}

TEST(progress_shows_the_losses_of_checks)
{
    checks_seen seen = {0};
    odim_hooks hooks = {sizeof(odim_hooks), note_check, NULL, &seen};
    odim_params *p = params("2");
    odim_table *t;
    odim_model *m;
    odim_error err;
    odim_params_set(p, "members", "60", NULL);
    od_poll_set_interval(1000000); /* a millisecond */
    REQUIRE(odim_table_wrap_f64(&t, cells, ROWS, COLS, 0, NULL, NULL) == ODIM_OK);
    REQUIRE(odim_fit(t, p, &hooks, &m, &err) == ODIM_OK);
    od_poll_set_interval(-1);
    CHECK(seen.count > 0);
    for (int i = 0; i < seen.count; i++) {
        int64_t found = 0, all = odim_model_checks(m, seen.at[i].member);
        for (int64_t k = 0; k < all; k++) {
            const odim_check *c = odim_model_check(m, seen.at[i].member, k);
            found += c->update == seen.at[i].update && c->distance == seen.at[i].distance;
        }
        CHECK_INT(found, 1);
    }
    odim_model_free(m);
    odim_table_free(t);
    odim_params_free(p);
}

/* The checks of all calls together, and what every call says of the recent losses. */
typedef struct fit_seen {
    int64_t checks;
    odim_member_check check[4096];
    int64_t recent, wrong;
} fit_seen;

static int note_fit(const odim_progress *now, void *user)
{
    fit_seen *s = user;
    for (int64_t i = 0; i < now->check_count && s->checks < 4096; i++) s->check[s->checks++] = now->checks[i];
    s->recent += now->recent_count > 0;
    /* An update has a batch of 16 losses. A member that is watched from the middle on has fewer than its
     * updates. */
    int64_t most = 16 * now->recent_update < 1024 ? 16 * now->recent_update : 1024;
    s->wrong += now->recent_count % 16 != 0 || now->recent_count > most;
    s->wrong += now->recent_member < 0 || now->recent_member >= 60;
    for (int64_t i = 0; i < now->recent_count; i++) s->wrong += !isfinite(now->recent[i]);
    return 0;
}

TEST(progress_shows_every_check_and_recent_losses)
{
    fit_seen *seen = od_calloc(1, sizeof *seen);
    REQUIRE(seen != NULL);
    odim_hooks hooks = {sizeof(odim_hooks), note_fit, NULL, seen};
    odim_params *p = params("2");
    odim_table *t;
    odim_model *m;
    odim_error err;
    odim_params_set(p, "members", "60", NULL);
    odim_params_set(p, "batch", "16", NULL);
    od_poll_set_interval(1000000); /* a millisecond */
    REQUIRE(odim_table_wrap_f64(&t, cells, ROWS, COLS, 0, NULL, NULL) == ODIM_OK);
    REQUIRE(odim_fit(t, p, &hooks, &m, &err) == ODIM_OK);
    od_poll_set_interval(-1);
    CHECK(seen->checks > 0);
    CHECK(seen->recent > 0);
    CHECK_INT(seen->wrong, 0);
    int64_t next[60] = {0}; /* the check of each member that comes next: none is lost, none comes twice */
    for (int64_t i = 0; i < seen->checks; i++) {
        int member = seen->check[i].member;
        const odim_check *c = odim_model_check(m, member, next[member]++);
        CHECK(c && c->update == seen->check[i].update && c->distance == seen->check[i].distance);
    }
    odim_model_free(m);
    odim_table_free(t);
    odim_params_free(p);
    od_free(seen);
}

/* ---- flows ------------------------------------------------------------------------------------------ */

TEST(flow_finds_planted_outliers)
{
    odim_params *p = flow_params("2");
    odim_model *m;
    double *s = fit_score(p, &m), auc;
    CHECK(odim_auc(s, labels, ROWS, &auc, NULL) == ODIM_OK);
    CHECK(auc > 0.95);
    const odim_member_info *info = odim_model_member(m, 0); /* the stop rule has ended it */
    CHECK(info && info->updates == info->best_update + 100);
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

TEST(constant_columns_are_noted)
{
    const double x[] = {1, 5, 2, 5, 3, 5}, same[] = {4, 4, 4, 4, 4, 4};
    char notes[1000] = "";
    odim_hooks hooks = {sizeof(odim_hooks), NULL, collect, notes};
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
    CHECK_STR(err.msg, "no usable columns: all are constant or ignored");
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
    RUN(progress_shows_the_losses_of_checks);
    RUN(progress_shows_every_check_and_recent_losses);
    RUN(flow_finds_planted_outliers);
    RUN(flow_same_bits);
    RUN(flow_of_all_sizes);
    RUN(constant_columns_are_noted);
    RUN(what_cannot_be_fitted_or_scored);
    return test_end();
}
