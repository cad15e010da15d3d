/* The response to a request, and errors as problem+json. */
#include "response.h"

#include <stdarg.h>
#include <stdio.h>

const char srv_json_type[] = "application/json";

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

const char *srv_reason(int status)
{
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (reasons[i].status == status) return reasons[i].reason;
    return "";
}

void srv_begin(srv_response *a, int status, const char *type)
{
    srv_response_free(a);
    a->status = status;
    a->type = type;
}

void srv_problem_at(srv_response *a, int status, int64_t row, int64_t column, const char *detail)
{
    srv_begin(a, status, "application/problem+json");
    srv_text *t = &a->body;
    srv_text_puts(t, "{\"type\": \"about:blank\", \"title\": ");
    srv_text_json(t, srv_reason(status));
    srv_text_printf(t, ", \"status\": %d, \"detail\": ", status);
    srv_text_json(t, detail);
    if (row > 0) srv_text_printf(t, ", \"row\": %lld", (long long)row);
    if (column > 0) srv_text_printf(t, ", \"column\": %lld", (long long)column);
    srv_text_puts(t, "}\n");
    if (status == 429 || status == 503) a->retry_after = 1;
}

void srv_problem(srv_response *a, int status, const char *fmt, ...)
{
    char raw[512], detail[640];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(raw, sizeof raw, fmt, ap);
    va_end(ap);
    srv_problem_at(a, status, 0, 0, odim_printable(raw, detail, sizeof detail));
}

int srv_status_of(odim_status status)
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

void srv_problem_error(srv_response *a, const odim_error *err)
{
    srv_problem_at(a, srv_status_of(err->status), err->row + 1, err->col + 1, err->msg);
}

void srv_finish(srv_response *a)
{
    if (!a->body.failed) return;
    static const char text[] = "{\"type\": \"about:blank\", \"title\": \"Service Unavailable\", \"status\": "
                               "503, \"detail\": \"out of memory\"}\n";
    srv_begin(a, 503, "application/problem+json");
    a->fixed = text;
    a->fixed_size = sizeof text - 1;
    a->retry_after = 1;
}

void srv_response_free(srv_response *a)
{
    if (a->stream.close) a->stream.close(a->stream.state);
    srv_text_free(&a->body);
    *a = (srv_response){0};
}
