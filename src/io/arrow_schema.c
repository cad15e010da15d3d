/* Reads the schema of an Arrow file. The numbers of slots and types are those of Arrow's Schema.fbs. */
#include "io/arrow_schema.h"

#include <string.h>

#include "common/mem.h"

/* Fields of fields, at most; and fields at all. */
#define DEPTH_MOST  64
#define FIELDS_MOST (1 << 20)

enum { SCHEMA_ENDIANNESS, SCHEMA_FIELDS };
enum { FIELD_NAME, FIELD_NULLABLE, FIELD_TYPE_KIND, FIELD_TYPE, FIELD_DICTIONARY, FIELD_CHILDREN };
enum { DICTIONARY_ID, DICTIONARY_INDEX };

enum type_kind {
    TYPE_NULL = 1,
    TYPE_INT,
    TYPE_FLOAT,
    TYPE_BINARY,
    TYPE_UTF8,
    TYPE_BOOL,
    TYPE_DECIMAL,
    TYPE_DATE,
    TYPE_TIME,
    TYPE_TIMESTAMP,
    TYPE_INTERVAL,
    TYPE_LIST,
    TYPE_STRUCT,
    TYPE_UNION,
    TYPE_FIXED_BINARY,
    TYPE_FIXED_LIST,
    TYPE_MAP,
    TYPE_DURATION,
    TYPE_LARGE_BINARY,
    TYPE_LARGE_UTF8,
    TYPE_LARGE_LIST,
    TYPE_RUN_END,
    TYPE_BINARY_VIEW,
    TYPE_UTF8_VIEW,
    TYPE_LIST_VIEW,
    TYPE_LARGE_LIST_VIEW
};

typedef struct walk {
    int64_t version;
    size_t fields; /* seen so far */
} walk;

/* ---- types ------------------------------------------------------------------------------------------ */

static od_arrow_kind int_kind(const od_flat_table *t)
{
    int64_t bits = od_flat_int(t, 0, 4, 0);
    bool has_sign = od_flat_int(t, 1, 1, 0) != 0;
    switch (bits) {
    case 8: return has_sign ? OD_ARROW_INT8 : OD_ARROW_UINT8;
    case 16: return has_sign ? OD_ARROW_INT16 : OD_ARROW_UINT16;
    case 32: return has_sign ? OD_ARROW_INT32 : OD_ARROW_UINT32;
    case 64: return has_sign ? OD_ARROW_INT64 : OD_ARROW_UINT64;
    default: return OD_ARROW_OTHER;
    }
}

static int64_t per_second(int64_t unit)
{
    static const int64_t per[] = {1, 1000, 1000000, 1000000000};
    return unit >= 0 && unit < 4 ? per[unit] : 0;
}

static od_arrow_type decimal(const od_flat_table *t)
{
    int64_t scale = od_flat_int(t, 1, 4, 0), bits = od_flat_int(t, 2, 4, 128);
    bool known = scale >= -76 && scale <= 76 && (bits == 32 || bits == 64 || bits == 128 || bits == 256);
    return (od_arrow_type){.kind = known ? OD_ARROW_DECIMAL : OD_ARROW_OTHER,
                           .bits = known ? (int)bits : 0,
                           .scale = known ? (int)scale : 0};
}

static od_arrow_type moment(const od_flat_table *t)
{
    size_t len;
    const char *zone = od_flat_text(t, 1, &len);
    return (od_arrow_type){
        .kind = OD_ARROW_TIMESTAMP, .per = per_second(od_flat_int(t, 0, 2, 0)), .utc = zone && len};
}

static od_arrow_type time_of_day(const od_flat_table *t)
{
    int64_t bits = od_flat_int(t, 1, 4, 32);
    return (od_arrow_type){.kind = bits == 32   ? OD_ARROW_TIME32
                                   : bits == 64 ? OD_ARROW_TIME64
                                                : OD_ARROW_OTHER,
                           .per = per_second(od_flat_int(t, 0, 2, 1))};
}

static const char *nested_name(int64_t kind)
{
    switch (kind) {
    case TYPE_INTERVAL: return "interval";
    case TYPE_LIST:
    case TYPE_LARGE_LIST:
    case TYPE_LIST_VIEW:
    case TYPE_LARGE_LIST_VIEW: return "list";
    case TYPE_FIXED_LIST: return "fixed size list";
    case TYPE_STRUCT: return "struct";
    case TYPE_UNION: return "union";
    case TYPE_MAP: return "map";
    case TYPE_RUN_END: return "run-end encoded";
    default: return "unknown";
    }
}

static od_arrow_type read_type(int64_t kind, const od_flat_table *t)
{
    static const od_arrow_kind floats[] = {OD_ARROW_HALF, OD_ARROW_FLOAT, OD_ARROW_DOUBLE};
    od_arrow_type type = {.kind = OD_ARROW_OTHER};
    int64_t precision;
    switch (kind) {
    case TYPE_NULL: type.kind = OD_ARROW_NULL; break;
    case TYPE_INT: type.kind = int_kind(t); break;
    case TYPE_FLOAT:
        precision = od_flat_int(t, 0, 2, 0);
        if (precision >= 0 && precision < 3) type.kind = floats[precision];
        break;
    case TYPE_UTF8: type.kind = OD_ARROW_TEXT; break;
    case TYPE_LARGE_UTF8: type.kind = OD_ARROW_LARGE_TEXT; break;
    case TYPE_UTF8_VIEW: type.kind = OD_ARROW_TEXT_VIEW; break;
    case TYPE_BOOL: type.kind = OD_ARROW_BOOL; break;
    case TYPE_DECIMAL: type = decimal(t); break;
    case TYPE_DATE: type.kind = od_flat_int(t, 0, 2, 1) ? OD_ARROW_DATE_MS : OD_ARROW_DATE; break;
    case TYPE_TIME: type = time_of_day(t); break;
    case TYPE_TIMESTAMP: type = moment(t); break;
    case TYPE_DURATION:
        type = (od_arrow_type){.kind = OD_ARROW_DURATION, .per = per_second(od_flat_int(t, 0, 2, 1))};
        break;
    case TYPE_BINARY:
    case TYPE_LARGE_BINARY:
    case TYPE_BINARY_VIEW:
    case TYPE_FIXED_BINARY: type.kind = OD_ARROW_BYTES; break;
    default: break;
    }
    bool has_unit = type.kind >= OD_ARROW_TIME32 && type.kind <= OD_ARROW_DURATION;
    if (has_unit && !type.per) type.kind = OD_ARROW_OTHER;
    if (type.kind == OD_ARROW_OTHER) type.what = nested_name(kind);
    return type;
}

