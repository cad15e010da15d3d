#include "grid.h"

#include <string.h>

enum { CELL_MAX = 24, GAP = 2 };

/* Characters, not bytes: UTF-8 continuation bytes do not count. */
static int count_chars(const char *text)
{
    int n = 0;
    for (; *text; text++) n += ((unsigned char)*text & 0xC0) != 0x80;
    return n;
}

/*
 * A cell made fit to be shown: at most CELL_MAX characters, or `room` of an open column, a longer one ending
 * in "..", unless the column is to be whole; and nothing in it that a terminal would obey.
 */
static const char *read_cell(const od_grid *g, int64_t row, int col, int room, char buf[OD_GRID_TEXT])
{
    int most = g->open && col == g->cols - 1 ? room : g->whole >> col & 1 ? OD_GRID_TEXT : CELL_MAX;
    const char *text = g->cell(g->ctx, row, col, buf);
    if (text != buf) {
        strncpy(buf, text, OD_GRID_TEXT - 1);
        buf[OD_GRID_TEXT - 1] = '\0';
    }
    for (char *c = buf; *c; c++) {
        bool c1 = (unsigned char)c[0] == 0xC2 && ((unsigned char)c[1] & 0xE0) == 0x80; /* U+0080 to U+009F */
        if ((unsigned char)*c < 32 || *c == 127 || c1) *c = '?';
        if (c1) *++c = '?';
    }
    if (count_chars(buf) > most) {
        char *end = buf;
        for (int n = 0; n <= most - 2; end++) n += ((unsigned char)*end & 0xC0) != 0x80;
        memcpy(end - 1, "..", sizeof "..");
    }
    return buf;
}

int od_grid_print(const od_grid *g, int width, od_out *out)
{
    char buf[OD_GRID_TEXT];
    int wide[OD_GRID_MAX_COLS] = {0};
    int shown = 0, used = 0, room = 0;
    for (; shown < g->cols && shown < OD_GRID_MAX_COLS; shown++) {
        room = width && width - used - GAP > CELL_MAX ? width - used - GAP : width ? CELL_MAX : OD_GRID_TEXT;
        for (int64_t row = -1; row < g->rows; row++) {
            int chars = count_chars(read_cell(g, row, shown, room, buf));
            if (chars > wide[shown]) wide[shown] = chars;
        }
        int more = wide[shown] + (shown ? GAP : 0);
        if (width && shown >= g->fixed && used + more > width) break;
        used += more;
    }
    for (int64_t row = -1; row < g->rows; row++) {
        for (int col = 0; col < shown; col++) {
            const char *text = read_cell(g, row, col, room, buf);
            int pad = wide[col] - count_chars(text);
            bool left = g->left >> col & 1;
            /* Nothing follows the last column: no blanks there. */
            int after = left && col + 1 < shown ? pad : 0;
            od_out_printf(out, "%*s%s%*s", (col ? GAP : 0) + (left ? 0 : pad), "", text, after, "");
        }
        od_out_text(out, "\n");
    }
    return shown;
}
