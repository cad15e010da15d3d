/* SVG drawing primitives: the page, axes with grids, text, lines and points. */
#include "plot_draw.h"

#include <math.h>

#include "plot_time.h"

/* ---- the page --------------------------------------------------------------------------------------- */

/* Told apart also by who cannot tell red from green. */
static const char *const light[PLOT_COLOURS] = {"#1f5fa8", "#d2691e", "#2e8b57", "#7b4ea3",
                                                "#b8323c", "#77787b", "#157f8c", "#a67c00"};
static const char *const dark[PLOT_COLOURS] = {"#7fb2ea", "#f2a065", "#6fcf9b", "#c09be0",
                                               "#f28a90", "#a3a6ab", "#5cc5d1", "#d9b24a"};

static void write_colours(FILE *f, const char *const *colours)
{
    for (int i = 0; i < PLOT_COLOURS; i++)
        fprintf(f, ".plot .s%d{stroke:%s}.plot .f%d{fill:%s}", i, colours[i], i, colours[i]);
}

/* Colours are spelled out, without variables: not all that shows SVG is a browser. */
void plot_style(FILE *f)
{
    fputs(".plot{font-family:system-ui,Helvetica,Arial,'Liberation Sans','DejaVu "
          "Sans',sans-serif;font-size:12px}"
          ".plot text{fill:#333}.plot .quiet{fill:#5f6368}.plot .head{font-size:18px;font-weight:bold}"
          ".plot .name{font-size:14px;font-weight:bold}.plot .page{fill:#fff}.plot path{fill:none}"
          ".plot .minor{stroke:#f0f0f0}.plot .decade{stroke:#dcdcdc}.plot .frame{fill:none;stroke:#888}"
          ".plot .break{stroke:#888;stroke-width:1.5}"
          ".plot .line{stroke-width:2;stroke-linejoin:round}.plot .thin{stroke-width:1;stroke-opacity:.45}"
          ".plot circle{stroke-width:1.6}.plot .hollow{fill:#fff}.plot .dashed{stroke-dasharray:6 4}"
          ".plot .dot{fill-opacity:.4;stroke-opacity:.7;stroke-width:.6}"
          ".plot .diagonal{stroke:#999;stroke-dasharray:1 4;stroke-width:1.6;stroke-linecap:round}"
          ".plot .bar{fill-opacity:.45;stroke-width:1}.plot .mark{stroke-width:1.5;stroke-dasharray:5 4}"
          ".plot .band{fill-opacity:.12}.plot .leader{stroke:#aaa}.plot .error{stroke-width:1.4}"
          ".plot .tag{stroke:#fff;stroke-width:3px;stroke-linejoin:round;paint-order:stroke}",
          f);
    write_colours(f, light);
    fputs("@media screen and (prefers-color-scheme:dark){.plot text{fill:#d8dade}.plot .quiet{fill:#a3a6ab}"
          ".plot .page,.plot .hollow{fill:#17191d}.plot .minor{stroke:#24272c}.plot .decade{stroke:#34383f}"
          ".plot .frame,.plot .break{stroke:#7d8188}.plot .diagonal,.plot .leader{stroke:#7d8188}.plot "
          ".tag{stroke:#17191d}",
          f);
    write_colours(f, dark);
    fputs("}", f);
}

void plot_open(FILE *f, const plot_page *p)
{
    const char *about = p->about ? p->about : p->subtitle ? p->subtitle : "";
    fprintf(f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\" role=\"img\" aria-label=\"",
            p->width, p->height, p->width, p->height);
    plot_text(f, p->title);
    if (*about) fputs(": ", f);
    plot_text(f, about);
    fputs("\">\n", f);
    if (p->embedded) return;
    fputs("<title>", f);
    plot_text(f, p->title);
    fputs("</title>\n<style>", f);
    plot_style(f);
    fputs("</style>\n<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n", f);
    plot_label(f, p->left, 30, "class=\"head\"", p->title);
    if (p->subtitle) plot_label(f, p->left, 50, "class=\"quiet\"", p->subtitle);
}

void plot_close(FILE *f)
{
    fputs("</svg>\n", f);
}

void plot_label(FILE *f, double x, double y, const char *attributes, const char *text)
{
    fprintf(f, "<text x=\"%.1f\" y=\"%.1f\"%s%s>", x, y, *attributes ? " " : "", attributes);
    plot_text(f, text);
    fputs("</text>\n", f);
}

