/* Guesses the delimiter and the header of a text table from its first lines. */
#include "io/sniff.h"

#include <string.h>
#include <strings.h>

#include "common/mem.h"
#include "common/numtext.h"

#define RECORDS     32
#define SAMPLE_MOST ((size_t)8 << 20)

typedef struct sample {
    const char *text;
    size_t len;
} sample;

bool od_sniff_is_missing(const char *text, size_t len)
{
    static const char *const words[] = {"na",   "n/a", "#n/a",    "<na>", "null",
                                        "none", "nil", "missing", "?",    "-"};
    while (len && *text == ' ') text++, len--;
    while (len && text[len - 1] == ' ') len--;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == len && strncasecmp(words[i], text, len) == 0) return true;
    return false;
}

bool od_sniff_is_comma_number(const char *text, size_t len)
{
    char point[64];
    double value;
    const char *comma = memchr(text, ',', len);
    if (!comma || len > sizeof point || memchr(text, '.', len)) return false;
    memcpy(point, text, len);
    point[comma - text] = '.';
    return od_num_parse(point, len, &value) == OD_NUM_OK;
}

/* ---- the sample ----------------------------------------------------------------------------------- */

/* The sample as a table of its own. */
typedef struct trial {
    od_source *src;
    od_csv *csv;
} trial;

static void close_trial(trial *t)
{
    od_csv_close(t->csv);
    od_source_close(t->src);
}

static odim_status open_trial(trial *t, sample s, char delimiter, odim_error *err)
{
    *t = (trial){NULL, NULL};
    odim_status status = od_source_memory(&t->src, s.text, s.len, err);
    if (!status) status = od_csv_open(&t->csv, t->src, err);
    if (status)
        close_trial(t);
    else
        od_csv_set(t->csv, delimiter, false);
    return status;
}

/* The next record; a mistake in the sample ends it, and will be met again when the table is read. */
static odim_status next_of_trial(trial *t, od_record *r, odim_error *err)
{
    odim_status status = od_csv_next(t->csv, r, err);
    if (status == ODIM_ERR_FORMAT) {
        r->count = 0;
        status = ODIM_OK;
    }
    return status;
}

/* ---- the delimiter -------------------------------------------------------------------------------- */

typedef struct merit {
    size_t width, agree;
    double numbers; /* for each record of that width, the part of its fields that are numbers, summed up */
} merit;

static size_t count_numbers(const od_record *r)
{
    size_t n = 0;
    double value;
    for (size_t i = 0; i < r->count; i++) {
        const od_field *f = &r->fields[i];
        od_num kind = od_num_parse(f->text, f->len, &value);
        n += kind == OD_NUM_OK || kind == OD_NUM_NONFINITE || kind == OD_NUM_OVERFLOW ||
             (kind == OD_NUM_NOT && od_sniff_is_comma_number(f->text, f->len));
    }
    return n;
}

static odim_status weigh(sample s, char delimiter, merit *out, odim_error *err)
{
    size_t width[RECORDS], numbers[RECORDS], n = 0;
    *out = (merit){0};
    trial t;
    od_record r;
    odim_status status = open_trial(&t, s, delimiter, err);
    if (status) return status;
    for (; n < RECORDS && !(status = next_of_trial(&t, &r, err)) && r.count; n++) {
        width[n] = r.count;
        numbers[n] = count_numbers(&r);
    }
    close_trial(&t);
    for (size_t i = 0; i < n; i++) {
        merit m = {width[i], 0, 0};
        for (size_t j = 0; j < n; j++) {
            if (width[j] != m.width) continue;
            m.agree++;
            m.numbers += (double)numbers[j] / (double)m.width;
        }
        if (m.agree > out->agree) *out = m;
    }
    return status;
}

static odim_status guess_delimiter(sample s, char *out, odim_error *err)
{
    merit best = {0};
    *out = ',';
    for (const char *c = ",;\t|"; *c; c++) {
        merit m;
        odim_status status = weigh(s, *c, &m, err);
        if (status) return status;
        if (m.width < 2) continue;
        bool better = m.numbers != best.numbers ? m.numbers > best.numbers
                      : m.agree != best.agree   ? m.agree > best.agree
                                                : m.width > best.width;
        if (better) {
            best = m;
            *out = *c;
        }
    }
    return ODIM_OK;
}

/* ---- the header ----------------------------------------------------------------------------------- */

typedef enum kind { MISSING, NUMBER, NAME, OTHER } kind;

static kind kind_of(const od_field *f)
{
    double value;
    switch (od_num_parse(f->text, f->len, &value)) {
    case OD_NUM_OK:
    case OD_NUM_OVERFLOW: return NUMBER;
    case OD_NUM_EMPTY:
    case OD_NUM_NONFINITE: return MISSING;
    case OD_NUM_NOT: break;
    }
    if (od_sniff_is_missing(f->text, f->len)) return MISSING;
    const char *p = f->text;
    while (*p == ' ' || *p == '\t') p++; /* it is not all blank */
    return strchr("0123456789+-.", *p) ? OTHER : NAME;
}

static odim_status guess_header(sample s, char delimiter, bool *out, odim_error *err)
{
    *out = false;
    trial t;
    od_record r;
    odim_status status = open_trial(&t, s, delimiter, err);
    if (status) return status;
    status = next_of_trial(&t, &r, err);
    size_t cols = r.count, names = 0, empty = 0, rows = 0;
    unsigned char *top = od_calloc(cols, 1), *below = od_calloc(cols, 1);
    if (!status && (!top || !below)) status = od_fail_nomem(err);
    for (size_t j = 0; !status && j < cols; j++) {
        top[j] = (unsigned char)kind_of(&r.fields[j]);
        names += top[j] == NAME;
        empty += r.fields[j].len == 0;
    }
    while (!status && rows++ < RECORDS && !(status = next_of_trial(&t, &r, err)) && r.count)
        for (size_t j = 0; j < cols && j < r.count; j++)
            if (below[j] == MISSING) below[j] = (unsigned char)kind_of(&r.fields[j]);
    *out = names > 0 && names + empty == cols;
    for (size_t j = 0; !status && j < cols; j++) *out |= top[j] == NAME && below[j] == NUMBER;
    od_free(top);
    od_free(below);
    close_trial(&t);
    return status;
}

odim_status od_sniff_set(od_csv *csv, int *delimiter, int header, bool active, bool *has_header,
                         odim_error *err)
{
    sample s = {NULL, 0};
    bool whole;
    char found = (char)*delimiter;
    *has_header = header > 0;
    odim_status status = ODIM_OK;
    if (!*delimiter || !header) {
        status = od_csv_peek(csv, RECORDS + 1, SAMPLE_MOST, active, &s.text, &s.len, &whole, err);
        if (status) return status;
        /* The last line may be cut; if it is the only one, it must do. */
        size_t len = s.len;
        while (!whole && len && s.text[len - 1] != '\n' && s.text[len - 1] != '\r') len--;
        if (len) s.len = len;
    }
    if (!*delimiter) status = guess_delimiter(s, &found, err);
    if (!status && !header) status = guess_header(s, found, has_header, err);
    *delimiter = (unsigned char)found;
    if (!status) od_csv_set(csv, found, *has_header);
    return status;
}
