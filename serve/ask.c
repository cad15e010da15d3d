/* Parses what a client asks for: a JSON body, or single texts. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "io/json_parse.h"
#include "lists.h"
#include "options.h"

static const char *const said_names[SERVE_SAID] = {"inliers", "outliers", "forget"};

enum { SERVE_OPTION_LENGTH = 4096, SQL_LENGTH = 100000 }; /* bytes of a text */

static int find(const char *const *names, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0) return i;
    return -1;
}

static odim_status add_text(od_strlist *list, const char *text, serve_problem *why)
{
    odim_error err;
    return od_strlist_add(list, text, strlen(text), &err) ? serve_fail_error(why, &err) : ODIM_OK;
}

/* ---- settings --------------------------------------------------------------------------------------- */

static odim_status set_text(serve_options *o, int option, const char *text, serve_problem *why)
{
    size_t len = strlen(text), most = option == SERVE_OPTION_SQL ? SQL_LENGTH : SERVE_OPTION_LENGTH;
    if (len > most) return serve_fail(why, 400, "%s is too long", serve_option_names[option]);
    char *copy = od_strndup(text, len);
    if (!copy) return serve_fail_nomem(why);
    od_free(o->text[option]);
    o->text[option] = copy;
    /* An empty text means that it is not given; for the id it means that there is none. */
    if (!len && option != SERVE_OPTION_ID) {
        od_free(copy);
        o->text[option] = NULL;
    }
    return ODIM_OK;
}

static odim_status set_type(serve_options *o, const char *column, const char *type, serve_problem *why)
{
    odim_type known;
    const char *format;
    if (!cli_list_type(type, &known, &format))
        return serve_fail(why, 400,
                          "column '%s': the type must be numeric, boolean, categorical or time, not '%s'",
                          column, type);
    odim_status status = add_text(&o->types, column, why);
    return status ? status : add_text(&o->types, type, why);
}

static odim_status set_header(serve_options *o, const char *text, serve_problem *why)
{
    bool yes = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
    if (!yes && strcmp(text, "false") != 0 && strcmp(text, "0") != 0)
        return serve_fail(why, 400, "header must be true or false, not '%s'", text);
    o->header = yes ? 1 : -1;
    return ODIM_OK;
}

/* A parameter of the library is checked where it is used. */
static odim_status set_param(serve_request *r, const char *name, const char *value, serve_problem *why)
{
    odim_status status = add_text(&r->params, name, why);
    return status ? status : add_text(&r->params, value, why);
}

/* name=TYPE,... */
static odim_status set_types(serve_options *o, char **items, serve_problem *why)
{
    for (odim_status status; *items; items++) {
        char *sign = strrchr(*items, '=');
        if (!sign) return serve_fail(why, 400, "types: '%s' is not COLUMN=TYPE", *items);
        *sign = '\0';
        if ((status = set_type(o, *items, sign + 1, why))) return status;
    }
    return ODIM_OK;
}

odim_status serve_request_set(serve_request *r, const char *name, const char *value, serve_problem *why)
{
    char words[64], own[64];
    size_t len = strlen(name);
    if (len >= sizeof own) return serve_fail(why, 400, "there is no option '%s'", name);
    for (size_t i = 0; i <= len; i++) {
        own[i] = (char)(name[i] == '-' ? '_' : name[i]);
        words[i] = (char)(name[i] == '_' ? '-' : name[i]);
    }
    int option = find(serve_option_names, SERVE_OPTION_TEXTS, own),
        list = find(serve_list_names, SERVE_LISTS, own);
    bool types = strcmp(own, "types") == 0;
    if (option >= 0) return set_text(&r->options, option, value, why);
    if (strcmp(own, "header") == 0) return set_header(&r->options, value, why);
    if (list < 0 && !types) return set_param(r, words, value, why);
    char **items = cli_list_split(value);
    odim_status status = items ? ODIM_OK : serve_fail_nomem(why);
    if (!status && types) status = set_types(&r->options, items, why);
    for (char **at = items; !status && !types && *at; at++)
        if (**at) status = add_text(&r->options.list[list], *at, why);
    free(items);
    return status;
}

/* ---- JSON ------------------------------------------------------------------------------------------- */

typedef struct parser {
    od_json *json;
    od_json_token token;
    char *text; /* of the token, with an end */
    serve_problem *why;
} parser;

static odim_status next(parser *p)
{
    odim_error err;
    odim_status status = od_json_next(p->json, &p->token, &err);
    od_free(p->text);
    p->text = NULL;
    if (!status && p->token.text && !(p->text = od_strndup(p->token.text, p->token.len)))
        return serve_fail_nomem(p->why);
    if (!status) return ODIM_OK;
    return status == ODIM_ERR_NOMEM ? serve_fail_nomem(p->why)
                                    : serve_fail(p->why, 400, "the body is not JSON: %s", err.msg);
}

static bool is_text(const od_json_token *t)
{
    return t->kind == OD_JSON_STRING || t->kind == OD_JSON_NUMBER || t->kind == OD_JSON_BOOL;
}

static odim_status refuse(parser *p, const char *name, const char *what)
{
    return serve_fail(p->why, 400, "'%s' must be %s", name, what);
}

/* Members of an object that has just begun, each handed to `take` with the first token of its value. */
typedef odim_status take_member(parser *p, serve_request *r, const char *name);

