/* tests: file sections schema_file detector_file */
#include "odim.h"

#include "base/mem.h"
#include "model/container.h"
#include "model/model.h"
#include "model/params.h"
#include "model/sections.h"
#include "scratch.h"
#include "test.h"

static odim_error err;

/* ---- a small model, made by hand ------------------------------------------------------------------ */

enum { MEMBERS = 2, SAMPLES = 3, LATENT = 2, COLS = 5, FEATURES = 12 };

static od_schema_col make_column(const char *name, odim_type type)
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

static void make_levels(od_schema_col *c)
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

static void make_schema(od_schema *s)
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

static void fill(float *v, size_t count, float start)
{
    for (size_t i = 0; i < count; i++) v[i] = start + (float)i / 64.0f;
}

/* Every step has the order back to front. */
static void fill_flow_stats(float *stats, const od_layout *l)
{
    for (int i = 0; i < l->shape.steps; i++)
        for (int j = 0; j < FEATURES; j++) stats[i * FEATURES + j] = (float)(FEATURES - 1 - j);
}

static int64_t axes; /* of the view that models are made with; 0: none */

static void add_view(odim_model *m)
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

static odim_model *make_kind(od_kind kind, bool batch_norm)
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
    if (od_model_new(&m, &config, &shape, FEATURES, NULL)) abort();
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

static odim_model *make_model(bool batch_norm)
{
    return make_kind(OD_NET_IWAE, batch_norm);
}

/* The bytes of make_model(true), which most tests begin with. */
static unsigned char *saved;
static size_t saved_size;

/* What is accepted can be saved, and is accepted again. */
static odim_status load(const void *bytes, size_t size)
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
static odim_status load_with(const char *tag, const void *body, size_t size)
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
static unsigned char *body_of(const char *tag, size_t *size)
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
static void refuse_bytes(const char *tag, size_t at, const void *bytes, size_t size, const char *why)
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

static void refuse_number(const char *tag, size_t at, uint64_t value, size_t size, const char *why)
{
    unsigned char bytes[8];
    for (size_t i = 0; i < size; i++) bytes[i] = (unsigned char)(value >> 8 * i);
    refuse_bytes(tag, at, bytes, size, why);
}

static void refuse_double(const char *tag, size_t at, double value, const char *why)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    refuse_number(tag, at, bits, 8, why);
}

static void refuse_float(const char *tag, size_t at, float value, const char *why)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    refuse_number(tag, at, bits, 4, why);
}

/* ---- the tests ------------------------------------------------------------------------------------ */

static void check_same_column(const od_schema_col *a, const od_schema_col *b)
{
    CHECK_STR(a->name, b->name);
    CHECK(a->type == b->type && a->ignored == b->ignored && a->missing == b->missing);
    CHECK(memcmp(&a->low, &b->low, 8) == 0 && memcmp(&a->high, &b->high, 8) == 0);
    CHECK(memcmp(&a->fill, &b->fill, 8) == 0);
    CHECK(a->usual_low == b->usual_low && a->usual_high == b->usual_high);
    CHECK(a->own_levels == b->own_levels && a->cycles == b->cycles && a->indicator == b->indicator);
    CHECK(a->first == b->first && a->features == b->features);
    REQUIRE(od_levels_count(&a->levels) == od_levels_count(&b->levels));
    for (size_t i = 0; i < a->levels.texts.count; i++) {
        const char *text = od_strlist_at(&a->levels.texts, i);
        CHECK_STR(text, od_strlist_at(&b->levels.texts, i));
        CHECK_INT(od_levels_find(&b->levels, text, strlen(text)), i);
        CHECK(a->level_count[i] == b->level_count[i] && a->level_feature[i] == b->level_feature[i]);
    }
}

