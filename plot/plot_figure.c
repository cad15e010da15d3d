/* Figures: panels of lines, points and histograms, laid out in a grid with a legend. */
#include "plot_figure.h"

#include <math.h>
#include <string.h>

enum {
    LEFT = 66, /* from the edge to the first frame; less if nothing is there, and so on */
    RIGHT = 24,
    HEAD = 62,  /* what title and subtitle take */
    KEYS = 30,  /* a line of the legend */
    NAME = 26,  /* the title of a panel */
    FOOT = 48,  /* below a frame: numbers and a label */
    GAP = 70,   /* between frames side by side */
    DOT = 2,    /* radius of one of many points */
    TAGGED = 40 /* dots with a text, at most: more would cover the panel */
};

/* Where a panel stands. */
typedef struct spot {
    double left, top, width; /* of its frame */
} spot;

/* ---- the legend ------------------------------------------------------------------------------------- */

/* Whether a series before this one has its name. */
static int is_named(const plot_figure *p, int panel, int series)
{
    const char *name = p->panels[panel].series[series].name;
    for (int i = 0; i <= panel; i++)
        for (int j = 0; j < (i < panel ? p->panels[i].count : series); j++)
            if (p->panels[i].series[j].name && strcmp(p->panels[i].series[j].name, name) == 0) return 1;
    return 0;
}

static void write_stroke(FILE *f, const plot_series *s)
{
    fprintf(f, "<path class=\"line s%d%s%s\" d=\"", s->color, s->dashed ? " dashed" : "",
            s->thin ? " thin" : "");
}

static void write_key(FILE *f, const plot_series *s, double x, double y)
{
    if (s->kind == PLOT_BARS) {
        fprintf(f, "<rect class=\"bar s%d f%d\" x=\"%.1f\" y=\"%.1f\" width=\"20\" height=\"10\"/>\n",
                s->color, s->color, x + 12, y - 5);
    } else if (s->kind != PLOT_DOTS) {
        write_stroke(f, s);
        fprintf(f, "M%.1f %.1fh32\"/>\n", x, y);
    }
    if (s->kind == PLOT_LINE || s->kind == PLOT_DOTS) plot_marker(f, x + 16, y, s->color, s->dashed);
}

/* Writes the legend, or with f NULL only measures it: returns how many lines it takes. */
static int write_legend(FILE *f, const plot_figure *p, double left, double width, double y)
{
    double x = left;
    int lines = 0, diagonal = 0;
    for (int i = 0; i < p->count; i++) {
        diagonal |= p->panels[i].diagonal && p->panels[i].x_log && p->panels[i].y_log;
        for (int j = 0; j <= p->panels[i].count; j++) {
            int last = j == p->panels[i].count; /* the dotted line comes after all series */
            if (last && !(diagonal && i == p->count - 1)) continue;
            if (!last && (!p->panels[i].series[j].name || is_named(p, i, j))) continue;
            const char *name = last ? "in proportion" : p->panels[i].series[j].name;
            double needed = 40 + plot_text_width(name) + 24;
            if (!lines || x + needed > width) {
                x = left;
                lines++;
            }
            double at = y + (lines - 1) * 20;
            if (f && last) plot_segment(f, "diagonal", x, at, x + 32, at);
            if (f && !last) write_key(f, &p->panels[i].series[j], x, at);
            if (f) plot_label(f, x + 40, at + 4, "", name);
            x += needed;
        }
    }
    return lines;
}

/* ---- panels ----------------------------------------------------------------------------------------- */

static void include_y(plot_axis *y, const plot_panel *panel)
{
    for (int i = 0; i < panel->count; i++)
        for (int j = 0; j < panel->series[i].count; j++) plot_include(y, panel->series[i].y[j]);
    const plot_overflow *const ends[] = {&panel->below, &panel->beyond};
    for (int k = 0; k < 2; k++)
        for (int i = 0; ends[k]->text && i < panel->count; i++) plot_include(y, ends[k]->height[i]);
    if (panel->from_zero && y->linear) plot_include(y, 0);
}

static void settle_y(plot_axis *y, const plot_panel *panel)
{
    if (panel->y_low < panel->y_high) {
        y->low = y->linear ? panel->y_low : log10(panel->y_low);
        y->high = y->linear ? panel->y_high : log10(panel->y_high);
        return;
    }
    if (!y->linear) {
        y->low = floor(y->low);
        y->high = fmax(ceil(y->high), y->low + 1);
        return;
    }
    plot_widen(y, 0.05);
    if (panel->from_zero) y->low = 0;
}

