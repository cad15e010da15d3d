/*
 * Scores lines of standard input as they come, with a model file and without allocating memory for a line.
 *
 *     stream MODEL <lines
 *
 * A line has a field for each column of the model, separated by commas. The line is printed again behind its
 * score if it is an outlier, or if it cannot be read.
 */
#include <math.h>
#include <odim.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const odim_error *err)
{
    fprintf(stderr, "stream: %s\n", err->msg);
    return 1;
}

int main(int argc, char **argv)
{
    odim_error err;
    odim_model *model;
    odim_scorer *scorer;
    char line[65536];
    if (argc != 2) {
        fprintf(stderr, "usage: stream MODEL <lines\n");
        return 2;
    }
    if (odim_model_load(&model, argv[1], &err) || odim_scorer_new(&scorer, model, &err)) return fail(&err);
    int64_t cols = odim_model_cols(model);
    double *values = malloc((size_t)cols * sizeof *values), score;
    while (values && fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = '\0';
        char *at = line;
        int bad = 0;
        for (int64_t j = 0; j < cols; j++) {
            char *end = at ? strchr(at, ',') : NULL;
            if (end) *end = '\0';
            values[j] = NAN;
            bad |= !at || odim_model_value(model, j, at, &values[j], &err) != ODIM_OK;
            if (end) *end = ',';
            at = end ? end + 1 : NULL;
        }
        bad |= at != NULL;
        if (odim_scorer_score(scorer, values, 1, 0, &score, NULL, &err)) return fail(&err);
        if (bad) score = odim_model_bad_row_score(model, score);
        if (score > odim_model_threshold(model)) printf("%.2f  %s\n", score, line);
    }
    free(values);
    odim_scorer_free(scorer);
    odim_model_free(model);
    return 0;
}
