/*
 * Writes and reads the first pass over the parts of a table as bytes.
 *
 * Like those of a partial fit (partial_file.c), the bytes are for another process of the same version: eight
 * letters, the version, the fields in the order below, and the FNV-1a hash of all that. Counts of cells are
 * compared with the rows, so that sums and multiples of them cannot overflow.
 */
#include <string.h>

#include "common/mem.h"
#include "fit/part_scan.h"

#define VERSION 1
#define MAGIC   "ODIMSCAN"
/* Bytes of texts in all cells of a column, at most. */
#define MOST_BYTES (INT64_C(1) << 56)
/* The largest register of a count of distinct cells. */
#define MOST_ZEROS 50

/* ---- votes --------------------------------------------------------------------------------------------- */

enum { COUNTS = 15 };

/* The counts of a column's cells, for both directions. */
static void list_counts(od_type_votes *t, int64_t *count[COUNTS])
{
    int64_t *const all[COUNTS] = {&t->present,      &t->numbers, &t->points, &t->thousands, &t->seconds,
                                  &t->milliseconds, &t->zeros,   &t->rises,  &t->steps,     &t->times,
                                  &t->booleans,     &t->blanks,  &t->texts,  &t->paths,     &t->dates};
    memcpy(count, all, sizeof all);
}

static void put_list(od_byte_writer *out, const int64_t *list, int count)
{
    for (int i = 0; i < count; i++) od_bytes_put_u64(out, (uint64_t)list[i]);
}

/* Only those that occur, which are few in a small part. */
static void put_parts(od_byte_writer *out, const od_text_counts *counts)
{
    uint32_t used = 0;
    for (int i = 0; i < OD_TEXT_SLOTS; i++) used += counts->part[i] > 0;
    od_bytes_put_u32(out, used);
    for (uint32_t i = 0; i < OD_TEXT_SLOTS; i++) {
        if (!counts->part[i]) continue;
        od_bytes_put_u32(out, i);
        od_bytes_put_u32(out, counts->part[i]);
    }
}

static void put_votes(od_byte_writer *out, od_type_votes *t)
{
    int64_t *count[COUNTS];
    list_counts(t, count);
    for (int i = 0; i < COUNTS; i++) od_bytes_put_u64(out, (uint64_t)*count[i]);
    put_list(out, t->digits, OD_DIGITS);
    put_list(out, t->notation, OD_NOTATIONS);
    put_list(out, t->order, OD_DATE_ORDERS);
    od_bytes_put_f64(out, t->first);
    od_bytes_put_f64(out, t->last);
    od_bytes_put_u64(out, (uint64_t)t->length);
    od_bytes_put_u8(out, t->many_units);
    for (int i = 0; i < OD_UNITS; i++) {
        od_bytes_put_u64(out, (uint64_t)t->unit[i].count);
        if (t->unit[i].count) od_bytes_put_text(out, t->unit[i].unit);
    }
    od_bytes_put(out, t->distinct, sizeof t->distinct);
    od_bytes_put(out, t->before, sizeof t->before);
    od_bytes_put_u8(out, t->parts != NULL);
    if (t->parts) put_parts(out, t->parts);
    od_bytes_put_u8(out, t->levels != NULL);
    if (!t->levels) return;
    od_bytes_put_u8(out, t->levels->overflow);
    od_bytes_put_u32(out, (uint32_t)t->levels->texts.count);
    for (size_t i = 0; i < t->levels->texts.count; i++)
        od_bytes_put_text(out, od_strlist_at(&t->levels->texts, i));
}

static int64_t get_count(od_byte_reader *in, int64_t most)
{
    int64_t count = od_bytes_get_i64(in);
    if (count > most) in->bad = true;
    return in->bad ? 0 : count;
}

static void get_list(od_byte_reader *in, int64_t *list, int count, int64_t most)
{
    for (int i = 0; i < count; i++) list[i] = get_count(in, most);
}

