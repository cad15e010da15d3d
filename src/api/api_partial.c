/* The public calls that fit a model from parts of the rows. */
#include "base/sized.h"
#include "common/mem.h"
#include "fit/fit.h"
#include "fit/partial.h"

odim_status odim_partial_new(odim_partial **out, const odim_params *params, odim_error *err)
{
    OD_NEED(out, "out", err);
    od_config config;
    if (params)
        config = params->config;
    else
        od_params_defaults(&config);
    *out = od_alloc(1, sizeof **out);
    if (!*out) return od_fail_nomem(err);
    od_partial_init(*out, config.seed);
    return ODIM_OK;
}

void odim_partial_free(odim_partial *p)
{
    if (!p) return;
    od_partial_clear(p);
    od_free(p);
}

int64_t odim_partial_rows(const odim_partial *p)
{
    return p ? p->stats.rows : 0;
}

odim_status odim_partial_add(odim_partial *p, const odim_table *table, int64_t first, odim_error *err)
{
    OD_NEED(p, "partial", err);
    OD_NEED(table, "rows", err);
    return od_partial_add(p, table, first, err);
}

odim_status odim_partial_merge(odim_partial *p, const odim_partial *other, odim_error *err)
{
    OD_NEED(p, "partial", err);
    OD_NEED(other, "other", err);
    return od_partial_merge(p, other, err);
}

odim_status odim_partial_save_memory(const odim_partial *p, void **bytes, size_t *size, odim_error *err)
{
    OD_NEED(bytes, "bytes", err);
    *bytes = NULL;
    OD_NEED(size, "size", err);
    *size = 0;
    OD_NEED(p, "partial", err);
    od_byte_writer out = {0};
    od_partial_write(&out, p);
    if (out.nomem) {
        od_free(out.bytes);
        return od_fail_nomem(err);
    }
    *bytes = out.bytes;
    *size = out.size;
    return ODIM_OK;
}

odim_status odim_partial_load_memory(odim_partial **out, const void *bytes, size_t size, odim_error *err)
{
    OD_NEED(out, "out", err);
    *out = NULL;
    OD_NEED(bytes, "bytes", err);
    odim_partial *p = od_calloc(1, sizeof *p);
    odim_status status = p ? od_partial_read(p, bytes, size, err) : od_fail_nomem(err);
    if (status)
        od_free(p);
    else
        *out = p;
    return status;
}

odim_status odim_partial_fit(const odim_partial *p, const odim_params *params, const odim_hooks *hooks,
                             odim_model **out, odim_error *err)
{
    odim_hooks own;
    OD_NEED(out, "out", err);
    *out = NULL;
    OD_NEED(p, "partial", err);
    odim_status status = od_sized_in(&own, sizeof own, hooks, "hooks", err);
    if (status) return status;
    od_fit fit;
    odim_partial copy; /* which the fit takes apart */
    status = od_fit_init(&fit, params, OD_FIT_STREAMED, &own, err);
    od_partial_init(&copy, fit.config.seed);
    if (!status) status = od_partial_merge(&copy, p, err);
    if (!status) status = od_partial_give(&copy, &fit, err);
    if (!status) status = od_fit_run(&fit, out, NULL, err);
    od_fit_free(&fit);
    od_partial_clear(&copy);
    return status;
}
