/* tests: part_scan part_scan_file part_read api_scan reading. Types that parts vote on together are those of
 * the whole table, so that the model has the same bytes. */
#include <math.h>

#include "fit/part_read.h"
#include "scratch.h"
#include "starve.h"
#include "tables.h"

enum { ROWS = 400, COLS = 12 };

/* ---- a table that only all of its rows explain -----------------------------------------------------------
 */

/* Each column is of another kind; most are known only by a few cells somewhere in the table. */
static const char *const names[COLS] = {"number", "amount", "when",  "seen",  "zip",    "open",
                                        "ref",    "color",  "notes", "empty", "mostly", "serial"};

static const char *cell(int row, int col, char *out, size_t size)
{
    static const char *const colors[] = {"red", "green", "blue", " teal "};
    unsigned h = ((unsigned)row * 2654435761u + (unsigned)col * 40503u) * 2246822519u;
    int n = (int)(h >> 16);
    *out = '\0';
    switch (col) {
    case 0: snprintf(out, size, "%d", row + 1); break; /* counts the rows */
    case 1: /* 1.234 is a thousand, which only the cells with a comma say */
        if (row % 97 == 50)
            snprintf(out, size, "%d.%03d,%d", n % 9 + 1, n % 1000, n % 10);
        else
            snprintf(out, size, "%d.%03d", n % 9 + 1, n % 1000);
        break;
    case 2: /* no day above 12 but one */
        snprintf(out, size, "%02d/%02d/2024", row == 333 ? 25 : n % 12 + 1, n / 12 % 12 + 1);
        break;
    case 3: snprintf(out, size, "2024-03-%02d 1%d:30", n % 28 + 1, n % 10); break;
    case 4:
        snprintf(out, size, "%05d", row == 310 || row == 371 || n % 40 == 0 ? n % 9999 : 10000 + n % 80000);
        break;
    case 5: strcpy(out, row % 50 == 7 ? "" : n % 3 ? "yes" : "no"); break;
    case 6: snprintf(out, size, "u%08x-%x", h, (unsigned)row); break; /* names the rows */
    case 7: strcpy(out, colors[row < 200 ? n % 2 : n % 4]); break;
    case 8:
        snprintf(out, size, "%s came by\nand said %d, %s", colors[n % 4], n, n % 7 ? "fine" : "\"\"no\"\"");
        break;
    case 9: break;
    case 10: /* a category, though nearly all cells of most parts are numbers */
        if (row < 300)
            snprintf(out, size, "%d", n % 5);
        else
            strcpy(out, "many");
        break;
    default: snprintf(out, size, "%u.5", h % 1000);
    }
    return out;
}

static void write_table(const char *path)
{
    FILE *f = fopen(path, "wb");
    char text[100];
    if (!f) abort();
    for (int j = 0; j < COLS; j++) fprintf(f, "%s%c", names[j], j + 1 < COLS ? ';' : '\n');
    for (int i = 0; i < ROWS; i++) {
        if (i % 61 == 9) fprintf(f, "\n \r\n");
        for (int j = 0; j < COLS; j++)
            fprintf(f, j == 8 ? "\"%s\"%c" : "%s%c", cell(i, j, text, sizeof text),
                    j + 1 < COLS ? ';' : '\n');
    }
    fclose(f);
}

/* ---- the same models -------------------------------------------------------------------------------------
 */

static odim_params *hbos(void)
{
    odim_params *p = odim_params_new();
    if (!p || odim_params_set(p, "method", "hbos", &err)) abort();
    return p;
}

static void check_same_model(const odim_model *a, const odim_model *b, int parts)
{
    void *x, *y;
    size_t m, n;
    REQUIRE(a && b);
    CHECK(!odim_model_save_memory(a, &x, &m, NULL) && !odim_model_save_memory(b, &y, &n, NULL));
    if (m != n || memcmp(x, y, m) != 0) TEST_SAY("%d parts: another model", parts);
    odim_free(x);
    odim_free(y);
}

/* Sent to another process and back. */
static odim_scan *travel(odim_scan *s)
{
    void *raw;
    size_t size;
    odim_scan *back = NULL;
    if (odim_scan_save_memory(s, &raw, &size, &err) || odim_scan_load_memory(&back, raw, size, &err))
        TEST_SAY("%s", err.msg);
    odim_free(raw);
    odim_scan_free(s);
    return back;
}

