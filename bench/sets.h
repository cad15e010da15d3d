/* The labelled tables that accuracy is measured on: $ODIM_DATA/tabular/<number>_<set>.npz, by default in
 * ../shared/data, and beside them pictures and texts that another network turned into numbers. */
#ifndef SETS_H
#define SETS_H

#include "odim.h"

enum { SET_NAME = 64, MAX_SETS = 128 };

typedef struct table_set {
    char name[SET_NAME]; /* in small letters and without '-', as the paper's tables spell it */
    char path[4096];
    int number; /* what the file's name begins with: ADBench's; 0: nothing */
} table_set;

/* Of one fit and score. */
typedef struct set_result {
    double auc, ap;
    double updates, best_update; /* means over the members */
    double wall, cpu;            /* seconds, without reading */
} set_result;

/* Fills in the sets that `wanted` (comma-separated; NULL: all) names, in the order of their names, and
 * returns how many. Where there is no data it says so and ends the program with status 0. */
int sets_find(table_set sets[MAX_SETS], const char *wanted);
/* The same among the embeddings as well, tables first. */
int sets_find_all(table_set sets[MAX_SETS], const char *wanted);

/* Whether one of the comma-separated names in `list` is `name`; NULL: every name is. */
int sets_listed(const char *list, const char *name);

odim_table *sets_read(const table_set *set);

set_result sets_run(const table_set *set, const odim_table *table, const odim_params *params);
/* The same by odim_detect, against any labels; scores (rows) are the caller's. */
set_result sets_detect(const char *name, const odim_table *table, const int8_t *labels,
                       const odim_params *params, double *scores);

#endif
