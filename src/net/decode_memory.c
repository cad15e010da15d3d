/* Memory of the decoder: chunk sizes, scratch of the workers, gradient shards. */
#include "net/decode.h"

#include "common/mem.h"
#include "net/active_samples.h"

#define CHUNK_LANES  384          /* target number of lanes per chunk */
#define BLOCK_FLOATS (64 * 1024)  /* target size of the activations of an evaluation block, for the cache */
#define MIN_LANES    48           /* fewer lanes do not repay reading wide weights */
#define MAX_LANES    448          /* more lanes do not help */
#define MAX_SHARDS   8            /* of gradients */
#define SHARD_FLOATS (128 * 1024) /* larger gradients have half as many shards, to save memory */

/* Makes the offsets relative to the first decoder parameter. */
static void rebase(od_mlp *s, size_t base)
{
    for (int i = 0; i < s->layers; i++) {
        s->layer[i].w -= base;
        if (!s->batch_norm) s->layer[i].b -= base;
    }
    s->head_w -= base;
    if (s->outputs > s->dim) s->head_b -= base;
}

static int64_t min64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t rows_per_chunk(int64_t lanes, int64_t samples)
{
    int64_t groups = CHUNK_LANES / (OD_LANES * samples);
    return min64(OD_LANES * (groups > 1 ? groups : 1), lanes);
}

static size_t count_params(const od_layout *l)
{
    return l->params - l->dec.layer[0].w; /* the decoder's parameters come last */
}

int64_t od_decoder_grad_shards(const od_layout *layout, int64_t rows, int64_t samples)
{
    int64_t lanes = od_lanes(rows), chunks = od_chunk_count(lanes, rows_per_chunk(lanes, samples));
    return min64(count_params(layout) > SHARD_FLOATS ? MAX_SHARDS / 2 : MAX_SHARDS, chunks);
}

static void choose_sizes(od_decoder *d, int64_t rows)
{
    int64_t lanes = od_lanes(rows), width = 2 * od_mlp_widest(&d->eval) + d->shape.latent;
    d->chunk_rows = rows_per_chunk(lanes, d->samples);
    d->chunks = od_chunk_count(lanes, d->chunk_rows);
    int64_t n = d->chunk_rows * d->samples, most = BLOCK_FLOATS / width;
    most = most < MIN_LANES ? MIN_LANES : min64(most, MAX_LANES);
    int64_t blocks = (n + most - 1) / most, each = (d->samples + blocks - 1) / blocks;
    d->eval_lanes = each * d->chunk_rows;
    d->head_block = min64(BLOCK_FLOATS / (4 * d->eval_lanes) + 1, d->shape.d);
}

/* Takes `count` floats from memory at *at and advances *at by at least OD_LANES more, which kern->expand may
 * read. With memory NULL it only counts. */
static float *take(float *memory, size_t *at, size_t count)
{
    float *p = memory ? memory + *at : NULL;
    *at += (count + 2 * OD_LANES - 1) / OD_LANES * OD_LANES;
    return p;
}

/* Places the arrays of a chunk in memory and returns their size in floats. With memory NULL it only counts.
 */
static size_t place_chunk(od_chunk *c, const od_decoder *d, bool training, float *memory)
{
    size_t n = (size_t)(d->chunk_rows * d->samples), latent = (size_t)d->shape.latent, at = 0;
    size_t wide = (size_t)od_mlp_widest(&d->train);
    if (latent > wide) wide = latent;
    c->z = take(memory, &at, latent * n);
    c->logw = take(memory, &at, n);
    if (!training) return at;
    for (int i = 0; i < d->train.layers; i++) {
        size_t out = (size_t)d->train.layer[i].out;
        c->act[i] = take(memory, &at, (i == 0 && latent > out ? latent : out) * n);
    }
    c->grad = take(memory, &at, wide * n);
    c->spare = take(memory, &at, wide * n);
    return at;
}

static bool chunk_new(od_chunk *c, const od_decoder *d)
{
    size_t wide = (size_t)od_mlp_widest(&d->train);
    return (c->sums = od_alloc(2 * wide, sizeof(double))) &&
           (c->moments.mean = od_alloc(wide, sizeof(double))) &&
           (c->moments.dev = od_alloc(wide, sizeof(double))) &&
           od_active_samples_new(&c->active, d->chunk_rows * d->samples, NULL) == ODIM_OK;
}

static void chunk_free(od_chunk *c)
{
    od_free(c->sums);
    od_free(c->moments.mean);
    od_free(c->moments.dev);
    od_active_samples_free(&c->active);
}

