/* Parses the directory of a zip archive, and opens its members. */
#include "io/zip.h"

#include <stdlib.h>
#include <string.h>

#include "common/mem.h"

#define LOCAL_LEN   30u
#define ENTRY_LEN   46u
#define END_LEN     22u
#define END64_LEN   56u
#define LOCATOR_LEN 20u
#define STORED      0
#define DEFLATED    8

/* What the directory's place is, from the end records. */
typedef struct place {
    uint64_t start, size, count;
} place;

static uint32_t u16(const unsigned char *p)
{
    return p[0] | (uint32_t)p[1] << 8;
}

static uint32_t u32(const unsigned char *p)
{
    return u16(p) | u16(p + 2) << 16;
}

static uint64_t u64(const unsigned char *p)
{
    return u32(p) | (uint64_t)u32(p + 4) << 32;
}

static odim_status damaged(odim_error *err, const char *what)
{
    return od_fail(err, ODIM_ERR_FORMAT, "not a whole zip archive: %s", what);
}

bool od_zip_is(const unsigned char *bytes, size_t len)
{
    return len >= 4 && (u32(bytes) == 0x04034b50 || u32(bytes) == 0x06054b50);
}

/* The end record is the last thing in the file but for a comment, whose length it knows. */
static bool find_end(const unsigned char *bytes, size_t size, size_t *at)
{
    for (size_t comment = 0; comment <= 65535 && comment + END_LEN <= size; comment++) {
        size_t p = size - END_LEN - comment;
        if (u32(bytes + p) == 0x06054b50 && u16(bytes + p + 20) == comment) {
            *at = p;
            return true;
        }
    }
    return false;
}

static odim_status find_directory(const unsigned char *bytes, size_t size, place *out, odim_error *err)
{
    size_t end;
    if (!find_end(bytes, size, &end))
        return damaged(err, "its directory, which belongs at the end, is missing: the file is truncated");
    const unsigned char *e = bytes + end;
    *out = (place){u32(e + 16), u32(e + 12), u16(e + 10)};
    bool disks = u16(e + 4) != 0 || u16(e + 6) != 0 || u16(e + 8) != out->count;
    size_t after = end; /* what the directory must end at */
    if (end >= LOCATOR_LEN && u32(e - LOCATOR_LEN) == 0x07064b50) {
        const unsigned char *locator = e - LOCATOR_LEN;
        uint64_t at = u64(locator + 8);
        if (at > end - LOCATOR_LEN || end - LOCATOR_LEN - at < END64_LEN || u32(bytes + at) != 0x06064b50)
            return damaged(err, "its zip64 end record is missing");
        const unsigned char *e64 = bytes + at;
        *out = (place){u64(e64 + 48), u64(e64 + 40), u64(e64 + 32)};
        disks = u32(locator + 4) != 0 || u32(locator + 16) > 1 || u32(e64 + 16) != 0 || u32(e64 + 20) != 0 ||
                u64(e64 + 24) != out->count;
        after = (size_t)at;
    }
    if (disks)
        return od_fail(err, ODIM_ERR_FORMAT, "a zip archive in several parts cannot be read; join it first");
    if (out->start > after || out->size != after - out->start)
        return damaged(err, "its directory is not where the end record says");
    if (out->count > out->size / ENTRY_LEN) return damaged(err, "its directory is too short for its members");
    return ODIM_OK;
}

/* The 64-bit values of an entry, in this order, but only those whose 32-bit field is all ones. */
static bool read_zip64(const unsigned char *extra, size_t len, od_zip_member *m)
{
    uint64_t *fields[3] = {&m->size, &m->packed, &m->start};
    bool wanted = false;
    for (int i = 0; i < 3; i++) wanted |= *fields[i] == UINT32_MAX;
    if (!wanted) return true;
    while (len >= 4) {
        size_t block = u16(extra + 2);
        if (block > len - 4) return false;
        const unsigned char *p = extra + 4;
        size_t left = block;
        for (int i = 0; i < 3 && u16(extra) == 1; i++) {
            if (*fields[i] != UINT32_MAX) continue;
            if (left < 8) return false;
            *fields[i] = u64(p);
            p += 8;
            left -= 8;
        }
        if (u16(extra) == 1) return true;
        extra += 4 + block;
        len -= 4 + block;
    }
    return false;
}

