/* Messages for people: lines on stderr that begin with "odim: ", made safe by odim_printable and wrapped on a
 * terminal. Data goes through out.h. */
#ifndef CLI_LOG_H
#define CLI_LOG_H

#include <stdbool.h>

#if defined(__GNUC__)
#define CLI_LOG_PRINTF __attribute__((format(printf, 1, 2)))
#else
#define CLI_LOG_PRINTF
#endif

void cli_log(const char *fmt, ...) CLI_LOG_PRINTF;
/* Prints no more messages: of several processes that do the same work, one reports. */
void cli_log_mute(void);

/* A measure for four decimals: only 1 is shown as 1.0000. */
static inline double cli_log_measure(double v)
{
    return v < 1 && v > 0.9999 ? 0.9999 : v;
}

/* Whether what we write is shown as UTF-8, by the variables that POSIX has for it. */
bool cli_log_utf8(void);

/* Columns of the terminal that `fd` is, 0 when it is none. COLUMNS in the environment stands in for a
 * terminal that does not know its own size. */
int cli_log_width(int fd);

#endif
