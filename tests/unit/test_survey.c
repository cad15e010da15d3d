#include "prep/survey.h"

#include "prep/read.h"
#include "tables.h"

static const char text[] = "n,c,t,b,e\n"
                           "1,red,1970-01-01T06:00,yes,\n"
                           ",blue,1970-01-02T18:30,no,\n"
                           "-4,,,yes,\n"
                           "9,red,1969-12-31T01:00,,\n"
                           "2,red,1970-01-01T12:00,yes,\n";

static void check(const od_survey *s)
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
        od_survey s;
        odim_reader *r;
        const odim_table *block;
        REQUIRE(!od_reader_open(&r, "t.csv", text, strlen(text), NULL, NULL, &err));
        REQUIRE(!od_survey_new(&s, 5, &err));
        while (!odim_reader_next(r, most, &block, &err) && block->n)
            CHECK_INT(od_survey_add(&s, block, &err), ODIM_OK);
        check(&s);
        od_survey_free(&s);
        odim_reader_free(r);
    }
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
    odim_read_options o = {.header = -1};
    odim_table *t = read_bytes(&b, "t.csv", &o);
    od_survey s;
    drop(&b);
    REQUIRE(t && !od_survey_new(&s, 1, &err) && !od_survey_add(&s, t, &err));
    CHECK_INT(s.col[0].levels, OD_LEVELS_MOST + 1);
    CHECK_INT(s.col[0].level_count[OD_LEVELS_MOST - 1], 1);
    CHECK_INT(s.col[0].level_count[OD_LEVELS_MOST], 10);
    char cell[40];
    CHECK_STR(odim_table_text(t, OD_LEVELS_MOST + 3, 0, cell, sizeof cell), "(one of too many)");
    od_survey_free(&s);
    odim_table_free(t);
}

int main(void)
{
    RUN(any_blocks);
    RUN(too_many_levels);
    return test_end();
}
