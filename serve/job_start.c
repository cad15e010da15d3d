/* Starts jobs: on a table, on a file that was sent, and on what a job has learned. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "job_state.h"

/* ---- parameters ------------------------------------------------------------------------------------- */

static odim_status set_threshold(serve_job *job, const char *text, serve_problem *why)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !isfinite(value) || strlen(text) >= sizeof job->threshold)
        return serve_fail(why, 400, "threshold must be a number, not '%s'", text);
    memcpy(job->threshold, text, strlen(text) + 1);
    return ODIM_OK;
}

/* The memory of a fit is not counted, so networks of a size that nobody needs for tables are refused. */
static odim_status check_sizes(odim_params *params, serve_problem *why)
{
    static const struct {
        const char *name;
        long most;
    } limits[] = {{"hidden", 1024},     {"latent", 1024}, {"samples", 1000}, {"score-samples", 1000},
                  {"score-pool", 1000}, {"batch", 65536}, {"trees", 5000}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        const char *at = odim_params_get(params, limits[i].name);
        while (at && *at) { /* a list of numbers, or a word */
            char *end;
            if (strtol(at, &end, 10) > limits[i].most)
                return serve_fail(why, 400, "%s must be at most %ld here; the command has no such limit",
                                  limits[i].name, limits[i].most);
            at = strchr(end, ',');
            if (at) at++;
        }
    }
    return ODIM_OK;
}

/* The parameters of the fit, checked. The server decides how many threads there are at most. */
static odim_status set_params(serve_job *job, const od_strlist *pairs, serve_problem *why)
{
    odim_error err;
    char most[24];
    int threads = serve_tables_limits(serve_job_tables(job))->threads;
    if (!(job->fit = odim_params_new())) return serve_fail_nomem(why);
    for (size_t i = 0; i + 1 < pairs->count; i += 2) {
        const char *name = od_strlist_at(pairs, i), *value = od_strlist_at(pairs, i + 1);
        odim_status status = ODIM_OK;
        if (strcmp(name, "threshold") == 0)
            status = set_threshold(job, value, why);
        else if (odim_params_set(job->fit, name, value, &err))
            status = serve_fail_error(why, &err);
        for (size_t k = 0; !status && k < 2; k++) {
            const char *text = k ? value : name;
            if (od_strlist_add(&job->params, text, strlen(text), &err)) status = serve_fail_error(why, &err);
        }
        if (status) return status;
    }
    if (*job->threshold && strcmp(odim_params_get(job->fit, "contamination"), "auto") != 0)
        return serve_fail(why, 400, "contamination and threshold both define what an outlier is: use one");
    odim_status status = check_sizes(job->fit, why);
    if (status) return status;
    long asked = strtol(odim_params_get(job->fit, "threads"), NULL, 10);
    if (threads <= 0) return ODIM_OK;
    snprintf(most, sizeof most, "%d", asked > 0 && asked < threads ? (int)asked : threads);
    return odim_params_set(job->fit, "threads", most, &err) ? serve_fail_error(why, &err) : ODIM_OK;
}

/* Starts the job or, after a failure, frees it. */
static odim_status start_job(serve_jobs *j, serve_job *job, odim_status status, char id[SERVE_ID],
                             serve_text *out, serve_problem *why)
{
    *out = (serve_text){0};
    *id = '\0';
    if (!status) status = serve_job_enqueue(j, job, why);
    if (!status) {
        memcpy(id, job->id, SERVE_ID);
        status = serve_jobs_status(j, id, out, why);
    }
    if (job) serve_job_release(job);
    return status;
}

odim_status serve_jobs_detect(serve_jobs *j, const char *body, size_t size, char id[SERVE_ID],
                              serve_text *out, serve_problem *why)
{
    serve_request request = {0};
    serve_job *job;
    odim_status status = serve_job_new(&job, j, why);
    if (!status) status = serve_request_parse(&request, body, size, why);
    if (!status && !*request.table) status = serve_fail(why, 400, "'table' is missing: the id of a table");
    if (!status) status = set_params(job, &request.params, why);
    if (!status)
        status =
            serve_tables_find(serve_job_tables(job), request.table,
                              request.has_options ? &request.options : NULL, &job->parsed, &job->name, why);
    if (!status) {
        memcpy(job->table, request.table, sizeof job->table);
        status =
            serve_options_copy(&job->options, job->parsed ? &job->parsed->options : &request.options, why);
    }
    serve_request_free(&request);
    return start_job(j, job, status, id, out, why);
}

