/*
 * Measured values that survive the program: cells (set, setting, seed) in a TSV file that only grows, a line
 * a cell. A line is written at once, and what a killed run left of one is cut off by the next run. The head
 * of the file says with what it was measured:
 *
 *     # experiment: labels
 *     # version: 0.1.0
 *     # parameters: batch=128 lr=0.0005     (those that are not the defaults)
 *     # machine: AMD EPYC, 2 cores; odim 0.1.0, kernels avx2
 *     set  setting  seed  auc  ap
 *
 * Another experiment, version, list of parameters or of columns is refused, since the cells would not belong
 * together. A run on another machine adds a line that names it.
 */
#ifndef MEASURED_H
#define MEASURED_H

#include "tsv.h"

typedef struct cells cells;

/* columns: names with spaces between. writing 0: only reads, and the file must be there. One writer at a
 * time. */
cells *cells_open(const char *path, const char *experiment, const char *parameters, const char *columns,
                  int writing);
void cells_close(cells *c);

int cells_has(const cells *c, const char *set, const char *setting, int seed);
/* values: as many as there are columns. */
void cells_add(cells *c, const char *set, const char *setting, int seed, const double *values);

const tsv *cells_all(const cells *c);
/* The mean over the seeds; NaN: there are none. count (may be NULL): how many there are. */
double cells_mean(const cells *c, const char *set, const char *setting, const char *column, int *count);
const char *cells_machine(const cells *c); /* the last that the file names */

#endif
