/* Takes dates apart whose day, month and year stand in a local order, with times of day behind them. */
#include "base/local_date.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/isotime.h"

static const char *const order_names[OD_DATE_ORDERS] = {"iso",   "ymd",  "dmy",    "mdy",
                                                        "named", "unix", "unix-ms"};
static const char *const order_texts[OD_DATE_ORDERS] = {
    "ISO 8601",      "year/month/day",     "day/month/year",         "month/day/year",
    "month by name", "seconds since 1970", "milliseconds since 1970"};

const char *od_date_order_name(od_date_order order)
{
    return order_names[order];
}

const char *od_date_order_text(od_date_order order)
{
    return order_texts[order];
}

typedef struct cursor {
    const char *p, *end;
} cursor;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Letters of any alphabet: all bytes beyond ASCII count, but not those of a no-break space. */
static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0xC3 ||
           ((unsigned char)c >= 0x80 && (unsigned char)c < 0xC0);
}

static bool skip_blanks(cursor *c)
{
    const char *start = c->p;
    if (c->p == c->end || is_digit(*c->p)) return false;
    for (;;) {
        if (c->p < c->end && (*c->p == ' ' || *c->p == '\t'))
            c->p++;
        else if (c->end - c->p >= 2 && memcmp(c->p, "\xC2\xA0", 2) == 0)
            c->p += 2;
        else if (c->end - c->p >= 3 && memcmp(c->p, "\xE2\x80\xAF", 3) == 0)
            c->p += 3;
        else
            return c->p > start;
    }
}

static bool skip(cursor *c, char what)
{
    if (c->p == c->end || *c->p != what) return false;
    c->p++;
    return true;
}

/* Up to four digits; *len 0: there are none, or more. */
static int take_number(cursor *c, int *len)
{
    int value = 0;
    for (*len = 0; c->p < c->end && is_digit(*c->p); c->p++) {
        if (++*len > 4) {
            *len = 0;
            return 0;
        }
        value = value * 10 + (*c->p - '0');
    }
    return value;
}

/* ---- names ------------------------------------------------------------------------------------------ */

/* Lower case without accents; each begins as no name of another month or day does. English, German, French,
 * Spanish, Italian, Portuguese, Dutch. A name fits if it is the whole entry or, from three letters on, its
 * beginning. */
static const char *const months[12] = {
    "january januar janvier enero ene gennaio gen janeiro januari jaenner janner",
    "february februar fevrier fev febrero febbraio fevereiro februari",
    "march marz maerz mars marzo marco maart mrt",
    "april avril avr abril abr aprile",
    "may mai mayo maggio mag maio mei",
    "june juni juin junio giugno giu junho",
    "july juli juillet juil julio luglio lug julho",
    "august aout agosto ago augustus",
    "september septembre septiembre settembre set setembro",
    "october oktober octobre octubre ottobre ott outubro out",
    "november novembre noviembre novembro",
    "december dezember decembre diciembre dic dicembre dezembro",
};
static const char days[] =
    "monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag "
    "freitag samstag sonnabend sonntag mo di mi do fr sa so tues thur thurs";

/* The letters at the cursor, in lower case and without accents; their number. */
static size_t take_word(cursor *c, char *out, size_t room)
{
    static const char plain[] = "aaaaaaaceeeeiiiidnooooo/ouuuuypsaaaaaaaceeeeiiiidnooooo/ouuuuypy";
    size_t len = 0;
    while (c->p < c->end && is_letter(*c->p)) {
        unsigned char b = (unsigned char)*c->p++;
        char letter = (char)(b >= 'A' && b <= 'Z' ? b + 32 : b);
        if (b == 0xC3 && c->p < c->end && ((unsigned char)*c->p & 0xC0) == 0x80)
            letter = plain[(unsigned char)*c->p++ - 0x80];
        if (len + 1 < room) out[len++] = letter;
    }
    out[len] = '\0';
    return len;
}

/* Whether `word` is one of the names of a list, or the beginning of one. */
static bool is_named(const char *list, const char *word, size_t len)
{
    for (const char *name = list; *name;) {
        size_t whole = strcspn(name, " ");
        if (len <= whole && memcmp(name, word, len) == 0 && (len == whole || len >= 3)) return true;
        name += whole + strspn(name + whole, " ");
    }
    return false;
}

