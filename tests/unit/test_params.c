/* tests: params params_check. Every parameter: default, text in and out, range, refusal. */
#include "test.h"

#include "model/params.h"
#include "fit/fit.h"
#include "fit/member.h"

static const char *set(odim_params *p, const char *name, const char *value)
{
    static odim_error err;
    return odim_params_set(p, name, value, &err) ? err.msg : "fine";
}

TEST(every_default_reads_back)
{
    odim_params *p = odim_params_new();
    for (int i = 0; i < odim_param_count(); i++) {
        const odim_param_info *info = odim_param_at(i);
        CHECK_STR(odim_params_get(p, info->name), info->def);
        CHECK_STR(set(p, info->name, info->def), "fine");
        CHECK_STR(odim_params_get(p, info->name), info->def);
        CHECK(info->help && *info->help && info->group && info->arg);
        CHECK(strcmp(set(p, info->name, "-1"), "fine") && strcmp(set(p, info->name, ""), "fine"));
        CHECK(strcmp(set(p, info->name, "nonsense"), "fine"));
        CHECK_STR(odim_params_get(p, info->name), info->def); /* a refused value changes nothing */
    }
    CHECK(odim_param_at(-1) == NULL && odim_param_at(odim_param_count()) == NULL);
    odim_params_free(p);
}

TEST(paper_preset)
{
    odim_params *p = odim_params_new();
    CHECK_STR(set(p, "preset", "paper"), "fine");
    od_config c = p->config;
    odim_params_free(p);
    CHECK(c.transform == OD_TRANSFORM_NONE && c.with.count == 0 && c.trusted_fraction == 0 &&
          c.score_samples == 0);
    CHECK(c.members == 10 && c.samples == 50 && c.batch == 64 && c.lr == 1e-3 && c.weight_decay == 5e-7);
    CHECK(c.batch_norm == 1 && c.likelihood == OD_LIK_PAPER && c.distance == OD_DISTANCE_PAPER);
    CHECK(c.scale == OD_SCALE_MINMAX && c.check_every == 0 && c.patience == 0 && c.hidden.count == 0);
}

/* A preset moves what was not chosen by name, in whichever order; going back to paper undoes it. */
TEST(presets_leave_choices_alone)
{
    odim_params *p = odim_params_new();
    CHECK_STR(set(p, "members", "3"), "fine");
    CHECK_STR(set(p, "preset", "fast"), "fine");
    CHECK_STR(set(p, "lr", "0.01"), "fine");
    CHECK_STR(odim_params_get(p, "preset"), "fast");
    CHECK(p->config.members == 3 && p->config.lr == 0.01);
    CHECK(p->config.samples == 0 && p->config.score_samples == 8 && p->config.score_pool == 64 &&
          p->config.batch == 16);
    CHECK(p->config.hidden.count == 2 && p->config.hidden.size[0] == 32 && p->config.hidden.size[1] == 16);
    CHECK_STR(set(p, "preset", "slow"), "preset must be one of auto|fast|paper, not 'slow'");
    CHECK_INT(p->config.samples, 0);
    CHECK_STR(set(p, "preset", "paper"), "fine");
    CHECK(p->config.members == 3 && p->config.lr == 0.01);
    CHECK(p->config.samples == 50 && p->config.score_samples == 0 && p->config.score_pool == 0);
    CHECK_INT(p->config.hidden.count, 0);
    odim_params_free(p);
}

TEST(values_and_refusals)
{
    odim_params *p = odim_params_new();
    CHECK_STR(set(p, "members", "3"), "fine");
    CHECK_INT(p->config.members, 3);
    CHECK_STR(set(p, "members", "0"), "members must be a whole number from 1 to 10000, not '0'");
    CHECK_STR(set(p, "members", "2.5"), "members must be a whole number from 1 to 10000, not '2.5'");
    CHECK_STR(set(p, "lr", "x"), "lr must be a number from 1e-12 to 10, not 'x'");
    CHECK_STR(set(p, "lr", "nan"), "lr must be a number from 1e-12 to 10, not 'nan'");
    CHECK_STR(set(p, "likelihood", "gauss"),
              "likelihood must be one of paper|gaussian|unit|bernoulli, not 'gauss'");
    CHECK_STR(set(p, "batch-norm", "maybe"), "batch-norm must be one of on|off, not 'maybe'");
    CHECK_STR(set(p, "batch-norm", "off"), "fine");
    CHECK_STR(odim_params_get(p, "batch-norm"), "off");
    CHECK_STR(set(p, "hidden", "50,20,10"), "fine");
    CHECK(p->config.hidden.count == 3 && p->config.hidden.size[1] == 20);
    CHECK_STR(odim_params_get(p, "hidden"), "50,20,10");
    CHECK(strcmp(set(p, "hidden", "50,"), "fine") && strcmp(set(p, "hidden", "1,2,3,4,5,6,7,8,9"), "fine"));
    CHECK_STR(set(p, "hidden", "auto"), "fine");
    CHECK_STR(set(p, "seed", "18446744073709551615"), "fine");
    CHECK(p->config.seed == UINT64_MAX);
    CHECK_STR(odim_params_get(p, "seed"), "18446744073709551615");
    CHECK_STR(set(p, "seed", "18446744073709551616"),
              "seed must be a whole number from 0 to 2^64 - 1, not '18446744073709551616'");
    CHECK_STR(set(p, "memebrs", "3"), "there is no parameter 'memebrs'");
    CHECK(odim_params_get(p, "memebrs") == NULL);
    CHECK(strcmp(set(p, "lr", NULL), "fine") && strcmp(set(p, NULL, "1"), "fine"));
    odim_params_free(p);
}

