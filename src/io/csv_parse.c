/*
 * Parses delimited text in the buffer of csv_buffer.c. A line end is put behind the bytes, so that the inner
 * loops need not look for the end of the buffer. Fields point into it. A record that reaches the end is
 * parsed again from its start when there are more bytes, so nothing in the buffer is changed, not even
 * doubled quotes, before the record is complete.
 */
#include "io/csv.h"

#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "io/csv_impl.h"
#include "io/csv_rules.h"
#include "io/windows1252.h"

#define FIRST_BUFFER ((size_t)128 << 10)

/* ---- one record ----------------------------------------------------------------------------------- */

/* Kinds of characters: plain text, what ends a run of it (line ends, the delimiter, zero), and bytes that are
 * not ASCII, where it must be known whether they are UTF-8. */
enum { PLAIN, STOP, HIGH };

typedef enum outcome { DONE, MORE, NO_MEMORY, TOO_LONG, ZERO_BYTE, OPEN_QUOTE, AFTER_QUOTE } outcome;

/* Lines begun in [p, end): a CR counts unless an LF follows. *end may be looked at. */
static int64_t count_lines(const char *p, const char *end)
{
    int64_t lines = 0;
    if (memchr(p, '\r', (size_t)(end - p))) {
        for (; p < end; p++) lines += *p == '\n' || (*p == '\r' && p[1] != '\n');
        return lines;
    }
    while ((p = memchr(p, '\n', (size_t)(end - p)))) p++, lines++;
    return lines;
}

/* `p` is after the opening quote. Sets the field, "" still doubled in it, and *next, what comes after it. */
static outcome scan_quoted(const od_csv *c, const char *p, const char *end, od_field *f, const char **next)
{
    f->quoted = true;
    f->text = p;
    for (;;) {
        const char *quote = memchr(p, '"', (size_t)(end - p));
        if (!quote) return OPEN_QUOTE;
        p = quote + 1;
        if (*p != '"') break; /* also at the end of the buffer: if there is more, all is read again */
        p++;
    }
    f->len = (uint32_t)(p - 1 - f->text);
    while ((*p == ' ' || *p == '\t') && c->kind[(unsigned char)*p] != STOP) p++;
    *next = p;
    if (memchr(f->text, '\0', f->len)) return ZERO_BYTE;
    return c->kind[(unsigned char)*p] == STOP ? DONE : AFTER_QUOTE;
}

/* Undoubles the quotes of a field, in place. */
static void undouble(od_field *f)
{
    char *to = memchr(f->text, '"', f->len);
    if (!to) return;
    const char *from = to, *end = f->text + f->len;
    for (; from < end; *to++ = *from++) from += *from == '"';
    f->len = (uint32_t)(to - f->text);
}

/* Converts the fields that are not UTF-8. */
static outcome recode(od_csv *c, size_t count)
{
    size_t need = 0;
    for (size_t i = 0; i < count; i++) {
        const od_field *f = &c->fields[i];
        if (!od_is_utf8(f->text, f->len)) need += (size_t)f->len * OD_WINDOWS1252_MOST;
    }
    if (need > c->recoded_cap) {
        char *more = od_grow(c->recoded, 0, need, 1);
        if (!more) return NO_MEMORY;
        c->recoded = more;
        c->recoded_cap = need;
    }
    char *out = c->recoded;
    for (size_t i = 0; need && i < count; i++) {
        od_field *f = &c->fields[i];
        if (od_is_utf8(f->text, f->len)) continue;
        f->len = (uint32_t)od_windows1252_to_utf8(f->text, f->len, out);
        f->text = out;
        out += f->len;
        if (!c->recoded_count++) c->recoded_line = c->line;
    }
    return DONE;
}

/* Room for field n. */
static bool make_room(od_csv *c, size_t n)
{
    if (n < c->field_cap) return true;
    size_t cap = c->field_cap ? c->field_cap * 2 : 64;
    od_field *more = od_grow(c->fields, n, cap, sizeof *more);
    if (!more) return false;
    c->fields = more;
    c->field_cap = cap;
    return true;
}

