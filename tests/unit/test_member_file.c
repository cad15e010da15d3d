/* tests: member_file. A member as bytes and back; and members that are trained one at a time, in any order
 * and in two models, are those that are trained together. */
#include "model/member_file.h"

#include "common/mem.h"
#include "fit/fit.h"
#include "tables.h"

enum { ROWS = 300, COLS = 3 };

static double cells[ROWS * COLS];
static int told;

static odim_status tell(void *ctx, const odim_model *model, int64_t member, odim_error *e)
{
    (void)e;
    CHECK(ctx == &told && model->members == 3 && member >= 0 && member < 3);
    told += 1 << member;
    return ODIM_OK;
}

static odim_params *params(void)
{
    odim_params *p = odim_params_new();
    if (!p || odim_params_set(p, "members", "3", &err) || odim_params_set(p, "max-updates", "30", &err) ||
        odim_params_set(p, "samples", "5", &err) || odim_params_set(p, "threads", "1", &err))
        abort();
    return p;
}

static bytes saved(const odim_model *m)
{
    void *p;
    bytes b = {0};
    size_t size;
    if (odim_model_save_memory(m, &p, &size, &err)) abort();
    put(&b, p, size);
    odim_free(p);
    return b;
}

/* One that lacks some bytes is refused. */
static void expect_refused(const od_byte_writer *whole, odim_model *m)
{
    static const size_t less[] = {1, 8, 40, 1000};
    for (int i = 0; i < 4; i++) {
        od_byte_reader in = {.at = whole->bytes, .left = whole->size - less[i]};
        CHECK_INT(od_member_get(&in, m, 0, &err), ODIM_ERR_FORMAT);
    }
}

TEST(apart)
{
    static const int64_t first[] = {2, 0}, second[] = {1};
    odim_params *p = params();
    odim_table *t;
    odim_model *want;
    od_fit one, other;
    REQUIRE(!odim_table_wrap_f64(&t, cells, ROWS, COLS, 0, NULL, &err));
    REQUIRE(!odim_fit(t, p, NULL, &want, &err));
    REQUIRE(!od_fit_init(&one, p, OD_FIT_IN_MEMORY, NULL, &err) && !od_fit_table(&one, t, &err));
    REQUIRE(!od_fit_init(&other, p, OD_FIT_IN_MEMORY, NULL, &err) && !od_fit_table(&other, t, &err));
    REQUIRE(!od_fit_begin(&one, &err) && !od_fit_begin(&other, &err));
    CHECK_INT(od_fit_train(&one, &(od_member_subset){first, 2, tell, &told}, &err), ODIM_OK);
    CHECK_INT(told, 5);
    CHECK_INT(od_fit_train(&other, &(od_member_subset){second, 1, NULL, NULL}, &err), ODIM_OK);
    od_byte_writer out = {0};
    od_member_put(&out, other.model, 1);
    REQUIRE(!out.nomem);
    od_byte_reader in = {.at = out.bytes, .left = out.size};
    CHECK_INT(od_member_get(&in, one.model, 1, &err), ODIM_OK);
    CHECK_INT(in.left, 0);
    CHECK_INT(od_fit_finish(&one, NULL, &err), ODIM_OK);
    bytes a = saved(want), b = saved(one.model);
    CHECK(a.len == b.len && memcmp(a.p, b.p, a.len) == 0);
    expect_refused(&out, other.model);
    od_free(out.bytes);
    drop(&a);
    drop(&b);
    odim_model_free(want);
    od_fit_free(&other);
    od_fit_free(&one);
    odim_table_free(t);
    odim_params_free(p);
}

int main(void)
{
    for (int i = 0; i < ROWS * COLS; i++) cells[i] = (double)(i * 37 % 101) / 7 + (i % 50 == 0 ? 9 : 0);
    RUN(apart);
    return test_end();
}
