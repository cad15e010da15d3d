/* Says which columns of a JSON file are used, and whether it can be read twice. */
#include "prep/json_input.h"

#include <string.h>
#include <strings.h>

#include "common/mem.h"
#include "io/json_rows.h"

static const unsigned char *skip(const unsigned char *p, const unsigned char *end)
{
    while (p < end && (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n')) p++;
    return p;
}

bool od_json_is(const unsigned char *bytes, size_t len)
{
    const unsigned char *p = bytes, *end = bytes + len;
    if (len >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0) p += 3;
    p = skip(p, end);
    if (p == end || (*p != '[' && *p != '{')) return false;
    if (*p == '[') {
        p = skip(p + 1, end);
        if (p < end && *p == ']') return skip(p + 1, end) == end;
        if (p < end && *p != '{') return false;
    }
    if (p == end) return true;
    p = skip(p + 1, end);
    if (p == end || *p == '}') return true;
    if (*p != '"') return false;
    for (p++; p < end && *p != '"'; p++) {
        if (*p < ' ') return false;
        if (*p == '\\') p++;
    }
    if (p >= end) return true;
    p = skip(p + 1, end);
    return p == end || *p == ':';
}

od_format od_json_format(const char *name, od_format other)
{
    static const struct {
        const char *end;
        od_format format;
    } known[] = {
        {".json", OD_FORMAT_JSON}, {".jsonl", OD_FORMAT_JSON_LINES}, {".ndjson", OD_FORMAT_JSON_LINES}};
    static const char *const packed[] = {".gz", ".xz", ".zst", ".bz2"};
    size_t len = strlen(name), n;
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
        if (len > (n = strlen(packed[i])) && strncasecmp(name + len - n, packed[i], n) == 0) len -= n;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (len > (n = strlen(known[i].end)) && strncasecmp(name + len - n, known[i].end, n) == 0)
            return known[i].format;
    return other;
}

/* The columns that a model reads, in a list that ends with NULL. The names belong to the model. */
static odim_status list_needed(const od_schema *like, const char ***out, odim_error *err)
{
    size_t n = 0;
    const char **list = *out = od_calloc((size_t)like->cols + 1, sizeof *list);
    if (!list) return od_fail_nomem(err);
    for (int64_t k = 0; k < like->cols; k++)
        if (!like->col[k].ignored) list[n++] = like->col[k].name;
    return ODIM_OK;
}

odim_status od_json_input(od_records **out, const od_table_input *in, odim_error *err)
{
    const odim_read_options *o = in->options;
    const char **needed = NULL;
    size_t stored;
    odim_status status = in->like ? list_needed(in->like, &needed, err) : ODIM_OK;
    od_source_packed(in->src, &stored); /* 0: it is a pipe */
    od_json_options options = {.lines = in->format == OD_FORMAT_JSON_LINES,
                               .ahead = !in->like || stored || od_source_size(in->src),
                               .ignore = o->ignore,
                               .needed = needed};
    /* A few packed bytes may stand for more text than memory can hold. */
    od_source_limit(in->src, od_mem_limit(o->unpacked));
    *out = NULL;
    if (!status && options.ahead) status = od_source_hold(in->src, err);
    if (!status) status = od_json_rows_open(out, in->src, &options, err);
    od_free((void *)needed);
    return status;
}
