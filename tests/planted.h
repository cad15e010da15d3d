/* A small table with planted outliers, for tests of whole fits. Call make_rows first. */
#ifndef PLANTED_H
#define PLANTED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "base/rng.h"
#include "kern/kern.h"
#include "odim.h"

enum { ROWS = 640, COLS = 6, OUTLIERS = 16 };

static double cells[ROWS * COLS];
static int8_t labels[ROWS];

/* Inliers: six readings of two hidden causes. Outliers: the same readings, independent of each other. */
static inline void make_rows(void)
{
    od_rng s = od_rng_make(77, 0, OD_RNG_TRAIN, 0);
    static float z[ROWS * 8];
    od_kern_ref()->normal(z, ROWS * 8, &s);
    for (int i = 0; i < ROWS; i++) {
        labels[i] = i % (ROWS / OUTLIERS) == 3;
        for (int j = 0; j < COLS; j++) {
            double a = (double)z[i * 8], b = (double)z[i * 8 + 1], e = (double)z[i * 8 + 2 + j];
            cells[i * COLS + j] = labels[i] ? 3.0 * e : (j % 2 ? a : b) * 0.5 + 0.2 * e + j;
        }
    }
}

static inline odim_params *params(const char *threads)
{
    odim_params *p = odim_params_new();
    odim_params_set(p, "preset", "paper", NULL);
    odim_params_set(p, "members", "3", NULL);
    odim_params_set(p, "samples", "5", NULL);
    odim_params_set(p, "hidden", "8,6", NULL);
    odim_params_set(p, "threads", threads, NULL);
    return p;
}

static inline odim_params *flow_params(const char *threads)
{
    odim_params *p = odim_params_new();
    odim_params_set(p, "preset", "paper", NULL);
    odim_params_set(p, "model", "flow", NULL);
    odim_params_set(p, "members", "3", NULL);
    odim_params_set(p, "threads", threads, NULL);
    return p;
}

/* A note hook that joins all notes in the string `user`. */
static inline void collect(const char *text, void *user)
{
    strcat(strcat(user, text), ";");
}

/* Raw scores: what the members say, not the verdict. */
static inline double *fit_score(odim_params *p, odim_model **keep)
{
    odim_table *t;
    odim_model *m;
    odim_error err;
    double *scores = od_alloc(ROWS, sizeof *scores);
    if (odim_table_wrap_f64(&t, cells, ROWS, COLS, 0, NULL, &err) || odim_fit(t, p, NULL, &m, &err) ||
        odim_score_raw(m, t, p, NULL, scores, &err)) {
        printf("%s\n", err.msg);
        exit(1);
    }
    odim_table_free(t);
    if (keep)
        *keep = m;
    else
        odim_model_free(m);
    return scores;
}

#endif