/* Whether a point can be drawn: it is finite on its axes, and not beyond the vertical one. */
static int is_drawn(const plot_series *s, int i, const plot_axis *x, const plot_axis *y)
{
    double px = plot_place(x, s->x[i]), py = plot_place(y, s->y[i]);
    return isfinite(px) && py <= y->start + 0.5 && py >= y->start + y->length - 0.5;
}

/* The area grows with the number of points that lie there, up to a size that still shows a place. */
static double dot_radius(const plot_series *s, int i)
{
    return DOT * sqrt(s->times ? fmin(s->times[i], 16) : 1);
}

/* The text beside a dot: its own, else how many points lie there; NULL: none. */
static const char *dot_text(const plot_series *s, int i, char buf[24])
{
    if (s->tags && s->tags[i]) return s->tags[i];
    if (!s->times || s->times[i] < 2) return NULL;
    snprintf(buf, 24, "\xC3\x97%d", s->times[i]);
    return buf;
}

/* The texts of the dots, unless they would cover the panel. */
static void write_tags(FILE *f, const plot_series *s, const plot_axis *x, const plot_axis *y)
{
    char buf[24];
    int several = 0;
    for (int i = 0; i < s->count; i++) several += dot_text(s, i, buf) != NULL;
    for (int i = 0; several <= TAGGED && i < s->count; i++) {
        const char *text = dot_text(s, i, buf);
        if (!text || !is_drawn(s, i, x, y)) continue;
        double at = plot_place(x, s->x[i]);
        int right = at + 7 + plot_text_width(text) < x->start + x->length;
        plot_label(f, right ? at + 6 : at - 6, plot_place(y, s->y[i]) + 4,
                   right ? "class=\"tag\"" : "class=\"tag\" text-anchor=\"end\"", text);
    }
}

static void write_points(FILE *f, const plot_series *s, const plot_axis *x, const plot_axis *y)
{
    int down = 0; /* the pen */
    if (s->kind != PLOT_DOTS) {
        write_stroke(f, s);
        for (int i = 0; i < s->count; i++) {
            int fine = is_drawn(s, i, x, y);
            if (fine)
                fprintf(f, "%c%.1f %.1f", down ? 'L' : 'M', plot_place(x, s->x[i]), plot_place(y, s->y[i]));
            down = fine;
        }
        fputs("\"/>\n", f);
    }
    if (s->kind == PLOT_STROKE) return;
    for (int i = 0; i < s->count; i++) {
        if (!is_drawn(s, i, x, y)) continue;
        double px = plot_place(x, s->x[i]), py = plot_place(y, s->y[i]);
        if (s->kind == PLOT_DOTS && s->thin)
            fprintf(f, "<circle class=\"dot s%d f%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.3g\"/>\n", s->color,
                    s->color, px, py, dot_radius(s, i));
        else
            plot_marker(f, px, py, s->color, s->dashed);
    }
    if (s->kind == PLOT_DOTS && !s->thin) write_tags(f, s, x, y);
}

/* One outline: bars side by side, without lines between them. */
static void write_bars(FILE *f, const plot_series *s, const plot_axis *x, const plot_axis *y)
{
    if (!s->count) return;
    fprintf(f, "<path class=\"bar s%d f%d\" d=\"M%.1f %.1f", s->color, s->color, plot_place(x, s->x[0]),
            y->start);
    for (int i = 0; i < s->count; i++) {
        double height = isfinite(s->y[i]) ? s->y[i] : 0;
        fprintf(f, "V%.1fH%.1f", plot_place(y, fmax(height, y->linear ? 0 : pow(10, y->low))),
                plot_place(x, s->x[i + 1]));
    }
    fprintf(f, "V%.1fz\"/>\n", y->start);
}

/* What the bars beyond one end of the axis take of the width. */
static double overflow_width(const plot_overflow *o)
{
    return o->text ? 44 + fmax(14, plot_text_width(o->text)) : 0;
}

