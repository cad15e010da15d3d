/*
 * Fitting on many machines. Each rank collects a partial fit of its own rows (fit/partial.h), and rank 0
 * merges them. Of the rows to train on a rank sends only those that are chosen from all rows: they have the
 * smallest keys, and all ranks agree on a threshold for the keys. Then every rank can train any member, and
 * rank 0 finishes the model.
 */
#include "common/mem.h"
#include "base/parallel.h"
#include "fit/fit.h"
#include "fit/partial.h"
#include "job.h"
#include "model/member_file.h"
#include "model/params.h"
#include "signals.h"

#define BLOCK_ROWS 8192

typedef struct pass {
    job_context *job;
    od_fit fit;
    odim_partial part; /* of this rank's rows; later of all rows */
} pass;

/* ---- the rows ------------------------------------------------------------------------------------- */

static odim_status add_chunk(pass *p, const job_chunk *c, int64_t *done, odim_error *err)
{
    job_context *job = p->job;
    const odim_table *block;
    int64_t row = c->first;
    odim_status status = job_partition_open(job, c, err);
    while (!status && !(status = odim_reader_next(job->reader, BLOCK_ROWS, &block, err)) && block->n) {
        if (job_comm_stopped()) status = od_fail(err, ODIM_ERR_CANCELLED, "stopped");
        if (!status) status = od_partial_add(&p->part, block, row, err);
        row += block->n;
        job_comm_done(*done += block->n);
    }
    if (!status && row != c->first + c->rows)
        status = od_fail(err, ODIM_ERR_DATA, "%s: changed while it was being read", job->file[c->file].path);
    return status;
}

static odim_status collect(pass *p, odim_error *err)
{
    job_context *job = p->job;
    int64_t done = 0;
    odim_status status = ODIM_OK;
    job_comm_stage(JOB_STAGE_STATS, job->rows);
    for (int64_t i = job->start[job_comm_rank]; !status && i < job->start[job_comm_rank + 1]; i++)
        status = add_chunk(p, &job->chunk[i], &done, err);
    job_partition_close(job);
    return status;
}

/* Keeps the chosen rows: of all ranks together, the `size` rows with the smallest keys. The others would be
 * sent for nothing. A rank without rows has no sample. */
static void choose(od_sample *s)
{
    int64_t size = -job_comm_least(-s->size), row = INT64_MAX;
    uint64_t low = 0, high = UINT64_MAX;
    if (job_comm_sum(s->count) <= size) return;
    while (low < high) { /* finds the smallest key with enough rows up to it */
        uint64_t mid = low + (high - low) / 2;
        if (job_comm_sum(od_sample_within(s, mid, INT64_MAX)) >= size)
            high = mid;
        else
            low = mid + 1;
    }
    if (job_comm_sum(od_sample_within(s, low, INT64_MAX)) >
        size) { /* several with that key: the first rows */
        int64_t first = 0, last = INT64_MAX;
        while (first < last) {
            int64_t mid = first + (last - first) / 2;
            if (job_comm_sum(od_sample_within(s, low, mid)) >= size)
                last = mid;
            else
                first = mid + 1;
        }
        row = first;
    }
    od_sample_limit(s, low, row);
}

/* Rank 0: merges the parts of all ranks, and writes them as one. */
static odim_status merge_parts(const pass *p, const od_byte_reader *all, od_byte_writer *out, odim_error *err)
{
    odim_partial sum;
    odim_status status = ODIM_OK;
    od_partial_init(&sum, p->fit.config.seed);
    for (int r = 0; !status && r < job_comm_size; r++) {
        odim_partial one;
        status = od_partial_read(&one, all[r].at, all[r].left, err);
        if (status) break;
        status = od_partial_merge(&sum, &one, err);
        od_partial_clear(&one);
    }
    if (!status) od_partial_write(out, &sum);
    od_partial_clear(&sum);
    return !status && out->nomem ? od_fail_nomem(err) : status;
}