void plot_segment(FILE *f, const char *kind, double x1, double y1, double x2, double y2)
{
    fprintf(f, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", kind, x1, y1, x2, y2);
}

void plot_marker(FILE *f, double x, double y, int colour, int hollow)
{
    fprintf(f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.2\" class=\"s%d ", x, y, colour);
    fprintf(f, hollow ? "hollow\"/>\n" : "f%d\"/>\n", colour);
}

/* ---- axes ------------------------------------------------------------------------------------------- */

static double measure(const plot_axis *a, double value)
{
    return a->linear ? value : log10(value);
}

double plot_place(const plot_axis *a, double value)
{
    return a->start + a->length * (measure(a, value) - a->low) / (a->high - a->low);
}

void plot_include(plot_axis *a, double value)
{
    double at = measure(a, value);
    if (!isfinite(at)) return;
    a->low = fmin(a->low, at);
    a->high = fmax(a->high, at);
}

void plot_widen(plot_axis *a, double share)
{
    if (!(a->low <= a->high)) *a = (plot_axis){0, 1, a->start, a->length, a->linear};
    double range = a->high - a->low, least = a->linear ? 1e-9 * fmax(fabs(a->low), fabs(a->high)) : 0.04;
    if (range <= least) range = a->linear ? fmax(fabs(a->high), 1) : 1;
    a->low -= share * range;
    a->high += share * range;
}

/* One line of a grid; number may be NULL. */
static void write_tick(FILE *f, const plot_axis *along, const plot_axis *across, double value,
                       const char *kind, const char *number)
{
    double at = plot_place(along, value), start = across->start, end = start + across->length;
    if (along->length < 0) {
        plot_segment(f, kind, start, at, end, at);
        if (number) plot_label(f, start - 8, at + 4, "text-anchor=\"end\"", number);
    } else {
        plot_segment(f, kind, at, start, at, end);
        if (number) plot_label(f, at, start + 17, "text-anchor=\"middle\"", number);
    }
}

/* Lines at 1, 2, ..., 9 times each power of ten; numbers at the powers and, where there is room, at 2 and 5
 * times too. */
static void write_log_ticks(FILE *f, const plot_axis *along, const plot_axis *across)
{
    int roomy = fabs(along->length) / (along->high - along->low) > 200;
    for (int power = (int)floor(along->low); power <= (int)floor(along->high); power++) {
        for (int step = 1; step <= 9; step++) {
            double value = step * pow(10, power);
            if (log10(value) < along->low - 1e-9 || log10(value) > along->high + 1e-9) continue;
            int numbered = step == 1 || (roomy && (step == 2 || step == 5));
            char number[32];
            plot_number(number, sizeof number, value);
            write_tick(f, along, across, value, step == 1 ? "decade" : "minor", numbered ? number : NULL);
        }
    }
}

/* A number at its place on an axis whose lines are a step apart: as many decimals as the step has. */
static const char *tick_number(char *buf, size_t size, double value, double step)
{
    int decimals = (int)fmax(0, ceil(-log10(step) - 1e-9));
    if (fabs(value) >= 1000 || decimals > 6) return plot_number(buf, size, value);
    snprintf(buf, size, "%.*f", decimals, value == 0 ? 0 : value);
    return buf;
}

/* Multiples of 1, 2 or 5 times a power of ten, at most so many to the range. */
static double choose_step(const plot_axis *a, int most)
{
    double rough = (a->high - a->low) / most, power = pow(10, floor(log10(rough)));
    return power * (rough > 5 * power ? 10 : rough > 2 * power ? 5 : rough > power ? 2 : 1);
}

/* Whether the numbers of a horizontal axis stand clear of each other. */
static int is_roomy(const plot_axis *a, double step)
{
    char low[32], high[32];
    double apart = a->length * step / (a->high - a->low);
    tick_number(low, sizeof low, ceil(a->low / step) * step, step);
    tick_number(high, sizeof high, floor(a->high / step) * step, step);
    return fmax(plot_text_width(low), plot_text_width(high)) + 12 <= apart;
}

/* Up to eight lines, as the length allows. */
static void write_linear_ticks(FILE *f, const plot_axis *along, const plot_axis *across)
{
    int most = (int)fmin(8, fmax(2, floor(fabs(along->length) / 26)));
    double step = choose_step(along, most);
    while (along->length > 0 && most > 1 && !is_roomy(along, step)) step = choose_step(along, --most);
    double first = ceil(along->low / step - 1e-9);
    for (int i = 0; i <= 16 && (first + i) * step <= along->high + 1e-9 * step; i++) {
        char number[32];
        double value = (first + i) * step;
        write_tick(f, along, across, value, "decade", tick_number(number, sizeof number, value, step));
    }
}

static int write_time_ticks(FILE *f, const plot_axis *along, const plot_axis *across)
{
    double at[PLOT_TIME_TICKS];
    char text[PLOT_TIME_TICKS][PLOT_TIME_TEXT];
    int count = plot_time_ticks(along->low, along->high, along->length, at, text);
    for (int i = 0; i < count; i++) write_tick(f, along, across, at[i], "decade", text[i]);
    return count > 0;
}

void plot_ticks(FILE *f, const plot_axis *along, const plot_axis *across)
{
    if (along->linear == PLOT_TIME && write_time_ticks(f, along, across)) return;
    if (along->linear)
        write_linear_ticks(f, along, across);
    else
        write_log_ticks(f, along, across);
}

void plot_grid(FILE *f, const plot_axis *x, const plot_axis *y)
{
    plot_ticks(f, x, y);
    plot_ticks(f, y, x);
}

void plot_frame(FILE *f, const plot_axis *x, const plot_axis *y, const char *x_label, const char *y_label)
{
    double left = x->start, bottom = y->start, middle = bottom + y->length / 2;
    fprintf(f, "<rect class=\"frame\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n", left,
            bottom + y->length, x->length, -y->length);
    if (x_label) plot_label(f, left + x->length / 2, bottom + 37, "text-anchor=\"middle\"", x_label);
    if (!y_label) return;
    char turned[96];
    snprintf(turned, sizeof turned, "text-anchor=\"middle\" transform=\"rotate(-90 %.1f %.1f)\"", left - 48,
             middle);
    plot_label(f, left - 48, middle, turned, y_label);
}
