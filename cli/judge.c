/* AUC and average precision of the rows that were not known. */
#include "judge.h"

#include <stdlib.h>

static odim_status judge_rows(const double *scores, const int8_t *labels, int64_t n, cli_judgement *out,
                              odim_error *err)
{
    out->rows = n;
    for (int64_t i = 0; i < n; i++) out->outliers += labels[i];
    out->judged = out->outliers > 0 && out->outliers < n;
    if (!out->judged) return ODIM_OK;
    odim_status status = odim_auc(scores, labels, n, &out->auc, err);
    return status ? status : odim_average_precision(scores, labels, n, &out->ap, err);
}

odim_status cli_judge(const odim_table *table, const double *scores, cli_judgement *out, odim_error *err)
{
    const int8_t *labels = odim_table_labels(table), *known = odim_table_known(table);
    int64_t n = odim_table_rows(table), count = 0;
    *out = (cli_judgement){.labeled = labels != NULL, .known = known != NULL};
    if (!labels) return ODIM_OK;
    if (!known) return judge_rows(scores, labels, n, out, err);
    double *theirs = malloc((size_t)n * sizeof *theirs);
    int8_t *kinds = malloc((size_t)n);
    odim_status status = theirs && kinds ? ODIM_OK : ODIM_ERR_NOMEM;
    if (status && err) *err = (odim_error){.status = status, .msg = "out of memory"};
    for (int64_t i = 0; !status && i < n; i++) {
        if (known[i] >= 0) continue;
        theirs[count] = scores[i];
        kinds[count++] = labels[i];
    }
    if (!status) status = judge_rows(theirs, kinds, count, out, err);
    free(theirs);
    free(kinds);
    return status;
}