static void check_same_model(const odim_model *a, const odim_model *b)
{
    const od_schema *s = &a->schema, *t = &b->schema;
    od_config config = a->config;
    config.threads = 0; /* is nothing that a model has */
    CHECK(memcmp(&config, &b->config, sizeof config) == 0);
    CHECK(memcmp(&a->layout, &b->layout, sizeof a->layout) == 0);
    CHECK(memcmp(&a->calibration, &b->calibration, sizeof a->calibration) == 0);
    CHECK(a->threshold == b->threshold);
    CHECK(memcmp(&a->privacy, &b->privacy, sizeof a->privacy) == 0);
    CHECK(a->score_p90 == b->score_p90);
    CHECK(memcmp(a->usual, b->usual, FEATURES * sizeof(float)) == 0);
    CHECK(memcmp(a->quantile_grid, b->quantile_grid, OD_QUANTILES * FEATURES * sizeof(float)) == 0);
    REQUIRE(s->rows == t->rows && s->cols == t->cols && s->features == t->features && s->plain == t->plain);
    CHECK(memcmp(s->shift, t->shift, FEATURES * sizeof(double)) == 0);
    CHECK(memcmp(s->width, t->width, FEATURES * sizeof(double)) == 0);
    CHECK(memcmp(s->owner, t->owner, FEATURES * sizeof *s->owner) == 0);
    for (int64_t j = 0; j < s->cols; j++) check_same_column(&s->col[j], &t->col[j]);
    REQUIRE(a->members == b->members);
    for (int64_t i = 0; i < a->members; i++) {
        const od_member *x = &a->member[i], *y = &b->member[i];
        CHECK(memcmp(&x->info, &y->info, sizeof x->info) == 0);
        CHECK(memcmp(x->params, y->params, a->layout.params * sizeof(float)) == 0);
        CHECK(memcmp(x->stats, y->stats, a->layout.stats * sizeof(float)) == 0);
        size_t noise = (size_t)(od_model_score_samples(a) * a->layout.shape.latent);
        CHECK(memcmp(x->noise, y->noise, noise * sizeof(float)) == 0);
        REQUIRE(x->history.count == y->history.count);
        CHECK(memcmp(x->history.check, y->history.check, (size_t)x->history.count * sizeof(odim_check)) == 0);
    }
}

static void check_round_trip(od_kind kind, bool batch_norm)
{
    odim_model *m = make_kind(kind, batch_norm), *again;
    void *bytes, *bytes2;
    size_t size, size2;
    REQUIRE(odim_model_save_memory(m, &bytes, &size, &err) == ODIM_OK);
    CHECK_INT(odim_model_load_memory(&again, bytes, size, &err), ODIM_OK);
    REQUIRE(again);
    check_same_model(m, again);
    CHECK_INT(odim_model_save_memory(again, &bytes2, &size2, &err), ODIM_OK);
    CHECK(size == size2 && memcmp(bytes, bytes2, size) == 0);
    odim_free(bytes);
    odim_free(bytes2);
    odim_model_free(m);
    odim_model_free(again);
}

TEST(round_trip)
{
    check_round_trip(OD_NET_IWAE, true);
    check_round_trip(OD_NET_IWAE, false);
    check_round_trip(OD_NET_FLOW, false);
}

static void check_same_view(const odim_model *a, const odim_model *b)
{
    REQUIRE(a->transform.d == b->transform.d && a->transform.axes == b->transform.axes);
    CHECK(memcmp(a->transform.numbers, b->transform.numbers,
                 od_transform_count(a->transform.d, a->transform.axes) * sizeof(float)) == 0);
    REQUIRE(a->aux_count == 1 && b->aux_count == 1);
    const od_aux_detector *c = &a->aux[0], *d = &b->aux[0];
    CHECK(c->weight == d->weight && c->transformed == d->transformed && c->detector.d == d->detector.d);
    CHECK(memcmp(c->detector.count, d->detector.count, sizeof c->detector.count) == 0);
    REQUIRE(d->detector.part[0].count == 2 * 3 * FEATURES);
    CHECK(memcmp(c->detector.part[0].at.f, d->detector.part[0].at.f, 2 * 3 * FEATURES * sizeof(float)) == 0);
}

TEST(every_truncation_is_refused)
{
    for (size_t size = 0; size < saved_size; size++) {
        unsigned char *cut = malloc(size ? size : 1); /* so that a sanitizer sees a byte read too many */
        if (!cut) abort();
        memcpy(cut, saved, size);
        if (load(cut, size) != ODIM_ERR_FORMAT) TEST_SAY("cut to %zu bytes: accepted", size);
        free(cut);
    }
}

TEST(every_corrupt_byte_is_refused)
{
    for (size_t i = 0; i < saved_size; i++) {
        unsigned char old = saved[i];
        for (int k = 0; k < 3; k++) {
            saved[i] = (unsigned char)(k == 0 ? old ^ 0x20 : k == 1 ? ~old : old + 1);
            if (load(saved, saved_size) != ODIM_ERR_FORMAT) TEST_SAY("byte %zu: accepted", i);
        }
        saved[i] = old;
    }
    CHECK_INT(load(saved, saved_size), ODIM_OK);
}

