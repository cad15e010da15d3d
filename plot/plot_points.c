/*
 * The labels are the hard part: settings that are nearly the same lie nearly in the same place. Each label
 * has a few hundred places to choose from, around its point at growing distances. A place costs its distance,
 * and more where the text would cover a point, a bar or another label. The labels choose in turn, several
 * rounds.
 */
#include "plot_points.h"

#include <math.h>

#include "plot_draw.h"

enum { FRAME_W = 720, FRAME_H = 400, LEFT = 78, TOP = 104, RIGHT = 24, BOTTOM = 58 };
enum { DIRECTIONS = 24, DISTANCES = 26, ROUNDS = 8, TEXT = 64 };

#define SIDE    4.0  /* to keep free on each side of a text */
#define ASCENT  10.0 /* of a text above its base line, and below it */
#define DESCENT 4.0
#define NEAR    8.0  /* from a point to the closest place of its label */
#define STEP    4.0  /* from one distance to the next */
#define LEADER  14.0 /* from here on a line leads from the point to its label */
#define PI      3.14159265358979323846

typedef struct box {
    double x1, y1, x2, y2; /* left, top, right, bottom */
} box;

typedef struct label {
    box area;
    double x, y; /* where a leader ends */
    double distance;
} label;

/* A point as it is drawn. */
typedef struct spot {
    double x, y;
    double high, low; /* the ends of the bar */
    int below;        /* at the foot instead of its place */
    char text[TEXT];
    box mark; /* around the point and its bar */
    label tag;
} spot;

typedef struct scene {
    plot_axis x, y;
    box level; /* around the line through the first point */
    spot spots[PLOT_POINTS_MOST];
    int count;
} scene;

/* ---- labels ----------------------------------------------------------------------------------------- */

/* Beside the end of a line from the point, on the side where the line goes. */
static label make_label(const spot *s, int direction, double distance)
{
    double angle = 2 * PI * direction / DIRECTIONS, dx = cos(angle), dy = sin(angle);
    double width = plot_text_width(s->text) + 2 * SIDE, height = ASCENT + DESCENT;
    label l = {.x = s->x + dx * distance, .y = s->y + dy * distance, .distance = distance};
    double left = l.x - width * (1 - dx) / 2, top = l.y - height * (1 - dy) / 2;
    l.area = (box){left, top, left + width, top + height};
    return l;
}

static double overlap(const box *a, const box *b)
{
    double w = fmin(a->x2, b->x2) - fmax(a->x1, b->x1), h = fmin(a->y2, b->y2) - fmax(a->y1, b->y1);
    return w > 0 && h > 0 ? w * h : 0;
}

/* The length of the part of a leader that is in the box, about. */
static double crossing(const spot *s, const label *l, const box *b)
{
    enum { STEPS = 24 };
    double inside = 0;
    for (int i = 0; i <= STEPS; i++) {
        double x = s->x + (l->x - s->x) * i / STEPS, y = s->y + (l->y - s->y) * i / STEPS;
        inside += x > b->x1 && x < b->x2 && y > b->y1 && y < b->y2;
    }
    return inside / STEPS * l->distance;
}

static double cost(const scene *sc, const spot *s, const label *l)
{
    if (l->area.x1 < LEFT || l->area.x2 > LEFT + FRAME_W || l->area.y1 < TOP || l->area.y2 > TOP + FRAME_H)
        return INFINITY;
    double sum = l->distance + 0.1 * overlap(&l->area, &sc->level);
    for (const spot *other = sc->spots; other < sc->spots + sc->count; other++) {
        sum += 2 * overlap(&l->area, &other->mark);
        if (other == s) continue;
        sum += 4 * overlap(&l->area, &other->tag.area);
        sum += 4 * crossing(s, l, &other->tag.area) + 4 * crossing(other, &other->tag, &l->area);
        sum += 2 * crossing(s, l, &other->mark);
    }
    return sum;
}

static label choose_label(const scene *sc, const spot *s)
{
    double least = INFINITY;
    label best = s->tag;
    for (int ring = 0; ring < DISTANCES; ring++) {
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            label l = make_label(s, direction, NEAR + ring * STEP);
            double c = cost(sc, s, &l);
            if (c >= least) continue;
            least = c;
            best = l;
        }
    }
    return best;
}

/* ---- places ----------------------------------------------------------------------------------------- */

static void set_axes(scene *sc, const plot_points *p)
{
    plot_axis x = {INFINITY, -INFINITY, LEFT, FRAME_W, 0};
    plot_axis y = {INFINITY, -INFINITY, TOP + FRAME_H, -FRAME_H, 1};
    plot_include(&y, p->points[0].y - p->band);
    plot_include(&y, p->points[0].y + p->band);
    for (int i = 0; i < p->count; i++) {
        const plot_point *q = &p->points[i];
        plot_include(&x, q->x);
        plot_include(&y, fmax(q->y - q->error, p->lowest));
        plot_include(&y, fmax(q->y + q->error, p->lowest));
    }
    double x_margin = 0.06 * (x.high - x.low) + 0.02, y_margin = 0.06 * (y.high - y.low);
    sc->x = (plot_axis){x.low - x_margin, x.high + x_margin, x.start, x.length, 0};
    sc->y = (plot_axis){y.low - y_margin, y.high + y_margin, y.start, y.length, 1};
}

