/*
 * Fitting on many machines. Each rank collects column statistics and levels of its own rows; rank 0 merges
 * them in the order of the rows, as if one rank had read everything. The rows to train on are those with the
 * smallest keys: all ranks agree on a threshold for the keys, and each sends its rows below that. Then every
 * rank can train any member, and rank 0 finishes the model.
 */
#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "base/parallel.h"
#include "fit/fit.h"
#include "job.h"
#include "model/member_file.h"
#include "model/params.h"
#include "prep/row_sample.h"
#include "signals.h"
#include "serialize.h"

#define BLOCK_ROWS 8192

typedef struct pass {
    job_context *job;
    od_fit fit;
    od_row_sample row_sample; /* of this rank's rows */
    od_levels *levels;        /* (cols) of this rank's rows; later of all rows */
    uint32_t **code;          /* (cols) maps this rank's levels to those of all rows, or NULL */
    odim_table *table;        /* of the rows to train on */
} pass;

/* ---- column statistics ---------------------------------------------------------------------------- */

/* Swaps the levels of the reader's table with ours, so that they carry over from file to file. */
static void lend_levels(pass *p)
{
    odim_table *t = od_reader_table(p->job->reader);
    for (int64_t j = 0; j < t->d; j++) {
        od_levels mine = p->levels[j];
        p->levels[j] = t->col[j].levels;
        t->col[j].levels = mine;
    }
}

static odim_status add_chunk_stats(pass *p, const job_chunk *c, int64_t *done, odim_error *err)
{
    job_context *job = p->job;
    const odim_table *block;
    int64_t row = c->first;
    odim_status status = job_partition_open(job, c, err);
    if (status) return status;
    lend_levels(p);
    while (!(status = odim_reader_next(job->reader, BLOCK_ROWS, &block, err)) && block->n) {
        if (job_comm_stopped()) status = od_fail(err, ODIM_ERR_CANCELLED, "stopped");
        if (!status) status = od_column_stats_add(&p->fit.stats, block, err);
        if (!status) status = od_row_sample_add(&p->row_sample, block, row, err);
        if (status) break;
        row += block->n;
        job_comm_done(*done += block->n);
    }
    if (!status && row != c->first + c->rows)
        status = od_fail(err, ODIM_ERR_DATA, "%s: changed while it was being read", job->file[c->file].path);
    lend_levels(p);
    return status;
}

static odim_status collect_stats(pass *p, odim_error *err)
{
    job_context *job = p->job;
    int64_t done = 0;
    odim_status status = od_column_stats_new(&p->fit.stats, job->cols, err);
    if (!status) status = od_row_sample_new(&p->row_sample, job->cols, job->known, p->fit.config.seed, err);
    for (int64_t i = job->start[job_comm_rank]; !status && i < job->start[job_comm_rank + 1]; i++)
        status = add_chunk_stats(p, &job->chunk[i], &done, err);
    job_partition_close(job);
    return status;
}

static void free_code(pass *p)
{
    for (int64_t j = 0; p->code && j < p->job->cols; j++) od_free(p->code[j]);
    od_free(p->code);
    p->code = NULL;
}

static odim_status new_code(pass *p, const od_levels *levels, odim_error *err)
{
    free_code(p);
    p->code = od_calloc((size_t)p->job->cols, sizeof *p->code);
    for (int64_t j = 0; p->code && j < p->job->cols; j++) {
        if (p->job->type[j] != ODIM_CATEGORICAL) continue;
        p->code[j] = od_alloc((size_t)od_levels_count(&levels[j]) + 1, sizeof **p->code);
        if (!p->code[j]) return od_fail_nomem(err);
    }
    return p->code ? ODIM_OK : od_fail_nomem(err);
}

static void free_levels(od_levels *levels, int64_t cols)
{
    for (int64_t j = 0; levels && j < cols; j++) od_levels_free(&levels[j]);
    od_free(levels);
}

