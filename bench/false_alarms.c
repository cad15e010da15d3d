/*
 * How many rows of a table without outliers are called outliers? Made-up clean tables of several kinds and
 * sizes.
 *
 *     false_alarms [--tables N] [--first N] [--set PARAMETER=VALUE]...
 *
 * --tables: of each kind, number of rows and number of columns (3). --first: seed of the first of them (0);
 * the constants of the calibration were chosen with 0 to 5 in view, so others are the fair ones. Writes a
 * table of docs/CALIBRATION.md: for each kind and number of rows, and for all of these together, the mean
 * share of rows that are flagged, and the largest of any table.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "clean_tables.h"

static const int64_t row_counts[] = {200, 1000, 5000, 20000}, column_counts[] = {2, 5, 10, 30};
enum { ROW_COUNTS = 4, COLUMN_COUNTS = 4, MOST_ROWS = 20000, MOST_COLUMNS = 30 };

static double share_flagged(clean_kind kind, int64_t rows, int64_t cols, uint64_t seed,
                            const odim_params *params)
{
    static float x[MOST_ROWS * MOST_COLUMNS];
    static double scores[MOST_ROWS];
    const char *name = clean_name(kind);
    odim_table *table;
    odim_model *model;
    odim_error err;
    clean_fill(x, rows, cols, kind, seed);
    bench_check(name, odim_table_wrap_f32(&table, x, rows, cols, 0, NULL, &err), &err);
    bench_check(name, odim_detect(table, params, NULL, &model, scores, &err), &err);
    int64_t flagged = 0;
    for (int64_t i = 0; i < rows; i++) flagged += bench_is_called(model, scores[i]);
    odim_model_free(model);
    odim_table_free(table);
    return (double)flagged / (double)rows;
}

static void print_kind(clean_kind kind, int tables, uint64_t first, const odim_params *params)
{
    double all = 0.0, worst = 0.0;
    printf("| %s", clean_name(kind));
    for (int r = 0; r < ROW_COUNTS; r++) {
        double sum = 0.0, most = 0.0;
        for (int i = 0; i < COLUMN_COUNTS * tables; i++) {
            double share = share_flagged(kind, row_counts[r], column_counts[i % COLUMN_COUNTS],
                                         first + (uint64_t)(i / COLUMN_COUNTS), params);
            sum += share;
            most = fmax(most, share);
        }
        printf(" | %.2f %% (%.2f %%)", 100.0 * sum / (COLUMN_COUNTS * tables), 100.0 * most);
        fflush(stdout);
        all += sum / (COLUMN_COUNTS * tables) / ROW_COUNTS;
        worst = fmax(worst, most);
    }
    printf(" | %.2f %% (%.2f %%) |\n", 100.0 * all, 100.0 * worst);
}

static void print_heading(void)
{
    printf("| kind");
    for (int r = 0; r < ROW_COUNTS; r++) printf(" | %lld rows", (long long)row_counts[r]);
    printf(" | all |\n|:--|--:|--:|--:|--:|--:|\n");
}

int main(int argc, char **argv)
{
    int tables = 3;
    uint64_t first = 0;
    odim_params *params = odim_params_new();
    if (!params) bench_die("parameters", "out of memory");
    for (int i = 1; i < argc; i += 2) {
        const char *value = argv[i + 1];
        if (!value) bench_die(argv[i], "its value is missing");
        if (strcmp(argv[i], "--tables") == 0)
            tables = (int)bench_count(value, 1000);
        else if (strcmp(argv[i], "--first") == 0)
            first = (uint64_t)bench_count(value, 1000000);
        else if (strcmp(argv[i], "--set") == 0)
            bench_assign(params, value);
        else
            bench_die(argv[i], "unknown option");
    }
    bench_head(argc, argv, params);
    print_heading();
    for (int kind = 0; kind < CLEAN_KINDS; kind++) print_kind((clean_kind)kind, tables, first, params);
    odim_params_free(params);
    return 0;
}
