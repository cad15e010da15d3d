/* Memory runs out at the n-th allocation, for every n: each call must say so, and leak nothing (the sanitizer
 * build looks for that). */
#include "test.h"

#include "base/mem.h"
#include "odim.h"

static const char csv[] = "id,a,b,c,y\n"
                          "r1,1,2,3,0\n"
                          "r2,2,3,4,0\n"
                          "\"r,3\",9,1,1,1\n"
                          "r4,3,4,5,0\n";

/* True when it came to its end. */
static odim_status whole_run(double *scores)
{
    odim_error err = {0};
    odim_read_options o = {.label = "y", .id = "id", .ignore = "c"};
    odim_table *t = NULL;
    odim_model *m = NULL;
    odim_params *p = odim_params_new();
    odim_status status = p ? ODIM_OK : ODIM_ERR_NOMEM;
    int64_t rank[4];
    double auc;
    if (!status) status = odim_params_set(p, "members", "2", &err);
    if (!status) status = odim_params_set(p, "samples", "3", &err);
    if (!status) status = odim_params_set(p, "max-updates", "2", &err);
    if (!status) status = odim_params_set(p, "threads", "2", &err);
    if (!status) status = odim_table_read_memory(&t, csv, sizeof csv - 1, "t.csv", &o, &err);
    if (!status) status = odim_fit(t, p, NULL, &m, &err);
    if (!status) status = odim_score(m, t, p, NULL, scores, &err);
    if (!status) status = odim_rank(scores, 4, rank, &err);
    if (!status) status = odim_auc(scores, odim_table_labels(t), 4, &auc, &err);
    if (status && p) CHECK(err.status == status && strstr(err.msg, "out of memory"));
    odim_model_free(m);
    odim_table_free(t);
    odim_params_free(p);
    return status;
}

TEST(every_allocation_may_fail)
{
    double want[4], got[4];
    od_mem_fail_at(0);
    REQUIRE(whole_run(want) == ODIM_OK);
    int64_t total = od_mem_count();
    CHECK(total > 50);
    for (int64_t n = 1; n <= total; n++) {
        od_mem_fail_at(n);
        CHECK_INT(whole_run(got), ODIM_ERR_NOMEM);
    }
    od_mem_fail_at(0);
    CHECK(whole_run(got) == ODIM_OK);
    CHECK(memcmp(want, got, sizeof want) == 0);
}

int main(void)
{
    RUN(every_allocation_may_fail);
    return test_end();
}