/* The parts in an order in which neighbors come late. */
static int shuffled(int i, int parts)
{
    int step = parts % 7 ? 7 : parts % 5 ? 5 : 1;
    return i * step % parts;
}

static odim_scan *scan_parts(const char *path, const odim_read_options *o, int parts)
{
    odim_scan *all;
    if (odim_scan_new(&all, &err)) return NULL;
    for (int i = 0; i < parts; i++) {
        odim_scan *one;
        if (odim_scan_new(&one, &err) || odim_scan_file(one, shuffled(i, parts), parts, path, o, &err))
            TEST_SAY("%s", err.msg);
        one = travel(one);
        if (odim_scan_merge(all, one, &err)) TEST_SAY("%d parts: %s", parts, err.msg);
        odim_scan_free(one);
        CHECK_INT(odim_scan_parts(all), i + 1);
    }
    return travel(all);
}

static odim_model *fit_parts(const char *path, const odim_read_options *o, int parts,
                             const odim_params *params)
{
    odim_scan *all = scan_parts(path, o, parts);
    odim_partial *sum;
    odim_model *model = NULL;
    if (!all || odim_partial_new(&sum, params, &err)) return NULL;
    for (int i = parts - 1; i >= 0; i--) {
        odim_reader *r;
        const odim_table *block;
        int64_t first = odim_scan_first(all, i), begin = first;
        if (odim_scan_open(all, i, path, o, &r, &err)) {
            TEST_SAY("%s", err.msg);
            continue;
        }
        while (!odim_reader_next(r, 97, &block, &err) && block->n) {
            CHECK_INT(odim_table_row_number(block, 0), first);
            if (odim_partial_add(sum, block, first, &err)) TEST_SAY("%s", err.msg);
            first += block->n;
        }
        CHECK_INT(first, odim_scan_first(all, i + 1));
        CHECK(begin <= first);
        odim_reader_free(r);
    }
    if (odim_partial_fit(sum, params, NULL, &model, &err)) TEST_SAY("%s", err.msg);
    odim_partial_free(sum);
    odim_scan_free(all);
    return model;
}

static void check_file(const char *path, const odim_read_options *o)
{
    static const int divisions[] = {1, 2, 3, 5, 8, 30, 1000};
    odim_params *params = hbos();
    odim_model *whole = NULL, *model;
    if (odim_fit_file(path, o, params, NULL, &whole, &err)) TEST_SAY("%s", err.msg);
    for (size_t i = 0; i < sizeof divisions / sizeof *divisions; i++) {
        model = fit_parts(path, o, divisions[i], params);
        check_same_model(model, whole, divisions[i]);
        odim_model_free(model);
    }
    odim_model_free(whole);
    odim_params_free(params);
}

TEST(files)
{
    const char *path = in_scratch("t.csv");
    write_table(path);
    check_file(path, NULL);
    const odim_read_options given = {.size = sizeof given,
                                     .id = "ref",
                                     .categorical = (const char *const[]){"serial", NULL},
                                     .ignore = (const char *const[]){"notes", NULL}};
    check_file(path, &given);
    /* What only all parts together say. */
    odim_scan *s = scan_parts(path, NULL, 6);
    odim_reader *r;
    REQUIRE(s && !odim_scan_open(s, 3, path, NULL, &r, &err));
    const odim_table *block;
    CHECK_INT(odim_reader_next(r, 1, &block, &err), ODIM_OK);
    CHECK_STR(odim_table_id_name(block), "ref");
    CHECK_STR(odim_table_name(block, 0), "amount");
    CHECK(odim_table_value(block, 0, 0) >= 1000);
    CHECK_INT(odim_table_type(block, 1), ODIM_TIME);
    CHECK_INT(odim_table_type(block, 3), ODIM_CATEGORICAL); /* zip */
    odim_reader_free(r);
    odim_scan_free(s);
}

