#include "plot_svg.h"

#include <math.h>

#include "plot_draw.h"

enum {
    COLUMNS = 2,
    PANEL_W = 360, /* of the frame of a panel */
    PANEL_H = 270,
    LEFT = 66, /* from the edge, or the panel on the left, to the frame */
    GAP_X = 70,
    TOP = 118,
    GAP_Y = 92,
    RIGHT = 24,
    BOTTOM = 58,
    LEGEND_W = 170
};

/* From the lower left, as far as it fits: what grows in proportion runs along this. */
static void write_proportional(FILE *f, const plot_axis *x, const plot_axis *y)
{
    double reach = fmin(x->high - x->low, y->high - y->low);
    double x1 = plot_place(x, pow(10, x->low)), y1 = plot_place(y, pow(10, y->low));
    plot_segment(f, "proportional", x1, y1, plot_place(x, pow(10, x->low + reach)),
                 plot_place(y, pow(10, y->low + reach)));
}

/* The beginning of a path in a style. */
static void write_stroke(FILE *f, const plot_style *style)
{
    fprintf(f, "<path class=\"line\" stroke=\"%s\"%s d=\"", style->colour,
            style->dashed ? " stroke-dasharray=\"6 4\"" : "");
}

static void write_line(FILE *f, const plot_line *line, const plot_axis *x, const plot_axis *y)
{
    write_stroke(f, line->style);
    for (int i = 0; i < line->count; i++)
        fprintf(f, "%c%.1f %.1f", i ? 'L' : 'M', plot_place(x, line->x[i]), plot_place(y, line->y[i]));
    fputs("\"/>\n", f);
    for (int i = 0; i < line->count; i++)
        plot_marker(f, plot_place(x, line->x[i]), plot_place(y, line->y[i]), line->style->colour,
                    line->style->dashed);
}

static void write_panel(FILE *f, const plot_panel *panel, const plot_axis *vertical, double left, double top,
                        const char *y_label)
{
    plot_axis y = {vertical->low, vertical->high, top + PANEL_H, -PANEL_H, 0};
    plot_axis x = {INFINITY, -INFINITY, left, PANEL_W, 0};
    for (int i = 0; i < panel->count; i++)
        for (int j = 0; j < panel->lines[i].count; j++) plot_include(&x, panel->lines[i].x[j]);
    double margin = 0.04 * (x.high - x.low) + 0.02; /* never zero, also for one point */
    x.low -= margin;
    x.high += margin;

    plot_grid(f, &x, &y);
    write_proportional(f, &x, &y);
    plot_frame(f, &x, &y, panel->x_label, y_label);
    for (int i = 0; i < panel->count; i++) write_line(f, &panel->lines[i], &x, &y);
    plot_label(f, left, top - 11, "class=\"name\"", panel->title);
}

static void write_legend(FILE *f, const plot *p, double y)
{
    double x = LEFT;
    for (int i = 0; i < p->styles; i++, x += LEGEND_W) {
        write_stroke(f, &p->legend[i]);
        fprintf(f, "M%.1f %.1fh36\"/>\n", x, y);
        plot_marker(f, x + 18, y, p->legend[i].colour, p->legend[i].dashed);
        plot_label(f, x + 44, y + 4, "", p->legend[i].name);
    }
    plot_segment(f, "proportional", x, y, x + 36, y);
    plot_label(f, x + 44, y + 4, "", "in proportion");
}

void plot_write(FILE *f, const plot *p)
{
    int rows = (p->count + COLUMNS - 1) / COLUMNS;
    int width = LEFT + COLUMNS * PANEL_W + (COLUMNS - 1) * GAP_X + RIGHT;
    int height = TOP + rows * PANEL_H + (rows - 1) * GAP_Y + BOTTOM;
    plot_open(f, p->title, p->subtitle, LEFT, width, height);
    write_legend(f, p, 74);

    plot_axis y = {INFINITY, -INFINITY, 0, 0, 0};
    for (int i = 0; i < p->count; i++)
        for (int j = 0; j < p->panels[i].count; j++)
            for (int k = 0; k < p->panels[i].lines[j].count; k++)
                plot_include(&y, p->panels[i].lines[j].y[k]);
    y.low = floor(y.low);
    y.high = fmax(ceil(y.high), y.low + 1);
    for (int i = 0; i < p->count; i++)
        write_panel(f, &p->panels[i], &y, LEFT + i % COLUMNS * (PANEL_W + GAP_X),
                    TOP + i / COLUMNS * (PANEL_H + GAP_Y), p->y_label);
    plot_close(f);
}
