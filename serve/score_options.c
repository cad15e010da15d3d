/* What a request to score rows asks for. */
#include "score_options.h"

#include <stdlib.h>
#include <string.h>

#include "common/numtext.h"

static const char *const types[HTTP_FORMATS] = {"text/csv", "application/json", "application/x-ndjson"};

static const struct {
    const char *type, *format;
    http_format as;
} inputs[] = {{"text/csv", "csv", HTTP_CSV},
              {"text/tab-separated-values", "tsv", HTTP_CSV},
              {"application/json", "json", HTTP_JSON},
              {"application/x-ndjson", "jsonl", HTTP_JSONL},
              {"application/jsonl", "jsonl", HTTP_JSONL},
              {"application/x-npy", "npy", HTTP_CSV}};

static bool fail(http_response *a, const char *name, const char *what, const char *value)
{
    http_problem(a, 400, "%s must be %s, not '%s'", name, what, value);
    return false;
}

static bool take_count(const http_request *r, const char *name, int64_t most, int64_t *out, http_response *a)
{
    const char *text = http_query(r, name);
    if (!text) return true;
    size_t len = strspn(text, "0123456789");
    *out = len && len < 10 && !text[len] ? strtoll(text, NULL, 10) : most + 1;
    if (*out <= most) return true;
    char what[64];
    snprintf(what, sizeof what, "a number from 0 to %lld", (long long)most);
    return fail(a, name, what, text);
}

static bool take_number(const http_request *r, const char *name, double *out, http_response *a)
{
    const char *text = http_query(r, name);
    return !text || od_num_parse(text, strlen(text), out) == OD_NUM_OK || fail(a, name, "a number", text);
}

static bool take_flag(const http_request *r, const char *name, int *out, http_response *a)
{
    const char *text = http_query(r, name);
    if (text && strcmp(text, "0") != 0 && strcmp(text, "1") != 0) return fail(a, name, "0 or 1", text);
    if (text) *out = *text == '1';
    return true;
}

static bool take_bad_rows(const http_request *r, odim_bad_rows *out, http_response *a)
{
    static const char *const words[] = {"stop", "skip", "call"};
    const char *text = http_query(r, "bad_rows");
    for (int i = 0; text && i < 3; i++)
        if (strcmp(text, words[i]) == 0) *out = (odim_bad_rows)i;
    return !text || strcmp(words[*out], text) == 0 || fail(a, "bad_rows", "stop, skip or call", text);
}

static bool check_names(const http_request *r, http_response *a)
{
    static const char *const names[] = {"reasons", "threshold", "raw_scores", "bad_rows", "id", "table"};
    for (int i = 0; i < r->query_count; i++) {
        size_t k = 0;
        while (k < sizeof names / sizeof *names && strcmp(names[k], r->query[i].name) != 0) k++;
        if (k < sizeof names / sizeof *names) continue;
        http_problem(a, 400, "unknown parameter '%s'", r->query[i].name);
        return false;
    }
    return true;
}

static bool take_formats(http_score *s, const http_request *r, http_response *a)
{
    int own = -1; /* the format of the body, as announced */
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        if (!http_type_is(r->content_type, inputs[i].type)) continue;
        own = (int)inputs[i].as;
        s->reading.format = inputs[i].format;
    }
    int any = http_accept(r->accept, types, HTTP_FORMATS);
    if (any < 0) {
        http_problem(a, 406, "the response can be text/csv, application/json or application/x-ndjson");
        return false;
    }
    /* What the body is, if that is among the best. */
    s->by_content = !r->accept || !*r->accept || strstr(r->accept, "*/*");
    s->format = (http_format)any;
    if (s->by_content && own >= 0) {
        s->format = (http_format)own;
        s->by_content = false;
    }
    return true;
}

bool http_score_options(http_score *s, const http_request *r, http_response *a)
{
    s->threshold = odim_model_threshold(s->model->model);
    s->reading = (odim_read_options){.size = sizeof s->reading, .like = s->model->model, .threads = 1};
    s->reading.id = http_query(r, "id");
    if (!check_names(r, a) || !take_count(r, "reasons", CLI_REASONS_MAX, &s->set.explain, a) ||
        !take_number(r, "threshold", &s->threshold, a) ||
        !take_flag(r, "raw_scores", &s->set.raw_scores, a) || !take_flag(r, "table", &s->set.keep, a) ||
        !take_bad_rows(r, &s->reading.bad_rows, a) || !take_formats(s, r, a))
        return false;
    s->reading.keep = s->set.keep;
    s->set.output_format = s->format == HTTP_CSV ? "csv" : "jsonl";
    return true;
}

bool http_score_is_single(const char *body, size_t size)
{
    int depth = 0, objects = 0;
    bool text = false;
    for (size_t i = 0; i < size; i++) {
        char c = body[i];
        if (text) {
            if (c == '\\') i++;
            if (c == '"') text = false;
        } else if (c == '"') {
            text = true;
        } else if (c == '[' && depth <= 1) {
            return false;
        } else if (c == '{' || c == '[') {
            if (depth++ == 0 && ++objects > 1) return false;
        } else if (c == '}' || c == ']') {
            depth--;
        }
    }
    return objects == 1;
}

void http_score_see(http_score *s, const char *body, size_t size)
{
    if (!s->by_content) return;
    s->by_content = false;
    size_t at = 0;
    while (at < size && strchr(" \t\r\n", body[at])) at++;
    char first = at < size ? body[at] : 0;
    s->format = first == '[' ? HTTP_JSON : first != '{' ? HTTP_CSV : HTTP_JSON;
    /* Objects one below the other are JSON lines. */
    if (first == '{' && !http_score_is_single(body, size)) {
        const char *end = memchr(body + at, '\n', size - at);
        const char *last = end ? end - 1 : body;
        while (last > body && (*last == '\r' || *last == ' ')) last--;
        if (end && *last == '}') s->format = HTTP_JSONL;
    }
    s->set.output_format = s->format == HTTP_CSV ? "csv" : "jsonl";
}

const char *http_score_type(const http_score *s)
{
    return s->format == HTTP_CSV ? "text/csv; charset=utf-8" : types[s->format];
}
