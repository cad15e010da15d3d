/*
 * The first pass over the input. It finds the rows of each chunk and the types of the columns.
 *
 * A text file cannot be cut at any byte: a line end may be inside quotes, which only shows once everything
 * before it has been read. So each rank guesses where its first row begins, by trying whether what follows
 * looks like rows, and reads on from there. Afterwards each rank knows where its last row ends, and therefore
 * where the next rank should have begun. A rank that guessed wrong starts again. The first rank is always
 * right, so in the end all are; in nearly all cases the first guess is correct.
 */
#include <string.h>

#include "common/mem.h"
#include "job.h"

/* Rows between two checks of whether another rank has failed. */
#define ROWS_AT_ONCE 16384

/* ---- the chunks of this rank -------------------------------------------------------------------------- */

/* The result of one rank. */
typedef struct findings {
    int64_t from;      /* the byte where its first chunk begins, as assumed */
    int64_t row, line; /* rows before that in the file, and the number of the line, as far as known */
    odim_status status;
    odim_error err;
    od_type_votes *head, *rest; /* (cols) of the file whose middle its chunks begin in, and of the others */
} findings;

static bool begins_file(const job_context *job, int64_t chunk)
{
    return chunk == job->file[job->chunk[chunk].file].first;
}

static bool ends_file(const job_context *job, int64_t chunk)
{
    return chunk + 1 == job->chunks || begins_file(job, chunk + 1);
}

/* Reads one chunk of text, which begins at part.at. */
static odim_status scan_chunk(job_context *job, int64_t number, od_type_votes *votes, int64_t *done,
                              odim_error *err)
{
    job_chunk *c = &job->chunk[number];
    int64_t rows = 1, line;
    c->rows = 0;
    c->part.end = ends_file(job, number) ? INT64_MAX : c[1].cut;
    odim_status status = job_partition_open(job, c, err);
    while (!status && rows) {
        if (job_comm_stopped()) return od_fail(err, ODIM_ERR_CANCELLED, "stopped");
        status = od_reader_count_types(job->reader, votes, ROWS_AT_ONCE, &rows, err);
        c->rows += rows;
        job_comm_done(*done += rows);
    }
    if (status) return status;
    od_reader_end(job->reader, &c->part.end, &line);
    c->lines = line - c->part.line;
    return ODIM_OK;
}

/* Reads all chunks of this rank. The first begins at l->from, which is guessed if `guess`. */
static odim_status scan_all(job_context *job, findings *l, bool guess, odim_error *err)
{
    int64_t first = job->start[job_comm_rank], last = job->start[job_comm_rank + 1], done = 0;
    odim_status status = ODIM_OK;
    od_scan_reset_votes(l->head, job->cols);
    od_scan_reset_votes(l->rest, job->cols);
    od_type_votes *votes = od_scan_new_votes(job->cols);
    if (!votes) return od_fail_nomem(err);
    for (int64_t i = first; !status && i < last; i++) {
        job_chunk *c = &job->chunk[i];
        bool in_head = c->file == job->chunk[first].file && !begins_file(job, first);
        if (!job->file[c->file].text) {
            c->rows = c->part.end - c->part.at;
            continue;
        }
        if (begins_file(job, i)) {
            c->part.at = c->part.row = 0;
            c->part.line = 1;
        } else if (i == first) {
            status = job_partition_open_file(job, c->file, err);
            if (!status && guess) status = od_reader_guess(job->reader, c->cut, &l->from, err);
            c->part.at = l->from;
            c->part.row = l->row;
            c->part.line = l->line;
        } else {
            c->part.at = c[-1].part.end;
            c->part.row = c[-1].part.row + c[-1].rows;
            c->part.line = c[-1].part.line + c[-1].lines;
        }
        if (!status) status = scan_chunk(job, i, in_head ? l->head : votes, &done, err);
        if (status || in_head || !(i + 1 == last || ends_file(job, i))) continue;
        for (int64_t j = 0; !status && j < job->cols; j++)
            status = od_type_votes_merge(&l->rest[j], &votes[j], err);
        od_scan_reset_votes(votes, job->cols);
    }
    od_scan_free_votes(votes, job->cols);
    return status;
}

/* ---- comparing the findings ------------------------------------------------------------------------- */

static void put_findings(od_byte_writer *out, const job_context *job, const findings *l)
{
    int64_t first = job->start[job_comm_rank], last = job->start[job_comm_rank + 1];
    od_bytes_put_u64(out, (uint64_t)l->status);
    for (int64_t i = first; i < last; i++) od_bytes_put(out, &job->chunk[i], sizeof job->chunk[i]);
}

