/*
 * Scoring on many machines. Each thread of a rank reads and scores one chunk at a time, and stores the text
 * of its rows in a file per chunk. When all chunks are done, their places in the output are known, and each
 * rank copies its texts there. Chunks that an earlier run finished are not scored again.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "base/parallel.h"
#include "explain_rows.h"
#include "job.h"
#include "model/params.h"

#define BLOCK_ROWS 16384
#define COPY_BYTES ((size_t)4 << 20)

/* A thread that scores. */
typedef struct worker {
    job_context job; /* a copy with its own open file */
    odim_params params;
    cli_results results;
    double *scores, *raw;
    odim_reason *reasons;
} worker;

typedef struct scoring {
    job_context *job;
    worker *worker; /* (workers) */
    int64_t workers;
    int64_t *owner; /* (chunks) the rank that has it, or -1 */
    int64_t *mine;  /* (count) the chunks that this rank scores */
    int64_t count;
    _Atomic int64_t done; /* rows */
} scoring;

/* ---- a chunk -------------------------------------------------------------------------------------- */

static int is_stopped(const odim_progress *now, void *user)
{
    (void)now;
    (void)user;
    return job_comm_stopped();
}

static odim_status explain(worker *s, odim_error *err)
{
    const cli_results *r = &s->results;
    int64_t n = odim_table_rows(r->table), top = r->set->explain, count = 0;
    int64_t *rows = od_alloc((size_t)n, sizeof *rows);
    odim_reason *some = od_alloc((size_t)(cli_results_flagged(r) * top), sizeof *some);
    odim_status status = rows && some ? ODIM_OK : od_fail_nomem(err);
    for (int64_t i = 0; !status && i < n; i++)
        if (cli_results_is_outlier(r, i)) rows[count++] = i;
    odim_hooks hooks = {.size = sizeof hooks, .progress = is_stopped};
    const odim_explain_options which = {.size = sizeof which, .rows = rows, .count = count, .top = (int)top};
    if (!status) status = cli_explain_rows(r->model, r->table, &which, &s->params, &hooks, some, err);
    for (int64_t i = 0; !status && i < n * top; i++) s->reasons[i].col = -1;
    for (int64_t k = 0; !status && k < count; k++)
        memcpy(&s->reasons[rows[k] * top], &some[k * top], (size_t)top * sizeof *some);
    od_free(rows);
    od_free(some);
    return status;
}

/* Stores the text of one block. Only the block with the first row has the heading. */
static odim_status write_block(worker *s, job_kept *kept, odim_error *err)
{
    char *text = NULL;
    size_t size = 0;
    cli_rows rows = {0};
    cli_out out = {.file = open_memstream(&text, &size), .name = "the scores"};
    if (!out.file) return od_fail_nomem(err);
    bool fine = cli_rows_begin(&rows, &s->results, &out, s->job.rows);
    fine = fflush(out.file) == 0 && fine;
    size_t head = s->results.first == 0 ? 0 : size;
    if (fine) cli_rows_add(&rows, &s->results);
    cli_rows_free(&rows);
    fine = fclose(out.file) == 0 && fine && !out.error;
    odim_status status = fine ? job_checkpoint_add(kept, text + head, size - head, err) : od_fail_nomem(err);
    free(text);
    return status;
}

static odim_status score_block(worker *s, int64_t chunk, const odim_table *block, job_kept *kept,
                               odim_error *err)
{
    odim_hooks hooks = {.size = sizeof hooks, .progress = is_stopped};
    s->results.table = block;
    odim_status status = odim_score(s->results.model, block, &s->params, &hooks, s->scores, err);
    if (!status && s->raw) status = odim_score_raw(s->results.model, block, &s->params, &hooks, s->raw, err);
    if (!status && s->reasons) status = explain(s, err);
    if (status == ODIM_ERR_DATA)
        od_error_prefix(err, status, cli_input_name(s->job.file[s->job.chunk[chunk].file].path));
    return status ? status : write_block(s, kept, err);
}

static odim_status score_chunk(void *ctx, od_parallel *par, int number, int64_t at, odim_error *err)
{
    scoring *all = ctx;
    worker *s = &all->worker[number];
    job_context *job = &s->job;
    int64_t chunk = all->mine[at], flagged = 0;
    const job_chunk *c = &job->chunk[chunk];
    const odim_table *block;
    job_kept kept;
    odim_status status = job_checkpoint_begin(&kept, "chunk", chunk, err);
    if (!status) status = job_partition_open(job, c, err);
    s->results.first = c->first;
    s->results.own_numbers = true;
    while (!status) {
        if (od_parallel_stopped(par)) status = od_fail(err, ODIM_ERR_CANCELLED, "stopped");
        if (!status) status = odim_reader_next(job->reader, BLOCK_ROWS, &block, err);
        if (status || block->n == 0) break;
        status = score_block(s, chunk, block, &kept, err);
        flagged += status ? 0 : cli_results_flagged(&s->results);
        s->results.first += block->n;
        atomic_fetch_add(&all->done, block->n);
    }
    if (!status && s->results.first != c->first + c->rows)
        status = od_fail(err, ODIM_ERR_DATA, "%s: changed while it was being read", job->file[c->file].path);
    if (!status) status = job_checkpoint_end(&kept, (uint64_t)flagged, err);
    job_checkpoint_discard(&kept);
    return status;
}

