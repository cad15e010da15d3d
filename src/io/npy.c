/* Parses the header of an NPY file. */
#include "io/npy.h"

#include <string.h>

#include "common/mem.h"

/* What NumPy writes for a plain array is about 120 bytes. */
#define HEADER_MOST 65536

/* ---- the dictionary ------------------------------------------------------------------------------- */

typedef struct cursor {
    const char *p, *end;
} cursor;

static void skip_blanks(cursor *c)
{
    while (c->p < c->end && (*c->p == ' ' || *c->p == '\t' || *c->p == '\n' || *c->p == '\r')) c->p++;
}

/* Takes `ch`, blanks before it allowed. */
static bool take(cursor *c, char ch)
{
    skip_blanks(c);
    if (c->p == c->end || *c->p != ch) return false;
    c->p++;
    return true;
}

static bool take_word(cursor *c, const char *word)
{
    skip_blanks(c);
    size_t len = strlen(word);
    if ((size_t)(c->end - c->p) < len || memcmp(c->p, word, len) != 0) return false;
    c->p += len;
    return true;
}

/* A string in single or double quotes, without escapes. */
static bool take_string(cursor *c, const char **text, size_t *len)
{
    skip_blanks(c);
    if (c->p == c->end || (*c->p != '\'' && *c->p != '"')) return false;
    const char *close = memchr(c->p + 1, *c->p, (size_t)(c->end - c->p - 1));
    if (!close) return false;
    *text = c->p + 1;
    *len = (size_t)(close - *text);
    c->p = close + 1;
    return memchr(*text, '\\', *len) == NULL;
}

/* A count; Python 2 wrote long ones with an L. */
static bool take_count(cursor *c, int64_t *out)
{
    skip_blanks(c);
    const char *start = c->p;
    int64_t n = 0;
    for (; c->p < c->end && *c->p >= '0' && *c->p <= '9'; c->p++) {
        if (n > (INT64_MAX - 9) / 10) return false;
        n = n * 10 + (*c->p - '0');
    }
    if (c->p == start) return false;
    if (c->p < c->end && *c->p == 'L') c->p++;
    *out = n;
    return true;
}

/* (), (3,), (3, 4) or (3, 4,), but not (3), which is a number in brackets. */
static bool take_shape(cursor *c, od_dense *d)
{
    d->axes = 0;
    if (!take(c, '(')) return false;
    if (take(c, ')')) return true;
    for (;;) {
        if (d->axes == OD_DENSE_AXES || !take_count(c, &d->shape[d->axes])) return false;
        d->axes++;
        bool comma = take(c, ',');
        if (take(c, ')')) return comma || d->axes > 1;
        if (!comma) return false;
    }
}

/* ---- types ---------------------------------------------------------------------------------------- */

/* What NumPy has and a table of numbers has not, by the letter of its type. */
static const char *foreign_type(char letter)
{
    switch (letter) {
    case 'c': return "complex numbers";
    case 'S':
    case 'a':
    case 'U':
    case 'T': return "strings";
    case 'M': return "dates";
    case 'm': return "time spans";
    case 'V': return "records or raw bytes";
    case 'f': return "floats of a width that C has not";
    default: return NULL;
    }
}

static odim_status parse_type(const char *text, size_t len, od_dense *d, odim_error *err)
{
    static const struct {
        const char *code;
        od_type type;
    } known[] = {{"b1", OD_TYPE_BOOL}, {"?", OD_TYPE_BOOL}, {"i1", OD_TYPE_I8},  {"u1", OD_TYPE_U8},
                 {"i2", OD_TYPE_I16},  {"u2", OD_TYPE_U16}, {"i4", OD_TYPE_I32}, {"u4", OD_TYPE_U32},
                 {"i8", OD_TYPE_I64},  {"u8", OD_TYPE_U64}, {"f2", OD_TYPE_F16}, {"f4", OD_TYPE_F32},
                 {"f8", OD_TYPE_F64}};
    d->big_endian = od_dense_host_is_big_endian(); /* for '=' and '|' */
    const char *code = text, *end = text + len;
    if (code < end && memchr("<>=|", *code, 4)) {
        if (*code == '<' || *code == '>') d->big_endian = *code == '>';
        code++;
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strlen(known[i].code) == (size_t)(end - code) &&
            !memcmp(known[i].code, code, (size_t)(end - code))) {
            d->type = known[i].type;
            return ODIM_OK;
        }
    }
    if (code < end && *code == 'O')
        return od_fail(
            err, ODIM_ERR_FORMAT,
            "it is an object array, stored as pickled Python, and nothing in a file is executed here; "
            "save it as numbers: numpy.save(file, array.astype(float))");
    char shown[32];
    od_printable(shown, sizeof shown, text, len);
    const char *what = code < end ? foreign_type(*code) : NULL;
    return od_fail(err, ODIM_ERR_FORMAT,
                   "its type '%s'%s%s%s cannot be read; save it as numbers (float, int or bool)", shown,
                   what ? " (" : "", what ? what : "", what ? ")" : "");
}

