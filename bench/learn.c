/*
 * Does telling the model a few outliers help to find others of their kind? In each labeled table it looks for
 * a kind of outlier that a fit misses, marks five of its rows as known, fits again, and compares.
 *
 *     learn [--sets NAME,...] [--marks N] [--seed N] [--set PARAMETER=VALUE]...
 *
 * A missed kind: the labeled outliers that are not called (or, if these are few, the half with the lower
 * scores) are divided into groups by k-means over the standardized columns; the largest group is the kind.
 * The marked rows are spread evenly over the group, in the order of the file. AUC is over the rows that are
 * not marked: of all labeled outliers, and of the others of that kind against all inliers. "Called" counts
 * the outliers of the kind, and inliers, that the verdict calls.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "sets.h"

enum { GROUPS = 4, ROUNDS = 30, FEWEST = 20, MOST_ROWS = 20000 };

typedef struct outcome {
    double auc, kind_auc;
    int64_t kind_called, inliers_called;
} outcome;

static void *allocate(int64_t count, size_t size)
{
    void *p = calloc((size_t)count + 1, size);
    if (!p) bench_die("learn", "out of memory");
    return p;
}

/* ---- the kind --------------------------------------------------------------------------------------- */

/* Columns in units of their spread: x (count, cols) of the given rows. */
static double *standardize(const odim_table *t, const int64_t *rows, int64_t count)
{
    int64_t n = odim_table_rows(t), cols = odim_table_cols(t);
    double *x = allocate(count * cols, sizeof *x);
    for (int64_t j = 0; j < cols; j++) {
        double sum = 0, square = 0;
        for (int64_t i = 0; i < n; i++) sum += odim_table_value(t, i, j) / (double)n;
        for (int64_t i = 0; i < n; i++) square += pow(odim_table_value(t, i, j) - sum, 2) / (double)n;
        for (int64_t i = 0; i < count; i++)
            x[i * cols + j] = square > 0 ? (odim_table_value(t, rows[i], j) - sum) / sqrt(square) : 0;
    }
    return x;
}

static double apart(const double *a, const double *b, int64_t cols)
{
    double sum = 0;
    for (int64_t j = 0; j < cols; j++) sum += (a[j] - b[j]) * (a[j] - b[j]);
    return sum;
}

/* Begins with the first row, then each time with the row that is farthest from all centers. */
static void first_centers(const double *x, int64_t count, int64_t cols, double *center)
{
    memcpy(center, x, (size_t)cols * sizeof *x);
    for (int g = 1; g < GROUPS; g++) {
        double most = -1;
        int64_t farthest = 0;
        for (int64_t i = 0; i < count; i++) {
            double least = INFINITY;
            for (int k = 0; k < g; k++) least = fmin(least, apart(x + i * cols, center + k * cols, cols));
            if (least > most) most = least, farthest = i;
        }
        memcpy(center + g * cols, x + farthest * cols, (size_t)cols * sizeof *x);
    }
}

/* The group of each row; returns the largest group. */
static int group_rows(const double *x, int64_t count, int64_t cols, int *group)
{
    double *center = allocate(GROUPS * cols, sizeof *center);
    int64_t size[GROUPS] = {0};
    first_centers(x, count, cols, center);
    for (int round = 0; round < ROUNDS; round++) {
        for (int64_t i = 0; i < count; i++) {
            double least = INFINITY;
            for (int g = 0; g < GROUPS; g++) {
                double far = apart(x + i * cols, center + g * cols, cols);
                if (far < least) least = far, group[i] = g;
            }
        }
        memset(size, 0, sizeof size);
        for (int64_t i = 0; i < count; i++) size[group[i]]++;
        for (int g = 0; g < GROUPS; g++)
            if (size[g]) memset(center + g * cols, 0, (size_t)cols * sizeof *center);
        for (int64_t i = 0; i < count; i++)
            for (int64_t j = 0; j < cols; j++)
                center[group[i] * cols + j] += x[i * cols + j] / (double)size[group[i]];
    }
    free(center);
    int largest = 0;
    for (int g = 1; g < GROUPS; g++)
        if (size[g] > size[largest]) largest = g;
    return largest;
}

static const double *compared;

static int by_score(const void *a, const void *b)
{
    double x = compared[*(const int64_t *)a], y = compared[*(const int64_t *)b];
    return (x > y) - (x < y);
}

