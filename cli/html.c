#include "html.h"

#include <string.h>

#include "plot_draw.h"

void od_html_count(FILE *f, int64_t n)
{
    char buf[32];
    fputs(plot_number(buf, sizeof buf, (double)n), f);
}

void od_html_number(FILE *f, double v)
{
    char buf[32];
    snprintf(buf, sizeof buf, "%.5g", v);
    fputs(buf, f);
}

/* Two digits, and all of those before the point. */
void od_html_percent(FILE *f, double share)
{
    fprintf(f, 100 * share < 9.95 ? "%.2g&#8239;%%" : "%.0f&#8239;%%", 100 * share);
}

void od_html_text(FILE *f, const char *text)
{
    char shown[8192];
    plot_text(f, odim_printable(text, shown, sizeof shown));
}

const char *od_html_cut(const char *name, char buf[OD_HTML_NAME])
{
    char shown[4 * OD_HTML_NAME];
    size_t len = strlen(odim_printable(name, shown, sizeof shown)), most = OD_HTML_NAME - sizeof "…";
    if (len == 0) return "(no name)";
    bool whole = len < OD_HTML_NAME;
    if (whole) most = len;
    while (!whole && most > 0 && ((unsigned char)shown[most] & 0xC0) == 0x80) most--;
    snprintf(buf, OD_HTML_NAME, "%.*s%s", (int)most, shown, whole ? "" : "…");
    return buf;
}

void od_html_name(FILE *f, const char *name)
{
    char buf[OD_HTML_NAME];
    /* By itself, so that letters that are written from right to left turn nothing else around. */
    fputs("<bdi>", f);
    plot_text(f, od_html_cut(name, buf));
    fputs("</bdi>", f);
}

const char *od_html_file(const char *path)
{
    const char *slash = strrchr(path, '/');
    return strcmp(path, "-") == 0 ? "standard input" : slash && slash[1] ? slash + 1 : path;
}

void od_html_begin(FILE *f, const char *id, const char *heading)
{
    fprintf(f, "<section id=\"%s\" aria-labelledby=\"%s-h\">\n<h2 id=\"%s-h\">%s</h2>\n", id, id, id,
            heading);
}

void od_html_end(FILE *f)
{
    fputs("</section>\n", f);
}

const char *od_html_column(const od_findings *f, int64_t col)
{
    odim_column_info c;
    return odim_model_column(f->about->model, col, &c, NULL) ? "" : c.name;
}