/* ---- layouts ---------------------------------------------------------------------------------------- */

/* Buffers of one node. A union had a validity before version 5. */
static size_t buffers_of(int64_t kind, const od_flat_table *t, int64_t version)
{
    size_t valid = version < OD_ARROW_V5;
    switch (kind) {
    case TYPE_NULL:
    case TYPE_RUN_END: return 0;
    case TYPE_STRUCT:
    case TYPE_FIXED_LIST: return 1;
    case TYPE_BINARY:
    case TYPE_UTF8:
    case TYPE_LARGE_BINARY:
    case TYPE_LARGE_UTF8:
    case TYPE_LIST_VIEW:
    case TYPE_LARGE_LIST_VIEW: return 3;
    case TYPE_UNION: return valid + 1 + (od_flat_int(t, 0, 2, 0) == 1);
    default: return 2;
    }
}

static odim_status fail(odim_error *err)
{
    return od_fail(err, ODIM_ERR_FORMAT, "the schema of the Arrow data is damaged");
}

static odim_status walk_field(walk *w, const od_flat_table *field, int depth, od_arrow_type *type,
                              od_arrow_layout *layout, odim_error *err)
{
    od_flat_table inner = {.in = field->in}, dictionary, index;
    int64_t kind = od_flat_int(field, FIELD_TYPE_KIND, 1, 0);
    if (depth > DEPTH_MOST || ++w->fields > FIELDS_MOST) return fail(err);
    bool described = od_flat_child(field, FIELD_TYPE, &inner);
    if (!described || kind <= 0) return fail(err);
    if (type) *type = read_type(kind, &inner);
    layout->nodes++;
    if (od_flat_child(field, FIELD_DICTIONARY, &dictionary)) {
        /* The batch has the indices; the values are in a dictionary batch. */
        layout->buffers += 2;
        if (!type) return ODIM_OK;
        type->encoded = true;
        type->index = OD_ARROW_INT32;
        if (od_flat_child(&dictionary, DICTIONARY_INDEX, &index)) type->index = int_kind(&index);
        layout->dictionary = od_flat_int(&dictionary, DICTIONARY_ID, 8, 0);
        return type->index == OD_ARROW_OTHER ? fail(err) : ODIM_OK;
    }
    if (kind > TYPE_LARGE_LIST_VIEW)
        return od_fail(err, ODIM_ERR_FORMAT, "it has a column of a type that is newer than this program");
    layout->buffers += buffers_of(kind, &inner, w->version);
    layout->views += kind == TYPE_BINARY_VIEW || kind == TYPE_UTF8_VIEW;
    odim_status status = ODIM_OK;
    od_flat_vector children = od_flat_items(field, FIELD_CHILDREN, 4);
    for (size_t i = 0; i < children.count && !status; i++) {
        od_flat_table child;
        status = od_flat_item_table(&children, i, &child)
                     ? walk_field(w, &child, depth + 1, NULL, layout, err)
                     : fail(err);
    }
    return status;
}

odim_status od_arrow_schema_read(od_arrow_schema *out, const od_flat_table *schema, int64_t version,
                                 odim_error *err)
{
    walk w = {.version = version};
    odim_status status = ODIM_OK;
    if (version < OD_ARROW_V4 || version > OD_ARROW_V5)
        return od_fail(err, ODIM_ERR_FORMAT,
                       "it is of version %lld of Arrow's format; versions 4 and 5 can be read",
                       (long long)version + 1);
    if (od_flat_int(schema, SCHEMA_ENDIANNESS, 2, 0))
        return od_fail(err, ODIM_ERR_FORMAT,
                       "it is big endian, which cannot be read; write it little endian");
    od_flat_vector fields = od_flat_items(schema, SCHEMA_FIELDS, 4);
    out->type = od_calloc(fields.count, sizeof *out->type);
    out->layout = od_calloc(fields.count, sizeof *out->layout);
    if (!out->type || !out->layout) return od_fail_nomem(err);
    for (size_t j = 0; j < fields.count && !status; j++) {
        od_flat_table field;
        if (!od_flat_item_table(&fields, j, &field)) return fail(err);
        size_t len;
        const char *name = od_flat_text(&field, FIELD_NAME, &len);
        status = walk_field(&w, &field, 0, &out->type[j], &out->layout[j], err);
        /* A name ends at its first zero byte. */
        if (!status)
            status = od_strlist_add(&out->names, name ? name : "", name ? strnlen(name, len) : 0, err);
    }
    if (!status && schema->in->bad) status = fail(err);
    return status;
}

void od_arrow_schema_free(od_arrow_schema *s)
{
    od_strlist_free(&s->names);
    od_free(s->type);
    od_free(s->layout);
    *s = (od_arrow_schema){0};
}
