/* The work of a job: reading, fitting, scoring, and finding out what there is to show. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "histogram.h"
#include "job_state.h"
#include "prep/table.h"
#include "shell_word.h"

static const double pause = 0.1;      /* seconds between two statuses */
enum { SAMPLE = 5000, FEWEST = 100 }; /* losses of which a histogram is made, and which make none */

/* ---- progress --------------------------------------------------------------------------------------- */

/* The lock is held. A distance that there is no memory for is not shown. */
static void add_check(serve_job *job, const odim_member_check *check)
{
    if (job->check_count == SERVE_CHECKS || !isfinite(check->distance)) return;
    if (job->check_count == job->check_cap) {
        size_t cap = 2 * job->check_cap + 64;
        serve_check *grown = od_grow(job->checks, job->check_cap, cap, sizeof *grown);
        if (!grown) return;
        job->checks = grown;
        job->check_cap = cap;
    }
    job->checks[job->check_count++] = (serve_check){check->member, check->update, check->distance};
}

/* The bulk of the losses of one network; what lies beyond is in the outermost bins. */
static bool count_losses(const odim_progress *now, serve_losses *out)
{
    int64_t n = 0;
    double *values = od_alloc((size_t)SAMPLE, sizeof *values);
    if (!values) return false;
    for (; n < now->recent_count && n < SAMPLE; n++) values[n] = now->recent[n];
    int64_t finite = cli_histogram_sort(values, n);
    cli_range range = cli_histogram_range(values, finite, NULL, 0);
    *out = (serve_losses){now->recent_member, now->recent_update, range.low, range.high, {0}};
    cli_histogram_count(values, finite, range, SERVE_BINS, out->count);
    od_free(values);
    return finite > 0;
}

static serve_state state_for(odim_stage stage)
{
    return stage == ODIM_STAGE_SCORING      ? SERVE_SCORING
           : stage == ODIM_STAGE_EXPLAINING ? SERVE_EXPLAINING
           : stage == ODIM_STAGE_READING    ? SERVE_READING
                                            : SERVE_FITTING;
}

static int on_progress(const odim_progress *now, void *user)
{
    serve_job *job = user;
    serve_losses losses;
    double clock = serve_clock();
    /* What is traced for the report is not the fit. */
    bool due = clock - job->shown >= pause;
    bool drawn = !job->staged && due && now->recent_count >= FEWEST && count_losses(now, &losses);
    serve_state state = job->staged ? job->stage : state_for(now->stage);
    pthread_mutex_lock(&job->lock);
    for (int64_t i = 0; !job->staged && i < now->check_count; i++) add_check(job, &now->checks[i]);
    if (drawn) {
        job->losses = losses;
        job->losses_count++;
    }
    bool changed = state != job->state;
    if (changed) serve_job_set_state(job, state);
    if (!job->staged || now->stage == ODIM_STAGE_EXPLAINING) {
        odim_progress before = job->progress;
        job->progress = *now;
        job->progress.losses = job->progress.recent = NULL;
        job->progress.checks = NULL;
        if (now->stage != ODIM_STAGE_FITTING) { /* these stay as the fit left them */
            job->progress.members = before.members;
            job->progress.members_done = before.members;
            job->progress.updates = before.updates;
            job->progress.distance = before.distance;
        }
    }
    if (due) serve_job_publish(job);
    pthread_mutex_unlock(&job->lock);
    if (due) job->shown = clock;
    return atomic_load(&job->cancel);
}

static void enter(serve_job *job, serve_state state)
{
    pthread_mutex_lock(&job->lock);
    serve_job_set_state(job, state);
    pthread_mutex_unlock(&job->lock);
}

/* ---- steps ------------------------------------------------------------------------------------------ */

