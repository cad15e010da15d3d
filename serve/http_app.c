/* What all requests share. */
#include "http_app.h"

#include "common/mem.h"
#include "log.h"
#include "security.h"

static bool open_jobs(http_app *app)
{
    const serve_limits limits = {.memory = (int64_t)(app->set.max_memory / 2), .workers = app->set.jobs};
    serve_problem why;
    if (serve_tables_new(&app->tables, &limits, &why) == ODIM_OK &&
        serve_jobs_new(&app->jobs, app->tables, &why) == ODIM_OK)
        return true;
    cli_log("%s", why.detail);
    return false;
}

bool http_app_open(http_app *app, const http_settings *set)
{
    *app = (http_app){.set = *set};
    if (set->token_file && !(app->token = http_token_read(set->token_file))) return false;
    if (set->access_log) app->log = http_log_open(set->access_log);
    if (!set->access_log || app->log) app->models = http_models_open(set->models);
    if (app->models && open_jobs(app)) return true;
    http_app_close(app);
    return false;
}

void http_app_close(http_app *app)
{
    serve_jobs_free(app->jobs);
    serve_tables_free(app->tables);
    http_log_close(app->log);
    app->log = NULL;
    http_models_close(app->models);
    app->models = NULL;
    od_free(app->token);
    app->token = NULL;
}

bool http_app_hold(http_app *app, size_t bytes)
{
    size_t most = app->set.max_memory / 2, before = atomic_fetch_add(&app->held, bytes);
    if (before <= most && bytes <= most - before) return true;
    atomic_fetch_sub(&app->held, bytes);
    return false;
}

void http_app_release(http_app *app, size_t bytes)
{
    atomic_fetch_sub(&app->held, bytes);
}