/* The checksums are right, so the parsers see each of these. */
static void lie(const char *tag)
{
    size_t size;
    unsigned char *body = body_of(tag, &size);
    for (size_t i = 0; i < size; i++) {
        static const unsigned char lies[] = {0, 1, 0x7F, 0x80, 0xFF};
        unsigned char old = body[i];
        for (size_t j = 0; j < sizeof lies; j++) {
            body[i] = lies[j];
            odim_status status = load_with(tag, body, size);
            if (status && status != ODIM_ERR_FORMAT) TEST_SAY("%s, byte %zu: %s", tag, i, err.msg);
        }
        body[i] = old;
    }
    for (size_t cut = 0; cut < size; cut++)
        if (load_with(tag, body, cut) != ODIM_ERR_FORMAT && strcmp(tag, "PARM") != 0)
            TEST_SAY("%s cut to %zu bytes: accepted", tag, cut);
    if (load_with(tag, body, size + 1) != ODIM_ERR_FORMAT) TEST_SAY("%s with a byte too many", tag);
    free(body);
}

TEST(every_byte_may_lie)
{
    for (int k = 0; k < OD_PRIVACY; k++) lie(od_section_kinds[k].tag); /* this model is not a private one */
}

TEST(sections_that_are_not_known_or_not_there)
{
    for (int k = 0; k < OD_REQUIRED; k++) {
        char want[320];
        snprintf(want, sizeof want, "section %.4s: missing", od_section_kinds[k].tag);
        CHECK_INT(load_with(od_section_kinds[k].tag, NULL, 0), ODIM_ERR_FORMAT);
        CHECK_STR(err.msg, want);
    }
    CHECK_INT(load_with("hist", NULL, 0), ODIM_OK);
    CHECK_INT(load_with("priv", NULL, 0), ODIM_ERR_FORMAT); /* the parameters say that it must be there */
    CHECK_STR(err.msg, "section priv: missing, cut short, or a number is impossible");
    CHECK_INT(load_with("note", "made on a Monday", 16), ODIM_OK);
    CHECK_INT(load_with("Note", "made on a Monday", 16), ODIM_ERR_FORMAT);
    CHECK_STR(
        err.msg,
        "section Note: unknown: written by a newer odim; update odim, or fit the model again with this one");
}

static void refuse_params(const char *text, const char *why)
{
    CHECK_INT(load_with("PARM", text, strlen(text)), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, why);
}

TEST(parameters)
{
    /* A parameter that is not there has its default; these must fit the network. */
    CHECK_INT(load_with("PARM", "members=2\nscore-samples=3\n", 26), ODIM_OK);
    refuse_params("members=2\nmembers=2\n", "section PARM: members is there twice");
    refuse_params("magic=2\n", "section PARM: unknown parameter 'magic': written by a newer odim; update "
                               "odim, or fit the model again with this one");
    refuse_params("threads=2\n", "section PARM: unknown parameter 'threads': written by a newer odim; update "
                                 "odim, or fit the model again with this one");
    refuse_params("members\n", "section PARM: a line is not of the form name=value");
    refuse_params("members=0\n", "section PARM: members must be a whole number from 1 to 10000, not '0'");
    refuse_params("members=2", "section PARM: not lines of text");
    CHECK_INT(load_with("PARM", "members=2\0\n", 11), ODIM_ERR_FORMAT);
    refuse_params("members=3\nscore-samples=3\n",
                  "section NETW: not the network that the parameters ask for");
    refuse_params("members=2\nscore-samples=4\n",
                  "section NETW: not the network that the parameters ask for");
    refuse_params("members=2\nscore-samples=3\nbatch-norm=off\n",
                  "section NETW: not the network that the parameters ask for");
    refuse_params("members=2\nscore-samples=3\nlikelihood=unit\n",
                  "section NETW: not the network that the parameters ask for");
}

