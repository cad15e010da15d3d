/* A small table with a column of every type and a model fitted on it, for tests. */
#ifndef MIXED_H
#define MIXED_H

#include <stdio.h>
#include <string.h>

#include "odim.h"

enum { MIXED_ROWS = 400 };

/* Two related numbers, a category, a yes and no, a time, gaps, an id and a constant. Row 100 (0-based) has a
 * wrong number. mixed_read takes the id as any other text, which the model ignores. */
static const char *mixed_csv(void)
{
    static char text[64 * MIXED_ROWS];
    int len = sprintf(text, "id,load,heat,color,open,day,site\n");
    for (int i = 0; i < MIXED_ROWS; i++) {
        static const char *const colors[] = {"red", "green", "green", "blue"};
        double load = 20 + (i * 37) % 60, heat = 10 + 0.5 * load + (i * 7) % 5;
        len += sprintf(text + len, "r%d,%.0f,", i, load);
        if (i % 20 != 7) len += sprintf(text + len, "%.1f", i == 100 ? 400.0 : heat);
        len += sprintf(text + len, ",%s,%s,2024-%02d-%02d,x\n", colors[i % 4], i % 3 ? "yes" : "no",
                       1 + i / 28 % 12, 1 + i % 28);
    }
    return text;
}

static inline odim_table *mixed_read(const char *text, const odim_model *like)
{
    odim_table *t;
    odim_error err;
    odim_read_options o = {.size = sizeof(odim_read_options), .id = "", .like = like};
    if (odim_table_read_memory(&t, text, strlen(text), "mixed.csv", &o, &err)) puts(err.msg);
    return t;
}

static inline odim_model *mixed_fit(const odim_table *t)
{
    odim_model *m;
    odim_error err;
    odim_params *p = odim_params_new();
    odim_params_set(p, "members", "3", NULL);
    odim_params_set(p, "samples", "10", NULL);
    odim_params_set(p, "max-updates", "150", NULL);
    if (odim_fit(t, p, NULL, &m, &err)) puts(err.msg);
    odim_params_free(p);
    return m;
}

#endif
