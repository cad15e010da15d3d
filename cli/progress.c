#include "progress.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "log.h"

enum { PARTS = 5, PART_SIZE = 40, BAR_MIN = 10, BAR_MAX = 30, GAP = 2, LINE_SIZE = 1024 };

static const char erase[] = "\r\033[K";
/* A line stands on the terminal, of which there is one. */
static volatile sig_atomic_t shown;

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const char *setting(const char *name)
{
    const char *value = getenv(name);
    return value ? value : "";
}

void cli_progress_init(cli_progress *bar, bool wanted)
{
    bool terminal = isatty(STDERR_FILENO) && strcmp(setting("TERM"), "dumb") != 0;
    *bar = (cli_progress){.on = wanted && terminal, .phase = -1};
    bar->colour = !*setting("NO_COLOR");
    bar->utf8 = cli_log_utf8();
}

void cli_progress_clear(void)
{
    if (!shown) return;
    fputs(erase, stderr);
    fflush(stderr);
    shown = 0;
}

void cli_progress_abandon(void)
{
    if (shown && write(STDERR_FILENO, erase, sizeof erase - 1) > 0) shown = 0;
}

void cli_progress_text(cli_progress *bar, const char *what, const char *name)
{
    if (!bar->on) return;
    char shown_name[LINE_SIZE];
    int room = cli_log_width(STDERR_FILENO) - 1 - (int)strlen(what) - 1;
    cli_progress_clear();
    odim_printable(name, shown_name, sizeof shown_name);
    if ((int)strlen(shown_name) <= room) {
        fprintf(stderr, "%s %s", what, shown_name);
        fflush(stderr);
        shown = 1;
    }
}

static void write_time(char part[PART_SIZE], double left)
{
    long s = (long)(left + 0.5);
    if (s < 60)
        snprintf(part, PART_SIZE, "%2ld s left", s);
    else if (s < 3600)
        snprintf(part, PART_SIZE, "%ld:%02ld min left", s / 60, s % 60);
    else
        snprintf(part, PART_SIZE, "%ld:%02ld h left", s / 3600, s / 60 % 60);
}

/* The facts worth showing, most important first: a narrow terminal gets the first few. Returns how many. */
static int list_parts(const cli_progress *bar, const odim_progress *now, char part[PARTS][PART_SIZE])
{
    int n = 0;
    bool by_rows = now->stage != ODIM_STAGE_FITTING;
    if (by_rows && !now->rows) { /* nobody knows how many there will be */
        if (now->rows_done) snprintf(part[n++], PART_SIZE, "%lld rows", (long long)now->rows_done);
        return n;
    }
    if (!by_rows && !now->members && !(now->fraction > 0)) return n; /* nor how long it takes */
    snprintf(part[n++], PART_SIZE, "%3d%%", (int)(100 * now->fraction));
    /* An estimate from the first moments would only jump about. */
    double spent = seconds() - bar->start;
    if (spent > 1 && now->fraction > 0.01) write_time(part[n++], spent * (1 - now->fraction) / now->fraction);
    if (by_rows) {
        snprintf(part[n++], PART_SIZE, "%lld/%lld rows", (long long)now->rows_done, (long long)now->rows);
    } else if (now->members) {
        /* Padded: the line must not jump about as numbers grow. */
        snprintf(part[n++], PART_SIZE, "%2d/%d members", now->members_done, now->members);
        snprintf(part[n++], PART_SIZE, "%5lld updates", (long long)now->updates);
        snprintf(part[n++], PART_SIZE, "distance %.3f", now->distance);
    }
    return n;
}

/* The line is put together first and written in one go: stderr has no buffer, and pieces would flicker. */
static void add(char line[LINE_SIZE], const char *fmt, ...)
{
    size_t used = strlen(line);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(line + used, LINE_SIZE - used, fmt, ap);
    va_end(ap);
}

static void add_bar(const cli_progress *bar, int length, double fraction, char line[LINE_SIZE])
{
    int full = (int)(fraction * length + 0.5);
    if (bar->colour) add(line, "\033[36m");
    for (int i = 0; i < length; i++) {
        if (i == full && bar->colour) add(line, "\033[0;2m");
        /* With colour the rest of the bar is the same line, dimmed. */
        bool drawn = i < full || (bar->colour && bar->utf8);
        add(line, "%s", drawn ? (bar->utf8 ? "━" : "#") : (bar->utf8 ? " " : "."));
    }
    if (bar->colour) add(line, "\033[0m");
}

void cli_progress_draw(cli_progress *bar, const odim_progress *now)
{
    if (!bar->on) return;
    int number = (int)now->stage;
    if (bar->phase != number) {
        bar->phase = number;
        bar->start = seconds();
    }
    char part[PARTS][PART_SIZE];
    int parts = list_parts(bar, now, part);
    const char *phase = odim_stage_text(now->stage);
    bool by_rows = now->stage != ODIM_STAGE_FITTING;
    bool measured = by_rows ? now->rows > 0 : now->members > 0 || now->fraction > 0;

    /* One column stays free: a cursor behind the last one would wrap the line. */
    int room = cli_log_width(STDERR_FILENO) - 1 - (int)strlen(phase), used = 0, fit = 0;
    while (fit < parts) {
        int more = GAP + (int)strlen(part[fit]);
        /* The bar says less than the time left, and more than what comes after that. */
        int reserved = fit < 2 ? 0 : GAP + BAR_MIN;
        if (used + more + reserved > room) break;
        used += more;
        fit++;
    }
    int length = room - used - GAP;
    if (length > BAR_MAX) length = BAR_MAX;

    char line[LINE_SIZE] = "\r";
    if (room >= 0) add(line, "%s", phase);
    if (measured && length >= BAR_MIN) {
        add(line, "%*s", GAP, "");
        add_bar(bar, length, now->fraction, line);
    }
    for (int i = 0; i < fit; i++) add(line, "%*s%s", GAP, "", part[i]);
    add(line, "\033[K");
    fputs(line, stderr);
    fflush(stderr);
    shown = 1;
}
