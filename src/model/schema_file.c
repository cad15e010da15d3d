/* Writes and reads the schema of a model. */
#include "model/schema_file.h"

#include <math.h>
#include <string.h>

#include "base/local_date.h"
#include "common/mem.h"

#define TEXT_MOST ((size_t)16 << 20) /* bytes of a name or a level */

/* The numbers of a file are those of odim_type, od_ignored and od_cycle; they stay what they are. */
_Static_assert(ODIM_NUMERIC == 0 && ODIM_BOOLEAN == 1 && ODIM_CATEGORICAL == 2 && ODIM_TIME == 3, "");
_Static_assert(OD_USED == 0 && OD_IGNORED_CONSTANT == 1 && OD_IGNORED_EMPTY == 2, "");
_Static_assert(OD_IGNORED_TEXT == 3 && OD_IGNORED_RARE == 4, "");
#define CYCLES (OD_CYCLE_DAY | OD_CYCLE_WEEK | OD_CYCLE_YEAR)
_Static_assert(CYCLES == 7 && OD_CYCLE_DAY == 1 && OD_CYCLE_WEEK == 2, "");

/* Stands in the place of the cycles of a number that has no features. */
#define CHECKED 8

/* The fewest bytes of a level and of a column. */
enum { LEVEL_LEAST = 4 + 8 + 1, COLUMN_LEAST = 4 + 4 + 6 * 8 + 4 };

/* ---- writing -------------------------------------------------------------------------------------- */

static void write_column(od_byte_writer *out, const od_schema_col *c)
{
    od_bytes_put_text(out, c->name);
    od_bytes_put_u8(out, (uint8_t)c->type);
    od_bytes_put_u8(out, (uint8_t)c->ignored);
    od_bytes_put_u8(out, c->checked ? CHECKED : (uint8_t)c->cycles);
    od_bytes_put_u8(out, c->indicator);
    od_bytes_put_u64(out, (uint64_t)c->missing);
    od_bytes_put_f64(out, c->low);
    od_bytes_put_f64(out, c->high);
    od_bytes_put_f64(out, c->fill);
    od_bytes_put_f64(out, c->usual_low);
    od_bytes_put_f64(out, c->usual_high);
    int64_t levels = od_levels_count(&c->levels);
    od_bytes_put_u32(out, (uint32_t)levels);
    for (int64_t i = 0; i < levels; i++) {
        od_bytes_put_text(out, od_strlist_at(&c->levels.texts, (size_t)i));
        od_bytes_put_u64(out, (uint64_t)c->level_count[i]);
        od_bytes_put_u8(out, c->level_feature[i] >= 0);
    }
}

void od_schema_file_write(od_byte_writer *out, const od_schema *s)
{
    od_bytes_put_u64(out, (uint64_t)s->rows);
    od_bytes_put_u32(out, (uint32_t)s->cols);
    for (int64_t j = 0; j < s->cols; j++) write_column(out, &s->col[j]);
    od_bytes_put_u32(out, (uint32_t)s->features);
    od_bytes_put_f64s(out, s->shift, (size_t)s->features);
    od_bytes_put_f64s(out, s->width, (size_t)s->features);
}

/* ---- reading -------------------------------------------------------------------------------------- */

static odim_status fail_column(const od_schema_col *c, const char *what, odim_error *err)
{
    char shown[64];
    return od_fail(err, ODIM_ERR_FORMAT, "column '%s': %s", od_schema_show(c, shown, sizeof shown), what);
}

/* Levels with a feature of their own have them in the order of the levels. */
static odim_status read_level(od_byte_reader *in, od_schema_col *c, size_t i, odim_error *err)
{
    size_t len;
    uint32_t code;
    const char *text = od_bytes_get_text(in, TEXT_MOST, &len);
    c->level_count[i] = od_bytes_get_i64(in);
    uint8_t own = od_bytes_get_u8(in);
    if (in->bad || own > 1) return fail_column(c, "its levels are cut short or out of range", err);
    odim_status status = od_levels_code(&c->levels, text, len, &code, err);
    if (status) return status;
    const od_strlist *texts = &c->levels.texts;
    if (code != i || (i > 0 && strcmp(od_strlist_at(texts, i - 1), od_strlist_at(texts, i)) >= 0))
        return fail_column(c, "its levels are not in order", err);
    c->level_feature[i] = own ? c->own_levels++ : -1;
    return ODIM_OK;
}