TEST(sizes_follow_the_columns)
{
    static const struct {
        int64_t d, h1, latent;
    } want[] = {{1, 32, 2}, {3, 32, 2},  {5, 32, 4},     {6, 32, 4},      {7, 32, 6},      {8, 32, 6},
                {9, 32, 8}, {99, 32, 8}, {100, 128, 32}, {1000, 128, 32}, {1001, 512, 128}};
    odim_params paper;
    od_params_unwritten(&paper);
    od_config c = paper.config;
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        od_shape s = od_fit_shape(&c, want[i].d);
        CHECK(s.layers == 2 && s.hidden[0] == want[i].h1 && s.hidden[1] == want[i].h1 / 2);
        CHECK_INT(s.latent, want[i].latent);
    }
    c.latent = 5;
    c.hidden = (od_sizes){1, {7}};
    od_shape s = od_fit_shape(&c, 30);
    CHECK(s.layers == 1 && s.hidden[0] == 7 && s.latent == 5);
    c.model = OD_NET_FLOW;
    s = od_fit_shape(&c, 30);
    CHECK(s.kind == OD_NET_FLOW && s.steps == 4 && s.hidden[0] == 7 && s.latent == 0 && !s.batch_norm);
    CHECK_INT(od_fit_shape(&c, 1).steps, 1);
}

TEST(plan_for_small_tables)
{
    static const struct {
        int64_t n, batch, every, patience;
    } want[] = {{100000, 64, 10, 10}, {640, 64, 10, 10}, {639, 64, 9, 12}, {214, 64, 3, 34},
                {80, 64, 1, 100},     {64, 64, 1, 100},  {5, 5, 1, 100}};
    odim_params paper;
    od_params_unwritten(&paper);
    od_config c = paper.config;
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        od_plan p = od_plan_make(&c, want[i].n, 0);
        CHECK_INT(p.batch, want[i].batch);
        CHECK_INT(p.check_every, want[i].every);
        CHECK_INT(p.patience, want[i].patience);
    }
    c.check_every = 4;
    c.patience = 7;
    od_plan p = od_plan_make(&c, 80, 0);
    CHECK(p.check_every == 4 && p.patience == 7);
    static const int64_t knowns[][2] = {{0, 0}, {1, 1}, {20, 20}, {21, 20}, {5000, 20}};
    for (size_t i = 0; i < sizeof knowns / sizeof *knowns; i++)
        CHECK_INT(od_plan_make(&c, 20, knowns[i][0]).known, knowns[i][1]);
}

/* What a kind of network has not is refused, if it was asked for by name and is not what it would be anyway.
 */
TEST(of_one_kind_of_network)
{
    static const char *const only[][2] = {{"samples", "9"},   {"score-samples", "9"}, {"score-pool", "9"},
                                          {"latent", "3"},    {"batch-norm", "off"},  {"likelihood", "unit"},
                                          {"flow-steps", "2"}};
    odim_error err;
    for (int i = 0; i < 7; i++) {
        char want[80];
        const char *other = i < 6 ? "flow" : "iwae", *own = i < 6 ? "iwae" : "flow";
        odim_params *p = odim_params_new();
        CHECK_STR(set(p, only[i][0], only[i][1]), "fine");
        CHECK_STR(set(p, "model", other), "fine");
        CHECK_INT(od_params_check(p, &err), ODIM_ERR_PARAM);
        snprintf(want, sizeof want, "%s is of no use with model %s", only[i][0], other);
        CHECK_STR(err.msg, want);
        CHECK_STR(set(p, "model", own), "fine");
        CHECK_INT(od_params_check(p, &err), ODIM_OK);
        CHECK_STR(set(p, "model", other), "fine");
        for (int j = 0; j < odim_param_count(); j++)
            if (strcmp(odim_param_at(j)->name, only[i][0]) == 0) set(p, only[i][0], odim_param_at(j)->def);
        CHECK_INT(od_params_check(p, &err), ODIM_OK);
        odim_params_free(p);
    }
    odim_params *p = odim_params_new();
    set(p, "preset", "fast"), set(p, "model", "flow"); /* a preset's numbers are not asked for by name */
    CHECK_INT(od_params_check(p, &err), ODIM_OK);
    odim_params_free(p);
}

