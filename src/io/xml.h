/*
 * XML from a source, piece by piece, for workbooks. Element and attribute names come without their namespace
 * prefix. Refused: document types (and with them entities), deep nesting, and tags of more than a megabyte.
 */
#ifndef OD_XML_H
#define OD_XML_H

#include <stdbool.h>
#include <stddef.h>

#include "io/source.h"

typedef struct od_xml od_xml;

/* attrs: names and values in turn, ended by NULL. Text may come in several pieces. */
typedef struct od_xml_handler {
    odim_status (*start)(void *ctx, const char *name, const char **attrs, odim_error *err);
    odim_status (*end)(void *ctx, const char *name, odim_error *err);
    odim_status (*text)(void *ctx, const char *text, size_t len, odim_error *err); /* may be NULL */
} od_xml_handler;

/* Takes over the source, whatever comes of it. The handler is borrowed. */
odim_status od_xml_open(od_xml **out, od_source *src, const od_xml_handler *handler, void *ctx,
                        odim_error *err);
void od_xml_close(od_xml *x);
/* Goes on until a handler pauses, fails, or the document ends. */
odim_status od_xml_run(od_xml *x, bool *end, odim_error *err);
/* For handlers of an end: od_xml_run returns behind it. */
void od_xml_pause(od_xml *x);
/* The value of an attribute, or NULL. */
const char *od_xml_attr(const char **attrs, const char *name);

#endif