static void get_distinct(od_byte_reader *in, uint8_t *registers)
{
    const unsigned char *bytes = od_bytes_take(in, OD_DISTINCT);
    for (int i = 0; bytes && i < OD_DISTINCT; i++) {
        registers[i] = bytes[i];
        if (bytes[i] > MOST_ZEROS) in->bad = true;
    }
}

static odim_status get_parts(od_byte_reader *in, od_type_votes *t, odim_error *err)
{
    if (!od_bytes_get_u8(in)) return ODIM_OK;
    if (!(t->parts = od_calloc(1, sizeof *t->parts))) return od_fail_nomem(err);
    for (size_t i = od_bytes_get_count(in, 8); i > 0; i--) {
        uint32_t slot = od_bytes_get_u32(in), times = od_bytes_get_u32(in);
        if (slot < OD_TEXT_SLOTS)
            t->parts->part[slot] = times;
        else
            in->bad = true;
    }
    return ODIM_OK;
}

static odim_status get_levels(od_byte_reader *in, od_type_votes *t, odim_error *err)
{
    if (!od_bytes_get_u8(in)) return ODIM_OK;
    bool overflow = od_bytes_get_u8(in) != 0;
    size_t count = od_bytes_get_count(in, 4), len;
    odim_status status = ODIM_OK;
    if (!(t->levels = od_calloc(1, sizeof *t->levels))) return od_fail_nomem(err);
    for (size_t i = 0; !status && !in->bad && i < count; i++) {
        const char *text = od_bytes_get_text(in, OD_LEVELS_BYTES, &len);
        if (text) status = od_type_votes_add_level(t, text, len, err);
        if (!status && (size_t)od_levels_count(t->levels) != i + 1) in->bad = true; /* twice, or too many */
    }
    t->levels->overflow = overflow;
    return status;
}

static odim_status get_votes(od_byte_reader *in, od_type_votes *t, int64_t rows, odim_error *err)
{
    int64_t *count[COUNTS];
    list_counts(t, count);
    for (int i = 0; i < COUNTS; i++) *count[i] = get_count(in, rows);
    get_list(in, t->digits, OD_DIGITS, rows);
    get_list(in, t->notation, OD_NOTATIONS, rows);
    get_list(in, t->order, OD_DATE_ORDERS, rows);
    t->first = od_bytes_get_f64(in);
    t->last = od_bytes_get_f64(in);
    t->length = get_count(in, MOST_BYTES);
    t->many_units = od_bytes_get_u8(in) != 0;
    for (int i = 0; i < OD_UNITS; i++) {
        size_t len;
        if (!(t->unit[i].count = get_count(in, rows))) continue;
        const char *text = od_bytes_get_text(in, OD_UNIT_ROOM - 1, &len);
        if (text) memcpy(t->unit[i].unit, text, len);
    }
    get_distinct(in, t->distinct);
    get_distinct(in, t->before);
    odim_status status = get_parts(in, t, err);
    return status ? status : get_levels(in, t, err);
}

/* ---- writing ------------------------------------------------------------------------------------------- */

static uint64_t hash_of(const void *bytes, size_t size)
{
    od_byte_writer hasher = od_bytes_hasher();
    od_bytes_put(&hasher, bytes, size);
    return hasher.hash;
}

void od_scan_write(od_byte_writer *out, const odim_scan *s)
{
    od_bytes_put(out, MAGIC, 8);
    od_bytes_put_u32(out, VERSION);
    od_bytes_put_u32(out, (uint32_t)s->cols);
    for (size_t j = 0; j < s->names.count; j++) od_bytes_put_text(out, od_strlist_at(&s->names, j));
    od_bytes_put_u8(out, s->is_file);
    od_bytes_put_u64(out, (uint64_t)s->length);
    od_bytes_put_u32(out, (uint32_t)s->all);
    od_bytes_put_u32(out, (uint32_t)s->runs);
    for (size_t i = 0; i < s->runs; i++) {
        const od_scan_run *r = &s->run[i];
        od_bytes_put_u32(out, (uint32_t)r->first);
        od_bytes_put_u32(out, (uint32_t)r->parts);
        for (size_t k = 0; k < r->parts; k++) {
            const od_scan_part *p = &r->part[k];
            put_list(out, (const int64_t[]){p->rows, p->lines, p->at, p->end}, 4);
        }
        for (int64_t j = 0; j < s->cols; j++) put_votes(out, &r->votes[j]);
    }
    if (!out->nomem) od_bytes_put_u64(out, hash_of(out->bytes, out->size));
}

