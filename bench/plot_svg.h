/* Log-log line plots, several panels in one SVG file, all with the same vertical axis. */
#ifndef PLOT_SVG_H
#define PLOT_SVG_H

#include <stdio.h>

typedef struct plot_style {
    const char *name;   /* in the legend */
    const char *colour; /* "#1f5fa8" */
    int dashed;
} plot_style;

/* One line in a panel; points from left to right, all values above zero. */
typedef struct plot_line {
    const plot_style *style;
    const double *x, *y;
    int count;
} plot_line;

typedef struct plot_panel {
    const char *title;
    const char *x_label;
    const plot_line *lines;
    int count;
} plot_panel;

typedef struct plot {
    const char *title;
    const char *subtitle;
    const char *y_label;
    const plot_style *legend;
    int styles;
    const plot_panel *panels;
    int count;
} plot;

/* There must be a point in every panel. Look at ferror(f) afterwards. */
void plot_write(FILE *f, const plot *p);

#endif
