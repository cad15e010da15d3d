/*
 * Writes and reads what a fit takes from rows as bytes. tests: partial
 *
 * The bytes are for another process of the same version, and are not a format to be kept: eight letters, the
 * version, the fields in the order below, and the FNV-1a hash of all that. Nothing in them is trusted: counts
 * are compared with the bytes that are there, codes with the levels, and rows with the ranges.
 */
#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "base/local_date.h"
#include "fit/partial.h"

#define VERSION 2
#define MAGIC   "ODIMPART"

/* ---- writing ------------------------------------------------------------------------------------------ */

static void put_column(od_byte_writer *out, const od_column *c)
{
    od_bytes_put_text(out, c->name);
    od_bytes_put_u8(out, (uint8_t)c->type);
    od_bytes_put_u8(out, c->doubt);
    od_bytes_put_u8(out, c->forced);
    od_bytes_put_u8(out, c->format.notations);
    od_bytes_put_u8(out, c->format.order);
    od_bytes_put_u8(out, c->format.feature);
    od_bytes_put_u32(out, c->format.text);
    od_bytes_put_text(out, c->format.unit);
}

static void put_stats(od_byte_writer *out, const od_column_stats_col *c)
{
    od_bytes_put_u64(out, (uint64_t)c->missing);
    od_bytes_put_f64(out, c->low);
    od_bytes_put_f64(out, c->high);
    od_bytes_put_f64(out, c->clock_low);
    od_bytes_put_f64(out, c->clock_high);
}

/* With each level the rows that have it and the first of them. If there were too many levels, their order is
 * fixed, and the rows of those that are left out follow. */
static void put_levels(od_byte_writer *out, const odim_partial *p, int64_t col)
{
    const od_levels *l = &p->head->col[col].levels;
    const od_column_stats_col *c = &p->stats.col[col];
    size_t n = l->texts.count;
    od_bytes_put_u8(out, l->overflow);
    od_bytes_put_u32(out, (uint32_t)n);
    for (size_t i = 0; i < n; i++) {
        od_bytes_put_text(out, od_strlist_at(&l->texts, i));
        od_bytes_put_u64(out, (int64_t)i < c->levels ? (uint64_t)c->level_count[i] : 0);
        od_bytes_put_u64(out, l->overflow ? 0 : (uint64_t)p->seen[col][i]);
    }
    if (l->overflow) od_bytes_put_u64(out, (int64_t)n < c->levels ? (uint64_t)c->level_count[n] : 0);
}

static void put_kept(od_byte_writer *out, const od_kept_rows *r, int64_t d)
{
    od_bytes_put_u32(out, (uint32_t)r->sample.count);
    for (int64_t i = 0; i < r->sample.count; i++) {
        int64_t slot = r->sample.heap[i].slot;
        od_bytes_put_u64(out, (uint64_t)r->sample.heap[i].row);
        od_bytes_put_u8(out, (uint8_t)(r->known[slot] + 1));
        od_bytes_put_f64s(out, r->cells + slot * d, (size_t)d);
    }
}

static uint64_t hash_of(const void *bytes, size_t size)
{
    od_byte_writer hasher = od_bytes_hasher();
    od_bytes_put(&hasher, bytes, size);
    return hasher.hash;
}

void od_partial_write(od_byte_writer *out, const odim_partial *p)
{
    const odim_table *head = p->head;
    od_bytes_put(out, MAGIC, 8);
    od_bytes_put_u32(out, VERSION);
    od_bytes_put_u64(out, p->seed);
    od_bytes_put_u32(out, head ? (uint32_t)head->d : 0);
    if (head) {
        od_bytes_put_u8(out, p->known);
        od_bytes_put_u32(out, (uint32_t)head->texts.count);
        if (head->texts.count)
            od_bytes_put(out, head->texts.list, head->texts.count * sizeof *head->texts.list);
        for (int64_t j = 0; j < head->d; j++) put_column(out, &head->col[j]);
        od_bytes_put_u32(out, (uint32_t)head->file.names.count);
        for (size_t i = 0; i < head->file.names.count; i++) {
            od_bytes_put_text(out, od_strlist_at(&head->file.names, i));
            od_bytes_put_u8(out, head->file.role[i]);
        }
        od_bytes_put_u32(out, (uint32_t)p->ranges);
        for (size_t i = 0; i < p->ranges; i++) {
            od_bytes_put_u64(out, (uint64_t)p->range[i].first);
            od_bytes_put_u64(out, (uint64_t)p->range[i].end);
        }
        od_bytes_put_u64(out, (uint64_t)p->stats.known[0]);
        od_bytes_put_u64(out, (uint64_t)p->stats.known[1]);
        for (int64_t j = 0; j < head->d; j++) {
            put_stats(out, &p->stats.col[j]);
            if (head->col[j].type == ODIM_CATEGORICAL) put_levels(out, p, j);
        }
        put_kept(out, &p->sample.all, head->d);
        put_kept(out, &p->sample.outliers, head->d);
    }
    if (!out->nomem) od_bytes_put_u64(out, hash_of(out->bytes, out->size));
}

