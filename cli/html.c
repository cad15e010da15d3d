/* Pieces of HTML for the report. */
#include "html.h"

#include <string.h>

#include "plot_draw.h"

void cli_html_count(FILE *f, int64_t n)
{
    char buf[32];
    fputs(plot_number(buf, sizeof buf, (double)n), f);
}

void cli_html_number(FILE *f, double v)
{
    char buf[32];
    snprintf(buf, sizeof buf, "%.5g", v);
    fputs(buf, f);
}

/* Two digits, and all of those before the point. */
void cli_html_percent(FILE *f, double share)
{
    fprintf(f, 100 * share < 9.95 ? "%.2g&#8239;%%" : "%.0f&#8239;%%", 100 * share);
}

void cli_html_text(FILE *f, const char *text)
{
    char shown[8192];
    plot_text(f, odim_printable(text, shown, sizeof shown));
}

/* The start of the character that begins at or before a byte. */
static size_t character_start(const char *text, size_t at)
{
    while (at > 0 && ((unsigned char)text[at] & 0xC0) == 0x80) at--;
    return at;
}

/* Names that are alike often differ at their end: that is kept too. */
const char *cli_html_cut(const char *name, char buf[CLI_HTML_NAME])
{
    enum { TAIL = 18 };
    char shown[16 * CLI_HTML_NAME];
    size_t len = strlen(odim_printable(name, shown, sizeof shown));
    if (len == 0) return "(no name)";
    if (len < CLI_HTML_NAME) {
        memcpy(buf, shown, len + 1);
        return buf;
    }
    size_t head = character_start(shown, CLI_HTML_NAME - sizeof "…" - TAIL), tail = len - TAIL;
    while (((unsigned char)shown[tail] & 0xC0) == 0x80) tail++;
    snprintf(buf, CLI_HTML_NAME, "%.*s…%s", (int)head, shown, shown + tail);
    return buf;
}

void cli_html_name(FILE *f, const char *name)
{
    char buf[CLI_HTML_NAME];
    /* By itself, so that letters that are written from right to left turn nothing else around. */
    fputs("<bdi>", f);
    plot_text(f, cli_html_cut(name, buf));
    fputs("</bdi>", f);
}

const char *cli_html_file(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!*path) return "SQL query";
    return strcmp(path, "-") == 0 ? "standard input" : slash && slash[1] ? slash + 1 : path;
}

void cli_html_begin(FILE *f, const char *id, const char *heading)
{
    fprintf(f, "<section id=\"%s\" aria-labelledby=\"%s-h\">\n<h2 id=\"%s-h\">%s</h2>\n", id, id, id,
            heading);
}

void cli_html_end(FILE *f)
{
    fputs("</section>\n", f);
}

const char *cli_html_column(const cli_findings *f, int64_t col)
{
    odim_column_info c = ODIM_COLUMN_INFO_INIT;
    const char *place = odim_model_place(f->about->model, col);
    return place ? place : odim_model_column(f->about->model, col, &c, NULL) ? "" : c.name;
}
