/* A small model made by hand, its file, and files like it with parts replaced. Call save_small_model first.
 */
#ifndef SMALL_MODEL_H
#define SMALL_MODEL_H

#include "common/mem.h"
#include "model/container.h"
#include "model/model.h"
#include "model/params.h"
#include "model/sections.h"
#include "odim.h"
#include "test.h"

static odim_error err;

/* ---- a small model, made by hand ------------------------------------------------------------------ */

enum { MEMBERS = 2, SAMPLES = 3, LATENT = 2, COLS = 5, FEATURES = 12 };

static inline od_schema_col make_column(const char *name, odim_type type)
{
    return (od_schema_col){.name = od_strndup(name, strlen(name)),
                           .type = type,
                           .missing = 3,
                           .low = -1.5,
                           .high = 1e9,
                           .fill = 0.1,
                           .usual_low = 0,
                           .usual_high = 2};
}

static inline void make_levels(od_schema_col *c)
{
    static const char *const text[] = {"", "blue", "green", "red"};
    static const int64_t feature[] = {-1, 0, -1, 1};
    uint32_t code;
    c->level_count = od_alloc(4, sizeof *c->level_count);
    c->level_feature = od_alloc(4, sizeof *c->level_feature);
    for (int i = 0; i < 4; i++) {
        od_levels_code(&c->levels, text[i], strlen(text[i]), &code, NULL);
        c->level_count[i] = 10 * i;
        c->level_feature[i] = feature[i];
    }
    c->own_levels = 2;
    c->fill = 3;
}

static inline void make_schema(od_schema *s)
{
    *s = (od_schema){.rows = 100, .cols = COLS, .col = od_calloc(COLS, sizeof *s->col)};
    s->col[0] = make_column("length", ODIM_NUMERIC);
    s->col[1] = make_column("colour", ODIM_CATEGORICAL);
    make_levels(&s->col[1]);
    s->col[1].indicator = true;
    s->col[1].low = s->col[1].high = NAN;
    s->col[2] = make_column("since", ODIM_TIME);
    s->col[2].cycles = OD_CYCLE_DAY | OD_CYCLE_YEAR;
    s->col[3] = make_column("", ODIM_CATEGORICAL);
    s->col[3].ignored = OD_IGNORED_TEXT;
    s->col[3].fill = NAN;
    s->col[4] = make_column("ok", ODIM_BOOLEAN);
    s->col[4].indicator = true;
    od_schema_finish(s, NULL);
    s->shift = od_alloc(FEATURES, sizeof *s->shift);
    s->width = od_alloc(FEATURES, sizeof *s->width);
    for (int j = 0; j < FEATURES; j++) {
        s->shift[j] = j / 7.0;
        s->width[j] = j == 2 ? 0.0 : 1.0 / (j + 1);
    }
}

static inline void fill(float *v, size_t count, float start)
{
    for (size_t i = 0; i < count; i++) v[i] = start + (float)i / 64.0f;
}

/* Every step has the order back to front. */
static inline void fill_flow_stats(float *stats, const od_layout *l)
{
    for (int i = 0; i < l->shape.steps; i++)
        for (int j = 0; j < FEATURES; j++) stats[i * FEATURES + j] = (float)(FEATURES - 1 - j);
}

static int64_t axes; /* of the view that models are made with; 0: none */

static inline void add_view(odim_model *m)
{
    od_transform *v = &m->transform;
    if (od_transform_new(v, FEATURES, axes, NULL)) abort();
    fill(v->numbers, od_transform_count(FEATURES, axes), 0.25f);
    for (int64_t j = 0; j < FEATURES + axes; j++) v->width[j] = 0.5f + (float)j;
    for (int64_t j = 0; j < FEATURES; j++) v->spread[j] = 2.0f + (float)j;
    od_aux_detector *c = &m->aux[m->aux_count++];
    c->weight = 1.5;
    c->detector = (od_detector){.method = OD_METHOD_SUBSAMPLE_KNN, .d = FEATURES, .count = {2, 3}};
    if (od_detector_array_new(&c->detector, 0, OD_ARRAY_FLOAT, 2 * 3 * FEATURES, NULL)) abort();
    fill(c->detector.part[0].at.f, 2 * 3 * FEATURES, 0.5f);
}