static odim_status read_levels(od_byte_reader *in, od_schema_col *c, odim_error *err)
{
    size_t levels = od_bytes_get_count(in, LEVEL_LEAST);
    if (in->bad || levels > OD_LEVELS_MOST || (levels && c->type != ODIM_CATEGORICAL))
        return fail_column(c, "its number of levels is impossible", err);
    c->level_count = od_calloc(levels, sizeof *c->level_count);
    c->level_feature = od_calloc(levels, sizeof *c->level_feature);
    if (!c->level_count || !c->level_feature) return od_fail_nomem(err);
    odim_status status = ODIM_OK;
    for (size_t i = 0; !status && i < levels; i++) status = read_level(in, c, i, err);
    return status;
}

static bool is_fill(const od_schema_col *c)
{
    if (c->ignored) return !isinf(c->fill);
    if (c->type != ODIM_CATEGORICAL) return isfinite(c->fill);
    return c->fill >= 0 && c->fill < (double)od_levels_count(&c->levels) && c->fill == floor(c->fill);
}

static odim_status check_column(const od_schema_col *c, int64_t rows, odim_error *err)
{
    if (c->missing > rows) return fail_column(c, "more cells are missing than there are rows", err);
    if (isinf(c->low) || isinf(c->high) || isinf(c->usual_low) || isinf(c->usual_high))
        return fail_column(c, "a bound is infinite", err);
    for (int64_t i = 0; i < od_levels_count(&c->levels); i++)
        if (c->level_count[i] > rows) return fail_column(c, "a level is in more rows than there are", err);
    if (!c->ignored && c->type == ODIM_CATEGORICAL && c->own_levels == 0)
        return fail_column(c, "no level has a feature", err);
    if (!is_fill(c)) return fail_column(c, "what stands for a missing cell is impossible", err);
    return ODIM_OK;
}

static odim_status read_column(od_byte_reader *in, od_schema_col *c, int64_t rows, odim_error *err)
{
    size_t len;
    const char *name = od_bytes_get_text(in, TEXT_MOST, &len);
    if (!(c->name = od_strndup(name, len))) return od_fail_nomem(err);
    uint8_t type = od_bytes_get_u8(in), ignored = od_bytes_get_u8(in), cycles = od_bytes_get_u8(in);
    uint8_t indicator = od_bytes_get_u8(in);
    c->missing = od_bytes_get_i64(in);
    c->low = od_bytes_get_f64(in);
    c->high = od_bytes_get_f64(in);
    c->fill = od_bytes_get_f64(in);
    c->usual_low = od_bytes_get_f64(in);
    c->usual_high = od_bytes_get_f64(in);
    if (in->bad) return fail_column(c, "it is cut short or out of range", err);
    if (type > ODIM_TIME || ignored > OD_IGNORED_RARE || indicator > 1 ||
        (type == ODIM_TIME ? cycles > CYCLES : cycles && !(type == ODIM_NUMERIC && cycles == CHECKED)))
        return fail_column(c, "its type is impossible", err);
    c->type = (odim_type)type;
    c->ignored = (od_ignored)ignored;
    c->checked = cycles == CHECKED;
    c->cycles = c->checked ? 0 : cycles;
    c->indicator = indicator;
    odim_status status = read_levels(in, c, err);
    return status ? status : check_column(c, rows, err);
}

