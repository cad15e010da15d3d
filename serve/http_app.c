/* What all requests share. */
#include "http_app.h"

#include "common/mem.h"
#include "security.h"

bool http_app_open(http_app *app, const http_settings *set)
{
    *app = (http_app){.set = *set};
    if (set->token_file && !(app->token = http_token_read(set->token_file))) return false;
    if (set->access_log) app->log = http_log_open(set->access_log);
    if (!set->access_log || app->log) app->models = http_models_open(set->models);
    if (app->models) return true;
    http_app_close(app);
    return false;
}

void http_app_close(http_app *app)
{
    http_log_close(app->log);
    app->log = NULL;
    http_models_close(app->models);
    app->models = NULL;
    od_free(app->token);
    app->token = NULL;
}

bool http_app_hold(http_app *app, size_t bytes)
{
    size_t before = atomic_fetch_add(&app->held, bytes);
    if (before <= app->set.max_memory && bytes <= app->set.max_memory - before) return true;
    atomic_fetch_sub(&app->held, bytes);
    return false;
}

void http_app_release(http_app *app, size_t bytes)
{
    atomic_fetch_sub(&app->held, bytes);
}
