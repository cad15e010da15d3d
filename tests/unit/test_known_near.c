/* tests: known_near. Nearness to rows whose verdict is known, and what a fit learns from them. */
#include "test.h"

#include <math.h>

#include "detectors/known_near.h"
#include "model/model.h"
#include "planted.h"
#include "starve.h"

/* Ordinary values have the standard deviation 1, and the nearest one counts. */
static const float ordinary[] = {-1, 1, -1, 1};

static odim_status learn(od_detector *c, const float *known, const int8_t *outlier, int64_t count,
                         odim_error *err)
{
    const od_detector_task task = {.x = ordinary, .n = 4, .d = 1, .neighbors = 1, .threads = 1};
    return od_known_rows_fit(c, &task, &(od_known_task){known, outlier, count}, err);
}

static od_known_near near_of(const od_detector *c, float x)
{
    od_known_near near;
    void *scratch = od_alloc(od_detector_kind_of(OD_METHOD_KNOWN_ROWS)->scratch(c), 1);
    od_known_rows_near(c, &x, 1, scratch, &near);
    od_free(scratch);
    return near;
}

TEST(one_column_by_hand)
{
    od_detector c;
    odim_error err;
    REQUIRE(learn(&c, (float[]){4, 3}, (int8_t[]){1, 0}, 2, &err) == ODIM_OK);
    od_known_near a = near_of(&c, 3.5f), b = near_of(&c, 3), far = near_of(&c, -1), beyond = near_of(&c, 9);
    /* 3.5 is 2.5 from 1, and half from both known rows. */
    CHECK(fabs(a.outlier - log(5)) < 1e-5 && a.outlier == a.inlier);
    CHECK(fabs(b.outlier - log(2)) < 1e-5 && b.inlier == 3.0);
    CHECK(far.outlier == -3.0 && far.inlier == -3.0); /* it has a copy among the ordinary rows */
    CHECK(fabs(beyond.outlier - log(8.0 / 5)) < 1e-5 && fabs(beyond.inlier - log(8.0 / 6)) < 1e-5);
    /* Far from known outliers, near one, and the same as an inlier. */
    CHECK(far.shift == -2.0 && beyond.shift == beyond.outlier && b.shift == -3.0);
    od_detector_free(&c);
    REQUIRE(learn(&c, (float[]){3}, (int8_t[]){0}, 1, &err) == ODIM_OK);
    CHECK(near_of(&c, 3).outlier == -3.0 && near_of(&c, 3).shift == -3.0);
    CHECK(near_of(&c, -1).shift == 0.0); /* no outlier is known that it could be far from */
    od_detector_free(&c);
}

TEST(allocations)
{
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 6)
    {
        od_detector c;
        odim_error err;
        status = learn(&c, (float[]){4, 3}, (int8_t[]){1, 0}, 2, &err);
        if (!status) od_detector_free(&c);
    }
}

TEST(what_a_file_may_not_say)
{
    od_detector c;
    odim_error err;
    const od_detector_kind *kind = od_detector_kind_of(OD_METHOD_KNOWN_ROWS);
    REQUIRE(learn(&c, (float[]){4, 3}, (int8_t[]){1, 0}, 2, &err) == ODIM_OK);
    CHECK(kind->check(&c, NULL) == ODIM_OK);
    for (int64_t wrong = -1; wrong < 4; wrong++) {
        c.count[3] = wrong;
        CHECK((kind->check(&c, NULL) == ODIM_OK) == (wrong == 2));
    }
    c.count[3] = 2;
    c.part[6].at.i[1] = 2;
    CHECK(kind->check(&c, NULL) == ODIM_ERR_FORMAT);
    c.part[6].at.i[1] = 0;
    c.part[4].at.d[0] = 0.0;
    CHECK(kind->check(&c, NULL) == ODIM_ERR_FORMAT);
    c.part[4].at.d[0] = 1.0;
    c.part[7].at.d[0] = -1.0;
    CHECK(kind->check(&c, NULL) == ODIM_ERR_FORMAT);
    od_detector_free(&c);
}

/* ---- whole fits ------------------------------------------------------------------------------------- */

enum { KIND = 12, FIRST = 100 };
static double x[ROWS * COLS];