static odim_status read_scale(od_byte_reader *in, od_schema *s, odim_error *err)
{
    size_t features = od_bytes_get_count(in, 2 * sizeof(double));
    if (in->bad || features != (size_t)s->features)
        return od_fail(err, ODIM_ERR_FORMAT,
                       "the columns have %lld features, the scale is cut short or for %zu",
                       (long long)s->features, features);
    s->shift = od_alloc(features, sizeof *s->shift);
    s->width = od_alloc(features, sizeof *s->width);
    if (!s->shift || !s->width) return od_fail_nomem(err);
    od_bytes_get_f64s(in, s->shift, features);
    od_bytes_get_f64s(in, s->width, features);
    for (size_t j = 0; j < features; j++)
        if (!isfinite(s->shift[j]) || !isfinite(s->width[j]) || s->width[j] < 0)
            return od_fail(err, ODIM_ERR_FORMAT, "the scale of feature %zu is impossible", j + 1);
    return ODIM_OK;
}

odim_status od_schema_file_read(od_byte_reader *in, od_schema *s, odim_error *err)
{
    s->rows = od_bytes_get_i64(in);
    size_t cols = od_bytes_get_count(in, COLUMN_LEAST);
    if (in->bad || cols > OD_MAX_COLS)
        return od_fail(err, ODIM_ERR_FORMAT, "the number of rows or columns is impossible");
    if (!(s->col = od_calloc(cols, sizeof *s->col))) return od_fail_nomem(err);
    s->cols = (int64_t)cols;
    odim_status status = ODIM_OK;
    for (size_t j = 0; !status && j < cols; j++) status = read_column(in, &s->col[j], s->rows, err);
    if (!status) status = od_schema_finish(s, err);
    return status ? status : read_scale(in, s, err);
}

/* ---- FILE --------------------------------------------------------------------------------------------- */

_Static_assert(OD_ROLE_IGNORED == 0 && OD_ROLE_FEATURE == 1 && OD_ROLE_ID == 2 && OD_ROLE_LABEL == 3, "");
_Static_assert(OD_ROLE_KNOWN == 4 && OD_COMMA_APOSTROPHE == 5 && OD_DATE_MILLISECONDS == 6, "");

bool od_file_columns_wanted(const od_schema *s)
{
    bool any = s->file.names.count > 0 || s->texts.count > 0;
    for (int64_t j = 0; !any && j < s->cols; j++) {
        const od_cell_format *f = &s->col[j].format;
        any = f->notations || f->order || *f->unit;
    }
    return any;
}

/* Of each text the first column that describes it; the others follow that one. */
static void write_texts(od_byte_writer *out, const od_schema *s)
{
    od_bytes_put_u32(out, (uint32_t)s->texts.count);
    for (int64_t j = 0; j < s->cols; j++) {
        const od_cell_format *f = &s->col[j].format;
        if (f->feature != OD_TEXT_LENGTH) continue;
        od_bytes_put_u32(out, (uint32_t)j);
        od_bytes_put(out, s->texts.list[f->text].part, OD_TEXT_SLOTS);
    }
}

void od_file_columns_write(od_byte_writer *out, const od_schema *s)
{
    const od_file_columns *f = &s->file;
    od_bytes_put_u32(out, (uint32_t)f->names.count);
    for (size_t i = 0; i < f->names.count; i++) {
        od_bytes_put_text(out, od_strlist_at(&f->names, i));
        od_bytes_put_u8(out, f->role[i]);
    }
    od_bytes_put_u32(out, (uint32_t)s->cols);
    for (int64_t j = 0; j < s->cols; j++) {
        od_bytes_put_u8(out, s->col[j].format.notations);
        od_bytes_put_u8(out, s->col[j].format.order);
        od_bytes_put_text(out, s->col[j].format.unit);
    }
    if (s->texts.count) write_texts(out, s);
}

