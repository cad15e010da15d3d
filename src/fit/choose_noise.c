/* Chooses the noise of scoring from a pool, by the losses of training rows. */
#include "fit/choose_noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/compare.h"
#include "common/mem.h"
#include "common/sort.h"
#include "fit/noise.h"

#define ROWS        128 /* rows that vectors are chosen by */
#define MIDDLE_ROWS 64  /* of these, for the middle error */
#define PILOTS      8   /* vectors that tell which rows have high losses */
#define BLOCK_ROWS  64  /* rows that the network sees at a time */
#define STEPS       64  /* of the table, per unit */
#define TABLE_END   16  /* log(1 + exp(-x)) is nothing beyond */

/* ---- the choice ---- */

/* log(1 + exp(-x)) for x >= 0 at multiples of 1 / STEPS. Linear between them it is right to 1e-5. */
typedef struct softplus_table {
    float at[TABLE_END * STEPS + 2];
} softplus_table;

static void fill_table(softplus_table *t)
{
    for (int i = 0; i < TABLE_END * STEPS + 2; i++) t->at[i] = (float)log1p(exp(-(double)i / STEPS));
}

/* The loss of the sum of two w, from the loss of each: -log(exp(-a) + exp(-b)). */
static inline float add_losses(const softplus_table *t, float a, float b)
{
    float low = a < b ? a : b, gap = (a < b ? b : a) - low;
    if (!(gap < TABLE_END)) return low;
    float place = gap * STEPS;
    int i = (int)place;
    return low - (t->at[i] + (place - (float)i) * (t->at[i + 1] - t->at[i]));
}

/* How far the losses of a set of vectors are from those of the pool, but for a constant: the middle of some
 * of the errors, since their sum hardly changes where it is least. */
static double distance(const float *error, int64_t rows)
{
    double some[MIDDLE_ROWS] = {0};
    int64_t count = rows < MIDDLE_ROWS ? rows : MIDDLE_ROWS;
    for (int64_t i = 0; i < count; i++) some[i] = (double)error[i * rows / count];
    float constant = (float)od_select_double(some, count, (count - 1) / 2);
    double sum = 0;
    for (int64_t i = 0; i < rows; i++) sum += fabs((double)(error[i] - constant));
    return sum;
}

void od_noise_choose(const float *loss, int64_t pool, int64_t rows, int64_t k, int64_t *chosen,
                     float *scratch)
{
    softplus_table table;
    float *goal = scratch, *sum = goal + rows, *error = sum + rows;
    fill_table(&table);
    for (int64_t i = 0; i < rows; i++) {
        goal[i] = sum[i] = INFINITY;
        for (int64_t p = 0; p < pool; p++) goal[i] = add_losses(&table, goal[i], loss[p * rows + i]);
    }
    for (int64_t s = 0; s < k; s++) {
        double least = INFINITY;
        chosen[s] = -1;
        for (int64_t p = 0; p < pool; p++) {
            bool taken = false;
            for (int64_t before = 0; before < s; before++) taken = taken || chosen[before] == p;
            if (taken) continue;
            for (int64_t i = 0; i < rows; i++)
                error[i] = add_losses(&table, sum[i], loss[p * rows + i]) - goal[i];
            double far = distance(error, rows);
            if (chosen[s] < 0 || far < least) {
                chosen[s] = p;
                least = far;
            }
        }
        for (int64_t i = 0; i < rows; i++) sum[i] = add_losses(&table, sum[i], loss[chosen[s] * rows + i]);
    }
}

/* ---- the rows and their losses ---- */

odim_status od_noise_chooser_new(od_noise_chooser *c, const odim_model *model, odim_error *err)
{
    const od_shape *shape = &model->layout.shape;
    int64_t pool = model->config.score_pool, keep = od_model_score_samples(model);
    *c = (od_noise_chooser){.d = shape->d, .latent = shape->latent};
    if (keep == 0 || pool <= keep || model->width > OD_WIDE) return ODIM_OK;
    odim_status status = od_iwae_new(&c->net, od_kern_get(), &model->layout,
                                     &(od_net_options){.rows = BLOCK_ROWS, .samples = 1}, err);
    if (status) return status;
    size_t losses = (size_t)pool * ROWS, pilots = PILOTS * OD_NOISE_CANDIDATES;
    bool ok = (c->noise = od_alloc((size_t)(pool * c->latent), sizeof(float))) &&
              (c->x = od_alloc(OD_NOISE_CANDIDATES, (size_t)c->d * sizeof(float))) &&
              (c->loss = od_alloc(losses > pilots ? losses : pilots, sizeof(float))) &&
              (c->error = od_alloc(3 * ROWS, sizeof(float))) &&
              (c->order = od_alloc(OD_NOISE_CANDIDATES, sizeof *c->order)) &&
              (c->chosen = od_alloc((size_t)keep, sizeof *c->chosen));
    c->pool = pool;
    if (ok) return ODIM_OK;
    od_noise_chooser_free(c);
    return od_fail_nomem(err);
}

