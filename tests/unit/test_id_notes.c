/* Notes about the names of rows. */
#include "prep/id_notes.h"

#include <stdio.h>
#include <string.h>

#include "starve.h"
#include "test.h"

static odim_error err;
static odim_table *t;

/* A table whose rows have names only. */
static void begin(void)
{
    t = od_table_new();
    t->id_name = od_alloc(1, 3);
    strcpy(t->id_name, "id");
}

static void add(const char *id)
{
    CHECK_INT(od_strlist_add(&t->ids, id, strlen(id), &err), ODIM_OK);
    t->n++;
}

static void add_rows(int n, const char *format)
{
    for (int i = 0; i < n; i++) {
        char id[32];
        snprintf(id, sizeof id, format, i);
        add(id);
    }
}

/* The notes, one per line. */
static const char *notes(void)
{
    static char all[1000];
    *all = '\0';
    CHECK_INT(od_id_notes(t, &err), ODIM_OK);
    for (size_t i = 0; i < t->notes.count; i++) {
        strcat(all, od_strlist_at(&t->notes, i));
        strcat(all, "\n");
    }
    odim_table_free(t);
    return all;
}

TEST(fine)
{
    begin();
    CHECK_STR(notes(), "");
    begin();
    add_rows(100, "K%03d");
    CHECK_STR(notes(), "");
    begin();
    add_rows(19, "K%02d"); /* too few to know */
    add("K00");
    t->n--;
    t->ids.count--;
    CHECK_STR(notes(), "");
}

TEST(twice)
{
    begin();
    add_rows(50, "K%02d");
    add("K07");
    CHECK_STR(notes(), "column 'id': 'K07' occurs in rows 8 and 51, and nearly all other values only once\n");
    begin();
    add_rows(200, "K%03d");
    add("K007");
    add("K007");
    add("");
    add("");
    CHECK_STR(notes(),
              "column 'id': 'K007' occurs in rows 8 and 201, and nearly all other values only once; 1 more "
              "row repeats a name\n");
    begin();
    add_rows(50, "K%02d"); /* names that repeat as a rule */
    add_rows(50, "K%02d");
    CHECK_STR(notes(), "");
}

TEST(unlike_the_others)
{
    begin();
    add_rows(60, "0%03d-5");
    add("12");
    CHECK_STR(notes(), "column 'id': '12' in row 61 is written unlike the others, which look like 9999-9\n");
    begin();
    add_rows(99, "K%03d");
    add("k100");
    add("100");
    CHECK_STR(notes(),
              "column 'id': 'k100' in row 100 is written unlike the others, which look like A999; so is "
              "1 more\n");
}

TEST(allocations)
{
    odim_status status;
    begin();
    add_rows(60, "K%02d");
    add("K07");
    add("100");
    EACH_ALLOCATION_FAILS(status, 4)
    {
        od_strlist_free(&t->notes);
        status = od_id_notes(t, &err);
    }
    odim_table_free(t);
}

int main(void)
{
    RUN(fine);
    RUN(twice);
    RUN(unlike_the_others);
    RUN(allocations);
    return test_end();
}
