/* Picks the format of a file, and reads it whole, in blocks or in parts. */
#include "prep/id_notes.h"
#include "prep/read.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "common/mem.h"
#include "io/arrow_file.h"
#include "io/idx.h"
#include "io/npy.h"
#include "io/sqlite_rows.h"
#include "io/xlsx.h"
#include "io/zip.h"
#include "prep/archive.h"
#include "prep/arrow_input.h"
#include "prep/bounds.h"
#include "prep/dense_rows.h"
#include "prep/duckdb_input.h"
#include "prep/json_input.h"
#include "prep/known_rows.h"
#include "prep/many_files.h"
#include "prep/options_apply.h"
#include "prep/picture_rows.h"
#include "prep/sqlite_input.h"
#include "prep/text_rows.h"
#include "base/hint.h"

static const struct {
    const char *name;
    od_format format;
} formats[] = {{"auto", OD_FORMAT_AUTO},   {"csv", OD_FORMAT_CSV},          {"tsv", OD_FORMAT_TSV},
               {"npy", OD_FORMAT_NPY},     {"npz", OD_FORMAT_NPZ},          {"idx", OD_FORMAT_IDX},
               {"json", OD_FORMAT_JSON},   {"jsonl", OD_FORMAT_JSON_LINES}, {"xlsx", OD_FORMAT_XLSX},
               {"ods", OD_FORMAT_XLSX},    {"sqlite", OD_FORMAT_SQLITE},    {"parquet", OD_FORMAT_PARQUET},
               {"arrow", OD_FORMAT_ARROW}, {"duckdb", OD_FORMAT_DUCKDB}};

odim_status od_read_check_options(const odim_read_options *o, od_format *format, odim_error *err)
{
    size_t i = 0, known = sizeof formats / sizeof *formats;
    while (o->format && i < known && strcmp(formats[i].name, o->format) != 0) i++;
    if (i == known) {
        char shown[40];
        return od_fail(
            err, ODIM_ERR_PARAM,
            "format '%s' is not known; csv, tsv, npy, npz, idx, json, jsonl, xlsx, ods, sqlite, parquet, "
            "arrow, duckdb and auto are",
            od_printable(shown, sizeof shown, o->format, strlen(o->format)));
    }
    *format = formats[i].format;
    if (o->known && o->known_rows)
        return od_fail(err, ODIM_ERR_PARAM,
                       "known outliers are given by a column or by a file of rows, not by both");
    if (o->bounds &&
        (o->ignore || o->only || o->numeric || o->boolean || o->categorical || o->time || o->like))
        return od_fail(err, ODIM_ERR_PARAM,
                       "the bounds say which columns are used and what they are: ignore, only, numeric, "
                       "categorical, types and a model cannot");
    if (o->decimal && o->decimal != '.' && o->decimal != ',')
        return od_fail(err, ODIM_ERR_PARAM, "the decimal mark must be a point or a comma");
    if (o->threads < 0) return od_fail(err, ODIM_ERR_PARAM, "the number of threads must not be negative");
    int c = o->delimiter;
    if (c != 0 && c != '\t' && (c < ' ' || c > '~' || c == '"'))
        return od_fail(err, ODIM_ERR_PARAM,
                       "the delimiter must be a tab or a printable ASCII character, but no quote");
    return ODIM_OK;
}

static bool name_is_tsv(const char *name)
{
    size_t len = strlen(name);
    if (len > 3 && strcasecmp(name + len - 3, ".gz") == 0) len -= 3;
    return len > 4 && strncasecmp(name + len - 4, ".tsv", 4) == 0;
}

/* Common files that are not tables of text. A message that names them is better than one about malformed
 * text. */
