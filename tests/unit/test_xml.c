/* tests: xml. XML piece by piece. */
#include "io/xml.h"

#include <stdio.h>
#include <stdlib.h>

#include "bytes.h"
#include "starve.h"
#include "test.h"

static odim_error err;
static char events[4000];
static od_xml *xml;
static bool pausing;

static odim_status note(const char *fmt, const char *text, size_t len)
{
    size_t at = strlen(events);
    if (at + len + 10 >= sizeof events) abort();
    snprintf(events + at, sizeof events - at, fmt, (int)len, text);
    return ODIM_OK;
}

static odim_status start(void *ctx, const char *name, const char **attrs, odim_error *e)
{
    (void)ctx;
    const char *id = od_xml_attr(attrs, "id");
    note("<%.*s", name, strlen(name));
    if (id) note(" %.*s", id, strlen(id));
    note("%.*s", ">", 1);
    return strcmp(name, "bad") == 0 ? od_fail(e, ODIM_ERR_DATA, "a bad element") : ODIM_OK;
}

static odim_status end(void *ctx, const char *name, odim_error *e)
{
    (void)ctx, (void)e;
    if (pausing) od_xml_pause(xml);
    return note("</%.*s>", name, strlen(name));
}

static odim_status text(void *ctx, const char *piece, size_t len, odim_error *e)
{
    (void)ctx, (void)e;
    return note("%.*s", piece, len);
}

static const od_xml_handler handler = {start, end, text};

/* The events, or the error; *runs: how many calls it took. */
static const char *parse(const char *document, size_t len, int *runs)
{
    od_source *src;
    bool ended = false;
    *events = '\0';
    if (od_source_plain(&src, document, len, &err)) abort();
    if (od_xml_open(&xml, src, &handler, NULL, &err)) abort();
    odim_status status = ODIM_OK;
    for (*runs = 0; !status && !ended; ++*runs) status = od_xml_run(xml, &ended, &err);
    CHECK(status || (!od_xml_run(xml, &ended, &err) && ended));
    od_xml_close(xml);
    return status ? err.msg : events;
}

static void expect(const char *document, const char *want)
{
    int runs;
    CHECK_STR(parse(document, strlen(document), &runs), want);
    CHECK_INT(runs, 1);
}

TEST(elements)
{
    expect("<a><n:b x=\"0\" r:id=\"7\">t&amp;<!-- c --><![CDATA[<]]></n:b><c id=\"\"/></a>",
           "<a><b 7>t&<</b><c ></c></a>");
    expect("<a><bad/><c/></a>", "a bad element");
    expect("<a></b>", "line 1: it is not XML as it should be: mismatched tag");
    expect("", "line 1: it is not XML as it should be: no element found");
    expect("<a>\n&b;</a>", "line 2: it is not XML as it should be: undefined entity");
    expect("<!DOCTYPE a><a/>", "it has a document type (DOCTYPE), which is refused");
}

TEST(pauses)
{
    int runs;
    const char *document = "<a><b/><b>1</b><c/></a>";
    pausing = true;
    CHECK_STR(parse(document, strlen(document), &runs), "<a><b></b><b>1</b><c></c></a>");
    CHECK_INT(runs, 5); /* behind each end, and at the end of all */
    pausing = false;
}

TEST(limits)
{
    int runs;
    bytes b = {0};
    for (int i = 0; i < 64; i++) put_text(&b, "<a>");
    for (int i = 0; i < 64; i++) put_text(&b, "</a>");
    parse((char *)b.p, b.len, &runs);
    CHECK_INT(strlen(events), b.len);
    b.len = 0;
    for (int i = 0; i < 65; i++) put_text(&b, "<a>");
    CHECK_STR(parse((char *)b.p, b.len, &runs), "line 1: elements are nested more than 64 deep");
    b.len = 0;
    put_text(&b, "<a x='");
    for (int i = 0; i < 1 << 17; i++) put_text(&b, "12345678");
    put_text(&b, "'/>");
    CHECK_STR(parse((char *)b.p, b.len, &runs), "line 1: a tag has more than a megabyte");
    drop(&b);
}

TEST(starved)
{
    odim_status status;
    const char *document = "<a><b x=\"1\" y=\"2\">text</b></a>";
    EACH_ALLOCATION_FAILS(status, 3)
    {
        od_source *src;
        bool ended = false;
        *events = '\0';
        xml = NULL;
        status = od_source_plain(&src, document, strlen(document), &err);
        if (!status) status = od_xml_open(&xml, src, &handler, NULL, &err);
        if (!status) status = od_xml_run(xml, &ended, &err);
        od_xml_close(xml);
    }
}

int main(void)
{
    RUN(elements);
    RUN(pauses);
    RUN(limits);
    RUN(starved);
    return test_end();
}