/* Bars set apart from the scale by two strokes. */
static void write_overflow(FILE *f, const plot_panel *panel, const plot_overflow *o, double edge, int side,
                           const plot_axis *y)
{
    enum { HALF = 7, BREAK = 7, STROKE = 4, ASIDE = 12 };
    if (!o->text) return;
    double middle = edge + side * (overflow_width(o) / 2 + ASIDE);
    for (int i = 0; i < panel->count; i++) {
        if (!(o->height[i] > 0)) continue;
        double top = plot_place(y, fmax(o->height[i], y->linear ? 0 : pow(10, y->low)));
        fprintf(f, "<path class=\"bar s%d f%d\" d=\"M%.1f %.1fV%.1fh%dV%.1fz\"/>\n", panel->series[i].color,
                panel->series[i].color, middle - HALF, y->start, top, 2 * HALF, y->start);
    }
    for (int i = 0; i < 2; i++) {
        double at = edge + side * (BREAK - 2 + 4 * i);
        plot_segment(f, "break", at - STROKE / 2.0, y->start + STROKE, at + STROKE / 2.0, y->start - STROKE);
    }
    plot_label(f, middle, y->start + 17, "text-anchor=\"middle\"", o->text);
}

/* From the lower left, as far as it fits. */
static void write_diagonal(FILE *f, const plot_axis *x, const plot_axis *y)
{
    if (x->linear) {
        double low = fmax(x->low, y->low), high = fmin(x->high, y->high);
        if (low < high)
            plot_segment(f, "diagonal", plot_place(x, low), plot_place(y, low), plot_place(x, high),
                         plot_place(y, high));
        return;
    }
    double reach = fmin(x->high - x->low, y->high - y->low);
    plot_segment(f, "diagonal", plot_place(x, pow(10, x->low)), plot_place(y, pow(10, y->low)),
                 plot_place(x, pow(10, x->low + reach)), plot_place(y, pow(10, y->low + reach)));
}

typedef struct box {
    double left, right, top, bottom;
} box;

/* Whether a line of the panel crosses a box. */
static int is_crossed(const plot_panel *panel, const plot_axis *x, const plot_axis *y, const box *b)
{
    for (int i = 0; i < panel->count; i++) {
        const plot_series *s = &panel->series[i];
        for (int j = 1; s->kind != PLOT_BARS && j < s->count; j++) {
            double x0 = plot_place(x, s->x[j - 1]), x1 = plot_place(x, s->x[j]);
            double y0 = plot_place(y, s->y[j - 1]), y1 = plot_place(y, s->y[j]);
            if (!(x0 <= b->right && x1 >= b->left && isfinite(y0) && isfinite(y1))) continue;
            double slope = x1 > x0 ? (y1 - y0) / (x1 - x0) : 0;
            double from = y0 + slope * fmax(b->left - x0, 0), to = y1 - slope * fmax(x1 - b->right, 0);
            if (fmin(from, to) <= b->bottom && fmax(from, to) >= b->top) return 1;
        }
    }
    return 0;
}

/* Its text on the side where there is more room, one line lower than that of the mark before, or so many
 * lines lower that none of the panel's runs through it. */
static void write_mark(FILE *f, const plot_panel *panel, int index, const plot_axis *x, const plot_axis *y)
{
    enum { LINE = 15 };
    const plot_mark *m = &panel->marks[index];
    char kind[32];
    double at = plot_place(x, m->at), top = y->start + y->length;
    if (!isfinite(at) || at < x->start - 0.5 || at > x->start + x->length + 0.5) return;
    snprintf(kind, sizeof kind, "mark s%d", m->color);
    if (m->id) fprintf(f, "<g id=\"%s\">\n", m->id);
    plot_segment(f, kind, at, y->start, at, top);
    int right = at < x->start + x->length / 2;
    if (m->side && m->text) {
        double end = at + m->side * (5 + plot_text_width(m->text));
        if (end > x->start && end < x->start + x->length) right = m->side > 0;
    }
    double start = right ? at + 5 : at - 5, first = top + 14 + LINE * index, line = first;
    for (; m->text && line <= y->start - 6; line += LINE * panel->mark_count) {
        double end = start + (right ? 1 : -1) * plot_text_width(m->text);
        const box b = {fmin(start, end), fmax(start, end), line - 11, line + 4};
        if (!is_crossed(panel, x, y, &b)) break;
    }
    if (line > y->start - 6) line = first; /* there is no such place */
    if (m->text)
        plot_label(f, start, line, right ? "class=\"tag\"" : "class=\"tag\" text-anchor=\"end\"", m->text);
    if (m->id) fputs("</g>\n", f);
}

