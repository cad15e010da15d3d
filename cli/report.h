/* The results of `odim detect` in their three forms: rows for files, JSON for programs, a table for people.
 */
#ifndef OD_REPORT_H
#define OD_REPORT_H

#include "odim.h"
#include "out.h"
#include "writer.h"

typedef struct od_report {
    const char *path;
    const odim_table *table;
    odim_params *params;
    const odim_model *model;
    const double *scores; /* (rows) */
    const int64_t *rank;  /* (rows) 1 = most outlying */
    const int64_t *order; /* (rows) the rows, 0-based, most outlying first */
    int64_t outliers;     /* rows labelled so */
    bool judged;          /* both labels occur: auc and ap are known */
    double auc, ap;
} od_report;

/* row, id if there is one, score and rank of every row, in the order of the input. False: the reason has been
 * said. */
bool od_report_rows(const od_report *r, od_format format, od_out *out);
/* One object; top > 0: only that many scores, most outlying first. */
void od_report_json(const od_report *r, int64_t top, od_out *out);
/* The `top` most outlying rows with as many of their values as fit into `width` columns (0: not a terminal).
 */
void od_report_top(const od_report *r, int64_t top, int width, od_out *out);

#endif
