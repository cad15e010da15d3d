/*
 * Parts of a fit that were saved. Nearly every mutation breaks the hash at the end, so that is put right
 * first. What is accepted must save to bytes that are accepted again, must merge with nothing, and must fit
 * or say why not.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    odim_error err;
    uint8_t *bytes = malloc(size + 1);
    if (!bytes) return 0;
    memcpy(bytes, data, size);
    fuzz_repair(bytes, size);
    odim_partial *p, *again, *copy;
    if (odim_partial_load_memory(&p, bytes, size, &err) == ODIM_OK) {
        void *saved;
        size_t len;
        odim_model *model = NULL;
        odim_params *params = odim_params_new();
        if (!params || odim_params_set(params, "method", "hbos", &err) ||
            odim_partial_save_memory(p, &saved, &len, &err) ||
            odim_partial_load_memory(&again, saved, len, &err))
            abort();
        if (odim_partial_new(&copy, params, &err)) abort();
        if (odim_partial_merge(copy, again, &err) == ODIM_OK &&
            odim_partial_rows(copy) != odim_partial_rows(p))
            abort();
        if (odim_partial_rows(p) < 1000) odim_partial_fit(p, params, NULL, &model, &err);
        odim_model_free(model);
        odim_partial_free(copy);
        odim_partial_free(again);
        odim_partial_free(p);
        odim_params_free(params);
        odim_free(saved);
    }
    free(bytes);
    return 0;
}
