/* Images of MNIST and Fashion-MNIST, one class as inliers. */
#include "pictures.h"

#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "experiment.h"

static odim_table *read_array(const char *source, const char *file)
{
    char place[128], path[4096];
    snprintf(place, sizeof place, "images/%s/%s", source, file);
    exp_data(path, sizeof path, place);
    odim_error err;
    odim_table *table;
    bench_check(path, odim_table_read(&table, path, NULL, &err), &err);
    return table;
}

/* Marks with 0 the pictures of the class, with 1 so many others that they are a tenth, and with -1 the rest.
 */
static int64_t choose(const odim_table *classes, int class, uint64_t seed, int8_t *label)
{
    int64_t n = odim_table_rows(classes), inliers = 0;
    for (int64_t i = 0; i < n; i++) {
        label[i] = odim_table_value(classes, i, 0) == class ? 0 : -1;
        inliers += label[i] == 0;
    }
    int64_t want = (inliers + 4) / 9, left = n - inliers, total = inliers + want;
    for (int64_t i = 0; i < n; i++) {
        if (label[i] == 0) continue;
        if ((int64_t)(exp_random(&seed) % (uint64_t)left--) < want) {
            label[i] = 1;
            want--;
        }
    }
    return total;
}

void pictures_make(pictures *p, const char *source, int class, int black_white, uint64_t seed)
{
    odim_table *all = read_array(source, "train-images-idx3-ubyte.gz");
    odim_table *classes = read_array(source, "train-labels-idx1-ubyte.gz");
    int64_t n = odim_table_rows(all), d = odim_table_cols(all);
    int8_t *label = calloc((size_t)n, 1);
    if (odim_table_rows(classes) != n) bench_die(source, "has more labels than pictures, or fewer");
    if (!label) bench_die(source, "out of memory");
    int64_t rows = choose(classes, class, seed, label);
    if (rows < 1) bench_die(source, "has no pictures of the class");
    p->pixels = malloc((size_t)(rows * d) * sizeof *p->pixels);
    p->labels = malloc((size_t)rows);
    if (!p->pixels || !p->labels) bench_die(source, "out of memory");
    int64_t row = 0;
    for (int64_t i = 0; i < n; i++) {
        if (label[i] < 0) continue;
        for (int64_t j = 0; j < d; j++) {
            float value = (float)(odim_table_value(all, i, j) / 255);
            p->pixels[row * d + j] = black_white ? (float)(value > 0.5f) : value;
        }
        p->labels[row++] = label[i];
    }
    free(label);
    odim_table_free(all);
    odim_table_free(classes);
    odim_error err;
    bench_check(source, odim_table_wrap_f32(&p->table, p->pixels, rows, d, 0, NULL, &err), &err);
}

void pictures_free(pictures *p)
{
    odim_table_free(p->table);
    free(p->pixels);
    free(p->labels);
}
