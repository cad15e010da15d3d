#include "prep/read.h"

#include <string.h>
#include <strings.h>

#include "io/idx.h"
#include "io/npy.h"
#include "io/zip.h"

static const struct {
    const char *name;
    od_format format;
} formats[] = {{"auto", OD_FORMAT_AUTO}, {"csv", OD_FORMAT_CSV}, {"tsv", OD_FORMAT_TSV},
               {"npy", OD_FORMAT_NPY},   {"npz", OD_FORMAT_NPZ}, {"idx", OD_FORMAT_IDX}};

static odim_status check_options(const odim_read_options *o, od_format *format, odim_error *err)
{
    size_t i = 0, known = sizeof formats / sizeof *formats;
    while (o->format && i < known && strcmp(formats[i].name, o->format) != 0) i++;
    if (i == known) {
        char shown[40];
        return od_fail(err, ODIM_ERR_PARAM, "format '%s' is not known; csv, tsv, npy, npz, idx and auto are",
                       od_printable(shown, sizeof shown, o->format, strlen(o->format)));
    }
    *format = formats[i].format;
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

/* Files that people have, that are no text, and that are not read: better named than called malformed. */
static const char *foreign(const unsigned char *bytes, size_t len)
{
    static const struct {
        size_t at, len;
        const char *magic, *what;
    } known[] = {{0, 5, "PAR1\x15", "a Parquet file"},
                 {0, 7, "ARROW1", "an Arrow file"},
                 {0, 4, "\x89HDF", "an HDF5 file"},
                 {0, 19, "MATLAB 5.0 MAT-file", "a MATLAB file"},
                 {0, 4, "\xD0\xCF\x11\xE0", "an old Excel file"},
                 {0, 16, "SQLite format 3", "an SQLite file"},
                 {0, 5, "%PDF-", "a PDF file"},
                 {0, 6, "\xFD\x37zXZ", "compressed with xz"},
                 {0, 4, "\x28\xB5\x2F\xFD", "compressed with zstd"},
                 {4, 6, "1AY&SY", "compressed with bzip2"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (len >= known[i].at + known[i].len && !memcmp(bytes + known[i].at, known[i].magic, known[i].len))
            return known[i].what;
    return NULL;
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
    else if (foreign(bytes, len))
        return od_fail(err, ODIM_ERR_FORMAT, "it is %s, which cannot be read; convert it to CSV, NPY or NPZ",
                       foreign(bytes, len));
    else
        *format = name_is_tsv(name) ? OD_FORMAT_TSV : OD_FORMAT_CSV;
    return ODIM_OK;
}

static odim_status read_source(odim_table **out, od_source *src, const char *name, const odim_read_options *o,
                               od_format format, odim_error *err)
{
    odim_status status = detect(src, name, &format, err);
    if (status) return status;
    odim_table *t = od_table_new();
    if (!t) return od_fail_nomem(err);
    bool text = format == OD_FORMAT_CSV || format == OD_FORMAT_TSV;
    status = text ? od_read_text_fill(t, src, format, o, err) : od_read_dense_fill(t, src, format, o, err);
    if (status)
        odim_table_free(t);
    else
        *out = t;
    return status;
}

/* From memory when bytes is not NULL, else from the path `name`. */
static odim_status read_any(odim_table **out, const void *bytes, size_t size, const char *name,
                            const char *shown, const odim_read_options *options, odim_error *err)
{
    static const odim_read_options none = {0};
    const odim_read_options *o = options ? options : &none;
    od_format format = OD_FORMAT_AUTO;
    odim_status status = check_options(o, &format, err);
    if (status) return status;
    od_source *src = NULL;
    status = bytes ? od_source_memory(&src, bytes, size, err) : od_source_open(&src, name, err);
    if (!status) status = read_source(out, src, name, o, format, err);
    od_source_close(src);
    char safe[160];
    return od_error_prefix(err, status, od_printable(safe, sizeof safe, shown, strlen(shown)));
}

odim_status odim_table_read(odim_table **out, const char *path, const odim_read_options *options,
                            odim_error *err)
{
    *out = NULL;
    if (!path) return od_fail(err, ODIM_ERR_PARAM, "the path is NULL");
    return read_any(out, NULL, 0, path, strcmp(path, "-") == 0 ? "<stdin>" : path, options, err);
}

odim_status odim_table_read_memory(odim_table **out, const void *bytes, size_t size, const char *name,
                                   const odim_read_options *options, odim_error *err)
{
    *out = NULL;
    if (!bytes && size) return od_fail(err, ODIM_ERR_PARAM, "the bytes are NULL");
    if (!name) name = "<memory>";
    return read_any(out, bytes ? bytes : "", size, name, name, options, err);
}
