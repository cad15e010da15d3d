/*
 * What does an update of private training cost, compared with a plain one of the same size?
 *
 *     private_step [--repeat N]
 *
 * Batches of 64 rows with 50 samples, the paper's network without batch normalisation, weights that 100 plain
 * updates left (from then on most samples have next to no weight, and plain training leaves them out on the
 * way back). Plain: gradient and Adam. Private: clipped gradients of single rows, noise from the operating
 * system for every parameter, Adam. Both in turn, on one thread; the ratio is the median of the repeats'.
 */
#include <stdio.h>
#include <string.h>

#include "base/csprng.h"
#include "base/mem.h"
#include "bench.h"
#include "fit/ensemble.h"
#include "model/params.h"
#include "net/adam.h"
#include "net/dp_clip.h"
#include "synthetic.h"

enum { ROWS = 2048, BATCH = 64, SAMPLES = 50, BEFORE = 100, MAX_RUNS = 101, TIMES = 5 };

static const int widths[] = {6, 10, 21, 36, 100, 274, 784};
enum { WIDTHS = sizeof widths / sizeof *widths };

typedef struct bed {
    od_layout layout;
    od_iwae plain;
    od_dp_clip private;
    od_csprng dice;
    od_adam adam;
    float *data, *x, *eps, *w, *g, *m, *v, loss[BATCH];
    double *sum, *noise;
    uint32_t step;
} bed;

static void *need(void *p)
{
    if (!p) bench_die("private_step", "out of memory");
    return p;
}

static void bed_new(bed *b, int d)
{
    odim_error err;
    od_config config;
    memset(b, 0, sizeof *b);
    od_params_defaults(&config);
    config.batch_norm = 0;
    od_shape shape = od_ensemble_shape(&config, d);
    od_layout_make(&b->layout, &shape);
    bench_check("net",
                od_iwae_new(&b->plain, od_kern_get(), &b->layout,
                            &(od_net_options){.rows = BATCH, .samples = SAMPLES, .training = true}, &err),
                &err);
    bench_check("clip", od_dp_clip_new(&b->private, od_kern_get(), &b->layout, SAMPLES, &err), &err);
    size_t params = b->layout.params;
    b->data = need(od_alloc((size_t)(ROWS * d), sizeof(float)));
    b->eps = need(od_alloc((size_t)od_iwae_noise(&b->plain, BATCH), sizeof(float)));
    b->w = need(od_calloc(params, sizeof(float)));
    b->g = need(od_calloc(params, sizeof(float)));
    b->m = need(od_calloc(params, sizeof(float)));
    b->v = need(od_calloc(params, sizeof(float)));
    b->sum = need(od_calloc(params, sizeof(double)));
    b->noise = need(od_calloc(params, sizeof(double)));
    b->adam = (od_adam){.lr = 1e-3};
    synthetic_fill(b->data, 0, ROWS, d);
    od_layout_init(&b->layout, 0, 0, b->w, NULL);
    od_csprng_begin(&b->dice);
}

static void bed_free(bed *b)
{
    od_iwae_free(&b->plain);
    od_dp_clip_free(&b->private);
    od_free(b->data), od_free(b->eps), od_free(b->w), od_free(b->g), od_free(b->m), od_free(b->v);
    od_free(b->sum), od_free(b->noise);
}

/* What both have to do: the next rows, and the noise of their samples. */
static void begin_step(bed *b)
{
    od_rng s = od_rng_make(1, 0, OD_RNG_TRAIN, b->step);
    b->x = b->data + b->step++ % (ROWS / BATCH) * BATCH * (size_t)b->layout.shape.d;
    od_kern_get()->normal(b->eps, od_iwae_noise(&b->plain, BATCH), &s);
}

static void end_step(bed *b)
{
    od_adam_update(od_kern_get(), &b->adam, b->w, b->m, b->v, b->g, (int64_t)b->layout.params);
}

static void plain_step(bed *b)
{
    begin_step(b);
    memset(b->g, 0, b->layout.params * sizeof(float));
    od_iwae_grad(&b->plain, b->w, NULL, b->g,
                 &(od_train_batch){.x = b->x, .rows = BATCH, .eps = b->eps, .loss = b->loss});
    end_step(b);
}

static void private_step(bed *b)
{
    size_t params = b->layout.params;
    begin_step(b);
    memset(b->sum, 0, params * sizeof(double));
    od_dp_clip_add(&b->private, b->w, b->sum,
                   &(od_train_batch){.x = b->x, .rows = BATCH, .eps = b->eps, .loss = b->loss}, 1.0);
    od_csprng_normal(&b->dice, b->noise, (int64_t)params);
    for (size_t i = 0; i < params; i++) b->g[i] = (float)((b->sum[i] + 1e-3 * b->noise[i]) / BATCH);
    end_step(b);
}

static double timed(bed *b, void (*step)(bed *b))
{
    double start = bench_wall();
    for (int i = 0; i < TIMES; i++) step(b);
    return (bench_wall() - start) / TIMES;
}

int main(int argc, char **argv)
{
    int repeat = 21;
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 == argc || strcmp(argv[i], "--repeat") != 0)
            bench_die(argv[i], "usage: private_step [--repeat N]");
        repeat = (int)bench_count(argv[i + 1], MAX_RUNS);
    }
    char machine[256];
    bench_describe(machine, sizeof machine);
    printf("- Machine and version: %s; one thread; medians of %d\n\n"
           "| D | parameters | plain, ms | private, ms | private / plain |\n|--:|--:|--:|--:|--:|\n",
           machine, repeat);
    for (int i = 0; i < WIDTHS; i++) {
        bed b;
        double plain[MAX_RUNS], private[MAX_RUNS], ratio[MAX_RUNS];
        bed_new(&b, widths[i]);
        for (int r = 0; r < BEFORE; r++) plain_step(&b);
        for (int r = 0; r < repeat; r++) {
            plain[r] = timed(&b, plain_step);
            private[r] = timed(&b, private_step);
            ratio[r] = private[r] / plain[r];
        }
        printf("| %d | %zu | %.3f | %.3f | %.2f |\n", widths[i], b.layout.params,
               1e3 * bench_median(plain, repeat), 1e3 * bench_median(private, repeat),
               bench_median(ratio, repeat));
        fflush(stdout);
        bed_free(&b);
    }
    return 0;
}
