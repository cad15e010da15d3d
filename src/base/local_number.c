/* Takes numbers apart that are written with local marks, signs, currencies and units. */
#include "base/local_number.h"

#include <string.h>
#include <strings.h>

/* Longer ones are not written by people. */
#define DIGITS_MOST 60

/* A character between digits. */
typedef enum mark { NO_MARK, POINT, COMMA, SPACE, APOSTROPHE } mark;

static const struct {
    mark decimal, thousands;
    const char *text;
} notations[OD_NOTATIONS] = {
    [OD_POINT_COMMA] = {POINT, COMMA, "decimal point, thousands comma"},
    [OD_POINT_SPACE] = {POINT, SPACE, "decimal point, thousands space"},
    [OD_POINT_APOSTROPHE] = {POINT, APOSTROPHE, "decimal point, thousands apostrophe"},
    [OD_COMMA_POINT] = {COMMA, POINT, "decimal comma, thousands point"},
    [OD_COMMA_SPACE] = {COMMA, SPACE, "decimal comma, thousands space"},
    [OD_COMMA_APOSTROPHE] = {COMMA, APOSTROPHE, "decimal comma, thousands apostrophe"}};

const char *od_notation_text(od_notation notation)
{
    return notations[notation].text;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Whether the text begins with `what`; its length, or 0. */
static size_t begins(const char *p, const char *end, const char *what)
{
    size_t len = strlen(what);
    return (size_t)(end - p) >= len && memcmp(p, what, len) == 0 ? len : 0;
}

static size_t begins_any(const char *p, const char *end, const char *const *list)
{
    size_t len = 0;
    while (*list && !(len = begins(p, end, *list))) list++;
    return len;
}

/* Space, tab, no-break space, narrow no-break space, thin space, figure space. */
static size_t blank_at(const char *p, const char *end)
{
    static const char *const wide[] = {"\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x89", "\xE2\x80\x87", NULL};
    if (p == end) return 0;
    if (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n') return 1;
    return (unsigned char)*p < 0x80 ? 0 : begins_any(p, end, wide);
}

static const char *skip_blanks(const char *p, const char *end)
{
    size_t len;
    while ((len = blank_at(p, end))) p += len;
    return p;
}

/* The end of [p, end) without the blanks before it. */
static const char *trim_end(const char *p, const char *end)
{
    for (;;) {
        const char *last = end - 1;
        if (end == p) return end;
        while (last > p && (*last & 0xC0) == 0x80) last--;
        if (blank_at(last, end) != (size_t)(end - last)) return end;
        end = last;
    }
}

/* A minus sign: hyphen, minus, en dash. */
static size_t minus_at(const char *p, const char *end)
{
    static const char *const signs[] = {"-", "\xE2\x88\x92", "\xE2\x80\x93", NULL};
    return p == end ? 0 : begins_any(p, end, signs);
}

static size_t mark_at(const char *p, const char *end, mark *out)
{
    size_t len = 1;
    *out = NO_MARK;
    if (p == end) return 0;
    if (*p == '.')
        *out = POINT;
    else if (*p == ',')
        *out = COMMA;
    else if (*p == '\'')
        *out = APOSTROPHE;
    else if (*p != '\t' && *p != '\r' && *p != '\n' && (len = blank_at(p, end)))
        *out = SPACE;
    else if ((len = begins(p, end, "\xE2\x80\x99")))
        *out = APOSTROPHE;
    return *out ? len : 0;
}

/* ---- units ------------------------------------------------------------------------------------------ */

/* What may stand before a number, and the one spelling for it. Longer spellings come before their beginnings.
 */
static const struct {
    const char *text, *code;
} currencies[] = {{"\xE2\x82\xAC", "EUR"},
                  {"\xC2\xA3", "GBP"},
                  {"\xE2\x82\xB9", "INR"},
                  {"\xE2\x82\xBD", "RUB"},
                  {"\xE2\x82\xA9", "KRW"},
                  {"\xE2\x82\xBA", "TRY"},
                  {"\xE2\x82\xAB", "VND"},
                  {"\xE2\x82\xB4", "UAH"},
                  {"\xE2\x82\xAA", "ILS"},
                  {"\xE2\x82\xA6", "NGN"},
                  {"\xE0\xB8\xBF", "THB"},
                  {"z\xC5\x82", "PLN"},
                  {"US$", "USD"},
                  {"R$", "BRL"},
                  {"A$", "AUD"},
                  {"C$", "CAD"},
                  {"CA$", "CAD"},
                  {"HK$", "HKD"},
                  {"NZ$", "NZD"},
                  {"S$", "SGD"},
                  {"Rs.", "INR"},
                  {"Rs", "INR"},
                  {"Fr.", "CHF"},
                  {"SFr.", "CHF"},
                  {"K\xC4\x8D", "CZK"},
                  {"kr.", "kr"},
                  {"kr", "kr"},
                  {"Kr", "kr"},
                  {"Ft", "HUF"},
                  {"\xC2\xA5", "\xC2\xA5"},
                  {"$", "$"}};

/* Codes of ISO 4217 that people's tables have. */
static const char codes[] =
    "AED ARS AUD BGN BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HRK HUF IDR ILS INR ISK JPY "
    "KES KRW KZT MAD MXN MYR NGN NOK NZD PEN PHP PKR PLN QAR RON RSD RUB SAR SEK SGD THB TRY TWD "
    "UAH USD UYU VND ZAR ";

static bool is_code(const char *p, size_t len)
{
    char code[5];
    if (len != 3) return false;
    memcpy(code, p, 3);
    memcpy(code + 3, " ", 2);
    return strstr(codes, code) != NULL;
}

/* A currency at the beginning of the text; its spelling goes to `unit`. */
static size_t currency_at(const char *p, const char *end, char unit[OD_UNIT_ROOM])
{
    size_t left = (size_t)(end - p), len = 0;
    if (left >= 3 && is_code(p, 3) && (left == 3 || !is_letter(p[3]))) {
        memcpy(unit, p, 3);
        unit[3] = '\0';
        return 3;
    }
    for (size_t i = 0; i < sizeof currencies / sizeof *currencies; i++) {
        size_t n = begins(p, end, currencies[i].text);
        if (n > len && !(is_letter(p[n - 1]) && n < left && is_letter(p[n]))) {
            len = n;
            strcpy(unit, currencies[i].code);
        }
    }
    return len;
}

/* All of [p, end) as the unit behind a number. */
static bool take_unit(const char *p, const char *end, char unit[OD_UNIT_ROOM])
{
    size_t len = (size_t)(end - p);
    if (len == 0 || len >= OD_UNIT_ROOM || *unit) return false;
    if (currency_at(p, end, unit) == len) return true;
    bool known = is_letter(*p) || (unsigned char)*p >= 0x80 || *p == '%' || *p == '$';
    /* A digit belongs to a unit only behind a letter, as in m2: "Nov 2026" is something else. */
    for (const char *q = p + 1; known && q < end; q++)
        known = is_letter(*q) || (unsigned char)*q >= 0x80 || strchr("%$/.^*- ", *q) ||
                (is_digit(*q) && (is_letter(q[-1]) || q[-1] == '^'));
    if (!known) return false;
    memcpy(unit, p, len);
    unit[len] = '\0';
    return true;
}

bool od_unit_equal(const char *a, const char *b)
{
    return strcasecmp(a, b) == 0;
}

/* ---- digits ----------------------------------------------------------------------------------------- */

/* Groups of digits and the marks between them. */
typedef struct groups {
    int count;                       /* of groups: one more than of marks */
    unsigned char len[DIGITS_MOST];  /* of each group */
    unsigned char mark[DIGITS_MOST]; /* before each group; of the first NO_MARK */
    bool zero;                       /* the first digit is 0 */
} groups;

/* Groups from `first` to `last` as thousands: three digits each, or two and at last three as in India. */
static bool are_thousands(const groups *g, int last, mark thousands)
{
    bool threes = g->len[0] >= 1 && g->len[0] <= 3,
         twos = g->len[0] >= 1 && g->len[0] <= 2 && thousands == COMMA;
    for (int i = 1; i <= last; i++) {
        threes = threes && g->len[i] == 3;
        twos = twos && g->len[i] == (i == last ? 3 : 2);
    }
    return (threes || twos) && !g->zero;
}

static bool fits(const groups *g, mark decimal, mark thousands)
{
    int last = g->count - 1; /* of the groups before the decimal mark */
    if (g->mark[last] == decimal) last--;
    for (int i = 1; i <= last; i++)
        if (g->mark[i] != thousands) return false;
    if (last < 0) return false;
    if (last == 0) return g->len[0] > 0 || (g->count == 2 && g->len[1] > 0);
    return are_thousands(g, last, thousands);
}

static unsigned find_notations(const groups *g)
{
    unsigned found = 0;
    for (int i = 0; i < OD_NOTATIONS; i++)
        if (fits(g, notations[i].decimal, notations[i].thousands)) found |= 1u << i;
    return found;
}

/* The digits at p; returns their end, or NULL. A mark belongs to them if a digit follows, a point or comma
 * also at their end. */
static const char *take_groups(const char *p, const char *end, groups *g)
{
    *g = (groups){.count = 1};
    const char *start = p;
    for (;;) {
        const char *first = p;
        while (p < end && is_digit(*p)) p++;
        if (p - start > DIGITS_MOST) return NULL;
        if (g->count == 1 && p > first) g->zero = *first == '0';
        g->len[g->count - 1] = (unsigned char)(p - first);
        mark m;
        size_t len = mark_at(p, end, &m);
        bool more = len && p + len < end && is_digit(p[len]);
        if (!len || (!more && m != POINT && m != COMMA)) break;
        if (!more && p == start) return NULL;
        if (g->count == DIGITS_MOST) return NULL;
        g->mark[g->count++] = (unsigned char)m;
        p += len;
        if (!more) {
            g->len[g->count - 1] = 0;
            break;
        }
    }
    return p > start ? p : NULL;
}

static const char *take_exponent(const char *p, const char *end)
{
    if (p == end || (*p != 'e' && *p != 'E')) return p;
    const char *q = p + 1;
    if (q < end && (*q == '-' || *q == '+')) q++;
    if (q == end || !is_digit(*q)) return p;
    while (q < end && is_digit(*q)) q++;
    return q;
}

/* ---- the whole -------------------------------------------------------------------------------------- */

/* Sign, bracket and currency before the digits, each at most once and in any order. */
static const char *take_front(const char *p, const char *end, od_local_number *n, bool *bracket, bool *sign)
{
    for (;;) {
        size_t len;
        p = skip_blanks(p, end);
        if (p < end && *p == '(' && !*bracket) {
            *bracket = true;
            p++;
        } else if (!*sign && (len = minus_at(p, end))) {
            *sign = n->negative = true;
            p += len;
        } else if (!*sign && p < end && *p == '+') {
            *sign = true;
            p++;
        } else if (!*n->unit && (len = currency_at(p, end, n->unit))) {
            p += len;
        } else {
            return p;
        }
    }
}

/* What follows the digits: a sign, a bracket, a unit. */
static bool take_back(const char *p, const char *end, od_local_number *n, bool bracket, bool sign)
{
    size_t len;
    bool closed = false;
    /* 12.- and 12,-- are whole amounts. */
    if (p > n->digits && (p[-1] == '.' || p[-1] == ',') && (len = minus_at(p, end))) {
        p += len;
        if ((len = minus_at(p, end))) p += len;
        sign = true;
    }
    end = trim_end(p, end);
    if (bracket && end > p && end[-1] == ')') {
        closed = true;
        end = trim_end(p, end - 1);
    }
    p = skip_blanks(p, end);
    if (!sign && !bracket && (len = minus_at(p, end))) {
        sign = n->negative = true;
        if (p + len < end && !blank_at(p + len, end)) return false;
        p = skip_blanks(p + len, end);
    }
    if (bracket && !closed && p < end && *p == ')') {
        closed = true;
        p = skip_blanks(p + 1, end);
    }
    if (p < end) {
        /* A sign may come behind the unit as well: 12 EUR-. */
        if (!sign && !bracket && end[-1] == '-') {
            n->negative = true;
            end = trim_end(p, end - 1);
        }
        if (!take_unit(p, end, n->unit)) return false;
    }
    if (bracket) n->negative = true;
    return bracket == closed;
}

bool od_local_number_scan(const char *text, size_t len, od_local_number *out)
{
    const char *end = text + len;
    bool bracket = false, sign = false;
    groups g;
    *out = (od_local_number){0};
    const char *p = take_front(text, end, out, &bracket, &sign);
    if (p == end || (bracket && sign)) return false;
    out->digits = p;
    if (!(p = take_groups(p, end, &g))) return false;
    out->end = take_exponent(p, end);
    out->notations = find_notations(&g);
    return out->notations && take_back(out->end, end, out, bracket, sign);
}

od_num od_local_number_value(const od_local_number *n, od_notation notation, double *out)
{
    char plain[3 * DIGITS_MOST + 16];
    size_t len = 0;
    if (n->negative) plain[len++] = '-';
    for (const char *p = n->digits; p < n->end;) {
        mark m;
        size_t size = mark_at(p, n->end, &m);
        if (len + 2 > sizeof plain) return OD_NUM_OVERFLOW;
        if (!size)
            plain[len++] = *p;
        else if (m == notations[notation].decimal)
            plain[len++] = '.';
        p += size ? size : 1;
    }
    return od_num_parse(plain, len, out);
}

unsigned od_plain_notations(const char *text, size_t len)
{
    const char *point = memchr(text, '.', len), *end = text + len;
    if (!point) return OD_ALL_NUMBERS;
    if (*text == '-' || *text == '+') text++;
    bool thousands = end - point == 4 && point - text >= 1 && point - text <= 3 && *text != '0' &&
                     is_digit(point[1]) && is_digit(point[2]) && is_digit(point[3]);
    return OD_POINTS | (thousands ? 1u << OD_COMMA_POINT : 0);
}
