/* Writes everyday tables as people in several countries write them. */
#include <errno.h>
#include <iconv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "everyday.h"

#define NO_BREAK_SPACE "\xC2\xA0"
#define APOSTROPHE     "\xE2\x80\x99"
#define EURO           "\xE2\x82\xAC"
#define RUPEE          "\xE2\x82\xB9"

/* How a country writes. */
typedef struct local {
    const char *name;
    char delimiter, decimal;
    const char *thousands;
    int lakhs;                   /* 12,34,567 */
    const char *before, *behind; /* an amount of money */
    int sign_inside;             /* CHF -5, not -CHF 5 */
    int brackets;                /* around negative amounts */
    const char *unit_gap, *percent_gap;
    const char *date; /* of day, month and year: see put_date */
    int half_days;    /* am and pm */
} local;

static const local locals[ED_FORMATS] = {
    [ED_US] = {"us", ',', '.', ",", 0, "$", "", 0, 1, " ", "", "m/d/y", 1},
    [ED_GERMAN] = {"german", ';', ',', ".", 0, "", " " EURO, 0, 0, " ", " ", "d.m.y", 0},
    [ED_SWISS] = {"swiss", ';', '.', APOSTROPHE, 0, "CHF ", "", 1, 0, " ", "", "d.m.y", 0},
    [ED_FRENCH] = {"french", ';', ',', NO_BREAK_SPACE, 0, "", NO_BREAK_SPACE EURO, 0, 0, NO_BREAK_SPACE,
                   NO_BREAK_SPACE, "d/m/y", 0},
    [ED_INDIAN] = {"indian", ',', '.', ",", 1, RUPEE, "", 0, 0, " ", "", "d-m-y", 0}};

const char *ed_format_name(ed_format format)
{
    return locals[format].name;
}

/* ---- cells ------------------------------------------------------------------------------------------ */

/* The digits of a whole part, with marks between thousands. */
static void put_whole(FILE *to, const local *l, const char *digits, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        size_t left = len - i; /* digits from here on */
        int mark = l->lakhs ? left == 3 || (left > 3 && left % 2 == 1) : left % 3 == 0;
        if (i && mark) fputs(l->thousands, to);
        fputc(digits[i], to);
    }
}

/* All digits of the plain text stay, so that the value is the same. */
static void put_digits(FILE *to, const local *l, const char *plain, int marks)
{
    size_t whole = strspn(plain, "0123456789");
    if (marks)
        put_whole(to, l, plain, whole);
    else
        fwrite(plain, 1, whole, to);
    for (plain += whole; *plain; plain++) fputc(*plain == '.' ? l->decimal : *plain, to);
}

static void put_number(FILE *to, const local *l, const ed_column *column, const char *plain)
{
    const char *unit = column->unit ? column->unit : "";
    int negative = *plain == '-', money = strcmp(unit, ED_MONEY) == 0, code = strcmp(unit, ED_CODE) == 0;
    int brackets = negative && money && l->brackets, inside = money && l->sign_inside;
    if (brackets) fputc('(', to);
    if (negative && !brackets && !inside) fputc('-', to);
    if (money) fputs(l->before, to);
    if (negative && inside) fputc('-', to);
    put_digits(to, l, plain + negative, !code);
    if (money)
        fputs(l->behind, to);
    else if (*unit && !code)
        fprintf(to, "%s%s", *unit == '%' ? l->percent_gap : l->unit_gap, unit);
    if (brackets) fputc(')', to);
}

/* plain: 2024-12-31, or 2024-12-31 17:30:00. */
static void put_date(FILE *to, const local *l, const char *plain)
{
    for (const char *p = l->date; *p; p++) {
        if (*p == 'd')
            fprintf(to, "%.2s", plain + 8);
        else if (*p == 'm')
            fprintf(to, "%.2s", plain + 5);
        else if (*p == 'y')
            fprintf(to, "%.4s", plain);
        else
            fputc(*p, to);
    }
    if (!plain[10]) return;
    int hour = atoi(plain + 11);
    if (l->half_days)
        fprintf(to, " %d%s %s", hour % 12 ? hour % 12 : 12, plain + 13, hour < 12 ? "AM" : "PM");
    else
        fputs(plain + 10, to);
}

static FILE *open_text(char **text, size_t *size)
{
    FILE *to = open_memstream(text, size);
    if (!to) bench_die("table", "out of memory");
    return to;
}

static void put_cell(FILE *file, const local *l, const ed_spec *spec, const ed_column *column, double v)
{
    char *plain, *text;
    size_t size;
    FILE *to = open_text(&plain, &size);
    ed_put_cell(to, spec, column, v);
    if (fclose(to) != 0) bench_die(spec->name, "out of memory");
    to = open_text(&text, &size);
    if (!*plain || column->type == ED_CATEGORY || column->before)
        fputs(plain, to);
    else if (column->type == ED_NUMBER)
        put_number(to, l, column, plain);
    else
        put_date(to, l, plain);
    if (fclose(to) != 0) bench_die(spec->name, "out of memory");
    fprintf(file, strchr(text, l->delimiter) ? "\"%s\"" : "%s", text);
    free(plain);
    free(text);
}

char *ed_local_csv(const ed_table *t, const double *cells, ed_format format, size_t *size)
{
    const local *l = &locals[format];
    char *text;
    FILE *to = open_text(&text, size);
    for (int64_t i = -1; i < t->rows; i++) {
        for (int c = 0; c < t->cols; c++) {
            const ed_column *column = &t->spec->columns[c];
            if (c) fputc(l->delimiter, to);
            if (i < 0)
                fputs(column->name, to);
            else
                put_cell(to, l, t->spec, column, cells[i * t->cols + c]);
        }
        fputs("\r\n", to);
    }
    if (fclose(to) != 0) bench_die(t->spec->name, "out of memory");
    return text;
}

/* ---- encodings -------------------------------------------------------------------------------------- */

static const char *const encodings[ED_ENCODINGS] = {"UTF-8", "UTF-16", "Windows-1252"};

const char *ed_encoding_name(ed_encoding encoding)
{
    return encodings[encoding];
}

char *ed_encode(const char *text, size_t size, ed_encoding encoding, size_t *out_size)
{
    size_t room = 2 * size + 2, left = room;
    char *out = malloc(room), *to = out, *from = (char *)text;
    if (!out) bench_die("table", "out of memory");
    if (encoding == ED_UTF16) {
        memcpy(to, "\xFF\xFE", 2);
        to += 2;
        left -= 2;
    }
    iconv_t code = iconv_open(encoding == ED_UTF16 ? "UTF-16LE" : encodings[encoding], "UTF-8");
    if (code == (iconv_t)-1) bench_die(encodings[encoding], strerror(errno));
    size_t failed = iconv(code, &from, &size, &to, &left);
    iconv_close(code);
    if (failed == (size_t)-1 && errno != EILSEQ) bench_die(encodings[encoding], strerror(errno));
    *out_size = room - left;
    if (failed != (size_t)-1) return out;
    free(out);
    return NULL;
}
