/* tests: verdict_file rules_file. The sections CHKS and VERD: what is saved is loaded, and nothing that is
 * damaged does harm. */
#include "model/verdict_file.h"

#include "common/mem.h"
#include "mixed.h"
#include "model/container.h"
#include "starve.h"
#include "test.h"
#include "reasons.h"

static odim_error err;
static odim_table *table;
static odim_model *model;
static unsigned char *saved;
static size_t saved_size;

/* A group, which the table has none of; the limits of the verdict are as they were fitted. */
static void add_group(odim_model *m)
{
    od_verdict *v = &m->verdict;
    v->q = v->q ? v->q : 1;
    if (od_verdict_add_group(v, NULL)) abort();
    od_group *g = &v->group[v->groups - 1];
    for (int64_t i = 0; i < v->q; i++) g->mean[i] = 0.5 * (double)i;
    for (int64_t i = 0; i < v->q * v->q; i++) g->whiten[i] = i % (v->q + 1) ? 0.0 : 2.0;
    g->limit = 0.25;
}

/* A rule, a pattern and an excuse, which the table need not have. */
static void add_rules(odim_model *m)
{
    od_checks *c = &m->schema.checks;
    od_rule *r = &c->rules.rule[c->rules.count++];
    *r = (od_rule){
        .kind = OD_RULE_SUM, .weight = {1, -2}, .step = {0.5, 1}, .rounding = {0.25, 0}, .constant = 3};
    for (int64_t j = 0; j < m->schema.cols; j++) {
        const od_schema_col *s = &m->schema.col[j];
        if (s->ignored) continue;
        if (s->type == ODIM_NUMERIC && r->terms < 2) r->col[r->terms++] = j;
        if (s->type != ODIM_CATEGORICAL || c->excuses) continue;
        c->excuse[c->excuses++] = (od_excuse){j, od_levels_count(&s->levels) - 1};
        if (!c->col[j].patterns.count && od_strlist_add(&c->col[j].patterns, "A-99", 4, &err)) abort();
    }
    if (r->terms != 2 || !c->excuses) abort();
}

static bool same_unit(const od_score_unit *a, const od_score_unit *b)
{
    return a->used == b->used && a->logarithm == b->logarithm && a->offset == b->offset &&
           a->centre == b->centre && a->spread == b->spread;
}

static void check_same_verdict(const od_verdict *a, const od_verdict *b)
{
    CHECK(a->present && b->present && a->apart == b->apart && a->unusual == b->unusual);
    CHECK(same_unit(&a->shown, &b->shown) && same_unit(&a->alone, &b->alone));
    CHECK(same_unit(&a->loss, &b->loss) && same_unit(&a->confirm, &b->confirm));
    CHECK(a->alone_most == b->alone_most && a->agree_most == b->agree_most);
    REQUIRE(a->q == b->q && a->groups == b->groups);
    for (int k = 0; k < a->groups; k++) {
        size_t q = (size_t)a->q;
        CHECK(a->group[k].limit == b->group[k].limit);
        CHECK(memcmp(a->group[k].mean, b->group[k].mean, q * sizeof(double)) == 0);
        CHECK(memcmp(a->group[k].whiten, b->group[k].whiten, q * q * sizeof(double)) == 0);
    }
}

static void check_same_checks(const od_checks *a, const od_checks *b)
{
    REQUIRE(a->cols == b->cols && a->relations == b->relations && a->empty == b->empty);
    for (int64_t j = 0; j < a->cols; j++) {
        const od_column_check *x = &a->col[j], *y = &b->col[j];
        CHECK(memcmp(&x->limits, &y->limits, sizeof x->limits) == 0);
        CHECK(memcmp(&x->given, &y->given, sizeof x->given) == 0);
        CHECK(x->new_level == y->new_level && x->missing == y->missing && x->related == y->related);
        CHECK(x->centre == y->centre && x->unit == y->unit);
    }
    REQUIRE(a->rules.count == b->rules.count && a->excuses == b->excuses && a->rules.count > 0);
    CHECK(memcmp(a->rules.rule, b->rules.rule, (size_t)a->rules.count * sizeof(od_rule)) == 0);
    CHECK(memcmp(a->excuse, b->excuse, (size_t)a->excuses * sizeof(od_excuse)) == 0);
    for (int64_t j = 0; j < a->cols; j++) {
        REQUIRE(a->col[j].patterns.count == b->col[j].patterns.count);
        for (size_t i = 0; i < a->col[j].patterns.count; i++)
            CHECK_STR(od_strlist_at(&a->col[j].patterns, i), od_strlist_at(&b->col[j].patterns, i));
    }
    for (int64_t i = 0; i < a->relations; i++) CHECK(a->relation[i] == b->relation[i]);
    size_t cells = (size_t)(a->relations * a->relations);
    CHECK(memcmp(a->precision, b->precision, cells * sizeof(double)) == 0);
}

