/* Collects the votes of parts on the types of the columns, and merges them in the order of the rows. */
#include "fit/part_scan.h"

#include <string.h>

#include "common/mem.h"

/* ---- votes and runs ------------------------------------------------------------------------------------ */

od_type_votes *od_scan_new_votes(int64_t cols)
{
    od_type_votes *votes = od_calloc((size_t)cols, sizeof *votes);
    if (votes) od_scan_reset_votes(votes, cols);
    return votes;
}

void od_scan_reset_votes(od_type_votes *votes, int64_t cols)
{
    od_type_votes_clear(votes, cols);
    for (int64_t j = 0; j < cols; j++) votes[j].in_part = true;
}

void od_scan_free_votes(od_type_votes *votes, int64_t cols)
{
    if (votes) od_type_votes_clear(votes, cols);
    od_free(votes);
}

static void free_run(od_scan_run *r, int64_t cols)
{
    od_scan_free_votes(r->votes, cols);
    od_free(r->part);
    *r = (od_scan_run){0};
}

void od_scan_clear(odim_scan *s)
{
    for (size_t i = 0; i < s->runs; i++) free_run(&s->run[i], s->cols);
    od_free(s->run);
    od_strlist_free(&s->names);
    *s = (odim_scan){0};
}

static int64_t end_of(const od_scan_run *r)
{
    return r->first + (int64_t)r->parts;
}

static int64_t rows_of(const od_scan_run *r)
{
    int64_t rows = 0;
    for (size_t i = 0; i < r->parts; i++) rows += r->part[i].rows;
    return rows;
}

odim_status od_scan_columns(odim_scan *s, const od_strlist *names, odim_error *err)
{
    char own[64], other[64];
    odim_status status = ODIM_OK;
    for (size_t j = 0; !status && !s->cols && j < names->count; j++) {
        const char *name = od_strlist_at(names, j);
        status = od_strlist_add(&s->names, name, strlen(name), err);
    }
    if (status) return status;
    if (!s->cols) s->cols = (int64_t)names->count;
    if (names->count != s->names.count)
        return od_fail(err, ODIM_ERR_DATA, "%zu columns, but the parts so far have %zu", names->count,
                       s->names.count);
    for (size_t j = 0; j < names->count; j++) {
        const char *a = od_strlist_at(names, j), *b = od_strlist_at(&s->names, j);
        if (strcmp(a, b) != 0)
            return od_fail_at(err, ODIM_ERR_DATA, 0, (int64_t)j + 1,
                              "column %zu is '%s', but in the parts so far '%s'", j + 1,
                              od_printable(own, sizeof own, a, strlen(a)),
                              od_printable(other, sizeof other, b, strlen(b)));
    }
    return ODIM_OK;
}

/* ---- adding and merging -------------------------------------------------------------------------------- */

/* Adds to run `at` the one after it, whose parts follow. */
static odim_status join(odim_scan *s, size_t at, odim_error *err)
{
    od_scan_run *a = &s->run[at], *b = a + 1;
    if (s->is_file && a->part[a->parts - 1].end != b->part[0].at)
        return od_fail(
            err, ODIM_ERR_DATA,
            "part %lld does not begin where part %lld ends: quoted line ends look like rows there, or "
            "the file has changed; use another number of parts",
            (long long)(b->first + 1), (long long)b->first);
    od_scan_part *grown = od_grow(a->part, a->parts, a->parts + b->parts, sizeof *grown);
    if (!grown) return od_fail_nomem(err);
    a->part = grown;
    memcpy(a->part + a->parts, b->part, b->parts * sizeof *b->part);
    a->parts += b->parts;
    odim_status status = ODIM_OK;
    for (int64_t j = 0; !status && j < s->cols; j++)
        status = od_type_votes_merge(&a->votes[j], &b->votes[j], err);
    free_run(b, s->cols);
    memmove(b, b + 1, (--s->runs - at - 1) * sizeof *b);
    return status;
}

static odim_status check_run(const odim_scan *s, const od_scan_run *r, odim_error *err)
{
    int64_t rows = rows_of(r);
    if (r->first < 0 || r->first > OD_SCAN_PARTS || end_of(r) > (s->all ? s->all : OD_SCAN_PARTS))
        return od_fail(err, ODIM_ERR_PARAM, "part %lld: out of range", (long long)r->first + 1);
    for (size_t i = 0; i < s->runs; i++) rows += rows_of(&s->run[i]);
    return rows > OD_SCAN_ROWS ? od_fail(err, ODIM_ERR_DATA, "there are too many rows") : ODIM_OK;
}

