/*
 * Cutting the input. A text file cannot be cut at any byte: a line end may be one between quotes, and whether
 * it is only who has read everything before knows. So each rank guesses where the first record of its lots
 * begins, by trying whether what follows looks like rows, and reads on from there. Then each has found where
 * its last record ends, and with that where the first one of the next rank begins: who guessed wrong begins
 * again. The first rank is right, so they all are in the end, and nearly always at once.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/mem.h"
#include "job.h"
#include "model/model.h"
#include "log.h"

/* At most so many lots, of at least so many bytes; small files get some all the same. */
#define MOST_LOTS   16384
#define LEAST_BYTES ((int64_t)1 << 20)
#define SMALL_LOTS  64
#define SMALL_BYTES 4096
/* Rows between two looks at whether others have failed. */
#define ROWS_AT_ONCE 16384

/* ---- files ---------------------------------------------------------------------------------------- */

/* Of the size and some pages of a file: enough to see that it is another. */
static odim_status look(const char *path, job_file *f, odim_error *err)
{
    enum { PAGES = 8, PAGE = 4096 };
    char page[PAGE];
    struct stat info;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &info)) {
        odim_status status = od_fail(err, ODIM_ERR_IO, "%s: cannot open: %s", path, strerror(errno));
        if (fd >= 0) close(fd);
        return status;
    }
    f->size = (int64_t)info.st_size;
    od_byte_writer hasher = od_bytes_hasher();
    for (int i = 0; S_ISREG(info.st_mode) && i < PAGES; i++) {
        ssize_t got = pread(fd, page, PAGE, (off_t)(f->size / PAGES * i));
        if (got > 0) od_bytes_put(&hasher, page, (size_t)got);
    }
    f->hash = hasher.hash;
    close(fd);
    if (S_ISREG(info.st_mode)) return ODIM_OK;
    return od_fail(err, ODIM_ERR_IO, "%s: not a file that several can read", path);
}

/* All files have the columns of the first. */
static odim_status check_columns(const odim_table *first, const odim_table *t, const job_file *a,
                                 const job_file *b, odim_error *err)
{
    if (first->d != t->d)
        return od_fail(err, ODIM_ERR_DATA, "%s: %lld feature columns, but %s has %lld", b->path,
                       (long long)t->d, a->path, (long long)first->d);
    for (int64_t j = 0; j < t->d; j++) {
        if (strcmp(first->col[j].name, t->col[j].name) == 0) continue;
        char own[64], other[64];
        return od_fail(err, ODIM_ERR_DATA, "%s: column %lld is '%s', but in %s it is '%s'", b->path,
                       (long long)(j + 1), od_table_show(t, j, own, sizeof own), a->path,
                       od_table_show(first, j, other, sizeof other));
    }
    return ODIM_OK;
}

static const od_schema *schema_of(const job_context *job)
{
    return job->model ? &job->model->schema : NULL;
}

/* What is to be said about a file and was not said about the first. */
static void tell_what_is_new(job_context *job, const job_file *f, const odim_table *t,
                             const odim_table *first)
{
    for (int i = 0; odim_table_note(t, i); i++) {
        char text[512];
        bool known = false;
        for (int k = 0; odim_table_note(first, k); k++)
            known |= strcmp(odim_table_note(t, i), odim_table_note(first, k)) == 0;
        snprintf(text, sizeof text, "%s: %s", f->path, odim_table_note(t, i));
        if (!known) cli_run_note(job->work, text);
    }
}

static odim_status look_at_files(job_context *job, odim_error *err)
{
    odim_reader *first = NULL;
    odim_status status = ODIM_OK;
    for (int64_t i = 0; !status && i < job->files; i++) {
        job_file *f = &job->file[i];
        odim_reader *r = NULL;
        status = look(f->path, f, err);
        if (!status) status = od_reader_open_parts(&r, f->path, &job->reading, schema_of(job), err);
        if (!status && first)
            status = check_columns(od_reader_table(first), od_reader_table(r), &job->file[0], f, err);
        if (!status) {
            f->text = od_reader_is_text(r);
            f->length = od_reader_length(r);
            if (!f->text && !f->length) f->length = -od_reader_rows(r); /* rows, in one piece */
        }
        if (!status && first) tell_what_is_new(job, f, od_reader_table(r), od_reader_table(first));
        if (!first)
            first = r;
        else
            odim_reader_free(r);
    }
    if (!status) {
        job->cols = od_reader_table(first)->d;
        job->known = job->reading.known != NULL;
        cli_run_notes(job->work, od_reader_table(first));
    }
    odim_reader_free(first);
    return status;
}

