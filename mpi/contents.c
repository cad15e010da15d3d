/*
 * The hash of the whole input. Files are cut into pieces of a fixed size and the hashes of the pieces are
 * added, so the sum does not depend on which rank hashes which piece. The pieces of a rank are close to its
 * chunks, so that they are in its machine's memory when it reads the rows.
 */
#include "contents.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "common/mem.h"

#define PIECE ((int64_t)1 << 20)

/* Adds a word to a hash. For a given hash, different words give different results, and vice versa. */
static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 32;
}

static uint64_t hash_bytes(uint64_t hash, const char *bytes, size_t size)
{
    uint64_t word;
    size_t at = 0;
    for (; at + sizeof word <= size; at += sizeof word) {
        memcpy(&word, bytes + at, sizeof word);
        hash = mix(hash, word);
    }
    word = 0;
    memcpy(&word, bytes + at, size - at);
    return mix(mix(hash, word), size);
}

static int64_t pieces_of(const job_file *f)
{
    return (f->size + PIECE - 1) / PIECE;
}

/* Adds the hashes of the pieces from first to before end of a file to *sum. */
static odim_status hash_file(const job_context *job, int64_t file, int64_t first, int64_t end, char *buf,
                             uint64_t *sum, odim_error *err)
{
    const job_file *f = &job->file[file];
    odim_status status = ODIM_OK;
    int fd = open(f->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return od_fail(err, ODIM_ERR_IO, "%s: cannot open: %s", f->path, strerror(errno));
    for (int64_t piece = first; piece < end && !status; piece++) {
        int64_t at = piece * PIECE, size = f->size - at < PIECE ? f->size - at : PIECE, done = 0;
        ssize_t got = 1;
        while (done < size && got > 0) {
            got = pread(fd, buf + done, (size_t)(size - done), (off_t)(at + done));
            if (got < 0 && errno == EINTR)
                got = 1;
            else if (got > 0)
                done += got;
        }
        if (got < 0)
            status = od_fail(err, ODIM_ERR_IO, "%s: cannot read: %s", f->path, strerror(errno));
        else if (done < size)
            status = od_fail(err, ODIM_ERR_IO, "%s: has become shorter since the job started", f->path);
        else if (job_comm_stopped())
            status = od_fail(err, ODIM_ERR_CANCELLED, "cancelled");
        *sum += hash_bytes(mix((uint64_t)file, (uint64_t)piece), buf, (size_t)done);
    }
    close(fd);
    return status;
}

odim_status job_contents_hash(const job_context *job, uint64_t *hash, odim_error *err)
{
    int64_t pieces = 0, before = 0;
    uint64_t sum = 0;
    char *buf = od_alloc((size_t)PIECE, 1);
    odim_status status = buf ? ODIM_OK : od_fail_nomem(err);
    for (int64_t i = 0; i < job->files; i++) pieces += pieces_of(&job->file[i]);
    int64_t from = pieces * job_comm_rank / job_comm_size, to = pieces * (job_comm_rank + 1) / job_comm_size;
    for (int64_t i = 0; i < job->files && !status; i++) {
        int64_t count = pieces_of(&job->file[i]), first = from - before, end = to - before;
        if (first < 0) first = 0;
        if (end > count) end = count;
        if (first < end) status = hash_file(job, i, first, end, buf, &sum, err);
        before += count;
    }
    od_free(buf);
    status = job_comm_agree(status, err);
    if (!status) *hash = (uint64_t)job_comm_sum((int64_t)sum);
    return status;
}
