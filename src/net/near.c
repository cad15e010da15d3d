#include "net/near.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

#define MOST_CELLS ((int64_t)1 << 22)

void od_near_plan(int64_t n, int64_t d, int64_t *groups, int64_t *size)
{
    int64_t most = MOST_CELLS / d > 4 ? MOST_CELLS / d : 4; /* rows in all */
    *size = n < OD_NEAR_SIZE ? n : OD_NEAR_SIZE;
    if (*size > most) *size = most;
    *groups = n <= *size ? 1 : OD_NEAR_GROUPS; /* all rows: they would be the same */
    if (*groups * *size > most) *groups = most / *size;
}

odim_status od_near_new(od_near *near, int64_t d, int64_t groups, int64_t size, odim_error *err)
{
    *near = (od_near){.d = d, .groups = groups, .size = size};
    near->rows = od_calloc((size_t)(groups * size), (size_t)d * sizeof *near->rows);
    if (near->rows) return ODIM_OK;
    *near = (od_near){0};
    return od_fail_nomem(err);
}

void od_near_free(od_near *near)
{
    od_free(near->rows);
    *near = (od_near){0};
}

void od_near_put(od_near *near, int64_t g, int64_t i, const float *x)
{
    for (int64_t j = 0; j < near->d; j++) near->rows[(g * near->d + j) * near->size + i] = x[j];
}

/* The nearest in a group, nearest first, and the squares of their distances; how many there are. */
static int nearest(const od_near *near, const float *rows, const float *x, int64_t *which, float *square)
{
    float all[OD_NEAR_SIZE] = {0};
    int64_t n = near->size;
    int found = 0;
    bool own = false;
    for (int64_t j = 0; j < near->d; j++, rows += n)
        for (int64_t i = 0; i < n; i++) all[i] += (x[j] - rows[i]) * (x[j] - rows[i]);
    for (int64_t i = 0; i < n; i++) {
        if (found == OD_NEAR_COUNT && !(all[i] < square[found - 1])) continue;
        if (all[i] == 0.0f && !own) {
            own = true;
            continue;
        }
        int at = found < OD_NEAR_COUNT ? found++ : found - 1;
        for (; at > 0 && all[i] < square[at - 1]; at--) {
            square[at] = square[at - 1];
            which[at] = which[at - 1];
        }
        square[at] = all[i];
        which[at] = i;
    }
    return found;
}

double od_near_distance(const od_near *near, const float *x, double times, double *part)
{
    double sum = 0.0;
    for (int64_t g = 0; g < near->groups; g++) {
        const float *rows = near->rows + g * near->d * near->size;
        int64_t which[OD_NEAR_COUNT];
        float square[OD_NEAR_COUNT];
        int found = nearest(near, rows, x, which, square);
        for (int k = 0; k < found; k++) {
            double share = 1.0 / (double)(found * near->groups), length = sqrt((double)square[k]);
            sum += length * share;
            for (int64_t j = 0; part && length > 0.0 && j < near->d; j++) {
                double apart = (double)x[j] - (double)rows[j * near->size + which[k]];
                part[j] += times * share * apart * apart / length;
            }
        }
    }
    return sum;
}
