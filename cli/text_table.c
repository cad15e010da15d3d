/* A table of text, fitted to the width of the terminal. */
#include "text_table.h"

#include <string.h>

#include "odim.h"

enum { CELL_MAX = 24, GAP = 2, INDENT = 6, BESIDE = 40 };

/* Characters, not bytes: UTF-8 continuation bytes do not count. */
static int count_chars(const char *text)
{
    int n = 0;
    for (; *text; text++) n += ((unsigned char)*text & 0xC0) != 0x80;
    return n;
}

static bool is_open(const cli_text_table *g, int col)
{
    return g->open && col == g->cols - 1;
}

/*
 * A cell made fit to be shown: at most CELL_MAX characters, a longer one ending in "..", unless the column is
 * open or to be whole; and nothing in it that a terminal would obey.
 */
static const char *read_cell(const cli_text_table *g, int64_t row, int col, char buf[CLI_TEXT_TABLE_TEXT])
{
    int most = is_open(g, col) || g->whole >> col & 1 ? CLI_TEXT_TABLE_TEXT : CELL_MAX;
    char raw[CLI_TEXT_TABLE_TEXT];
    odim_printable(g->cell(g->ctx, row, col, raw), buf, CLI_TEXT_TABLE_TEXT);
    if (count_chars(buf) > most) {
        char *end = buf;
        for (int n = 0; n <= most - 2; end++) n += ((unsigned char)*end & 0xC0) != 0x80;
        memcpy(end - 1, "..", sizeof "..");
    }
    return buf;
}

/* Text in lines of at most `room` characters, broken at blanks; all but the first are indented. */
static void put_wrapped(const char *text, int room, int indent, cli_out *out)
{
    while (count_chars(text) > room) {
        const char *blank = NULL;
        int n = 0;
        for (const char *p = text; n <= room; p++) {
            n += ((unsigned char)*p & 0xC0) != 0x80;
            if (*p == ' ') blank = p;
        }
        if (!blank) break; /* a word that is longer than that */
        cli_out_printf(out, "%.*s\n%*s", (int)(blank - text), text, indent, "");
        text = blank + 1;
    }
    cli_out_text(out, text);
}

/* Ends the text before the last `cut` in it, if it is too long for a line. */
static void shorten(char *text, const char *cut, int room)
{
    char *end = NULL;
    if (!cut || count_chars(text) <= room) return;
    for (char *p = text; (p = strstr(p, cut)); p++) end = p;
    if (end) *end = '\0';
}

/* The cells of a row that are not open; false: all are empty, and nothing is printed. */
static bool put_cells(const cli_text_table *g, int64_t row, int shown, const int wide[], cli_out *out)
{
    char buf[CLI_TEXT_TABLE_TEXT];
    bool any = false;
    for (int col = 0; col < shown && !any; col++) any = *read_cell(g, row, col, buf);
    for (int col = 0; any && col < shown; col++) {
        const char *text = read_cell(g, row, col, buf);
        int pad = wide[col] - count_chars(text);
        bool left = g->left >> col & 1;
        /* Nothing follows the last column: no blanks there. */
        int after = left && col + 1 < g->cols ? pad : 0;
        cli_out_printf(out, "%*s%s%*s", (col ? GAP : 0) + (left ? 0 : pad), "", text, after, "");
    }
    return any;
}

int cli_text_table_print(const cli_text_table *g, int width, cli_out *out)
{
    char buf[CLI_TEXT_TABLE_TEXT];
    int wide[CLI_TEXT_TABLE_COLS] = {0};
    int shown = 0, used = 0, closed = g->open ? g->cols - 1 : g->cols;
    for (; shown < closed && shown < CLI_TEXT_TABLE_COLS; shown++) {
        for (int64_t row = -1; row < g->rows; row++) {
            int chars = count_chars(read_cell(g, row, shown, buf));
            if (chars > wide[shown]) wide[shown] = chars;
        }
        int more = wide[shown] + (shown ? GAP : 0);
        if (width && shown >= g->fixed && used + more > width) break;
        used += more;
    }
    /* An open column stands beside the others, or below them where that leaves it too little room. */
    bool below = g->open && width && width - used - GAP < BESIDE;
    int indent = below ? INDENT : used + GAP;
    int room = !width ? CLI_TEXT_TABLE_TEXT : width - indent > CELL_MAX ? width - indent : CELL_MAX;
    for (int64_t row = -1; row < g->rows; row++) {
        bool any = put_cells(g, row, shown, wide, out);
        buf[0] = '\0';
        if (g->open) read_cell(g, row, g->cols - 1, buf);
        shorten(buf, g->cut, room);
        if (*buf) {
            if (below && any) cli_out_text(out, "\n");
            cli_out_printf(out, "%*s", below || !any ? indent : GAP, "");
            put_wrapped(buf, room, indent, out);
        }
        cli_out_text(out, "\n");
    }
    return g->open ? g->cols : shown;
}