static inline odim_model *make_kind(od_kind kind, bool batch_norm)
{
    od_config config;
    odim_params paper;
    od_params_unwritten(&paper);
    config = paper.config;
    config.members = MEMBERS;
    config.samples = 7;
    config.score_samples = SAMPLES;
    config.batch_norm = batch_norm;
    config.lr = 0.1 + 0.2;
    config.seed = UINT64_MAX;
    config.threads = 5;
    config.dp_epsilon = 4.5;
    od_shape shape = {.d = FEATURES,
                      .layers = 2,
                      .hidden = {4, 3},
                      .latent = LATENT,
                      .batch_norm = batch_norm,
                      .lik = OD_LIK_PAPER};
    if (kind == OD_NET_FLOW)
        shape = (od_shape){.kind = kind, .d = FEATURES, .layers = 2, .hidden = {4, 3}, .steps = 2};
    config.model = kind;
    odim_model *m;
    config.transform = axes ? OD_TRANSFORM_LOG_PCA : OD_TRANSFORM_NONE;
    if (axes) {
        config.with.count = 1;
        config.with.item[0].method = OD_METHOD_SUBSAMPLE_KNN;
        config.with.item[0].weight = 0.5;
    }
    shape.d += axes;
    if (od_model_new(&m, &config, &shape, FEATURES, shape.d, NULL)) abort();
    make_schema(&m->schema);
    if (axes) add_view(m);
    m->calibration = (od_calibration){-3.5, 0.5, 2.0, 0.25, 1.0, 0.0625, 40.0, 12.0};
    m->threshold = 12.25;
    m->score_p90 = 1.5;
    m->privacy = (odim_privacy_info){.epsilon = 4.25,
                                     .delta = 1e-5,
                                     .updates = 200,
                                     .rate = 0.125,
                                     .noise = 1.5,
                                     .clip = 2,
                                     .other_noise = 4,
                                     .scores_counted = 1};
    fill(m->usual, FEATURES, 0.5f);
    fill(m->quantile_grid, OD_QUANTILES * FEATURES, -0.5f);
    for (int b = 0; b < MEMBERS; b++) {
        od_member *x = &m->member[b];
        x->info = (odim_member_info){100 + b, 40, 0.125};
        fill(x->params, m->layout.params, (float)b - 1.0f);
        if (kind == OD_NET_FLOW) {
            fill_flow_stats(x->stats, &m->layout);
        } else {
            fill(x->stats, m->layout.stats, (float)b);
            fill(x->noise, SAMPLES * LATENT, (float)-b);
        }
        for (int i = 0; i < 2 + b; i++)
            if (od_history_add(&x->history, 40 + 10 * i, i == 1 ? NAN : 0.125 * i, NULL)) abort();
    }
    return m;
}

static inline odim_model *make_model(bool batch_norm)
{
    return make_kind(OD_NET_IWAE, batch_norm);
}

/* The bytes of make_model(true), which most tests begin with. */
static unsigned char *saved;
static size_t saved_size;

/* What is accepted can be saved, and is accepted again. */
static inline odim_status load(const void *bytes, size_t size)
{
    odim_model *m;
    void *again = NULL;
    size_t again_size;
    odim_status status = odim_model_load_memory(&m, bytes, size, &err);
    CHECK(!status == !!m);
    if (status) {
        CHECK_INT(err.status, status);
        return status;
    }
    CHECK_INT(odim_model_save_memory(m, &again, &again_size, &err), ODIM_OK);
    odim_model_free(m);
    CHECK_INT(odim_model_load_memory(&m, again, again_size, &err), ODIM_OK);
    odim_model_free(m);
    odim_free(again);
    return ODIM_OK;
}

/* ---- files that are not right --------------------------------------------------------------------- */

/* The saved file once more, with another body for a section: NULL leaves it out. A tag that it does not have
 * is added at the end. All checksums are right. */
static inline odim_status load_with(const char *tag, const void *body, size_t size)
{
    od_container c;
    od_byte_writer out = {0};
    if (od_container_open(&c, saved, saved_size, NULL)) abort();
    od_section *s = &c.section[c.count];
    for (size_t i = 0; i < c.count; i++)
        if (strcmp(c.section[i].tag, tag) == 0) s = &c.section[i];
    if (s == &c.section[c.count]) c.count++;
    memcpy(s->tag, tag, OD_TAG + 1);
    s->body = (od_byte_reader){body, size, false};
    size_t count = c.count - !body, at = 0;
    od_container_begin(&out, count);
    for (size_t i = 0; i < c.count; i++) {
        if (!c.section[i].body.at) continue;
        size_t start = od_container_start(&out);
        od_bytes_put(&out, c.section[i].body.at, c.section[i].body.left);
        od_container_finish(&out, at++, c.section[i].tag, start);
    }
    od_container_end(&out, count);
    odim_status status = load(out.bytes, out.size);
    od_free(out.bytes);
    return status;
}

/* A copy of a section's body, with room for some bytes more. */
static inline unsigned char *body_of(const char *tag, size_t *size)
{
    od_container c;
    if (od_container_open(&c, saved, saved_size, NULL)) abort();
    const od_section *s = od_container_find(&c, tag);
    unsigned char *copy = calloc(1, s->body.left + 16);
    if (!copy) abort();
    memcpy(copy, s->body.at, s->body.left);
    *size = s->body.left;
    return copy;
}

/* With `size` bytes of a section changed, the file is refused and says why. */
static inline void refuse_bytes(const char *tag, size_t at, const void *bytes, size_t size, const char *why)
{
    char want[300];
    size_t body_size;
    unsigned char *body = body_of(tag, &body_size);
    if (at + size > body_size) abort();
    memcpy(body + at, bytes, size);
    snprintf(want, sizeof want, "section %s", why);
    if (load_with(tag, body, body_size) != ODIM_ERR_FORMAT)
        TEST_SAY("accepted: %s", why);
    else
        CHECK_STR(err.msg, want);
    free(body);
}

static inline void refuse_number(const char *tag, size_t at, uint64_t value, size_t size, const char *why)
{
    unsigned char bytes[8];
    for (size_t i = 0; i < size; i++) bytes[i] = (unsigned char)(value >> 8 * i);
    refuse_bytes(tag, at, bytes, size, why);
}

static inline void refuse_double(const char *tag, size_t at, double value, const char *why)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    refuse_number(tag, at, bits, 8, why);
}

static inline void refuse_float(const char *tag, size_t at, float value, const char *why)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    refuse_number(tag, at, bits, 4, why);
}

static inline void save_small_model(void)
{
    odim_model *m = make_model(true);
    void *bytes;
    if (odim_model_save_memory(m, &bytes, &saved_size, NULL)) abort();
    saved = bytes;
    odim_model_free(m);
}

#endif
