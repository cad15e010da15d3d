/* A plot of labelled points with error bars: a log axis across, a linear one upwards, as SVG. */
#ifndef PLOT_POINTS_H
#define PLOT_POINTS_H

#include <stdio.h>

typedef struct plot_point {
    const char *label;
    double x, y;  /* x above zero */
    double error; /* half the length of the bar; 0: none */
    int hollow;
} plot_point;

typedef struct plot_points {
    const char *title, *subtitle;
    const char *x_label, *y_label;
    const char *solid, *hollow; /* what the two kinds of points mean */
    double band;                /* shaded: this much above and below the first point */
    double lowest;              /* what is below this is drawn at the foot, with its value */
    const plot_point *points;
    int count; /* from 1 to PLOT_POINTS_MOST */
} plot_points;

enum { PLOT_POINTS_MOST = 64 };

/* Look at ferror(f) afterwards. */
void plot_points_write(FILE *f, const plot_points *p);

#endif
