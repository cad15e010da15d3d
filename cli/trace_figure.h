/* What odim_trace_fit saw, summed up for showing: means over the members, losses by kind of row, and the
 * figure. */
#ifndef CLI_TRACE_FIGURE_H
#define CLI_TRACE_FIGURE_H

#include <stdbool.h>
#include <stdio.h>

#include "odim.h"

enum { CLI_TRACE_KINDS = 2 }; /* inliers, or all rows without labels; outliers */

/* The losses of the rows after an update. */
typedef struct cli_moment {
    int64_t update;
    bool chosen; /* by the user, for a histogram */
    double auc;
    double *loss[CLI_TRACE_KINDS]; /* (count) sorted */
    int64_t count[CLI_TRACE_KINDS];
} cli_moment;

typedef struct cli_trace_data {
    const odim_trace *trace;
    const char *name;     /* of the file */
    bool labeled;         /* there are two kinds of rows */
    const char *kinds[2]; /* what they are called */
    int64_t rows;         /* of the table */
    cli_moment *moment;
    int64_t moments;
    double *update, *distance; /* (checks) the mean over the members */
    int64_t checks;
    double stop, kept; /* the middle ones of the members' updates; NaN: none has stopped */
    double *all;       /* the memory of the losses */
} cli_trace_data;

/* False: out of memory. rows: of the table; labels (rows): 1 for the second kind, or NULL; chosen (count):
 * the updates that were asked for. */
bool cli_trace_data_make(cli_trace_data *v, const odim_trace *trace, int64_t rows, const int8_t *labels,
                         const char *name, const int64_t *chosen, int count);
void cli_trace_data_free(cli_trace_data *v);

/* False: out of memory. */
bool cli_trace_figure(const cli_trace_data *v, FILE *f);
/* Only the histograms, as a part of a page. */
bool cli_trace_histograms(const cli_trace_data *v, FILE *f);

#endif