/* Rank 0: adds the statistics of one rank to the sum of those before it. */
static odim_status add_rank_stats(pass *p, od_byte_reader in, od_column_stats *sum, od_levels *levels,
                                  odim_error *err)
{
    int64_t cols = p->job->cols;
    od_column_stats one = {0};
    od_levels *own = od_calloc((size_t)cols, sizeof *own);
    odim_status status = own ? job_get_column_stats(&in, &one, err) : od_fail_nomem(err);
    for (int64_t j = 0; !status && j < cols; j++) status = job_get_levels(&in, &own[j], err);
    if (!status) status = new_code(p, own, err);
    for (int64_t j = 0; !status && j < cols; j++)
        if (p->code[j]) status = od_levels_merge(&levels[j], &own[j], p->code[j], err);
    if (!status) status = od_column_stats_merge(sum, &one, (const uint32_t *const *)p->code, err);
    free_levels(own, cols);
    od_column_stats_free(&one);
    return status;
}

/* Rank 0: merges the statistics of all ranks in their order and writes them to `out`. */
static odim_status merge_stats(pass *p, const od_byte_reader *all, od_byte_writer *out, odim_error *err)
{
    int64_t cols = p->job->cols;
    od_column_stats sum = {0};
    od_levels *levels = od_calloc((size_t)cols, sizeof *levels);
    odim_status status = levels ? od_column_stats_new(&sum, cols, err) : od_fail_nomem(err);
    for (int r = 0; !status && r < job_comm_size; r++) status = add_rank_stats(p, all[r], &sum, levels, err);
    if (!status) {
        job_put_column_stats(out, &sum);
        for (int64_t j = 0; j < cols; j++) job_put_levels(out, &levels[j]);
    }
    free_levels(levels, cols);
    od_column_stats_free(&sum);
    return status;
}

/* Every rank: takes the statistics and levels of all rows, and finds the new codes of its own levels. */
static odim_status take_stats(pass *p, od_byte_reader in, odim_error *err)
{
    int64_t cols = p->job->cols;
    od_levels *levels = od_calloc((size_t)cols, sizeof *levels);
    odim_status status = levels ? new_code(p, p->levels, err) : od_fail_nomem(err);
    od_column_stats_free(&p->fit.stats);
    if (!status) status = job_get_column_stats(&in, &p->fit.stats, err);
    for (int64_t j = 0; !status && j < cols; j++) {
        const od_levels *own = &p->levels[j];
        status = job_get_levels(&in, &levels[j], err);
        for (size_t i = 0; !status && p->code[j] && i < own->texts.count; i++) {
            const char *text = od_strlist_at(&own->texts, i);
            int64_t code = od_levels_find(&levels[j], text, strlen(text));
            p->code[j][i] = code < 0 ? (uint32_t)levels[j].texts.count : (uint32_t)code;
        }
        if (!status && p->code[j]) p->code[j][own->texts.count] = (uint32_t)levels[j].texts.count;
    }
    free_levels(p->levels, cols);
    p->levels = levels;
    return status;
}

static odim_status join_stats(pass *p, odim_error *err)
{
    od_byte_writer out = {0}, sum = {0};
    od_byte_reader *all = od_calloc((size_t)job_comm_size, sizeof *all);
    odim_status status = job_comm_agree(all ? ODIM_OK : od_fail_nomem(err), err);
    if (!status) {
        job_put_column_stats(&out, &p->fit.stats);
        for (int64_t j = 0; j < p->job->cols; j++) job_put_levels(&out, &p->levels[j]);
        status = job_comm_gather(&out, all, err);
    }
    if (!status && job_comm_rank == 0) {
        status = merge_stats(p, all, &sum, err);
        if (!status && sum.nomem) status = od_fail_nomem(err);
    }
    status = job_comm_agree(status, err);
    void *bytes = sum.bytes;
    size_t size = sum.size;
    if (!status) status = job_comm_broadcast(&bytes, &size, err);
    if (!status) status = take_stats(p, (od_byte_reader){.at = bytes, .left = size}, err);
    if (all && job_comm_rank == 0) job_comm_drop(all);
    od_free(all);
    od_free(out.bytes);
    od_free(bytes);
    return job_comm_agree(status, err);
}

/* True if a column has too many levels. A rank may then have counted cells as "other" whose level another
 * rank kept, so all ranks count again with the levels that are known now. */