/* *sources: number of columns that are features, or become some. */
static odim_status read_names(od_byte_reader *in, od_schema *s, int64_t *sources, odim_error *err)
{
    od_file_columns *f = &s->file;
    size_t count = od_bytes_get_count(in, 4 + 1), features = 0, ids = 0;
    if (in->bad) return od_fail(err, ODIM_ERR_FORMAT, "the number of columns is impossible");
    if (count && !(f->role = od_alloc(count, 1))) return od_fail_nomem(err);
    odim_status status = ODIM_OK;
    for (size_t i = 0; !status && i < count; i++) {
        size_t len;
        const char *name = od_bytes_get_text(in, TEXT_MOST, &len);
        f->role[i] = od_bytes_get_u8(in);
        if (in->bad || f->role[i] >= OD_ROLES)
            return od_fail(err, ODIM_ERR_FORMAT, "column %zu is cut short or out of range", i + 1);
        features += f->role[i] == OD_ROLE_FEATURE;
        ids += f->role[i] == OD_ROLE_ID;
        status = od_strlist_add(&f->names, name, len, err);
    }
    if (!status && ids > 1) return od_fail(err, ODIM_ERR_FORMAT, "it has %zu ids", ids);
    *sources = (int64_t)features;
    return status;
}

/* The columns from `first` on describe text number `text`. */
static odim_status read_text(od_byte_reader *in, od_schema *s, size_t text, odim_error *err)
{
    int64_t first = od_bytes_get_u32(in);
    const unsigned char *part = od_bytes_take(in, OD_TEXT_SLOTS);
    if (in->bad || first > s->cols - OD_TEXT_FEATURES)
        return od_fail(err, ODIM_ERR_FORMAT, "text %zu is cut short or out of range", text + 1);
    memcpy(s->texts.list[text].part, part, OD_TEXT_SLOTS);
    size_t len = od_text_source(s->col[first].name, OD_TEXT_LENGTH);
    for (int k = OD_TEXT_LENGTH; k <= OD_TEXT_FEATURES; k++) {
        od_schema_col *c = &s->col[first + k - OD_TEXT_LENGTH];
        const char *suffix = od_text_suffix((od_text_feature)k);
        if (c->type != ODIM_NUMERIC || c->format.feature || c->format.notations || *c->format.unit ||
            strncmp(c->name, s->col[first].name, len) != 0 || strcmp(c->name + len, suffix) != 0)
            return fail_column(c, "it does not describe a text", err);
        c->format.feature = (uint8_t)k;
        c->format.text = (uint16_t)text;
    }
    return ODIM_OK;
}

static odim_status read_texts(od_byte_reader *in, od_schema *s, odim_error *err)
{
    size_t count = od_bytes_get_count(in, 4 + OD_TEXT_SLOTS);
    if (in->bad || count == 0 || count > OD_MAX_COLS)
        return od_fail(err, ODIM_ERR_FORMAT, "the number of texts is impossible");
    if (!(s->texts.list = od_alloc(count, sizeof *s->texts.list))) return od_fail_nomem(err);
    s->texts.count = count;
    odim_status status = ODIM_OK;
    for (size_t i = 0; !status && i < count; i++) status = read_text(in, s, i, err);
    return status;
}

odim_status od_file_columns_read(od_byte_reader *in, od_schema *s, odim_error *err)
{
    int64_t sources = 0;
    odim_status status = read_names(in, s, &sources, err);
    if (status) return status;
    if (od_bytes_get_count(in, 1 + 1 + 4) != (size_t)s->cols || in->bad)
        return od_fail(err, ODIM_ERR_FORMAT, "the number of formats is not that of columns");
    for (int64_t j = 0; j < s->cols; j++) {
        od_cell_format *format = &s->col[j].format;
        size_t len;
        format->notations = od_bytes_get_u8(in);
        format->order = od_bytes_get_u8(in);
        const char *unit = od_bytes_get_text(in, OD_UNIT_ROOM - 1, &len);
        if (in->bad || format->notations > OD_ALL_NUMBERS || format->order >= OD_DATE_ORDERS ||
            ((format->notations & OD_POINTS) && (format->notations & OD_COMMAS)))
            return fail_column(&s->col[j], "its format is impossible", err);
        memcpy(format->unit, unit, len);
    }
    if (in->left) status = read_texts(in, s, err); /* files without texts end here */
    if (!status && s->file.names.count && sources != od_schema_sources(s))
        return od_fail(err, ODIM_ERR_FORMAT, "it has %lld features, the model has %lld columns",
                       (long long)sources, (long long)od_schema_sources(s));
    return status;
}
