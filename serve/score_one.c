/* One flat JSON object, scored without a table. */
#include "score_one.h"

#include <math.h>
#include <string.h>

#include "common/numtext.h"
#include "common/utf8.h"

enum { TEXT_ROOM = 256 }; /* for a string */

typedef enum kind { STRING, NUMBER, WORD, NOTHING, BAD } kind; /* WORD: true or false */

/* A place in the body, and where it ends. */
typedef struct scan {
    const char *at, *end;
} scan;

static void skip_blanks(scan *s)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\n' || *s->at == '\r' || *s->at == '\t')) s->at++;
}

static bool take(scan *s, char c)
{
    skip_blanks(s);
    if (s->at == s->end || *s->at != c) return false;
    s->at++;
    return true;
}

/* A string without escapes: its bytes are in the body. */
static bool take_string(scan *s, const char **text, size_t *len)
{
    if (!take(s, '"')) return false;
    *text = s->at;
    while (s->at < s->end && *s->at != '"') {
        unsigned char c = (unsigned char)*s->at;
        uint32_t code;
        if (c < 0x20 || c == '\\') return false;
        int bytes = c < 0x80 ? 1 : od_utf8_decode(s->at, (size_t)(s->end - s->at), &code);
        if (bytes == 0) return false;
        s->at += bytes;
    }
    if (s->at == s->end) return false;
    *len = (size_t)(s->at++ - *text);
    return true;
}

static void skip_digits(scan *s)
{
    while (s->at < s->end && *s->at >= '0' && *s->at <= '9') s->at++;
}

/* By the grammar of JSON. */
static bool skip_number(scan *s)
{
    if (s->at < s->end && *s->at == '-') s->at++;
    const char *whole = s->at;
    skip_digits(s);
    if (s->at == whole || (*whole == '0' && s->at > whole + 1)) return false;
    if (s->at < s->end && *s->at == '.') {
        const char *part = ++s->at;
        skip_digits(s);
        if (s->at == part) return false;
    }
    if (s->at < s->end && (*s->at == 'e' || *s->at == 'E')) {
        s->at++;
        if (s->at < s->end && (*s->at == '+' || *s->at == '-')) s->at++;
        const char *power = s->at;
        skip_digits(s);
        if (s->at == power) return false;
    }
    return true;
}

static bool take_word(scan *s, const char *word)
{
    size_t len = strlen(word);
    if ((size_t)(s->end - s->at) < len || memcmp(s->at, word, len) != 0) return false;
    s->at += len;
    return true;
}

static kind take_value(scan *s, const char **text, size_t *len)
{
    skip_blanks(s);
    if (s->at == s->end) return BAD;
    *text = s->at;
    kind k = BAD;
    if (*s->at == '"') return take_string(s, text, len) ? STRING : BAD;
    if (*s->at == '-' || (*s->at >= '0' && *s->at <= '9')) k = skip_number(s) ? NUMBER : BAD;
    if (take_word(s, "true") || take_word(s, "false")) k = WORD;
    if (take_word(s, "null")) k = NOTHING;
    *len = (size_t)(s->at - *text);
    return k;
}

/* The next member of an object; false: the end, or not for here, which *fine says. */
static bool next_member(scan *s, bool first, const char **key, size_t *len, bool *fine)
{
    *fine = true;
    if (take(s, '}')) {
        skip_blanks(s);
        *fine = s->at == s->end;
        return false;
    }
    *fine = (first || take(s, ',')) && take_string(s, key, len) && take(s, ':');
    return *fine;
}

static bool is_name(const http_column *c, const char *key, size_t len)
{
    return c->len == len && memcmp(c->name, key, len) == 0;
}

static bool is_extra(const http_scorer *scorer, const char *key, size_t len)
{
    for (int i = 0; i < scorer->extra_count; i++)
        if (strlen(scorer->extras[i]) == len && memcmp(scorer->extras[i], key, len) == 0) return true;
    return false;
}