/* All ranks get the part of all rows. */
static odim_status join(pass *p, odim_error *err)
{
    od_byte_writer out = {0}, sum = {0};
    od_byte_reader *all = od_calloc((size_t)job_comm_size, sizeof *all);
    odim_status status = job_comm_agree(all ? ODIM_OK : od_fail_nomem(err), err);
    if (!status) {
        choose(&p->part.sample.all.sample);
        choose(&p->part.sample.outliers.sample);
        od_partial_write(&out, &p->part);
        od_partial_clear(&p->part); /* rows are not held twice */
        status = job_comm_gather(&out, all, err);
    }
    od_free(out.bytes);
    if (!status && job_comm_rank == 0) status = merge_parts(p, all, &sum, err);
    if (all && job_comm_rank == 0) job_comm_drop(all);
    od_free(all);
    status = job_comm_agree(status, err);
    void *bytes = sum.bytes;
    size_t size = sum.size;
    if (!status) status = job_comm_broadcast(&bytes, &size, err);
    if (!status) status = od_partial_read(&p->part, bytes, size, err);
    od_free(bytes);
    if (!status) status = od_partial_give(&p->part, &p->fit, err);
    return job_comm_agree(status, err);
}

/* ---- training ------------------------------------------------------------------------------------- */

static int on_progress(const odim_progress *now, void *user)
{
    (void)user;
    /* Finishing scores some rows too, which does not count as training. */
    if (now->stage == ODIM_STAGE_FITTING && now->members)
        job_comm_done((int64_t)(now->fraction * now->members * 100));
    return job_comm_stopped();
}

static void on_note(const char *text, void *user)
{
    cli_run_note(user, text);
}

static odim_status keep_member(void *ctx, const odim_model *model, int64_t member, odim_error *err)
{
    const job_context *job = ctx;
    if (!job->checkpoint) return ODIM_OK;
    od_byte_writer out = {0};
    od_member_put(&out, model, member);
    odim_status status =
        out.nomem ? od_fail_nomem(err) : job_checkpoint_save("member", member, out.bytes, out.size, err);
    od_free(out.bytes);
    return status;
}

/* Finds the members that an earlier run trained: owner (members) becomes the rank that has each, or -1. */
static void find_members(const pass *p, int64_t members, int64_t *owner)
{
    for (int64_t b = 0; b < members; b++) {
        int64_t has = p->job->checkpoint && job_checkpoint_has("member", b) ? job_comm_rank : job_comm_size;
        owner[b] = job_comm_least(has);
        if (owner[b] == job_comm_size) owner[b] = -1;
    }
}

/* Trains the members that no rank has, each rank some of them. */
static odim_status train_rest(pass *p, int64_t *owner, odim_error *err)
{
    const odim_model *m = p->fit.model;
    int64_t *mine = od_alloc((size_t)m->members, sizeof *mine), next = 0;
    if (!mine) return od_fail_nomem(err);
    od_member_subset some = {.member = mine, .done = keep_member, .ctx = p->job};
    for (int64_t b = 0; b < m->members; b++) {
        if (owner[b] >= 0) continue;
        owner[b] = next++ % job_comm_size;
        if (owner[b] == job_comm_rank) mine[some.count++] = b;
    }
    job_comm_stage(JOB_STAGE_TRAIN, next * 100);
    odim_status status = some.count ? od_fit_train(&p->fit, &some, err) : ODIM_OK;
    od_free(mine);
    return status;
}

static odim_status load_members(odim_model *m, const int64_t *owner, const bool *old, odim_error *err)
{
    odim_status status = ODIM_OK;
    for (int64_t b = 0; !status && b < m->members; b++) {
        void *bytes;
        size_t size;
        if (owner[b] != job_comm_rank || !old[b]) continue;
        status = job_checkpoint_load("member", b, &bytes, &size, err);
        od_byte_reader in = {.at = bytes, .left = size};
        if (!status) status = od_member_get(&in, m, b, err);
        od_free(bytes);
    }
    return status;
}

/* Sends all members to rank 0. */
static odim_status gather_members(odim_model *m, const int64_t *owner, odim_error *err)
{
    od_byte_writer out = {0};
    od_byte_reader *all = od_calloc((size_t)job_comm_size, sizeof *all);
    odim_status status = job_comm_agree(all ? ODIM_OK : od_fail_nomem(err), err);
    for (int64_t b = 0; b < m->members; b++)
        if (owner[b] == job_comm_rank) od_member_put(&out, m, b);
    if (!status) status = job_comm_gather(&out, all, err);
    for (int r = 1; !status && job_comm_rank == 0 && r < job_comm_size; r++) {
        od_byte_reader in = all[r];
        for (int64_t b = 0; !status && b < m->members; b++)
            if (owner[b] == r) status = od_member_get(&in, m, b, err);
    }
    if (all && job_comm_rank == 0) job_comm_drop(all);
    od_free(all);
    od_free(out.bytes);
    return job_comm_agree(status, err);
}