/* Settings that are a preset's own, or another's, come back as they were. */
TEST(presets_and_what_differs)
{
    static const char *const settings[][2] = {{"paper", "transform=log-pca"},
                                              {"auto", "transform=none"},
                                              {"auto", "with=none"},
                                              {"fast", "trusted-fraction=0.75"}};
    static double x[40 * 3];
    odim_table *t;
    for (int i = 0; i < 120; i++) x[i] = (i * 37 % 101) / 7.0;
    REQUIRE(!odim_table_wrap_f64(&t, x, 40, 3, 0, NULL, &err));
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
        odim_params *p = odim_params_new();
        odim_model *m, *again;
        void *bytes;
        size_t size;
        char name[32];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(settings[k][1], "="), settings[k][1]);
        REQUIRE(!odim_params_set(p, "preset", settings[k][0], &err));
        REQUIRE(!odim_params_set(p, name, strchr(settings[k][1], '=') + 1, &err));
        REQUIRE(!odim_params_set(p, "members", "1", &err) && !odim_params_set(p, "max-updates", "2", &err));
        REQUIRE(!odim_fit(t, p, NULL, &m, &err) && !odim_model_save_memory(m, &bytes, &size, &err));
        if (odim_model_load_memory(&again, bytes, size, &err))
            TEST_SAY("%s, %s: %s", settings[k][0], settings[k][1], err.msg);
        for (int i = 0; again && i < odim_param_count(); i++) {
            const odim_param_info *info = odim_param_at(i);
            char one[64], other[64];
            if (strcmp(info->group, "Running") == 0 || strcmp(info->name, "min-level-count") == 0) continue;
            if (!odim_model_get(m, info->name, other, sizeof other)) continue; /* has no say */
            CHECK_STR(odim_model_get(again, info->name, one, sizeof one), other);
        }
        odim_free(bytes);
        odim_model_free(m);
        odim_model_free(again);
        odim_params_free(p);
    }
    odim_table_free(t);
    /* The name that auto once had. */
    CHECK_INT(load_with("PARM", "preset=best\nmembers=2\nscore-samples=3\n", 38), ODIM_OK);
}

TEST(networks)
{
    static const char *const range = "NETW: cut short or out of range";
    refuse_number("NETW", 0, 0, 4, range);
    refuse_number("NETW", 0, 1 << 22, 4, range);
    refuse_number("NETW", 4, UINT32_MAX, 4, range);
    refuse_number("NETW", 8, 2, 4, range);
    refuse_number("NETW", 12, 4, 4, range);
    refuse_number("NETW", 24, 0, 4, range);
    refuse_number("NETW", 24, 9, 4, range);
    refuse_number("NETW", 24, 3, 4, range);
    refuse_number("NETW", 28, 0, 4, range);
    refuse_number("NETW", 28, 1 << 21, 4, "NETW: section WGTS must have 704643328 bytes and has 1600");
    refuse_number("NETW", 0, 13, 4, "NETW: section REAS must have 324 bytes and has 300");
    CHECK_INT(load_with("NOIS", saved, 44), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "section NETW: section NOIS must have 48 bytes and has 44");
    CHECK_INT(load_with("MEMB", saved, 0), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "section NETW: section MEMB must have 48 bytes and has 0");
}

/* Where the fields of the section COLS are; see make_schema. */
enum {
    C_ROWS = 0,
    C_COLS = 8,
    C_LENGTH = 12, /* the first column: its name and its length take 10 bytes, the rest 56 */
    C_TYPE = C_LENGTH + 10,
    C_IGNORED = C_TYPE + 1,
    C_CYCLES = C_TYPE + 2,
    C_INDICATOR = C_TYPE + 3,
    C_MISSING = C_TYPE + 4,
    C_LOW = C_TYPE + 12,
    C_FILL = C_LOW + 16,
    C_USUAL_HIGH = C_FILL + 16,
    C_LEVELS = C_USUAL_HIGH + 8,
    C_COLOUR = C_LEVELS + 4,
    C_COLOUR_FILL = C_COLOUR + 10 + 28,
    C_COLOUR_LEVELS = C_COLOUR + 10 + 52,
    C_LEVEL0 = C_COLOUR_LEVELS + 4, /* "" */
    C_LEVEL1 = C_LEVEL0 + 13,       /* "blue" */
    C_LEVEL2 = C_LEVEL1 + 17,       /* "green" */
};

