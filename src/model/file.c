/*
 * Saves and loads models; docs/FORMAT.md has the format. The bytes may come from anywhere: loading returns a
 * model that is safe to use, or an error that says what is wrong with them. It needs memory of a small
 * multiple of their size.
 */
#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "common/atomic_file.h"
#include "common/read_file.h"
#include "model/container.h"
#include "model/sections.h"

/* Files beyond are neither written nor read. */
#define MOST_BYTES ((size_t)4 << 30)

/* ---- writing -------------------------------------------------------------------------------------- */

/* The same model gives the same bytes. */
static odim_status write_model(const odim_model *m, od_byte_writer *out, odim_error *err)
{
    size_t count = 0, at = 0;
    for (size_t i = 0; i < OD_SECTIONS; i++) count += od_section_wanted(m, i);
    od_container_begin(out, count);
    for (size_t i = 0; i < OD_SECTIONS; i++) {
        if (!od_section_wanted(m, i)) continue;
        size_t start = od_container_start(out);
        od_section_kinds[i].write(out, m);
        od_container_finish(out, at++, od_section_kinds[i].tag, start);
    }
    od_container_end(out, count);
    if (out->nomem) return od_fail_nomem(err);
    if (out->size > MOST_BYTES)
        return od_fail(err, ODIM_ERR_DATA, "the model needs %zu bytes; a file may have %zu", out->size,
                       MOST_BYTES);
    return ODIM_OK;
}

odim_status odim_model_save_memory(const odim_model *m, void **bytes, size_t *size, odim_error *err)
{
    OD_NEED(bytes, "bytes", err);
    *bytes = NULL;
    OD_NEED(size, "size", err);
    OD_NEED(m, "model", err);
    od_byte_writer out = {0};
    odim_status status = write_model(m, &out, err);
    *size = 0;
    if (status) {
        od_free(out.bytes);
        return status;
    }
    *bytes = out.bytes;
    *size = out.size;
    return ODIM_OK;
}

static int replace(const char *path, const void *bytes, size_t size)
{
    od_atomic_file r;
    int error = od_atomic_file_open(&r, path);
    if (error) return error;
    if (!(error = od_atomic_file_write(&r, bytes, size))) return od_atomic_file_commit(&r);
    od_atomic_file_discard(&r);
    return error;
}

odim_status odim_model_save(const odim_model *m, const char *path, odim_error *err)
{
    void *bytes;
    size_t size;
    OD_NEED(m, "model", err);
    OD_NEED(path, "path", err);
    odim_status status = odim_model_save_memory(m, &bytes, &size, err);
    if (!status) {
        int error = replace(path, bytes, size);
        if (error) status = od_fail(err, ODIM_ERR_IO, "cannot write: %s", strerror(error));
    }
    od_free(bytes);
    return od_error_prefix(err, status, path);
}

void odim_model_fingerprint(const odim_model *m, char out[17])
{
    if (!out) return;
    *out = '\0';
    if (!m) return;
    od_byte_writer hasher = od_bytes_hasher();
    for (size_t i = 0; i < OD_SECTIONS; i++) {
        if (i >= OD_REQUIRED &&
            ((i != OD_TRANSFORM && i != OD_DETECTORS && i != OD_INPUTS) || !od_section_wanted(m, i)))
            continue;
        od_bytes_put(&hasher, od_section_kinds[i].tag, OD_TAG);
        od_section_kinds[i].write(&hasher, m);
    }
    snprintf(out, 17, "%016llx", (unsigned long long)hasher.hash);
}

void odim_free(void *p)
{
    od_free(p);
}

/* ---- reading -------------------------------------------------------------------------------------- */

/* A section that we do not know may be left out when its tag begins with a small letter. */
static odim_status check_unknown(const od_container *c, odim_error *err)
{
    for (size_t i = 0; i < c->count; i++) {
        const char *tag = c->section[i].tag;
        bool known = tag[0] >= 'a';
        for (size_t k = 0; k < OD_SECTIONS; k++) known |= strcmp(tag, od_section_kinds[k].tag) == 0;
        if (!known)
            return od_fail(err, ODIM_ERR_FORMAT,
                           "section %s: unknown: written by a newer odim; " OD_CONTAINER_NEWER, tag);
    }
    return ODIM_OK;
}

static odim_status find_sections(od_loading *loading, const void *bytes, size_t size, odim_error *err)
{
    od_container c;
    odim_status status = od_container_open(&c, bytes, size, err);
    if (!status) status = check_unknown(&c, err);
    for (size_t i = 0; !status && i < OD_SECTIONS; i++) {
        const od_section *s = od_container_find(&c, od_section_kinds[i].tag);
        if (s)
            loading->body[i] = s->body;
        else if (i < OD_REQUIRED)
            status = od_fail(err, ODIM_ERR_FORMAT, "section %s: missing", od_section_kinds[i].tag);
        else
            loading->body[i] = (od_byte_reader){0};
    }
    return status;
}

static odim_status read_section(od_loading *loading, size_t i, odim_error *err)
{
    char place[] = "section ????";
    memcpy(place + strlen("section "), od_section_kinds[i].tag, OD_TAG);
    od_byte_reader *in = &loading->body[i];
    odim_status status = od_section_kinds[i].read(in, loading, err);
    if (!status && in->left) status = od_fail(err, ODIM_ERR_FORMAT, "%zu bytes too many", in->left);
    if (status && status != ODIM_ERR_NOMEM) {
        /* What another part of the library would not have as data or parameter is here the file's fault. */
        status = ODIM_ERR_FORMAT;
        if (err) err->status = status;
    }
    return od_error_prefix(err, status, place);
}

odim_status odim_model_load_memory(odim_model **out, const void *bytes, size_t size, odim_error *err)
{
    od_loading loading = {.model = NULL};
    OD_NEED(out, "out", err);
    *out = NULL;
    if (size) OD_NEED(bytes, "bytes", err);
    odim_status status = find_sections(&loading, bytes, size, err);
    for (size_t i = 0; !status && i < OD_SECTIONS; i++)
        if (i < OD_REQUIRED || i == OD_PRIVACY || i == OD_DETECTORS || loading.body[i].at)
            status = read_section(&loading, i, err);
    if (status)
        odim_model_free(loading.model);
    else
        *out = loading.model;
    return status;
}

odim_status odim_model_load(odim_model **out, const char *path, odim_error *err)
{
    char *bytes;
    size_t size;
    OD_NEED(out, "out", err);
    *out = NULL;
    OD_NEED(path, "path", err);
    const char *what = od_read_file(path, OD_CONTAINER_MAGIC, MOST_BYTES, &bytes, &size);
    if (what) return od_fail_file(err, path, what);
    odim_status status = od_error_prefix(err, odim_model_load_memory(out, bytes, size, err), path);
    od_free(bytes);
    return status;
}
