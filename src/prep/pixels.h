/*
 * The columns of a picture: their names, and where in the picture each of them is. "r1c1" is the first pixel
 * of the first line. In color, its columns are "r1c1.red", "r1c1.green" and "r1c1.blue".
 */
#ifndef OD_PIXELS_H
#define OD_PIXELS_H

#include "io/picture_grid.h"
#include "prep/schema.h"

/* Parts of a picture: three by three, line by line. */
#define OD_PIXELS_PARTS 9

/* The name of column `i`. */
void od_pixels_name(const od_pixels *p, int64_t i, char *buf, size_t size);
/* Whether the columns are the pixels of pictures, and of which grid. */
bool od_pixels_of(const od_schema *s, od_pixels *out);
/* The part of the picture that column `i` is in, and what people call it: "upper left". */
int od_pixels_part(const od_pixels *p, int64_t i);
const char *od_pixels_part_name(int part);

#endif
