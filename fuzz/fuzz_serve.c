/*
 * Requests of odim serve, handled without sockets. The input is text: the first line has method and target,
 * lines up to an empty one are headers, the rest is the body. A model "m" is there to score with.
 */
#include <unistd.h>

#include "fuzz.h"
#include "log.h"
#include "routes.h"
#include "verb.h"

const char cli_program[] = "odim", cli_examples[] = "";
const cli_verb *const cli_verbs[] = {NULL};
const cli_verb *cli_verb_find(const char *name)
{
    return name ? NULL : *cli_verbs;
}

static http_app app;

/* A model of a small table. */
static void open_app(void)
{
    static const char csv[] =
        "a,b,city,on\n1,2,Rome,yes\n2,4.1,Oslo,no\n3,6,Rome,yes\n4,8.2,Oslo,no\n5,9.9,Rome,no\n"
        "6,12,Oslo,yes\n7,14,Rome,yes\n8,16,Oslo,no\n";
    char folder[] = "/tmp/odim-fuzz-XXXXXX", path[64];
    odim_table *t;
    odim_model *m;
    odim_params *params = odim_params_new();
    MUST(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/m.odim", folder);
    MUST(params && odim_params_set(params, "method", "hbos", NULL) == ODIM_OK);
    MUST(odim_table_read_memory(&t, csv, sizeof csv - 1, NULL, NULL, NULL) == ODIM_OK);
    MUST(odim_fit(t, params, NULL, &m, NULL) == ODIM_OK && odim_model_save(m, path, NULL) == ODIM_OK);
    odim_model_free(m);
    odim_table_free(t);
    odim_params_free(params);
    cli_log_mute();
    const http_settings set = {.models = folder,
                               .max_upload = 1 << 20,
                               .max_memory = 1 << 26,
                               .threads = 1,
                               .jobs = 1,
                               .request_seconds = 60};
    MUST(http_app_open(&app, &set));
    /* From here on models are in memory only: nothing that is sent may reach the disk. */
    unlink(path);
    rmdir(folder);
}

/* Takes the text up to a character, which it replaces by '\0'. */
static char *take(char **text, char until)
{
    char *start = *text, *end = strchr(start, until);
    if (end) *end = '\0';
    *text = end ? end + 1 : start + strlen(start);
    return start;
}

static void take_headers(http_request *r, char **text)
{
    const char **const places[] = {&r->host,          &r->origin,       &r->fetch_site,
                                   &r->authorization, &r->content_type, &r->accept};
    static const char *const names[] = {"Host",          "Origin",       "Sec-Fetch-Site",
                                        "Authorization", "Content-Type", "Accept"};
    for (char *line; *(line = take(text, '\n'));)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (strncmp(line, names[i], strlen(names[i])) == 0 && line[strlen(names[i])] == ':')
                *places[i] = line + strlen(names[i]) + 1 + (line[strlen(names[i]) + 1] == ' ');
}

static void check_answer(http_response *a)
{
    MUST(a->status >= 200 && a->status < 600 && *http_reason(a->status));
    if (a->status >= 400) {
        const char *body = a->fixed ? a->fixed : a->body.bytes;
        MUST(strcmp(a->type, "application/problem+json") == 0 && strncmp(body, "{\"type\": ", 9) == 0);
        for (const char *p = body; *p; p++) MUST((unsigned char)*p >= 32 || *p == '\n');
    }
    for (const char *p = a->attachment; *p; p++) MUST(*p > 32 && *p < 127 && *p != '"' && *p != '\\');
    http_response_free(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!app.models) open_app();
    char *text = malloc(size + 1), *at = text;
    http_request r = {0};
    http_response a = {0};
    memcpy(text, data, size);
    text[size] = '\0';
    r.method = take(&at, ' ');
    const char *target = take(&at, '\n');
    take_headers(&r, &at);
    int bad = http_request_parse(&r, target);
    const http_route *route = NULL;
    if (bad)
        http_problem(&a, bad, "the target");
    else
        route = http_route_admit(&app, &r, &a);
    size_t left = size - (size_t)(at - text);
    /* Jobs would go on after the input, and the model must stay. */
    bool lasting = route && ((route->group == HTTP_GROUP_JOBS && strcmp(route->method, "POST") == 0) ||
                             (route->group == HTTP_GROUP_MODELS && strcmp(route->method, "DELETE") == 0));
    if (route && left <= http_route_body_most(&app, route) && !lasting) {
        http_text_add(&r.body, at, left);
        http_route_answer(&app, route, &r, &a);
    } else if (route) {
        http_problem(&a, 413, "too long");
    }
    check_answer(&a);
    http_request_free(&r);
    free(text);
    return 0;
}
