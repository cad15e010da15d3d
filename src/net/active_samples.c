/* Lists the lanes whose samples have non-negligible weight. */
#include "net/active_samples.h"

#include "common/mem.h"

odim_status od_active_samples_new(od_active_samples *active, int64_t lanes, odim_error *err)
{
    *active = (od_active_samples){0};
    size_t n = (size_t)lanes;
    bool ok = (active->lane = od_alloc(n, sizeof(int32_t))) &&
              (active->rank = od_alloc(n, sizeof(int32_t))) && (active->active = od_alloc(n / OD_LANES, 1));
    if (ok) return ODIM_OK;
    od_active_samples_free(active);
    return od_fail_nomem(err);
}

void od_active_samples_free(od_active_samples *active)
{
    od_free(active->lane);
    od_free(active->rank);
    od_free(active->active);
    *active = (od_active_samples){0};
}

void od_active_samples_pick(od_active_samples *active, float *g, const float *v, float min_weight,
                            const float *gain, int64_t rows, int64_t n)
{
    int32_t *lane = active->lane, count = 0;
    for (int64_t i = 0, row = 0; i < n; i += OD_LANES) {
        int32_t rank = 0;
        for (int64_t l = i; l < i + OD_LANES; l++) {
            bool is_active = v[l] >= min_weight;
            g[l] = is_active ? v[l] * gain[row + l - i] : 0.0f;
            active->rank[l] = is_active ? rank : -1;
            lane[count + rank] = (int32_t)l; /* overwritten by the next lane if this one is inactive */
            rank += is_active;
        }
        active->active[i / OD_LANES] = (uint8_t)rank;
        count += rank;
        row = row + OD_LANES < rows ? row + OD_LANES : 0;
    }
    active->n = n;
    active->count = count;
    for (int64_t i = count; i < od_lanes(count); i++) lane[i] = 0;
}
