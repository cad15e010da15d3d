/*
 * Proposition 2 and Figure 3: the norms of inliers and outliers under both scalings, and the norms of their
 * gradients at the start of training. Standardisation should give outliers larger norms, and by Proposition 1
 * larger gradients, while min-max scaling keeps them alike.
 *
 * The network is that of the figure: a VAE with two hidden layers of 50 and a latent of 5, a Gaussian with
 * learned variance, no batch normalisation (it has no gradient of one row). The gradient is by the decoder's
 * parameters, as in the proposition, and the norm a mean over networks that start differently.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "experiment.h"
#include "net/iwae.h"
#include "plot_figure.h"
#include "common/compare.h"

enum { SCALES = 2, KINDS = 2, STARTS = 5, BINS = 24, MADE_ROWS = 2000, MADE_COLUMNS = 10, MOST_ROWS = 20000 };

static const char *const scales[SCALES] = {"minmax", "standard"};
static const char *const kinds[KINDS] = {"norm", "gradient"};
#define DRAWN "cardio" /* of this set the whole distribution is kept */
#define MADE  "made up"

typedef struct rows {
    const char *name;
    int64_t n, d;
    float *x;             /* (n, d), scaled */
    const int8_t *labels; /* (n) */
    double *size[KINDS];  /* (n) */
} rows;

/* ---- the rows --------------------------------------------------------------------------------------- */

static void scale_column(const double *raw, int64_t n, bool standard, float *out, int64_t stride)
{
    double low = raw[0], high = raw[0], mean = 0, square = 0;
    for (int64_t i = 0; i < n; i++) {
        low = fmin(low, raw[i]);
        high = fmax(high, raw[i]);
        mean += raw[i] / (double)n;
    }
    for (int64_t i = 0; i < n; i++) square += (raw[i] - mean) * (raw[i] - mean) / (double)n;
    double zero = standard ? mean : low, unit = standard ? sqrt(square) : high - low;
    for (int64_t i = 0; i < n; i++) out[i * stride] = unit > 0 ? (float)((raw[i] - zero) / unit) : 0;
}

