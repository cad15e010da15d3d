/* What all requests share. */
#include "serve_app.h"

#include "common/mem.h"
#include "security.h"

bool srv_app_open(srv_app *app, const srv_settings *set)
{
    *app = (srv_app){.set = *set};
    if (set->token_file && !(app->token = srv_token_read(set->token_file))) return false;
    return true;
}

void srv_app_close(srv_app *app)
{
    od_free(app->token);
    app->token = NULL;
}

bool srv_app_hold(srv_app *app, size_t bytes)
{
    size_t before = atomic_fetch_add(&app->held, bytes);
    if (before <= app->set.max_memory && bytes <= app->set.max_memory - before) return true;
    atomic_fetch_sub(&app->held, bytes);
    return false;
}

void srv_app_release(srv_app *app, size_t bytes)
{
    atomic_fetch_sub(&app->held, bytes);
}
