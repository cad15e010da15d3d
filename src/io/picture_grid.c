/* Scales a picture to a grid of a few pixels by the mean of the area that each covers. */
#include "io/picture_grid.h"

#include "common/mem.h"
#include "base/hint.h"

static int colors(const od_picture_grid *g)
{
    return g->pixels.color ? 3 : 1;
}

odim_status od_picture_grid_check(const od_picture_grid *g, uint64_t width, uint64_t height, odim_error *err)
{
    if (width == 0 || height == 0) return od_fail(err, ODIM_ERR_FORMAT, "the picture has no pixels");
    if (width > OD_PICTURE_SIDE || height > OD_PICTURE_SIDE || width * height > OD_PICTURE_PIXELS)
        return od_fail(err, ODIM_ERR_FORMAT,
                       "the picture is too large: %llu x %llu pixels; at most %d megapixels and %d on a side "
                       "are read",
                       (unsigned long long)width, (unsigned long long)height, OD_PICTURE_PIXELS / 1000000,
                       OD_PICTURE_SIDE);
    if (width * height * 3 > g->most)
        return od_fail(err, ODIM_ERR_FORMAT,
                       "the picture of %llu x %llu pixels takes more memory than is allowed%s",
                       (unsigned long long)width, (unsigned long long)height, OD_HINT("unpacked"));
    return ODIM_OK;
}

static void swap_sides(od_picture_grid *g)
{
    int cols = g->pixels.cols;
    g->pixels.cols = g->pixels.rows;
    g->pixels.rows = cols;
}

/* The grid is filled as the picture is stored, and turned at the end. */
void od_picture_grid_turn(od_picture_grid *g, int orientation)
{
    g->orientation = orientation;
    if (orientation >= 5) swap_sides(g);
}

/* The aspect of the picture, within the sides of the grid. */
static void shrink(od_pixels *p, int64_t width, int64_t height)
{
    int64_t cols = p->cols, rows = p->rows;
    if (width <= cols && height <= rows) {
        cols = width;
        rows = height;
    } else if (width * rows >= height * cols) {
        rows = (height * cols + width / 2) / width;
    } else {
        cols = (width * rows + height / 2) / height;
    }
    p->cols = cols < 1 ? 1 : (int)cols;
    p->rows = rows < 1 ? 1 : (int)rows;
}

odim_status od_picture_grid_begin(od_picture_grid *g, uint32_t width, uint32_t height, odim_error *err)
{
    if (g->pixels.shrink) shrink(&g->pixels, width, height);
    int64_t cols = g->pixels.cols, rows = g->pixels.rows;
    bool wide = width * rows >= height * cols;
    g->width = width;
    g->height = height;
    g->span = 2 * (wide ? cols : rows);
    g->cell = 2 * (wide ? g->width : g->height);
    g->left = (cols * g->cell - g->width * g->span) / 2;
    g->top = (rows * g->cell - g->height * g->span) / 2;
    g->line = od_alloc(width, 3);
    g->across = od_alloc((size_t)cols, 3 * sizeof *g->across);
    g->sum = od_calloc((size_t)od_pixels_count(&g->pixels), sizeof *g->sum);
    return g->line && g->across && g->sum ? ODIM_OK : od_fail_nomem(err);
}

void od_picture_grid_free(od_picture_grid *g)
{
    od_free(g->line);
    od_free(g->across);
    od_free(g->sum);
    g->line = NULL;
    g->across = g->sum = NULL;
}

/* The pixels as the grid has them, in g->line: over white, and in color or not. */
static void convert(od_picture_grid *g, int64_t count, const unsigned char *in, int channels)
{
    bool in_color = channels >= 3, alpha = channels == 2 || channels == 4;
    unsigned char *out = g->line;
    for (int64_t i = 0; i < count; i++, in += channels) {
        unsigned rgb[3];
        for (int k = 0; k < 3; k++) {
            unsigned v = in[in_color ? k : 0], a = in[channels - 1];
            rgb[k] = alpha ? (v * a + 255 * (255 - a) + 127) / 255 : v;
        }
        if (g->pixels.color)
            for (int k = 0; k < 3; k++) *out++ = (unsigned char)rgb[k];
        else
            *out++ = (unsigned char)((299 * rgb[0] + 587 * rgb[1] + 114 * rgb[2] + 500) / 1000);
    }
}

/* The place of a pixel along an axis of the grid; the first and the last of `length` reach to its borders. */
static void place(const od_picture_grid *g, int64_t i, int64_t length, int64_t before, int64_t cells,
                  int64_t *low, int64_t *high)
{
    *low = i == 0 ? 0 : before + i * g->span;
    *high = i == length - 1 ? cells * g->cell : before + (i + 1) * g->span;
}

/* How much of [low, high) is in a cell. */
static uint64_t overlap(const od_picture_grid *g, int64_t cell, int64_t low, int64_t high)
{
    int64_t from = cell * g->cell, to = from + g->cell;
    return (uint64_t)((high < to ? high : to) - (low > from ? low : from));
}

void od_picture_grid_add(od_picture_grid *g, int64_t y, int64_t x, int64_t step, int64_t count,
                         const unsigned char *in, int channels)
{
    int n = colors(g);
    int64_t low, high, cols = g->pixels.cols;
    for (int64_t k = 0; k < cols * n; k++) g->across[k] = 0;
    convert(g, count, in, channels);
    for (int64_t i = 0; i < count; i++) {
        const unsigned char *pixel = g->line + i * n;
        place(g, x + i * step, g->width, g->left, cols, &low, &high);
        for (int64_t c = low / g->cell; c * g->cell < high; c++) {
            uint64_t part = overlap(g, c, low, high);
            for (int k = 0; k < n; k++) g->across[c * n + k] += part * pixel[k];
        }
    }
    place(g, y, g->height, g->top, g->pixels.rows, &low, &high);
    for (int64_t r = low / g->cell; r * g->cell < high; r++) {
        uint64_t part = overlap(g, r, low, high);
        for (int64_t k = 0; k < cols * n; k++) g->sum[r * cols * n + k] += part * g->across[k];
    }
}

/* Where the pixel at (r, c) of the upright grid, which is (rows, cols), is in the stored one. */
static int64_t stored_at(const od_picture_grid *g, int64_t r, int64_t c, int64_t rows, int64_t cols)
{
    int o = g->orientation;
    int64_t down = o == 3 || o == 4 || o == 7 || o == 8 ? rows - 1 - r : r;
    int64_t across = o == 2 || o == 3 || o == 6 || o == 7 ? cols - 1 - c : c;
    return o >= 5 ? across * rows + down : down * cols + across;
}

void od_picture_grid_end(od_picture_grid *g, unsigned char *out)
{
    uint64_t area = (uint64_t)g->cell * (uint64_t)g->cell;
    int n = colors(g);
    if (g->orientation >= 5) swap_sides(g);
    int64_t rows = g->pixels.rows, cols = g->pixels.cols;
    for (int64_t i = 0; i < rows * cols; i++) {
        const uint64_t *sum = g->sum + n * stored_at(g, i / cols, i % cols, rows, cols);
        for (int k = 0; k < n; k++) *out++ = (unsigned char)((sum[k] + area / 2) / area);
    }
}