static int find_month(const char *word, size_t len)
{
    for (int i = 0; i < 12; i++)
        if (is_named(months[i], word, len)) return i + 1;
    return 0;
}

/* ---- the time of day -------------------------------------------------------------------------------- */

/* "pm", "p.m." or "Uhr", which *found says; false: it does not go with the hour. */
static bool take_half(cursor *c, int *hour, bool *found)
{
    char word[8];
    size_t len = 0;
    cursor start = *c;
    skip_blanks(c);
    while (c->p < c->end && (is_letter(*c->p) || *c->p == '.') && len + 1 < sizeof word)
        if (*c->p++ != '.') word[len++] = c->p[-1];
    word[len] = '\0';
    bool am = strcasecmp(word, "am") == 0, pm = strcasecmp(word, "pm") == 0;
    *found = am || pm || strcasecmp(word, "uhr") == 0;
    if (!*found) *c = start;
    if (!am && !pm) return true;
    if (*hour < 1 || *hour > 12) return false;
    *hour = *hour % 12 + (pm ? 12 : 0);
    return true;
}

/* "Z", "UTC", "+02:00"; nothing is UTC as well. */
static bool take_offset(cursor *c, od_local_date *d)
{
    char word[8];
    cursor start = *c;
    if (take_word(c, word, sizeof word))
        return strcmp(word, "z") == 0 || strcmp(word, "utc") == 0 || strcmp(word, "gmt") == 0;
    *c = start;
    if (c->p == c->end || (*c->p != '+' && *c->p != '-')) return true;
    int sign = *c->p++ == '+' ? -1 : 1, len, minutes = 0;
    int hours = take_number(c, &len);
    if (len == 4) {
        minutes = hours % 100;
        hours /= 100;
    } else if (len != 2) {
        return false;
    }
    if (len == 2 && skip(c, ':')) {
        minutes = take_number(c, &len);
        if (len != 2) return false;
    }
    if (hours > 23 || minutes > 59) return false;
    d->clock += sign * (hours * 3600 + minutes * 60);
    return true;
}

/* 5:30, 17:30:12.5, 5:30 PM; an hour alone only with a word behind it. */
static bool take_clock(cursor *c, od_local_date *d)
{
    int len, minute = 0, second = 0, hour = take_number(c, &len);
    if (len < 1 || len > 2) return false;
    bool minutes = skip(c, ':');
    if (minutes) {
        minute = take_number(c, &len);
        if (len != 2) return false;
        if (skip(c, ':')) {
            second = take_number(c, &len);
            if (len != 2) return false;
            int64_t place = 100000000;
            if (skip(c, '.') || skip(c, ','))
                for (; c->p < c->end && is_digit(*c->p); c->p++, place /= 10)
                    d->billionths += place * (*c->p - '0');
        }
    }
    bool half;
    if (!take_half(c, &hour, &half) || (!minutes && !half)) return false;
    if (hour > 24 || minute > 59 || second > 60) return false;
    if (hour == 24 && (minute || second || d->billionths)) return false;
    d->clock = hour * 3600 + minute * 60 + second;
    skip_blanks(c);
    return take_offset(c, d);
}

/* ---- the date --------------------------------------------------------------------------------------- */

static int whole_year(const od_local_date *d, int year)
{
    return d->short_year ? year + (year < 69 ? 2000 : 1900) : year;
}

/* Where day, month and year stand. */
static const unsigned char places[][3] = {[OD_DATE_YMD] = {2, 1, 0},
                                          [OD_DATE_DMY] = {0, 1, 2},
                                          [OD_DATE_MDY] = {1, 0, 2},
                                          [OD_DATE_NAMED] = {0, 1, 2}};

static bool day_in(const od_local_date *d, od_date_order order, double *out)
{
    const unsigned char *at = places[order];
    return od_time_day(whole_year(d, d->part[at[2]]), d->part[at[1]], d->part[at[0]], out);
}

static void try_order(od_local_date *d, od_date_order order)
{
    double day;
    if (day_in(d, order, &day)) d->orders |= 1u << order;
}