/* Arrays are cut at rows, and what cannot be cut is one part. */
TEST(other_files)
{
    char command[700];
    const char *path = in_scratch("t.csv");
    write_table(path);
    snprintf(command, sizeof command, "gzip -c %s >%s", path, in_scratch("t.csv.gz"));
    CHECK_INT(system(command), 0);
    check_file(in_scratch("t.csv.gz"), NULL);
    FILE *f = fopen(in_scratch("t.npy"), "wb");
    REQUIRE(f);
    fprintf(f, "\x93NUMPY\x01%c%c%c%-117s\n", 0, 118, 0,
            "{'descr': '<f8', 'fortran_order': False, 'shape': (400, 3), }");
    for (int i = 0; i < ROWS * 3; i++) {
        double v = sin(i * 0.7) * (i % 11);
        fwrite(&v, sizeof v, 1, f);
    }
    fclose(f);
    check_file(in_scratch("t.npy"), NULL);
    write_text(in_scratch("t.jsonl"),
               "{\"a\": 1, \"b\": \"x\"}\n{\"a\": 2, \"b\": \"y\"}\n{\"a\": 4, \"b\": \"x\"}\n"
               "{\"a\": 3, \"b\": \"x\"}\n{\"a\": 3, \"b\": \"y\"}\n{\"a\": 9, \"b\": \"x\"}\n");
    check_file(in_scratch("t.jsonl"), NULL);
}

/* The columns of some rows in memory. */
typedef struct memory {
    odim_column column[COLS];
    const odim_column *list[COLS];
    char *texts[COLS][ROWS];
    int32_t codes[ROWS];
    double numbers[ROWS];
} memory;

static void fill(memory *m, int first, int end)
{
    memset(m, 0, sizeof *m);
    for (int i = 0; i < ROWS; i++) m->codes[i] = i;
    for (int j = 0; j < COLS; j++) {
        m->column[j] = (odim_column){.size = sizeof(odim_column),
                                     .name = names[j],
                                     .codes = m->codes,
                                     .texts = (const char *const *)m->texts[j],
                                     .text_count = end - first};
        m->list[j] = &m->column[j];
        for (int i = first; i < end; i++) {
            char text[100];
            m->texts[j][i - first] = strdup(cell(i, j, text, sizeof text));
            if (j == 0) m->numbers[i - first] = i + 1;
        }
    }
    m->column[0] = (odim_column){.size = sizeof(odim_column), .name = names[0], .numbers = m->numbers};
}

static void empty(memory *m)
{
    for (int j = 0; j < COLS; j++)
        for (int i = 0; i < ROWS; i++) free(m->texts[j][i]);
}

TEST(columns)
{
    static const int cut[] = {0, 5, 120, 120, 199, 311, 399, ROWS};
    enum { PARTS = 7 };
    static memory m;
    odim_params *params = hbos();
    odim_table *t;
    odim_model *whole = NULL, *model = NULL;
    odim_scan *all;
    odim_partial *sum;
    fill(&m, 0, ROWS);
    REQUIRE(!odim_table_build(&t, m.list, COLS, ROWS, NULL, &err));
    CHECK_INT(odim_fit(t, params, NULL, &whole, &err), ODIM_OK);
    odim_table_free(t);
    empty(&m);
    REQUIRE(!odim_scan_new(&all, &err) && !odim_partial_new(&sum, params, &err));
    for (int i = 0; i < PARTS; i++) {
        odim_scan *one;
        int part = shuffled(i * 2, PARTS);
        CHECK_INT(odim_scan_new(&one, &err), ODIM_OK);
        fill(&m, cut[part], cut[part + 1]);
        if (odim_scan_add(one, part, m.list, COLS, cut[part + 1] - cut[part], &err)) TEST_SAY("%s", err.msg);
        empty(&m);
        one = travel(one);
        if (odim_scan_merge(all, one, &err)) TEST_SAY("%s", err.msg);
        odim_scan_free(one);
    }
    for (int i = 0; i < PARTS; i++) {
        CHECK_INT(odim_scan_first(all, i), cut[i]);
        if (cut[i] == cut[i + 1]) continue;
        fill(&m, cut[i], cut[i + 1]);
        if (odim_scan_table(all, m.list, COLS, cut[i + 1] - cut[i], &t, &err)) TEST_SAY("%s", err.msg);
        CHECK_INT(odim_partial_add(sum, t, cut[i], &err), ODIM_OK);
        odim_table_free(t);
        empty(&m);
    }
    CHECK_INT(odim_partial_fit(sum, params, NULL, &model, &err), ODIM_OK);
    check_same_model(model, whole, PARTS);
    odim_model_free(model);
    odim_model_free(whole);
    odim_partial_free(sum);
    odim_scan_free(all);
    odim_params_free(params);
}

/* More different texts than a category can have: of two columns that name the rows one is ignored, and a
 * category that the caller has chosen has the levels that come first. */
