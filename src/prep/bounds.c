#include "prep/bounds.h"

#include <math.h>
#include <string.h>

#include "base/isotime.h"
#include "common/mem.h"
#include "common/numtext.h"
#include "io/csv.h"

enum { COLUMN, LOW, HIGH, LEVELS, FIELDS };
static const char *const heads[FIELDS] = {"column", "low", "high", "levels"};

typedef struct reading {
    od_schema *s;
    od_csv *csv;
    od_record rec;
    size_t count;         /* fields of a record */
    size_t place[FIELDS]; /* where each is in a record, if it is there */
    bool there[FIELDS];
    od_levels names; /* of the columns so far */
    int64_t cap;
} reading;

typedef struct piece {
    const char *text;
    size_t len;
} piece;

static piece trim(const char *text, size_t len)
{
    while (len && (*text == ' ' || *text == '\t')) text++, len--;
    while (len && (text[len - 1] == ' ' || text[len - 1] == '\t')) len--;
    return (piece){text, len};
}

static piece get(const reading *r, int field)
{
    if (!r->there[field]) return (piece){"", 0};
    const od_field *f = &r->rec.fields[r->place[field]];
    return trim(f->text, f->len);
}

/* What is wrong with a field of the row in hand. */
static odim_status fail(const reading *r, int field, const char *why, piece shown, odim_error *err)
{
    char text[64];
    return od_fail_at(err, ODIM_ERR_DATA, r->rec.row, (int64_t)r->place[field] + 1,
                      "row %lld (line %lld), column '%s': %s: '%s'", (long long)r->rec.row,
                      (long long)r->rec.line, heads[field], why,
                      od_printable(text, sizeof text, shown.text, shown.len));
}

static odim_status read_heads(reading *r, odim_error *err)
{
    odim_status status = od_csv_next(r->csv, &r->rec, err);
    if (status) return status;
    r->count = r->rec.count;
    for (size_t i = 0; i < r->count; i++) {
        piece head = trim(r->rec.fields[i].text, r->rec.fields[i].len);
        int field = 0;
        while (field < FIELDS &&
               (strlen(heads[field]) != head.len || memcmp(heads[field], head.text, head.len) != 0))
            field++;
        char shown[64];
        if (field == FIELDS || r->there[field])
            return od_fail(err, ODIM_ERR_DATA,
                           "the first line must have the names column, low, high and levels, each once; "
                           "'%s' is %s",
                           od_printable(shown, sizeof shown, head.text, head.len),
                           field == FIELDS ? "none of them" : "there twice");
        r->there[field] = true;
        r->place[field] = i;
    }
    if (r->there[COLUMN]) return ODIM_OK;
    return od_fail(err, ODIM_ERR_DATA,
                   "the first line must have the names column, low, high and levels: 'column' is not there");
}

/* ---- one column ----------------------------------------------------------------------------------- */

static odim_status take_name(reading *r, od_schema_col *c, odim_error *err)
{
    piece name = get(r, COLUMN);
    uint32_t code;
    if (name.len == 0) return fail(r, COLUMN, "no name", name, err);
    odim_status status = od_levels_code(&r->names, name.text, name.len, &code, err);
    if (status) return status;
    if ((int64_t)code != r->s->cols) return fail(r, COLUMN, "it is there twice", name, err);
    c->name = od_strndup(name.text, name.len);
    return c->name ? ODIM_OK : od_fail_nomem(err);
}

static odim_status take_levels(reading *r, od_schema_col *c, piece all, odim_error *err)
{
    c->type = ODIM_CATEGORICAL;
    c->low = c->high = NAN;
    for (;;) {
        const char *bar = memchr(all.text, '|', all.len);
        piece level = trim(all.text, bar ? (size_t)(bar - all.text) : all.len);
        int64_t before = od_levels_count(&c->levels);
        uint32_t code;
        if (level.len == 0) return fail(r, LEVELS, "a level is empty", get(r, LEVELS), err);
        if (before == OD_SCHEMA_LEVELS)
            return fail(r, LEVELS, "more than 64 levels; put some together under one name in the table",
                        level, err);
        odim_status status = od_levels_code(&c->levels, level.text, level.len, &code, err);
        if (status) return status;
        if (od_levels_count(&c->levels) == before) return fail(r, LEVELS, "it is there twice", level, err);
        if (!bar) break;
        all.len -= (size_t)(bar - all.text) + 1;
        all.text = bar + 1;
    }
    if (od_levels_count(&c->levels) > 1) return ODIM_OK;
    return fail(r, LEVELS, "a category needs at least two levels, with | between them", get(r, LEVELS), err);
}

static bool parse_bound(odim_type type, piece p, double *out)
{
    return type == ODIM_TIME ? od_time_parse(p.text, p.len, out)
                             : od_num_parse(p.text, p.len, out) == OD_NUM_OK;
}