/* ---- the plan ------------------------------------------------------------------------------------- */

static int64_t lot_bytes(int64_t total)
{
    int64_t few = total / SMALL_LOTS, least = few < SMALL_BYTES ? SMALL_BYTES : few;
    if (least > LEAST_BYTES) least = LEAST_BYTES;
    return total / MOST_LOTS > least ? total / MOST_LOTS : least;
}

static int64_t pieces_of(const job_file *f, int64_t bytes)
{
    int64_t n = f->length > 0 ? (f->size + bytes - 1) / bytes : 1;
    if (!f->text && f->length > 0 && n > f->length) n = f->length;
    return n > 0 ? n : 1;
}

static odim_status cut(job_context *job, odim_error *err)
{
    int64_t total = 0, bytes;
    for (int64_t i = 0; i < job->files; i++) total += job->file[i].size;
    bytes = lot_bytes(total);
    for (int64_t i = 0; i < job->files; i++) {
        job->file[i].first = job->partition;
        job->partition += pieces_of(&job->file[i], bytes);
    }
    job->lot = od_calloc((size_t)job->partition, sizeof *job->lot);
    if (!job->lot) return od_fail_nomem(err);
    for (int64_t i = 0; i < job->files; i++) {
        const job_file *f = &job->file[i];
        int64_t n = pieces_of(f, bytes), length = f->length < 0 ? -f->length : f->length;
        for (int64_t k = 0; k < n; k++) {
            job_share *c = &job->lot[f->first + k];
            *c = (job_share){.file = i, .cut = (int64_t)((double)length / (double)n * (double)k)};
            if (f->text) continue;
            c->part.at = c->part.row = c->cut;
            if (k) c[-1].part.end = c->cut;
            c->part.end = length;
        }
    }
    return ODIM_OK;
}

/* The lots of each rank: as equal as whole lots can be. */
static void deal(job_context *job)
{
    for (int r = 0; r <= job_comm_size; r++) job->start[r] = job->partition * r / job_comm_size;
}

static void put_plan(od_byte_writer *out, const job_context *job)
{
    od_bytes_put_u64(out, (uint64_t)job->cols);
    od_bytes_put_u64(out, (uint64_t)job->partition);
    for (int64_t i = 0; i < job->files; i++) od_bytes_put(out, &job->file[i], sizeof job->file[i]);
    od_bytes_put(out, job->lot, (size_t)job->partition * sizeof *job->lot);
}

static odim_status get_plan(od_byte_reader in, job_context *job, odim_error *err)
{
    job->cols = od_bytes_get_i64(&in);
    job->partition = od_bytes_get_i64(&in);
    for (int64_t i = 0; i < job->files; i++) {
        const char *path = job->file[i].path;
        memcpy(&job->file[i], od_bytes_take(&in, sizeof job->file[i]), sizeof job->file[i]);
        job->file[i].path = path;
    }
    job->known = job->reading.known != NULL;
    job->lot = od_alloc((size_t)job->partition, sizeof *job->lot);
    if (!job->lot) return od_fail_nomem(err);
    memcpy(job->lot, in.at, (size_t)job->partition * sizeof *job->lot);
    return ODIM_OK;
}

odim_status job_partition_plan(job_context *job, odim_error *err)
{
    od_byte_writer out = {0};
    odim_status status = ODIM_OK;
    job->open = -1;
    job->start = od_alloc((size_t)job_comm_size + 1, sizeof *job->start);
    if (!job->start) status = od_fail_nomem(err);
    if (!status && job_comm_rank == 0) {
        status = look_at_files(job, err);
        if (!status) status = cut(job, err);
        if (!status) put_plan(&out, job);
    }
    status = job_comm_agree(status, err);
    void *bytes = out.bytes;
    size_t size = out.size;
    if (!status) status = job_comm_broadcast(&bytes, &size, err);
    if (!status && job_comm_rank) status = get_plan((od_byte_reader){.at = bytes, .left = size}, job, err);
    od_free(bytes);
    status = job_comm_agree(status, err);
    if (!status) deal(job);
    return status;
}