/* ---- the header ----------------------------------------------------------------------------------- */

static odim_status malformed(const cursor *c, const char *start, odim_error *err)
{
    char shown[40];
    return od_fail(err, ODIM_ERR_FORMAT, "malformed NPY header at byte %zu of it: '%s'",
                   (size_t)(c->p - start) + 1,
                   od_printable(shown, sizeof shown, c->p, (size_t)(c->end - c->p)));
}

static odim_status parse_header(const char *text, size_t len, od_dense *d, odim_error *err)
{
    static const char *const keys[] = {"descr", "fortran_order", "shape"};
    bool seen[3] = {false, false, false};
    cursor c = {text, text + len};
    bool more = take(&c, '{');
    if (!more) return malformed(&c, text, err);
    while (more && !take(&c, '}')) {
        const char *word;
        size_t word_len;
        cursor at = c;
        skip_blanks(&at);
        if (!take_string(&c, &word, &word_len)) return malformed(&at, text, err);
        int key = 0;
        while (key < 3 && (strlen(keys[key]) != word_len || memcmp(keys[key], word, word_len) != 0)) key++;
        if (key == 3 || seen[key] || !take(&c, ':')) return malformed(&at, text, err);
        seen[key] = true;
        skip_blanks(&c);
        at = c;
        if (key == 0) {
            if (c.p < c.end && (*c.p == '[' || *c.p == '('))
                return od_fail(
                    err, ODIM_ERR_FORMAT,
                    "it is a structured array (fields with names); save it as a plain array of numbers");
            if (!take_string(&c, &word, &word_len)) return malformed(&at, text, err);
            odim_status status = parse_type(word, word_len, d, err);
            if (status) return status;
        } else if (key == 1) {
            d->fortran = take_word(&c, "True");
            if (!d->fortran && !take_word(&c, "False")) return malformed(&at, text, err);
        } else if (!take_shape(&c, d)) {
            return malformed(&at, text, err);
        }
        more = take(&c, ',');
        if (!more && !take(&c, '}')) return malformed(&c, text, err);
    }
    skip_blanks(&c);
    if (c.p != c.end) return malformed(&c, text, err);
    for (int i = 0; i < 3; i++)
        if (!seen[i]) return od_fail(err, ODIM_ERR_FORMAT, "malformed NPY header: it has no '%s'", keys[i]);
    return od_dense_measure(d, err);
}

/* n bytes, no fewer. */
static odim_status need(od_source *src, void *buf, size_t n, odim_error *err)
{
    size_t got;
    odim_status status = od_source_fill(src, buf, n, &got, err);
    if (!status && got < n)
        status = od_fail(err, ODIM_ERR_FORMAT, "the NPY header ends too early: the file is truncated");
    return status;
}

odim_status od_npy_header(od_source *src, od_dense *out, odim_error *err)
{
    unsigned char magic[OD_NPY_MAGIC_LEN] = {0}, version[2], size[4] = {0};
    size_t got;
    *out = (od_dense){0};
    odim_status status = od_source_fill(src, magic, sizeof magic, &got, err);
    if (status) return status;
    if (memcmp(magic, OD_NPY_MAGIC, sizeof magic) != 0)
        return od_fail(err, ODIM_ERR_FORMAT, "not an NPY file: it does not begin with \\x93NUMPY");
    if ((status = need(src, version, 2, err))) return status;
    if (version[0] < 1 || version[0] > 3 || version[1] != 0)
        return od_fail(err, ODIM_ERR_FORMAT, "NPY version %d.%d is not known; 1.0, 2.0 and 3.0 are",
                       version[0], version[1]);
    if ((status = need(src, size, version[0] == 1 ? 2 : 4, err))) return status;
    uint32_t len = size[0] | (uint32_t)size[1] << 8 | (uint32_t)size[2] << 16 | (uint32_t)size[3] << 24;
    if (len > HEADER_MOST)
        return od_fail(err, ODIM_ERR_FORMAT, "an NPY header of %lu bytes is too long (at most %d)",
                       (unsigned long)len, HEADER_MOST);
    char *text = od_alloc(len, 1);
    if (!text) return od_fail_nomem(err);
    status = need(src, text, len, err);
    if (!status) status = parse_header(text, len, out, err);
    od_free(text);
    return status;
}
