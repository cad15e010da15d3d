/*
 * SVG drawing primitives: the page, axes with grids, text, lines and points. Colors are classes of a style
 * sheet with a light and a dark theme. Everything is written to a FILE; check ferror(f) at the end.
 */
#ifndef PLOT_DRAW_H
#define PLOT_DRAW_H

#include <stdio.h>

#include "plot_text.h"

enum { PLOT_COLOURS = 8 };
enum { PLOT_BLUE, PLOT_ORANGE, PLOT_GREEN, PLOT_PURPLE, PLOT_RED, PLOT_GREY, PLOT_TEAL, PLOT_GOLD };

/* A picture as a whole. */
typedef struct plot_page {
    const char *title;
    const char *subtitle; /* NULL: none */
    const char *about;    /* what there is to see, for who cannot see it; NULL: the subtitle */
    int width, height;
    double left;  /* where the head begins */
    int embedded; /* a part of an HTML page that has the style sheet and writes the title itself */
} plot_page;

/* The page and its head. The caller ends it with plot_close. */
void plot_open(FILE *f, const plot_page *page);
void plot_close(FILE *f);
/* The style sheet of all pictures, for a page that has some embedded. */
void plot_style(FILE *f);

enum { PLOT_TIME = 2 };

/* A range of values, in powers of ten where the scale is not linear, and the pixels it is drawn on. */
typedef struct plot_axis {
    double low, high;
    double start, length; /* a vertical axis starts at the bottom and has a negative length */
    int linear;           /* PLOT_TIME: and its values are seconds since 1970, written as dates */
} plot_axis;

double plot_place(const plot_axis *a, double value); /* the pixel of a value */
void plot_include(plot_axis *a, double value);       /* widens the range; start with INFINITY, -INFINITY */
/* Room at both ends, a share of the range; an axis that holds one value or none becomes one that can be
 * drawn. */
void plot_widen(plot_axis *a, double share);

/* The lines of one axis with their numbers, across the other; of both; then the frame around, with the names
 * of the axes. */
void plot_ticks(FILE *f, const plot_axis *along, const plot_axis *across);
void plot_grid(FILE *f, const plot_axis *x, const plot_axis *y);
void plot_frame(FILE *f, const plot_axis *x, const plot_axis *y, const char *x_label, const char *y_label);

/* `attributes` and `kind`, a class, go into the element as they are. */
void plot_label(FILE *f, double x, double y, const char *attributes, const char *text);
void plot_segment(FILE *f, const char *kind, double x1, double y1, double x2, double y2);
void plot_marker(FILE *f, double x, double y, int colour, int hollow);

#endif
