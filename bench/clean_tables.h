/* Synthetic tables without outliers, with the kinds of columns that real tables have. */
#ifndef CLEAN_TABLES_H
#define CLEAN_TABLES_H

#include <stdint.h>

typedef enum clean_kind {
    CLEAN_GAUSSIAN,  /* correlated: half as many factors as columns, and noise */
    CLEAN_UNIFORM,   /* independent */
    CLEAN_CLUSTERS,  /* four, with 50, 30, 15 and 5 % of the rows, of unequal width */
    CLEAN_MIXED,     /* correlated Gaussian columns, coarse ones of three to six levels, and 0/1 columns */
    CLEAN_LOGNORMAL, /* exp of the correlated Gaussian */
    CLEAN_T5,        /* Student's t with 5 degrees of freedom, independent */
    CLEAN_T3,
    CLEAN_KINDS
} clean_kind;

const char *clean_name(clean_kind kind);

/* x (rows, cols); the same seed gives the same table. */
void clean_fill(float *x, int64_t rows, int64_t cols, clean_kind kind, uint64_t seed);

#endif
