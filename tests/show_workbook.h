/* The records of a workbook as one text, for the tests of their readers. */
#ifndef SHOW_WORKBOOK_H
#define SHOW_WORKBOOK_H

#include "bytes.h"
#include "io/xlsx.h"
#include "test.h"

static odim_error err;

/* "a,b\n1@2: 5,x\n" for row 1 in row 2 of the sheet, then the notes; or the error. */
static char shown[1 << 18];

static inline void show_text(const char *fmt, const char *text, size_t len)
{
    size_t at = strlen(shown);
    REQUIRE(at + len + 10 < sizeof shown);
    snprintf(shown + at, sizeof shown - at, fmt, (int)len, text);
}

static inline odim_status show_records(od_records *r)
{
    od_record rec;
    odim_status status;
    while (!(status = r->next(r, &rec, &err)) && rec.count) {
        char place[40];
        snprintf(place, sizeof place, "%lld@%lld: ", (long long)rec.row, (long long)rec.line);
        show_text("%.*s", place, strlen(place));
        for (size_t j = 0; j < rec.count; j++)
            show_text(j ? ",%.*s" : "%.*s", rec.fields[j].text, rec.fields[j].len);
        show_text("%.*s", "\n", 1);
        CHECK(rec.sheet && rec.count == r->names.count);
    }
    return status;
}

static inline const char *show_bytes(bytes b, const odim_read_options *o)
{
    static char first[sizeof shown];
    od_records *r;
    od_strlist notes = {0};
    *shown = '\0';
    odim_status status = od_xlsx_open(&r, b.p, b.len, o, &notes, &err);
    CHECK(!status == !!r);
    for (size_t i = 0; !status && i < r->names.count; i++) {
        const char *name = od_strlist_at(&r->names, i);
        show_text(i ? ",%.*s" : "%.*s", name, strlen(name));
    }
    if (!status) show_text("%.*s", "\n", 1);
    size_t at = strlen(shown);
    if (!status) status = show_records(r);
    if (!status) { /* again, from the first row */
        strcpy(first, shown);
        od_record rec;
        CHECK(!r->next(r, &rec, &err) && rec.count == 0);
        CHECK(!r->rewind(r, &err));
        shown[at] = '\0';
        CHECK(!show_records(r));
        CHECK_STR(shown, first);
    }
    for (size_t i = 0; i < notes.count; i++) {
        show_text("note: %.*s\n", od_strlist_at(&notes, i), strlen(od_strlist_at(&notes, i)));
    }
    od_records_close(r);
    od_strlist_free(&notes);
    return status ? err.msg : shown;
}

#endif