/* Three numbers with the same mark between them; the year is the first, if it has four digits, or the last.
 */
static bool take_numbers(cursor *c, od_local_date *d)
{
    int len[3];
    d->part[0] = take_number(c, &len[0]);
    if (len[0] == 0 || len[0] == 3 || c->p == c->end) return false;
    char mark = *c->p++;
    if (mark != '.' && mark != '/' && mark != '-') return false;
    if (mark == '.') skip_blanks(c);
    d->part[1] = take_number(c, &len[1]);
    if (len[1] < 1 || len[1] > 2 || !skip(c, mark)) return false;
    if (mark == '.') skip_blanks(c);
    d->part[2] = take_number(c, &len[2]);
    if (len[0] == 4) {
        if (len[2] < 1 || len[2] > 2) return false;
        try_order(d, OD_DATE_YMD);
    } else {
        if (len[2] != 4 && len[2] != 2) return false;
        d->short_year = len[2] == 2;
        try_order(d, OD_DATE_DMY);
        if (mark != '.') try_order(d, OD_DATE_MDY);
    }
    return d->orders != 0;
}

/* What may stand between the parts of a date with a name. */
static void skip_marks(cursor *c)
{
    while (skip_blanks(c) || skip(c, ',') || skip(c, '.') || skip(c, '-') || skip(c, '/')) continue;
}

static bool take_month(cursor *c, int *month)
{
    char word[16];
    size_t len = take_word(c, word, sizeof word);
    *month = find_month(word, len);
    return len > 0 && *month > 0;
}

/* "st", "nd", "rd", "th" behind the number of a day. */
static void skip_ordinal(cursor *c)
{
    static const char *const endings[] = {"st", "nd", "rd", "th"};
    for (int i = 0; i < 4; i++)
        if (c->end - c->p >= 2 && strncasecmp(c->p, endings[i], 2) == 0) {
            c->p += 2;
            return;
        }
}

/* 15 Nov 2026, Nov 15, 2026, 2026 Nov 15. */
static bool take_named(cursor *c, od_local_date *d)
{
    int len[2], number[2];
    bool first = c->p < c->end && is_letter(*c->p);
    if (first && !take_month(c, &d->part[1])) return false;
    for (int i = 0; i < 2; i++) {
        if (i || first) skip_marks(c);
        number[i] = take_number(c, &len[i]);
        if (!len[i]) return false;
        skip_ordinal(c);
        if (i || first) continue;
        skip_marks(c);
        if (!take_month(c, &d->part[1])) return false;
    }
    int year = len[0] == 4 ? 0 : 1;
    if ((len[year] != 4 && len[year] != 2) || len[!year] > 2) return false;
    d->short_year = len[year] == 2;
    d->part[0] = number[!year];
    d->part[2] = number[year];
    try_order(d, OD_DATE_NAMED);
    return d->orders != 0;
}

/* "Tue, " or "Dienstag " before a date. */
static void skip_weekday(cursor *c)
{
    char word[16];
    cursor start = *c;
    size_t len = take_word(c, word, sizeof word);
    if (len >= 2 && is_named(days, word, len) && find_month(word, len) == 0)
        skip_marks(c);
    else
        *c = start;
}

bool od_local_date_scan(const char *text, size_t len, od_local_date *out)
{
    cursor c = {text, text + len};
    *out = (od_local_date){0};
    skip_blanks(&c);
    if (c.p < c.end && is_letter(*c.p)) skip_weekday(&c);
    cursor start = c;
    if (!take_numbers(&c, out)) {
        c = start;
        *out = (od_local_date){0};
        if (!take_named(&c, out)) return false;
    }
    skip(&c, ',');
    bool apart = skip_blanks(&c);
    if (c.p == c.end) return true;
    if (!apart && !skip(&c, 'T')) return false;
    if (!take_clock(&c, out)) return false;
    skip_blanks(&c);
    return c.p == c.end;
}

double od_local_date_value(const od_local_date *d, od_date_order order)
{
    double day = NAN;
    day_in(d, order, &day);
    return day + (double)d->clock + (double)d->billionths / 1e9;
}
