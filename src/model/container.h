/*
 * The container of a model file: a magic number, a version, a table of sections, and the sections with their
 * checksums. docs/FORMAT.md describes every byte; model/sections.c has the content of the sections.
 */
#ifndef OD_CONTAINER_H
#define OD_CONTAINER_H

#include "base/status.h"
#include "model/byte_stream.h"

#define OD_CONTAINER_VERSION 1
#define OD_CONTAINER_MAGIC   "\x89ODM\r\n\x1a\n" /* a text-mode transfer breaks it */
#define OD_CONTAINER_MOST    64                  /* sections */
#define OD_TAG               4                   /* characters of a tag */
/* What to do about a model that is from a newer odim. */
#define OD_CONTAINER_NEWER "update odim, or fit the model again with this one"

typedef struct od_section {
    char tag[OD_TAG + 1];
    od_byte_reader body;
} od_section;

typedef struct od_container {
    size_t count;
    od_section section[OD_CONTAINER_MOST];
} od_container;

/* Finds the sections of a file. All is checked but what they say: every byte of the file belongs to one, to
 * the header, or to the zeros between them. */
odim_status od_container_open(od_container *c, const void *bytes, size_t size, odim_error *err);
/* NULL: there is no such section. */
const od_section *od_container_find(const od_container *c, const char *tag);

/* Writing: begin, then for each of `count` sections, in order: _start, the body by od_bytes_put..., _finish.
 */
void od_container_begin(od_byte_writer *out, size_t count);
/* Returns where the body begins. */
size_t od_container_start(od_byte_writer *out);
void od_container_finish(od_byte_writer *out, size_t index, const char *tag, size_t start);
/* When all sections are there. */
void od_container_end(od_byte_writer *out, size_t count);

#endif
