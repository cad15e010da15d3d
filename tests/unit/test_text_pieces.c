/* tests: text_pieces text_piece text_count csv_buffer. Any number of threads reads the same table from CSV,
 * with the same notes and messages: tables of many kinds, in pieces so small that everything is at the edge
 * of one. */
#include "prep/text_pieces.h"

#include <unistd.h>

#include "base/thread.h"
#include "io/csv_buffer.h"
#include "odim.h"
#include "scratch.h"
#include "starve.h"
#include "test.h"

static uint32_t state;

static uint32_t dice(uint32_t sides)
{
    state = state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(state >> 8) * sides >> 24);
}

/* ---- texts ------------------------------------------------------------------------------------------ */

static char text[1 << 20];
static size_t len;

static void put(const char *s)
{
    size_t n = strlen(s);
    if (len + n >= sizeof text) return;
    memcpy(text + len, s, n + 1);
    len += n;
}

/* What a file is like. Each is tried with all ways of treating bad rows. */
typedef struct kind {
    const char *name, *end; /* of lines */
    int rows;
    bool codes, bom, titles, quotes, numbers, blanks, one, bad, ragged, open_quote, latin, total, footer,
        unended;
} kind;

static const kind kinds[] = {
    {"numbers", "\n", 700, .numbers = true},
    {"texts", "\n", 500, .numbers = false},
    {"codes", "\n", 900, .numbers = true, .codes = true},
    {"quotes", "\n", 400, .quotes = true},
    {"CRLF", "\r\n", 400, .quotes = true, .blanks = true},
    {"CR", "\r", 400, .quotes = true},
    {"byte order mark", "\n", 300, .bom = true, .quotes = true},
    {"title", "\n", 300, .titles = true},
    {"blank lines", "\n", 300, .blanks = true},
    {"one column", "\n", 900, .one = true, .blanks = true},
    {"bad cells", "\n", 500, .bad = true},
    {"bad cells and quotes", "\r\n", 500, .bad = true, .quotes = true, .blanks = true},
    {"ragged rows", "\n", 500, .ragged = true, .quotes = true},
    {"a quote that stays open", "\n", 400, .open_quote = true, .quotes = true},
    {"Windows-1252", "\n", 400, .latin = true, .quotes = true},
    {"totals", "\n", 300, .total = true},
    {"a line below", "\n", 300, .footer = true},
    {"no line end", "\n", 300, .unended = true, .quotes = true},
};

static void put_row(const kind *k, int i)
{
    static const char *const words[] = {"red", "green", "blue", "dark red"};
    char cell[200];
    bool odd = i > 9 && dice(40) == 0;
    if (k->blanks && dice(20) == 0) put(k->end), put(dice(2) ? " " : ""), put(k->end);
    if (k->one) {
        snprintf(cell, sizeof cell, "%d.%u%s", i, dice(1000), k->end);
        put(cell);
        return;
    }
    snprintf(cell, sizeof cell, "r%d,%u.%03u,", i, dice(50), dice(1000));
    put(cell);
    if (k->codes) /* zeros come late, and say that all numbers are codes */
        snprintf(cell, sizeof cell, "%s%04u,%u,", i > 500 && dice(9) == 0 ? "0" : "1", dice(9999), dice(77));
    else if (k->numbers)
        snprintf(cell, sizeof cell, "%u,-%u.5e-3,", dice(9), dice(77));
    else if (k->quotes && dice(3) == 0)
        snprintf(cell, sizeof cell, "\"%s%s%u \"\"%s\"\",x\",%s,", words[dice(4)], k->end, dice(30),
                 dice(2) ? k->end : "", dice(2) ? " \"7\" " : "8");
    else
        snprintf(cell, sizeof cell, "%s%u,%s,", words[dice(4)], dice(40), dice(9) ? "1" : "NA");
    put(cell);
    put(k->latin && odd ? "gr\xFCn" : words[dice(4)]);
    put(k->bad && odd ? ",wrong" : dice(2) ? ",3.5" : ",4.25");
    if (k->ragged && odd) put(dice(2) ? ",1" : ",");
    if (k->open_quote && i == k->rows / 2) put(",\"open");
    put(k->end);
}

