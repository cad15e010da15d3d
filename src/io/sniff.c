/* Guesses the delimiter and the header of a text table from its first lines. */
#include "io/sniff.h"

#include <string.h>
#include <strings.h>

#include "common/mem.h"
#include "common/numtext.h"
#include "base/local_number.h"
#include "io/csv_rules.h"
#include "io/header_axis.h"

#define RECORDS     32
#define SAMPLE_MOST ((size_t)8 << 20)

/* The first lines of the text, in the buffer of the parser. */
typedef struct sample {
    const char *text;
    size_t len;
    bool tolerant; /* lines that cannot be parsed are passed over */
    od_csv_rules rules;
} sample;

/* ---- the sample ----------------------------------------------------------------------------------- */

/* The sample as a table of its own. */
typedef struct trial {
    od_source *src;
    od_csv *csv;
    bool tolerant;
} trial;

static sample part_of(sample s, size_t from, size_t end)
{
    return (sample){s.text + from, end - from, s.tolerant, s.rules};
}

static void close_trial(trial *t)
{
    od_csv_close(t->csv);
    od_source_close(t->src);
}

static odim_status open_trial(trial *t, sample s, char delimiter, odim_error *err)
{
    *t = (trial){.tolerant = s.tolerant};
    odim_status status = od_source_plain(&t->src, s.text, s.len, err);
    if (!status) status = od_csv_open(&t->csv, t->src, err);
    if (status) {
        close_trial(t);
        return status;
    }
    od_csv_set(t->csv, delimiter, false);
    if (s.rules.found) od_csv_set_rules(t->csv, s.rules.bars);
    return status;
}

/* The next record. A mistake in the sample ends it, unless bad rows are tolerated, and will be met again when
 * the table is read. */
static odim_status next_of_trial(trial *t, od_record *r, odim_error *err)
{
    odim_status status = od_csv_next(t->csv, r, err);
    while (t->tolerant && status == ODIM_ERR_FORMAT && od_csv_skip_line(t->csv, err) == ODIM_OK)
        status = od_csv_next(t->csv, r, err);
    if (status == ODIM_ERR_FORMAT) {
        r->count = 0;
        status = ODIM_OK;
    }
    return status;
}

/* ---- fields --------------------------------------------------------------------------------------- */

/* LOCAL: a number that only people read, such as 1.234,50 EUR. NOT_FINITE: nan or inf. */
typedef enum kind { MISSING, NOT_FINITE, NUMBER, LOCAL, NAME, OTHER } kind;

static bool begins_like_number(const od_field *f)
{
    const char *p = f->text;
    while (*p == ' ' || *p == '\t') p++; /* it is not all blank */
    return strchr("0123456789+-.", *p) != NULL;
}

static kind kind_of(const od_field *f)
{
    double value;
    od_local_number local;
    switch (od_num_parse(f->text, f->len, &value)) {
    case OD_NUM_OK:
    case OD_NUM_OVERFLOW: return NUMBER;
    case OD_NUM_EMPTY: return MISSING;
    case OD_NUM_NONFINITE: return NOT_FINITE;
    case OD_NUM_NOT: break;
    }
    if (od_sniff_is_missing(f->text, f->len)) return MISSING;
    if (od_sniff_is_comma_number(f->text, f->len) || od_local_number_scan(f->text, f->len, &local))
        return LOCAL;
    return begins_like_number(f) ? OTHER : NAME;
}

/* ---- the records with one delimiter --------------------------------------------------------------- */

typedef struct outline {
    size_t width, filled, numbers, commas, names; /* fields: all, not empty, ... */
    int64_t line, at;                             /* in the sample */
} outline;

typedef struct survey {
    outline row[RECORDS];
    size_t n;
} survey;