/* Rank 0: the chunks of all ranks. */
static void get_findings(od_byte_reader *all, job_context *job, odim_status *status)
{
    for (int r = 0; r < job_comm_size; r++) {
        od_byte_reader in = all[r];
        status[r] = (odim_status)od_bytes_get_u64(&in);
        size_t size = (size_t)(job->start[r + 1] - job->start[r]) * sizeof *job->chunk;
        if (size) memcpy(&job->chunk[job->start[r]], od_bytes_take(&in, size), size);
    }
}

/* What a rank has to do next. */
typedef struct order {
    int64_t again;           /* start again */
    int64_t from, row, line; /* where, and the rows and lines before that in the file */
    int64_t final;           /* all ranks before it are right, so an error is real */
} order;

/*
 * Rank 0: decides which ranks must start again, and returns false if none must. An error counts only for the
 * first rank that met one, and only if all ranks before it are right. That rank then reads again with the
 * right numbers of rows and lines, for its message.
 */
static bool give_orders(const job_context *job, const odim_status *status, order *orders)
{
    bool sure = true, any = false;
    int64_t row = 0, line = 1;
    for (int r = 0; r < job_comm_size; r++) orders[r] = (order){0};
    for (int r = 0, before = -1; r < job_comm_size; r++) {
        int64_t first = job->start[r], last = job->start[r + 1];
        if (first == last) continue;
        const job_chunk *c = &job->chunk[first];
        bool inside = job->file[c->file].text && !begins_file(job, first);
        bool fits = !inside || (!status[before] && c[-1].part.end == c->part.at);
        if (sure && fits && status[r]) {
            orders[r] = (order){.again = 1, .from = c->part.at, .row = row, .line = line, .final = 1};
            return true;
        }
        if (!fits && !status[before]) orders[r] = (order){.again = 1, .from = c[-1].part.end, .line = 1};
        any = any || !fits;
        sure = sure && fits && !status[r];
        /* Rows and lines before the next rank, in the file of its first chunk. */
        for (int64_t i = first; sure && i < last; i++) {
            row = ends_file(job, i) ? 0 : row + job->chunk[i].rows;
            line = ends_file(job, i) ? 1 : line + job->chunk[i].lines;
        }
        before = r;
    }
    return any;
}

/* One round: all ranks send their findings and receive orders. *more: there is another round. */
static odim_status compare(job_context *job, const findings *l, order *mine, bool *more, odim_error *err)
{
    od_byte_writer out = {0}, reply = {0};
    od_byte_reader *all = od_calloc((size_t)job_comm_size, sizeof *all);
    odim_status *each = od_calloc((size_t)job_comm_size, sizeof *each);
    order *orders = od_calloc((size_t)job_comm_size, sizeof *orders);
    odim_status status = job_comm_agree(all && each && orders ? ODIM_OK : od_fail_nomem(err), err);
    if (!status) {
        put_findings(&out, job, l);
        status = job_comm_gather(&out, all, err);
    }
    if (!status && job_comm_rank == 0) {
        get_findings(all, job, each);
        od_bytes_put_u8(&reply, give_orders(job, each, orders));
        od_bytes_put(&reply, orders, (size_t)job_comm_size * sizeof *orders);
    }
    void *bytes = reply.bytes;
    size_t size = reply.size;
    if (!status) status = job_comm_broadcast(&bytes, &size, err);
    if (!status) {
        const unsigned char *b = bytes;
        *more = b[0] != 0;
        memcpy(mine, b + 1 + (size_t)job_comm_rank * sizeof *mine, sizeof *mine);
    }
    if (all && job_comm_rank == 0) job_comm_drop(all);
    od_free(bytes);
    od_free(out.bytes);
    od_free(all);
    od_free(each);
    od_free(orders);
    return status;
}

/* Numbers the rows and lines of all chunks. */
static void number_rows(job_context *job)
{
    for (int64_t i = 0; job_comm_rank == 0 && i < job->chunks; i++) {
        job_chunk *c = &job->chunk[i];
        c->first = i ? c[-1].first + c[-1].rows : 0;
        if (begins_file(job, i)) continue;
        c->part.row = c[-1].part.row + c[-1].rows;
        c->part.line = c[-1].part.line + c[-1].lines;
    }
    job_comm_share(job->chunk, (size_t)job->chunks * sizeof *job->chunk);
    const job_chunk *last = &job->chunk[job->chunks - 1];
    job->rows = last->first + last->rows;
}

/* ---- the types ------------------------------------------------------------------------------------ */

