/* Problems: a status, a title and a detail from an error. */
#include "problem.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
    int status;
    const char *title;
    odim_status as;
    int retry_after;
} kinds[] = {{400, "The request is not valid", ODIM_ERR_PARAM, 0},
             {404, "Not found", ODIM_ERR_PARAM, 0},
             {409, "Not in this state", ODIM_ERR_PARAM, 0},
             {413, "Too large", ODIM_ERR_DATA, 0},
             {422, "The file cannot be used", ODIM_ERR_DATA, 0},
             {429, "The queue is full", ODIM_ERR_SYSTEM, 5},
             {499, "Cancelled", ODIM_ERR_CANCELLED, 0},
             {500, "Something failed", ODIM_ERR_SYSTEM, 0},
             {503, "Not available now", ODIM_ERR_NOMEM, 10}};
enum { KINDS = sizeof kinds / sizeof *kinds };

odim_status serve_fail(serve_problem *why, int status, const char *fmt, ...)
{
    char text[sizeof why->detail];
    va_list ap;
    size_t i = 0;
    while (i < KINDS - 1 && kinds[i].status != status) i++;
    if (!why) return kinds[i].as;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    *why = (serve_problem){.status = status, .title = kinds[i].title, .retry_after = kinds[i].retry_after};
    odim_printable(text, why->detail, sizeof why->detail);
    return kinds[i].as;
}

odim_status serve_fail_error(serve_problem *why, const odim_error *err)
{
    int status = 500;
    switch (err->status) {
    case ODIM_ERR_PARAM: status = 400; break;
    case ODIM_ERR_DATA:
    case ODIM_ERR_FORMAT: status = 422; break;
    case ODIM_ERR_CANCELLED: status = 499; break;
    case ODIM_ERR_NOMEM: status = 503; break;
    default: break;
    }
    serve_fail(why, status, "%s", err->msg);
    if (why) {
        why->row = err->row + 1;
        why->column = err->col + 1;
    }
    return err->status;
}

odim_status serve_fail_nomem(serve_problem *why)
{
    return serve_fail(why, 503, "out of memory");
}

void serve_problem_json(const serve_problem *p, const char *key, cli_json *j)
{
    cli_json_begin(j, key, '{');
    cli_json_string(j, "type", "about:blank");
    cli_json_string(j, "title", p->title);
    cli_json_int(j, "status", p->status);
    cli_json_string(j, "detail", p->detail);
    if (p->row > 0) cli_json_int(j, "row", p->row);
    if (p->column > 0) cli_json_int(j, "column", p->column);
    cli_json_end(j);
}
