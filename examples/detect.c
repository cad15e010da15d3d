/*
 * Reads a table, fits, scores, and prints the five rows that stand out most.
 *
 *     cc detect.c $(pkg-config --cflags --libs odim) -o detect && ./detect data.csv
 */
#include <odim.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    odim_error err = {.msg = "out of memory"};
    odim_table *table;
    odim_model *model = NULL;

    if (odim_table_read(&table, argc > 1 ? argv[1] : "-", NULL, &err)) {
        fprintf(stderr, "%s\n", err.msg);
        return 1;
    }
    int64_t n = odim_table_rows(table);
    double *score = malloc((size_t)n * sizeof *score);
    int64_t *rank = malloc((size_t)n * sizeof *rank);
    int bad = !score || !rank || odim_fit(table, NULL, NULL, &model, &err) ||
              odim_score(model, table, NULL, NULL, score, &err) || odim_rank(score, n, rank, &err);
    if (bad) fprintf(stderr, "%s\n", err.msg);
    for (int place = 1; !bad && place <= 5; place++)
        for (int64_t i = 0; i < n; i++)
            if (rank[i] == place) printf("row %lld  score %.3f\n", (long long)i + 1, score[i]);
    free(rank);
    free(score);
    odim_model_free(model);
    odim_table_free(table);
    return bad;
}