static odim_status take_survey(sample s, char delimiter, survey *out, odim_error *err)
{
    trial t;
    od_record r;
    out->n = 0;
    odim_status status = open_trial(&t, s, delimiter, err);
    if (status) return status;
    while (out->n < RECORDS && !(status = next_of_trial(&t, &r, err)) && r.count) {
        outline *o = &out->row[out->n++];
        *o = (outline){.width = r.count, .line = r.line, .at = r.at};
        for (size_t i = 0; i < r.count; i++) {
            kind k = kind_of(&r.fields[i]);
            o->filled += r.fields[i].len > 0;
            o->numbers += k == NUMBER || k == LOCAL || k == NOT_FINITE;
            o->names += k == NAME;
            o->commas += k == LOCAL && memchr(r.fields[i].text, ',', r.fields[i].len);
        }
    }
    close_trial(&t);
    return status;
}

typedef struct merit {
    size_t width, agree;
    double numbers; /* for each record of that width, the part of its fields that are numbers, summed up */
    double commas;  /* the same for numbers with commas in them */
} merit;

/* The width that most records have from the first-th on, the one that comes first if there are several. */
static merit most_common(const survey *v, size_t first)
{
    merit best = {0};
    for (size_t i = first; i < v->n; i++) {
        merit m = {.width = v->row[i].width};
        for (size_t j = first; j < v->n; j++) {
            if (v->row[j].width != m.width) continue;
            m.agree++;
            m.numbers += (double)v->row[j].numbers / (double)m.width;
            m.commas += (double)v->row[j].commas / (double)m.width;
        }
        if (m.agree > best.agree) best = m;
    }
    return best;
}

/* There may be more titles than rows: then the records below them must all be alike, and hold numbers. */
static merit weigh(const survey *v)
{
    size_t first = 0;
    merit all = most_common(v, 0);
    while (first < v->n && v->row[first].width == 1) first++;
    if (all.width != 1 || first == v->n) return all;
    merit below = most_common(v, first);
    return below.agree >= 2 && below.agree == v->n - first && below.numbers > 0 ? below : all;
}

/* ---- the delimiter -------------------------------------------------------------------------------- */

/* Blanks separate only numbers: words have them too, and so has 1 234.5. If commas fit as well, more must be
 * numbers than between those: 1,5 2,5. But 1 2,3 may be a pair and a number. */
static odim_status try_blanks(sample s, merit comma, bool *out, odim_error *err)
{
    survey v;
    size_t whole = 0;
    *out = false;
    odim_status status = take_survey(s, ',', &v, err);
    if (status) return status;
    for (size_t i = 0; i < v.n; i++) whole += v.row[i].width == 1 && v.row[i].numbers == 1;
    if (whole * 2 > v.n || (status = take_survey(s, ' ', &v, err))) return status;
    merit m = weigh(&v);
    *out = m.width >= 2 && m.agree >= 2 && m.numbers * 2 > (double)m.agree;
    if (comma.width)
        *out &= m.agree >= comma.agree && m.numbers > comma.numbers &&
                (m.agree > comma.agree || m.width > 2 || m.commas * 2 > (double)m.agree);
    return ODIM_OK;
}

static odim_status guess_delimiter(sample s, char *out, odim_error *err)
{
    merit best = {0};
    bool blanks = false;
    *out = ',';
    /* The comma comes last: numbers have commas too, and of two delimiters that fit it is the less likely. */
    for (const char *c = ";\t|,"; *c; c++) {
        survey v;
        odim_status status = take_survey(s, *c, &v, err);
        if (status) return status;
        merit m = weigh(&v);
        if (m.width < 2) continue;
        bool better = m.agree != best.agree       ? m.agree > best.agree
                      : m.numbers != best.numbers ? m.numbers > best.numbers
                                                  : m.width > best.width;
        if (better) {
            best = m;
            *out = *c;
        }
    }
    odim_status status = best.width && *out != ',' ? ODIM_OK : try_blanks(s, best, &blanks, err);
    if (blanks) *out = ' ';
    return status;
}

/* ---- the header ----------------------------------------------------------------------------------- */