TEST(round_trip)
{
    odim_model *again;
    static double before[MIXED_ROWS], after[MIXED_ROWS];
    REQUIRE(odim_model_load_memory(&again, saved, saved_size, &err) == ODIM_OK);
    REQUIRE(model->schema.checks.relations >= 2 && model->verdict.groups >= 1);
    check_same_verdict(&model->verdict, &again->verdict);
    check_same_checks(&model->schema.checks, &again->schema.checks);
    CHECK(odim_model_unusual(model) == odim_model_unusual(again));
    int64_t features = model->schema.features;
    REQUIRE(model->schema.clip_low && again->schema.clip_low);
    CHECK(memcmp(model->schema.clip_low, again->schema.clip_low, 2 * (size_t)features * sizeof(double)) == 0);
    REQUIRE(model->aux_count == 2 && again->aux_count == 2);
    CHECK(again->aux[1].confirm && again->aux[1].weight == 0.0);
    CHECK_INT(odim_score(model, table, NULL, NULL, before, &err), ODIM_OK);
    CHECK_INT(odim_score(again, table, NULL, NULL, after, &err), ODIM_OK);
    CHECK(memcmp(before, after, sizeof before) == 0);
    odim_model_free(again);
}

/* What is accepted scores and explains, and is saved to what is accepted again. */
static void use(const odim_model *m)
{
    static double scores[MIXED_ROWS];
    static const int64_t rows[2] = {100, 7};
    odim_reason reasons[2];
    odim_model *again;
    void *bytes;
    size_t size;
    odim_status status = odim_score(m, table, NULL, NULL, scores, &err);
    CHECK(status == ODIM_OK || err.msg[0]);
    for (int i = 0; !status && i < MIXED_ROWS; i++) CHECK(isfinite(scores[i]));
    if (!status) status = explain_rows(m, table, rows, 2, 1, reasons, &err);
    CHECK_INT(odim_model_save_memory(m, &bytes, &size, &err), ODIM_OK);
    CHECK_INT(odim_model_load_memory(&again, bytes, size, &err), ODIM_OK);
    odim_free(bytes);
    odim_model_free(again);
}

/* The saved file with another body for a section, or without the section; all checksums are right. */
static odim_status load_with(const char *tag, const void *body, size_t size, bool used)
{
    od_container c;
    od_byte_writer out = {0};
    odim_model *m;
    if (od_container_open(&c, saved, saved_size, NULL)) abort();
    size_t at = 0;
    od_container_begin(&out, c.count - !body);
    for (size_t i = 0; i < c.count; i++) {
        bool this = strcmp(c.section[i].tag, tag) == 0;
        if (this && !body) continue;
        size_t start = od_container_start(&out);
        if (this)
            od_bytes_put(&out, body, size);
        else
            od_bytes_put(&out, c.section[i].body.at, c.section[i].body.left);
        od_container_finish(&out, at++, c.section[i].tag, start);
    }
    od_container_end(&out, c.count - !body);
    odim_status status = odim_model_load_memory(&m, out.bytes, out.size, &err);
    CHECK(!status == !!m);
    if (m && used) use(m);
    odim_model_free(m);
    od_free(out.bytes);
    return status;
}

static unsigned char *body_of(const char *tag, size_t *size)
{
    od_container c;
    if (od_container_open(&c, saved, saved_size, NULL)) abort();
    const od_section *s = od_container_find(&c, tag);
    if (!s) abort();
    unsigned char *copy = malloc(s->body.left + 1);
    if (!copy) abort();
    memcpy(copy, s->body.at, s->body.left);
    copy[s->body.left] = 0;
    *size = s->body.left;
    return copy;
}