TEST(many_levels)
{
    enum { MANY = 100000 };
    const char *path = in_scratch("many.csv");
    FILE *f = fopen(path, "wb");
    REQUIRE(f);
    fprintf(f, "user_id,session_id,x,kind\n");
    for (unsigned i = 0; i < MANY; i++)
        fprintf(f, "u%08x,s%08x,%u,k%u\n", i * 2654435761u, i * 2246822519u, i * 40503u % 997,
                i % 4 ? i : i * 7919u % 50);
    fclose(f);
    const odim_read_options given = {.size = sizeof given,
                                     .categorical = (const char *const[]){"kind", NULL}};
    odim_params *params = hbos();
    for (int k = 0; k < 2; k++) {
        odim_model *whole = NULL, *model;
        const odim_read_options *o = k ? &given : NULL;
        CHECK_INT(odim_fit_file(path, o, params, NULL, &whole, &err), ODIM_OK);
        model = fit_parts(path, o, 3, params);
        check_same_model(model, whole, 3);
        odim_model_free(model);
        odim_model_free(whole);
    }
    /* Without a scan the parts keep different ones. */
    odim_partial *p;
    odim_table *t;
    REQUIRE(!odim_partial_new(&p, params, &err) && !odim_table_read(&t, path, &given, &err));
    CHECK_INT(odim_partial_add(p, t, 0, &err), ODIM_OK);
    odim_table_free(t);
    f = fopen(path, "wb");
    REQUIRE(f);
    fprintf(f, "user_id,session_id,x,kind\n");
    for (unsigned i = 0; i < 30; i++) fprintf(f, "u%08x,s%08x,%u,k%u\n", i * 2654435761u, i, i * 7 % 13, i);
    fclose(f);
    REQUIRE(!odim_table_read(&t, path, &given, &err));
    CHECK_INT(odim_partial_add(p, t, MANY, &err), ODIM_ERR_DATA);
    CHECK_STR(err.msg,
              "column 'kind' has more than 65536 levels, and which are kept depends on the part: scan all "
              "parts first, or leave it out");
    odim_table_free(t);
    odim_partial_free(p);
    odim_params_free(params);
}

/* ---- history does not count ------------------------------------------------------------------------------
 */

/* Votes of cells that are divided anywhere are those of all cells at once. */
static void check_votes(const char *const *cells, int count)
{
    static const od_strlist none;
    od_type_votes whole = {0};
    for (int i = 0; i < count; i++) od_type_votes_add(&whole, cells[i], strlen(cells[i]), &none, false);
    for (int cut = 0; cut <= count; cut++) {
        od_type_votes a = {.in_part = true}, b = {.in_part = true};
        for (int i = 0; i < count; i++)
            od_type_votes_add(i < cut ? &a : &b, cells[i], strlen(cells[i]), &none, false);
        od_type_votes_merge(&a, &b, &err);
        a.in_part = false;
        memcpy(a.before, whole.before, sizeof a.before);
        if (memcmp(&a, &whole, sizeof a) != 0) TEST_SAY("'%s', cut at %d", cells[0], cut);
    }
}

TEST(votes_divided)
{
    static const char *const codes[] = {"123", "456", "123", "0789", "44", "55.5", "007", "456", "8"};
    static const char *const dates[] = {"3 kg", "1/2/2024",  "2024 Nov5", "4 Nov 2023",
                                        "3 m2", "2024 Nov5", "7 Mar"};
    static const char *const mixed[] = {"yes", "1,234", "1.234", "",           "/a/b",
                                        "$5",  "no",    "5 $",   "2024-01-01", "x y"};
    check_votes(codes, 9);
    check_votes(dates, 7);
    check_votes(mixed, 10);
}

/* A column with too many units has none, whichever of them come first. */
TEST(units_divided)
{
    enum { CELLS = 60, UNITS = 20 };
    static const od_strlist none;
    static const od_type_hints hints;
    const char *const name = "price";
    char cells[CELLS][24];
    od_type_votes whole = {0};
    od_cell_kind want, got;
    for (int i = 0; i < CELLS; i++) {
        if (i % 3)
            snprintf(cells[i], sizeof cells[i], "%d USD", i);
        else
            snprintf(cells[i], sizeof cells[i], "%d %c%c", i, 'a' + i / 3 % UNITS, 'b' + i % 7);
        od_type_votes_add(&whole, cells[i], strlen(cells[i]), &none, false);
    }
    CHECK(whole.many_units);
    od_type_decide(&whole, &name, NULL, 1, &hints, &want);
    for (int cut = 0; cut <= CELLS; cut++) {
        od_type_votes a = {.in_part = true}, b = {.in_part = true};
        for (int i = 0; i < CELLS; i++)
            od_type_votes_add(i < cut ? &a : &b, cells[i], strlen(cells[i]), &none, false);
        CHECK_INT(od_type_votes_merge(&a, &b, &err), ODIM_OK);
        CHECK(a.many_units);
        od_type_decide(&a, &name, NULL, 1, &hints, &got);
        CHECK(got.type == want.type && strcmp(got.format.unit, want.format.unit) == 0);
    }
    CHECK_STR(want.format.unit, "");
}