/* Whoever says how private a fit is to be, but not that it is, would be left with one that is not. */
TEST(privacy_by_halves)
{
    odim_params *p = odim_params_new();
    odim_error err;
    CHECK_STR(set(p, "dp-delta", "1e-05"), "fine"); /* the default */
    CHECK_INT(od_params_check(p, &err), ODIM_OK);
    CHECK_STR(set(p, "dp-clip", "2"), "fine");
    CHECK_INT(od_params_check(p, &err), ODIM_ERR_PARAM);
    CHECK_STR(err.msg, "dp-clip is of no use without dp-epsilon: the fit would not be private");
    CHECK_STR(set(p, "dp-epsilon", "3"), "fine");
    CHECK_INT(od_params_check(p, &err), ODIM_OK);
    odim_params_free(p);
}

/* The names of the parameter are those of the detectors, in the order of their numbers. */
TEST(methods)
{
    odim_params *p = odim_params_new();
    char names[200] = "odim";
    for (od_method m = OD_METHOD_IFOREST; m <= OD_METHOD_LAST; m++) {
        if (m >= OD_METHOD_SUBSAMPLE_KNN && m <= OD_METHOD_KNOWN_ROWS) continue; /* only beside networks */
        const char *name = od_detector_kind_of(m)->name;
        CHECK_STR(set(p, "method", name), "fine");
        CHECK_INT(p->config.method, m);
        strcat(strcat(names, "|"), name);
    }
    for (int i = 0; i < odim_param_count(); i++)
        if (strcmp(odim_param_at(i)->name, "method") == 0) CHECK_STR(odim_param_at(i)->arg, names);
    /* A method starts from paper, whichever comes first; another preset is of no use to it. */
    CHECK_STR(odim_params_get(p, "preset"), "paper");
    CHECK(p->config.transform == OD_TRANSFORM_NONE && p->config.scale == OD_SCALE_MINMAX &&
          p->config.trusted_fraction == 0);
    CHECK_STR(set(p, "preset", "paper"), "fine");
    CHECK_INT(od_params_check(p, NULL), ODIM_OK);
    CHECK_STR(set(p, "preset", "fast"), "fine");
    CHECK_INT(od_params_check(p, NULL), ODIM_ERR_PARAM);
    odim_params_free(p);
}

TEST(with)
{
    odim_params *p = odim_params_new();
    const od_aux_spec *b = &p->config.with;
    CHECK_STR(odim_params_get(p, "with"), "mcd");
    CHECK_STR(set(p, "with", "subsample-knn:1,iforest@transform:0.5,lof:1e-06"), "fine");
    CHECK_STR(odim_params_get(p, "with"), "subsample-knn,iforest@transform:0.5,lof:1e-06");
    CHECK_INT(b->count, 3);
    CHECK(b->item[1].method == OD_METHOD_IFOREST && b->item[1].transformed && b->item[1].weight == 0.5);
    CHECK(b->item[0].method == OD_METHOD_SUBSAMPLE_KNN && !b->item[0].transformed && b->item[0].weight == 1);
    static const char *const wrong[] = {"",
                                        "near,",
                                        "near near",
                                        "subsample-knn:1001",
                                        "near:nan",
                                        "subsample-knn@",
                                        "subsample-knn@transforms",
                                        "odim",
                                        "subsample-knn@transform@transform",
                                        "subsample-knn:1:1",
                                        "neighbors",
                                        "near:-1",
                                        "NEAR",
                                        "subsample-knn,knn,lof,ecod",
                                        "none,near",
                                        "subsample-knn:1,near"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CHECK(odim_params_set(p, "with", wrong[i], NULL) == ODIM_ERR_PARAM);
        CHECK_STR(odim_params_get(p, "with"), "subsample-knn,iforest@transform:0.5,lof:1e-06");
    }
    CHECK_STR(set(p, "with", "none"), "fine");
    CHECK_INT(b->count, 0);
    odim_params_free(p);
}

static void check_apply(const char *method, const char *with, const char *name, bool want)
{
    odim_params *p = odim_params_new();
    CHECK_STR(set(p, "method", method), "fine");
    CHECK_STR(set(p, "with", with), "fine");
    for (int i = 0; i < odim_param_count(); i++)
        if (strcmp(odim_param_at(i)->name, name) == 0)
            CHECK_INT(od_params_apply(&p->config, odim_param_at(i)), want);
    odim_params_free(p);
}

