/* Takes numbers apart that are written with local marks, signs, currencies and units. */
#include "base/local_number.h"

#include <string.h>
#include <strings.h>

/* Longer ones are not written by people. */
#define DIGITS_MOST 60
/* So many digits are exact in a double, whatever they are. */
#define EXACT_DIGITS 15

/* A character between digits. */
typedef enum mark { NO_MARK, POINT, COMMA, SPACE, APOSTROPHE, MARKS } mark;

static const char *const notation_texts[OD_NOTATIONS] = {
    [OD_POINT_COMMA] = "decimal point, thousands comma",
    [OD_POINT_SPACE] = "decimal point, thousands space",
    [OD_POINT_APOSTROPHE] = "decimal point, thousands apostrophe",
    [OD_COMMA_POINT] = "decimal comma, thousands point",
    [OD_COMMA_SPACE] = "decimal comma, thousands space",
    [OD_COMMA_APOSTROPHE] = "decimal comma, thousands apostrophe"};

/* The notations that have a mark as the decimal one, and those that have it between thousands. */
static const unsigned char by_decimal[MARKS] = {[POINT] = OD_POINTS, [COMMA] = OD_COMMAS};
static const unsigned char by_thousands[MARKS] = {[POINT] = 1u << OD_COMMA_POINT,
                                                  [COMMA] = 1u << OD_POINT_COMMA,
                                                  [SPACE] = 1u << OD_POINT_SPACE | 1u << OD_COMMA_SPACE,
                                                  [APOSTROPHE] =
                                                      1u << OD_POINT_APOSTROPHE | 1u << OD_COMMA_APOSTROPHE};

const char *od_notation_text(od_notation notation)
{
    return notation_texts[notation];
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
    size_t len = 0;
    for (; what[len]; len++)
        if (p + len == end || p[len] != what[len]) return 0;
    return len;
}

/* Space, tab, no-break space, narrow no-break space, thin space, figure space. */
static size_t blank_at(const char *p, const char *end)
{
    if (p == end) return 0;
    switch ((unsigned char)*p) {
    case ' ':
    case '\t':
    case '\r':
    case '\n': return 1;
    case 0xC2: return begins(p, end, "\xC2\xA0");
    case 0xE2: break;
    default: return 0;
    }
    if (end - p < 3 || (unsigned char)p[1] != 0x80) return 0;
    unsigned char last = (unsigned char)p[2];
    return last == 0xAF || last == 0x89 || last == 0x87 ? 3 : 0;
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
    if (p == end) return 0;
    if (*p == '-') return 1;
    if ((unsigned char)*p != 0xE2) return 0;
    return begins(p, end, "\xE2\x88\x92") ? 3 : begins(p, end, "\xE2\x80\x93");
}

static size_t mark_at(const char *p, const char *end, mark *out)
{
    size_t len = 1;
    *out = NO_MARK;
    if (p == end) return 0;
    switch ((unsigned char)*p) {
    case '.': *out = POINT; break;
    case ',': *out = COMMA; break;
    case '\'': *out = APOSTROPHE; break;
    case ' ': *out = SPACE; break;
    case 0xC2:
        len = 2;
        if (end - p >= 2 && (unsigned char)p[1] == 0xA0) *out = SPACE;
        break;
    case 0xE2:
        if ((len = blank_at(p, end)))
            *out = SPACE;
        else if ((len = begins(p, end, "\xE2\x80\x99")))
            *out = APOSTROPHE;
    }
    return *out ? len : 0;
}

/* ---- units ------------------------------------------------------------------------------------------ */

/* What may stand before a number, and the one spelling for it. Longer spellings come before their beginnings.
 */
static const struct {
    const char *text, *code;
} currencies[] = {{"\xE2\x82\xAC", "EUR"},
                  {"$", "$"},
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
                  {"\xC2\xA5", "\xC2\xA5"}};

/* Codes of ISO 4217 that people's tables have, in alphabetical order. */
static const char codes[] =
    "AED ARS AUD BGN BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HRK HUF IDR ILS INR ISK JPY "
    "KES KRW KZT MAD MXN MYR NGN NOK NZD PEN PHP PKR PLN QAR RON RSD RUB SAR SEK SGD THB TRY TWD "
    "UAH USD UYU VND ZAR ";

static bool is_code(const char *p, size_t len)
{
    if (len != 3) return false;
    for (const char *code = codes; *code && *code <= *p; code += 4)
        if (code[0] == p[0] && code[1] == p[1] && code[2] == p[2]) return true;
    return false;
}