static void make_text(const kind *k)
{
    len = 0;
    state = 7;
    if (k->bom) put("\xEF\xBB\xBF");
    if (k->titles) put("A table of things\n\n");
    put(k->one ? "value" : "name,x,color,y,other,z");
    put(k->end);
    for (int i = 0; i < k->rows; i++) put_row(k, i);
    if (k->total) put("Total,Total,,5,,9\n");
    if (k->footer) put("Source: somebody\n");
    if (k->unended) len -= strlen(k->end);
}

static void write_bytes_to(const char *path)
{
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(text, 1, len, f) != len || fclose(f)) abort();
}

/* ---- what was read ---------------------------------------------------------------------------------- */

/* Everything that a table has, as text. */
static char *shown;
static size_t shown_len;

static void show(FILE *f, const odim_table *t)
{
    for (int64_t i = 0; i < odim_table_rows(t); i++) {
        fprintf(f, "%lld:", (long long)odim_table_row_number(t, i));
        for (int64_t k = 0; k < odim_table_cols(t); k++) fprintf(f, " %a", od_table_cell(t, i, k));
        if (odim_table_id(t, i)) fprintf(f, " id %s", odim_table_id(t, i));
        for (int64_t k = 0; k < odim_table_kept_cols(t); k++) fprintf(f, "|%s", odim_table_kept(t, i, k));
        if (odim_table_bad_row(t, i)) fprintf(f, " BAD %s", odim_table_bad_row(t, i));
        fputc('\n', f);
    }
    for (int64_t k = 0; k < odim_table_cols(t); k++) {
        const od_column *c = &t->col[k];
        fprintf(f, "column %s %d %d:", c->name, (int)c->type, c->format.feature);
        for (size_t i = 0; i < c->levels.texts.count; i++)
            fprintf(f, " <%s>", od_strlist_at(&c->levels.texts, i));
        fputc('\n', f);
    }
    fprintf(f, "skipped %lld\n", (long long)odim_table_skipped(t));
}

static void show_notes(FILE *f, const odim_table *t)
{
    for (int i = 0; odim_table_note(t, i); i++) fprintf(f, "note %s\n", odim_table_note(t, i));
}

static void show_error(FILE *f, const odim_error *err)
{
    fprintf(f, "status %d, row %lld, column %lld: %s\n", (int)err->status, (long long)err->row,
            (long long)err->col, err->msg);
}

/* The table at once, and with block > 0 in blocks. To be freed. */
static char *read_text(const odim_read_options *o, const char *path, int64_t block)
{
    odim_error err = {0};
    odim_table *t = NULL;
    FILE *f = open_memstream(&shown, &shown_len);
    if (!f) return NULL;
    if (block) {
        odim_reader *reader = NULL;
        const odim_table *rows;
        odim_status status = odim_reader_open(&reader, path, o, &err);
        while (!status && !(status = odim_reader_next(reader, block, &rows, &err)) && odim_table_rows(rows))
            show(f, rows);
        if (status)
            show_error(f, &err);
        else
            show_notes(f, rows);
        odim_reader_free(reader);
    } else if (odim_table_read_memory(&t, text, len, "t.csv", o, &err)) {
        show_error(f, &err);
    } else {
        show(f, t);
        show_notes(f, t);
    }
    odim_table_free(t);
    fclose(f);
    return shown;
}

static void compare(const kind *k, const odim_read_options *base, const char *path, int64_t block)
{
    odim_read_options o = *base;
    o.threads = 1;
    char *want = read_text(&o, path, block);
    for (int64_t threads = 2; threads <= 5; threads += 3) {
        o.threads = threads;
        char *got = read_text(&o, path, block);
        if (!want || !got || strcmp(want, got) != 0)
            TEST_SAY("%s, bad rows %d, keep %d, like %d, blocks of %lld, %lld threads: not the same", k->name,
                     (int)o.bad_rows, o.keep, o.like != NULL, (long long)block, (long long)threads);
        free(got);
    }
    free(want);
}