TEST(columns)
{
    size_t size;
    free(body_of("COLS", &size));
    refuse_number("COLS", C_ROWS, UINT64_MAX, 8, "COLS: the number of rows or columns is impossible");
    refuse_number("COLS", C_COLS, UINT32_MAX, 4, "COLS: the number of rows or columns is impossible");
    refuse_number("COLS", C_COLS, 4, 4,
                  "COLS: the columns have 10 features, the scale is cut short or for 2");
    refuse_number("COLS", C_LENGTH, UINT32_MAX, 4, "COLS: column '': it is cut short or out of range");
    refuse_number("COLS", C_LENGTH + 6, 0, 1, "COLS: column '': it is cut short or out of range");
    refuse_number("COLS", C_TYPE, 4, 1, "COLS: column 'length': its type is impossible");
    refuse_number("COLS", C_IGNORED, 5, 1, "COLS: column 'length': its type is impossible");
    refuse_number("COLS", C_CYCLES, 1, 1, "COLS: column 'length': its type is impossible");
    refuse_number("COLS", C_INDICATOR, 2, 1, "COLS: column 'length': its type is impossible");
    refuse_number("COLS", C_IGNORED, 1, 1,
                  "COLS: the columns have 11 features, the scale is cut short or for 12");
    refuse_number("COLS", C_MISSING, 101, 8,
                  "COLS: column 'length': more cells are missing than there are rows");
    refuse_double("COLS", C_LOW, -INFINITY, "COLS: column 'length': a bound is infinite");
    refuse_double("COLS", C_USUAL_HIGH, INFINITY, "COLS: column 'length': a bound is infinite");
    refuse_double("COLS", C_FILL, NAN, "COLS: column 'length': what stands for a missing cell is impossible");
    refuse_number("COLS", C_LEVELS, 1, 4, "COLS: column 'length': its number of levels is impossible");
    refuse_double("COLS", size - 16 * FEATURES, INFINITY, "COLS: the scale of feature 1 is impossible");
    refuse_double("COLS", size - 8, -1.0, "COLS: the scale of feature 12 is impossible");
    refuse_number("COLS", size - 16 * FEATURES - 4, 11, 4,
                  "COLS: the columns have 12 features, the scale is cut short or for 11");
}

TEST(levels)
{
    static const char *const fill = "COLS: column 'colour': what stands for a missing cell is impossible";
    static const char *const range = "COLS: column 'colour': its levels are cut short or out of range";
    static const char *const order = "COLS: column 'colour': its levels are not in order";
    refuse_double("COLS", C_COLOUR_FILL, 4.0, fill);
    refuse_double("COLS", C_COLOUR_FILL, 0.5, fill);
    refuse_double("COLS", C_COLOUR_FILL, -1.0, fill);
    refuse_double("COLS", C_COLOUR_FILL, NAN, fill);
    refuse_number("COLS", C_COLOUR_LEVELS, UINT32_MAX, 4,
                  "COLS: column 'colour': its number of levels is impossible");
    refuse_number("COLS", C_LEVEL1, UINT32_MAX, 4, range);
    refuse_number("COLS", C_LEVEL1 + 16, 2, 1, range);
    refuse_bytes("COLS", C_LEVEL2 + 4, "azure", 5, order);
    refuse_number("COLS", C_LEVEL1 + 8, 101, 8,
                  "COLS: column 'colour': a level is in more rows than there are");
    refuse_number("COLS", C_LEVEL1 + 16, 0, 1,
                  "COLS: the columns have 11 features, the scale is cut short or for 12");
}

TEST(numbers)
{
    refuse_number("CALB", 0, 3, 4, "CALB: 3 numbers instead of 8");
    refuse_double("CALB", 4, NAN, "CALB: a number is impossible");
    for (size_t i = 1; i < 7; i++) refuse_double("CALB", 4 + 8 * i, 0.0, "CALB: a number is impossible");
    refuse_double("CALB", 4 + 8 * 5, 0.5, "CALB: a number is impossible"); /* all rows above the centre */
    refuse_double("CALB", 4 + 8 * 7, INFINITY, "CALB: a number is impossible");
    refuse_double("THRS", 0, NAN, "THRS: not a number");
    refuse_double("REAS", 0, NAN, "REAS: not a score, or not 5 values a feature");
    refuse_number("REAS", 8, 6, 4, "REAS: not a score, or not 5 values a feature");
    refuse_float("REAS", 12, INFINITY, "REAS: a number is not finite");
    refuse_float("REAS", 12 + 4 * FEATURES, NAN, "REAS: a number is not finite");
    static const char *const privacy = "priv: missing, cut short, or a number is impossible";
    refuse_double("priv", 0, 0, privacy);     /* epsilon */
    refuse_double("priv", 8, 1, privacy);     /* delta */
    refuse_number("priv", 16, 0, 8, privacy); /* updates */
    refuse_double("priv", 24, 1.5, privacy);  /* rate */
    refuse_double("priv", 32, NAN, privacy);  /* noise */
    refuse_double("priv", 40, -1, privacy);   /* clip */
    refuse_double("priv", 48, INFINITY, privacy);
    refuse_number("priv", 56, 2, 1, privacy);
    refuse_number("priv", 58, 2, 1, privacy);
    refuse_float("WGTS", 8, NAN, "WGTS: a number is not finite");
    refuse_float("NOIS", 20, -INFINITY, "NOIS: a number is not finite");
    refuse_float("STAT", 16, -0.5f, "STAT: a variance is negative");
    refuse_float("STAT", 0, NAN, "STAT: a number is not finite");
    refuse_number("MEMB", 0, 39, 8, "MEMB: what is said of member 0 is impossible");
    refuse_number("MEMB", 24, UINT64_MAX, 8, "MEMB: what is said of member 1 is impossible");
    refuse_double("MEMB", 16, -1.0, "MEMB: what is said of member 0 is impossible");
    refuse_double("MEMB", 40, INFINITY, "MEMB: what is said of member 1 is impossible");
}