static bool counts_differ(const pass *p)
{
    for (int64_t j = 0; j < p->job->cols; j++)
        if (p->levels[j].overflow) return true;
    return false;
}

static odim_status stats(pass *p, odim_error *err)
{
    job_comm_stage(JOB_STAGE_STATS, p->job->rows);
    odim_status status = job_comm_agree(collect_stats(p, err), err);
    if (!status) status = join_stats(p, err);
    if (status || !counts_differ(p)) return status;
    od_column_stats_free(&p->fit.stats);
    od_row_sample_free(&p->row_sample);
    for (int64_t j = 0; j < p->job->cols; j++) p->levels[j].overflow = p->job->type[j] == ODIM_CATEGORICAL;
    status = job_comm_agree(collect_stats(p, err), err);
    return status ? status : join_stats(p, err);
}

/* ---- the rows to train on ------------------------------------------------------------------------- */

/* Keeps the chosen rows: of all ranks together, the `size` rows with the smallest keys. */
static void choose(od_sample *s)
{
    int64_t size = s->size, row = INT64_MAX;
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

/* Collects the chosen rows of all ranks, on all ranks. */
static odim_status join_rows(pass *p, od_kept_rows *mine, od_kept_rows *all, odim_error *err)
{
    od_byte_writer out = {0}, sum = {0};
    od_byte_reader *each = od_calloc((size_t)job_comm_size, sizeof *each);
    odim_status status = job_comm_agree(each ? ODIM_OK : od_fail_nomem(err), err);
    if (!status) {
        choose(&mine->sample);
        job_put_kept_rows(&out, mine, p->job->cols, (const uint32_t *const *)p->code);
        status = job_comm_gather(&out, each, err);
    }
    od_free(out.bytes);
    for (int r = 0; !status && job_comm_rank == 0 && r < job_comm_size; r++)
        od_bytes_put(&sum, each[r].at, each[r].left);
    if (each && job_comm_rank == 0) job_comm_drop(each);
    od_free(each);
    if (!status) status = job_comm_agree(sum.nomem ? od_fail_nomem(err) : ODIM_OK, err);
    void *bytes = sum.bytes;
    size_t size = sum.size;
    if (!status) status = job_comm_broadcast(&bytes, &size, err);
    od_byte_reader in = {.at = bytes, .left = size};
    if (!status) status = job_get_kept_rows(&in, all, p->job->cols, err);
    od_free(bytes);
    return job_comm_agree(status, err);
}

/* Makes a table with the columns of the first file and the chosen rows. */
static odim_status make_table(pass *p, od_row_sample *row_sample, odim_error *err)
{
    job_context *job = p->job;
    od_span none = {.end = 0};
    odim_status status = job_partition_open(job, &(job_chunk){.part = none}, err);
    if (status) return status;
    lend_levels(p);
    p->table = od_reader_take(job->reader);
    job_partition_close(job);
    p->fit.table = p->table;
    return od_row_sample_take(row_sample, p->table, &p->fit.chosen, err);
}

static odim_status collect(pass *p, odim_error *err)
{
    od_row_sample all = {0};
    odim_status status = od_row_sample_new(&all, p->job->cols, p->job->known, p->fit.config.seed, err);
    status = job_comm_agree(status, err);
    if (!status) status = join_rows(p, &p->row_sample.all, &all.all, err);
    if (!status && p->job->known) status = join_rows(p, &p->row_sample.outliers, &all.outliers, err);
    od_row_sample_free(&p->row_sample);
    if (!status) status = job_comm_agree(make_table(p, &all, err), err);
    od_row_sample_free(&all);
    return status;
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
    odim_status status = stats(p, err);
    if (!status) status = collect(p, err);
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
    if (!status) {
        p.levels = od_calloc((size_t)job->cols, sizeof *p.levels);
        if (!p.levels) status = od_fail_nomem(err);
    }
    status = job_comm_agree(status, err);
    if (!status) status = fit(&p, err);
    free_code(&p);
    free_levels(p.levels, job->cols);
    od_row_sample_free(&p.row_sample);
    od_fit_free(&p.fit);
    odim_table_free(p.table);
    return status;
}