static odim_status take_bounds(reading *r, od_schema_col *c, piece low, piece high, odim_error *err)
{
    static const char *const why[] = {[ODIM_NUMERIC] = "not a number", [ODIM_TIME] = "not an ISO 8601 time"};
    if (low.len == 0) return fail(r, LOW, "missing, but 'high' is there", high, err);
    if (high.len == 0) return fail(r, HIGH, "missing, but 'low' is there", low, err);
    c->type = ODIM_NUMERIC;
    if (!parse_bound(ODIM_NUMERIC, low, &c->low)) {
        c->type = ODIM_TIME;
        if (!parse_bound(ODIM_TIME, low, &c->low))
            return fail(r, LOW, "neither a number nor an ISO 8601 time", low, err);
    }
    if (!parse_bound(c->type, high, &c->high)) return fail(r, HIGH, why[c->type], high, err);
    if (!(c->low < c->high)) return fail(r, HIGH, "not above 'low'", high, err);
    if (isfinite(c->high - c->low)) return ODIM_OK;
    return fail(r, HIGH, "further from 'low' than a double can hold", high, err);
}

static odim_status take_column(reading *r, odim_error *err)
{
    od_schema *s = r->s;
    if (r->rec.count != r->count)
        return od_fail_at(err, ODIM_ERR_DATA, r->rec.row, 0,
                          "row %lld (line %lld): %zu fields instead of %zu", (long long)r->rec.row,
                          (long long)r->rec.line, r->rec.count, r->count);
    if (s->cols == OD_MAX_COLS)
        return od_fail_at(err, ODIM_ERR_DATA, r->rec.row, 0, "more than %d columns", OD_MAX_COLS);
    if (s->cols == r->cap) {
        int64_t cap = r->cap ? 2 * r->cap : 16;
        od_schema_col *col = od_grow(s->col, (size_t)r->cap, (size_t)cap, sizeof *col);
        if (!col) return od_fail_nomem(err);
        s->col = col;
        r->cap = cap;
    }
    od_schema_col *c = &s->col[s->cols];
    *c = (od_schema_col){.type = ODIM_BOOLEAN, .low = 0, .high = 1};
    odim_status status = take_name(r, c, err);
    if (status) {
        od_free(c->name);
        return status;
    }
    s->cols++;
    piece low = get(r, LOW), high = get(r, HIGH), levels = get(r, LEVELS);
    if (levels.len && (low.len || high.len))
        return fail(r, LEVELS, "a column has bounds or levels, not both", levels, err);
    if (levels.len) return take_levels(r, c, levels, err);
    return low.len || high.len ? take_bounds(r, c, low, high, err) : ODIM_OK;
}

/* ---- the whole ------------------------------------------------------------------------------------ */

static odim_status read_all(od_schema *s, od_source *src, odim_error *err)
{
    reading r = {.s = s};
    odim_status status = od_csv_open(&r.csv, src, err);
    if (status) return status;
    od_csv_set(r.csv, ',', true);
    status = read_heads(&r, err);
    while (!status) {
        status = od_csv_next(r.csv, &r.rec, err);
        if (status || r.rec.count == 0) break;
        status = take_column(&r, err);
    }
    if (!status && s->cols == 0) status = od_fail(err, ODIM_ERR_DATA, "no column is named");
    od_levels_free(&r.names);
    od_csv_close(r.csv);
    return status;
}

static odim_status finish(od_schema *s, od_source *src, odim_status status, const char *name, odim_error *err)
{
    char shown[160];
    if (!status) status = read_all(s, src, err);
    od_source_close(src);
    if (!status) return ODIM_OK;
    od_schema_free(s);
    return od_error_prefix(err, status, od_printable(shown, sizeof shown, name, strlen(name)));
}

odim_status od_bounds_read(od_schema *s, const char *path, odim_error *err)
{
    od_source *src = NULL;
    *s = (od_schema){0};
    odim_status status = od_source_open(&src, path, err);
    return finish(s, src, status, path, err);
}

odim_status od_bounds_read_memory(od_schema *s, const void *bytes, size_t size, const char *name,
                                  odim_error *err)
{
    od_source *src = NULL;
    *s = (od_schema){0};
    odim_status status = od_source_memory(&src, bytes, size, err);
    return finish(s, src, status, name, err);
}

odim_status odim_table_set_bounds(odim_table *t, const double *low, const double *high, odim_error *err)
{
    char name[64];
    OD_NEED(t, "table", err);
    OD_NEED(low, "low", err);
    OD_NEED(high, "high", err);
    for (int64_t j = 0; j < t->d; j++) {
        odim_type type = t->col[j].type;
        od_table_show(t, j, name, sizeof name);
        if (type != ODIM_NUMERIC && type != ODIM_BOOLEAN)
            return od_fail_at(err, ODIM_ERR_PARAM, 0, j + 1,
                              "column '%s' is %s: its table must be read with a file of bounds", name,
                              odim_type_text(type));
        if (!(low[j] < high[j]) || !isfinite(high[j] - low[j]))
            return od_fail_at(err, ODIM_ERR_PARAM, 0, j + 1,
                              "column '%s': the bounds must be finite, and low below high", name);
    }
    for (int64_t j = 0; j < t->d; j++) {
        t->col[j].bounded = true;
        t->col[j].low = low[j];
        t->col[j].high = high[j];
    }
    return ODIM_OK;
}
