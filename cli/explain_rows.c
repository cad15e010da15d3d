#include "explain_rows.h"

odim_status cli_explain_rows(const odim_model *model, const odim_table *table,
                             const odim_explain_options *which, const odim_params *params,
                             const odim_hooks *hooks, odim_reason *out, odim_error *err)
{
    odim_reasons *reasons;
    odim_status status = odim_explain(model, table, which, params, hooks, &reasons, err);
    if (status) return status;
    for (int64_t i = 0; i < which->count; i++) {
        for (int k = 0; k < which->top; k++) {
            const odim_reason *r = odim_reasons_at(reasons, i, k);
            out[i * which->top + k] = r ? *r : (odim_reason){.col = -1};
        }
    }
    odim_reasons_free(reasons);
    return ODIM_OK;
}