static const char *skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t') p++;
    return p;
}

/* The record at c->at. On MORE nothing has changed; *bad is where a mistake is. */
static outcome scan(od_csv *c, size_t *count, const char **bad)
{
    const char *p = c->buf + c->at, *end = c->buf + c->len;
    size_t n = 0;
    bool any_quoted = false, any_high = false;
    if (c->runs) p = skip_blanks(p);
    for (;; p++) {
        if (!make_room(c, n)) return NO_MEMORY;
        od_field *f = &c->fields[n++];
        f->number = false;
        const char *first = p;
        while (*first == ' ' && c->delimiter != ' ') first++;
        if (*first == '"') {
            any_quoted = true;
            *bad = first;
            outcome o = scan_quoted(c, first + 1, end, f, &p);
            /* What looks like the closing quote may be the first of two. */
            if ((o == OPEN_QUOTE || (o != DONE && p == end)) && !c->end) return MORE;
            if (o == AFTER_QUOTE) *bad = p;
            if (o != DONE) return o;
        } else {
            f->text = p;
            f->quoted = false;
            while (!c->kind[(unsigned char)*p]) p++;
            while (c->kind[(unsigned char)*p] == HIGH) {
                any_high = true;
                while (c->kind[(unsigned char)*p] != STOP) p++;
            }
            f->len = (uint32_t)(p - f->text);
        }
        if (*p == c->delimiter && !c->runs) continue;
        if (*p == ' ' || *p == '\t') {
            const char *after = skip_blanks(p);
            p = after - 1;
            if (*after != '\n' && *after != '\r') continue;
            p = after; /* blanks at the end of a line separate nothing */
        }
        if (*p == '\0') {
            *bad = p;
            return ZERO_BYTE;
        }
        break;
    }
    /* At a line end: a real one, or ours. An LF may follow the CR that ends the buffer. */
    if ((p == end || (*p == '\r' && p + 1 == end)) && !c->end) return MORE;
    const char *start = c->buf + c->at;
    if (p < end) p += *p == '\r' && p + 1 < end && p[1] == '\n' ? 2 : 1;
    int64_t lines = any_quoted ? count_lines(start, p) : 1;
    for (size_t i = 0; any_quoted && i < n; i++)
        if (c->fields[i].quoted) undouble(&c->fields[i]);
    if ((any_high || any_quoted) && c->kind[0xFF] == HIGH && !od_is_utf8(start, (size_t)(p - start)) &&
        recode(c, n) != DONE)
        return NO_MEMORY;
    c->at = (size_t)(p - c->buf);
    c->line += lines;
    *count = n;
    return DONE;
}

static odim_status fail_at(const od_csv *c, outcome o, const char *bad, odim_error *err)
{
    long long line = (long long)(c->line + count_lines(c->buf + c->at, bad));
    long long row = (long long)c->row;
    char place[64];
    if (row > 0)
        snprintf(place, sizeof place, "row %lld (line %lld)", row, line);
    else
        snprintf(place, sizeof place, "header (line %lld)", line);
    switch (o) {
    case NO_MEMORY: return od_fail_nomem(err);
    case TOO_LONG:
        return od_fail_at(err, ODIM_ERR_FORMAT, row, 0, "%s: longer than %zu MB; is a quote not closed?",
                          place, OD_CSV_RECORD_MOST >> 20);
    case ZERO_BYTE:
        return od_fail_at(err, ODIM_ERR_FORMAT, row, 0,
                          "%s: a zero byte, so this is not text; if it is UTF-16, save it as UTF-8", place);
    case OPEN_QUOTE:
        return od_fail_at(err, ODIM_ERR_FORMAT, row, 0, "%s: the quote that opens here is never closed",
                          place);
    default:
        return od_fail_at(err, ODIM_ERR_FORMAT, row, 0,
                          "%s: text after a closing quote; a quote inside a quoted field is written twice",
                          place);
    }
}

