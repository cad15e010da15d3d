/* Reads the parts of a file: first what decides the types of the columns, then the rows. */
#include "fit/part_read.h"

#include <stdio.h>
#include <string.h>

#include "base/poll.h"
#include "common/mem.h"

/* Rows between two looks whether to go on. */
#define ROWS_AT_ONCE 16384

static odim_status check_options(const char *path, const odim_read_options *o, odim_error *err)
{
    if (strcmp(path, "-") == 0)
        return od_fail(err, ODIM_ERR_PARAM, "standard input cannot be divided into parts: give a file");
    if (o->bad_rows != ODIM_BAD_ROWS_STOP)
        return od_fail(err, ODIM_ERR_PARAM, "bad rows end the reading of a part: they cannot be left out");
    if (o->known_rows)
        return od_fail(err, ODIM_ERR_PARAM,
                       "known outliers of parts are given by a column, not by a file of rows");
    return ODIM_OK;
}

/* "part 3: data.csv: row 5 ...", where rows are counted from the beginning of the part. */
static odim_status name_part(odim_status status, int64_t part, odim_error *err)
{
    char text[40];
    snprintf(text, sizeof text, "part %lld", (long long)part + 1);
    return status == ODIM_ERR_DATA && part > 0 ? od_error_prefix(err, status, text) : status;
}

/* ---- the first pass ------------------------------------------------------------------------------------ */

/* The place of a part. Of text only the cuts are known: where the first row begins is guessed, and may be
 * behind the next cut. */
static odim_status find_place(odim_reader *r, int64_t part, int64_t parts, od_scan_part *out, odim_error *err)
{
    if (od_reader_length(r) == 0) return ODIM_OK; /* all rows are in the first part */
    bool text = od_reader_is_text(r);
    out->at = part ? od_reader_cut(r, part, parts) : 0;
    out->end = part + 1 < parts || !text ? od_reader_cut(r, part + 1, parts) : INT64_MAX;
    odim_status status = part && text ? od_reader_guess(r, out->at, &out->at, err) : ODIM_OK;
    if (out->end < out->at) out->end = out->at;
    return status;
}

static od_span span_of(const odim_reader *r, const od_scan_part *place)
{
    od_span span = {.at = place->at, .end = place->end, .line = 1};
    if (od_reader_length(r) == 0) span.end = od_reader_is_text(r) ? INT64_MAX : od_reader_rows(r);
    return span;
}

static odim_status count_text(odim_reader *r, od_scan_part *place, od_type_votes *votes, odim_error *err)
{
    const od_span span = span_of(r, place);
    odim_status status = od_reader_part(r, &span, err);
    for (int64_t rows = 1; !status && rows;) {
        status = od_reader_count_types(r, votes, ROWS_AT_ONCE, &rows, err);
        place->rows += rows;
        if (!status) status = od_poll_check(err);
    }
    if (status || od_reader_length(r) == 0) return status;
    int64_t line;
    od_reader_end(r, &place->end, &line);
    place->lines = line - 1;
    return ODIM_OK;
}

/* Rows and votes of a part. */
static odim_status count(odim_reader *r, int64_t part, int64_t parts, od_scan_part *place,
                         od_type_votes *votes, odim_error *err)
{
    odim_status status = find_place(r, part, parts, place, err);
    if (status || (od_reader_length(r) == 0 ? part > 0 : place->at == place->end)) return status;
    if (od_reader_is_text(r)) return count_text(r, place, votes, err);
    const od_span span = span_of(r, place);
    place->rows = span.end - span.at;
    return ODIM_OK;
}

static odim_status name_columns(odim_scan *s, const odim_table *t, odim_error *err)
{
    od_strlist names = {0};
    odim_status status = ODIM_OK;
    for (int64_t j = 0; !status && j < t->d; j++)
        status = od_strlist_add(&names, t->col[j].name, strlen(t->col[j].name), err);
    if (!status) status = od_scan_columns(s, &names, err);
    od_strlist_free(&names);
    return status;
}

static odim_status scan(odim_scan *s, odim_reader *r, int64_t part, int64_t parts, odim_error *err)
{
    od_scan_part place = {0};
    bool fresh = s->cols == 0;
    odim_status status = name_columns(s, od_reader_table(r), err);
    if (status) return status;
    if (fresh) {
        s->is_file = true;
        s->length = od_reader_length(r);
        s->all = parts;
    }
    if (s->all != parts || s->length != od_reader_length(r))
        return od_fail(err, ODIM_ERR_PARAM, "the parts are of another file, or are %lld", (long long)s->all);
    od_type_votes *votes = od_scan_new_votes(s->cols);
    if (!votes) return od_fail_nomem(err);
    status = count(r, part, parts, &place, votes, err);
    if (!status) return od_scan_add(s, part, &place, votes, err);
    od_scan_free_votes(votes, s->cols);
    return status;
}

odim_status od_part_scan(odim_scan *s, int64_t part, int64_t parts, const char *path,
                         const odim_read_options *o, const od_schema *like, odim_error *err)
{
    odim_reader *r;
    odim_status status = check_options(path, o, err);
    if (status) return status;
    if (part < 0 || part >= parts || parts > OD_SCAN_PARTS)
        return od_fail(err, ODIM_ERR_PARAM, "part %lld of %lld: out of range", (long long)part + 1,
                       (long long)parts);
    status = od_reader_open_parts(&r, path, o, like, err);
    if (status) return status;
    status = name_part(scan(s, r, part, parts, err), part, err);
    odim_reader_free(r);
    return status;
}

/* ---- the rows ------------------------------------------------------------------------------------------ */

static odim_status go_to_part(const odim_scan *s, odim_reader *r, int64_t part, odim_error *err)
{
    const od_scan_part *place = &s->run[0].part[part];
    const od_voted voted = od_scan_voted(s);
    odim_table *t = od_reader_table(r);
    if (!s->is_file || s->length != od_reader_length(r) || (size_t)t->d != voted.names->count)
        return od_fail(err, ODIM_ERR_DATA,
                       "%s: is not the file that was scanned, or is read with other options",
                       od_reader_name(r));
    for (int64_t j = 0; j < t->d; j++)
        if (strcmp(t->col[j].name, od_strlist_at(voted.names, (size_t)j)) != 0)
            return od_fail(err, ODIM_ERR_DATA, "%s: its columns are not those that were scanned",
                           od_reader_name(r));
    int64_t lines;
    od_span span = span_of(r, place);
    od_scan_before(s, part, &span.row, &lines);
    span.line += lines;
    odim_status status = od_reader_decide_types(r, voted.votes, err);
    if (!status && place->rows == 0)
        od_reader_leave_out(r);
    else if (!status)
        status = od_reader_part(r, &span, err);
    return status;
}

odim_status od_part_open(odim_reader **out, const odim_scan *s, int64_t part, const char *path,
                         const odim_read_options *o, const od_schema *like, odim_error *err)
{
    odim_status status = check_options(path, o, err);
    *out = NULL;
    if (!status) status = od_scan_complete(s, err);
    if (!status && (part < 0 || part >= (int64_t)s->run[0].parts))
        status = od_fail(err, ODIM_ERR_PARAM, "part %lld of %zu: out of range", (long long)part + 1,
                         s->run[0].parts);
    if (!status) status = od_reader_open_parts(out, path, o, like, err);
    if (!status) status = go_to_part(s, *out, part, err);
    if (status) {
        odim_reader_free(*out);
        *out = NULL;
    }
    return status;
}
