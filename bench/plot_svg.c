#include "plot_svg.h"

#include <math.h>

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

/* A range on a log axis, in powers of ten, and the pixels it is drawn on. */
typedef struct axis {
    double low, high;
    double start, length;
} axis;

static double place(const axis *a, double value)
{
    return a->start + a->length * (log10(value) - a->low) / (a->high - a->low);
}

static void include(axis *a, double value)
{
    a->low = fmin(a->low, log10(value));
    a->high = fmax(a->high, log10(value));
}

static void write_text(FILE *f, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '<': fputs("&lt;", f); break;
        case '>': fputs("&gt;", f); break;
        case '&': fputs("&amp;", f); break;
        default: fputc(*text, f);
        }
    }
}

static void write_label(FILE *f, double x, double y, const char *attributes, const char *text)
{
    fprintf(f, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, attributes);
    write_text(f, text);
    fputs("</text>\n", f);
}

static void write_segment(FILE *f, const char *kind, double x1, double y1, double x2, double y2)
{
    fprintf(f, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", kind, x1, y1, x2, y2);
}

/* 0.01, 1, 1,000,000 */
static void write_number(char *out, size_t size, double value)
{
    if (value < 1000) {
        snprintf(out, size, "%g", value);
        return;
    }
    char digits[32];
    int len = snprintf(digits, sizeof digits, "%.0f", value);
    size_t used = 0;
    for (int i = 0; i < len && used + 3 < size; i++) {
        if (i && (len - i) % 3 == 0) out[used++] = ',';
        out[used++] = digits[i];
    }
    out[used] = '\0';
}

/* Lines at 1, 2, ..., 9 times each power of ten; numbers at the powers and, on a short axis, at 2 and 5 times
 * too. */
static void write_grid(FILE *f, const axis *along, const axis *across, int vertical)
{
    double end = across->start + across->length;
    for (int power = (int)floor(along->low); power <= (int)floor(along->high); power++) {
        for (int step = 1; step <= 9; step++) {
            double value = step * pow(10, power);
            if (log10(value) < along->low - 1e-9 || log10(value) > along->high + 1e-9) continue;
            double at = place(along, value);
            const char *kind = step == 1 ? "decade" : "minor";
            if (vertical)
                write_segment(f, kind, at, across->start, at, end);
            else
                write_segment(f, kind, across->start, at, end, at);
            int numbered = step == 1 || (along->high - along->low < 1.7 && (step == 2 || step == 5));
            if (!numbered) continue;
            char number[32];
            write_number(number, sizeof number, value);
            if (vertical)
                write_label(f, at, across->start + 17, "text-anchor=\"middle\"", number);
            else
                write_label(f, across->start - 8, at + 4, "text-anchor=\"end\"", number);
        }
    }
}

/* From the lower left, as far as it fits: what grows in proportion runs along this. */
static void write_proportional(FILE *f, const axis *x, const axis *y)
{
    double reach = fmin(x->high - x->low, y->high - y->low);
    double x1 = place(x, pow(10, x->low)), y1 = place(y, pow(10, y->low));
    write_segment(f, "proportional", x1, y1, place(x, pow(10, x->low + reach)),
                  place(y, pow(10, y->low + reach)));
}

/* The beginning of a path in a style. */
static void write_stroke(FILE *f, const plot_style *style)
{
    fprintf(f, "<path class=\"line\" stroke=\"%s\"%s d=\"", style->colour,
            style->dashed ? " stroke-dasharray=\"6 4\"" : "");
}

static void write_marker(FILE *f, const plot_style *style, double x, double y)
{
    fprintf(f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.2\" stroke=\"%s\" fill=\"%s\"/>\n", x, y, style->colour,
            style->dashed ? "#ffffff" : style->colour);
}

static void write_line(FILE *f, const plot_line *line, const axis *x, const axis *y)
{
    write_stroke(f, line->style);
    for (int i = 0; i < line->count; i++)
        fprintf(f, "%c%.1f %.1f", i ? 'L' : 'M', place(x, line->x[i]), place(y, line->y[i]));
    fputs("\"/>\n", f);
    for (int i = 0; i < line->count; i++)
        write_marker(f, line->style, place(x, line->x[i]), place(y, line->y[i]));
}

static void write_panel(FILE *f, const plot_panel *panel, const axis *vertical, double left, double top,
                        const char *y_label)
{
    axis y = {vertical->low, vertical->high, top + PANEL_H, -PANEL_H};
    axis x = {INFINITY, -INFINITY, left, PANEL_W};
    for (int i = 0; i < panel->count; i++)
        for (int j = 0; j < panel->lines[i].count; j++) include(&x, panel->lines[i].x[j]);
    double margin = 0.04 * (x.high - x.low) + 0.02; /* never zero, also for one point */
    x.low -= margin;
    x.high += margin;

    write_grid(f, &x, &y, 1);
    write_grid(f, &y, &x, 0);
    write_proportional(f, &x, &y);
    fprintf(f, "<rect class=\"frame\" x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\"/>\n", left, top,
            PANEL_W, PANEL_H);
    for (int i = 0; i < panel->count; i++) write_line(f, &panel->lines[i], &x, &y);
    write_label(f, left, top - 11, "class=\"name\"", panel->title);
    write_label(f, left + PANEL_W / 2.0, top + PANEL_H + 37, "text-anchor=\"middle\"", panel->x_label);
    char turned[96];
    snprintf(turned, sizeof turned, "text-anchor=\"middle\" transform=\"rotate(-90 %.1f %.1f)\"", left - 48,
             top + PANEL_H / 2.0);
    write_label(f, left - 48, top + PANEL_H / 2.0, turned, y_label);
}

static void write_legend(FILE *f, const plot *p, double y)
{
    double x = LEFT;
    for (int i = 0; i < p->styles; i++, x += LEGEND_W) {
        write_stroke(f, &p->legend[i]);
        fprintf(f, "M%.1f %.1fh36\"/>\n", x, y);
        write_marker(f, &p->legend[i], x + 18, y);
        write_label(f, x + 44, y + 4, "", p->legend[i].name);
    }
    write_segment(f, "proportional", x, y, x + 36, y);
    write_label(f, x + 44, y + 4, "", "in proportion");
}

void plot_write(FILE *f, const plot *p)
{
    int rows = (p->count + COLUMNS - 1) / COLUMNS;
    int width = LEFT + COLUMNS * PANEL_W + (COLUMNS - 1) * GAP_X + RIGHT;
    int height = TOP + rows * PANEL_H + (rows - 1) * GAP_Y + BOTTOM;
    fprintf(f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
            "font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\" font-size=\"12\" "
            "fill=\"#333333\">\n<title>",
            width, height, width, height);
    write_text(f, p->title);
    fputs("</title>\n<style>path{fill:none}.minor{stroke:#f0f0f0}.decade{stroke:#d8d8d8}.frame{fill:none;"
          "stroke:#888888}.line{stroke-width:2}circle{stroke-width:1.6}.proportional{stroke:#999999;"
          "stroke-dasharray:1 4;stroke-width:1.6;stroke-linecap:round}.name{font-size:14px;font-weight:bold}"
          "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
          f);
    write_label(f, LEFT, 30, "font-size=\"18\" font-weight=\"bold\"", p->title);
    write_label(f, LEFT, 50, "fill=\"#666666\"", p->subtitle);
    write_legend(f, p, 74);

    axis y = {INFINITY, -INFINITY, 0, 0};
    for (int i = 0; i < p->count; i++)
        for (int j = 0; j < p->panels[i].count; j++)
            for (int k = 0; k < p->panels[i].lines[j].count; k++) include(&y, p->panels[i].lines[j].y[k]);
    y.low = floor(y.low);
    y.high = fmax(ceil(y.high), y.low + 1);
    for (int i = 0; i < p->count; i++)
        write_panel(f, &p->panels[i], &y, LEFT + i % COLUMNS * (PANEL_W + GAP_X),
                    TOP + i / COLUMNS * (PANEL_H + GAP_Y), p->y_label);
    fputs("</svg>\n", f);
}