/* A line of blanks is no record. */
static bool is_blank(const od_field *fields, size_t count)
{
    if (count != 1 || fields[0].quoted) return false;
    for (uint32_t i = 0; i < fields[0].len; i++)
        if (fields[0].text[i] != ' ' && fields[0].text[i] != '\t') return false;
    return true;
}

/* What was read ahead: a blank line, then the record behind the last of them. */
static void give_ahead(od_csv *c, od_record *out)
{
    static const od_field empty = {.text = ""};
    if (c->blanks) {
        *out = (od_record){.fields = &empty, .count = 1, .row = c->row, .at = c->after.at};
        out->line = c->after.line - c->blanks--;
    } else {
        *out = c->after;
        out->row = c->row;
        c->after.count = 0;
    }
    c->row++;
}

/* The next record that is no blank line, which `blanks` of them come before. */
static odim_status read_record(od_csv *c, od_record *out, int64_t *blanks, odim_error *err)
{
    for (*blanks = 0;;) {
        *out = (od_record){.row = c->row, .line = c->line, .at = od_csv_at(c)};
        if (c->at == c->len && c->end) return ODIM_OK;
        if (!*blanks && od_csv_at(c) >= c->stop) return ODIM_OK;
        const char *bad = c->buf + c->at;
        /* For messages: blank lines that count are rows. */
        int64_t row = c->row;
        if (c->keep_blanks) c->row += *blanks;
        outcome o = scan(c, &out->count, &bad);
        if (o == MORE && c->at == 0 && c->len >= OD_CSV_RECORD_MOST) o = TOO_LONG;
        odim_status status = o == MORE ? od_csv_load(c, err) : o != DONE ? fail_at(c, o, bad, err) : ODIM_OK;
        c->row = row;
        if (status) return status;
        if (o == MORE || (c->rules && od_csv_is_rule(c->fields, out->count, c->runs))) continue;
        if (!is_blank(c->fields, out->count)) break;
        ++*blanks;
    }
    out->fields = c->fields;
    if (c->rules) od_csv_trim(out, c->fields, c->bars);
    return ODIM_OK;
}

odim_status od_csv_next(od_csv *c, od_record *out, odim_error *err)
{
    int64_t blanks;
    if (!c->after.count) {
        odim_status status = read_record(c, out, &blanks, err);
        if (status || out->count == 0) return status;
        c->after = *out;
        c->blanks = c->keep_blanks ? blanks : 0;
    }
    give_ahead(c, out);
    return ODIM_OK;
}

/* ---- opening -------------------------------------------------------------------------------------- */

void od_csv_set(od_csv *c, char delimiter, bool header)
{
    c->delimiter = delimiter;
    c->runs = delimiter == ' ';
    c->row = header ? 0 : 1;
    memset(c->kind, PLAIN, 128);
    memset(c->kind + 128, od_source_encoded(c->src) ? PLAIN : HIGH, 128);
    c->kind['\0'] = c->kind['\n'] = c->kind['\r'] = c->kind[(unsigned char)delimiter] = STOP;
    if (c->runs) c->kind['\t'] = STOP;
}

void od_csv_set_rules(od_csv *c, bool bars)
{
    c->rules = true;
    c->bars = bars;
}

/* A first line that odim wrote itself, to say where the data come from. */
static odim_status skip_remark(od_csv *c, odim_error *err)
{
    static const char mark[] = "# odim {";
    odim_status status = ODIM_OK;
    while (!status && !c->end && c->len - c->at < sizeof mark - 1 &&
           memcmp(c->buf + c->at, mark, c->len - c->at) == 0)
        status = od_csv_load(c, err);
    if (status || c->len - c->at < sizeof mark - 1 || memcmp(c->buf + c->at, mark, sizeof mark - 1) != 0)
        return status;
    for (;;) {
        const char *end = memchr(c->buf + c->at, '\n', c->len - c->at);
        if (end || c->end) {
            c->at = end ? (size_t)(end - c->buf) + 1 : c->len;
            c->line++;
            return ODIM_OK;
        }
        if (c->len - c->at >= OD_CSV_RECORD_MOST) return ODIM_OK; /* then it is a record, and too long */
        if ((status = od_csv_load(c, err))) return status;
    }
}

