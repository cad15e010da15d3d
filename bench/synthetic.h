/* Made-up tables of any size: each row is a function of its number only. */
#ifndef SYNTHETIC_H
#define SYNTHETIC_H

#include <stdint.h>

/*
 * x (rows, d) becomes rows first, first + 1, ... of the table with d columns. Rows lie near a curved surface
 * of two dimensions; one in fifty is anywhere instead.
 */
void synthetic_fill(float *x, int64_t first, int64_t rows, int d);

#endif
