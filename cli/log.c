/* Messages on stderr, and what the terminal can show. */
#include "log.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "odim.h"
#include "wrap.h"

enum { LONGEST = 16384, INDENT = 6 }; /* of a line, with room for two paths; "odim: " */

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
    odim_printable(text, shown, sizeof shown);
    int width = cli_log_width(STDERR_FILENO);
    fputs("odim: ", stderr);
    cli_wrap(shown, width ? width - INDENT : INT_MAX, "      ", stderr);
    fputc('\n', stderr);
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
