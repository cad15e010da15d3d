/* Made-up tables of any size: each row is a function of its number only. */
#ifndef SYNTHETIC_H
#define SYNTHETIC_H

#include <stdint.h>
#include <stdio.h>

/*
 * x (rows, d) becomes rows first, first + 1, ... of the table with d columns. Rows lie near a curved surface
 * of two dimensions; one in fifty is anywhere instead.
 */
void synthetic_fill(float *x, int64_t first, int64_t rows, int d);
/* The same as CSV with a header; at most 64 columns. */
void synthetic_write_csv(FILE *f, int64_t rows, int d);
/* The same for three groups of rows, each along eight directions, with noise; one row in two hundred has
 * three times the deviations of the others instead. All columns have the same unit. */
void synthetic_groups(float *x, int64_t first, int64_t rows, int d);

#endif