/* Decides the types from the votes of all rows. Rank 0 prints the notes. */
static odim_status decide_types(job_context *job, odim_error *err)
{
    job->cols = 0; /* ids stop being features, texts become several */
    job_partition_close(job);
    odim_status status = job_partition_open_file(job, 0, err);
    if (status) return status;
    const odim_table *t = od_reader_table(job->reader);
    job->cols = t->d;
    for (int i = job->notes; job_comm_rank == 0 && odim_table_note(t, i); i++)
        cli_run_note(job->work, odim_table_note(t, i));
    return ODIM_OK;
}

/* The scan of this rank, which is one part. It takes the votes. */
static odim_status make_scan(job_context *job, findings *l, odim_scan *mine, odim_error *err)
{
    od_strlist names = {0};
    od_scan_part part = {0};
    odim_status status = job_partition_open_file(job, 0, err);
    for (int64_t j = 0; !status && j < job->cols; j++) {
        const char *name = od_reader_table(job->reader)->col[j].name;
        status = od_strlist_add(&names, name, strlen(name), err);
    }
    if (!status) status = od_scan_columns(mine, &names, err);
    for (int64_t j = 0; !status && j < job->cols; j++)
        status = od_type_votes_merge(&l->head[j], &l->rest[j], err);
    for (int64_t i = job->start[job_comm_rank]; i < job->start[job_comm_rank + 1]; i++)
        part.rows += job->chunk[i].rows;
    if (!status) {
        status = od_scan_add(mine, job_comm_rank, &part, l->head, err);
        l->head = NULL;
    }
    od_strlist_free(&names);
    job_partition_close(job);
    return status;
}

/* Rank 0: merges the scans of all ranks, and writes them as one. */
static odim_status merge_scans(const od_byte_reader *all, od_byte_writer *out, odim_error *err)
{
    odim_scan sum = {0};
    odim_status status = ODIM_OK;
    for (int r = 0; !status && r < job_comm_size; r++) {
        odim_scan one;
        status = od_scan_read(&one, all[r].at, all[r].left, err);
        if (status) break;
        status = od_scan_merge(&sum, &one, err);
        od_scan_clear(&one);
    }
    if (!status) od_scan_write(out, &sum);
    od_scan_clear(&sum);
    return !status && out->nomem ? od_fail_nomem(err) : status;
}

/* The votes of all ranks together decide the types of the columns. Every rank opens files by itself, and
 * decides from the same votes. */
static odim_status find_types(job_context *job, findings *l, odim_error *err)
{
    od_byte_writer out = {0}, sum = {0};
    odim_scan mine = {0};
    od_byte_reader *all = od_calloc((size_t)job_comm_size, sizeof *all);
    odim_status status = all ? make_scan(job, l, &mine, err) : od_fail_nomem(err);
    if (!status) od_scan_write(&out, &mine);
    od_scan_clear(&mine);
    status = job_comm_agree(status, err);
    if (!status) status = job_comm_gather(&out, all, err);
    if (!status && job_comm_rank == 0) status = merge_scans(all, &sum, err);
    void *bytes = sum.bytes;
    size_t size = sum.size;
    status = job_comm_agree(status, err);
    if (!status) status = job_comm_broadcast(&bytes, &size, err);
    if (!status) status = job_comm_agree(od_scan_read(&job->scan, bytes, size, err), err);
    if (!status) status = job_comm_agree(decide_types(job, err), err);
    if (all && job_comm_rank == 0) job_comm_drop(all);
    od_free(all);
    od_free(out.bytes);
    od_free(bytes);
    job_partition_close(job);
    return status;
}

odim_status job_scan(job_context *job, odim_error *err)
{
    findings l = {.line = 1};
    order o = {.again = 1};
    bool more = true;
    int64_t cols = job->cols; /* of which the types are found */
    job_comm_stage(JOB_STAGE_SCAN, 0);
    l.head = od_scan_new_votes(cols);
    l.rest = od_scan_new_votes(cols);
    odim_status status = job_comm_agree(l.head && l.rest ? ODIM_OK : od_fail_nomem(err), err);
    for (bool guess = true; !status && more; guess = false) {
        if (o.again) {
            if (!guess) l.from = o.from, l.row = o.row, l.line = o.line;
            l.status = scan_all(job, &l, guess, &l.err);
            job_partition_close(job);
        }
        /* Either the error is known to be real, or it does not depend on where the rows begin. */
        bool final = o.final || l.status == ODIM_ERR_IO || l.status == ODIM_ERR_NOMEM ||
                     l.status == ODIM_ERR_CANCELLED;
        if (final && l.status) *err = l.err;
        status = job_comm_agree(final ? l.status : ODIM_OK, err);
        if (!status) status = compare(job, &l, &o, &more, err);
    }
    if (!status) number_rows(job);
    if (!status) status = find_types(job, &l, err);
    od_scan_free_votes(l.head, cols);
    od_scan_free_votes(l.rest, cols);
    return status;
}
