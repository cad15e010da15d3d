/* Makes the pictures of a report about pictures. */
#include "report_pictures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data_uri.h"
#include "reason_words.h"

enum {
    SIDE = 96,            /* of a thumbnail, at most */
    ROOM = 1000 * 1000,   /* bytes of all pictures: later rows have none */
    CHUNK_CELLS = 1 << 18 /* explained at a time */
};

/* The grid of the model, and the cells of some rows. */
typedef struct grid {
    const cli_pictured *of;
    int cols, rows, colors;
    int64_t cells;            /* of a picture */
    int64_t *place;           /* (cells) in the table */
    double *share, *expected; /* (chunk, cells) */
    unsigned char *pixels;    /* room for a picture */
} grid;

bool cli_report_has_pictures(const odim_model *model, const odim_table *table)
{
    return table && odim_model_pixels(model, NULL, NULL, NULL);
}

static unsigned char byte(double v)
{
    return (unsigned char)(v > 0 ? v < 255 ? floor(v + 0.5) : 255 : 0);
}

static double cell(const grid *g, int64_t row, int64_t col)
{
    double v = g->place[col] < 0 ? NAN : odim_table_value(g->of->table, row, g->place[col]);
    return isnan(v) ? 0 : v;
}

/* The picture itself or, if its file is not known or gone, its pixels in the grid. */
static char *make_thumbnail(const grid *g, int64_t row)
{
    const char *id = odim_table_id(g->of->table, row), *folder = g->of->folder;
    size_t room = strlen(folder) + (id ? strlen(id) : 0) + 2;
    char *path = id ? malloc(room) : NULL;
    int width, height;
    bool found = false;
    if (path) {
        snprintf(path, room, "%s/%s", folder, id);
        found = !odim_picture_read(path, SIDE, 0, g->pixels, &width, &height, NULL);
    }
    free(path);
    if (found) return cli_data_uri(g->pixels, width, height, 3, true);
    for (int64_t j = 0; j < g->cells; j++) g->pixels[j] = byte(cell(g, row, j));
    return cli_data_uri(g->pixels, g->cols, g->rows, g->colors, false);
}

static char *make_expected(const grid *g, int64_t i)
{
    for (int64_t j = 0; j < g->cells; j++) g->pixels[j] = byte(g->expected[i * g->cells + j]);
    return cli_data_uri(g->pixels, g->cols, g->rows, g->colors, false);
}

/* The share of a pixel in all of its colors; *brighter: whether it is brighter than expected. */
static double share_of(const grid *g, int64_t i, int64_t pixel, bool *brighter)
{
    double share = 0, difference = 0;
    for (int64_t j = pixel * g->colors; j < (pixel + 1) * g->colors; j++) {
        share += g->share[i * g->cells + j];
        difference += cell(g, g->of->row[i], j) - g->expected[i * g->cells + j];
    }
    *brighter = difference > 0;
    return share;
}

/* A pale grey picture with the pixels that stand out in color: orange if brighter than expected, blue if
 * darker. */
static char *make_marks(const grid *g, int64_t i, int64_t row)
{
    static const double color[2][3] = {{20, 90, 200}, {230, 90, 0}};
    int64_t pixels = g->cells / g->colors;
    double most = 0;
    bool brighter;
    for (int64_t k = 0; k < pixels; k++) most = fmax(most, share_of(g, i, k, &brighter));
    for (int64_t k = 0; k < pixels; k++) {
        double grey = 0, share = share_of(g, i, k, &brighter);
        for (int64_t j = 0; j < g->colors; j++) grey += cell(g, row, k * g->colors + j) / g->colors;
        double part = most > 0 ? sqrt(share / most) : 0, pale = 150 + 0.4 * grey;
        for (int c = 0; c < 3; c++) g->pixels[3 * k + c] = byte(pale + part * (color[brighter][c] - pale));
    }
    return cli_data_uri(g->pixels, g->cols, g->rows, 3, false);
}

static odim_status no_memory(odim_error *err)
{
    *err = (odim_error){.status = ODIM_ERR_NOMEM, .msg = "out of memory"};
    return err->status;
}

/* Rows first to first + count; *room is what is left. */
static odim_status make_chunk(grid *g, const cli_pictured *chunk, cli_row_pictures *out, int64_t *room,
                              odim_error *err)
{
    const odim_explain_options which = {.size = sizeof which, .rows = chunk->row, .count = chunk->count};
    g->of = chunk;
    odim_status status = odim_explain_cells(chunk->model, chunk->table, &which, chunk->params, chunk->hooks,
                                            g->share, g->expected, err);
    for (int64_t i = 0; !status && i<chunk->count && * room> 0; i++) {
        int64_t row = chunk->row[i];
        if (odim_table_bad_row(chunk->table, row)) continue;
        out[i].thumbnail = make_thumbnail(g, row);
        out[i].marks = make_marks(g, i, row);
        out[i].expected = make_expected(g, i);
        if (!out[i].thumbnail || !out[i].marks || !out[i].expected) return no_memory(err);
        *room -= (int64_t)(strlen(out[i].thumbnail) + strlen(out[i].marks) + strlen(out[i].expected));
    }
    return status;
}

odim_status cli_report_pictures(const cli_pictured *p, cli_row_pictures *out, odim_error *err)
{
    grid g = {.of = p};
    odim_model_pixels(p->model, &g.cols, &g.rows, &g.colors);
    g.cells = odim_model_cols(p->model);
    int64_t most = CHUNK_CELLS / g.cells + 1, room = ROOM;
    size_t pixels = (size_t)(g.cells * 3 > 3 * SIDE * SIDE ? g.cells * 3 : 3 * SIDE * SIDE);
    g.place = malloc((size_t)g.cells * sizeof *g.place);
    g.share = malloc((size_t)(most * g.cells) * sizeof *g.share);
    g.expected = malloc((size_t)(most * g.cells) * sizeof *g.expected);
    g.pixels = malloc(pixels);
    odim_status status = g.place && g.share && g.expected && g.pixels ? ODIM_OK : no_memory(err);
    for (int64_t j = 0; !status && j < g.cells; j++) g.place[j] = cli_reason_column(p->model, j, p->table);
    for (int64_t at = 0; !status && at < p->count && room > 0; at += most) {
        cli_pictured chunk = *p;
        chunk.row = p->row + at;
        chunk.count = p->count - at < most ? p->count - at : most;
        status = make_chunk(&g, &chunk, out + at, &room, err);
    }
    free(g.place);
    free(g.share);
    free(g.expected);
    free(g.pixels);
    return status;
}

void cli_row_pictures_free(cli_row_pictures *pictures, int64_t count)
{
    for (int64_t i = 0; pictures && i < count; i++) {
        free(pictures[i].thumbnail);
        free(pictures[i].marks);
        free(pictures[i].expected);
    }
    free(pictures);
}
