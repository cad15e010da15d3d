/* Memory runs out at the n-th allocation, for every n: each call must say so, and leak nothing (the sanitizer
 * build looks for that). */
#include "test.h"

#include "base/mem.h"
#include "odim.h"
#include "scratch.h"

enum { ROWS = 20 };

static char csv[1024];

static void make_csv(void)
{
    int len = sprintf(csv, "id,a,b,c,y,k\n");
    for (int i = 0; i < ROWS; i++)
        len += sprintf(csv + len, "\"r,%d\",%d,%d,3,%d,%s\n", i, i == 7 ? 90 : i, i * i % 13, i == 7,
                       i == 7 ? "1" : "");
}

/* The model goes to a file and comes back. */
static odim_status save_and_load(odim_model **m, odim_error *err)
{
    const char *path = in_scratch("model.odim");
    odim_status status = odim_model_save(*m, path, err);
    odim_model_free(*m);
    *m = NULL;
    return status ? status : odim_model_load(m, path, err);
}

/* More threads than members, and more rows than a chunk has: so there are teams, and they can fail. */
static odim_status whole_run(double *scores, const char *batch_norm)
{
    odim_error err = {0};
    odim_read_options o = {.label = "y", .id = "id", .ignore = "c", .known = "k"};
    odim_table *t = NULL;
    odim_model *m = NULL;
    odim_params *p = odim_params_new();
    odim_status status = p ? ODIM_OK : ODIM_ERR_NOMEM;
    int64_t rank[ROWS];
    double auc;
    if (!status) status = odim_params_set(p, "members", "2", &err);
    if (!status) status = odim_params_set(p, "samples", "60", &err);
    if (!status) status = odim_params_set(p, "batch-norm", batch_norm, &err);
    if (!status) status = odim_params_set(p, "max-updates", "2", &err);
    if (!status) status = odim_params_set(p, "threads", "5", &err);
    if (!status) status = odim_table_read_memory(&t, csv, strlen(csv), "t.csv", &o, &err);
    if (!status) status = odim_table_set_known(t, odim_table_known(t), &err);
    if (!status) status = odim_fit(t, p, NULL, &m, &err);
    if (!status) status = save_and_load(&m, &err);
    if (!status) status = odim_score(m, t, p, NULL, scores, &err);
    if (!status) status = odim_rank(scores, ROWS, rank, &err);
    if (!status) status = odim_auc(scores, odim_table_labels(t), ROWS, &auc, &err);
    if (status && p) CHECK(err.status == status && strstr(err.msg, "out of memory"));
    odim_model_free(m);
    odim_table_free(t);
    odim_params_free(p);
    return status;
}

static void fail_everywhere(const char *batch_norm)
{
    double want[ROWS], got[ROWS];
    od_mem_fail_at(0);
    REQUIRE(whole_run(want, batch_norm) == ODIM_OK);
    int64_t total = od_mem_count();
    CHECK(total > 100);
    for (int64_t n = 1; n <= total; n++) {
        od_mem_fail_at(n);
        CHECK_INT(whole_run(got, batch_norm), ODIM_ERR_NOMEM);
    }
    od_mem_fail_at(0);
    CHECK(whole_run(got, batch_norm) == ODIM_OK);
    CHECK(memcmp(want, got, sizeof want) == 0);
}

TEST(every_allocation_may_fail)
{
    fail_everywhere("on");
}

TEST(every_allocation_may_fail_without_batch_norm)
{
    fail_everywhere("off");
}

int main(void)
{
    scratch_make();
    make_csv();
    RUN(every_allocation_may_fail);
    RUN(every_allocation_may_fail_without_batch_norm);
    return test_end();
}
