/* What the command says to people: lines on stderr that begin with "odim: ", made safe by odim_printable.
 * Data goes through out.h. */
#ifndef OD_SAY_H
#define OD_SAY_H

#include <stdbool.h>

#if defined(__GNUC__)
#define OD_SAY_PRINTF __attribute__((format(printf, 1, 2)))
#else
#define OD_SAY_PRINTF
#endif

void od_say(const char *fmt, ...) OD_SAY_PRINTF;
/* Nothing is said any more: of several that do the same work one speaks. */
void od_say_mute(void);

/* A measure as four decimals can show it: 1.0000 is said of 1 only. */
static inline double od_say_measure(double v)
{
    return v < 1 && v > 0.9999 ? 0.9999 : v;
}

/* Whether what we write is shown as UTF-8, by the variables that POSIX has for it. */
bool od_say_utf8(void);

/* Columns of the terminal that `fd` is, 0 when it is none. COLUMNS in the environment stands in for a
 * terminal that does not know its own size. */
int od_say_width(int fd);

#endif
