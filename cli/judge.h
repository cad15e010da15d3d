/* Judges scores by the labels of a table: AUC and average precision. */
#ifndef CLI_JUDGE_H
#define CLI_JUDGE_H

#include <stdbool.h>

#include "odim.h"

typedef struct cli_judgement {
    bool labeled;     /* the table has labels */
    bool known;       /* some rows were known in fitting, and are left out */
    int64_t rows;     /* that were judged */
    int64_t outliers; /* among these */
    bool judged;      /* both labels occur: auc and ap are known */
    double auc, ap;
} cli_judgement;

/* Rows that were known in fitting are left out: finding them again proves nothing. */
odim_status cli_judge(const odim_table *table, const double *scores, cli_judgement *out, odim_error *err);

#endif
