/* Takes the options, hooks and columns of a caller. */
#include "api/reading.h"

#include "base/sized.h"
#include "common/mem.h"

odim_status od_reading_begin(od_reading *r, const odim_read_options *options, odim_error *err)
{
    odim_status status = od_sized_in(&r->options, sizeof r->options, options, "options", err);
    if (!status) status = od_sized_in(&r->hooks, sizeof r->hooks, r->options.hooks, "hooks", err);
    if (status) return status;
    r->like = r->options.like ? &r->options.like->schema : NULL;
    if (r->hooks.progress) od_poll_begin(&r->poll, &r->hooks, (odim_progress){.stage = ODIM_STAGE_READING});
    return ODIM_OK;
}

void od_reading_end(od_reading *r)
{
    if (r->hooks.progress) od_poll_end(&r->poll);
}

odim_status od_reading_columns(odim_column **own, const odim_column *const *columns, int64_t cols,
                               odim_error *err)
{
    *own = NULL;
    if (cols > 0) OD_NEED(columns, "columns", err);
    *own = od_calloc(cols > 0 ? (size_t)cols : 0, sizeof **own);
    odim_status status = *own ? ODIM_OK : od_fail_nomem(err);
    for (int64_t j = 0; !status && j < cols; j++)
        status = columns[j] ? od_sized_in(&(*own)[j], sizeof **own, columns[j], "a column in columns", err)
                            : od_fail_null(err, "a column in columns");
    return status;
}
