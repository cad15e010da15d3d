/* What the plots are drawn with: the page, axes with their grids, text, lines and points, as SVG. */
#ifndef PLOT_DRAW_H
#define PLOT_DRAW_H

#include <stdio.h>

/* A range of values, in powers of ten where the scale is not linear, and the pixels it is drawn on. */
typedef struct plot_axis {
    double low, high;
    double start, length; /* a vertical axis starts at the bottom and has a negative length */
    int linear;
} plot_axis;

/* The page and its head. The caller ends it with plot_close. */
void plot_open(FILE *f, const char *title, const char *subtitle, double left, int width, int height);
void plot_close(FILE *f);

double plot_place(const plot_axis *a, double value); /* the pixel of a value */
void plot_include(plot_axis *a, double value);       /* widens the range; start with INFINITY, -INFINITY */

/* The lines of both axes with their numbers; then the frame around, with the names of the axes. */
void plot_grid(FILE *f, const plot_axis *x, const plot_axis *y);
void plot_frame(FILE *f, const plot_axis *x, const plot_axis *y, const char *x_label, const char *y_label);

/* `attributes` and `kind`, a class, go into the element as they are. */
void plot_label(FILE *f, double x, double y, const char *attributes, const char *text);
void plot_segment(FILE *f, const char *kind, double x1, double y1, double x2, double y2);
void plot_marker(FILE *f, double x, double y, const char *colour, int hollow);

#endif