/* What is refused in the file of a flow, and what the other tests try with every file. */
TEST(flows)
{
    static const char *const range = "NETW: cut short or out of range";
    static const char *const another = "NETW: not the network that the parameters ask for";
    static const char *const order = "STAT: not an order of the features";
    unsigned char *other = saved;
    size_t other_size = saved_size;
    void *bytes;
    odim_model *m = make_kind(OD_NET_FLOW, false);
    REQUIRE(odim_model_save_memory(m, &bytes, &saved_size, &err) == ODIM_OK);
    saved = bytes;
    CHECK_INT(load(saved, saved_size), ODIM_OK);
    refuse_number("NETW", 8, 1, 4, range);
    refuse_number("NETW", 12, 1, 4, range);
    refuse_number("NETW", 20, 1, 4, another); /* noise: there is none */
    refuse_number("NETW", 36, 0, 4, range);
    refuse_number("NETW", 36, 65, 4, range);
    refuse_number("NETW", 36, 3, 4, "NETW: section WGTS must have 6072 bytes and has 4048");
    refuse_number("NETW", 4, LATENT, 4, "NETW: not the network that the parameters ask for");
    refuse_params("members=2\n", "section NETW: not the network that the parameters ask for");
    refuse_float("STAT", 0, 5, order);
    refuse_float("STAT", 4, 0.5f, order);
    refuse_float("STAT", 4, -1, order);
    refuse_float("STAT", 4 * FEATURES, FEATURES, order);
    refuse_float("STAT", 0, NAN, "STAT: a number is not finite");
    CHECK_INT(load_with("NOIS", saved, 4), ODIM_ERR_FORMAT);
    test_every_byte_may_lie();
    odim_model_free(m);
    odim_free(bytes);
    saved = other;
    saved_size = other_size;
}

