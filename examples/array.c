/*
 * Finds the outlier of an array in memory: no file, a smaller ensemble, a progress callback.
 *
 *     cc array.c $(pkg-config --cflags --libs odim) -lm -o array && ./array
 */
#include <math.h>
#include <odim.h>
#include <stdio.h>

enum { ROWS = 600, COLS = 4, ODD = 417 };

static double x[ROWS][COLS];
static double score[ROWS];
static int64_t rank[ROWS];

/* Called about ten times a second. To give up, return something else than 0. */
static int show(const odim_progress *now, void *user)
{
    (void)user;
    fprintf(stderr, "\r%3.0f %%  %s", 100 * now->fraction, odim_stage_text(now->stage));
    return 0;
}

/* A machine that turns: position, speed, temperature and current follow one another, except once. */
static void fill(void)
{
    for (int i = 0; i < ROWS; i++) {
        double t = 0.1 * i;
        x[i][0] = sin(t);
        x[i][1] = cos(t) + 0.05 * sin(17 * t);
        x[i][2] = 60 + 4 * sin(t - 0.5) + 0.3 * cos(31 * t);
        x[i][3] = 2 + 0.5 * cos(t - 0.2) + 0.04 * sin(23 * t);
    }
    x[ODD][2] = 71; /* too hot */
    x[ODD][3] = 0.8;
}

int main(void)
{
    const char *names[COLS] = {"position", "speed", "temperature", "current"};
    const odim_hooks hooks = {.size = sizeof(odim_hooks), .progress = show};
    odim_error err = {.msg = "out of memory"};
    odim_table *table = NULL;
    odim_model *model = NULL;
    odim_params *params = odim_params_new();

    fill();
    int bad = !params || odim_params_set(params, "members", "3", &err) ||
              odim_table_wrap_f64(&table, &x[0][0], ROWS, COLS, 0, names, &err) ||
              odim_fit(table, params, &hooks, &model, &err) ||
              odim_score(model, table, params, &hooks, score, &err) || odim_rank(score, ROWS, rank, &err);
    fputs("\n", stderr);
    if (bad) fprintf(stderr, "%s\n", err.msg);
    for (int i = 0; !bad && i < ROWS; i++) {
        if (rank[i] > 1) continue;
        printf("row %d is the most unusual:", i);
        for (int j = 0; j < COLS; j++)
            printf(" %s %.2f", odim_table_name(table, j), odim_table_value(table, i, j));
        printf("\n");
    }
    odim_model_free(model);
    odim_table_free(table);
    odim_params_free(params);
    return bad;
}
