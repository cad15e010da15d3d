#include "plot_draw.h"

#include <math.h>

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

void plot_label(FILE *f, double x, double y, const char *attributes, const char *text)
{
    fprintf(f, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, attributes);
    write_text(f, text);
    fputs("</text>\n", f);
}

void plot_segment(FILE *f, const char *kind, double x1, double y1, double x2, double y2)
{
    fprintf(f, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", kind, x1, y1, x2, y2);
}

void plot_marker(FILE *f, double x, double y, const char *colour, int hollow)
{
    fprintf(f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.2\" stroke=\"%s\" fill=\"%s\"/>\n", x, y, colour,
            hollow ? "#ffffff" : colour);
}

void plot_open(FILE *f, const char *title, const char *subtitle, double left, int width, int height)
{
    fprintf(f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
            "font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\" font-size=\"12\" "
            "fill=\"#333333\">\n<title>",
            width, height, width, height);
    write_text(f, title);
    fputs("</title>\n<style>path{fill:none}.minor{stroke:#f0f0f0}.decade{stroke:#d8d8d8}.frame{fill:none;"
          "stroke:#888888}.line{stroke-width:2}circle{stroke-width:1.6}.proportional{stroke:#999999;"
          "stroke-dasharray:1 4;stroke-width:1.6;stroke-linecap:round}.name{font-size:14px;font-weight:bold}"
          ".band{fill:#2e8b57;fill-opacity:0.1}.level{stroke:#2e8b57;stroke-dasharray:5 4}"
          ".leader{stroke:#aaaaaa}.error{stroke-width:1.4}.tag{stroke:#ffffff;stroke-width:3px;"
          "stroke-linejoin:round;paint-order:stroke}</style>\n"
          "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
          f);
    plot_label(f, left, 30, "font-size=\"18\" font-weight=\"bold\"", title);
    plot_label(f, left, 50, "fill=\"#666666\"", subtitle);
}

void plot_close(FILE *f)
{
    fputs("</svg>\n", f);
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
    a->low = fmin(a->low, measure(a, value));
    a->high = fmax(a->high, measure(a, value));
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
            write_number(number, sizeof number, value);
            write_tick(f, along, across, value, step == 1 ? "decade" : "minor", numbered ? number : NULL);
        }
    }
}

/* Four to eight lines, at multiples of 1, 2 or 5 times a power of ten. */
static void write_linear_ticks(FILE *f, const plot_axis *along, const plot_axis *across)
{
    double rough = (along->high - along->low) / 8, power = pow(10, floor(log10(rough)));
    double step = power * (rough > 5 * power ? 10 : rough > 2 * power ? 5 : rough > power ? 2 : 1);
    int decimals = (int)fmax(0, ceil(-log10(step) - 1e-9));
    for (int i = (int)ceil(along->low / step); i * step <= along->high; i++) {
        char number[32];
        snprintf(number, sizeof number, "%.*f", decimals, i * step);
        write_tick(f, along, across, i * step, "decade", number);
    }
}

static void write_ticks(FILE *f, const plot_axis *along, const plot_axis *across)
{
    if (along->linear)
        write_linear_ticks(f, along, across);
    else
        write_log_ticks(f, along, across);
}

void plot_grid(FILE *f, const plot_axis *x, const plot_axis *y)
{
    write_ticks(f, x, y);
    write_ticks(f, y, x);
}

void plot_frame(FILE *f, const plot_axis *x, const plot_axis *y, const char *x_label, const char *y_label)
{
    double left = x->start, bottom = y->start, middle = bottom + y->length / 2;
    fprintf(f, "<rect class=\"frame\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n", left,
            bottom + y->length, x->length, -y->length);
    plot_label(f, left + x->length / 2, bottom + 37, "text-anchor=\"middle\"", x_label);
    char turned[96];
    snprintf(turned, sizeof turned, "text-anchor=\"middle\" transform=\"rotate(-90 %.1f %.1f)\"", left - 48,
             middle);
    plot_label(f, left - 48, middle, turned, y_label);
}