/* A model that knows the columns, but not all of the levels. */
static odim_model *fit_model(void)
{
    odim_table *t;
    odim_model *m = NULL;
    odim_params *p = odim_params_new();
    const odim_read_options o = {.size = sizeof o, .threads = 1, .categorical = NAMES("color", "other")};
    kind k = kinds[1];
    k.rows = 30;
    make_text(&k);
    if (p && !odim_params_set(p, "method", "hbos", NULL) &&
        !odim_table_read_memory(&t, text, len, "t.csv", &o, NULL)) {
        odim_fit(t, p, NULL, &m, NULL);
        odim_table_free(t);
    }
    odim_params_free(p);
    return m;
}

TEST(the_same_for_any_number_of_threads)
{
    static const size_t sizes[] = {40, 700};
    odim_model *like = fit_model();
    REQUIRE(like);
    char path[256];
    snprintf(path, sizeof path, "%s", in_scratch("t.csv"));
    int64_t before = od_thread_starts();
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        make_text(&kinds[i]);
        write_bytes_to(path);
        for (int bad = ODIM_BAD_ROWS_STOP; bad <= ODIM_BAD_ROWS_CALL; bad++) {
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
                odim_read_options o = {.size = sizeof o, .bad_rows = (odim_bad_rows)bad, .keep = s == 1};
                od_text_pieces_set_least(sizes[s]);
                compare(&kinds[i], &o, path, 0);
                compare(&kinds[i], &o, path, 37);
                if (kinds[i].one) continue;
                o.like = like;
                compare(&kinds[i], &o, path, 0);
                compare(&kinds[i], &o, path, 100);
            }
        }
    }
    CHECK(od_thread_starts() > before + 100);
    od_text_pieces_set_least(0);
    odim_model_free(like);
}

TEST(labels_and_known_rows)
{
    len = 0;
    put("x,fault,seen\n");
    for (int i = 0; i < 400; i++) {
        char row[60];
        snprintf(row, sizeof row, "%d.5,%d,%s\n", i % 17, i % 50 == 3, i % 9 ? "" : i % 2 ? "1" : "0");
        put(row);
    }
    od_text_pieces_set_least(100);
    odim_table *t[2] = {0};
    odim_read_options o = {.size = sizeof o, .label = "fault", .known = "seen"};
    for (int i = 0; i < 2; i++) {
        o.threads = i ? 4 : 1;
        REQUIRE(odim_table_read_memory(&t[i], text, len, "t.csv", &o, NULL) == ODIM_OK);
        CHECK_INT(t[i]->n, 400);
    }
    CHECK(memcmp(t[0]->labels, t[1]->labels, 400) == 0);
    CHECK(memcmp(t[0]->known, t[1]->known, 400) == 0);
    CHECK(memcmp(t[0]->cells, t[1]->cells, 400 * sizeof(double)) == 0);
    odim_table_free(t[0]);
    odim_table_free(t[1]);
    od_text_pieces_set_least(0);
}

/* ---- threads and memory ----------------------------------------------------------------------------- */

TEST(no_threads_for_one_or_for_little)
{
    odim_table *t;
    odim_read_options o = {.size = sizeof o, .threads = 1};
    int64_t before = od_thread_starts();
    make_text(&kinds[0]);
    od_text_pieces_set_least(100);
    REQUIRE(odim_table_read_memory(&t, text, len, "t.csv", &o, NULL) == ODIM_OK);
    odim_table_free(t);
    od_text_pieces_set_least(0);
    o.threads = 4;
    REQUIRE(odim_table_read_memory(&t, text, len, "t.csv", &o, NULL) == ODIM_OK);
    odim_table_free(t);
    CHECK_INT(od_thread_starts(), before);
    odim_error err;
    o.threads = -1;
    CHECK_INT(odim_table_read_memory(&t, text, len, "t.csv", &o, &err), ODIM_ERR_PARAM);
}

TEST(threads_that_cannot_be_started)
{
    const odim_read_options alone = {.size = sizeof alone, .threads = 1},
                            o = {.size = sizeof o, .threads = 4};
    make_text(&kinds[2]);
    od_text_pieces_set_least(300);
    char *want = read_text(&alone, NULL, 0);
    for (int64_t n = 1; n < 4; n++) {
        od_thread_fail_at(n);
        char *got = read_text(&o, NULL, 0);
        od_thread_fail_at(0);
        CHECK(want && got && strcmp(want, got) == 0);
        free(got);
    }
    free(want);
    od_text_pieces_set_least(0);
}