/* ---- what is refused -------------------------------------------------------------------------------------
 */

TEST(refused)
{
    const char *path = in_scratch("t.csv");
    odim_scan *s, *other;
    odim_reader *r;
    write_table(path);
    REQUIRE(!odim_scan_new(&s, &err) && !odim_scan_new(&other, &err));
    CHECK_INT(odim_scan_open(s, 0, path, NULL, &r, &err), ODIM_ERR_DATA);
    CHECK_STR(err.msg, "no part was scanned");
    CHECK_INT(odim_scan_file(s, 3, 3, path, NULL, &err), ODIM_ERR_PARAM);
    CHECK_STR(err.msg, "part 4 of 3: out of range");
    CHECK_INT(odim_scan_file(s, 0, 3, "-", NULL, &err), ODIM_ERR_PARAM);
    CHECK_STR(err.msg, "standard input cannot be divided into parts: give a file");
    odim_read_options o = {.size = sizeof o, .bad_rows = ODIM_BAD_ROWS_SKIP};
    CHECK_INT(odim_scan_file(s, 0, 3, path, &o, &err), ODIM_ERR_PARAM);
    CHECK_STR(err.msg, "bad rows end the reading of a part: they cannot be left out");
    o = (odim_read_options){.size = sizeof o, .known_rows = path};
    CHECK_INT(odim_scan_file(s, 0, 3, path, &o, &err), ODIM_ERR_PARAM);
    CHECK_STR(err.msg, "known outliers of parts are given by a column, not by a file of rows");
    CHECK_INT(odim_scan_file(s, 0, 3, path, NULL, &err), ODIM_OK);
    CHECK_INT(odim_scan_file(s, 2, 3, path, NULL, &err), ODIM_OK);
    CHECK(odim_scan_first(s, 1) > 0);
    CHECK_INT(odim_scan_first(s, 3), -1);
    CHECK_INT(odim_scan_first(NULL, 0), -1);
    CHECK_INT(odim_scan_open(s, 0, path, NULL, &r, &err), ODIM_ERR_DATA);
    CHECK_STR(err.msg, "part 2 is missing: its scan was not merged");
    CHECK_INT(odim_scan_file(other, 1, 4, path, NULL, &err), ODIM_OK);
    CHECK_INT(odim_scan_merge(s, other, &err), ODIM_ERR_PARAM);
    CHECK_STR(err.msg, "one is of 3 parts, the other of 4");
    CHECK_INT(odim_scan_file(s, 2, 3, path, NULL, &err), ODIM_ERR_DATA);
    CHECK_STR(err.msg, "part 3: parts 3 to 3: some of them were added before");
    odim_scan_free(s);
    odim_scan_free(other);
    odim_scan_free(NULL);
    /* Another file. */
    s = scan_parts(path, NULL, 2);
    const char *small = in_scratch("u.csv");
    write_text(small, "a,b\n1,2\n2,3\n");
    REQUIRE(s);
    CHECK_INT(odim_scan_open(s, 0, small, NULL, &r, &err), ODIM_ERR_DATA);
    CHECK(strstr(err.msg, "is not the file that was scanned, or is read with other options"));
    CHECK_INT(odim_scan_open(s, 2, path, NULL, &r, &err), ODIM_ERR_PARAM);
    CHECK_STR(err.msg, "part 3 of 2: out of range");
    odim_scan_free(s);
    /* Text that looks like rows, so that the second part begins in the middle of a cell. */
    FILE *f = fopen(small, "wb");
    REQUIRE(f);
    fprintf(f, "a,b\n1,\"");
    for (int i = 0; i < 100; i++) fprintf(f, "1,2\n");
    fprintf(f, "\"\n3,4\n");
    fclose(f);
    REQUIRE(!odim_scan_new(&s, &err) && !odim_scan_file(s, 0, 2, small, NULL, &err));
    CHECK_INT(odim_scan_file(s, 1, 2, small, NULL, &err), ODIM_ERR_FORMAT);
    odim_scan_free(s);
}

