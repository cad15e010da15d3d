/* Ticks of a time axis, at whole minutes, days, months or years. */
#ifndef PLOT_TIME_H
#define PLOT_TIME_H

enum { PLOT_TIME_TICKS = 16, PLOT_TIME_TEXT = 24 };

/* low, high: seconds since 1970-01-01T00:00Z; length: of the axis in pixels, which says how many texts fit.
 * Returns how many lines there are; 0: the times are beyond the calendar, or less than a second apart. */
int plot_time_ticks(double low, double high, double length, double at[PLOT_TIME_TICKS],
                    char text[PLOT_TIME_TICKS][PLOT_TIME_TEXT]);

#endif
