/* Reads a CSV file in parts, for several readers that each read only their own. */
#include <string.h>

#include "prep/text_rows.h"

/* Where a record may begin is found by looking at so many lines, and at so many records from each. */
#define TRIED_LINES 64
#define TRIED_ROWS  16

odim_status od_text_rows_part(od_text_rows *r, odim_table *t, const od_span *part, odim_error *err)
{
    t->first = part->row;
    if (r->records || od_source_size(r->src) == 0) return ODIM_OK; /* one part, which begins where we are */
    odim_status status = od_csv_seek(r->csv, part->at ? part->at : r->data_at, part->end, part->row + 1,
                                     part->at ? part->line : r->data_line, err);
    r->pending = true;
    return status ? status : od_text_rows_advance_tolerant(r, &r->why, err);
}

/* Where the next line begins, or the end of the source; `at` is not the beginning. A line after a blank one
 * does not count: blank lines and the record after them are read together, by the reader of the part that the
 * first of them begins in. */
static odim_status find_line(od_text_rows *r, int64_t at, int64_t *start, odim_error *err)
{
    char buf[4096], last = 0;
    size_t got;
    int64_t from = at > (int64_t)sizeof buf ? at - (int64_t)sizeof buf : 0;
    bool blank = false;
    odim_status status = od_source_seek(r->src, (size_t)from, err);
    for (*start = from; !status; *start += (int64_t)got) {
        status = od_source_read(r->src, buf, sizeof buf, &got, err);
        if (status || got == 0) return status;
        for (size_t i = 0; i < got; i++) {
            if (last == '\n' || (last == '\r' && buf[i] != '\n')) {
                if (*start + (int64_t)i >= at && !blank) {
                    *start += (int64_t)i;
                    return ODIM_OK;
                }
                blank = true;
            }
            last = buf[i];
            if (last != ' ' && last != '\t' && last != '\r' && last != '\n') blank = false;
        }
    }
    return status;
}

/* Whether the next few records look like rows. */
static odim_status try_rows(od_text_rows *r, int64_t at, bool *fine, odim_error *err)
{
    odim_error why;
    odim_status status = od_csv_seek(r->csv, at, INT64_MAX, 1, 1, err);
    *fine = true;
    for (int i = 0; !status && *fine && i < TRIED_ROWS; i++) {
        odim_status wrong = od_csv_next(r->csv, &r->next, &why);
        if (!wrong && r->next.count == 0) break;
        *fine = !wrong && r->next.count == (size_t)r->cols.count;
    }
    return status;
}

odim_status od_text_rows_guess(od_text_rows *r, int64_t at, int64_t *start, odim_error *err)
{
    bool fine = false;
    int64_t first = 0, line = at;
    for (int i = 0; !fine && i < TRIED_LINES; i++) {
        odim_status status = find_line(r, line, start, err);
        if (!status) status = try_rows(r, *start, &fine, err);
        if (status) return status;
        if (i == 0) first = *start;
        line = *start + 1;
        if (*start >= (int64_t)od_source_size(r->src)) break;
    }
    if (!fine) *start = first;
    return ODIM_OK;
}