static void write_panel(FILE *f, const plot_figure *p, const plot_panel *panel, const plot_axis *shared,
                        const spot *at)
{
    double below = overflow_width(&panel->below), beyond = overflow_width(&panel->beyond);
    plot_axis x = {INFINITY, -INFINITY, at->left + below, at->width - below - beyond,
                   panel->x_time ? PLOT_TIME : !panel->x_log};
    plot_axis whole = {0, 1, at->left, at->width, 1};
    plot_axis y = {INFINITY, -INFINITY, 0, 0, !panel->y_log};
    int bars = 0;
    for (int i = 0; i < panel->count; i++) {
        const plot_series *s = &panel->series[i];
        bars |= s->kind == PLOT_BARS;
        for (int j = 0; j < s->count + (s->kind == PLOT_BARS); j++) plot_include(&x, s->x[j]);
    }
    for (int i = 0; i < panel->mark_count; i++) plot_include(&x, panel->marks[i].at);
    plot_widen(&x, bars ? 0 : 0.04);
    if (!(x.high > x.low)) plot_widen(&x, 0.5);
    include_y(&y, panel);
    settle_y(&y, panel);
    if (shared) y = *shared;
    y.start = at->top + p->panel_height;
    y.length = -p->panel_height;

    plot_ticks(f, &x, &y);
    plot_ticks(f, &y, &whole);
    if (panel->diagonal) write_diagonal(f, &x, &y);
    for (int i = 0; i < panel->count; i++) {
        const plot_series *s = &panel->series[i];
        if (s->kind == PLOT_BARS)
            write_bars(f, s, &x, &y);
        else
            write_points(f, s, &x, &y);
    }
    plot_frame(f, &whole, &y, panel->x_label, panel->y_label);
    write_overflow(f, panel, &panel->below, x.start, -1, &y);
    write_overflow(f, panel, &panel->beyond, x.start + x.length, 1, &y);
    for (int i = 0; i < panel->mark_count; i++) write_mark(f, panel, i, &x, &y);
    if (panel->title) plot_label(f, at->left, at->top - 10, "class=\"name\"", panel->title);
}

/* ---- the figure ------------------------------------------------------------------------------------- */

/* What the panels leave room for, beside and around their frames. */
typedef struct margins {
    int left, name, foot;
} margins;

static margins find_margins(const plot_figure *p)
{
    margins m = {LEFT - 16, NAME - 16, FOOT - 20};
    for (int i = 0; i < p->count; i++) {
        if (p->panels[i].y_label) m.left = LEFT;
        if (p->panels[i].title) m.name = NAME;
        if (p->panels[i].x_label) m.foot = FOOT;
    }
    return m;
}

/* The next place in the grid for a panel of so many columns; column and row go on. */
static spot take_place(const plot_figure *p, const margins *m, int span, int *column, int *row, double top)
{
    span = span < 1 ? 1 : span > p->columns ? p->columns : span;
    if (*column + span > p->columns) {
        *column = 0;
        ++*row;
    }
    spot s = {m->left + *column * (double)(p->column_width + GAP),
              top + *row * (double)(p->panel_height + m->foot + m->name),
              span * (double)(p->column_width + GAP) - GAP};
    *column += span;
    return s;
}

void plot_figure_write(FILE *f, const plot_figure *p)
{
    plot_page page = p->page;
    margins m = find_margins(p);
    page.left = m.left;
    page.width = m.left + p->columns * (p->column_width + GAP) - GAP + RIGHT;
    int head = page.embedded ? 0 : page.subtitle ? HEAD : HEAD - 20;
    int lines = write_legend(NULL, p, m.left, page.width - RIGHT, 0), column = 0, row = 0;
    double top = head + (lines ? KEYS + (lines - 1) * 20 : 0) + m.name;
    for (int i = 0; i < p->count; i++) take_place(p, &m, p->panels[i].span, &column, &row, top);
    page.height = (int)top + (row + 1) * (p->panel_height + m.foot + m.name) - m.name;
    plot_open(f, &page);
    write_legend(f, p, m.left, page.width - RIGHT, head + 14);

    plot_axis y = {INFINITY, -INFINITY, 0, 0, p->count && !p->panels[0].y_log};
    for (int i = 0; p->same_y && i < p->count; i++) include_y(&y, &p->panels[i]);
    if (p->same_y) settle_y(&y, &p->panels[0]);
    column = row = 0;
    for (int i = 0; i < p->count; i++) {
        spot at = take_place(p, &m, p->panels[i].span, &column, &row, top);
        write_panel(f, p, &p->panels[i], p->same_y ? &y : NULL, &at);
    }
    plot_close(f);
}