static void set_spot(spot *s, const scene *sc, const plot_point *q, double lowest)
{
    const double foot = TOP + FRAME_H;
    s->x = plot_place(&sc->x, q->x);
    s->below = q->y < lowest;
    s->y = s->below ? foot - 8 : plot_place(&sc->y, q->y);
    s->high = s->below ? s->y : plot_place(&sc->y, q->y + q->error);
    s->low = s->below ? s->y : fmin(plot_place(&sc->y, q->y - q->error), foot);
    snprintf(s->text, sizeof s->text, s->below ? "%s (%.3f)" : "%s", q->label, q->y);
    s->mark = (box){s->x - 5, fmin(s->high, s->y - 5), s->x + 5, fmax(s->low, s->y + 5)};
    s->tag = make_label(s, 0, NEAR);
}

static void set_up(scene *sc, const plot_points *p)
{
    set_axes(sc, p);
    sc->count = p->count;
    for (int i = 0; i < p->count; i++) set_spot(&sc->spots[i], sc, &p->points[i], p->lowest);
    sc->level = (box){LEFT, sc->spots[0].y - 2, LEFT + FRAME_W, sc->spots[0].y + 2};
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < p->count; i++) sc->spots[i].tag = choose_label(sc, &sc->spots[i]);
}

/* ---- drawing ---------------------------------------------------------------------------------------- */

static void write_band(FILE *f, const scene *sc, const plot_points *p)
{
    double y = p->points[0].y, top = plot_place(&sc->y, y + p->band);
    fprintf(f, "<rect class=\"band f%d\" x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\"/>\n", PLOT_GREEN,
            LEFT, top, FRAME_W, plot_place(&sc->y, y - p->band) - top);
    plot_segment(f, "mark s2", LEFT, plot_place(&sc->y, y), LEFT + FRAME_W, plot_place(&sc->y, y));
}

static void write_spot(FILE *f, const spot *s, int colour, int hollow)
{
    if (s->high < s->low)
        fprintf(f, "<path class=\"error s%d\" d=\"M%.1f %.1fV%.1fm-3 0h6M%.1f %.1fh6\"/>\n", colour, s->x,
                s->high, s->low, s->x - 3, s->high);
    if (s->below)
        fprintf(f, "<path class=\"error s%d\" d=\"M%.1f %.1fl4.5 -8h-9z\"/>\n", colour, s->x, s->y + 5);
    else
        plot_marker(f, s->x, s->y, colour, hollow);
}

static void write_legend(FILE *f, const plot_points *p)
{
    const double y = 76;
    plot_marker(f, LEFT + 6, y, PLOT_BLUE, 0);
    plot_label(f, LEFT + 16, y + 4, "", p->solid);
    double next = LEFT + 16 + plot_text_width(p->solid) + 20;
    plot_marker(f, next, y, PLOT_BLUE, 1);
    plot_label(f, next + 10, y + 4, "", p->hollow);
    next += 10 + plot_text_width(p->hollow) + 14;
    fprintf(f, "<rect class=\"band f%d\" x=\"%.1f\" y=\"%.1f\" width=\"22\" height=\"12\"/>\n", PLOT_GREEN,
            next, y - 6);
    char text[TEXT];
    snprintf(text, sizeof text, "%s ± %g", p->points[0].label, p->band);
    plot_label(f, next + 28, y + 4, "", text);
}

void plot_points_write(FILE *f, const plot_points *p)
{
    scene sc;
    set_up(&sc, p);
    plot_open(f, &(plot_page){.title = p->title,
                              .subtitle = p->subtitle,
                              .width = LEFT + FRAME_W + RIGHT,
                              .height = TOP + FRAME_H + BOTTOM,
                              .left = LEFT});
    write_legend(f, p);
    plot_grid(f, &sc.x, &sc.y);
    write_band(f, &sc, p);
    plot_frame(f, &sc.x, &sc.y, p->x_label, p->y_label);
    for (int i = 0; i < sc.count; i++) {
        const spot *s = &sc.spots[i];
        if (s->tag.distance >= LEADER) plot_segment(f, "leader", s->x, s->y, s->tag.x, s->tag.y);
    }
    for (int i = sc.count - 1; i >= 0; i--)
        write_spot(f, &sc.spots[i], i ? PLOT_BLUE : PLOT_ORANGE, p->points[i].hollow);
    for (int i = 0; i < sc.count; i++) {
        const box *b = &sc.spots[i].tag.area;
        plot_label(f, (b->x1 + b->x2) / 2, b->y2 - DESCENT, "class=\"tag\" text-anchor=\"middle\"",
                   sc.spots[i].text);
    }
    plot_close(f);
}