/* Rows FIRST to FIRST + KIND - 1 are of one kind, at the edge of the others. */
static void make_kind(void)
{
    memcpy(x, cells, sizeof x);
    for (int i = FIRST; i < FIRST + KIND; i++)
        for (int j = 0; j < COLS; j++) x[i * COLS + j] = j + (j == 2 ? 1.3 : 0.0) + 0.05 * sin(7.0 * i + j);
}

static odim_model *fit(const int8_t *known, double *scores)
{
    odim_table *t;
    odim_model *m;
    odim_params *p = odim_params_new();
    odim_params_set(p, "members", "3", NULL);
    if (odim_table_wrap_f64(&t, x, ROWS, COLS, 0, NULL, NULL) || odim_table_set_known(t, known, NULL) ||
        odim_detect(t, p, NULL, &m, scores, NULL))
        abort();
    odim_params_free(p);
    odim_table_free(t);
    return m;
}

static int called_of_kind(const double *scores)
{
    int n = 0;
    for (int i = FIRST; i < FIRST + KIND; i++) n += scores[i] > OD_SCORE_OUTLIER;
    return n;
}

TEST(three_known_rows_stand_for_their_kind)
{
    static double before[ROWS], after[ROWS];
    static int8_t known[ROWS];
    memset(known, -1, sizeof known);
    odim_model *m = fit(NULL, before);
    CHECK(m->known.method == OD_METHOD_NONE);
    odim_model_free(m);
    CHECK_INT(called_of_kind(before), 0);
    for (int i = 0; i < 3; i++) known[FIRST + 4 * i] = 1;
    m = fit(known, after);
    CHECK_INT(called_of_kind(after), KIND);
    int others = 0;
    for (int i = 0; i < ROWS; i++)
        others += (i < FIRST || i >= FIRST + KIND) && !labels[i] && after[i] > OD_SCORE_OUTLIER;
    CHECK(others <= 6);
    odim_model_free(m);
}

/* A row that is marked as fine is not called again, nor are rows just like it. */
TEST(known_inliers_are_not_called)
{
    static double before[ROWS], after[ROWS];
    static int8_t known[ROWS];
    int worst = 3;
    memset(known, -1, sizeof known);
    odim_model_free(fit(NULL, before));
    for (int i = 0; i < ROWS; i++)
        if (before[i] > before[worst]) worst = i;
    CHECK(before[worst] > OD_SCORE_OUTLIER);
    known[worst] = 0;
    odim_model_free(fit(known, after));
    CHECK(after[worst] <= OD_SCORE_OUTLIER);
}

/* What was learned is in the model file. */
TEST(saved_and_loaded)
{
    static double scores[ROWS], again[ROWS];
    static int8_t known[ROWS];
    void *bytes;
    size_t size;
    odim_table *t;
    odim_model *m, *loaded;
    odim_error err;
    memset(known, -1, sizeof known);
    known[FIRST] = 1;
    known[FIRST + 40] = 0;
    m = fit(known, scores);
    REQUIRE(odim_model_save_memory(m, &bytes, &size, &err) == ODIM_OK);
    REQUIRE(odim_model_load_memory(&loaded, bytes, size, &err) == ODIM_OK);
    REQUIRE(odim_table_wrap_f64(&t, x, ROWS, COLS, 0, NULL, &err) == ODIM_OK);
    CHECK(odim_score(loaded, t, NULL, NULL, again, &err) == ODIM_OK);
    CHECK(memcmp(scores, again, sizeof scores) == 0);
    odim_held_info a = ODIM_HELD_INFO_INIT, b = ODIM_HELD_INFO_INIT;
    CHECK(odim_model_held(m, &a, &err) == ODIM_OK && odim_model_held(loaded, &b, &err) == ODIM_OK);
    CHECK(a.rows == b.rows && a.rows > 0);
    odim_table_free(t);
    odim_model_free(m);
    odim_model_free(loaded);
    odim_free(bytes);
}

int main(void)
{
    make_rows();
    make_kind();
    RUN(one_column_by_hand);
    RUN(allocations);
    RUN(what_a_file_may_not_say);
    RUN(three_known_rows_stand_for_their_kind);
    RUN(known_inliers_are_not_called);
    RUN(saved_and_loaded);
    return test_end();
}
