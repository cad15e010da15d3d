/* Fits with known outliers: that they help to find the others, and what must not depend on them. */
#include "test.h"

#include "model/model.h"
#include "planted.h"
#include "score/calibrate.h"
#include "score/score.h"

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
    odim_hooks hooks = {sizeof(odim_hooks), NULL, collect, notes};
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
    CHECK_STR(notes, "known beforehand: 7 outliers, 0 inliers; so few make the model look for their like, "
                     "and others may be missed;");
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

int main(void)
{
    make_rows();
    RUN(known_outliers_help);
    RUN(known_outliers_do_not_calibrate);
    RUN(known_same_bits);
    RUN(known_many);
    return test_end();
}
