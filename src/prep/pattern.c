/* Finds the patterns of a column of codes. */
#include "prep/pattern.h"

#include <string.h>

#define CANDIDATES    32  /* patterns that are counted */
#define CODE_ROWS     50  /* cells that a column needs */
#define PATTERN_SHARE 100 /* a pattern of a column has one row in so many, */
#define PATTERN_LEAST 3   /* and at least so many */
#define STRAY_LEAST   2   /* rows with other patterns, */
#define STRAY_SHARE   100 /* or one in so many */

bool od_pattern_of(const char *text, char pattern[OD_PATTERN_ROOM])
{
    size_t n = 0;
    while (*text == ' ') text++;
    for (; *text; text++) {
        char c = *text;
        if (n + 1 >= OD_PATTERN_ROOM) return false;
        pattern[n++] = (char)(c >= '0' && c <= '9'   ? '9'
                              : c >= 'A' && c <= 'Z' ? 'A'
                              : c >= 'a' && c <= 'z' ? 'a'
                                                     : c);
    }
    while (n > 0 && pattern[n - 1] == ' ') n--;
    pattern[n] = '\0';
    return n > 0;
}

bool od_patterns_fit(const od_strlist *patterns, const char *text)
{
    char own[OD_PATTERN_ROOM];
    if (!od_pattern_of(text, own)) return false;
    for (size_t i = 0; i < patterns->count; i++)
        if (strcmp(od_strlist_at(patterns, i), own) == 0) return true;
    return false;
}

typedef struct candidate {
    char pattern[OD_PATTERN_ROOM];
    int64_t rows;
} candidate;

/* Counts the rows of each pattern; returns how many patterns there are, -1 for too many. */
static int count_patterns(candidate *list, const od_strlist *levels, const int64_t *rows)
{
    int count = 0;
    for (size_t i = 0; i < levels->count; i++) {
        char own[OD_PATTERN_ROOM];
        int at = 0;
        if (!rows[i] || !od_pattern_of(od_strlist_at(levels, i), own)) continue;
        while (at < count && strcmp(list[at].pattern, own) != 0) at++;
        if (at == CANDIDATES) return -1;
        if (at == count) {
            strcpy(list[at].pattern, own);
            list[count++].rows = 0;
        }
        list[at].rows += rows[i];
    }
    return count;
}

odim_status od_patterns_find(od_strlist *patterns, const od_strlist *levels, const int64_t *rows,
                             odim_error *err)
{
    candidate list[CANDIDATES];
    int64_t all = 0, coded = 0, with_digits = 0;
    for (size_t i = 0; i < levels->count; i++) all += rows[i];
    int count = all < CODE_ROWS ? -1 : count_patterns(list, levels, rows), chosen = 0;
    int64_t least = all / PATTERN_SHARE > PATTERN_LEAST ? all / PATTERN_SHARE : PATTERN_LEAST;
    int64_t most = all / STRAY_SHARE > STRAY_LEAST ? all / STRAY_SHARE : STRAY_LEAST;
    for (int i = 0; i < count; i++) {
        if (list[i].rows < least) continue;
        coded += list[i].rows;
        if (strchr(list[i].pattern, '9')) with_digits += list[i].rows;
        candidate moved = list[i];
        int at = chosen++;
        for (; at > 0 && list[at - 1].rows < moved.rows; at--) list[at] = list[at - 1];
        list[at] = moved;
    }
    /* The loop above overwrites only patterns that it has seen. */
    odim_status status = ODIM_OK;
    if (!chosen || chosen > OD_PATTERNS_MOST || all - coded > most || with_digits < coded) return ODIM_OK;
    for (int i = 0; !status && i < chosen; i++)
        status = od_strlist_add(patterns, list[i].pattern, strlen(list[i].pattern), err);
    return status;
}
