/* Tells what single cells of a text table are. */
#include <string.h>
#include <strings.h>

#include "common/numtext.h"
#include "io/sniff.h"

bool od_sniff_is_missing(const char *text, size_t len)
{
    /* Words of programs and people, the errors of Excel, and dashes of each length. */
    static const char *const words[] = {"na",     "n/a",          "#n/a",        "<na>",  "null",   "none",
                                        "nil",    "missing",      "?",           "-",     ".",      "n.a.",
                                        "k.a.",   "#div/0!",      "#value!",     "#ref!", "#name?", "#num!",
                                        "#null!", "\xE2\x80\x93", "\xE2\x80\x94"};
    while (len && *text == ' ') text++, len--;
    while (len && text[len - 1] == ' ') len--;
    if (len > 1 && *text == '$') { /* "$ -" in an account */
        for (text++, len--; len > 1 && *text == ' ';) text++, len--;
        return len == 1 && *text == '-';
    }
    if (len == 0 || len > 7 || !strchr("nN#<mM?-.kK\xE2", *text))
        return false; /* the words begin so: most cells are none */
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
