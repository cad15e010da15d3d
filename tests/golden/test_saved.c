/*
 * A model that odim 0.1.0 saved in version 1 of the format must be read for ever, and score as it did then.
 * It was fitted on 300 made-up rows; TEST_DIR/data/model_v1.odim is never to be made anew.
 */
#include "odim.h"

#include "test.h"
#include "reasons.h"

#define MODEL TEST_DIR "/data/model_v1.odim"

/* Usual and unusual values, a rare and a new level, missing cells. */
static const char rows[] = "length,colour,since,ok,id\n"
                           "1.5,red,2024-05-01 09:30,yes,a\n"
                           ",mauve,,,\n"
                           "-7,,1990-01-01,no,b\n"
                           "1.2,green,2024-11-30 23:59,yes,c\n"
                           "9.9,blue,2024-03-15T12:00:00+02:00,no,d\n";
static const double expected[] = {
    0.15383225306868553, 0.095274247229099274, 816.72393798828125, 0.16358981654047966, 0.17120036180131137,
};
enum { ROWS = sizeof expected / sizeof *expected };

static odim_error err;
static odim_model *model;

/* The kernels give the same bits on all machines, so the scores are equal and not only near. */
TEST(scores)
{
    odim_table *t;
    double scores[ROWS];
    odim_read_options like = {.size = sizeof(odim_read_options), .like = model};
    REQUIRE(odim_table_read_memory(&t, rows, sizeof rows - 1, "rows.csv", &like, &err) == ODIM_OK);
    CHECK_INT(odim_table_rows(t), ROWS);
    CHECK_INT(odim_score(model, t, NULL, NULL, scores, &err), ODIM_OK);
    for (int i = 0; i < ROWS; i++)
        if (scores[i] != expected[i]) TEST_SAY("row %d: %.17g, expected %.17g", i, scores[i], expected[i]);
    odim_table_free(t);
}

/* It has no checks of single cells: reasons are what they were. */
TEST(reasons)
{
    static const char *const first[ROWS] = {
        "length 1.5 (100 %): expected about 5.94, usually 1 to 10.87",
        "colour 'mauve' (100 %): never seen in training",
        "since 1990-01-01 (100 %): expected about 2024-06-29 15:32, usually 2024-01-05 00:24 to 2024-12-24 "
        "23:23",
        "since 2024-11-30 23:59 (62 %): expected about 2024-06-29 18:01, usually 2024-01-05 00:24 to "
        "2024-12-24 "
        "23:23",
        "ok false (57 %): expected true",
    };
    odim_table *t;
    odim_read_options like = {.size = sizeof(odim_read_options), .like = model};
    REQUIRE(odim_table_read_memory(&t, rows, sizeof rows - 1, "rows.csv", &like, &err) == ODIM_OK);
    for (int64_t i = 0; i < ROWS; i++) {
        odim_reason reason;
        char text[200];
        REQUIRE(explain_rows(model, t, &i, 1, 1, &reason, &err) == ODIM_OK);
        CHECK_STR(odim_reason_text(model, t, i, &reason, text, sizeof text), first[i]);
    }
    odim_table_free(t);
}

TEST(what_is_in_it)
{
    char fingerprint[17];
    odim_held_info held = ODIM_HELD_INFO_INIT;
    char value[20];
    /* It is older than the parameter, and has all levels. */
    CHECK_STR(odim_model_get(model, "min-level-count", value, sizeof value), "1");
    CHECK_INT(odim_model_held(model, &held, &err), ODIM_OK);
    CHECK(held.rows == 0 && held.levels > 0);
    odim_model_fingerprint(model, fingerprint);
    CHECK_STR(fingerprint, "b897c39438281e82");
    CHECK_INT(odim_model_members(model), 2);
    REQUIRE(odim_model_member(model, 1));
    CHECK_INT(odim_model_member(model, 1)->updates, 60);
    CHECK(odim_model_threshold(model) == 0.4269948981971053);
    CHECK(odim_model_probability(model, expected[0]) < 0.5);
    CHECK(odim_model_probability(model, expected[2]) > 0.5);
}

TEST(saves_to_the_same_bytes)
{
    void *bytes;
    size_t size;
    static char file[1 << 16];
    FILE *f = fopen(MODEL, "rb");
    REQUIRE(f);
    size_t file_size = fread(file, 1, sizeof file, f);
    fclose(f);
    REQUIRE(odim_model_save_memory(model, &bytes, &size, &err) == ODIM_OK);
    CHECK(size == file_size && memcmp(bytes, file, size) == 0);
    odim_free(bytes);
}

int main(void)
{
    if (odim_model_load(&model, MODEL, &err)) {
        printf("FAILED %s\n", err.msg);
        return 1;
    }
    RUN(scores);
    RUN(reasons);
    RUN(what_is_in_it);
    RUN(saves_to_the_same_bytes);
    odim_model_free(model);
    return test_end();
}