static odim_status read_table(serve_job *job, serve_problem *why)
{
    serve_parsed *parsed = job->parsed;
    serve_tables *tables = serve_job_tables(job);
    odim_status status = ODIM_OK;
    if (!parsed) {
        enter(job, SERVE_READING);
        if (*job->table)
            status = serve_tables_parse(tables, job->table, &job->options, &parsed, why);
        else
            status = serve_parsed_read(&parsed, serve_job_memory(job), serve_tables_limits(tables), job->name,
                                       job->bytes, job->size, &job->options, why);
        free(job->bytes);
        job->bytes = NULL;
    }
    pthread_mutex_lock(&job->lock);
    int64_t freed = *job->table ? 0 : (int64_t)job->size;
    job->size = 0;
    job->bytes_counted -= freed;
    job->parsed = parsed;
    job->rows = parsed ? odim_table_rows(parsed->table) : 0;
    job->columns = parsed ? parsed->cols : 0;
    pthread_mutex_unlock(&job->lock);
    serve_memory_give(serve_job_memory(job), freed);
    return status;
}

static odim_status take_memory(serve_job *job, int64_t bytes, serve_problem *why)
{
    odim_status status = serve_memory_take(serve_job_memory(job), bytes, why);
    if (status) return status;
    pthread_mutex_lock(&job->lock);
    job->bytes_counted += bytes;
    pthread_mutex_unlock(&job->lock);
    return ODIM_OK;
}

static odim_status prepare(serve_job *job, serve_result *r, serve_problem *why)
{
    r->parsed = serve_parsed_ref(job->parsed);
    r->table = r->parsed->table;
    r->rows = odim_table_rows(r->table);
    pthread_mutex_init(&r->lock, NULL);
    odim_status status = take_memory(job, serve_result_room(r->rows, r->parsed->cols), why);
    if (status) return status;
    if (job->known) {
        if (!(r->view = od_table_with_known(r->table, job->known))) return serve_fail_nomem(why);
        r->table = r->view;
    }
    r->scores = od_alloc((size_t)r->rows, sizeof *r->scores);
    r->rank = od_alloc((size_t)r->rows, sizeof *r->rank);
    r->order = od_alloc((size_t)r->rows, sizeof *r->order);
    return r->scores && r->rank && r->order ? ODIM_OK : serve_fail_nomem(why);
}

static void on_note(const char *text, void *user)
{
    serve_job *job = user;
    serve_result *r = job->making;
    if (r->notes.count < CLI_REPORT_NOTES) od_strlist_add(&r->notes, text, strlen(text), NULL);
}

static odim_status fit(serve_job *job, serve_result *r, const odim_hooks *hooks, odim_error *err)
{
    void *bytes;
    size_t size;
    for (int i = 0; odim_table_note(r->table, i); i++) on_note(odim_table_note(r->table, i), job);
    odim_status status = odim_detect(r->table, job->fit, hooks, &r->model, r->scores, err);
    if (!status) status = odim_rank(r->scores, r->rows, r->rank, err);
    if (status) return status;
    for (int64_t i = 0; i < r->rows; i++) r->order[r->rank[i] - 1] = i;
    r->threshold = *job->threshold ? strtod(job->threshold, NULL) : odim_model_threshold(r->model);
    status = cli_judge(r->table, r->scores, &r->judgement, err);
    if (!status) status = odim_model_save_memory(r->model, &bytes, &size, err);
    if (status) return status;
    r->model_bytes = size;
    odim_free(bytes);
    return ODIM_OK;
}

/* The command that does the same; serve_jobs_known has the file of what the client has said of rows. */
static odim_status write_command(const serve_job *job, serve_result *r, serve_problem *why)
{
    serve_text_out to;
    serve_text text;
    odim_status status = serve_text_begin(&to, why);
    if (status) return status;
    FILE *f = to.out.file;
    fputs("odim detect ", f);
    if (*job->name == '-') fputs("./", f); /* not an option */
    cli_shell_word(f, job->name);
    serve_options_command(&job->options, f);
    if (job->known) fputs(" --known-rows known.txt", f);
    for (size_t i = 0; i + 1 < job->params.count; i += 2) {
        fprintf(f, " --%s ", od_strlist_at(&job->params, i));
        cli_shell_word(f, od_strlist_at(&job->params, i + 1));
    }
    status = serve_text_end(&to, &text, why);
    r->command = text.bytes;
    return status;
}