TEST(what_has_a_say)
{
    check_apply("odim", "none", "members", true);
    check_apply("odim", "none", "dp-clip", true);
    check_apply("odim", "none", "trees", false);
    check_apply("odim", "subsample-knn,iforest", "trees", true);
    check_apply("odim", "subsample-knn,iforest", "neighbors", true); /* of trust */
    check_apply("odim", "lof", "neighbors", true);
    check_apply("knn", "none", "neighbors", true);
    check_apply("knn", "none", "trees", false);
    check_apply("knn", "iforest", "trees", false); /* is not beside anything */
    check_apply("iforest", "none", "tree-sample", true);
    static const char *const not_of_knn[] = {"preset",     "members",      "samples",   "score-samples",
                                             "score-pool", "with",         "model",     "hidden",
                                             "batch",      "known-weight", "dp-epsilon"};
    for (size_t i = 0; i < sizeof not_of_knn / sizeof *not_of_knn; i++)
        check_apply("knn", "none", not_of_knn[i], false);
    static const char *const of_knn[] = {"method", "scale", "transform", "contamination", "seed", "threads"};
    for (size_t i = 0; i < sizeof of_knn / sizeof *of_knn; i++) check_apply("knn", "none", of_knn[i], true);
}

/* What files do not name has the paper's values, and a preset of a file moves nothing. */
TEST(unwritten)
{
    odim_params p;
    od_params_unwritten(&p);
    CHECK_STR(odim_params_get(&p, "preset"), "paper");
    CHECK(p.config.samples == 50 && p.config.transform == OD_TRANSFORM_NONE &&
          p.config.scale == OD_SCALE_MINMAX);
    CHECK_INT(od_params_put(&p, "preset", "auto", NULL), ODIM_OK);
    CHECK(p.config.samples == 50 && p.config.transform == OD_TRANSFORM_NONE && p.config.with.count == 0);
    CHECK_INT(od_params_put(&p, "preset", "best", NULL), ODIM_ERR_PARAM);
}

/* What would keep rows in a model that is to be shared. */
TEST(sharing)
{
    static const char instead[] = "; use preset paper or fast, or method iforest, mcd, pca or hbos, or train "
                                  "with differential privacy (dp-epsilon)";
    static const struct {
        const char *name, *value, *keeps;
    } want[] = {
        {"method", "knn", "method knn keeps the training rows"},
        {"method", "lof", "method lof keeps the training rows"},
        {"method", "ecod", "method ecod keeps values of every column, sorted"},
        {"method", "copod", "method copod keeps values of every column, sorted"},
        {"method", "ocsvm", "method ocsvm keeps training rows"},
        {"method", "cblof", "method cblof keeps centers of clusters, which may be single rows"},
        {"method", "cof", "method cof keeps the training rows"},
        {"method", "sod", "method sod keeps the training rows"},
        {"method", "bagging", "method bagging keeps the training rows"},
        {"method", "loda", NULL},
        {"with", "mcd,subsample-knn", "with subsample-knn keeps training rows"},
        {"with", "knn", "with knn keeps the training rows"},
        {"trusted-fraction", "0.5", "trusted-fraction keeps up to 2048 training rows"},
        {"preset", "auto", "trusted-fraction (of preset auto) keeps up to 2048 training rows"},
        {"preset", "fast", NULL},
        {"method", "iforest", NULL},
        {"method", "mcd", NULL},
        {"method", "pca", NULL},
        {"method", "hbos", NULL},
        {"dp-epsilon", "3", NULL},
    };
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        odim_params *p = odim_params_new();
        odim_error err = {0};
        char text[sizeof err.msg] = "";
        if (strcmp(want[i].name, "with") == 0) CHECK_STR(set(p, "trusted-fraction", "off"), "fine");
        CHECK_STR(set(p, want[i].name, want[i].value), "fine");
        CHECK_INT(od_params_check(p, &err), ODIM_OK);
        CHECK_STR(set(p, "share-safe", "on"), "fine");
        if (want[i].keeps) snprintf(text, sizeof text, "share-safe: %s%s", want[i].keeps, instead);
        CHECK_INT(od_params_check(p, &err), want[i].keeps ? ODIM_ERR_PARAM : ODIM_OK);
        CHECK_STR(err.msg, text);
        odim_params_free(p);
    }
}

int main(void)
{
    RUN(every_default_reads_back);
    RUN(paper_preset);
    RUN(presets_leave_choices_alone);
    RUN(values_and_refusals);
    RUN(sizes_follow_the_columns);
    RUN(plan_for_small_tables);
    RUN(of_one_kind_of_network);
    RUN(privacy_by_halves);
    RUN(methods);
    RUN(with);
    RUN(what_has_a_say);
    RUN(unwritten);
    RUN(sharing);
    return test_end();
}