static odim_status train(pass *p, odim_error *err)
{
    odim_model *m = p->fit.model;
    int64_t *owner = od_alloc((size_t)m->members, sizeof *owner);
    bool *old = od_calloc((size_t)m->members, sizeof *old);
    odim_status status = job_comm_agree(owner && old ? ODIM_OK : od_fail_nomem(err), err);
    if (!status) find_members(p, m->members, owner);
    for (int64_t b = 0; !status && b < m->members; b++) old[b] = owner[b] >= 0;
    if (!status) status = load_members(m, owner, old, err);
    if (!status) status = train_rest(p, owner, err);
    status = job_comm_agree(status, err);
    if (!status) status = gather_members(m, owner, err);
    od_free(owner);
    od_free(old);
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------------ */

/* Sends the model of rank 0 to all ranks. */
static odim_status share_model(job_context *job, void *bytes, size_t size, odim_error *err)
{
    odim_status status = job_comm_broadcast(&bytes, &size, err);
    if (!status) status = odim_model_load_memory(&job->model, bytes, size, err);
    if (!status) job->model->config.threads = job->asked; /* not part of a model file */
    od_free(bytes);
    return job_comm_agree(status, err);
}

/* Only rank 0 fits detectors, because it alone finishes the model. The others need what they train with. */
static odim_status begin(pass *p, odim_error *err)
{
    if (job_comm_rank && p->fit.config.method) return ODIM_OK;
    if (job_comm_rank) p->fit.config.with.count = 0;
    return od_fit_begin(&p->fit, err);
}

static odim_status fit(pass *p, odim_error *err)
{
    job_context *job = p->job;
    void *bytes = NULL;
    size_t size = 0;
    odim_status status = job_comm_agree(collect(p, err), err);
    if (!status) status = join(p, err);
    if (!status) {
        status = begin(p, err);
        if (status == ODIM_ERR_DATA) od_error_prefix(err, status, cli_input_name(job->file[0].path));
        status = job_comm_agree(status, err);
    }
    if (!status && !p->fit.config.method) status = train(p, err);
    if (!status && job_comm_rank == 0) {
        status = od_fit_finish(&p->fit, NULL, err);
        if (!status) status = odim_model_save_memory(p->fit.model, &bytes, &size, err);
        if (!status && job->checkpoint) status = job_checkpoint_save("model", 0, bytes, size, err);
    }
    status = job_comm_agree(status, err);
    odim_model_free(od_fit_take(&p->fit)); /* before all ranks load the finished one */
    if (status) {
        od_free(bytes);
        return status;
    }
    return share_model(job, bytes, size, err);
}

/* Loads the model if an earlier run has finished it. */
static odim_status load_model(job_context *job, bool *found, odim_error *err)
{
    void *bytes = NULL;
    size_t size = 0;
    odim_status status = ODIM_OK;
    bool has = job_comm_rank == 0 && job->checkpoint && job_checkpoint_has("model", 0);
    *found = job_comm_sum(has) > 0;
    if (!*found) return ODIM_OK;
    if (has) status = job_checkpoint_load("model", 0, &bytes, &size, err);
    status = job_comm_agree(status, err);
    return status ? status : share_model(job, bytes, size, err);
}

odim_status job_cluster_fit(job_context *job, odim_error *err)
{
    bool found = false;
    odim_status status = load_model(job, &found, err);
    if (status || found) return status;
    odim_hooks hooks = {.size = sizeof hooks, .progress = on_progress, .user = job->work};
    if (job_comm_rank == 0) hooks.note = on_note;
    pass p = {.job = job};
    status = od_fit_init(&p.fit, job->params, OD_FIT_STREAMED, &hooks, err);
    od_partial_init(&p.part, p.fit.config.seed);
    status = job_comm_agree(status, err);
    if (!status) status = fit(&p, err);
    od_fit_free(&p.fit);
    od_partial_clear(&p.part);
    return status;
}
