/* The pictures of MNIST and Fashion-MNIST under $ODIM_DATA/images, one class of them as inliers and a tenth
 * of others. */
#ifndef PICTURES_H
#define PICTURES_H

#include <stdint.h>

#include "odim.h"

enum { PICTURE_CLASSES = 10 };

typedef struct pictures {
    odim_table *table;
    float *pixels;  /* (rows, 784): 0 to 1, or 0 and 1 */
    int8_t *labels; /* (rows) 1: not of the class */
} pictures;

/* source: "mnist" or "fashion". All training pictures of the class, and so many of the others, chosen by the
 * seed, that they are a tenth of all; the rows in the order of the file. black_white: each pixel becomes 0 or
 * 1, at one half. Without data the program says so and ends well. */
void pictures_make(pictures *p, const char *source, int class, int black_white, uint64_t seed);
void pictures_free(pictures *p);

#endif