static const char *foreign(const unsigned char *bytes, size_t len)
{
    static const struct {
        size_t at, len;
        const char *magic, *what;
    } known[] = {{0, 4, "\x89HDF", "an HDF5 file"},
                 {0, 19, "MATLAB 5.0 MAT-file", "a MATLAB file"},
                 {0, 5, "%PDF-", "a PDF file"},
                 {0, 5, "<?xml", "an XML file"},
                 {0, 4, "FEA1", "a Feather file of version 1"},
                 {0, 6, "\xFD\x37zXZ", "compressed with xz"},
                 {0, 4, "\x28\xB5\x2F\xFD", "compressed with zstd"},
                 {4, 6, "1AY&SY", "compressed with bzip2"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (len >= known[i].at + known[i].len && !memcmp(bytes + known[i].at, known[i].magic, known[i].len))
            return known[i].what;
    return NULL;
}

/* All bytes of a file, which stay those of the source. */
static odim_status read_bytes(od_source *src, const odim_read_options *o, const unsigned char **bytes,
                              size_t *size, odim_error *err)
{
    od_source_limit(src, od_mem_limit(o ? o->unpacked : 0));
    return od_source_map(src, bytes, size, err);
}

/* Files of the kind that Excel wrote before 2007; encrypted workbooks are of that kind still. */
static odim_status refuse_old_excel(od_source *src, odim_error *err)
{
    const unsigned char *bytes;
    size_t size;
    odim_status status = read_bytes(src, NULL, &bytes, &size, err);
    return status ? status : od_xlsx_refuse_old(bytes, size, err);
}

/* A zip archive is NPZ or a workbook: its directory, which is at the end, tells. */
static odim_status detect_zip(od_source *src, od_table_input *in, odim_error *err)
{
    const unsigned char *bytes;
    size_t size;
    odim_status status = read_bytes(src, in->options, &bytes, &size, err);
    if (!status && od_xlsx_is(bytes, size)) in->format = OD_FORMAT_XLSX;
    return status;
}

static odim_status open_xlsx(od_records **out, const od_table_input *in, od_strlist *notes, odim_error *err)
{
    const unsigned char *bytes;
    size_t size;
    odim_status status = read_bytes(in->src, in->options, &bytes, &size, err);
    return status ? status : od_xlsx_open(out, bytes, size, in->options, notes, err);
}

static odim_status detect(od_source *src, const char *name, od_format *format, odim_error *err)
{
    const unsigned char *bytes;
    size_t len;
    odim_status status = od_source_peek(src, &bytes, &len, err);
    if (status) return status;
    if (len == 0) return od_fail(err, ODIM_ERR_DATA, "the file is empty");
    if (*format != OD_FORMAT_AUTO) return ODIM_OK;
    if (od_zip_is(bytes, len))
        *format = OD_FORMAT_NPZ;
    else if (len >= OD_NPY_MAGIC_LEN && memcmp(bytes, OD_NPY_MAGIC, OD_NPY_MAGIC_LEN) == 0)
        *format = OD_FORMAT_NPY;
    else if (od_idx_is(bytes, len))
        *format = OD_FORMAT_IDX;
    else if (od_sqlite_is(bytes, len))
        *format = OD_FORMAT_SQLITE;
    else if (len >= 4 && memcmp(bytes, "\xD0\xCF\x11\xE0", 4) == 0)
        return refuse_old_excel(src, err);
    else if (od_arrow_is(bytes, len))
        *format = OD_FORMAT_ARROW;
    else if (od_duckdb_detect(bytes, len, format))
        return ODIM_OK;
    else if (foreign(bytes, len))
        return od_fail(err, ODIM_ERR_FORMAT, "it is %s, which cannot be read; convert it to CSV, NPY or NPZ",
                       foreign(bytes, len));
    else
        *format = od_json_format(name, od_json_is(bytes, len) ? OD_FORMAT_JSON
                                       : name_is_tsv(name)    ? OD_FORMAT_TSV
                                                              : OD_FORMAT_CSV);
    return ODIM_OK;
}

/* ---- blocks --------------------------------------------------------------------------------------- */

struct odim_reader {
    char shown[160]; /* the file's name, fit for a message; of several, the one that is open */
    char first[160]; /* the name of the first of several */
    od_source *src;
    od_archive archive; /* that it is in */
    bool is_text;
    bool in_memory;
    bool like; /* a model */
    od_text_rows text;
    od_dense_rows dense;
    odim_table *table;
    od_schema bounds; /* what is public of the columns, where a file says it */
    bool marked;
    od_known_rows known_rows; /* of known outliers, where they are listed in a file */
    /* Of several files: */
    odim_reader *inner;        /* the one that is open */
    odim_read_options of_each; /* how it is read, */
    od_strlist texts;          /* with texts */
    const char **ignored;      /* and a list of its own */
    const od_schema *schema;   /* the caller's, or NULL */
    int64_t noted;             /* files whose notes have been taken */
    bool left_out;             /* the part that is read has no rows */
};

static odim_status open_rows(odim_reader *r, const char *name, od_table_input *in, odim_error *err)
{
    bool guess = in->format == OD_FORMAT_AUTO;
    odim_status status = r->src ? detect(r->src, name, &in->format, err) : ODIM_OK;
    if (!status && guess && in->format == OD_FORMAT_NPZ) status = detect_zip(r->src, in, err);
    if (!status) status = od_options_apply(in->options, r->src ? in->format : OD_FORMAT_AUTO, err);
    if (status) return status;
    if (!(r->table = od_table_new())) return od_fail_nomem(err);
    in->src = r->src;
    r->like = in->like != NULL;
    od_records *records = NULL;
    bool by_duckdb = !r->src || od_duckdb_is(in->format);
    if (by_duckdb) {
        r->is_text = true;
        return od_duckdb_open(&r->text, r->table, in, r->in_memory ? NULL : name, err);
    }
    if ((in->options->sql || in->options->table) && in->format != OD_FORMAT_SQLITE)
        return od_fail(err, ODIM_ERR_PARAM, "tables and queries are for databases, which it is not");
    if (in->format == OD_FORMAT_XLSX) status = open_xlsx(&records, in, &r->table->notes, err);
    if (in->format == OD_FORMAT_JSON || in->format == OD_FORMAT_JSON_LINES)
        status = od_json_input(&records, in, err);
    if (in->format == OD_FORMAT_ARROW) status = od_arrow_input(&records, in, &r->table->notes, err);
    if (in->format == OD_FORMAT_SQLITE) status = od_sqlite_input(&records, in, &r->table->notes, err);
    if (status) return status;
    r->is_text = records || in->format == OD_FORMAT_CSV || in->format == OD_FORMAT_TSV;
    if (records) return od_text_rows_open_records(&r->text, r->table, in, records, err);
    if (in->raw && !r->is_text)
        return od_fail(err, ODIM_ERR_FORMAT, "it is an array; several files must be tables such as CSV");
    return r->is_text ? od_text_rows_open(&r->text, r->table, in, err)
                      : od_dense_rows_open(&r->dense, r->table, in, err);
}

/* A folder of pictures, whose names are their ids unless the caller wants none. */
static odim_status open_folder(odim_reader *r, const char *path, od_table_input *in, odim_error *err)
{
    od_records *records;
    odim_status status = od_options_apply_folder(in->options, err);
    if (status) return status;
    if (in->raw)
        return od_fail(err, ODIM_ERR_FORMAT, "it is a folder; several files must be tables such as CSV");
    if (!(r->table = od_table_new())) return od_fail_nomem(err);
    r->of_each = *in->options;
    if (!r->of_each.id) r->of_each.id = OD_PICTURE_FILE;
    in->options = &r->of_each;
    r->like = in->like != NULL;
    r->is_text = true;
    status = od_picture_rows_open(&records, path, in, &r->table->notes, err);
    return status ? status : od_text_rows_open_records(&r->text, r->table, in, records, err);
}

/* ---- several files ---------------------------------------------------------------------------------- */

static odim_status open_reader(odim_reader **out, const char *path, const void *bytes, size_t size,
                               od_table_input in, odim_error *err);

static void show_name(odim_reader *r, const char *path)
{
    const char *name = strcmp(path, "-") == 0 ? "<stdin>" : path;
    od_printable(r->shown, sizeof r->shown, name, strlen(name));
}

static void close_inner(void *self)
{
    odim_reader *r = self;
    odim_reader_free(r->inner);
    r->inner = NULL;
}

/* The name of the file that is open goes before all messages. */
static odim_status open_inner(void *self, int64_t i, od_text_rows **rows, odim_error *err)
{
    odim_reader *r = self;
    struct stat info;
    const char *path = od_strlist_at(&r->table->paths, (size_t)i);
    close_inner(r);
    show_name(r, path);
    bool once = strcmp(path, "-") == 0 || (stat(path, &info) == 0 && !S_ISREG(info.st_mode));
    if (once && !r->schema)
        return od_fail(err, ODIM_ERR_IO,
                       "it is not a regular file, and several files are read more than once; save it first");
    const od_table_input in = {.options = &r->of_each, .like = r->schema, .raw = true};
    odim_status status = open_reader(&r->inner, path, NULL, 0, in, err);
    if (!status && i == r->noted)
        status = od_many_files_notes(&r->table->notes, r->shown, &r->inner->table->notes, err);
    if (status) return status;
    if (i == r->noted) r->noted++;
    *rows = &r->inner->text;
    return ODIM_OK;
}

static odim_status open_many(odim_reader *r, const char *path, const od_table_input *in, odim_error *err)
{
    od_records *records;
    const odim_read_options *o = in->options;
    if (o->known_rows && !(o->id && *o->id))
        return od_fail(err, ODIM_ERR_PARAM, "known rows of several files need ids%s", OD_HINT("id"));
    if (!(r->table = od_table_new())) return od_fail_nomem(err);
    odim_status status = od_strlist_add(&r->table->paths, path, strlen(path), err);
    for (const char *const *more = o->more_files; !status && *more; more++)
        status = od_strlist_add(&r->table->paths, *more, strlen(*more), err);
    if (!status) status = od_many_files_options(&r->of_each, &r->texts, &r->ignored, o, err);
    if (status) return status;
    memcpy(r->first, r->shown, sizeof r->first);
    r->schema = in->like;
    r->like = in->like != NULL;
    r->is_text = true;
    const od_file_opener opener = {.open = open_inner,
                                   .close = close_inner,
                                   .self = r,
                                   .first = r->first,
                                   .count = (int64_t)r->table->paths.count};
    status = od_many_files_open(&records, opener, err);
    return status ? status : od_text_rows_open_records(&r->text, r->table, in, records, err);
}

static odim_status open_reader(odim_reader **out, const char *path, const void *bytes, size_t size,
                               od_table_input in, odim_error *err)
{
    static const odim_read_options none = {0};
    if (!in.options) in.options = &none;
    *out = NULL;
    odim_status status = od_read_check_options(in.options, &in.format, err);
    if (status) return status;
    odim_reader *r = od_calloc(1, sizeof *r);
    if (!r) return od_fail_nomem(err);
    const char *name = !bytes && strcmp(path, "-") == 0      ? "<stdin>"
                       : !bytes && !*path && in.options->sql ? "<sql>"
                                                             : path;
    od_printable(r->shown, sizeof r->shown, name, strlen(name));
    r->in_memory = bytes != NULL;
    bool many = !bytes && in.options->more_files && *in.options->more_files;
    if (in.options->bounds) {
        status = od_bounds_read(&r->bounds, in.options->bounds, err);
        in.like = &r->bounds;
    }
    if (!status && many) {
        status = od_error_prefix(err, open_many(r, path, &in, err), r->shown);
    } else if (!status && !bytes && in.format == OD_FORMAT_AUTO && od_picture_rows_is_folder(path)) {
        status = open_folder(r, path, &in, err);
        if (!in.raw) od_error_prefix(err, status, r->shown);
    } else if (!status) {
        bool query = in.options->sql && !bytes && !*path;
        if (!bytes && in.format == OD_FORMAT_AUTO && od_duckdb_is_pattern(path))
            in.format = OD_FORMAT_PARQUET;
        if (bytes)
            status = od_source_memory(&r->src, bytes, size, err);
        else if (!query && !(in.format == OD_FORMAT_PARQUET && od_duckdb_is_pattern(path)))
            status = od_source_open(&r->src, path, err);
        if (!status && r->src) status = od_archive_enter(&r->archive, &r->src, in.format, in.options, err);
        if (!status && r->src && in.options->encoding)
            status = od_source_set_encoding(&r->src, in.options->encoding, err);
        in.path = name == path && !bytes && !r->archive.outer ? path : NULL;
        if (!status) status = open_rows(r, r->archive.outer ? r->archive.name : path, &in, err);
        if (!in.raw) od_error_prefix(err, status, r->shown);
    }
    r->marked = in.options->known_rows != NULL;
    if (!status && r->marked)
        status = od_known_rows_read(&r->known_rows, in.options->known_rows, in.options->id && *in.options->id,
                                    err);
    if (status) {
        odim_reader_free(r);
        return status;
    }
    *out = r;
    return ODIM_OK;
}

odim_status od_reader_open(odim_reader **out, const char *path, const void *bytes, size_t size,
                           const odim_read_options *options, const od_schema *like, odim_error *err)
{
    return open_reader(out, path, bytes, size, (od_table_input){.options = options, .like = like}, err);
}

void odim_reader_free(odim_reader *r)
{
    if (!r) return;
    od_text_rows_close(&r->text);
    od_dense_rows_close(&r->dense);
    odim_reader_free(r->inner);
    od_strlist_free(&r->texts);
    od_free((void *)r->ignored);
    od_source_close(r->src);
    od_archive_close(&r->archive);
    od_known_rows_free(&r->known_rows);
    od_schema_free(&r->bounds);
    odim_table_free(r->table);
    od_free(r);
}

const char *od_reader_name(const odim_reader *r)
{
    return *r->first && !r->inner ? r->first : r->shown;
}

odim_table *od_reader_take(odim_reader *r)
{
    odim_table *t = r->table;
    r->table = NULL;
    return t;
}

/* Forgets the rows of the last block. Levels keep their codes, unless there is a model: then those that it
 * does not know are of no use to the next block, and a stream without end must not collect them. */
static void clear(odim_table *t, bool like)
{
    t->first += t->n;
    t->n = 0;
    od_strlist_clear(&t->ids);
    od_strlist_clear(&t->kept);
    od_strlist_clear(&t->bad.why);
    t->skipped = 0;
    for (int64_t k = 0; like && k < t->d; k++) od_levels_cut(&t->col[k].levels, t->col[k].known);
}

/* Known outliers among the rows in hand; `end`: they are the last. */
static odim_status mark(odim_reader *r, bool end, odim_error *err)
{
    odim_table *t = r->table;
    if (!r->marked) return ODIM_OK;
    odim_status status = od_known_rows_apply(&r->known_rows, t, err);
    return status || !end ? status : od_known_rows_end(&r->known_rows, t->first + t->n, err);
}

odim_status odim_reader_next(odim_reader *r, int64_t most, const odim_table **block, odim_error *err)
{
    OD_NEED(block, "block", err);
    *block = NULL;
    OD_NEED(r, "reader", err);
    if (most < 1) return od_fail(err, ODIM_ERR_PARAM, "a block has at least one row");
    clear(r->table, r->like);
    if (r->left_out) {
        *block = r->table;
        return ODIM_OK;
    }
    odim_status status = r->is_text ? od_text_rows_read(&r->text, r->table, most, true, err)
                                    : od_dense_rows_read(&r->dense, r->table, most, err);
    od_error_prefix(err, status, r->shown);
    if (!status) status = mark(r, r->table->n == 0, err);
    if (!status) *block = r->table;
    return status;
}

/* ---- in parts ------------------------------------------------------------------------------------- */

odim_status od_reader_open_parts(odim_reader **out, const char *path, const odim_read_options *options,
                                 const od_schema *like, odim_error *err)
{
    const od_table_input in = {.options = options, .like = like, .in_parts = true};
    return open_reader(out, path, NULL, 0, in, err);
}

int64_t od_reader_length(const odim_reader *r)
{
    if (!r->is_text) return od_dense_rows_length(&r->dense);
    return r->text.records ? 0 : (int64_t)od_source_size(r->src);
}

int64_t od_reader_cut(const odim_reader *r, int64_t part, int64_t parts)
{
    int64_t from = r->is_text ? r->text.data_at : 0, length = od_reader_length(r) - from;
    int64_t cut = length / parts * part + length % parts * part / parts;
    return from + (r->is_text && part && cut == 0 ? 1 : cut);
}

void od_reader_leave_out(odim_reader *r)
{
    r->left_out = true;
}

int64_t od_reader_rows(const odim_reader *r)
{
    return r->dense.header.rows;
}

bool od_reader_is_text(const odim_reader *r)
{
    return r->is_text;
}

odim_table *od_reader_table(odim_reader *r)
{
    return r->table;
}

odim_status od_reader_part(odim_reader *r, const od_span *part, odim_error *err)
{
    clear(r->table, r->like);
    odim_status status = r->is_text ? od_text_rows_part(&r->text, r->table, part, err)
                                    : od_dense_rows_part(&r->dense, r->table, part, err);
    return od_error_prefix(err, status, r->shown);
}

odim_status od_reader_guess(odim_reader *r, int64_t at, int64_t *start, odim_error *err)
{
    return od_error_prefix(err, od_text_rows_guess(&r->text, at, start, err), r->shown);
}

odim_status od_reader_count_types(odim_reader *r, od_type_votes *votes, int64_t most, int64_t *rows,
                                  odim_error *err)
{
    return od_error_prefix(err, od_text_rows_count_types(&r->text, votes, most, rows, err), r->shown);
}

odim_status od_reader_decide_types(odim_reader *r, const od_type_votes *votes, odim_error *err)
{
    if (!r->is_text) return ODIM_OK;
    return od_error_prefix(err, od_text_rows_decide_types(&r->text, r->table, votes, err), r->shown);
}

void od_reader_end(const odim_reader *r, int64_t *at, int64_t *line)
{
    *at = r->text.records ? 0 : od_csv_at(r->text.csv);
    *line = r->text.records ? 1 : od_csv_line(r->text.csv);
}

/* ---- the whole ------------------------------------------------------------------------------------ */

odim_status od_read_table(odim_table **out, const char *path, const void *bytes, size_t size,
                          const odim_read_options *options, const od_schema *like, odim_error *err)
{
    odim_reader *r;
    *out = NULL;
    odim_status status = od_reader_open(&r, path, bytes, size, options, like, err);
    if (status) return status;
    status = r->is_text ? od_text_rows_all(&r->text, r->table, err)
                        : od_dense_rows_read(&r->dense, r->table, INT64_MAX, err);
    od_error_prefix(err, status, r->shown);
    if (!status) status = mark(r, true, err);
    if (!status && !like) status = od_id_notes(r->table, err);
    if (!status) *out = od_reader_take(r);
    odim_reader_free(r);
    return status;
}