/* One directory entry at *at; moves on to the next. */
static bool read_entry(const unsigned char *bytes, uint64_t *at, uint64_t end, od_zip_member *m)
{
    const unsigned char *e = bytes + *at;
    if (end - *at < ENTRY_LEN || u32(e) != 0x02014b50) return false;
    size_t name = u16(e + 28), extra = u16(e + 30), comment = u16(e + 32);
    if (end - *at - ENTRY_LEN < name + extra + comment) return false;
    *m = (od_zip_member){(const char *)e + ENTRY_LEN,
                         name,
                         u32(e + 42),
                         0,
                         u32(e + 20),
                         u32(e + 24),
                         u32(e + 16),
                         u16(e + 10),
                         u16(e + 8)};
    *at += ENTRY_LEN + name + extra + comment;
    return u16(e + 34) == 0 && read_zip64(e + ENTRY_LEN + name, extra, m);
}

/* The local header says where the bytes begin; its sizes may be absent. All must lie before the directory. */
static bool find_data(const unsigned char *bytes, uint64_t directory, od_zip_member *m)
{
    if (m->start > directory || directory - m->start < LOCAL_LEN) return false;
    const unsigned char *h = bytes + m->start;
    uint64_t room = directory - m->start - LOCAL_LEN;
    size_t name = u16(h + 26), extra = u16(h + 28);
    if (u32(h) != 0x04034b50 || name != m->name_len || name + extra > room) return false;
    if (memcmp(h + LOCAL_LEN, m->name, name) != 0 || u16(h + 8) != m->method) return false;
    m->data = m->start + LOCAL_LEN + name + extra;
    return m->packed <= room - name - extra && (m->method != STORED || m->packed == m->size);
}

static int by_start(const void *a, const void *b)
{
    uint64_t x = ((const od_zip_member *)a)->start, y = ((const od_zip_member *)b)->start;
    return (x > y) - (x < y);
}

static odim_status check_overlap(const od_zip *zip, odim_error *err)
{
    od_zip_member *sorted = od_alloc(zip->count, sizeof *sorted);
    if (!sorted) return od_fail_nomem(err);
    memcpy(sorted, zip->members, zip->count * sizeof *sorted);
    qsort(sorted, zip->count, sizeof *sorted, by_start);
    bool overlap = false;
    for (size_t i = 1; i < zip->count; i++)
        overlap |= sorted[i].start < sorted[i - 1].data + sorted[i - 1].packed;
    od_free(sorted);
    return overlap ? damaged(err, "two of its members share bytes") : ODIM_OK;
}

odim_status od_zip_open(od_zip *out, const unsigned char *bytes, size_t size, odim_error *err)
{
    *out = (od_zip){bytes, NULL, 0};
    place dir = {0};
    odim_status status = find_directory(bytes, size, &dir, err);
    if (status) return status;
    out->members = od_alloc((size_t)dir.count, sizeof *out->members);
    if (!out->members) return od_fail_nomem(err);
    uint64_t at = dir.start, end = dir.start + dir.size;
    for (; out->count < dir.count && !status; out->count++) {
        od_zip_member *m = &out->members[out->count];
        if (!read_entry(bytes, &at, end, m))
            status = damaged(err, "its directory is malformed");
        else if (!find_data(bytes, dir.start, m))
            status = damaged(err, "a member is not where the directory says");
    }
    if (!status && at != end) status = damaged(err, "its directory has more than its members");
    if (!status) status = check_overlap(out, err);
    if (status) od_zip_close(out);
    return status;
}

void od_zip_close(od_zip *zip)
{
    od_free(zip->members);
    zip->members = NULL;
    zip->count = 0;
}

odim_status od_zip_source(const od_zip *zip, size_t member, od_source **out, odim_error *err)
{
    const od_zip_member *m = &zip->members[member];
    *out = NULL;
    if (m->flags & 0x2041) /* bits 0, 6, 13 */
        return od_fail(err, ODIM_ERR_FORMAT, "it is encrypted; save the archive without a password");
    if (m->method != STORED && m->method != DEFLATED)
        return od_fail(err, ODIM_ERR_FORMAT,
                       "its compression (zip method %u) is not known; stored (0) and deflate (8) are",
                       m->method);
    return od_source_member(out, zip->bytes + m->data, (size_t)m->packed, m->method == DEFLATED, m->size,
                            m->crc, err);
}