odim_status od_scan_add_run(odim_scan *s, od_scan_run *run, odim_error *err)
{
    size_t at = 0;
    odim_status status = check_run(s, run, err);
    while (at < s->runs && s->run[at].first < run->first) at++;
    if (!status && ((at > 0 && end_of(&s->run[at - 1]) > run->first) ||
                    (at < s->runs && end_of(run) > s->run[at].first)))
        status = od_fail(err, ODIM_ERR_DATA, "parts %lld to %lld: some of them were added before",
                         (long long)run->first + 1, (long long)end_of(run));
    if (!status && s->runs == s->cap) {
        size_t cap = s->cap ? 2 * s->cap : 8;
        od_scan_run *grown = od_grow(s->run, s->runs, cap, sizeof *grown);
        if (!grown)
            status = od_fail_nomem(err);
        else
            s->run = grown, s->cap = cap;
    }
    if (status) {
        free_run(run, s->cols);
        return status;
    }
    memmove(s->run + at + 1, s->run + at, (s->runs++ - at) * sizeof *s->run);
    s->run[at] = *run;
    *run = (od_scan_run){0};
    if (at + 1 < s->runs && end_of(&s->run[at]) == s->run[at + 1].first) status = join(s, at, err);
    if (!status && at > 0 && end_of(&s->run[at - 1]) == s->run[at].first) status = join(s, at - 1, err);
    return status;
}

odim_status od_scan_add(odim_scan *s, int64_t number, const od_scan_part *part, od_type_votes *votes,
                        odim_error *err)
{
    od_scan_run run = {.first = number, .parts = 1, .votes = votes, .part = od_alloc(1, sizeof *run.part)};
    if (!run.part) {
        free_run(&run, s->cols);
        return od_fail_nomem(err);
    }
    run.part[0] = *part;
    return od_scan_add_run(s, &run, err);
}

static odim_status copy_run(od_scan_run *to, const od_scan_run *from, int64_t cols, odim_error *err)
{
    *to = (od_scan_run){.first = from->first,
                        .parts = from->parts,
                        .part = od_alloc(from->parts, sizeof *to->part),
                        .votes = od_calloc((size_t)cols, sizeof *to->votes)};
    odim_status status = to->part && to->votes ? ODIM_OK : od_fail_nomem(err);
    if (!status) memcpy(to->part, from->part, from->parts * sizeof *to->part);
    for (int64_t j = 0; !status && j < cols; j++)
        status = od_type_votes_copy(&to->votes[j], &from->votes[j], err);
    if (status) free_run(to, cols);
    return status;
}

odim_status od_scan_merge(odim_scan *s, const odim_scan *other, odim_error *err)
{
    if (!other->cols) return ODIM_OK;
    if (!s->cols) {
        s->is_file = other->is_file;
        s->length = other->length;
        s->all = other->all;
    }
    odim_status status = od_scan_columns(s, &other->names, err);
    if (status) return status;
    if (s->all != other->all)
        return od_fail(err, ODIM_ERR_PARAM, "one is of %lld parts, the other of %lld", (long long)s->all,
                       (long long)other->all);
    if (s->is_file != other->is_file || s->length != other->length)
        return od_fail(err, ODIM_ERR_DATA, "the parts are of different files, or the file has changed");
    for (size_t i = 0; !status && i < other->runs; i++) {
        od_scan_run copy;
        status = copy_run(&copy, &other->run[i], s->cols, err);
        if (!status) status = od_scan_add_run(s, &copy, err);
    }
    return status;
}

/* ---- the end ------------------------------------------------------------------------------------------- */

odim_status od_scan_complete(const odim_scan *s, odim_error *err)
{
    int64_t missing = -1;
    if (!s->runs) return od_fail(err, ODIM_ERR_DATA, "no part was scanned");
    if (s->run[0].first > 0)
        missing = 0;
    else if (s->runs > 1 || (s->all && end_of(&s->run[0]) < s->all))
        missing = end_of(&s->run[0]);
    if (missing >= 0)
        return od_fail(err, ODIM_ERR_DATA, "part %lld is missing: its scan was not merged",
                       (long long)missing + 1);
    return ODIM_OK;
}

od_voted od_scan_voted(const odim_scan *s)
{
    return (od_voted){.votes = s->run[0].votes, .names = &s->names};
}

void od_scan_before(const odim_scan *s, int64_t part, int64_t *rows, int64_t *lines)
{
    *rows = *lines = 0;
    for (int64_t i = 0; i < part; i++) {
        *rows += s->run[0].part[i].rows;
        *lines += s->run[0].part[i].lines;
    }
}
