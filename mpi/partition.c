/* Cuts the input files into chunks and opens the chunks for reading. */
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

/* The most chunks, and the fewest bytes of one. Small inputs are cut into smaller chunks. */
#define MOST_CHUNKS  16384
#define LEAST_BYTES  ((int64_t)1 << 20)
#define SMALL_CHUNKS 64
#define SMALL_BYTES  4096

/* ---- files ---------------------------------------------------------------------------------------- */

/* Takes the size of a file and a hash of some pages, which is enough to tell different files apart. */
static odim_status identify(const char *path, job_file *f, odim_error *err)
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
    return od_fail(err, ODIM_ERR_IO, "%s: is not a regular file, so ranks cannot share it", path);
}

/* Fails unless both tables have the same columns. */
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

/* Prints the notes about a file that were not already printed for the first file. */
static void print_new_notes(job_context *job, const job_file *f, const odim_table *t, const odim_table *first)
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
        status = identify(f->path, f, err);
        if (!status) status = od_reader_open_parts(&r, f->path, &job->reading, schema_of(job), err);
        if (!status && first)
            status = check_columns(od_reader_table(first), od_reader_table(r), &job->file[0], f, err);
        if (!status) {
            f->text = od_reader_is_text(r);
            f->length = od_reader_length(r);
            if (!f->text && !f->length) f->length = -od_reader_rows(r); /* rows that cannot be cut */
        }
        if (!status && first) print_new_notes(job, f, od_reader_table(r), od_reader_table(first));
        if (!first)
            first = r;
        else
            odim_reader_free(r);
    }
    if (!status) {
        job->cols = od_reader_table(first)->d;
        cli_run_notes(job->work, od_reader_table(first));
        job->notes = (int)od_reader_table(first)->notes.count;
    }
    odim_reader_free(first);
    return status;
}

/* ---- the plan ------------------------------------------------------------------------------------- */

static int64_t chunk_bytes(int64_t total)
{
    int64_t few = total / SMALL_CHUNKS, least = few < SMALL_BYTES ? SMALL_BYTES : few;
    if (least > LEAST_BYTES) least = LEAST_BYTES;
    return total / MOST_CHUNKS > least ? total / MOST_CHUNKS : least;
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
    bytes = chunk_bytes(total);
    for (int64_t i = 0; i < job->files; i++) {
        job->file[i].first = job->chunks;
        job->chunks += pieces_of(&job->file[i], bytes);
    }
    job->chunk = od_calloc((size_t)job->chunks, sizeof *job->chunk);
    if (!job->chunk) return od_fail_nomem(err);
    for (int64_t i = 0; i < job->files; i++) {
        const job_file *f = &job->file[i];
        int64_t n = pieces_of(f, bytes), length = f->length < 0 ? -f->length : f->length;
        for (int64_t k = 0; k < n; k++) {
            job_chunk *c = &job->chunk[f->first + k];
            *c = (job_chunk){.file = i, .cut = (int64_t)((double)length / (double)n * (double)k)};
            if (f->text) continue;
            c->part.at = c->part.row = c->cut;
            if (k) c[-1].part.end = c->cut;
            c->part.end = length;
        }
    }
    return ODIM_OK;
}

/* Gives every rank the same number of chunks, or one more. */
static void assign_chunks(job_context *job)
{
    for (int r = 0; r <= job_comm_size; r++) job->start[r] = job->chunks * r / job_comm_size;
}

static void put_plan(od_byte_writer *out, const job_context *job)
{
    od_bytes_put_u64(out, (uint64_t)job->cols);
    od_bytes_put_u64(out, (uint64_t)job->chunks);
    for (int64_t i = 0; i < job->files; i++) od_bytes_put(out, &job->file[i], sizeof job->file[i]);
    od_bytes_put(out, job->chunk, (size_t)job->chunks * sizeof *job->chunk);
}

static odim_status get_plan(od_byte_reader in, job_context *job, odim_error *err)
{
    job->cols = od_bytes_get_i64(&in);
    job->chunks = od_bytes_get_i64(&in);
    for (int64_t i = 0; i < job->files; i++) {
        const char *path = job->file[i].path;
        memcpy(&job->file[i], od_bytes_take(&in, sizeof job->file[i]), sizeof job->file[i]);
        job->file[i].path = path;
    }
    job->chunk = od_alloc((size_t)job->chunks, sizeof *job->chunk);
    if (!job->chunk) return od_fail_nomem(err);
    memcpy(job->chunk, in.at, (size_t)job->chunks * sizeof *job->chunk);
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
    if (!status) assign_chunks(job);
    return status;
}

/* ---- reading ---------------------------------------------------------------------------------------- */

static odim_status fail_different(const job_file *f, odim_error *err)
{
    return od_fail(err, ODIM_ERR_IO, "%s: is not the file that rank 0 has under this name", f->path);
}

odim_status job_partition_open_file(job_context *job, int64_t file, odim_error *err)
{
    const job_file *f = &job->file[file];
    job_file seen = {0};
    if (job->open == file && f->length != 0) return ODIM_OK;
    job_partition_close(job);
    odim_status status = identify(f->path, &seen, err);
    if (!status && (seen.size != f->size || seen.hash != f->hash)) status = fail_different(f, err);
    if (!status) status = od_reader_open_parts(&job->reader, f->path, &job->reading, schema_of(job), err);
    if (status) return status;
    job->open = file;
    odim_table *t = od_reader_table(job->reader);
    if (job->scan.cols) {
        if (t->d != job->scan.cols) return fail_different(f, err);
        if ((status = od_reader_decide_types(job->reader, od_scan_voted(&job->scan).votes, err)))
            return status;
    }
    return job->cols && t->d != job->cols ? fail_different(f, err) : ODIM_OK;
}

void job_partition_close(job_context *job)
{
    odim_reader_free(job->reader);
    job->reader = NULL;
    job->open = -1;
}

odim_status job_partition_open(job_context *job, const job_chunk *chunk, odim_error *err)
{
    odim_status status = job_partition_open_file(job, chunk->file, err);
    return status ? status : od_reader_part(job->reader, &chunk->part, err);
}

void job_partition_free(job_context *job)
{
    job_partition_close(job);
    od_free(job->chunk);
    od_free(job->start);
    od_scan_clear(&job->scan);
}
