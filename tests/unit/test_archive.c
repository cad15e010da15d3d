/* tests: archive zip_pick. Tables in zip archives. */
#include "prep/archive.h"

#include "starve.h"
#include "tables.h"

static const char csv[] = "a,b\n1,2\n3,4\n", lines[] = "{\"a\":5}\n{\"a\":6}\n";

/* The archive is dropped. */
static odim_table *unzip_as(zip_maker *z, odim_read_options o)
{
    bytes b = zip_end(z);
    o.size = sizeof o;
    odim_table *t = read_bytes(&b, "t.zip", &o);
    drop(&b);
    *z = (zip_maker){0};
    return t;
}

#define UNZIP(z, ...) unzip_as(z, (odim_read_options){__VA_ARGS__})

static void add(zip_maker *z, const char *name, const char *text, int deflated)
{
    zip_add(z, name, text, strlen(text), deflated);
}

TEST(one)
{
    zip_maker z = {0};
    for (int deflated = 0; deflated < 2; deflated++) {
        add(&z, "t.csv", csv, deflated);
        EXPECT_TABLE(UNZIP(&z, .header = 0), 2, 2, 1, 2, 3, 4);
    }
    /* The content or the name of the member says what it is. */
    add(&z, "data", lines, 1);
    EXPECT_TABLE(UNZIP(&z, .header = 0), 2, 1, 5, 6);
    add(&z, "t.tsv", "a\tb,c\n1\t2\n", 1);
    EXPECT_TABLE(UNZIP(&z, .header = 0), 1, 2, 1, 2);
    add(&z, "t.txt", csv, 1);
    EXPECT_TABLE(UNZIP(&z, .format = "csv"), 2, 2, 1, 2, 3, 4);
    /* What else is in archives. */
    add(&z, "folder/", "", 0);
    add(&z, "README", "read me", 0);
    add(&z, "folder/t.csv", csv, 1);
    add(&z, "__MACOSX/folder/._t.csv", "x", 0);
    add(&z, "folder/.DS_Store", "x", 0);
    EXPECT_TABLE(UNZIP(&z, .header = 0), 2, 2, 1, 2, 3, 4);
}

/* Members are unpacked and recoded as files are. */
TEST(packed)
{
    zip_maker z = {0};
    bytes gz = {0};
    put_gzip(&gz, csv, sizeof csv - 1);
    zip_add(&z, "t.csv.gz", gz.p, gz.len, 0);
    drop(&gz);
    EXPECT_TABLE(UNZIP(&z, .header = 0), 2, 2, 1, 2, 3, 4);
    zip_add(&z, "t.csv",
            "\xFF\xFE"
            "a\0\n\0"
            "7\0\n\0",
            10, 1);
    EXPECT_TABLE(UNZIP(&z, .header = 0), 1, 1, 7);
    add(&z, "t.csv", "a,b\n\xE4,1\n", 1);
    expect_text(UNZIP(&z, .encoding = "latin1", .id = ""), "\xC3\xA4|1");
}

TEST(several)
{
    zip_maker z = {0};
    add(&z, "a.csv", csv, 1);
    add(&z, "b.jsonl", lines, 1);
    expect_error(UNZIP(&z, .header = 0), ODIM_ERR_DATA, 0, 0,
                 "t.zip: the zip archive has 2 files (a.csv, b.jsonl): name one (set entry)");
    add(&z, "a.csv", csv, 1);
    add(&z, "b.jsonl", lines, 1);
    EXPECT_TABLE(UNZIP(&z, .entry = "b.jsonl"), 2, 1, 5, 6);
    add(&z, "a.txt", csv, 1);
    add(&z, "b.txt", lines, 1);
    expect_error(UNZIP(&z, .entry = "c"), ODIM_ERR_DATA, 0, 0,
                 "t.zip: there is no file 'c' in the zip archive; it has a.txt, b.txt");
    for (int i = 0; i < 40; i++) {
        char name[40];
        snprintf(name, sizeof name, "a-long-name-of-a-part-%02d.txt", i);
        add(&z, name, csv, 1);
    }
    CHECK(!UNZIP(&z, .header = 0));
    CHECK(strstr(err.msg, "has 40 files (a-long-name-of-a-part-00.txt, "));
    CHECK(strstr(err.msg, ".txt and 33 more): name one (set entry)"));
    expect_error(READ("a\n1\n", .entry = "a"), ODIM_ERR_DATA, 0, 0,
                 "t.csv: it is not a zip archive: entry does not apply");
}

/* Arrays and spreadsheets are not archives of tables. */
TEST(documents)
{
    zip_maker z = {0};
    bytes npy = npy_2x2();
    zip_add(&z, "X.npy", npy.p, npy.len, 1);
    add(&z, "t.csv", csv, 1);
    EXPECT_TABLE(UNZIP(&z, .header = 0), 2, 2, 1, 2, 3, 4);
    zip_add(&z, "X.npy", npy.p, npy.len, 1);
    zip_add(&z, "Z.npy", npy.p, npy.len, 0);
    EXPECT_TABLE(UNZIP(&z, .entry = "Z.npy"), 2, 2, 1, 2, 3, 4);
    drop(&npy);
    add(&z, "[Content_Types].xml", "<x/>", 1);
    add(&z, "t.csv", csv, 1);
    CHECK(!UNZIP(&z, .header = 0) && err.status);
    CHECK(!strstr(err.msg, "set entry"));
}

TEST(bomb)
{
    static char big[2000000];
    zip_maker z = {0};
    memset(big, ' ', sizeof big);
    memcpy(big, "a\n1\n", 4);
    zip_add(&z, "t.csv", big, sizeof big, 1);
    expect_error(UNZIP(&z, .unpacked = 1 << 20), ODIM_ERR_DATA, 0, 0,
                 "t.zip: unpacks to more than 1.0 MB, the most that is allowed; if the file can be trusted, "
                 "allow more (set unpacked)");
    memcpy(big, "{\"a\":", 5);
    zip_add(&z, "t.json", big, sizeof big, 1);
    expect_error(UNZIP(&z, .unpacked = 1 << 20), ODIM_ERR_DATA, 0, 0,
                 "t.zip: unpacks to more than 1.0 MB, the most that is allowed; if the file can be trusted, "
                 "allow more (set unpacked)");
}

TEST(damaged)
{
    zip_maker z = {0};
    add(&z, "t.csv", csv, 1);
    bytes b = zip_end(&z);
    for (size_t len = 4; len < b.len; len++) {
        bytes cut = {b.p, len, 0};
        odim_table *t = read_bytes(&cut, "t.zip", NULL);
        CHECK(!t);
        odim_table_free(t);
    }
    for (size_t i = 4; i < b.len; i++) {
        b.p[i] ^= 0x11; /* an error, or the table */
        odim_table_free(read_bytes(&b, "t.zip", NULL));
        b.p[i] ^= 0x11;
    }
    drop(&b);
}

TEST(memory)
{
    zip_maker z = {0};
    odim_status status;
    odim_table *t;
    add(&z, "t.csv", csv, 1);
    bytes b = zip_end(&z);
    EACH_ALLOCATION_FAILS_BUT(status, 10, 1)
    {
        status = odim_table_read_memory(&t, b.p, b.len, "t.zip", NULL, &err);
        if (!status) odim_table_free(t);
    }
    drop(&b);
}

int main(void)
{
    RUN(one);
    RUN(packed);
    RUN(several);
    RUN(documents);
    RUN(bomb);
    RUN(damaged);
    RUN(memory);
    return test_end();
}