static odim_status guess_header(sample s, char delimiter, bool *out, odim_error *err)
{
    *out = false;
    trial t;
    od_record r;
    odim_status status = open_trial(&t, s, delimiter, err);
    if (status) return status;
    status = next_of_trial(&t, &r, err);
    size_t cols = r.count, names = 0, empty = 0, rows = 0, alike = 0;
    const int axis = status ? 0 : od_header_axis(&r, true);
    unsigned char *top = od_calloc(cols, 1), *below = od_calloc(cols, 1);
    if (!status && (!top || !below)) status = od_fail_nomem(err);
    for (size_t j = 0; !status && j < cols; j++) {
        top[j] = (unsigned char)kind_of(&r.fields[j]);
        if (top[j] == LOCAL && begins_like_number(&r.fields[j])) top[j] = OTHER;
        names += top[j] == NAME;
        empty += r.fields[j].len == 0;
    }
    while (!status && rows < RECORDS && !(status = next_of_trial(&t, &r, err)) && r.count) {
        rows++;
        alike += axis && od_header_axis(&r, false) == axis;
        for (size_t j = 0; j < cols && j < r.count; j++)
            if (below[j] <= NOT_FINITE) below[j] = (unsigned char)kind_of(&r.fields[j]);
    }
    *out = (names > 0 && names + empty == cols) || (axis && rows && alike * 2 < rows);
    for (size_t j = 0; !status && j < cols; j++) {
        bool number = below[j] == NUMBER || below[j] == LOCAL;
        /* EUR 2020 is a name above plain numbers, and a number above EUR 300. */
        *out |= (top[j] == NAME && number) || (top[j] == LOCAL && below[j] == NUMBER);
    }
    od_free(top);
    od_free(below);
    close_trial(&t);
    return status;
}

/* ---- what is above the table ---------------------------------------------------------------------- */

/* Lines at the beginning that are not records. */
typedef struct lead {
    size_t len;
    int64_t lines;
    char delimiter;      /* of a line sep=; */
    bool commented;      /* the last of them is a comment, */
    size_t comment;      /* which begins here */
    int64_t before_last; /* lines before it */
} lead;

/* Behind the line at p. */
static const char *next_line(const char *p, const char *end)
{
    while (p < end && *p != '\n' && *p != '\r') p++;
    if (p < end) p += *p == '\r' && p + 1 < end && p[1] == '\n' ? 2 : 1;
    return p;
}

static bool is_blank_line(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')) p++;
    return p == end;
}

/* sep=; or "sep=;", as spreadsheets write it: the delimiter, or 0. */
static char told_delimiter(const char *p, const char *end)
{
    while (end > p && (end[-1] == '\n' || end[-1] == '\r')) end--;
    if (end - p == 7 && *p == '"' && end[-1] == '"') p++, end--;
    if (end - p != 5 || strncasecmp(p, "sep=", 4) != 0) return 0;
    return p[4] == '\t' || (p[4] >= ' ' && p[4] < 127 && p[4] != '"') ? p[4] : 0;
}

/* A lead with nothing below it is none. */
static lead find_lead(sample s)
{
    lead l = {0};
    const char *p = s.text, *end = s.text + s.len, *next;
    int64_t lines = 0;
    for (; p < end; p = next, lines++) {
        next = next_line(p, end);
        char told = lines == 0 ? told_delimiter(p, next) : 0;
        if (told) {
            l.delimiter = told;
        } else if (*p == '#') {
            l.commented = true;
            l.comment = (size_t)(p - s.text);
            l.before_last = lines;
        } else if (!is_blank_line(p, next)) {
            return l;
        } else {
            continue;
        }
        l.len = (size_t)(next - s.text);
        l.lines = lines + 1;
    }
    return l;
}

static size_t count_lines(sample s)
{
    size_t lines = 0;
    for (const char *p = s.text; p < s.text + s.len; lines++) p = next_line(p, s.text + s.len);
    return lines;
}

