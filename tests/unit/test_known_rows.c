/* tests: known_rows. Lists of known outliers. */
#include "prep/known_rows.h"

#include "common/mem.h"
#include "scratch.h"
#include "tables.h"
#include "starve.h"

/* What a file of known outliers says of rows first+1..first+n, ids being "a", "b", ..: as "+-+", or the
 * error.
 */
static const char *apply(const char *text, bool by_id, int64_t first, int64_t n, bool end)
{
    static char found[64];
    od_known_rows m;
    odim_table *t = od_table_new();
    const char *path = in_scratch("list");
    write_text(path, text);
    odim_status status = od_known_rows_read(&m, path, by_id, &err);
    t->first = first;
    for (t->n = 0; t->n < n && !status; t->n++) {
        char id[2] = {(char)('a' + t->n), '\0'};
        status = od_strlist_add(&t->ids, id, 1, &err);
    }
    if (!status) status = od_known_rows_apply(&m, t, &err);
    for (int64_t i = 0; i < n && !status; i++)
        found[i] = t->known[i] == 1 ? '+' : t->known[i] == -1 ? '-' : t->known[i] == 0 ? '0' : '?';
    found[n] = '\0';
    if (!status && end) status = od_known_rows_end(&m, first + n, &err);
    od_known_rows_free(&m);
    odim_table_free(t);
    if (!status) return found;
    CHECK_INT(strncmp(err.msg, path, strlen(path)), 0);
    return err.msg + strlen(path);
}

TEST(row_numbers)
{
    CHECK_STR(apply("1\n3\n", false, 0, 4, true), "+-+-");
    CHECK_STR(apply("3\r\n\r\n1\r\n3", false, 0, 4, true), "+-+-");
    CHECK_STR(apply("\xEF\xBB\xBF"
                    "2\n",
                    false, 0, 3, true),
              "-+-");
    CHECK_STR(apply("", false, 0, 3, true), "---");
    CHECK_STR(apply("3\tfine\n1\n", false, 0, 4, true), "+-0-");
    CHECK_STR(apply(" 12 \n11\n", false, 10, 3, true), "++-");
    CHECK_STR(apply("1\n12\n", false, 10, 3, false), "-+-"); /* row 1 was in an earlier block */
}

TEST(ids)
{
    CHECK_STR(apply("c\na\n", true, 0, 4, true), "+-+-");
    CHECK_STR(apply("b\r\nb\r\n", true, 7, 3, true), "-+-");
    CHECK_STR(apply("b\tfine\r\nc\n", true, 7, 3, true), "-0+");
}

TEST(lines_that_mean_no_row)
{
    CHECK_STR(apply("2\n9\n5\n", false, 0, 4, true), ": line 2: there is no row 9; there are 4");
    CHECK_INT(err.status, ODIM_ERR_DATA);
    CHECK_STR(apply("z\nc\nx\n", true, 0, 4, true), ": line 1: no row has the id 'z'");
    const char *why = "is not the number of a row, which count from 1; ids need an id column (set id)";
    static const char *const bad[] = {"0", "-1", "1.5", "a7", "1e99", "1,2"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[32], want[200];
        snprintf(text, sizeof text, "1\n%s\n", bad[i]);
        snprintf(want, sizeof want, ": line 2: '%s' %s", bad[i], why);
        CHECK_STR(apply(text, false, 0, 4, true), want);
    }
}

TEST(files_that_are_none)
{
    od_known_rows m;
    CHECK_INT(od_known_rows_read(&m, in_scratch("none"), false, &err), ODIM_ERR_IO);
    const char *path = in_scratch("binary");
    FILE *f = fopen(path, "wb");
    REQUIRE(f && fwrite("1\n\0\n", 1, 4, f) == 4 && !fclose(f));
    CHECK_INT(od_known_rows_read(&m, path, true, &err), ODIM_ERR_FORMAT);
    CHECK(strstr(err.msg, "not lines of text"));
}

TEST(memory_runs_out)
{
    const char *path = in_scratch("list");
    odim_status status;
    write_text(path, "1\n2\n");
    EACH_ALLOCATION_FAILS(status, 2)
    {
        od_known_rows m;
        status = od_known_rows_read(&m, path, false, &err);
        if (!status) od_known_rows_free(&m);
    }
}

/* In reading: by blocks or at once, and beside a column of the same. */
TEST(reading)
{
    const char *list = in_scratch("list"), *path = in_scratch("t.csv");
    write_text(list, "r2\nr5\n");
    write_text(path, "id,a\nr1,1\nr2,2\nr3,3\nr4,4\nr5,5\n");
    odim_read_options o = {.size = sizeof(odim_read_options), .id = "id", .known_rows = list};
    static const int8_t want[] = {-1, 1, -1, -1, 1};
    odim_table *t;
    REQUIRE(!odim_table_read(&t, path, &o, &err));
    CHECK(memcmp(odim_table_known(t), want, sizeof want) == 0);
    odim_table_free(t);
    for (int64_t most = 1; most < 7; most++) {
        odim_reader *r;
        const odim_table *block;
        int64_t done = 0;
        REQUIRE(!odim_reader_open(&r, path, &o, &err));
        while (!odim_reader_next(r, most, &block, &err) && block->n) {
            CHECK(memcmp(odim_table_known(block), want + done, (size_t)block->n) == 0);
            done += block->n;
        }
        CHECK(block && done == 5);
        odim_reader_free(r);
    }
    write_text(list, "r2\nr6\n");
    CHECK_INT(odim_table_read(&t, path, &o, &err), ODIM_ERR_DATA);
    CHECK(strstr(err.msg, "line 2: no row has the id 'r6'"));
    odim_reader *r;
    const odim_table *block;
    REQUIRE(!odim_reader_open(&r, path, &o, &err));
    CHECK_INT(odim_reader_next(r, 10, &block, &err), ODIM_OK);
    CHECK_INT(odim_reader_next(r, 10, &block, &err), ODIM_ERR_DATA);
    odim_reader_free(r);
    o.known = "a";
    CHECK_INT(odim_table_read(&t, path, &o, &err), ODIM_ERR_PARAM);
    o = (odim_read_options){.size = sizeof(odim_read_options), .known_rows = in_scratch("none")};
    CHECK_INT(odim_table_read(&t, path, &o, &err), ODIM_ERR_IO);
    CHECK(!t);
}

int main(void)
{
    scratch_make();
    RUN(row_numbers);
    RUN(ids);
    RUN(lines_that_mean_no_row);
    RUN(files_that_are_none);
    RUN(memory_runs_out);
    RUN(reading);
    return test_end();
}
