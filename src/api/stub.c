#include "odim.h"
odim_status odim_explain(const odim_model *model, const odim_table *table, const int64_t *rows, int64_t count, int top, const odim_params *params, const odim_hooks *hooks, odim_reason *reasons, odim_error *err)
{ (void)model;(void)table;(void)rows;(void)params;(void)hooks;(void)err; for (int64_t i=0;i<count*top;i++) reasons[i].col=-1; return 0; }
const char *odim_reason_text(const odim_model *model, const odim_table *table, int64_t row, const odim_reason *reason, char *buf, size_t size)
{ (void)model;(void)table;(void)row;(void)reason;(void)size; *buf=0; return buf; }
