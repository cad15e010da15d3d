/*
 * A grid of a few pixels that the lines of a picture are added to, in any order, and the decoders that do so.
 * All sums are whole numbers, so the order does not matter.
 */
#ifndef OD_PICTURE_GRID_H
#define OD_PICTURE_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "io/source.h"

/* Larger pictures are refused before they are decoded. */
#define OD_PICTURE_PIXELS 100000000
#define OD_PICTURE_SIDE   65500
/* The longest side of a grid. */
#define OD_PIXELS_SIDE 256

typedef struct od_pixels {
    int cols, rows;
    bool color;  /* red, green and blue of each pixel, instead of its brightness */
    bool shrink; /* these are the largest sides of a grid that has the picture's own aspect and is not larger
                  */
} od_pixels;

static inline int od_pixels_count(const od_pixels *p)
{
    return p->cols * p->rows * (p->color ? 3 : 1);
}

typedef struct od_picture_grid {
    od_pixels pixels;
    size_t most;     /* bytes that the picture may take */
    int orientation; /* of the picture as it is stored, as EXIF counts them; 0 or 1: upright */
    /* Set by od_picture_grid_begin: */
    int64_t width, height; /* of the picture */
    int64_t span, cell;    /* lengths of a pixel of the picture and of the grid, in a common unit */
    int64_t left, top;     /* of the picture in the grid, in that unit */
    unsigned char *line;   /* (width, colors) */
    uint64_t *across;      /* (cols, colors) sums of a line */
    uint64_t *sum;         /* (rows, cols, colors) */
} od_picture_grid;

/* Whether a picture of this size may be decoded. */
odim_status od_picture_grid_check(const od_picture_grid *g, uint64_t width, uint64_t height, odim_error *err);
/* For a picture that is stored in another orientation than it is shown: before the grid begins. */
void od_picture_grid_turn(od_picture_grid *g, int orientation);
odim_status od_picture_grid_begin(od_picture_grid *g, uint32_t width, uint32_t height, odim_error *err);
/* Adds `count` pixels of line `y`: those at x, x + step and so on. They have 1 to 4 channels: grey, grey and
 * alpha, RGB, RGB and alpha. */
void od_picture_grid_add(od_picture_grid *g, int64_t y, int64_t x, int64_t step, int64_t count,
                         const unsigned char *in, int channels);
/* The means, upright, when all lines have been added. g->pixels is then the size of the grid. */
void od_picture_grid_end(od_picture_grid *g, unsigned char *out);
void od_picture_grid_free(od_picture_grid *g);

/* Decode a picture from its first byte on, and begin the grid. */
odim_status od_picture_png(od_source *src, od_picture_grid *g, odim_error *err);
odim_status od_picture_jpeg(od_source *src, od_picture_grid *g, odim_error *err);

#endif