/* A currency at the beginning of the text; its spelling goes to `unit`. */
static size_t currency_at(const char *p, const char *end, char unit[OD_UNIT_ROOM])
{
    size_t left = (size_t)(end - p);
    if (left >= 3 && is_code(p, 3) && (left == 3 || !is_letter(p[3]))) {
        memcpy(unit, p, 3);
        unit[3] = '\0';
        return 3;
    }
    for (size_t i = 0; i < sizeof currencies / sizeof *currencies; i++) {
        size_t n = begins(p, end, currencies[i].text);
        if (!n || (is_letter(p[n - 1]) && n < left && is_letter(p[n]))) continue;
        strcpy(unit, currencies[i].code);
        return n;
    }
    return 0;
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

/* Whether a unit has a digit in it, as m2 has. */
static bool has_digit(const char *unit)
{
    while (*unit && !is_digit(*unit)) unit++;
    return *unit;
}

bool od_unit_equal(const char *a, const char *b)
{
    return *a && *b ? strcmp(a, b) == 0 || strcasecmp(a, b) == 0 : *a == *b;
}

/* ---- digits ----------------------------------------------------------------------------------------- */

/* Groups of digits and the marks between them. */
typedef struct groups {
    int count;                       /* of groups: one more than of marks */
    unsigned char len[DIGITS_MOST];  /* of each group */
    unsigned char mark[DIGITS_MOST]; /* before each group; of the first NO_MARK */
    bool zero;                       /* the first digit is 0 */
    uint64_t digits;                 /* all of them as one number; only the first 19 are sure to fit */
} groups;

/* Groups from `first` to `last` as thousands: three digits each, or two and at last three as in India. */
static bool are_thousands(const groups *g, int last, mark thousands)
{
    int first = g->len[0], i = 1;
    if (g->zero || first < 1 || first > 3 || g->len[last] != 3) return false;
    while (i < last && g->len[i] == 3) i++;
    if (i == last) return true;
    if (thousands != COMMA || first == 3) return false;
    for (i = 1; i < last; i++)
        if (g->len[i] != 2) return false;
    return true;
}

/* The notations in which all marks up to group `last` are between thousands. */
static unsigned find_thousands(const groups *g, int last)
{
    for (int i = 2; i <= last; i++)
        if (g->mark[i] != g->mark[1]) return 0;
    return are_thousands(g, last, (mark)g->mark[1]) ? by_thousands[g->mark[1]] : 0;
}

/* Either the last mark is the decimal one, or there is none. */
static unsigned find_notations(const groups *g)
{
    int last = g->count - 1;
    if (last == 0) return g->len[0] ? OD_ALL_NUMBERS : 0;
    unsigned decimal = by_decimal[g->mark[last]], whole = find_thousands(g, last);
    if (last > 1)
        decimal &= find_thousands(g, last - 1);
    else if (!g->len[0] && !g->len[1])
        decimal = 0;
    return decimal | whole;
}

/* The digits at p; returns their end, or NULL. A mark belongs to them if a digit follows, a point or comma
 * also at their end. */
static const char *take_groups(const char *p, const char *end, groups *g)
{
    g->count = 1;
    g->mark[0] = NO_MARK;
    g->zero = p < end && *p == '0';
    uint64_t digits = 0;
    const char *start = p;
    bool ends = !is_digit(end[-1]); /* in a unit, say, so that it stops every run of digits */
    for (;;) {
        const char *first = p;
        if (ends)
            for (unsigned d; (d = (unsigned)(unsigned char)*p - '0') < 10; p++) digits = digits * 10 + d;
        else
            for (unsigned d; p < end && (d = (unsigned)(unsigned char)*p - '0') < 10; p++)
                digits = digits * 10 + d;
        if (p - start > DIGITS_MOST) return NULL;
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
    g->digits = digits;
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
        if (p < end && is_digit(*p)) return p;
        if (p < end && *p == '$' && !*n->unit) { /* as below, but most amounts of some files begin so */
            n->unit[0] = *p++;
            continue;
        }
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

/* The unit that follows the digits in most cells of a table: %, $ or the sign of the euro, often behind a
 * blank. False: look closer. */
static bool take_common_unit(const char *p, const char *end, char unit[OD_UNIT_ROOM])
{
    size_t left = (size_t)(end - p);
    if (left > 1 && *p == ' ')
        p++, left--;
    else if (left > 2 && (unsigned char)p[0] == 0xC2 && (unsigned char)p[1] == 0xA0)
        p += 2, left -= 2;
    if (left == 3 && memcmp(p, "\xE2\x82\xAC", 3) == 0) {
        memcpy(unit, "EUR", 4);
        return true;
    }
    if (left != 1 || (*p != '%' && *p != '$')) return false;
    unit[0] = *p;
    return true;
}

/* What follows the digits: a sign, a bracket, a unit. */
static bool take_back(const char *p, const char *end, od_local_number *n, bool bracket, bool sign)
{
    size_t len;
    bool closed = false;
    if (p == end) return !bracket;
    if (!bracket && !*n->unit && take_common_unit(p, end, n->unit)) return true;
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
        n->digit_in_unit = has_digit(n->unit);
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
    out->decimal = by_decimal[g.mark[g.count - 1]];
    out->fraction = g.len[g.count - 1];
    out->mantissa = g.digits;
    if (out->end == p && p - out->digits <= EXACT_DIGITS) out->exact = true;
    out->notations = find_notations(&g);
    return out->notations && take_back(out->end, end, out, bracket, sign);
}

od_num od_local_number_value(const od_local_number *n, od_notation notation, double *out)
{
    static const double tens[EXACT_DIGITS + 1] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                  1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    char plain[3 * DIGITS_MOST + 16];
    size_t len = 0;
    if (n->exact) { /* both are, so that the quotient is rounded once, as od_num_parse does */
        double v = (double)n->mantissa / tens[n->decimal >> notation & 1 ? n->fraction : 0];
        *out = n->negative ? -v : v;
        return OD_NUM_OK;
    }
    if (n->negative) plain[len++] = '-';
    for (const char *p = n->digits; p < n->end;) {
        mark m = NO_MARK;
        size_t size = is_digit(*p) ? 0 : mark_at(p, n->end, &m);
        if (len + 2 > sizeof plain) return OD_NUM_OVERFLOW;
        if (!size)
            plain[len++] = *p;
        else if (by_decimal[m] >> notation & 1)
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
