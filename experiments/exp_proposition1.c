/*
 * Proposition 1: in a linear factor model, x = W z + b + N(0, sigma^2), z = U x + v + N(0, eta^2), with all
 * of W, b, U, v uniform in [-1, 1], the expected squared norm of the gradient of the VAE's objective by (W,
 * b) grows with the fourth power of the norm of x.
 *
 * The expectation over z is exact: with m = U x + v
 *
 *     d/dW_ij = [(x_i - b_i) m_j - m_j sum_j' W_ij' m_j' - eta^2 W_ij] / sigma^2
 *     d/db_i  = [(x_i - b_i) - sum_j W_ij m_j] / sigma^2
 *
 * The one over the parameters is measured with random ones and, beside it, worked out: with s = (|x|^2 + 1) /
 * 3 and q = E m_j^4 = (|x|^2 + 1)^2 / 3 - 2 (sum x_i^4 + 1) / 15
 *
 *     E (d/dW_ij)^2 = (x_i^2 + 1/3) s + (q + (d - 1) s^2) / 3 + 2 eta^2 s / 3 + eta^4 / 3
 *     E (d/db_i)^2  = x_i^2 + 1/3 + d s / 3
 *
 * (The paper's proof has s where s^2 belongs, and eta^4 with a fourth power of w; the conclusion stands.)
 */
#include <math.h>

#include "experiment.h"
#include "plot_figure.h"

enum { FEATURES = 21, LATENT = 5, DRAWS = 4000, NORMS = 11, KINDS = 2 }; /* as many columns as cardio has */

static const char *const kinds[KINDS] = {"spread", "one"};
static const char *const kind_names[KINDS] = {"the same in every column", "all in one column"};

/* The norm, by the sum of absolute values: 10^-2 to 10^3, two a decade. */
static double norm_of(int i)
{
    return pow(10, -2 + 0.5 * i);
}

static void make_x(int kind, double norm, double x[FEATURES])
{
    for (int i = 0; i < FEATURES; i++) x[i] = kind == 0 ? norm / FEATURES : i == 0 ? norm : 0;
}

static double uniform(uint64_t *state)
{
    return (double)(exp_random(state) >> 11) / (double)(UINT64_C(1) << 52) - 1;
}

/* |gradient|^2 for one draw of the parameters; sigma = eta = 1. */
static double draw(const double x[FEATURES], uint64_t *state)
{
    double m[LATENT], sum = 0;
    for (int j = 0; j < LATENT; j++) {
        m[j] = uniform(state);
        for (int i = 0; i < FEATURES; i++) m[j] += uniform(state) * x[i];
    }
    for (int i = 0; i < FEATURES; i++) {
        double w[LATENT], b = uniform(state), wm = 0;
        for (int j = 0; j < LATENT; j++) {
            w[j] = uniform(state);
            wm += w[j] * m[j];
        }
        double db = x[i] - b - wm;
        sum += db * db;
        for (int j = 0; j < LATENT; j++) {
            double dw = (x[i] - b - wm) * m[j] - w[j];
            sum += dw * dw;
        }
    }
    return sum;
}

static double work_out(const double x[FEATURES])
{
    double squares = 0, fourths = 0, sum = 0;
    for (int i = 0; i < FEATURES; i++) {
        squares += x[i] * x[i];
        fourths += pow(x[i], 4);
    }
    double s = (squares + 1) / 3, q = (squares + 1) * (squares + 1) / 3 - 2 * (fourths + 1) / 15;
    for (int i = 0; i < FEATURES; i++) {
        double dw = (x[i] * x[i] + 1.0 / 3) * s + (q + (LATENT - 1) * s * s) / 3 + 2 * s / 3 + 1.0 / 3;
        sum += LATENT * dw + x[i] * x[i] + 1.0 / 3 + LATENT * s / 3;
    }
    return sum;
}