static int by_row(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* kind (rows): 1 for outliers of the kind; returns how many. */
static int64_t find_kind(const odim_table *t, const odim_model *model, const double *scores, int8_t *kind)
{
    const int8_t *labels = odim_table_labels(t);
    int64_t n = odim_table_rows(t), count = 0, missed = 0, found = 0;
    int64_t *rows = allocate(n, sizeof *rows);
    for (int64_t i = 0; i < n; i++)
        if (labels[i] == 1) rows[count++] = i;
    compared = scores;
    qsort(rows, (size_t)count, sizeof *rows, by_score);
    while (missed < count && !bench_is_called(model, scores[rows[missed]])) missed++;
    if (missed < FEWEST) missed = count / 2;
    qsort(rows, (size_t)missed, sizeof *rows, by_row);
    double *x = standardize(t, rows, missed);
    int *group = allocate(missed, sizeof *group);
    int largest = missed ? group_rows(x, missed, odim_table_cols(t), group) : 0;
    for (int64_t i = 0; i < missed; i++) {
        kind[rows[i]] = group[i] == largest;
        found += group[i] == largest;
    }
    free(group);
    free(x);
    free(rows);
    return found;
}

/* ---- before and after ------------------------------------------------------------------------------- */

/* AUC of the rows that are not marked: all outliers, or only those of the kind. */
static double judge(const odim_table *t, const double *scores, const int8_t *known, const int8_t *kind)
{
    const int8_t *labels = odim_table_labels(t);
    int64_t n = odim_table_rows(t), count = 0;
    double *s = allocate(n, sizeof *s), auc = NAN;
    int8_t *l = allocate(n, 1);
    odim_error err;
    for (int64_t i = 0; i < n; i++) {
        if (known[i] >= 0 || (kind && labels[i] == 1 && !kind[i])) continue;
        s[count] = scores[i];
        l[count++] = labels[i];
    }
    bench_check("AUC", odim_auc(s, l, count, &auc, &err), &err);
    free(s);
    free(l);
    return auc;
}

static outcome look(const odim_table *t, const odim_model *model, const double *scores, const int8_t *known,
                    const int8_t *kind)
{
    outcome o = {.auc = judge(t, scores, known, NULL), .kind_auc = judge(t, scores, known, kind)};
    for (int64_t i = 0; i < odim_table_rows(t); i++) {
        bool called = bench_is_called(model, scores[i]) && known[i] < 0;
        o.kind_called += called && kind[i];
        o.inliers_called += called && odim_table_labels(t)[i] == 0;
    }
    return o;
}

static void mark_some(const odim_table *t, const int8_t *kind, int64_t found, int marks, int8_t *known)
{
    int64_t at = 0;
    for (int64_t i = 0; i < odim_table_rows(t); i++) {
        known[i] = -1;
        if (!kind[i]) continue;
        if ((at + 1) * marks / found > at * marks / found) known[i] = 1;
        at++;
    }
}

static void run_set(const table_set *set, const odim_params *params, int marks)
{
    odim_error err;
    odim_model *first, *second;
    odim_table *t = sets_read(set);
    int64_t n = odim_table_rows(t);
    if (n > MOST_ROWS) {
        odim_table_free(t);
        return;
    }
    double *scores = allocate(n, sizeof *scores), *after = allocate(n, sizeof *after);
    int8_t *kind = allocate(n, 1), *known = allocate(n, 1);
    bench_check(set->name, odim_detect(t, params, NULL, &first, scores, &err), &err);
    int64_t found = find_kind(t, first, scores, kind);
    if (found >= 2 * (int64_t)marks) {
        mark_some(t, kind, found, marks, known);
        bench_check(set->name, odim_table_set_known(t, known, &err), &err);
        bench_check(set->name, odim_detect(t, params, NULL, &second, after, &err), &err);
        outcome a = look(t, first, scores, known, kind), b = look(t, second, after, known, kind);
        printf("| %s | %lld | %lld | %.4f | %.4f | %.4f | %.4f | %lld | %lld | %lld | %lld |\n", set->name,
               (long long)n, (long long)found - marks, a.auc, b.auc, a.kind_auc, b.kind_auc,
               (long long)a.kind_called, (long long)b.kind_called, (long long)a.inliers_called,
               (long long)b.inliers_called);
        fflush(stdout);
        odim_model_free(second);
    }
    odim_model_free(first);
    free(scores);
    free(after);
    free(kind);
    free(known);
    odim_table_free(t);
}

int main(int argc, char **argv)
{
    static table_set sets[MAX_SETS];
    const char *wanted = NULL;
    int marks = 5;
    odim_params *params = odim_params_new();
    if (!params) bench_die("learn", "out of memory");
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--sets") == 0)
            wanted = argv[i + 1];
        else if (strcmp(argv[i], "--marks") == 0)
            marks = (int)bench_count(argv[i + 1], 1000);
        else if (strcmp(argv[i], "--seed") == 0)
            bench_set(params, "seed", argv[i + 1]);
        else if (strcmp(argv[i], "--set") == 0)
            bench_assign(params, argv[i + 1]);
        else
            bench_die(argv[i], "is not an option");
    }
    if (argc % 2 == 0) bench_die(argv[argc - 1], "needs a value");
    int count = sets_find(sets, wanted);
    bench_head(argc, argv, params);
    printf(
        "\n| table | rows | others of the kind | AUC before | after | AUC of the kind before | after | kind "
        "called before | after | inliers called before | after |\n"
        "|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    for (int i = 0; i < count; i++) run_set(&sets[i], params, marks);
    odim_params_free(params);
    return 0;
}
