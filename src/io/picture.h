/*
 * Pictures (PNG and JPEG) scaled to a few pixels. They are decoded line by line, so that a large picture
 * takes little memory. Only a progressive JPEG is kept as a whole while it is decoded.
 *
 * The picture is fitted into the grid: its aspect is kept, it is centered, and the pixels at its border are
 * repeated to fill the grid. A pixel of the grid is the mean of the area that it covers, as a whole number
 * from 0 to 255. A picture of the size of the grid is not changed. What is transparent is white. A JPEG file
 * is turned as its EXIF data say.
 */
#ifndef OD_PICTURE_H
#define OD_PICTURE_H

#include "io/picture_grid.h"

/* Reads a picture into out (rows, cols, colors), and sets *pixels if it may shrink. `most`: bytes that the
 * picture may take; what would need more is refused. A picture that cannot be read fails with
 * ODIM_ERR_FORMAT. */
odim_status od_picture_read(od_source *src, od_pixels *pixels, size_t most, unsigned char *out,
                            odim_error *err);

#endif
