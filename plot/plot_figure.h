/* Panels of lines, points and histograms in a grid, with a legend, as SVG. */
#ifndef PLOT_FIGURE_H
#define PLOT_FIGURE_H

#include <stdio.h>

#include "plot_draw.h"

typedef enum plot_kind {
    PLOT_LINE,   /* through the points, which are marked */
    PLOT_STROKE, /* the same without the marks, for many points */
    PLOT_DOTS,   /* points only */
    PLOT_BARS    /* a histogram */
} plot_kind;

typedef struct plot_series {
    const char *name; /* in the legend, once for all of that name; NULL: not there */
    plot_kind kind;
    int color;
    int dashed; /* of a line: dashed, its marks hollow; of dots: hollow */
    int thin;   /* one of many */
    const double *x, *y;
    int count; /* of points, or of bars: then x (count + 1) are their edges. Values that are not finite are
                  left out. */
    const int *times;        /* (count) of dots: how many points lie on each other there; NULL: one */
    const char *const *tags; /* (count) of dots: a text beside each, some of them NULL; NULL: none */
} plot_series;

/* Values beyond an end of the horizontal axis: a bar of each series, set apart, with a text below it. */
typedef struct plot_overflow {
    const char *text;     /* NULL: there are none */
    const double *height; /* (series of the panel) */
} plot_overflow;

/* A line across a panel, at a value of x. */
typedef struct plot_mark {
    double at;
    const char *text;
    int color;
    const char *id; /* of its group, for scripts that move it; NULL: none */
    int side;       /* of its text where there is room: 1 right, -1 left; 0: where there is more */
} plot_mark;

typedef struct plot_panel {
    const char *title; /* the labels too: NULL: none */
    const char *x_label, *y_label;
    int x_log, y_log;     /* all values above zero */
    int x_time;           /* seconds since 1970, written as dates */
    int from_zero;        /* the vertical axis begins at 0 */
    double y_low, y_high; /* the vertical axis, where these differ: what lies beyond is not drawn */
    int diagonal; /* a dotted line of what grows in proportion, where both axes are logarithmic, else of y = x
                   */
    int span;     /* columns of the grid that it takes; 0: one */
    const plot_series *series;
    int count;
    const plot_mark *marks;
    int mark_count;
    plot_overflow below, beyond;
} plot_panel;

typedef struct plot_figure {
    plot_page page; /* width and height are found */
    int columns;    /* of the grid */
    int column_width, panel_height;
    int same_y; /* all panels have one vertical axis */
    const plot_panel *panels;
    int count;
} plot_figure;

void plot_figure_write(FILE *f, const plot_figure *p);

#endif
