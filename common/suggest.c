/* "Did you mean": the candidate that is nearest to a mistyped word. */
#include "common/suggest.h"

#include <string.h>

enum { LONGEST = 40 };

static int min(int a, int b)
{
    return a < b ? a : b;
}

/* Insertions, deletions, replacements and swaps of neighbours that turn a into b, both at most LONGEST long.
 */
static int edit_distance(const char *a, int na, const char *b, int nb)
{
    int row[3][LONGEST + 1]; /* of the prefixes of a: two ago, last, this */
    int *before = row[0], *last = row[1], *now = row[2];
    for (int j = 0; j <= nb; j++) last[j] = j;
    for (int i = 1; i <= na; i++) {
        now[0] = i;
        for (int j = 1; j <= nb; j++) {
            int replace = last[j - 1] + (a[i - 1] != b[j - 1]);
            now[j] = min(replace, 1 + min(last[j], now[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = min(now[j], before[j - 2] + 1);
        }
        int *unused = before;
        before = last;
        last = now;
        now = unused;
    }
    return last[nb];
}

void od_suggest_offer(od_suggest *s, const char *candidate)
{
    size_t nw = strlen(s->word), nc = strlen(candidate);
    if (nw == 0 || nw > LONGEST || nc > LONGEST) return;

    int distance = edit_distance(s->word, (int)nw, candidate, (int)nc);
    int allowed = 1 + (int)nw / 4;
    /* A word cut short or spun out, such as --max or --output-file, is as near as one typing error. */
    if ((nw >= 3 && strncmp(s->word, candidate, nw) == 0) ||
        (nc >= 3 && strncmp(s->word, candidate, nc) == 0))
        distance = 1;
    if (distance <= allowed && (!s->best || distance < s->distance)) {
        s->best = candidate;
        s->distance = distance;
    }
}