TEST(no_memory)
{
    odim_status status;
    const odim_read_options o = {.size = sizeof o, .threads = 2, .keep = 1};
    kind k = kinds[2];
    k.rows = 60;
    make_text(&k);
    od_text_pieces_set_least(300);
    EACH_ALLOCATION_FAILS_BUT(status, 20, 1) /* room that is not needed is given back if there is memory */
    {
        odim_table *t;
        status = odim_table_read_memory(&t, text, len, "t.csv", &o, NULL);
        odim_table_free(t);
    }
    od_text_pieces_set_least(0);
}

/* ---- windows ---------------------------------------------------------------------------------------- */

TEST(a_window_from_a_pipe_does_not_wait)
{
    int ends[2];
    od_source *src;
    od_csv *csv;
    od_record rec;
    od_csv_bytes bytes;
    char path[64];
    REQUIRE(pipe(ends) == 0);
    REQUIRE(write(ends[1], "1,2\n3,4\n5,", 10) == 10);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    REQUIRE(od_source_open(&src, path, NULL) == ODIM_OK && od_csv_open(&csv, src, NULL) == ODIM_OK);
    CHECK(od_csv_next(csv, &rec, NULL) == ODIM_OK && rec.count == 2);
    REQUIRE(od_csv_window(csv, 100, true, &bytes, NULL) == ODIM_OK);
    CHECK_INT(bytes.len, 6);
    CHECK(memcmp(bytes.text, "3,4\n5,", 6) == 0 && !bytes.whole);
    od_csv_pass(csv, &(od_csv_passed){.bytes = 4, .rows = 1, .lines = 1});
    CHECK(!od_csv_ready(csv));
    REQUIRE(write(ends[1], "6\n", 2) == 2);
    CHECK(od_csv_ready(csv));
    CHECK(od_csv_next(csv, &rec, NULL) == ODIM_OK && rec.count == 2 && rec.row == 3 && rec.line == 3);
    close(ends[1]);
    REQUIRE(od_csv_window(csv, 100, true, &bytes, NULL) == ODIM_OK);
    CHECK(bytes.len == 0 && bytes.whole);
    od_csv_close(csv);
    od_source_close(src);
    close(ends[0]);
}

TEST(a_piece_ends_within_a_record)
{
    od_source *src;
    od_csv *csv, *piece;
    od_record rec;
    odim_error err;
    REQUIRE(od_source_memory(&src, "a;b\n", 4, NULL) == ODIM_OK && od_csv_open(&csv, src, NULL) == ODIM_OK);
    od_csv_set(csv, ';', false);
    REQUIRE(od_csv_piece_new(&piece, csv, NULL) == ODIM_OK);
    for (int whole = 0; whole < 2; whole++) {
        REQUIRE(od_csv_piece_set(piece, &(od_csv_bytes){"c;\"d\n\"\n\xFC;f", 10, whole}, NULL) == ODIM_OK);
        CHECK(od_csv_next(piece, &rec, &err) == ODIM_OK && rec.count == 2 && rec.row == 1 && rec.line == 0);
        CHECK_INT(od_csv_at(piece), 7);
        CHECK_INT(od_csv_line(piece), 2);
        CHECK_INT(od_csv_next(piece, &rec, &err), whole ? ODIM_OK : ODIM_ERR_IO);
        CHECK_INT(od_csv_at(piece), whole ? 10 : 7);
        int64_t line;
        CHECK_INT(od_csv_recoded(piece, &line), whole);
    }
    od_csv_close(piece);
    od_csv_close(csv);
    od_source_close(src);
}

int main(void)
{
    scratch_make();
    RUN(the_same_for_any_number_of_threads);
    RUN(labels_and_known_rows);
    RUN(no_threads_for_one_or_for_little);
    RUN(threads_that_cannot_be_started);
    RUN(no_memory);
    RUN(a_window_from_a_pipe_does_not_wait);
    RUN(a_piece_ends_within_a_record);
    return test_end();
}