/* -1: no column. Clients send the keys in the same order every time. */
static int64_t find_column(http_scorer *scorer, const http_column *columns, int64_t cols, int64_t place,
                           const char *key, size_t len)
{
    int64_t guess = scorer->order[place];
    if (guess >= 0 && guess < cols && is_name(&columns[guess], key, len)) return guess;
    for (int64_t k = 0; k < cols; k++) {
        if (!is_name(&columns[k], key, len)) continue;
        scorer->order[place] = (int32_t)k;
        return k;
    }
    return -1;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The value of a cell; false: not for here. */
static bool read_cell(const http_score *s, const http_column *c, int64_t col, kind k, const char *text,
                      size_t len, double *out)
{
    char copy[TEXT_ROOM];
    *out = NAN;
    if (!c->used || k == NOTHING) return true;
    if (k == NUMBER && c->type == ODIM_NUMERIC) return od_num_parse(text, len, out) == OD_NUM_OK;
    if (k != STRING && !(k == WORD && c->type == ODIM_BOOLEAN)) return false;
    /* Blanks around a text count or not, depending on what it is. */
    if (len >= sizeof copy || len == 0 || is_blank(text[0]) || is_blank(text[len - 1])) return false;
    memcpy(copy, text, len);
    copy[len] = '\0';
    return odim_model_value(s->model->model, col, copy, out, NULL) == ODIM_OK && !isnan(*out);
}

static bool read_object(const http_score *s, http_scorer *scorer, scan *in, bool *extra)
{
    int64_t cols, place = 0;
    const http_column *columns = http_scorers_columns(s->model->scorers, &cols);
    const char *key, *text;
    size_t key_len, len;
    bool fine;
    scorer->object++;
    if (!take(in, '{')) return false;
    while (next_member(in, place == 0, &key, &key_len, &fine)) {
        kind k = take_value(in, &text, &len);
        if (k == BAD || place == scorer->keys_most) return false;
        int64_t col = find_column(scorer, columns, cols, place++, key, key_len);
        if (col < 0 && !is_extra(scorer, key, key_len)) *extra = true;
        if (col < 0) continue;
        if (scorer->seen[col] == scorer->object) return false;
        scorer->seen[col] = scorer->object;
        if (!read_cell(s, &columns[col], col, k, text, len, &scorer->values[col])) return false;
    }
    for (int64_t k = 0; fine && k < cols; k++) fine = scorer->seen[k] == scorer->object;
    return fine;
}

static void put_number(http_text *out, const char *key, double value)
{
    char text[OD_NUM_ROOM];
    http_text_puts(out, key);
    if (isfinite(value))
        http_text_add(out, text, od_num_short(text, value));
    else
        http_text_puts(out, "null");
}

bool http_score_one(const http_score *s, http_scorer *scorer, const char *body, size_t size, http_text *out,
                    bool *extra)
{
    scan in = {body, body + size};
    double score;
    *extra = false;
    if (s->format == HTTP_CSV || s->set.keep || s->set.raw_scores || s->reading.id ||
        s->reading.bad_rows != ODIM_BAD_ROWS_STOP || !read_object(s, scorer, &in, extra) || *extra)
        return false;
    if (odim_scorer_score(scorer->scorer, scorer->values, 1, 0, &score, NULL, NULL)) return false;
    bool outlier = score > s->threshold;
    if (outlier && s->set.explain) return false;
    put_number(out, "{\"row\": 1, \"score\": ", score);
    put_number(out, ", \"p_outlier\": ", odim_model_probability(s->model->model, score));
    http_text_puts(out, outlier ? ", \"is_outlier\": true" : ", \"is_outlier\": false");
    for (int64_t k = 1; k <= s->set.explain; k++)
        http_text_printf(out, ", \"reason%lld\": \"\"", (long long)k);
    http_text_puts(out, "}\n");
    return true;
}

void http_score_learn(const http_score *s, http_scorer *scorer, const char *body, size_t size)
{
    int64_t cols, place = 0;
    const http_column *columns = http_scorers_columns(s->model->scorers, &cols);
    scan in = {body, body + size};
    const char *key, *text;
    size_t key_len, len;
    bool fine;
    if (!take(&in, '{')) return;
    while (next_member(&in, place == 0, &key, &key_len, &fine)) {
        if (take_value(&in, &text, &len) == BAD || place == scorer->keys_most) return;
        if (find_column(scorer, columns, cols, place++, key, key_len) >= 0 || is_extra(scorer, key, key_len))
            continue;
        if (scorer->extra_count == HTTP_EXTRAS || key_len >= HTTP_EXTRA_ROOM) return;
        memcpy(scorer->extras[scorer->extra_count], key, key_len);
        scorer->extras[scorer->extra_count++][key_len] = '\0';
    }
}