static odim_status find_out(serve_job *job, serve_result *r, const odim_hooks *hooks, odim_error *err)
{
    double start = serve_clock();
    if (!(r->note_list = od_alloc(r->notes.count + 1, sizeof *r->note_list))) return od_fail_nomem(err);
    for (size_t i = 0; i < r->notes.count; i++) r->note_list[i] = od_strlist_at(&r->notes, i);
    pthread_mutex_lock(&job->lock);
    double fit_seconds = start - job->started;
    pthread_mutex_unlock(&job->lock);
    r->work_seconds = fit_seconds;
    r->report = (cli_report){.path = job->name,
                             .command = r->command,
                             .model = r->model,
                             .table = r->table,
                             .rows = r->rows,
                             .scores = r->scores,
                             .order = r->order,
                             .labels = odim_table_labels(r->table),
                             .threshold = r->threshold,
                             .asked = *job->threshold ? "--threshold" : NULL,
                             .notes = r->note_list,
                             .note_count = (int)r->notes.count,
                             .read_seconds = r->parsed->seconds,
                             .work_seconds = fit_seconds,
                             .params = job->fit,
                             .hooks = hooks};
    job->staged = true;
    job->stage = SERVE_EXPLAINING;
    enter(job, SERVE_EXPLAINING);
    r->has_findings = true;
    odim_status status = cli_findings_make(&r->findings, &r->report, err);
    r->report.hooks = NULL; /* they end with the job */
    r->report.params = NULL;
    r->explain_seconds = serve_clock() - start;
    return status;
}

static odim_status compare(serve_job *job, serve_result *r, serve_problem *why)
{
    if (!job->of) return ODIM_OK;
    r->moved = serve_moved_make(job->of->result, r, job->of->id);
    return r->moved ? ODIM_OK : serve_fail_nomem(why);
}

static odim_status make_result(serve_job *job, serve_result *r, serve_problem *why)
{
    odim_error err;
    const odim_hooks hooks = {.size = sizeof hooks, .progress = on_progress, .note = on_note, .user = job};
    odim_status status = prepare(job, r, why);
    if (status) return status;
    job->making = r;
    enter(job, SERVE_FITTING);
    if ((status = fit(job, r, &hooks, &err))) return serve_fail_error(why, &err);
    if ((status = take_memory(job, 3 * (int64_t)r->model_bytes, why))) return status;
    if ((status = write_command(job, r, why))) return status;
    if ((status = find_out(job, r, &hooks, &err))) return serve_fail_error(why, &err);
    return compare(job, r, why);
}

void serve_job_run(serve_job *job)
{
    serve_problem problem = {0};
    serve_result *r = NULL;
    odim_status status = atomic_load(&job->cancel) ? ODIM_ERR_CANCELLED : read_table(job, &problem);
    if (!status && atomic_load(&job->cancel)) status = ODIM_ERR_CANCELLED;
    if (!status && !(r = od_calloc(1, sizeof *r))) status = serve_fail_nomem(&problem);
    if (!status) status = make_result(job, r, &problem);
    bool cancelled = status && atomic_load(&job->cancel);
    if (status) serve_result_free(r);
    if (job->of) serve_job_release(job->of);
    job->of = NULL;
    job->making = NULL;
    int64_t freed = 0;
    serve_parsed *parsed = NULL;
    pthread_mutex_lock(&job->lock);
    if (status) {
        if (!cancelled) job->error = problem;
        free(job->bytes);
        job->bytes = NULL;
        parsed = job->parsed;
        job->parsed = NULL;
        freed = job->bytes_counted;
        job->bytes_counted = 0;
    } else {
        job->outliers = r->findings.flagged;
        job->result = r;
    }
    serve_job_set_state(job, cancelled ? SERVE_CANCELLED : status ? SERVE_FAILED : SERVE_DONE);
    pthread_mutex_unlock(&job->lock);
    serve_parsed_unref(parsed);
    serve_memory_give(serve_job_memory(job), freed);
}