/* ---- reading ------------------------------------------------------------------------------------------- */

static odim_status fail(odim_error *err)
{
    return od_fail(err, ODIM_ERR_FORMAT, "the bytes are damaged, or are not a scan that was saved");
}

static odim_status get_run(od_byte_reader *in, odim_scan *s, odim_error *err)
{
    od_scan_run r = {.first = od_bytes_get_u32(in)};
    int64_t rows = 0;
    odim_status status = ODIM_OK;
    r.parts = od_bytes_get_count(in, 4 * 8);
    if (r.parts == 0 || in->bad) return fail(err);
    r.part = od_alloc(r.parts, sizeof *r.part);
    r.votes = od_scan_new_votes(s->cols);
    if (!r.part || !r.votes) status = od_fail_nomem(err);
    for (size_t k = 0; !status && k < r.parts; k++) {
        int64_t v[4];
        get_list(in, v, 4, INT64_MAX);
        r.part[k] = (od_scan_part){.rows = v[0], .lines = v[1], .at = v[2], .end = v[3]};
        if (in->bad || v[0] > OD_SCAN_ROWS - rows || v[1] > OD_SCAN_ROWS) status = fail(err);
        if (s->is_file && k && v[2] != r.part[k - 1].end) status = fail(err);
        rows += v[0];
    }
    for (int64_t j = 0; !status && j < s->cols; j++) {
        status = get_votes(in, &r.votes[j], rows, err);
        if (!status && in->bad) status = fail(err);
    }
    if (!status) return od_scan_add_run(s, &r, err);
    od_scan_free_votes(r.votes, s->cols);
    od_free(r.part);
    return status;
}

static odim_status get_all(od_byte_reader *in, odim_scan *s, odim_error *err)
{
    odim_status status = ODIM_OK;
    size_t cols = od_bytes_get_count(in, 4), len;
    for (size_t j = 0; !status && j < cols; j++) {
        const char *text = od_bytes_get_text(in, SIZE_MAX, &len);
        status = text ? od_strlist_add(&s->names, text, len, err) : fail(err);
    }
    if (status) return status;
    s->cols = (int64_t)cols;
    s->is_file = od_bytes_get_u8(in) != 0;
    s->length = od_bytes_get_i64(in);
    s->all = od_bytes_get_u32(in);
    size_t runs = od_bytes_get_count(in, 4 * 8);
    if (s->all > OD_SCAN_PARTS || (runs && !cols)) return fail(err);
    for (size_t i = 0; !status && i < runs; i++) status = get_run(in, s, err);
    return status;
}

odim_status od_scan_read(odim_scan *s, const void *bytes, size_t size, odim_error *err)
{
    *s = (odim_scan){0};
    if (size < 8 || memcmp(bytes, MAGIC, 8) != 0) return fail(err);
    od_byte_reader in = {.at = (const unsigned char *)bytes + 8, .left = size - 8};
    if (od_bytes_get_u32(&in) != VERSION)
        return in.bad ? fail(err)
                      : od_fail(err, ODIM_ERR_FORMAT, "the scan was saved by another version of odim");
    if (in.left < 8) return fail(err);
    od_byte_reader end = {.at = in.at + in.left - 8, .left = 8};
    if (od_bytes_get_u64(&end) != hash_of(bytes, size - 8)) return fail(err);
    in.left -= 8;
    odim_status status = get_all(&in, s, err);
    if (!status && (in.bad || in.left)) status = fail(err);
    if (status) od_scan_clear(s);
    return status;
}
