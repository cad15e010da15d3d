/* A table of text, fitted to the width of the terminal. */
#include "text_table.h"

#include <string.h>

#include "odim.h"
#include "wrap.h"

enum { CELL_MAX = 24, GAP = 2, INDENT = 6, BESIDE = 40 };

static int count_chars(const char *text)
{
    return cli_wrap_chars(text, (int)strlen(text));
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

static int widest_open(const cli_text_table *g)
{
    char buf[CLI_TEXT_TABLE_TEXT];
    int most = 0;
    for (int64_t row = -1; row < g->rows; row++) {
        int chars = count_chars(read_cell(g, row, g->cols - 1, buf));
        if (chars > most) most = chars;
    }
    return most;
}

int cli_text_table_print(const cli_text_table *g, int width, cli_out *out)
{
    char buf[CLI_TEXT_TABLE_TEXT], margin[CLI_TEXT_TABLE_TEXT];
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
    /* An open column is next to the others, or below them if it would have too little room there. */
    int least = g->open ? widest_open(g) : 0;
    bool below = g->open && width && width - used - GAP < (least < BESIDE ? least : BESIDE);
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
            snprintf(margin, sizeof margin, "%*s", indent, "");
            cli_wrap(buf, room, margin, out->file);
        }
        cli_out_text(out, "\n");
    }
    return g->open ? g->cols : shown;
}