static double normal(uint64_t *state)
{
    double u = ((double)(exp_random(state) >> 11) + 0.5) * 0x1p-53;
    double v = (double)(exp_random(state) >> 11) * 0x1p-53;
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

/* What the proposition is about: inliers in a ball, outliers in a shell around it, both around zero. */
static void make_rows(double *raw, int8_t *labels, uint64_t seed)
{
    for (int i = 0; i < MADE_ROWS; i++) {
        labels[i] = i % 10 == 0;
        double x[MADE_COLUMNS], length = 0;
        for (int j = 0; j < MADE_COLUMNS; j++) {
            x[j] = normal(&seed);
            length += x[j] * x[j];
        }
        double u = (double)(exp_random(&seed) >> 11) * 0x1p-53;
        double radius = labels[i] ? 1.5 + u : u;
        for (int j = 0; j < MADE_COLUMNS; j++) raw[j * MADE_ROWS + i] = radius * x[j] / sqrt(length);
    }
}

/* ---- norms ------------------------------------------------------------------------------------------ */

static void take_norms(rows *s)
{
    for (int64_t i = 0; i < s->n; i++) {
        s->size[0][i] = 0;
        for (int64_t j = 0; j < s->d; j++) s->size[0][i] += fabs((double)s->x[i * s->d + j]);
    }
}

/* Adds the norms of the gradients of one start. */
static void add_gradients(rows *s, int seed, uint32_t start)
{
    odim_error err;
    od_shape shape = {.d = s->d, .layers = 2, .hidden = {50, 50}, .latent = 5, .lik = OD_LIK_GAUSSIAN};
    od_layout layout;
    od_layout_make(&layout, &shape);
    od_iwae net;
    bench_check(s->name,
                od_iwae_new(&net, od_kern_get(), &layout,
                            &(od_net_options){.rows = 1, .samples = 1, .training = true}, &err),
                &err);
    float *params = malloc(layout.params * sizeof *params), *grad = malloc(layout.params * sizeof *grad);
    float *stats = malloc((layout.stats + 1) * sizeof *stats);
    float *eps = calloc((size_t)od_iwae_noise(&net, 1), sizeof *eps);
    if (!params || !grad || !stats || !eps) bench_die(s->name, "out of memory");
    od_layout_init(&layout, (uint64_t)seed, start, params, stats);
    uint64_t state = (uint64_t)seed * 64 + start;
    for (int64_t i = 0; i < s->n; i++) {
        for (int64_t j = 0; j < shape.latent; j++)
            eps[od_iwae_noise_at(&net, 1, 0, 0, j)] = (float)normal(&state);
        float loss;
        double sum = 0;
        memset(grad, 0, layout.params * sizeof *grad);
        od_iwae_grad(&net, params, stats, grad,
                     &(od_train_batch){.x = s->x + i * s->d, .rows = 1, .eps = eps, .loss = &loss});
        for (size_t k = layout.dec.layer[0].w; k < layout.params; k++)
            sum += (double)grad[k] * (double)grad[k];
        s->size[1][i] += sqrt(sum) / STARTS;
    }
    free(params);
    free(grad);
    free(stats);
    free(eps);
    od_iwae_free(&net);
}

/* ---- cells ------------------------------------------------------------------------------------------ */

static void put_mean(exp_run *r, const rows *s, const char *scale, int kind, int seed)
{
    char setting[TSV_NAME];
    double sum[2] = {0, 0}, count[2] = {0, 0};
    for (int64_t i = 0; i < s->n; i++) {
        sum[s->labels[i]] += s->size[kind][i];
        count[s->labels[i]]++;
    }
    snprintf(setting, sizeof setting, "%s, %s", scale, kinds[kind]);
    exp_put(r, s->name, setting, seed, (double[]){sum[0] / count[0], sum[1] / count[1]});
}

/* The value that a share of them is below. */
static double quantile(const char *name, const double *values, int64_t n, double share)
{
    double *sorted = malloc((size_t)n * sizeof *sorted);
    if (!sorted) bench_die(name, "out of memory");
    memcpy(sorted, values, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, od_compare_double);
    double value = sorted[(int64_t)(share * (double)(n - 1))];
    free(sorted);
    return value;
}

/* A histogram: the share of inliers, and of outliers, in each bin, whose left end is the end of the setting.
 * The last bin holds all that is above it. */
static void put_bins(exp_run *r, const rows *s, const char *scale, int kind, int seed)
{
    double low = quantile(s->name, s->size[kind], s->n, 0),
           high = quantile(s->name, s->size[kind], s->n, 0.98);
    double share[BINS + 1][2] = {{0}}, count[2] = {0, 0};
    for (int64_t i = 0; i < s->n; i++) count[s->labels[i]]++;
    for (int64_t i = 0; i < s->n; i++) {
        double bin = BINS * (s->size[kind][i] - low) / (high - low);
        share[bin < BINS ? (int)bin : BINS - 1][s->labels[i]] += 1 / count[s->labels[i]];
    }
    for (int b = 0; b <= BINS; b++) {
        char setting[TSV_NAME];
        snprintf(setting, sizeof setting, "%s, %s, from %.5g", scale, kinds[kind],
                 low + b * (high - low) / BINS);
        if (!cells_has(r->cells, s->name, setting, seed)) exp_put(r, s->name, setting, seed, share[b]);
    }
}

static void measure_scale(exp_run *r, rows *s, const double *raw, int scale, int seed)
{
    char setting[TSV_NAME];
    snprintf(setting, sizeof setting, "%s, %s", scales[scale], kinds[KINDS - 1]);
    if (!exp_wants(r, s->name, setting, seed)) return; /* it is the last that is put */
    for (int64_t j = 0; j < s->d; j++) scale_column(raw + j * s->n, s->n, scale == 1, s->x + j, s->d);
    take_norms(s);
    memset(s->size[1], 0, (size_t)s->n * sizeof *s->size[1]);
    for (uint32_t start = 0; start < STARTS; start++) add_gradients(s, seed, start);
    for (int kind = 0; kind < KINDS; kind++) {
        if (seed == 0 && strcmp(s->name, DRAWN) == 0) put_bins(r, s, scales[scale], kind, seed);
        snprintf(setting, sizeof setting, "%s, %s", scales[scale], kinds[kind]);
        if (!cells_has(r->cells, s->name, setting, seed)) put_mean(r, s, scales[scale], kind, seed);
    }
}

static void measure_rows(exp_run *r, const char *name, const double *raw, const int8_t *labels, int64_t n,
                         int64_t d)
{
    rows s = {.name = name, .n = n, .d = d, .labels = labels};
    s.x = malloc((size_t)(n * d) * sizeof *s.x);
    for (int kind = 0; kind < KINDS; kind++) s.size[kind] = calloc((size_t)n, sizeof *s.size[kind]);
    if (!s.x || !s.size[0] || !s.size[1]) bench_die(name, "out of memory");
    for (int seed = 0; seed < r->seeds; seed++)
        for (int scale = 0; scale < SCALES; scale++) measure_scale(r, &s, raw, scale, seed);
    free(s.x);
    free(s.size[0]);
    free(s.size[1]);
}

static void measure_set(exp_run *r, const table_set *set)
{
    odim_table *table = sets_read(set);
    int64_t n = odim_table_rows(table), d = odim_table_cols(table);
    double *raw = n <= MOST_ROWS ? malloc((size_t)(n * d) * sizeof *raw) : NULL;
    for (int64_t j = 0; raw && j < d; j++)
        for (int64_t i = 0; i < n; i++) raw[j * n + i] = odim_table_value(table, i, j);
    if (raw) measure_rows(r, set->name, raw, odim_table_labels(table), n, d);
    free(raw);
    odim_table_free(table);
}

static void measure(exp_run *r)
{
    static double raw[MADE_ROWS * MADE_COLUMNS];
    static int8_t labels[MADE_ROWS];
    static table_set sets[MAX_SETS];
    make_rows(raw, labels, 1);
    measure_rows(r, MADE, raw, labels, MADE_ROWS, MADE_COLUMNS);
    int count =
        sets_find(sets, r->sets ? r->sets
                                : "arrhythmiaodds,breastw,cardio,glass,ionosphere,landsat,letter,mammography,"
                                  "pendigits,pima,satellite,satimage2,thyroid,vertebral,vowels,wbc,wdbc");
    for (int i = 0; i < count; i++) measure_set(r, &sets[i]);
}

/* ---- the page --------------------------------------------------------------------------------------- */

/* outliers / inliers */
static double ratio(const exp_run *r, const char *set, int scale, int kind)
{
    char setting[TSV_NAME];
    snprintf(setting, sizeof setting, "%s, %s", scales[scale], kinds[kind]);
    return cells_mean(r->cells, set, setting, "outliers", NULL) /
           cells_mean(r->cells, set, setting, "inliers", NULL);
}

static void report_ratios(const exp_run *r, FILE *page)
{
    const tsv *t = cells_all(r->cells);
    double log_sum[SCALES][KINDS] = {{0}};
    int sets = 0;
    fputs("\nHow many times larger the mean of the outliers is than that of the inliers: the l1 norm of a "
          "row, and\n"
          "the l2 norm of the gradient of its VAE loss at the start of training.\n"
          "\n| set | norm, min-max | norm, standard | gradient, min-max | gradient, standard |\n"
          "|:--|--:|--:|--:|--:|\n",
          page);
    for (int i = 0; i < t->count; i++) {
        const char *set = t->rows[i].key[0];
        if (strcmp(t->rows[i].key[1], "standard, gradient") != 0 || strcmp(t->rows[i].key[2], "0") != 0)
            continue;
        fprintf(page, "| %s |", set);
        for (int kind = 0; kind < KINDS; kind++) {
            for (int scale = 0; scale < SCALES; scale++) {
                double value = ratio(r, set, scale, kind);
                fprintf(page, " %.2f |", value);
                if (strcmp(set, MADE) != 0) log_sum[scale][kind] += log(value);
            }
        }
        sets += strcmp(set, MADE) != 0;
        fputs("\n", page);
    }
    if (!sets) return;
    fprintf(page, "| **geometric mean of %d sets** |", sets);
    for (int kind = 0; kind < KINDS; kind++)
        for (int scale = 0; scale < SCALES; scale++)
            fprintf(page, " %.2f |", exp(log_sum[scale][kind] / sets));
    fputs("\n", page);
}

/* The histogram of a panel; returns how many bins. */
static int collect(const exp_run *r, int scale, int kind, double edges[BINS + 1], double shares[2][BINS + 1])
{
    char start[TSV_NAME];
    size_t len = (size_t)snprintf(start, sizeof start, "%s, %s, from ", scales[scale], kinds[kind]);
    const tsv *t = cells_all(r->cells);
    int count = 0;
    for (int i = 0; i < t->count && count <= BINS; i++) {
        const tsv_row *row = &t->rows[i];
        if (strcmp(row->key[0], DRAWN) != 0 || strncmp(row->key[1], start, len) != 0) continue;
        edges[count] = strtod(row->key[1] + len, NULL);
        shares[0][count] = tsv_value(t, row, "inliers");
        shares[1][count++] = tsv_value(t, row, "outliers");
    }
    return count - 1; /* the last edge begins no bin */
}

static void draw(const exp_run *r, FILE *page)
{
    static const char *const titles[SCALES][KINDS] = {{"Min-max: input", "Min-max: gradient"},
                                                      {"Standard: input", "Standard: gradient"}};
    static double edges[SCALES][KINDS][BINS + 1], shares[SCALES][KINDS][2][BINS + 1];
    plot_series series[SCALES][KINDS][2];
    plot_panel panels[SCALES * KINDS];
    for (int scale = 0; scale < SCALES; scale++) {
        for (int kind = 0; kind < KINDS; kind++) {
            int count = collect(r, scale, kind, edges[scale][kind], shares[scale][kind]);
            if (count < 1) return;
            for (int label = 0; label < 2; label++)
                series[scale][kind][label] = (plot_series){.name = label ? "outliers" : "inliers",
                                                           .kind = PLOT_BARS,
                                                           .color = label ? PLOT_ORANGE : PLOT_BLUE,
                                                           .x = edges[scale][kind],
                                                           .y = shares[scale][kind][label],
                                                           .count = count};
            panels[scale * KINDS + kind] =
                (plot_panel){.title = titles[scale][kind],
                             .x_label = kind ? "l2 norm of the gradient" : "l1 norm of a row",
                             .y_label = "share",
                             .from_zero = 1,
                             .series = series[scale][kind],
                             .count = 2};
        }
    }
    FILE *f = exp_figure(r, "");
    plot_figure_write(f,
                      &(plot_figure){.page = {.title = "Norms of rows and of their gradients, cardio",
                                              .subtitle = "The last bar of a panel holds all that is larger"},
                                     .columns = KINDS,
                                     .column_width = 360,
                                     .panel_height = 220,
                                     .panels = panels,
                                     .count = SCALES * KINDS});
    exp_close(f, "figure");
    fputs("\n![Norms of rows and of their gradients](proposition2.svg)\n", page);
}

static void report(const exp_run *r, FILE *page)
{
    report_ratios(r, page);
    draw(r, page);
}

const experiment exp_proposition2 = {
    .name = "proposition2",
    .about = "Norms of rows and gradients under both scalings (Proposition 2, Figure 3)",
    .columns = "inliers outliers",
    .seeds = 1,
    .measure = measure,
    .report = report,
};