/* ---- all chunks ----------------------------------------------------------------------------------- */

/* Finds the finished chunks and a rank that has each, preferably the one that would have scored it. */
static odim_status find_chunks(scoring *s, odim_error *err)
{
    job_context *job = s->job;
    od_byte_writer out = {0};
    od_byte_reader *all = od_calloc((size_t)job_comm_size, sizeof *all);
    for (int64_t i = 0; i < job->chunks; i++)
        od_bytes_put_u8(&out, job->checkpoint && job_checkpoint_has("chunk", i));
    odim_status status = job_comm_agree(all && !out.nomem ? ODIM_OK : od_fail_nomem(err), err);
    if (!status) status = job_comm_gather(&out, all, err);
    for (int r = 0; !status && job_comm_rank == 0 && r < job_comm_size; r++)
        for (int64_t i = 0; i < job->chunks; i++) {
            bool own = i >= job->start[r] && i < job->start[r + 1];
            if (all[r].at[i] && (s->owner[i] < 0 || own)) s->owner[i] = r;
        }
    if (!status) job_comm_share(s->owner, (size_t)job->chunks * sizeof *s->owner);
    if (all && job_comm_rank == 0) job_comm_drop(all);
    od_free(all);
    od_free(out.bytes);
    return status;
}

static odim_status worker_new(worker *w, const scoring *s, odim_error *err)
{
    const cli_output *set = s->job->set;
    w->job = *s->job;
    w->job.reader = NULL;
    w->job.open = -1;
    w->params = *s->job->params;
    int64_t threads = w->params.config.threads / s->workers;
    w->params.config.threads = threads > 1 ? threads : 1;
    w->results = (cli_results){.path = w->job.file[0].path, .model = w->job.model, .set = set};
    cli_output_threshold(set, w->job.model, &w->results.threshold);
    w->results.scores = w->scores = od_alloc(BLOCK_ROWS, sizeof *w->scores);
    if (set->raw_scores) w->results.raw = w->raw = od_alloc(BLOCK_ROWS, sizeof *w->raw);
    if (set->explain)
        w->results.reasons = w->reasons = od_alloc((size_t)(BLOCK_ROWS * set->explain), sizeof *w->reasons);
    bool room = w->scores && (!set->raw_scores || w->raw) && (!set->explain || w->reasons);
    return room ? ODIM_OK : od_fail_nomem(err);
}

static int tick(void *ctx)
{
    scoring *s = ctx;
    job_comm_done(atomic_load(&s->done));
    return job_comm_stopped();
}

/* Scores the chunks of this rank, one thread per chunk, or several if there are fewer chunks than threads. */
static odim_status score_mine(scoring *s, odim_error *err)
{
    int64_t threads = s->job->params->config.threads;
    if (s->count == 0) return ODIM_OK;
    s->workers = threads < s->count ? threads : s->count;
    s->worker = od_calloc((size_t)s->workers, sizeof *s->worker);
    odim_status status = s->worker ? ODIM_OK : od_fail_nomem(err);
    for (int64_t i = 0; !status && i < s->workers; i++) status = worker_new(&s->worker[i], s, err);
    if (!status) status = od_parallel_run((int)s->workers, s->count, score_chunk, tick, s, err);
    for (int64_t i = 0; s->worker && i < s->workers; i++) {
        job_partition_close(&s->worker[i].job);
        od_free(s->worker[i].scores);
        od_free(s->worker[i].raw);
        od_free(s->worker[i].reasons);
    }
    od_free(s->worker);
    return status;
}

/* Divides the unfinished chunks among the ranks, and scores. */
static odim_status score_rest(scoring *s, odim_error *err)
{
    job_context *job = s->job;
    int64_t left = 0, at = 0, rows = 0;
    for (int64_t i = 0; i < job->chunks; i++) {
        left += s->owner[i] < 0;
        rows += s->owner[i] < 0 ? job->chunk[i].rows : 0;
    }
    job_comm_stage(JOB_STAGE_SCORE, rows);
    for (int64_t i = 0; i < job->chunks; i++) {
        if (s->owner[i] >= 0) continue;
        s->owner[i] = at++ * job_comm_size / left;
        if (s->owner[i] == job_comm_rank) s->mine[s->count++] = i;
    }
    return score_mine(s, err);
}

