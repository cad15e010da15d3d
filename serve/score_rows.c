/* Rows of a request, scored with a model. */
#include "score_rows.h"

#include <string.h>

#include "common/mem.h"
#include "explain_rows.h"
#include "run.h"
#include "score_one.h"

/* ---- blocks ------------------------------------------------------------------------------------------ */

static int is_over(const odim_progress *now, void *user)
{
    const http_score *s = user;
    (void)now;
    return (s->stop && atomic_load(s->stop)) || atomic_load(s->cut) || cli_run_clock() > s->deadline;
}

static odim_status fail_nomem(odim_error *err)
{
    *err = (odim_error){.status = ODIM_ERR_NOMEM, .row = -1, .col = -1, .msg = "out of memory"};
    return ODIM_ERR_NOMEM;
}

static odim_status make_room(http_score_run *run, int64_t rows, odim_error *err)
{
    const cli_output *set = &run->score->set;
    if (rows <= run->room) return ODIM_OK;
    od_free(run->scores);
    od_free(run->raw);
    od_free(run->reasons);
    run->scores = od_alloc((size_t)rows, sizeof *run->scores);
    run->raw = set->raw_scores ? od_alloc((size_t)rows, sizeof *run->raw) : NULL;
    run->reasons = set->explain ? od_alloc((size_t)rows * (size_t)set->explain, sizeof *run->reasons) : NULL;
    run->room = rows;
    bool fine = run->scores && (!set->raw_scores || run->raw) && (!set->explain || run->reasons);
    return fine ? ODIM_OK : fail_nomem(err);
}

/* Reasons of the rows that are outliers; the others have none. */
static odim_status explain(http_score_run *run, const odim_hooks *hooks, odim_error *err)
{
    const cli_results *r = &run->results;
    int64_t n = odim_table_rows(r->table), top = run->score->set.explain, count = 0;
    int64_t *rows = od_alloc((size_t)n, sizeof *rows);
    odim_reason *some = od_alloc((size_t)n * (size_t)top, sizeof *some);
    odim_status status = rows && some ? ODIM_OK : fail_nomem(err);
    for (int64_t i = 0; !status && i < n; i++)
        if (cli_results_is_outlier(r, i)) rows[count++] = i;
    const odim_explain_options which = {.size = sizeof which, .rows = rows, .count = count, .top = (int)top};
    if (!status && count)
        status = cli_explain_rows(r->model, r->table, &which, run->params, hooks, some, err);
    for (int64_t i = 0; !status && i < n * top; i++) run->reasons[i].col = -1;
    for (int64_t k = 0; !status && k < count; k++)
        memcpy(&run->reasons[rows[k] * top], &some[k * top], (size_t)top * sizeof *some);
    od_free(rows);
    od_free(some);
    return status;
}

odim_status http_score_block(http_score_run *run, const odim_table *block, odim_error *err)
{
    const http_score *s = run->score;
    const odim_model *model = s->model->model;
    odim_hooks hooks = {.size = sizeof hooks, .progress = is_over, .user = (void *)s};
    odim_status status = make_room(run, odim_table_rows(block), err);
    if (!status) status = odim_score(model, block, run->params, &hooks, run->scores, err);
    if (!status && run->raw) status = odim_score_raw(model, block, run->params, &hooks, run->raw, err);
    if (status) return status;
    cli_results *r = &run->results;
    r->model = model;
    r->set = &s->set;
    r->threshold = s->threshold;
    r->table = block;
    r->scores = run->scores;
    r->raw = run->raw;
    r->reasons = run->reasons;
    if (run->reasons) status = explain(run, &hooks, err);
    if (status) return status;
    if (!run->rows.columns && !cli_rows_begin(&run->rows, r, run->out, -1)) return fail_nomem(err);
    cli_rows_add(&run->rows, r);
    r->first += odim_table_rows(block);
    return run->out->error ? fail_nomem(err) : ODIM_OK;
}

void http_score_run_free(http_score_run *run)
{
    cli_rows_free(&run->rows);
    od_free(run->scores);
    od_free(run->raw);
    od_free(run->reasons);
}

/* ---- JSON -------------------------------------------------------------------------------------------- */

void http_score_array(const char *lines, size_t size, const char *before, http_text *out)
{
    for (const char *at = lines, *end = lines + size, *next; at < end; at = next) {
        next = memchr(at, '\n', (size_t)(end - at));
        size_t len = (size_t)((next ? next : end) - at);
        http_text_puts(out, before);
        http_text_add(out, at, len);
        before = ",\n";
        next = next ? next + 1 : end;
    }
    http_text_puts(out, size ? "]\n" : "[]\n");
}

/* ---- a whole body ------------------------------------------------------------------------------------- */

/* Messages about bytes in memory begin with a name that says nothing. */
void http_score_trim(odim_error *err, const char *name)
{
    size_t len = strlen(name);
    if (strncmp(err->msg, name, len) == 0 && strncmp(err->msg + len, ": ", 2) == 0)
        memmove(err->msg, err->msg + len + 2, strlen(err->msg + len + 2) + 1);
}

static odim_status score_body(http_score *s, const http_request *r, http_scorer *scorer, bool extra,
                              serve_text *out, int64_t *rows, odim_error *err)
{
    odim_table *table;
    serve_text_out lines;
    odim_status status = odim_table_read_memory(&table, r->body.bytes ? r->body.bytes : "", r->body.size,
                                                NULL, &s->reading, err);
    if (status) {
        http_score_trim(err, "<memory>");
        return status;
    }
    if (serve_text_begin(&lines, NULL)) status = fail_nomem(err);
    http_score_run run = {.score = s, .params = scorer->params, .out = &lines.out};
    *rows = odim_table_rows(table);
    if (!status) status = http_score_block(&run, table, err);
    if (!status && serve_text_end(&lines, out, NULL)) status = fail_nomem(err);
    if (!status && extra && !odim_table_id_name(table))
        http_score_learn(s, scorer, r->body.bytes, r->body.size);
    serve_text_discard(&lines);
    http_score_run_free(&run);
    odim_table_free(table);
    return status;
}

/* By way of a table. */
static void answer_table(http_score *s, const http_request *r, http_scorer *scorer, bool extra,
                         http_response *a)
{
    odim_error err;
    serve_text lines = {0};
    int64_t rows = 0;
    odim_status status = score_body(s, r, scorer, extra, &lines, &rows, &err);
    if (status == ODIM_ERR_CANCELLED) {
        http_problem(a, 503, "scoring takes longer than the server allows");
        return;
    }
    if (status) {
        http_problem_error(a, &err);
        return;
    }
    if (s->format == HTTP_JSON && !(rows == 1 && http_score_is_single(r->body.bytes, r->body.size))) {
        http_begin(a, 200, http_score_type(s));
        http_score_array(lines.bytes, lines.size, "[", &a->body);
    } else {
        http_give(a, 200, http_score_type(s), &lines);
    }
    a->rows = rows;
    serve_text_free(&lines);
}

void http_score_answer(http_score *s, const http_request *r, http_response *a)
{
    const char *body = r->body.bytes ? r->body.bytes : "";
    bool extra;
    http_score_see(s, body, r->body.size);
    http_scorer *scorer = http_scorers_take(s->model->scorers);
    if (!scorer) {
        http_problem(a, 503, "out of memory");
        return;
    }
    http_begin(a, 200, http_score_type(s));
    a->rows = 1;
    if (!http_score_one(s, scorer, body, r->body.size, &a->body, &extra))
        answer_table(s, r, scorer, extra, a);
    http_scorers_return(s->model->scorers, scorer);
}