/* The first lines, and how many are above the table. The last line may be cut; if it is the only one, it must
 * do. At least one record must have come, also of a table that is still being written. */
static odim_status take_sample(od_csv *csv, bool active, sample *s, lead *l, odim_error *err)
{
    size_t lines = RECORDS + 1;
    bool wait = !active;
    for (;;) {
        bool whole;
        odim_status status = od_csv_peek(csv, lines, SAMPLE_MOST, !wait, &s->text, &s->len, &whole, err);
        if (status) return status;
        bool full = whole || s->len >= SAMPLE_MOST;
        size_t len = s->len;
        while (!whole && len && s->text[len - 1] != '\n' && s->text[len - 1] != '\r') len--;
        if (len) s->len = len;
        *l = find_lead(*s);
        bool nothing = is_blank_line(s->text + l->len, s->text + s->len);
        if (nothing && whole) *l = (lead){0};
        size_t want = nothing ? count_lines(*s) + 1 : active ? 0 : (size_t)l->lines + RECORDS + 1;
        if (full || (!nothing && want <= lines)) return ODIM_OK;
        lines = want;
        wait = true;
    }
}

/* A comment right above the table is its header if it has its width: "#,name", "# of rooms,price". But what
 * looks like a remark is one if the record below it consists of names. */
static odim_status is_header_comment(sample s, const lead *l, char delimiter, const survey *v, bool *out,
                                     odim_error *err)
{
    survey line;
    merit m = weigh(v);
    *out = false;
    if (!l->commented || m.width < 2 || v->row[0].width != m.width) return ODIM_OK;
    sample comment = part_of(s, l->comment, l->len), below = part_of(s, l->comment, s.len);
    bool remark = comment.len > 1 && strchr(" \t#!", comment.text[1]);
    odim_status status = take_survey(comment, delimiter, &line, err);
    if (status || line.n != 1 || line.row[0].width != m.width) return status;
    if (remark && v->row[0].names == v->row[0].filled) return ODIM_OK;
    return guess_header(below, delimiter, out, err);
}

/* A title is shorter than the rows or holds one field. A short record of several numbers is a row that lacks
 * some; a short header above a row is one that lacks a name. Both are mistakes for the reader to report. */
static bool is_title(const survey *v, size_t i, size_t width)
{
    const outline *r = &v->row[i], *next = &v->row[i + 1];
    if (r->width > width) return false;
    if (r->width == width) { /* a spreadsheet fills a title up with delimiters */
        if (width < 3 || r->filled > 1 || r->numbers) return false;
        while (next < &v->row[v->n] && next->filled <= 1) next++;
        return next < &v->row[v->n];
    }
    if (r->width == 1) return true;
    if (r->filled > 0 && r->numbers == r->filled) return false;
    bool lacks_one = r->width + 1 == width && r->filled > 1 && r->names == r->filled;
    return !lacks_one || next->names == next->filled;
}

/* Records that are titles; the last is never one. */
static size_t count_titles(const survey *v)
{
    merit m = weigh(v);
    size_t first = 0, titles = 0;
    while (first < v->n && v->row[first].width != m.width) first++;
    if (m.width < 2 || m.agree < 2 || m.agree * 2 <= v->n - first) return 0;
    while (titles + 1 < v->n && is_title(v, titles, m.width)) titles++;
    return titles;
}

/* ---- all of it ------------------------------------------------------------------------------------ */

/* Where the table begins: its delimiter is known. */
static odim_status find_start(sample s, const lead *l, bool may_have_header, od_sniffed *out, odim_error *err)
{
    survey v;
    bool header = false;
    odim_status status = take_survey(part_of(s, l->len, s.len), out->delimiter, &v, err);
    if (!status && may_have_header) status = is_header_comment(s, l, out->delimiter, &v, &header, err);
    if (status) return status;
    out->bytes = (int64_t)(header ? l->comment : l->len);
    out->lines = header ? l->before_last : l->lines;
    size_t titles = header ? 0 : count_titles(&v);
    if (titles) {
        out->titles = v.row[titles].line - 1;
        out->bytes += v.row[titles].at;
        out->lines += out->titles;
    }
    out->width = weigh(&v).width;
    out->alone = v.n < 2;
    return ODIM_OK;
}

