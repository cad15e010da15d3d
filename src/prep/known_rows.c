/* Reads a file of known outliers and inliers, and marks their rows in a table. */
#include "prep/known_rows.h"

#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/numtext.h"
#include "common/read_file.h"
#include "base/hint.h"

#define FINE       "\tfine" /* at the end of the line of an inlier */
#define FINE_LEN   (sizeof FINE - 1)
#define MOST_BYTES ((size_t)1 << 30)
#define MOST_ROW   9007199254740992.0 /* whole numbers are exact in a double up to here */

static int compare(const od_known_row *a, const od_known_row *b)
{
    return a->id ? strcmp(a->id, b->id) : (a->row > b->row) - (a->row < b->row);
}

static int by_key(const void *a, const void *b)
{
    return compare(a, b);
}

static odim_status parse_row(const char *text, size_t len, od_known_row *m, odim_error *err)
{
    double v;
    if (od_num_parse(text, len, &v) == OD_NUM_OK && v >= 1 && v <= MOST_ROW && v == (double)(int64_t)v) {
        m->row = (int64_t)v;
        return ODIM_OK;
    }
    char shown[64];
    return od_fail(err, ODIM_ERR_DATA,
                   "line %lld: '%s' is not the number of a row, which count from 1; ids need an id column%s",
                   (long long)m->line, od_printable(shown, sizeof shown, text, len), OD_HINT("id"));
}

/* Ends lines with '\0'. Empty ones say nothing. */
static odim_status take_lines(od_known_rows *m, char *at, odim_error *err)
{
    int64_t line = 0;
    while (*at) {
        size_t whole = strcspn(at, "\n"), len = whole;
        bool more = at[whole] == '\n';
        if (len && at[len - 1] == '\r') len--;
        bool fine = len >= FINE_LEN && memcmp(at + len - FINE_LEN, FINE, FINE_LEN) == 0;
        if (fine) len -= FINE_LEN;
        at[len] = '\0';
        od_known_row *mark = &m->mark[m->count];
        *mark = (od_known_row){.id = m->by_id ? at : NULL, .line = ++line, .fine = fine};
        odim_status status = len && !m->by_id ? parse_row(at, len, mark, err) : ODIM_OK;
        if (status) return status;
        m->count += len > 0;
        at += whole + more;
    }
    return ODIM_OK;
}

static odim_status parse(od_known_rows *m, size_t size, odim_error *err)
{
    if (memchr(m->text, '\0', size)) return od_fail(err, ODIM_ERR_FORMAT, "not lines of text");
    size_t lines = 1;
    for (size_t i = 0; i < size; i++) lines += m->text[i] == '\n';
    m->mark = od_alloc(lines, sizeof *m->mark);
    if (!m->mark) return od_fail_nomem(err);
    char *start = m->text;
    if (size >= 3 && memcmp(start, "\xEF\xBB\xBF", 3) == 0) start += 3;
    odim_status status = take_lines(m, start, err);
    if (status) return status;
    qsort(m->mark, m->count, sizeof *m->mark, by_key);
    size_t kept = 0;
    for (size_t i = 0; i < m->count; i++)
        if (kept == 0 || compare(&m->mark[kept - 1], &m->mark[i]) != 0) m->mark[kept++] = m->mark[i];
    m->count = kept;
    return ODIM_OK;
}

odim_status od_known_rows_read(od_known_rows *m, const char *path, bool by_id, odim_error *err)
{
    size_t size;
    *m = (od_known_rows){.by_id = by_id};
    const char *what = od_read_file(path, "", MOST_BYTES, &m->text, &size);
    if (what) return od_fail_file(err, path, what);
    od_printable(m->shown, sizeof m->shown, path, strlen(path));
    odim_status status = parse(m, size, err);
    if (!status) return ODIM_OK;
    od_error_prefix(err, status, m->shown);
    od_known_rows_free(m);
    return status;
}

odim_status od_known_rows_apply(od_known_rows *m, odim_table *t, odim_error *err)
{
    od_free(t->known);
    t->known = od_alloc((size_t)t->n, 1);
    if (!t->known) return od_fail_nomem(err);
    for (int64_t i = 0; i < t->n; i++) {
        od_known_row key = {.id = m->by_id ? od_strlist_at(&t->ids, (size_t)i) : NULL,
                            .row = od_table_row(t, i)};
        od_known_row *mark = bsearch(&key, m->mark, m->count, sizeof key, by_key);
        t->known[i] = !mark ? -1 : mark->fine ? 0 : 1;
        if (mark) mark->met = true;
    }
    return ODIM_OK;
}

odim_status od_known_rows_end(const od_known_rows *m, int64_t rows, odim_error *err)
{
    const od_known_row *first = NULL;
    for (size_t i = 0; i < m->count; i++)
        if (!m->mark[i].met && (!first || m->mark[i].line < first->line)) first = &m->mark[i];
    if (!first) return ODIM_OK;
    char shown[64];
    odim_status status =
        first->id ? od_fail(err, ODIM_ERR_DATA, "line %lld: no row has the id '%s'", (long long)first->line,
                            od_printable(shown, sizeof shown, first->id, strlen(first->id)))
                  : od_fail(err, ODIM_ERR_DATA, "line %lld: there is no row %lld; there are %lld",
                            (long long)first->line, (long long)first->row, (long long)rows);
    return od_error_prefix(err, status, m->shown);
}

void od_known_rows_free(od_known_rows *m)
{
    od_free(m->text);
    od_free(m->mark);
    *m = (od_known_rows){0};
}
