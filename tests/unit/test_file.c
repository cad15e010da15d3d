/* tests: file sections params_file schema_file detector_file. Model files saved and loaded again: the same
 * model, the same bytes. */
#include "scratch.h"
#include "small_model.h"
#include "starve.h"

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

/* A model with a transform and an auxiliary detector. */
TEST(round_trip_with_transform)
{
    void *bytes;
    size_t size;
    axes = 2;
    check_round_trip(OD_NET_IWAE, true);
    odim_model *m = make_model(true), *again;
    axes = 0;
    REQUIRE(odim_model_save_memory(m, &bytes, &size, &err) == ODIM_OK);
    REQUIRE(odim_model_load_memory(&again, bytes, size, &err) == ODIM_OK);
    check_same_view(m, again);
    odim_model_free(again);
    odim_model_free(m);
    odim_free(bytes);
}

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
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 2)
    {
        status = odim_model_save(m, path, &err);
        if (status) CHECK(has_text(path, "old") && strstr(err.msg, "kept.odim: out of memory"));
    }
    CHECK(has_bytes(path, saved, saved_size));
    EACH_ALLOCATION_FAILS(status, 19)
    {
        status = odim_model_load(&again, path, &err);
        CHECK(!status == !!again && (!status || strstr(err.msg, "out of memory")));
    }
    odim_model_free(again);
    odim_model_free(m);
}

int main(void)
{
    scratch_make();
    save_small_model();
    RUN(round_trip);
    RUN(round_trip_with_transform);
    RUN(presets_and_what_differs);
    RUN(fingerprint);
    RUN(files);
    RUN(memory_runs_out);
    odim_free(saved);
    return test_end();
}