static odim_status parse_members(parser *p, serve_request *r, take_member *take)
{
    odim_status status;
    while (!(status = next(p)) && p->token.kind == OD_JSON_KEY) {
        char *name = od_strndup(p->text, strlen(p->text));
        if (!name) return serve_fail_nomem(p->why);
        status = next(p);
        if (!status) status = take(p, r, name);
        od_free(name);
        if (status) return status;
    }
    return status;
}

static odim_status take_texts(parser *p, od_strlist *list, const char *name)
{
    odim_status status;
    if (p->token.kind != OD_JSON_ARRAY) return refuse(p, name, "an array of texts");
    od_strlist_clear(list);
    while (!(status = next(p)) && p->token.kind != OD_JSON_ARRAY_END) {
        if (!is_text(&p->token)) return refuse(p, name, "an array of texts");
        if ((status = add_text(list, p->text, p->why))) return status;
    }
    return status;
}

static odim_status take_type(parser *p, serve_request *r, const char *name)
{
    if (p->token.kind != OD_JSON_STRING) return refuse(p, name, "the name of a type");
    return set_type(&r->options, name, p->text, p->why);
}

static odim_status take_option(parser *p, serve_request *r, const char *name)
{
    int option = find(serve_option_names, SERVE_OPTION_TEXTS, name),
        list = find(serve_list_names, SERVE_LISTS, name);
    if (p->token.kind == OD_JSON_NULL) return ODIM_OK;
    if (option >= 0)
        return is_text(&p->token) ? set_text(&r->options, option, p->text, p->why)
                                  : refuse(p, name, "a text");
    if (list >= 0) return take_texts(p, &r->options.list[list], name);
    if (strcmp(name, "header") == 0)
        return is_text(&p->token) ? set_header(&r->options, p->text, p->why)
                                  : refuse(p, name, "true or false");
    if (strcmp(name, "types") != 0) return serve_fail(p->why, 400, "there is no option '%s'", name);
    if (p->token.kind != OD_JSON_OBJECT) return refuse(p, name, "an object of columns and their types");
    return parse_members(p, r, take_type);
}

static odim_status take_param(parser *p, serve_request *r, const char *name)
{
    if (p->token.kind == OD_JSON_NULL) return ODIM_OK;
    if (!is_text(&p->token)) return refuse(p, name, "a text, a number or a boolean");
    const char *value = p->token.kind != OD_JSON_BOOL ? p->text : strcmp(p->text, "true") == 0 ? "on" : "off";
    return set_param(r, name, value, p->why);
}

static odim_status take_rows(parser *p, serve_request *r, serve_said said)
{
    odim_status status;
    const char *name = said_names[said];
    if (p->token.kind != OD_JSON_ARRAY) return refuse(p, name, "an array of row numbers");
    while (!(status = next(p)) && p->token.kind != OD_JSON_ARRAY_END) {
        char *end;
        errno = 0;
        long long row = p->token.kind == OD_JSON_NUMBER ? strtoll(p->text, &end, 10) : 0;
        if (row < 1 || *end || errno) return refuse(p, name, "an array of row numbers, which begin at 1");
        if (r->count[said] == r->cap[said]) {
            size_t cap = 2 * r->cap[said] + 16;
            int64_t *grown = od_grow(r->rows[said], r->cap[said], cap, sizeof *grown);
            if (!grown) return serve_fail_nomem(p->why);
            r->rows[said] = grown;
            r->cap[said] = cap;
        }
        r->rows[said][r->count[said]++] = row;
    }
    return status;
}

static odim_status take_body(parser *p, serve_request *r, const char *name)
{
    int said = find(said_names, SERVE_SAID, name);
    if (p->token.kind == OD_JSON_NULL) return ODIM_OK;
    if (said >= 0) return take_rows(p, r, (serve_said)said);
    if (strcmp(name, "table") == 0) {
        if (p->token.kind != OD_JSON_STRING) return refuse(p, name, "the id of a table");
        if (p->token.len >= sizeof r->table) return serve_fail(p->why, 404, "there is no such table");
        memcpy(r->table, p->text, p->token.len + 1);
        return ODIM_OK;
    }
    bool options = strcmp(name, "options") == 0;
    if (!options && strcmp(name, "params") != 0)
        return serve_fail(p->why, 400, "the body has an unknown member '%s'", name);
    if (p->token.kind != OD_JSON_OBJECT) return refuse(p, name, "an object");
    r->has_options |= options;
    return parse_members(p, r, options ? take_option : take_param);
}

odim_status serve_request_parse(serve_request *r, const char *body, size_t size, serve_problem *why)
{
    od_source *source = NULL;
    odim_error err;
    parser p = {.why = why};
    odim_status status = od_source_plain(&source, body, size, &err);
    if (!status) status = od_json_open(&p.json, source, &err);
    if (status) serve_fail_error(why, &err);
    if (!status) status = next(&p);
    if (!status && p.token.kind != OD_JSON_OBJECT)
        status = serve_fail(why, 400, "the body must be a JSON object");
    if (!status) status = parse_members(&p, r, take_body);
    if (!status) status = next(&p);
    if (!status && p.token.kind != OD_JSON_END)
        status = serve_fail(why, 400, "the body must be one JSON object");
    od_free(p.text);
    if (p.json) od_json_close(p.json);
    if (source) od_source_close(source);
    return status;
}

void serve_request_free(serve_request *r)
{
    serve_options_free(&r->options);
    od_strlist_free(&r->params);
    for (int i = 0; i < SERVE_SAID; i++) od_free(r->rows[i]);
    *r = (serve_request){0};
}