/* ---- reading ------------------------------------------------------------------------------------------ */

static odim_status fail(odim_error *err)
{
    return od_fail(err, ODIM_ERR_FORMAT, "the bytes are damaged, or are not a part that was saved");
}

static odim_status get_column(od_byte_reader *in, odim_table *head, int64_t col, odim_error *err)
{
    od_column *c = &head->col[col];
    size_t len;
    const char *text = od_bytes_get_text(in, SIZE_MAX, &len);
    if (!text) return fail(err);
    if (!(c->name = od_strndup(text, len))) return od_fail_nomem(err);
    c->type = (odim_type)od_bytes_get_u8(in);
    c->doubt = od_bytes_get_u8(in) != 0;
    c->forced = od_bytes_get_u8(in) != 0;
    c->format.notations = od_bytes_get_u8(in);
    c->format.order = od_bytes_get_u8(in);
    c->format.feature = od_bytes_get_u8(in);
    uint32_t profile = od_bytes_get_u32(in);
    text = od_bytes_get_text(in, OD_UNIT_ROOM - 1, &len);
    const od_cell_format *f = &c->format;
    bool described = f->feature != OD_TEXT_NONE;
    if (!text || in->bad || (unsigned)c->type > ODIM_TIME || f->notations > OD_ALL_NUMBERS ||
        ((f->notations & OD_POINTS) && (f->notations & OD_COMMAS)) || f->order >= OD_DATE_ORDERS ||
        f->feature > OD_TEXT_FEATURES || (described ? profile >= head->texts.count : profile != 0) ||
        (described && c->type != ODIM_NUMERIC))
        return fail(err);
    c->format.text = (uint16_t)profile;
    memcpy(c->format.unit, text, len);
    return ODIM_OK;
}

static odim_status get_columns(od_byte_reader *in, odim_table *head, int64_t cols, odim_error *err)
{
    size_t count = od_bytes_get_count(in, sizeof *head->texts.list), len;
    odim_status status = od_table_set_cols(head, cols, err);
    if (!status && count) {
        const unsigned char *list = od_bytes_take(in, count * sizeof *head->texts.list);
        if (!list || count > UINT16_MAX) return fail(err);
        if (!(head->texts.list = od_alloc(count, sizeof *head->texts.list))) return od_fail_nomem(err);
        memcpy(head->texts.list, list, count * sizeof *head->texts.list);
        head->texts.count = count;
    }
    for (int64_t j = 0; !status && j < cols; j++) status = get_column(in, head, j, err);
    if (status) return status;
    count = od_bytes_get_count(in, 5);
    if (count && !(head->file.role = od_alloc(count, 1))) return od_fail_nomem(err);
    for (size_t i = 0; !status && i < count; i++) {
        const char *text = od_bytes_get_text(in, SIZE_MAX, &len);
        head->file.role[i] = od_bytes_get_u8(in);
        if (!text || in->bad || head->file.role[i] >= OD_ROLES) return fail(err);
        status = od_strlist_add(&head->file.names, text, len, err);
    }
    return status;
}

static odim_status get_ranges(od_byte_reader *in, odim_partial *p, odim_error *err)
{
    int64_t before = -1;
    odim_status status = ODIM_OK;
    for (size_t i = od_bytes_get_count(in, 16); !status && i > 0; i--) {
        int64_t first = od_bytes_get_i64(in), end = od_bytes_get_i64(in);
        if (in->bad || first <= before || end <= first) return fail(err);
        status = od_partial_add_range(p, first, end, err);
        if (!status) p->stats.rows += end - first;
        before = end;
    }
    return status;
}

static bool has_row(const odim_partial *p, int64_t row)
{
    size_t low = 0, high = p->ranges; /* the last range that begins at or before it */
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (p->range[mid].first <= row)
            low = mid + 1;
        else
            high = mid;
    }
    return low > 0 && row < p->range[low - 1].end;
}

static odim_status get_levels(od_byte_reader *in, odim_partial *p, int64_t col, odim_error *err)
{
    od_levels *l = &p->head->col[col].levels;
    od_column_stats_col *c = &p->stats.col[col];
    bool overflow = od_bytes_get_u8(in) != 0;
    size_t count = od_bytes_get_count(in, 20), len, room = count + overflow;
    odim_status status = ODIM_OK;
    if (overflow && !count != !p->head->col[col].forced) return fail(err);
    if (room && !(c->level_count = od_calloc(room, sizeof *c->level_count))) return od_fail_nomem(err);
    c->levels = (int64_t)room;
    for (size_t i = 0; !status && i < count; i++) {
        uint32_t code = 0;
        const char *text = od_bytes_get_text(in, OD_LEVELS_BYTES, &len);
        int64_t rows = od_bytes_get_i64(in), seen = od_bytes_get_i64(in);
        if (!text || in->bad || rows > p->stats.rows || (!overflow && (rows < 1 || !has_row(p, seen))))
            return fail(err);
        status = od_levels_code(l, text, len, &code, err);
        if (!status && (code != i || l->overflow)) return fail(err);
        if (!status && !overflow) status = od_partial_see(p, col, code, seen, err);
        c->level_count[i] = rows;
    }
    if (overflow) c->level_count[count] = od_bytes_get_i64(in);
    l->overflow = overflow;
    return !status && overflow && c->level_count[count] > p->stats.rows ? fail(err) : status;
}

