/* Tables of several kinds into which single-column faults are planted, for bench/reasons.c. */
#ifndef FAULTS_H
#define FAULTS_H

#include <stdint.h>

#define FAULTS_KINDS 6

typedef enum fault { FAULT_EXTREME, FAULT_RELATION, FAULT_ANY } fault;

typedef struct faulty_table {
    int64_t n, d;
    double *cells; /* (n, d) with the faults */
    int64_t planted;
    int64_t *row;     /* (planted) */
    int64_t *column;  /* (planted) where the fault is */
    double *original; /* (planted, d) the rows before */
    double *sd;       /* (d) standard deviation of each column before */
} faulty_table;

/* "factors", "surface", "clusters", "uniform", "skewed", "machine" */
const char *faults_kind(int kind);
/* False when a kind has no table of d columns, or no relation between columns that a fault could break. */
int faults_possible(int kind, int64_t d, fault what);

/*
 * A table of a kind in which one row of a hundred has a fault in one column, chosen at random.
 *
 * Extreme: the value is beyond the end of the column's range by 0.2 to 1 times its width.
 * Any: it is that of another row, at least 0.4 times the width of the range away (of 98 % of the values).
 * Relation: the same, and the rows tell which column is wrong: the nearest row, leaving out any other column,
 * is farther away than leaving out this one, its squared distance larger by 0.25 (in standard deviations).
 *
 * Where no such value is found there is no fault.
 */
faulty_table faults_make(int kind, int64_t d, fault what, uint64_t seed);
void faults_free(faulty_table *t);

#endif