void od_noise_chooser_free(od_noise_chooser *c)
{
    if (c->pool) od_iwae_free(&c->net);
    od_free(c->noise);
    od_free(c->x);
    od_free(c->loss);
    od_free(c->error);
    od_free(c->order);
    od_free(c->chosen);
    *c = (od_noise_chooser){0};
}

/* The losses (vectors, rows) of the rows with each of the first vectors alone. */
static void take_losses(od_noise_chooser *c, int64_t vectors, int64_t rows)
{
    for (int64_t at = 0; at < rows; at += BLOCK_ROWS)
        od_iwae_losses(&c->net, c->x + at * c->d, rows - at < BLOCK_ROWS ? rows - at : BLOCK_ROWS, c->noise,
                       vectors, rows, c->loss + at);
}

typedef struct candidate {
    float loss;
    int64_t row;
} candidate;

static int by_loss(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->loss < y->loss || x->loss > y->loss) return x->loss < y->loss ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Keeps ROWS of the candidates in c->x: those with the highest losses, and as many others. */
static odim_status thin_rows(od_noise_chooser *c, int64_t *rows, odim_error *err)
{
    if (*rows <= ROWS) return ODIM_OK;
    candidate *all = od_alloc((size_t)*rows, sizeof *all);
    if (!all) return od_fail_nomem(err);
    int64_t vectors = c->pool < PILOTS ? c->pool : PILOTS, n = *rows, rest = n - ROWS / 2;
    take_losses(c, vectors, n);
    for (int64_t i = 0; i < n; i++) {
        all[i] = (candidate){INFINITY, i};
        for (int64_t p = 0; p < vectors; p++) all[i].loss = fminf(all[i].loss, c->loss[p * n + i]);
    }
    qsort(all, (size_t)n, sizeof *all, by_loss);
    for (int64_t i = 0; i < ROWS / 2; i++) {
        c->order[i] = all[rest + i].row;
        c->order[ROWS / 2 + i] = all[i * rest / (ROWS / 2)].row;
    }
    od_free(all);
    qsort(c->order, ROWS, sizeof *c->order, od_compare_int64);
    for (int64_t i = 0; i < ROWS; i++)
        memmove(c->x + i * c->d, c->x + c->order[i] * c->d, (size_t)c->d * sizeof *c->x);
    *rows = ROWS;
    return ODIM_OK;
}

/* A row that has no loss has no say. */
static void silence(float *loss, int64_t pool, int64_t rows)
{
    for (int64_t i = 0; i < rows; i++) {
        bool finite = true;
        for (int64_t p = 0; p < pool; p++) finite = finite && isfinite(loss[p * rows + i]);
        for (int64_t p = 0; !finite && p < pool; p++) loss[p * rows + i] = 0.0f;
    }
}

odim_status od_noise_chooser_run(od_noise_chooser *c, odim_model *model, int64_t index, const float *params,
                                 const float *stats, int64_t rows, odim_error *err)
{
    int64_t keep = od_model_score_samples(model);
    od_rng s = od_rng_make(model->config.seed, (uint32_t)index, OD_RNG_SCORE, 0);
    odim_status status = od_noise_fill(c->noise, c->pool, c->latent, &s, err);
    if (status) return status;
    od_iwae_ready(&c->net, params, stats);
    if ((status = thin_rows(c, &rows, err))) return status;
    take_losses(c, c->pool, rows);
    silence(c->loss, c->pool, rows);
    od_noise_choose(c->loss, c->pool, rows, keep, c->chosen, c->error);
    for (int64_t i = 0; i < keep; i++)
        memcpy(model->member[index].noise + i * c->latent, c->noise + c->chosen[i] * c->latent,
               (size_t)c->latent * sizeof(float));
    return ODIM_OK;
}