static odim_status get_stats(od_byte_reader *in, odim_partial *p, odim_error *err)
{
    odim_status status = ODIM_OK;
    p->stats.known[0] = od_bytes_get_i64(in);
    p->stats.known[1] = od_bytes_get_i64(in);
    for (int64_t j = 0; !status && j < p->head->d; j++) {
        od_column_stats_col *c = &p->stats.col[j];
        c->missing = od_bytes_get_i64(in);
        c->low = od_bytes_get_f64(in);
        c->high = od_bytes_get_f64(in);
        c->clock_low = od_bytes_get_f64(in);
        c->clock_high = od_bytes_get_f64(in);
        if (in->bad || c->missing > p->stats.rows || isnan(c->low) || isnan(c->high) || isnan(c->clock_low) ||
            isnan(c->clock_high))
            return fail(err);
        if (p->head->col[j].type == ODIM_CATEGORICAL) status = get_levels(in, p, j, err);
    }
    if (!status && (p->stats.known[0] > p->stats.rows || p->stats.known[1] > p->stats.rows)) return fail(err);
    return status;
}

static bool fits(const od_column *c, double v)
{
    if (isnan(v)) return true;
    if (c->type != ODIM_CATEGORICAL) return isfinite(v);
    double most = (double)od_levels_count(&c->levels) + c->levels.overflow;
    return v >= 0.0 && v < most && v == floor(v);
}

static odim_status get_kept(od_byte_reader *in, odim_partial *p, od_kept_rows *to, double *cells,
                            odim_error *err)
{
    int64_t d = p->head->d;
    size_t count = od_bytes_get_count(in, 9 + 8 * (size_t)d);
    odim_status status = ODIM_OK;
    if (count > (size_t)to->sample.size) return fail(err);
    for (size_t i = 0; !status && i < count; i++) {
        int64_t row = od_bytes_get_i64(in);
        uint8_t known = od_bytes_get_u8(in);
        od_bytes_get_f64s(in, cells, (size_t)d);
        if (in->bad || known > 2 || !has_row(p, row)) return fail(err);
        for (int64_t j = 0; j < d; j++)
            if (!fits(&p->head->col[j], cells[j])) return fail(err);
        status = od_kept_rows_put(to, d, row, cells, (int8_t)(known - 1), err);
    }
    return status;
}

static odim_status get_all(od_byte_reader *in, odim_partial *p, int64_t cols, odim_error *err)
{
    bool known = od_bytes_get_u8(in) != 0;
    odim_table *columns = od_table_new();
    odim_status status = columns ? get_columns(in, columns, cols, err) : od_fail_nomem(err);
    if (!status) status = od_partial_begin(p, columns, known, err);
    odim_table_free(columns);
    if (!status) status = get_ranges(in, p, err);
    if (!status) status = get_stats(in, p, err);
    if (status) return status;
    double *cells = od_alloc((size_t)cols, sizeof *cells);
    if (!cells) return od_fail_nomem(err);
    status = get_kept(in, p, &p->sample.all, cells, err);
    if (!status) status = get_kept(in, p, &p->sample.outliers, cells, err);
    od_free(cells);
    return status;
}

odim_status od_partial_read(odim_partial *p, const void *bytes, size_t size, odim_error *err)
{
    if (size < 8 || memcmp(bytes, MAGIC, 8) != 0) return fail(err);
    od_byte_reader in = {.at = (const unsigned char *)bytes + 8, .left = size - 8};
    if (od_bytes_get_u32(&in) != VERSION)
        return in.bad ? fail(err)
                      : od_fail(err, ODIM_ERR_FORMAT, "the part was saved by another version of odim");
    if (in.left < 8) return fail(err);
    od_byte_reader end = {.at = in.at + in.left - 8, .left = 8};
    if (od_bytes_get_u64(&end) != hash_of(bytes, size - 8)) return fail(err);
    in.left -= 8;
    od_partial_init(p, od_bytes_get_u64(&in));
    size_t cols = od_bytes_get_count(&in, 20);
    odim_status status = cols ? get_all(&in, p, (int64_t)cols, err) : ODIM_OK;
    if (!status && (in.bad || in.left)) status = fail(err);
    if (status) od_partial_clear(p);
    return status;
}