int64_t od_csv_at(const od_csv *c)
{
    return c->dropped + (int64_t)c->at;
}

int64_t od_csv_row(const od_csv *c)
{
    return c->row;
}

int64_t od_csv_line(const od_csv *c)
{
    return c->line;
}

int64_t od_csv_recoded(const od_csv *c, int64_t *line)
{
    *line = c->recoded_line;
    return c->recoded_count;
}

odim_status od_csv_skip(od_csv *c, int64_t bytes, int64_t lines, odim_error *err)
{
    while (!c->end && (int64_t)(c->len - c->at) < bytes) {
        odim_status status = od_csv_load(c, err);
        if (status) return status;
    }
    if ((int64_t)(c->len - c->at) < bytes)
        return od_fail(err, ODIM_ERR_DATA, "it changed while it was being read: its first lines are gone");
    c->at += (size_t)bytes;
    c->line += lines;
    return ODIM_OK;
}

void od_csv_keep_blanks(od_csv *c)
{
    c->keep_blanks = true;
}

void od_csv_begin(od_csv *c)
{
    c->row = 1;
}

void od_csv_begin_at_first(od_csv *c)
{
    c->row = 2;
}

odim_status od_csv_skip_line(od_csv *c, odim_error *err)
{
    odim_status status = ODIM_OK;
    for (size_t seen = 0; !status;) {
        const char *start = c->buf + c->at, *stop = c->buf + c->len, *end = start + seen;
        while (end < stop && *end != '\n' && *end != '\r') end++;
        /* A line feed may follow the carriage return that ends the buffer. */
        bool found = end < stop && (*end == '\n' || end + 1 < stop || c->end);
        if (found || c->end) {
            if (found) end += *end == '\r' && end + 1 < stop && end[1] == '\n' ? 2 : 1;
            c->at = (size_t)(end - c->buf);
            c->line++;
            c->row++;
            return ODIM_OK;
        }
        seen = (size_t)(end - start); /* the line moves to the beginning of the buffer */
        status = od_csv_load(c, err);
    }
    return status;
}

odim_status od_csv_open(od_csv **out, od_source *src, odim_error *err)
{
    *out = NULL;
    od_csv *c = od_calloc(1, sizeof *c);
    if (!c) return od_fail_nomem(err);
    c->src = src;
    c->line = 1;
    c->stop = INT64_MAX;
    c->cap = FIRST_BUFFER;
    c->buf = od_alloc(c->cap + 1, 1);
    od_csv_set(c, ',', false);
    odim_status status = c->buf ? ODIM_OK : od_fail_nomem(err);
    while (!status && !c->end && c->len < 3)
        status = od_csv_load(c, err); /* enough to see a byte order mark */
    if (status) {
        od_csv_close(c);
        return status;
    }
    if (c->len >= 3 && memcmp(c->buf, "\xEF\xBB\xBF", 3) == 0) c->at = 3;
    status = skip_remark(c, err);
    if (status)
        od_csv_close(c);
    else
        *out = c;
    return status;
}

odim_status od_csv_peek(od_csv *c, size_t lines, size_t most, bool active, const char **text, size_t *len,
                        bool *whole, odim_error *err)
{
    while (!c->end && c->len - c->at < most) {
        size_t have = (size_t)count_lines(c->buf + c->at, c->buf + c->len);
        if (have >= lines || (active && have && !od_source_ready(c->src))) break;
        odim_status status = od_csv_load(c, err);
        if (status) return status;
    }
    *text = c->buf + c->at;
    *len = c->len - c->at;
    *whole = c->end;
    return ODIM_OK;
}

void od_csv_close(od_csv *c)
{
    if (!c) return;
    od_read_ahead_free(c->ahead);
    od_free(c->buf);
    od_free(c->fields);
    od_free(c->recoded);
    od_free(c);
}
