/* Messages on stderr, and what the terminal can show. */
#include "log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "odim.h"

enum { LONGEST = 16384 }; /* line; room for two paths */

static bool mute;

void cli_log_mute(void)
{
    mute = true;
}

void cli_log(const char *fmt, ...)
{
    char text[LONGEST], shown[2 * LONGEST];
    va_list ap;
    if (mute) return;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    /* Names of files, columns and levels in it are not ours. */
    fprintf(stderr, "odim: %s\n", odim_printable(text, shown, sizeof shown));
}

int cli_log_width(int fd)
{
    if (!isatty(fd)) return 0;
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    const char *columns = getenv("COLUMNS");
    long width = columns ? strtol(columns, NULL, 10) : 0;
    return width > 0 && width < 10000 ? (int)width : 80;
}

/* The first of them that is set and not empty decides. */
bool cli_log_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value && *value) return strstr(value, "UTF-8") || strstr(value, "utf8") || strstr(value, "utf-8");
    }
    return false;
}
