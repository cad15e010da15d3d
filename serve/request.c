/* Takes targets, queries and media types of requests apart. */
#include "request.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/mem.h"

static int hex(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* Decodes up to `end` in place and ends it with '\0'. False: a bad escape or a control character. */
static bool decode(char *text, char *end, bool plus)
{
    char *out = text;
    for (char *in = text; in < end; in++) {
        int c = (unsigned char)*in;
        if (c == '%') {
            int high = end - in > 2 ? hex(in[1]) : -1, low = high >= 0 ? hex(in[2]) : -1;
            if (low < 0) return false;
            c = high * 16 + low;
            in += 2;
        } else if (plus && c == '+') {
            c = ' ';
        }
        if (c < 0x20 || c == 0x7F) return false;
        *out++ = (char)c;
    }
    *out = '\0';
    return true;
}

static bool parse_query(http_request *r, char *at)
{
    for (char *next; at; at = next) {
        next = strchr(at, '&');
        char *end = next ? next++ : at + strlen(at), *equals = memchr(at, '=', (size_t)(end - at));
        if (end == at) continue;
        if (r->query_count == HTTP_QUERY_MOST) return false;
        http_pair *pair = &r->query[r->query_count++];
        *pair = (http_pair){at, ""};
        if (equals && !decode(equals + 1, end, true)) return false;
        if (equals) pair->value = equals + 1;
        if (!decode(at, equals ? equals : end, true)) return false;
    }
    return true;
}

int http_request_parse(http_request *r, const char *target)
{
    size_t len = strlen(target);
    if (len > HTTP_TARGET_MOST) return 414;
    if (*target != '/') return 400;
    r->decoded = od_strndup(target, len);
    if (!r->decoded) return 503;
    char *query = strchr(r->decoded, '?');
    char *end = query ? query++ : r->decoded + len;
    r->path = r->decoded;
    return decode(r->path, end, false) && parse_query(r, query) ? 0 : 400;
}

void http_request_free(http_request *r)
{
    od_free(r->decoded);
    http_text_free(&r->body);
    *r = (http_request){0};
}

const char *http_query(const http_request *r, const char *name)
{
    for (int i = 0; i < r->query_count; i++)
        if (strcmp(r->query[i].name, name) == 0) return r->query[i].value;
    return NULL;
}

/* The parts are texts of their own: the slashes behind them become '\0', but only if everything fits. */
bool http_path_matches(http_request *r, const char *pattern)
{
    char *at = r->path, *ends[HTTP_PARTS_MOST];
    const char *parts[HTTP_PARTS_MOST];
    int count = 0;
    while (*pattern) {
        if (strncmp(pattern, "{}", 2) == 0) {
            size_t len = strcspn(at, "/");
            if (len == 0 || count == HTTP_PARTS_MOST) return false;
            parts[count] = at;
            at += len;
            ends[count++] = at;
            pattern += 2;
        } else if (*at++ != *pattern++) {
            return false;
        }
    }
    if (*at) return false;
    for (int i = 0; i < count; i++) {
        r->parts[i] = parts[i];
        *ends[i] = '\0';
    }
    return true;
}

bool http_name_is_fit(const char *name)
{
    static const char fit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
    size_t len = strspn(name, fit);
    return len > 0 && len <= HTTP_NAME_MOST && !name[len] && name[0] != '.';
}

/* ---- media types ----------------------------------------------------------------------------------- */

static size_t trim(const char **text, size_t len)
{
    while (len && (**text == ' ' || **text == '\t')) (*text)++, len--;
    while (len && ((*text)[len - 1] == ' ' || (*text)[len - 1] == '\t')) len--;
    return len;
}

bool http_type_is(const char *content_type, const char *type)
{
    if (!content_type) return false;
    size_t len = strcspn(content_type, ";");
    len = trim(&content_type, len);
    return len == strlen(type) && strncasecmp(content_type, type, len) == 0;
}

/* How closely a range such as text/x, text/x* or any matches: 3, 2, 1; 0: it does not. */
static int match_range(const char *range, size_t len, const char *type)
{
    size_t major = strcspn(type, "/") + 1;
    if (len == strlen(type) && strncasecmp(range, type, len) == 0) return 3;
    if (len == major + 1 && range[major] == '*' && strncasecmp(range, type, major) == 0) return 2;
    return len == 3 && strncmp(range, "*/*", 3) == 0 ? 1 : 0;
}

/* A quality such as 0.85 in thousandths; what cannot be read is 0. */
static int parse_quality(const char *text, size_t len)
{
    int value = len && text[0] == '1' ? 1000 : 0, unit = 100;
    if (value || len < 2 || text[0] != '0' || text[1] != '.') return value;
    for (size_t i = 2; i < len && unit && text[i] >= '0' && text[i] <= '9'; i++, unit /= 10)
        value += (text[i] - '0') * unit;
    return value;
}

/* The parameter q in thousandths; 1000 if there is none. `params` begins with a semicolon. */
static int quality(const char *params, const char *end)
{
    while (params < end) {
        const char *at = params + 1, *next = memchr(at, ';', (size_t)(end - at));
        size_t len = trim(&at, (size_t)((next ? next : end) - at));
        if (len > 2 && (at[0] == 'q' || at[0] == 'Q') && at[1] == '=') return parse_quality(at + 2, len - 2);
        params = next ? next : end;
    }
    return 1000;
}

/* The quality of one type, by the range that matches it most closely. */
static int quality_of(const char *accept, const char *type)
{
    int best = 0, value = 0;
    while (*accept) {
        size_t len = strcspn(accept, ",");
        const char *end = accept + len, *params = memchr(accept, ';', len), *range = accept;
        size_t name = trim(&range, (size_t)((params ? params : end) - accept));
        int closeness = match_range(range, name, type);
        if (closeness > best) {
            best = closeness;
            value = params ? quality(params, end) : 1000;
        }
        accept = *end ? end + 1 : end;
    }
    return value;
}

int http_accept(const char *accept, const char *const *types, int count)
{
    int best = -1, most = 0;
    if (!accept || !*accept) return 0;
    for (int i = 0; i < count; i++) {
        int value = quality_of(accept, types[i]);
        if (value > most) {
            most = value;
            best = i;
        }
    }
    return best;
}