/* A model of rows in a view of their own, with a companion. */
TEST(views)
{
    unsigned char *other = saved;
    size_t other_size = saved_size;
    void *bytes;
    axes = 2;
    check_round_trip(OD_NET_IWAE, true);
    odim_model *m = make_model(true), *again;
    axes = 0;
    REQUIRE(odim_model_save_memory(m, &bytes, &saved_size, &err) == ODIM_OK);
    saved = bytes;
    REQUIRE(odim_model_load_memory(&again, saved, saved_size, &err) == ODIM_OK);
    check_same_view(m, again);
    odim_model_free(again);
    static const char *const another = "NETW: not the network for the view that is there";
    size_t first_spread = 8 + 4 * FEATURES,
           first_width = 8 + 4 * (od_transform_count(FEATURES, 2) - FEATURES - 2);
    refuse_number("VIEW", 0, FEATURES - 1, 4, another);
    refuse_number("VIEW", 4, 3, 4, another);
    refuse_number("VIEW", 4, OD_TRANSFORM_AXES + 1, 4, another);
    refuse_float("VIEW", first_spread, 0, "VIEW: a width is not positive");
    refuse_float("VIEW", first_width, -1, "VIEW: a width is not positive");
    refuse_float("VIEW", 8, INFINITY, "VIEW: a number is not finite");
    CHECK_INT(load_with("VIEW", NULL, 0), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "section NETW: not the network for the view that is there");
    static const char *const range = "COMP: cut short, or out of range";
    static const char *const asked = "COMP: not the detectors that the parameters ask for";
    refuse_number("COMP", 0, 0, 4, asked);
    refuse_number("COMP", 0, 2, 4, asked);
    refuse_number("COMP", 4, OD_METHOD_IFOREST, 4, asked);
    refuse_number("COMP", 4, 0, 4, range);
    refuse_number("COMP", 4, 77, 4, range);
    refuse_number("COMP", 8, 1, 4, asked); /* in the view */
    refuse_number("COMP", 8, 2, 4, range);
    refuse_double("COMP", 12, -1, range);
    refuse_double("COMP", 12, NAN, range);
    refuse_number("COMP", 20, 3, 8, "COMP: not 1 to 16 groups of 1 to 64 rows");
    refuse_number("COMP", 20, UINT64_MAX, 8, range);
    refuse_number("COMP", 52, 4, 4, range); /* the kind of the first part */
    refuse_number("COMP", 56, 2 * 3 * FEATURES + 8, 8, range);
    refuse_number("COMP", 56, 0, 8, range);
    refuse_float("COMP", 64, NAN, "COMP: a number is not finite");
    CHECK_INT(load_with("COMP", NULL, 0), ODIM_ERR_FORMAT);
    for (int k = OD_TRANSFORM; k <= OD_DETECTORS; k++) lie(od_section_kinds[k].tag);
    odim_model_free(m);
    odim_free(bytes);
    /* Parts that the parameters do not ask for. */
    unsigned char *with = saved = other;
    saved_size = other_size;
    CHECK_INT(load_with("VIEW", with, 8), ODIM_ERR_FORMAT);
    CHECK_INT(load_with("COMP", with, 8), ODIM_ERR_FORMAT);
}

/* As docs/FORMAT.md says: FNV-1a over tag and body of each section, without knowing what they mean. */
static void hash_file(char out[17])
{
    od_container c;
    od_byte_writer hasher = od_bytes_hasher();
    if (od_container_open(&c, saved, saved_size, NULL)) abort();
    for (size_t i = 0; i < c.count; i++) {
        if (c.section[i].tag[0] >= 'a') continue; /* does not change a score */
        od_bytes_put(&hasher, c.section[i].tag, OD_TAG);
        od_bytes_put(&hasher, c.section[i].body.at, c.section[i].body.left);
    }
    snprintf(out, 17, "%016llx", (unsigned long long)hasher.hash);
}

/* Two checks of member 0, three of member 1: each a u64 and an f64 behind a u32. */
TEST(histories)
{
    static const char why[] = "hist: what is said of member 0 is impossible";
    refuse_number("hist", 4, 0, 8, why);        /* the first update is 0 */
    refuse_number("hist", 4 + 16, 40, 8, why);  /* the second is not later */
    refuse_number("hist", 4 + 16, 101, 8, why); /* or after the last of training */
    refuse_double("hist", 4 + 8, -0.1, why);    /* distances */
    refuse_double("hist", 4 + 8, INFINITY, why);
    refuse_number("hist", 0, 100, 4, why); /* more checks than bytes */
    refuse_number("hist", 36 + 4, 0, 8, "hist: what is said of member 1 is impossible");
    /* A model that does not remember has no such section; nor has one that is not private. */
    odim_model *m = make_model(true);
    m->privacy = (odim_privacy_info){0};
    for (int b = 0; b < MEMBERS; b++) m->member[b].history.count = 0;
    void *bytes;
    size_t size;
    od_container c;
    REQUIRE(odim_model_save_memory(m, &bytes, &size, &err) == ODIM_OK);
    REQUIRE(od_container_open(&c, bytes, size, &err) == ODIM_OK);
    CHECK_INT(c.count, OD_REQUIRED);
    odim_free(bytes);
    odim_model_free(m);
}

TEST(fingerprint)
{
    char of_file[17], of_model[17], other[17];
    odim_model *m;
    REQUIRE(odim_model_load_memory(&m, saved, saved_size, &err) == ODIM_OK);
    hash_file(of_file);
    odim_model_fingerprint(m, of_model);
    CHECK_STR(of_model, of_file);
    m->config.threads = 3;
    odim_model_fingerprint(m, other);
    CHECK_STR(other, of_model);
    m->member[1].noise[0] += 1.0f;
    odim_model_fingerprint(m, other);
    CHECK(strcmp(other, of_model) != 0);
    m->member[1].noise[0] -= 1.0f;
    m->threshold += 1e-9;
    odim_model_fingerprint(m, other);
    CHECK(strcmp(other, of_model) != 0);
    odim_model_free(m);
}

