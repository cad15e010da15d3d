/* Files of tensors that tools/golden.py and tools/golden_flow.py write: reading them, and comparing with what
 * we have. */
#ifndef TENSORS_H
#define TENSORS_H

#include <ctype.h>

#include "common/mem.h"
#include "net/decode.h"
#include "test.h"

typedef struct tensor {
    char name[32];
    int64_t count;
    double *x;
} tensor;

typedef struct golden {
    tensor t[32];
    int count;
} golden;

static inline bool golden_read(golden *g, const char *path)
{
    FILE *f = fopen(path, "r");
    char line[1024];
    *g = (golden){.count = 0};
    if (!f) return false;
    int64_t have = 0;
    while (fgets(line, sizeof line, f)) {
        if (line[0] == '#') continue;
        if (isalpha((unsigned char)line[0])) {
            tensor *t = &g->t[g->count++];
            long long n;
            if (g->count > 32 || sscanf(line, "%31s %lld", t->name, &n) != 2) break;
            t->count = n;
            t->x = od_calloc((size_t)n, sizeof *t->x);
            have = 0;
            continue;
        }
        tensor *t = &g->t[g->count - 1];
        for (char *p = line, *end;; p = end) {
            double v = strtod(p, &end);
            if (end == p) break;
            if (have < t->count) t->x[have++] = v;
        }
    }
    fclose(f);
    return g->count > 0;
}

static inline const tensor *get(const golden *g, const char *name)
{
    for (int i = 0; i < g->count; i++)
        if (strcmp(g->t[i].name, name) == 0) return &g->t[i];
    printf("no tensor %s\n", name);
    exit(1);
}

static inline bool has(const golden *g, const char *name)
{
    for (int i = 0; i < g->count; i++)
        if (strcmp(g->t[i].name, name) == 0) return true;
    return false;
}

static inline float *floats(const tensor *t)
{
    float *x = od_alloc((size_t)t->count, sizeof *x);
    for (int64_t i = 0; i < t->count; i++) x[i] = (float)t->x[i];
    return x;
}

/* Signed, each number on its own: off by at most rel |want| + all (1 + the largest |want|), for a small
 * number may be the difference of large ones. */
static inline void compare(const char *file, const char *what, const float *got, const tensor *want,
                           double rel, double all)
{
    double largest = 0;
    for (int64_t i = 0; i < want->count; i++) largest = fmax(largest, fabs(want->x[i]));
    for (int64_t i = 0; i < want->count; i++) {
        double w = want->x[i], tol = rel * fabs(w) + all * (1 + largest);
        if (!(fabs((double)got[i] - w) <= tol))
            TEST_SAY("%s: %s[%lld] is %.9g, the reference has %.9g", file, what, (long long)i, (double)got[i],
                     w);
    }
}

static inline double batch_loss(const float *loss, int64_t b, const od_known *known)
{
    double mean = 0;
    int64_t others = b - known->rows;
    for (int64_t i = 0; i < b; i++)
        mean += i < others ? (double)loss[i] / (double)others
                           : (double)known->weight * (double)loss[i] / (double)known->rows;
    return mean;
}

static inline void golden_free(golden *g)
{
    for (int i = 0; i < g->count; i++) od_free(g->t[i].x);
}

#endif
