/* Reasons of rows as one array, for tests that compare many. */
#ifndef REASONS_H
#define REASONS_H

#include "odim.h"

/* reasons (count, top): col is -1 after the last reason of a row. */
static inline odim_status explain_rows(const odim_model *m, const odim_table *t, const int64_t *rows,
                                       int64_t count, int top, odim_reason *reasons, odim_error *err)
{
    odim_reasons *found;
    const odim_explain_options o = {.size = sizeof o, .rows = rows, .count = count, .top = top};
    odim_status status = odim_explain(m, t, &o, NULL, NULL, &found, err);
    for (int64_t i = 0; !status && i < count * top; i++) {
        const odim_reason *r = odim_reasons_at(found, i / top, (int)(i % top));
        reasons[i] = r ? *r : (odim_reason){.col = -1};
    }
    odim_reasons_free(found);
    return status;
}

#endif