odim_status serve_jobs_detect_file(serve_jobs *j, const char *name, void *bytes, size_t size,
                                   const serve_setting *settings, int count, char id[SERVE_ID],
                                   serve_text *out, serve_problem *why)
{
    serve_request request = {0};
    serve_job *job;
    odim_status status = serve_job_new(&job, j, why);
    if (status) free(bytes);
    if (!status) {
        job->bytes = bytes;
        job->size = size;
        status = serve_memory_take(serve_job_memory(job), (int64_t)size, why);
        if (!status) job->bytes_counted = (int64_t)size;
    }
    for (int i = 0; !status && i < count; i++)
        status = serve_request_set(&request, settings[i].name, settings[i].value, why);
    if (!status) status = set_params(job, &request.params, why);
    if (!status && !(job->name = serve_name(name))) status = serve_fail_nomem(why);
    if (!status) {
        job->options = request.options;
        request.options = (serve_options){0};
    }
    serve_request_free(&request);
    return start_job(j, job, status, id, out, why);
}

/* ---- learning --------------------------------------------------------------------------------------- */

/* What a job knows: its table's knowledge, and what the client has said of rows. */
static odim_status learn_rows(serve_job *job, const serve_result *r, const serve_request *request,
                              serve_problem *why)
{
    const int8_t *before = odim_table_known(r->table), *table = odim_table_known(r->parsed->table);
    if (!(job->known = od_alloc((size_t)r->rows, 1))) return serve_fail_nomem(why);
    int8_t *named = od_calloc((size_t)r->rows, 1);
    if (!named) return serve_fail_nomem(why);
    odim_status status = ODIM_OK;
    for (int64_t i = 0; i < r->rows; i++) job->known[i] = before ? before[i] : -1;
    for (int said = 0; said < SERVE_SAID; said++) {
        for (size_t k = 0; !status && k < request->count[said]; k++) {
            int64_t number = request->rows[said][k], row = serve_result_find(r, number);
            if (row < 0) {
                status = serve_fail(why, 400, "there is no row %lld", (long long)number);
            } else if (named[row] && named[row] != said + 1) {
                status = serve_fail(why, 400, "row %lld is named as two different things", (long long)number);
            } else {
                named[row] = (int8_t)(said + 1);
                job->known[row] = (int8_t)(said != SERVE_SAID_FORGET ? said : table ? table[row] : -1);
            }
        }
    }
    for (int64_t i = 0; i < r->rows; i++)
        if (job->known[i] >= 0) job->marks[job->known[i]]++;
    od_free(named);
    return status;
}

static odim_status copy_pairs(od_strlist *to, const od_strlist *from, serve_problem *why)
{
    odim_error err;
    for (size_t i = 0; i < from->count; i++) {
        const char *text = od_strlist_at(from, i);
        if (od_strlist_add(to, text, strlen(text), &err)) return serve_fail_error(why, &err);
    }
    return ODIM_OK;
}

/* A job on the same table. */
static odim_status inherit(serve_job *job, serve_job *parent, serve_problem *why)
{
    od_strlist pairs = {0};
    odim_status status = copy_pairs(&pairs, &parent->params, why);
    if (!status) status = set_params(job, &pairs, why);
    if (!status) status = serve_options_copy(&job->options, &parent->options, why);
    if (!status && !(job->name = od_strndup(parent->name, strlen(parent->name))))
        status = serve_fail_nomem(why);
    od_strlist_free(&pairs);
    job->parsed = serve_parsed_ref(parent->parsed);
    memcpy(job->parent, parent->id, sizeof job->parent);
    memcpy(job->table, parent->table, sizeof job->table);
    return status;
}

odim_status serve_jobs_learn(serve_jobs *j, const char *parent_id, const char *body, size_t size,
                             char id[SERVE_ID], serve_text *out, serve_problem *why)
{
    serve_request request = {0};
    serve_job *job = NULL, *parent = serve_job_take(j, parent_id, why);
    *out = (serve_text){0};
    if (!parent) return ODIM_ERR_PARAM;
    odim_status status = serve_job_new(&job, j, why);
    if (!status) status = serve_request_parse(&request, body, size, why);
    if (!status && serve_job_state(parent) != SERVE_DONE)
        status = serve_fail(why, 409, "a job can learn only from one that is done");
    if (!status && !(request.count[0] + request.count[1] + request.count[2]))
        status = serve_fail(why, 400, "name at least one row in 'outliers' or 'inliers'");
    if (!status) status = inherit(job, parent, why);
    if (!status) status = learn_rows(job, parent->result, &request, why);
    serve_request_free(&request);
    if (job && !status) {
        job->of = parent;
        parent = NULL;
    }
    status = start_job(j, job, status, id, out, why);
    if (parent) serve_job_release(parent);
    return status;
}
