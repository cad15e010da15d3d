#include "net/near.h"

#include <math.h>

#include "base/mem.h"

#define MOST_CELLS ((int64_t)1 << 22)

/* Half of the rows of a small table, so that the groups differ. */
void od_near_plan(int64_t n, int64_t d, int64_t *groups, int64_t *size)
{
    int64_t most = MOST_CELLS / d > 4 ? MOST_CELLS / d : 4; /* rows in all */
    *size = n < 2 * OD_NEAR_SIZE ? (n + 1) / 2 : OD_NEAR_SIZE;
    *groups = OD_NEAR_GROUPS;
    if (*groups * *size > most) *groups = most / *size;
    if (*groups == 0) {
        *groups = 1;
        *size = most;
    }
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

/* The nearest row of a group and the square of its distance; -1: there is none but the row itself. */
static int64_t nearest(const od_near *near, const float *rows, const float *x, float *square)
{
    float all[OD_NEAR_SIZE] = {0};
    int64_t n = near->size, best = -1;
    bool own = false;
    for (int64_t j = 0; j < near->d; j++, rows += n)
        for (int64_t i = 0; i < n; i++) all[i] += (x[j] - rows[i]) * (x[j] - rows[i]);
    for (int64_t i = 0; i < n; i++) {
        bool first = all[i] == 0.0f && !own;
        own |= first;
        if (!first && (best < 0 || all[i] < all[best])) best = i;
    }
    if (best >= 0) *square = all[best];
    return best;
}

double od_near_distance(const od_near *near, const float *x, double times, double *part)
{
    double sum = 0.0, share = 1.0 / (double)near->groups;
    for (int64_t g = 0; g < near->groups; g++) {
        const float *rows = near->rows + g * near->d * near->size;
        float square;
        int64_t which = nearest(near, rows, x, &square);
        if (which < 0) continue;
        double length = sqrt((double)square);
        sum += length * share;
        for (int64_t j = 0; part && length > 0.0 && j < near->d; j++) {
            double apart = (double)x[j] - (double)rows[j * near->size + which];
            part[j] += times * share * apart * apart / length;
        }
    }
    return sum;
}