static bool scratch_new(od_decoder_scratch *scratch, const od_decoder *d, bool training)
{
    size_t n = (size_t)(d->chunk_rows * d->samples), lanes = (size_t)d->eval_lanes;
    size_t wide = (size_t)od_mlp_widest(&d->eval), rows = (size_t)d->chunk_rows;
    size_t head = (size_t)(2 * d->head_block) * lanes, whole = (size_t)d->train.outputs * n;
    if (training && whole > head) head = whole;
    /* Of a single row: mean, deviation and noise per latent and sample; its values; its weights. */
    size_t own = (size_t)od_lanes(d->samples), most = own < lanes ? own : lanes;
    size_t row = 3 * (size_t)d->shape.latent * own + (size_t)d->shape.d * most + OD_LANES * own;
    return (scratch->row = od_alloc(row, sizeof(float))) && (scratch->head = od_alloc(head, sizeof(float))) &&
           (scratch->act[0] = od_alloc(wide * lanes, sizeof(float))) &&
           (scratch->act[1] = od_alloc(wide * lanes, sizeof(float))) &&
           (!training || ((scratch->gain = od_alloc(n, sizeof(float))) &&
                          (scratch->row_gain = od_alloc(rows, sizeof(float))))) &&
           (scratch->max = od_alloc(rows, sizeof(float))) && (scratch->sum = od_alloc(rows, sizeof(float))) &&
           (scratch->sums = od_alloc((size_t)d->shape.d, sizeof(double)));
}

static void scratch_free(od_decoder_scratch *scratch)
{
    od_free(scratch->head);
    od_free(scratch->act[0]);
    od_free(scratch->act[1]);
    od_free(scratch->gain);
    od_free(scratch->row_gain);
    od_free(scratch->max);
    od_free(scratch->sum);
    od_free(scratch->sums);
    od_free(scratch->row);
}

odim_status od_decoder_new(od_decoder *d, const od_kern *kern, const od_layout *layout,
                           const od_layout *plain, const od_net_options *o, odim_error *err)
{
    bool training = o->training;
    int workers = od_forkjoin_size(o->team);
    *d = (od_decoder){.kern = kern, .team = o->team, .shape = layout->shape, .samples = o->samples};
    d->train = layout->dec;
    d->eval = plain->dec;
    d->base = layout->dec.layer[0].w;
    d->eval_base = plain->dec.layer[0].w;
    d->params = count_params(layout);
    d->grad_shards = od_decoder_grad_shards(layout, o->rows, o->samples);
    rebase(&d->train, d->base);
    rebase(&d->eval, d->eval_base);
    choose_sizes(d, o->rows);
    d->keep_chunks = training && layout->shape.batch_norm;
    d->held = d->keep_chunks ? d->chunks : workers;
    od_chunk first;
    size_t each = place_chunk(&first, d, training, NULL);
    bool ok = (d->memory = od_alloc((size_t)d->held, each * sizeof(float))) &&
              (d->chunk = od_calloc((size_t)d->held, sizeof *d->chunk)) &&
              (d->scratch = od_calloc((size_t)workers, sizeof *d->scratch));
    for (int64_t i = 0; ok && i < d->held; i++) {
        place_chunk(&d->chunk[i], d, training, d->memory + (size_t)i * each);
        ok = !training || chunk_new(&d->chunk[i], d);
    }
    for (int i = 0; ok && i < workers; i++) ok = scratch_new(&d->scratch[i], d, training);
    if (ok && training)
        ok = (d->grad_shard = od_alloc((size_t)d->grad_shards * d->params, sizeof(float))) &&
             (d->on = od_alloc((size_t)(d->chunk_rows * d->samples), sizeof(float)));
    odim_status status = ok ? ODIM_OK : od_fail_nomem(err);
    if (!status && d->keep_chunks) status = od_norm_new(&d->norm, &d->train, err);
    if (status) od_decoder_free(d);
    return status;
}

void od_decoder_free(od_decoder *d)
{
    for (int64_t i = 0; d->chunk && i < d->held; i++) chunk_free(&d->chunk[i]);
    for (int i = 0; d->scratch && i < od_forkjoin_size(d->team); i++) scratch_free(&d->scratch[i]);
    od_free(d->memory);
    od_free(d->chunk);
    od_free(d->scratch);
    od_free(d->grad_shard);
    od_free(d->on);
    od_norm_free(&d->norm);
    *d = (od_decoder){0};
}
