/* Writes and checks the header, the section table and the checksums of a model file. */
#include "model/container.h"

#include <string.h>
#include <zlib.h>

/*
 * Offsets of the header, which is followed by `count` entries of the table and by the checksum of all before
 * it. Sections begin at multiples of ALIGN, in the order of the table, with as few zeros between as that
 * needs.
 */
enum { VERSION = 8, COUNT = 12, TABLE = 16, CRC = 4, ALIGN = 64 };
/* Of an entry, from its beginning. */
enum { ENTRY_CRC = 4, ENTRY_OFFSET = 8, ENTRY_SIZE = 16, ENTRY = 24 };

static uint32_t checksum(const unsigned char *bytes, size_t size)
{
    return (uint32_t)crc32_z(0, bytes, size);
}

static size_t align_up(size_t at)
{
    return (at + ALIGN - 1) / ALIGN * ALIGN;
}

/* ---- writing -------------------------------------------------------------------------------------- */

void od_container_begin(od_byte_writer *out, size_t count)
{
    od_bytes_put(out, OD_CONTAINER_MAGIC, VERSION);
    od_bytes_put_u32(out, OD_CONTAINER_VERSION);
    od_bytes_put_u32(out, (uint32_t)count);
    od_bytes_put_zeros(out, count * ENTRY + CRC);
}

size_t od_container_start(od_byte_writer *out)
{
    od_bytes_put_zeros(out, align_up(out->size) - out->size);
    return out->size;
}

void od_container_finish(od_byte_writer *out, size_t index, const char *tag, size_t start)
{
    if (out->nomem) return;
    unsigned char *entry = out->bytes + TABLE + index * ENTRY;
    size_t size = out->size - start;
    memcpy(entry, tag, OD_TAG);
    od_bytes_set_u32(entry + ENTRY_CRC, checksum(out->bytes + start, size));
    od_bytes_set_u64(entry + ENTRY_OFFSET, start);
    od_bytes_set_u64(entry + ENTRY_SIZE, size);
}

void od_container_end(od_byte_writer *out, size_t count)
{
    if (out->nomem) return;
    size_t head = TABLE + count * ENTRY;
    od_bytes_set_u32(out->bytes + head, checksum(out->bytes, head));
}

/* ---- reading -------------------------------------------------------------------------------------- */

static odim_status open_header(od_byte_reader *in, size_t *count, odim_error *err)
{
    const unsigned char *all = in->at;
    const unsigned char *magic = od_bytes_take(in, VERSION);
    if (!magic || memcmp(magic, OD_CONTAINER_MAGIC, VERSION) != 0) {
        bool begun = magic && memcmp(magic, OD_CONTAINER_MAGIC, 4) == 0;
        return od_fail(err, ODIM_ERR_FORMAT, "%s",
                       begun ? "a model that was damaged on its way, by a transfer as text"
                             : "not a model of odim");
    }
    uint32_t version = od_bytes_get_u32(in);
    if (!in->bad && version == 0)
        return od_fail(err, ODIM_ERR_FORMAT,
                       "damaged: it says format version 0, and versions begin with 1; fit the model again");
    if (!in->bad && version > OD_CONTAINER_VERSION)
        return od_fail(err, ODIM_ERR_FORMAT,
                       "a model of format version %u, from a newer odim; this one reads up to version "
                       "%d: " OD_CONTAINER_NEWER,
                       version, OD_CONTAINER_VERSION);
    *count = od_bytes_get_count(in, ENTRY);
    od_bytes_take(in, *count * ENTRY);
    size_t head = TABLE + *count * ENTRY;
    uint32_t crc = od_bytes_get_u32(in);
    if (in->bad) return od_fail(err, ODIM_ERR_FORMAT, "the header is cut short");
    if (crc != checksum(all, head))
        return od_fail(err, ODIM_ERR_FORMAT, "damaged: the header does not match its checksum");
    if (*count > OD_CONTAINER_MOST)
        return od_fail(err, ODIM_ERR_FORMAT, "%zu sections; at most %d are possible", *count,
                       OD_CONTAINER_MOST);
    return ODIM_OK;
}

static bool is_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static bool is_tag(const char *tag)
{
    for (int i = 0; i < OD_TAG; i++)
        if (!is_letter(tag[i]) && (i == 0 || tag[i] < '0' || tag[i] > '9')) return false;
    return true;
}

static bool are_zeros(const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i]) return false;
    return true;
}

/* The section of a table entry, which must begin where `in`, what is left of the file, has got to. */
static odim_status open_section(od_section *s, od_byte_reader *entry, od_byte_reader *in, size_t file_size,
                                odim_error *err)
{
    memcpy(s->tag, od_bytes_take(entry, OD_TAG), OD_TAG);
    s->tag[OD_TAG] = '\0';
    uint32_t crc = od_bytes_get_u32(entry);
    uint64_t offset = od_bytes_get_u64(entry), size = od_bytes_get_u64(entry);
    if (!is_tag(s->tag)) return od_fail(err, ODIM_ERR_FORMAT, "a section's tag is not 4 letters or digits");

    size_t here = file_size - in->left, start = align_up(here);
    if (offset != start)
        return od_fail(err, ODIM_ERR_FORMAT, "section %s: at byte %llu instead of %zu", s->tag,
                       (unsigned long long)offset, start);
    const unsigned char *gap = od_bytes_take(in, start - here);
    const unsigned char *body = od_bytes_take(in, size);
    if (!body) return od_fail(err, ODIM_ERR_FORMAT, "section %s: the file ends before it does", s->tag);
    if (!are_zeros(gap, start - here))
        return od_fail(err, ODIM_ERR_FORMAT, "section %s: not only zeros before it", s->tag);
    if (crc != checksum(body, size))
        return od_fail(err, ODIM_ERR_FORMAT, "section %s: damaged: it does not match its checksum", s->tag);
    s->body = (od_byte_reader){body, size, false};
    return ODIM_OK;
}

odim_status od_container_open(od_container *c, const void *bytes, size_t size, odim_error *err)
{
    od_byte_reader in = {bytes, size, false};
    size_t count = 0;
    odim_status status = open_header(&in, &count, err);
    if (status) return status;
    od_byte_reader table = {(const unsigned char *)bytes + TABLE, count * ENTRY, false};
    for (c->count = 0; c->count < count; c->count++) {
        od_section *s = &c->section[c->count];
        if ((status = open_section(s, &table, &in, size, err))) return status;
        if (od_container_find(c, s->tag))
            return od_fail(err, ODIM_ERR_FORMAT, "section %s: there twice", s->tag);
    }
    if (in.left) return od_fail(err, ODIM_ERR_FORMAT, "%zu bytes after the end of the last section", in.left);
    return ODIM_OK;
}

const od_section *od_container_find(const od_container *c, const char *tag)
{
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->section[i].tag, tag) == 0) return &c->section[i];
    return NULL;
}
