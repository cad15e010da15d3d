/* Parses XML with expat, piece by piece, within limits. */
#include "io/xml.h"

#include <expat.h>
#include <stddef.h>
#include <string.h>

#include "base/poll.h"
#include "common/mem.h"

#define PIECE ((size_t)32 << 10)
/* Expat keeps a whole tag in memory, and looks at it again with each piece. */
#define TAG_MOST   ((size_t)1 << 20)
#define DEPTH_MOST 64

struct od_xml {
    XML_Parser parser;
    od_source *src;
    const od_xml_handler *handler;
    void *ctx;
    odim_error *err; /* of the call under way */
    odim_status status;
    int depth;
    size_t waiting; /* bytes since the last event */
    bool paused, last;
    char piece[PIECE];
};

/* ---- memory --------------------------------------------------------------------------------------- */

/* Before each block that expat has: its size, which od_grow wants to know. */
typedef union block {
    size_t size;
    max_align_t align;
} block;

static void *give(size_t size)
{
    block *b = size < SIZE_MAX - sizeof *b ? od_alloc(1, sizeof *b + size) : NULL;
    if (!b) return NULL;
    b->size = size;
    return b + 1;
}

static void *resize(void *p, size_t size)
{
    if (!p) return give(size);
    block *b = (block *)p - 1;
    if (size >= SIZE_MAX - sizeof *b) return NULL;
    size_t keep = b->size < size ? b->size : size;
    b = od_grow(b, sizeof *b + keep, sizeof *b + size, 1);
    if (!b) return NULL;
    b->size = size;
    return b + 1;
}

static void take_back(void *p)
{
    if (p) od_free((block *)p - 1);
}

/* ---- events --------------------------------------------------------------------------------------- */

static const char *local_name(const char *name)
{
    const char *colon = strrchr(name, ':');
    return colon ? colon + 1 : name;
}

static void settle(od_xml *x, odim_status status)
{
    if (!status) return;
    x->status = status;
    XML_StopParser(x->parser, XML_FALSE);
}

static void XMLCALL on_start(void *ctx, const XML_Char *name, const XML_Char **attrs)
{
    od_xml *x = ctx;
    x->waiting = 0;
    if (x->status) return;
    if (++x->depth > DEPTH_MOST)
        settle(x, od_fail(x->err, ODIM_ERR_FORMAT, "line %llu: elements are nested more than %d deep",
                          (unsigned long long)XML_GetCurrentLineNumber(x->parser), DEPTH_MOST));
    else
        settle(x, x->handler->start(x->ctx, local_name(name), attrs, x->err));
}

static void XMLCALL on_end(void *ctx, const XML_Char *name)
{
    od_xml *x = ctx;
    x->waiting = 0;
    if (x->status) return;
    x->depth--;
    settle(x, x->handler->end(x->ctx, local_name(name), x->err));
}

static void XMLCALL on_text(void *ctx, const XML_Char *text, int len)
{
    od_xml *x = ctx;
    x->waiting = 0;
    if (!x->status && x->handler->text) settle(x, x->handler->text(x->ctx, text, (size_t)len, x->err));
}

/* Comments and the like. */
static void XMLCALL on_other(void *ctx, const XML_Char *text, int len)
{
    (void)text, (void)len;
    ((od_xml *)ctx)->waiting = 0;
}

/* Entities, by which a few bytes can stand for gigabytes, are declared in one. */
static void XMLCALL on_doctype(void *ctx, const XML_Char *name, const XML_Char *system, const XML_Char *pub,
                               int internal)
{
    od_xml *x = ctx;
    (void)name, (void)system, (void)pub, (void)internal;
    settle(x, od_fail(x->err, ODIM_ERR_FORMAT, "it has a document type (DOCTYPE), which is refused"));
}

/* ---- the public part ------------------------------------------------------------------------------ */

odim_status od_xml_open(od_xml **out, od_source *src, const od_xml_handler *handler, void *ctx,
                        odim_error *err)
{
    static const XML_Memory_Handling_Suite memory = {give, resize, take_back};
    od_xml *x = *out = od_alloc(1, sizeof *x);
    if (!x) {
        od_source_close(src);
        return od_fail_nomem(err);
    }
    memset(x, 0, offsetof(od_xml, piece));
    x->src = src;
    x->handler = handler;
    x->ctx = ctx;
    x->parser = XML_ParserCreate_MM(NULL, &memory, NULL);
    if (!x->parser) {
        od_xml_close(x);
        *out = NULL;
        return od_fail_nomem(err);
    }
    XML_SetUserData(x->parser, x);
    XML_SetElementHandler(x->parser, on_start, on_end);
    XML_SetCharacterDataHandler(x->parser, on_text);
    XML_SetDefaultHandler(x->parser, on_other);
    XML_SetStartDoctypeDeclHandler(x->parser, on_doctype);
    return ODIM_OK;
}

void od_xml_close(od_xml *x)
{
    if (!x) return;
    if (x->parser) XML_ParserFree(x->parser);
    od_source_close(x->src);
    od_free(x);
}

static odim_status fail_parse(od_xml *x, odim_error *err)
{
    enum XML_Error code = XML_GetErrorCode(x->parser);
    if (code == XML_ERROR_NO_MEMORY) return od_fail_nomem(err);
    return od_fail(err, ODIM_ERR_FORMAT, "line %llu: it is not XML as it should be: %s",
                   (unsigned long long)XML_GetCurrentLineNumber(x->parser), XML_ErrorString(code));
}

/* The next piece, to the parser. */
static odim_status feed(od_xml *x, enum XML_Status *result, odim_error *err)
{
    size_t got;
    odim_status status = od_poll_check(err);
    if (!status) status = od_source_read(x->src, x->piece, sizeof x->piece, &got, err);
    if (status) return status;
    x->last = got == 0;
    x->waiting += got;
    if (x->waiting > TAG_MOST)
        return od_fail(err, ODIM_ERR_FORMAT, "line %llu: a tag has more than a megabyte",
                       (unsigned long long)XML_GetCurrentLineNumber(x->parser));
    *result = XML_Parse(x->parser, x->piece, (int)got, x->last);
    return ODIM_OK;
}

odim_status od_xml_run(od_xml *x, bool *end, odim_error *err)
{
    x->err = err;
    for (*end = false; x->paused || !x->last;) {
        enum XML_Status result = XML_STATUS_OK;
        odim_status status = ODIM_OK;
        if (x->paused)
            result = XML_ResumeParser(x->parser);
        else
            status = feed(x, &result, err);
        if (!status) status = x->status;
        if (!status && result == XML_STATUS_ERROR) status = fail_parse(x, err);
        if (status) return status;
        x->paused = result == XML_STATUS_SUSPENDED;
        if (x->paused) return ODIM_OK;
    }
    *end = true;
    return ODIM_OK;
}

void od_xml_pause(od_xml *x)
{
    XML_StopParser(x->parser, XML_TRUE);
}

const char *od_xml_attr(const char **attrs, const char *name)
{
    for (; *attrs; attrs += 2)
        if (strcmp(local_name(attrs[0]), name) == 0) return attrs[1];
    return NULL;
}