TEST(files)
{
    odim_model *m = make_model(true), *again;
    const char *path = in_scratch("model.odim");
    CHECK_INT(odim_model_save(m, path, &err), ODIM_OK);
    CHECK(has_bytes(path, saved, saved_size));
    CHECK_INT(odim_model_load(&again, path, &err), ODIM_OK);
    REQUIRE(again);
    check_same_model(m, again);
    odim_model_free(again);
    CHECK_INT(odim_model_save(m, path, NULL), ODIM_OK);
    CHECK_INT(odim_model_save(m, "/dev/full", &err), ODIM_ERR_IO);
    CHECK_STR(err.msg, "/dev/full: cannot write: No space left on device");
    CHECK_INT(odim_model_save(m, "/nowhere/m.odim", &err), ODIM_ERR_IO);
    CHECK_STR(err.msg, "/nowhere/m.odim: cannot write: No such file or directory");
    CHECK_INT(odim_model_save(m, "/tmp", &err), ODIM_ERR_IO);
    CHECK_STR(err.msg, "/tmp: cannot write: Is a directory");
    CHECK_INT(odim_model_load(&again, "/nowhere/m.odim", &err), ODIM_ERR_IO);
    CHECK(!again);
    CHECK_STR(err.msg, "/nowhere/m.odim: cannot open: No such file or directory");
    char want[200];
    path = in_scratch("table.csv");
    write_text(path, "a,b\n1,2\n");
    snprintf(want, sizeof want, "%s: not a model of odim", path);
    CHECK_INT(odim_model_load(&again, path, &err), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, want);
    CHECK_INT(odim_model_load(&again, path, NULL), ODIM_ERR_FORMAT);
    CHECK_INT(odim_model_load(&again, NULL, &err), ODIM_ERR_PARAM);
    CHECK_INT(odim_model_save(m, NULL, &err), ODIM_ERR_PARAM);
    CHECK_INT(odim_model_load_memory(&again, NULL, 1, &err), ODIM_ERR_PARAM);
    CHECK_INT(odim_model_load_memory(&again, NULL, 0, &err), ODIM_ERR_FORMAT);
    odim_model_free(m);
}

/* Each allocation of save and load in turn; the old file stays. */
TEST(memory_runs_out)
{
    odim_model *m = make_model(true), *again = NULL;
    const char *path = in_scratch("kept.odim");
    write_text(path, "old");
    int64_t n = 1;
    odim_status status = ODIM_ERR_NOMEM;
    for (; status == ODIM_ERR_NOMEM; n++) {
        od_mem_fail_at(n);
        status = odim_model_save(m, path, &err);
        if (status) CHECK(has_text(path, "old") && strstr(err.msg, "kept.odim: out of memory"));
    }
    CHECK(status == ODIM_OK && n > 3);
    CHECK(has_bytes(path, saved, saved_size));
    status = ODIM_ERR_NOMEM;
    for (n = 1; status == ODIM_ERR_NOMEM; n++) {
        od_mem_fail_at(n);
        status = odim_model_load(&again, path, &err);
        CHECK(!status == !!again && (!status || strstr(err.msg, "out of memory")));
    }
    od_mem_fail_at(0);
    CHECK(status == ODIM_OK && n > 20);
    odim_model_free(again);
    odim_model_free(m);
}

int main(void)
{
    scratch_make();
    odim_model *m = make_model(true);
    void *bytes;
    if (odim_model_save_memory(m, &bytes, &saved_size, NULL)) abort();
    saved = bytes;
    odim_model_free(m);
    RUN(round_trip);
    RUN(every_truncation_is_refused);
    RUN(every_corrupt_byte_is_refused);
    RUN(every_byte_may_lie);
    RUN(sections_that_are_not_known_or_not_there);
    RUN(parameters);
    RUN(presets_and_what_differs);
    RUN(networks);
    RUN(columns);
    RUN(levels);
    RUN(numbers);
    RUN(flows);
    RUN(views);
    RUN(histories);
    RUN(fingerprint);
    RUN(files);
    RUN(memory_runs_out);
    odim_free(saved);
    return test_end();
}
