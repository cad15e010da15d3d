/*
 * Numbers as people write them, against a slow and obvious definition.
 *
 * An even first byte: the rest is a text. If it has only digits, marks and signs, a regular expression for
 * each notation says whether it is a number, and strtod which. An odd one: the rest chooses a number and how
 * to write it, with a sign and a unit in one of the usual ways, and the text must be read back as that
 * number.
 */
#include <regex.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/local_number.h"
#include "fuzz.h"

/* Decimal and thousands mark of each od_notation. */
static const char marks[OD_NOTATIONS][2] = {{'.', ','}, {'.', ' '}, {'.', '\''},
                                            {',', '.'}, {',', ' '}, {',', '\''}};

/* ---- any text --------------------------------------------------------------------------------------- */

static regex_t *notation_regex(int i)
{
    static regex_t all[OD_NOTATIONS];
    static bool ready;
    for (int k = 0; !ready && k < OD_NOTATIONS; k++) {
        char d = marks[k][0], g = marks[k][1], pattern[300];
        snprintf(pattern, sizeof pattern,
                 "^ *([+-]?) "
                 "*(([0-9]+|[1-9][0-9]?[0-9]?([%c][0-9]{3})+%s)([%c][0-9]*)?|[%c][0-9]+)([eE][+-]?[0-9]+)?"
                 "( *-)? *$",
                 g, g == ',' ? "|[1-9][0-9]?([,][0-9]{2})*[,][0-9]{3}" : "", d, d);
        MUST(regcomp(&all[k], pattern, REG_EXTENDED) == 0);
    }
    ready = true;
    return &all[i];
}

/* The groups of notation_regex that are looked at; the Indian thousands add one. */
static bool reference(const char *text, int i, double *value)
{
    regmatch_t m[10];
    int more = marks[i][1] == ',';
    if (regexec(notation_regex(i), text, 10, m, 0)) return false;
    bool front = m[1].rm_eo > m[1].rm_so, back = m[7 + more].rm_so >= 0;
    char plain[64];
    int n = 0;
    char last = text[m[2].rm_eo - 1];
    bool dash =
        back && text[m[7 + more].rm_so] == '-' && m[6 + more].rm_so < 0 && (last == '.' || last == ',');
    if (front && back && !dash) return false;
    plain[n++] = (front && text[m[1].rm_so] == '-') || (back && !dash) ? '-' : '+';
    for (regoff_t k = m[2].rm_so; k < m[2].rm_eo; k++)
        if (text[k] != marks[i][1]) plain[n++] = text[k] == marks[i][0] ? '.' : text[k];
    for (regoff_t k = m[6 + more].rm_so; k >= 0 && k < m[6 + more].rm_eo; k++) plain[n++] = text[k];
    plain[n] = '\0';
    *value = strtod(plain, NULL);
    return true;
}

static void check_text(const char *text, size_t len)
{
    od_local_number n;
    bool is = od_local_number_scan(text, len, &n);
    MUST(!is || (n.notations && memchr(n.unit, '\0', sizeof n.unit)));
    char copy[48];
    if (len >= sizeof copy) return;
    memcpy(copy, text, len);
    copy[len] = '\0';
    if (strspn(copy, "0123456789.,' eE+-") != len || strstr(copy, "--")) return;
    for (const char *e = copy; (e = strpbrk(e, "eE")); e++) /* otherwise it is a unit */
        if (e == copy || !strchr("0123456789.,", e[-1]) || strspn(e + 1, "+-") > 1 ||
            !e[1 + strspn(e + 1, "+-")] || !strchr("0123456789", e[1 + strspn(e + 1, "+-")]) ||
            strpbrk(e + 1, "eE"))
            return;
    for (int i = 0; i < OD_NOTATIONS; i++) {
        double want = 0, got = 0;
        bool fits = is && n.notations >> i & 1;
        MUST(reference(copy, i, &want) == fits);
        if (fits && od_local_number_value(&n, (od_notation)i, &got) == OD_NUM_OK) MUST(got == want);
    }
}

/* ---- a number that is written ----------------------------------------------------------------------- */

/* Digits with thousands marks between them. */
static void write_digits(char *out, unsigned whole, int notation, bool grouped)
{
    char digits[16];
    int len = snprintf(digits, sizeof digits, "%u", whole), n = 0;
    for (int i = 0; i < len; i++) {
        if (grouped && i && (len - i) % 3 == 0) out[n++] = marks[notation][1];
        out[n++] = digits[i];
    }
    out[n] = '\0';
}

static void check_written(const uint8_t *data, size_t size)
{
    static const char *const fronts[] = {
        "", "-", "+", "(", "$", "-$", "$-", "EUR ", "\xE2\x88\x92", "\xE2\x82\xAC ", "($", "CHF "};
    static const char *const backs[] = {"", "", "", ")", "", "", "", "", "", "", ")", ""};
    static const char *const front_units[] = {"", "", "", "", "$", "$", "$", "EUR", "", "EUR", "$", "CHF"};
    static const bool negative[] = {0, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 0};
    static const char *const units[] = {"", " %", "%", " kg", " \xE2\x82\xAC", " EUR", "\xC2\xA0m2", " km/h"};
    static const char *const unit_texts[] = {"", "%", "%", "kg", "EUR", "EUR", "m2", "km/h"};
    if (size < 9) return;
    unsigned whole = (unsigned)data[0] << 16 | (unsigned)data[1] << 8 | data[2], part = data[3];
    int notation = data[4] % OD_NOTATIONS, front = data[5] % 12, unit = data[6] % 8;
    if (*front_units[front]) unit = 0;
    char digits[32], text[96], plain[32];
    write_digits(digits, whole, notation, data[7] & 1);
    if (data[7] & 2)
        snprintf(text, sizeof text, "%s%s%c%02u%s%s", fronts[front], digits, marks[notation][0], part % 100,
                 units[unit], backs[front]);
    else
        snprintf(text, sizeof text, "%s%s%s%s", fronts[front], digits, units[unit], backs[front]);
    snprintf(plain, sizeof plain, "%s%u.%02u", negative[front] ? "-" : "", whole,
             data[7] & 2 ? part % 100 : 0);
    od_local_number n;
    double got = 0;
    MUST(od_local_number_scan(text, strlen(text), &n) && n.notations >> notation & 1);
    MUST(od_local_number_value(&n, (od_notation)notation, &got) == OD_NUM_OK && got == strtod(plain, NULL));
    MUST(strcmp(n.unit, *front_units[front] ? front_units[front] : unit_texts[unit]) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size) return 0;
    if (data[0] & 1)
        check_written(data + 1, size - 1);
    else
        check_text((const char *)data + 1, size - 1);
    return 0;
}
