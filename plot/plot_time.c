/* Ticks of a time axis, at whole minutes, days, months or years. */
#include "plot_time.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#include "plot_text.h"

#define DAY   86400.0
#define MONTH (365.2425 / 12 * DAY) /* in the mean */
#define FAR   2.5e11                /* seconds: within the years of four digits */

/* A distance between lines, and how a time on one of them is written. */
typedef struct step {
    double seconds;
    int months; /* 0: always as many seconds */
    const char *format;
} step;

static const step steps[] = {
    {1, 0, "%H:%M:%S"},          {2, 0, "%H:%M:%S"},         {5, 0, "%H:%M:%S"},
    {10, 0, "%H:%M:%S"},         {30, 0, "%H:%M:%S"},        {60, 0, "%m-%d %H:%M"},
    {120, 0, "%m-%d %H:%M"},     {300, 0, "%m-%d %H:%M"},    {600, 0, "%m-%d %H:%M"},
    {1800, 0, "%m-%d %H:%M"},    {3600, 0, "%m-%d %H:%M"},   {7200, 0, "%m-%d %H:%M"},
    {14400, 0, "%m-%d %H:%M"},   {43200, 0, "%m-%d %H:%M"},  {DAY, 0, "%Y-%m-%d"},
    {2 * DAY, 0, "%Y-%m-%d"},    {5 * DAY, 0, "%Y-%m-%d"},   {14 * DAY, 0, "%Y-%m-%d"},
    {MONTH, 1, "%Y-%m"},         {2 * MONTH, 2, "%Y-%m"},    {6 * MONTH, 6, "%Y-%m"},
    {12 * MONTH, 12, "%Y"},      {24 * MONTH, 24, "%Y"},     {60 * MONTH, 60, "%Y"},
    {120 * MONTH, 120, "%Y"},    {240 * MONTH, 240, "%Y"},   {600 * MONTH, 600, "%Y"},
    {1200 * MONTH, 1200, "%Y"},  {2400 * MONTH, 2400, "%Y"}, {6000 * MONTH, 6000, "%Y"},
    {12000 * MONTH, 12000, "%Y"}};
enum { STEPS = sizeof steps / sizeof *steps };

static int write_time(const step *s, double seconds, char text[PLOT_TIME_TEXT])
{
    struct tm parts;
    time_t whole = (time_t)seconds;
    return gmtime_r(&whole, &parts) && strftime(text, PLOT_TIME_TEXT, s->format, &parts) > 0;
}

/* The first second of a month, which is counted from January of the year 0. In years that begin in March the
 * odd day comes last, and the months before it are of 30.6 days, rounded. */
static double month_start(int month)
{
    int year = (month - 2) / 12, since_march = (month - 2) % 12;
    int days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * since_march + 2) / 5;
    return (days - 719468) * DAY; /* from March of the year 0 to 1970 */
}

/* Line number n after the last before `low`: months are counted from the year 0. */
static double line_at(const step *s, double low, int n)
{
    if (!s->months) return (floor(low / s->seconds) + n) * s->seconds;
    struct tm parts = {0};
    time_t whole = (time_t)floor(low);
    if (!gmtime_r(&whole, &parts)) return NAN;
    int month = (parts.tm_year + 1900) * 12 + parts.tm_mon;
    return month_start((month / s->months + n) * s->months);
}

int plot_time_ticks(double low, double high, double length, double at[PLOT_TIME_TICKS],
                    char text[PLOT_TIME_TICKS][PLOT_TIME_TEXT])
{
    enum { GAP = 12 }; /* between texts */
    char sample[PLOT_TIME_TEXT];
    int chosen = 0, count = 0;
    if (!(low < high && low >= -0.2 * FAR && high <= FAR)) return 0;
    for (; chosen < STEPS - 1; chosen++) {
        const step *s = &steps[chosen];
        double apart = length * s->seconds / (high - low);
        if (write_time(s, low, sample) && plot_text_width(sample) + GAP <= apart) break;
    }
    for (int n = 0; n < PLOT_TIME_TICKS + 1 && count < PLOT_TIME_TICKS; n++) {
        double seconds = line_at(&steps[chosen], low, n);
        if (!(seconds <= high)) break;
        if (seconds < low || !write_time(&steps[chosen], seconds, text[count])) continue;
        at[count++] = seconds;
    }
    return count;
}
