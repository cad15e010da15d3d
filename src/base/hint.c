/* Words the hints that name an option. */
#include "base/hint.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "odim.h"

static atomic_int style = ODIM_HINTS_FIELDS;

void odim_hints_set(odim_hints hints)
{
    atomic_store(&style, (int)hints);
}

const char *od_hint_write(char buf[OD_HINT_ROOM], const char *names, const char *value)
{
    int now = atomic_load(&style);
    bool flags = now == ODIM_HINTS_FLAGS;
    size_t len = 0;
    *buf = '\0';
    if (now == ODIM_HINTS_NONE) return buf;
    for (const char *end; *names; names = *end ? end + 1 : end) {
        end = names + strcspn(names, "|");
        if (!flags && strncmp(names, "no_", 3) == 0) continue; /* the field x stands for both flags */
        const char *lead = len ? (flags ? " or --" : " or ") : flags ? " (--" : " (set ";
        int wrote = snprintf(buf + len, OD_HINT_ROOM - len, "%s%.*s", lead, (int)(end - names), names);
        for (char *c = buf + len + strlen(lead); flags && *c; c++)
            if (*c == '_') *c = '-';
        len += (size_t)wrote;
    }
    if (!value) value = "";
    snprintf(buf + len, OD_HINT_ROOM - len, "%s%.100s)", !*value ? "" : flags ? " " : " to ", value);
    return buf;
}
