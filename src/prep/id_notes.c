/*
 * Notes about the names of rows. A column that names the rows is not a feature, so that no score tells that
 * one of its cells is wrong. If nearly all names differ, one that occurs twice is most likely a mistake.
 */
#include "prep/id_notes.h"

#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "prep/pattern.h"

#define LEAST_ROWS 20
#define COPY_SHARE 50 /* one row in so many may repeat a name */
#define COPY_LEAST 1  /* but this many always */

static odim_status add_note(odim_table *t, const char *text, odim_error *err)
{
    return od_strlist_add(&t->notes, text, strlen(text), err);
}

/* Rows whose name an earlier row has; the last such row, and the first with that name. */
typedef struct copies {
    int64_t count, row, of;
} copies;

static odim_status find_copies(const odim_table *t, copies *c, odim_error *err)
{
    od_levels seen = {0};
    odim_status status = ODIM_OK;
    int64_t *first = od_alloc((size_t)t->n, sizeof *first);
    if (!first) return od_fail_nomem(err);
    *c = (copies){0};
    for (int64_t i = 0; !status && i < t->n && !seen.overflow; i++) {
        const char *id = od_strlist_at(&t->ids, (size_t)i);
        int64_t before = od_levels_count(&seen);
        uint32_t code = 0;
        if (!*id) continue; /* missing */
        status = od_levels_code(&seen, id, strlen(id), &code, err);
        if (status || (int64_t)code == before) {
            if (!status) first[before] = i;
            continue;
        }
        if (c->count++ == 0) *c = (copies){1, i, first[code]};
    }
    if (seen.overflow) c->count = 0;
    od_levels_free(&seen);
    od_free(first);
    return status;
}

static odim_status note_copies(odim_table *t, odim_error *err)
{
    copies c;
    char name[64], id[80], more[64] = "", text[400];
    odim_status status = find_copies(t, &c, err);
    int64_t most = t->n / COPY_SHARE > COPY_LEAST ? t->n / COPY_SHARE : COPY_LEAST;
    if (status || !c.count || c.count > most) return status;
    const char *copy = od_strlist_at(&t->ids, (size_t)c.row);
    if (c.count > 1)
        snprintf(more, sizeof more, "; %lld more %s", (long long)c.count - 1,
                 c.count == 2 ? "row repeats a name" : "rows repeat a name");
    snprintf(text, sizeof text,
             "column '%s': '%s' occurs in rows %lld and %lld, and nearly all other values only once%s",
             od_printable(name, sizeof name, t->id_name, strlen(t->id_name)),
             od_printable(id, sizeof id, copy, strlen(copy)), (long long)od_table_row(t, c.of),
             (long long)od_table_row(t, c.row), more);
    return add_note(t, text, err);
}

static odim_status note_patterns(odim_table *t, odim_error *err)
{
    od_strlist patterns = {0};
    int64_t *rows = od_alloc((size_t)t->n, sizeof *rows), odd = 0, row = 0;
    if (!rows) return od_fail_nomem(err);
    for (int64_t i = 0; i < t->n; i++) rows[i] = *od_strlist_at(&t->ids, (size_t)i) != '\0';
    odim_status status = od_patterns_find(&patterns, &t->ids, rows, err);
    for (int64_t i = t->n - 1; !status && patterns.count == 1 && i >= 0; i--) {
        if (!rows[i] || od_patterns_fit(&patterns, od_strlist_at(&t->ids, (size_t)i))) continue;
        odd++;
        row = i;
    }
    if (!status && odd) {
        char name[64], id[80], pattern[OD_PATTERN_ROOM + 16], more[64] = "", text[400];
        const char *first = od_strlist_at(&t->ids, (size_t)row), *usual = od_strlist_at(&patterns, 0);
        if (odd > 1)
            snprintf(more, sizeof more, "; so %s %lld more", odd == 2 ? "is" : "are", (long long)odd - 1);
        snprintf(text, sizeof text,
                 "column '%s': '%s' in row %lld is written unlike the others, which look like %s%s",
                 od_printable(name, sizeof name, t->id_name, strlen(t->id_name)),
                 od_printable(id, sizeof id, first, strlen(first)), (long long)od_table_row(t, row),
                 od_printable(pattern, sizeof pattern, usual, strlen(usual)), more);
        status = add_note(t, text, err);
    }
    od_strlist_free(&patterns);
    od_free(rows);
    return status;
}

odim_status od_id_notes(odim_table *t, odim_error *err)
{
    if (!t->id_name || t->n < LEAST_ROWS || (int64_t)t->ids.count != t->n || t->n > OD_LEVELS_MOST)
        return ODIM_OK;
    odim_status status = note_copies(t, err);
    return status ? status : note_patterns(t, err);
}
