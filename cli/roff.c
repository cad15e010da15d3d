/* Text for manual pages, in the macros of man(7). */
#include "roff.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static void put_char(char c, FILE *to)
{
    switch (c) {
    case '\\': fputs("\\e", to); break;
    case '-': fputs("\\-", to); break;
    case '\'': fputs("\\(aq", to); break;
    case '`': fputs("\\(ga", to); break;
    case '^': fputs("\\(ha", to); break;
    case '~': fputs("\\(ti", to); break;
    default: fputc(c, to);
    }
}

/* The length of the option that text begins with, such as --top or -o; 0: none. */
static size_t option_length(const char *text, size_t len)
{
    size_t dashes = 0, n;
    while (dashes < 2 && dashes < len && text[dashes] == '-') dashes++;
    for (n = dashes; n < len && (isalnum((unsigned char)text[n]) || text[n] == '-'); n++) continue;
    return dashes && n > dashes ? n : 0;
}

void cli_roff_put(const char *text, size_t len, FILE *to)
{
    if (len > 0 && text[0] == '.') fputs("\\&", to); /* a point in front would begin a command */
    for (size_t i = 0; i < len;) {
        size_t bold = i == 0 || strchr(" (", text[i - 1]) ? option_length(text + i, len - i) : 0;
        if (bold) fputs("\\fB", to);
        for (size_t end = i + (bold ? bold : 1); i < end; i++) put_char(text[i], to);
        if (bold) fputs("\\fR", to);
    }
}

static bool is_replaced(const char *word, size_t len)
{
    if (len == 7 && memcmp(word, "options", 7) == 0) return true;
    for (size_t i = 0; i < len; i++)
        if (islower((unsigned char)word[i])) return false;
    return true;
}

void cli_roff_usage(const char *usage, FILE *to)
{
    while (*usage) {
        size_t len = strcspn(usage, " []|");
        if (len > 0) {
            fputs(is_replaced(usage, len) ? "\\fI" : "\\fB", to);
            for (size_t i = 0; i < len; i++) put_char(usage[i], to);
            fputs("\\fR", to);
            usage += len;
        } else {
            fputc(*usage++, to);
        }
    }
}

/* "  item    text"; the text may be missing. */
static void put_item(const char *line, size_t len, FILE *to)
{
    size_t end = 2;
    while (end < len && !(line[end] == ' ' && end + 1 < len && line[end + 1] == ' ')) end++;
    fputs(".TP\n\\fB", to);
    for (size_t i = 2; i < end; i++) put_char(line[i], to);
    fputs("\\fR\n", to);
    while (end < len && line[end] == ' ') end++;
    if (end == len) return;
    cli_roff_put(line + end, len - end, to);
    fputc('\n', to);
}

void cli_roff_text(const char *text, FILE *to)
{
    while (*text) {
        size_t len = strcspn(text, "\n"), blanks = strspn(text, " ");
        if (len == 0) {
            fputs(".PP\n", to);
        } else if (blanks == 2) {
            put_item(text, len, to);
        } else {
            cli_roff_put(text + blanks, len - blanks, to);
            fputc('\n', to);
        }
        text += len + (text[len] == '\n');
    }
}
