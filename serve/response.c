/* The response to a request, and errors as problem+json. */
#include "response.h"

#include <stdarg.h>
#include <stdio.h>

const char http_json_type[] = "application/json";

static const struct {
    int status;
    const char *reason;
} reasons[] = {{200, "OK"},
               {201, "Created"},
               {202, "Accepted"},
               {204, "No Content"},
               {400, "Bad Request"},
               {401, "Unauthorized"},
               {403, "Forbidden"},
               {404, "Not Found"},
               {405, "Method Not Allowed"},
               {406, "Not Acceptable"},
               {408, "Request Timeout"},
               {409, "Conflict"},
               {413, "Content Too Large"},
               {414, "URI Too Long"},
               {415, "Unsupported Media Type"},
               {422, "Unprocessable Content"},
               {429, "Too Many Requests"},
               {500, "Internal Server Error"},
               {503, "Service Unavailable"},
               {507, "Insufficient Storage"}};

const char *http_reason(int status)
{
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (reasons[i].status == status) return reasons[i].reason;
    return "";
}

void http_begin(http_response *a, int status, const char *type)
{
    http_response_free(a);
    a->status = status;
    a->type = type;
}

static void write_problem(http_response *a, const serve_problem *why)
{
    http_begin(a, why->status, "application/problem+json");
    http_text *t = &a->body;
    http_text_puts(t, "{\"type\": \"about:blank\", \"title\": ");
    http_text_json(t, why->title);
    http_text_printf(t, ", \"status\": %d, \"detail\": ", why->status);
    http_text_json(t, why->detail);
    if (why->row > 0) http_text_printf(t, ", \"row\": %lld", (long long)why->row);
    if (why->column > 0) http_text_printf(t, ", \"column\": %lld", (long long)why->column);
    http_text_puts(t, "}\n");
    a->retry_after = why->retry_after;
    http_finish(a);
}

void http_problem_of(http_response *a, const serve_problem *why)
{
    serve_problem own = *why;
    if (own.status == 499) own.status = 503; /* cancelled, since the server stops */
    if ((own.status == 429 || own.status == 503) && !own.retry_after) own.retry_after = 1;
    write_problem(a, &own);
}

void http_problem_at(http_response *a, int status, int64_t row, int64_t column, const char *detail)
{
    serve_problem why = {.status = status, .title = http_reason(status), .row = row, .column = column};
    snprintf(why.detail, sizeof why.detail, "%s", detail);
    http_problem_of(a, &why);
}

void http_give(http_response *a, int status, const char *type, serve_text *text)
{
    http_begin(a, status, type);
    a->body = (http_text){.bytes = text->bytes, .size = text->size, .room = text->size + 1};
    *text = (serve_text){0};
}

void http_problem(http_response *a, int status, const char *fmt, ...)
{
    char raw[512], detail[640];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(raw, sizeof raw, fmt, ap);
    va_end(ap);
    http_problem_at(a, status, 0, 0, odim_printable(raw, detail, sizeof detail));
}

int http_status_of(odim_status status)
{
    switch (status) {
    case ODIM_OK: return 200;
    case ODIM_ERR_FORMAT:
    case ODIM_ERR_DATA: return 422;
    case ODIM_ERR_PARAM: return 400;
    case ODIM_ERR_NOMEM:
    case ODIM_ERR_SYSTEM:
    case ODIM_ERR_CANCELLED: return 503;
    default: return 500;
    }
}

void http_problem_error(http_response *a, const odim_error *err)
{
    http_problem_at(a, http_status_of(err->status), err->row + 1, err->col + 1, err->msg);
}

void http_finish(http_response *a)
{
    if (!a->body.failed) return;
    static const char text[] = "{\"type\": \"about:blank\", \"title\": \"Service Unavailable\", \"status\": "
                               "503, \"detail\": \"out of memory\"}\n";
    http_begin(a, 503, "application/problem+json");
    a->fixed = text;
    a->fixed_size = sizeof text - 1;
    a->retry_after = 1;
}

void http_response_free(http_response *a)
{
    if (a->stream.close) a->stream.close(a->stream.state);
    http_text_free(&a->body);
    *a = (http_response){0};
}