/* ---- reading a lot ------------------------------------------------------------------------------ */

static odim_status fail_other(const job_file *f, odim_error *err)
{
    return od_fail(err, ODIM_ERR_IO, "%s: is not the file that rank 0 has under this name", f->path);
}

/* The file as rank 0 has seen it. */
static odim_status open_file(job_context *job, int64_t file, odim_error *err)
{
    const job_file *f = &job->file[file];
    job_file seen = {0};
    if (job->open == file && f->length != 0) return ODIM_OK;
    job_partition_close(job);
    odim_status status = look(f->path, &seen, err);
    if (!status && (seen.size != f->size || seen.hash != f->hash)) status = fail_other(f, err);
    if (!status) status = od_reader_open_parts(&job->reader, f->path, &job->reading, schema_of(job), err);
    if (status) return status;
    job->open = file;
    odim_table *t = od_reader_table(job->reader);
    if (job->cols && t->d != job->cols) return fail_other(f, err);
    for (int64_t j = 0; job->type && j < t->d; j++) t->col[j].type = (odim_type)job->type[j];
    return ODIM_OK;
}

void job_partition_close(job_context *job)
{
    odim_reader_free(job->reader);
    job->reader = NULL;
    job->open = -1;
}

odim_status job_partition_open(job_context *job, const job_share *lot, odim_error *err)
{
    odim_status status = open_file(job, lot->file, err);
    return status ? status : od_reader_part(job->reader, &lot->part, err);
}

/* ---- laying out ----------------------------------------------------------------------------------- */

/* What a rank has found: of its lots, and of the cells in them. */
typedef struct laid {
    int64_t from;      /* where its first lot was taken to begin: bytes */
    int64_t row, line; /* rows before it in its file and the number of its line, as far as they are known */
    odim_status status;
    odim_error err;
    od_type_votes *head, *rest; /* (cols) of the file in whose middle its lots begin, of the others */
} laid;

static bool begins_file(const job_context *job, int64_t lot)
{
    return lot == job->file[job->lot[lot].file].first;
}

static bool ends_file(const job_context *job, int64_t lot)
{
    return lot + 1 == job->partition || begins_file(job, lot + 1);
}

