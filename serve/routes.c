/* The routes: which function answers which request. */
#include "routes.h"

#include <string.h>
#include <strings.h>

#include "json.h"
#include "page_files.h"
#include "security.h"

static void get_health(srv_app *app, srv_request *r, srv_response *a)
{
    (void)r;
    if (atomic_load(&app->stopping)) {
        srv_problem(a, 503, "the server is stopping");
        return;
    }
    srv_begin(a, 200, srv_json_type);
    srv_text_puts(&a->body, "{\"status\": \"ok\"}\n");
}

static void get_version(srv_app *app, srv_request *r, srv_response *a)
{
    (void)r;
    srv_begin(a, 200, srv_json_type);
    srv_text_printf(&a->body, "{\"version\": \"%s\", \"kernels\": \"%s\", \"threads\": %d}\n", odim_version(),
                    odim_kernels(), app->set.threads);
}

static void get_openapi(srv_app *app, srv_request *r, srv_response *a)
{
    (void)app;
    (void)r;
    srv_begin(a, 200, srv_json_type);
    a->fixed = srv_openapi_json;
    a->fixed_size = strlen(srv_openapi_json);
}

const srv_route srv_routes[] = {
    {"GET", "/healthz", get_health, .open = true},
    {"GET", "/version", get_version, .body = SRV_BODY_NONE},
    {"GET", "/v1/openapi.json", get_openapi, .body = SRV_BODY_NONE},
    {NULL},
};

static void get_file(srv_app *app, srv_request *r, srv_response *a)
{
    (void)app;
    const srv_page_file *file = srv_page_find(r->path);
    srv_begin(a, 200, file->type);
    a->fixed = file->bytes;
    a->fixed_size = strlen(file->bytes);
}

static const srv_route page_route = {"GET", "", get_file, .open = true};

/* A HEAD is a GET whose body is left out later. */
static bool has_method(const srv_request *r, const char *method)
{
    return strcmp(r->method, method) == 0 || (strcmp(r->method, "HEAD") == 0 && strcmp(method, "GET") == 0);
}

static const srv_route *find(srv_request *r, srv_response *a)
{
    const srv_route *same =
        NULL; /* the path of the last one that matched, for which all methods are listed */
    char allow[sizeof a->allow] = "";
    if (srv_page_find(r->path)) {
        if (has_method(r, "GET")) return &page_route;
        strcpy(allow, "GET");
    }
    for (const srv_route *route = srv_routes; route->method; route++) {
        bool match = same ? strcmp(same->path, route->path) == 0 : srv_path_matches(r, route->path);
        if (!match) continue;
        if (has_method(r, route->method)) return route;
        same = route;
        if (*allow) strncat(allow, ", ", sizeof allow - strlen(allow) - 1);
        strncat(allow, route->method, sizeof allow - strlen(allow) - 1);
    }
    if (!*allow) {
        srv_problem(a, 404, "there is no %s", r->path);
        return NULL;
    }
    srv_problem(a, 405, "%s is not possible here, only %s", r->method, allow);
    memcpy(a->allow, allow, sizeof allow);
    return NULL;
}

static bool check_source(const srv_app *app, const srv_request *r, srv_response *a)
{
    if (!srv_host_is_ours(r->host, app->set.hosts)) {
        srv_problem(
            a, 403,
            "the host '%s' is not this server; --host NAME allows a name besides localhost and addresses",
            r->host ? r->host : "");
        return false;
    }
    bool other = r->fetch_site && strcasecmp(r->fetch_site, "cross-site") == 0;
    if (srv_origin_is_ours(r->origin, r->host) && !other) return true;
    srv_problem(a, 403, "requests from pages of another origin are refused");
    return false;
}

const srv_route *srv_route_admit(srv_app *app, srv_request *r, srv_response *a)
{
    if (!check_source(app, r, a)) return NULL;
    bool allowed = !app->token || srv_token_is_given(app->token, r->authorization);
    const srv_route *route = find(r, a);
    /* Without the token nobody learns which paths there are. */
    if (!allowed && !(route && route->open)) {
        srv_problem(a, 401, "a token is needed: Authorization: Bearer TOKEN");
        return NULL;
    }
    if (route && atomic_load(&app->stopping) && route->handle != get_health) {
        srv_problem(a, 503, "the server is stopping");
        return NULL;
    }
    return route;
}

size_t srv_route_body_most(const srv_app *app, const srv_route *route)
{
    return route->body == SRV_BODY_NONE    ? 0
           : route->body == SRV_BODY_SMALL ? SRV_SMALL_MOST
                                           : app->set.max_upload;
}

void srv_route_answer(srv_app *app, const srv_route *route, srv_request *r, srv_response *a)
{
    route->handle(app, r, a);
    srv_finish(a);
}