/* ---- the output ----------------------------------------------------------------------------------- */

static odim_status copy_chunk(int64_t number, int64_t at, char *buf, odim_error *err)
{
    int64_t size;
    FILE *f = job_checkpoint_read("chunk", number, &size, NULL);
    if (!f) return od_fail(err, ODIM_ERR_IO, "the scores of chunk %lld have disappeared", (long long)number);
    odim_status status = ODIM_OK;
    for (int64_t left = size; !status && left > 0;) {
        size_t want = left < (int64_t)COPY_BYTES ? (size_t)left : COPY_BYTES;
        if (fread(buf, 1, want, f) != want)
            status = od_fail(err, ODIM_ERR_IO, "the scores of chunk %lld cannot be read", (long long)number);
        if (!status) status = job_comm_write(at + size - left, buf, want, err);
        left -= (int64_t)want;
    }
    fclose(f);
    return status;
}

/* Finds the place (chunks) in the output where each chunk begins. */
static odim_status find_places(const scoring *s, int64_t *place, int64_t *flagged, odim_error *err)
{
    const job_context *job = s->job;
    od_byte_writer out = {0};
    od_byte_reader *all = od_calloc((size_t)job_comm_size, sizeof *all);
    odim_status status = all ? ODIM_OK : od_fail_nomem(err);
    int64_t count = 0;
    for (int64_t i = 0; !status && i < job->chunks; i++) {
        uint64_t extra = 0;
        if (s->owner[i] != job_comm_rank) continue;
        FILE *f = job_checkpoint_read("chunk", i, &place[i], &extra);
        if (!f) status = od_fail(err, ODIM_ERR_IO, "the scores of chunk %lld have disappeared", (long long)i);
        if (f) fclose(f);
        count += (int64_t)extra;
        od_bytes_put_u64(&out, (uint64_t)place[i]);
    }
    status = job_comm_agree(status, err);
    if (!status) status = job_comm_gather(&out, all, err);
    for (int r = 0; !status && job_comm_rank == 0 && r < job_comm_size; r++) {
        od_byte_reader in = all[r];
        for (int64_t i = 0; i < job->chunks; i++)
            if (s->owner[i] == r) place[i] = od_bytes_get_i64(&in);
    }
    for (int64_t i = 0, at = 0; !status && job_comm_rank == 0 && i < job->chunks; i++) {
        int64_t size = place[i];
        place[i] = at;
        at += size;
    }
    if (!status) job_comm_share(place, (size_t)job->chunks * sizeof *place);
    if (all && job_comm_rank == 0) job_comm_drop(all);
    od_free(all);
    od_free(out.bytes);
    if (!status) *flagged = job_comm_sum(count);
    return status;
}

static odim_status assemble(scoring *s, const char *path, int64_t *flagged, odim_error *err)
{
    const job_context *job = s->job;
    int64_t *place = od_calloc((size_t)job->chunks, sizeof *place);
    char *buf = od_alloc(COPY_BYTES, 1);
    job_comm_stage(JOB_STAGE_WRITE, job->chunks);
    odim_status status = job_comm_agree(place && buf ? ODIM_OK : od_fail_nomem(err), err);
    if (!status) status = find_places(s, place, flagged, err);
    if (!status) status = job_comm_agree(job_comm_open(path, err), err);
    bool opened = !status;
    for (int64_t i = 0, done = 0; !status && i < job->chunks; i++) {
        if (s->owner[i] != job_comm_rank) continue;
        status = copy_chunk(i, place[i], buf, err);
        job_comm_done(++done);
    }
    odim_error other;
    odim_status closed = opened ? job_comm_close(&other) : ODIM_OK;
    if (!status && closed) {
        status = closed;
        *err = other;
    }
    od_free(place);
    od_free(buf);
    return job_comm_agree(status, err);
}

odim_status job_cluster_score(job_context *job, cli_out *out, int64_t *flagged, odim_error *err)
{
    scoring s = {.job = job};
    s.owner = od_alloc((size_t)job->chunks, sizeof *s.owner);
    s.mine = od_alloc((size_t)job->chunks, sizeof *s.mine);
    odim_status status = job_comm_agree(s.owner && s.mine ? ODIM_OK : od_fail_nomem(err), err);
    for (int64_t i = 0; !status && i < job->chunks; i++) s.owner[i] = -1;
    /* From here on the columns are the model's. */
    job_partition_close(job);
    od_scan_clear(&job->scan);
    job->cols = 0;
    job->reading.like = job->model;
    job->reading.keep = job->set->keep;
    if (!status) status = find_chunks(&s, err);
    if (!status) status = job_comm_agree(score_rest(&s, err), err);
    if (!status) status = assemble(&s, job_comm_rank ? NULL : cli_out_temp(out), flagged, err);
    od_free(s.owner);
    od_free(s.mine);
    return status;
}