/* One lot of text, which begins at part.at. */
static odim_status lay_lot(job_context *job, int64_t number, od_type_votes *votes, int64_t *done,
                           odim_error *err)
{
    job_share *c = &job->lot[number];
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

/* All lots of this rank, the first of which begins at l->from, or wherever that may be. */
static odim_status lay_all(job_context *job, laid *l, bool guess, odim_error *err)
{
    int64_t first = job->start[job_comm_rank], last = job->start[job_comm_rank + 1], done = 0;
    odim_status status = ODIM_OK;
    memset(l->head, 0, (size_t)job->cols * sizeof *l->head);
    memset(l->rest, 0, (size_t)job->cols * sizeof *l->rest);
    od_type_votes *votes = od_calloc((size_t)job->cols, sizeof *votes);
    if (!votes) return od_fail_nomem(err);
    for (int64_t i = first; !status && i < last; i++) {
        job_share *c = &job->lot[i];
        bool in_head = c->file == job->lot[first].file && !begins_file(job, first);
        if (!job->file[c->file].text) {
            c->rows = c->part.end - c->part.at;
            continue;
        }
        if (begins_file(job, i)) {
            c->part.at = c->part.row = 0;
            c->part.line = 1;
        } else if (i == first) {
            status = open_file(job, c->file, err);
            if (!status && guess) status = od_reader_guess(job->reader, c->cut, &l->from, err);
            c->part.at = l->from;
            c->part.row = l->row;
            c->part.line = l->line;
        } else {
            c->part.at = c[-1].part.end;
            c->part.row = c[-1].part.row + c[-1].rows;
            c->part.line = c[-1].part.line + c[-1].lines;
        }
        if (!status) status = lay_lot(job, i, in_head ? l->head : votes, &done, err);
        if (status || in_head || !(i + 1 == last || ends_file(job, i))) continue;
        for (int64_t j = 0; j < job->cols; j++) od_type_votes_merge(&l->rest[j], &votes[j], c->file, 0, 0);
        memset(votes, 0, (size_t)job->cols * sizeof *votes);
    }
    od_free(votes);
    return status;
}

static void put_laid(od_byte_writer *out, const job_context *job, const laid *l)
{
    int64_t first = job->start[job_comm_rank], last = job->start[job_comm_rank + 1];
    od_bytes_put_u64(out, (uint64_t)l->status);
    for (int64_t i = first; i < last; i++) od_bytes_put(out, &job->lot[i], sizeof job->lot[i]);
}

/* Rank 0: the lots of all ranks. */
static void get_laid(od_byte_reader *all, job_context *job, odim_status *status)
{
    for (int r = 0; r < job_comm_size; r++) {
        od_byte_reader in = all[r];
        status[r] = (odim_status)od_bytes_get_u64(&in);
        size_t size = (size_t)(job->start[r + 1] - job->start[r]) * sizeof *job->lot;
        if (size) memcpy(&job->lot[job->start[r]], od_bytes_take(&in, size), size);
    }
}

/* What a rank is to do next. */
typedef struct order {
    int64_t again;           /* begin again */
    int64_t from, row, line; /* where, and with what before it in the file */
    int64_t final;           /* whatever comes of it then is so: what came before is right */
} order;

/*
 * Rank 0: who has to begin again; false: nobody, all is as it should be. A mistake counts only of the first
 * rank that made one, and only when all before it are right; then it reads once more, with the right numbers
 * of rows and lines for the message.
 */
static bool give_orders(const job_context *job, const odim_status *status, order *orders)
{
    bool sure = true, any = false;
    int64_t row = 0, line = 1;
    for (int r = 0; r < job_comm_size; r++) orders[r] = (order){0};
    for (int r = 0, before = -1; r < job_comm_size; r++) {
        int64_t first = job->start[r], last = job->start[r + 1];
        if (first == last) continue;
        const job_share *c = &job->lot[first];
        bool inside = job->file[c->file].text && !begins_file(job, first);
        bool fits = !inside || (!status[before] && c[-1].part.end == c->part.at);
        if (sure && fits && status[r]) {
            orders[r] = (order){.again = 1, .from = c->part.at, .row = row, .line = line, .final = 1};
            return true;
        }
        if (!fits && !status[before]) orders[r] = (order){.again = 1, .from = c[-1].part.end, .line = 1};
        any = any || !fits;
        sure = sure && fits && !status[r];
        /* Before the next rank, in the file that its first lot is of. */
        for (int64_t i = first; sure && i < last; i++) {
            row = ends_file(job, i) ? 0 : row + job->lot[i].rows;
            line = ends_file(job, i) ? 1 : line + job->lot[i].lines;
        }
        before = r;
    }
    return any;
}

/* One round: all tell what they found, and learn what to do next. *more: there is another round. */
static odim_status compare(job_context *job, const laid *l, order *mine, bool *more, odim_error *err)
{
    od_byte_writer out = {0}, reply = {0};
    od_byte_reader *all = od_calloc((size_t)job_comm_size, sizeof *all);
    odim_status *each = od_calloc((size_t)job_comm_size, sizeof *each);
    order *orders = od_calloc((size_t)job_comm_size, sizeof *orders);
    odim_status status = job_comm_agree(all && each && orders ? ODIM_OK : od_fail_nomem(err), err);
    if (!status) {
        put_laid(&out, job, l);
        status = job_comm_gather(&out, all, err);
    }
    if (!status && job_comm_rank == 0) {
        get_laid(all, job, each);
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

/* Rows, lines and places of all lots, which rank 0 knows. */
static odim_status number(job_context *job, odim_error *err)
{
    for (int64_t i = 0; job_comm_rank == 0 && i < job->partition; i++) {
        job_share *c = &job->lot[i];
        c->first = i ? c[-1].first + c[-1].rows : 0;
        if (begins_file(job, i)) continue;
        c->part.row = c[-1].part.row + c[-1].rows;
        c->part.line = c[-1].part.line + c[-1].lines;
    }
    void *bytes = job->lot;
    size_t size = (size_t)job->partition * sizeof *job->lot;
    odim_status status = job_comm_broadcast(&bytes, &size, err);
    if (status) return status;
    if (job_comm_rank) {
        od_free(job->lot);
        job->lot = bytes;
    }
    const job_share *last = &job->lot[job->partition - 1];
    job->rows = last->first + last->rows;
    return ODIM_OK;
}

/* ---- the types ------------------------------------------------------------------------------------ */

/* Rank 0: a mistake is told of the file that has it. */
static odim_status judge(job_context *job, const od_type_votes *votes, odim_error *err)
{
    int64_t file = 0;
    odim_status status = open_file(job, 0, err);
    if (!status && (status = od_reader_decide_types(job->reader, votes, err))) {
        for (int64_t j = 0; j < job->cols; j++) {
            odim_type type;
            const od_odd_cell *odd = od_type_votes_decide(&votes[j], &type);
            if (!odd) continue;
            file = odd->file;
            break;
        }
        odim_status opened = file ? open_file(job, file, err) : ODIM_OK;
        return opened ? opened : od_reader_decide_types(job->reader, votes, err);
    }
    if (status) return status;
    job->type = od_alloc((size_t)job->cols, 1);
    if (!job->type) return od_fail_nomem(err);
    for (int64_t j = 0; j < job->cols; j++)
        job->type[j] = (signed char)od_reader_table(job->reader)->col[j].type;
    return ODIM_OK;
}

/* The cells of all ranks together say what the columns are. */
static odim_status find_types(job_context *job, laid *l, odim_error *err)
{
    int64_t first = job->start[job_comm_rank];
    od_byte_writer out = {0};
    od_byte_reader *all = od_calloc((size_t)job_comm_size, sizeof *all);
    odim_status status = all ? ODIM_OK : od_fail_nomem(err);
    if (!status && first < job->start[job_comm_rank + 1]) {
        const job_share *c = &job->lot[first];
        for (int64_t j = 0; j < job->cols; j++) {
            od_type_votes sum = {0};
            od_type_votes_merge(&sum, &l->head[j], c->file, c->part.row - l->row, c->part.line - l->line);
            od_type_votes_merge(&sum, &l->rest[j], 0, 0, 0);
            od_bytes_put(&out, &sum, sizeof sum);
        }
    }
    status = job_comm_agree(status, err);
    if (!status) status = job_comm_gather(&out, all, err);
    if (!status && job_comm_rank == 0) {
        memset(l->rest, 0, (size_t)job->cols * sizeof *l->rest);
        for (int r = 0; r < job_comm_size; r++) {
            od_byte_reader in = all[r];
            for (int64_t j = 0; in.left && j < job->cols; j++) {
                od_type_votes one;
                memcpy(&one, od_bytes_take(&in, sizeof one), sizeof one);
                od_type_votes_merge(&l->rest[j], &one, 0, 0, 0);
            }
        }
        status = judge(job, l->rest, err);
    }
    status = job_comm_agree(status, err);
    void *bytes = job->type;
    size_t size = (size_t)job->cols;
    if (!status) status = job_comm_broadcast(&bytes, &size, err);
    if (!status) job->type = bytes;
    if (all && job_comm_rank == 0) job_comm_drop(all);
    od_free(all);
    od_free(out.bytes);
    job_partition_close(job); /* whatever was opened has no types yet */
    return status;
}

odim_status job_partition_lay(job_context *job, odim_error *err)
{
    laid l = {.line = 1};
    order o = {.again = 1};
    bool more = true;
    job_comm_stage(JOB_STAGE_LAY, 0);
    l.head = od_calloc((size_t)job->cols, sizeof *l.head);
    l.rest = od_calloc((size_t)job->cols, sizeof *l.rest);
    odim_status status = job_comm_agree(l.head && l.rest ? ODIM_OK : od_fail_nomem(err), err);
    for (bool guess = true; !status && more; guess = false) {
        if (o.again) {
            if (!guess) l.from = o.from, l.row = o.row, l.line = o.line;
            l.status = lay_all(job, &l, guess, &l.err);
            job_partition_close(job);
        }
        /* Now it is known who is to blame; or a file cannot be read, whatever its rows. */
        bool final = o.final || l.status == ODIM_ERR_IO || l.status == ODIM_ERR_NOMEM ||
                     l.status == ODIM_ERR_CANCELLED;
        if (final && l.status) *err = l.err;
        status = job_comm_agree(final ? l.status : ODIM_OK, err);
        if (!status) status = compare(job, &l, &o, &more, err);
    }
    if (!status) status = number(job, err);
    if (!status) status = find_types(job, &l, err);
    od_free(l.head);
    od_free(l.rest);
    return status;
}

void job_partition_free(job_context *job)
{
    job_partition_close(job);
    od_free(job->lot);
    od_free(job->start);
    od_free(job->type);
}
