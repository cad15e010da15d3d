/* The routes of models: list, look, keep, forget, score. */
#include "routes_models.h"

#include "run.h"
#include "score_rows.h"

void http_models_get_list(http_app *app, http_request *r, http_response *a)
{
    serve_text text;
    serve_problem why;
    (void)r;
    if (http_models_list(app->models, &text, &why))
        http_problem_of(a, &why);
    else
        http_give(a, 200, http_json_type, &text);
}

void http_models_get_one(http_app *app, http_request *r, http_response *a)
{
    static const char *const types[] = {"application/json", "application/octet-stream"};
    serve_text text;
    serve_problem why;
    int type = http_accept(r->accept, types, 2);
    if (type < 0)
        http_problem(a, 406, "a model is application/json or application/octet-stream");
    else if (type == 0 ? http_models_info(app->models, r->parts[0], &text, &why)
                       : http_models_file(app->models, r->parts[0], &text, &why))
        http_problem_of(a, &why);
    else
        http_give(a, 200, types[type], &text);
}

/* The body is the model, or ?job=ID names the job that has it. */
void http_models_put_one(http_app *app, http_request *r, http_response *a)
{
    serve_text text = {0}, bytes = {0};
    serve_problem why;
    bool is_new;
    const char *job = http_query(r, "job");
    if (job && serve_jobs_model(app->jobs, job, &bytes, &why)) {
        http_problem_of(a, &why);
        return;
    }
    const char *from = job ? bytes.bytes : r->body.bytes ? r->body.bytes : "";
    if (http_models_put(app->models, r->parts[0], from, job ? bytes.size : r->body.size, &is_new, &why) ||
        http_models_info(app->models, r->parts[0], &text, &why))
        http_problem_of(a, &why);
    else
        http_give(a, is_new ? 201 : 200, http_json_type, &text);
    serve_text_free(&bytes);
}

void http_models_delete_one(http_app *app, http_request *r, http_response *a)
{
    serve_problem why;
    if (http_models_delete(app->models, r->parts[0], &why))
        http_problem_of(a, &why);
    else
        http_begin(a, 204, NULL);
}

void http_models_score(http_app *app, http_request *r, http_response *a)
{
    serve_problem why;
    http_model *model = http_models_get(app->models, r->parts[0], &why);
    if (!model) {
        http_problem_of(a, &why);
        return;
    }
    http_score s = {.model = model, .deadline = cli_run_clock() + app->set.request_seconds, .cut = &app->cut};
    if (http_score_options(&s, r, a)) http_score_answer(&s, r, a);
    http_models_release(app->models, model);
}