/* Each byte is changed in turn. To use what is accepted takes a while, so that is done with some. */
static void lie(const char *tag)
{
    static const unsigned char lies[] = {0, 1, 0x7F, 0x80, 0xFF};
    size_t size, tried = 0;
    unsigned char *body = body_of(tag, &size);
    for (size_t i = 0; i < size; i++) {
        unsigned char old = body[i];
        for (size_t j = 0; j < sizeof lies; j++) {
            body[i] = lies[j];
            odim_status status = load_with(tag, body, size, tried++ % 29 == 0);
            if (status && status != ODIM_ERR_FORMAT) TEST_SAY("%s, byte %zu: %s", tag, i, err.msg);
            if (status && !strstr(err.msg, tag)) TEST_SAY("does not say where: %s", err.msg);
        }
        body[i] = old;
    }
    for (size_t cut = 0; cut < size; cut++)
        if (load_with(tag, body, cut, false) != ODIM_ERR_FORMAT) TEST_SAY("%s cut to %zu bytes", tag, cut);
    if (load_with(tag, body, size + 1, false) != ODIM_ERR_FORMAT) TEST_SAY("%s with a byte too many", tag);
    CHECK_INT(load_with(tag, body, size, true), ODIM_OK);
    free(body);
}

TEST(every_byte_may_lie)
{
    lie("CHKS");
    lie("RULE");
    lie("VERD");
}

static void refuse(const char *tag, size_t at, double value)
{
    size_t size;
    unsigned char *body = body_of(tag, &size);
    if (at + 8 > size) abort();
    memcpy(body + at, &value, 8);
    if (load_with(tag, body, size, true) != ODIM_ERR_FORMAT)
        TEST_SAY("%s, %g at byte %zu: accepted", tag, value, at);
    free(body);
}

/* Bytes of a column in CHKS: limits, two evidences, a run, a flag, limits, centre and unit. */
enum { LIMITS = 80, COLUMN = 2 * LIMITS + 2 * 8 + 4 + 3 * 8 + 1 + 2 * 8, COLUMNS_AT = 4 + 8 };
/* Bytes of a unit in VERD. */
enum { UNIT = 2 + 3 * 8 };

TEST(impossible_numbers)
{
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        refuse("CHKS", 4, bad[i]); /* evidence of an empty row */
        for (int k = 2; k < 6; k++) refuse("CHKS", COLUMNS_AT + 8 * (size_t)k, bad[i]);
        refuse("CHKS", COLUMNS_AT + LIMITS, bad[i]);
        refuse("CHKS", COLUMNS_AT + COLUMN - 8, bad[i]);
        refuse("VERD", 2, bad[i]);
        refuse("VERD", 10, bad[i]);
        refuse("VERD", 18, bad[i]);
        refuse("VERD", 2 * UNIT, bad[i]);
        refuse("VERD", 4 * UNIT + 8, bad[i]); /* where witnesses agree */
    }
    refuse("CHKS", COLUMNS_AT, NAN);
    refuse("CHKS", COLUMNS_AT, INFINITY); /* low above high */
    refuse("CHKS", 4, -1);
    refuse("CHKS", COLUMNS_AT + LIMITS, 1e6);
    refuse("VERD", 18, 0); /* nothing is divided by 0 */
    refuse("VERD", 18, -1);
    refuse("VERD", 2 * UNIT, 0);
}

/* Older files have neither section: scores are raw, and nothing is checked. */
TEST(without_these_sections)
{
    CHECK_INT(load_with("VERD", NULL, 0, true), ODIM_OK);
    CHECK_INT(load_with("CHKS", NULL, 0, true), ODIM_OK);
    /* A verdict that asks for a witness that is not there. */
    CHECK_INT(load_with("COMP", NULL, 0, true), ODIM_ERR_FORMAT);
}

TEST(memory_runs_out)
{
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 20)
    {
        odim_model *m;
        status = odim_model_load_memory(&m, saved, saved_size, &err);
        CHECK(!status == !!m && (!status || strstr(err.msg, "out of memory")));
        odim_model_free(m);
    }
}

int main(void)
{
    void *bytes;
    table = mixed_read(mixed_csv(), NULL);
    model = table ? mixed_fit(table) : NULL;
    if (!model) return 1;
    add_group(model);
    add_rules(model);
    if (odim_model_save_memory(model, &bytes, &saved_size, &err)) return 1;
    saved = bytes;
    RUN(round_trip);
    RUN(every_byte_may_lie);
    RUN(impossible_numbers);
    RUN(without_these_sections);
    RUN(memory_runs_out);
    odim_free(bytes);
    odim_model_free(model);
    odim_table_free(table);
    return test_end();
}
