#include "prep/column_stats.h"

#include "common/mem.h"
#include "prep/read.h"
#include "tables.h"
#include "starve.h"

static const char text[] = "n,c,t,b,e\n"
                           "1,red,1970-01-01T06:00,yes,\n"
                           ",blue,1970-01-02T18:30,no,\n"
                           "-4,,,yes,\n"
                           "9,red,1969-12-31T01:00,,\n"
                           "2,red,1970-01-01T12:00,yes,\n";

static void check(const od_column_stats *s)
{
    CHECK_INT(s->rows, 5);
    CHECK_INT(s->cols, 5);
    CHECK(s->col[0].missing == 1 && s->col[0].low == -4 && s->col[0].high == 9);
    CHECK(s->col[1].missing == 1 && s->col[1].levels == 2);
    CHECK(s->col[1].level_count[0] == 3 && s->col[1].level_count[1] == 1);
    CHECK(s->col[2].missing == 1 && s->col[2].low == -82800 && s->col[2].high == 86400 + 66600);
    CHECK(s->col[2].clock_low == 3600 && s->col[2].clock_high == 66600);
    CHECK(s->col[3].missing == 1 && s->col[3].low == 0 && s->col[3].high == 1);
    CHECK(s->col[4].missing == 5 && s->col[4].low > s->col[4].high);
}

/* In blocks of any size: the same. */
TEST(any_blocks)
{
    for (int64_t most = 1; most <= 6; most++) {
        od_column_stats s;
        odim_reader *r;
        const odim_table *block;
        REQUIRE(!od_reader_open(&r, "t.csv", text, strlen(text), NULL, NULL, &err));
        REQUIRE(!od_column_stats_new(&s, 5, &err));
        while (!odim_reader_next(r, most, &block, &err) && block->n)
            CHECK_INT(od_column_stats_add(&s, block, &err), ODIM_OK);
        check(&s);
        od_column_stats_free(&s);
        odim_reader_free(r);
    }
}

TEST(known)
{
    odim_table *t = READ("a,k\n1,1\n2,0\n3,\n4,1\n", .known = "k");
    od_column_stats s;
    REQUIRE(t && !od_column_stats_new(&s, 1, &err));
    for (int i = 0; i < 2; i++) CHECK_INT(od_column_stats_add(&s, t, &err), ODIM_OK);
    CHECK(s.known[0] == 2 && s.known[1] == 4);
    od_column_stats_free(&s);
    odim_table_free(t);
}

/* The cells of a category that has too many levels are counted in one place. */
TEST(too_many_levels)
{
    bytes b = {0};
    char line[20];
    for (int i = 0; i < OD_LEVELS_MOST + 10; i++) {
        snprintf(line, sizeof line, "w%d\n", i);
        put_text(&b, line);
    }
    odim_read_options o = {.size = sizeof(odim_read_options), .header = -1};
    odim_table *t = read_bytes(&b, "t.csv", &o);
    od_column_stats s;
    drop(&b);
    REQUIRE(t && !od_column_stats_new(&s, 1, &err) && !od_column_stats_add(&s, t, &err));
    CHECK_INT(s.col[0].levels, OD_LEVELS_MOST + 1);
    CHECK_INT(s.col[0].level_count[OD_LEVELS_MOST - 1], 1);
    CHECK_INT(s.col[0].level_count[OD_LEVELS_MOST], 10);
    char cell[40];
    CHECK_STR(odim_table_text(t, OD_LEVELS_MOST + 3, 0, cell, sizeof cell), "(one of too many)");
    od_column_stats_free(&s);
    odim_table_free(t);
}

/* Surveys of parts that met the levels in another order. */
TEST(merge)
{
    odim_table *a = READ_PLAIN("n,c,t,b,e\n1,red,1970-01-01T06:00,yes,\n,blue,1970-01-02T18:30,no,\n");
    odim_table *b = READ("n,c,t,b,e\n-4,,,yes,\n9,red,1969-12-31T01:00,,\n2,red,1970-01-01T12:00,yes,\n",
                         .categorical = NAMES("c"));
    od_column_stats sum, one, other;
    REQUIRE(a && b && !od_column_stats_new(&sum, 5, &err) && !od_column_stats_new(&one, 5, &err) &&
            !od_column_stats_new(&other, 5, &err));
    REQUIRE(!od_column_stats_add(&one, a, &err) && !od_column_stats_add(&other, b, &err));
    /* Of the second: 0 is red. With the first behind it, its 0 is 0 and its 1 is 1. */
    const uint32_t same[] = {0, 1, 2}, *code[5] = {[1] = same};
    CHECK_INT(od_column_stats_merge(&sum, &other, code, &err), ODIM_OK);
    CHECK_INT(od_column_stats_merge(&sum, &one, code, &err), ODIM_OK);
    check(&sum);
    CHECK(sum.col[1].low == 0 && sum.col[1].high == 1);
    od_column_stats_free(&sum);
    /* The other way round in codes: red is 1. */
    const uint32_t turned[] = {1, 0, 2};
    code[1] = turned;
    REQUIRE(!od_column_stats_new(&sum, 5, &err));
    CHECK_INT(od_column_stats_merge(&sum, &other, code, &err), ODIM_OK);
    CHECK(sum.col[1].levels == 2 && sum.col[1].low == 1 && sum.col[1].high == 1);
    CHECK_INT(od_column_stats_merge(&sum, &one, code, &err), ODIM_OK);
    CHECK(sum.col[1].level_count[0] == 1 && sum.col[1].level_count[1] == 3);
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 1)
    {
        od_column_stats none;
        status = od_column_stats_new(&none, 5, &err);
        if (!status) status = od_column_stats_merge(&none, &one, code, &err);
        od_column_stats_free(&none);
    }
    od_column_stats_free(&sum);
    od_column_stats_free(&one);
    od_column_stats_free(&other);
    odim_table_free(a);
    odim_table_free(b);
}

int main(void)
{
    RUN(any_blocks);
    RUN(known);
    RUN(too_many_levels);
    RUN(merge);
    return test_end();
}