static void measure(exp_run *r)
{
    for (int kind = 0; kind < KINDS; kind++) {
        for (int k = 0; k < NORMS; k++) {
            char setting[TSV_NAME];
            snprintf(setting, sizeof setting, "%.4g", norm_of(k));
            for (int seed = 0; seed < r->seeds; seed++) {
                if (!exp_wants(r, kinds[kind], setting, seed)) continue;
                double x[FEATURES], sum = 0;
                make_x(kind, norm_of(k), x);
                uint64_t state = (uint64_t)seed * 1000003 + (uint64_t)k;
                for (int i = 0; i < DRAWS; i++) sum += draw(x, &state);
                exp_put(r, kinds[kind], setting, seed, (double[]){sum / DRAWS, work_out(x)});
            }
        }
    }
}

/* What was measured of a kind: returns how many norms. */
static int collect(const exp_run *r, int kind, double x[NORMS], double y[2][NORMS])
{
    int count = 0;
    for (int k = 0; k < NORMS; k++) {
        char setting[TSV_NAME];
        snprintf(setting, sizeof setting, "%.4g", norm_of(k));
        y[0][count] = cells_mean(r->cells, kinds[kind], setting, "measured", NULL);
        y[1][count] = cells_mean(r->cells, kinds[kind], setting, "worked_out", NULL);
        x[count] = norm_of(k);
        count += !isnan(y[0][count]);
    }
    return count;
}

/* The figure has norms, not squares, and ends at 100: the axes stay readable. */
static int shorten(const double x[NORMS], int count, double y[2][NORMS])
{
    int shown = 0;
    for (int k = 0; k < count; k++) {
        if (x[k] <= 100) shown = k + 1;
        y[0][k] = sqrt(y[0][k]);
        y[1][k] = sqrt(y[1][k]);
    }
    return shown;
}

static void report(const exp_run *r, FILE *page)
{
    static double x[KINDS][NORMS], y[KINDS][2][NORMS];
    static plot_series series[2 * KINDS];
    fprintf(page,
            "\nA linear factor model with %d columns and %d latent ones, sigma = eta = 1; the mean over %d "
            "draws\n"
            "of the parameters a seed. The exponent is the slope between this norm and the one before: 4 is\n"
            "what the proposition says.\n",
            FEATURES, LATENT, DRAWS);
    for (int kind = 0; kind < KINDS; kind++) {
        int count = collect(r, kind, x[kind], y[kind]);
        fprintf(
            page,
            "\n## x is %s\n\n| l1 norm of x | E gradient^2 | worked out | exponent |\n|--:|--:|--:|--:|\n",
            kind_names[kind]);
        for (int k = 0; k < count; k++) {
            fprintf(page, "| %.3g | %.4g | %.4g |", x[kind][k], y[kind][0][k], y[kind][1][k]);
            if (k)
                fprintf(page, " %.2f |\n",
                        log(y[kind][0][k] / y[kind][0][k - 1]) / log(x[kind][k] / x[kind][k - 1]));
            else
                fputs(" |\n", page);
        }
        count = shorten(x[kind], count, y[kind]);
        series[2 * kind] = (plot_series){.name = kind_names[kind],
                                         .kind = PLOT_DOTS,
                                         .color = kind ? PLOT_ORANGE : PLOT_BLUE,
                                         .x = x[kind],
                                         .y = y[kind][0],
                                         .count = count};
        series[2 * kind + 1] = (plot_series){.name = "worked out",
                                             .kind = PLOT_STROKE,
                                             .color = PLOT_GREY,
                                             .x = x[kind],
                                             .y = y[kind][1],
                                             .count = count};
    }
    plot_panel panel = {.x_label = "l1 norm of x",
                        .y_label = "norm of the gradient",
                        .x_log = 1,
                        .y_log = 1,
                        .series = series,
                        .count = 2 * KINDS};
    FILE *f = exp_figure(r, "");
    plot_figure_write(f,
                      &(plot_figure){.page = {.title = "Proposition 1: the gradient and the norm of a row"},
                                     .columns = 1,
                                     .column_width = 560,
                                     .panel_height = 340,
                                     .panels = &panel,
                                     .count = 1});
    exp_close(f, "figure");
    fputs("\n![Norm of the gradient against the norm of a row](proposition1.svg)\n", page);
}

const experiment exp_proposition1 = {
    .name = "proposition1",
    .about = "The gradient against the norm of a row in the linear factor model (Proposition 1)",
    .columns = "measured worked_out",
    .measure = measure,
    .report = report,
};