/* Lines above a header that cannot be parsed are above the table: they are not rows of it. */
static odim_status pass_bad_lines(sample table, od_sniffed *out, odim_error *err)
{
    trial t;
    od_record r;
    odim_status status = open_trial(&t, table, out->delimiter, err);
    if (status) return status;
    if (od_csv_next(t.csv, &r, err) == ODIM_ERR_FORMAT && !(status = next_of_trial(&t, &r, err))) {
        out->titles += r.line - 1;
        out->lines += r.line - 1;
        out->bytes += r.at;
    }
    close_trial(&t);
    return status;
}

/* A rule tells the delimiter, unless that is known to be another. */
static void find_rules(sample *s, const lead *l, od_sniffed *out)
{
    od_csv_rules rules = od_csv_find_rules(s->text + l->len, s->len - l->len);
    if (!rules.found || (out->delimiter && out->delimiter != rules.delimiter)) return;
    s->rules = rules;
    out->delimiter = rules.delimiter;
    out->rules = true;
    out->bars = rules.bars;
}

/* Whether the record below the header is a part of it. */
static odim_status find_second(sample table, od_sniffed *out, odim_error *err)
{
    survey v;
    size_t numbers = SIZE_MAX;
    odim_status status = take_survey(table, out->delimiter, &v, err);
    for (size_t i = 2; i < v.n; i++)
        if (v.row[i].width == v.row[0].width && v.row[i].numbers < numbers) numbers = v.row[i].numbers;
    if (status || v.n < 5 || numbers < 2) return status;
    const outline *second = &v.row[1];
    out->second = second->width == v.row[0].width && second->names == second->filled &&
                  second->filled + numbers >= second->width + 2;
    return ODIM_OK;
}

odim_status od_sniff(od_csv *csv, const od_sniff_options *options, od_sniffed *out, odim_error *err)
{
    sample s = {.tolerant = options->tolerant};
    lead l;
    *out = (od_sniffed){.delimiter = (char)options->delimiter, .header = options->header > 0};
    odim_status status = take_sample(csv, options->active, &s, &l, err);
    if (status) return status;
    if (od_csv_is_markup(s.text + l.len, s.len - l.len))
        return od_fail(err, ODIM_ERR_FORMAT, "it is a web page or XML, not a table; export the table as CSV");
    if (od_csv_is_drawn(s.text + l.len, s.len - l.len))
        return od_fail(err, ODIM_ERR_FORMAT,
                       "it is a table drawn with lines for people; let the program that drew it write CSV");
    if (!out->delimiter) out->delimiter = l.delimiter;
    find_rules(&s, &l, out);
    if (!out->delimiter) status = guess_delimiter(part_of(s, l.len, s.len), &out->delimiter, err);
    if (!status) status = find_start(s, &l, options->header >= 0, out, err);
    if (!status && !options->header) {
        sample table = part_of(s, (size_t)out->bytes, s.len);
        status = guess_header(table, out->delimiter, &out->header, err);
        if (!status && out->header && s.tolerant) status = pass_bad_lines(table, out, err);
    }
    if (!status && out->header) status = find_second(part_of(s, (size_t)out->bytes, s.len), out, err);
    return status ? status : od_sniff_apply(csv, out, err);
}

odim_status od_sniff_apply(od_csv *csv, const od_sniffed *found, odim_error *err)
{
    od_csv_set(csv, found->delimiter, found->header);
    if (found->rules) od_csv_set_rules(csv, found->bars);
    return od_csv_skip(csv, found->bytes, found->lines, err);
}