static void seal(unsigned char *raw, size_t size)
{
    od_byte_writer hasher = od_bytes_hasher();
    od_bytes_put(&hasher, raw, size - 8);
    od_bytes_set_u64(raw + size - 8, hasher.hash);
}

TEST(damaged_bytes)
{
    const char *path = in_scratch("t.csv");
    odim_scan *s, *back;
    odim_reader *r;
    void *saved;
    size_t size;
    write_text(path, "a,b,c\n1,x,2024-01-01\n2,y,2024-02-01\n3,\"some words, \",\n4,5 kg,7\n");
    s = scan_parts(path, NULL, 2);
    REQUIRE(s && odim_scan_save_memory(s, &saved, &size, &err) == ODIM_OK);
    unsigned char *raw = malloc(size);
    CHECK_INT(odim_scan_load_memory(&back, "", 0, &err), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "the bytes are damaged, or are not a scan that was saved");
    for (size_t n = 0; n < size; n += n < 300 ? 1 : 997) {
        memcpy(raw, saved, size);
        CHECK_INT(odim_scan_load_memory(&back, raw, n, &err), ODIM_ERR_FORMAT);
        if (n <= 20) continue;
        seal(raw, n);
        CHECK(odim_scan_load_memory(&back, raw, n, &err) == ODIM_ERR_FORMAT && !back);
    }
    /* Any change is noticed; with the right hash it is refused or harmless. */
    for (size_t at = 0; at < size - 8; at += at < 800 ? 1 : 311) {
        memcpy(raw, saved, size);
        raw[at] ^= 0x81;
        CHECK_INT(odim_scan_load_memory(&back, raw, size, &err), ODIM_ERR_FORMAT);
        seal(raw, size);
        if (odim_scan_load_memory(&back, raw, size, &err)) continue;
        if (!odim_scan_open(back, 0, path, NULL, &r, &err)) odim_reader_free(r);
        odim_scan_free(back);
    }
    memcpy(raw, saved, size);
    raw[8] = 9;
    CHECK_INT(odim_scan_load_memory(&back, raw, size, &err), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "the scan was saved by another version of odim");
    free(raw);
    odim_free(saved);
    odim_scan_free(s);
}

TEST(memory_can_run_out)
{
    const char *path = in_scratch("t.csv");
    odim_status status;
    write_text(path, "a,b\n1,x\n2,y z\n3,x\n5,some words\n");
    EACH_ALLOCATION_FAILS(status, 40)
    {
        odim_scan *s = NULL, *other = NULL, *back = NULL;
        odim_reader *r = NULL;
        void *raw = NULL;
        size_t size;
        status = odim_scan_new(&s, &err);
        if (!status) status = odim_scan_new(&other, &err);
        if (!status) status = odim_scan_file(s, 1, 2, path, NULL, &err);
        if (!status) status = odim_scan_file(other, 0, 2, path, NULL, &err);
        if (!status) status = odim_scan_merge(s, other, &err);
        if (!status) status = odim_scan_save_memory(s, &raw, &size, &err);
        if (!status) status = odim_scan_load_memory(&back, raw, size, &err);
        if (!status) status = odim_scan_open(back, 1, path, NULL, &r, &err);
        odim_reader_free(r);
        odim_scan_free(s);
        odim_scan_free(other);
        odim_scan_free(back);
        odim_free(raw);
    }
    static memory m;
    fill(&m, 0, 30);
    EACH_ALLOCATION_FAILS(status, 40)
    {
        odim_scan *s = NULL;
        odim_table *t = NULL;
        status = odim_scan_new(&s, &err);
        if (!status) status = odim_scan_add(s, 0, m.list, COLS, 30, &err);
        if (!status) status = odim_scan_table(s, m.list, COLS, 30, &t, &err);
        odim_table_free(t);
        odim_scan_free(s);
    }
    empty(&m);
}

int main(void)
{
    scratch_make();
    RUN(files);
    RUN(other_files);
    RUN(columns);
    RUN(many_levels);
    RUN(votes_divided);
    RUN(units_divided);
    RUN(refused);
    RUN(damaged_bytes);
    RUN(memory_can_run_out);
    return test_end();
}
